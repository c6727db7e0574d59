"""What the operator decides: one frozen value from RETENIR_… variables, refused at start when it cannot be right."""

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "RETENIR_"
SECRET_LENGTH = 32
_PLACEHOLDERS = ("change", "secret", "default", "example", "password", "retenir")
_JWT_SECRET_BYTES = {"HS256": 32, "HS384": 48, "HS512": 64}  # RFC 7518, section 3.2: as long as the hash


def _strong(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    if len(text) < SECRET_LENGTH:
        raise ValueError(f"is too short: at least {SECRET_LENGTH} characters")
    if len(set(text)) < 8 or text.lower().startswith(_PLACEHOLDERS):
        raise ValueError("is a placeholder: make one with `openssl rand -base64 33`")
    return secret


def _postgres(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in ("postgres", "postgresql", "postgresql+asyncpg"):
        raise ValueError("must start with postgresql://")
    return f"postgresql+asyncpg://{rest}"


def _redis(url: str) -> str:
    if urlsplit(url).scheme not in ("redis", "rediss", "unix"):
        raise ValueError("must start with redis://, rediss:// or unix://")
    return url


Secret = Annotated[SecretStr, AfterValidator(_strong)]
PostgresUrl = Annotated[str, AfterValidator(_postgres)]
RedisUrl = Annotated[str, AfterValidator(_redis)]


class Settings(BaseSettings):
    """Every setting of the service. `.env.example` says what each is for.

    Raises ValidationError, which never shows a value, when the settings contradict each other or a secret is
    missing, short or a placeholder.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    embedded: bool = True
    data_dir: Path = Path(".retenir")
    database_url: PostgresUrl | None = Field(default=None, repr=False)
    owner_database_url: PostgresUrl | None = Field(default=None, repr=False)
    redis_url: RedisUrl | None = Field(default=None, repr=False)

    secret: Secret | None = None
    jwt_secret: Secret | None = None
    jwt_algorithm: Literal["HS256", "HS384", "HS512"] = "HS256"
    jwt_audience: str | None = None
    jwt_issuer: str | None = None

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    worker_in_process: bool = True
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @model_validator(mode="before")
    @classmethod
    def _own_servers_mean_no_embedded_ones(cls, values: dict[str, object]) -> dict[str, object]:
        """A database of one's own is used without a further switch."""
        return {"embedded": values.get("database_url") is None, **values}

    @model_validator(mode="after")
    def _servers_are_named(self) -> Self:
        if self.owner_database_url and self.database_url is None:
            raise ValueError(
                "RETENIR_OWNER_DATABASE_URL stands alone: RETENIR_DATABASE_URL, the serving role's, is missing"
            )
        if self.embedded and self.database_url:
            raise ValueError("RETENIR_EMBEDDED=true and RETENIR_DATABASE_URL exclude each other")
        if not self.embedded and self.database_url is None:
            raise ValueError("RETENIR_DATABASE_URL is missing, and RETENIR_EMBEDDED=false leaves no other database")
        if self.database_url and self.owner_database_url and _user(self.database_url) == _user(self.owner_database_url):
            raise ValueError(
                "RETENIR_DATABASE_URL and RETENIR_OWNER_DATABASE_URL name one user: the serving role must "
                "own nothing, or row-level security does not hold it"
            )
        return self

    @model_validator(mode="after")
    def _secrets_are_enough(self) -> Self:
        if not self.embedded and self.secret is None:
            raise ValueError("RETENIR_SECRET is missing: API keys and cursors are signed with it")
        if self.jwt_secret is None:
            return self
        if self.secret and self.jwt_secret.get_secret_value() == self.secret.get_secret_value():
            raise ValueError(
                "RETENIR_JWT_SECRET must differ from RETENIR_SECRET: those who make tokens know the former"
            )
        if len(self.jwt_secret.get_secret_value().encode()) < (least := _JWT_SECRET_BYTES[self.jwt_algorithm]):
            raise ValueError(f"RETENIR_JWT_SECRET is too short for {self.jwt_algorithm}: at least {least} bytes")
        if not (self.jwt_audience and self.jwt_issuer):
            raise ValueError(
                "RETENIR_JWT_SECRET needs RETENIR_JWT_AUDIENCE and RETENIR_JWT_ISSUER: without them a "
                "token made for another service would be let in"
            )
        return self


def _user(url: str) -> str | None:
    return urlsplit(url).username


def explain(error: ValidationError) -> str:
    """The reasons of a refused start, one a line, in the operator's words and without any value."""
    lines = []
    for problem in error.errors(include_input=False, include_url=False):
        name = "".join(f"{PREFIX}{part}".upper() for part in problem["loc"][:1])
        lines.append(f"{name} {problem['msg'].removeprefix('Value error, ')}".strip())
    return "\n".join(lines)
