"""The blocks of one user, as `memory.blocks`."""

from __future__ import annotations

from litemem.memory.blocks import all_blocks, append_block, get_block, set_block, shown_blocks
from litemem.memory.workspace import Workspace


class Blocks:
    """
    Core memory: `persona`, `user`, `facts`, `context`.

    Reads look from the narrowest scope outwards: user and chat, chat, user, everybody. Writes go
    to the user's scope, the chat's where one is named, or everybody's with `everyone`.
    """

    def __init__(self, space: Workspace, user_id: str) -> None:
        self._space, self._user = space, user_id

    def get(self, label: str, *, chat_id: str | None = None, everyone: bool = False) -> str:
        """Return a block's text, '' where it's unset. Raises InvalidBlock for another label."""
        return get_block(self._space.home, label, self._owner(everyone), chat_id)

    def all(self, *, chat_id: str | None = None, everyone: bool = False) -> dict[str, str]:
        """Return all four blocks by label."""
        return all_blocks(self._space.home, self._owner(everyone), chat_id)

    def set(
        self, label: str, content: str, *, chat_id: str | None = None, everyone: bool = False
    ) -> None:
        """Replace a block in exactly this scope; old or new text after any crash."""
        set_block(self._space, label, content, self._owner(everyone), chat_id)

    def append(
        self, label: str, text: str, *, chat_id: str | None = None, everyone: bool = False
    ) -> str:
        """Add text after one newline, copying an inherited text first; return the whole."""
        return append_block(self._space, label, text, self._owner(everyone), chat_id)

    def context(self, *, chat_id: str | None = None) -> str:
        """Return the four blocks as delimited text for a system prompt."""
        from litemem.text.prompt import core_block

        return core_block(shown_blocks(self.all(chat_id=chat_id)), str(self._space.home.root))

    def _owner(self, everyone: bool) -> str | None:  # noqa: FBT001
        return None if everyone else self._user
