"""The reference's behaviour, case by case; what ours does differently is in OVERRIDDEN."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from litemem.errors import BrokenLineage, FormatError, InvalidName, SessionError
from litemem.session import SessionGraph, SessionNode, SessionStore, hash_node
from litemem.text import jsjson

Case: TypeAlias = dict[str, Any]  # one case of the file, each section with its own keys
DATA = Path(__file__).parents[1] / "data"
CASES: dict[str, list[Case]] = json.loads((DATA / "runtime-vectors.json").read_bytes())

STRICT = "a bad line is a finding of the report; only strict=True raises"
OVERRIDDEN = {
    **dict.fromkeys(
        [
            "garbage_middle",
            "torn_then_appended",
            "nan_token",
            "trailing_comma",
            "two_objects_one_line",
            "nul_bytes_tail",
            "node_record_without_node",
            "node_null",
            "migrator_throws",
        ],
        STRICT,
    ),
    "mixed": "ids that are no file names, and folders, are left out",
    **dict.fromkeys(
        ["a/b", "../esc", ".", "", "/abs", "a\\b", "con", "xxx…×249", "trailing."],
        "an id is one file name on every system, of at most 200 bytes",
    ),
}


def cases(section: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", CASES[section], ids=lambda case: case["id"])


def ticks(times: list[float]) -> Callable[[], float]:
    """Return a clock that gives these times, the last one again and again."""

    def forever() -> Iterator[float]:
        yield from times
        while True:
            yield times[-1]

    return forever().__next__


def node_of(wire: Case) -> SessionNode:
    return SessionNode(
        id=wire["id"], parent=wire["parent"], turn=wire["turn"], created_at=wire["createdAt"]
    )


@cases("hash_node")
def test_node_ids_are_those_of_node_js(case: Case) -> None:
    turn, created_at = jsjson.loads(case["turn_json"]), jsjson.loads(case["created_at_json"])

    assert hash_node(case["parent"], turn, created_at) == case["expected"]


class Player:
    """Plays a case's operations on a graph, with names for the nodes it makes."""

    def __init__(self, graph: SessionGraph) -> None:
        self.graph = graph
        self.names: dict[str, str] = {}

    def play(self, name: str, *args: Any) -> Any:  # noqa: ANN401 - as the case has it
        try:
            return getattr(self, name)(*args)
        except SessionError as error:
            return {"error": str(error)}

    def id(self, name: str) -> str:
        return name[1:] if name.startswith("=") else self.names[name]

    def append(self, turn: Case, name: str) -> Case:
        node = self.graph.append(turn)
        self.names[name] = node.id
        return {"id": node.id, "parent": node.parent, "createdAt": node.created_at}

    def leaf(self) -> str | None:
        return self.graph.leaf

    def size(self) -> int:
        return self.graph.size

    def all(self) -> list[str]:
        return [node.id for node in self.graph.all()]

    def get(self, name: str) -> str | None:
        node = self.graph.get(self.id(name))
        return None if node is None else node.id

    def pathTo(self, name: str) -> list[str]:  # noqa: N802 - the case's name
        return texts(self.graph.path_to(self.id(name)))

    def resume(self, name: str) -> list[str]:
        return texts(self.graph.resume(self.id(name)))

    def branchFrom(self, name: str) -> str:  # noqa: N802 - the case's name
        return self.graph.branch_from(self.id(name)).id


def texts(turns: list[Any]) -> list[str]:
    return [turn["blocks"][0]["text"] for turn in turns]


@cases("graph")
def test_graphs_behave_as_the_reference(case: Case) -> None:
    clock, stored = ticks(case["clock"]), case["hydrate"]
    graph = SessionGraph("s", clock)
    if stored is not None:
        nodes = [node_of(wire) for wire in stored["nodes"]]
        graph = SessionGraph.hydrate("s", nodes, stored["leaf"], clock)
    player = Player(graph)

    assert [player.play(*op) for op in case["ops"]] == case["expected"]


def loaded(graph: SessionGraph) -> Case:
    path: object = None
    if graph.leaf is not None:
        try:
            # What is undefined in JavaScript is an empty turn here.
            path = [jsjson.dumps(turn) if turn else None for turn in graph.path_to(graph.leaf)]
        except BrokenLineage as error:
            path = {"error": str(error)}
    ids = [node.id for node in graph.all()]
    return {"leaf": graph.leaf, "size": graph.size, "ids": ids, "path_to_leaf": path}


@cases("store_write")
def test_files_are_those_of_the_reference(case: Case, tmp_path: Path) -> None:
    store = SessionStore(tmp_path)
    graph = SessionGraph("s", ticks(case["clock"]))
    names: dict[str, str] = {}
    for op, *args in case["script"]:
        if op == "branch":
            graph.branch_from(names[args[0]])
            continue
        node = graph.append(args[0])
        names[args[1]] = node.id
        store.append_node("s", node, fork=True)

    assert (tmp_path / "s.jsonl").read_bytes() == case["file_text"].encode()
    assert names == case["node_ids"]
    assert loaded(store.load_session("s", strict=True)) == case["loaded"]


@pytest.mark.parametrize("name", ["branch", "empty_turn", "image", "linear", "tools_unicode"])
def test_fixtures_load_and_are_written_byte_for_byte(name: str, tmp_path: Path) -> None:
    data = (DATA / "runtime-fixtures" / f"{name}.jsonl").read_bytes()
    (tmp_path / "old.jsonl").write_bytes(data)
    store = SessionStore(tmp_path)

    for node in store.load_session("old", strict=True, check_ids=True).all():
        store.append_node("new", node, fork=True)

    assert (tmp_path / "new.jsonl").read_bytes() == data


class Migration:
    """A migrator of the cases that have them."""

    def __init__(self, name: str, upgrade: Callable[[Any], object]) -> None:
        self.id = name
        self.upgrade = upgrade


A = "34848bf2671c8aaa011d3f10fc0c5800"


def is_head(raw: object) -> bool:
    return isinstance(raw, dict) and raw.get("type") == "head"


def fail_on_heads(raw: object) -> object:
    if is_head(raw):
        raise RuntimeError("bad schema")
    return raw


MIGRATIONS: dict[str, Callable[[Any], object]] = {
    "return null for head records": lambda raw: None if is_head(raw) else raw,
    "return null for every record": lambda _: None,
    "second receives null and returns {type:'head',leaf:<id of a>}": lambda raw: (
        {"type": "head", "leaf": A} if raw is None else raw
    ),
    "throws Error('bad schema') on head records": fail_on_heads,
    "{v:0,kind:'n',n} -> {type:'node',node:n}": lambda raw: {"type": "node", "node": raw["n"]},
}


def store_of(case: Case, folder: Path) -> SessionStore:
    data = base64.b64decode(case["file_base64"]) if "file_base64" in case else case["file_text"]
    if data is not None:
        data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        (folder / "s.jsonl").write_bytes(data)
    names = case.get("migrators", ())
    return SessionStore(folder, [Migration(name, MIGRATIONS[name]) for name in names])


@cases("load")
def test_files_load_as_in_the_reference(case: Case, tmp_path: Path) -> None:
    store = store_of(case, tmp_path)

    if case["id"] in OVERRIDDEN:
        assert "error" in case["expected"]
        with pytest.raises(FormatError):
            store.load_session("s", strict=True)
    else:
        assert loaded(store.load_session("s")) == case["expected"]


@pytest.mark.parametrize(
    ("name", "size", "kinds"),
    [
        ("garbage_middle", 2, ["bad line"]),
        ("torn_then_appended", 3, ["glued line"]),
        ("nan_token", 2, ["bad line"]),
        ("trailing_comma", 2, ["bad line"]),
        ("two_objects_one_line", 2, ["glued line", "node without head", "node without head"]),
        ("nul_bytes_tail", 2, ["torn line"]),
        ("node_record_without_node", 0, ["bad record"]),
        ("node_null", 0, ["bad record"]),
        ("migrator_throws", 2, ["node without head", "failed migration"] * 2),
    ],
)
def test_what_fails_in_the_reference_loads_with_a_report(
    name: str, size: int, kinds: list[str], tmp_path: Path
) -> None:
    (case,) = (case for case in CASES["load"] if case["id"] == name)
    graph = store_of(case, tmp_path).load_session("s")

    assert graph.size == size
    assert [finding.kind for finding in graph.report.findings] == kinds


@cases("list_sessions")
def test_sessions_are_listed_as_in_the_reference(case: Case, tmp_path: Path) -> None:
    root = tmp_path / "root"
    if case["id"] != "missing_root":
        root.mkdir()
    for name in case.get("files", ()):
        if name == "dir.jsonl":
            (root / name).mkdir()
        else:
            (root / name).touch()
    left_out = {"", "dir"} if case["id"] in OVERRIDDEN else set()

    assert SessionStore(root).list_sessions() == [
        name for name in case["expected"] if name not in left_out
    ]


@cases("session_id_paths")
def test_only_file_names_are_session_ids(case: Case, tmp_path: Path) -> None:
    session_id = "x" * case["length"] if "…" in case["id"] else case["id"]
    node = SessionGraph("s", lambda: 1).append({"role": "user", "blocks": []})
    store = SessionStore(tmp_path / "root")

    if case["id"] in OVERRIDDEN or case["node_result"] != "ok":
        with pytest.raises(InvalidName):
            store.append_node(session_id, node)
        assert not list(tmp_path.iterdir())
    else:
        store.append_node(session_id, node)
        assert store.list_sessions() == [session_id]


@cases("torn_file")
def test_every_truncation_keeps_the_whole_records(case: Case, tmp_path: Path) -> None:
    data = case["file_text"].encode()
    graph = SessionGraph("s", lambda: 9)
    new = graph.append({"role": "user", "blocks": []})
    store = SessionStore(tmp_path, fsync=False)
    path = tmp_path / "s.jsonl"
    for end in range(len(data) + 1):
        path.write_bytes(data[:end])
        lines = data[:end].split(b"\n")
        whole = [line for line in lines if is_json(line)]
        report = store.load_session("s").report
        store.append_node("s", new, fork=True)

        assert len(report.of("torn line")) == (lines[-1] != b"" and not is_json(lines[-1]))
        assert store.load_session("s").leaf == new.id
        assert list(filter(is_json, path.read_bytes().split(b"\n")))[: len(whole)] == whole


def is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
