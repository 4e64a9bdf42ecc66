"""A session against a plain model of it, whatever is done in whatever order."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.session import SessionGraph, SessionStore
from tests.session.turns import said, turn


@dataclass
class Model:
    """Nodes by number, each with its parent's."""

    parents: list[int | None] = field(default_factory=list)
    leaf: int | None = None
    labels: dict[int, str] = field(default_factory=dict)
    cuts: list[tuple[int, int | None]] = field(default_factory=list)  # leaf, first kept

    def path(self, node: int | None) -> list[int]:
        """Return the numbers from the root to a node."""
        return [] if node is None else [*self.path(self.parents[node]), node]

    def context(self) -> list[str]:
        """Return what a run resumes."""
        path = self.path(self.leaf)
        fitting = [cut for cut in enumerate(self.cuts) if cut[1][0] in path]
        if not fitting:
            return [str(node) for node in path]
        n, (leaf, first) = max(fitting, key=lambda cut: (path.index(cut[1][0]), cut[0]))
        start = path.index(leaf) + 1 if first is None else path.index(first)
        return [f"sum {n}", *(str(node) for node in path[start:])]


operations = st.lists(
    st.one_of(
        st.just(("append", 0)),
        st.just(("append", 0)),
        st.tuples(st.sampled_from(["branch", "move", "label", "compact"]), st.integers(0, 50)),
        st.just(("reopen", 0)),
        st.just(("many", 0)),
    ),
    min_size=5,
    max_size=40,
)


class Session:
    """Does each operation on a session and on its model."""

    def __init__(self, store: SessionStore) -> None:
        self.store = store
        self.graph = store.load_session("s")
        self.model = Model()
        self.ids: list[str] = []

    def do(self, name: str, n: int) -> None:
        """Do one operation, where there is something to do it to."""
        if name in ("append", "many", "reopen") or self.ids:
            getattr(self, name)(n % max(1, len(self.ids)))

    def append(self, _: int) -> None:
        node = self.store.append_turn(self.graph, turn(str(len(self.ids))))
        self._grown(node.id)

    def many(self, _: int) -> None:
        if self.graph.leaf != self.graph.saved.leaf:
            return
        copy = SessionGraph.hydrate("s", self.graph.all(), self.graph.leaf, self.store.clock)
        nodes = [copy.append(turn(str(len(self.ids) + n))) for n in range(3)]
        self.store.append_nodes("s", nodes)
        for node in nodes:
            self._grown(node.id)
        self.reopen(0)

    def branch(self, n: int) -> None:
        self.graph.branch_from(self.ids[n])
        self.model.leaf = n

    def move(self, n: int) -> None:
        self.store.move_head("s", self.ids[n])
        self.reopen(0)
        self.model.leaf = n

    def label(self, n: int) -> None:
        self.store.label("s", self.ids[n], f"label {n}")
        self.graph.marks.labels[self.ids[n]] = f"label {n}"
        self.model.labels[n] = f"label {n}"

    def compact(self, n: int) -> None:
        context = self.graph.context()
        turns, saved = len(context.turns()), self.graph.leaf == self.graph.saved.leaf
        at = 1 + n % turns
        if not saved or (at == 1 and context.compaction):
            return
        record = self.store.compact(self.graph, turn(f"sum {len(self.model.cuts)}"), at=at)
        first = None if record.first_kept is None else self.ids.index(record.first_kept)
        assert self.model.leaf is not None
        self.model.cuts.append((self.model.leaf, first))

    def reopen(self, _: int) -> None:
        leaf = self.graph.leaf
        self.store = SessionStore(self.store.folder.root, fsync=False, clock=self.store.clock)
        self.graph = self.store.load_session("s", strict=True, check_ids=True)
        if leaf is not None and leaf != self.graph.leaf and leaf in self.graph:
            self.model.leaf = self.ids.index(str(self.graph.leaf))

    def _grown(self, node_id: str) -> None:
        self.ids.append(node_id)
        self.model.parents.append(self.model.leaf)
        self.model.leaf = len(self.ids) - 1

    def check(self) -> None:
        """Compare all that can be asked."""
        graph, model = self.graph, self.model
        assert [node.id for node in graph.all()] == self.ids
        assert graph.leaf == (None if model.leaf is None else self.ids[model.leaf])
        assert graph.marks.labels == {self.ids[n]: text for n, text in model.labels.items()}
        for n, node_id in enumerate(self.ids):
            assert said(graph.path_to(node_id)) == [str(node) for node in model.path(n)]
        assert said(graph.context().turns()) == model.context()


@settings(max_examples=60)
@given(operations)
def test_a_session_is_what_was_done_to_it(
    tmp_path_factory: pytest.TempPathFactory, ops: list[tuple[str, int]]
) -> None:
    root = tmp_path_factory.mktemp("sessions")
    session = Session(SessionStore(root, fsync=False, clock=count(1).__next__))
    for name, n in ops:
        session.do(name, n)
        session.check()
    session.reopen(0)
    session.check()
    for last_n in (1, 4, 100):
        whole = session.store.resume("s")
        assert session.store.resume("s", last_n=last_n) == whole[max(0, len(whole) - last_n) :]
