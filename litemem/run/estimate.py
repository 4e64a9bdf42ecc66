"""How many tokens a history takes in a model's context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from litemem.run.turns import Turn, blocks_of, field, serialized
from litemem.types import JsonObject

TokenCounter: TypeAlias = Callable[[str], int]
"""Counts the tokens of one text, as a model's own tokenizer does."""

CHARS_PER_TOKEN: Final = 4  # spec section "estimateContextTokens"
TOKENS_PER_TURN: Final = 4  # spec: role and message framing


def estimate_context_tokens(
    messages: Sequence[Turn], *, counter: TokenCounter | None = None
) -> int:
    """
    Estimate the tokens of a history: characters / 4, rounded up once, plus 4 for each turn.

    Args:
        messages: wire turns; blocks of an unknown kind count nothing.
        counter: a real token counter, used on each block's text instead of its characters. An
            image stays at characters / 4, because its base64 is no text to a model.

    Raises:
        InvalidValue: a tool's input or output isn't JSON.
    """
    return TOKENS_PER_TURN * len(messages) + _of_blocks(messages, counter)


def _of_blocks(messages: Sequence[Turn], counter: TokenCounter | None) -> int:
    blocks = [block for turn in messages for block in blocks_of(turn)]
    if counter is None:
        return _tokens(sum(utf16_length(_counted(block)) for block in blocks))
    images = sum(len(field(block, "dataBase64")) for block in blocks if _is_image(block))
    texts = (_counted(block) for block in blocks if not _is_image(block))
    return _tokens(images) + sum(counter(text) for text in texts if text)


def utf16_length(text: str) -> int:
    """Return JavaScript's `text.length`: a character beyond U+FFFF counts twice."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _tokens(chars: int) -> int:
    return -(-chars // CHARS_PER_TOKEN)


def _is_image(block: JsonObject) -> bool:
    return block.get("kind") == "image"


def _counted(block: JsonObject) -> str:
    """Return what of a block counts, as one text."""
    match block.get("kind"):
        case "text" | "thinking":
            return field(block, "text")
        case "tool_call":
            return field(block, "name") + _spelled(block.get("input"))
        case "tool_result":
            return _spelled(block.get("output"))
        case "image":
            return field(block, "dataBase64")
        case _:
            return ""


def _spelled(value: object) -> str:
    return "" if value is None else serialized(value)
