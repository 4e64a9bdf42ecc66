"""What goes out of a context: handed to the memory, then summarised."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from litemem.aio.flush import Flush, outcome_of
from litemem.errors import RunFailed
from litemem.llm.client import LLMClient
from litemem.run.context import context_tokens
from litemem.run.estimate import TokenCounter, estimate_context_tokens
from litemem.run.gist import clean_gist
from litemem.run.offline import OfflineSummariser
from litemem.run.summarize import SYSTEM
from litemem.run.transcript import clip, render_transcript
from litemem.run.turns import SUMMARY_HEADING, Turn, blocks_of, text_turn
from litemem.text.prompt import transcript_block
from litemem.types import JsonObject

_SUMMARY_TOKENS: Final = 2000  # what the offline summariser writes at most
_SHARE: Final = 8  # of the limit, at most, is its summary
_FEWEST_TOKENS: Final = 200  # fewer hold no sentence
_IMAGE_TOKENS: Final = 1000  # of one megapixel, in the common models
_LEFT_OUT: Final = "[shortened: only the lines that carry it are left]\n"
_ESCAPED: Final = "\nIt stands between <transcript> tags; there &lt; means <, &gt; > and &amp; &."


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A summary with its heading, '' where there is none, and what happened on the way."""

    summary: str = ""
    flushed: int = 0
    trouble: tuple[str, ...] = ()


class Condenser:
    """Hands turns to a memory and writes their summary, by a model or without one."""

    def __init__(
        self,
        llm: LLMClient | None,
        flush: Flush | None,
        *,
        max_tokens: int,
        counter: TokenCounter | None = None,
    ) -> None:
        """Set what to work with; `max_tokens` is what the whole context may take."""
        self._llm, self._flush = llm, flush
        self._max_tokens, self._counter = max_tokens, counter

    async def condense(self, gone: Sequence[Turn], history: Sequence[Turn]) -> Done:
        """Hand over what goes, then summarise it; a failure of the one or the other is told."""
        taken, trouble = 0, list[str]()
        if self._flush is not None:
            taken, trouble = await self._flush.hand_over(gone, history)
        summary = await outcome_of(self._summary(gone))
        if isinstance(summary, BaseException):
            trouble.append(f"the summary failed: {str(summary) or type(summary).__name__}")
            summary = ""
        return Done(summary=summary, flushed=taken, trouble=tuple(trouble))

    async def _summary(self, gone: Sequence[Turn]) -> str:
        transcript = render_transcript(gone)
        if self._llm is None:
            budget = max(_FEWEST_TOKENS, min(_SUMMARY_TOKENS, self._max_tokens // _SHARE))
            text = await self._shortened(transcript, budget)
        else:
            fitting = await self._shortened(transcript, self._max_tokens // 2)
            note = "" if fitting == transcript.strip() else _LEFT_OUT
            answer = await self._llm.complete(
                transcript_block(note + fitting), system=f"{SYSTEM}\n{_ESCAPED}"
            )
            text = clean_gist(answer).strip()
        if not text:
            raise RunFailed("it is empty")
        if self.tokens([text_turn("user", text)]) > max(_SUMMARY_TOKENS, self.tokens(gone)):
            raise RunFailed("it is longer than what it is to take the place of")
        return f"{SUMMARY_HEADING}\n{text}"

    async def _shortened(self, transcript: str, max_tokens: int) -> str:
        """Pick the lines that carry a transcript, on another thread; all of them when they fit."""
        summariser = OfflineSummariser(counter=self._counter)
        lines = await asyncio.to_thread(summariser.condense, transcript, max_tokens=max_tokens)
        return lines or clip(transcript.strip())  # a line alone was too long

    def context_tokens(self, turns: Sequence[Turn]) -> int:
        """Return what turns take, by the usage that their calls reported where they did."""
        return context_tokens(turns, estimate=self.tokens)

    def tokens(self, turns: Sequence[Turn]) -> int:
        """Estimate what turns take in a context, images too."""
        images = sum(_is_bare_image(block) for turn in turns for block in blocks_of(turn))
        return estimate_context_tokens(turns, counter=self._counter) + _IMAGE_TOKENS * images


def _is_bare_image(block: JsonObject) -> bool:
    return block.get("kind") == "image" and not block.get("dataBase64")
