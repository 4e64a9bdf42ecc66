"""The OpenAPI document is sound, and the app keeps to it whatever it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Receive, Scope, Send

import litemem
from litemem.aio.store import SQLiteMemoryStore
from litemem.server.app import DOCUMENT, ENDPOINTS, make_app
from litemem.server.endpoint import Endpoint
from litemem.server.tokens import Tokens, own_token
from litemem.session import SessionGraph, SessionStore, StateMirror, TranscriptManager
from litemem.settings import Home
from tests.conftest import NOW
from tests.server.client import Server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 20  # an operation


def test_every_endpoint_is_in_the_document_once() -> None:
    shown = [
        (method.upper(), path)
        for path, operations in DOCUMENT["paths"].items()
        for method in operations
    ]
    assert sorted(shown) == sorted((one.method, one.path) for one in ENDPOINTS)
    names = [one.name for one in ENDPOINTS]
    assert len(set(names)) == len(names)


def test_every_operation_says_what_it_does_and_what_its_parameters_are() -> None:
    for operations in DOCUMENT["paths"].values():
        for operation in operations.values():
            assert operation["summary"].endswith(".")
            for parameter in operation["parameters"]:
                assert parameter["description"]
                assert "type" in parameter["schema"]


def test_wrong_methods_are_documented_everywhere_and_wrong_types_where_a_body_is_read() -> None:
    for operations in DOCUMENT["paths"].values():
        for operation in operations.values():
            assert "405" in operation["responses"]
            assert ("415" in operation["responses"]) == ("requestBody" in operation)


async def test_the_document_is_served_to_whoever_may_ask(server: Server) -> None:
    assert await server.get("/openapi.json") == DOCUMENT
    assert DOCUMENT["openapi"] == "3.1.0"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseSchema]:
    """Return the document of an app over a home that has something to find."""
    home = Home(tmp_path_factory.mktemp("api") / "home")
    headers = {"authorization": f"Bearer {own_token(home)}"}
    fill(home.root)
    store = SQLiteMemoryStore(home.root, model="hash", clock=lambda: NOW)
    app = make_app(store, tokens=Tokens(home), allowed_hosts={"testserver"})

    async def requests_alone(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":  # each client has one, and the store opens once
            await app(scope, receive, send)

    found = schemathesis.openapi.from_asgi("/openapi.json", requests_alone, headers=headers)
    found.config.headers = headers
    yield found
    asyncio.run(store.close())


def fill(home: Path) -> None:
    with litemem.open(home, model="hash") as memory:
        for n in range(5):
            memory.remember(f"Fact {n}", tags=["a"], metadata={"n": n}, created_at=NOW)
        memory.blocks.set("facts", "# Facts")
    TranscriptManager(home / "transcripts").append_turn("s1", "user", "hello")
    turn = {"role": "user", "blocks": [{"kind": "text", "text": "hello"}]}
    SessionStore(home / "sessions").append_turn(SessionGraph("s1"), turn)
    StateMirror(home / "state").mirror_state("s1", b"[1]")


@pytest.mark.parametrize("one", ENDPOINTS, ids=lambda one: one.name)
def test_the_app_keeps_to_its_document(api: BaseSchema, one: Endpoint) -> None:
    operation = api[one.path][one.method]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    def keeps(case: Case[Any]) -> None:
        case.call_and_validate(checks=CHECKS)

    keeps()
