"""Whom a fact is about. Which table it lives in is a value here, not a type parameter."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """The three scopes of facts, narrowest last."""

    ORG = "org"
    STORE = "store"
    USER = "user"


@dataclass(frozen=True, slots=True)
class OrgSubject:
    """The organisation itself."""

    @property
    def scope(self) -> Scope:
        return Scope.ORG


@dataclass(frozen=True, slots=True)
class StoreSubject:
    """One store of the organisation."""

    store_id: str

    @property
    def scope(self) -> Scope:
        return Scope.STORE


@dataclass(frozen=True, slots=True)
class UserSubject:
    """One person, as this organisation knows them."""

    user_id: str

    @property
    def scope(self) -> Scope:
        return Scope.USER


Subject = OrgSubject | StoreSubject | UserSubject


def store_of(subject: Subject) -> str | None:
    """The subject's store id, None for the other scopes."""
    return subject.store_id if isinstance(subject, StoreSubject) else None


def user_of(subject: Subject) -> str | None:
    """The subject's person id, None for the other scopes."""
    return subject.user_id if isinstance(subject, UserSubject) else None


@dataclass(frozen=True, slots=True)
class KeyRef:
    """Where one fold happens: a key in one pocket of one subject."""

    subject: Subject
    agent_id: str
    key: str
