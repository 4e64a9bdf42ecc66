"""`python -m litemem.cli`."""

from litemem.cli.app import run

run()
