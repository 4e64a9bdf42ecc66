"""The parameters of operations, declared at the fields of dataclasses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_type_hints

from litemem.aio.markdown import as_day
from litemem.files.names import check_name
from litemem.server.errors import invalid
from litemem.server.schema import Schema, or_null, text, trouble, whole

Where: TypeAlias = Literal["path", "query", "body"]
Convert: TypeAlias = Callable[[Any], object]  # Any: what the schema says

BOOLEAN: Final[Schema] = {"type": "boolean"}
NAME: Final = text(200, 1)
MOST: Final = 200  # rows of a page
# What ids look like; that they fit a file name isn't all that is checked.
_NAME_SHOWN: Final = r"^[^/\\<>:\"|?*\x00-\x1f]+$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """How a field of a dataclass is read: `limit: Annotated[int, in_query(...)] = 20`."""

    where: Where
    schema: Schema
    says: str
    convert: Convert | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """One parameter, or one key of a body, with its name and default."""

    name: str
    param: Param
    required: bool = False
    default: object = None

    def read(self, value: object) -> object:
        """Check a value and convert it. Raises Refused and InvalidValue."""
        wrong, convert = trouble(value, self.param.schema), self.param.convert
        if wrong is not None:
            raise invalid(f"{self.name} {wrong}")
        return value if convert is None or value is None else convert(value)


def in_query(schema: Schema, says: str, convert: Convert | None = None) -> Param:
    """Declare a parameter of the query."""
    return Param(where="query", schema=schema, says=says, convert=convert)


def in_path(schema: Schema, says: str, convert: Convert | None = None) -> Param:
    """Declare a part of the path."""
    return Param(where="path", schema=schema, says=says, convert=convert)


def in_body(schema: Schema, says: str, convert: Convert | None = None) -> Param:
    """Declare a key of the body."""
    return Param(where="body", schema=schema, says=says, convert=convert)


def name_of(what: str, where: Where = "query", says: str = "") -> Param:
    """Declare an id, such as a chat's; it must be able to be a file name."""
    schema = {**NAME, "pattern": _NAME_SHOWN}
    return Param(
        where=where,
        schema=or_null(schema) if where == "body" else schema,
        says=says or f"A {what}: a file name of at most 200 bytes.",
        convert=lambda value: check_name(value, what),
    )


def specs(asked: type[Any]) -> tuple[Spec, ...]:  # Any: a dataclass
    """Return what a dataclass's fields declare."""
    hints = get_type_hints(asked, include_extras=True)
    return tuple(_spec(one, get_args(hints[one.name])[1]) for one in fields(asked))


def _spec(one: Field[Any], param: Param) -> Spec:  # Any: of whichever type
    required = one.default is MISSING
    return Spec(
        name=one.name, param=param, required=required, default=None if required else one.default
    )


USER: Final = Spec(
    name="user_id",
    param=name_of("user id", says="Whose memory: the token's user, who is meant without it too."),
)
Limit: TypeAlias = Annotated[int, in_query(whole(1, MOST), "How many at most.")]
Offset: TypeAlias = Annotated[int, in_query(whole(0, 1_000_000), "How many to leave out first.")]
ChatId: TypeAlias = Annotated[str | None, name_of("chat id")]
BodyChatId: TypeAlias = Annotated[str | None, name_of("chat id", "body")]
SessionId: TypeAlias = Annotated[str, name_of("session id", "path")]
Day: TypeAlias = Annotated[
    date, in_path({**text(10, 10), "format": "date"}, "Such as 2026-02-08.", as_day)
]
