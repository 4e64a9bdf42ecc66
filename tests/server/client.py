"""A client of the app in the same process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from litemem.aio.store import SQLiteMemoryStore
from litemem.server.logins import Logins

HOST = "127.0.0.1:8765"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The app, and who may ask it."""

    app: Starlette
    client: httpx.AsyncClient
    store: SQLiteMemoryStore
    home: Path
    token: str  # the default user's
    bob: str  # bob's
    logins: Logins

    async def ask(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        **more: Any,  # noqa: ANN401
    ) -> httpx.Response:
        """Ask in the default user's name, or with another token."""
        known = {"content-type": "application/json"} if "content" in more else {}
        known["authorization"] = f"Bearer {token or self.token}"
        headers = {**known, **more.pop("headers", {})}
        return await self.client.request(method, path, headers=headers, **more)

    async def get(self, path: str, **params: object) -> Any:  # noqa: ANN401
        """Return the JSON of a request that must succeed."""
        answer = await self.ask("GET", path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def send(self, method: str, path: str, body: Mapping[str, object]) -> Any:  # noqa: ANN401
        """Return the JSON of a write that must succeed."""
        answer = await self.ask(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def remember(self, content: str, **more: object) -> str:
        """Write a fact, and return its id."""
        done = await self.send("POST", "/memory/archival", {"content": content, **more})
        return str(done["id"])

    async def status(self, method: str, path: str, **more: Any) -> tuple[int, str]:  # noqa: ANN401
        """Return the status and the error's code of a request that is refused."""
        answer = await self.ask(method, path, **more)
        assert answer.headers["content-type"] == "application/json"
        return answer.status_code, answer.json()["error"]["code"]
