"""Giving documents their vectors: the work of embedding jobs, and of moving an organisation to another model."""

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from app.domain.embedding import Vector, has_words
from app.domain.jobs import PATIENCE, Claim, Job, NotNow, pause_while_away
from app.domain.messages import Message
from app.domain.search import SPOKEN, message_document
from app.domain.subjects import user_of
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.embedders import Embedder, EmbedderAway, EmbeddingFailed, Tally
from app.ports.storage import Storage, UnitOfWork
from app.ports.vectors import Embedded, Place, Progress, Stamped
from app.services.embedding_texts import documents, slices
from app.services.jobs import Handler
from app.services.learning import StaleClaimError
from app.services.usage import count_embedding

AT_ONCE = 32
CHARACTERS = 40_000
"""Texts of one step, and characters from which on it takes no other: it must be done before its lease is over."""
READ_ALONG = 300
"""Characters of a message that is read along with the one behind it. What is longer drowns it: a letter, an essay."""
MEMORY_OFF = "memory_off"
"""Why an organisation that wants nothing remembered is not embedded for now."""
NO_EMBEDDER = "embedder_off"
"""Why nothing is embedded where no embedder is configured."""
OFF = timedelta(minutes=5)
_KNOWN_GOOD = "Bonjour."


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one stretch of work. `more`: there may be others."""

    embedded: int = 0
    failed: int = 0
    more: bool = False


@dataclass(slots=True)
class _Work:
    """Texts to embed, and what comes of them. `beside` names the message that is read along, without which the text is
    that of `alone`; `aside` are those that are not to be embedded today.
    """

    more: bool
    texts: dict[Stamped, str] = field(default_factory=dict)
    alone: dict[Stamped, str] = field(default_factory=dict)
    beside: dict[Stamped, Place] = field(default_factory=dict)
    aside: list[Stamped] = field(default_factory=list)
    made: dict[Stamped, Sequence[Vector]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    failure: EmbeddingFailed | None = None


@dataclass(frozen=True, slots=True)
class Embedding:
    """Embeds what lacks vectors. No transaction is open while the embedder works; what it made is written only beside
    the words that it was made of, so that doing a thing twice, or late, does no harm.
    """

    storage: Storage
    embedder: Embedder
    clock: Clock
    seconds: float = 20.0
    """For so long a step begins with texts, and for so long one may take: together they are less than a lease."""

    async def run(self, scope: TenantScope, claim: Claim) -> None:
        """One step, then mark the job done, or queue it to go on: both in the transaction that keeps the vectors.

        Raises NotNow while the embedder is away or the organisation's memory is off, StaleClaimError, EmbeddingFailed
        where it cannot be told who is at fault, and what storage raises. What was made by then is kept.
        """
        async with self.storage.transaction(scope) as uow:
            job = await uow.jobs.get(claim.job_id)
            work = await self._look(uow, None)
        if job is None:
            raise StaleClaimError
        if work is None:
            raise NotNow(MEMORY_OFF, self.clock() + OFF)
        await self._embed_all(work, doubtful=job.error is not None)
        async with self.storage.transaction(scope) as uow:
            step = await self._keep(uow, work)
            if work.failure is None and not await self._go_on(uow, claim, job, step):
                raise StaleClaimError
            await count_embedding(uow, work.tally, self.clock())
        if work.failure is not None:
            raise self._put_off(job, work.failure) from work.failure

    async def step(self, scope: TenantScope) -> Step | None:
        """One step towards this model, which takes also what has vectors of another. None where memory is off.

        Raises EmbeddingFailed, and what storage raises; what was made by then is kept.
        """
        async with self.storage.transaction(scope) as uow:
            work = await self._look(uow, self.embedder.profile.name)
        if work is None:
            return None
        await self._embed_all(work, doubtful=False)
        async with self.storage.transaction(scope) as uow:
            step = await self._keep(uow, work)
            await count_embedding(uow, work.tally, self.clock())
        if work.failure is not None:
            raise work.failure
        return step

    async def progress(self, scope: TenantScope) -> Progress:
        """How far the organisation has come with this model."""
        async with self.storage.transaction(scope) as uow:
            return await uow.vectors.progress(self.embedder.profile.name)

    async def forgive(self, scope: TenantScope) -> int:
        """What failed is tried again; answers how many. Once a day is enough for what may fail for ever."""
        async with self.storage.transaction(scope) as uow:
            return await uow.vectors.forgive()

    async def _look(self, uow: UnitOfWork, space: str | None) -> _Work | None:
        """The next texts; None where nothing is to be remembered. Stamps are read before words: what changes in between
        has another stamp by then.
        """
        organisation = await uow.organisations.get()
        if organisation is None or not organisation.settings.enabled:
            return None
        seen = await uow.vectors.lacking(AT_ONCE, space)
        said = await documents(uow, seen)
        before = await uow.messages.just_before([one.id for one in said if one.kind in SPOKEN])
        people = {user for each in said.values() if (user := user_of(each.subject)) is not None}
        people |= {message.user_id for message in before.values()}
        unwilling = {person.user_id for person in await uow.people.among(people) if not person.remember}
        work = _Work(more=len(seen) == AT_ONCE)
        room = CHARACTERS
        for one in seen:
            document = said.get(one)
            if document is not None and user_of(document.subject) in unwilling:
                work.aside.append(one)
            elif room > 0:
                work.texts[one] = document.text if document else ""
                previous = before.get(one.id) if one.kind in SPOKEN and has_words(work.texts[one]) else None
                if previous and len(previous.content) <= READ_ALONG and previous.user_id not in unwilling:
                    _read_along(work, one, previous)
                room -= len(work.texts[one])
            else:
                work.more = True
        return work

    async def _embed_all(self, work: _Work, *, doubtful: bool) -> None:
        """`doubtful`: it failed the last time. Then it is asked for something else first: these may be what fails."""
        try:
            if doubtful and work.texts:
                await self._require_there(work)
            ends = time.monotonic() + self.seconds
            for some in slices(work.texts):
                if time.monotonic() > ends:
                    work.more = True
                    break
                await self._embed(work, some)
        except EmbeddingFailed as failure:
            work.failure = failure

    async def _embed(self, work: _Work, some: Sequence[Stamped]) -> None:
        """A text that fails alone, while others are embedded, is set aside; the message read along may be to blame."""
        try:
            async with asyncio.timeout(self.seconds):
                vectors = await self.embedder.passages([work.texts[one] for one in some], work.tally)
        except TimeoutError:
            if len(some) > 1:
                raise EmbedderAway("embedder_slow", "The embedder takes too long.") from None
            work.aside += some
        except EmbedderAway:
            raise
        except EmbeddingFailed:
            await self._require_there(work)
            if len(some) > 1:
                await self._embed(work, some[: len(some) // 2])
                await self._embed(work, some[len(some) // 2 :])
            elif work.beside.pop(some[0], None) is not None:
                work.texts[some[0]] = work.alone[some[0]]
                await self._embed(work, some)
            else:
                work.aside += some
        else:
            work.made |= zip(some, vectors, strict=True)

    async def _require_there(self, work: _Work) -> None:
        """It embeds what it can surely embed. Raises EmbeddingFailed where it does not."""
        await self.embedder.passages([_KNOWN_GOOD], work.tally)

    async def _keep(self, uow: UnitOfWork, work: _Work) -> Step:
        made = {one: Embedded(vectors, work.beside.get(one)) for one, vectors in work.made.items()}
        embedded = await uow.vectors.put(self.embedder.profile.name, made, work.aside)
        return Step(embedded, len(work.aside), work.more)

    async def _go_on(self, uow: UnitOfWork, claim: Claim, job: Job, step: Step) -> bool:
        counts: Mapping[str, int] = {"embedded": step.embedded, "failed": step.failed}
        done = {name: count + int(str(job.payload.get(name, 0))) for name, count in counts.items()}
        if step.more:
            return await uow.jobs.proceed(claim, done, self.clock())
        return await uow.jobs.finish(claim, done, self.clock())

    def _put_off(self, job: Job, failure: EmbeddingFailed) -> Exception:
        """An outage is no attempt, for as long as there is patience."""
        now = self.clock()
        age = now - job.created_at
        if not isinstance(failure, EmbedderAway) or age > PATIENCE:
            return failure
        told = timedelta(seconds=failure.retry_after or 0)
        return NotNow(failure.code, now + pause_while_away(age, told, random.random()))  # noqa: S311


def embedding_handler(embedding: Embedding | None, clock: Clock) -> Handler:
    """Who does embedding jobs. Where there is no embedder they wait for one."""

    async def wait(scope: TenantScope, claim: Claim) -> None:
        raise NotNow(NO_EMBEDDER, clock() + OFF)

    return wait if embedding is None else embedding.run


def _read_along(work: _Work, one: Stamped, previous: Message) -> None:
    """A message is understood by what it answers: "yes, on Tuesday"."""
    work.alone[one] = work.texts[one]
    work.texts[one] = f"{previous.content}\n{work.texts[one]}"
    work.beside[one] = message_document(previous).place
