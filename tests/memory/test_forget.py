"""Forgetting: the whole chain, out of every file and the index, for good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from litemem.errors import FormatError, UnknownFact
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from tests.conftest import OpenMemory

SECRET = "zanzibar quokka 4711"


def files_with(home: Path, text: str) -> list[str]:
    """Name the files below a folder that hold a text's bytes."""
    return [
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and text.encode() in path.read_bytes()
    ]


def test_forgotten_bytes_are_nowhere_and_stay_away(opened: OpenMemory, home: Path) -> None:
    memory = opened()
    kept = memory.remember("likes tea")
    gone = memory.remember(SECRET, tags=["quokkas"])

    memory.forget(gone.id)

    assert files_with(home, "quokka") == []
    memory.rebuild()
    assert [fact.id for fact in memory.list()] == [kept.id]
    assert memory.search("quokka").hits == ()
    memory.close()
    assert files_with(home, "quokka") == []


def test_the_vector_is_gone_too(memory: Memory, home: Path) -> None:
    done = memory.remember(SECRET)
    vector = memory._space.index.cached_vectors([f"(2026-02-08): {SECRET}"])
    (raw,) = vector.values()
    memory.remember("another fact that stays")
    memory.forget(done.id)
    memory.close()

    assert not any(bytes(raw) in path.read_bytes() for path in home.glob("index.db*"))


def test_forgetting_any_id_forgets_the_chain(memory: Memory, home: Path) -> None:
    old = memory.remember("works at Google")
    new = memory.remember("works at Microsoft", replaces=old.id)

    gone = memory.forget(old.id)

    assert gone.ids == (old.id, new.id)
    assert memory.list() == []
    assert files_with(home, "Google") == []


def test_only_takes_out_one_link_and_joins_the_rest(opened: OpenMemory, home: Path) -> None:
    memory = opened()
    one = memory.remember("one")
    two = memory.remember("two", replaces=one.id)
    three = memory.remember("three", replaces=two.id)

    memory.forget(two.id, only=True)

    assert [fact.id for fact in memory.get(one.id).history] == [one.id, three.id]
    assert [fact.id for fact in memory.list()] == [three.id]
    memory.rebuild()
    assert [fact.id for fact in memory.list()] == [three.id]
    assert files_with(home / "memory", "two") == []


def merged(memory: Memory, text: str, *ids: str) -> str:
    """Write down a fact that takes the place of these."""
    new = NewFact(content=text, replaces=ids[0], merges=ids[1:])
    return memory.remember_many([new])[0].id


def test_forgetting_any_id_of_a_merge_forgets_all_its_texts(memory: Memory, home: Path) -> None:
    first, second = memory.remember("quokka one").id, memory.remember("quokka two").id
    both = merged(memory, "quokkas", first, second)
    merged(memory, "all quokkas", memory.remember("quokka three").id, both)

    memory.forget(second)

    assert memory.list() == []
    assert files_with(home, "quokka") == []


def test_only_leaves_a_link_to_all_that_the_fact_merged(opened: OpenMemory) -> None:
    memory = opened()
    one, two, three = (memory.remember(text).id for text in ("one", "two", "three"))
    both = merged(memory, "one and two", one, two)
    last = merged(memory, "all", three, both)

    memory.forget(both, only=True)

    assert memory.get(last).fact.parents == (three, one, two)
    assert [fact.id for fact in memory.list()] == [last]
    memory.rebuild()
    assert [fact.id for fact in memory.list()] == [last]
    memory.forget(one, three, only=True)
    assert memory.get(last).fact.parents == (two,)
    memory.forget(last, only=True)
    assert [fact.id for fact in memory.list()] == [two]


def test_one_link_whose_words_a_merge_repeats_is_named(memory: Memory) -> None:
    first, second = memory.remember("likes tea.").id, memory.remember("tea").id
    merged(memory, "Currently: x; before: likes tea", first, second)

    assert memory.forget(first, only=True).still_in == ("memory/2026-02-08.md",)


def test_the_other_facts_of_a_log_stay_as_they_were(memory: Memory) -> None:
    kept = memory.remember("likes tea", importance=0.9)
    gone = memory.remember("likes coffee")
    before = memory.get(kept.id).fact

    memory.forget(gone.id)

    assert memory.get(kept.id).fact == before


def test_an_unknown_id_removes_nothing(memory: Memory) -> None:
    known = memory.remember("likes tea")
    with pytest.raises(UnknownFact, match="no fact 'mxxxx'"):
        memory.forget(known.id, "mxxxx")

    assert len(memory.list()) == 1


def test_a_hand_written_fact_is_forgotten(opened: OpenMemory, home: Path) -> None:
    opened().close()
    (home / "memory").mkdir()
    log = home / "memory" / "2026-02-01.md"
    log.write_text("# mine\n\nprose\n\n- likes tea\n- likes coffee\n")
    memory = opened()
    (tea,) = [fact for fact in memory.list() if fact.content == "likes tea"]

    memory.forget(tea.id)

    assert log.read_text() == "# mine\n\nprose\n\n- likes coffee\n"


def test_words_that_still_stand_elsewhere_are_named(memory: Memory) -> None:
    done = memory.remember(SECRET)
    memory.blocks.set("facts", f"- {SECRET}\n")

    assert memory.forget(done.id).still_in == ("memory/MEMORY.md",)


def test_transcripts_are_blanked_where_asked(memory: Memory, home: Path) -> None:
    log = home / "transcripts" / "s1.jsonl"
    log.parent.mkdir()
    line = {"ts": "2026-02-08T14:32:00Z", "role": "user", "content": f"I said {SECRET}!"}
    log.write_text(json.dumps(line) + "\n" + json.dumps(line | {"content": "kept"}) + "\n")
    done = memory.remember(SECRET)

    gone = memory.forget(done.id, transcripts=True)

    assert gone.erased_turns == 1
    assert gone.still_in == ()
    assert "kept" in log.read_text()
    assert files_with(home, SECRET) == []


def test_forgetting_a_user_is_removing_a_folder(memory: Memory, home: Path) -> None:
    memory.remember("of the default user")
    ann = memory.for_user("ann")
    ann.remember(SECRET)
    ann.blocks.set("user", SECRET)

    assert ann.forget_user() == 1
    assert not (home / "users" / "ann").exists()
    assert files_with(home, "quokka") == []
    assert len(memory.list()) == 1


def test_forgetting_the_default_user_leaves_the_others(memory: Memory) -> None:
    memory.remember("of the default user")
    memory.for_user("ann").remember("of ann")

    memory.forget_user()

    assert memory.list() == []
    assert len(memory.for_user("ann").list()) == 1


def test_a_forget_that_was_killed_half_way_is_finished_at_the_next_open(
    opened: OpenMemory, home: Path
) -> None:
    memory = opened()
    done = memory.remember(SECRET)
    memory.close()
    note = {"user": "default", "ids": [done.id]}
    (home / "forgetting.json").write_text(json.dumps(note))

    again = opened()

    assert again.list() == []
    assert files_with(home, "quokka") == []
    assert not (home / "forgetting.json").exists()


def test_a_damaged_note_of_a_forget_is_named(opened: OpenMemory, home: Path) -> None:
    opened().close()
    (home / "forgetting.json").write_text("{")

    with pytest.raises(FormatError, match=r"forgetting\.json:1: not a note of a forget"):
        opened()


def test_a_text_in_markdown_that_isnt_followed_is_named(memory: Memory, home: Path) -> None:
    id_ = memory.remember("Lives in Lisbon").id
    (home / "memory/persona.imported.md").write_text("Ada. Lives in Lisbon!\n")

    assert memory.forget(id_).still_in == ("memory/persona.imported.md",)
