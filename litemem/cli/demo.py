"""`litemem demo`: the main job, in a folder that is thrown away."""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litemem.cli.output import faint, show

if TYPE_CHECKING:
    from litemem.memory.memory import Memory

_FACTS = (
    ("Lives in Lisbon since March", "personal", 0.8),
    ("Prefers compact dashboards over long reports", "preference", 0.7),
    ("Works at Google as a data engineer", "personal", 0.8),
    ("Wants to run a half marathon in October", "goal", 0.6),
    ("The staging server is db-7.internal, port 5433", "technical", 0.5),
    ("Ihre Katze heißt Minka und frisst nur Huhn", "personal", 0.5),
    ("周末喜欢去海边冲浪", "preference", 0.5),
)
_QUERIES = (
    "where does she live?",
    "where is she employed?",
    "what does the cat eat?",
    "冲浪",
    "db-7.internal",
)


@click.command("demo")
@click.option("--model", metavar="NAME", help="me5-small-q4 (default), fast, or a folder.")
def demo_command(model: str | None) -> None:
    """Remember, search, delete the index, rebuild, and get the same answers."""
    folder = Path(tempfile.mkdtemp(prefix="litemem-demo-"))
    try:
        same = _run(folder, model)
    finally:
        shutil.rmtree(folder)
    if not same:
        click.echo("the answers differ: this is a bug in litemem", err=True)
        sys.exit(1)


def _run(folder: Path, model: str | None) -> bool:
    from litemem.edge import open_memory

    def clock() -> datetime:  # held still: scores count how old a fact is
        return datetime(2026, 2, 8, 14, 5, tzinfo=UTC)

    with open_memory(folder, model=model, clock=clock) as memory:
        ids = [
            memory.remember(text, category=category, importance=weight).id
            for text, category, weight in _FACTS
        ]
        memory.remember("Works at Microsoft as a data engineer", replaces=ids[2])
        show(f"remembered {len(ids) + 1} facts with {memory.model}; one replaces another:")
        click.echo(faint(memory.log()))
        before = _answers(memory, aloud=True)

    for path in folder.glob("index.db*"):
        path.unlink()
    show("deleted index.db; opening the folder again rebuilds it from the markdown:")
    with open_memory(folder, clock=clock) as memory:
        after = _answers(memory, aloud=False)
    same = [[(i, round(s, 6)) for i, s in hits] for hits in before] == [
        [(i, round(s, 6)) for i, s in hits] for hits in after
    ]
    show("same answers, ids and scores" if same else "other answers")
    return same


def _answers(memory: Memory, *, aloud: bool) -> list[list[tuple[str, float]]]:
    found = []
    for query in _QUERIES:
        hits = memory.search(query, 3).hits
        found.append([(hit.id, hit.score) for hit in hits])
        if aloud:
            show(f"? {query}")
            show(f"  {hits[0].content}" if hits else "  nothing")
    return found
