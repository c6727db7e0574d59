"""The demo that a service with embedded servers starts with: an organisation, its keys, and three curls to paste."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.adapters.embedded.files import write_private
from app.api.deps import platform_scope
from app.cli.direct import with_container
from app.cli.keys import make_platform_key
from app.container import Container
from app.domain.credentials import digest
from app.domain.errors import NotFound
from app.domain.tenancy import Role
from app.services.api_keys import ApiKeyIn
from app.services.people import PersonIn
from app.settings import Settings

ORG, STORE, OWNER = "demo", "shop1", "alice"
API_KEY, PLATFORM_KEY = "demo-api-key", "platform-key"
_SCOPE: Final = platform_scope(ORG)
_JSON: Final = "-H 'Content-Type: application/json'"

TEXT: Final = """
  API key of organisation {org} (owner, acts for people): {api_key}
  Platform key:                                           {platform_key}

  1. On the web, {owner} says something:

curl -s {url}/memory/turns -H 'Authorization: Bearer {api_key}' {json} -d '{{
  "conversation_id": "web-{id}", "channel": "web", "user_id": "{owner}", "store_id": "{store}",
  "user_message": {{"id": "m1", "sent_at": "{now}", "content": "Chez nous, la livraison est offerte dès 60 €."}}}}'

  2. A moment later it is a fact of the store:

curl -s '{url}/memory/facts/store?store_id={store}' -H 'Authorization: Bearer {api_key}'

  3. On WhatsApp, the block for the next prompt knows it:

curl -s {url}/memory/context -H 'Authorization: Bearer {api_key}' {json} -d '{{
  "conversation_id": "whatsapp-{id}", "channel": "whatsapp", "user_id": "{owner}", "store_id": "{store}"}}'

  All routes: {url}/docs
"""


@dataclass(frozen=True, slots=True)
class Demo:
    """The keys of the demo."""

    api_key: str
    platform_key: str

    def introduction(self, url: str) -> str:
        """What to paste into a shell, with a conversation of its own for this moment."""
        now = datetime.now(UTC)
        return TEXT.format(
            org=ORG,
            store=STORE,
            owner=OWNER,
            url=url,
            json=_JSON,
            api_key=self.api_key,
            platform_key=self.platform_key,
            id=now.strftime("%Y%m%d-%H%M%S"),
            now=now.isoformat(timespec="seconds"),
        )


async def provide_demo(settings: Settings, folder: Path) -> Demo:
    """The organisation, its store and its owner are there, and both keys lie in the folder, the user's alone (0600).

    What is there already stays as it is, changes by people too. A key that opens nothing any more is replaced.
    """
    api_key, platform_key = folder / API_KEY, folder / PLATFORM_KEY

    async def furnish(container: Container) -> bool:
        await _furnish(container)
        if not await _opens(container, api_key):
            wanted = ApiKeyIn("demo", Role.OWNER, act_for_people=True)
            _, text = await container.api_keys.make(_SCOPE, wanted)
            write_private(api_key, text)
        kept = _kept(platform_key)
        return bool(kept and await container.directory.find_platform_key(digest(kept, container.secret)))

    if not await with_container(settings, furnish):
        write_private(platform_key, await make_platform_key(settings, "demo"))
    return Demo(_kept(api_key), _kept(platform_key))


async def _furnish(container: Container) -> None:
    try:
        await container.organisations.get(_SCOPE)
    except NotFound:
        await container.organisations.put(_SCOPE, "Demo", None, None)
    try:
        await container.stores.get(_SCOPE, STORE)
    except NotFound:
        await container.stores.put(_SCOPE, STORE, "Shop 1", None)
    try:
        await container.people.get(_SCOPE, OWNER)
    except NotFound:
        await container.people.put(_SCOPE, OWNER, PersonIn(Role.OWNER, "Alice", None, None))


async def _opens(container: Container, path: Path) -> bool:
    key = _kept(path)
    found = await container.directory.find_key(digest(key, container.secret), None, container.clock()) if key else None
    return found is not None and found.org_id == ORG


def _kept(path: Path) -> str:
    """What the file holds, "" where there is none."""
    return path.read_text().strip() if path.exists() else ""
