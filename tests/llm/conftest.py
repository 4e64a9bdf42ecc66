"""A language model at a real HTTP endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.llm.server import Endpoint


@pytest.fixture
def endpoint(socket_enabled: Callable[[], None]) -> Iterator[Endpoint]:
    """Serve at 127.0.0.1, on a free port."""
    del socket_enabled
    made = Endpoint()
    yield made
    made.close()
