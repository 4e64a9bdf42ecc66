"""Faults that a newcomer found: each stays mended."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import litemem
from litemem.errors import InvalidFact, InvalidQuery, ModelError
from litemem.memory.memory import Memory
from litemem.memory.new import from_json
from tests.conftest import NOW, OpenMemory


def test_forgetting_reaches_what_a_killed_rebuild_left(opened: OpenMemory, home: Path) -> None:
    memory = opened()
    done = memory.remember("quokka 4711")
    (home / "index.db.rebuild-999999999-0123abcd-wal").write_bytes(b"quokka 4711")

    memory.forget(done.id)

    assert not any(b"quokka" in path.read_bytes() for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "line",
    ['{"content": null}', '{"content": "x", "importance": 1' + "0" * 400 + "}"],
)
def test_one_bad_line_is_an_error_of_that_line(line: str) -> None:
    with pytest.raises(InvalidFact):
        from_json(line, UTC)


@pytest.mark.parametrize("page", range(1, 12))
def test_a_page_of_the_index_may_be_anything(opened: OpenMemory, home: Path, page: int) -> None:
    memory = opened()
    for number in range(40):
        memory.remember(f"fact {number} about tea")
    memory.close()
    index = home / "index.db"
    data = bytearray(index.read_bytes())
    size = 16384
    if page * size >= len(data):
        pytest.skip("a smaller index")
    data[page * size : (page + 1) * size] = bytes(size)
    index.write_bytes(data)

    again = opened()
    try:
        found = again.search("tea", 50)
    except litemem.LitememError:
        again.rebuild()
        found = again.search("tea", 50)

    assert len(found) == 40 or len(opened_after_rebuild(again)) == 40


def opened_after_rebuild(memory: Memory) -> list[str]:
    """Rebuild, and return what is found then."""
    memory.rebuild()
    return [hit.id for hit in memory.search("tea", 50)]


def test_a_fact_that_replaces_another_does_so_whoever_says_the_same(memory: Memory) -> None:
    memory.remember("Status: ok")
    broken = memory.remember("Status: broken")
    memory.remember("Status: ok", replaces=broken.id)

    assert "Status: broken" not in [fact.content for fact in memory.list()]


def test_replacing_a_fact_by_its_own_text_writes_nothing(memory: Memory) -> None:
    known = memory.remember("Status: ok")

    assert not memory.remember("Status: ok", replaces=known.id).created


@pytest.mark.parametrize(
    ("one", "other"),
    [("yes", "yes?"), ("He left.", "He left?"), ("<", "<!"), ("if x:\n    y", "if x:\ny")],
)
def test_texts_that_say_something_else_are_kept(memory: Memory, one: str, other: str) -> None:
    memory.remember(one)

    assert memory.remember(other).created


def test_another_category_is_written_down(memory: Memory) -> None:
    done = memory.remember("run a marathon")
    again = memory.remember("run a marathon", category="goal")

    assert again.updated
    assert memory.get(done.id).fact.category == "goal"


def test_the_newest_of_equal_facts_is_confirmed(memory: Memory) -> None:
    memory.remember("likes tea", created_at=datetime(2020, 1, 1, tzinfo=UTC))
    new = memory.remember("likes tea", created_at=NOW)

    assert memory.remember("likes tea").id == new.id


@pytest.fixture
def pipe(home: Path) -> Iterator[Path]:
    """Return a pipe in the place of a log."""
    (home / "memory").mkdir(parents=True)
    path = home / "memory" / "2026-01-01.md"
    os.mkfifo(path)
    yield path
    path.unlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_the_place_of_a_log_is_named(opened: OpenMemory, pipe: Path) -> None:
    reasons: list[str] = []
    thread = threading.Thread(
        target=lambda: reasons.extend(p.reason for p in opened().doctor().problems), daemon=True
    )
    thread.start()
    thread.join(20)

    assert not thread.is_alive()
    assert pipe.name in reasons[0]


@pytest.mark.parametrize("link", ["nowhere.md", "2026-01-01.md"])
def test_a_link_to_nothing_or_itself_is_no_trouble(
    opened: OpenMemory, home: Path, link: str
) -> None:
    opened().close()
    (home / "memory").mkdir()
    (home / "memory" / "2026-01-01.md").symlink_to(link)
    memory = opened()
    memory.remember("likes tea")

    assert len(memory.list()) == 1
    assert not any("isn't current" in note for note in memory.doctor().notes)


def test_line_ends_that_are_none_are_named(opened: OpenMemory, home: Path) -> None:
    opened().close()
    (home / "memory").mkdir()
    (home / "memory" / "2026-01-01.md").write_bytes(b"- a\r- b\r")

    assert "carriage return" in opened().doctor().problems[0].reason


def test_files_in_wrong_places_are_named(opened: OpenMemory, home: Path) -> None:
    opened().close()
    for name in ("memory/2026-01-02.MD", "users/default/memory/x.md", "users/a:b/memory/y.md"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("- x\n")

    ignored = opened().doctor().ignored

    assert ignored == ("memory/2026-01-02.MD", "users/a:b", "users/default")


@pytest.mark.parametrize("name", ["limit", "offset"])
def test_a_huge_page_is_a_clear_error(memory: Memory, name: str) -> None:
    with pytest.raises(InvalidQuery, match=name):
        memory.search("x", **{name: 10**30})  # type: ignore[arg-type]
    with pytest.raises(InvalidQuery, match=name):
        memory.list(**{name: 10**30})  # type: ignore[arg-type]


def test_tags_are_a_list(memory: Memory) -> None:
    with pytest.raises(InvalidFact, match="tags must be a list"):
        memory.remember("x", tags="abc")


def test_an_empty_model_name_changes_nothing(memory: Memory) -> None:
    with pytest.raises(ModelError, match="name is empty"):
        memory.rebuild("")

    assert memory.model == "hash"


def test_a_current_folder_that_is_gone_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    with litemem.open(tmp_path / "home", model="hash") as memory:
        assert memory.home == tmp_path / "home"
    monkeypatch.chdir(tmp_path)
