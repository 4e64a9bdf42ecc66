"""`litemem mcp`."""

from __future__ import annotations

from typing import NoReturn

import click

from litemem.cli.options import Choices, home_options
from litemem.cli.output import say, show
from litemem.errors import InvalidValue
from litemem.types import DEFAULT_USER

CLIENTS = ("claude-desktop", "claude-code", "cursor", "vscode")


@click.command("mcp")
@click.option(
    "--install",
    "client",
    type=click.Choice(CLIENTS),
    metavar="CLIENT",
    help=f"Set a client up: {', '.join(CLIENTS)}.",
)
@click.option(
    "--merge/--print",
    "merge",
    default=None,
    help="With --install: write it to the client's settings, or print it (default).",
)
@click.option(
    "--config",
    metavar="FILE",
    help="With --install: merge into this file instead of the client's own.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="With --merge: an entry that starts something else now starts this.",
)
@home_options
@click.pass_context
def mcp_command(
    ctx: click.Context,
    *,
    client: str | None,
    merge: bool | None,
    config: str | None,
    replace: bool,
    home: str | None,
    user: str | None,
    model: str | None,
) -> None:
    """
    Serve one user's memory to an MCP client over standard input and output.

    A client starts this command itself; --install says how to tell it.
    """
    said = Choices(home=home, user=user, model=model).over(ctx.find_object(Choices) or Choices())
    if client is not None:
        merges = config is not None or replace if merge is None else merge
        if replace and not merges:
            raise click.UsageError("--replace belongs to --merge")
        _install(client, said, merge=merges, config=config, replace=replace)
    elif merge is not None or config is not None or replace:
        raise click.UsageError(
            "--merge, --print, --config and --replace belong to --install CLIENT"
        )
    else:
        _serve(said)


def _serve(said: Choices) -> None:
    from litemem.mcp.wire import take_wire

    wire = take_wire()  # before anything else: from here on nothing can print into it
    from litemem.aio.store import SQLiteMemoryStore
    from litemem.edge import home_folder
    from litemem.mcp.stdio import serve

    user = DEFAULT_USER if said.user is None else said.user
    home_folder(said.home).user_dir(user)  # a wrong id ends it before a client is greeted
    try:
        serve(SQLiteMemoryStore(said.home, model=said.model), user, wire)
    except ModuleNotFoundError as error:
        raise InvalidValue(
            f"the MCP SDK can't be imported ({error}); pip install 'litemem[mcp]'"
        ) from error
    _leave()


def _leave() -> NoReturn:
    """
    End the process at once; the home is closed, so all is on disk.

    Python's own end would wait for a model that still loads (4 s on a busy machine), and free one
    that is loaded piece by piece.
    """
    import os
    import sys

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(0)


def _install(client: str, said: Choices, *, merge: bool, config: str | None, replace: bool) -> None:
    from pathlib import Path

    from litemem.edge import home_folder
    from litemem.mcp.clients import client_named, merge_into, server_entry, snippet, this_command

    chosen = client_named(client)
    arguments = ["--home", str(home_folder(said.home).root.resolve())]
    arguments += [] if said.user is None else ["--user", said.user]
    arguments += [] if said.model is None else ["--model", said.model]
    entry = server_entry(chosen, this_command(), arguments)
    path = chosen.path if config is None else Path(config)
    if not merge:
        show(snippet(chosen, entry))
        say(f"belongs into {path}; --merge puts it there")
        return
    done = merge_into(path, chosen, entry, replace=replace)
    if done.backup is not None:
        say(f"the old file is {done.backup}")
    changed = done.change != "none"
    show(f"{path}: {f'litemem {done.change}' if changed else 'nothing to change'}")
    if changed:
        say(f"restart {chosen.title} to use it")
