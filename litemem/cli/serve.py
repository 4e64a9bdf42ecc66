"""`litemem serve`."""

from __future__ import annotations

import logging
import webbrowser
from collections.abc import Sequence
from importlib.util import find_spec

import click

from litemem.cli.options import Choices, home_options
from litemem.cli.output import say, show
from litemem.edge import home_folder
from litemem.errors import InvalidValue
from litemem.types import DEFAULT_USER

_EXTRA = ("starlette", "uvicorn")


@click.command("serve")
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Another one than this machine's own lets the network in: put TLS in front.",
)
@click.option(
    "--port", type=int, metavar="N", default=8765, show_default=True, help="0 takes a free one."
)
@click.option(
    "--allow-host",
    metavar="NAME",
    multiple=True,
    help="A name that requests may be for, besides the address; may be repeated.",
)
@click.option("--add-user", metavar="ID", help="Print a new token for this user, and end.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
@home_options
@click.pass_context
def serve_command(
    ctx: click.Context,
    /,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    add_user: str | None,
    home: str | None,
    user: str | None,
    model: str | None,
    *,
    open_page: bool,
) -> None:
    """
    Serve the home as a REST API, with a page to see it; /openapi.json describes the API.

    Requests carry a token: the default user's is in HOME/server-token, which the first start
    makes. --add-user gives a user a new one: it's printed this once, and ends their former one.
    """
    check_extra()
    chosen = Choices(home=home, user=user, model=model)
    said = chosen.over(ctx.find_object(Choices) or Choices())
    if add_user is not None:
        from litemem.server.tokens import add_user as add

        show(add(home_folder(said.home), add_user))
        return
    from litemem.server.run import Serving, serve

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(logging.Formatter("litemem: %(message)s"))
    told = Serving(
        home=said.home,
        model=said.model,
        user=DEFAULT_USER if said.user is None else said.user,
        host=host,
        port=port,
        allowed_hosts=allow_host,
    )
    serve(told, say, opened=webbrowser.open if open_page else None)


def check_extra(needed: Sequence[str] = _EXTRA) -> None:
    """Raise InvalidValue where the extra isn't installed."""
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise InvalidValue(
            f"the server needs {' and '.join(missing)}: pip install 'litemem[server]'"
        )
