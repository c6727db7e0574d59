"""What Valkey keeps for all replicas: given back as it was to its own organisation, and nothing else ever is."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from app.adapters.cache import MOST_BYTES, NoCache, Valkey, ValkeyCache, connect
from app.adapters.doubles.cache import InMemoryCache
from app.adapters.near_cache import LONGEST_SECONDS, MOST, NearCache
from app.domain.block import BlockTier
from app.domain.tenancy import TenantScope
from app.ports.cache import Cache
from tests.contract.scopes import scope_of
from tests.support.servers import Servers

SECRET, NAME = b"a secret of the service", "asked"
NOBODY = "redis://127.0.0.1:9/0"
PATTERN = "retenir:kept:*"
PATIENCE = 10
"""Seconds: what is tried here is not how soon a busy machine answers."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A value with all that answers are made of."""

    words: str
    number: float = 0.1
    at: datetime = datetime(2026, 3, 2, 10, 0, 0, 1, UTC)
    id: UUID | None = None
    tier: BlockTier | None = BlockTier.CORE
    several: tuple[tuple[str, int], ...] = (("é\n\u2028", 1),)
    named: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Other:
    words: str


VALUE = Kept("Livraison offerte", id=uuid4(), named={"get_order": -0.58})


@pytest.fixture
def us() -> TenantScope:
    return scope_of(f"us-{uuid4().hex}")


@pytest.fixture
async def valkey(servers: Servers) -> AsyncIterator[Valkey]:
    opened = Valkey(servers.valkey.url(), PATIENCE)
    yield opened
    await opened.close()


@pytest.fixture
async def raw(servers: Servers) -> AsyncIterator[Redis]:
    """Somebody else's client, which may do anything."""
    client = connect(servers.valkey.url(), PATIENCE)
    yield client
    await client.aclose()


@pytest.fixture(params=["valkey", "near", "double"])
def cache(request: pytest.FixtureRequest, valkey: Valkey) -> Cache:
    far = ValkeyCache(valkey, SECRET)
    caches: dict[str, Cache] = {"valkey": far, "near": NearCache(far), "double": InMemoryCache()}
    return caches[request.param]


async def test_a_value_comes_back_as_it_was(cache: Cache, us: TenantScope) -> None:
    assert await cache.get(us, NAME, Kept) is None
    await cache.put(us, NAME, VALUE, 60)
    assert await cache.get(us, NAME, Kept) == VALUE
    await cache.put(us, NAME, Kept("later"), 60)
    assert await cache.get(us, NAME, Kept) == Kept("later")


async def test_nobody_else_s_value_and_no_other_one_is_found(cache: Cache, us: TenantScope) -> None:
    await cache.put(us, NAME, VALUE, 60)
    assert await cache.get(scope_of("them"), NAME, Kept) is None
    assert await cache.get(us, "something else", Kept) is None
    assert await cache.get(us, NAME, Other) is None


async def test_it_falls_to_one_to_make_what_is_missing(cache: Cache, us: TenantScope) -> None:
    assert sorted(await asyncio.gather(*(cache.claim(us, NAME, 5000) for _ in range(20)))) == [False] * 19 + [True]
    assert await cache.claim(scope_of("them"), NAME, 1)
    assert await cache.claim(us, "something else", 1)
    await cache.release(us, NAME)
    assert await cache.claim(us, NAME, 5000)


async def test_a_claim_ends_by_itself(cache: Cache, us: TenantScope) -> None:
    assert await cache.claim(us, NAME, 20)
    async with asyncio.timeout(5):
        while not await cache.claim(us, NAME, 20):
            await asyncio.sleep(0.005)


async def test_all_of_an_organisation_is_forgotten_and_nothing_of_another(cache: Cache, us: TenantScope) -> None:
    them = scope_of(f"them-{uuid4().hex}")
    await cache.put(us, NAME, VALUE, 60)
    await cache.put(us, "something else", VALUE, 60)
    await cache.put(them, NAME, VALUE, 60)
    assert await cache.forget(us) == 2
    assert await cache.get(us, NAME, Kept) is None
    assert await cache.get(them, NAME, Kept) == VALUE
    assert await cache.forget(us) == 0


async def test_what_is_forgotten_lies_nowhere_in_valkey(
    valkey: Valkey, raw: Redis, us: TenantScope, lying: str
) -> None:
    assert await raw.exists(lying)
    assert await ValkeyCache(valkey, SECRET).forget(us) == 1
    assert not await raw.exists(lying)


async def test_a_value_ends_by_itself(valkey: Valkey, raw: Redis, us: TenantScope) -> None:
    await ValkeyCache(valkey, SECRET).put(us, NAME, VALUE, 60)
    assert all([0 < await raw.ttl(key) <= 60 async for key in raw.scan_iter(PATTERN)])


@pytest.fixture
async def lying(valkey: Valkey, raw: Redis, us: TenantScope) -> str:
    """The key under which `VALUE` lies for us."""
    before = {key async for key in raw.scan_iter(PATTERN)}
    await ValkeyCache(valkey, SECRET).put(us, NAME, VALUE, 60)
    (key,) = {key async for key in raw.scan_iter(PATTERN)} - before
    return str(key.decode())


POISONS: dict[str, Any] = {
    "nothing": lambda sealed: b"",
    "a nonce alone": lambda sealed: sealed[:12],
    "garbage": lambda sealed: b"\x80\x05garbage" * 20,
    "plain JSON": lambda sealed: b'{"words": "forged"}',
    "cut": lambda sealed: sealed[:-1],
    "longer": lambda sealed: sealed + b"\x00",
    "a bit turned": lambda sealed: sealed[:20] + bytes([sealed[20] ^ 1]) + sealed[21:],
}


@pytest.mark.parametrize("poison", POISONS)
async def test_a_poison_is_a_miss_and_is_replaced(
    valkey: Valkey, raw: Redis, us: TenantScope, lying: str, poison: str
) -> None:
    cache = ValkeyCache(valkey, SECRET)
    await raw.set(lying, POISONS[poison](await raw.get(lying)))
    assert await cache.get(us, NAME, Kept) is None
    await cache.put(us, NAME, VALUE, 60)
    assert await cache.get(us, NAME, Kept) == VALUE


async def test_a_key_of_the_wrong_type_is_a_miss_and_is_replaced(
    valkey: Valkey, raw: Redis, us: TenantScope, lying: str
) -> None:
    cache = ValkeyCache(valkey, SECRET)
    await raw.delete(lying)
    await raw.rpush(lying, "a", "list")
    assert await cache.get(us, NAME, Kept) is None
    await cache.put(us, NAME, VALUE, 60)
    assert await cache.get(us, NAME, Kept) == VALUE


async def test_another_s_value_at_our_key_is_a_miss(valkey: Valkey, raw: Redis, us: TenantScope, lying: str) -> None:
    """Of another organisation, of another question, of another deployment."""
    ours, elsewhere = ValkeyCache(valkey, SECRET), ValkeyCache(valkey, b"another secret")
    for cache, scope, name in (
        (ours, scope_of("them"), NAME),
        (ours, us, "something else"),
        (elsewhere, us, NAME),
    ):
        known = {key async for key in raw.scan_iter(PATTERN)}
        await cache.put(scope, name, VALUE, 60)
        (key,) = {key async for key in raw.scan_iter(PATTERN)} - known
        await raw.copy(key, lying, replace=True)
        assert await ours.get(us, NAME, Kept) is None


async def test_who_reads_valkey_reads_no_word_and_no_id(
    valkey: Valkey, raw: Redis, us: TenantScope, lying: str
) -> None:
    await ValkeyCache(valkey, SECRET).claim(us, NAME, 60_000)
    values = [
        (key, await raw.get(key)) async for key in raw.scan_iter("retenir:*", _type="string") if b"count" not in key
    ]
    lists = [(key, *await raw.smembers(key)) async for key in raw.scan_iter("retenir:*", _type="set")]
    everything = [*values, *lists]
    assert values
    assert lists
    for word in (us.org_id, NAME, "Livraison", "get_order"):
        assert word.encode() not in b" ".join(part for pair in everything for part in pair if isinstance(part, bytes))


async def test_what_is_too_large_is_not_kept(cache: Cache, us: TenantScope, valkey: Valkey) -> None:
    sealed = ValkeyCache(valkey, SECRET)
    await sealed.put(us, NAME, Kept("x" * MOST_BYTES), 60)
    assert await sealed.get(us, NAME, Kept) is None


async def test_a_process_has_what_it_saw_also_while_valkey_is_away(us: TenantScope) -> None:
    seconds = 0.0
    near = NearCache(NoCache(), lambda: seconds)
    await near.put(us, NAME, VALUE, 3600)
    assert await near.get(us, NAME, Kept) == VALUE
    assert await near.get(scope_of("them"), NAME, Kept) is None
    seconds = LONGEST_SECONDS
    assert await near.get(us, NAME, Kept) is None


async def test_a_process_keeps_what_another_one_made(us: TenantScope) -> None:
    far = InMemoryCache()
    near = NearCache(far)
    await far.put(us, NAME, VALUE, 60)
    assert await near.get(us, NAME, Kept) == VALUE
    await far.put(us, NAME, Kept("another"), 60)
    assert await near.get(us, NAME, Kept) == VALUE


async def test_a_process_keeps_so_many_and_those_asked_for_last(us: TenantScope) -> None:
    near = NearCache(NoCache())
    for number in range(MOST + 10):
        await near.put(us, str(number), VALUE, 60)
        await near.get(us, "0", Kept)
    kept = [await near.get(us, str(number), Kept) is not None for number in range(MOST + 10)]
    assert sum(kept) == MOST
    assert kept[0]
    assert kept[-1]
    assert not any(kept[1:11])


@pytest.mark.parametrize("away", ["nobody listens", "none is named"])
async def test_without_valkey_nothing_is_kept_and_everything_falls_to_everybody(us: TenantScope, away: str) -> None:
    valkey = Valkey(NOBODY)
    cache: Cache = NoCache() if away == "none is named" else ValkeyCache(valkey, SECRET)
    await cache.put(us, NAME, VALUE, 60)
    assert await cache.get(us, NAME, Kept) is None
    assert await cache.claim(us, NAME, 1000)
    assert await cache.claim(us, NAME, 1000)
    await cache.release(us, NAME)
    assert await cache.answers() is (away == "none is named")
    await valkey.close()
