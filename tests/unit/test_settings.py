"""A start is refused when the settings cannot be right, in words that help and show no value."""

import pytest
from pydantic import ValidationError

from app.settings import Settings, explain

SERVING = "postgresql://retenir_app:p%40ss@db/retenir"
OWNER = "postgresql://retenir_owner:p%40ss@db/retenir"
SECRET = "kQ3v9ZpL0sXw7TfB2mYc8RdJ5hGn4AeU"
TOKEN_SECRET = "zW8nB4kT1qLs6XvR9cPj3MfH7dYg2EaUzW8nB4kT1qLs6XvR"
KEY_SET = {"jwks_url": "https://issuer.test/keys", "jwt_audience": "memory", "jwt_issuer": "shop"}
TOKENS = {"jwt_secret": TOKEN_SECRET, "jwt_audience": "memory", "jwt_issuer": "shop"}


def refusal(**values: object) -> str:
    with pytest.raises(ValidationError) as refused:
        Settings(**values)  # type: ignore[arg-type]
    assert all(str(value) not in str(refused.value) for value in values.values() if "://" in str(value))
    return explain(refused.value)


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"RETENIR_{name.upper()}", raising=False)


def test_nothing_set_means_embedded_servers_on_loopback() -> None:
    settings = Settings()
    assert (settings.embedded, settings.host, settings.port) == (True, "127.0.0.1", 8000)


def test_variables_are_read_and_empty_ones_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETENIR_PORT", "8123")
    monkeypatch.setenv("RETENIR_DATABASE_URL", "")
    assert (Settings().port, Settings().embedded) == (8123, True)


def test_a_database_of_ones_own_is_enough_with_a_secret() -> None:
    settings = Settings(database_url=SERVING, secret=SECRET)
    assert settings.embedded is False
    assert settings.database_url == "postgresql+asyncpg://retenir_app:p%40ss@db/retenir"


@pytest.mark.parametrize("url", [KEY_SET["jwks_url"], "http://localhost:8080/keys", "http://127.0.0.1/keys"])
def test_a_key_set_is_named_with_what_its_tokens_are_for(url: str) -> None:
    assert Settings.model_validate({**KEY_SET, "jwks_url": url}).jwks_url == url


def test_shows_no_secret_when_printed() -> None:
    settings = Settings(database_url=SERVING, owner_database_url=OWNER, secret=SECRET, **TOKENS)  # type: ignore[arg-type]
    assert not any(hidden in repr(settings) for hidden in ("p%40ss", SECRET, TOKEN_SECRET))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"database_url": SERVING}, "RETENIR_SECRET is missing"),
        ({"database_url": SERVING, "secret": "short"}, "RETENIR_SECRET is too short"),
        ({"secret": "change-me-change-me-change-me-change-me"}, "RETENIR_SECRET is a placeholder"),
        ({"secret": "ab" * 20}, "RETENIR_SECRET is a placeholder"),
        ({"embedded": False, "secret": SECRET}, "RETENIR_DATABASE_URL is missing"),
        ({"embedded": True, "database_url": SERVING, "secret": SECRET}, "exclude each other"),
        ({"owner_database_url": OWNER}, "RETENIR_OWNER_DATABASE_URL stands alone"),
        ({"database_url": OWNER, "owner_database_url": OWNER, "secret": SECRET}, "name one user"),
        (
            {"database_url": "mysql://db/retenir", "secret": SECRET},
            "RETENIR_DATABASE_URL must start with postgresql://",
        ),
        ({"redis_url": "http://cache"}, "RETENIR_REDIS_URL must start with redis://"),
        ({"port": 70000}, "RETENIR_PORT"),
        ({**TOKENS, "jwt_audience": None}, "need RETENIR_JWT_AUDIENCE and RETENIR_JWT_ISSUER"),
        ({**KEY_SET, "jwt_issuer": None}, "need RETENIR_JWT_AUDIENCE and RETENIR_JWT_ISSUER"),
        ({**KEY_SET, "jwks_url": "http://issuer.test/keys"}, "RETENIR_JWKS_URL must start with https://"),
        ({**KEY_SET, "jwks_url": "file:///keys"}, "RETENIR_JWKS_URL must start with https://"),
        ({**KEY_SET, "jwks_algorithms": "RS256,none"}, "RETENIR_JWKS_ALGORITHMS must be some of"),
        ({**KEY_SET, "jwks_algorithms": "HS256"}, "RETENIR_JWKS_ALGORITHMS must be some of"),
        ({**KEY_SET, "jwks_algorithms": ""}, "RETENIR_JWKS_ALGORITHMS must be some of"),
        ({"requests_per_minute": 0}, "RETENIR_REQUESTS_PER_MINUTE"),
        ({**TOKENS, "jwt_algorithm": "none"}, "RETENIR_JWT_ALGORITHM"),
        ({**TOKENS, "jwt_algorithm": "HS512"}, "RETENIR_JWT_SECRET is too short for HS512"),
        ({**TOKENS, "secret": TOKEN_SECRET}, "RETENIR_JWT_SECRET must differ from RETENIR_SECRET"),
    ],
)
def test_what_cannot_be_right_is_refused(values: dict[str, object], reason: str) -> None:
    assert reason in refusal(**values)
