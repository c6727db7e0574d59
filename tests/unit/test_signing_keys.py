"""The identity provider's keys over real HTTP: rotated, unknown, and a provider that is away or sends rubbish."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from app.adapters import signing_keys
from app.adapters.signing_keys import JwksSigningKeys, Patience
from app.domain.errors import Unavailable
from tests.support.provider import Provider, Signer, provider

FRESH, PAUSE, GRACE = 300.0, 10.0, 3600.0
ALGORITHMS = ("RS256", "ES256", "EdDSA")
AWAY = "signing_keys_unavailable"
OLD, NEW = Signer.make("old"), Signer.make("new")


class Clock:
    """Stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def idp() -> AsyncIterator[Provider]:
    async with provider() as made:
        made.publish(OLD)
        yield made


@pytest.fixture
async def keys(idp: Provider, clock: Clock) -> AsyncIterator[JwksSigningKeys]:
    made = JwksSigningKeys(idp.url, ALGORITHMS, Patience(FRESH, PAUSE, GRACE), clock)
    yield made
    await made.close()


async def told(keys: JwksSigningKeys, key_id: str) -> str:
    """known, unknown, or the code of what it raised."""
    try:
        return "unknown" if await keys.find(key_id) is None else "known"
    except Unavailable as error:
        return error.code


async def asked(idp: Provider, times: int) -> None:
    """The provider was asked so often; waits for one who is being asked beside an answer."""
    async with asyncio.timeout(5):
        while idp.asked < times:
            await asyncio.sleep(0.01)
    assert idp.asked == times


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_a_key_is_found_with_what_it_may_be_used_for(
    idp: Provider, keys: JwksSigningKeys, algorithm: str
) -> None:
    idp.publish(Signer.make("k", algorithm))
    key = await keys.find("k")
    assert key is not None
    assert key.algorithms == (algorithm,)


async def test_known_keys_are_not_asked_for_again(idp: Provider, keys: JwksSigningKeys, clock: Clock) -> None:
    for _ in range(5):
        assert await told(keys, "old") == "known"
        clock.now += FRESH / 10
    assert idp.asked == 1


async def test_many_at_once_ask_once(idp: Provider, keys: JwksSigningKeys) -> None:
    assert set(await asyncio.gather(*(told(keys, "old") for _ in range(50)))) == {"known"}
    assert idp.asked == 1


async def test_a_new_key_is_found_at_once_and_an_old_one_forgotten(
    idp: Provider, keys: JwksSigningKeys, clock: Clock
) -> None:
    assert await told(keys, "old") == "known"
    idp.publish(NEW)
    clock.now += PAUSE
    assert await told(keys, "new") == "known"
    assert await told(keys, "old") == "unknown"
    assert idp.asked == 2


async def test_unknown_ones_are_asked_for_once_in_a_pause(idp: Provider, keys: JwksSigningKeys, clock: Clock) -> None:
    for pause in range(3):
        for number in range(20):
            assert await told(keys, f"x{pause}-{number}") == "unknown"
        clock.now += PAUSE
    assert idp.asked == 3


async def test_what_is_no_longer_fresh_is_used_while_it_is_asked_for(
    idp: Provider, keys: JwksSigningKeys, clock: Clock
) -> None:
    await told(keys, "old")
    idp.publish(NEW)
    idp.silent = True
    clock.now += FRESH + 1
    assert await told(keys, "old") == "known"
    idp.silent = False
    await asked(idp, 2)
    async with asyncio.timeout(5):
        while await told(keys, "old") == "known":
            await asyncio.sleep(0.01)


def failing(idp: Provider, how: str) -> None:
    """Make it fail in this way."""
    good = idp.body
    documents: dict[str, Any] = {
        "no JSON": b"<html>",
        "nothing": b"",
        "no UTF-8": b'{"keys": "\xff"}',
        "no object": b"[]",
        "no list": b'{"keys": {}}',
        "no keys": b'{"keys": []}',
        "rubbish for keys": b'{"keys": [null, 1, "x", {}, {"kid": 7, "kty": "RSA"}, {"kid": "old"}]}',
        "too deep": b"[" * 100_000,
        "too many": json.dumps({"keys": [OLD.public(kid=f"k{number}") for number in range(1000)]}).encode(),
        "too large": good[:-1] + b" " * signing_keys.MOST_BYTES + good[-1:],
    }
    idp.body = documents.get(how, good)
    idp.status = {"an error": "500 Oops", "moved": "302 Found"}.get(how, "200 OK")
    idp.headers = f"location: {idp.url}\r\n" if how == "moved" else ""
    idp.endless, idp.silent = how == "endless", how == "silent"


FAILURES = ["no JSON", "nothing", "no UTF-8", "no object", "no list", "no keys", "rubbish for keys", "too deep"]
FAILURES += ["too many", "too large", "an error", "moved", "endless", "silent"]


@pytest.mark.parametrize("how", FAILURES)
async def test_the_last_keys_are_used_for_a_time_when_it_fails(
    idp: Provider, keys: JwksSigningKeys, clock: Clock, how: str
) -> None:
    assert await told(keys, "old") == "known"
    good = idp.body
    failing(idp, how)
    clock.now += FRESH + 1
    assert await told(keys, "old") == "known"
    assert await told(keys, "new") == AWAY
    clock.now += GRACE
    assert await told(keys, "old") == AWAY
    failing(idp, "")
    idp.body = good
    assert await told(keys, "old") == AWAY  # it was asked a moment ago
    clock.now += PAUSE
    assert await told(keys, "old") == "known"


async def test_nobody_listening_is_no_answer_either(clock: Clock) -> None:
    keys = JwksSigningKeys("http://127.0.0.1:9/keys", ALGORITHMS, Patience(FRESH, PAUSE, GRACE), clock)
    assert await told(keys, "old") == AWAY
    await keys.close()


async def test_an_endless_answer_is_not_read_to_its_end(idp: Provider, keys: JwksSigningKeys) -> None:
    failing(idp, "endless")
    async with asyncio.timeout(signing_keys.FETCH_SECONDS):
        assert await told(keys, "old") == AWAY


SMALL = rsa.generate_private_key(65537, 1024)
UNFIT: dict[str, dict[str, Any]] = {
    "for encryption": OLD.public(use="enc"),
    "of another algorithm": OLD.public(alg="ES384"),
    "of an algorithm that is not let in": Signer.make("k", "PS256").public(),
    "a secret": {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "alg": "HS256"},
    "a secret that says it is a key": {"kty": "oct", "k": "c2VjcmV0", "crv": "P-256", "alg": "ES256"},
    "of no known curve": OLD.public(crv="secp256k1", alg=None),
    "cut": OLD.public(x="AA"),
    "without its name": OLD.public(kid=None),
    "small": Signer("k", "RS256", SMALL).public(),
}


@pytest.mark.parametrize("unfit", UNFIT.values(), ids=UNFIT)
async def test_a_key_that_is_not_fit_is_left_out_and_the_others_stay(
    idp: Provider, keys: JwksSigningKeys, unfit: dict[str, Any]
) -> None:
    idp.body = json.dumps({"keys": [{"kid": "k", **unfit} if "kid" in unfit else unfit, NEW.public()]}).encode()
    assert await told(keys, unfit.get("kid", "k")) == "unknown"
    assert await told(keys, "new") == "known"


async def test_a_private_key_that_was_published_verifies_and_no_more(idp: Provider, keys: JwksSigningKeys) -> None:
    signer = Signer.make("k", "EdDSA")
    idp.body = json.dumps({"keys": [signer.public(d="AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]}).encode()
    key = await keys.find("k")
    assert key is not None
    assert not hasattr(key.key, "sign")


async def test_a_key_that_names_no_algorithm_has_those_of_its_kind(idp: Provider, clock: Clock) -> None:
    idp.body = json.dumps({"keys": [Signer.make("k", "RS256").public(alg=None)]}).encode()
    keys = JwksSigningKeys(idp.url, ("RS256", "PS256", "ES256"), Patience(FRESH, PAUSE, GRACE), clock)
    key = await keys.find("k")
    assert key is not None
    assert key.algorithms == ("RS256", "PS256")
    await keys.close()
