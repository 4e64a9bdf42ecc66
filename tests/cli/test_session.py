"""`litemem session`, `transcript` and `state`: over the files alone, without an index."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from litemem.session import StateMirror
from tests.cli.conftest import AsJson, Run
from tests.session import samples


@pytest.fixture
def chat(run: Run) -> list[str]:
    """Make session "s" of four turns, and return their ids."""
    return [
        run("session", "append", "s", text, "--role", role).stdout.strip()
        for text, role in (
            ("Fix the bug", "user"),
            ("It is in a.py", "assistant"),
            ("Thanks", "user"),
            ("Done", "assistant"),
        )
    ]


def log_of(tmp_path: Path, session_id: str = "s") -> Path:
    return tmp_path / "home" / "sessions" / f"{session_id}.jsonl"


def test_appended_turns_follow_each_other(chat: list[str], as_json: AsJson) -> None:
    shown = as_json("session", "show", "s")

    assert [node["id"] for node in shown["nodes"]] == chat
    assert [node["parent"] for node in shown["nodes"]] == [None, *chat[:-1]]
    assert shown["leaf"] == chat[-1]


def test_text_of_a_turn_comes_from_standard_input(run: Run) -> None:
    run("session", "append", "s", "-", stdin="two\nlines")

    assert "two\nlines" in run("session", "show", "s").stdout


def test_no_session_command_opens_the_index(chat: list[str], run: Run, tmp_path: Path) -> None:
    run("session", "tree", "s")

    assert not (tmp_path / "home" / "index.db").exists()


def test_session_commands_start_without_heavy_modules(tmp_path: Path) -> None:
    heavy = "{'numpy', 'asyncio', 'onnxruntime', 'apsw'}"
    code = (
        "import sys; from litemem.cli import main; "
        "main(['session', 'list'], standalone_mode=False); "
        f"sys.exit(str({heavy} & set(sys.modules)) if {heavy} & set(sys.modules) else 0)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"LITEMEM_HOME": str(tmp_path / "h"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


def test_list_shows_name_or_first_words_and_the_number_of_turns(
    chat: list[str], run: Run, as_json: AsJson
) -> None:
    run("session", "append", "other", "Plan\nthe trip")
    run("session", "rename", "s", "Bug hunt")

    listed = {one["id"]: one for one in as_json("session", "list")}

    assert (listed["s"]["name"], listed["s"]["turns"]) == ("Bug hunt", 4)
    assert listed["other"]["first_words"] == "Plan the trip"
    printed = run("session", "list").stdout
    assert "Bug hunt" in printed
    assert "Plan the trip" in printed


def test_no_sessions_is_a_note_not_an_error(run: Run) -> None:
    done = run("session", "list")

    assert (done.exit_code, done.stdout) == (0, "")
    assert "no sessions yet" in done.stderr


def test_archived_sessions_are_left_out_until_asked_for(chat: list[str], run: Run) -> None:
    run("session", "archive", "s")

    assert "s  " not in run("session", "list").stdout
    assert "archived" in run("session", "list", "--all").stdout

    run("session", "archive", "s", "--undo")

    assert "s  " in run("session", "list").stdout


def test_show_around_a_node_names_it_by_id_prefix_or_label(
    chat: list[str], run: Run, as_json: AsJson
) -> None:
    run("session", "label", "s", chat[1][:8], "cause")

    by_label = as_json("session", "show", "s", "--around", "cause", "-n", "1")
    by_start = as_json("session", "show", "s", "--around", chat[1][:6], "-n", "1")

    assert [node["id"] for node in by_label["nodes"]] == chat[:3]
    assert by_start == by_label
    assert "[cause]  ◀" in run("session", "show", "s", "--around", "cause").stdout


def test_show_last_keeps_the_newest_turns(chat: list[str], as_json: AsJson) -> None:
    assert [n["id"] for n in as_json("session", "show", "s", "--last", "2")["nodes"]] == chat[2:]
    assert as_json("session", "show", "s", "--last", "0")["nodes"] == []


def test_a_label_can_be_taken_away(chat: list[str], run: Run, as_json: AsJson) -> None:
    run("session", "label", "s", chat[0], "start")
    run("session", "label", "s", "start", "--remove")

    assert as_json("session", "show", "s")["nodes"][0]["label"] is None
    assert run("session", "label", "s", chat[0]).exit_code == 2


def test_a_name_can_be_taken_away(chat: list[str], run: Run, as_json: AsJson) -> None:
    run("session", "rename", "s", "x")
    done = run("session", "rename", "s", "--remove")

    assert "has no name" in done.stdout
    assert as_json("session", "list")[0]["name"] is None


def test_append_with_a_parent_makes_a_branch_that_the_tree_draws(
    chat: list[str], run: Run, as_json: AsJson
) -> None:
    other = as_json("session", "append", "s", "Wait", "--parent", chat[1])
    run("session", "label", "s", chat[0], "start")

    assert other["parent"] == chat[1]
    lines = run("session", "tree", "s").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        f"○ {chat[0][:8]}",
        f"○ {chat[1][:8]}",
        f"├─○ {chat[2][:8]}",
        f"│ ○ {chat[3][:8]}",
        f"● {other['id'][:8]}",
    ]
    assert "[start]" in lines[0]
    assert "◀ head" in lines[-1]


def test_branch_moves_the_head_so_that_the_next_turn_branches(
    chat: list[str], run: Run, as_json: AsJson
) -> None:
    run("session", "branch", "s", chat[0])
    new = as_json("session", "append", "s", "again")

    assert new["parent"] == chat[0]
    assert as_json("session", "tree", "s")["leaf"] == new["id"]


def test_a_long_run_of_turns_is_folded_unless_all_is_asked(run: Run) -> None:
    for i in range(12):
        run("session", "append", "s", f"turn {i}")

    folded = run("session", "tree", "s").stdout
    whole = run("session", "tree", "s", "--all").stdout

    assert "⋮ 6 turns" in folded
    assert "turn 5" not in folded
    assert len(whole.splitlines()) == 12


def test_fork_copies_the_path_into_a_new_session(
    chat: list[str], run: Run, as_json: AsJson
) -> None:
    first = run("session", "fork", "s", "--at", chat[1]).stdout.strip()
    second = run("session", "fork", "s").stdout.strip()
    named = as_json("session", "fork", "s", "--as", "mine")

    assert (first, second, named["session"]) == ("s-fork", "s-fork-2", "mine")
    assert [n["id"] for n in as_json("session", "show", first)["nodes"]] == chat[:2]
    assert [n["id"] for n in as_json("session", "show", "mine")["nodes"]] == chat


def test_rm_asks_first(chat: list[str], run: Run, tmp_path: Path) -> None:
    refused = run("session", "rm", "s")

    assert refused.exit_code == 2
    assert log_of(tmp_path).exists()

    assert run("session", "rm", "s", "--yes").exit_code == 0
    assert not log_of(tmp_path).exists()


def test_compact_puts_a_summary_before_the_kept_turns(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    for i in range(10):
        words = f"The build {i} failed in module_{i}.py. " * 30
        run("session", "append", "s", words, "--role", "user" if i % 2 == 0 else "assistant")

    done = as_json("session", "compact", "s", "--keep", "2", "--max-tokens", "100", "--offline")
    resumed = as_json("session", "resume", "s")

    assert done["tokens_after"] < done["tokens_before"]
    assert resumed[0]["blocks"][0]["text"].startswith("[condensed earlier context]")
    assert len(resumed) == 3
    assert len(as_json("session", "show", "s")["nodes"]) == 10
    assert "✂ condensed of" in run("session", "tree", "s").stdout
    assert as_json("session", "tree", "s")["compactions"][0]["id"] == done["compaction"]
    again = run("session", "compact", "s", "--keep", "2")
    assert "nothing to condense" in again.stdout


def say_much(run: Run, *texts: str, role: str = "assistant") -> None:
    for text in texts:
        run("session", "append", "s", text, "--role", role)


def test_compacting_again_says_nothing_twice(run: Run, as_json: AsJson) -> None:
    say_much(run, "Do the big job", role="user")
    for part in range(3):
        say_much(run, *(f"Step {part}-{i} is done. " + "Well. " * 60 for i in range(5)))
        done = as_json("session", "compact", "s", "--keep", "2", "--max-tokens", "200")
        assert done["tokens_after"] < done["tokens_before"]

    texts = [turn["blocks"][0]["text"] for turn in as_json("session", "resume", "s")]

    assert "\n".join(texts).count("Do the big job") == 1
    assert texts[1] == "Do the big job"
    assert texts[0].count("[condensed earlier context]") == 1
    steps = [texts[0].count(f"Step {i // 5}-{i % 5} ") for i in range(13)]
    assert set(steps) <= {0, 1}
    assert sum(steps) >= 3


def test_a_summary_that_is_no_shorter_is_not_written(run: Run, as_json: AsJson) -> None:
    say_much(run, *(f"Note {i}" for i in range(6)), role="user")
    before = as_json("session", "resume", "s")

    done = as_json("session", "compact", "s", "--keep", "2")
    said = run("session", "compact", "s", "--keep", "2").stdout

    assert (done["compaction"], done["tokens_after"]) == (None, done["tokens_before"])
    assert "left as it is: a summary would make" in said
    assert as_json("session", "resume", "s") == before


def test_compact_keeping_nothing_cuts_after_the_leaf(chat: list[str], run: Run) -> None:
    say_much(run, "It broke in b.py. " * 60)
    run("session", "compact", "s", "--keep", "0", "--max-tokens", "50")

    assert "✂" in run("session", "tree", "s").stdout.splitlines()[-1]


def test_compact_without_the_model_goes_on_by_words(
    chat: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITEMEM_MODEL", "no-such-model")
    say_much(run, "It broke in b.py. " * 60)

    done = run("session", "compact", "s", "--keep", "0", "--max-tokens", "50")

    assert done.exit_code == 0
    assert "by words alone" in done.stderr
    assert "condensed to" in done.stdout


def test_resume_starts_anywhere_and_keeps_the_newest(chat: list[str], as_json: AsJson) -> None:
    texts = [turn["blocks"][0]["text"] for turn in as_json("session", "resume", "s", "--last", "2")]

    assert texts == ["Thanks", "Done"]
    assert len(as_json("session", "resume", "s", "--at", chat[1])) == 2


def test_resume_prints_turns(chat: list[str], run: Run) -> None:
    assert "── assistant\nIt is in a.py" in run("session", "resume", "s").stdout


def test_verify_is_quiet_about_sound_files_and_fails_on_changed_ones(
    chat: list[str], run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    assert as_json("session", "verify", "--all")[0]["findings"] == []
    assert "sound" in run("session", "verify", "s").stdout

    path = log_of(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"Thanks", b"Thinks") + b'{"type":"no')
    done = run("session", "verify", "s")

    assert done.exit_code == 1
    assert "id mismatch" in done.stdout
    assert "torn line" in done.stdout
    assert "see 'litemem session verify s'" in run("session", "show", "s").stderr
    assert run("session", "verify").exit_code == 2


def test_repair_keeps_the_old_file_beside(
    chat: list[str], run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    path = log_of(tmp_path)
    before = path.read_bytes() + b"garbage\n"
    path.write_bytes(before)

    done = as_json("session", "repair", "s")

    assert (done["changed"], Path(done["backup"]).read_bytes()) == (1, before)
    assert "nothing to repair" in run("session", "repair", "s").stdout


def test_repair_says_where_the_old_file_is(chat: list[str], run: Run, tmp_path: Path) -> None:
    with log_of(tmp_path).open("ab") as file:
        file.write(b"garbage\n")

    assert "s.jsonl.bak" in run("session", "repair", "s").stdout


@pytest.mark.parametrize(
    "command",
    [
        ["show", "gone"],
        ["tree", "gone"],
        ["resume", "gone"],
        ["rename", "gone", "x"],
        ["archive", "gone"],
        ["verify", "gone"],
        ["repair", "gone"],
        ["fork", "gone"],
        ["rm", "gone", "--yes"],
        ["compact", "gone"],
        ["append", "../x", "y"],
        ["append", "gone", "x", "--parent", "abcd"],
        ["branch", "s", "ffff"],
        ["show", "s", "--around", "x"],
    ],
)
def test_wrong_ids_are_one_line(chat: list[str], run: Run, command: list[str]) -> None:
    done = run("session", *command)

    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("litemem: ")


def test_an_id_that_means_several_nodes_is_refused(
    chat: list[str], run: Run, tmp_path: Path
) -> None:
    with log_of(tmp_path).open("a") as file:
        for node in chat[:2]:
            file.write(json.dumps({"type": "label", "node": node, "label": "same"}) + "\n")

    done = run("session", "show", "s", "--around", "same")

    assert done.exit_code == 1
    assert "names 2 nodes" in done.stderr


def test_tool_blocks_are_shown_with_their_names(run: Run, tmp_path: Path) -> None:
    from litemem.session import SessionStore

    store = SessionStore(tmp_path / "home" / "sessions", fsync=False)
    blocks = [
        {"kind": "thinking", "text": "hm"},
        {"kind": "tool_call", "id": "1", "name": "read", "input": {"path": "a.py"}},
        {"kind": "tool_result", "callId": "1", "output": "x\n" * 40, "isError": True},
        {"kind": "image", "mediaType": "image/png", "dataBase64": "AA=="},
        {"kind": "command", "command": "clear"},
        {"kind": "new kind", "x": 1},
        7,
    ]
    store.append_turn(store.load_session("s"), {"role": "assistant", "blocks": blocks})

    shown = run("session", "show", "s").stdout

    assert '→ read {"path":"a.py"}' in shown
    assert "← failed x" in shown
    assert "more characters" in shown
    assert "[image] image/png" in shown
    assert "/clear" in shown
    assert 'new kind {"kind":"new kind","x":1}' in shown
    assert '(thinks) hm → read {"path":"a.py"} ← x x' in run("session", "tree", "s").stdout


def test_a_transcript_is_appended_listed_and_shown(run: Run, as_json: AsJson) -> None:
    assert "no transcripts yet" in run("transcript", "list").stderr

    run("transcript", "append", "t", "Hello")
    line = as_json("transcript", "append", "t", "Hi", "--role", "assistant")["line"]

    assert line == 2
    assert run("transcript", "list").stdout == "t\n"
    assert as_json("transcript", "list") == ["t"]
    assert [turn["content"] for turn in as_json("transcript", "show", "t")] == ["Hello", "Hi"]
    assert [turn["line"] for turn in as_json("transcript", "show", "t", "--last", "1")] == [2]
    near = as_json("transcript", "show", "t", "--around", "1", "-n", "0")
    assert [turn["line"] for turn in near] == [1]
    assert "line 1\nHello" in run("transcript", "show", "t").stdout
    assert run("transcript", "show", "gone").exit_code == 1


def test_bad_lines_of_a_transcript_are_named(run: Run, tmp_path: Path) -> None:
    run("transcript", "append", "t", "Hello")
    with (tmp_path / "home" / "transcripts" / "t.jsonl").open("ab") as file:
        file.write(b"garbage\n")

    done = run("transcript", "show", "t")

    assert "t.jsonl:2:" in done.stderr
    assert "Hello" in done.stdout


def test_a_state_is_printed_as_json(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    StateMirror(tmp_path / "home" / "state").mirror_state("s", b'{"step": 3}')

    assert as_json("state", "show", "s") == {"step": 3}
    assert json.loads(run("state", "show", "s").stdout) == {"step": 3}
    assert run("state", "show", "gone").exit_code == 1


def test_users_have_their_own_sessions(run: Run, as_json: AsJson) -> None:
    run("--user", "ann", "session", "append", "s", "hers")

    assert as_json("session", "list") == []
    assert len(as_json("session", "list", "--user", "ann")) == 1


def test_help_lists_the_commands_without_loading_them(run: Run) -> None:
    printed = run("session", "--help").stdout

    assert "import" in printed
    assert run("session", "no-such").exit_code == 2


def test_every_change_has_its_json(chat: list[str], as_json: AsJson) -> None:
    label = as_json("session", "label", "s", chat[0], "start")
    moved = as_json("session", "branch", "s", "start")

    assert label == {"session": "s", "node": chat[0], "label": "start"}
    assert moved == {"session": "s", "leaf": chat[0]}
    assert as_json("session", "rename", "s", "x")["name"] == "x"
    assert as_json("session", "archive", "s")["archived"] is True
    assert as_json("session", "rm", "s", "--yes") == {"removed": "s"}


def test_a_name_is_shown_above_the_turns(chat: list[str], run: Run) -> None:
    run("session", "rename", "s", "Bug hunt")

    assert run("session", "show", "s").stdout.startswith("Bug hunt\n")


def test_deep_branches_are_numbered_instead_of_drawn(run: Run, as_json: AsJson) -> None:
    chain = [as_json("session", "append", "s", f"{i}")["id"] for i in range(23)]
    for parent in chain:
        as_json("session", "append", "s", "newer", "--parent", parent)
    run("session", "branch", "s", chain[0])

    assert "(22) " in run("session", "tree", "s").stdout


def test_a_time_beyond_the_calendar_is_left_out(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "sessions"
    folder.mkdir(parents=True)
    node = {"id": "a" * 32, "parent": None, "turn": {"role": "user", "blocks": []}}
    record = {"type": "node", "node": {**node, "createdAt": 1e300}}
    head = {"type": "head", "leaf": "a" * 32}
    log_of(tmp_path).write_text(f"{json.dumps(record)}\n{json.dumps(head)}\n", encoding="utf-8")

    assert "── user  aaaaaaaa" in run("session", "show", "s").stdout


def test_import_says_what_is_new_and_what_was_left_out(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    path = samples.write_lines(tmp_path / "log.jsonl", samples.codex())

    first = run("session", "import", str(path))
    again = as_json("session", "import", str(path))

    assert "1 new session, 0 grown, 0 unchanged; 7 new turns" in first.stdout
    assert "left out: 1 x item of type ghost_snapshot" in first.stdout
    assert (again["turns"], again["files"][0]["unchanged"]) == (0, 1)
    assert as_json("session", "list")[0]["id"] == "codex-0199-abc"


def test_a_file_that_is_no_log_makes_import_fail(run: Run, tmp_path: Path) -> None:
    path = samples.write_lines(tmp_path / "other.jsonl", [{"a": 1}])

    done = run("session", "import", str(path))

    assert done.exit_code == 1
    assert "say which with --format" in done.stderr
    assert run("session", "import", str(path), "--format", "pi").exit_code == 0
    assert run("session", "import", str(tmp_path / "gone")).exit_code == 2


def test_export_writes_to_the_screen_or_a_file(
    chat: list[str], run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    page = tmp_path / "s.html"

    printed = run("session", "export", "s").stdout
    written = run("session", "export", "s", "-o", str(page))
    again = as_json("session", "export", "s", "-o", str(tmp_path / "s.json"))

    assert printed.startswith("# s\n")
    assert f"4 turns in {page}" in written.stdout
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (again["format"], again["turns"]) == ("json", 4)
    assert len(as_json("session", "export", "s")["nodes"]) == 4
    assert run("session", "export", "s", "--format", "html").stdout.startswith("<!doctype html>")
    assert run("session", "export", "gone").exit_code == 1


@pytest.mark.parametrize(
    "name",
    [
        "sessions/s.jsonl",
        "Sessions/s.jsonl",
        "transcripts/new.md",
        "memory/2026-02-08.md",
        "state/s.json",
        "users/bob/memory/x.md",
        "global/x.md",
        "settings.json",
        "index.db",
        "index.db-wal",
        "link/s.jsonl",
    ],
)
def test_export_never_writes_onto_what_the_home_keeps(
    chat: list[str], run: Run, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "home"
    (home / "link").symlink_to(home / "sessions")
    before = log_of(tmp_path).read_bytes()

    done = run("session", "export", "s", "-o", str(home / name))

    assert done.exit_code == 1
    assert "the home's own data is there; name another" in done.stderr
    assert log_of(tmp_path).read_bytes() == before
    assert run("session", "export", "s", "-o", str(home / "s.md")).exit_code == 0


def test_import_names_what_it_skips_in_a_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    samples.write_json(folder / "chats.json", [samples.claude_ai()])
    for i in range(22):
        samples.write_json(folder / f"other-{i:02}.json", {"name": "x"})

    done = run("session", "import", str(folder))

    assert done.exit_code == 0
    assert done.stdout.startswith("1 new session, ")
    assert "left out: 22 x file of an unknown format" in done.stdout
    assert f"skipped: {folder / 'other-19.json'}" in done.stdout
    assert "skipped: 2 more files" in done.stdout


def test_export_makes_no_folder(chat: list[str], run: Run, tmp_path: Path) -> None:
    done = run("session", "export", "s", "-o", str(tmp_path / "typo" / "s.md"))

    assert done.exit_code == 1
    assert f"there is no folder {tmp_path / 'typo'}; make it first" in done.stderr
    assert not (tmp_path / "typo").exists()


def test_appends_of_several_processes_make_one_chain(as_json: AsJson, tmp_path: Path) -> None:
    code = (
        "import sys; from litemem.cli import main\n"
        "for i in range(10): "
        "main(['session', 'append', 's', f'{sys.argv[1]}-{i}'], standalone_mode=False)"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(n)], stdout=subprocess.DEVNULL)
        for n in range(3)
    ]

    assert [process.wait() for process in processes] == [0, 0, 0]
    shown = as_json("session", "show", "s")["nodes"]
    assert len(shown) == 30
