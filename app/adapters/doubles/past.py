"""The entries that the past is folded from, in memory."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.facts import reached
from app.adapters.doubles.state import State
from app.domain.sources import Decision, Entry, Verdict
from app.domain.subjects import KeyRef, Scope, Subject
from app.ports.facts import FactFilter


class InMemoryPast:
    """The entries of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def about(self, subject: Subject, agents: Sequence[str], limit: int) -> Mapping[KeyRef, Sequence[Entry]]:
        def here(ref: KeyRef) -> bool:
            return ref.subject == subject and ref.agent_id in agents

        sources = [one for one in self._state.sources.values() if here(one[0])][:limit]
        return _by_key([*sources, *[one for one in self._state.decisions.values() if here(one[0])][:limit]])

    async def of(self, refs: Collection[KeyRef]) -> Mapping[KeyRef, Sequence[Entry]]:
        return _by_key([(ref, entry) for ref, entry in self._everything() if ref in refs])

    async def merged_into(self, refs: Collection[KeyRef]) -> list[KeyRef]:
        found: dict[KeyRef, None] = {}
        for ref, entry in self._everything():
            if isinstance(entry, Decision) and entry.verdict is Verdict.MERGE:
                target = KeyRef(ref.subject, ref.agent_id, entry.changes.get("key") or "")
                if target in refs and target != ref:
                    found[ref] = None
        return list(found)

    async def places(
        self, wanted: FactFilter, known_at: datetime | None, after: UUID | None, limit: int
    ) -> list[tuple[UUID, KeyRef]]:
        there = [
            (place, ref)
            for place, (ref, source) in sorted(self._state.sources.items(), reverse=True)
            if ref.subject.scope is wanted.scope
            and reached(self._state, ref, wanted)
            and wanted.agent_id in (None, ref.agent_id)
            and ref.key.startswith(wanted.key_prefix or "")
            and (known_at is None or source.recorded_at <= known_at)
            and (after is None or place < after)
        ]
        return there[:limit]

    async def key_of(self, scope: Scope, source_id: UUID) -> KeyRef | None:
        kept = self._state.sources.get(source_id)
        return kept[0] if kept and kept[0].subject.scope is scope else None

    def _everything(self) -> Iterator[tuple[KeyRef, Entry]]:
        yield from self._state.sources.values()
        yield from self._state.decisions.values()


def _by_key(entries: Sequence[tuple[KeyRef, Entry]]) -> Mapping[KeyRef, Sequence[Entry]]:
    found: dict[KeyRef, list[Entry]] = {}
    for ref, entry in entries:
        found.setdefault(ref, []).append(entry)
    return found
