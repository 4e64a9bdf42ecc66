"""A whole session file into nodes, leaf and marks, with a report of what was odd."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from litemem.errors import InvalidValue
from litemem.session.lineage import examine
from litemem.session.lines import is_sound, read_line, read_usual
from litemem.session.marks import Marks
from litemem.session.nodes import Migrator, SessionNode
from litemem.session.records import Compaction, Head
from litemem.session.report import Finding, Oddity
from litemem.session.table import NodeTable


class Log:
    """What the lines of a session file add up to."""

    def __init__(
        self, lines: Iterable[bytes], migrators: Sequence[Migrator] = (), *, check_ids: bool = False
    ) -> None:
        self.nodes = NodeTable()
        self.leaf: str | None = None
        self.marks = Marks()
        self.skipped = 0
        self._findings: list[Finding] = []
        self._line_of: dict[str, int] = {}  # node id -> line
        self._made_on: dict[str, int] = {}  # id of a condensation -> line
        self._heads: dict[str, int] = {}  # leaf -> the last line that names it
        self._read(lines, migrators)
        self._find_leaf()
        self._find_headless()
        for node_id, kind, detail in examine(self.nodes.parents)[1]:
            self._find(kind, self._line_of[node_id], detail)
        self._find_lost()
        if check_ids:
            self._check_ids()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was odd, by line."""
        return tuple(sorted(self._findings, key=lambda finding: finding.line))

    def _find(self, kind: Oddity, line: int, detail: str) -> None:
        self._findings.append(Finding(kind=kind, line=line, detail=detail))

    def _read(self, lines: Iterable[bytes], migrators: Sequence[Migrator]) -> None:
        # Without calls for the usual lines, which are nearly all: that saves a sixth of the time.
        parents, kept = self.nodes.parents, self.nodes.lines
        line_of, heads = self._line_of, self._heads
        for number, line in enumerate(lines, 1):
            usual = None if migrators else read_usual(line)
            if isinstance(usual, str):
                heads[usual] = number
            elif usual is None or usual[0] in parents:
                self._read_unusual(number, line, migrators)
            else:
                node_id, parents[node_id] = usual
                kept[node_id] = line
                line_of[node_id] = number

    def _read_unusual(self, number: int, line: bytes, migrators: Sequence[Migrator]) -> None:
        read = read_line(line, migrators)
        for kind, detail in read.odd:
            is_torn = kind == "bad line" and not line.endswith(b"\n")
            self._find("torn line" if is_torn else kind, number, detail)
        self.skipped += read.skipped
        for record in read.records:
            if isinstance(record, SessionNode):
                self._add_node(number, record)
            elif not isinstance(record, Head):
                self.marks.add(record)
                if isinstance(record, Compaction):
                    self._made_on[record.id] = number
            elif record.leaf is not None:
                self._heads.pop(record.leaf, None)  # of two heads in one line the last counts
                self._heads[record.leaf] = number
            else:
                self._find("unknown head", number, "a head without a leaf")

    def _add_node(self, number: int, node: SessionNode) -> None:
        if node.id in self.nodes:
            first = self._line_of[node.id]
            self._find("duplicate id", number, f'node "{node.id}" is on line {first} too')
        self._line_of[node.id] = number
        self.nodes.add(node)

    def _find_leaf(self) -> None:
        for leaf in self._heads.keys() - self.nodes.parents.keys():
            self._find("unknown head", self._heads.pop(leaf), f'no node has the id "{leaf}"')
        if self._heads:
            self.leaf = max(reversed(self._heads), key=self._heads.__getitem__)
        elif len(self.nodes) == 1:
            self.leaf = next(iter(self.nodes))

    def _find_headless(self) -> None:
        parents = self.nodes.parents
        headless = parents.keys() - self._heads.keys()
        for leaf in self._heads if headless else ():
            at = parents.get(leaf)
            while at in headless:
                headless.discard(at)
                at = parents[at]
        for node_id in headless:
            self._find("node without head", self._line_of[node_id], f'no head leads to "{node_id}"')

    def _find_lost(self) -> None:
        for made in self.marks.compactions.values():
            named = [("leaf", made.leaf), ("firstKept", made.first_kept)]
            for field, lost in [*named, *(("pinned", node) for node in made.pinned)]:
                if lost is not None and lost not in self.nodes:
                    detail = f'{field} of condensation {made.id}: no node has the id "{lost}"'
                    self._find("lost condensed", self._made_on[made.id], detail)

    def _check_ids(self) -> None:
        for node_id in self.nodes.keys() - self.marks.redacted:
            try:
                detail = "" if is_sound(self.nodes[node_id]) else "isn't the hash of what it holds"
            except InvalidValue as error:
                detail = f"can't be checked: {error}"
            if detail:
                self._find("id mismatch", self._line_of[node_id], f'node "{node_id}" {detail}')
