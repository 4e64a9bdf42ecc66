from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import FileTrouble, InvalidValue, ReadOnly
from litemem.files.read import (
    decode,
    encode,
    has_bad_bytes,
    read_existing,
    read_file,
    read_tail,
    visible,
)


@given(st.binary())
def test_every_byte_survives_decoding(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(st.text())
def test_every_text_survives_encoding(text: str) -> None:
    assert decode(encode(text)) == text
    assert not has_bad_bytes(text)
    assert visible(text) == text


@given(st.binary())
def test_visible_text_can_be_written_and_keeps_its_length(data: bytes) -> None:
    text = decode(data)
    shown = visible(text)

    assert len(shown) == len(text)
    assert has_bad_bytes(text) == (shown.encode() != data)


def test_bom_and_line_ends_are_kept(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfa\r\nb\rc\x85\n\xff"
    (tmp_path / "f").write_bytes(data)
    text = decode(read_file(tmp_path / "f"))

    assert text == "\ufeffa\r\nb\rc\udc85\n\udcff"
    assert encode(text) == data
    assert has_bad_bytes(text)


def test_half_a_character_is_named() -> None:
    with pytest.raises(InvalidValue, match=r"half a character \(U\+D800\)"):
        encode("a\ud800")


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match=r"can't read .*gone: there is no such file") as caught:
        read_file(tmp_path / "gone")

    assert caught.value.errno == errno.ENOENT
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_an_optional_file_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x")

    assert read_existing(tmp_path / "gone") is None
    assert read_existing(tmp_path / "f" / "below") is None
    assert read_existing(tmp_path / "f") == b"x"


def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match="it is a folder, not a file"):
        read_existing(tmp_path)


def test_a_file_that_may_not_be_read_is_an_error(
    protected_dir: Path, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    path = protected_dir / "secret"
    path.touch(mode=0o000)

    with unprivileged(), pytest.raises(FileTrouble, match="permission denied") as caught:
        read_file(path)

    assert not isinstance(caught.value, ReadOnly)


def test_a_name_with_bad_bytes_gives_a_printable_message(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble) as caught:
        read_file(tmp_path / "a\udcff")

    str(caught.value).encode()


@given(st.binary(max_size=50), st.integers(0, 60))
def test_a_tail_is_the_end_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, size: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "tail"
    path.write_bytes(data)

    assert read_tail(path, size) == data[max(0, len(data) - size) :]
