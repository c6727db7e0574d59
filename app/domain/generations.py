"""Generations: what stands for the state of a memory, so that an answer made from it can be known again as current."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Generations:
    """The numbers of the organisation, of one store and of one person in it; 0 for whom there is none.

    Each is raised, never lowered, in the transaction of whatever changes what is served of them. Who reads the numbers,
    and the memory after them, holds nothing older than the numbers say.
    """

    organisation: int = 0
    store: int = 0
    person: int = 0
