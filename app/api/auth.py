"""Who is asking, as far as the request itself can say: a key's digest, or a token that was signed for a person.

Whether the key is alive and what the person may do is asked of the directory later, in `app/api/deps.py`.
"""

from dataclasses import dataclass
from typing import Any, Final

import jwt
from fastapi import Request
from pydantic import TypeAdapter, ValidationError

from app.api.limits import count
from app.api.schemas.common import CallerId
from app.container import Container
from app.domain.credentials import KeyKind, digest, kind_of
from app.domain.errors import Unauthenticated
from app.ports.signing_keys import SigningKey, SigningKeys
from app.settings import Settings

LEEWAY_SECONDS: Final = 30
"""By how much the clocks of those who make tokens may differ from ours."""
_REQUIRED: Final = ["exp", "sub", "aud", "iss"]
_CALLER_ID: Final = TypeAdapter(CallerId)


@dataclass(frozen=True, slots=True)
class KeyCredentials:
    """An API key, or a platform key, that is well-formed."""

    kind: KeyKind
    digest: bytes


@dataclass(frozen=True, slots=True)
class TokenCredentials:
    """A valid token: its person, and the organisation that it names, if any. `digest` stands for the person."""

    person: str
    org_id: str | None
    digest: bytes


Credentials = KeyCredentials | TokenCredentials


class Authenticator:
    """Reads Authorization headers. `pepper` is that of the digests; without a secret or `keys` no token is let in."""

    def __init__(self, pepper: bytes, settings: Settings, keys: SigningKeys | None) -> None:
        self._pepper = pepper
        secret = settings.jwt_secret
        self._secret = SigningKey(secret.get_secret_value(), (settings.jwt_algorithm,)) if secret else None
        self._keys = keys
        self._expected: Any = {"audience": settings.jwt_audience, "issuer": settings.jwt_issuer}

    async def read(self, authorization: list[str]) -> Credentials:
        """The credentials in the request's Authorization headers. Raises Unauthenticated for none or two.

        A token must be ours, in force, and name a possible person. Raises Unavailable when it cannot be told.
        """
        scheme, _, secret = authorization[0].partition(" ") if len(authorization) == 1 else ("", "", "")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        if (kind := kind_of(secret)) is not None:
            return KeyCredentials(kind, digest(secret, self._pepper))
        try:
            return self._credentials(self._claims(secret, await self._key_of(secret)))
        except (jwt.PyJWTError, ValidationError):
            raise Unauthenticated from None

    async def _key_of(self, token: str) -> SigningKey:
        """The key that must have signed it, by what it says of itself: nothing else in it is believed yet."""
        header = jwt.get_unverified_header(token)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if self._secret is not None and algorithm in self._secret.algorithms:
            return self._secret
        if self._keys is not None and isinstance(key_id, str):
            key = await self._keys.find(key_id)
            if key is not None and algorithm in key.algorithms:
                return key
        raise Unauthenticated

    def _claims(self, token: str, key: SigningKey) -> dict[str, Any]:
        options: Any = {"require": _REQUIRED}
        algorithms = list(key.algorithms)
        whole = jwt.decode_complete(
            token, key.key, algorithms=algorithms, options=options, leeway=LEEWAY_SECONDS, **self._expected
        )
        if "crit" in whole["header"]:  # we know no extension, so none may be critical
            raise Unauthenticated
        claims: dict[str, Any] = whole["payload"]
        return claims

    def _credentials(self, claims: dict[str, Any]) -> TokenCredentials:
        org_id = claims.get("org_id")
        person = _CALLER_ID.validate_python(claims["sub"])
        return TokenCredentials(
            person=person,
            org_id=None if org_id is None else _CALLER_ID.validate_python(org_id),
            digest=digest(f"person {person}", self._pepper),
        )


async def credentials(request: Request) -> Credentials:
    """What the request shows of who is asking, and one more request of theirs. Raises Unauthenticated, TooMany."""
    authenticator: Authenticator = request.app.state.authenticator
    services: Container = request.app.state.container
    shown = await authenticator.read(request.headers.getlist("authorization"))
    await count(request, services.rate_limits, shown.digest)
    return shown
