"""Managers of several processes on one home: nothing lost, nothing doubled, whoever is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import litemem

TURNS = 15
PROCESS = """
import asyncio, sys
from litemem import MemoryManager, SQLiteMemoryStore

async def main(home, name, turns):
    async with MemoryManager(SQLiteMemoryStore(home, model="hash")) as manager:
        for number in range(turns):
            turn = {
                "user_message": f"My favourite number is {name}{number}.",
                "assistant_message": "I see.",
                "timestamp": f"2026-02-08T10:{number:02}:00Z",
            }
            done = await manager.process_conversation_turn_for_memories(turn, "c1", "ada")
            assert not done.errors, done.errors
            print(name, number, *done.memories_created, flush=True)

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def start(home: Path, name: str, turns: int = TURNS) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROCESS, str(home), name, str(turns)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> list[list[str]]:
    """Return what a process said it had written."""
    return [line.split() for line in (process.communicate()[0]).splitlines() if line]


def kept(home: Path) -> tuple[dict[str, str], list[str]]:
    """Return the facts by id, and what the user said by the transcript."""
    with litemem.open(home, user_id="ada") as memory:
        facts = {fact.id: fact.content for fact in memory.list()}
        assert memory.doctor().problems == ()
    lines = (home / "users/ada/transcripts/c1.jsonl").read_text().splitlines()
    return facts, [entry["content"] for line in lines if (entry := json.loads(line))]


@pytest.mark.timeout(120)
def test_two_managers_lose_and_double_nothing(home: Path) -> None:
    running = [start(home, name) for name in "ab"]
    written = [line for process in running for line in told(process)]
    facts, said = kept(home)

    assert [process.returncode for process in running] == [0, 0]
    assert len(written) == 2 * TURNS
    assert set(facts) == {line[2] for line in written}
    assert sorted(facts.values()) == sorted(
        f"My favourite number is {name}{number}." for name in "ab" for number in range(TURNS)
    )
    assert sorted(text for text in said if text != "I see.") == sorted(facts.values())


@pytest.mark.timeout(120)
def test_a_killed_manager_loses_nothing_it_acknowledged(home: Path) -> None:
    killed, other = start(home, "a", 60), start(home, "b")
    time.sleep(1.5)
    killed.kill()
    written = told(killed) + told(other)
    again = start(home, "a", 60)
    told(again)
    facts, said = kept(home)

    assert other.returncode == again.returncode == 0
    assert {line[2] for line in written} <= set(facts)
    mine = [text for text in facts.values() if "is a" in text]
    assert sorted(mine) == sorted(f"My favourite number is a{number}." for number in range(60))
    assert len([text for text in said if "is a" in text]) == 60
