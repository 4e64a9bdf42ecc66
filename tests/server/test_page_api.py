"""What the page asks besides: search with parts, days, one memory, a map, sessions, health."""

from __future__ import annotations

from pathlib import Path

import pytest

from litemem.session import SessionGraph, SessionStore, TranscriptManager
from tests.server.client import Server


def said(role: str, text: str) -> dict[str, object]:
    return {"role": role, "blocks": [{"kind": "text", "text": text}]}


async def test_the_parts_of_a_score_add_up_to_it(server: Server) -> None:
    await server.remember("Prefers green tea in the morning")
    await server.remember("Has a dog called Milo")

    found = await server.get("/memory/search", query="green tea")

    best = found["results"][0]
    assert best["content"] == "Prefers green tea in the morning"
    assert sum(best["parts"].values()) == pytest.approx(best["score"])
    assert "keyword" in best["matched"]
    assert best["source"]["path"] == "memory/2026-02-08.md"


async def test_a_search_of_the_page_counts_no_use(server: Server) -> None:
    await server.remember("Prefers green tea")
    await server.get("/memory/search", query="tea")

    assert (await server.get("/memory/stats"))["used"] == 0


async def test_kinds_and_modes_choose_what_is_searched(server: Server) -> None:
    await server.remember("Likes tulips")
    await server.send("PUT", "/memory/core", {"label": "user", "content": "Grows tulips."})
    TranscriptManager(server.home / "transcripts").append_turn("s1", "user", "tulips again")
    await server.send("POST", "/memory/reindex", {})

    both = await server.get("/memory/search", query="tulips", kinds="fact,block", mode="keyword")
    turns = await server.get("/memory/search", query="tulips", kinds="turn")

    assert {one["kind"] for one in both["results"]} == {"fact", "block"}
    assert [one["kind"] for one in turns["results"]] == ["turn"]
    for wrong in ("kinds=fact,other", "kinds=", "mode=both", "chat_only=maybe", "floor=2"):
        path = f"/memory/search?query=x&{wrong}"
        assert await server.status("GET", path) == (400, "invalid")


async def test_a_search_keeps_to_a_span_of_time(server: Server) -> None:
    await server.remember("Tea of January", created_at="2026-01-05")
    await server.remember("Tea of February", created_at="2026-02-05")

    found = await server.get("/memory/search", query="tea", since="2026-02-01", until="2026-03-01")

    assert [one["content"] for one in found["results"]] == ["Tea of February"]
    assert await server.status("GET", "/memory/search?query=x&since=soon") == (400, "invalid")
    assert await server.status("GET", "/memory/search") == (400, "invalid")


async def test_days_count_current_facts_newest_first(server: Server) -> None:
    await server.remember("One", created_at="2026-01-05")
    old = await server.remember("Two", created_at="2026-01-05")
    await server.remember("Three", created_at="2026-01-07", replaces=old)

    assert await server.get("/memory/days") == {
        "days": [{"date": "2026-01-07", "count": 1}, {"date": "2026-01-05", "count": 1}],
        "count": 2,
        "total": 2,
    }


async def test_a_day_gives_its_facts_in_pages(server: Server) -> None:
    for hour in range(5):
        await server.remember(f"Fact {hour}", created_at=f"2026-01-05T0{hour}:00:00")
    await server.remember("Another day", created_at="2026-01-06")

    first = await server.get("/memory/day/2026-01-05", limit=2)
    last = await server.get("/memory/day/2026-01-05", limit=2, offset=4)

    assert [one["content"] for one in first["memories"]] == ["Fact 4", "Fact 3"]
    assert [one["content"] for one in last["memories"]] == ["Fact 0"]
    assert (first["total"], first["count"], last["count"]) == (5, 2, 1)


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
async def test_the_first_and_last_day_of_the_calendar_are_empty(server: Server, day: str) -> None:
    assert (await server.get(f"/memory/day/{day}"))["total"] == 0


async def test_a_memory_has_its_history_and_what_is_near_to_it(server: Server) -> None:
    old = await server.remember("Works at Google as an engineer")
    new = await server.remember("Works at Microsoft as an engineer", replaces=old)
    near = await server.remember("Works as an engineer in Lisbon")

    found = await server.get(f"/memory/{old}")

    assert found["memory"]["id"] == new
    assert [one["id"] for one in found["history"]] == [old, new]
    assert [one["memory"]["id"] for one in found["similar"]] == [near]
    assert 0 < found["similar"][0]["similarity"] <= 1
    assert found["turn"] is None
    assert await server.status("GET", "/memory/m000000000") == (404, "unknown")


async def test_a_memory_shows_the_turn_in_which_it_was_said(server: Server) -> None:
    line = TranscriptManager(server.home / "transcripts").append_turn("s1", "user", "I like tea")
    log = server.home / "memory" / "2026-02-08.md"
    log.parent.mkdir(exist_ok=True)
    sources = {"mtea000000": ("s1", line), "mgone00000": ("s1", 99), "modd000000": ("../s1", 1)}
    log.write_text(
        "".join(
            f'- {id_} <!-- {{"id":"{id_}","source":{{"session":"{session}","line":{at}}}}} -->\n'
            for id_, (session, at) in sources.items()
        )
    )
    await server.send("POST", "/memory/reindex", {})

    turn = (await server.get("/memory/mtea000000"))["turn"]

    assert (turn["session_id"], turn["line"]) == ("s1", line)
    assert turn["entry"]["content"] == "I like tea"
    assert (await server.get("/memory/mgone00000"))["turn"] is None
    assert (await server.get("/memory/modd000000"))["turn"] is None


async def test_a_map_places_facts_and_follows_changes(server: Server) -> None:
    assert await server.get("/memory/map") == {"points": [], "count": 0, "most": 5000}
    for text in ("Likes green tea", "Likes black tea", "Drives a red car"):
        await server.remember(text, category="preference")

    three = await server.get("/memory/map")
    gone = three["points"][0]["id"]
    await server.ask("DELETE", f"/memory/archival/{gone}")
    two = await server.get("/memory/map")

    assert three["count"] == 3
    assert all(-1 <= one[axis] <= 1 for one in three["points"] for axis in ("x", "y"))
    assert {one["category"] for one in three["points"]} == {"preference"}
    assert gone not in {one["id"] for one in two["points"]}
    assert await server.get("/memory/map") == two


async def test_a_preview_names_all_that_a_forget_then_removes(server: Server) -> None:
    old = await server.remember("Loves tulips")
    new = await server.remember("Loves red tulips most", replaces=old)
    logs = TranscriptManager(server.home / "transcripts")
    logs.append_turn("s1", "user", "hello")
    logs.append_turn("s1", "user", "she: Loves tulips, I think")
    await server.send("PUT", "/memory/core", {"label": "user", "content": "Loves tulips."})

    shown = await server.send("POST", "/memory/forget/preview", {"ids": [old, new]})

    assert [(one["memory"]["id"], one["current"]) for one in shown["facts"]] == [
        (old, False),
        (new, True),
    ]
    assert {one["path"] for one in shown["facts"]} == {"memory/2026-02-08.md"}
    lines = (server.home / "memory" / "2026-02-08.md").read_text().split("\n")
    for one in shown["facts"]:
        assert one["memory"]["content"] in lines[one["line"] - 1]
    assert shown["logs"] == [{"path": "transcripts/s1.jsonl", "lines": [2]}]
    assert shown["left"] == ["memory/user.md"]

    gone = await server.send("POST", "/memory/forget", {"ids": [new], "transcripts": True})

    assert gone["forgotten"] == [old, new]
    assert (gone["erased_turns"], gone["still_in"]) == (1, ["memory/user.md"])
    assert "tulips" not in (server.home / "transcripts" / "s1.jsonl").read_text()


async def test_a_forget_with_an_unknown_id_forgets_nothing(server: Server) -> None:
    kept = await server.remember("Kept")
    body = {"ids": [kept, "m000000000"]}

    assert await server.status("POST", "/memory/forget", json=body) == (404, "unknown")
    assert await server.status("POST", "/memory/forget/preview", json=body) == (404, "unknown")
    assert (await server.get("/memory/stats"))["total_memories"] == 1
    for ids in ([], ["../x"], [""], "x", None, ["m"] * 201):
        status = await server.status("POST", "/memory/forget", json={"ids": ids})
        assert status == (400, "invalid")


def branched(home: Path) -> SessionGraph:
    store = SessionStore(home / "sessions")
    graph = SessionGraph("trip")
    first = store.append_turn(graph, said("user", "Three days in Porto"))
    store.append_turn(graph, said("assistant", "Old town"))
    graph.branch_from(first.id)
    store.append_turn(graph, said("assistant", "The beach"), fork=True)
    store.label("trip", first.id, "start")
    store.rename("trip", "Porto")
    return graph


async def test_sessions_are_listed_with_their_names_and_first_words(server: Server) -> None:
    branched(server.home)
    TranscriptManager(server.home / "transcripts").append_turn("s1", "user", "hi")

    found = await server.get("/sessions")

    (one,) = found["sessions"]
    assert (one["id"], one["name"], one["nodes"]) == ("trip", "Porto", 3)
    assert one["first_words"] == "Three days in Porto"
    assert (found["total"], found["transcripts"], found["total_transcripts"]) == (1, ["s1"], 1)
    assert (await server.get("/sessions", offset=1))["sessions"] == []


async def test_a_tree_has_branches_labels_and_the_head(server: Server) -> None:
    graph = branched(server.home)

    tree = await server.get("/sessions/trip/tree")

    assert (tree["name"], tree["leaf"], tree["total"]) == ("Porto", graph.leaf, 3)
    assert [(one["text"], one["column"]) for one in tree["nodes"]] == [
        ("Three days in Porto", 0),
        ("Old town", 1),
        ("The beach", 0),
    ]
    assert [one["label"] for one in tree["nodes"]] == ["start", None, None]
    assert [one["is_head"] for one in tree["nodes"]] == [False, False, True]
    page = await server.get("/sessions/trip/tree", limit=1, offset=2)
    assert [one["text"] for one in page["nodes"]] == ["The beach"]
    assert await server.status("GET", "/sessions/none/tree") == (404, "unknown")


async def test_a_tree_has_its_compactions_and_nodes_without_a_time(server: Server) -> None:
    folder = server.home / "sessions"
    folder.mkdir(exist_ok=True)
    turn = '{"role":"user","blocks":[{"kind":"text","text":"hi"}]}'
    lines = [
        f'{{"type":"node","node":{{"id":"aaaa","parent":null,"turn":{turn},"createdAt":0}}}}',
        f'{{"type":"node","node":{{"id":"bbbb","parent":"aaaa","turn":{turn},"createdAt":1e300}}}}',
        '{"type":"head","leaf":"bbbb"}',
        (
            '{"type":"compaction","id":"cccc","leaf":"bbbb","firstKept":"bbbb","pinned":[],'
            f'"summary":{turn},"tokensBefore":7,"at":"2026-02-08T14:00:00Z"}}'
        ),
    ]
    (folder / "s.jsonl").write_text("\n".join(lines) + "\n")

    tree = await server.get("/sessions/s/tree")

    assert [one["created_at"] for one in tree["nodes"]] == [None, None]
    (cut,) = tree["compactions"]
    assert (cut["id"], cut["first_kept"], cut["text"]) == ("cccc", "bbbb", "hi")
    assert cut["at"] == "2026-02-08T14:00:00Z"


async def test_health_says_what_doctor_says_without_a_path(server: Server) -> None:
    await server.remember("Fine")
    assert (await server.get("/health"))["well"]
    log = server.home / "memory" / "2026-02-08.md"
    log.write_text(log.read_text() + "- Twice <!-- {broken} -->\n")
    (server.home / "memory" / "notes.md").write_text("mine")
    await server.send("POST", "/memory/reindex", {})

    answer = await server.ask("GET", "/health")
    found = answer.json()

    assert not found["well"]
    assert found["problems"][0]["path"] == "memory/2026-02-08.md"
    assert found["ignored"] == ["memory/notes.md"]
    assert str(server.home) not in answer.text


async def test_another_users_health_names_no_folder_of_the_others(server: Server) -> None:
    (server.home / "users" / "eve. ").mkdir(parents=True)
    (server.home / "memory").mkdir(exist_ok=True)
    (server.home / "memory" / "notes.md").write_text("mine")
    await server.remember("Of the default user")

    mine = (await server.get("/health"))["ignored"]
    answer = await server.ask("GET", "/health", token=server.bob)

    assert "memory/notes.md" in mine
    assert answer.json()["ignored"] == []
    assert answer.json()["rows"] == 0
