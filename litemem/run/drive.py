"""Run a coroutine that waits for nothing, such as the offline summariser, without an event loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from litemem.errors import InvalidValue

T = TypeVar("T")


def finish(coroutine: Coroutine[Any, Any, T]) -> T:  # Any: nothing is sent or yielded
    """Return what a coroutine returns. Raises InvalidValue: it waits for something."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise InvalidValue("this waits for something else: run it in an event loop")
