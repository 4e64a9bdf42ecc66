"""A request read into the dataclass that its operation asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from litemem.server.body import check_text, read_json
from litemem.server.errors import invalid
from litemem.server.params import USER, Spec, Where
from litemem.server.schema import from_text

T = TypeVar("T")

Given = Mapping[Where, Mapping[str, Any]]  # Any: JSON

_MOST_PARAMETERS: Final = 32
_SHOWN: Final = 40  # characters of an unknown name


def read(
    asked: type[T],
    known: Sequence[Spec],
    path: Mapping[str, str],
    query_string: bytes,
    data: bytes,
) -> tuple[T, str | None]:
    """
    Read a request, and whose memory it names; `known` is `specs(asked)`.

    Raises Refused (400) and InvalidValue, which say what is wrong with which parameter.
    """
    has_body = any(spec.param.where == "body" for spec in known)
    given: Given = {
        "path": path,
        "query": _query(query_string),
        "body": read_json(data) if has_body else {},
    }
    _check_known(known, given)
    values = dict(_values(known, given))
    return asked(**values), _user(given)


def _query(query_string: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            query_string.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except UnicodeDecodeError as error:
        raise invalid("a parameter isn't UTF-8") from error
    except ValueError as error:
        raise invalid(f"there are more than {_MOST_PARAMETERS} parameters") from error
    made = dict(pairs)
    if len(made) < len(pairs):
        raise invalid("a parameter is given twice")
    return made


def _check_known(known: Sequence[Spec], given: Given) -> None:
    for where in ("query", "body"):
        names = [spec.name for spec in known if spec.param.where == where] + [USER.name]
        for name in given[where]:
            if name not in names:
                shown = name if len(name) <= _SHOWN else name[:_SHOWN] + "..."
                raise invalid(f"{shown!a} isn't known here; known are {', '.join(names)}")


def _values(known: Sequence[Spec], given: Given) -> Iterator[tuple[str, object]]:
    for spec in known:
        where = spec.param.where
        if spec.name in given[where]:
            yield spec.name, spec.read(_typed(spec, given[where][spec.name]))
        elif spec.required:
            raise invalid(f"{spec.name} is missing")


def _typed(spec: Spec, value: Any) -> object:  # noqa: ANN401  # Any: JSON
    if spec.param.where == "body":
        return value
    check_text(value, spec.name)
    try:
        return from_text(value, spec.param.schema)
    except ValueError as error:
        raise invalid(f"{spec.name} {error}") from error


def _user(given: Given) -> str | None:
    named = [part[USER.name] for part in (given["query"], given["body"]) if USER.name in part]
    users = [USER.read(one) for one in named if one is not None]
    if len(set(users)) > 1:
        raise invalid(f"{USER.name} is given twice")
    return str(users[0]) if users else None
