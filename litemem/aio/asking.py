"""One question to a caller's language model, whatever it does."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any, Final

from litemem.errors import RunFailed
from litemem.llm.client import LLMClient

logger = logging.getLogger(__name__)

_LONGEST: Final = 500  # characters of an error that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said, or why it said nothing."""

    text: str = ""
    error: str | None = None


async def ask(
    llm: LLMClient, prompt: str, system: str, timeout_s: float, *, json: bool = True
) -> ModelAnswer:
    """
    Ask a model once.

    Returns its text, '' with the error where it failed, took too long or answered no text.
    """
    try:
        async with asyncio.timeout(timeout_s):
            # Any: a caller's client may return anything, whatever the protocol says
            text: Any = await llm.complete(prompt, system=system, json=json)
    except TimeoutError:
        return _failed(f"the language model took more than {timeout_s:g} s")
    except RunFailed as error:
        return _failed(str(error))
    except Exception as error:  # noqa: BLE001  # a caller's client may fail in any way; a turn not
        return _failed(f"the language model failed: {type(error).__name__}: {error}")
    if not isinstance(text, str):
        return _failed(f"the language model answered a {type(text).__name__}, not text")
    if not text.strip():
        return _failed("the language model's answer is empty")
    return ModelAnswer(text=text)


def _failed(error: str) -> ModelAnswer:
    line = " ".join(error[: 2 * _LONGEST].split())
    shown = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
    logger.warning("%s", shown)
    return ModelAnswer(error=shown)
