"""Linear logs of conversations: one JSON line per turn, appended and read, never cut."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from litemem.errors import InvalidValue
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.names import check_name, find_path
from litemem.files.read import read_existing
from litemem.files.state import FileState, state_of
from litemem.files.write import append
from litemem.session.folder import SUFFIX, list_logs
from litemem.session.migrate import BLANK
from litemem.text import jsjson
from litemem.types import JsonObject, Problem

logger = logging.getLogger(__name__)

_REQUIRED: Final = ("role", "content")
ROLES: Final = ("user", "assistant", "tool", "system")


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptTurn:
    """A turn and where it stands."""

    line: int  # from 1
    entry: JsonObject  # {"ts", "role", "content", "actions"?, "meta"?} as the file has it


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn to write."""

    role: str  # one of ROLES
    content: str
    actions: Sequence[Mapping[str, Any]] | None = None  # Any: a caller's JSON
    metadata: Mapping[str, Any] | None = None  # Any: a caller's JSON; `meta` in the file
    at: datetime | None = None  # when it was said (naive: UTC); None: now


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """Where turns stand, and the file before and after they were added."""

    path: Path
    lines: tuple[int, ...]  # of each turn, from 1
    before: FileState | None  # None: there was no file
    after: FileState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What could be read of a transcript, oldest first, and what couldn't."""

    turns: tuple[TranscriptTurn, ...]
    problems: tuple[Problem, ...]


def utc_now() -> datetime:
    """Return the time, to the millisecond."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


class TranscriptManager:
    """
    A folder of transcripts, `<base_dir>/<session id>.jsonl`.

    Safe to use from several threads and processes. All methods raise InvalidName for an id that
    is no file name, and FileTrouble where the disk fails.

    Args:
        base_dir: the folder; the first write makes it.
        clock: gives turns their time; aware.
        fsync: make each turn durable before `append_turn` returns.
    """

    def __init__(
        self,
        base_dir: str | Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        fsync: bool = True,
    ) -> None:
        self.base_dir = Path(base_dir)
        self._clock = clock
        self._fsync = fsync
        self._lines: dict[Path, tuple[FileState | None, int]] = {}  # how many a file has, and when

    def append_turn(
        self,
        session_id: str,
        role: str,
        content: str,
        actions: Sequence[Mapping[str, Any]] | None = None,  # Any: a caller's JSON
        metadata: Mapping[str, Any] | None = None,  # Any: a caller's JSON
        *,
        at: datetime | None = None,
        once: bool = False,
    ) -> int:
        """
        Add a turn to a session's transcript, and return its line, from 1.

        Args:
            session_id: the file is made when it's missing.
            role: one of ROLES.
            content: any text.
            actions: JSON objects, such as tool calls.
            metadata: a JSON object; it's `meta` in the file.
            at: when it was said (naive: UTC); default now.
            once: write nothing where just this turn, of this time, is there already.

        Raises:
            InvalidValue: an unknown role, no text, or actions or metadata that aren't JSON.
        """
        turn = NewTurn(role=role, content=content, actions=actions, metadata=metadata, at=at)
        return self.append_turns(session_id, [turn], once=once).lines[0]

    def append_turns(
        self, session_id: str, turns: Sequence[NewTurn], *, once: bool = False
    ) -> Appended:
        """Do `append_turn` for several turns in one write: all of them or, after an error, none."""
        now = self._clock()
        written = [(_start(turn.at or now, turn.role, turn.content), turn) for turn in turns]
        lines = [start + _rest(turn.actions, turn.metadata) for start, turn in written]
        check_name(session_id, "session id")
        with locked(self.base_dir / FOLDER_LOCK):
            path = self._path(session_id)
            before = state_of(path)
            there = [_place(path, line) if once else None for line in lines]
            new = [line for line, known in zip(lines, there, strict=True) if known is None]
            numbers = iter(self._append(path, new))
            placed = tuple(next(numbers) if known is None else known for known in there)
            return Appended(path=path, lines=placed, before=before, after=state_of(path))

    def read_transcript(self, session_id: str, last_n: int | None = None) -> list[JsonObject]:
        """
        Return the turns of a session, oldest first; none where it has no transcript.

        What can't be read is logged, and told by `load_transcript`.

        Args:
            session_id: the session.
            last_n: at most so many of the newest; None: all.

        Raises:
            InvalidValue: `last_n` is negative.
        """
        return [turn.entry for turn in self.load_transcript(session_id, last_n).turns]

    def load_transcript(self, session_id: str, last_n: int | None = None) -> Transcript:
        """Do `read_transcript`, with each turn's line and what couldn't be read of these lines."""
        given: Any = last_n  # Any: what was given, whatever the annotation says
        if given is not None and (not isinstance(given, int) or given < 0):
            raise InvalidValue(f"last_n is {last_n!r}; give 0 or more, or nothing for all turns")
        path = self._path(session_id)
        transcript = parse_transcript(path, read_existing(path) or b"", last_n)
        if transcript.problems:
            logger.warning("transcript %s: %d bad lines", session_id, len(transcript.problems))
        return transcript

    def transcript_exists(self, session_id: str) -> bool:
        """Say whether a session has a transcript."""
        return self._path(session_id).is_file()

    def list_transcripts(self) -> list[str]:
        """Return the ids of all sessions that have a transcript, sorted."""
        return list_logs(self.base_dir)

    def _path(self, session_id: str) -> Path:
        return find_path(self.base_dir, session_id, "session id", suffix=SUFFIX)

    def _append(self, path: Path, lines: Sequence[bytes]) -> range:
        """Add lines, and return their numbers, from 1."""
        if not lines:
            return range(0)
        state = state_of(path)
        known, count = self._lines.get(path, (None, 0))
        if known != state:
            data = read_existing(path) or b""
            count = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        append(path, b"".join(lines), fsync=self._fsync)
        self._lines[path] = (state_of(path), count + len(lines))
        return range(count + 1, count + 1 + len(lines))


def _start(at: datetime, role: str, content: object) -> bytes:
    """Return a turn's line up to what tells it from others; the rest of the line is optional."""
    if role not in ROLES:
        raise InvalidValue(f"role {role!r} is none of {', '.join(ROLES)}")
    if not isinstance(content, str):
        raise InvalidValue(f"a turn's content is text, not {type(content).__name__}")
    utc = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    ts = utc.isoformat().replace("+00:00", "Z")
    return _json({"ts": ts, "role": role, "content": content})[:-1]


def _rest(actions: object, metadata: object) -> bytes:
    if actions is not None and not _are_objects(actions):
        raise InvalidValue("actions of a turn are a list of JSON objects")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidValue(f"metadata of a turn is a JSON object, not {type(metadata).__name__}")
    given = [(key, value) for key, value in (("actions", actions), ("meta", metadata)) if value]
    return b"".join(b", " + _json({key: value})[1:-1] for key, value in given) + b"}\n"


def _are_objects(value: Any) -> bool:  # noqa: ANN401  # a caller's JSON
    is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return is_list and all(isinstance(one, Mapping) for one in value)


def _json(value: Mapping[str, object]) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"{', '.join(value)} of a turn can't be written: {error}") from error
    return jsjson.escape_surrogates(text).encode()


def _place(path: Path, line: bytes) -> int | None:
    """Return which line of a file is this one, None where none is."""
    data = read_existing(path) or b""
    if not data.endswith(b"\n"):
        data += b"\n"
    if data.startswith(line):
        return 1
    at = data.find(b"\n" + line)
    return None if at < 0 else data.count(b"\n", 0, at) + 2


def parse_transcript(path: Path | str, data: bytes, last_n: int | None = None) -> Transcript:
    """Read the newest `last_n` turns of a transcript's bytes, or all; `path` is for reports."""
    turns: list[TranscriptTurn] = []
    problems: list[Problem] = []
    lines = data.split(b"\n")
    for number in range(len(lines), 0, -1):
        if last_n is not None and len(turns) >= last_n:
            break
        entry, reason = _entry(lines[number - 1])
        if entry is not None:
            turns.append(TranscriptTurn(line=number, entry=entry))
        if reason:
            problems.append(Problem(path=str(path), line=number, reason=reason))
    return Transcript(turns=tuple(reversed(turns)), problems=tuple(reversed(problems)))


def _entry(line: bytes) -> tuple[JsonObject | None, str]:
    """Return a line's turn, and what is wrong with the line; a blank line has neither."""
    text, reason = line.decode("utf-8", "replace").strip(BLANK), ""
    if not text:
        return None, ""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} isn't UTF-8; read as U+FFFD"
    try:
        entry = jsjson.loads(text)
    except ValueError as error:
        return None, f"no JSON: {error}"
    if isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in _REQUIRED):
        return entry, reason
    return None, "no turn: role and content aren't text"
