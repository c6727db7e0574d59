"""The routes of one fact, made for a scope: read, change, decide, erase, and look at its past."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response

from app.api.deps import Needs, Services
from app.api.etags import IfMatch, etag
from app.api.openapi import problems
from app.api.schemas.common import RowId
from app.api.schemas.erasures import ErasureOut
from app.api.schemas.fact_answers import FactOut
from app.api.schemas.facts import FactPatch, MergeIn
from app.api.schemas.history import HistoryOut
from app.api.schemas.past import When
from app.domain.sources import Verdict
from app.domain.subjects import Scope
from app.domain.tenancy import Rank, TenantScope
from app.ports.facts import FactRecord

WithSources = Annotated[bool, Query(description="Also erase the messages that say it, and all that came of them.")]

_DECISIONS = {
    Verdict.PIN: "Keep the fact in every block: it neither fades nor is archived by a job. Pinning restores it.",
    Verdict.UNPIN: "Let the fact fade again.",
    Verdict.ARCHIVE: "Believe the fact no longer; it can be restored.",
    Verdict.RESTORE: "Believe the fact again. A rival that stands makes it a contradiction.",
}


def add_fact_routes(routes: APIRouter, kind: Scope, least_to_read: Rank, least_to_change: Rank) -> None:
    """Add the routes of a fact of this scope, each for callers of at least the given rank."""
    _add_reading(routes, kind, Depends(Needs(least_to_read)))
    _add_changing(routes, kind, Depends(Needs(least_to_change)))
    _add_merging(routes, kind, Depends(Needs(least_to_change)))
    for verdict, summary in _DECISIONS.items():
        _add_decision(routes, kind, verdict, summary, Depends(Needs(least_to_change)))


def _add_reading(routes: APIRouter, kind: Scope, caller: TenantScope) -> None:
    @routes.get("/{fact_id}", name=f"read_{kind}_fact")
    async def read_fact(
        fact_id: RowId, services: Services, response: Response, when: When, scope: TenantScope = caller
    ) -> FactOut:
        """One fact, as it stands now, with its `ETag`; or, without one, as it stood under this id at another time."""
        moment = when.moment
        if moment.is_present:
            return fact_out(await services.facts.get(scope, kind, fact_id), services.clock(), response)
        record = await services.facts.get_then(scope, kind, fact_id, moment)
        return FactOut.at(record, moment.instant(services.clock()))

    @routes.get("/{fact_id}/history", name=f"read_{kind}_fact_history")
    async def read_history(fact_id: RowId, services: Services, scope: TenantScope = caller) -> HistoryOut:
        """Where a fact comes from, what it replaced, what contradicts it, and everything that happened to it."""
        return HistoryOut.at(await services.facts.history(scope, kind, fact_id), services.clock())


def _add_changing(routes: APIRouter, kind: Scope, caller: TenantScope) -> None:
    @routes.patch("/{fact_id}", name=f"edit_{kind}_fact", responses=problems(409, 412))
    async def edit_fact(
        fact_id: RowId,
        body: FactPatch,
        services: Services,
        if_match: IfMatch,
        response: Response,
        scope: TenantScope = caller,
    ) -> FactOut:
        """Correct a fact. A new value or content closes the row and answers its successor, with `Content-Location`."""
        record = await services.fact_editing.edit(scope, kind, fact_id, body.stated(), body.traits(), if_match)
        return fact_out(record, services.clock(), response, fact_id)

    @routes.delete("/{fact_id}", name=f"erase_{kind}_fact", responses=problems(409, 412))
    async def erase_fact(
        fact_id: RowId,
        services: Services,
        if_match: IfMatch,
        with_sources: WithSources = False,
        scope: TenantScope = caller,
    ) -> ErasureOut:
        """Erase a fact for good, with every row of its key that says the same and the words of their events.

        The messages that say it stay, and are named in the receipt, unless `with_sources=true`.
        """
        return ErasureOut.of(
            await services.fact_erasure.delete(scope, kind, fact_id, with_sources=with_sources, expected=if_match)
        )

    @routes.post("/{fact_id}/confirm", name=f"confirm_{kind}_fact", responses=problems(409, 412))
    async def confirm_fact(
        fact_id: RowId, services: Services, if_match: IfMatch, response: Response, scope: TenantScope = caller
    ) -> FactOut:
        """Vouch for a fact: one more confirmation, and what is said in a chat no longer overrules it."""
        record = await services.fact_editing.confirm(scope, kind, fact_id, if_match)
        return fact_out(record, services.clock(), response, fact_id)


def _add_merging(routes: APIRouter, kind: Scope, caller: TenantScope) -> None:
    @routes.post("/{fact_id}/merge", name=f"merge_{kind}_fact", responses=problems(409, 412))
    async def merge_fact(
        fact_id: RowId,
        body: MergeIn,
        services: Services,
        if_match: IfMatch,
        response: Response,
        scope: TenantScope = caller,
    ) -> FactOut:
        """Merge the fact into another of the same subject and pocket that means the same, and answer it.

        It is archived with `merged_into`; the other one takes its confirmations and tags, and keeps taking them when
        either is said again. Mergers never chain: a fact that took another, or was itself merged, is a 409.
        """
        record = await services.merging.merge(scope, kind, fact_id, body.into, if_match)
        return fact_out(record, services.clock(), response, fact_id)

    @routes.post("/{fact_id}/unmerge", name=f"unmerge_{kind}_fact", responses=problems(409, 412))
    async def unmerge_fact(
        fact_id: RowId, services: Services, if_match: IfMatch, response: Response, scope: TenantScope = caller
    ) -> FactOut:
        """Undo a merger: both facts are as if it had never been."""
        record = await services.merging.unmerge(scope, kind, fact_id, if_match)
        return fact_out(record, services.clock(), response, fact_id)


def _add_decision(routes: APIRouter, kind: Scope, verdict: Verdict, summary: str, caller: TenantScope) -> None:
    name = f"{verdict}_{kind}_fact"

    @routes.post(f"/{{fact_id}}/{verdict}", name=name, description=summary, responses=problems(409, 412))
    async def decide(
        fact_id: RowId, services: Services, if_match: IfMatch, response: Response, scope: TenantScope = caller
    ) -> FactOut:
        record = await services.fact_editing.decide(scope, kind, fact_id, verdict, if_match)
        return fact_out(record, services.clock(), response, fact_id)


def fact_out(record: FactRecord, now: datetime, response: Response, asked: UUID | None = None) -> FactOut:
    """The fact as it stands at `now`, with its ETag; with its place, where it is not the row that was `asked` for."""
    fact = record.fact
    response.headers["ETag"] = etag(record.version)
    if asked not in (None, fact.id):
        response.headers["Content-Location"] = f"/memory/facts/{fact.ref.subject.scope}/{fact.id}"
    return FactOut.at(record, now)
