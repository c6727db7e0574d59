"""From what is reported to what is kept: items judged one by one, people and stores found or made, notes made facts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from app.domain.erasures import Closings, Thing, person_thing, store_thing
from app.domain.errors import Conflict, Forbidden, Invalid, NotFound, RetenirError
from app.domain.identifiers import uuid7
from app.domain.messages import MAX_AHEAD, local_time
from app.domain.noremember import is_noremember
from app.domain.notes import CATEGORY, note_key
from app.domain.observations import Observation, ObservationType, day_session
from app.domain.organisations import OrgSettings, Person, Store
from app.domain.sources import Origin, Relation, Source, Traits, Trust
from app.domain.subjects import KeyRef, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType, Rank, TenantScope
from app.domain.values import JsonValue, normalise
from app.ports.storage import UnitOfWork
from app.services.folds import begin
from app.services.organisations import standing

Outcome = Observation | RetenirError | None
"""What is kept of a report; why it is refused; or None for what nobody wants kept."""


@dataclass(frozen=True, slots=True)
class Reported:
    """Something that happened, as reported. `tool` is the one in whose run it was seen; `utc_offset` is in minutes.

    It bears its id from the start, so that writing it again changes nothing. Without a person it is whom the request
    speaks for; without a time it is now.
    """

    type: ObservationType
    user_id: str | None = None
    store_id: str | None = None
    agent_id: str = ATLAS
    session_id: str | None = None
    content: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    utc_offset: int | None = None
    tool: str | None = None
    id: UUID = field(default_factory=uuid7)

    @property
    def rows(self) -> int:
        """What it costs to keep it: a note is also a fact, its source, its event and the event's words."""
        return 5 if self.type is ObservationType.NOTE else 1


@dataclass(frozen=True, slots=True)
class _Known:
    """What is there of what the reports name."""

    settings: OrgSettings
    people: Mapping[str, Person]
    stores: Mapping[str, Store]


Report = tuple[TenantScope, Reported]


async def observe(uow: UnitOfWork, reports: Sequence[Report], now: datetime) -> list[Outcome]:
    """Keep what may be kept of the reports of one organisation; what became of each, in their order.

    As few statements for many as for one. Raises NotFound where the organisation is gone.
    """
    settings = (await standing(uow)).settings
    outcomes: list[Outcome] = [_refusal(scope, item, now) for scope, item in reports]
    welcome = [
        report
        for report, refused in zip(reports, outcomes, strict=True)
        if refused is None and not _unwanted(report[1], settings)
    ]
    known = await _known(uow, settings, welcome)
    welcome = await _unerased(uow, welcome, known)
    closed = uow.erasures.closings
    kept = {item.id: _closed(scope, item, closed) or _outcome(scope, item, known, now) for scope, item in welcome}
    observed = {place: made for place, made in kept.items() if isinstance(made, Observation)}
    await _make_unseen(uow, observed.values(), known, now)
    new = await uow.observations.add(list(observed.values()))
    notes = [
        (scope, observed[item.id]) for scope, item in welcome if item.id in new and item.type is ObservationType.NOTE
    ]
    await begin(uow, [_as_source(scope, note, known) for scope, note in notes], now)
    return [refused or kept.get(item.id) for refused, (_, item) in zip(outcomes, reports, strict=True)]


def _refusal(scope: TenantScope, item: Reported, now: datetime) -> RetenirError | None:
    """Why this caller may not report this, as far as that shows without a look into the memory."""
    if scope.person is not None and item.user_id not in (None, scope.person):
        return Invalid("person_mismatch", "The request speaks for another person.", (("/user_id", "mismatch"),))
    if scope.person is None and item.user_id is None:
        return Invalid("person_required", "Name the person by user_id or X-User-Id.", (("/user_id", "missing"),))
    if not scope.reaches_store(item.store_id):
        return NotFound()
    if not scope.writes_pocket(item.agent_id):
        return Forbidden("limited_key", "This key is limited to other agents.")
    if item.occurred_at is not None and item.occurred_at > now + MAX_AHEAD:
        return Invalid("time_ahead", "This lies more than 24 hours ahead.", (("/occurred_at", "time_ahead"),))
    return None


def _unwanted(item: Reported, settings: OrgSettings) -> bool:
    """Whether the organisation or the words themselves say that nothing is to be kept."""
    tool = item.tool or item.metadata.get("toolName")
    meta = tool in settings.meta_tools and item.type is not ObservationType.NOTE
    return not settings.enabled or meta or is_noremember(item.content or "")


async def _unerased(uow: UnitOfWork, reports: list[Report], known: _Known) -> list[Report]:
    """Those that happened, as far as they say when, after their person and store were last erased. Who is not there may
    have been erased since the transaction began.
    """
    there = {*map(person_thing, known.people), *map(store_thing, known.stores)}
    named = {item.id: _things(scope, item) for scope, item in reports if item.occurred_at is not None}
    things = {thing for each in named.values() for thing in each}
    erased = await uow.ledger.among(things, afresh=not things <= there)

    def stands(item: Reported) -> bool:
        at = item.occurred_at
        return at is None or all(erased[thing] < at for thing in named[item.id] if thing in erased)

    return [(scope, item) for scope, item in reports if stands(item)] if erased else reports


def _closed(scope: TenantScope, item: Reported, closings: Closings) -> RetenirError | None:
    """Why nothing can be kept of it just now: it would come into what is being erased."""
    inside = (item.user_id or scope.person) in closings.people or item.store_id in closings.stores
    return Conflict("erasing", "This is being erased; try again when that is done.", 2) if inside else None


def _things(scope: TenantScope, item: Reported) -> list[Thing]:
    person = item.user_id or scope.person
    about = [person_thing(person)] if person else []
    return about + ([store_thing(item.store_id)] if item.store_id else [])


async def _known(uow: UnitOfWork, settings: OrgSettings, reports: Iterable[Report]) -> _Known:
    people = {person for scope, item in reports if (person := item.user_id or scope.person)}
    stores = {item.store_id for _, item in reports if item.store_id}
    return _Known(
        settings,
        {person.user_id: person for person in (await uow.people.among(people) if people else [])},
        {store.store_id: store for store in (await uow.stores.among(stores) if stores else [])},
    )


def _outcome(scope: TenantScope, item: Reported, known: _Known, now: datetime) -> Outcome:
    """What is kept of a report that this caller may make."""
    user_id = item.user_id or scope.person or ""
    person = known.people.get(user_id)
    unseen = person is None or (item.store_id is not None and item.store_id not in known.stores)
    if unseen and not scope.makes_unseen:
        return NotFound()
    if person is not None and not person.remember:
        return None
    occurred_at = item.occurred_at or now
    return Observation(
        id=item.id,
        type=item.type,
        user_id=user_id,
        agent_id=item.agent_id,
        session=item.session_id or day_session(_day(item, occurred_at, person, known)),
        occurred_at=occurred_at,
        recorded_at=now,
        store_id=item.store_id,
        content=item.content,
        metadata=item.metadata,
        tags=item.tags,
        consolidated_at=now if item.type is ObservationType.NOTE else None,
    )


def _day(item: Reported, occurred_at: datetime, person: Person | None, known: _Known) -> date:
    """The day on which it happened where the person is."""
    store = known.stores.get(item.store_id) if item.store_id else None
    zones = (person.time_zone if person else None, store.time_zone if store else None, known.settings.time_zone)
    return local_time(occurred_at, item.utc_offset, *zones).date()


async def _make_unseen(uow: UnitOfWork, observed: Iterable[Observation], known: _Known, now: datetime) -> None:
    """In order of id, so that two who make the same ones do not wait for each other in a circle."""
    people = {one.user_id for one in observed} - known.people.keys()
    stores = {one.store_id for one in observed if one.store_id} - known.stores.keys()
    for store_id in sorted(stores):
        await uow.stores.ensure(Store(store_id, name=store_id, created_at=now))
    for user_id in sorted(people):
        await uow.people.ensure(Person(user_id, created_at=now))


def _as_source(scope: TenantScope, note: Observation, known: _Known) -> tuple[KeyRef, Source]:
    """The fact that a note is: its first source bears the note's own id, and so does the fact."""
    person = known.people.get(note.user_id)
    rank = min(scope.rank, Rank.of(person.role if person else None))
    content, value = note.content or "", note.summary or ""
    source = Source(
        id=note.id,
        at=note.occurred_at,
        recorded_at=note.recorded_at,
        origin=Origin.OBSERVATION,
        relation=Relation.STATEMENT,
        author=Actor(ActorType.PERSON, note.user_id),
        trust=Trust.of(rank),
        value=value,
        normal=normalise(value),
        content=content,
        language=known.settings.language,
        valid_from=note.occurred_at,
        traits=Traits(category=CATEGORY, tags=note.tags),
    )
    return KeyRef(UserSubject(note.user_id), note.agent_id, note_key(note.id)), source
