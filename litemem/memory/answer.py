"""A query's whole answer in its order, and one page of it as hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING, Final

from litemem.index import keyword
from litemem.index.read import by_rowids
from litemem.memory.signals import Pool, Question, least_cosine
from litemem.text.fusion import Scored
from litemem.text.snippet import snippet
from litemem.types import Hit, Place

if TYPE_CHECKING:
    from litemem.index.docs import StoredDoc

_BATCH: Final = 100  # rows read at once
_ALL_ROWS: Final = 1_000_000


class Answer:
    """The scored rows, then all other matches by keyword, then by vector, each text once."""

    def __init__(self, question: Question, pool: Pool, scored: Sequence[Scored]) -> None:
        self._question, self._pool, self._scored = question, pool, scored
        self._near: set[int] = set()  # of the rows behind the pool, those found by vector

    def page(self, limit: int, offset: int, terms: Sequence[str]) -> tuple[Hit, ...]:
        """Return the hits from `offset` on, with snippets around the terms."""
        wanted = limit + offset
        shown = (one for one in self._scored if one.key in self._pool.matched)
        whole = self._each_text_once(chain(shown, self._behind(wanted)), wanted)
        page = list(islice(whole, offset, wanted))
        vectors = self._question.vectors([one.key for one, _ in page])
        cosines = self._question.cosines(vectors)
        return tuple(self._hit(one, stored, cosines.get(one.key), terms) for one, stored in page)

    def _behind(self, wanted: int) -> Iterator[Scored]:
        """Yield the matches that aren't in the pool, as far as `wanted` hits need them."""
        question, pool = self._question, self._pool
        seen = {one.key for one in pool.candidates}
        if pool.more_words:
            # All at once: where a word is very common, fewer would come in another order.
            words, counted = question.asked.words, question.counted
            for key, _ in keyword.search(question.db, words, question.rows, _ALL_ROWS, counted):
                if key not in seen:
                    seen.add(key)
                    yield Scored(key=key, score=0.0, parts={})
        least = least_cosine(question, sure=pool.sure)
        k = wanted + len(seen) if pool.more_near and least < inf else 0
        while k:
            found = question.nearest(k)()
            rest = [key for key, _ in found if key not in seen]
            cosines = question.cosines(question.vectors(rest))
            seen.update(rest)
            for key in rest:
                if cosines[key] >= least:
                    self._near.add(key)
                    yield Scored(key=key, score=0.0, parts={})
            k = 4 * k if len(found) == k else 0

    def _each_text_once(
        self, whole: Iterator[Scored], wanted: int
    ) -> Iterator[tuple[Scored, StoredDoc]]:
        """Leave of a text's chunks the best, and of a node that a fork took along one."""
        shown: set[tuple[str, str, str]] = set()
        while batch := list(islice(whole, min(wanted, _BATCH))):
            docs = by_rowids(self._question.db, [one.key for one in batch])
            for one in batch:
                stored = docs[one.key]
                doc = stored.doc
                # A node's id is the hash of all that led to it: the same one in whatever session.
                text = "" if doc.kind == "node" else stored.path, doc.kind, doc.id
                if text not in shown:
                    shown.add(text)
                    yield one, stored

    def _hit(
        self,
        one: Scored,
        stored: StoredDoc,
        cosine: float | None,
        terms: Sequence[str],
    ) -> Hit:
        doc, meant = stored.doc, self._question.meant
        return Hit(
            id=doc.id,
            kind=doc.kind,
            content=doc.text,
            category=doc.category,
            importance=doc.importance,
            tags=doc.tags,
            similarity=None if meant is None or cosine is None else meant.similarity(cosine),
            score=one.score,
            created_at=doc.at,
            chat_id=doc.chat_id,
            speaker=doc.speaker,
            metadata=doc.metadata,
            source=Place(path=stored.path, line=doc.line, origin=doc.origin),
            matched=self._matched(one.key),
            snippet=snippet(doc.text, terms),
            parts=one.parts,
        )

    def _matched(self, key: int) -> tuple[str, ...]:
        behind = ("vector",) if key in self._near else ("keyword",)
        return self._pool.matched.get(key, behind)
