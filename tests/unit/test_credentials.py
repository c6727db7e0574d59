"""Keys: hard to guess, easy to tell from what is none, kept only as a digest."""

import re

import pytest

from app.domain.credentials import KeyKind, digest, kind_of, make_key


@pytest.mark.parametrize("kind", list(KeyKind))
def test_a_made_key_is_known_for_what_it_is(kind: KeyKind) -> None:
    key = make_key(kind)
    assert re.fullmatch(kind.value + r"_[0-9A-Za-z]{49}", key)
    assert kind_of(key) is kind


def test_no_two_are_alike() -> None:
    assert len({make_key(KeyKind.API) for _ in range(1000)}) == 1000


def test_every_letter_counts() -> None:
    key = make_key(KeyKind.API)
    for place, letter in enumerate(key):
        typed = key[:place] + ("x" if letter != "x" else "y") + key[place + 1 :]
        assert kind_of(typed) is None, place


def test_two_letters_swapped_are_noticed() -> None:
    key = make_key(KeyKind.API)
    for place in range(4, len(key) - 1):
        swapped = key[:place] + key[place + 1] + key[place] + key[place + 2 :]
        assert (kind_of(swapped) is None) == (swapped != key), place


@pytest.mark.parametrize(
    "text",
    ["", "rtn", "rtn_", "rtn_short", "rts_" + "a" * 49, "a" * 53, "rtn_" + "é" * 49, "x" * 100_000, "a.b.c"],
)
def test_what_is_no_key_is_none(text: str) -> None:
    assert kind_of(text) is None


def test_a_key_of_one_kind_does_not_pass_for_the_other() -> None:
    assert kind_of("rtp" + make_key(KeyKind.API)[3:]) is None


def test_a_padded_key_is_no_key() -> None:
    key = make_key(KeyKind.PLATFORM)
    assert [kind_of(text) for text in (f" {key}", f"{key} ", f"{key}\n", key[:-1], key + "0")] == [None] * 5


def test_the_digest_depends_on_key_and_pepper_and_shows_neither() -> None:
    key, other = make_key(KeyKind.API), make_key(KeyKind.API)
    assert len(digest(key, b"pepper")) == 32
    assert digest(key, b"pepper") == digest(key, b"pepper")
    assert len({digest(key, b"pepper"), digest(key, b"salt"), digest(other, b"pepper")}) == 3
