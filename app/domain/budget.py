"""How many tokens a memory block may cost, tier by tier."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens for each tier of the block, none negative; what one tier leaves goes to the next.

    `behaviour` is how much of the working tier what sessions show may take.
    """

    core: int = 400
    working: int = 600
    archival: int = 400
    behaviour: int = 300

    @property
    def total(self) -> int:
        """Tokens for the whole block."""
        return self.core + self.working + self.archival

    def within(self, total: int | None) -> "Budgets":
        """These budgets cut down to `total` tokens, the last tier first; more than they hold, or None, cuts nothing.

        Behaviour gets half of a smaller working tier at most.
        """
        left = self.total if total is None else max(0, total)
        core = min(self.core, left)
        working = min(self.working, left - core)
        archival = min(self.archival, left - core - working)
        behaviour = self.behaviour if working == self.working else min(self.behaviour, working // 2)
        return Budgets(core, working, archival, behaviour)


USUAL = Budgets()


@dataclass(frozen=True, slots=True)
class BudgetLimits:
    """What an organisation lets a block cost, in tokens: each tier, what sessions show, and the whole of it."""

    core: int = USUAL.core
    working: int = USUAL.working
    behavioural: int = USUAL.behaviour
    archival: int = USUAL.archival
    total: int = USUAL.total

    def budgets(self, asked: int | None) -> Budgets:
        """The budgets of one block, for which a caller may ask less than the whole."""
        whole = Budgets(self.core, self.working, self.archival, self.behavioural)
        return whole.within(self.total if asked is None else min(asked, self.total))
