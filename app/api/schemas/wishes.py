"""A person's wish, in and out."""

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body


class WishIn(Body):
    """Whether the person wants to be remembered."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"remember": True}]})

    remember: bool = Field(description="false: nothing of theirs is stored from now on, and their block is empty.")


class WishOut(Answer):
    """The wish that holds."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"user_id": "alice", "remember": True}]})

    user_id: str
    remember: bool
