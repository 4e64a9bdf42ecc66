"""ContextCompressor: an agent's steps, or wire turns, made shorter before they are too long."""

from __future__ import annotations

import contextlib
import logging
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from litemem.aio.condense import Condenser, Done
from litemem.aio.flush import Flush, RemembersTurns
from litemem.errors import InvalidValue
from litemem.llm.client import LLMClient
from litemem.run.cut import Cut, dropped, splice
from litemem.run.estimate import TokenCounter
from litemem.run.steps import step_turns
from litemem.run.summarystep import summary_step
from litemem.run.turns import Turn, is_summary, text_turn
from litemem.run.window import Unit, Window, find_window, turns_at

logger = logging.getLogger(__name__)

MAX_CONTEXT_TOKENS: Final = 100_000  # 0.8, the trigger of a run, of a window of 128,000
_WORTHWHILE: Final = 10  # of the limit must go, where the tokens are too many: a call isn't free


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionReport:
    """What a call did."""

    compressed: bool
    before: int  # steps or turns
    after: int
    flushed: int = 0  # conversation turns that the memory took
    trouble: tuple[str, ...] = ()  # what failed, a sentence each


class ContextCompressor:
    """
    Condenses what an agent did long ago, so that its context doesn't overflow.

    More than `max_steps` steps, or more than `max_context_tokens` in the present context, trigger
    it. Then the first step stays, one summary takes the place of what follows, and the last
    max(5, a quarter) steps stay: 21 become 7. Where the user's last request would go, it stays
    too, after the summary. What goes is handed to the memory before. When the summary fails,
    everything stays as it was.

    A smolagents agent, which is synchronous, calls it after each step by
    `step_callbacks=[lambda _, agent: asyncio.run(compressor.compress_context(agent))]`.
    """

    last_report: CompressionReport | None = None

    def __init__(
        self,
        llm_client: LLMClient | None = None,
        chat_id: str | None = None,
        user_id: str | None = None,
        *,
        memory_manager: RemembersTurns | None = None,
        max_steps: int = 20,
        max_context_tokens: int = MAX_CONTEXT_TOKENS,
        counter: TokenCounter | None = None,
    ) -> None:
        """
        Set what to work with; nothing is contacted.

        Args:
            llm_client: writes the summaries; without one they are picked from the steps' lines.
            chat_id: where the memory keeps what goes; without it the chat `default`.
            user_id: whose memory; without it the default user's.
            memory_manager: gets what goes before it does; None: nobody does.
            max_steps: more than these are condensed.
            max_context_tokens: about 80 % of the model's window, counted anew each time: what the
                newest call used (smolagents' `token_usage`, a turn's `usage`) and what came since.
            counter: a real token counter where no usage tells, else characters / 4 are counted.

        Raises:
            InvalidValue: a limit is below 1.
        """
        if max_steps < 1 or max_context_tokens < 1:
            raise InvalidValue("max_steps and max_context_tokens must be at least 1")
        flush = None if memory_manager is None else Flush(memory_manager, chat_id, user_id)
        self._condenser = Condenser(
            llm_client, flush, max_tokens=max_context_tokens, counter=counter
        )
        self._max_steps, self._max_tokens = max_steps, max_context_tokens
        self._busy: set[int] = set()

    async def compress_context(self, agent: Any) -> bool:  # noqa: ANN401  # of whatever framework
        """
        Condense the steps of an agent in place; `agent.memory.steps` stays the same list.

        Steps that are added meanwhile stay. Cancelled, or when the steps were changed otherwise
        meanwhile, it leaves them as they are.

        Args:
            agent: has `memory.steps`, a list of steps of any class, as a smolagents agent has.

        Returns:
            Whether the steps were condensed: False when it isn't time yet, when the summary
            failed (see `last_report`), or while another call does it.

        Raises:
            InvalidValue: `agent.memory.steps` is no list.
        """
        steps = _steps(agent)
        with self._alone(steps) as alone:
            if not alone:
                return False
            was = [*steps]
            units = [step_turns(step) for step in was]
            window = self._window(units, _system_prompt(agent))
            if window is None:
                return self._report(Done(), len(was), len(was))
            done = await self._condenser.condense(
                turns_at(units, window.gone()), turns_at(units, range(len(units)))
            )
            if done.summary and not (_steps(agent) is steps and _same(steps, was)):
                done = _changed(done)
            if done.summary:
                kept = [*was[: window.head], *was[window.start :]]
                step = summary_step(done.summary, [was[i] for i in window.gone()], kept)
                pinned = [] if window.pinned is None else [was[window.pinned]]
                steps[window.head : window.start] = [step, *pinned]
            return self._report(done, len(was), len(steps))

    async def compress_turns(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        """
        Return a history of wire turns condensed, a tool call never parted from its result.

        Args:
            turns: `{"role", "blocks"}`; never changed.

        Returns:
            A new list; `turns` itself when it isn't time yet, when the summary failed (see
            `last_report`), or while another call condenses the same list.

        Raises:
            InvalidValue: a tool's input or output isn't JSON.
        """
        with self._alone(turns) as alone:
            if not alone:
                return turns
            was = [*turns]
            units = [[turn] for turn in was]
            window = self._window(units, [])
            if window is None:
                self._report(Done(), len(was), len(was))
                return turns
            pinned = None if window.pinned is None else window.pinned - window.head
            span, cut = was[window.head :], Cut(at=window.start - window.head, pinned=pinned)
            done = await self._condenser.condense(dropped(span, cut), was)
            if not done.summary:
                self._report(done, len(was), len(was))
                return turns
            condensed = [
                *was[: window.head],
                *splice(span, cut, text_turn("user", done.summary)),
            ]
            self._report(done, len(was), len(condensed))
            return condensed

    def _window(self, units: Sequence[Unit], system: Unit) -> Window | None:
        """Return what to condense; None when it isn't time, or isn't worth it."""
        many = len(units) > self._max_steps
        total = [*system, *turns_at(units, range(len(units)))]
        used = self._condenser.context_tokens(total)
        if not many and used <= self._max_tokens:
            return None
        window = find_window(units, max_steps=self._max_steps)
        if window is None or many:
            return window
        fresh = [turn for turn in turns_at(units, window.gone()) if not is_summary(turn)]
        going = self._condenser.tokens(fresh) * used / self._condenser.tokens(total)
        return window if going * _WORTHWHILE >= self._max_tokens else None

    def _report(self, done: Done, before: int, after: int) -> bool:
        self.last_report = CompressionReport(
            compressed=bool(done.summary),
            before=before,
            after=after,
            flushed=done.flushed,
            trouble=done.trouble,
        )
        if done.trouble:
            logger.warning("compression: %d of its steps failed", len(done.trouble))
        return bool(done.summary)

    @contextlib.contextmanager
    def _alone(self, steps: Sequence[object]) -> Iterator[bool]:
        """Let one call at a time work on a list; False for the others."""
        if id(steps) in self._busy:
            yield False
            return
        self._busy.add(id(steps))
        try:
            yield True
        finally:
            self._busy.discard(id(steps))


def _changed(done: Done) -> Done:
    told = "the steps were changed meanwhile, and left as they are"
    return replace(done, summary="", trouble=(*done.trouble, told))


def _steps(agent: Any) -> list[object]:  # noqa: ANN401  # of whatever framework
    steps = getattr(getattr(agent, "memory", None), "steps", None)
    if not isinstance(steps, list):
        raise InvalidValue(
            f"{type(agent).__name__} has no list memory.steps; for a list of turns there is "
            "compress_turns"
        )
    return steps


def _system_prompt(agent: Any) -> list[Turn]:  # noqa: ANN401  # of whatever framework
    prompt = getattr(agent.memory, "system_prompt", None)
    return [] if prompt is None else step_turns(prompt)


def _same(steps: Sequence[object], was: Sequence[object]) -> bool:
    """Whether a list still begins with these very steps."""
    return len(steps) >= len(was) and all(map(operator.is_, steps, was))
