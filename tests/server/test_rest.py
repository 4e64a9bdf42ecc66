"""The endpoints of the reference, with their shapes and codes."""

from __future__ import annotations

from pathlib import Path

from litemem.session import StateMirror, TranscriptManager
from tests.server.client import Server

EMPTY = {"persona": "", "user": "", "facts": "", "context": ""}


async def test_unset_blocks_are_empty(server: Server) -> None:
    assert await server.get("/memory/core") == {"blocks": EMPTY}


async def test_a_block_that_was_put_is_read_back_and_is_in_its_file(server: Server) -> None:
    done = await server.send("PUT", "/memory/core", {"label": "persona", "content": "Short."})

    assert done == {"success": True}
    assert (await server.get("/memory/core"))["blocks"] == EMPTY | {"persona": "Short."}
    assert (server.home / "memory" / "persona.md").read_text() == "Short."


async def test_a_chats_block_is_seen_in_that_chat_alone(server: Server) -> None:
    body = {"label": "user", "content": "In chat.", "chat_id": "c1", "user_id": "default"}
    await server.send("PUT", "/memory/core", body)

    inside = await server.get("/memory/core", chat_id="c1", user_id="default")
    assert inside["blocks"]["user"] == "In chat."
    assert (await server.get("/memory/core", chat_id="c2"))["blocks"] == EMPTY


async def test_a_malformed_block_is_a_400(server: Server) -> None:
    for body in (
        b'{"content": "x"}',
        b'{"label": "persona"}',
        b'{"label": "other", "content": "x"}',
        b'{"label": 3, "content": "x"}',
        b'{"label": "persona", "content": null}',
        b'{"label": "persona", "content": 5}',
        b'{"label": "persona", "content": "x", "extra": 1}',
        b"not json",
        b"[]",
        b"",
    ):
        assert await server.status("PUT", "/memory/core", content=body) == (400, "invalid")
    assert not (server.home / "memory" / "persona.md").exists()


async def test_a_block_that_changed_since_it_was_read_is_a_409(server: Server) -> None:
    read = await server.get("/blocks/persona")
    await server.send("PUT", "/memory/core", {"label": "persona", "content": "Theirs."})
    mine = {"label": "persona", "content": "Mine.", "revision": read["revision"]}

    assert await server.status("PUT", "/memory/core", json=mine) == (409, "conflict")
    now = await server.get("/blocks/persona")
    assert now["content"] == "Theirs."
    await server.send("PUT", "/memory/core", mine | {"revision": now["revision"]})
    assert (await server.get("/blocks/persona"))["content"] == "Mine."


async def test_a_block_says_which_file_it_comes_from(server: Server) -> None:
    assert (await server.get("/blocks/user"))["source"] is None
    await server.send("PUT", "/memory/core", {"label": "user", "content": "é"})

    found = await server.get("/blocks/user", chat_id="c9")
    assert (found["source"], found["characters"]) == ("memory/user.md", 1)


async def test_a_search_finds_with_score_and_similarity(server: Server) -> None:
    tea = await server.remember("Prefers green tea", tags=["drink"], importance=0.8)
    await server.remember("Works in Lisbon")

    found = await server.get("/memory/archival", query="green tea", limit=1)

    assert {key: found[key] for key in ("count", "limit", "offset")} == {
        "count": 1,
        "limit": 1,
        "offset": 0,
    }
    best = found["memories"][0]
    assert (best["id"], best["importance"], best["tags"]) == (tea, 0.8, ["drink"])
    assert best["similarity"] > 0
    assert best["score"] > 0


async def test_without_a_query_facts_are_listed_newest_first(server: Server) -> None:
    await server.remember("Older", created_at="2026-01-01")
    await server.remember("Newer", created_at="2026-01-02", chat_id="c1")

    found = await server.get("/memory/archival")

    assert [one["content"] for one in found["memories"]] == ["Newer", "Older"]
    assert (found["count"], found["total"], found["limit"], found["offset"]) == (2, 2, 20, 0)
    in_chat = await server.get("/memory/archival", chat_id="other")
    assert [one["content"] for one in in_chat["memories"]] == ["Older"]


async def test_pages_of_a_search_are_disjoint_and_total_counts_them_all(server: Server) -> None:
    ids = {await server.remember(f"Bought a book about trees, part {n}") for n in range(7)}

    pages = [
        await server.get("/memory/archival", query="book trees", limit=3, offset=offset)
        for offset in (0, 3, 6, 9)
    ]

    assert [page["count"] for page in pages] == [3, 3, 1, 0]
    assert {page["total"] for page in pages} == {7}
    assert {one["id"] for page in pages for one in page["memories"]} == ids


async def test_a_search_counts_as_a_use_of_what_it_showed(server: Server) -> None:
    await server.remember("Prefers green tea")
    await server.get("/memory/archival", query="tea")

    stats = await server.get("/memory/stats", user_id="default")
    assert (stats["total_memories"], stats["user_id"], stats["used"]) == (1, "default", 1)


async def test_a_bad_number_is_a_400(server: Server) -> None:
    for query in [
        "limit=0",
        "limit=-1",
        "limit=x",
        "limit=201",
        "offset=-1",
        "limit=",
        "limit=1.5",
    ]:
        path = f"/memory/archival?query=x&{query}"
        assert await server.status("GET", path) == (400, "invalid")


async def test_a_deleted_fact_is_gone_from_file_and_index(server: Server) -> None:
    gone = await server.remember("The secret is tulip")
    log = server.home / "memory" / "2026-02-08.md"
    assert "tulip" in log.read_text()

    answer = await server.ask("DELETE", f"/memory/archival/{gone}")

    assert answer.json() == {"success": True}
    assert "tulip" not in log.read_text()
    assert (await server.get("/memory/archival", query="tulip"))["memories"] == []


async def test_deleting_an_unknown_fact_is_a_404(server: Server) -> None:
    assert await server.status("DELETE", "/memory/archival/m000000000") == (404, "unknown")


async def test_a_known_fact_is_confirmed_not_written_twice(server: Server) -> None:
    first = await server.send("POST", "/memory/archival", {"content": "Likes tea"})
    again = await server.send("POST", "/memory/archival", {"content": "likes tea."})

    assert first["created"]
    assert not again["created"]
    assert again["id"] == first["id"]


async def test_a_malformed_fact_is_a_400(server: Server) -> None:
    bodies: list[dict[str, object]] = [
        {},
        {"content": ""},
        {"content": "  "},
        {"content": "x", "importance": 2},
        {"content": "x", "importance": True},
        {"content": "x", "tags": ["a", 3]},
        {"content": "x", "tags": "a"},
        {"content": "x", "created_at": "yesterday"},
        {"content": "x", "metadata": []},
        {"content": "x", "chat_id": "../c"},
        {"content": "x" * 100_001},
    ]
    for body in bodies:
        assert await server.status("POST", "/memory/archival", json=body) == (400, "invalid")


async def test_replacing_an_unknown_fact_is_a_404(server: Server) -> None:
    body = {"content": "x", "replaces": "m000000000"}
    assert await server.status("POST", "/memory/archival", json=body) == (404, "unknown")


async def test_daily_logs_are_listed_and_read(server: Server) -> None:
    await server.remember("Ñandú", created_at="2026-02-07")
    await server.remember("Today")

    assert await server.get("/memory/daily") == {"dates": ["2026-02-08", "2026-02-07"], "count": 2}
    log = await server.get("/memory/daily/2026-02-07")
    data = (server.home / "memory" / "2026-02-07.md").read_bytes()
    assert (log["content"], log["size_bytes"]) == (data.decode(), len(data))
    assert log["date"] == "2026-02-07"


async def test_a_day_without_a_log_is_a_404_and_no_date_a_400(server: Server) -> None:
    assert await server.status("GET", "/memory/daily/2025-01-01") == (404, "unknown")
    for wrong in ("2025-13-01", "2025-1-1", "today", "20250101", "2025-W01-1"):
        assert await server.status("GET", f"/memory/daily/{wrong}") == (400, "invalid")


async def test_the_memory_file_is_read_as_it_stands(server: Server) -> None:
    assert await server.status("GET", "/memory/file") == (404, "unknown")
    await server.send("PUT", "/memory/core", {"label": "facts", "content": "# Facts\n- é\n"})

    assert await server.get("/memory/file") == {"content": "# Facts\n- é\n", "size_bytes": 13}


async def test_a_reindex_says_what_it_came_to(server: Server) -> None:
    await server.remember("Likes tea")
    log = server.home / "memory" / "2026-02-08.md"
    log.write_text(log.read_text() + "- Likes jam\n")

    done = await server.send("POST", "/memory/reindex", {})

    assert done["success"]
    assert set(done["stats"]) == {"total_files", "total_facts", "indexed", "skipped", "errors"}
    assert (done["stats"]["total_facts"], done["stats"]["indexed"]) == (2, 1)
    anew = await server.send("POST", "/memory/reindex", {"clear_existing": True})
    assert (anew["success"], anew["stats"]["indexed"]) == (True, 2)


async def test_a_reindex_needs_no_body_and_refuses_a_bad_one(server: Server) -> None:
    assert (await server.ask("POST", "/memory/reindex")).json()["success"]
    for body in (b'{"clear_existing": "yes"}', b"[", b"3"):
        assert await server.status("POST", "/memory/reindex", content=body) == (400, "invalid")


def transcripts(home: Path) -> TranscriptManager:
    return TranscriptManager(home / "transcripts")


async def test_a_transcript_is_read_oldest_first(server: Server) -> None:
    for n in range(5):
        transcripts(server.home).append_turn("s1", "user", f"turn {n}")

    whole = await server.get("/session/s1/transcript")
    last = await server.get("/session/s1/transcript", last_n=2)

    assert [one["content"] for one in whole["entries"]] == [f"turn {n}" for n in range(5)]
    assert (whole["count"], whole["earlier"]) == (5, False)
    assert [one["content"] for one in last["entries"]] == ["turn 3", "turn 4"]
    assert (last["count"], last["earlier"]) == (2, True)
    assert (await server.get("/session/s1/transcript", last_n=0))["entries"] == []


async def test_a_missing_transcript_is_a_404_and_a_bad_number_a_400(server: Server) -> None:
    assert await server.status("GET", "/session/s1/transcript") == (404, "unknown")
    for wrong in ("-1", "x", "1001"):
        path = f"/session/s1/transcript?last_n={wrong}"
        assert await server.status("GET", path) == (400, "invalid")


async def test_a_state_is_read_and_a_missing_one_is_a_404(server: Server) -> None:
    StateMirror(server.home / "state").mirror_state("s1", b'{"version": 2, "steps": []}')

    found = await server.get("/session/s1/state")
    assert found == {"session_id": "s1", "state": {"version": 2, "steps": []}}
    assert await server.status("GET", "/session/s2/state") == (404, "unknown")


async def test_a_damaged_state_says_so_without_a_path(server: Server) -> None:
    folder = server.home / "state"
    folder.mkdir(exist_ok=True)
    (folder / "s1.json").write_text("{")

    answer = await server.ask("GET", "/session/s1/state")

    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged")
    assert str(server.home) not in answer.text


async def test_a_state_beyond_what_json_can_say_is_an_error_not_a_crash(server: Server) -> None:
    folder = server.home / "state"
    folder.mkdir(exist_ok=True)
    (folder / "s1.json").write_text('{"a": 1e999}')
    (folder / "s2.json").write_text('{"a": ' + "[" * 900 + "]" * 900 + "}")

    assert await server.status("GET", "/session/s1/state") == (500, "damaged")
    answer = await server.ask("GET", "/session/s2/state")
    assert answer.status_code in (200, 500)


async def test_half_a_character_in_a_state_is_answered_as_an_escape(server: Server) -> None:
    StateMirror(server.home / "state").mirror_state("s1", b'{"a": "\\ud800"}')

    answer = await server.ask("GET", "/session/s1/state")
    assert b"\\ud800" in answer.content
