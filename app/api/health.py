"""Health, for those who run the service: whether it lives, and whether it can be of use."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.api.deps import Services
from app.api.openapi import OPEN
from app.api.routing import router

Part = Literal["cache", "extractor", "embedder", "vectors"]
routes = router("", "health")


class Live(BaseModel):
    """The process answers."""

    model_config = ConfigDict(json_schema_extra={"example": {"status": "live"}})

    status: Literal["live"] = "live"


class Ready(BaseModel):
    """Requests can be served. `degraded` names what is away and only makes answers slower or poorer."""

    model_config = ConfigDict(json_schema_extra={"example": {"status": "ready", "degraded": ["cache"]}})

    status: Literal["ready"] = "ready"
    degraded: list[Part]


@routes.get("/healthz", openapi_extra=OPEN)
async def live() -> Live:
    """Whether the process is alive. Asks nobody else."""
    return Live()


@routes.get("/readyz", openapi_extra=OPEN)
async def ready(services: Services) -> Ready:
    """Whether requests can be served: 503 only while the database or its schema cannot be used.

    `extractor`: the model that reads turns does not answer this process just now; turns wait for it.
    `vectors`: some are of another model than the one in use, until `retenir reembed` has run; those are not compared.
    `embedder`: it does not answer this process just now, or there is none; things are found by their words alone.
    """
    await services.require_checked()
    await services.directory.ready()
    there: dict[Part, bool] = {
        "cache": await services.cache.answers(),
        "extractor": services.model_answers,
        "embedder": services.embedder_answers,
        "vectors": services.reembedding is None or not await services.reembedding.left(),
    }
    return Ready(degraded=[part for part, answers in there.items() if not answers])
