"""The command line: results to stdout, notes to stderr, exit codes 0, 1 and 2."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import litemem
from litemem.cli import main
from tests.cli.conftest import AsJson, Run
from tests.conftest import NOW


def test_remember_prints_the_id_alone(run: Run) -> None:
    done = run("remember", "likes tea")

    assert done.stdout.strip().isalnum()
    assert done.stderr == ""


def test_remember_json_says_what_became_of_it(as_json: AsJson) -> None:
    first = as_json("remember", "likes tea", "--importance", "0.9", "--tag", "hot")
    again = as_json("remember", "likes tea")

    assert first.keys() >= {"id", "created", "similar_to"}
    assert (first["created"], again["created"]) == (True, False)
    assert again["id"] == first["id"]


def test_standard_input_is_utf_8_or_an_error(run: Run, as_json: AsJson) -> None:
    wrong = run("block", "set", "user", "-", stdin=b"caf\xe9")
    run("block", "set", "user", "-", stdin="\ufeffcafé\r\n".encode())

    assert wrong.exit_code == 1
    assert "standard input isn't UTF-8 (byte 0xe9 at offset 3)" in wrong.stderr
    assert as_json("block", "get", "user")["content"] == "café\n"


def test_a_text_that_begins_with_a_dash_stands_after_two(run: Run, as_json: AsJson) -> None:
    refused = run("remember", "-5 degrees")
    run("remember", "--", "-5 degrees")

    assert refused.exit_code == 2
    assert "A text that begins with a dash stands after '--'." in refused.stderr
    assert as_json("list")[0]["content"] == "-5 degrees"
    assert "dash" not in run("list", "--nope").stderr


def test_remember_reads_standard_input(run: Run, as_json: AsJson) -> None:
    run("remember", "-", stdin="two\nlines\n")

    assert as_json("list")[0]["content"] == "two\nlines"


def test_a_file_of_facts_keeps_the_good_lines_and_names_the_bad(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    good = {"content": "likes tea", "metadata": {"id": "x1"}, "speaker": "Ann", "chat_id": "c/1"}
    lines = [json.dumps(good), "{", "", '{"content": ""}', '{"content": "likes pie\\u2028!"}']
    path = tmp_path / "facts.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    done = run("remember", "--file", str(path))

    assert done.exit_code == 1
    assert f"{path}:2: not JSON" in done.stderr
    assert f"{path}:4: content is empty" in done.stderr
    assert "2 facts written" in done.stdout
    hit = as_json("search", "tea", "--mode", "keyword")[0]
    assert hit["metadata"] == {"id": "x1"}
    assert (hit["speaker"], hit["chat_id"]) == ("Ann", "c/1")


def test_a_long_file_is_read_to_its_end_whatever_is_between(run: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"content": f"fact {n}"}) for n in range(600)]
    lines[400] = "[]"
    path = tmp_path / "facts.jsonl"
    path.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")

    done = run("remember", "--file", str(path))

    assert f"{path}:401: a JSON object is needed" in done.stderr
    assert "599 facts written, 0" in done.stdout
    assert "0 facts written, 599 known already" in run("remember", "--file", str(path)).stdout


def test_a_file_comes_from_standard_input_too(run: Run, as_json: AsJson) -> None:
    done = run("remember", "--file", "-", stdin=b'{"content": "a"}\n{"content": "\xff"}\n')

    assert done.exit_code == 1
    assert "-:2: not UTF-8" in done.stderr
    assert [fact["content"] for fact in as_json("list")] == ["a"]


def test_search_json_has_every_promised_key(run: Run, as_json: AsJson) -> None:
    run("remember", "likes tea", "--category", "taste", "--date", "2026-02-08", "--chat", "c1")

    (hit,) = as_json("search", "tea")

    assert hit.keys() >= {
        "id", "content", "category", "importance", "tags", "similarity", "score", "created_at",
        "chat_id", "metadata", "source", "matched",
    }  # fmt: skip
    assert hit["created_at"] == "2026-02-08T00:00:00Z"
    assert hit["source"]["path"] == "memory/2026-02-08.md"
    assert "keyword" in hit["matched"]


def test_explain_shows_parts_that_sum_to_the_score(run: Run, as_json: AsJson) -> None:
    run("remember", "likes tea")
    (hit,) = as_json("search", "tea", "--explain")

    shown = run("search", "tea", "--explain").stdout

    assert sum(hit["parts"].values()) == pytest.approx(hit["score"])
    assert all(name in shown for name in hit["parts"])


def test_since_and_until_take_whole_days(run: Run, as_json: AsJson) -> None:
    for day in ("2026-02-07", "2026-02-08", "2026-02-09"):
        run("remember", f"tea on {day}", "--date", day)

    found = as_json("search", "tea", "--since", "2026-02-08", "--until", "2026-02-08")

    assert [hit["content"] for hit in found] == ["tea on 2026-02-08"]


def test_the_last_day_of_the_calendar_ends_a_search(run: Run) -> None:
    assert run("search", "x", "--until", "9999-12-31").exit_code == 0


def test_no_hits_is_an_empty_list_and_a_note(run: Run, as_json: AsJson) -> None:
    assert as_json("search", "nothing") == []
    assert "no memories found" in run("search", "nothing").stderr


def test_recall_prints_a_block(run: Run, as_json: AsJson) -> None:
    run("remember", "likes tea")

    assert "likes tea" in run("recall", "tea").stdout
    assert "likes tea" in as_json("recall", "tea")["text"]
    assert "no memories" in run("recall", "zebra", "-k", "1").stderr


def test_show_history_and_list(run: Run, as_json: AsJson) -> None:
    old = as_json("remember", "works at Google", "--speaker", "Ann")["id"]
    new = as_json("remember", "works at Microsoft", "--replaces", old)["id"]

    shown = as_json("show", old)

    assert shown["id"] == new
    assert [fact["id"] for fact in shown["history"]] == [old, new]
    assert [fact["id"] for fact in as_json("history", new)] == [old, new]
    assert [fact["id"] for fact in as_json("list")] == [new]
    assert "before: " in run("show", new).stdout
    assert "works at Google" in run("history", new).stdout
    assert run("list", "--category", "none").stdout == ""


def test_list_sorts_by_importance(run: Run, as_json: AsJson) -> None:
    run("remember", "low", "--importance", "0.1")
    run("remember", "high", "--importance", "0.9")

    assert [f["content"] for f in as_json("list", "--sort", "importance")] == ["high", "low"]
    assert [f["content"] for f in as_json("list", "--sort", "importance", "-k", "1")] == ["high"]


def test_forget_names_what_goes_and_needs_a_yes(run: Run, as_json: AsJson) -> None:
    known = as_json("remember", "likes tea")["id"]

    refused = run("forget", known)
    done = run("forget", known, "--yes")

    assert refused.exit_code == 2
    assert "add --yes" in refused.stderr
    assert "likes tea" in done.stderr
    assert done.stdout == "1 fact forgotten\n"
    assert as_json("list") == []


def test_forget_says_where_the_words_still_stand(run: Run, as_json: AsJson) -> None:
    run("transcript", "append", "s1", "likes tea")
    old = as_json("remember", "likes tea")["id"]
    new = as_json("remember", "likes coffee", "--replaces", old)["id"]

    only = run("forget", old, "--only", "--yes")
    both = run("forget", new, new, "--yes", "--transcripts")

    assert "the same words still stand in transcripts/s1.jsonl" in only.stderr
    assert "likes coffee" not in only.stderr
    assert both.stderr.count("likes coffee") == 1


def test_forget_blanks_transcripts_where_it_is_asked_to(run: Run, as_json: AsJson) -> None:
    run("transcript", "append", "s1", "likes tea")
    known = as_json("remember", "likes tea")["id"]

    done = as_json("forget", known, "--yes", "--transcripts")

    assert done == {"forgotten": [known], "erased_turns": 1, "still_in": []}


def test_a_home_without_a_model_is_quiet_about_it(run: Run, as_json: AsJson) -> None:
    done = run("--model", "none", "remember", "likes tea")

    assert done.stderr == ""
    assert run("doctor").stdout == "all is well\n"
    assert as_json("index", "sync")["embedded"] == 0
    assert "keyword only" in run("search", "tea").stderr


def test_a_near_duplicate_is_told(run: Run) -> None:
    run("remember", "prefers green tea in the morning")
    near = run("remember", "prefers green tea in the mornings")
    again = run("remember", "prefers green tea in the morning", "--importance", "0.9")

    assert "similar to " in near.stderr
    assert again.stderr == "known already; importance or tags changed\n"


def test_forget_all_of_a_user_leaves_the_others(run: Run, as_json: AsJson) -> None:
    run("remember", "mine")
    run("--user", "ann", "remember", "hers")

    assert as_json("forget", "--all-of-user", "--yes", "--user", "ann")["facts"] == 1
    assert as_json("list", "--user", "ann") == []
    assert len(as_json("list")) == 1
    assert "forgotten" in run("forget", "--all-of-user", "--yes", "--user", "ann").stdout


def test_blocks_are_set_read_and_listed(run: Run, as_json: AsJson) -> None:
    run("block", "set", "persona", "Brief.")
    run("block", "append", "persona", "-", stdin="Kind.")
    run("block", "set", "context", "a\nb\nc\nd\ne", "--everyone")

    assert run("block", "get", "persona").stdout == "Brief.\nKind.\n"
    assert as_json("block", "get", "context", "--chat", "c9")["content"] == "a\nb\nc\nd\ne"
    assert as_json("block", "list")["persona"] == "Brief.\nKind."
    assert "... 2 more lines" in run("block", "list").stdout
    assert "Kind." in run("context").stdout
    assert "Kind." in as_json("context")["text"]
    assert as_json("block", "set", "user", "x") == {"label": "user", "content": "x"}


def test_log_prints_the_file(run: Run, as_json: AsJson) -> None:
    run("remember", "likes tea", "--date", "2026-02-08")

    assert run("log", "2026-02-08").stdout.startswith("# 2026-02-08\n")
    assert as_json("log", "2026-02-08")["size_bytes"] > 10
    assert as_json("log", "--days") == ["2026-02-08"]
    assert run("log", "--days").stdout == "2026-02-08\n"
    assert "no log for" in run("log").stderr
    assert run("log", "yesterday").exit_code == 2


def test_stats_doctor_and_index(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    run("remember", "likes tea")
    (tmp_path / "home" / "memory" / "2026-02-01.md").write_text("- likes pie\n")

    synced = as_json("index", "sync")

    assert (synced["changed"], synced["embedded"]) == (1, 1)
    assert as_json("stats")["total_memories"] == 2
    assert as_json("doctor")["well"] is True
    assert "all is well" in run("doctor").stdout
    assert as_json("index", "status")["vectors"] == 2
    assert as_json("index", "rebuild")["facts"] == 2
    assert "2 facts of 2 files" in run("index", "rebuild").stdout
    assert "hash" in run("stats").stdout
    assert "vectors" in run("index", "status").stdout
    assert "changed" in run("index", "sync").stdout


def test_doctor_names_a_bad_line_and_exits_1(run: Run, tmp_path: Path) -> None:
    run("remember", "likes tea")
    log = tmp_path / "home" / "memory" / "2026-02-01.md"
    log.write_bytes(b"- bad \xff byte\n")
    log.with_name("notes.md").write_text("x")

    done = run("doctor")

    assert done.exit_code == 1
    assert "memory/2026-02-01.md:1: " in done.stdout
    assert "memory/notes.md: not a daily log" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "mxx"), "no fact 'mxx' of user 'default'; 'litemem list' shows the ids"),
        (("search", "x", "-k", "0"), "limit"),
        (("search", "x", "--in", "moon"), "--in 'moon' is not a list of facts, blocks"),
        (("list", "--offset", "-1"), "offset at least 0"),
        (("remember", "x", "--importance", "2"), "importance 2.0 is not a number from 0 to 1"),
        (("block", "get", "person"), "the blocks are persona, user, facts, context"),
        (("block", "get", "user", "--chat", ".."), "chat id"),
        (("--user", "a/b", "list"), "user id"),
        (("remember", "--file", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_an_expected_error_is_one_line_and_exit_code_1(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    done = run(*arguments)

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("litemem: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("remember",),
        ("remember", "x", "--file", "y"),
        ("remember", "--file", "y", "--category", "z"),
        ("search",),
        ("search", "x", "--mode", "magic"),
        ("search", "x", "--since", "yesterday"),
        ("forget",),
        ("forget", "m1", "--all-of-user"),
        ("remember", "x", "--date", "soon"),
        ("search", "x", "--chat-only"),
        ("log", "2026-02-08", "--days"),
        ("nonsense",),
    ],
)
def test_a_wrong_usage_is_exit_code_2(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_home_and_user_work_before_and_after_the_command(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    run("--home", other, "--user", "ann", "remember", "hers")

    assert [f["content"] for f in as_json("list", "--home", other, "--user", "ann")] == ["hers"]
    assert as_json("--user", "bob", "list", "--home", other, "--user", "ann") != []
    assert as_json("list") == []


def test_the_model_of_a_known_home_stays(run: Run) -> None:
    run("remember", "x")

    done = run("list", "--model", "fast")

    assert done.exit_code == 1
    assert "uses the model 'hash', not 'fast'" in done.stderr


def test_memory_text_cannot_command_a_terminal(run: Run) -> None:
    run("remember", "red \x1b[31m text \x07")

    assert "\x1b" not in run("list").stdout


def test_any_text_prints_on_a_terminal_of_another_encoding(tmp_path: Path) -> None:
    code = (
        "import sys; from litemem.cli import main; "
        "sys.argv = ['litemem', '--home', sys.argv[1], '--model', 'hash', 'block', 'set', "
        "'user', '冲浪']; "
        "import contextlib\nwith contextlib.suppress(SystemExit): main()\n"
        "sys.argv = ['litemem', '--home', sys.argv[2], 'block', 'get', 'user']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "h")],
        capture_output=True,
        env={"PYTHONIOENCODING": "latin-1", "HOME": str(tmp_path)},
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert b"\\u51b2\\u6d6a" in done.stdout


def _leaves(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", leaf) for below, leaf in _leaves(command, context))
        else:
            yield name, command


def test_every_command_has_its_json_its_home_and_its_user() -> None:
    leaves = dict(_leaves(main, click.Context(main)))

    without = {
        name
        for name, command in leaves.items()
        if not {"--json", "--home", "--user"}
        <= {spelled for parameter in command.params for spelled in parameter.opts}
    }

    assert len(leaves) > 30
    servers = {"serve", "ui", "mcp"}  # they print nothing but what they are asked
    assert without - servers == {"demo"}  # its home is thrown away


@pytest.mark.parametrize(
    "group", [[], ["block"], ["index"], ["session"], ["transcript"], ["state"]]
)
def test_help_of_a_group_cuts_no_line(run: Run, group: list[str]) -> None:
    assert "..." not in run(*group, "--help").stdout.replace("[ARGS]...", "")


def test_help_lists_the_commands_without_importing_them() -> None:
    code = (
        "import sys\nfrom litemem.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "bad = [m for m in sys.modules if m in ('apsw', 'litemem.cli.search')]\n"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "remember" in done.stdout
    assert "rebuild the index" in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["search", "tea", "--mode", "keyword"],
        ["list"],
        ["block", "get", "persona"],
        ["log", "2026-02-08"],
    ],
)
def test_keyword_only_commands_import_nothing_heavy(
    run: Run, tmp_path: Path, command: list[str]
) -> None:
    run("remember", "likes tea", "--date", "2026-02-08")
    code = (
        "import sys\nfrom litemem.cli import main\n"
        f"try: main({['--home', str(tmp_path / 'home'), *command]!r})\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'asyncio', 'sqlite_vec'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_a_hit_in_a_session_names_it_and_can_be_opened(run: Run, as_json: AsJson) -> None:
    run("session", "append", "trip", "Day one: the old town by tram.")
    (hit,) = as_json("search", "tram", "--in", "sessions,transcripts", "--mode", "keyword")

    shown = run("search", "tram", "--in", "sessions", "--mode", "keyword").stdout
    around = run("session", "show", "trip", "--around", hit["id"]).stdout

    assert "session trip" in shown
    assert hit["source"]["session"]["id"] == "trip"
    assert "old town" in around


def test_show_and_stats_say_what_was_recalled(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    known = as_json("remember", "likes tea")["id"]
    never = as_json("show", known)
    assert (never["accesses"], never["last_access"]) == (0, None)
    with litemem.open(tmp_path / "home") as memory:
        memory._space.index.record_use("default", [known], NOW)

    assert as_json("show", known)["accesses"] == 1
    assert as_json("show", known)["last_access"] == "2026-02-08T14:05:12Z"
    assert "accesses    1, last 2026-02-08T14:05:12Z" in run("show", known).stdout
    stats = as_json("stats")
    assert (stats["used"], stats["cold"], stats["rate"]) == (1, 0, 1.0)
