"""The command line: parse, call one function, print."""

from litemem.cli.app import main, run

__all__ = ["main", "run"]
