"""The worker: order within a conversation, no waiting between them, nothing lost and nothing twice."""

from dataclasses import replace
from typing import Any

import pytest

from app.domain.drafts import ExtractionRequest
from app.domain.errors import Unavailable
from app.domain.tenancy import Rank, TenantScope
from app.services.learning import StaleClaimError
from app.worker import AT_ONCE, beside
from tests.support.clock import MovingClock
from tests.support.extractors import MEET, STUMBLE, Meeting, Scripted, as_said, reading_with
from tests.support.talk import facts, send, short, tables_holding, tell, turn
from tests.support.waiting import DONE, settled
from tests.support.world import WORKER, World


def replace_settings(world: World, **changes: Any) -> World:
    """The same, for a service with other settings."""
    return replace(world, settings=world.settings.model_copy(update=changes))


AWAY = Unavailable("model_unavailable", "not now")


async def test_a_conversation_is_read_in_the_order_in_which_it_came(world: World) -> None:
    extractor = Scripted()
    async with reading_with(extractor, world) as here:
        shop = await here.organisation()
        said = [turn(f"Phrase {number}.", at=number, conversation_id="one-talk") for number in range(12)]
        jobs = [item["job_id"] for item in (await send(shop.acting("alice"), {"items": said}))["items"]]
        async with beside(here.container):
            for job_id in jobs:
                await settled(shop.owner, job_id, DONE)
    assert [text for text in extractor.read if text.startswith("Phrase")] == [
        f"Phrase {number}." for number in range(12)
    ]


async def test_conversations_do_not_wait_for_each_other(world: World) -> None:
    async with reading_with(Scripted(meeting=Meeting(3)), world) as here, beside(here.container):
        shop = await here.organisation()
        talks = [f"talk-{number}" for number in range(3)]
        jobs = [(await tell(shop.acting("alice"), f"J'ai {MEET}.", conversation_id=talk))["job_id"] for talk in talks]
        for job_id in jobs:
            await settled(shop.owner, job_id, DONE)


async def test_what_follows_a_failed_reading_waits_for_it(world: World, clock: MovingClock) -> None:
    extractor = Scripted(AWAY)
    async with reading_with(extractor, world) as here:
        shop = await here.organisation()
        alice = shop.acting("alice")
        first = (await tell(alice, f"Je {STUMBLE}.", conversation_id="talk"))["job_id"]
        second = (await tell(alice, "Ensuite.", at=60, conversation_id="talk"))["job_id"]
        elsewhere = (await tell(alice, "Ailleurs.", conversation_id="other-talk"))["job_id"]
        await here.finish_jobs()
        stands = {job["id"]: job["status"] for job in (await alice.get("/memory/jobs")).json()["items"]}
        assert stands == {first: "failed", second: "queued", elsewhere: "done"}
        extractor.fault = None
        clock.advance(seconds=2)
        await here.finish_jobs()
        assert [text for text in extractor.read if text in (f"Je {STUMBLE}.", "Ensuite.")][-2:] == [
            f"Je {STUMBLE}.",
            "Ensuite.",
        ]
        assert len(await facts(alice, "user")) == 3


async def test_what_follows_a_dead_reading_goes_on(world: World, clock: MovingClock) -> None:
    async with reading_with(Scripted(AWAY), world) as here:
        shop = await here.organisation()
        await tell(shop.acting("alice"), f"Je {STUMBLE}.", conversation_id="talk")
        await tell(shop.acting("alice"), "Ensuite.", at=60, conversation_id="talk")
        for _ in range(9):
            await here.finish_jobs()
            clock.advance(minutes=20)
        assert [fact["value"] for fact in await facts(shop.acting("alice"), "user")] == ["Ensuite."]


async def test_who_is_later_than_the_lease_leaves_room_for_others(world: World) -> None:
    """As many readings as a worker has room for never end; whoever comes after them is read all the same."""
    hurried = replace_settings(world, job_lease_seconds=1)
    async with reading_with(Scripted(meeting=Meeting(10_000)), hurried) as here, beside(here.container):
        shop = await here.organisation()
        for number in range(AT_ONCE):
            await tell(shop.acting("alice"), f"J'ai {MEET}.", conversation_id=f"talk-{number}")
        late = await tell(shop.acting("alice"), "Je suis là.", conversation_id="another-talk")
        await settled(shop.owner, late["job_id"], DONE)


async def test_what_waits_when_the_service_stops_is_done_by_the_next(world: World) -> None:
    async with reading_with(Scripted(), world) as before:
        shop = await before.organisation()
        jobs = [(await tell(shop.acting("alice"), f"Phrase {number}.", at=number))["job_id"] for number in range(5)]
    async with reading_with(Scripted(), world) as after, beside(after.container):
        again = replace(shop, world=after)
        for job_id in jobs:
            await settled(again.owner, job_id, DONE)


async def test_a_job_whose_worker_died_is_taken_over_and_done_once(world: World, clock: MovingClock) -> None:
    shop = await world.organisation()
    await world.finish_jobs()
    job_id = (await tell(shop.acting("alice"), "J'habite à Lyon."))["job_id"]
    (lost,) = await world.container.directory.claim_jobs(50, clock())
    await world.finish_jobs()
    assert (await shop.owner.get(f"/memory/jobs/{job_id}")).json()["status"] == "running"
    clock.advance(seconds=61)
    await world.finish_jobs()
    done = (await shop.owner.get(f"/memory/jobs/{job_id}")).json()
    assert (done["status"], done["attempts"], done["result"]["facts_created"]) == ("done", 2, 1)
    with pytest.raises(StaleClaimError):
        await world.container.job_runner.run(TenantScope(shop.org_id, WORKER, Rank.OWNER), lost)
    (fact,) = await facts(shop.acting("alice"), "user")
    assert fact["confirmation_count"] == 1


def good(request: ExtractionRequest) -> dict[str, Any]:
    return as_said(request)[0]


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (lambda request: None, "not_an_object"),
        (lambda request: "```json\n[]\n```", "not_an_object"),
        (lambda request: [good(request)], "not_an_object"),
        (lambda request: {}, "no_evidence"),
        (lambda request: good(request) | {"evidence": "what the assistant said"}, "no_evidence"),
        (lambda request: good(request) | {"key": "Not A Key"}, "bad_key"),
        (lambda request: good(request) | {"about": "bob"}, "bad_about"),
        (lambda request: good(request) | {"confidence": 0.39}, "low_confidence"),
        (lambda request: good(request) | {"confidence": float("nan")}, "bad_confidence"),
        (lambda request: good(request) | {"value": "x" * 5000}, "too_large"),
        (lambda request: good(request) | {"content": "a\0b"}, "bad_text"),
        (lambda request: good(request) | {"content": "a\ud800b"}, "bad_text"),
        (lambda request: good(request) | {"tags": ["x"] * 9}, "bad_tags"),
        (lambda request: good(request) | {"value": "4111 1111 1111 1111"}, "secret"),
    ],
    ids=[
        "null",
        "fenced",
        "nested",
        "empty",
        "evidence",
        "key",
        "about",
        "unsure",
        "nan",
        "large",
        "nul",
        "half",
        "tags",
        "secret",
    ],
)
async def test_a_bad_draft_is_dropped_alone_and_counted(world: World, spoilt: Any, reason: str) -> None:
    extractor = Scripted(answer=lambda request: [spoilt(request), good(request)])
    async with reading_with(extractor, world) as here:
        shop = await here.organisation()
        job_id = (await tell(shop.acting("alice"), "Je vais bien."))["job_id"]
        await here.finish_jobs()
        job = (await shop.owner.get(f"/memory/jobs/{job_id}")).json()
        assert (job["status"], job["result"]["drafts_dropped"]) == ("done", {reason: 1})
        assert [fact["value"] for fact in await facts(shop.acting("alice"), "user")] == ["Je vais bien."]


@pytest.mark.parametrize("answer", [None, 7, [{"about": "person"}, *[None] * 3]], ids=short)
async def test_an_answer_of_another_shape_stores_nothing(world: World, superuser_url: str, answer: Any) -> None:
    word = "Quiproquette"
    async with reading_with(Scripted(answer=lambda _: answer), world) as here, beside(here.container):
        shop = await here.organisation()
        job_id = (await tell(shop.acting("alice"), f"Je suis {word}."))["job_id"]
        job = await settled(shop.owner, job_id)
        assert job["status"] == ("done" if isinstance(answer, list) else "failed")
        assert await facts(shop.acting("alice"), "user") == []
    assert set(await tables_holding(superuser_url, word)) == {"messages"}


async def test_at_most_five_drafts_of_a_turn_are_kept(world: World) -> None:
    extractor = Scripted(answer=lambda request: [good(request) | {"value": number} for number in range(7)])
    async with reading_with(extractor, world) as here:
        shop = await here.organisation()
        job_id = (await tell(shop.acting("alice"), "J'en ai 0, 1, 2, 3, 4, 5, 6."))["job_id"]
        await here.finish_jobs()
        assert len(await facts(shop.acting("alice"), "user")) == 5
        job = (await shop.owner.get(f"/memory/jobs/{job_id}")).json()
        assert job["result"]["drafts_dropped"] == {"too_many": 2}
