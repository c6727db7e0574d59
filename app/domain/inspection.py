"""Inspecting a sealed trail: whether every seal follows the one before it and is over the lines that stand there."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from app.domain.events import EventValues
from app.domain.seals import BEGINNING, LEAF, Line, Seal, chained


@dataclass(frozen=True, slots=True)
class Break:
    """The first place where a trail is not what was sealed. `seal` None: behind the last one; `event_id`: the event, or
    the one nearest to it that is there.
    """

    seal: int | None
    event_id: UUID | None
    what: str

    def __str__(self) -> str:
        where = [f"seal {self.seal}"] if self.seal is not None else []
        where += [f"event {self.event_id}"] if self.event_id else []
        return f"{', '.join(where) or 'the trail'}: {self.what}"


@dataclass(frozen=True, slots=True)
class Report:
    """What an inspection saw. `head` is the digest of the last seal: whoever keeps it elsewhere sees a chain made anew.

    `checked` events have words, and they are those of then, unless `broken` says otherwise; of `erased` ones they are
    gone.
    """

    events: int
    sealed: int
    seals: int
    checked: int
    erased: int
    head: str
    broken: Break | None

    @property
    def unsealed(self) -> int:
        """Events that no seal is over yet."""
        return self.events - self.sealed


class Inspection:
    """Looks at one organisation's seals, each with the lines in its range, then at the rest. Holds one seal's lines."""

    def __init__(self, org_id: str) -> None:
        self._org_id = org_id
        self._seal: Seal | None = None
        self._last: Seal | None = None
        self._leaves: list[bytes] = []
        self._ids: list[UUID] = []
        self._events = self._sealed = self._seals = self._checked = 0
        self._broken: Break | None = None

    def begin(self, seal: Seal) -> None:
        """The next seal; its lines follow, then `end`."""
        follows = (self._last.seq, self._last.digest) if self._last else (0, BEGINNING)
        if seal.seq != follows[0] + 1:
            self._find(seal.seq, None, f"seal {follows[0] + 1} is missing before it")
        elif seal.previous != follows[1]:
            self._find(seal.seq, None, "it does not follow the seal before it")
        self._seal, self._leaves, self._ids = seal, [], []

    def line(self, line: Line, values: EventValues | None) -> None:
        """The next event, with its words where they are there."""
        self._events += 1
        if self._seal is not None:
            self._sealed += 1
            self._leaves.append(line.leaf(self._org_id))
            self._ids.append(line.id)
        if values is not None:
            self._checked += 1
            if values.digest() != line.digest:
                self._find(self._seal.seq if self._seal else None, line.id, "its words are not those of then")

    def end(self) -> None:
        """The seal has had its lines."""
        seal = self._seal
        if seal is None:
            raise ValueError("a seal ends that has not begun")
        kept = [seal.leaves[start : start + LEAF] for start in range(0, len(seal.leaves), LEAF)]
        here = [leaf[:LEAF] for leaf in self._leaves]
        if kept != here:
            self._find(seal.seq, *self._difference(kept, here))
        elif seal.digest != chained(self._org_id, seal, self._leaves):
            self._find(seal.seq, None, "it is not as it was written")
        self._seals, self._last, self._seal = self._seals + 1, seal, None

    def report(self, *, seals: int, words: int) -> Report:
        """All that was seen; `seals` there should be, and so many events' words are there."""
        if seals != self._seals:
            missing = self._last.seq + 1 if self._last else 1
            self._find(missing, None, f"{seals} seals were made, and {self._seals} are there")
        if words != self._checked:
            self._find(None, None, "words are there without their event")
        return Report(
            events=self._events,
            sealed=self._sealed,
            seals=self._seals,
            checked=self._checked,
            erased=self._events - self._checked,
            head=self._last.digest if self._last else BEGINNING,
            broken=self._broken,
        )

    def _difference(self, kept: Sequence[bytes], here: Sequence[bytes]) -> tuple[UUID | None, str]:
        """The first line that is not what was sealed, and how."""
        place = next(
            (n for n, pair in enumerate(zip(kept, here, strict=False)) if pair[0] != pair[1]), min(len(kept), len(here))
        )
        near = self._ids[min(place, len(self._ids) - 1)] if self._ids else None
        if len(here) < len(kept):
            return near, f"{len(kept) - len(here)} of {len(kept)} events are missing, the first near it"
        if len(here) > len(kept):
            return near, f"{len(here) - len(kept)} events came later than the seal, the first near it"
        if sorted(kept) == sorted(here):
            return near, "it stands in another order"
        return near, "it is not as it was sealed"

    def _find(self, seal: int | None, event_id: UUID | None, what: str) -> None:
        if self._broken is None:
            self._broken = Break(seal, event_id, what)
