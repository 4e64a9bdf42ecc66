from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

import litemem
from litemem.errors import InvalidBlock, InvalidFact, InvalidValue
from litemem.memory.markdown import MarkdownFolder, home_of
from litemem.memory.new import NewFact
from tests.conftest import NOW, OpenMemory


def folder(path: Path, at: datetime = NOW) -> MarkdownFolder:
    return MarkdownFolder(path, clock=lambda: at, rng=os.urandom)


def test_facts_are_appended_under_their_chat_and_day(tmp_path: Path) -> None:
    logs = folder(tmp_path / "notes")
    ids = logs.append("c1", [NewFact(content="one"), NewFact(content="two", chat_id="c2")])
    logs.append(None, [NewFact(content="old")], date(2026, 1, 31))

    assert len(set(ids)) == 2
    assert logs.days() == [date(2026, 2, 8), date(2026, 1, 31)]
    text = logs.log(date(2026, 2, 8)) or ""
    assert text.index("chat c1") < text.index("one") < text.index("chat c2") < text.index("two")
    assert '"at":"2026-01-31T14:05:12Z"' in (logs.log(date(2026, 1, 31)) or "")


def test_no_facts_make_no_log(tmp_path: Path) -> None:
    logs = folder(tmp_path / "notes")

    assert logs.append("c1", []) == ()
    assert logs.days() == []
    assert not (tmp_path / "notes").exists()


def test_a_wrong_fact_leaves_the_log_alone(tmp_path: Path) -> None:
    logs = folder(tmp_path)
    with pytest.raises(InvalidFact):
        logs.append("c1", [NewFact(content="one"), NewFact(content=" ")])

    assert logs.days() == []


def test_the_last_days_are_newest_first_with_a_rule_between(tmp_path: Path) -> None:
    logs = folder(tmp_path)
    for back in (0, 1, 2, 5):
        logs.append("c", [NewFact(content=f"{back} ago")], NOW.date() - timedelta(days=back))

    recent = logs.recent(2)
    assert recent.count("\n\n---\n\n") == 1
    assert recent.index("0 ago") < recent.index("1 ago")
    assert "2 ago" not in recent
    assert "5 ago" in logs.recent(6)
    assert logs.recent(10**12) == logs.recent(6)
    with pytest.raises(InvalidValue, match="days is 0"):
        logs.recent(0)


def test_todays_log_is_of_the_day_where_the_user_is(tmp_path: Path) -> None:
    zone = timezone(timedelta(hours=12))
    late = datetime(2026, 2, 8, 13, tzinfo=UTC)
    logs = MarkdownFolder(tmp_path, clock=lambda: late, rng=os.urandom, zone=zone)
    logs.append("c", [NewFact(content="late")])

    assert logs.days() == [date(2026, 2, 9)]
    assert '"at":"2026-02-08T13:00:00Z"' in (logs.log(date(2026, 2, 9)) or "")


def test_the_memory_file_has_a_heading_and_the_moment(tmp_path: Path) -> None:
    logs = folder(tmp_path)

    assert logs.read_memory() is None
    logs.write_memory("- likes tea\n")
    assert logs.read_memory() == (
        "# Long-term memory\n\n*Updated 2026-02-08T14:05:12+00:00*\n\n- likes tea\n"
    )
    with pytest.raises(InvalidBlock):
        logs.write_memory(b"x")  # type: ignore[arg-type]


def test_only_a_homes_memory_folder_has_a_home(opened: OpenMemory, home: Path) -> None:
    opened(user_id="ada").remember("tea")

    assert (found := home_of(home / "memory")) is not None
    assert found.root == home
    assert (found := home_of(home / "users/ada/memory")) is not None
    assert found.root == home
    assert home_of(home / "users/ada") is None
    assert home_of(home.parent / "memory") is None


def test_what_is_written_here_is_found_after_the_homes_next_sync(
    opened: OpenMemory, home: Path
) -> None:
    with opened() as memory:
        memory.remember("tea")
        folder(home / "memory").append("c1", [NewFact(content="coffee in the morning")])
        memory.sync()

        assert [hit.content for hit in memory.search("coffee", mode="keyword")] == [
            "coffee in the morning"
        ]


_APPEND = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from litemem.memory.markdown import MarkdownFolder
from litemem.memory.new import NewFact
logs = MarkdownFolder(
    Path(sys.argv[1]), clock=lambda: datetime(2026, 2, 8, tzinfo=UTC), rng=os.urandom
)
for number in range(30):
    logs.append("c", [NewFact(content=f"{sys.argv[2]} {number}")])
"""


def test_four_processes_append_to_a_new_day(tmp_path: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", _APPEND, str(tmp_path / "memory"), f"p{n}"])
        for n in range(4)
    ]
    assert [process.wait(60) for process in running] == [0] * 4

    text = (tmp_path / "memory/2026-02-08.md").read_text()
    assert text.count("# 2026-02-08\n") == 1
    assert all(f"- p{n} {m} <!--" in text for n in range(4) for m in range(30))


def test_a_home_is_opened_over_a_folder_that_was_written_before(tmp_path: Path) -> None:
    folder(tmp_path / "memory").append("c1", [NewFact(content="written first")])

    with litemem.open(tmp_path, model="hash") as memory:
        assert [fact.content for fact in memory.list()] == ["written first"]
