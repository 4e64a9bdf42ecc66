"""Turns that were just appended to a transcript, into the index: the rest isn't read again."""

from __future__ import annotations

import time
from datetime import tzinfo

from litemem.files.read import read_tail
from litemem.files.state import extend_digests, state_of
from litemem.index.docs import Source
from litemem.index.following import SourceFile
from litemem.index.store import Index
from litemem.session.indexing import transcript_docs
from litemem.session.transcript import Appended


def index_appended(
    index: Index, file: SourceFile, session: str, appended: Appended, zone: tzinfo
) -> bool:
    """
    Add the rows of appended turns; the cost doesn't grow with the transcript.

    Returns False, and does nothing, where somebody else changed the file too: then the whole of
    it has to be read. The caller holds the home's lock.
    """
    known, after = index.source(file.key), appended.after
    read_ns = time.time_ns()
    if (known.state if known else None) != appended.before or after is None:
        return False
    start = known.state.size if known else 0
    data = read_tail(file.path, after.size - start)
    if state_of(file.path) != after:
        return False
    above, sums = (known.lines, known.digests) if known else (0, b"")
    docs, problems = transcript_docs(file, session, data, zone, above=above)
    source = Source(
        path=file.key,
        user=file.user,
        state=after,
        read_ns=read_ns,
        lines=above + data.count(b"\n"),
        digests=extend_digests(sums, start, file.path, after.size),
        problems=(*(known.problems if known else ()), *problems),
    )
    index.extend_source(source, docs)
    return True
