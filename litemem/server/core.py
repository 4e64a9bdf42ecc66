"""The core blocks: /memory/core and /blocks."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated, Final

from litemem.errors import Conflict
from litemem.memory.blocks import LABELS, all_blocks, find_block, get_block, set_block
from litemem.memory.memory import Memory
from litemem.memory.store import FactStore
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.params import BodyChatId, ChatId, in_body, in_path
from litemem.server.schema import one_of, or_null, text
from litemem.server.shapes import NUMBER, TEXT, made

_LABEL: Final = one_of(*LABELS)
_MOST_CHARS: Final = 500_000
_REVISION: Final = text(64, 64)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Blocks:
    chat_id: ChatId = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneBlock:
    label: Annotated[str, in_path(_LABEL, "Which block.")]
    chat_id: ChatId = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _NewBlock:
    label: Annotated[str, in_body(_LABEL, "Which block.")]
    content: Annotated[str, in_body(text(_MOST_CHARS), "Its whole new text.")]
    chat_id: BodyChatId = None
    revision: Annotated[
        str | None,
        in_body(or_null(_REVISION), "Of the text that was read."),
    ] = None


async def get_core_memory(call: Call, asked: _Blocks) -> Json:
    """Return the four blocks."""
    return {
        "blocks": await call.read(
            lambda memory, _: all_blocks(memory.space.home, call.user, asked.chat_id)
        )
    }


async def update_memory_block(call: Call, asked: _NewBlock) -> Json:
    """Replace a block."""

    def update(memory: Memory, _: FactStore) -> None:
        space = memory.space
        with space.writing():
            now = get_block(space.home, asked.label, call.user, asked.chat_id)
            if asked.revision not in (None, revision_of(now)):
                raise Conflict("the block has changed meanwhile")
            set_block(space, asked.label, asked.content, call.user, asked.chat_id)

    await call.write(update)
    return {"success": True}


async def get_block_scope(call: Call, asked: _OneBlock) -> Json:
    """Return a block, and which scope it comes from."""

    def found(memory: Memory, _: FactStore) -> Json:
        home = memory.space.home
        content = get_block(home, asked.label, call.user, asked.chat_id)
        file = find_block(home, asked.label, call.user, asked.chat_id)
        return {
            "label": asked.label,
            "content": content,
            "revision": revision_of(content),
            "source": None if file is None else file.key,
            "characters": len(content),
        }

    return await call.read(found)


def revision_of(content: str) -> str:
    """Return what tells this text of a block from another."""
    return hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()


ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/memory/core",
        does=get_core_memory,
        asked=_Blocks,
        answers=made(blocks=made(**dict.fromkeys(LABELS, TEXT))),
        says="The core blocks, each of the narrowest scope that has it; '' where unset.",
        tag="core",
    ),
    Endpoint(
        method="PUT",
        path="/memory/core",
        does=update_memory_block,
        asked=_NewBlock,
        answers=made(success={"const": True}),
        says="Replace a core block of this user, or of a chat of theirs; it's on disk then.",
        tag="core",
        fails=(409,),
    ),
    Endpoint(
        method="GET",
        path="/blocks/{label}",
        does=get_block_scope,
        asked=_OneBlock,
        answers=made(
            label=TEXT,
            content=TEXT,
            revision=TEXT,
            source=or_null(TEXT),
            characters=NUMBER,
        ),
        says="One block with its revision, and the file (below the home) that it comes from.",
        tag="core",
    ),
)
