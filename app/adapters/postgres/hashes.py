"""What stands for erased things: HMAC-SHA256 over the organisation, the kind and the name, with a key of the secret."""

import json
from hmac import digest

from app.domain.erasures import Thing


def thing_digest(pepper: bytes, org_id: str, thing: Thing) -> bytes:
    """What stands for a thing of an organisation; nobody without the secret can tell which it is."""
    told = json.dumps(["retenir erased", org_id, thing.kind.value, *thing.name])
    return digest(pepper, told.encode(), "sha256")
