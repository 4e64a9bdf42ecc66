"""The process's standard streams, taken for the protocol: whatever prints, prints to stderr."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from litemem.errors import InvalidValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """Where messages come from, and where they go: file descriptors of our own."""

    reads: int
    writes: int

    def write(self, data: bytes) -> bool:
        """Write all of it, and say whether that could be done: somebody must read."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self.writes, rest) :]
        except OSError:
            return False
        return True


def take_wire() -> Wire:
    """
    Take standard input and output for good: descriptor 0 is then empty, and 1 is stderr.

    So neither `print`, nor a library's `printf`, nor a child process can write into the protocol
    or read from it. Raises InvalidValue where one of the two is closed.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    if not (_is_open(0) and _is_open(1)):
        raise InvalidValue(
            "standard input or output is closed; an MCP client starts this command with both"
        )
    _open_stderr()
    wire = Wire(reads=os.dup(0), writes=os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.stderr is not None:
        sys.stdout = sys.stderr  # the old one would keep its lines back until it's full
    return wire


def _open_stderr() -> None:
    """Open descriptor 2 where it's closed: a copy of the wire may not become it."""
    if not _is_open(2):
        os.open(os.devnull, os.O_WRONLY)  # the least number that is free


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
