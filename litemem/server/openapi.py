"""The OpenAPI document, made of the same endpoints that the routes are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from litemem import __version__
from litemem.server.body import JSON, MAX_BYTES
from litemem.server.endpoint import Endpoint
from litemem.server.params import USER, Spec, specs
from litemem.server.schema import Schema, or_null
from litemem.server.shapes import TEXT, made

ERROR: Final = made(error=made(code=TEXT, message=TEXT))
_STATUSES: Final = {
    400: "A parameter, the body or the path is malformed; the message says which and how.",
    401: "No token, or nobody's.",
    403: "Another user's memory, or a request of another site.",
    404: "There is none of that name.",
    405: "The path has no such method; the header Allow names those that it has.",
    408: "The body didn't come in time.",
    409: "It has changed meanwhile.",
    413: f"The body is larger than {MAX_BYTES} bytes.",
    415: "The body isn't said to be JSON in UTF-8.",
    421: "Host is another server.",
    500: "The server or a file of this memory is broken; 'litemem doctor' says more.",
    503: "Busy, closing or read-only.",
    507: "The disk is full.",
}
_ALWAYS: Final = (400, 401, 403, 405, 408, 413, 421, 500, 503, 507)


def document(endpoints: Sequence[Endpoint]) -> Schema:
    """Return the OpenAPI 3.1 document."""
    paths: dict[str, dict[str, Any]] = {}  # Any: JSON
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "litemem",
            "version": __version__,
            "description": "Long-term memory on your own machine. A token is one user's.",
        },
        "paths": paths,
        "security": [{"token": []}, {"page": []}],
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "page": {"type": "apiKey", "in": "cookie", "name": "litemem_8765"},
            },
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:  # Any: JSON
    known = specs(endpoint.asked)
    shown: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.says,
        "tags": [endpoint.tag],
        "parameters": [_parameter(one) for one in (*known, USER) if one.param.where != "body"],
        "responses": _responses(endpoint),
    }
    fields = [one for one in known if one.param.where == "body"]
    if fields:
        schema = {
            "type": "object",
            "properties": {one.name: _described(one) for one in fields}
            | {USER.name: {**or_null(USER.param.schema), "description": USER.param.says}},
            "required": [one.name for one in fields if one.required],
            "additionalProperties": False,
        }
        shown["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    return shown


def _parameter(one: Spec) -> dict[str, Any]:  # Any: JSON
    shown: dict[str, Any] = {
        "name": one.name,
        "in": one.param.where,
        "required": one.required,
        "description": one.param.says,
        "schema": _with_default(one),
    }
    if one.param.schema["type"] == "array":
        shown |= {"style": "form", "explode": False}
    return shown


def _described(one: Spec) -> Schema:
    return {**_with_default(one), "description": one.param.says}


def _with_default(one: Spec) -> Schema:
    if one.required or one.default is None:
        return one.param.schema
    default = [*one.default] if isinstance(one.default, tuple) else one.default
    return {**one.param.schema, "default": default}


def _responses(endpoint: Endpoint) -> dict[str, Any]:  # Any: JSON
    error = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    found: dict[str, Any] = {
        "200": {"description": "Done.", "content": {JSON: {"schema": endpoint.answers}}}
    }
    has_body = any(one.param.where == "body" for one in specs(endpoint.asked))
    for status in sorted({*_ALWAYS, *endpoint.fails, *((415,) if has_body else ())}):
        found[str(status)] = {"description": _STATUSES[status], "content": error}
    return found
