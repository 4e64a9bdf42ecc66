"""Cases 15 to 17, and 42: what is deleted is gone, and nothing else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from litemem.aio.store import SQLiteMemoryStore
from litemem.errors import UnknownFact
from litemem.memory.memory import Memory
from tests.cases.conftest import OpenStore
from tests.cli.conftest import AsJson, Run, as_json, run

__all__ = ["as_json", "run"]


def bytes_below(folder: Path) -> dict[Path, bytes]:
    """Return the markdown below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*.md")}


async def test_deleting_a_row_of_another_owner_touches_his_files_alone(
    store: SQLiteMemoryStore, home: Path
) -> None:
    """Case 15: deleting a row of another owner touches that owner's files and index alone."""
    await store.add_memory("likes tea", None, "default")
    gone = await store.add_memory("likes tea", None, "ada")
    kept = await store.add_memory("likes cake", None, "ada")
    before = bytes_below(home / "memory")

    assert await store.delete_memory(gone)

    assert bytes_below(home / "memory") == before
    assert [row["content"] for row in await store.list_memories("default")] == ["likes tea"]
    assert [row["id"] for row in await store.list_memories("ada")] == [kept]
    page = (home / "users" / "ada" / "memory" / "2026-02-08.md").read_text(encoding="utf-8")
    assert "likes cake" in page
    assert "likes tea" not in page


async def test_deleting_with_the_wrong_owner_finds_nothing(store: SQLiteMemoryStore) -> None:
    """Case 15: an id and another user's name delete nothing."""
    id_ = await store.add_memory("likes tea", None, "ada")

    assert not await store.delete_memory(id_, "default")
    assert await store.get_memory(id_, "ada") is not None


async def test_an_unknown_id_is_not_found(store: SQLiteMemoryStore, home: Path) -> None:
    """Case 16: deleting an unknown id: not found."""
    await store.add_memory("likes tea", None, "ada")
    before = bytes_below(home)

    assert await store.delete_memory("m000000000") is False
    assert await store.delete_memory("") is False
    assert bytes_below(home) == before


def test_an_unknown_id_is_an_error_of_the_memory(memory: Memory) -> None:
    """Case 16: for a memory and the command line, it's an error that names the id."""
    with pytest.raises(UnknownFact, match="m000000000"):
        memory.forget("m000000000")


async def test_the_other_fact_of_a_log_keeps_all_it_has(stores: OpenStore, home: Path) -> None:
    """Case 17: deleting one of two: the other keeps id, created_at, accesses; also rebuilt."""
    store = stores()
    kept = await store.add_memory("likes green tea", None, "ada", importance=0.9)
    gone = await store.add_memory("owns a zanzibar quokka", None, "ada")
    for _ in range(3):
        await store.hybrid_search(None, "green tea", "ada")
    await store.get_memory_stats("ada")
    before = await store.get_memory(kept, "ada")
    assert before is not None
    assert before["access_count"] == 3

    assert await store.delete_memory(gone)

    assert await store.get_memory(kept, "ada") == before
    assert await store.get_memory(gone, "ada") is None
    await store.close()
    assert not any(b"quokka" in path.read_bytes() for path in home.rglob("*") if path.is_file())
    again = stores()
    await again.home.write(lambda core: core.memory.rebuild())
    assert await again.get_memory(kept, "ada") == before
    assert await again.list_memories("ada") == [before]


def test_many_facts_are_deleted_only_when_one_says_so(
    run: Run, as_json: AsJson, tmp_path: Path
) -> None:
    """Case 42: a mass delete asks first; where nobody can answer, nothing is deleted."""
    ids = [as_json("remember", f"fact {n}")["id"] for n in range(25)]
    before = bytes_below(tmp_path / "home")

    for arguments in (ids, ["--all-of-user"]):
        refused = run("forget", *arguments)
        assert refused.exit_code == 2
        assert "there is no terminal to ask; add --yes" in refused.stderr
    assert bytes_below(tmp_path / "home") == before

    done = run("forget", *ids[:24], "--yes")
    assert done.exit_code == 0
    assert "... and 4 more" in done.stderr
    assert done.stdout.strip() == "24 facts forgotten"
    assert [fact["id"] for fact in as_json("list")] == ids[24:]
    run("forget", "--all-of-user", "--yes")
    assert as_json("list") == []


def answered(home: Path, answer: bytes, *arguments: str) -> tuple[int, str]:
    """Run a command on a terminal on which a person types an answer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "litemem.cli", *arguments],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"LITEMEM_HOME": str(home)},
    )
    os.write(ours, answer)
    _, told = process.communicate()
    os.close(ours)
    os.close(theirs)
    return process.returncode, told.decode()


def test_a_no_keeps_everything(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    """Case 42: the question says how many, and no is no."""
    ids = [as_json("remember", f"fact {n}")["id"] for n in range(3)]

    code, told = answered(tmp_path / "home", b"n\n", "forget", *ids)
    assert code == 1
    assert "Forget 3 facts for good? [y/N]" in told
    assert len(as_json("list")) == 3

    code, _ = answered(tmp_path / "home", b"y\n", "forget", *ids)
    assert code == 0
    assert as_json("list") == []
