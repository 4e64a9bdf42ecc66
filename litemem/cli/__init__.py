"""The command line: parse, call one function, print."""

from __future__ import annotations

import atexit
import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litemem.cli.app import main as main

STOPPED = 130
"""The exit code after Ctrl-C, as shells have it."""


def run() -> None:
    """Be the process of one command."""
    # It ends soon: looking for cycles, most of it at the end, was 20 of its 150 ms.
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)
    try:
        from litemem.cli.app import main

        main(prog_name="litemem")
    except KeyboardInterrupt:  # while modules load; later ones are told by `main`
        sys.exit(STOPPED)


def __getattr__(name: str) -> object:
    if name != "main":
        msg = f"module 'litemem.cli' has no attribute {name!r}"
        raise AttributeError(msg)
    from litemem.cli.app import main

    return main
