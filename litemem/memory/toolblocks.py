"""Changes of core memory as an agent's tool makes them: every outcome is a sentence."""

from __future__ import annotations

from litemem.errors import LitememError
from litemem.memory.blocks import LABELS, append_block, get_block, set_block
from litemem.memory.workspace import Workspace

OPERATIONS = ("replace", "append", "search_replace")


def change_block(
    space: Workspace,
    label: str,
    operation: str,
    content: str,
    pattern: str | None,
    *,
    user: str | None,
    chat_id: str | None,
) -> str:
    """
    Change a block where it is then read: in the chat's scope where that shadows the user's.

    Returns what was done, or what is wrong and what is allowed; then nothing was changed.
    """
    if label not in LABELS:
        return f"Error: there is no block {label!r}; the blocks are {', '.join(LABELS)}."
    if operation not in OPERATIONS:
        return f"Error: operation {operation!r} is unknown; it is one of {', '.join(OPERATIONS)}."
    try:
        if operation == "append":
            append_block(space, label, content, user, chat_id)
            return f"Appended to block {label!r}."
        if operation == "replace":
            set_block(space, label, content, user, chat_id)
            return f"Replaced block {label!r}."
        return _search_replace(space, label, content, pattern, user, chat_id)
    except LitememError as error:
        return f"Error: {error}"


def _search_replace(
    space: Workspace,
    label: str,
    content: str,
    pattern: str | None,
    user: str | None,
    chat_id: str | None,
) -> str:
    if not pattern:
        return "Error: search_replace needs search_pattern, the text to replace."
    with space.writing():
        old = get_block(space.home, label, user, chat_id)
        count = old.count(pattern)
        if not count:
            return f"Error: {pattern!r} isn't in block {label!r}; nothing was changed."
        set_block(space, label, old.replace(pattern, content), user, chat_id)
    return f"Replaced {count} place{'s' if count > 1 else ''} in block {label!r}."
