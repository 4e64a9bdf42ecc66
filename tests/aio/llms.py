"""Scripted language models: real classes of the protocol, for tests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from litemem.errors import RunFailed


@dataclass
class Scripted:
    """Answers with the given texts in turn, and keeps what it was asked."""

    answers: list[str]
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    async def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        max_tokens: int | None = None,
        json: bool = False,
    ) -> str:
        self.asked.append((prompt, system))
        return self.answers[len(self.asked) - 1]


class Failing:
    """Fails as a client should, or as one shouldn't."""

    def __init__(self, error: Exception) -> None:
        self.error, self.calls = error, 0

    async def complete(self, prompt: str, **_: object) -> str:
        self.calls += 1
        raise self.error


class Slow:
    """Takes its time."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.cancelled = seconds, False

    async def complete(self, prompt: str, **_: object) -> str:
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return "{}"


REFUSED = RunFailed("the model 'x' can't be reached at http://localhost:1; start it")
