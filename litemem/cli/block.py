"""`litemem block` and `litemem context`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.given import given_text
from litemem.cli.lazy import InOrder
from litemem.cli.options import json_option, on_memory
from litemem.cli.output import faint, print_json, show

if TYPE_CHECKING:
    from litemem.memory.memory import Memory

_chat = click.option("--chat", "chat_id", metavar="ID", help="As this chat sees it.")
_label = click.argument("label", shell_complete=lambda _, __, begun: _labels(begun))
_everyone = click.option("--everyone", is_flag=True, help="Everybody's block, not the user's.")


@click.group("block", cls=InOrder)
def block_command() -> None:
    """Read and write the core blocks: persona, user, facts, context."""


@block_command.command("list")
@_chat
@_everyone
@json_option
@on_memory
def list_blocks(memory: Memory, *, chat_id: str | None, everyone: bool, as_json: bool) -> None:
    """List the blocks as this scope sees them."""
    blocks = memory.blocks.all(chat_id=chat_id, everyone=everyone)
    if as_json:
        print_json(blocks)
        return
    for label, text in blocks.items():
        lines = text.splitlines()
        show(label)
        for line in lines[:3]:
            show(f"  {line}")
        if len(lines) != len(lines[:3]):
            click.echo(faint(f"  ... {len(lines) - 3} more lines"))


@block_command.command("get")
@_label
@_chat
@_everyone
@json_option
@on_memory
def get_block(
    memory: Memory, label: str, *, chat_id: str | None, everyone: bool, as_json: bool
) -> None:
    """Print a block's text; nothing where it's unset."""
    text = memory.blocks.get(label, chat_id=chat_id, everyone=everyone)
    if as_json:
        print_json({"label": label, "content": text})
    elif text:
        show(text.removesuffix("\n"))


@block_command.command("set")
@_label
@click.argument("text")
@_chat
@_everyone
@json_option
@on_memory
def set_block(
    memory: Memory, label: str, text: str, *, chat_id: str | None, everyone: bool, as_json: bool
) -> None:
    """Replace a block by TEXT; `-` is standard input."""
    content = given_text(text)
    memory.blocks.set(label, content, chat_id=chat_id, everyone=everyone)
    _done(label, content, as_json=as_json)


@block_command.command("append")
@_label
@click.argument("text")
@_chat
@_everyone
@json_option
@on_memory
def append_block(
    memory: Memory, label: str, text: str, *, chat_id: str | None, everyone: bool, as_json: bool
) -> None:
    """Add TEXT to a block on a new line; `-` is standard input."""
    whole = memory.blocks.append(label, given_text(text), chat_id=chat_id, everyone=everyone)
    _done(label, whole, as_json=as_json)


@click.command("context")
@_chat
@json_option
@on_memory
def context_command(memory: Memory, *, chat_id: str | None, as_json: bool) -> None:
    """Print the core blocks as text for a system prompt."""
    text = memory.context(chat_id=chat_id)
    if as_json:
        print_json({"text": text})
    else:
        show(text)


def _labels(begun: str) -> list[str]:
    from litemem.memory.blocks import LABELS

    return [label for label in LABELS if label.startswith(begun)]


def _done(label: str, content: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"label": label, "content": content})
    else:
        show(f"{label}: {len(content)} characters")
