"""The last state of each session's agent, as JSON that a person can read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from litemem.errors import FormatError
from litemem.files.lock import FOLDER_LOCK, locked
from litemem.files.names import check_name, find_path
from litemem.files.read import read_existing
from litemem.files.write import replace_file
from litemem.text import jsjson

_SUFFIX: Final = ".json"


class StateMirror:
    """
    A folder of agent states, `<base_dir>/<session id>.json`.

    All methods raise InvalidName for an id that is no file name, and FileTrouble where the disk
    fails.
    """

    def __init__(self, base_dir: str | Path) -> None:
        self.base_dir = Path(base_dir)

    def mirror_state(self, session_id: str, state_bytes: bytes) -> None:
        """
        Replace a session's state atomically; nothing happens when there are no bytes.

        JSON is written with indents. Anything else, such as a pickle, is never decoded: a
        placeholder says how large it is, with its sha256.
        """
        check_name(session_id, "session id")
        if not state_bytes:
            return
        data = _readable(state_bytes)
        with locked(self.base_dir / FOLDER_LOCK):
            replace_file(self._path(session_id), data)

    def read_state(self, session_id: str) -> Any:  # noqa: ANN401 - the agent's own JSON
        """
        Return a session's state, most often a dict; None where it has none.

        Raises:
            FormatError: the file isn't JSON; names the file.
        """
        path = self._path(session_id)
        data = read_existing(path)
        if data is None:
            return None
        try:
            return jsjson.loads(data.decode("utf-8-sig"))
        except json.JSONDecodeError as error:
            raise FormatError(path, error.lineno, f"no JSON: {error.msg}") from error
        except ValueError as error:
            raise FormatError(path, 0, f"no JSON: {error}") from error

    def _path(self, session_id: str) -> Path:
        return find_path(self.base_dir, session_id, "session id", suffix=_SUFFIX)


def _readable(state: bytes) -> bytes:
    try:
        value = jsjson.loads(state.decode("utf-8-sig"))
    except ValueError:
        digest = hashlib.sha256(state).hexdigest()
        value = {"format": "pickle", "size_bytes": len(state), "sha256": digest}
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return state  # JSON all the same: a number beyond doubles, or too deep to indent
    return jsjson.escape_surrogates(text).encode() + b"\n"
