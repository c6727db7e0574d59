"""What a test of the contract runs on."""

from dataclasses import dataclass

from app.ports.storage import Directory, Storage

PLATFORM_KEY = b"the platform's"
"""The digest of a platform key that is there."""


@dataclass(frozen=True)
class Backend:
    """One storage and the directory over it."""

    storage: Storage
    directory: Directory
