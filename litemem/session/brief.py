"""A session read briefly: its first and last turns in words, and what was left out between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from litemem.errors import InvalidValue
from litemem.session.graph import SessionGraph
from litemem.session.nodes import SessionNode, Turn
from litemem.session.pieces import Piece, pieces_of, role_of

FIRST: Final = 5
LAST: Final = 15
TURN_CHARS: Final = 2_000


class Part(NamedTuple):
    """One turn, and what of it is shown."""

    node: SessionNode
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The first and the last turns of a session's path."""

    first: tuple[Part, ...]
    left_out: int  # turns between the two
    last: tuple[Part, ...]

    @property
    def mark(self) -> str:
        """Say what was left out, '' where nothing was."""
        turns = "turn" if self.left_out == 1 else "turns"
        return f"[... {self.left_out} {turns} left out ...]" if self.left_out else ""

    def as_text(self) -> str:
        """Return the turns as `role: words`, a blank line between two."""
        parts = [_shown(part) for part in self.first]
        parts += [self.mark] if self.left_out else []
        return "\n\n".join([*parts, *(_shown(part) for part in self.last)])


def brief(
    graph: SessionGraph,
    *,
    first: int = FIRST,
    last: int = LAST,
    tools: bool = False,
    turn_chars: int = TURN_CHARS,
) -> Brief:
    """
    Return the first and last turns of the path to the head, condensed or not.

    Reasoning is never shown, and what tools gave back only where asked for; a turn that has nothing
    else to show doesn't count.

    Args:
        graph: a loaded session.
        first: turns at the beginning, from 0.
        last: turns at the end, from 0.
        tools: show what tools gave back.
        turn_chars: of one turn; a longer one is cut and says by how much.

    Raises:
        InvalidValue: a number is out of its range.
    """
    if first < 0 or last < 0 or turn_chars < 1:
        raise InvalidValue(
            f"first and last must be at least 0 and turn_chars at least 1, not {first}, {last} "
            f"and {turn_chars}"
        )
    parts = [
        Part(node, text)
        for node in graph.readable_nodes()
        if (text := _words(node.turn, tools=tools))
    ]
    left_out = max(0, len(parts) - first - last)
    middle = first if left_out else len(parts)
    ending = parts[middle + left_out :]
    return Brief(
        first=tuple(_cut(part, turn_chars) for part in parts[:middle]),
        left_out=left_out,
        last=tuple(_cut(part, turn_chars) for part in ending),
    )


def _shown(part: Part) -> str:
    return f"{role_of(part.node.turn)}: {part.text}"


def _words(turn: Turn, *, tools: bool) -> str:
    return "\n".join(filter(None, _lines(turn, tools=tools)))


def _lines(turn: Turn, *, tools: bool) -> Iterator[str]:
    for piece in pieces_of(turn):
        match piece.kind:
            case "text":
                yield piece.text.strip()
            case "call":
                yield f"→ {piece.title} {piece.text}".rstrip()
            case "result":
                yield _output(piece) if tools else ""
            case "image":
                yield f"[image {piece.title}]"
            case "command":
                yield f"/{piece.title} {piece.text}".rstrip()
            case _:  # reasoning, and what is no block
                yield ""


def _output(piece: Piece) -> str:
    return f"← {piece.title} {piece.text}" if piece.is_failed else f"← {piece.text}"


def _cut(part: Part, most: int) -> Part:
    more = len(part.text) - most
    if more <= 0:
        return part
    return part._replace(text=f"{part.text[:most].rstrip()} [... {more} more characters]")
