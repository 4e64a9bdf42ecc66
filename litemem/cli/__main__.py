"""`python -m litemem.cli`."""

from litemem.cli import run

run()
