"""What litemem asks of a language model."""

from __future__ import annotations

from typing import Protocol


class LLMClient(Protocol):
    """A caller's language model; contacted only by what got it as an argument."""

    async def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        max_tokens: int | None = None,
        json: bool = False,
    ) -> str:
        """
        Return the model's answer as text.

        Args:
            prompt: what the user says.
            system: instructions before it.
            max_tokens: of the answer, at most; None: the model's own limit.
            json: ask for a JSON object; the answer may be something else nevertheless.

        Raises:
            RunFailed: the model couldn't be reached, took too long or refused; says what to do.
        """
        ...
