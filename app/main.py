"""The application: every router, behind the edge, on one container."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI

from app.api import (
    api_keys,
    channels,
    consolidations,
    context,
    contradictions,
    erasures,
    events,
    export,
    facts,
    health,
    imports,
    jobs,
    messages,
    observations,
    organisations,
    people,
    pruning,
    rules,
    search,
    stats,
    stores,
    turns,
    usage,
    wishes,
)
from app.api import settings as memory_settings
from app.api.auth import Authenticator
from app.api.cursors import Cursors
from app.api.edge import install
from app.api.idempotency import answer_once
from app.container import Container
from app.settings import Settings
from app.worker import beside

ROUTERS: Final = (
    turns.routes,
    observations.routes,
    consolidations.routes,
    context.routes,
    search.routes,
    facts.routes,
    contradictions.routes,
    messages.routes,
    pruning.routes,
    stats.routes,
    usage.routes,
    jobs.routes,
    erasures.routes,
    erasures.platform_routes,
    events.routes,
    export.routes,
    imports.routes,
    rules.routes,
    memory_settings.routes,
    wishes.routes,
    organisations.routes,
    stores.routes,
    people.routes,
    channels.routes,
    api_keys.routes,
    health.routes,
)

DESCRIPTION: Final = """
Long-term memory for the agents of a shop: a conversation goes in, the right memory block comes out, for many tenants.

Send `Authorization: Bearer …` with each request: an API key (`rtn_…`, of one organisation), a signed token of a person,
or the platform's key (`rtp_…`, for making organisations). A key that acts for people names the person by `X-User-Id`,
or in the body; a token names its organisation by `X-Org-Id` or its `org_id` claim.

Refusals are `application/problem+json`; branch on their `code`. Lists are pages: send `next_cursor` back as `cursor`.
"""

TAGS: Final = [
    {"name": "turns", "description": "What was said goes in: it is kept, and a job learns from it."},
    {"name": "observations", "description": "What happened in sessions goes in: tools, entities, notes."},
    {"name": "consolidations", "description": "What sessions showed becomes facts, and what it says of each tool."},
    {"name": "context", "description": "The memory block for the next prompt comes out."},
    {"name": "search", "description": "What is remembered, found by its words."},
    {"name": "facts", "description": "What is believed of the organisation, its stores and each person."},
    {"name": "contradictions", "description": "Beliefs that cannot both hold, until somebody settles which does."},
    {"name": "messages", "description": "What was said, as far as it is to be forgotten."},
    {"name": "upkeep", "description": "What nobody needs any more, and the memory in numbers."},
    {"name": "jobs", "description": "The work that follows an answer, tried until it is done or given up in sight."},
    {"name": "events", "description": "The audit trail: what changed, when, and by whom."},
    {"name": "export", "description": "Everything held that you may read, to take away."},
    {"name": "import", "description": "What was taken away, brought in again."},
    {"name": "rules", "description": "What an organisation puts into every prompt, before the memory block."},
    {"name": "settings", "description": "What an organisation chooses for its memory."},
    {"name": "organisations", "description": "Tenants. The platform makes and removes them."},
    {"name": "stores", "description": "An organisation's shops."},
    {"name": "people", "description": "Operators, who have a role, and contacts, who have none."},
    {"name": "channels", "description": "Addresses, such as a WhatsApp number, as aliases of a person and a store."},
    {"name": "api keys", "description": "Keys of an organisation, for its backends. Each is shown once."},
    {"name": "health", "description": "For those who run the service. No credentials."},
]


def create_app(settings: Settings, container: Container | None = None) -> FastAPI:
    """The service on `container`, or on a new one, which lives as long as the application runs.

    Its start raises StartRefusedError when the database is not one that the service may run on.
    """
    services = container or Container(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            services.warm()
            await services.open()
            async with beside(services) if settings.worker_in_process else nullcontext():
                yield
        finally:
            await services.close()

    app = FastAPI(
        title="Retenir",
        version=version("retenir"),
        description=DESCRIPTION,
        openapi_tags=TAGS,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.container = services
    app.state.authenticator = Authenticator(services.secret, settings, services.signing_keys)
    app.state.cursors = Cursors(services.secret)
    app.state.answer_once = answer_once
    for routes in ROUTERS:
        app.include_router(routes)
    install(app)
    return app
