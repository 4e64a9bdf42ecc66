"""A summariser without a language model: it picks the sentences that carry a transcript."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Final, TypeAlias

from litemem.errors import EmbedError, InvalidValue
from litemem.run import channel as ch
from litemem.run.centrality import Themes, nearness
from litemem.run.estimate import CHARS_PER_TOKEN, TokenCounter, utf16_length
from litemem.run.selection import Candidate, Selection, candidates
from litemem.run.sentences import passages
from litemem.run.transcript import transcript_of
from litemem.run.turns import SUMMARY_HEADING
from litemem.types import Embedder

logger = logging.getLogger(__name__)

Offload: TypeAlias = Callable[[Callable[[], str]], Awaitable[str]]
"""Runs a function elsewhere, e.g. on a worker thread, and hands its result back."""

_EMBEDDED: Final = 300  # passages: 3 to 6 s with the default model, 0.6 s of comparing them
_CONSIDERED: Final = 2  # times the budget: what else could have been chosen

_HEADINGS: Final = re.compile(rf"^user:\n{re.escape(SUMMARY_HEADING)}\n", re.MULTILINE)

NAME: Final = "offline"


class OfflineSummariser:
    """
    A `ModelInvoker` that condenses a transcript by leaving out.

    What it keeps stands in the transcript's order, line by line as it was written there; nothing
    is rephrased or added. Requests, decisions, file names, numbers, errors and open tasks come
    first: all of them when they fit. The rest is chosen to cover the most words and, by the
    embedder, the most themes. One transcript and one embedder always give one summary.
    """

    def __init__(
        self,
        embedder: Embedder | None = None,
        *,
        max_tokens: int = 2000,
        counter: TokenCounter | None = None,
        offload: Offload | None = None,
    ) -> None:
        """
        Set what to work with; nothing is loaded.

        Args:
            embedder: finds themes and restatements; without one, words alone decide.
            max_tokens: the most a summary may take; a call's `max_output_tokens` lowers it.
            counter: a real token counter, else characters / 4 are counted.
            offload: where the work is done, so that an event loop isn't held up meanwhile.

        Raises:
            InvalidValue: `max_tokens` is below 1.
        """
        if max_tokens < 1:
            raise InvalidValue(f"max_tokens is {max_tokens}; a summary needs at least 1")
        self._embedder, self._max_tokens = embedder, max_tokens
        self._counter, self._offload = counter, offload

    async def __call__(
        self, conversation: ch.Conversation, options: ch.StreamOptions
    ) -> AsyncIterator[ch.Emission]:
        """Answer a conversation with the sentences that carry it."""
        limit = options.max_output_tokens
        tokens = self._max_tokens if limit is None else min(limit, self._max_tokens)
        transcript = transcript_of(conversation.turns)

        def work() -> str:
            return self.condense(transcript, max_tokens=tokens)

        text = work() if self._offload is None else await self._offload(work)
        yield ch.TextEmitted(delta=text)
        yield ch.Done(reply=ch.Reply(model=NAME, blocks=({"kind": "text", "text": text},)))

    def condense(self, transcript: str, *, max_tokens: int | None = None) -> str:
        """
        Return the lines of a transcript that carry it, with their role lines, in order.

        Args:
            transcript: as `render_transcript` writes it.
            max_tokens: the most the result may take, instead of the summariser's own limit.

        Returns:
            The transcript itself when it is short enough; '' when nothing in it fits. An earlier
            summary is one with its text: its heading and the role above are gone.
        """
        transcript = _HEADINGS.sub("", transcript)
        budget = float(self._max_tokens if max_tokens is None else max_tokens)
        if self._cost(transcript) <= budget:
            return transcript.strip()
        line_end = self._cost("\n")
        rows = candidates(passages(transcript), lambda text: self._cost(text) + line_end)
        chosen = self._select(rows, budget)
        while chosen and self._cost(_written(rows, chosen)) > budget:
            chosen.pop()  # the role lines weren't counted
        return _written(rows, chosen)

    def _select(self, rows: Sequence[Candidate], budget: float) -> list[int]:
        likely = Selection(rows).fill(_CONSIDERED * budget)[:_EMBEDDED]
        themes = self._themes([rows[place] for place in likely])
        return Selection(rows, themes, likely if themes else ()).fill(budget)

    def _themes(self, rows: Sequence[Candidate]) -> Themes | None:
        if self._embedder is None:
            return None
        try:
            near = nearness([row.passage.text for row in rows], self._embedder)
        except EmbedError as error:
            logger.warning("condensing by words alone: %s", error)
            return None
        return Themes(near, [row.weight for row in rows])

    def _cost(self, text: str) -> float:
        if self._counter is not None:
            return self._counter(text)
        return utf16_length(text) / CHARS_PER_TOKEN


def _written(rows: Sequence[Candidate], places: Iterable[int]) -> str:
    """Write passages in order, below the name of who says them."""
    lines: list[str] = []
    role = ""
    for place in sorted(places):
        passage = rows[place].passage
        if passage.role != role:
            role = passage.role
            lines.append(f"{role}:")
        lines.append(passage.text)
    return "\n".join(lines)
