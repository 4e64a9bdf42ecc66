from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import FileTrouble, InvalidName
from litemem.files.names import check_name, find_path, fold

NFC, NFD = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "é",
        "日本",
        "😀",
        "a.b",
        ".hidden",
        "-x",
        "_",
        "%",
        "'",
        "CONSOLE",
        "com10",
        "x" * 200,
    ],
)
def test_ordinary_names_stay_as_they_are(name: str) -> None:
    assert check_name(name, "session id") == name


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("", "is empty"),
        (".", "means a folder"),
        ("..", "means a folder"),
        ("a/b", "holds '/'"),
        ("../b", "holds '/'"),
        ("a\\b", "holds '\\\\'"),
        ("a:b", "holds ':'"),
        ('a"b', "holds '\"'"),
        ("a*", "holds '*'"),
        ("a?", "holds '?'"),
        ("a|b", "holds '|'"),
        ("<a>", "holds '<'"),
        ("a\0", "U+0000"),
        ("a\nb", "U+000A"),
        ("a\x7f", "U+007F"),
        ("a\x85", "U+0085"),
        ("a.", "ends with a dot or a space"),
        ("a ", "ends with a dot or a space"),
        ("con", "device"),
        ("CON.txt", "device"),
        ("nul .x", "device"),
        ("Com1", "device"),
        ("lpt\u00b2.a.b", "device"),
        ("conin$", "device"),
        ("a\ud800", "half a character"),
        ("x" * 201, "longer than 200 bytes"),
        ("é" * 101, "longer than 200 bytes"),
    ],
)
def test_a_name_that_some_system_refuses_is_a_clear_error(name: str, trouble: str) -> None:
    with pytest.raises(InvalidName, match="session id") as caught:
        check_name(name, "session id")

    assert trouble in str(caught.value)
    assert len(str(caught.value).encode()) < 300
    assert "\n" not in str(caught.value)


@given(st.text(st.characters(), max_size=80))
def test_every_accepted_name_is_one_file_in_its_folder(name: str) -> None:
    try:
        check_name(name, "id")
    except InvalidName:
        return
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{name}.jsonl").touch()

        assert [p.name for p in Path(folder).iterdir()] == [f"{name}.jsonl"]


@given(st.text())
def test_folding_gives_every_spelling_one_form(name: str) -> None:
    folded = fold(name)

    assert fold(folded) == folded
    for form in ("NFC", "NFD"):
        assert fold(unicodedata.normalize(form, name)) == folded
    assert fold(name.casefold()) == folded


def test_folding_is_stable_for_every_character() -> None:
    characters = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]

    assert [c for c in characters if fold(fold(c)) != fold(c)] == []


def test_a_new_name_is_a_path_in_a_folder_that_need_not_exist(tmp_path: Path) -> None:
    path = find_path(tmp_path / "none", "a b", "chat id", suffix=".jsonl")

    assert path == tmp_path / "none" / "a b.jsonl"


@pytest.mark.parametrize(
    ("there", "asked"), [("Alice", "alice"), ("ALICE", "Alice"), (NFC, NFD), (NFD, NFC)]
)
def test_a_second_spelling_is_an_error_that_names_the_first(
    tmp_path: Path, there: str, asked: str
) -> None:
    (tmp_path / there).mkdir()

    with pytest.raises(InvalidName, match="in another spelling") as caught:
        find_path(tmp_path, asked, "user id")

    spelled = {NFC: "'caf\\xe9'", NFD: "'cafe\\u0301'"}.get(there, repr(there))
    assert str(caught.value).endswith(f"use {spelled}")


def test_a_second_spelling_of_a_file_is_found_by_its_suffix_too(tmp_path: Path) -> None:
    (tmp_path / "S1.jsonl").touch()

    with pytest.raises(InvalidName, match="use 'S1'"):
        find_path(tmp_path, "s1", "session id", suffix=".jsonl")
    assert find_path(tmp_path, "s1", "session id", suffix=".json") == tmp_path / "s1.json"


def test_names_that_exist_in_two_spellings_are_both_reached(tmp_path: Path) -> None:
    for name in ("B", "b", NFC, NFD):
        (tmp_path / name).mkdir()

    assert [find_path(tmp_path, n, "id").name for n in ("B", "b", NFC, NFD)] == ["B", "b", NFC, NFD]


def test_an_existing_name_is_found_again(tmp_path: Path) -> None:
    for name in ("12", "abc", "日本"):
        (tmp_path / name).mkdir()

        assert find_path(tmp_path, name, "id") == tmp_path / name


def test_a_bad_name_is_no_path(tmp_path: Path) -> None:
    with pytest.raises(InvalidName, match=r"user id '../x' holds '/'"):
        find_path(tmp_path, "../x", "user id")


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "users").touch()

    with pytest.raises(FileTrouble, match="users: a part of its path is a file"):
        find_path(tmp_path / "users", "x", "user id")
