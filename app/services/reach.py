"""Who may read and write what: the rules that a route's least rank alone does not say."""

from collections.abc import Collection

from app.domain.errors import Forbidden, Invalid, NotFound
from app.domain.organisations import OrgSettings, Person, ShareMessages
from app.domain.search import SPOKEN, DocumentKind, Shelf
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Rank, TenantScope, pockets
from app.ports.past import View
from app.ports.storage import UnitOfWork


async def require_readable(uow: UnitOfWork, scope: TenantScope, subject: Subject) -> None:
    """Raises NotFound for what is not there for this caller, Forbidden for a contact who asks for the team's facts.

    What is about a person is read by that person alone; admins also read what is about a contact.
    """
    match subject:
        case OrgSubject():
            _require(scope, Rank.MEMBER)
        case StoreSubject(store_id):
            _require(scope, Rank.MEMBER)
            await _require_store(uow, scope, store_id)
        case UserSubject(user_id):
            if scope.person != user_id and not (scope.rank >= Rank.ADMIN and await is_contact(uow, user_id)):
                raise NotFound


async def require_writable(uow: UnitOfWork, scope: TenantScope, subject: Subject, agent_id: str) -> None:
    """As `require_readable`, and: shared facts are written by admins, organisation facts by no limited key."""
    if isinstance(subject, UserSubject):
        await require_readable(uow, scope, subject)
    else:
        _require(scope, Rank.ADMIN)
    if isinstance(subject, StoreSubject):
        await _require_store(uow, scope, subject.store_id)
    if isinstance(subject, OrgSubject) and scope.stores is not None:
        raise Forbidden("limited_key", "A key limited to stores does not write organisation facts.")
    if not scope.writes_pocket(agent_id):
        raise Forbidden("limited_key", "This key is limited to other agents.")


async def require_erasable(uow: UnitOfWork, scope: TenantScope, subject: Subject, agent_id: str) -> None:
    """As `require_writable`, but an admin erases what is about any person, without reading it."""
    if not isinstance(subject, UserSubject):
        await require_writable(uow, scope, subject, agent_id)
    elif scope.person != subject.user_id and scope.rank < Rank.ADMIN:
        raise NotFound
    elif not scope.writes_pocket(agent_id):
        raise Forbidden("limited_key", "This key is limited to other agents.")


def subjects_about(scope: TenantScope, store_id: str | None) -> list[Subject]:
    """Whose facts a request is served: the organisation's, those of the store it is about, and the person's own."""
    store: list[Subject] = [StoreSubject(store_id)] if store_id is not None else []
    person: list[Subject] = [UserSubject(scope.person)] if scope.person is not None else []
    return [OrgSubject(), *store, *person]


async def shelves(
    uow: View,
    scope: TenantScope,
    settings: OrgSettings,
    agent_id: str,
    store_id: str | None,
    kinds: Collection[DocumentKind],
    scopes: Collection[Scope] = tuple(Scope),
    *,
    anywhere: bool = False,
) -> list[Shelf]:
    """What the caller may find of these kinds and scopes; no document stands on two of the shelves.

    Facts as they are served; to contacts the public ones of what is shared. The person's own messages and observations
    of the store and of none; where no store is named and `anywhere` is meant, of all within the key's limits. Where the
    organisation shares messages, operators also find what the others, who are remembered, said in the store.
    """
    facts = frozenset({DocumentKind.FACT} & {*kinds})
    subjects = [subject for subject in subjects_about(scope, store_id) if subject.scope in scopes]
    own = [subject for subject in subjects if isinstance(subject, UserSubject)]
    shared = tuple(subject for subject in subjects if not isinstance(subject, UserSubject))
    found: list[Shelf] = []
    if facts and shared:
        found.append(Shelf(shared, facts, pockets(agent_id), public_only=not scope.is_operator))
    if own:
        limits: frozenset[str | None] | None = frozenset({store_id, None})
        if anywhere and store_id is None:
            limits = None if scope.stores is None else frozenset({*scope.stores, None})
        found.append(Shelf(tuple(own), frozenset(kinds), pockets(agent_id), limits))
    said = frozenset({*SPOKEN} & {*kinds})
    if own and said and store_id is not None and hears_others(scope, settings):
        others = tuple(UserSubject(each) for each in sorted(await uow.people.remembered_operators() - {scope.person}))
        found.append(Shelf(others, said, pockets(agent_id), frozenset({store_id})))
    return found


def hears_others(scope: TenantScope, settings: OrgSettings) -> bool:
    """Whether the caller finds what others said in a store too."""
    return settings.share_messages is ShareMessages.STORE and scope.is_operator


def reads_as_admin(scope: TenantScope, subject: Subject | None) -> bool:
    """Whether this is an admin looking at a contact's facts, which leaves an event."""
    return not (isinstance(subject, UserSubject) and subject.user_id == scope.person)


async def is_contact(uow: UnitOfWork, user_id: str) -> bool:
    """Whether this person is there, without a role."""
    person = await uow.people.get(user_id)
    return person is not None and person.role is None


async def known_person(uow: UnitOfWork, scope: TenantScope) -> Person | None:
    """The person whom the request speaks for, where the organisation knows them."""
    return None if scope.person is None else await uow.people.get(scope.person)


def own_subject(scope: TenantScope, user_id: str | None) -> UserSubject:
    """Whom a person's facts are asked about: the one named, else whoever asks."""
    named = user_id or scope.person
    if named is None:
        raise Invalid("person_required", "Name the person: user_id, or X-User-Id.", (("/user_id", "missing"),))
    return UserSubject(named)


def _require(scope: TenantScope, rank: Rank) -> None:
    if scope.rank < rank:
        raise Forbidden


async def _require_store(uow: UnitOfWork, scope: TenantScope, store_id: str) -> None:
    if not scope.reaches_store(store_id):
        raise NotFound
