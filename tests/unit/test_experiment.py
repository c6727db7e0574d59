"""The control arm: a share of conversations, always the same ones."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.experiment import Arm, arm_of

names = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30)
shares = st.floats(0, 1)
TALKS = [f"talk-{number}" for number in range(4000)]


def held_out(share: float, org_id: str = "shop") -> set[str]:
    return {talk for talk in TALKS if arm_of(share, org_id, talk, "alice") is Arm.CONTROL}


def test_as_many_are_held_out_as_was_chosen() -> None:
    for share in (0.05, 0.2, 0.5, 0.9):
        assert abs(len(held_out(share)) / len(TALKS) - share) < 0.03


def test_it_is_the_same_everywhere_and_for_ever() -> None:
    arms = [arm_of(0.5, "shop", talk, None) for talk in TALKS[:8]]
    assert "".join(arm[0] for arm in arms) == "cmcmmccm"


def test_each_organisation_holds_out_others() -> None:
    ours, theirs = held_out(0.5), held_out(0.5, "other")
    assert 0.4 < len(ours & theirs) / len(ours) < 0.6


def test_outside_of_conversations_it_goes_by_the_person_and_else_the_block_is_served() -> None:
    people = [arm_of(0.5, "shop", None, talk) for talk in TALKS]
    assert 0.45 < people.count(Arm.CONTROL) / len(people) < 0.55
    assert people != [arm_of(0.5, "shop", talk, None) for talk in TALKS]
    assert arm_of(1.0, "shop", None, None) is Arm.MEMORY


@given(conversation=names, one=names, other=names, share=shares)
def test_who_asks_does_not_matter_in_a_conversation(conversation: str, one: str, other: str, share: float) -> None:
    assert arm_of(share, "shop", conversation, one) == arm_of(share, "shop", conversation, other)


@given(conversation=names, share=shares, more=shares)
def test_a_larger_share_takes_nobody_out_and_the_ends_are_nobody_and_all(
    conversation: str, share: float, more: float
) -> None:
    arm = arm_of(share, "shop", conversation, None)
    larger = arm_of(max(share, more), "shop", conversation, None)

    assert larger is Arm.CONTROL or arm is Arm.MEMORY
    assert arm_of(0.0, "shop", conversation, None) is Arm.MEMORY
    assert arm_of(1.0, "shop", conversation, None) is Arm.CONTROL
