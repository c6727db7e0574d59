"""How a later statement stands to an earlier one: the same, an update, a contradiction, or neither of these.

Likeness alone cannot tell: "we ship to Spain" and "we do not ship to Spain" are as alike as two statements get. So both
are taken apart (`statements`) and compared part by part; how alike they are as a whole only decides what words leave
open.
"""

from typing import Final

from app.domain.likeness import Kinship, Likeness
from app.domain.overlaps import Shared, contrasts, shared_names, shared_terms, shared_values
from app.domain.places import PLACES
from app.domain.statements import Statement

_OFTEN: Final = frozenset({"daily", "weekly", "twice_weekly", "monthly", "quarterly", "yearly"})
_PLACES: Final = frozenset(PLACES.values())
_IMPLIED: Final = frozenset({"payment", "write", "read", "spend", "work", "make", "cover", "live", "host"})
"""What is done with a thing as everybody does: it may go without saying."""
LONGEST: Final = 40
"""Words of a statement that can be taken apart; of longer ones only those in the same words are the same."""


def relation(a: Statement, b: Statement, likeness: Likeness | None = None) -> Kinship:
    """How `b`, said later, stands to `a`. Without a likeness their words alone tell."""
    if a.said == b.said:
        return Kinship.SAME
    if max(a.words, b.words) > LONGEST:
        return Kinship.APART
    return _Comparison(a, b, likeness).kinship()


class _Comparison:
    """Two statements, side by side."""

    def __init__(self, a: Statement, b: Statement, likeness: Likeness | None) -> None:
        self._a, self._b, self._likeness = a, b, likeness
        self._across = a.language is not None and b.language is not None and a.language != b.language
        self._terms = shared_terms(a, b)
        self._names = shared_names(a, b)
        self._known = Shared(self._terms.both, self._terms.first & a.known, self._terms.second & b.known)
        self._opposites = (self._terms.first, self._terms.second) in contrasts(a.final, b.final)
        self._groups = shared_values(a, b)
        self._gratis = frozenset({"free"}) if self._priced(a, b) or self._priced(b, a) else frozenset()

    def kinship(self) -> Kinship:
        """The verdict."""
        if self._b.changed:
            return Kinship.UPDATE if self._updated() else Kinship.APART
        conflicts = self._conflicts()
        if not self._one_subject(conflicts):
            return Kinship.APART
        if conflicts:
            return Kinship.CONTRADICTION if self._plain(conflicts) else Kinship.APART
        return Kinship.SAME if self._same() else Kinship.APART

    def _updated(self) -> bool:
        """Whether the later one, or one of its clauses, says something else of the same now."""
        if self._akin() and self._overtaken():
            return True
        parts = (_Comparison(self._a, part, self._likeness) for part in self._b.parts)
        return any(part._akin() and part._overtaken() for part in parts)

    @property
    def _flipped(self) -> bool:
        """Whether one says yes to what the other says no to; opposites count as a negation."""
        both = self._a.axes.keys() & self._b.axes.keys()
        opposite = sum(not (self._a.axes[axis] & self._b.axes[axis]) for axis in both)
        return (self._a.negated != self._b.negated) != (opposite % 2 == 1)

    @property
    def _mixed(self) -> bool:
        """Whether one names both poles of an axis, so that nobody can tell which of them a negation is about."""
        both = self._a.axes.keys() & self._b.axes.keys()
        return any(len(one.axes[axis]) > 1 for axis in both for one in (self._a, self._b))

    @property
    def _turned(self) -> bool:
        """Whether two names have changed places, other than by a passive."""
        a, b = self._a.in_order, self._b.in_order
        return len(a) > 1 and a != b and set(a) == set(b) and self._a.passive == self._b.passive

    @property
    def _other_amounts(self) -> set[str]:
        """The kinds of which both name amounts, and others: a count beside them tells which of several is meant."""
        a, b = self._a.amounts, self._b.amounts
        return {kind for kind in a.keys() & b.keys() if a[kind] != b[kind]}

    def _conflicts(self) -> set[str]:
        """In which of their parts they differ."""
        a, b = self._a, self._b
        found = {
            "polarity": self._flipped,
            "names": self._names.contrasted,
            "groups": any(not (a.groups[one] & b.groups[one]) for one in a.groups.keys() & b.groups.keys()),
            "amounts": bool(self._other_amounts - {"count"}) or self._other_unit(),
            "counts": "count" in self._other_amounts,
            "days": bool(a.days and b.days and a.days != b.days),
            "order": self._turned,
            "opposites": self._opposites,
            "quantifier": self._other_share(),
            "price": bool(self._gratis),
        }
        return {name for name, differs in found.items() if differs}

    def _plain(self, conflicts: set[str]) -> bool:
        """Whether a difference in these parts leaves no way in which both can be true."""
        if conflicts == {"names"}:
            return self._a.slot and self._b.slot and not self._additive
        if self._mixed or self._either_limit or self._also_days(conflicts):
            return False
        if self._names.first or self._names.second:
            return conflicts == {"polarity"} and self._denies_one_of
        if "polarity" in conflicts and self._a.days and not (self._a.days & self._b.days):
            return False
        return len(conflicts - {"quantifier"}) <= 1 or conflicts == {"polarity", "days"}

    def _also_days(self, conflicts: set[str]) -> bool:
        return self._b.also and "polarity" not in conflicts

    @property
    def _denies_one_of(self) -> bool:
        """Whether one says of a place what the other says the contrary of, among more places."""
        return bool(self._names.both) and (self._names.first | self._names.second) <= _PLACES

    @property
    def _either_limit(self) -> bool:
        """Whether one tells the least and the other the most of the same: both may be."""
        above = (self._a.axes.get("above"), self._b.axes.get("above"))
        return not self._terms.both and None not in above and above[0] != above[1]

    def _other_unit(self) -> bool:
        """The same number of another unit: "250 g" and "250 ml", "10 %" and "10 €"."""
        a, b = self._a.amounts, self._b.amounts
        if len(a) != 1 or len(b) != 1 or a.keys() == b.keys():
            return False
        return {one.split()[0] for each in a.values() for one in each} == {
            one.split()[0] for each in b.values() for one in each
        }

    def _other_share(self) -> bool:
        a, b = self._a.quantifiers, self._b.quantifiers
        return any(
            "all" in one and "all" not in other and other & {"some", "only", "most"} for one, other in ((a, b), (b, a))
        )

    @staticmethod
    def _priced(one: Statement, other: Statement) -> bool:
        """Whether one is free of charge and the other names a price."""
        free = one.axes.get("free") == frozenset({True}) and not one.negated and "money" not in one.amounts
        return free and "money" in other.amounts and "free" not in other.axes and "cost" in other.common

    @property
    def _additive(self) -> bool:
        """Whether one more name replaces none: places to ship to, ways to pay, where to sell."""
        shared = self._terms.both | (self._a.common & self._b.common)
        places = self._names.first <= _PLACES and self._names.second <= _PLACES
        return self._b.also or "sell" in shared or "accept" in shared or ("ship" in shared and places)

    def _one_subject(self, conflicts: set[str]) -> bool:
        """Whether they are about the same, and neither about less of it than the other."""
        terms, known = self._terms, self._known
        if not self._enough():
            return False
        if "quantifier" in conflicts:
            return not known.contrasted and not (terms.contrasted)
        if self._opposites or terms.equal:
            return True
        if self._implied():
            return True
        if (known.first | known.second) - self._gratis:
            return False
        if self._gratis and not (terms.first | terms.second) - self._gratis:
            return True
        if not self._across or self._likeness is None or not self._likeness.near:
            return False
        return len(terms.first) == len(terms.second) == 1 and bool(terms.both)

    def _implied(self) -> bool:
        """Whether one only says besides what is done with the thing."""
        more = self._terms.first | self._terms.second
        near = self._likeness is None or self._likeness.near
        return near and not self._terms.contrasted and len(more) == 1 and more <= _IMPLIED and bool(self._terms.both)

    def _enough(self) -> bool:
        """Whether what they share says something."""
        common = self._a.common & self._b.common
        a, b = self._a, self._b
        beside = self._names.both or a.axes.keys() & b.axes.keys() or a.amounts.keys() & b.amounts.keys()
        return bool(self._terms.both) or len(common) >= 2 or bool(common and beside)

    def _same(self) -> bool:
        a, b = self._a, self._b
        grouped = self._groups.equal or bool(a.days and (self._groups.first | self._groups.second) <= _OFTEN)
        if self._mixed or not (self._names.equal and grouped) or (self._across and self._likeness is None):
            return False
        if a.amounts != b.amounts or a.days != b.days or a.quantifiers - {"all"} != b.quantifiers - {"all"}:
            return False
        if (self._likeness is not None and self._likeness.far) or a.changed or a.also != b.also:
            return False
        said = len(self._terms.both) + len(a.common & b.common) + a.negated
        said += sum(map(len, (a.names, a.amounts, a.days, a.groups)))
        return said >= 2 or (self._likeness is not None and self._likeness.near)

    def _akin(self) -> bool:
        """Whether a statement that says that things have changed may speak of what the earlier one said."""
        if self._known.contrasted and not self._b.replaced:
            return False
        return bool(self._terms.both or self._names.both or self._a.common & self._b.common)

    def _overtaken(self) -> bool:
        """Whether the later one says something else of it."""
        a, b = self._a, self._b
        conflicts = self._conflicts()
        if b.replaced and (self._terms.both or self._names.both):
            return bool(self._names.second or self._terms.second or self._groups.second or conflicts)
        if not conflicts - {"polarity"} and self._names.second and self._names.both and not self._names.first:
            return not self._additive and not self._known.contrasted
        if not conflicts:
            return False
        if "polarity" in conflicts:
            apart = a.days and b.days and not (a.days & b.days)
            limit = b.ended and "above" in a.axes and "above" in b.axes and a.common & b.common
            return bool(self._terms.both or self._names.both or limit) and not (
                apart or self._names.contrasted or (self._names.first and self._known.second)
            )
        if conflicts == {"names"}:
            return not self._additive and bool(self._terms.both or self._names.both)
        if self._known.second - _IMPLIED - {"ship"} - self._gratis or self._names.second or self._names.first:
            return False
        return len(conflicts - {"quantifier"}) <= 1 and not self._also_days(conflicts)
