"""Answering stays on the loop: what is not `async` is handed to a thread by the framework, twice as dear as a route."""

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts


def calls(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    """The endpoint, and all that it depends on."""
    if dependant.call is not None:
        yield dependant.call
    for each in dependant.dependencies:
        yield from calls(each)


def on_the_loop(call: Callable[..., Any]) -> bool:
    return asyncio.iscoroutinefunction(call) or inspect.iscoroutinefunction(getattr(call, "__call__", None))  # noqa: B004


def test_nothing_that_answers_a_request_waits_for_a_thread(app: FastAPI) -> None:
    routes = [one for one in iter_route_contexts(app.routes) if isinstance(one.original_route, APIRoute)]
    assert len(routes) > 80
    threads = {f"{one.path}: {call!r}" for one in routes for call in calls(one.dependant) if not on_the_loop(call)}
    assert threads == set()
