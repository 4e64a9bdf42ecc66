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
from litemem.session.graph import SessionGraph
from litemem.session.nodes import Migrator, Revision, SessionHead, SessionNode, Turn, hash_node
from litemem.session.records import Compaction
from litemem.session.redact import Redacted, redact_node
from litemem.session.report import Finding, LoadReport
from litemem.session.store import SessionStore

__all__ = [
    "Compaction",
    "Context",
    "Finding",
    "LoadReport",
    "Migrator",
    "Redacted",
    "Revision",
    "Rewrite",
    "SessionGraph",
    "SessionHead",
    "SessionNode",
    "SessionStore",
    "Turn",
    "Verification",
    "fork_session",
    "hash_node",
    "redact_node",
    "remove_session",
    "repair",
    "upgrade",
    "verify",
]
