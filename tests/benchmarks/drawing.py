"""Curves as SVG, the same bytes for the same numbers; needs the extra `bench`."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def machine() -> str:
    """Say what this machine is, as far as it matters."""
    return f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"


def curves(
    path: Path,
    found: Mapping[str, Sequence[Sequence[float]]],
    across: str,
    up: str,
    title: str,
    *,
    low: float | None = None,
) -> None:
    """Draw curves of (size, cost) points; both scales are logarithmic unless `low` is given."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "litemem", "svg.fonttype": "none"}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = figure.subplots()
        for label, points in found.items():
            axes.plot([x for x, _ in points], [y for _, y in points], marker="o", label=label)
        axes.set(xscale="log", xlabel=across, ylabel=up, title=title)
        if low is None:
            axes.set_yscale("log")
        else:
            axes.set_ylim(low, 1.5 * max(y for points in found.values() for _, y in points))
        axes.grid(visible=True, alpha=0.3)
        if len(found) > 1:
            figure.legend(loc="outside lower center", ncols=4, fontsize="small")  # covers no point
        figure.savefig(path, format="svg", metadata={"Date": None})


def peers(sizes: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw each peer's middle search at each number of rows, as `peers --json` writes them."""
    found: dict[str, list[list[float]]] = {}
    for one in sizes:
        for name, peer in one["peers"].items():
            value = peer["figures"].get("search, CPU ms")
            if value is not None:
                found.setdefault(name, []).append([one["rows"], value])
    curves(path, found, "rows", "ms CPU, median", f"One search, {sizes[0]['machine']}")
