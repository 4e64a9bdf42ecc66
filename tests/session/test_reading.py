"""Every oddity of a session file: reported, never a hang or a crash, and the rest loads."""

import json
import time
from pathlib import Path

import pytest

from litemem.errors import BrokenLineage, FormatError
from litemem.session import SessionGraph, SessionNode, SessionStore, hash_node
from litemem.session.records import Head, Record, format_record
from litemem.text.jsjson import MAX_DEPTH
from tests.session.turns import path_of, said, turn


def node(text: str, parent: str | None = None, at: float = 1) -> SessionNode:
    wire = turn(text)
    return SessionNode(id=hash_node(parent, wire, at), parent=parent, turn=wire, created_at=at)


def raw_node(node_id: str, parent: str | None) -> bytes:
    body = {"id": node_id, "parent": parent, "turn": turn(node_id), "createdAt": 1}
    return json.dumps({"type": "node", "node": body}).encode() + b"\n"


def head(leaf: str | None) -> bytes:
    return format_record(Head(leaf=leaf))


A = node("a")
B = node("b", A.id)
RECORDS: list[Record] = [A, Head(leaf=A.id), B, Head(leaf=B.id)]
GOOD = b"".join(map(format_record, RECORDS))


def load(store: SessionStore, data: bytes, *, check_ids: bool = False) -> SessionGraph:
    store.folder.root.mkdir(parents=True, exist_ok=True)
    path_of(store).write_bytes(data)
    return store.load_session("s", check_ids=check_ids)


def findings(graph: SessionGraph) -> list[tuple[str, int]]:
    return [(finding.kind, finding.line) for finding in graph.report.findings]


def test_a_sound_file_has_no_findings(store: SessionStore) -> None:
    graph = load(store, GOOD, check_ids=True)

    assert (graph.size, graph.leaf, findings(graph)) == (2, B.id, [])
    assert graph.report.path == path_of(store)
    assert graph.head is not None
    assert (graph.head.session_id, graph.head.leaf) == ("s", B.id)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        b"\n\n \t\n" + GOOD + b"\n\xc2\xa0\n",
        GOOD[:-1],
        GOOD.replace(b'","', b'", "').replace(b'":"', b'" : "'),
    ],
)
def test_bom_crlf_and_blanks_are_no_oddity(store: SessionStore, data: bytes) -> None:
    graph = load(store, data, check_ids=True)

    assert (graph.size, graph.leaf, findings(graph)) == (2, B.id, [])


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"meta","x":NaN}',
        b'{"type":"meta","x":-Infinity}',
        b"{oops",
        b"\0\0\0\0",
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b"[" * 5_000_000,
        b'{"type":"node",' * 300_000,
        b'"' + b"x" * 50_000_000,
        b'{"type":"meta","n":' + b"9" * 5_000 + b"}",
        b'{"type":"head","leaf":"a\nb"}',
    ],
    ids=["nan", "inf", "oops", "nul", "nested", "open", "nodes", "50 MB", "digits", "lf"],
)
def test_a_bad_line_costs_itself_alone(store: SessionStore, line: bytes) -> None:
    start = time.monotonic()
    graph = load(store, GOOD + line + b"\n" + head(A.id))

    assert {kind for kind, _ in findings(graph)} == {"bad line"}
    assert (graph.size, graph.leaf) == (2, A.id)
    assert said(store.resume("s", last_n=3)) == ["a"]
    assert time.monotonic() - start < 20


def test_a_line_of_50_mb_is_read_and_appended_to(store: SessionStore) -> None:
    big = node("x" * 50_000_000, B.id)
    graph = load(store, GOOD + format_record(big) + format_record(Head(leaf=big.id)))
    store.append_turn(graph, turn("after"))

    assert findings(store.load_session("s")) == []
    assert len(str(store.resume("s", last_n=2))) > 50_000_000


def test_a_torn_end_is_told_from_a_bad_line(store: SessionStore) -> None:
    assert findings(load(store, GOOD + b"{oops")) == [("torn line", 5)]
    assert findings(load(store, GOOD + b"{oops\n")) == [("bad line", 5)]


def test_strict_raises_for_the_first_finding(store: SessionStore) -> None:
    load(store, b"{oops\n" + GOOD + b"{torn")

    with pytest.raises(FormatError, match=r"s\.jsonl:1: bad line"):
        store.load_session("s", strict=True)
    load(store, GOOD + head("nope"))
    with pytest.raises(FormatError, match=r"s\.jsonl:5: unknown head"):
        store.load_session("s", strict=True)


def test_bad_bytes_are_shown_as_replacements_and_reported(store: SessionStore) -> None:
    graph = load(store, GOOD.replace(b'"text":"b"', b'"text":"\xff"'))

    assert said(graph.path_to(B.id)) == ["a", "\ufffd"]
    assert findings(graph) == [("bad bytes", 3)]


def test_a_lone_surrogate_is_no_oddity(store: SessionStore) -> None:
    half = node("x\ud83d")
    graph = load(store, format_record(half) + format_record(Head(leaf=half.id)), check_ids=True)

    assert said(graph.resume(half.id)) == ["x\ud83d"]
    assert findings(graph) == []


def test_a_node_no_head_leads_to_is_reported(store: SessionStore) -> None:
    c = node("c", B.id)
    graph = load(store, GOOD + format_record(c))

    assert (graph.size, graph.leaf) == (3, B.id)
    assert findings(graph) == [("node without head", 5)]


def test_a_head_vouches_for_all_ancestors(store: SessionStore) -> None:
    nodes = [A, B, node("c", B.id)]
    graph = load(store, b"".join(map(format_record, nodes)) + head(nodes[-1].id))

    assert findings(graph) == []


@pytest.mark.parametrize("leaf", ["nope", None])
def test_the_last_known_head_counts(store: SessionStore, leaf: str | None) -> None:
    graph = load(store, GOOD + head(A.id) + head(leaf))

    assert graph.leaf == A.id
    assert findings(graph) == [("unknown head", 6)]


def test_of_two_heads_in_one_line_the_last_counts(store: SessionStore) -> None:
    for leaf, other in ((A.id, B.id), (B.id, A.id)):
        graph = load(store, GOOD + head(leaf) + head(other)[:-1] + head(leaf))

        assert (graph.leaf, SessionStore(store.folder.root).revision("s").leaf) == (leaf, leaf)


def test_a_head_before_its_node_counts_by_its_place(store: SessionStore) -> None:
    a, b = format_record(A), format_record(B)

    assert load(store, head(B.id) + a + b + head(A.id)).leaf == A.id
    assert load(store, head(A.id) + head(B.id) + a + b).leaf == B.id


def test_an_orphan_is_reported_and_named_when_resumed(store: SessionStore) -> None:
    orphans = raw_node("y", "x") + raw_node("x", "gone")
    graph = load(store, GOOD + orphans + head("y"))

    assert findings(graph) == [("orphan", 6)]
    with pytest.raises(BrokenLineage, match='missing node "gone"'):
        graph.path_to("y")


@pytest.mark.parametrize(
    ("nodes", "line"),
    [
        (raw_node("x", "x"), 5),
        (raw_node("x", "y") + raw_node("y", "x"), 5),
        (raw_node("z", "y") + raw_node("x", "y") + raw_node("y", "x"), 7),
    ],
)
def test_a_cycle_is_reported_once_and_never_followed(
    store: SessionStore, nodes: bytes, line: int
) -> None:
    graph = load(store, GOOD + nodes + head("x"))

    assert [finding for finding in findings(graph) if finding[0] == "cycle"] == [("cycle", line)]
    with pytest.raises(BrokenLineage, match="its own ancestor"):
        graph.resume("x")
    context = graph.context("x").turns()
    assert context == store.resume("s") == store.resume("s", last_n=50)
    assert graph.gap("x") == (
        graph.readable_nodes("x")[0].id,
        graph.readable_nodes("x")[0].parent,
        True,
    )


def test_a_long_chain_of_orphans_is_no_quadratic_wait(store: SessionStore) -> None:
    chain = b"".join(raw_node(f"n{i}", f"n{i - 1}") for i in range(30_000, 0, -1))
    start = time.monotonic()
    graph = load(store, chain)

    assert [kind for kind, _ in findings(graph)].count("orphan") == 1
    assert time.monotonic() - start < 20


def test_of_two_nodes_with_one_id_the_last_counts(store: SessionStore) -> None:
    graph = load(
        store, raw_node("x", None) + head("x") + raw_node("x", None).replace(b'"x"}', b'"new"}')
    )

    assert said(graph.path_to("x")) == ["new"]
    assert findings(graph) == [("duplicate id", 3)]


def test_ids_are_checked_only_when_asked(store: SessionStore) -> None:
    data = GOOD.replace(b'"text":"b"', b'"text":"B"')

    assert findings(load(store, data)) == []
    assert findings(load(store, data, check_ids=True)) == [("id mismatch", 3)]


def test_an_id_that_cannot_be_checked_is_reported(store: SessionStore) -> None:
    deep = b'{"a":' * (MAX_DEPTH + 50) + b"1" + b"}" * (MAX_DEPTH + 50)
    line = b'{"type":"node","node":{"id":"x","parent":null,"turn":%s,"createdAt":1}}\n' % deep
    graph = load(store, line + head("x"), check_ids=True)

    assert findings(graph) == [("id mismatch", 1)]
    assert "nested" in graph.report.findings[0].detail


@pytest.mark.parametrize(
    ("record", "size"),
    [
        ('{"type":"node","node":{"id":7,"parent":null,"turn":{},"createdAt":1}}', 0),
        ('{"type":"node","node":{"id":"x","parent":7,"turn":{},"createdAt":1}}', 0),
        ('{"type":"node","node":{"id":"x","parent":null,"turn":[],"createdAt":1}}', 1),
        ('{"type":"node","node":{"id":"x","parent":null,"turn":{},"createdAt":"1"}}', 1),
        ('{"type":"node","node":[]}', 0),
        ('{"type":"label","label":"x"}', 0),
        ('{"type":"label","node":"x","label":7}', 0),
        ('{"type":"name","name":[]}', 0),
        ('{"type":"archive"}', 0),
        ('{"type":"redaction"}', 0),
        ('{"type":"compaction","id":"c","leaf":"x","firstKept":null,"pinned":[1],"summary":{}}', 0),
        ('{"type":"compaction","id":"c","leaf":"x","firstKept":null}', 0),
    ],
)
def test_a_record_with_wrong_fields_is_reported(
    store: SessionStore, record: str, size: int
) -> None:
    graph = load(store, record.encode() + b"\n")

    assert graph.size == size
    assert ("bad record", 1) in findings(graph)


def test_unknown_records_are_counted(store: SessionStore) -> None:
    graph = load(store, b'{"type":"meta"}\n{"type":"custom"}\n{"type":["node"]}\n' + GOOD)

    assert (graph.report.skipped, findings(graph), graph.size) == (2, [("bad record", 3)], 2)


@pytest.mark.parametrize(
    ("at", "year"),
    [
        ("2026-02-08T14:00:00Z", 2026),
        ("2026-02-08T14:00", 2026),
        (7, 1970),
        ("x", 1970),
        ("0001-01-01T00:00:00+23:00", 1970),
    ],
)
def test_a_condensation_counts_whatever_its_time(
    store: SessionStore, at: object, year: int
) -> None:
    record = {
        "type": "compaction",
        "id": "c",
        "leaf": B.id,
        "firstKept": B.id,
        "summary": turn("sum"),
        "tokensBefore": "many",
        "at": at,
    }
    graph = load(store, GOOD + json.dumps(record).encode() + b"\n")

    assert graph.marks.compactions["c"].at.year == year
    assert said(graph.resume(B.id)) == ["sum", "b"]


def torn(record: Record, keep: int) -> bytes:
    return format_record(record)[:keep]


def test_a_record_glued_to_a_torn_one_is_found(store: SessionStore) -> None:
    c = node("c", B.id)
    glued = torn(node("lost", B.id), 60) + format_record(c) + format_record(Head(leaf=c.id))
    graph = load(store, GOOD + glued)

    assert said(graph.path_to(str(graph.leaf))) == ["a", "b", "c"]
    assert findings(graph) == [("glued line", 5)]


def test_tool_output_in_a_torn_line_is_no_record(store: SessionStore) -> None:
    fake = {
        "type": "node",
        "node": {"id": "x", "parent": B.id, "turn": turn("fake"), "createdAt": 1},
    }
    result = {"role": "tool", "blocks": [{"kind": "tool_result", "callId": "c", "output": fake}]}
    real = SessionNode(id="y", parent=B.id, turn=result, created_at=1)
    line = format_record(real)
    end = line.index(b"}]") - 1
    for cut in range(end - 20, len(line)):
        graph = load(store, GOOD + line[:cut] + b"\n")
        assert graph.get("x") is None


def test_two_records_in_one_line_both_count(store: SessionStore) -> None:
    graph = load(store, GOOD.replace(b"\n", b"", 1) + b"{}junk\n[1][2]\n")

    assert graph.leaf == B.id
    assert set(findings(graph)) == {
        ("glued line", 1),
        *((kind, line) for kind in ("bad line", "bad record") for line in (4, 5)),
    }


def test_other_keys_of_a_node_are_kept(store: SessionStore, tmp_path: Path) -> None:
    data = GOOD.replace(b'"createdAt":1}', b'"createdAt":1,"tag":{"2":1,"a":[]}}')
    other = SessionStore(tmp_path / "other", fsync=False)
    for stored in load(store, data).all():
        other.append_node("s", stored)

    assert path_of(other).read_bytes() == data
