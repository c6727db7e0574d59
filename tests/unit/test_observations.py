"""What each observation says, why a tool failed, and what is refused."""

from datetime import date

import pytest

from app.domain.observations import (
    ErrorFamily,
    FactCategory,
    ObservationType,
    day_session,
    error_family,
    fact_key,
    faults,
    session_of,
)
from app.domain.values import JsonValue
from tests.unit.observed import TOLD, observed

TOOL, FAILED, SEEN, ASKED, NOTE = ObservationType


@pytest.mark.parametrize(
    ("kind", "category", "key"),
    [
        (TOOL, FactCategory.TOOL_AFFINITY, "tool_affinity:get_order"),
        (FAILED, FactCategory.TOOL_AVOIDANCE, "tool_avoidance:get_order"),
        (SEEN, FactCategory.ENTITY_FREQUENCY, "entity_frequency:order:1042"),
        (ASKED, FactCategory.DOMAIN_PREFERENCE, "domain_preference:shipping"),
    ],
)
def test_what_an_observation_supports(kind: ObservationType, category: FactCategory, key: str) -> None:
    assert fact_key(observed(kind)) == (category, key)


def test_a_note_supports_nothing_but_itself() -> None:
    assert fact_key(observed(NOTE, content="Rappeler M. Dupont.")) is None


@pytest.mark.parametrize(
    ("family", "errors"),
    [
        (ErrorFamily.TIMEOUT, ["Request timed out after 30s", "ETIMEDOUT", "504 Gateway Timeout", "délai dépassé"]),
        (ErrorFamily.TIMEOUT, ["DeadlineExceeded: deadline exceeded", "TimeoutError", "upstream timeout (503)"]),
        (ErrorFamily.AUTH, ["401 Unauthorized", "Forbidden", "Invalid API key", "token expired", "Accès refusé"]),
        (ErrorFamily.AUTH, ["Permission denied for order", "unauthenticated", "403 on GET /orders/404"]),
        (ErrorFamily.NOT_FOUND, ["404", "Order not found", "No such file", "Commande introuvable", "NotFoundError"]),
        (ErrorFamily.NOT_FOUND, ["customer does not exist", "Le produit n'existe pas", "Unknown sku"]),
        (
            ErrorFamily.RATE_LIMIT,
            ["429 Too Many Requests", "rate limit exceeded", "403 quota exceeded", "ThrottlingError"],
        ),
        (
            ErrorFamily.UNAVAILABLE,
            ["503 Service Unavailable", "ECONNREFUSED", "connection reset by peer", "Bad Gateway"],
        ),
        (ErrorFamily.UNAVAILABLE, ["Service indisponible", "network error", "host unreachable", "ServiceUnavailable"]),
        (
            ErrorFamily.INVALID_INPUT,
            ["400 Bad Request", "ValidationError: size", "missing field: sku", "Champ obligatoire"],
        ),
        (ErrorFamily.INVALID_INPUT, ["malformed JSON", "invalid literal for int()", "TypeError: expected str"]),
        (ErrorFamily.OTHER, ["boom", "", "500 Internal Server Error", "took 4040 ms", "author 12", "networking team"]),
    ],
)
def test_why_a_tool_failed(family: ErrorFamily, errors: list[str]) -> None:
    assert {error: error_family(error) for error in errors} == dict.fromkeys(errors, family)


@pytest.mark.parametrize(
    ("error", "family"),
    [
        (None, ErrorFamily.OTHER),
        ({"status": 429, "message": "slow down"}, ErrorFamily.RATE_LIMIT),
        (["not found"], ErrorFamily.NOT_FOUND),
        (503, ErrorFamily.UNAVAILABLE),
    ],
)
def test_an_error_of_any_shape_is_read(error: JsonValue, family: ErrorFamily) -> None:
    assert error_family(error) is family


def test_only_a_failure_has_a_family() -> None:
    assert observed(FAILED).error_family is ErrorFamily.TIMEOUT
    assert observed(TOOL, metadata={"toolName": "x", "error": "timed out"}).error_family is None


@pytest.mark.parametrize(
    ("given", "quality"), [({}, 1.0), ({"quality": 0.25}, 0.25), ({"quality": 0}, 0.0), ({"quality": True}, 1.0)]
)
def test_quality_is_one_unless_told(given: dict[str, JsonValue], quality: float) -> None:
    assert observed(metadata={**TOLD[TOOL], **given}).quality == quality


def test_a_day_is_a_session_that_no_caller_can_name() -> None:
    named, dayly = observed(session="2026-03-02"), observed(session=day_session(date(2026, 3, 2)))
    assert (named.session_id, dayly.session_id) == ("2026-03-02", None)
    assert session_of(named) != session_of(dayly)


@pytest.mark.parametrize(
    ("kind", "metadata", "wrong"),
    [
        (TOOL, {}, {"/metadata/toolName": "missing"}),
        (TOOL, {"toolName": " "}, {"/metadata/toolName": "name_expected"}),
        (TOOL, {"toolName": 7}, {"/metadata/toolName": "name_expected"}),
        (TOOL, {"toolName": "x" * 255}, {}),
        (TOOL, {"toolName": "x" * 256}, {"/metadata/toolName": "name_too_long"}),
        (TOOL, {"toolName": "x", "quality": 1.01}, {"/metadata/quality": "out_of_range"}),
        (TOOL, {"toolName": "x", "quality": "good"}, {"/metadata/quality": "out_of_range"}),
        (FAILED, {"toolName": "x", "durationMs": -1}, {"/metadata/durationMs": "out_of_range"}),
        (FAILED, {"toolName": "x", "durationMs": 0, "error": "x"}, {}),
        (SEEN, {"entityType": "order"}, {"/metadata/entityId": "missing"}),
        (SEEN, {"entityId": "1"}, {"/metadata/entityType": "missing"}),
        (ASKED, {"query": "x"}, {"/metadata/domain": "missing"}),
        (ASKED, {"domain": "shipping"}, {}),
        (NOTE, {"anything": [1, {"a": None}]}, {"/content": "missing"}),
    ],
)
def test_what_is_no_observation_of_its_type(
    kind: ObservationType, metadata: dict[str, JsonValue], wrong: dict[str, str]
) -> None:
    assert dict(faults(kind, None, metadata)) == wrong


def test_a_note_says_something() -> None:
    assert list(faults(NOTE, "Rappeler.", {})) == []
    assert dict(faults(NOTE, " \n", {})) == {"/content": "missing"}
