"""Imports as a whole: again and again, grown sources, killed writers, odd files."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import Conflict, FileTrouble
from litemem.session import SessionGraph, SessionNode, SessionStore, hash_node, verify
from litemem.session.imports import FORMATS, Format, import_sessions
from litemem.session.imports import events as ev
from litemem.session.imports.events import Event, Said
from litemem.session.imports.merge import Merger
from litemem.session.imports.weave import Weaver
from litemem.session.marks import Marks
from litemem.session.pieces import preview
from litemem.session.records import Head
from tests.session import samples
from tests.session.turns import path_of, turn


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Make a folder with a log of each program."""
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    samples.write_lines(folder / "deep" / "claude.jsonl", samples.claude_code())
    samples.write_lines(folder / "codex.jsonl", samples.codex())
    samples.write_lines(folder / "pi.jsonl", samples.pi())
    samples.write_json(folder / "conversations.json", [samples.chatgpt(), samples.chatgpt("c-2")])
    samples.write_json(folder / "deep" / "conversations-1.json", [samples.claude_ai()])
    (folder / "notes.txt").write_text("not a log", encoding="utf-8")
    return folder


def bytes_of(store: SessionStore) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in store.folder.root.glob("*.jsonl")}


def test_a_second_import_adds_nothing(store: SessionStore, logs: Path) -> None:
    first = import_sessions(store, [logs])
    before = bytes_of(store)
    second = import_sessions(store, [logs])

    assert sum(len(file.new) for file in first.files) == len(before) == 6
    assert first.turns > 30
    assert (second.turns, sum(file.same for file in second.files)) == (0, 6)
    assert bytes_of(store) == before
    assert second.skipped == first.skipped


def test_every_imported_session_is_sound(store: SessionStore, logs: Path) -> None:
    import_sessions(store, [logs])

    assert all(verify(store, name).report.findings == () for name in store.list_sessions())


@pytest.mark.parametrize(
    "records",
    [samples.claude_code()[:-1], samples.codex(), samples.pi()],
    ids=["cc", "codex", "pi"],
)
def test_a_source_that_grows_line_by_line_gives_what_it_gives_at_once(
    store: SessionStore, tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    path = tmp_path / "log.jsonl"
    turns = 0
    for end in range(1, len(records) + 1):
        samples.write_lines(path, records[:end])
        turns += import_sessions(store, [path]).turns
    once = SessionStore(tmp_path / "once", fsync=False)
    import_sessions(once, [path])

    (name,) = once.list_sessions()
    grown, whole = store.load_session(name), once.load_session(name)
    assert turns == whole.size
    assert grown.all() == whole.all()
    assert grown.leaf == whole.leaf
    assert grown.marks == whole.marks
    assert verify(store, name).report.findings == ()


def test_a_torn_last_line_is_taken_when_it_is_whole(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", samples.codex())
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])

    first = import_sessions(store, [path])
    path.write_bytes(whole)
    second = import_sessions(store, [path])

    assert first.skipped["line that isn't JSON"] == 1
    assert (first.turns, second.turns) == (6, 1)


def test_what_a_person_changed_here_stays(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", samples.pi())
    import_sessions(store, [path])
    graph = store.load_session("pi-pi-1")
    mine = store.append_turn(graph, turn("my own branch"))
    store.rename("pi-pi-1", "Mine")
    store.label("pi-pi-1", next(iter(graph.marks.labels)), "mine")
    more = {**samples.pi()[-1], "id": "e14", "parentId": "e13"}
    samples.write_lines(path, [*samples.pi(), more])

    report = import_sessions(store, [path])

    after = store.load_session("pi-pi-1")
    assert report.turns == 1
    assert after.leaf == mine.id
    assert after.marks.name == "Mine"
    assert list(after.marks.labels.values()) == ["mine"]


def test_a_head_that_was_moved_here_moves_on_only_with_new_turns(
    store: SessionStore, tmp_path: Path
) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", samples.codex())
    import_sessions(store, [path])
    first = store.load_session("codex-0199-abc").all()[0].id
    store.move_head("codex-0199-abc", first)

    import_sessions(store, [path])

    assert store.load_session("codex-0199-abc").leaf == first


def test_a_title_that_comes_later_is_taken(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", samples.claude_code()[:-1])
    import_sessions(store, [path])
    samples.write_lines(path, samples.claude_code())

    report = import_sessions(store, [path])

    assert report.files[0].grown == (f"claude-code-{samples.SESSION}",)
    assert store.load_session(f"claude-code-{samples.SESSION}").marks.name == "Bug hunt"


def test_another_session_of_the_same_name_is_left_alone(
    store: SessionStore, graph: SessionGraph, tmp_path: Path
) -> None:
    other = SessionStore(tmp_path / "other", fsync=False, clock=lambda: 99)
    other.append_turn(other.load_session("s"), turn("different"))

    (report,) = import_sessions(store, [path_of(other)]).files

    assert "another session is called 's'" in str(report.problem)
    assert store.load_session("s").size == 3


def test_another_spelling_of_a_session_is_a_problem_not_a_crash(
    store: SessionStore, graph: SessionGraph, tmp_path: Path
) -> None:
    record = {"ts": "2026-02-08T14:05:12Z", "role": "user", "content": "x"}

    (report,) = import_sessions(store, [samples.write_lines(tmp_path / "S.jsonl", [record])]).files

    assert "another spelling" in str(report.problem)


def test_a_name_that_is_no_session_id_is_hashed(store: SessionStore, tmp_path: Path) -> None:
    record = {"ts": "2026-02-08T14:05:12Z", "role": "user", "content": "x"}

    (report,) = import_sessions(
        store, [samples.write_lines(tmp_path / "a|b.jsonl", [record])]
    ).files

    assert report.new[0].startswith("session-")


def test_a_zip_archive_of_an_export_is_read(store: SessionStore, tmp_path: Path) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("chat.html", "<html>")
        file.writestr("data/conversations.json", json.dumps([samples.chatgpt()]))

    (report,) = import_sessions(store, [archive]).files

    assert report.new == ("chatgpt-c-1",)
    assert report.path == archive / "data" / "conversations.json"


def test_exports_of_any_name_are_found_in_a_folder(store: SessionStore, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    samples.write_json(folder / "my chats.JSON", [samples.claude_ai()])
    for name, chat in (("export.zip", "c-1"), ("renamed.zip", "c-2")):
        with zipfile.ZipFile(folder / name, "w") as file:
            inside = "conversations.json" if chat == "c-1" else "old/all.json"
            file.writestr(inside, json.dumps([samples.chatgpt(chat)]))
            file.writestr("user.json", '{"id": "u", "timestamp": 1}')
    samples.write_lines(folder / "PI.JSONL", samples.pi())
    samples.write_json(folder / "package.json", {"name": "x"})
    (folder / "broken.zip").write_bytes(b"no")
    with zipfile.ZipFile(folder / "photos.zip", "w") as file:
        file.writestr("a.jpg", b"")

    report = import_sessions(store, [folder])

    assert len(store.list_sessions()) == 4
    assert {"chatgpt-c-1", "chatgpt-c-2"} < set(store.list_sessions())
    assert [path.relative_to(folder).as_posix() for path in report.unknown] == [
        "broken.zip",
        "export.zip/user.json",
        "package.json",
        "photos.zip",
        "renamed.zip/user.json",
    ]
    assert report.skipped["file of an unknown format"] == 5
    assert not any(file.problem for file in report.files)


def test_a_said_format_is_not_forced_on_what_a_folder_also_holds(
    store: SessionStore, logs: Path
) -> None:
    samples.write_json(logs / "chats.json", [samples.claude_ai()])
    samples.write_json(logs / "old.json", [samples.chatgpt("c-3")])
    for log in logs.rglob("*.jsonl"):
        log.unlink()

    report = import_sessions(store, [logs], format="chatgpt")

    assert set(store.list_sessions()) >= {"chatgpt-c-1", "chatgpt-c-2", "chatgpt-c-3"}
    assert report.unknown == (logs / "chats.json",)


def test_an_archive_without_logs_is_a_problem(store: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.jpg", b"")

    (report,) = import_sessions(store, [path]).files

    assert "no log of a program" in str(report.problem)


def test_a_damaged_member_of_an_archive_stops_no_other(store: SessionStore, logs: Path) -> None:
    path = logs / "a.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("conversations.json", json.dumps([samples.chatgpt("c-9")]))
    path.write_bytes(path.read_bytes().replace(b"Plan a trip", b"Plan a drip"))

    first, *rest = import_sessions(store, [logs]).files

    assert "CRC" in str(first.problem)
    assert not any(file.problem for file in rest)


def test_an_archive_that_is_none_is_an_error(store: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(b"no")

    with pytest.raises(FileTrouble, match="zip"):
        import_sessions(store, [path])


def test_unknown_and_missing_files_are_problems_that_stop_no_other(
    store: SessionStore, logs: Path
) -> None:
    (logs / "other.jsonl").write_text('{"a": 1}\n', encoding="utf-8")

    asked, missing, *rest = import_sessions(
        store, [logs / "other.jsonl", logs / "gone.jsonl", logs]
    ).files

    assert "say which with --format" in str(asked.problem)
    assert "no such file" in str(missing.problem)
    assert all(file.problem is None for file in rest)
    assert [file.skipped for file in rest if file.format is None] == [
        {"file of an unknown format": 1}
    ]


def test_a_torn_export_gives_what_is_whole(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_json(tmp_path / "x.json", [samples.chatgpt(), samples.chatgpt("c-2")])
    path.write_bytes(path.read_bytes()[:-30])

    (report,) = import_sessions(store, [path]).files

    assert report.new == ("chatgpt-c-1",)
    assert "middle of its JSON" in str(report.problem)


def test_the_format_can_be_said(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", [{"role": "user", "content": "a"}])

    assert import_sessions(store, [path], format="codex").turns == 1


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_another_format_gives_no_session_and_no_crash(
    store: SessionStore, logs: Path, name: Format
) -> None:
    for file in import_sessions(store, [logs], format=name).files:
        assert file.format == name


def test_sessions_without_turns_are_not_made(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", [samples.claude_code()[-1]])

    report = import_sessions(store, [path])

    assert report.skipped == {"session without turns": 1}
    assert store.list_sessions() == []


def test_an_empty_file_of_each_log_format_is_nothing(store: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"")

    for name in FORMATS:
        assert import_sessions(store, [path], format=name).turns == 0


def test_progress_counts_bytes_up_to_all_of_them(store: SessionStore, logs: Path) -> None:
    seen: list[tuple[int, int]] = []

    import_sessions(store, [logs], progress=lambda done, all_: seen.append((done, all_)))

    total = sum(path.stat().st_size for path in logs.rglob("*.json*"))
    assert seen == sorted(seen)
    assert {all_ for _, all_ in seen} == {total}
    assert seen[-1] == (total, total)


def test_a_turn_that_is_nested_too_deeply_is_passed_over(
    store: SessionStore, tmp_path: Path
) -> None:
    deep = json.loads("[" * 300 + "]" * 300)
    block = {"type": "tool_use", "id": "x", "name": "y", "input": deep}
    records = [
        samples.claude_message("u1", None, "user", "a"),
        samples.claude_message("a1", "u1", "assistant", [block]),
        samples.claude_message("u2", "a1", "user", "b"),
    ]

    (report,) = import_sessions(store, [samples.write_lines(tmp_path / "x.jsonl", records)]).files

    graph = store.load_session(report.new[0])
    assert report.skipped == {"turn that is nested too deeply": 1}
    assert [preview(one) for one in graph.path_to(graph.leaf or "")] == ["a", "b"]


def test_somebody_who_writes_meanwhile_makes_it_a_problem(
    store: SessionStore, graph: SessionGraph
) -> None:
    node = graph.all()[-1]

    def written() -> Iterator[Event]:
        yield ev.Copied(record=node)
        yield Said(key="x", parent=node.id, turn=turn("new"), at_ms=5)
        store.append_turn(graph, turn("meanwhile"))

    with Merger(store).open() as merger, pytest.raises(Conflict, match="changed meanwhile"):
        merger.merge("s", written(), Counter())


def test_somebody_who_makes_the_session_meanwhile_makes_it_a_problem(store: SessionStore) -> None:
    def written() -> Iterator[Event]:
        yield Said(key="x", parent=None, turn=turn("new"), at_ms=5)
        store.append_turn(store.load_session("s"), turn("meanwhile"))

    with Merger(store).open() as merger, pytest.raises(Conflict, match="made by others"):
        merger.merge("s", written(), Counter())
    assert [preview(node.turn) for node in store.load_session("s").all()] == ["meanwhile"]


KEYS = "abcdef"
turns = st.sampled_from("xyz").map(turn)
said = st.builds(
    Said,
    key=st.sampled_from(KEYS),
    parent=st.none() | st.sampled_from(KEYS),
    turn=turns,
    at_ms=st.none() | st.integers(0, 3),
)
events = st.lists(
    said
    | st.builds(ev.Passed, key=st.sampled_from(KEYS), parent=st.none() | st.sampled_from(KEYS))
    | st.builds(ev.Ended, leaf=st.sampled_from(KEYS))
    | st.builds(ev.Labelled, key=st.sampled_from(KEYS), label=st.none() | st.text())
    | st.builds(ev.Named, text=st.text())
    | st.builds(ev.Skipped, reason=st.text())
    | st.builds(ev.Began, session_id=st.text())
    | st.builds(
        ev.Condensed,
        key=st.sampled_from(KEYS),
        leaf=st.sampled_from(KEYS),
        first_kept=st.none() | st.sampled_from(KEYS),
        summary=turns,
        tokens_before=st.none(),
        at_ms=st.none() | st.integers(0, 3),
    )
)


@given(events)
def test_weaving_any_events_gives_a_sound_tree_once(any_events: list[Event]) -> None:
    weaver = Weaver((), Marks(), Counter())
    records = [record for event in any_events for record in weaver.weave(event)]
    records += list(weaver.finish(None))

    known: set[str] = set()
    for record in records:
        if isinstance(record, SessionNode):
            assert record.parent is None or record.parent in known
            assert record.id == hash_node(record.parent, record.turn, record.created_at)
            assert record.id not in known
            known.add(record.id)
        elif isinstance(record, Head):
            assert record.leaf in known
    again = Weaver(known, Marks(), Counter())
    fresh = [record for event in any_events for record in again.weave(event)]
    assert fresh == []
    assert again.new_turns == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "uuid",
                    "parentUuid",
                    "message",
                    "content",
                    "role",
                    "text",
                    "id",
                    "parts",
                    "payload",
                    "mapping",
                    "author",
                    "parent",
                    "chat_messages",
                    "sender",
                    "summary",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
kinds = st.sampled_from(
    [
        "user",
        "assistant",
        "summary",
        "system",
        "message",
        "session",
        "session_meta",
        "compaction",
        "response_item",
        "compacted",
        "function_call",
        "function_call_output",
        "reasoning",
        "label",
    ]
)
records = st.fixed_dictionaries(
    {},
    optional={
        "type": kinds | json_values,
        "uuid": json_values,
        "parentUuid": json_values,
        "message": json_values,
        "payload": json_values,
        "mapping": json_values,
        "chat_messages": json_values,
        "summary": json_values,
        "content": json_values,
        "timestamp": json_values,
        "sessionId": json_values,
        "id": json_values,
    },
)


@given(st.sampled_from(FORMATS), st.lists(records, max_size=5))
def test_no_json_stops_an_import(
    tmp_path_factory: pytest.TempPathFactory, name: Format, odd: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    store = SessionStore(folder / "sessions", fsync=False)
    path = samples.write_json(folder / "x.jsonl", odd)
    if name not in ("chatgpt", "claude-ai"):
        samples.write_lines(path, odd)

    (first,) = import_sessions(store, [path], format=name).files
    (second,) = import_sessions(store, [path], format=name).files

    assert first.problem is None
    assert second.turns == 0
    for session in store.list_sessions():
        assert verify(store, session).report.findings == ()


def killed_import(store: SessionStore, path: Path, after_s: float) -> None:
    """Import in another process, and kill that."""
    code = (
        "import sys; from litemem.session import SessionStore; "
        "from litemem.session.imports import import_sessions; print('go', flush=True); "
        "import_sessions(SessionStore(sys.argv[1]), [sys.argv[2]])"
    )
    args = [sys.executable, "-c", code, str(store.folder.root), str(path)]
    with subprocess.Popen(args, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after_s)
        process.kill()


@pytest.mark.parametrize("seed", range(5))
def test_a_killed_import_leaves_whole_sessions_and_is_finished_by_the_next(
    store: SessionStore, tmp_path: Path, seed: int
) -> None:
    export = [samples.chatgpt(f"c-{i}") for i in range(150)]
    path = samples.write_json(tmp_path / "conversations.json", export)

    killed_import(store, path, 0.03 * (seed + 1))

    found = store.list_sessions()
    assert all(store.load_session(name).size == 7 for name in found)
    assert all(verify(store, name).report.findings == () for name in found)
    report = import_sessions(store, [path])
    assert len(store.list_sessions()) == 150
    assert len(report.files[0].new) == 150 - len(found)
    assert not list(store.folder.root.glob("*.tmp"))


@pytest.mark.parametrize("seed", range(5))
def test_a_killed_import_of_grown_sessions_leaves_old_or_new_ones(
    store: SessionStore, tmp_path: Path, seed: int
) -> None:
    export = [samples.chatgpt(f"c-{i}") for i in range(60)]
    path = samples.write_json(tmp_path / "conversations.json", export)
    import_sessions(store, [path])
    for conversation in export:
        conversation["mapping"]["z"] = samples.chat_node("z", "a", "user", "Thanks " * 5000)
    samples.write_json(path, export)

    killed_import(store, path, 0.03 * (seed + 1))

    for name in store.list_sessions():
        checked = verify(store, name)
        assert checked.report.findings == ()
        assert checked.nodes in (7, 8)
    import_sessions(store, [path])
    assert {store.load_session(name).size for name in store.list_sessions()} == {8}


def test_a_session_whose_end_is_torn_gets_its_new_turns_on_new_lines(
    store: SessionStore, tmp_path: Path
) -> None:
    path = samples.write_lines(tmp_path / "x.jsonl", samples.codex()[:-1])
    import_sessions(store, [path])
    log = path_of(store, "codex-0199-abc")
    log.write_bytes(log.read_bytes() + b'{"type":"no')
    samples.write_lines(path, samples.codex())

    report = import_sessions(store, [path])

    graph = store.load_session("codex-0199-abc")
    assert report.turns == 1
    assert preview(graph.path_to(graph.leaf or "")[-1]) == "One test fails"
