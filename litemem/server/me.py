"""Whose memory a caller reaches, at the price of nothing: /me."""

from __future__ import annotations

from typing import Final

from litemem import __version__
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.files import Nothing
from litemem.server.shapes import TEXT, made


async def get_me(call: Call, _: Nothing) -> Json:
    """Return who asks."""
    zone = await call.read(lambda memory, _: memory.space.settings.time_zone)
    return {"user_id": call.user, "time_zone": zone, "version": __version__}


ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/me",
        does=get_me,
        asked=Nothing,
        answers=made(user_id=TEXT, time_zone=TEXT, version=TEXT),
        says="Whose memory this token or session reaches, and the home's time zone.",
        tag="stats",
    ),
)
