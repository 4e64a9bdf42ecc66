"""Core memory blocks: four labelled texts, each a file, found from the narrowest scope outwards."""

from __future__ import annotations

from collections.abc import Mapping

from litemem.errors import InvalidBlock
from litemem.files.folders import make_folder
from litemem.files.names import check_name, find_path
from litemem.files.read import decode, read_file, visible
from litemem.files.write import replace_file
from litemem.index.following import SourceFile
from litemem.memory.sources import BLOCK_FILES, block_file
from litemem.memory.sync import bring_file
from litemem.memory.workspace import Workspace
from litemem.settings import Home

LABELS = tuple(BLOCK_FILES)


def get_block(home: Home, label: str, user: str | None, chat_id: str | None) -> str:
    """
    Return a block's text, '' where it's unset everywhere.

    The whole text of the best match, never a mix: user and chat, then the chat alone, then the
    user, then everybody's. `user` None asks for what belongs to no user.
    """
    found = find_block(home, label, user, chat_id)
    return "" if found is None else read_block(found)


def all_blocks(home: Home, user: str | None, chat_id: str | None) -> dict[str, str]:
    """Return every label's text, by the lookup of `get_block`."""
    return {label: get_block(home, label, user, chat_id) for label in LABELS}


def shown_blocks(blocks: Mapping[str, str]) -> dict[str, str]:
    """Return blocks without the comments around what the program keeps in them."""
    from litemem.text.section import without_marks

    return {label: without_marks(text) for label, text in blocks.items()}


def find_block(home: Home, label: str, user: str | None, chat_id: str | None) -> SourceFile | None:
    """Return the file that answers for a block, None where it's unset everywhere."""
    check_label(label)
    scopes = [(user, chat_id)]
    if chat_id is not None:
        check_name(chat_id, "chat id")
        scopes += [(None, chat_id), (user, None)]
    scopes.append((None, None))
    files = (block_file(home, label, owner, chat) for owner, chat in scopes)
    return next((file for file in files if file.path.exists()), None)


def read_block(file: SourceFile) -> str:
    """Return the text of a block's file; bytes that aren't UTF-8 show as U+FFFD."""
    return visible(decode(read_file(file.path)).removeprefix("\ufeff"))


def set_block(
    space: Workspace, label: str, content: str, user: str | None, chat_id: str | None
) -> None:
    """
    Replace a block in exactly this scope; the text is on disk when this returns.

    Raises InvalidBlock (the old text stays) and InvalidName for the chat id.
    """
    check_label(label)
    check_content(content)
    with space.writing():
        write_block(space, _own_file(space.home, label, user, chat_id), content.encode())


def append_block(
    space: Workspace, label: str, text: str, user: str | None, chat_id: str | None
) -> str:
    """
    Add text to a block in this scope, with one newline between, and return the whole.

    What is inherited from a wider scope is copied into this one first; the wider stays as it is.
    """
    check_content(text)
    with space.writing():
        old = get_block(space.home, label, user, chat_id)
        whole = f"{old.removesuffix(chr(10))}\n{text}" if old else text
        write_block(space, _own_file(space.home, label, user, chat_id), whole.encode())
    return whole


def check_label(label: str) -> None:
    """Raise InvalidBlock unless the label is one of the four."""
    if label not in BLOCK_FILES:
        msg = f"no block {label!r}; the blocks are {', '.join(LABELS)}"
        raise InvalidBlock(msg)


def check_content(content: object) -> None:
    """Raise InvalidBlock unless the content is text that a file can hold."""
    if not isinstance(content, str):
        msg = f"a block's content must be text, not {type(content).__name__}"
        raise InvalidBlock(msg)
    try:
        content.encode()
    except UnicodeEncodeError as error:
        msg = f"the content isn't valid Unicode: half a surrogate pair at character {error.start}"
        raise InvalidBlock(msg) from error


def _own_file(home: Home, label: str, user: str | None, chat_id: str | None) -> SourceFile:
    if chat_id is not None:
        folder = home.global_dir if user is None else home.memory_dir(user)
        find_path(folder / "chats", chat_id, "chat id")
    return block_file(home, label, user, chat_id)


def write_block(space: Workspace, file: SourceFile, data: bytes) -> None:
    """Replace a block's file and index it; the caller holds the lock."""
    make_folder(file.path.parent)
    replace_file(file.path, data)
    bring_file(space, file)
