"""What an export holds, by who asks for it."""

from collections.abc import Mapping
from enum import StrEnum

from app.domain.errors import Forbidden
from app.domain.subjects import Scope
from app.domain.tenancy import Rank, TenantScope

SCHEMA_VERSION = 1
"""Of the exported document; it moves when a reader of the last version would misread the next."""


LINES = "application/x-ndjson"
"""The media type of a document with one record on a line."""


class Section(StrEnum):
    """The members of the document, in their order."""

    ORGANISATION = "organisation"
    STORES = "stores"
    PEOPLE = "people"
    CHANNELS = "channels"
    FACTS = "facts"
    SOURCES = "sources"
    DECISIONS = "decisions"
    MESSAGES = "messages"
    OBSERVATIONS = "observations"
    EVENTS = "events"
    RULES = "rules"
    SETTINGS = "settings"
    MANIFEST = "manifest"

    @property
    def listed(self) -> bool:
        """Whether it holds any number of records, and not one."""
        return self not in SINGLE

    @property
    def record(self) -> str:
        """What one of its records is called, where each stands on a line of its own."""
        return _RECORDS.get(self, self.value)


SINGLE = frozenset({Section.ORGANISATION, Section.SETTINGS, Section.MANIFEST})
_RECORDS = {
    Section.STORES: "store",
    Section.PEOPLE: "person",
    Section.CHANNELS: "channel",
    Section.FACTS: "fact",
    Section.SOURCES: "source",
    Section.DECISIONS: "decision",
    Section.MESSAGES: "message",
    Section.OBSERVATIONS: "observation",
    Section.EVENTS: "event",
}


class Extent(StrEnum):
    """How much of one scope: all of it, as much as a limited key reaches, what is about the reader alone, or the facts
    marked for everyone.
    """

    WHOLE = "whole"
    LIMITED = "limited"
    OWN = "own"
    PUBLIC = "public"


def portion(scope: TenantScope, only: Scope | None = None) -> Mapping[Scope, Extent]:
    """What this caller may take away of each scope; `only` narrows it to one.

    An owner takes everything. An admin takes the organisation and its stores, and of people what is about themself.
    Everybody else takes what is about themself, and of the rest the facts that are marked for everyone. Raises
    Forbidden where nothing is left: below admin, for a request that speaks for nobody.
    """
    own = {} if scope.person is None else {Scope.USER: Extent.OWN}
    if scope.rank >= Rank.OWNER:
        extents = dict.fromkeys(Scope, Extent.WHOLE)
    elif scope.rank >= Rank.ADMIN:
        extents = {Scope.ORG: Extent.WHOLE, Scope.STORE: Extent.WHOLE, **own}
    else:
        extents = {Scope.ORG: Extent.PUBLIC, Scope.STORE: Extent.PUBLIC, **own} if own else {}
    wanted = {kind: extent for kind, extent in extents.items() if only in (None, kind)}
    if not wanted:
        raise Forbidden("forbidden", "An export is for the person it is about, for admins and for owners.")
    return wanted
