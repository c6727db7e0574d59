"""An identity provider on this machine: it signs tokens, publishes its keys over real HTTP, and can be made to fail."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

AUDIENCE, ISSUER = "retenir", "https://issuer.test"


@dataclass(frozen=True)
class Signer:
    """A private key with its name and algorithm."""

    key_id: str
    algorithm: str
    private: Any

    @classmethod
    def make(cls, key_id: str, algorithm: str = "ES256") -> "Signer":
        made: dict[str, Any] = {
            "RS256": lambda: rsa.generate_private_key(65537, 2048),
            "PS256": lambda: rsa.generate_private_key(65537, 2048),
            "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate,
        }
        return cls(key_id, algorithm, made[algorithm]())

    def public(self, **told: Any) -> dict[str, Any]:
        """The key as a set publishes it; None takes a member out."""
        algorithm = jwt.get_algorithm_by_name(self.algorithm)
        members = json.loads(algorithm.to_jwk(self.private.public_key()))
        whole = {**members, "kid": self.key_id, "use": "sig", "alg": self.algorithm, **told}
        return {name: value for name, value in whole.items() if value is not None}

    def token(self, person: str, header: dict[str, Any] | None = None, **claims: Any) -> str:
        """A good token of the person, except for the claims and the header given."""
        now = int(time.time())
        whole = {"sub": person, "aud": AUDIENCE, "iss": ISSUER, "exp": now + 300, **claims}
        return jwt.encode(whole, self.private, self.algorithm, headers={"kid": self.key_id, **(header or {})})


@dataclass
class Provider:
    """Answers with `body` and `status`; `endless` never stops, `silent` never begins. `asked` counts the requests."""

    port: int = 0
    body: bytes = b""
    status: str = "200 OK"
    headers: str = ""
    endless: bool = False
    silent: bool = False
    asked: int = 0
    _held: set[asyncio.Task[Any] | None] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/keys"

    def publish(self, *signers: Signer) -> None:
        """These keys, and no others."""
        self.body = json.dumps({"keys": [signer.public() for signer in signers]}).encode()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, one answer."""
        self._held.add(asyncio.current_task())
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.asked += 1
            while self.silent:
                await asyncio.sleep(0.01)
            head = f"HTTP/1.1 {self.status}\r\nconnection: close\r\n{self.headers}\r\n"
            writer.write(head.encode() + self.body)
            while self.endless:
                writer.write(b" " * 65_536)
                await writer.drain()
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self._held.discard(asyncio.current_task())

    def leave(self) -> None:
        """Whoever is still being answered is cut off."""
        for task in self._held:
            if task is not None:
                task.cancel()


@asynccontextmanager
async def provider() -> AsyncIterator[Provider]:
    """A provider that listens for the block."""
    made = Provider()
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        made.leave()
