"""Long-term memory and session logs for offline AI agents."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litemem.aio.compressor import ContextCompressor as ContextCompressor
    from litemem.aio.logs import SessionStore as SessionStore
    from litemem.aio.logs import StateMirror as StateMirror
    from litemem.aio.logs import TranscriptIndexer as TranscriptIndexer
    from litemem.aio.logs import TranscriptManager as TranscriptManager
    from litemem.aio.manager import MemoryManager as MemoryManager
    from litemem.aio.markdown import MarkdownIndexer as MarkdownIndexer
    from litemem.aio.markdown import MarkdownMemoryStore as MarkdownMemoryStore
    from litemem.aio.result import MemoryExtractionResult as MemoryExtractionResult
    from litemem.aio.store import SQLiteMemoryStore as SQLiteMemoryStore
    from litemem.aio.tools import MemoryBlockUpdateTool as MemoryBlockUpdateTool
    from litemem.aio.tools import MemorySearchTool as MemorySearchTool
    from litemem.edge import open as open
    from litemem.embed.hashing import HashEmbedder as HashEmbedder
    from litemem.embed.onnx import OnnxEmbedder as OnnxEmbedder
    from litemem.errors import LitememError as LitememError
    from litemem.extract.fact import ExtractedFact as ExtractedFact
    from litemem.extract.turn import AgentAction as AgentAction
    from litemem.extract.turn import ConversationTurn as ConversationTurn
    from litemem.llm.client import LLMClient as LLMClient
    from litemem.llm.invoker import as_invoker as as_invoker
    from litemem.llm.names import resolve_llm as resolve_llm
    from litemem.llm.openai import OpenAIClient as OpenAIClient
    from litemem.memory.memory import Memory as Memory
    from litemem.memory.new import NewFact as NewFact
    from litemem.memory.remember import Remembered as Remembered
    from litemem.memory.search import Results as Results
    from litemem.run.accumulator import SnapshotAccumulator as SnapshotAccumulator
    from litemem.run.channel import ModelInvoker as ModelInvoker
    from litemem.run.compact import compact as compact
    from litemem.run.cut import find_cut_point as find_cut_point
    from litemem.run.estimate import estimate_context_tokens as estimate_context_tokens
    from litemem.run.events import RunEvent as RunEvent
    from litemem.run.ledger import RunLedger as RunLedger
    from litemem.run.offline import OfflineSummariser as OfflineSummariser
    from litemem.run.policy import CompactionPolicy as CompactionPolicy
    from litemem.run.policy import ModelCard as ModelCard
    from litemem.run.policy import should_compact as should_compact
    from litemem.run.snapshot import PendingTool as PendingTool
    from litemem.run.snapshot import RunError as RunError
    from litemem.run.snapshot import RunPhase as RunPhase
    from litemem.run.snapshot import RunSnapshot as RunSnapshot
    from litemem.run.summarize import summarize as summarize
    from litemem.session.graph import SessionGraph as SessionGraph
    from litemem.session.lifecycle import SessionLifecycle as SessionLifecycle
    from litemem.session.lifecycle import SessionPolicy as SessionPolicy
    from litemem.session.nodes import Migrator as Migrator
    from litemem.session.nodes import SessionHead as SessionHead
    from litemem.session.nodes import SessionNode as SessionNode
    from litemem.session.nodes import hash_node as hash_node
    from litemem.types import Embedder as Embedder
    from litemem.types import Fact as Fact
    from litemem.types import Hit as Hit

__version__ = "0.1.0"

# Names are handed on at their first use, so that `import litemem` loads next to nothing.
_HOMES = {
    "AgentAction": "extract.turn",
    "CompactionPolicy": "run.policy",
    "ContextCompressor": "aio.compressor",
    "ConversationTurn": "extract.turn",
    "Embedder": "types",
    "ExtractedFact": "extract.fact",
    "Fact": "types",
    "HashEmbedder": "embed.hashing",
    "Hit": "types",
    "LLMClient": "llm.client",
    "LitememError": "errors",
    "MarkdownIndexer": "aio.markdown",
    "MarkdownMemoryStore": "aio.markdown",
    "Memory": "memory.memory",
    "MemoryBlockUpdateTool": "aio.tools",
    "MemoryExtractionResult": "aio.result",
    "MemoryManager": "aio.manager",
    "MemorySearchTool": "aio.tools",
    "Migrator": "session.nodes",
    "ModelCard": "run.policy",
    "ModelInvoker": "run.channel",
    "NewFact": "memory.new",
    "OfflineSummariser": "run.offline",
    "OnnxEmbedder": "embed.onnx",
    "OpenAIClient": "llm.openai",
    "PendingTool": "run.snapshot",
    "Remembered": "memory.remember",
    "Results": "memory.search",
    "RunError": "run.snapshot",
    "RunEvent": "run.events",
    "RunLedger": "run.ledger",
    "RunPhase": "run.snapshot",
    "RunSnapshot": "run.snapshot",
    "SQLiteMemoryStore": "aio.store",
    "SessionGraph": "session.graph",
    "SessionHead": "session.nodes",
    "SessionLifecycle": "session.lifecycle",
    "SessionNode": "session.nodes",
    "SessionPolicy": "session.lifecycle",
    "SessionStore": "aio.logs",
    "SnapshotAccumulator": "run.accumulator",
    "StateMirror": "aio.logs",
    "TranscriptIndexer": "aio.logs",
    "TranscriptManager": "aio.logs",
    "as_invoker": "llm.invoker",
    "compact": "run.compact",
    "estimate_context_tokens": "run.estimate",
    "find_cut_point": "run.cut",
    "hash_node": "session.nodes",
    "open": "edge",
    "resolve_llm": "llm.names",
    "should_compact": "run.policy",
    "summarize": "run.summarize",
}

__all__ = [  # but `open`, which would take the place of the builtin one
    "AgentAction",
    "CompactionPolicy",
    "ContextCompressor",
    "ConversationTurn",
    "Embedder",
    "ExtractedFact",
    "Fact",
    "HashEmbedder",
    "Hit",
    "LLMClient",
    "LitememError",
    "MarkdownIndexer",
    "MarkdownMemoryStore",
    "Memory",
    "MemoryBlockUpdateTool",
    "MemoryExtractionResult",
    "MemoryManager",
    "MemorySearchTool",
    "Migrator",
    "ModelCard",
    "ModelInvoker",
    "NewFact",
    "OfflineSummariser",
    "OnnxEmbedder",
    "OpenAIClient",
    "PendingTool",
    "Remembered",
    "Results",
    "RunError",
    "RunEvent",
    "RunLedger",
    "RunPhase",
    "RunSnapshot",
    "SQLiteMemoryStore",
    "SessionGraph",
    "SessionHead",
    "SessionLifecycle",
    "SessionNode",
    "SessionPolicy",
    "SessionStore",
    "SnapshotAccumulator",
    "StateMirror",
    "TranscriptIndexer",
    "TranscriptManager",
    "__version__",
    "as_invoker",
    "compact",
    "estimate_context_tokens",
    "find_cut_point",
    "hash_node",
    "resolve_llm",
    "should_compact",
    "summarize",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # Any: whatever the name stands for
    if name not in _HOMES:
        msg = f"module 'litemem' has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f"litemem.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
