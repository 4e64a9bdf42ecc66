"""Homes and files of facts at any size, for benchmarks of writing."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from zlib import crc32

import litemem
from litemem.errors import LitememError
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.workspace import Embedders
from litemem.types import Profile, Vector
from tests.benchmarks.made import made
from tests.benchmarks.retrieval import by_conversation
from tests.benchmarks.synthetic import DIMENSION, Corpus

START = datetime(2025, 1, 1, tzinfo=UTC)
DAY_S = 80_000  # the facts of a day come within so many seconds
SPEAKERS = ("Ann", "Bob")


class Ready:
    """An embedder that costs next to nothing."""

    name, dimension, sha256 = "ready", DIMENSION, ""
    profile = Profile(typical_unrelated=0.77, typical_related=0.84)

    def __init__(self) -> None:
        batch = next(Corpus(200).batches())
        self._vectors = [Vector(one.tobytes()) for one in batch.vectors]

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Return some vector for each text, always the same."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector | None:
        """Return some vector, always the same."""
        return self._vectors[crc32(text.encode()) % len(self._vectors)]


def facts(size: int, *, days: int, vectors: bool = False) -> Iterator[NewFact]:
    """Yield made-up facts, evenly over days that begin at START, oldest first."""
    for batch in Corpus(size).batches():
        for n, text in enumerate(batch.texts):
            place = batch.first + n
            day, rest = divmod(place * days, size)
            yield NewFact(
                content=text,
                created_at=START + timedelta(days=day, seconds=rest * DAY_S // size),
                chat_id=batch.chats[n] or None,
                speaker=SPEAKERS[place % 2],
                importance=place % 11 / 10,
                vector=Vector(batch.vectors[n].tobytes()) if vectors else None,
            )


def more(count: int, *, day: int, seed: int = 1) -> list[NewFact]:
    """Return further facts of one day, unlike those of any `facts`: made of two halves each."""
    chance = random.Random(seed)
    texts = [fact.content.split() for fact in facts(2_000, days=1)]
    made = []
    for n in range(count):
        one, other = chance.sample(texts, 2)
        text = " ".join([*one[: len(one) // 2], *other[len(other) // 2 :]])
        at = START + timedelta(days=day, seconds=DAY_S + n)
        made.append(NewFact(content=text, created_at=at, speaker=SPEAKERS[n % 2]))
    return made


def filled(kept: Path, size: int, *, days: int, model: str, to: Path) -> Path:
    """Return a home of so many facts: a copy at `to` of one that is made once below `kept`."""

    def make(home: Path) -> None:
        with litemem.open(home, model=model) as memory:
            if model != "hash":  # some vectors; the model's own would take minutes
                memory._space.embedders = Embedders(Ready)
            memory.remember_many(facts(size, days=days))

    name = f"{model.replace('/', '_')}-{size}-{days}"
    shutil.copytree(made(kept / name, make, lambda home: whole(home, size, min(size, days))), to)
    litemem.open(to).close()  # the copies' times are noted
    return to


def whole(home: Path, size: int, logs: int) -> bool:
    """Say whether a home has so many facts, each with a vector, in so many logs."""
    try:
        with litemem.open(home) as memory:
            found = memory.stats()
    except (LitememError, OSError):
        return False
    return (found.total_memories, found.vectors, found.logs) == (size, size, logs)


def remember(memory: Memory, new: NewFact) -> None:
    """Do `Memory.remember` with a prepared fact."""
    memory.remember(
        new.content, created_at=new.created_at, speaker=new.speaker, chat_id=new.chat_id
    )


def write_lines(path: Path, news: Iterable[NewFact]) -> Path:
    """Write facts as `litemem remember --file` reads them."""
    with path.open("w", encoding="utf-8") as out:
        for new in news:
            said = {
                "content": new.content,
                "created_at": None if new.created_at is None else new.created_at.isoformat(),
                "chat_id": new.chat_id,
                "speaker": new.speaker,
                "importance": new.importance,
            }
            out.write(json.dumps(said) + "\n")
    return path


def real_facts(data: Path, size: int, *, days: int) -> Iterator[NewFact]:
    """Yield texts of DIR/SET/dev/corpus.jsonl over days, again with a number when they end."""
    rows = [
        row
        for path in sorted(data.glob("*/dev/corpus.jsonl"))
        for conversation in by_conversation(path).values()
        for row in conversation
        if row["text"].strip()
    ]
    placed = zip(facts(size, days=days), islice(cycle(rows), size), strict=True)
    for place, (fact, row) in enumerate(placed):
        again = place // len(rows)
        text = f"{row['text']} ({again})" if again else row["text"]
        chat, speaker = row["session_id"][:100] or None, row["role"][:100] or None
        yield replace(fact, content=text, chat_id=chat, speaker=speaker)
