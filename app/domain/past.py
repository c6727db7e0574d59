"""Reading memory as of another time: by validity (`as_of`), and by what had been recorded (`known_at`).

The rows of then are folds like those of today, over fewer entries. A source says something of an instant from its
`valid_from` on, a decision from when it was taken. What today's intervals have ended by then is over, however late that
became known: a value said later "since the 1st" held on the 1st, and one that a settlement took back was never valid.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from app.domain.errors import Invalid
from app.domain.facts import Fact
from app.domain.folding import Folding
from app.domain.rows import Row
from app.domain.sources import Audience, Entry, Source, in_force
from app.domain.subjects import KeyRef
from app.domain.tiers import TIERS, Tiers


@dataclass(frozen=True, slots=True)
class Moment:
    """When memory is read: what held `as_of`, by what was recorded at `known_at`. None: no bound, as in the present.

    With `known_at` alone it is read as it was answered then, what was said with a clock ahead included.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def is_present(self) -> bool:
        """Whether this is the memory as it stands."""
        return self.as_of is None and self.known_at is None

    def instant(self, now: datetime) -> datetime:
        """The instant of strengths and scores."""
        return self.as_of or self.known_at or now

    def require_past(self, now: datetime) -> None:
        """Raises Invalid `time_ahead` for a time that has not come."""
        times = {"as_of": self.as_of, "known_at": self.known_at}
        ahead = tuple((f"/{name}", "time_ahead") for name, time in times.items() if time is not None and time > now)
        if ahead:
            raise Invalid("time_ahead", "Memory is not read as of a time that has not come.", ahead)

    def knows(self, recorded_at: datetime) -> bool:
        """Whether what was recorded at this time is known."""
        return self.known_at is None or recorded_at <= self.known_at

    def includes(self, said_at: datetime | None, recorded_at: datetime | None) -> bool:
        """Whether this was said by then, and known; what has no time of its own always is."""
        said = said_at is None or self.as_of is None or said_at <= self.as_of
        learnt = recorded_at or said_at
        return said and (learnt is None or self.knows(learnt))

    def reaches(self, entry: Entry) -> bool:
        """Whether the entry says something of then: a source from its validity on, a decision from when it was taken.

        A decision never stands before what it is about, so that its own time may lie ahead with a sender's clock.
        """
        held = entry.valid_from if isinstance(entry, Source) else min(entry.at, entry.recorded_at)
        return self.as_of is None or held <= self.as_of


PRESENT = Moment()


def recalled(entries: Mapping[KeyRef, Sequence[Entry]], moment: Moment, tiers: Tiers = TIERS) -> list[Fact]:
    """The rows of these keys as of then, believed or not, each under the name that it had by `known_at`.

    `entries` are all that there are of each key, today's too, and of each key that was merged into one of them.
    Strengths, rivals, pins and tags are those of then, as is what counts as superseded; `valid_to` is told as far as it
    was known. The audience is today's, of a row that has become several the narrowest: who may be served what is no
    matter of the past; so are the numbers by which `tiers` fade.
    """
    keys = [_Key.of(ref, told, moment, tiers) for ref, told in entries.items()]
    alone = {key.ref: key.rows() for key in keys}
    owners = {row.id: ref for ref, rows in alone.items() for row in rows}
    merged: defaultdict[KeyRef, list[Fact]] = defaultdict(list)
    for ref, rows in alone.items():
        for row in rows:
            into = owners.get(row.merged_into) if row.merged_into else None
            if into is not None and into != ref:
                merged[into].append(row)
    believed = {row.id: row for rows in alone.values() for row in rows if row.live}
    return [
        row
        for key in keys
        for row in (key.rows(merged[key.ref], believed) if key.ref in merged or key.crossed else alone[key.ref])
    ]


@dataclass(frozen=True, slots=True)
class _Key:
    """One key as of then; `names` are those of the rows that rest on each source."""

    ref: KeyRef
    then: Folding
    names: Mapping[UUID, UUID]

    @classmethod
    def of(cls, ref: KeyRef, entries: Sequence[Entry], moment: Moment, tiers: Tiers) -> "_Key":
        """Fold what was known, and of it what was said of then. Most keys have not changed since: one fold does."""
        today = in_force(entries)
        known = in_force(entry for entry in entries if moment.knows(entry.recorded_at))
        said = [entry for entry in known if moment.reaches(entry)]
        then = whole = Folding.of(ref, known, tiers)
        if said != known:
            then = Folding.of(ref, said, tiers, many=whole.many)
            _end(then.rows, whole, moment)
        if said != today and any(map(_opens, today)):
            _show_as_today(then.rows, Folding.of(ref, today, tiers).rows)
        return cls(ref, then, whole.names)

    @property
    def crossed(self) -> bool:
        """Whether rows of other keys opposed some of it."""
        return bool(self.then.crossing)

    def rows(self, merged: Sequence[Fact] = (), others: Mapping[UUID, Fact] | None = None) -> list[Fact]:
        """Its rows, with what was merged into them, and opposed; of two that have become one since, the later."""
        self.then.others = others or {}
        return list({row.id: row for row in self.then.finish(merged, self.names).rows}.values())


def _end(rows: Iterable[Row], whole: Folding, moment: Moment) -> None:
    """Close the believed rows that were over by then, as is known, and tell of the others until when they held."""
    names, known = whole.names, {row.id: row for row in whole.rows}
    for row in rows:
        if not row.fact.live:
            continue
        became = [known[names[source.id]].fact for source in row.sources]
        ended = [(fact.valid_to, fact) for fact in became if fact.valid_to is not None]
        if len(ended) < len(became):
            continue
        until, last = max(ended, key=lambda end: end[0])
        row.fact = replace(row.fact, valid_to=until)
        if moment.as_of is not None and until <= moment.as_of:
            archived_at = last.archived_at or until
            row.fact = replace(row.fact, archived_at=archived_at, superseded_by=last.superseded_by)


def _opens(entry: Entry) -> bool:
    """Whether the entry shows something to everyone; where none does, all is the team's."""
    named = entry.traits.audience if isinstance(entry, Source) else entry.changes.get("audience")
    return named == Audience.EVERYONE


def _show_as_today(rows: Iterable[Row], today: Iterable[Row]) -> None:
    """Give the rows the audience that what they rest on has today."""
    team = {source.id for row in today if row.fact.traits.audience is Audience.TEAM for source in row.sources}
    for row in rows:
        private = any(source.id in team for source in row.sources)
        audience = Audience.TEAM if private else Audience.EVERYONE
        row.fact = replace(row.fact, traits=replace(row.fact.traits, audience=audience))
