"""What cases of `write` are given, and how they tell what something took."""

from __future__ import annotations

import argparse
from itertools import count
from pathlib import Path

from tests.benchmarks.homes import filled
from tests.benchmarks.spent import Figure, Spent

HASH = "hash"  # a model that costs next to nothing


class Bench:
    """Where homes are made and what was asked for."""

    def __init__(self, asked: argparse.Namespace, folder: Path) -> None:
        self.asked, self.kept = asked, asked.keep or folder
        self._folder, self._numbers = folder, count()

    def new(self) -> Path:
        """Return a path that doesn't exist yet."""
        return self._folder / f"home-{next(self._numbers)}"

    def home(self, size: int, *, days: int, model: str) -> Path:
        """Return a home of its own with so many facts."""
        return filled(self.kept, size, days=days, model=model, to=self.new())


def seconds(name: str, took: Spent, most: float | None = None) -> Figure:
    """Make a figure of CPU seconds."""
    told = f"{took.wall_s:.2f} s wall"
    return Figure(name=name, value=took.cpu_s, unit="s CPU", most=most, of=told)


def ms(name: str, took: Spent, most: float | None = None) -> Figure:
    """Make a figure of CPU milliseconds."""
    told = f"{1000 * took.wall_s:.1f} ms wall, {1 / took.cpu_s:,.0f} a CPU second"
    return Figure(name=name, value=1000 * took.cpu_s, unit="ms CPU", most=most, of=told)
