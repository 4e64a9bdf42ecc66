"""What a person gives besides arguments: standard input, and answers."""

from __future__ import annotations

import sys

import click

from litemem.errors import InvalidValue


def given_text(text: str) -> str:
    """Return an argument, or standard input where it's `-`. Raises InvalidValue: not UTF-8."""
    if text != "-":
        return text
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        found = f"byte {data[error.start]:#04x} at offset {error.start}"
        raise InvalidValue(f"standard input isn't UTF-8 ({found}); convert it") from error


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is lost; where there is nobody to ask, a usage error says so."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask; add --yes")
    click.confirm(question, abort=True, err=True)
