"""Who is asking, as far as the request itself can say: a key's digest, or a token that was signed for a person.

Whether the key is alive and what the person may do is asked of the directory later, in `app/api/deps.py`.
"""

from dataclasses import dataclass
from typing import Any, Final

import jwt
from pydantic import TypeAdapter, ValidationError

from app.api.schemas.common import CallerId
from app.domain.credentials import KeyKind, digest, kind_of
from app.domain.errors import Unauthenticated
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
    """A valid token: its person, and the organisation that it names, if any."""

    person: str
    org_id: str | None


Credentials = KeyCredentials | TokenCredentials


class Authenticator:
    """Reads Authorization headers. `pepper` is that of the keys' digests; without a JWT secret no token is let in."""

    def __init__(self, pepper: bytes, settings: Settings) -> None:
        self._pepper = pepper
        self._tokens = Tokens(settings.jwt_secret.get_secret_value(), settings) if settings.jwt_secret else None

    def read(self, authorization: list[str]) -> Credentials:
        """The credentials in the request's Authorization headers. Raises Unauthenticated for none or two."""
        scheme, _, secret = authorization[0].partition(" ") if len(authorization) == 1 else ("", "", "")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        if (kind := kind_of(secret)) is not None:
            return KeyCredentials(kind, digest(secret, self._pepper))
        if self._tokens is None:
            raise Unauthenticated
        return self._tokens.read(secret)


class Tokens:
    """Reads JSON Web Tokens that are signed with the shared secret."""

    def __init__(self, secret: str, settings: Settings) -> None:
        self._secret = secret
        self._expected: dict[str, Any] = {
            "algorithms": [settings.jwt_algorithm],
            "audience": settings.jwt_audience,
            "issuer": settings.jwt_issuer,
        }

    def read(self, token: str) -> TokenCredentials:
        """What the token says. Raises Unauthenticated unless it is ours, in force, and names a possible person."""
        try:
            options: Any = {"require": _REQUIRED}
            whole = jwt.decode_complete(token, self._secret, options=options, leeway=LEEWAY_SECONDS, **self._expected)
            if "crit" in whole["header"]:  # we know no extension, so none may be critical
                raise Unauthenticated
            claims = whole["payload"]
            org_id = claims.get("org_id")
            return TokenCredentials(
                person=_CALLER_ID.validate_python(claims["sub"]),
                org_id=None if org_id is None else _CALLER_ID.validate_python(org_id),
            )
        except (jwt.PyJWTError, ValidationError):
            raise Unauthenticated from None
