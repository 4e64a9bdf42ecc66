"""Arguments of several commands, refused before anything is measured."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from litemem.embed.locate import find_model
from litemem.errors import ModelError

T = TypeVar("T")


def parser(command: str, told: str | None) -> argparse.ArgumentParser:
    """Return the parser of a command whose help is its module's docstring."""
    return argparse.ArgumentParser(
        prog=f"python -m tests.benchmarks {command}",
        description=told,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def at_least(least: int) -> Callable[[str], int]:
    """Return a type of whole numbers."""

    def whole(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return number

    return whole  # argparse names it where the text is no number


def share(text: str) -> float:
    """Read a number above 0 and up to 1."""
    number = float(text)
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"{text} isn't above 0 and up to 1")
    return number


def writable(text: str) -> Path:
    """Read the path of a file that can be written."""
    path = Path(text)
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise argparse.ArgumentTypeError(f"{path} can't be written: no such folder, or not a file")
    return path


def folder(text: str) -> Path:
    """Read the path of a folder, and make it where there is none."""
    path = Path(text)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} can't be a folder: {error.strerror}") from error
    return path


def model(text: str) -> str:
    """Read a model: a name, a folder, `hash` or `none`."""
    try:
        if text not in ("hash", "none"):
            find_model(text, {})
    except ModelError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def sets(text: str) -> Path:
    """Read the path of a folder of sets, each DIR/SET/dev/corpus.jsonl with its queries.jsonl."""
    path = Path(text)
    if not any(path.glob("*/dev/corpus.jsonl")):
        raise argparse.ArgumentTypeError(f"{path} holds no SET/dev/corpus.jsonl")
    return path


def chosen(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a type of names with commas between."""

    def names(text: str) -> list[str]:
        found = [name.strip() for name in text.split(",") if name.strip()]
        unknown = [name for name in found if name not in known]
        if unknown or not found:
            what = f"{unknown[0]!r} is unknown" if unknown else "none is named"
            raise argparse.ArgumentTypeError(f"{what}; there are {', '.join(known)}")
        return found

    return names


def one_set(text: str) -> Path:
    """Read the path of one set's folder, DIR/SET/dev."""
    path = Path(text)
    if not all((path / f"{name}.jsonl").is_file() for name in ("corpus", "queries")):
        raise argparse.ArgumentTypeError(f"{path} holds no corpus.jsonl and queries.jsonl")
    return path


def dev_folders(parser: argparse.ArgumentParser, data: Path, named: str | None) -> list[Path]:
    """Return DIR/SET/dev of the sets that are named, else of all; ends where one is unknown."""
    known = sorted(path.parents[1].name for path in data.glob("*/dev/corpus.jsonl"))
    try:
        return [data / name / "dev" for name in (known if named is None else chosen(known)(named))]
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument --sets: {error}")


def contents(read: Callable[[Path], T], what: str) -> Callable[[str], T]:
    """Return a type that reads a whole file, so that a wrong one is told of at once."""

    def of(text: str) -> T:
        try:
            return read(Path(text))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise argparse.ArgumentTypeError(f"{text} isn't {what}: {error}") from error

    return of
