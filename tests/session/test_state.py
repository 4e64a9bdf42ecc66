import json
import multiprocessing
import pickle
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.errors import FormatError, InvalidName
from litemem.session import StateMirror

Json: TypeAlias = Any  # any JSON value at all
values: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=50)  # each one waits for the disk
@given(st.dictionaries(st.text(), values, max_size=3))
def test_every_json_state_comes_back(
    tmp_path_factory: pytest.TempPathFactory, state: dict[str, Json]
) -> None:
    mirror = StateMirror(tmp_path_factory.mktemp("state"))
    mirror.mirror_state("s", json.dumps(state).encode())

    assert mirror.read_state("s") == json.loads(json.dumps(state))


def test_json_is_written_for_people(tmp_path: Path) -> None:
    StateMirror(tmp_path).mirror_state("s", b'\xef\xbb\xbf{"version":2,"steps":["\\u00e9"]}')

    assert (tmp_path / "s.json").read_text("utf-8") == (
        '{\n  "version": 2,\n  "steps": [\n    "é"\n  ]\n}\n'
    )


class Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("the state was unpickled",)


@pytest.mark.parametrize("state", [pickle.dumps(Bomb()), b"\x80\x04", b'{"a": NaN}', b"{", b" "])
def test_anything_else_becomes_a_placeholder(tmp_path: Path, state: bytes) -> None:
    mirror = StateMirror(tmp_path)
    mirror.mirror_state("s", state)
    placeholder = mirror.read_state("s")

    assert (placeholder["format"], placeholder["size_bytes"]) == ("pickle", len(state))


def test_a_number_beyond_doubles_stays_as_it_is(tmp_path: Path) -> None:
    StateMirror(tmp_path).mirror_state("s", b'{"n":1e999}')

    assert (tmp_path / "s.json").read_bytes() == b'{"n":1e999}'


def test_a_lone_surrogate_survives(tmp_path: Path) -> None:
    mirror = StateMirror(tmp_path)
    mirror.mirror_state("s", b'{"half":"\\ud83d"}')

    assert mirror.read_state("s") == {"half": "\ud83d"}


def test_no_bytes_change_nothing(tmp_path: Path) -> None:
    mirror = StateMirror(tmp_path)
    mirror.mirror_state("s", b"")

    assert mirror.read_state("s") is None
    assert not list(tmp_path.iterdir())


def test_a_missing_state_is_none(tmp_path: Path) -> None:
    assert StateMirror(tmp_path / "none").read_state("s") is None


@pytest.mark.parametrize("damage", [b'{"a":', b"\xff", b'{"a":NaN}'])
def test_a_corrupt_state_is_an_error_that_names_the_file(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "s.json").write_bytes(damage)

    with pytest.raises(FormatError, match=r"s\.json"):
        StateMirror(tmp_path).read_state("s")


def test_a_wrong_id_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InvalidName):
        StateMirror(tmp_path / "state").mirror_state("../s", b"{}")

    assert not list(tmp_path.iterdir())


def replace_often(folder: Path, n: int) -> None:
    for _ in range(20):
        StateMirror(folder).mirror_state(
            "s", json.dumps({"writer": n, "pad": "x" * 50_000}).encode()
        )


def test_a_reader_sees_whole_states_only(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=replace_often, args=(tmp_path, n)) for n in range(2)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        state = StateMirror(tmp_path).read_state("s")
        assert state is None or len(state["pad"]) == 50_000
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
