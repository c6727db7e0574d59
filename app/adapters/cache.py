"""Valkey: what all replicas keep together, over a client that gives up at once (its own defaults wait for seconds)."""

import json
import secrets
import time
from hashlib import sha256
from hmac import digest
from typing import Any, Final, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import TypeAdapter, ValidationError
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.adapters.breaker import Breaker
from app.domain.tenancy import TenantScope

TIMEOUT_SECONDS: Final = 0.03
MOST_BYTES: Final = 256 * 1024
"""A larger value is not kept: it would not come in time."""
LONGEST_SECONDS: Final = 60
"""No value is kept longer, so that of each it is known whose it is for as long as it is there."""
_NONCE_BYTES: Final = 12
_CODECS: Final[dict[type, tuple[TypeAdapter[Any], str]]] = {}

T = TypeVar("T")


def connect(url: str, patience: float = TIMEOUT_SECONDS) -> Redis:
    """A client of the server at `url`, which raises when it waited for an answer for so many seconds."""
    return Redis.from_url(
        url,
        socket_timeout=patience,
        socket_connect_timeout=patience,
        retry=Retry(NoBackoff(), 0),
    )


class Valkey:
    """One server, by its URL, with one breaker for all that is asked of it."""

    def __init__(self, url: str, patience: float = TIMEOUT_SECONDS) -> None:
        self._client = connect(url, patience)
        self._breaker = Breaker()

    async def ask(self, *commands: tuple[Any, ...]) -> list[Any]:
        """The answers, each None where there is none in time, or where the server refused the command."""
        silence = [None] * len(commands)
        if not self._breaker.closed:
            return silence
        try:
            async with self._client.pipeline(transaction=False) as sent:
                for command in commands:
                    sent.execute_command(*command)
                answers = await sent.execute(raise_on_error=False)
        except (RedisError, OSError):
            self._breaker.failed()
            return silence
        self._breaker.worked()
        return [None if isinstance(answer, RedisError) else answer for answer in answers]

    async def answers(self) -> bool:
        """Whether it does just now; asked also while it is left alone."""
        try:
            return bool(await self._client.ping())
        except (RedisError, OSError):
            return False

    async def close(self) -> None:
        """Its connections are given back."""
        await self._client.aclose()


class ValkeyCounters:
    """Numbers that all replicas count up together, and that are forgotten. They hold nothing of any organisation."""

    def __init__(self, valkey: Valkey) -> None:
        self._valkey = valkey

    async def add(self, name: str, seconds: int) -> int | None:
        """One more; the number then, which is kept for so many seconds. None when that cannot be told in time."""
        key = f"retenir:count:{name}"
        counted, _ = await self._valkey.ask(("INCR", key), ("EXPIRE", key, seconds))
        return counted if isinstance(counted, int) else None


class ValkeyCache:
    """Values under keys that only a scope makes, sealed with a key of our own: whoever reads Valkey reads nothing in
    it, and what somebody else put there, for whichever key it was made, does not open.
    """

    def __init__(self, valkey: Valkey, secret: bytes) -> None:
        self._valkey = valkey
        self._secret = digest(secret, b"retenir cache", "sha256")
        self._seal = AESGCM(self._secret)

    async def answers(self) -> bool:
        return await self._valkey.answers()

    async def get(self, scope: TenantScope, name: str, kind: type[T]) -> T | None:
        key = self._key(scope, name, kind)
        (sealed,) = await self._valkey.ask(("GET", key))
        if not isinstance(sealed, bytes):
            return None
        try:
            plain = self._seal.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], key.encode())
            value: T = _codec(kind)[0].validate_json(plain)
        except (InvalidTag, ValidationError, ValueError):
            return None
        return value

    async def put(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        key, nonce = self._key(scope, name, type(value)), secrets.token_bytes(_NONCE_BYTES)
        plain = _codec(type(value))[0].dump_json(value)
        if len(plain) <= MOST_BYTES:
            ours = self._ours(scope, _minute())
            await self._valkey.ask(
                (
                    "SET",
                    key,
                    nonce + self._seal.encrypt(nonce, plain, key.encode()),
                    "EX",
                    min(seconds, LONGEST_SECONDS),
                ),
                ("SADD", ours, key),
                ("EXPIRE", ours, 3 * LONGEST_SECONDS),
            )

    async def forget(self, scope: TenantScope) -> int:
        lists = [self._ours(scope, _minute() - back) for back in range(3)]
        answers = await self._valkey.ask(*(("SMEMBERS", ours) for ours in lists))
        keys = {key for held in answers for key in held or ()}
        if not keys:
            return 0
        gone, _ = await self._valkey.ask(("DEL", *keys), ("DEL", *lists))
        return int(gone or 0)

    async def claim(self, scope: TenantScope, name: str, milliseconds: int) -> bool:
        key = self._key(scope, name, _Claim)
        claimed, held = await self._valkey.ask(("SET", key, b"", "NX", "PX", milliseconds), ("EXISTS", key))
        return bool(claimed) or not held

    async def release(self, scope: TenantScope, name: str) -> None:
        await self._valkey.ask(("DEL", self._key(scope, name, _Claim)))

    def _ours(self, scope: TenantScope, minute: int) -> str:
        """Where it stands which values of an organisation were kept in that minute; it does not tell whose they are."""
        told = json.dumps([scope.org_id, minute]).encode()
        return f"retenir:list:{digest(self._secret, told, 'sha256').hex()}"

    def _key(self, scope: TenantScope, name: str, kind: type) -> str:
        """The organisation's own; it tells neither whose it is nor for what, and is another where a kind has other
        fields.
        """
        shape = "" if kind is _Claim else _codec(kind)[1]
        told = json.dumps([scope.org_id, name, shape]).encode()
        return f"retenir:{kind.__name__.strip('_').lower()}:{digest(self._secret, told, 'sha256').hex()}"


class NoCache:
    """Where no Valkey is named: nothing is kept, and nothing is missed."""

    async def answers(self) -> bool:
        return True

    async def get(self, scope: TenantScope, name: str, kind: type[T]) -> T | None:
        return None

    async def put(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        pass

    async def claim(self, scope: TenantScope, name: str, milliseconds: int) -> bool:
        return True

    async def release(self, scope: TenantScope, name: str) -> None:
        pass

    async def forget(self, scope: TenantScope) -> int:
        return 0


class _Claim:
    """The kind of key that only says that somebody is at it."""


def _minute() -> int:
    return int(time.time() / LONGEST_SECONDS)


def _codec(kind: type) -> tuple[TypeAdapter[Any], str]:
    """What writes and reads values of the kind, and what stands for its fields: an older release has others."""
    if kind not in _CODECS:
        codec = TypeAdapter[Any](kind)
        shape = json.dumps(codec.json_schema(), sort_keys=True)
        _CODECS[kind] = codec, sha256(shape.encode()).hexdigest()
    return _CODECS[kind]
