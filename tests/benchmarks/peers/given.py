"""The rows, questions and vectors that all peers get: made up, or of a public set."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from litemem.text.asking import questions, unlabelled
from litemem.text.head import head
from litemem.types import Profile, Vector
from tests.benchmarks.ours import PROFILE
from tests.benchmarks.peers.rows import Row, Traits, write
from tests.benchmarks.retrieval import by_conversation
from tests.benchmarks.synthetic import DIMENSION, Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one conversation gives; `folder` holds it as the workers read it."""

    folder: Path
    rows: Sequence[Row]
    asked: Sequence[dict[str, Any]]  # Any: lines of a set's queries.jsonl; none of made-up rows


def made_up(folder: Path, size: int, queries: int) -> Work:
    """Write made-up rows with vectors shaped like the default model's."""
    corpus = Corpus(size)
    rows = [
        Row(
            id=f"r{batch.first + place}",
            text=text,
            vector=_spelled(batch.vectors[place].tobytes()),
            at=datetime.fromtimestamp(batch.at[place] / 1e6, UTC).isoformat(),
            chat=batch.chats[place],
        )
        for batch in corpus.batches()
        for place, text in enumerate(batch.texts)
    ]
    asked = [
        Row(id=f"q{n}", text=one.text, vector=_spelled(one.vector))
        for n, one in enumerate(corpus.queries(queries))
    ]
    return _written(folder, rows, asked, _traits(DIMENSION, PROFILE), ())


def of_conversations(data: Path, folder: Path, model: str | None) -> list[Work]:
    """
    Embed a set's rows with litemem's own model, once, and write each conversation.

    The embedded text has a head with speaker and date, as litemem makes it; the stored one hasn't.
    """
    embedder = OnnxEmbedder(find_model(model, {}))
    traits = _traits(embedder.dimension, embedder.profile)
    queries = by_conversation(data / "queries.jsonl")
    works: list[Work] = []
    for name, lines in by_conversation(data / "corpus.jsonl").items():
        told = [line for line in lines if line["text"].strip()]
        vectors = embedder.embed_passages([_head(line) + line["text"] for line in told])
        rows = [
            Row(
                id=line["id"],
                text=line["text"],
                vector=_spelled(vector),
                at=_instant(line["ts"]),
                speaker="" if line["role"] == "note" else line["role"],
                chat=line["session_id"],
            )
            for line, vector in zip(told, vectors, strict=True)
            if vector is not None
        ]
        asked = queries.get(name, [])
        texts = {q["id"]: q["text"] for q in asked} | _parts(q["text"] for q in asked)
        given = [
            Row(id=id_, text=text, vector=_spelled(embedder.embed_query(text) or b""))
            for id_, text in texts.items()
        ]
        works.append(_written(folder / f"{len(works)}", rows, given, traits, asked))
    return works


def _parts(texts: Iterable[str]) -> dict[str, str]:
    """Return what litemem embeds of such queries in their place or besides; nobody asks it."""
    asked = [unlabelled(text) for text in texts]
    parts = [part for text in asked for part in (text, *questions(text))]
    return {f"part of a query, {n}": part for n, part in enumerate(parts)}


def _instant(told: str) -> str:
    return datetime.fromisoformat(told).replace(tzinfo=UTC).isoformat() if told else ""


def _head(line: dict[str, Any]) -> str:
    speaker = None if line["role"] == "note" else line["role"]
    return head(speaker, date.fromisoformat(line["ts"][:10])) if line["ts"] else ""


def _traits(dimension: int, profile: Profile) -> Traits:
    return Traits(
        dimension=dimension,
        typical_unrelated=profile.typical_unrelated,
        typical_related=profile.typical_related,
        query_centering=profile.query_centering,
        vector_weight=profile.vector_weight,
    )


def _written(
    folder: Path,
    rows: Sequence[Row],
    questions: Sequence[Row],
    traits: Traits,
    asked: Sequence[dict[str, Any]],
) -> Work:
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "rows.jsonl", rows)
    write(folder / "queries.jsonl", questions)
    (folder / "traits.json").write_text(json.dumps(asdict(traits)), encoding="utf-8")
    return Work(folder=folder, rows=rows, asked=asked)


def _spelled(vector: Vector | bytes) -> str:
    return base64.b64encode(vector).decode()
