"""Cases 40, 41 and 43 to 52: the files are the truth."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

import litemem
from litemem import HashEmbedder, NewFact
from litemem.errors import SettingsError
from litemem.memory.memory import Memory
from litemem.session import TranscriptManager
from litemem.types import Fact, Vector
from tests.cases.conftest import OpenStore, axis
from tests.cli.conftest import AsJson, Run, as_json, run
from tests.conftest import NOW, OpenMemory

__all__ = ["as_json", "run"]


class Counting(HashEmbedder):
    """An embedder that keeps the texts it was given."""

    def __init__(self, dimension: int = 64) -> None:
        super().__init__(dimension)
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Embed them."""
        self.texts += texts
        return super().embed_passages(texts)


def wipe(home: Path) -> None:
    """Remove the index."""
    for path in home.glob("index.db*"):
        path.unlink()


def names_in(path: Path) -> list[str]:
    """Return the names of the files in an export."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    if path.suffix == ".gz":
        with tarfile.open(path) as packed:
            return packed.getnames()
    return [one.relative_to(path).as_posix() for one in path.rglob("*") if one.is_file()]


@pytest.mark.parametrize("dest", ["out", "out.zip", "out.tar.gz"])
def test_an_export_holds_markdown_and_json_lines_only(
    run: Run, as_json: AsJson, tmp_path: Path, dest: str
) -> None:
    """Case 40: an export holds markdown and JSONL only; no database."""
    run("remember", "likes tea")
    run("remember", "likes gin", "--user", "ada")
    run("block", "set", "persona", "brief")
    run("session", "append", "s", "hello")
    run("transcript", "append", "t", "hello")

    told = as_json("export", dest)

    names = names_in(tmp_path / dest)
    assert told["files"] == len(names)
    assert {name.rpartition(".")[2] for name in names} == {"md", "jsonl", "json"}
    assert {name for name in names if name.endswith(".json")} == {"settings.json"}
    assert {"memory/persona.md", "sessions/s.jsonl", "transcripts/t.jsonl"} <= set(names)
    assert any(name.startswith("users/ada/memory/2") for name in names)
    assert run("export", dest).exit_code == 1
    assert run("export", dest, "--force").exit_code == 0


def test_a_file_that_no_archive_can_hold_is_said(run: Run, tmp_path: Path) -> None:
    """Case 40: what is left out of an export is named."""
    run("remember", "likes tea")
    (tmp_path / "home" / "memory" / "caf\udce9.md").write_bytes(b"x")

    done = run("export", "out.zip")

    assert "left out, as its name isn't UTF-8: 'memory/caf" in done.stderr
    assert done.stdout == "2 files in out.zip\n"


def test_an_export_of_one_user_holds_nobody_else(run: Run, tmp_path: Path) -> None:
    """Case 40: with --user, before the command or after it, only that user's files."""
    run("remember", "likes tea")
    run("remember", "likes gin", "--user", "ada")

    run("export", "a.zip", "--user", "ada")
    run("--user", "ada", "export", "b.zip")

    assert [len(names_in(tmp_path / name)) for name in ("a.zip", "b.zip")] == [1, 1]
    assert names_in(tmp_path / "a.zip")[0].startswith("memory/")


def test_an_import_merges_and_never_deletes(run: Run, as_json: AsJson, tmp_path: Path) -> None:
    """Case 41: an import merges and never deletes or overwrites what is here alone."""
    theirs, ours = ("--home", str(tmp_path / "theirs")), ("--home", str(tmp_path / "ours"))
    run("remember", "likes tea", *theirs)
    run("block", "set", "persona", "theirs", *theirs)
    run("session", "append", "s", "hello", *theirs)
    run("export", "out.zip", *theirs)
    run("remember", "likes gin", *ours)
    run("block", "set", "persona", "ours", *ours)
    run("block", "set", "user", "only ours", *ours)

    dry = as_json("import", "out.zip", "--dry-run", *ours)
    assert [fact["content"] for fact in as_json("list", *ours)] == ["likes gin"]
    done = as_json("import", "out.zip", *ours)
    again = run("import", "out.zip", *ours)

    assert dry == done | {"dry_run": True}
    assert sorted(fact["content"] for fact in as_json("list", *ours)) == ["likes gin", "likes tea"]
    blocks = [as_json("block", "get", name, *ours)["content"] for name in ("persona", "user")]
    assert blocks == ["ours", "only ours"]
    assert (tmp_path / "ours" / "memory" / "persona.imported.md").read_bytes() == b"theirs"
    assert len(as_json("session", "show", "s", *ours)["nodes"]) == 1
    assert again.stdout.startswith("0 new facts, 1 known; 0 new files, 0 grown, 3 unchanged\n")
    assert "kept memory/persona.md: differs; the export's is in" in again.stdout


def test_a_hostile_archive_is_refused_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    """Case 41: what could harm is refused, and nothing was taken."""
    run("remember", "likes tea")
    before = {path: path.read_bytes() for path in (tmp_path / "home").rglob("*.md")}
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("memory/2026-01-01.md", "- likes gin\n")
        archive.writestr("../evil.md", "x")

    done = run("import", "evil.zip")

    assert done.exit_code == 1
    assert "'../evil.md' leads out of the tree" in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md")} == before


def test_what_is_left_out_of_an_import_is_said(run: Run, tmp_path: Path) -> None:
    """Case 41: files that are no memory are named, but not without end."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("settings.json", '{"time_zone": "Asia/Tokyo"}')
        for n in range(30):
            archive.writestr(f"memory/photo-{n:02}.png", "")

    done = run("import", "a.zip")

    assert "  left out: memory/photo-19.png\n  left out: 10 more; --json" in done.stdout
    assert "the export's time_zone is 'Asia/Tokyo', this home keeps 'UTC'" in done.stderr


def told(facts: Sequence[Fact]) -> list[tuple[object, ...]]:
    """Return what must be the same after a rebuild."""
    return [(fact.id, fact.content, fact.importance, fact.tags, fact.created_at) for fact in facts]


def test_a_rebuild_gives_the_same_facts(opened: OpenMemory, home: Path) -> None:
    """Case 43: wipe the index, rebuild: same ids, text, importance, tags, created_at; twice."""
    memory = opened()
    memory.remember("likes tea", importance=0.8, tags=["drink", "hot"])
    memory.remember("lives in Porto", created_at=datetime(2025, 5, 1, 10, tzinfo=UTC))
    (home / "memory" / "2026-01-01.md").write_text("- by hand\n- by hand\n", encoding="utf-8")
    memory.sync()
    before, files = told(memory.list()), {path: path.read_bytes() for path in home.rglob("*.md")}
    memory.close()

    wipe(home)
    again = opened()
    assert told(again.list()) == before
    for _ in range(2):
        assert again.rebuild().files == 3
        assert told(again.list()) == before
    assert again.rebuild().embedded == 0
    assert {path: path.read_bytes() for path in home.rglob("*.md")} == files


@pytest.mark.parametrize(
    "text",
    [
        "one line\nand another\n\n  indented",
        "Run `pip install foo`",
        "tags `a b`",
        "- [x] done",
        "[x] done",
        "- a list\n- of two",
        "# a heading",
        "#tag alone",
        "--> no end <!-- {",
        "## 14:05 · chat x",
        "```\n# fenced\n```",
    ],
)
def test_any_text_survives(opened: OpenMemory, home: Path, text: str) -> None:
    """Case 44: a line break, a trailing backtick span, "- [x]", "#" and "-->" survive."""
    memory = opened()
    memory.remember("before")
    made = memory.remember(text)
    memory.remember("after")
    memory.close()

    wipe(home)
    again = opened()

    assert again.get(made.id).fact.content == text
    assert [fact.content for fact in again.list()].count(text) == 1
    assert len(again.list()) == 3


def test_odd_separators_and_torn_lines_lose_nothing_more(tmp_path: Path) -> None:
    """Case 45: U+2028 is read back; a torn last line and an append lose nothing more."""
    manager = TranscriptManager(tmp_path)
    odd = "one\u2028two\u2029three\x85four\x0bfive"
    manager.append_turn("s", "user", odd)
    manager.append_turn("s", "assistant", "sound")
    path = tmp_path / "s.jsonl"
    whole = path.read_bytes()

    for cut in range(1, len(whole.splitlines()[-1])):
        path.write_bytes(whole[:-cut])
        manager.append_turn("s", "user", "next")
        contents = [turn.entry["content"] for turn in manager.load_transcript("s").turns]
        assert contents[0] == odd
        assert contents[-1] == "next"
        assert len(contents) == (3 if cut == 1 else 2)


APPENDER = """
import sys, litemem
with litemem.open(sys.argv[1], model="none") as memory:
    for number in range(60):
        memory.remember(f"fact {number} of {sys.argv[2]}")
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a Python process."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_append_to_a_new_day(home: Path) -> None:
    """Case 46: two processes, 60 appends each, a new day: all there, one header."""
    writers = [start(APPENDER, home, name) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    for writer in writers:
        writer.communicate()

    with litemem.open(home) as memory:
        contents = {fact.content for fact in memory.list()}
        pages = [memory.log(day) for day in memory.log_days()]
    assert contents == {f"fact {n} of {name}" for n in range(60) for name in "ab"}
    assert [len(re.findall(r"^# \d", page, re.MULTILINE)) for page in pages] == [1] * len(pages)


SETTER = """
import sys, litemem
with litemem.open(sys.argv[1], model="none") as memory:
    for number in range(100_000):
        memory.blocks.set("facts", f"{number:>7}" * 20_000)
        print(number, flush=True)
"""


def test_a_kill_leaves_the_old_or_the_new_memory_file(home: Path) -> None:
    """Case 47: a kill during a MEMORY.md write leaves the old text or the new one."""
    chance = random.Random(5)
    for _ in range(6):
        setter = start(SETTER, home)
        assert setter.stdout is not None
        setter.stdout.readline()
        time.sleep(chance.uniform(0, 0.05))
        setter.send_signal(signal.SIGKILL)
        setter.communicate()

        text = (home / "memory" / "MEMORY.md").read_text(encoding="utf-8")
        assert text == text[:7] * 20_000
        with litemem.open(home) as memory:
            assert memory.blocks.get("facts") == text
            assert memory.doctor().problems == ()
        assert not [*home.rglob("*.tmp")]


def test_a_removed_index_is_built_anew_while_other_state_stays(
    opened: OpenMemory, home: Path
) -> None:
    """Case 48: the index removed while other state stays: the next open rebuilds."""
    memory = opened()
    memory.remember("likes tea")
    TranscriptManager(home / "transcripts").append_turn("s", "user", "tea, please")
    memory.close()
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (home / name).unlink(missing_ok=True)

    again = opened()

    found = again.search("tea", kinds=("fact", "turn"))
    assert sorted(hit.content for hit in found) == ["likes tea", "tea, please"]
    assert (again.stats().vectors, again.stats().rows) == (2, 2)


@pytest.mark.parametrize("dimension", [64, 32])
def test_another_embedder_is_detected_and_vectors_never_mixed(home: Path, dimension: int) -> None:
    """Case 49: another embedder or dimension: detected, embedded again from the files."""

    class Other(Counting):
        name = "hash-64"
        sha256 = "0" * 64

    with litemem.open(home, embedder=Counting()) as memory:
        memory.remember("likes tea")
        memory.remember("likes cake")
    other = Other(dimension)

    with litemem.open(home, embedder=other) as memory:
        assert len(memory.search("tea")) >= 1
        stats = memory.stats()
        assert (stats.vectors, stats.rows) == (2, 2)
        assert sorted(text.partition(": ")[2] for text in other.texts) == [
            "likes cake",
            "likes tea",
        ]
        assert memory.space.index.fingerprint.dimension == dimension
        assert memory.search("likes tea")[0].similarity == pytest.approx(1.0, abs=0.2)


def test_a_model_of_another_name_needs_a_word(home: Path) -> None:
    """Case 49: a home's model is its own: another name is an error that says the way."""
    with litemem.open(home, model="hash") as memory:
        memory.remember("likes tea")

    with pytest.raises(SettingsError, match="litemem index rebuild --model none"):
        litemem.open(home, model="none")
    own = Counting(32)
    with pytest.raises(SettingsError, match=r"Memory.rebuild\(embedder=...\)"):
        litemem.open(home, embedder=own)
    with litemem.open(home) as memory:
        memory.rebuild(embedder=own)
        assert memory.search("likes tea")[0].matched == ("keyword", "vector")
    with litemem.open(home, embedder=own) as memory:
        assert memory.stats().vectors == 1
        assert len(own.texts) == 1
        assert memory.search("likes tea")[0].matched == ("keyword", "vector")


def test_the_newer_employer_is_first_when_it_was_said_to_replace(memory: Memory) -> None:
    """Case 50: Google, then Microsoft: both readable, the newest first; nothing is dropped."""
    google = memory.remember("works at Google")
    microsoft = memory.remember("works at Microsoft", replaces=google.id)

    assert [hit.content for hit in memory.search("where does she work?", floor=0.0)] == [
        "works at Microsoft"
    ]
    history = [fact.content for fact in memory.get(google.id).history]
    assert history == ["works at Google", "works at Microsoft"]
    assert "works at Google" in memory.log()
    assert memory.get(google.id).fact.id == microsoft.id


def test_alike_facts_are_both_kept_when_nobody_said_so(memory: Memory) -> None:
    """Case 50: likeness alone never drops one; it's told instead."""
    google = memory.remember("works at Google as an engineer in Lisbon")
    microsoft = memory.remember("works at Microsoft as an engineer in Lisbon")

    assert microsoft.created
    assert [one.id for one in microsoft.similar_to] == [google.id]
    assert len(memory.search("works as an engineer")) == 2


async def test_one_user_never_sees_another_s(stores: OpenStore) -> None:
    """Case 51: user A never sees B's rows or blocks."""
    store = stores()
    ids = {}
    for user in ("a", "b"):
        ids[user] = await store.add_memory(f"the secret of {user}", axis(1.0), user, "chat")
        for label in ("persona", "user", "facts", "context"):
            await store.set_memory_block(label, f"block of {user}", user_id=user)
            await store.set_memory_block(label, f"chat of {user}", "chat", user)

    for chat in (None, "chat"):
        hits = await store.hybrid_search(axis(1.0), "secret", "a", 100, chat, floor=0.0)
        assert [hit["content"] for hit in hits] == ["the secret of a"]
        blocks = await store.get_all_memory_blocks(chat, "a")
        assert all(text.endswith("of a") for text in blocks.values())
    assert [row["content"] for row in await store.list_memories("a")] == ["the secret of a"]
    assert await store.get_memory(ids["b"], "a") is None
    assert not await store.update_memory(ids["b"], "changed", user_id="a")
    assert not await store.delete_memory(ids["b"], "a")
    assert await store.get_memory_count("b") == 1
    assert set((await store.get_all_memory_blocks(user_id="c")).values()) == {""}


def test_nor_do_transcripts_and_sessions(opened: OpenMemory, home: Path) -> None:
    """Case 51: nor turns of B's transcripts and blocks in A's answers."""
    for user in ("a", "b"):
        manager = TranscriptManager(home / "users" / user / "transcripts")
        manager.append_turn("s", "user", f"the secret of {user}")
    memory = opened(user_id="a")
    memory.for_user("b").blocks.set("persona", "secret block of b")

    found = memory.search("secret", 100, kinds=("fact", "block", "turn", "node"), floor=0.0)

    assert [hit.content for hit in found] == ["the secret of a"]


async def test_one_new_turn_embeds_only_the_new_facts(stores: OpenStore, home: Path) -> None:
    """Case 52: a log of 10,000 facts: one new turn embeds only the new facts."""
    from litemem.aio.manager import MemoryManager

    (home / "users" / "ada" / "memory").mkdir(parents=True)
    lines = [
        f'- fact {n} of many <!-- {{"id":"m{n:09}","at":"2026-02-08T10:00:00Z"}} -->\n'
        for n in range(10_000)
    ]
    page = home / "users" / "ada" / "memory" / "2026-02-08.md"
    page.write_text("# 2026-02-08\n\n" + "".join(lines), encoding="utf-8")
    embedder = Counting()
    store = stores(embedder=embedder)
    await store.home.write(lambda core: core.of("ada").embed_pending())
    assert len(embedder.texts) == 10_000
    embedder.texts.clear()

    turn = {"user_message": "I live in Porto and my dog is called Rex."}
    result = await MemoryManager(store).process_conversation_turn_for_memories(turn, "c1", "ada")

    created = [await store.get_memory(id_, "ada") for id_ in result.memories_created]
    assert created
    new = {row["content"] for row in created if row is not None}
    # Besides the new facts only the turn itself, which its transcript holds, may be embedded.
    assert not [text for text in embedder.texts if re.search(r"fact \d+ of many", text)]
    assert {content for content in new if any(content in text for text in embedder.texts)} == new
    assert await store.get_memory_count("ada") == 10_000 + len(created)


def test_a_batch_of_new_facts_embeds_them_alone(opened: OpenMemory) -> None:
    """Case 52: known facts among new ones aren't embedded again."""
    embedder = Counting()
    memory = opened(model=None, embedder=embedder)
    memory.remember_many(NewFact(content=f"fact {n}") for n in range(500))
    embedder.texts.clear()

    memory.remember_many(NewFact(content=f"fact {n}") for n in range(498, 503))

    assert len(embedder.texts) == 3
    assert json.dumps(sorted(text[-3:] for text in embedder.texts)) == '["500", "501", "502"]'
    assert NOW.date().isoformat() in embedder.texts[0]
