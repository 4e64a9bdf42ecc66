"""Session trees, transcripts, agent state, and when a session ends."""

from litemem.session.care import (
    Rewrite,
    Verification,
    fork_session,
    remove_session,
    repair,
    upgrade,
    verify,
)
from litemem.session.context import Context
from litemem.session.graph import Gap, SessionGraph
from litemem.session.lifecycle import SessionLifecycle, SessionPolicy
from litemem.session.nodes import Migrator, Revision, SessionHead, SessionNode, Turn, hash_node
from litemem.session.records import Compaction
from litemem.session.redact import Redacted, redact_node
from litemem.session.report import Finding, LoadReport
from litemem.session.rewinding import append_turns, rewind
from litemem.session.state import StateMirror
from litemem.session.store import SessionStore
from litemem.session.transcript import Transcript, TranscriptManager, TranscriptTurn

__all__ = [
    "Compaction",
    "Context",
    "Finding",
    "Gap",
    "LoadReport",
    "Migrator",
    "Redacted",
    "Revision",
    "Rewrite",
    "SessionGraph",
    "SessionHead",
    "SessionLifecycle",
    "SessionNode",
    "SessionPolicy",
    "SessionStore",
    "StateMirror",
    "Transcript",
    "TranscriptManager",
    "TranscriptTurn",
    "Turn",
    "Verification",
    "append_turns",
    "fork_session",
    "hash_node",
    "redact_node",
    "remove_session",
    "repair",
    "rewind",
    "upgrade",
    "verify",
]
