"""Means with their 95 % bootstrap intervals, the same ones each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RESAMPLES = 2_000
SEED = 7
LEAST_GROUPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of some values, and where 95 % of the means of their resamples lie."""

    value: float
    low: float
    high: float
    count: int

    @property
    def surely_not_zero(self) -> bool:
        """Whether zero is outside."""
        return self.low > 0 or self.high < 0

    def percent(self, sign: str = "") -> str:
        """Write it in percent, e.g. `52.1 [50.0, 54.3]`; `+` as sign is for differences."""
        if not self.count:
            return "–"
        value, low, high = (f"{100 * one:{sign}.1f}" for one in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]"


def mean(values: Sequence[float], groups: Sequence[str] = ()) -> Mean:
    """
    Return the mean and its interval; of nothing, zeros.

    Values of one group aren't independent: where there are at least eight groups, whole groups are
    resampled, else values. Of eight, the interval is still somewhat too narrow.

    Args:
        values: any number of them.
        groups: the group of each value, e.g. its conversation; by default each is its own.
    """
    import numpy as np

    if not values:
        return Mean(value=0.0, low=0.0, high=0.0, count=0)
    given = np.asarray(values, dtype=np.float64)
    named = groups if len(set(groups)) >= LEAST_GROUPS else range(len(values))
    place = {name: n for n, name in enumerate(dict.fromkeys(named))}
    of = [place[name] for name in named]
    sums, counts = np.bincount(of, weights=given), np.bincount(of)
    rng = np.random.default_rng(SEED)
    drawn = rng.integers(0, len(place), (RESAMPLES, len(place)))
    means = np.sort(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    return Mean(
        value=float(given.mean()),
        low=float(means[int(RESAMPLES * 0.025)]),
        high=float(means[int(RESAMPLES * 0.975)]),
        count=len(given),
    )


def difference(ours: Sequence[float], others: Sequence[float], groups: Sequence[str] = ()) -> Mean:
    """Return by how much the first are more, pair by pair; groups as of `mean`."""
    return mean([one - other for one, other in zip(ours, others, strict=True)], groups)
