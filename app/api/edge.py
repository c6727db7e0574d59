"""The HTTP edge put together: what stands between a server's socket and the routers."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.exceptions import HTTPException

from app.api.errors import handle
from app.api.guard import BODY_SECONDS, MAX_BODY, Guard
from app.api.observe import Observe
from app.api.openapi import document
from app.api.routing import EdgeRoute
from app.domain.errors import RetenirError


def install(app: FastAPI, *, max_body: int = MAX_BODY, body_seconds: float = BODY_SECONDS) -> None:
    """Give `app`, whose routers are all included, the edge: Observe around Guard around everything else.

    Afterwards every answer carries a request id and every refusal is a problem; slashes at an end redirect nowhere.
    `max_body` is in bytes. Raises RuntimeError for a route not made by `routing.router`: it would see ids in pieces.
    """
    strangers = [
        str(context.path)
        for context in iter_route_contexts(app.routes)
        if isinstance(context.original_route, APIRoute) and not isinstance(context.original_route, EdgeRoute)
    ]
    if strangers:
        raise RuntimeError(f"Routes not made by app.api.routing.router: {', '.join(strangers)}")
    app.router.redirect_slashes = False
    for kind in (RetenirError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, handle)
    document(app)
    app.add_middleware(Guard, max_body=max_body, body_seconds=body_seconds)
    app.add_middleware(Observe)
