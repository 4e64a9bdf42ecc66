"""A history made shorter: a summary, the user's last turn, the recent turns."""

from __future__ import annotations

from collections.abc import Sequence

from litemem.run.channel import ModelInvoker
from litemem.run.cut import find_cut, splice
from litemem.run.policy import DEFAULT_POLICY, CompactionPolicy, ModelCard, should_compact
from litemem.run.summarize import summarize
from litemem.run.turns import Turn


async def compact(
    messages: Sequence[Turn],
    model: ModelCard,
    cfg: CompactionPolicy | None,
    invoke: ModelInvoker,
) -> Sequence[Turn]:
    """
    Return `[summary, last user turn if it would be lost, recent turns]`.

    Every tool result in it has its call. When nothing is worth condensing, `messages` itself
    comes back, so this is safe to call at any time.

    Args:
        messages: wire turns; never changed.
        model: reserved by the specification.
        cfg: the default policy when absent.
        invoke: the model that writes the summary.

    Raises:
        RunFailed: the model failed or answered nothing; keep `messages`.
    """
    del model
    cut = find_cut(messages, (cfg or DEFAULT_POLICY).keep_recent)
    if cut is None:
        return messages
    return splice(messages, cut, await summarize(messages[: cut.at], invoke))


async def compact_when_full(
    messages: Sequence[Turn],
    model: ModelCard,
    cfg: CompactionPolicy | None,
    invoke: ModelInvoker,
) -> Sequence[Turn]:
    """Condense a history that is full, as a run does before each model call; no policy, never."""
    if cfg is None or not should_compact(messages, model, cfg):
        return messages
    return await compact(messages, model, cfg, invoke)
