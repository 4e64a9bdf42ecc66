from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from litemem.memory.refresh import grouped, refresh_facts
from litemem.text.section import CLOSE, OPEN
from litemem.types import Fact
from tests.conftest import NOW, OpenMemory


def test_the_most_important_facts_stand_by_category(opened: OpenMemory, home: Path) -> None:
    memory = opened()
    memory.remember("Lives in Lisbon", category="personal", importance=0.7)
    memory.remember("Uses Postgres", category="technical", importance=0.9)
    memory.remember("Is called Ada", category="personal", importance=0.8)
    memory.remember("Had toast", importance=0.69)
    kept = refresh_facts(memory.space, "default")

    assert [fact.content for fact in kept] == ["Uses Postgres", "Is called Ada", "Lives in Lisbon"]
    assert memory.blocks.get("facts") == (
        f"{OPEN}\n### personal\n\n- Is called Ada\n- Lives in Lisbon\n\n"
        f"### technical\n\n- Uses Postgres\n{CLOSE}\n"
    )


def test_what_a_person_wrote_outside_stays_byte_for_byte(opened: OpenMemory, home: Path) -> None:
    memory = opened()
    memory.remember("Lives in Lisbon", importance=0.8)
    mine = "# Me\r\n\r\nBorn \u2028 in 1990 \t\n"
    memory.blocks.set("facts", mine)
    refresh_facts(memory.space, "default")
    (home / "memory/MEMORY.md").write_bytes((home / "memory/MEMORY.md").read_bytes() + b"after\r\n")
    memory.remember("Has a cat", importance=0.9)
    refresh_facts(memory.space, "default")

    text = (home / "memory/MEMORY.md").read_bytes().decode()
    assert text.startswith(mine)
    assert text.endswith(f"{CLOSE}\r\nafter\r\n")
    assert "- Has a cat" in text


def test_at_most_fifty_newest_first_among_equals(opened: OpenMemory) -> None:
    memory = opened()
    for number in range(60):
        memory.remember(f"fact {number}", importance=0.8, created_at=NOW.replace(minute=number))
    kept = refresh_facts(memory.space, "default")

    assert [fact.content for fact in kept] == [f"fact {n}" for n in range(59, 9, -1)]


def test_nothing_is_written_where_there_is_nothing(opened: OpenMemory, home: Path) -> None:
    assert refresh_facts(opened().space, "default") == []
    assert not (home / "memory/MEMORY.md").exists()


def test_facts_that_are_gone_leave_the_section(opened: OpenMemory) -> None:
    memory = opened()
    id_ = memory.remember("Lives in Lisbon", importance=0.8).id
    refresh_facts(memory.space, "default")
    memory.forget(id_)
    refresh_facts(memory.space, "default")

    assert memory.blocks.get("facts") == f"{OPEN}\n{CLOSE}\n"


@given(st.lists(st.text(min_size=1, max_size=300), max_size=50), st.integers(0, 3000))
def test_the_list_has_its_size_and_says_what_is_missing(texts: list[str], size: int) -> None:
    facts = [Fact(id=str(n), content=text, created_at=NOW) for n, text in enumerate(texts)]
    shown = grouped(facts, max_chars=size)

    note = f"\n({len(texts)} more left out)\n"
    assert len(shown) <= size + len(note)
    missing = shown.rpartition("(")[2].split()[0] if shown.endswith(" more left out)\n") else "0"
    assert shown.count("\n- ") + int(missing) == len(texts)


def test_a_list_without_room_says_how_many_there_are() -> None:
    fact = Fact(id="m1", content="Lives in Lisbon", created_at=NOW, category="home life")

    assert grouped([fact], max_chars=10) == "\n(1 more left out)\n"
    assert grouped([fact]) == "### home life\n\n- Lives in Lisbon\n"
