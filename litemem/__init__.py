"""Long-term memory and session logs for offline AI agents."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litemem.edge import open_memory as open
    from litemem.embed.hashing import HashEmbedder as HashEmbedder
    from litemem.embed.onnx import OnnxEmbedder as OnnxEmbedder
    from litemem.errors import LitememError as LitememError
    from litemem.memory.memory import Memory as Memory
    from litemem.memory.new import NewFact as NewFact
    from litemem.memory.remember import Remembered as Remembered
    from litemem.memory.search import Results as Results
    from litemem.types import Embedder as Embedder
    from litemem.types import Fact as Fact
    from litemem.types import Hit as Hit

__version__ = "0.1.0"

# Names are handed on at their first use, so that `import litemem` loads next to nothing.
_HOMES = {
    "Embedder": "types",
    "Fact": "types",
    "HashEmbedder": "embed.hashing",
    "Hit": "types",
    "LitememError": "errors",
    "Memory": "memory.memory",
    "NewFact": "memory.new",
    "OnnxEmbedder": "embed.onnx",
    "Remembered": "memory.remember",
    "Results": "memory.search",
    "open": "edge",
}
_NAMES = {"open": "open_memory"}

__all__ = [
    "Embedder",
    "Fact",
    "HashEmbedder",
    "Hit",
    "LitememError",
    "Memory",
    "NewFact",
    "OnnxEmbedder",
    "Remembered",
    "Results",
    "__version__",
    "open",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # Any: whatever the name stands for
    if name not in _HOMES:
        msg = f"module 'litemem' has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f"litemem.{_HOMES[name]}"), _NAMES.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
