"""What sessions showed, when a message is erased or a contact turns out to be somebody."""

from app.domain.observations import ObservationType
from app.domain.organisations import ChannelLink
from app.domain.sources import Decision, MessageRef
from app.domain.subjects import KeyRef, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.storage import Storage
from app.services.adoption import adopt
from app.services.behaviour import forget_found_in
from app.services.consolidation import Outcome
from app.services.folds import Author
from tests.contract.consolidating import facts, happened, keep, run
from tests.unit.memories import ALICE, START, day
from tests.unit.observed import observed

QUERY = ObservationType.QUERY_PATTERN


async def test_erasing_a_message_takes_back_what_its_query_pattern_showed(storage: Storage, scope: TenantScope) -> None:
    refs = [MessageRef("talk", f"m{n}", "web") for n in range(3)]
    sessions = ("talk", "talk", "other")
    await keep(
        storage,
        scope,
        *(observed(QUERY, n, n / 10, message=ref, session=sessions[n]) for n, ref in enumerate(refs)),
    )
    await run(storage, scope, 1)

    async def erase(ref: MessageRef) -> int:
        async with storage.transaction(scope) as uow:
            await forget_found_in(uow, [ref], Author(ALICE, day(2)))
            await uow.observations.delete_found_in([ref])
        found = await facts(storage, scope)
        return found["domain_preference:shipping"].reinforcement_count if found else 0

    assert [await erase(ref) for ref in refs] == [2, 1, 0]
    assert await run(storage, scope, 3) == Outcome()


async def test_an_adopted_contact_brings_their_sessions_and_one_known_to_both_counts_once(
    storage: Storage, scope: TenantScope
) -> None:
    await keep(
        storage,
        scope,
        happened(1, "day 2026-03-01", user_id="bob"),
        happened(2, "s2", user_id="bob"),
        happened(3, "day 2026-03-01", 1),
        happened(4, "s9", 1),
    )
    for person in ("alice", "bob"):
        await run(storage, scope, 1, person)
    async with storage.transaction(scope) as uow:
        await adopt(uow, ChannelLink("web", "bob", "alice", START), Author(ALICE, day(2)))

    (fact,) = (await facts(storage, scope)).values()
    assert (fact.reinforcement_count, fact.last_reinforced_at) == (3, day(1))
    async with storage.transaction(scope) as uow:
        entries = await uow.sources.entries(KeyRef(UserSubject("alice"), ATLAS, fact.ref.key))
        ids = [one.observed.ids for one in entries if not isinstance(one, Decision) and one.observed]
    assert sorted(len(each) for each in ids) == [1, 1, 2]
