"""An import, as it is asked for."""

import json
from hashlib import sha256
from typing import Any, Final

from app.api.schemas.export import EXAMPLE_LINES
from app.domain.export import LINES, SCHEMA_VERSION, Section


def example() -> dict[str, Any]:
    """A whole document, which is taken as it is when it is sent without blanks."""
    told: dict[str, Any] = {section.value: [] for section in Section if section is not Section.MANIFEST}
    told["organisation"] = {"org_id": "demo", "name": "Demo"}
    told["stores"] = [
        {"store_id": "shop1", "name": "Shop 1", "created_at": "2026-11-30T09:00:00Z", "time_zone": "Europe/Paris"}
    ]
    del told["settings"]
    before = json.dumps(told, separators=(",", ":"))[:-1]
    told["manifest"] = {
        "schema_version": SCHEMA_VERSION,
        "exported_at": "2026-11-30T09:00:00Z",
        "counts": {section.value: len(told[section]) for section in Section if section.listed},
        "holds": {"store": "whole"},
        "checksum": f"sha256:{sha256(before.encode()).hexdigest()}",
    }
    return told


BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "What `GET /memory/export` wrote, to the byte: as JSON up to 16 MiB, or, of any size, as one "
        "record on a line.",
        "content": {
            "application/json": {"schema": {"type": "object"}, "example": example()},
            LINES: {"schema": {"type": "string"}, "example": EXAMPLE_LINES},
        },
    }
}
