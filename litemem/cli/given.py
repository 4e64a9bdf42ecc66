"""What a person gives besides arguments: standard input, and answers."""

from __future__ import annotations

import sys
from typing import BinaryIO, TextIO

import click

from litemem.errors import InvalidValue


def given_text(text: str) -> str:
    """Return an argument, or standard input where it's `-`. Raises InvalidValue: not UTF-8."""
    if text != "-":
        return text
    data = standard_input().read()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        found = f"byte {data[error.start]:#04x} at offset {error.start}"
        raise InvalidValue(f"standard input isn't UTF-8 ({found}); convert it") from error


def standard_input() -> BinaryIO:
    """Return standard input as bytes. Raises InvalidValue: it's closed."""
    if sys.stdin is None:
        raise InvalidValue("standard input is closed")
    return sys.stdin.buffer


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a person is at the other end; a closed stream is None."""
    return stream is not None and stream.isatty()


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is lost; where there is nobody to ask, a usage error says so."""
    if yes:
        return
    if not is_terminal(sys.stdin):
        raise click.UsageError("there is no terminal to ask; add --yes")
    click.confirm(question, abort=True, err=True)
