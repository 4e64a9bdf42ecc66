"""What each program's log becomes: turns, branches, tools, times and titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from litemem.run.turns import SUMMARY_HEADING
from litemem.session import SessionGraph, SessionStore, verify
from litemem.session.export import export_session
from litemem.session.imports import FileReport, import_sessions
from litemem.session.imports import turns as t
from litemem.session.pieces import preview
from tests.session import samples
from tests.session.turns import turn

AT = 1770559512345


def take(store: SessionStore, path: Path) -> FileReport:
    """Import a file whose sessions are sound afterwards."""
    (report,) = import_sessions(store, [path]).files
    for name in report.new:
        assert verify(store, name).report.findings == ()
    return report


def taken(store: SessionStore, path: Path) -> SessionGraph:
    report = take(store, path)
    assert report.problem is None
    assert len(report.new) == 1
    return store.load_session(report.new[0])


def tree_of(graph: SessionGraph) -> list[str]:
    """Return "parent's words < words" of each node."""
    words = {node.id: preview(node.turn) for node in graph.all()}
    return [f"{words.get(node.parent or '', '')} < {words[node.id]}" for node in graph.all()]


def blocks_of(graph: SessionGraph, words: str) -> list[dict[str, Any]]:
    found = next(node for node in graph.all() if preview(node.turn).startswith(words))
    return list(found.turn["blocks"])


def test_claude_code_keeps_branches_tools_sidechains_and_the_title(
    store: SessionStore, tmp_path: Path
) -> None:
    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", samples.claude_code()))

    assert graph.session_id == f"claude-code-{samples.SESSION}"
    assert graph.marks.name == "Bug hunt"
    call = '(thinks) hm → Read {"file_path":"a.py"}'
    assert tree_of(graph) == [
        " < Fix the bug",
        f"Fix the bug < {call}",
        f"{call} < look around",
        "look around < looked",
        f"{call} < ← no such file",
        "← no such file < It is in a.py",
        "It is in a.py < first try",
        "It is in a.py < second try",
    ]
    assert graph.leaf == graph.all()[-1].id
    assert graph.all()[0].created_at == AT
    assert blocks_of(graph, "(thinks)") == [
        {"kind": "thinking", "text": "hm", "signature": "sig"},
        {"kind": "tool_call", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}},
    ]
    result = next(node.turn for node in graph.all() if node.turn["role"] == "tool")
    assert result["blocks"] == [
        {"kind": "tool_result", "callId": "t1", "output": "no such\nfile", "isError": True}
    ]
    assert blocks_of(graph, "second")[1] == t.image("image/png", "AA==")


def test_what_claude_code_logs_beside_messages_is_counted(
    store: SessionStore, tmp_path: Path
) -> None:
    records = [
        *samples.claude_code(),
        samples.claude_message("e", "u3", "assistant", []),
        samples.claude_message("f", "e", "user", [{"type": "new"}, "bare"]),
        {**samples.claude_message("g", "f", "user", ""), "message": "error"},
        {"silly": 1},
    ]

    report = take(store, samples.write_lines(tmp_path / "x.jsonl", records))

    assert report.skipped == {
        "record of type file-history-snapshot": 1,
        "record of type progress": 1,
        "record of type ?": 1,
        "block of type new": 1,
        "message without content": 2,
    }
    graph = store.load_session(report.new[0])
    assert tree_of(graph)[-1] == "second try < bare"


def test_a_condensation_of_claude_code_is_one_of_ours(store: SessionStore, tmp_path: Path) -> None:
    records = [
        *samples.claude_code(),
        {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": "b1",
            "parentUuid": None,
            "logicalParentUuid": "u3",
            "sessionId": samples.SESSION,
            "compactMetadata": {"trigger": "auto", "preTokens": 155000},
        },
        samples.claude_message("k1", "b1", "user", "We fixed it", isCompactSummary=True),
        samples.claude_message("u4", "k1", "user", "Next"),
    ]

    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", records))

    assert tree_of(graph)[-1] == "second try < Next"
    (cut,) = graph.marks.compactions.values()
    assert cut.tokens_before == 155000
    texts = [preview(one) for one in graph.context().turns()]
    assert texts == [f"{SUMMARY_HEADING} We fixed it", "Next"]
    assert len(graph.path_to(graph.leaf or "")) == 6


def test_a_log_that_starts_with_a_summary_has_it_as_a_turn(
    store: SessionStore, tmp_path: Path
) -> None:
    records = [samples.claude_message("k", "gone", "user", "Before", isCompactSummary=True)]

    assert tree_of(taken(store, samples.write_lines(tmp_path / "x.jsonl", records))) == [
        " < Before"
    ]


def test_a_file_of_a_subagent_alone_is_its_own_session(store: SessionStore, tmp_path: Path) -> None:
    records = [
        samples.claude_message("s1", None, "user", "look", isSidechain=True, agentId="a7"),
        samples.claude_message("s2", "gone", "assistant", "ok", isSidechain=True, agentId="a7"),
    ]

    graph = taken(store, samples.write_lines(tmp_path / "agent-a7.jsonl", records))

    assert graph.session_id == f"claude-code-{samples.SESSION}-agent-a7"
    assert tree_of(graph) == [" < look", "look < ok"]


def test_a_file_named_by_a_uuid_is_that_session(store: SessionStore, tmp_path: Path) -> None:
    name = "12345678-1111-4222-8333-444455556666"

    graph = taken(store, samples.write_lines(tmp_path / f"{name}.jsonl", samples.claude_code()))

    assert graph.session_id == f"claude-code-{name}"


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        ([{"type": "summary", "summary": "Of another", "leafUuid": "gone"}], None),
        (
            [
                {"type": "custom-title", "customTitle": "Mine"},
                {"type": "ai-title", "aiTitle": "Its"},
            ],
            "Mine",
        ),
    ],
)
def test_the_title_a_person_gave_wins_and_another_session_s_doesn_t_count(
    store: SessionStore, tmp_path: Path, titles: list[dict[str, Any]], name: str | None
) -> None:
    records = [*samples.claude_code()[:-1], *titles]

    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", records))

    assert graph.marks.name == name


def test_codex_keeps_tools_with_their_outcome_and_reasoning(
    store: SessionStore, tmp_path: Path
) -> None:
    report = take(store, samples.write_lines(tmp_path / "rollout-x.jsonl", samples.codex()))

    graph = store.load_session("codex-0199-abc")
    assert [preview(node.turn) for node in graph.all()] == [
        "Run the tests",
        "(thinks) plan",
        '→ shell {"command":["pytest"]}',
        "← 1 failed",
        '→ local_shell {"command":["ls"]}',
        "← a.py",
        "One test fails",
    ]
    assert [node.turn["role"] for node in graph.all()][3:5] == ["tool", "assistant"]
    assert blocks_of(graph, "← 1")[0]["isError"] is True
    assert blocks_of(graph, "Run")[1] == t.image("image/png", "AA==")
    assert report.skipped == {
        "message that Codex put in itself": 1,
        "message of the developer role": 1,
        "record of type event_msg": 1,
        "reasoning without text": 1,
        "item of type ghost_snapshot": 1,
    }


def test_older_codex_logs_have_bare_items(store: SessionStore, tmp_path: Path) -> None:
    report = take(store, samples.write_lines(tmp_path / "x.jsonl", samples.codex_older()))

    assert report.new == ("codex-old-1",)
    assert tree_of(store.load_session("codex-old-1")) == [" < Hello", "Hello < Hi"]
    assert report.skipped == {"record of type ?": 1}


def test_a_codex_log_without_its_first_record_is_called_after_the_file(
    store: SessionStore, tmp_path: Path
) -> None:
    path = samples.write_lines(tmp_path / "rollout-9.jsonl", samples.codex_older()[2:])

    assert taken(store, path).session_id == "codex-rollout-9"


def test_a_condensation_of_codex_is_one_of_ours(store: SessionStore, tmp_path: Path) -> None:
    cut = {
        "timestamp": "2026-02-08T15:00:00Z",
        "type": "compacted",
        "payload": {"message": "Tests were run"},
    }
    after = samples.codex()[-1]
    records = [*samples.codex(), cut, {**after, "timestamp": "2026-02-08T15:00:01Z"}]

    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", records))

    assert [preview(one) for one in graph.context().turns()] == [
        f"{SUMMARY_HEADING} Tests were run",
        "One test fails",
    ]


@pytest.mark.parametrize(
    ("output", "kept", "failed"),
    [
        ("plain", "plain", None),
        ("[1]", "[1]", None),
        ('{"x": 1}', '{"x": 1}', None),
        ({"content": "no", "success": False}, "no", True),
        ([{"type": "input_image"}], [{"type": "input_image"}], None),
        (None, None, None),
    ],
)
def test_the_output_of_a_codex_tool_is_unwrapped(
    store: SessionStore, tmp_path: Path, output: object, kept: object, failed: object
) -> None:
    item = {"type": "function_call_output", "call_id": "c", "output": output}

    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", [item]))

    (block,) = graph.all()[0].turn["blocks"]
    assert (block["output"], block.get("isError")) == (kept, failed)


def test_pi_keeps_branches_labels_condensations_and_its_name(
    store: SessionStore, tmp_path: Path
) -> None:
    report = take(store, samples.write_lines(tmp_path / "x.jsonl", samples.pi()))

    graph = store.load_session("pi-pi-1")
    call = '(thinks) hm → read {"path":"a.py"}'
    assert tree_of(graph) == [
        " < Fix it",
        f"Fix it < {call}",
        f"{call} < ← code [image image/png]",
        "← code [image image/png] < Done",
        "Done < a.py",
        f"{call} < The other way",
        "The other way < Note",
        "Note < Go on",
    ]
    assert graph.marks.name == "Repairs"
    assert list(graph.marks.labels.values()) == ["good"]
    (cut,) = graph.marks.compactions.values()
    done = next(node.id for node in graph.all() if preview(node.turn) == "Done")
    assert (cut.leaf, cut.first_kept, cut.tokens_before) == (done, done, 900)
    assert report.skipped == {"entry of type model_change": 1, "message without content": 1}
    assert blocks_of(graph, "a.py")[0] == {"kind": "command", "command": "bash", "args": "ls"}


def test_first_versions_of_pi_have_no_ids(store: SessionStore, tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {"type": "session", "id": "v1", "timestamp": "2025-11-20T23:33:50.805Z"},
        {"type": "message", "message": {"role": "user", "content": "a", "timestamp": AT}},
        {"type": "message", "message": {"role": "assistant", "content": ["b"]}},
        {"type": "compaction", "summary": "so far", "firstKeptEntryIndex": 2, "tokensBefore": 9},
        {"type": "message", "message": {"role": "compactionSummary", "summary": "so far"}},
    ]

    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", records))

    nodes = graph.all()
    assert tree_of(graph) == [" < a", "a < b", "b < so far"]
    assert [node.created_at for node in nodes] == [AT, AT, AT]
    (cut,) = graph.marks.compactions.values()
    assert cut.first_kept == nodes[1].id


def test_a_pi_condensation_without_anything_before_is_counted(
    store: SessionStore, tmp_path: Path
) -> None:
    records: list[dict[str, Any]] = [
        {"type": "session", "id": "v1"},
        {"type": "compaction", "id": "c", "parentId": "gone", "summary": "x"},
        {"type": "label", "id": "l", "parentId": None, "targetId": "gone", "label": "x"},
        {"type": "message", "id": "m", "message": {"role": "user", "content": "a"}},
    ]

    report = take(store, samples.write_lines(tmp_path / "x.jsonl", records))

    assert report.skipped == {"condensation of nothing": 1}
    assert report.turns == 1


def test_chatgpt_keeps_edits_tools_and_the_current_branch(
    store: SessionStore, tmp_path: Path
) -> None:
    path = samples.write_json(tmp_path / "conversations.json", [samples.chatgpt()])

    report = take(store, path)

    graph = store.load_session("chatgpt-c-1")
    question = "Plan a trip [image_asset_pointer file-service://x] spoken"
    assert tree_of(graph) == [
        f" < {question}",
        f"{question} < (thinks) Think of trains",
        "(thinks) Think of trains < → python 1 + 1",
        "→ python 1 + 1 < ← 2",
        "← 2 < Take the train",
        " < Plan a walk",
        "Plan a walk < Walk",
    ]
    assert blocks_of(graph, "← 2")[0]["callId"] == blocks_of(graph, "→ python")[0]["id"]
    assert preview(graph.path_to(graph.leaf or "")[-1]) == "Take the train"
    assert graph.marks.name == "Trip"
    assert graph.all()[0].created_at == AT
    assert graph.all()[-1].created_at == 1770559500000
    assert report.skipped == {"system message": 1, "message without content": 1}


def test_a_cycle_of_chatgpt_is_cut_where_its_first_message_stands(
    store: SessionStore, tmp_path: Path
) -> None:
    links = {"below": "a", "a": "c", "b": "a", "c": "b", "x": "x", "ok": None}
    mapping = {key: samples.chat_node(key, parent, "user", key) for key, parent in links.items()}
    path = samples.write_json(tmp_path / "conversations.json", {"id": "1", "mapping": mapping})

    report = take(store, path)

    graph = store.load_session("chatgpt-1")
    assert sorted(tree_of(graph)) == [" < a", " < ok", " < x", "a < b", "a < below", "b < c"]
    assert report.skipped == {"cycle": 2}


def test_odd_nodes_of_chatgpt_cost_only_themselves(store: SessionStore, tmp_path: Path) -> None:
    loop = {"a": {"parent": "b"}, "b": {"parent": "a"}, "c": None}
    odd = {"mapping": {**loop, "d": samples.chat_node("d", "gone", "critic", {"result": "x"})}}

    graph = taken(store, samples.write_json(tmp_path / "conversations.json", odd))

    assert (graph.session_id, tree_of(graph)) == ("chatgpt-None", [" < x"])
    assert graph.marks.name is None


def test_claude_ai_keeps_retries_attachments_and_tools(store: SessionStore, tmp_path: Path) -> None:
    path = samples.write_json(tmp_path / "conversations.json", [samples.claude_ai()])

    report = take(store, path)

    graph = store.load_session("claude-ai-ai-1")
    question = "What grows? [attached soil.txt] sandy [file a.png]"
    assert tree_of(graph) == [
        f" < {question}",
        f"{question} < Carrots",
        f"{question} < Leeks",
        "Leeks < Thanks",
    ]
    assert [block["kind"] for block in blocks_of(graph, "Carrots")] == [
        "thinking",
        "tool_call",
        "tool_result",
        "text",
    ]
    assert graph.marks.name == "Garden"
    assert report.skipped == {"block of type token_budget": 1, "message without content": 1}


def test_older_exports_of_claude_ai_are_one_path(store: SessionStore, tmp_path: Path) -> None:
    old = samples.claude_ai(branches=False)
    old["chat_messages"].append({"sender": "human", "text": "Bye"})
    old["name"] = ""

    graph = taken(store, samples.write_json(tmp_path / "conversations.json", [old]))

    assert [preview(one) for one in graph.path_to(graph.leaf or "")][1:] == [
        "Carrots",
        "Leeks",
        "Thanks",
        "Bye",
    ]
    assert graph.marks.name is None


def test_the_leaf_that_claude_ai_names_is_the_head(store: SessionStore, tmp_path: Path) -> None:
    named = {**samples.claude_ai(), "current_leaf_message_uuid": "m2"}

    graph = taken(store, samples.write_json(tmp_path / "conversations.json", [named]))

    assert preview(graph.path_to(graph.leaf or "")[-1]) == "Carrots"


def test_our_own_sessions_come_over_as_they_are(
    store: SessionStore, graph: SessionGraph, tmp_path: Path
) -> None:
    first = graph.all()[0].id
    graph.branch_from(first)
    store.append_turn(graph, turn("side"), fork=True)
    store.label("s", first, "start")
    store.rename("s", "Mine")
    store.archive("s")
    summary = {"role": "user", "blocks": [{"kind": "text", "text": SUMMARY_HEADING}]}
    store.compact(store.load_session("s"), summary, at=1)
    path = store.folder.root / "s.jsonl"
    with path.open("ab") as file:
        file.write(b'{"type":"other"}\nbad\n')
    other = SessionStore(tmp_path / "other", fsync=False)

    report = take(other, path)
    again = take(other, path)

    copy, source = other.load_session("s"), store.load_session("s")
    assert copy.all() == source.all()
    assert copy.leaf == source.leaf
    assert copy.marks == source.marks
    assert report.skipped == {"record of another type": 1, "bad line": 1}
    assert (again.turns, again.grown, again.same) == (0, (), 1)


def test_a_redacted_node_comes_over_redacted(
    store: SessionStore, graph: SessionGraph, tmp_path: Path
) -> None:
    from litemem.session import redact_node

    redact_node(store, "s", graph.all()[1].id)
    other = SessionStore(tmp_path / "other", fsync=False)

    take(other, store.folder.root / "s.jsonl")

    assert verify(other, "s").redacted == (graph.all()[1].id,)


def test_our_exports_come_back_as_they_were(
    store: SessionStore, graph: SessionGraph, tmp_path: Path
) -> None:
    from litemem.session import redact_node

    first = graph.all()[0].id
    graph.branch_from(first)
    store.append_turn(graph, turn('a "mapping"'), fork=True)
    store.label("s", first, "start")
    store.rename("s", 'Mine "x"')
    store.archive("s")
    redact_node(store, "s", graph.all()[1].id)
    summary = {"role": "user", "blocks": [{"kind": "text", "text": SUMMARY_HEADING}]}
    store.compact(store.load_session("s"), summary, at=1)
    source = store.load_session("s")
    text = "".join(export_session(source, "json"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "any name.json").write_text(text, encoding="utf-8")
    other = SessionStore(tmp_path / "other", fsync=False)

    report, again = (take(other, tmp_path / "out") for _ in range(2))

    copy = other.load_session("s")
    assert (report.format, report.skipped, copy.all()) == ("own", {}, source.all())
    assert "".join(export_session(copy, "json")) == text
    assert (again.turns, again.grown, again.same) == (0, (), 1)
    assert take(store, tmp_path / "out" / "any name.json").same == 1


def test_odd_parts_of_our_exports_cost_only_themselves(store: SessionStore, tmp_path: Path) -> None:
    node = {"id": "aa", "parent": None, "turn": turn("x"), "createdAt": None}
    odd = {"id": "../x", "name": None, "archived": False, "leaf": None, "labels": {"aa": 3}}

    path = samples.write_json(tmp_path / "x.json", {**odd, "nodes": [node, 5]})
    (report,) = import_sessions(store, [path]).files

    assert report.new[0].startswith("session-")
    assert report.skipped == {"bad record": 3}  # a number for a node, one for a label, no time
    assert [node.id for node in store.load_session(report.new[0]).all()] == ["aa"]


def test_our_transcripts_become_one_path(store: SessionStore, tmp_path: Path) -> None:
    ts = "2026-02-08T14:05:12.345Z"
    action = {"tool": "read", "args": {"p": 1}, "output": "x"}
    records: Iterable[object] = [
        {"ts": ts, "role": "user", "content": "Hello"},
        {"ts": ts, "role": "assistant", "content": "", "actions": [action, {"name": "w"}]},
        {"ts": ts, "role": "system", "content": "note"},
        {"ts": ts, "role": "user", "content": ""},
    ]

    report = take(store, samples.write_lines(tmp_path / "tg-1.jsonl", records))

    graph = store.load_session("tg-1")
    assert [preview(node.turn) for node in graph.all()][::2] == ["Hello", "note"]
    assert [block["kind"] for block in graph.all()[1].turn["blocks"]] == [
        "tool_call",
        "tool_result",
        "tool_call",
    ]
    assert graph.all()[0].created_at == AT
    assert report.skipped == {"turn without content": 1}


def test_the_summary_heading_is_the_one_that_runs_know() -> None:
    assert t.SUMMARY_HEADING == SUMMARY_HEADING


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        ("2026-02-08T14:05:12.345Z", AT),
        ("2026-02-08T14:05:12.345", AT),
        (AT, AT),
        (AT / 1000, AT),
        (0, 0),
        ("nonsense", None),
        (True, None),
        (float("inf"), None),
        (-1, None),
        (None, None),
        ("0001-01-01T00:00:00Z", None),
    ],
)
def test_times_are_read_in_each_program_s_form(value: object, ms: int | None) -> None:
    assert t.time_ms(value) == ms


def test_an_id_that_is_no_file_name_is_hashed() -> None:
    assert t.session_name("codex", "a/b") == "codex-c14cddc033f64b9d"
    assert Counter(t.session_name("codex", name) for name in ("a", "A", "a b")).total() == 3


def test_arguments_of_a_tool_that_are_no_json_stay_text() -> None:
    assert t.tool_call("c", "n", "{half")["input"] == "{half"
    assert t.tool_call("c", "n", "ls -l")["input"] == "ls -l"


def test_output_of_a_claude_code_tool_that_isn_t_text_stays(
    store: SessionStore, tmp_path: Path
) -> None:
    picture = {"type": "image", "source": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [picture]}
    records = [samples.claude_message("u", None, "user", [result])]

    graph = taken(store, samples.write_lines(tmp_path / "x.jsonl", records))

    assert graph.all()[0].turn["blocks"][0]["output"] == [picture]
