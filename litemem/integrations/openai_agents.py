"""The memory tools as function tools of the OpenAI Agents SDK, and a session log as its Session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from litemem.aio.logs import SessionStore
from litemem.aio.manager import MemoryManager
from litemem.errors import InvalidValue
from litemem.integrations.calls import memory_functions
from litemem.integrations.items import Item, items_of, turns_of
from litemem.integrations.missing import missing
from litemem.session.nodes import Turn

try:
    from agents import (
        ModelBehaviorError,
        RunContextWrapper,
        Tool,
        default_tool_error_function,
        function_tool,
    )
    from agents.memory import SessionSettings
except ImportError as error:
    raise missing("the OpenAI Agents SDK", error) from error

if TYPE_CHECKING:
    from agents.items import TResponseInputItem


def memory_tools(
    manager: MemoryManager, *, chat_id: str | None = None, user_id: str | None = None
) -> list[Tool]:
    """
    Return tools that search memory and change its blocks, for an agent's `tools`.

    They don't block the event loop; what goes wrong in the memory is said to the model.

    Args:
        manager: the memory; it may be open already or not. Closed, the tools say so.
        chat_id: the chat the agent works in.
        user_id: whose memory; None: the default user's facts, and the blocks that all users read.
    """
    search, update = memory_functions(manager, chat_id, user_id)
    return [
        function_tool(search, failure_error_function=_failed),
        function_tool(update, failure_error_function=_failed),
    ]


class LitememSession:
    """
    The SDK's `Session` over a session log: `Runner.run(agent, text, session=...)`.

    The log is one of litemem's own, so it can be searched, branched, condensed, redacted and
    exported, also while an agent uses it. Items come back as they went in. Several sessions, tasks
    and processes may use one log: each append lands whole after the other. Other errors than those
    named below are LitememError of the store: Closed, InvalidName, LockTimeout, FileTrouble.

    Args:
        session_id: the log's name, a file name of at most 200 bytes.
        store: the store, or its folder; default the home's own. One store serves any number of
            sessions; one that is made here ends with the session.
        session_settings: the SDK's; its `limit` counts where none is given.
    """

    def __init__(
        self,
        session_id: str,
        store: SessionStore | str | Path | None = None,
        *,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = session_settings or SessionSettings()
        self.store = store if isinstance(store, SessionStore) else SessionStore(store)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """
        Return what the agent goes on with: the path to the head, condensed where it was.

        That is the summary, the pinned turn, the kept tail; or all items of the branch. `limit`
        takes the newest ones. Raises InvalidValue for one below 0.
        """
        settings = self.session_settings
        most = limit if limit is not None or settings is None else settings.limit
        if most is None:
            return _given(await self.store.resume(self.session_id))
        if most < 0:
            raise InvalidValue(f"limit is {most}; give 0 or more, or nothing for all items")
        turns = await self.store.resume(self.session_id, last_n=most)
        items = _given(turns)
        if len(items) < most <= len(turns):  # some turns have none
            items = _given(await self.store.resume(self.session_id))
        return items[max(0, len(items) - most) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items after the head, in one durable write. Raises InvalidValue: one isn't JSON."""
        turns = turns_of(cast("list[Item]", items))
        await self.store.append_turns(self.session_id, turns)

    async def pop_item(self) -> TResponseInputItem | None:
        """
        Take the newest item back and return it, None where there is none.

        The head moves to what stood before it; in the log it stays, as a branch.
        """
        popped: list[Item] = []

        def without_last(turns: list[Turn]) -> tuple[int, list[Turn]]:
            for place in reversed(range(len(turns))):
                if items := items_of(turns[place]):
                    popped.append(items.pop())
                    return place, turns_of(items)
            return len(turns), []

        await self.store.rewind(self.session_id, without_last)
        return cast("TResponseInputItem", popped[0]) if popped else None

    async def clear_session(self) -> None:
        """Begin an empty branch; in the log everything stays."""
        await self.store.rewind(
            self.session_id, lambda turns: (0 if any(map(items_of, turns)) else len(turns), ())
        )


def _failed(context: RunContextWrapper[object], error: Exception) -> str:
    """Say that arguments don't fit: the SDK's own sentence says only that something failed."""
    if isinstance(error, ModelBehaviorError):
        return f"Error: {error}; give arguments as the tool's JSON schema has them."
    return default_tool_error_function(context, error)


def _given(turns: list[Turn]) -> list[TResponseInputItem]:
    items = [item for turn in turns for item in items_of(turn)]
    return cast("list[TResponseInputItem]", items)
