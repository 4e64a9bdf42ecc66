"""When a history is condensed, and how much of its end is kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from litemem.errors import InvalidValue
from litemem.run.context import context_tokens
from litemem.run.estimate import TokenCounter, estimate_context_tokens
from litemem.run.turns import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPolicy:
    """When to condense, and what to keep; the defaults are the specification's."""

    trigger_ratio: float = 0.8  # of the context window
    keep_recent: float = 8  # trailing turns kept as they are; rounded down

    def __post_init__(self) -> None:
        if math.isnan(self.trigger_ratio) or math.isnan(self.keep_recent):
            raise InvalidValue("trigger_ratio and keep_recent of a policy are numbers, not NaN")


DEFAULT_POLICY = CompactionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What a model is and can; condensation reads `context_window` alone."""

    id: str
    context_window: int  # tokens; 0 or less never triggers condensation
    provider: str = ""
    api: str = ""
    display_name: str = ""
    base_url: str | None = None
    max_output_tokens: int = 0
    modalities: tuple[str, ...] = ("text",)
    reasoning: bool = False
    cost: Mapping[str, float] = field(default_factory=dict)


def should_compact(
    messages: Sequence[Turn],
    model: ModelCard,
    cfg: CompactionPolicy | None = None,
    *,
    counter: TokenCounter | None = None,
) -> bool:
    """
    Whether a history fills its share of the model's context window.

    Args:
        messages: wire turns; a `usage` that they carry counts, see `context_tokens`.
        model: its `context_window` is what may be filled.
        cfg: the default policy when absent.
        counter: see `estimate_context_tokens`.
    """
    if model.context_window <= 0:
        return False
    threshold = model.context_window * (cfg or DEFAULT_POLICY).trigger_ratio
    estimate = partial(estimate_context_tokens, counter=counter)
    return context_tokens(messages, estimate=estimate) >= threshold
