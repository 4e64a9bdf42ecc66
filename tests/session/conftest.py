"""What session tests share: a store with a counting clock, and short turns."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from litemem.session import SessionGraph, SessionStore
from tests.session.turns import turn


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    """Return a store whose clock ticks a millisecond at each look."""
    return SessionStore(tmp_path / "sessions", fsync=False, clock=count(1).__next__)


@pytest.fixture
def graph(store: SessionStore) -> SessionGraph:
    """Return session "s" of three turns."""
    graph = store.load_session("s")
    for text in ("a", "b", "c"):
        store.append_turn(graph, turn(text))
    return graph
