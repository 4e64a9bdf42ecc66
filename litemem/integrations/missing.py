"""What an adapter says when its framework isn't installed."""

from __future__ import annotations


def missing(framework: str, error: ImportError) -> ImportError:
    """Return the error that says how to get a framework that can't be imported."""
    return ImportError(
        f"litemem's adapter for {framework} can't import it ({error}): "
        "pip install 'litemem[integrations]'",
        name=error.name,
    )
