"""What a caller wants remembered, checked once at the edge."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any

from litemem.errors import InvalidFact
from litemem.types import Fact, JsonObject, Origin, Vector

_MAX_LABEL = 100  # characters of a category, tag, chat id or speaker: they stand in one line
_JSON_KEYS = frozenset(
    ("content", "category", "importance", "tags", "chat_id", "created_at", "speaker", "metadata")
)
_SOURCE_KEYS = ("source_session_id", "source_transcript_line", "source_timestamp")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """A fact to remember; None means: not said, so the default, or what the replaced fact has."""

    content: str
    category: str | None = None
    importance: float | None = None  # 0..1
    tags: tuple[str, ...] | None = None
    chat_id: str | None = None
    speaker: str | None = None
    created_at: datetime | None = None  # naive: in the home's time zone
    said_at: datetime | None = None  # likewise; but said again, it's the same fact, confirmed
    metadata: JsonObject = field(default_factory=dict)
    replaces: str | None = None  # any id of the chain that this fact continues
    merges: tuple[str, ...] = ()  # and of others that it continues too
    source: Origin | None = None
    vector: Vector | None = None  # the caller's own embedding
    id: str | None = None  # one that nothing of this user has; None: a fresh one

    def checked(self) -> NewFact:
        """Return it with tidy tags. Raises InvalidFact naming what is out of range."""
        check_text(self.content, "content")
        if not self.content.strip():
            msg = "content is empty; a fact needs some text"
            raise InvalidFact(msg)
        for what, value in (
            ("category", self.category),
            ("chat_id", self.chat_id),
            ("speaker", self.speaker),
        ):
            if value is not None:
                _check_label(value, what)
        if self.importance is not None:
            check_importance(self.importance)
        _check_moment(self.created_at)
        _check_moment(self.said_at)
        if self.merges and self.replaces is None:
            msg = "merges without replaces; name the main fact in replaces"
            raise InvalidFact(msg)
        check_metadata(self.metadata)
        return self if self.tags is None else replace(self, tags=tidy_tags(self.tags))

    def as_fact(
        self, *, id: str, now: datetime, zone: tzinfo, old: Fact | None, merged: Sequence[Fact] = ()
    ) -> Fact:
        """Return the fact; what isn't said comes from `old`, the (main) fact it replaces."""
        said = self.created_at or self.said_at
        at = instant(said, zone) if said else now
        base = old or Fact(id=id, content=self.content, created_at=at)
        return Fact(
            id=id,
            content=self.content,
            created_at=at,
            category=base.category if self.category is None else self.category,
            importance=base.importance if self.importance is None else float(self.importance),
            tags=base.tags if self.tags is None else self.tags,
            chat_id=base.chat_id if self.chat_id is None else self.chat_id,
            speaker=self.speaker,
            metadata=self.metadata,
            replaces=None if old is None else old.id,
            merges=tuple(one.id for one in merged),
            source=self.source,
        )


def from_json(line: str, zone: tzinfo) -> NewFact:
    """Read one line of `remember --file`. Raises InvalidFact saying what is wrong with it."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        msg = f"not JSON: {error}"
        raise InvalidFact(msg) from error
    if not isinstance(value, dict):
        msg = f"a JSON object is needed, not {type(value).__name__}"
        raise InvalidFact(msg)
    if unknown := sorted(set(value) - _JSON_KEYS):
        msg = f"unknown key {unknown[0]!r}; known are {', '.join(sorted(_JSON_KEYS))}"
        raise InvalidFact(msg)
    return _of_json(value, zone)


def as_new_fact(value: Any, zone: tzinfo) -> NewFact:  # noqa: ANN401  # Any: a caller's JSON
    """
    Read a fact of a caller's dict: the keys of `remember --file`, and where it was said.

    That is `source_session_id`, `source_transcript_line` and `source_timestamp`. Keys that aren't
    known are kept in the metadata. Raises InvalidFact.
    """
    if not isinstance(value, Mapping):
        msg = f"a fact is a dict, not {type(value).__name__}"
        raise InvalidFact(msg)
    known = {key: item for key, item in value.items() if key in _JSON_KEYS}
    rest = {
        key: item
        for key, item in value.items()
        if key not in _JSON_KEYS and key not in _SOURCE_KEYS and item is not None
    }
    if rest:
        check_metadata(known.get("metadata") or {})
        known["metadata"] = {**rest, **(known.get("metadata") or {})}
    return replace(_of_json(known, zone), source=_source(value, zone))


def _of_json(value: Mapping[str, Any], zone: tzinfo) -> NewFact:  # Any: a caller's JSON
    if value.get("content") is None:
        msg = 'the key "content" is missing'
        raise InvalidFact(msg)
    given = {key: item for key, item in value.items() if item is not None}
    if "created_at" in given:
        given["created_at"] = parse_instant(given["created_at"], zone)
    if "tags" in given:
        given["tags"] = tidy_tags(given["tags"])
    return NewFact(**given).checked()


def _source(value: Mapping[str, Any], zone: tzinfo) -> Origin | None:  # Any: a caller's JSON
    session, line, at = (value.get(key) for key in _SOURCE_KEYS)
    if session is None:
        return None
    whole = line is None or (isinstance(line, int) and not isinstance(line, bool) and line > 0)
    if not whole:
        msg = f"source_transcript_line is a line number from 1, not {line!r}"
        raise InvalidFact(msg)
    when = None if at is None else parse_instant(at, zone)
    return Origin(session=check_text(session, "source_session_id"), line=line, at=when)


def parse_instant(text: object, zone: tzinfo) -> datetime:
    """Read an ISO 8601 date or time; without an offset it is in `zone`. Raises InvalidFact."""
    msg = f"{text!r} is not a date or time; write 2026-02-08 or 2026-02-08T14:05:00Z"
    if not isinstance(text, str):
        raise InvalidFact(msg)
    try:
        if len(text) == 10:
            return instant(datetime.combine(date.fromisoformat(text), time()), zone)
        return instant(datetime.fromisoformat(text), zone)
    except (ValueError, OverflowError) as error:
        raise InvalidFact(msg) from error


def instant(moment: datetime, zone: tzinfo) -> datetime:
    """Return the moment in UTC; a naive one is read in `zone`."""
    try:
        aware = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        return aware.astimezone(UTC)
    except OverflowError as error:
        msg = f"{moment} is out of range"
        raise InvalidFact(msg) from error


def check_importance(value: object) -> float:
    """Return the importance. Raises InvalidFact unless it's a number in 0..1."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:  # type: ignore[operator]  # NaN isn't either
        msg = f"importance {repr(value)[:40]} is not a number from 0 to 1"
        raise InvalidFact(msg)
    return float(value)  # type: ignore[arg-type]


def check_metadata(value: object) -> None:
    """Raise InvalidFact unless the metadata is a JSON object."""
    if not isinstance(value, Mapping):
        msg = f"metadata must be a JSON object, not {type(value).__name__}"
        raise InvalidFact(msg)
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"metadata can't be written as JSON: {error}"
        raise InvalidFact(msg) from error
    if json.loads(text) != value:
        msg = "metadata doesn't survive JSON: use string keys, lists and plain numbers"
        raise InvalidFact(msg)


def tidy_tags(tags: object) -> tuple[str, ...]:
    """Return the tags without `#` and repeats, in order. Raises InvalidFact."""
    if isinstance(tags, str) or not isinstance(tags, Sequence):
        msg = f"tags must be a list of strings, not {type(tags).__name__}"
        raise InvalidFact(msg)
    for tag in tags:
        _check_label(tag, "tag")
    tidy = dict.fromkeys(tag.removeprefix("#") for tag in tags)
    if "" in tidy:
        msg = "a tag is empty"
        raise InvalidFact(msg)
    return tuple(tidy)


def check_text(value: object, what: str) -> str:
    """Return the text. Raises InvalidFact unless it's Unicode that a file can hold."""
    if not isinstance(value, str):
        msg = f"{what} must be text, not {type(value).__name__}"
        raise InvalidFact(msg)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        msg = f"{what} isn't valid Unicode: half of a surrogate pair at character {error.start}"
        raise InvalidFact(msg) from error
    return value


def _check_label(value: object, what: str) -> None:
    text = check_text(value, what)
    if not text.strip() or len(text) > _MAX_LABEL:
        msg = f"{what} {text[:40]!r} must have 1 to {_MAX_LABEL} characters"
        raise InvalidFact(msg)


def _check_moment(value: object) -> None:
    if value is not None and not isinstance(value, datetime):
        msg = f"created_at must be a datetime, not {type(value).__name__}"
        raise InvalidFact(msg)
