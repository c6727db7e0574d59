"""Signing keys from the identity provider's JSON Web Key Set, asked for rarely and kept for when it is away."""

import asyncio
import json
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx
import jwt
import structlog
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from app.domain.errors import Unavailable
from app.ports.signing_keys import SigningKey
from app.settings import Settings

FETCH_SECONDS: Final = 3.0
MOST_BYTES: Final = 256 * 1024
MOST_KEYS: Final = 100
LEAST_RSA_BITS: Final = 2048
_FITTING: Final = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "P-256": ("ES256",),
    "P-384": ("ES384",),
    "P-521": ("ES512",),
    "Ed25519": ("EdDSA",),
    "Ed448": ("EdDSA",),
}
"""What a key may be used with that does not say so itself, by its type or its curve. Secrets are never among them."""

_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """In seconds: how long keys are used without asking, how often is asked at most, how long they outlive silence."""

    fresh: float
    pause: float
    grace: float


class JwksSigningKeys:
    """The keys at `url` that fit one of the `algorithms`."""

    def __init__(
        self, url: str, algorithms: Collection[str], patience: Patience, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._url = url
        self._algorithms = frozenset(algorithms)
        self._patience = patience
        self._now = now
        self._http = httpx.AsyncClient(timeout=FETCH_SECONDS, follow_redirects=False)
        self._keys: dict[str, SigningKey] = {}
        self._known_at = self._asked_at = float("-inf")
        self._asking: asyncio.Task[None] | None = None

    async def find(self, key_id: str) -> SigningKey | None:
        """A known key is answered at once, and asked about beside it when it is no longer fresh; an unknown one is
        waited for, unless the provider was asked a moment ago. Raises Unavailable when it did not answer then.
        """
        if key_id in self._usable():
            if self._age(self._known_at) > self._patience.fresh:
                self._ask()
            return self._keys[key_id]
        if (asking := self._ask()) is not None:
            await asyncio.wait({asking})
        if key_id in self._usable():
            return self._keys[key_id]
        if self._known_at < self._asked_at:
            raise Unavailable("signing_keys_unavailable", "Tokens cannot be checked just now; try again.")
        return None

    async def close(self) -> None:
        """Nobody is asked any more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        await self._http.aclose()

    def _age(self, instant: float) -> float:
        return self._now() - instant

    def _usable(self) -> dict[str, SigningKey]:
        return self._keys if self._age(self._known_at) <= self._patience.grace else {}

    def _ask(self) -> "asyncio.Task[None] | None":
        """The asking that is under way, or a new one; None so soon after the last one."""
        if self._asking is not None and not self._asking.done():
            return self._asking
        if self._age(self._asked_at) < self._patience.pause:
            return None
        self._asked_at = self._now()
        self._asking = asyncio.create_task(self._fetch())
        return self._asking

    async def _fetch(self) -> None:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                keys = dict(_read(await self._document(), self._algorithms))
            if not keys:
                raise ValueError("no key fits")
        except Exception as error:  # whatever is wrong with the provider or its document, the last keys stay
            _log.warning("signing_keys_unavailable", error=type(error).__name__)
        else:
            self._keys, self._known_at = keys, self._now()

    async def _document(self) -> Any:
        body = bytearray()
        async with self._http.stream("GET", self._url, headers={"accept": "application/json"}) as answer:
            if answer.status_code != httpx.codes.OK:
                raise ValueError("no document")
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise ValueError("too large")
        return json.loads(body)


def _read(document: Any, algorithms: frozenset[str]) -> Iterator[tuple[str, SigningKey]]:
    """The keys that verify signatures by these algorithms. One that we cannot read is left out, the others stay."""
    listed = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(listed, list) or len(listed) > MOST_KEYS:
        raise ValueError("not a key set")
    for told in listed:
        if isinstance(told, dict) and isinstance(told.get("kid"), str) and told.get("use", "sig") == "sig":
            fitting = _FITTING.get(str(told.get("kty")), ()) or _FITTING.get(str(told.get("crv")), ())
            usable = tuple(name for name in fitting if name in algorithms and told.get("alg", name) == name)
            if usable and (key := _public_key(told, usable[0])) is not None:
                yield told["kid"], SigningKey(key, usable)


def _public_key(told: dict[str, Any], algorithm: str) -> Any | None:
    public = {name: value for name, value in told.items() if name not in _PRIVATE}
    try:
        key = jwt.PyJWK.from_dict(public, algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None
    return None if isinstance(key, RSAPublicKey) and key.key_size < LEAST_RSA_BITS else key


def signing_keys_of(settings: Settings) -> JwksSigningKeys | None:
    """Those of the provider that the settings name; None where they name none."""
    if settings.jwks_url is None:
        return None
    patience = Patience(settings.jwks_fresh_seconds, settings.jwks_pause_seconds, settings.jwks_grace_seconds)
    return JwksSigningKeys(settings.jwks_url, settings.jwks_algorithms.split(","), patience)
