"""Parts of the server and of the core under it, each by itself."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from litemem.aio.store import SQLiteMemoryStore
from litemem.embed.vectors import check_vector
from litemem.errors import (
    Closed,
    FileTrouble,
    IndexBusy,
    IndexDamaged,
    LitememError,
    ModelError,
    ReadOnly,
)
from litemem.files.erase import erase_texts_below, lines_below
from litemem.index.planes import flattened
from litemem.memory.near import nearest_facts
from litemem.memory.timeline import Maps
from litemem.server.app import make_app
from litemem.server.auth import Caller
from litemem.server.errors import refused
from litemem.server.logins import Logins
from litemem.server.page import Page
from litemem.server.tokens import Tokens, own_token
from litemem.settings import Home
from litemem.types import Vector
from tests.conftest import NOW, OpenMemory


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (IndexBusy("busy /x/y"), 503, "busy"),
        (ReadOnly("/x/y"), 503, "read_only"),
        (Closed("closed"), 503, "closing"),
        (IndexDamaged("/x/y"), 500, "index"),
        (ModelError("/x/y"), 500, "model"),
        (FileTrouble("/x/y"), 500, "files"),
        (LitememError("/x/y"), 500, "internal"),
    ],
)
def test_a_trouble_of_the_server_is_told_without_its_words(
    error: LitememError, status: int, code: str
) -> None:
    told = refused(error)

    assert (told.status, told.code) == (status, code)
    assert "/x/y" not in str(told)


def test_a_full_disk_is_a_507() -> None:
    full = FileTrouble("can't write /x/y")
    full.errno = errno.ENOSPC
    assert (refused(full).status, refused(full).code) == (507, "disk_full")


def test_a_busy_home_says_when_to_try_again() -> None:
    assert refused(IndexBusy("busy")).headers == {"retry-after": "1"}


def vectors(rows: Sequence[Sequence[float]]) -> list[Vector]:
    return [check_vector(row, 3) for row in rows]


number = st.floats(-1, 1, width=32)
row = st.tuples(number, number, number).filter(lambda row: sum(x * x for x in row) > 0.01)


@given(st.lists(row, max_size=12))
def test_points_of_a_map_are_within_bounds_and_follow_no_order(rows: list[list[float]]) -> None:
    points = flattened(vectors(rows))
    backwards = flattened(vectors(rows[::-1]))[::-1]

    assert len(points) == len(rows)
    assert all(-1 <= x <= 1 and -1 <= y <= 1 for x, y in points)
    assert flattened(vectors(rows)) == points
    assert len(backwards) == len(points)


def test_vectors_that_differ_lie_apart_along_the_first_axis() -> None:
    rows = [[1, 0.1, 0], [1, -0.1, 0], [-1, 0.1, 0], [-1, -0.1, 0]]
    points = flattened(vectors(rows))

    assert points[0][0] == pytest.approx(-points[2][0], abs=0.01)
    assert abs(points[0][0]) > 3 * abs(points[0][1])


@pytest.mark.parametrize("rows", [[], [[1, 0, 0]], [[1, 0, 0]] * 3])
def test_without_a_difference_all_points_are_in_the_middle(rows: list[list[float]]) -> None:
    assert flattened(vectors(rows)) == [(0.0, 0.0)] * len(rows)


def test_maps_of_many_users_make_room(opened: OpenMemory) -> None:
    memory, maps = opened(), Maps()
    for n in range(10):
        one = memory.for_user(f"u{n}")
        one.remember(f"Fact of {n}")
        assert len(maps.points(one.space, one.user_id)) == 1
    assert len(maps.points(memory.space, "u0")) == 1


def test_without_a_model_nothing_is_near(opened: OpenMemory) -> None:
    memory = opened(model="none")
    fact = memory.remember("Likes tea")

    assert nearest_facts(memory.space, "default", fact.id, 5) == ()
    assert Maps().points(memory.space, "default") == []


def test_a_fact_that_waits_for_its_vector_has_nothing_near(opened: OpenMemory) -> None:
    memory = opened()
    memory.remember("Likes tea")
    log = memory.home / "memory" / "2026-02-08.md"
    log.write_text(log.read_text() + "- Likes green tea\n")
    memory.sync()
    waiting = next(fact for fact in memory.list() if fact.content == "Likes green tea")

    assert nearest_facts(memory.space, "default", waiting.id, 5) == ()
    assert nearest_facts(memory.space, "default", "m000000000", 5) == ()


line = st.sampled_from(
    ['{"role":"user","content":"a tulip"}', '{"content":"\\u0074ulip"}', "tulip {", "rose", ""]
)


@given(lines=st.lists(line, max_size=6))
def test_the_lines_that_would_change_are_those_that_do(
    lines: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    file = folder / "s.jsonl"
    file.write_text("\n".join(lines))

    told = lines_below(folder, ["tulip"]).get(file, ())
    assert file.read_text() == "\n".join(lines)
    erase_texts_below(folder, ["tulip"], at=NOW)
    after = file.read_text().split("\n")
    changed = [n for n, (old, new) in enumerate(zip(lines, after, strict=False), 1) if old != new]
    assert list(told) == changed


async def page_of(folder: Path, path: str, caller: Caller | None) -> httpx.Response:
    page = Page(Logins(), folder)

    async def app(scope, receive, send) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        scope["litemem.caller"] = caller
        await routes(scope, receive, send)

    routes = Starlette(
        routes=[Route("/", page.index), Route("/page/{name:path}", page.asset)],
    )
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://a:1") as client:
        return await client.get(path)


async def test_the_pages_files_are_served_with_their_types(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.js").write_text("1")
    (tmp_path / "index.html").write_text("<p>page")
    (tmp_path / "notes.md").write_text("not of the page")
    me = Caller(user="default", by="session")

    script = await page_of(tmp_path, "/page/lib/a.js", me)
    index = await page_of(tmp_path, "/", me)

    assert (script.text, script.headers["content-type"]) == ("1", "text/javascript; charset=utf-8")
    assert (index.text, index.status_code) == ("<p>page", 200)
    assert "script-src 'self'" in script.headers["content-security-policy"]
    assert (await page_of(tmp_path, "/", None)).status_code == 401


async def test_without_its_files_the_page_names_the_api(tmp_path: Path) -> None:
    answer = await page_of(tmp_path, "/", Caller(user="default", by="session"))
    assert "/openapi.json" in answer.text


async def test_more_routes_and_work_run_beside_and_a_bug_shows_nothing(home: Path) -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def beside(store: SQLiteMemoryStore) -> AsyncIterator[None]:
        seen.append(f"begins with {await store.get_memory_count('default')}")
        yield
        seen.append("ends")

    async def boom(request: Request) -> Response:
        raise RuntimeError(f"secret of {request.scope['litemem.caller'].user}")

    token = own_token(Home(home))
    app = make_app(
        SQLiteMemoryStore(home, model="hash"),
        tokens=Tokens(Home(home)),
        allowed_hosts={"a:1"},
        routes=[Route("/boom", boom)],
        beside=[beside],
    )
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://a:1") as client,
    ):
        assert (await client.get("/boom")).status_code == 401
        answer = await client.get("/boom", headers={"authorization": f"Bearer {token}"})

    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert seen == ["begins with 0", "ends"]
