"""The organisation and what belongs to it: its settings, stores, people, channel links and keys."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from app.domain.tenancy import Role


class Language(StrEnum):
    """Languages in which a memory block is written."""

    FRENCH = "fr"
    ENGLISH = "en"


class ShareMessages(StrEnum):
    """Who is served an operator's past messages: that person alone, or the operators of the same store."""

    PERSON = "person"
    STORE = "store"


@dataclass(frozen=True, slots=True)
class OrgSettings:
    """What an organisation may choose. `time_zone` is an IANA name, used where nothing nearer names one."""

    enabled: bool = True
    language: Language = Language.FRENCH
    time_zone: str = "Europe/Paris"
    share_messages: ShareMessages = ShareMessages.PERSON


@dataclass(frozen=True, slots=True)
class Organisation:
    """A tenant. `version` counts the changes of its settings."""

    org_id: str
    name: str
    created_at: datetime
    settings: OrgSettings = field(default_factory=OrgSettings)
    version: int = 1


@dataclass(frozen=True, slots=True)
class Store:
    """A shop of the organisation."""

    store_id: str
    name: str
    created_at: datetime
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the organisation: an operator with a role, or a contact without. `remember` is the person's wish."""

    user_id: str
    created_at: datetime
    role: Role | None = None
    display_name: str | None = None
    remember: bool = True
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class ChannelLink:
    """An address on a channel (a WhatsApp number) as an alias of a person and, where known, a store."""

    channel: str
    address: str
    user_id: str
    created_at: datetime
    store_id: str | None = None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as the organisation sees it afterwards; the key itself is shown once and stored hashed."""

    id: UUID
    name: str
    role: Role
    act_for_people: bool
    created_at: datetime
    created_by: str
    store_ids: tuple[str, ...] | None = None
    agent_ids: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
