"""Times of repeated work: several ways of doing it, in turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The middle one and a late one of some times, in milliseconds."""

    p50_ms: float
    p95_ms: float
    cpu_p50_ms: float  # of the thread that did it: what an idle machine would take
    count: int

    def __format__(self, spec: str) -> str:
        return format(f"{self.p50_ms:8.1f} {self.p95_ms:8.1f} {self.cpu_p50_ms:8.1f}", spec)


def in_turn(
    ways: Mapping[str, Callable[[T], object]], asked: Sequence[T], *, warm_up: int = 0
) -> dict[str, Times]:
    """Return what each way takes; each thing asked goes all ways in turn, the first uncounted."""
    wall: dict[str, list[float]] = {name: [] for name in ways}
    cpu: dict[str, list[float]] = {name: [] for name in ways}
    for place, one in enumerate(asked):
        for name, way in ways.items():
            cpu_s, wall_s = time.thread_time(), time.perf_counter()
            way(one)
            cpu_s, wall_s = time.thread_time() - cpu_s, time.perf_counter() - wall_s
            if place >= warm_up:
                cpu[name].append(1000 * cpu_s)
                wall[name].append(1000 * wall_s)
    return {
        name: Times(
            p50_ms=median(wall[name]),
            p95_ms=sorted(wall[name])[int(len(wall[name]) * 0.95)],
            cpu_p50_ms=median(cpu[name]),
            count=len(wall[name]),
        )
        for name in ways
    }
