"""What a tool takes: the schemas that a model sees, and what they can't say about a text."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field

from litemem.errors import InvalidValue
from litemem.files.names import check_name

MAX_CONTENT: Final = 20_000  # characters of a fact or of a block's change
MAX_QUERY: Final = 10_000
MAX_LIMIT: Final = 50


def _text(value: str) -> str:
    """Return a text without U+0000, which no text file holds. Raises InvalidValue."""
    if "\0" in value:
        raise InvalidValue("a text holds a zero character; remove it")
    return value


def _chat_id(value: str) -> str:
    return check_name(value, "chat id") if value else value


def _session_id(value: str) -> str:
    return check_name(value, "session id") if value else value


WHOLE: Final = AfterValidator(_text)  # after a Field, whose messages are else about "items"
Label: TypeAlias = Literal["persona", "user", "facts", "context"]
Operation: TypeAlias = Literal["replace", "append", "search_replace"]

Query: TypeAlias = Annotated[
    str,
    Field(max_length=MAX_QUERY, description="What to look for; a few words or a question."),
    WHOLE,
]
Limit: TypeAlias = Annotated[
    int, Field(ge=1, le=MAX_LIMIT, description="How many matches at most.")
]
ChatId: TypeAlias = Annotated[
    str,
    Field(max_length=200, description="Of one conversation or project; leave it out for all."),
    AfterValidator(_chat_id),
]
SessionId: TypeAlias = Annotated[
    str,
    Field(max_length=200, description="In this one alone; leave it out for all."),
    AfterValidator(_session_id),
]
Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=200), WHOLE]
Since: TypeAlias = Annotated[
    str, Field(max_length=40, description="Only from this day or time on, ISO 8601."), WHOLE
]
Until: TypeAlias = Annotated[
    str,
    Field(max_length=40, description="Only up to the end of this day, or before this time."),
    WHOLE,
]
