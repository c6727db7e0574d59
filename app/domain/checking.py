"""Looking at a file of an import, one record after the other, before anything of it is kept."""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.domain.export import Extent, Section
from app.domain.fields import Unfit, anything, mapping
from app.domain.imports import STAGED, Manifest, Staged, Step, manifest_of, read_settings
from app.domain.subjects import Scope

_LOW_BITS = (1 << 64) - 1
"""As much of an id as is kept to know it again: of a million facts, all of it would take a hundred megabytes."""
_ORDER = list(Section)


class Checking:
    """Looks at the records of one file in their order, and then at the whole of it.

    `check_settings` raises Unfit for settings that the organisation may not have.
    """

    def __init__(self, check_settings: Callable[[Mapping[str, Any]], None] = lambda _: None) -> None:
        self._check_settings = check_settings
        self._last = -1
        self._seen: Counter[Section] = Counter()
        self._known: dict[Scope, set[str]] = {Scope.STORE: set(), Scope.USER: set()}
        self._stray: dict[Scope, tuple[int, str]] = {}
        self._resting, self._resting_at, self._sources = array("Q"), array("Q"), array("Q")
        self.records = 0
        self.manifest: Manifest | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many records of each list were seen."""
        return {section.value: self._seen[section] for section in Section if section.listed}

    def take(self, section: Section, told: object) -> Staged | None:
        """What is kept of the next record; None for what is made anew. Raises Unfit."""
        place = _ORDER.index(section)
        if self.manifest is not None:
            raise Unfit("behind_manifest")
        if place < self._last or (self._last < 0 and section is not Section.ORGANISATION):
            raise Unfit("out_of_order")
        if not section.listed and self._seen[section]:
            raise Unfit("repeated")
        self._last = place
        self._seen[section] += 1
        self.records += 1
        if section is Section.MANIFEST:
            self.manifest = manifest_of(told)
            return None
        if section is Section.SETTINGS:
            return self._settings(told)
        staged = replace(STAGED[section](told), seq=self.records, record=anything(told))
        self._note(staged)
        return staged

    def finish(self, checksum: str) -> None:
        """The file has ended; `checksum` is that of its bytes. Raises Unfit where it is not whole."""
        if self.manifest is None:
            raise Unfit("manifest_missing")
        if self.manifest.checksum != checksum:
            raise Unfit("checksum_differs", "/checksum")
        for name in sorted({*self.manifest.counts, *self.counts}):
            if self.manifest.counts.get(name) != self.counts.get(name):
                raise Unfit("count_differs", f"/counts/{name}")

    def stray(self) -> tuple[int, str] | None:
        """The first record that names a store, a person or sources that ought to be in the file and are not: its number
        and the place in it.
        """
        holds = self.manifest.holds if self.manifest else {}
        found = [place for kind, place in self._stray.items() if holds.get(kind) is Extent.WHOLE]
        known = set(self._sources)
        resting = zip(self._resting, self._resting_at, strict=True)
        found += [(at, "/id") for low, at in resting if low not in known][:1]
        return min(found, default=None)

    def _settings(self, told: object) -> Staged | None:
        if told is None:
            return None
        self._check_settings(mapping(told))
        read_settings(told)
        return Staged(Step.ORGANISATION, Section.SETTINGS, seq=self.records, record=anything(told))

    def _note(self, staged: Staged) -> None:
        """What is there, and what is said to be."""
        if staged.section is Section.STORES and staged.store_id:
            self._known[Scope.STORE].add(staged.store_id)
        if staged.section is Section.PEOPLE and staged.user_id:
            self._known[Scope.USER].add(staged.user_id)
        for kind, named in ((Scope.STORE, staged.store_id), (Scope.USER, staged.user_id)):
            if named is not None and named not in self._known[kind]:
                self._stray.setdefault(kind, (self.records, f"/{kind}_id"))
        if staged.section is Section.SOURCES and staged.id:
            self._sources.append(staged.id.int & _LOW_BITS)
        if staged.section is Section.FACTS and staged.id and staged.rests:
            self._resting.append(staged.id.int & _LOW_BITS)
            self._resting_at.append(self.records)
