"""A fact as a row of the index, and back."""

from __future__ import annotations

from datetime import date, tzinfo
from typing import TYPE_CHECKING

from litemem.index.docs import Doc
from litemem.text.head import head, local_day
from litemem.types import Fact

if TYPE_CHECKING:
    from litemem.text.dailylog import Item


def fact_doc(item: Item, day: date, zone: tzinfo) -> Doc:
    """Return the row of a fact."""
    fact = item.fact
    return Doc(
        kind="fact",
        id=fact.id,
        line=item.line,
        text=fact.content,
        at=fact.created_at,
        chat_id=fact.chat_id,
        thread=_thread(fact.chat_id, day),
        head=head(fact.speaker, local_day(fact.created_at, zone)),
        importance=fact.importance,
        category=fact.category,
        replaces=fact.replaces,
        merges=fact.merges,
        tags=fact.tags,
        speaker=fact.speaker,
        metadata=fact.metadata,
        origin=fact.source,
        seen=fact.seen,
        explicit=item.explicit,
    )


def fact_of(doc: Doc) -> Fact:
    """Return the fact of a row; the inverse of `fact_doc`."""
    if doc.at is None:
        msg = f"row {doc.id} is a fact without a time"
        raise ValueError(msg)
    return Fact(
        id=doc.id,
        content=doc.text,
        created_at=doc.at,
        category=doc.category,
        importance=doc.importance,
        tags=doc.tags,
        chat_id=doc.chat_id,
        speaker=doc.speaker,
        metadata=doc.metadata,
        replaces=doc.replaces,
        merges=doc.merges,
        source=doc.origin,
        seen=doc.seen,
    )


def _thread(chat_id: str | None, day: date) -> str:
    # A chat goes on for months: what was said on one day of it belongs together (whole locomo
    # conversations as one chat: R@10 77.2, with each day of it a thread of its own 78.6).
    return f"chat:{chat_id}/{day.isoformat()}" if chat_id else f"day:{day.isoformat()}"
