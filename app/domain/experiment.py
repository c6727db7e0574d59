"""The experiment: a share of conversations goes without the block, so that what it is good for can be told."""

from enum import StrEnum
from hashlib import sha256
from typing import Final

_BITS: Final = 53
"""As many as a number of Python's holds exactly, so that every place lies under 1."""


class Arm(StrEnum):
    """Whether a prompt is given the block, or held out."""

    MEMORY = "memory"
    CONTROL = "control"


def arm_of(holdout_share: float, org_id: str, conversation_id: str | None, person: str | None) -> Arm:
    """The arm of a conversation, or, outside of any, of a person: always the same, whoever asks, on every replica.

    Of all of them `holdout_share`, in [0, 1], is held out; raising it moves nobody out of the control arm. What is
    about neither has the block.
    """
    if conversation_id is not None:
        unit = ("conversation", conversation_id)
    elif person is not None:
        unit = ("person", person)
    else:
        return Arm.MEMORY
    place = (int.from_bytes(sha256(repr((org_id, *unit)).encode()).digest()[:8]) >> (64 - _BITS)) / 2**_BITS
    return Arm.CONTROL if place < holdout_share else Arm.MEMORY
