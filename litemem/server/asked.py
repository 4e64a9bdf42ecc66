"""A request read into the dataclass that its operation asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from litemem.server.body import JSON, check_text, read_json
from litemem.server.errors import Refused, invalid
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
    content_types: Sequence[str],
    *,
    user: str,
) -> T:
    """
    Read a request of a user; `known` is `specs(asked)`.

    Raises Refused: 403 where it names another user, 415 for a body that isn't said to be JSON, 400
    for what else is wrong with a parameter; and InvalidValue.
    """
    query = _query(query_string)
    _check_user(query, user)
    in_body = [spec for spec in known if spec.param.where == "body"]
    reads_body = in_body and (data or any(spec.required for spec in in_body))
    if reads_body and data:
        _check_type(content_types)
    body = read_json(data) if reads_body else {}
    _check_user(body, user)
    given: Given = {"path": path, "query": query, "body": body}
    _check_known(known, given)
    return asked(**dict(_values(known, given)))


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


def _check_type(given: Sequence[str]) -> None:
    kind, _, more = given[0].partition(";") if len(given) == 1 else ("", "", "")
    charset = more.replace('"', "").strip().lower()
    if kind.strip().lower() != JSON or charset not in ("", "charset=utf-8"):
        raise Refused(415, "wrong_type", f"a body must come as 'content-type: {JSON}', in UTF-8")


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


def _check_user(given: Mapping[str, Any], user: str) -> None:  # Any: JSON
    named = given.get(USER.name)
    if named is not None and USER.read(named) != user:
        raise Refused(403, "other_user", "this token is for another user's memory")
