"""`python -m litemem`."""

from litemem.cli import run

run()
