"""Seals on the audit trail: a chain of digests for each organisation, over events in the order of their places.

`place` is drawn by the database at each insertion. `mark_events` answers how far places are drawn, and who is still
writing: once they are done, no event can come at or before that place any more.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0018"
down_revision = "0017"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
# The place first: whoever has drawn one that is not greater holds the lock of a writer until the transaction ends.
MARK_EVENTS = """
create function mark_events() returns table (place bigint, writers text[])
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
begin
    place := (select last_value from events_place_seq);
    writers := (
        select coalesce(array_agg(distinct l.virtualtransaction), '{}') from pg_locks l
        where l.locktype = 'relation' and l.relation = 'events'::regclass and l.mode = 'RowExclusiveLock' and l.granted
          and l.database = (select oid from pg_database where datname = current_database())
    );
    return next;
end
$$
"""
UNSEALED_ORGANISATIONS = """
create function unsealed_organisations(last text, upto bigint, at_most integer) returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select o.org_id from organisations o
    where o.org_id > last and exists (
        select from events e where e.org_id = o.org_id and e.place <= upto and e.place > coalesce(
            (select s.last_place from event_seals s where s.org_id = o.org_id order by s.seq desc limit 1), 0))
    order by o.org_id limit at_most
$$
"""
FUNCTIONS = {
    "mark_events()": MARK_EVENTS,
    "unsealed_organisations(text, bigint, integer)": UNSEALED_ORGANISATIONS,
}


def upgrade() -> None:
    serving = serving_role()
    op.add_column("events", sa.Column("place", sa.BigInteger(), sa.Identity(always=True), nullable=False))
    op.create_index("ix_events_place", "events", ["org_id", "place"], unique=True)
    op.create_index("ix_events_subject", "events", ["org_id", "subject_ref", "id"], unique=False)
    op.add_column("organisations", sa.Column("seals", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "event_seals",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("first_place", sa.BigInteger(), nullable=False),
        sa.Column("last_place", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("leaves", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_event_seals_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "seq", name=op.f("pk_event_seals")),
    )
    op.execute("alter table event_seals enable row level security")
    op.execute("alter table event_seals force row level security")
    op.execute(f"create policy tenant on event_seals to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert on event_seals to {serving}")
    op.execute(f"revoke update on event_values from {serving}")
    for table in ("events", "event_seals"):
        op.execute(f"create policy directory on {table} for select to current_user using (true)")
    for signature, definition in FUNCTIONS.items():
        op.execute(definition)
        op.execute(f"revoke all on function {signature} from public")
        op.execute(f"grant execute on function {signature} to {serving}")


def downgrade() -> None:
    for signature in FUNCTIONS:
        op.execute(f"drop function {signature}")
    op.execute(f"grant update on event_values to {serving_role()}")
    op.execute("drop policy directory on events")
    op.drop_table("event_seals")
    op.drop_column("organisations", "seals")
    for index in ("ix_events_subject", "ix_events_place"):
        op.drop_index(index, "events")
    op.drop_column("events", "place")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
