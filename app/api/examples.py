"""Examples of the OpenAPI document: those of pages, those of ids in paths, and the nulls that the framework drops."""

from collections.abc import Iterator
from typing import Any, Final, get_args

from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel, TypeAdapter

IDS: Final = {
    "org_id": "demo",
    "store_id": "shop1",
    "user_id": "alice",
    "channel": "whatsapp",
    "address": "+33612345678",
    "fact_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001",
    "contradiction_id": "3b1f8f5e-6f0e-5a55-9a5d-5a1a4b1f2c3d",
    "message_id": "m3",
    "job_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3b001",
    "receipt_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a0ff",
    "key_id": "01890a5d-ac96-7742-b8f0-a5d3c1e4f6a7",
}


def example_of(model: type[BaseModel]) -> Any:
    """The example that the model's own configuration gives. Raises KeyError where it gives none."""
    extra: Any = model.model_config["json_schema_extra"]
    return extra["example"] if "example" in extra else extra["examples"][0]


def example_of_page(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """`json_schema_extra` of a page: one item, and no page after it."""
    items = get_args(model.model_fields["items"].annotation)
    schema["example"] = {"items": [example_of(items[0])], "next_cursor": None}


def restore_examples(app: FastAPI, spec: dict[str, Any]) -> None:
    """Afterwards the examples in `spec` are whole again, and ids in paths have theirs.

    The framework leaves every null out of its document, also where an example shows a member that is null.
    """
    schemas = spec["components"]["schemas"]
    for model in _models(app):
        for name, schema in TypeAdapter(list[model]).json_schema(mode="serialization").get("$defs", {}).items():  # type: ignore[valid-type]
            shown = {word: schema[word] for word in ("example", "examples") if word in schema}
            schemas.get(name, {}).update(shown)
    for path in spec["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] in IDS:
                    parameter["example"] = IDS[parameter["name"]]


def _models(app: FastAPI) -> Iterator[Any]:
    """The types of all bodies and answers."""
    for context in iter_route_contexts(app.routes):
        if isinstance(context.original_route, APIRoute):
            body = context.body_field
            yield from () if body is None else (body.field_info.annotation,)
            yield from () if context.response_model is None else (context.response_model,)
            yield from (answer["model"] for answer in context.responses.values() if "model" in answer)
