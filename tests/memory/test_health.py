"""What `doctor` says of a sound index."""

from __future__ import annotations

from litemem.memory.memory import Memory


def test_a_change_since_the_last_read_is_no_damage(memory: Memory) -> None:
    gone = memory.remember("Likes tea").id
    for number in range(30):
        memory.remember(f"Likes jam {number}")
    told = list(memory.doctor().notes)
    memory.forget(gone)
    told += memory.doctor().notes

    assert [note for note in told if "damaged" in note] == []
