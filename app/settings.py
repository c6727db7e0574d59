"""What the operator decides: one frozen value from RETENIR_… variables, refused at start when it cannot be right."""

import re
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "RETENIR_"
SECRET_LENGTH = 32
_PLACEHOLDERS = ("change", "secret", "default", "example", "password", "retenir")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SIGNATURES = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
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


def _https(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "https" and (parts.scheme, parts.hostname) not in {("http", host) for host in _LOOPBACK}:
        raise ValueError("must start with https://, for whoever changes it on its way makes tokens")
    return url


def _provider(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError("must be http:// or https://, a host, and at most a path")
    return url


def _sendable(key: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]+", key.get_secret_value()):
        raise ValueError("cannot be sent as a header: printable ASCII without blanks")
    return key


def _signatures(names: str) -> str:
    if not names or not _SIGNATURES.issuperset(names.split(",")):
        raise ValueError(f"must be some of {', '.join(sorted(_SIGNATURES))}, separated by commas")
    return names


Secret = Annotated[SecretStr, AfterValidator(_strong)]
PostgresUrl = Annotated[str, AfterValidator(_postgres)]
RedisUrl = Annotated[str, AfterValidator(_redis)]
HttpsUrl = Annotated[str, AfterValidator(_https)]
ProviderUrl = Annotated[str, AfterValidator(_provider)]
ProviderKey = Annotated[SecretStr, AfterValidator(_sendable)]
Prefix = Annotated[str, Field(max_length=500)]
Threshold = Annotated[float, Field(gt=0, lt=1)]
Signatures = Annotated[str, AfterValidator(_signatures)]


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
    jwks_url: HttpsUrl | None = None
    jwks_algorithms: Signatures = "RS256,ES256,EdDSA"
    jwks_fresh_seconds: int = Field(default=300, ge=1, le=86_400)
    jwks_pause_seconds: int = Field(default=10, ge=1, le=3600)
    jwks_grace_seconds: int = Field(default=86_400, ge=1, le=30 * 86_400)

    extractor: Literal["rules", "anthropic", "openai"] = "rules"
    extractor_model: str | None = None
    extractor_key: ProviderKey | None = None
    extractor_url: ProviderUrl | None = None
    extractor_format: Literal["json_schema", "json_object", "text"] = "json_schema"
    extractor_timeout_seconds: int = Field(default=25, ge=1, le=1000)
    extractor_at_once: int = Field(default=4, ge=1, le=100)
    extractor_pause_seconds: int = Field(default=10, ge=1, le=600)
    extractor_max_tokens: int = Field(default=2000, ge=200, le=100_000)
    anthropic_version: str = Field(default="2023-06-01", pattern=r"^[!-~]{1,64}$")
    openai_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"

    embedder: Literal["local", "openai", "none"] | None = None
    embedder_model: Annotated[str, Field(pattern=r"^[!-~]{1,128}$")] | None = None
    embedder_key: ProviderKey | None = None
    embedder_url: ProviderUrl | None = None
    embedder_dimension: Annotated[int, Field(ge=8, le=4096)] | None = None
    embedder_timeout_seconds: int = Field(default=15, ge=1, le=300)
    embedder_batch_size: int = Field(default=32, ge=1, le=2048)
    embedder_query_prefix: Prefix | None = None
    embedder_passage_prefix: Prefix | None = None
    embedder_related: Threshold | None = None
    embedder_duplicate: Threshold | None = None

    requests_per_minute: int = Field(default=6000, ge=1, le=100_000_000)

    observation_days: int = Field(default=30, ge=1, le=3650)
    observation_patience_ms: int = Field(default=250, ge=1, le=60_000)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    worker_in_process: bool = True
    job_lease_seconds: int = Field(default=60, ge=1, le=3600)
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
        if (self.jwt_secret or self.jwks_url) and not (self.jwt_audience and self.jwt_issuer):
            raise ValueError(
                "RETENIR_JWT_SECRET and RETENIR_JWKS_URL need RETENIR_JWT_AUDIENCE and RETENIR_JWT_ISSUER: without "
                "them a token made for another service would be let in"
            )
        if self.jwt_secret is None:
            return self
        if self.secret and self.jwt_secret.get_secret_value() == self.secret.get_secret_value():
            raise ValueError(
                "RETENIR_JWT_SECRET must differ from RETENIR_SECRET: those who make tokens know the former"
            )
        if len(self.jwt_secret.get_secret_value().encode()) < (least := _JWT_SECRET_BYTES[self.jwt_algorithm]):
            raise ValueError(f"RETENIR_JWT_SECRET is too short for {self.jwt_algorithm}: at least {least} bytes")
        return self

    @model_validator(mode="after")
    def _model_is_named(self) -> Self:
        if self.extractor == "rules":
            return self
        if not self.extractor_model:
            raise ValueError(f"RETENIR_EXTRACTOR={self.extractor} needs RETENIR_EXTRACTOR_MODEL, the model's name")
        if self.extractor_key is None and (self.extractor_url is None or self.extractor == "anthropic"):
            raise ValueError(f"RETENIR_EXTRACTOR={self.extractor} needs RETENIR_EXTRACTOR_KEY, the provider's key")
        if self.extractor == "anthropic" and self.extractor_format == "json_object":
            raise ValueError("RETENIR_EXTRACTOR_FORMAT=json_object is unknown to anthropic: json_schema or text")
        # A call may wait for others as long as it may take; a job that outlives its lease is done twice.
        if self.job_lease_seconds < (least := 2 * self.extractor_timeout_seconds + 10):
            raise ValueError(
                f"RETENIR_JOB_LEASE_SECONDS must be at least {least:g}, twice RETENIR_EXTRACTOR_TIMEOUT_SECONDS and 10"
            )
        return self

    @model_validator(mode="after")
    def _embedder_is_named(self) -> Self:
        """What contradicts itself without knowing the model; `adapters/embedders/choice.py` sees to the rest."""
        if self.embedder != "openai":
            told = ("model", "key", "url", "dimension", "query_prefix", "passage_prefix")
            for name in told:
                if getattr(self, f"embedder_{name}") is not None:
                    raise ValueError(f"RETENIR_EMBEDDER_{name.upper()} is for RETENIR_EMBEDDER=openai alone")
        elif not self.embedder_model:
            raise ValueError("RETENIR_EMBEDDER=openai needs RETENIR_EMBEDDER_MODEL, the model's name")
        elif self.embedder_key is None and self.embedder_url is None:
            raise ValueError("RETENIR_EMBEDDER=openai needs RETENIR_EMBEDDER_KEY, the provider's key")
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
