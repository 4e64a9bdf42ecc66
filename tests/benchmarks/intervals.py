"""Means with their 95 % bootstrap intervals, the same ones each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RESAMPLES = 2_000
SEED = 7


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
        value, low, high = (f"{100 * one:{sign}.1f}" for one in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]"


def mean(values: Sequence[float]) -> Mean:
    """Return the mean and its interval; of nothing, zeros."""
    import numpy as np

    if not values:
        return Mean(value=0.0, low=0.0, high=0.0, count=0)
    given = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(SEED)
    means = np.sort(
        [given[rng.integers(0, len(given), len(given))].mean() for _ in range(RESAMPLES)]
    )
    return Mean(
        value=float(given.mean()),
        low=float(means[int(RESAMPLES * 0.025)]),
        high=float(means[int(RESAMPLES * 0.975)]),
        count=len(given),
    )


def difference(ours: Sequence[float], others: Sequence[float]) -> Mean:
    """Return by how much the first are more, pair by pair."""
    return mean([one - other for one, other in zip(ours, others, strict=True)])
