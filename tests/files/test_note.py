"""An append that a kill tore is undone; anything else that happened to the file stays."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from litemem.errors import FileTrouble
from litemem.files.note import append_noted, undo_half

OLD, NEW = b"- one\n", b"- two <!-- {} -->\n"


@pytest.fixture
def torn(tmp_path: Path) -> tuple[Path, Path, bytes]:
    """Return a log, the note of an append, and what the note held while it went on."""
    log, note = tmp_path / "log.md", tmp_path / "appending"
    log.write_bytes(OLD)
    append_noted(log, NEW, note=note)
    body = json.dumps({"path": str(log), "size": len(OLD)}).encode() + b"\n" + NEW
    return log, note, hashlib.sha256(body).digest() + body


def test_a_finished_append_leaves_an_empty_note(torn: tuple[Path, Path, bytes]) -> None:
    log, note, _ = torn

    assert note.read_bytes() == b""
    assert not undo_half(note)
    assert log.read_bytes() == OLD + NEW


@pytest.mark.parametrize("cut", range(len(NEW) + 1))
def test_half_an_append_is_cut_off(torn: tuple[Path, Path, bytes], cut: int) -> None:
    log, note, held = torn
    note.write_bytes(held)
    log.write_bytes(OLD + NEW[:cut])

    assert undo_half(note)
    assert log.read_bytes() == OLD
    assert not undo_half(note)


def test_what_a_person_wrote_since_stays(torn: tuple[Path, Path, bytes]) -> None:
    log, note, held = torn
    note.write_bytes(held)
    log.write_bytes(OLD + NEW[:5] + b"my own words\n")

    assert not undo_half(note)
    assert log.read_bytes() == OLD + NEW[:5] + b"my own words\n"
    assert note.read_bytes() == b""


def test_a_note_that_was_torn_itself_undoes_nothing(torn: tuple[Path, Path, bytes]) -> None:
    log, note, held = torn
    for cut in range(len(held)):
        note.write_bytes(held[:cut])
        assert not undo_half(note)

    assert log.read_bytes() == OLD + NEW


def test_a_file_that_is_gone_is_no_trouble(torn: tuple[Path, Path, bytes]) -> None:
    log, note, held = torn
    note.write_bytes(held)
    log.unlink()

    assert not undo_half(note)


def test_a_file_that_the_append_made_is_removed_again(tmp_path: Path) -> None:
    log, note = tmp_path / "log.md", tmp_path / "appending"
    body = json.dumps({"path": str(log), "size": None}).encode() + b"\n" + NEW
    note.write_bytes(hashlib.sha256(body).digest() + body)
    log.write_bytes(NEW[:3])

    assert undo_half(note)
    assert not log.exists()


def test_a_failed_append_leaves_an_empty_note(tmp_path: Path) -> None:
    note = tmp_path / "appending"
    (tmp_path / "log.md").mkdir()

    with pytest.raises(FileTrouble):
        append_noted(tmp_path / "log.md", NEW, note=note)
    assert note.read_bytes() == b""
