"""`python -m litemem.cli`."""

from litemem.cli.app import main

main(prog_name="litemem")
