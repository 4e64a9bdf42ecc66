"""Index one transcript with chunks of as many tokens as the caller wants."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path

from litemem.errors import EmbedError, FileTrouble, InvalidValue
from litemem.files.read import read_file
from litemem.files.state import digests, state_of
from litemem.index.docs import Doc, Source
from litemem.index.following import SourceFile
from litemem.index.store import Index
from litemem.session.indexing import transcript_docs
from litemem.text.chunk import Chunk, chunks
from litemem.types import CountsTokens, Embedder, Vector

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedTranscript:
    """What indexing a transcript came to."""

    total_turns: int
    total_chunks: int
    indexed: int  # chunks that are searchable by their vector
    errors: int  # lines that couldn't be read, and chunks that couldn't be embedded


class TranscriptIndexer:
    """
    Cuts the turns of a transcript into chunks and embeds those that are new.

    A home follows its transcripts by itself, with chunks of 120 words; what is cut otherwise here
    lasts until the index is rebuilt.

    Args:
        chunk_size: tokens of the embedder at most; words where it can't count its tokens.
        chunk_overlap: tokens that a chunk repeats of the one before, about.
    """

    def __init__(self, chunk_size: int = 400, chunk_overlap: int = 80) -> None:
        if chunk_size < 1 or not 0 <= chunk_overlap < chunk_size:
            raise InvalidValue(
                f"chunk_size must be at least 1 and chunk_overlap from 0 to below it, not "
                f"{chunk_size} and {chunk_overlap}"
            )
        self.chunk_size, self.chunk_overlap = chunk_size, chunk_overlap

    def index_transcript(
        self,
        transcript_path: Path,
        session_id: str,
        index: Index,
        embedder: Embedder,
        user_id: str,
        *,
        zone: tzinfo = UTC,
    ) -> IndexedTranscript:
        """
        Make a transcript's chunks searchable; doing it again changes and embeds nothing.

        Raises InvalidValue for a file that isn't below the index's home, FileTrouble.
        """
        read_ns = time.time_ns()
        state = state_of(transcript_path)
        if state is None:
            raise FileTrouble(f"there is no transcript {transcript_path}")
        file = SourceFile(path=transcript_path, key=_key(transcript_path, index), user=user_id)
        data = read_file(transcript_path)
        docs, problems = transcript_docs(
            file, session_id, data, zone, lambda text: self._cut(text, embedder)
        )
        vectors, failed = _embed(docs, index, embedder)
        source = Source(
            path=file.key,
            user=user_id,
            state=state,
            read_ns=read_ns,
            lines=data.count(b"\n"),
            digests=digests(data),
            problems=tuple(problems),
        )
        with index.transaction():
            index.put_source(source, docs)
            waiting = {text: key for key, text in index.pending(-1)}
            index.put_vectors([(waiting[t], v) for t, v in vectors.items() if t in waiting])
        return IndexedTranscript(
            total_turns=len({doc.line for doc in docs}),
            total_chunks=len(docs),
            indexed=len(docs) - failed,
            errors=len(problems) + failed,
        )

    def _cut(self, text: str, embedder: Embedder) -> list[Chunk]:
        # A word has at least one token, so no chunk has more words than it may have tokens.
        return chunks(
            text,
            words=self.chunk_size,
            overlap=self.chunk_overlap,
            max_tokens=self.chunk_size,
            count_tokens=embedder.count_tokens if isinstance(embedder, CountsTokens) else None,
        )


def _embed(
    docs: list[Doc], index: Index, embedder: Embedder
) -> tuple[dict[str, Vector | None], int]:
    """Return the new texts' vectors, and for how many rows there is none because of an error."""
    texts = [doc.head + doc.text for doc in docs]
    missing = sorted(set(texts) - set(index.cached_vectors(set(texts))), key=len)
    try:
        return dict(zip(missing, embedder.embed_passages(missing), strict=True)), 0
    except EmbedError as error:
        logger.warning("found by keyword only: %s", error)
        return {}, sum(text in set(missing) for text in texts)


def _key(path: Path, index: Index) -> str:
    home = index.path.parent.resolve()
    try:
        return path.resolve().relative_to(home).as_posix()
    except ValueError:
        msg = f"{path} is not below {home}, whose index it is to be in; move it there"
        raise InvalidValue(msg) from None
