"""Files into bytes and text, without losing a byte."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from litemem.errors import FileTrouble, InvalidValue
from litemem.files.trouble import translated

_BAD_BYTE: Final = re.compile("[\udc80-\udcff]")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_file(path: Path) -> bytes:
    """Return a file's bytes. Raises FileTrouble, with `errno` ENOENT where the file is missing."""
    with translated(path, "read"):
        _check_regular(path)
        return path.read_bytes()


def _check_regular(path: Path) -> None:
    """Refuse what would never end, such as a pipe: opening it waits for somebody to write."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        msg = f"can't read {path}: it is no file but a pipe or a device; move it away"
        raise FileTrouble(msg)


def read_existing(path: Path) -> bytes | None:
    """Return a file's bytes, or None where there is no such file. Raises FileTrouble."""
    try:
        return read_file(path)
    except FileTrouble as trouble:
        if trouble.errno in (errno.ENOENT, errno.ENOTDIR):
            return None
        raise


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield a file's lines one at a time, each with its LF. Raises FileTrouble."""
    with translated(path, "read"), path.open("rb") as file:
        yield from file


def read_tail(path: Path, size: int) -> bytes:
    """Return at most the last `size` bytes of a file. Raises FileTrouble."""
    with translated(path, "read"), path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - size))
        return file.read(size)


def decode(data: bytes) -> str:
    """Return UTF-8 as text; a byte that isn't UTF-8 becomes a lone surrogate, so none is lost."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes that `decode` made this text of. Raises InvalidValue: other surrogates."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        msg = f"the text holds half a character (U+{code:04X}), which no file can; remove it"
        raise InvalidValue(msg) from error


def has_bad_bytes(text: str) -> bool:
    """Say whether `decode` met bytes that aren't UTF-8."""
    return _BAD_BYTE.search(text) is not None


def visible(text: str) -> str:
    """Return a text that can be printed and indexed: lone surrogates become U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", text)
