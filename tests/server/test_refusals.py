"""Who isn't answered: strangers, other users, other sites, other hosts, and too much at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from starlette.types import Message, Receive, Scope, Send

from litemem.server.app import DOCUMENT
from litemem.server.auth import LOOK_EVERY_S
from litemem.server.errors import Refused
from litemem.server.guard import ANY_ADDRESS, Guard
from litemem.server.limits import Limits
from litemem.server.logins import CODE_LIFE_S, MOST, Logins
from litemem.server.run import hosts
from litemem.server.tokens import add_user
from litemem.settings import Home
from tests.server.client import HOST, Server

OWN = f"http://{HOST}"


def operations() -> Iterator[tuple[str, str]]:
    for path, methods in DOCUMENT["paths"].items():
        for method in methods:
            yield method.upper(), path.format(id="x", date="2026-02-08", label="user")


async def test_nothing_is_answered_without_a_token(server: Server) -> None:
    for method, path in (*operations(), ("GET", "/page/app.js"), ("GET", "/no")):
        answer = await server.client.request(method, path)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "unauthorized"
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("given", ["Bearer x", "Bearer ", "Basic {}", "{}", "Bearer {}x"])
async def test_a_wrong_token_is_a_401(server: Server, given: str) -> None:
    headers = {"authorization": given.format(server.token)}
    answer = await server.client.get("/memory/core", headers=headers)

    assert answer.status_code == 401


async def test_two_tokens_in_one_request_are_a_401(server: Server) -> None:
    given = [("authorization", f"Bearer {one}") for one in (server.token, server.bob)]
    for headers in (given, given[::-1], [given[0], ("authorization", "")], given[:1] * 2):
        answer = await server.client.get("/memory/core", headers=headers)
        assert answer.status_code == 401


async def test_the_default_users_new_token_ends_the_old_one_and_its_sessions(
    server: Server,
) -> None:
    await enter(server)
    new = add_user(Home(server.home), "default")
    await asyncio.sleep(LOOK_EVERY_S)

    assert (await server.ask("GET", "/me")).status_code == 401
    assert (await server.client.get("/me")).status_code == 401
    assert (await server.ask("GET", "/me", token=new)).json()["user_id"] == "default"


async def test_a_token_that_becomes_a_link_lets_nobody_in(server: Server) -> None:
    path = server.home / "server-token"
    path.rename(server.home / "elsewhere")
    path.symlink_to(server.home / "elsewhere")
    await asyncio.sleep(LOOK_EVERY_S + 0.05)

    for _ in range(2):
        answer = await server.ask("GET", "/me")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "files")


async def test_a_token_reaches_its_own_user_alone(server: Server) -> None:
    await server.remember("Of the default user")
    body = {"content": "Of bob", "user_id": "bob"}
    await server.ask("POST", "/memory/archival", json=body, token=server.bob)

    found = (await server.ask("GET", "/memory/archival", token=server.bob)).json()
    assert [(one["content"], one["user_id"]) for one in found["memories"]] == [("Of bob", "bob")]
    listed = (await server.get("/memory/archival"))["memories"]
    assert [one["content"] for one in listed] == ["Of the default user"]


async def test_another_user_is_a_403_everywhere(server: Server) -> None:
    for method, path in operations():
        assert await server.status(method, path, params={"user_id": "bob"}) == (403, "other_user")


async def test_another_user_in_a_body_is_a_403_and_nothing_is_written(server: Server) -> None:
    body = {"label": "persona", "content": "x", "user_id": "bob"}
    assert await server.status("PUT", "/memory/core", json=body) == (403, "other_user")
    assert (await server.status("PUT", "/memory/core?user_id=default", json=body))[0] == 403
    assert not (server.home / "users" / "bob" / "memory" / "persona.md").exists()


async def test_a_fact_of_another_user_is_unknown(server: Server) -> None:
    mine = await server.remember("Mine")

    for method, path in (("GET", f"/memory/{mine}"), ("DELETE", f"/memory/archival/{mine}")):
        assert await server.status(method, path, token=server.bob) == (404, "unknown")
    gone = await server.status("POST", "/memory/forget", json={"ids": [mine]}, token=server.bob)
    assert gone == (404, "unknown")


async def test_a_token_made_while_the_server_runs_is_taken(server: Server) -> None:
    eve = add_user(Home(server.home), "eve")

    answer = await server.ask("GET", "/memory/stats", token=eve)
    assert answer.json()["user_id"] == "eve"


async def test_a_users_new_token_ends_the_old_one_and_its_sessions(server: Server) -> None:
    login = await server.ask("POST", "/login", token=server.bob)
    await server.client.get(login.json()["path"])
    assert (await server.client.get("/me")).json()["user_id"] == "bob"

    new = add_user(Home(server.home), "bob")
    await asyncio.sleep(LOOK_EVERY_S + 0.05)

    assert (await server.ask("GET", "/me", token=server.bob)).status_code == 401
    assert (await server.client.get("/me")).status_code == 401
    assert (await server.ask("GET", "/me", token=new)).json()["user_id"] == "bob"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:8766", "localhost.evil.example:8765", ""]
)
async def test_another_host_is_a_421(server: Server, host: str) -> None:
    status = await server.status("GET", "/memory/core", headers={"host": host})
    assert status == (421, "wrong_host")


async def test_a_rebound_page_gets_nothing_with_a_token_either(server: Server) -> None:
    headers = {"host": "evil.example:8765", "origin": "http://evil.example:8765"}
    assert (await server.status("GET", "/memory/core", headers=headers))[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:8766", "x"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
async def test_another_origin_is_a_403(server: Server, method: str, origin: str) -> None:
    answer = await server.ask(method, "/memory/archival", headers={"origin": origin})

    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("site", ["cross-site", "same-site", "x"])
async def test_what_a_browser_says_comes_from_elsewhere_is_a_403(server: Server, site: str) -> None:
    status = await server.status("GET", "/memory/core", headers={"sec-fetch-site": site})
    assert status == (403, "cross_site")


async def test_the_own_origin_is_answered(server: Server) -> None:
    answer = await server.ask("GET", "/memory/core", headers={"origin": OWN})
    assert answer.status_code == 200


async def enter(server: Server) -> None:
    """Open the page: the client keeps its cookie."""
    path = (await server.send("POST", "/login", {}))["path"]
    answer = await server.client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_a_code_opens_the_page_once(server: Server) -> None:
    path = (await server.send("POST", "/login", {}))["path"]
    first, second = await server.client.get(path), await server.client.get(path)

    assert (first.status_code, second.status_code) == (303, 401)
    cookie = first.headers["set-cookie"].lower()
    assert cookie.startswith("litemem_8765=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "domain" not in cookie


async def test_the_pages_session_reads_and_writes(server: Server) -> None:
    await enter(server)
    body = {"content": "From the page"}

    assert (await server.client.get("/")).status_code == 200
    assert (await server.client.get("/memory/core")).status_code == 200
    for headers in ({"origin": OWN}, {"sec-fetch-site": "same-origin"}):
        answer = await server.client.post("/memory/archival", json=body, headers=headers)
        assert answer.status_code == 200


async def test_a_write_by_cookie_alone_is_a_403(server: Server) -> None:
    await enter(server)
    for headers in ({}, {"sec-fetch-site": "none"}, {"origin": "http://evil.example"}):
        answer = await server.client.post(
            "/memory/archival", json={"content": "x"}, headers=headers
        )
        assert answer.json()["error"]["code"] == "cross_site"
    assert (await server.get("/memory/stats"))["total_memories"] == 0


async def test_without_a_session_the_page_says_how_to_get_one(server: Server) -> None:
    for path in ("/", "/?code=x", "/?code="):
        answer = await server.client.get(path)
        assert answer.status_code == 401
        assert "litemem ui" in answer.text


async def test_a_link_elsewhere_may_open_the_page_and_nothing_else(server: Server) -> None:
    headers = {"sec-fetch-site": "cross-site"}
    assert (await server.client.get("/", headers=headers)).status_code == 401
    assert (await server.client.post("/", headers=headers)).status_code == 403


@pytest.mark.parametrize(
    "cookie", ["litemem_8765=x", "litemem_8765", "a=;;=\x7f", '"', "\xff", "a,b=c"]
)
async def test_an_odd_cookie_is_nobodys(server: Server, cookie: str) -> None:
    headers = {b"cookie": cookie.encode("latin-1")}
    assert (await server.client.get("/memory/core", headers=headers)).status_code == 401


async def test_every_answer_has_the_headers_that_keep_it_safe(server: Server) -> None:
    await enter(server)
    answers = [
        await server.client.get("/"),
        await server.client.get("/memory/core"),
        await server.client.get("/nothing"),
        await server.client.get("/memory/core", headers={"host": "x"}),
        await server.client.get("/?code=x"),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"


async def test_an_unknown_path_and_a_wrong_method_are_json(server: Server) -> None:
    assert await server.status("GET", "/nothing/here") == (404, "unknown")
    assert await server.status("GET", "/memory/core/") == (404, "unknown")
    assert await server.status("DELETE", "/memory/core") == (405, "wrong_method")
    answer = await server.ask("POST", "/memory/core")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "PUT"}


@pytest.mark.parametrize(
    "query",
    ["limt=3", "limit=3&limit=4", "query=%ff", "query=%00", "query=%ed%a0%80"],
)
async def test_an_odd_query_is_a_400(server: Server, query: str) -> None:
    assert await server.status("GET", f"/memory/archival?{query}") == (400, "invalid")


async def test_many_parameters_are_a_400(server: Server) -> None:
    query = "&".join(f"a{n}=1" for n in range(40))
    assert await server.status("GET", f"/memory/archival?{query}") == (400, "invalid")


async def test_a_long_question_is_a_400_and_a_shorter_one_is_answered(server: Server) -> None:
    long = await server.status("GET", f"/memory/archival?query={'a' * 10_001}")
    assert long == (400, "invalid")
    assert (await server.get("/memory/archival", query="word " * 2_000))["count"] == 0


async def test_a_body_over_the_limit_is_a_413(server: Server) -> None:
    body = b'{"content": "' + b"a" * 1_000_000 + b'"}'
    assert await server.status("POST", "/memory/archival", content=body) == (413, "too_large")


@pytest.mark.parametrize(
    "types",
    [
        [],
        [""],
        ["text/plain"],
        ["application/x-www-form-urlencoded"],
        ["application/json-patch+json"],
        ["application/json, text/plain"],
        ["application/json; charset=latin-1"],
        ["application/json", "application/json"],
    ],
)
async def test_a_body_that_is_not_said_to_be_json_is_a_415(
    server: Server, types: list[str]
) -> None:
    headers = [("authorization", f"Bearer {server.token}")]
    headers += [("content-type", one) for one in types]
    for method, path in (("POST", "/memory/archival"), ("PUT", "/memory/core")):
        answer = await server.client.request(method, path, content=b"{}", headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (415, "wrong_type")


@pytest.mark.parametrize(
    "kind",
    ["application/json", "Application/JSON;charset=UTF-8", 'application/json; charset="utf-8"'],
)
async def test_a_body_that_is_said_to_be_json_is_read(server: Server, kind: str) -> None:
    body, headers = b'{"content": "x"}', {"content-type": kind}
    answer = await server.ask("POST", "/memory/archival", content=body, headers=headers)
    assert answer.status_code == 200


async def chunks(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 50_000):
        yield b"a" * 50_000


async def test_a_body_of_unknown_length_is_cut_off_at_the_limit(server: Server) -> None:
    status = await server.status("POST", "/memory/archival", content=chunks(2_000_000))
    assert status == (413, "too_large")


@pytest.mark.parametrize("length", ["-1", "x", "99999999999999", "1_0", "٣"])
async def test_an_odd_content_length_is_refused(server: Server, length: str) -> None:
    headers = {"content-length": length.encode("utf-8")}
    answer = await server.ask("POST", "/memory/archival", content=b"{}", headers=headers)
    assert answer.status_code in (400, 413)


async def raw(server: Server, receive: Receive, send: Send) -> None:
    await server.app(
        {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/memory/archival",
            "raw_path": b"/memory/archival",
            "query_string": b"",
            "headers": [
                (b"host", HOST.encode()),
                (b"content-type", b"application/json"),
                (b"authorization", f"Bearer {server.token}".encode()),
            ],
        },
        receive,
        send,
    )


async def test_a_body_that_never_ends_is_a_408(server: Server) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    await raw(server, receive, send)

    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


async def test_a_client_that_goes_away_while_sending_is_nobody_to_answer(server: Server) -> None:
    messages = iter([{"type": "http.request", "body": b"{", "more_body": True}])
    sent: list[Message] = []

    async def receive() -> Message:
        return next(messages, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    await raw(server, receive, send)

    assert sent == []


async def test_a_client_that_takes_no_answer_is_given_up(server: Server) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b'{"content": "x"}', "more_body": False}

    async def send(_: Message) -> None:
        await asyncio.sleep(5)

    async with asyncio.timeout(2):
        await raw(server, receive, send)

    assert (await server.get("/memory/stats"))["total_memories"] == 1


async def test_a_cookie_of_another_port_does_not_hide_the_session(server: Server) -> None:
    await enter(server)
    session = server.client.cookies["litemem_8765"]
    headers = {"cookie": f'a,b=c; username-127-0-0-1="2|1:0|x"; litemem_8765={session}'}
    assert (await server.client.get("/memory/core", headers=headers)).status_code == 200


async def test_an_answer_that_is_begun_and_not_taken_is_given_up_without_a_word(
    server: Server,
) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b'{"content": "x"}', "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            await asyncio.sleep(5)

    async with asyncio.timeout(2):
        await raw(server, receive, send)

    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]


async def test_a_websocket_is_refused(server: Server) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await server.app(
        {"type": "websocket", "path": "/memory/core", "headers": [], "query_string": b""},
        receive,
        send,
    )
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_a_code_ends_after_a_while_and_old_ones_make_room() -> None:
    now = [0.0]
    logins = Logins(lambda: now[0])
    first = logins.code("default")
    session = logins.session(logins.code("bob"))
    assert session is not None
    assert logins.user(session) == "bob"

    now[0] = CODE_LIFE_S
    assert logins.session(first) is None
    logins.code("eve", life_s=1)
    now[0] += 2  # its room is free again
    kept = [logins.code("default") for _ in range(MOST + 1)]
    assert logins.session(kept[0]) is None
    assert logins.session(kept[1]) is not None
    now[0] += 13 * 3600
    assert logins.user(session) is None


def test_hosts_are_those_that_the_socket_is_bound_to() -> None:
    assert hosts("127.0.0.1", 8765) == {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
    assert hosts("::1", 9) == {"127.0.0.1:9", "localhost:9", "[::1]:9"}
    assert hosts("10.0.0.5", 8765, ["mem.lan", "mem.lan:443"]) == {
        "10.0.0.5:8765",
        "mem.lan:8765",
        "mem.lan:443",
    }
    assert ANY_ADDRESS in hosts("0.0.0.0", 8765)
    assert "localhost" in hosts("127.0.0.1", 80)


@pytest.mark.parametrize("host", ["10.1.2.3:8765", "[fe80::1]:8765", "10.1.2.3"])
async def test_bound_to_all_addresses_any_address_is_a_host(host: str) -> None:
    assert await passes(host)


@pytest.mark.parametrize("host", ["a.example:8765", "10.1.2.3.example", "[x]:1", ""])
async def test_bound_to_all_addresses_a_name_is_none(host: str) -> None:
    assert not await passes(host)


async def passes(host: str) -> bool:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        pass

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/x", "headers": [(b"host", host.encode())]}
    try:
        await Guard(app, {ANY_ADDRESS})(scope, receive, send)
    except Refused as refused:
        return refused.status != 421
    return True


def test_the_limits_are_those_that_are_promised() -> None:
    assert Limits().body_bytes == 1_000_000
    assert Limits().body_s <= 30
