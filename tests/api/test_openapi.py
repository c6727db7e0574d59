"""The document that people read first tells every refusal, with an example, and how to show credentials."""

from typing import Any

from app.api.errors import MEDIA_TYPE
from tests.api.edge_app import build

DOCUMENT: dict[str, Any] = build()[0].openapi()


def declared(path: str, method: str) -> set[str]:
    return set(DOCUMENT["paths"][path][method]["responses"])


def test_each_route_declares_the_refusals_that_can_meet_it() -> None:
    assert declared("/memory/notes", "get") == {"200", "400", "401", "403", "404", "422", "429", "503"}
    assert declared("/memory/notes", "post") == declared("/memory/notes", "get") | {"408", "409", "413", "415"}
    assert declared("/orgs/{org_id}/refusals/{name}", "get") == {"200", "400", "422", "503"}


def test_each_refusal_is_a_problem_with_an_example_of_its_own_status() -> None:
    for path in DOCUMENT["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    continue
                assert response["content"].keys() == {MEDIA_TYPE}
                content = response["content"][MEDIA_TYPE]
                assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
                assert content["example"]["status"] == int(status)
                assert content["example"].keys() >= {*DOCUMENT["components"]["schemas"]["Problem"]["required"]}


def test_credentials_are_bearer_everywhere_but_on_open_routes() -> None:
    assert DOCUMENT["components"]["securitySchemes"] == {"bearer": {"type": "http", "scheme": "bearer"}}
    assert DOCUMENT["security"] == [{"bearer": []}]
    assert DOCUMENT["paths"]["/orgs/{org_id}/refusals/{name}"]["get"]["security"] == []
    assert "security" not in DOCUMENT["paths"]["/memory/notes"]["get"]


def test_the_framework_s_own_refusal_is_gone() -> None:
    assert "HTTPValidationError" not in str(DOCUMENT)


def test_asking_twice_gives_the_same_document() -> None:
    app, _ = build()
    assert app.openapi() == app.openapi() == DOCUMENT
