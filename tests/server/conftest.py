"""The app over a fresh home, asked as a client would, without a socket."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from litemem.aio.store import SQLiteMemoryStore
from litemem.server.app import make_app
from litemem.server.limits import Limits
from litemem.server.logins import Logins
from litemem.server.tokens import Tokens, add_user, own_token
from litemem.settings import Home
from tests.conftest import NOW
from tests.server.client import HOST, Server


@pytest.fixture
async def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """Serve a new home with the model-free embedder, a clock held still."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("LITEMEM_MODEL", raising=False)
    seed = random.Random(7)
    store = SQLiteMemoryStore(home, model="hash", clock=lambda: NOW, rng=seed.randbytes)
    token, bob = own_token(Home(home)), add_user(Home(home), "bob")
    logins = Logins()
    app = make_app(
        store,
        tokens=Tokens(Home(home)),
        allowed_hosts={HOST},
        logins=logins,
        limits=Limits(body_s=0.2, send_s=0.2, rest_s=0.2),
    )
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client,
    ):
        yield Server(
            app=app, client=client, store=store, home=home, token=token, bob=bob, logins=logins
        )
