"""Fans the events of a run out to whoever listens, in one order for everybody."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from types import BuiltinMethodType, MethodType
from typing import TypeAlias

from litemem.run.events import RunEvent

logger = logging.getLogger(__name__)

RunEventHandler: TypeAlias = Callable[[RunEvent], object]
Unsubscribe: TypeAlias = Callable[[], None]


class RunLedger:
    """
    A synchronous hub of events.

    A handler gets each event once, in the order of subscription, however often it subscribed. An
    event published while another is delivered waits for its turn, so that all handlers see the
    same order; who subscribes or leaves meanwhile counts from the next event on. A handler that
    fails is logged and doesn't stop the others. Safe to use from several threads: the thread
    that is delivering also delivers what others publish.
    """

    def __init__(self) -> None:
        self._handlers: dict[object, RunEventHandler] = {}
        self._tokens: dict[object, set[object]] = {}  # who still wants a handler to be called
        self._waiting: deque[RunEvent] = deque()
        self._delivering = False
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """How many different handlers are subscribed."""
        return len(self._handlers)

    def subscribe(self, handler: RunEventHandler) -> Unsubscribe:
        """
        Call a handler with every event from the next one on.

        Returns:
            A disposer that ends this subscription alone; calling it again does nothing. The
            handler is called until each of its subscriptions has ended.
        """
        key, token = _identity(handler), object()
        with self._lock:
            self._handlers.setdefault(key, handler)
            self._tokens.setdefault(key, set()).add(token)
        return lambda: self._end(key, token)

    def publish(self, event: RunEvent) -> None:
        """Hand an event to every handler; inside a handler, after the present event is through."""
        with self._lock:
            self._waiting.append(event)
            if self._delivering:
                return
            self._delivering = True
        self._deliver()

    def clear(self) -> None:
        """End all subscriptions; their disposers then do nothing."""
        with self._lock:
            self._handlers.clear()
            self._tokens.clear()

    def _end(self, key: object, token: object) -> None:
        with self._lock:
            tokens = self._tokens.get(key, set())
            if token not in tokens:
                return
            tokens.remove(token)
            if not tokens:
                del self._tokens[key], self._handlers[key]

    def _deliver(self) -> None:
        try:
            while (step := self._next()) is not None:
                event, handlers = step
                for handler in handlers:
                    _call(handler, event)
        except BaseException:  # KeyboardInterrupt in a handler: the next publish goes on
            self._delivering = False
            raise

    def _next(self) -> tuple[RunEvent, tuple[RunEventHandler, ...]] | None:
        """Take the next waiting event and who is to get it; None, and delivery is over."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft(), tuple(self._handlers.values())
            self._delivering = False
            return None


def _identity(handler: RunEventHandler) -> object:
    """Tell handlers apart as a Set does; `obj.method` is a new object each time it is named."""
    match handler:
        case MethodType():
            return id(handler.__self__), id(handler.__func__)
        case BuiltinMethodType():
            return id(handler.__self__), handler.__name__
        case _:
            return id(handler)


def _call(handler: RunEventHandler, event: RunEvent) -> None:
    try:
        handler(event)
    except Exception:  # a listener's fault is not the run's; see the specification
        logger.exception("a handler failed on a %s event", type(event).__name__)
