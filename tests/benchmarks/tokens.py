"""Token estimates beside what a provider counted, on a session of the coding agent pi."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from litemem.run.context import USAGE, context_tokens
from litemem.run.estimate import estimate_context_tokens
from litemem.run.turns import Turn

ALLOWED = 0.05  # how far from the usage a count may be
LEAST_CALLS = 2  # nothing is known before the first

Counts: TypeAlias = Callable[[Sequence[Turn]], int]


def turns_of(path: Path) -> list[Turn]:
    """
    Return the turns of a session, with the usage that its provider reported.

    Raises:
        ValueError, LookupError, TypeError: it's something else, or has fewer than two calls.
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    records = [json.loads(line) for line in lines if line]
    messages = [record["message"] for record in records if record["type"] == "message"]
    turns: list[Turn] = [
        {**_turn(message), USAGE: {"inputTokens": _used(message)}} for message in messages
    ]
    if sum(turn[USAGE]["inputTokens"] > 0 for turn in turns) < LEAST_CALLS:
        raise ValueError(f"it has less than {LEAST_CALLS} calls with usage")
    return turns


def ratios(turns: Sequence[Turn], count: Counts) -> list[float]:
    """Return what was counted before each call, but for the first, in parts of what it took."""
    places = [place for place, turn in enumerate(turns) if turn[USAGE]["inputTokens"]]
    return [count(turns[:place]) / turns[place][USAGE]["inputTokens"] for place in places[1:]]


def token_lines(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield a table: two ways to count a context before a call."""
    yield "| counted / usage | calls | middle | least | most | within 5 % |"
    yield f"|{'---|' * 6}"
    yield _row("characters / 4, as the reference", ratios(turns, estimate_context_tokens))
    yield _row("the call before it, and what came since", ratios(turns, context_tokens))


def _row(name: str, found: Sequence[float]) -> str:
    within = sum(abs(ratio - 1) <= ALLOWED for ratio in found) / len(found)
    return (
        f"| {name} | {len(found)} | {median(found):.3f} | {min(found):.3f} | {max(found):.3f} "
        f"| {within:.1%} of the calls |"
    )


def _used(message: dict[str, Any]) -> int:  # Any: a line of a foreign file
    usage = message.get("usage", {})
    return sum(usage.get(key, 0) for key in ("input", "cacheRead", "cacheWrite"))


def _turn(message: dict[str, Any]) -> Turn:
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if message["role"] == "toolResult":
        output = "\n".join(part.get("text", "") for part in parts)
        return {"role": "tool", "blocks": [{"kind": "tool_result", "output": output}]}
    return {"role": message["role"], "blocks": [_block(part) for part in parts]}


def _block(part: dict[str, Any]) -> dict[str, Any]:
    match part["type"]:
        case "thinking":
            return {"kind": "thinking", "text": part["thinking"]}
        case "toolCall":
            return {"kind": "tool_call", "name": part["name"], "input": part["arguments"]}
        case kind:
            return {"kind": kind, "text": part.get("text", "")}
