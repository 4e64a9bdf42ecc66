"""What a session's file says beside its turns: name, labels, archive flag, condensations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from litemem.session.records import Archive, Compaction, Label, Mark, Name, Redaction


@dataclass(slots=True, kw_only=True)
class Marks:
    """The state that mark records add up to; the last one counts."""

    name: str | None = None
    archived: bool = False
    labels: dict[str, str] = field(default_factory=dict)  # node id -> label
    compactions: dict[str, Compaction] = field(default_factory=dict)  # by id, oldest first
    redacted: set[str] = field(default_factory=set)  # node ids

    def add(self, mark: Mark) -> None:
        """Let a record count."""
        match mark:
            case Name():
                self.name = mark.name
            case Archive():
                self.archived = mark.archived
            case Label(label=None):
                self.labels.pop(mark.node, None)
            case Label():
                self.labels[mark.node] = str(mark.label)
            case Compaction():
                self.compactions.pop(mark.id, None)  # said again, it's the last one again
                self.compactions[mark.id] = mark
            case Redaction():
                self.redacted.add(mark.node)
            case _:
                assert_never(mark)

    @property
    def last_compaction(self) -> str | None:
        """The id of the newest condensation, of whatever branch."""
        return next(reversed(self.compactions), None)
