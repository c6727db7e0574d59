"""Tokens that an identity provider signed: let in by its keys and the configured algorithms, and by nothing else."""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.container import Container
from app.main import create_app
from app.settings import Settings
from tests.api.test_auth import assert_nobody, good_claims, segment
from tests.support.clock import MovingClock
from tests.support.provider import Provider, Signer, provider
from tests.support.world import Tenant, World, speaking

ROUTE = "/memory/settings"
SIGNERS = {name: Signer.make(f"{name}-key", name) for name in ("RS256", "ES256", "EdDSA", "PS256")}
ES = SIGNERS["ES256"]


@pytest.fixture
async def idp() -> AsyncIterator[Provider]:
    async with provider() as made:
        made.publish(*SIGNERS.values())
        yield made


@pytest.fixture
async def trusting(world: World, idp: Provider, file_clock: MovingClock) -> AsyncIterator[World]:
    """The same service, which trusts the provider's keys beside its own secret."""
    named = {"jwks_url": idp.url, "jwks_pause_seconds": 1, "jwks_fresh_seconds": 1}
    settings: Settings = world.settings.model_copy(update=named)
    container = Container(settings, file_clock)
    yield World(create_app(settings, container), settings, container, world.platform_key)
    await container.close()


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member"})


async def asked(trusting: World, tenant: Tenant, token: str) -> httpx.Response:
    return await speaking(trusting.app, Authorization=f"Bearer {token}", X_Org_Id=tenant.org_id).get(ROUTE)


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_its_tokens_are_their_person(trusting: World, tenant: Tenant, algorithm: str) -> None:
    assert (await asked(trusting, tenant, SIGNERS[algorithm].token("mia"))).status_code == 200
    assert (await asked(trusting, tenant, SIGNERS[algorithm].token("nobody"))).status_code == 404


async def test_the_secret_s_tokens_stay_good_and_ask_nobody(trusting: World, tenant: Tenant, idp: Provider) -> None:
    token = tenant.token("mia").headers["Authorization"].removeprefix("Bearer ")
    assert (await asked(trusting, tenant, token)).status_code == 200
    assert idp.asked == 0


async def test_without_a_key_set_they_are_nobody(world: World, tenant: Tenant) -> None:
    assert_nobody(await asked(world, tenant, ES.token("mia")))


def confused(signer: Signer) -> str:
    """A token signed with the public key as if it were a shared secret."""
    public = signer.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    parts = f"{segment({'alg': 'HS256', 'kid': signer.key_id})}.{segment(good_claims())}"
    digest = hmac.digest(public, parts.encode(), hashlib.sha256)
    return f"{parts}.{jwt.utils.base64url_encode(digest).decode()}"


STRANGER = Signer.make("ES256-key")
FORGED = {
    "of an algorithm that is not let in": SIGNERS["PS256"].token("mia"),
    "by another's key under a known name": STRANGER.token("mia"),
    "by a key that the token brings": STRANGER.token("mia", {"kid": "x", "jwk": STRANGER.public(kid="x")}),
    "by a key whose place the token names": STRANGER.token("mia", {"kid": "x", "jku": "http://127.0.0.1:9/keys"}),
    "under another key's name": ES.token("mia", {"kid": "RS256-key"}),
    "under no known name": ES.token("mia", {"kid": "x"}),
    "under an empty name": ES.token("mia", {"kid": ""}),
    "with an unknown critical extension": ES.token("mia", {"crit": ["x"], "x": 1}),
    "with a public key for a secret": confused(SIGNERS["RS256"]),
    "for another service": ES.token("mia", aud="another"),
    "by another issuer": ES.token("mia", iss="https://other.test"),
    "long ago": ES.token("mia", exp=1),
    "unsigned": f"{segment({'alg': 'none', 'kid': ES.key_id})}.{segment(good_claims())}.",
}


@pytest.mark.parametrize("token", FORGED.values(), ids=FORGED)
async def test_a_token_signed_otherwise_is_nobody(trusting: World, tenant: Tenant, token: str) -> None:
    assert (await asked(trusting, tenant, ES.token("mia"))).status_code == 200
    assert_nobody(await asked(trusting, tenant, token))


async def test_a_token_without_a_key_s_name_is_nobody(trusting: World, tenant: Tenant, idp: Provider) -> None:
    nameless = jwt.encode(good_claims(), ES.private, "ES256")
    assert_nobody(await asked(trusting, tenant, nameless))
    assert idp.asked == 0


async def test_a_key_that_was_changed_is_taken_up(trusting: World, tenant: Tenant, idp: Provider) -> None:
    new = Signer.make("new")
    idp.publish(new)
    assert (await asked(trusting, tenant, new.token("mia"))).status_code == 200
    assert_nobody(await asked(trusting, tenant, ES.token("mia")))


async def test_a_provider_that_is_away_closes_to_tokens_alone(trusting: World, tenant: Tenant, idp: Provider) -> None:
    idp.status = "500 Oops"
    answer = await asked(trusting, tenant, ES.token("mia"))
    assert (answer.status_code, answer.json()["code"]) == (503, "signing_keys_unavailable")
    assert answer.headers["retry-after"]
    assert (await asked(trusting, tenant, tenant.key)).status_code == 200


async def test_what_a_key_set_says_is_repeated_to_nobody(trusting: World, tenant: Tenant, idp: Provider) -> None:
    idp.body = json.dumps({"keys": "canary-4711"}).encode()
    assert "canary" not in (await asked(trusting, tenant, ES.token("mia"))).text
