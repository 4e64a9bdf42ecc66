"""The command line: parse, call one function, print."""

from litemem.cli.app import main

__all__ = ["main"]
