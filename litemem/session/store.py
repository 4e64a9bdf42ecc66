"""Session trees on disk: appended to under a lock, read whatever happened to their files."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from litemem.errors import Conflict, InvalidValue, UnknownNode
from litemem.session.file import SessionFile
from litemem.session.folder import LogFolder
from litemem.session.graph import SessionGraph
from litemem.session.labels import check_label
from litemem.session.nodes import Clock, Migrator, Revision, SessionNode, Turn, now_ms
from litemem.session.records import Archive, Compaction, Head, Label, Mark, Name
from litemem.session.report import LoadReport

logger = logging.getLogger(__name__)


class SessionStore:
    """
    A folder of session files, `<root>/<session id>.jsonl`.

    Safe to use from several threads and processes; every write is one append of whole lines. All
    methods raise InvalidName for an id that is no file name, and FileTrouble where the disk fails.

    Args:
        root: the folder; the first write makes it.
        migrators: bring each stored record up to date while it's read, in this order.
        fsync: make each write durable before it returns.
        clock: gives new nodes of loaded graphs, labels, names and condensations their time.
        lock_timeout_s: how long a write waits for another one, then LockTimeout.
    """

    def __init__(
        self,
        root: str | Path,
        migrators: Sequence[Migrator] = (),
        *,
        fsync: bool = True,
        clock: Clock = now_ms,
        lock_timeout_s: float = 30.0,
    ) -> None:
        self.folder = LogFolder(Path(root), migrators, fsync=fsync, lock_timeout_s=lock_timeout_s)
        self.clock = clock

    def list_sessions(self) -> list[str]:
        """Return the ids of all sessions, sorted; none where the folder doesn't exist."""
        return self.folder.ids()

    def load_session(
        self, session_id: str, *, strict: bool = False, check_ids: bool = False
    ) -> SessionGraph:
        """
        Read a session as far as it can be read; a missing file is an empty session.

        Args:
            session_id: the file's name without `.jsonl`.
            strict: raise FormatError for the first finding of the report instead.
            check_ids: also find nodes whose id isn't their hash; costs as much as loading.

        Returns:
            The graph, with what was odd in its `report`.
        """
        log = self.folder.load(session_id, check_ids=check_ids)
        path = self.folder.file(session_id).path
        report = LoadReport(path=path, skipped=log.skipped, findings=log.findings)
        if strict:
            report.raise_first()
        if report.findings:
            found = len(report.findings)
            logger.warning("session %s: %d finding%s", session_id, found, "s"[: found > 1])
        graph = SessionGraph.of_table(session_id, log.nodes, log.leaf, self.clock)
        graph.marks, graph.report = log.marks, report
        graph.saved = Revision(graph.leaf, graph.marks.last_compaction)
        return graph

    def resume(
        self, session_id: str, *, leaf: str | None = None, last_n: int | None = None
    ) -> list[Turn]:
        """
        Return what a run goes on with: `[summary, pinned turns, kept tail]`, or the whole path.

        Where an ancestor can't be read, or comes twice, the path begins below it; `load_session`
        with `strict` raises for that, and `SessionGraph.gap` says where it is.

        Args:
            session_id: a missing session has no turns.
            leaf: the node to go on from; default the session's leaf.
            last_n: at most so many of the newest turns; only the end of the file is read for them.

        Raises:
            UnknownNode: no node has the id `leaf`.
            InvalidValue: `last_n` is negative.
        """
        if last_n is not None:
            if last_n < 0:
                raise InvalidValue(f"last_n is {last_n}; give 0 or more, or nothing for all turns")
            newest = self.folder.file(session_id).last_turns(leaf, last_n)
            if newest is not None:
                return newest
        graph = self.load_session(session_id)
        turns = graph.context(leaf).turns()
        return turns if last_n is None else turns[max(0, len(turns) - last_n) :]

    def append_node(
        self,
        session_id: str,
        node: SessionNode,
        *,
        fork: bool = False,
        expected: Revision | None = None,
    ) -> None:
        """Add one node after the leaf on disk: `append_nodes` of one."""
        self.append_nodes(session_id, [node], fork=fork, expected=expected)

    def append_nodes(
        self,
        session_id: str,
        nodes: Sequence[SessionNode],
        *,
        fork: bool = False,
        expected: Revision | None = None,
    ) -> None:
        """
        Add a chain of nodes after the leaf on disk, in one write.

        Those up to the one that is the leaf already are left out. So a caller may hand in the
        whole path each time, and may try again after an error.

        Args:
            session_id: the file is made when it's missing.
            nodes: each one's parent is the one before it.
            fork: write them even where the first one's parent isn't the leaf: a branch.
            expected: the revision that the nodes build on; None: only the leaf is compared.

        Raises:
            Conflict: somebody else appended or condensed meanwhile; nothing was written.
            UnknownNode: `fork`, and the parent isn't in the file.
            InvalidValue: no chain, or a turn that isn't JSON; nothing was written.
        """
        for before, node in pairwise(nodes):
            if node.parent != before.id:
                raise InvalidValue(f'node "{node.id}" doesn\'t follow the node before it')
        with self.folder.writing(session_id, new=True) as file:
            _append(session_id, file, nodes, fork=fork, expected=expected)

    def append_turn(self, graph: SessionGraph, turn: Turn, *, fork: bool = False) -> SessionNode:
        """
        Add a turn after the graph's leaf, on disk and then in the graph.

        A leaf that the graph's owner moved makes a branch. Raises as `append_nodes`, and Conflict
        also where the file changed since the graph was loaded; the graph stays as it was.
        """
        node = graph.draft(turn)
        with self.folder.writing(graph.session_id, new=True) as file:
            expected = None if fork else graph.saved
            if node.id in graph:  # the same turn at the same instant: an old node is the leaf again
                _check_revision(graph.session_id, file, expected)
                file.write([Head(leaf=node.id)])
            else:
                branches = fork or graph.leaf != graph.saved.leaf
                _append(graph.session_id, file, [node], fork=branches, expected=expected)
            graph.saved = Revision(node.id, file.last_compaction())
        return graph.add(node)

    def move_head(self, session_id: str, node_id: str, *, expected: Revision | None = None) -> None:
        """
        Make a node the leaf on disk, so that the next turn follows it.

        Raises:
            UnknownSession, UnknownNode: it isn't there.
            Conflict: the file's revision isn't `expected`.
        """
        with self.folder.writing(session_id) as file:
            _check_revision(session_id, file, expected)
            _require(session_id, file, node_id)
            if file.end().leaf != node_id:
                file.write([Head(leaf=node_id)])

    def compact(
        self,
        graph: SessionGraph,
        summary: Turn,
        *,
        at: int,
        pin: int | None = None,
        tokens_before: int | None = None,
    ) -> Compaction:
        """
        Let a summary stand for the older part of the graph's context; no node is touched.

        Args:
            graph: loaded, and the newest state of its session.
            summary: a turn.
            at: index into `graph.context().turns()`: from there all is kept.
            pin: index of an older turn that is kept too.
            tokens_before: how long the context was.

        Raises:
            Conflict: the file changed since the graph was loaded, or the graph's leaf was moved.
            InvalidValue: nothing would be condensed, an index is out of range, or no JSON.
        """
        record = graph.draft_compaction(summary, at=at, pin=pin, tokens_before=tokens_before)
        with self.folder.writing(graph.session_id) as file:
            expected = graph.saved._replace(leaf=graph.leaf)
            _check_revision(graph.session_id, file, expected)
            file.write([record])
        graph.marks.add(record)
        graph.saved = graph.saved._replace(compaction=record.id)
        return record

    def label(self, session_id: str, node_id: str, label: str | None) -> None:
        """
        Name a node; None takes its label away.

        Raises:
            UnknownSession, UnknownNode: it isn't there.
            InvalidValue: another node has the label, it's the start of an id, or it holds control
                characters.
        """
        with self.folder.writing(session_id) as file:
            _require(session_id, file, node_id)
            if label is not None:
                log = file.load()
                check_label(label, node_id, log.nodes, log.marks.labels)
            file.write([Label(node=node_id, label=label, at=self.now())])

    def rename(self, session_id: str, name: str | None) -> None:
        """Give a session a name for people; None takes it away. Raises UnknownSession."""
        self._mark(session_id, Name(name=name, at=self.now()))

    def archive(self, session_id: str, *, archived: bool = True) -> None:
        """Put a session away, or take it out again. Raises UnknownSession."""
        self._mark(session_id, Archive(archived=archived, at=self.now()))

    def revision(self, session_id: str) -> Revision:
        """Return what the next write of a session builds on; a missing session has no leaf."""
        file = self.folder.file(session_id)
        return Revision(file.end().leaf, file.last_compaction())

    def _mark(self, session_id: str, mark: Mark) -> None:
        with self.folder.writing(session_id) as file:
            file.write([mark])

    def now(self) -> datetime:
        """Return the time of the store's clock."""
        return datetime.fromtimestamp(self.clock() / 1000, UTC)


def _append(
    session_id: str,
    file: SessionFile,
    nodes: Sequence[SessionNode],
    *,
    fork: bool,
    expected: Revision | None,
) -> None:
    ids = [node.id for node in nodes]
    leaf = file.end().leaf
    fresh = nodes[ids.index(leaf) + 1 :] if leaf in ids else nodes
    if fresh:
        _check(session_id, file, fresh[0].parent, fork=fork, expected=expected)
        file.write([record for node in fresh for record in (node, Head(leaf=node.id))])


def _check(
    session_id: str,
    file: SessionFile,
    parent: str | None,
    *,
    fork: bool,
    expected: Revision | None,
) -> None:
    """Let an append pass when its parent is the leaf, or it's a branch of a known node."""
    _check_revision(session_id, file, expected)
    end = file.end()
    if parent == end.leaf and (parent is not None or not end.has_nodes):
        return
    if not fork:
        raise Conflict(
            f'session {session_id!r} ends at node "{end.leaf}", not at "{parent}": '
            "load it again, or pass fork=True for a branch"
        )
    if parent is not None:
        _require(session_id, file, parent)


def _check_revision(session_id: str, file: SessionFile, expected: Revision | None) -> None:
    if expected is None:
        return
    found = Revision(file.end().leaf, file.last_compaction())
    if found != expected:
        raise Conflict(
            f"session {session_id!r} changed meanwhile: it ends at {found.leaf!r} with "
            f"condensation {found.compaction!r}; load it again"
        )


def _require(session_id: str, file: SessionFile, node_id: str) -> None:
    if file.end().leaf != node_id and file.find_node(node_id) is None:
        raise UnknownNode(f'session {session_id!r} has no node "{node_id}"')
