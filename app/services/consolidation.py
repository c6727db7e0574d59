"""Consolidating a person: what their sessions showed becomes behavioural facts, and what has faded goes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.consolidation import Checkpoint, Sightings
from app.domain.events import Change
from app.domain.observations import FAILURE_WINDOW, Observation, ObservationType
from app.domain.organisations import OrgSettings, Person
from app.domain.precedence import faded
from app.domain.sources import Trust
from app.domain.tenancy import Actor, Rank
from app.ports.clock import Clock
from app.ports.storage import UnitOfWork
from app.services.behaviour import expire, reinforce
from app.services.folds import Author
from app.services.organisations import standing

AT_ONCE = 500
"""Observations, and faded facts, that one transaction takes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many facts were created, reinforced and expired, and when that was.

    `more`: so much waits that another turn is needed.
    """

    created: int = 0
    reinforced: int = 0
    expired: int = 0
    more: bool = False
    at: datetime | None = field(default=None, compare=False)

    def then(self, later: "Outcome") -> "Outcome":
        """Both, one after the other."""
        return Outcome(
            self.created + later.created,
            self.reinforced + later.reinforced,
            self.expired + later.expired,
            later.more,
            later.at,
        )


async def consolidate(
    uow: UnitOfWork, user_id: str, actor: Actor, clock: Clock, session_id: str | None = None
) -> Outcome:
    """Take a person's observations that nobody took yet, in this transaction: all of it stays, or nothing.

    Consolidations of one person follow each other. Each session reinforces a fact at most once, whoever takes its
    observations, and in however many turns. What was erased meanwhile shows nothing. Where the organisation or the
    person wants nothing remembered, facts only fade. An unknown person has none. Raises NotFound for the organisation.
    """
    await uow.consolidations.hold(user_id)
    author = Author(actor, clock())
    settings = (await standing(uow)).settings
    person = await uow.people.get(user_id)
    if person is None:
        return Outcome()
    taken: Sequence[Observation] = ()
    if settings.enabled and person.remember:
        taken = await uow.observations.take_unconsolidated(user_id, AT_ONCE)
    shown = await _shown(uow, settings, person, taken, author)
    fading = await uow.facts.faded_behaviour(user_id, author.now, AT_ONCE)
    await uow.facts.lock([*shown.sources, *{fact.ref for fact in fading}])
    changed = await reinforce(uow, {ref: list(kept.values()) for ref, kept in shown.sources.items()}, author)
    held = await uow.facts.of_keys(list({fact.ref for fact in fading}))
    expired = await expire(uow, [fact for fact in held if fact.behaviour and faded(fact, author.now)], author)
    await uow.observations.mark_consolidated([observation.id for observation in taken], author.now)
    latest = max((observation.occurred_at for observation in taken), default=None)
    await uow.consolidations.save(user_id, Checkpoint(author.now, latest, session_id))
    return _outcome(changed, expired, author.now, more=AT_ONCE in (len(taken), len(fading)))


async def _shown(
    uow: UnitOfWork, settings: OrgSettings, person: Person, taken: Sequence[Observation], author: Author
) -> Sightings:
    """What the observations show, and which failures have become a pattern with them."""
    rank = Rank.of(person.role)
    trust, policies = Trust.of(rank), settings.policies
    shown = Sightings(person.user_id, settings.behaviour_policy, settings.language, trust, author.now, policies)
    shown.see(taken)
    if any(observation.type is ObservationType.TOOL_FAILURE for observation in taken):
        shown.see_failures(await uow.observations.failures(person.user_id, author.now - FAILURE_WINDOW))
    return shown


def _outcome(changed: Sequence[Change], expired: Sequence[Change], at: datetime, *, more: bool) -> Outcome:
    return Outcome(
        created=sum(change.before is None for change in changed),
        reinforced=sum(map(_reinforces, changed)),
        expired=sum(change.after is None for change in expired),
        more=more,
        at=at,
    )


def _reinforces(change: Change) -> bool:
    before, after = change.before, change.after
    return before is not None and after is not None and before.reinforcement_count < after.reinforcement_count
