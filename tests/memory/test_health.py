"""What `doctor` says of a sound index."""

from __future__ import annotations

from litemem.memory.memory import Memory
from tests.conftest import OpenMemory


def test_a_change_by_another_process_is_no_damage(memory: Memory, opened: OpenMemory) -> None:
    gone = memory.remember("Likes tea").id
    memory.remember("Likes jam")
    assert memory.doctor().well
    opened().forget(gone)

    assert [note for note in memory.doctor().notes if "damaged" in note] == []
