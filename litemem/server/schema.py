"""The part of JSON Schema that describes requests here, and the check of a value against it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Schema: TypeAlias = Mapping[str, Any]  # Any: JSON

_INTEGER: Final = re.compile(r"-?[0-9]{1,12}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,12})?")
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
_NAMES: Final = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def text(most: int, least: int = 0) -> Schema:
    """Describe a text of that many characters."""
    return {"type": "string", "minLength": least, "maxLength": most}


def whole(least: int, most: int) -> Schema:
    """Describe a whole number of a range."""
    return {"type": "integer", "minimum": least, "maximum": most}


def share() -> Schema:
    """Describe a number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1}


def one_of(*choices: str) -> Schema:
    """Describe one of several words."""
    return {"type": "string", "enum": [*choices]}


def many(of: Schema, most: int, least: int = 0) -> Schema:
    """Describe a list."""
    return {"type": "array", "items": of, "minItems": least, "maxItems": most}


def or_null(schema: Schema) -> Schema:
    """Describe the same, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def from_text(given: str, schema: Schema) -> object:
    """
    Read a value of a URL as the schema's type: lists are separated by commas.

    Raises ValueError: a number or a boolean that is none; says what it must be.
    """
    kind = schema["type"]
    if kind == "integer" and _INTEGER.fullmatch(given):
        return int(given)
    if kind == "number" and _NUMBER.fullmatch(given):
        return float(given)
    if kind == "boolean" and given in _BOOLEANS:
        return _BOOLEANS[given]
    if kind == "array":
        return [from_text(part, schema["items"]) for part in given.split(",")]
    if kind == "string":
        return given
    raise ValueError(f"must be {_NAMES[kind]}")


def trouble(value: object, schema: Schema) -> str | None:
    """Say what is wrong with a value, such as "must be a number"; None where it fits."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, kind) for kind in kinds):
        return f"must be {' or '.join(_NAMES[kind] for kind in kinds)}"
    if isinstance(value, str):
        return _of_text(value, schema)
    if isinstance(value, list):
        return _of_list(value, schema)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_number(value, schema)
    return None


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])


def _of_text(value: str, schema: Schema) -> str | None:
    if "enum" in schema and value not in schema["enum"]:
        return f"must be one of {', '.join(schema['enum'])}"
    if len(value) < schema.get("minLength", 0):
        return "must not be empty"
    if len(value) > schema.get("maxLength", len(value)):
        return f"has {len(value)} characters; at most {schema['maxLength']} are taken"
    return None


def _of_list(value: list[Any], schema: Schema) -> str | None:  # Any: JSON
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        return f"has {len(value)} entries; {least} to {most} are taken"
    found = (trouble(one, schema["items"]) for one in value)
    return next((f"holds an entry that {one}" for one in found if one), None)


def _of_number(value: float, schema: Schema) -> str | None:
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    return None if least <= value <= most else f"must be {least} to {most}"
