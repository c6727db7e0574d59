"""Messages and the turns they come in."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from app.domain.sources import MessageRef

MAX_AHEAD = timedelta(hours=24)
"""A time further in the future than this is refused."""


class Speaker(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One stored message, recalled as privately as its person. `utc_offset` is in minutes, None where sent as `Z`."""

    id: UUID
    conversation_id: str
    message_id: str
    channel: str
    speaker: Speaker
    content: str
    sent_at: datetime
    utc_offset: int | None
    user_id: str
    store_id: str | None
    agent_id: str
    recorded_at: datetime

    @property
    def ref(self) -> MessageRef:
        """The caller's ids of this message."""
        return MessageRef(self.conversation_id, self.message_id, self.channel)

    def local_time(self, *zones: str | None) -> datetime:
        """`sent_at` in the sender's own offset, else in the first zone that is named (IANA), else in UTC."""
        return local_time(self.sent_at, self.utc_offset, *zones)


def local_time(instant: datetime, utc_offset: int | None, *zones: str | None) -> datetime:
    """The instant in that offset (minutes), else in the first zone that is named (IANA), else in UTC."""
    if utc_offset is not None:
        return instant.astimezone(timezone(timedelta(minutes=utc_offset)))
    zone: tzinfo = next((ZoneInfo(name) for name in zones if name), ZoneInfo("UTC"))
    return instant.astimezone(zone)


def same_words(one: Message, other: Message) -> bool:
    """Whether a repeated message is a replay: its words, speaker, time and owner as they were."""
    return (one.content, one.speaker, one.sent_at, one.user_id) == (
        other.content,
        other.speaker,
        other.sent_at,
        other.user_id,
    )
