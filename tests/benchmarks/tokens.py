"""Token estimates beside what a provider counted, on a session of the coding agent pi."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any

from litemem.run.calibration import Sample, calibration_of
from litemem.run.estimate import estimate_context_tokens
from litemem.run.turns import Turn

ALLOWED = 0.05  # how far from the usage an estimate may be


def samples_of(path: Path) -> list[Sample]:
    """Return what was estimated and used for each call of a session, oldest first."""
    lines = path.read_text(encoding="utf-8").split("\n")
    records = [json.loads(line) for line in lines if line]
    messages = [record["message"] for record in records if record["type"] == "message"]
    each = (estimate_context_tokens([_turn(message)]) for message in messages)
    before = accumulate(each, initial=0)
    called = ((at, _used(message)) for at, message in zip(before, messages, strict=False))
    return [Sample(estimated=estimated, used=used) for estimated, used in called if used]


def token_lines(path: Path) -> Iterator[str]:
    """Yield a table: learnt on the first half of the calls, told of the second."""
    samples = samples_of(path)
    half = len(samples) // 2
    first, second = samples[:half], samples[half:]
    factor = calibration_of(first)
    yield f"{len(samples)} calls; learnt on the first {half}: x {factor:.3f}; told of the others"
    yield "| estimate / usage | middle | least | most | within 5 % |"
    yield f"|{'---|' * 5}"
    yield _row("characters / 4, as the reference", [1.0] * len(second), second)
    yield _row("calibrated once", [factor] * len(second), second)
    online = [calibration_of(samples[:place]) for place in range(half, len(samples))]
    yield _row("calibrated before each call by those before it", online, second)


def _row(name: str, factors: Sequence[float], samples: Sequence[Sample]) -> str:
    ratios = [
        factor * one.estimated / one.used for factor, one in zip(factors, samples, strict=True)
    ]
    within = sum(abs(ratio - 1) <= ALLOWED for ratio in ratios) / len(ratios)
    return (
        f"| {name} | {median(ratios):.3f} | {min(ratios):.3f} | {max(ratios):.3f} "
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
