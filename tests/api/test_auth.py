"""Who is let in: every way of being nobody is the same 401, and every trap of a signed token is closed."""

import base64
import json
import time
from collections.abc import Mapping
from typing import Any

import httpx
import jwt
import pytest
from fastapi import FastAPI

from app.api.auth import Authenticator, KeyCredentials
from app.domain.credentials import KeyKind, make_key
from app.domain.errors import Unauthenticated
from app.main import create_app
from tests.conftest import TOKEN_SECRET
from tests.support.routes import endpoints
from tests.support.world import Tenant, World, speaking

ROUTE = "/memory/settings"


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "bob": None})


def segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def signed(claims: Mapping[str, Any], secret: str = TOKEN_SECRET, **header: Any) -> str:
    """A token signed by hand, with a header that the library would not write."""
    algorithm = jwt.get_algorithm_by_name("HS256")
    parts = f"{segment({'alg': 'HS256', 'typ': 'JWT', **header})}.{segment(claims)}"
    signature = algorithm.sign(parts.encode(), algorithm.prepare_key(secret))
    return f"{parts}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def good_claims(**claims: Any) -> dict[str, Any]:
    whole = {"sub": "alice", "aud": "retenir", "iss": "https://issuer.test", "exp": int(time.time()) + 300, **claims}
    return {name: value for name, value in whole.items() if value is not None}


async def asked(world: World, tenant: Tenant, authorization: str) -> httpx.Response:
    client = speaking(world.app, Authorization=authorization, X_Org_Id=tenant.org_id)
    return await client.get(ROUTE)


def assert_nobody(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == "application/problem+json"


async def test_nobody_without_a_header(client: httpx.AsyncClient) -> None:
    assert_nobody(await client.get(ROUTE))


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YWxpY2U6c2VjcmV0",
        "bearer x",
        "Bearer a.b.c",
        "Bearer rtn_x",
        "Token {key}",
        "{key}",
    ],
)
async def test_nobody_with_an_unknown_form(world: World, tenant: Tenant, authorization: str) -> None:
    assert_nobody(await asked(world, tenant, authorization.format(key=tenant.key)))


async def test_the_scheme_may_be_written_in_any_case(world: World, tenant: Tenant) -> None:
    assert (await asked(world, tenant, f"bEARER {tenant.key}")).status_code == 200


async def test_a_key_that_was_never_made_is_nobody(world: World, tenant: Tenant) -> None:
    for kind in KeyKind:
        assert_nobody(await asked(world, tenant, f"Bearer {make_key(kind)}"))


async def test_a_token_in_the_query_is_not_looked_at(client: httpx.AsyncClient, tenant: Tenant) -> None:
    for name in ("access_token", "token", "authorization", "api_key"):
        assert_nobody(await client.get(ROUTE, params={name: tenant.key}))


async def test_two_authorization_headers_are_refused(client: httpx.AsyncClient, tenant: Tenant) -> None:
    twice = [("Authorization", f"Bearer {tenant.key}"), ("Authorization", f"Bearer {tenant.key}")]
    answer = await client.get(ROUTE, headers=twice)
    assert (answer.status_code, answer.json()["code"]) == (400, "repeated_header")


async def test_one_of_two_headers_is_not_chosen(world: World, tenant: Tenant) -> None:
    """Also without the guard that stands before."""
    one = f"Bearer {tenant.key}"
    authenticator = Authenticator(world.container.secret, world.settings, None)
    assert isinstance(await authenticator.read([one]), KeyCredentials)
    for headers in ([], [one, one]):
        with pytest.raises(Unauthenticated):
            await authenticator.read(headers)


async def test_a_good_token_is_its_person(tenant: Tenant) -> None:
    assert (await tenant.token("mia").get(ROUTE)).status_code == 200


async def test_a_little_late_or_early_is_in_time(tenant: Tenant) -> None:
    now = int(time.time())
    assert (await tenant.token("mia", exp=now - 5, nbf=now + 5).get(ROUTE)).status_code == 200


NOW = int(time.time())
BAD_CLAIMS: dict[str, dict[str, Any]] = {
    "expired": {"exp": NOW - 3600},
    "no exp": {"exp": None},
    "exp that is no number": {"exp": "never"},
    "exp too large for a number": {"exp": 1e400},
    "wrong audience": {"aud": "another"},
    "no audience": {"aud": None},
    "audience that is no text": {"aud": {"retenir": True}},
    "wrong issuer": {"iss": "https://other.test"},
    "no issuer": {"iss": None},
    "nbf to come": {"nbf": NOW + 3600},
    "iat to come": {"iat": NOW + 3600},
    "no sub": {"sub": None},
    "numeric sub": {"sub": 7},
    "empty sub": {"sub": ""},
    "sub with a space": {"sub": "al ice"},
    "sub with a NUL": {"sub": "alice\0"},
    "sub that is a dot segment": {"sub": ".."},
    "sub too long": {"sub": "a" * 256},
    "sub that is a list": {"sub": ["alice"]},
    "org_id that is no text": {"org_id": 7},
    "org_id with a space": {"org_id": "a b"},
}


@pytest.mark.parametrize("claims", BAD_CLAIMS.values(), ids=BAD_CLAIMS)
async def test_bad_claims_are_nobody(world: World, tenant: Tenant, claims: dict[str, Any]) -> None:
    assert (await asked(world, tenant, f"Bearer {signed(good_claims())}")).status_code == 200
    assert_nobody(await asked(world, tenant, f"Bearer {signed(good_claims(**claims))}"))


BAD_HEADERS: dict[str, dict[str, Any]] = {
    "another algorithm": {"alg": "HS512"},
    "a public key's algorithm": {"alg": "RS256"},
    "an algorithm that is a list": {"alg": ["HS256"]},
    "no algorithm": {"alg": None},
    "a critical extension": {"crit": ["exp"], "exp": 1},
    "an extension that the library knows": {"crit": ["b64"], "b64": True},
    "an empty crit": {"crit": []},
    "a kid that is no text": {"kid": {"a": 1}},
}


@pytest.mark.parametrize("header", BAD_HEADERS.values(), ids=BAD_HEADERS)
async def test_bad_headers_are_nobody(world: World, tenant: Tenant, header: dict[str, Any]) -> None:
    assert_nobody(await asked(world, tenant, f"Bearer {signed(good_claims(), **header)}"))


async def test_an_unsigned_token_is_nobody(world: World, tenant: Tenant) -> None:
    for algorithm in ("none", "None", "NONE", ""):
        for signature in ("", "x"):
            token = f"{segment({'alg': algorithm})}.{segment(good_claims())}.{signature}"
            assert_nobody(await asked(world, tenant, f"Bearer {token}"))


async def test_another_secret_or_changed_claims_are_nobody(world: World, tenant: Tenant) -> None:
    assert_nobody(await asked(world, tenant, f"Bearer {signed(good_claims(), secret='x' * 32)}"))
    header, _, signature = signed(good_claims(sub="bob")).split(".")
    assert_nobody(await asked(world, tenant, f"Bearer {header}.{segment(good_claims())}.{signature}"))


@pytest.mark.parametrize("depth", [900, 2800, 20_000])
async def test_a_deep_or_huge_header_is_nobody(world: World, tenant: Tenant, depth: int) -> None:
    deep = base64.urlsafe_b64encode(b"[" * depth).decode()
    assert_nobody(await asked(world, tenant, f"Bearer {deep}.{segment(good_claims())}.x"))


async def test_tokens_are_refused_where_no_secret_is_set(world: World, tenant: Tenant) -> None:
    app = create_app(world.settings.model_copy(update={"jwt_secret": None}), world.container)
    token, key = tenant.token("alice").headers, tenant.owner.headers
    assert (await world.nobody.get(ROUTE, headers=token)).status_code == 200
    assert_nobody(await speaking(app).get(ROUTE, headers=token))
    assert (await speaking(app).get(ROUTE, headers=key)).status_code == 200


async def test_the_platform_s_key_opens_no_memory(world: World) -> None:
    answer = await world.platform.get(ROUTE)
    assert (answer.status_code, answer.json()["code"]) == (403, "platform_key")


async def test_who_asks_is_settled_before_what_they_ask(world: World, client: httpx.AsyncClient) -> None:
    dead = speaking(world.app, Authorization=f"Bearer {make_key(KeyKind.API)}")
    for nobody in (client, dead):
        assert_nobody(await nobody.post("/memory/turns", json={"nonsense": True}))
        assert_nobody(await nobody.patch(ROUTE, json={"nonsense": True}))


def test_the_document_says_where_credentials_are_asked_for(app: FastAPI) -> None:
    for route in endpoints(app):
        assert (route.operation.get("security") == []) == (route.gate is None), route.name
