"""The async API: one-line faces over the synchronous core."""

from __future__ import annotations

from typing import Any

import litemem


def __getattr__(name: str) -> Any:  # noqa: ANN401  # Any: whatever the name stands for
    if name not in __dir__():
        msg = f"module 'litemem.aio' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(litemem, name)


def __dir__() -> list[str]:
    here = (name for name, home in litemem._HOMES.items() if home.startswith("aio."))  # noqa: SLF001
    return sorted({*globals(), *here})
