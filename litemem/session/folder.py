"""A folder of session files: ids into paths, and one writer at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from litemem.errors import FileTrouble, InvalidName, UnknownSession
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.names import check_name, find_path
from litemem.files.trouble import translated
from litemem.session.file import SessionFile
from litemem.session.nodes import Migrator
from litemem.session.reading import Log

SUFFIX: Final = ".jsonl"
_TORN_WAIT_S: Final = 0.5  # one append of another process


class LogFolder:
    """The files of a folder by session id, each with what is known of it."""

    def __init__(
        self, root: Path, migrators: Sequence[Migrator], *, fsync: bool, lock_timeout_s: float
    ) -> None:
        self.root = root
        self.migrators = tuple(migrators)
        self._fsync = fsync
        self._lock_timeout_s = lock_timeout_s
        self._files: dict[str, SessionFile] = {}

    def ids(self) -> list[str]:
        """Return the ids of all sessions, sorted; none where the folder doesn't exist."""
        return list_logs(self.root)

    def file(self, session_id: str) -> SessionFile:
        """Return a session's file, which may not exist. Raises InvalidName."""
        path = find_path(self.root, session_id, "session id", suffix=SUFFIX)
        if session_id not in self._files:
            self._files[session_id] = SessionFile(path, self.migrators, fsync=self._fsync)
        return self._files[session_id]

    def load(self, session_id: str, *, check_ids: bool = False) -> Log:
        """Read a session; when its end looks torn, again while nobody writes."""
        file = self.file(session_id)
        log = file.load(check_ids=check_ids)
        if not any(finding.kind == "torn line" for finding in log.findings):
            return log
        try:
            with locked(self.root / FOLDER_LOCK, timeout_s=_TORN_WAIT_S):
                return file.load(check_ids=check_ids)
        except FileTrouble:  # read-only, or held for long
            return log

    @contextmanager
    def writing(self, session_id: str, *, new: bool = False) -> Iterator[SessionFile]:
        """
        Hold the folder's lock, with a session's file.

        Raises:
            UnknownSession: there is no such file, unless it may be `new`.
            InvalidName, ReadOnly, LockTimeout: as the words say.
        """
        check_name(session_id, "session id")  # before the lock makes the folder
        with locked(self.root / FOLDER_LOCK, timeout_s=self._lock_timeout_s):
            file = self.file(session_id)
            if not new and not file.path.exists():
                raise UnknownSession(f"there is no session {session_id!r} in {self.root}")
            yield file


def list_logs(root: Path) -> list[str]:
    """Return the names of a folder's `.jsonl` files without the ending, sorted."""
    with translated(root, "read"):
        try:
            names = [path.name for path in root.iterdir() if path.is_file()]
        except FileNotFoundError:
            return []
    return sorted(name.removesuffix(SUFFIX) for name in names if _is_log(name))


def _is_log(name: str) -> bool:
    if not name.endswith(SUFFIX):
        return False
    try:
        check_name(name.removesuffix(SUFFIX), "session id")
    except InvalidName:
        return False
    return True
