"""`litemem ui`."""

from __future__ import annotations

import logging
import webbrowser

import click

from litemem.cli.options import Choices, home_options
from litemem.cli.output import say, show
from litemem.cli.serve import check_extra
from litemem.edge import home_folder
from litemem.errors import InvalidValue
from litemem.types import DEFAULT_USER


@click.command("ui")
@click.option("--port", type=int, metavar="N", help="Of a new server; default 8765 if it's free.")
@click.option("--no-browser", is_flag=True, help="Print the page's address, open nothing.")
@home_options
@click.pass_context
def ui_command(
    ctx: click.Context,
    /,
    port: int | None,
    home: str | None,
    user: str | None,
    model: str | None,
    *,
    no_browser: bool,
) -> None:
    """
    Open the memory in a browser; nothing leaves this machine.

    A server that runs for this home is used; else one is started, which ends with Ctrl-C. The
    address works once: nobody who sees it later gets in.
    """
    check_extra()
    chosen = Choices(home=home, user=user, model=model)
    said = chosen.over(ctx.find_object(Choices) or Choices())
    asked = DEFAULT_USER if said.user is None else said.user
    from litemem.server.running import new_page

    page = new_page(home_folder(said.home)) if asked == DEFAULT_USER and port is None else None
    if page is None:
        _start(said, asked, port, opens=not no_browser)
    elif no_browser or not webbrowser.open(page):
        show(page)
    else:
        say("opened the page of the server that runs already")


def _start(said: Choices, user: str, port: int | None, *, opens: bool) -> None:
    from litemem.server.run import Serving, serve

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(logging.Formatter("litemem: %(message)s"))
    told = Serving(
        home=said.home,
        model=said.model,
        user=user,
        port=free_port() if port is None else port,
    )
    serve(told, say, opened=webbrowser.open if opens else None)


def free_port() -> int:
    """Return the usual port, 0 (any that is free) where somebody has it."""
    from litemem.server.run import DEFAULT_PORT, bound

    try:
        with bound("127.0.0.1", DEFAULT_PORT):
            return DEFAULT_PORT
    except InvalidValue:
        return 0
