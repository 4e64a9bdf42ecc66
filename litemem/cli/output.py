"""Printing: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from litemem.cli.given import is_terminal
from litemem.types import Fact, Hit, JsonObject, Place

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

Progress = Callable[[int, int], None]
_PATIENCE_S = 2.0
_KEPT = {ord("\n"), ord("\t")}
_CONTROLS = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in _KEPT}


def print_json(value: object) -> None:
    """Print one JSON document."""
    ascii_only = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(value, ensure_ascii=ascii_only, indent=2))


def say(text: str) -> None:
    """Print a note for the person to stderr."""
    click.echo(clean(text), err=True)


def show(text: str) -> None:
    """Print a line of the result."""
    click.echo(clean(text))


def clean(text: str) -> str:
    """Return text in which nothing can command a terminal; colours are added afterwards."""
    return text.translate(_CONTROLS)


def faint(text: str) -> str:
    """Return text in the terminal's dim style, for what is beside the matter."""
    return click.style(clean(text), dim=True)


def counted(number: int, what: str) -> str:
    """Return a number of things, such as `1 fact` or `3 facts`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def instant(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC with Z."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")


def fact_json(fact: Fact) -> dict[str, Any]:  # Any: JSON
    """Return a fact as JSON."""
    return {
        "id": fact.id,
        "content": fact.content,
        "category": fact.category,
        "importance": fact.importance,
        "tags": list(fact.tags),
        "created_at": instant(fact.created_at),
        "chat_id": fact.chat_id,
        "speaker": fact.speaker,
        "metadata": dict(fact.metadata),
        "replaces": fact.replaces,
        "merges": list(fact.merges),
        "seen": None if fact.seen is None else {"n": fact.seen.n, "last": instant(fact.seen.last)},
    }


def place_json(place: Place) -> dict[str, Any]:  # Any: JSON
    """Return where something stands as JSON."""
    origin = place.origin
    return {
        "path": place.path,
        "line": place.line,
        "session": None
        if origin is None
        else {"id": origin.session, "line": origin.line, "at": instant(origin.at)},
    }


def hit_json(hit: Hit, *, explain: bool) -> dict[str, Any]:  # Any: JSON
    """Return a hit as JSON; with `explain` each part of its score."""
    found: dict[str, Any] = {
        "id": hit.id,
        "kind": hit.kind,
        "content": hit.content,
        "category": hit.category,
        "importance": hit.importance,
        "tags": list(hit.tags),
        "similarity": hit.similarity,
        "score": hit.score,
        "created_at": instant(hit.created_at),
        "chat_id": hit.chat_id,
        "speaker": hit.speaker,
        "metadata": dict(hit.metadata),
        "source": place_json(hit.source),
        "matched": list(hit.matched),
        "snippet": hit.snippet,
    }
    return found | {"parts": dict(hit.parts)} if explain else found


@contextmanager
def progress_bar(label: str, *, instead: str = "") -> Iterator[Progress]:
    """
    Draw a bar on stderr while something long goes on.

    It appears when the work says how far it is: there may be nothing to do. Where stderr is no
    terminal, work of more than two seconds is told in one line.

    Args:
        label: what is done, e.g. "embedding".
        instead: what to do instead of waiting, for that line.
    """
    if not is_terminal(sys.stderr):
        yield _told_once(label, instead)
        return
    with ExitStack() as stack:
        bars: list[ProgressBar[int]] = []

        def step(done: int, total: int) -> None:
            if not bars:
                bar = click.progressbar(length=max(total, 1), label=label, file=sys.stderr)
                bars.append(stack.enter_context(bar))
            bars[0].length = max(total, 1)
            bars[0].update(done - bars[0].pos)

        yield step


def _told_once(label: str, instead: str) -> Progress:
    started, told = monotonic(), False

    def step(done: int, total: int) -> None:
        nonlocal told
        if not told and done < total and monotonic() - started > _PATIENCE_S:
            told = True
            say(f"litemem: {label}, {100 * done // total} % so far{instead}")

    return step


def key_values(values: Mapping[str, object] | JsonObject) -> None:
    """Print one `key  value` a line."""
    width = max((len(key) for key in values), default=0)
    for key, value in values.items():
        show(f"{key:<{width}}  {value}".rstrip())
