"""The index follows the files exactly, whatever a person does to them between two opens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from litemem.files.state import state_of
from litemem.index.store import Index
from litemem.memory.memory import Memory
from tests.conftest import OpenMemory


@pytest.fixture
def log(opened: OpenMemory, home: Path) -> Path:
    """Return the log of a hand-kept day in a new home."""
    opened().close()
    folder = home / "memory"
    folder.mkdir()
    return folder / "2026-02-01.md"


def contents(memory: Memory) -> list[str]:
    """Return what is remembered, oldest first."""
    return [fact.content for fact in reversed(memory.list())]


def test_added_edited_emptied_and_deleted_files_are_followed(opened: OpenMemory, log: Path) -> None:
    log.write_text("- likes tea\n- likes coffee\n")
    assert sorted(contents(opened())) == ["likes coffee", "likes tea"]

    log.write_text("- likes mate\n- likes coffee\n")
    assert sorted(contents(opened())) == ["likes coffee", "likes mate"]

    log.write_text("")
    assert contents(opened()) == []

    log.write_text("- likes tea\n")
    assert contents(opened()) == ["likes tea"]

    log.unlink()
    assert contents(opened()) == []


def test_an_edit_that_keeps_size_and_times_is_seen(opened: OpenMemory, log: Path) -> None:
    log.write_text("- likes tea\n")
    opened().close()
    before = log.stat()
    with log.open("r+") as file:
        file.write("- likes pie\n")
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert contents(opened()) == ["likes pie"]


def test_a_renamed_log_keeps_ids_and_embeds_nothing(opened: OpenMemory, log: Path) -> None:
    memory = opened()
    done = memory.remember("likes tea", created_at=memory.moment("2026-02-01T10:00:00Z"))
    memory.close()
    log.rename(log.with_name("2026-02-03.md"))

    again = opened()

    assert [fact.id for fact in again.list()] == [done.id]
    assert again._space.index.pending(1) == []


def test_an_edit_to_a_line_with_an_id_keeps_the_id(opened: OpenMemory, log: Path) -> None:
    memory = opened()
    done = memory.remember("likes tea", created_at=memory.moment("2026-02-01T10:00:00Z"))
    memory.close()
    log.write_text(log.read_text().replace("likes tea", "likes green tea"))

    assert opened().get(done.id).fact.content == "likes green tea"


def test_a_removed_line_is_a_forgotten_memory(opened: OpenMemory, log: Path) -> None:
    memory = opened()
    at = memory.moment("2026-02-01T10:00:00Z")
    memory.remember("likes tea", created_at=at)
    memory.remember("likes pie", created_at=at)
    memory.close()
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))

    assert contents(opened()) == ["likes tea"]


def test_crlf_bom_frontmatter_and_prose_stay_byte_for_byte(opened: OpenMemory, log: Path) -> None:
    before = (
        b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n\r\n# Day\r\n\r\nProse with \xff a bad byte.\r\n"
        b"\r\n- likes tea\r\n- [ ] buy milk\r\n"
    )
    log.write_bytes(before)
    memory = opened()
    memory.remember("likes pie", created_at=memory.moment("2026-02-01T10:00:00Z"))

    assert sorted(contents(memory)) == ["[ ] buy milk", "likes pie", "likes tea"]
    assert log.read_bytes().startswith(before)
    assert "aren't UTF-8" in memory.doctor().problems[0].reason


@pytest.mark.parametrize("name", ["é", "100%", "a_b", "it's", "日本"])
def test_odd_names_of_chats_and_users_are_followed(
    opened: OpenMemory, home: Path, name: str
) -> None:
    memory = opened()
    memory.blocks.set("user", "likes marmalade", chat_id=name)
    other = memory.for_user(name)
    other.remember("likes tea")
    memory.close()
    (home / "index.db").unlink()

    again = opened()

    assert again.search("marmalade", kinds=("block",)).hits[0].chat_id == name
    assert contents(again.for_user(name)) == ["likes tea"]
    assert contents(again) == []


def test_a_ten_megabyte_log_is_read(opened: OpenMemory, log: Path) -> None:
    log.write_text("".join(f"- fact number {n} {'x' * 900}\n" for n in range(11_000)))
    memory = opened(model="hash")

    assert len(memory.list()) == 11_000
    assert memory.search("10999", mode="keyword").hits[0].content.startswith("fact number 10999")


def test_files_that_are_no_logs_are_named_and_left_alone(opened: OpenMemory, log: Path) -> None:
    log.with_name("2026-13-45.md").write_text("- no such day\n")
    log.with_name("notes.md").write_text("- not a log\n")

    memory = opened()

    assert contents(memory) == []
    assert memory.doctor().ignored == ("memory/2026-13-45.md", "memory/notes.md")


def test_double_ids_and_cycles_are_named_and_the_first_is_kept(
    opened: OpenMemory, log: Path
) -> None:
    log.write_text(
        '- one <!-- {"id":"m1","at":"2026-02-01T10:00:00Z"} -->\n'
        '- two <!-- {"id":"m1","at":"2026-02-01T11:00:00Z"} -->\n'
        '- a <!-- {"id":"ma","at":"2026-02-01T12:00:00Z","replaces":"mb"} -->\n'
        '- b <!-- {"id":"mb","at":"2026-02-01T13:00:00Z","replaces":"ma"} -->\n'
    )
    memory = opened()

    reasons = " | ".join(problem.reason for problem in memory.doctor().problems)

    assert "one" in contents(memory)
    assert "two" not in contents(memory)
    assert "m1" in reasons
    assert "ma" in reasons


def test_a_file_that_cannot_be_read_is_named(opened: OpenMemory, log: Path) -> None:
    log.mkdir()

    memory = opened()

    assert contents(memory) == []
    assert "2026-02-01.md" in memory.doctor().problems[0].reason


def test_a_sync_that_finds_nothing_reads_nothing(memory: Memory) -> None:
    memory.remember("likes tea")

    report = memory.sync()

    assert (report.files, report.changed) == (1, 0)


def set_back(path: Path) -> None:
    """Make a file's last change ten seconds older, as time would."""
    mtime_ns = path.stat().st_mtime_ns - 10_000_000_000
    os.utime(path, ns=(mtime_ns, mtime_ns))


def index_of(memory: Memory) -> Index:
    """Return the index behind a memory."""
    return memory._space.index


def test_bytes_that_were_compared_once_need_not_be_compared_again(
    opened: OpenMemory, log: Path
) -> None:
    log.write_text("- likes tea\n")
    opened().close()
    set_back(log)
    memory = opened()
    after = index_of(memory).source("memory/2026-02-01.md")

    assert memory.opened.changed == 0
    assert after is not None
    assert after.state == state_of(log)
    assert after.read_ns - after.state.mtime_ns > 2_000_000_000


def test_a_file_changed_within_two_seconds_is_compared_at_each_open(
    opened: OpenMemory, log: Path
) -> None:
    log.write_text("- likes tea\n")
    before = index_of(opened()).source("memory/2026-02-01.md")

    assert index_of(opened()).source("memory/2026-02-01.md") == before


def test_what_another_process_indexed_meanwhile_is_not_confirmed(
    opened: OpenMemory, log: Path
) -> None:
    log.write_text("- likes tea\n")
    index = index_of(opened())
    old = index.source("memory/2026-02-01.md")
    log.write_text("- likes pie\n")
    new = index_of(opened()).source("memory/2026-02-01.md")
    assert old is not None
    index.confirm_sources([old])

    assert index.source("memory/2026-02-01.md") == new


def test_a_busy_index_does_not_keep_a_home_from_being_opened(opened: OpenMemory, log: Path) -> None:
    log.write_text("- likes tea\n")
    memory = opened()
    set_back(log)
    with memory._space.index.transaction():
        memory._space.index.drop_source("unknown")  # the lock is held from the first write on

        assert contents(opened()) == ["likes tea"]


def test_a_folder_in_a_logs_place_is_named_at_every_open(opened: OpenMemory, log: Path) -> None:
    log.mkdir()
    opened().close()
    (log / "file").touch()

    assert "2026-02-01.md" in opened().doctor().problems[0].reason
