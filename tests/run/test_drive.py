"""Coroutines without an event loop."""

from __future__ import annotations

import types
from collections.abc import Generator

import pytest

from litemem.errors import InvalidValue
from litemem.run.drive import finish


@types.coroutine
def waits() -> Generator[None, None, int]:
    yield
    return 1


async def nested(value: int) -> int:
    return value


async def answer() -> int:
    return await nested(41) + 1


def test_a_coroutine_that_waits_for_nothing_is_run() -> None:
    assert finish(answer()) == 42


def test_a_coroutine_that_waits_is_refused() -> None:
    async def waiting() -> int:
        return await waits()

    with pytest.raises(InvalidValue, match="event loop"):
        finish(waiting())
