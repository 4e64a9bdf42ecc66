"""The same work on litemem and on what a user would take instead, each in its own environment."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark; workers in other environments import this package too, and no more."""
    from tests.benchmarks.peers.command import main as run

    run(arguments)
