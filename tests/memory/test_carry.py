"""Exports and imports of homes: nothing lost, nothing overwritten, nothing doubled."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import litemem
from litemem.errors import FileTrouble, InvalidName, InvalidValue, LockTimeout, ReadOnly
from litemem.memory.export import _still
from litemem.memory.importing import Kept
from litemem.memory.memory import Memory
from litemem.session import StateMirror
from tests.conftest import NOW, OpenMemory

OpenHome = Callable[..., Memory]

LINE = '{"ts":"2026-02-08T14:32:00Z","role":"user","content":"turn %s"}\n'


@pytest.fixture
def other(opened: OpenMemory, tmp_path: Path) -> OpenHome:
    """Open another home."""

    def open_other(**options: object) -> Memory:
        return opened(home=tmp_path / "other", **options)

    return open_other


def files_in(folder: Path) -> dict[str, bytes]:
    """Return a home's own files, but for its index and locks."""
    found = (path for path in folder.rglob("*") if path.suffix in (".md", ".jsonl", ".json"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def put(path: Path, *turns: str) -> None:
    """Write a log of these turns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(LINE % turn for turn in turns), encoding="utf-8")


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@settings(max_examples=25)  # each makes two homes
@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4), st.sampled_from(["", ".zip"]))
def test_a_home_carried_into_another_gives_all_of_both_once(
    here: list[str], there: list[str], ending: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        homes = [litemem.open(folder / one, model="none", clock=lambda: NOW) for one in "ab"]
        for memory, given_texts in zip(homes, (here, there), strict=True):
            for text in given_texts:
                memory.remember(text)
        a, b = homes
        before = {fact.id: fact for memory in homes for fact in memory.list()}
        page = b.log()

        a.export(folder / f"out{ending}")
        first = b.import_from(folder / f"out{ending}")
        again = b.import_from(folder / f"out{ending}")

        assert {fact.id: fact for fact in b.list()} == before
        assert b.log().startswith(page)
        assert first.facts == len(a.list())
        assert (again.facts, again.known_facts) == (0, first.facts)
        assert (again.new, again.grown, again.kept) == ((), (), ())
        b.rebuild()
        assert {fact.id: fact for fact in b.list()} == before
        for memory in homes:
            memory.close()


def test_an_empty_home_takes_the_files_as_they_are(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    memory.remember("likes tea")
    memory.blocks.set("persona", "brief")
    memory.blocks.set("context", "in c1", chat_id="c1")
    memory.blocks.set("user", "all", everyone=True)
    memory.for_user("ann").remember("likes gin")
    (memory.home / "memory" / "projects").mkdir()
    (memory.home / "memory" / "projects" / "a b.md").write_bytes(b"my \xff note\r\n")
    put(memory.home / "transcripts" / "t.jsonl", "one")
    put(memory.home / "users" / "ann" / "sessions" / "s.jsonl", "one")
    StateMirror(memory.home / "state").mirror_state("s", b'{"step": 1}')

    done = memory.export(tmp_path / "out", everyone=True)
    there = other(user_id="bob")
    took = there.import_from(tmp_path / "out", everyone=True)

    assert files_in(there.home) == files_in(memory.home)
    assert done.files == len(files_in(memory.home))
    assert done.size_bytes == sum(map(len, files_in(memory.home).values()))
    assert (took.facts, len(took.new), took.left_out) == (2, done.files - 1, ())
    assert [fact.content for fact in there.for_user("ann").list()] == ["likes gin"]


def test_one_user_is_exported_alone_and_may_become_another(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    memory.remember("a secret of somebody else")
    made = memory.for_user("ann").remember("likes gin")
    memory.for_user("ann").export(tmp_path / "ann.zip")

    bob = other(user_id="bob")
    bob.import_from(tmp_path / "ann.zip")

    assert [fact.id for fact in bob.list()] == [made.id]
    with zipfile.ZipFile(tmp_path / "ann.zip") as archive:
        assert archive.namelist() == ["memory/2026-02-08.md"]
    assert other().list() == []


def test_of_a_whole_home_one_user_takes_his_part(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    memory.remember("a secret of somebody else")
    memory.for_user("ann").remember("likes gin")
    memory.export(tmp_path / "out", everyone=True)

    ann = other(user_id="ann")
    took = ann.import_from(tmp_path / "out")

    assert [fact.content for fact in ann.list()] == ["likes gin"]
    assert other().list() == []
    assert took.left_out == ("memory/2026-02-08.md",)


def test_a_fact_with_another_text_stays_as_it_is_here(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    there = other()
    made = there.remember("likes tea")
    (memory.home / "memory").mkdir()
    theirs = f'# 2026-02-08\n\nmy words\n\n- likes pie <!-- {{"id":"{made.id}"}} -->\n- is tall\n'
    (memory.home / "memory" / "2026-02-08.md").write_text(theirs, encoding="utf-8")
    memory.export(tmp_path / "out")

    took = there.import_from(tmp_path / "out")

    assert sorted(fact.content for fact in there.list()) == ["is tall", "likes tea"]
    assert [kept.reason for kept in took.kept] == [
        f"fact {made.id} has another text in the export",
        "1 lines of the export's are no facts",
    ]
    assert took.grown == ("memory/2026-02-08.md",)
    assert there.import_from(tmp_path / "out").facts == 0


def test_a_fact_that_stands_in_another_log_isn_t_doubled(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    made = memory.remember("likes tea")
    memory.remember("is tall")
    memory.export(tmp_path / "out")
    there = other()
    (there.home / "memory").mkdir()
    line = f'- likes tea <!-- {{"id":"{made.id}","at":"2026-02-08T14:05:12Z"}} -->\n'
    (there.home / "memory" / "2026-01-01.md").write_text(line, encoding="utf-8")

    took = there.import_from(tmp_path / "out")

    assert (took.facts, took.known_facts) == (1, 1)
    assert sorted(fact.content for fact in there.list()) == ["is tall", "likes tea"]
    assert there.doctor().problems == ()


def test_another_text_of_a_block_comes_in_beside_it_once(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    there = other()
    kept: tuple[Kept, ...] = ()
    for text in ("one", "two", "three", "two"):
        memory.blocks.set("persona", text)
        memory.export(tmp_path / "out", force=True)
        there.blocks.set("persona", "mine")
        kept = there.import_from(tmp_path / "out").kept

    folder = there.home / "memory"
    assert there.blocks.get("persona") == "mine"
    assert (folder / "persona.imported.md").read_bytes() == b"one"
    assert (folder / "persona.imported-2.md").read_bytes() == b"two"
    assert (folder / "persona.imported-3.md").read_bytes() == b"three"
    assert len([*folder.iterdir()]) == 4
    assert [one.reason for one in kept] == [
        "differs; the export's is in memory/persona.imported-2.md"
    ]


@pytest.mark.parametrize("kind", ["transcripts", "sessions"])
def test_logs_grow_and_never_shrink_or_fork(
    memory: Memory, other: OpenHome, tmp_path: Path, kind: str
) -> None:
    there = other()
    for name, theirs, ours in (
        ("grows", "abc", "ab"),
        ("longer", "ab", "abc"),
        ("same", "ab", "ab"),
        ("forks", "abX", "abY"),
    ):
        put(memory.home / kind / f"{name}.jsonl", *theirs)
        put(there.home / kind / f"{name}.jsonl", *ours)
    put(memory.home / kind / "new.jsonl", "a")
    memory.export(tmp_path / "out")

    took = there.import_from(tmp_path / "out")

    def turns(name: str) -> str:
        lines = (there.home / kind / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        return "".join(json.loads(line)["content"][-1] for line in lines)

    names = ("grows", "longer", "same", "forks", "forks.imported", "new")
    assert [turns(name) for name in names] == ["abc", "abc", "ab", "abY", "abX", "a"]
    assert took.grown == (f"{kind}/grows.jsonl",)
    assert took.new == (f"{kind}/forks.imported.jsonl", f"{kind}/new.jsonl")
    assert (took.same, len(took.kept)) == (2, 1)
    again = there.import_from(tmp_path / "out")
    assert (again.new, again.grown, again.same) == ((), (), 5)


def test_another_state_of_an_agent_isn_t_taken(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    there = other()
    StateMirror(memory.home / "state").mirror_state("s", b"1")
    StateMirror(there.home / "state").mirror_state("s", b"2")
    memory.export(tmp_path / "out")

    took = there.import_from(tmp_path / "out")

    assert StateMirror(there.home / "state").read_state("s") == 2
    assert [kept.path for kept in took.kept] == ["state/s.json"]


def test_a_dry_run_says_the_same_and_writes_nothing(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    memory.remember("likes tea")
    memory.blocks.set("persona", "one")
    put(memory.home / "sessions" / "s.jsonl", "a")
    memory.export(tmp_path / "out")
    there = other()
    there.remember("likes gin")
    there.blocks.set("persona", "two")
    before = files_in(there.home)
    steps: list[tuple[int, int]] = []

    dry = there.import_from(tmp_path / "out", dry_run=True)
    assert files_in(there.home) == before
    wet = there.import_from(tmp_path / "out", progress=lambda *step: steps.append(step))

    assert (dry.dry_run, wet.dry_run) == (True, False)
    shown = [(r.facts, r.known_facts, r.new, r.grown, r.same, r.kept) for r in (dry, wet)]
    assert shown[0] == shown[1]
    assert steps == [(1, 3), (2, 3), (3, 3)]


def test_settings_are_never_taken_and_differences_said(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    memory.export(tmp_path / "out", everyone=True)
    settings_file = tmp_path / "out" / "settings.json"
    there = other()
    before = (there.home / "settings.json").read_bytes()

    settings_file.write_text('{"time_zone": "Asia/Tokyo", "model": "fast"}', encoding="utf-8")
    took = there.import_from(tmp_path / "out", everyone=True)
    for odd in ("[]", "{", "[" * 100_000):
        settings_file.write_text(odd, encoding="utf-8")
        assert there.import_from(tmp_path / "out", everyone=True).notes == ()

    assert took.notes == (
        "the export's time_zone is 'Asia/Tokyo', this home keeps 'UTC'",
        "the export's model is 'fast', this home keeps 'hash'",
    )
    assert (there.home / "settings.json").read_bytes() == before


def test_a_folder_that_was_packed_whole_is_looked_into(
    memory: Memory, other: OpenHome, tmp_path: Path
) -> None:
    memory.remember("likes tea")
    page = (memory.home / "memory" / "2026-02-08.md").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(".litemem/memory/2026-02-08.md", page)
        archive.writestr(".litemem/memory/.obsidian/x.md", "hidden")
        archive.writestr(".litemem/index.db", b"")
        archive.writestr(".litemem/memory/photo.png", b"")
        archive.writestr("__MACOSX/.litemem/memory/._x.md", b"")
        archive.writestr(".litemem/global/2026-02-08.md", page)

    took = other().import_from(tmp_path / "a.zip", everyone=True)

    assert took.facts == 1
    assert took.left_out == (".litemem/memory/photo.png", ".litemem/global/2026-02-08.md")


@pytest.mark.parametrize(
    "name",
    ["sessions/con.jsonl", "memory/chats/a:b/persona.md", "users/a?b/memory/x.md"],
)
def test_ids_that_can_t_be_are_refused_before_anything_is_written(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("memory/2026-01-01.md", "- likes tea\n")
        archive.writestr(name, "")

    with pytest.raises(InvalidName):
        memory.import_from(tmp_path / "a.zip", everyone=True)
    assert not (memory.home / "memory").exists()


def test_another_spelling_of_what_is_here_is_refused(memory: Memory, tmp_path: Path) -> None:
    put(memory.home / "sessions" / "Trip.jsonl", "a")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("sessions/trip.jsonl", LINE % "a")

    with pytest.raises(InvalidName, match=r"another spelling: 'Trip\.jsonl'"):
        memory.import_from(tmp_path / "a.zip")


def test_exports_of_a_home_into_itself_are_refused(memory: Memory, tmp_path: Path) -> None:
    for place in (memory.home, memory.home / "out", tmp_path):
        with pytest.raises(InvalidValue, match="the home is there"):
            memory.export(place, force=True)
    for place in (memory.home, memory.home / "memory"):
        with pytest.raises(InvalidValue, match="is this home"):
            memory.import_from(place)


def test_only_an_export_is_replaced(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").write_bytes(b"")

    with pytest.raises(InvalidValue, match=r"it holds 'a\.png', so it is no export"):
        memory.export(tmp_path / "photos", force=True)


def test_links_that_lead_in_a_circle_are_followed_once(memory: Memory, tmp_path: Path) -> None:
    memory.remember("likes tea")
    (memory.home / "memory" / "again").symlink_to(memory.home / "memory")
    (memory.home / "memory" / "gone.md").symlink_to(tmp_path / "nowhere")
    (memory.home / "memory" / ".trash.md").write_bytes(b"")

    assert memory.export(tmp_path / "out").files == 1


def test_a_name_that_isn_t_utf_8_is_left_out_and_said(memory: Memory, tmp_path: Path) -> None:
    (memory.home / "memory").mkdir()
    (memory.home / "memory" / "caf\udce9.md").write_bytes(b"x")

    assert memory.export(tmp_path / "out").left_out == ("'memory/caf\\udce9.md'",)


def test_where_nobody_can_write_no_lock_is_needed() -> None:
    @contextmanager
    def lock(trouble: FileTrouble | None) -> Iterator[None]:
        if trouble is not None:
            raise trouble
        yield

    done = []
    for trouble in (None, ReadOnly("the disk can't be written")):
        with _still(lock(trouble)):
            done.append(trouble)
    assert len(done) == 2
    with pytest.raises(LockTimeout), _still(lock(LockTimeout("busy"))):
        done.append(None)
    assert len(done) == 2


WRITER = """
import sys, litemem
with litemem.open(sys.argv[1], model="none") as memory:
    last = None
    for number in range(10_000):
        last = memory.remember(f"fact {number}", replaces=last).id
        print(number, flush=True)
"""


def test_an_export_is_of_one_moment_whoever_writes(memory: Memory, tmp_path: Path) -> None:
    home = tmp_path / "busy"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    try:
        with litemem.open(home, model="none") as busy:
            for n in range(8):
                before = len(busy.get(busy.list()[0].id).history)
                busy.export(tmp_path / f"out{n}.zip")
                busy.sync()
                after = len(busy.get(busy.list()[0].id).history)
                with litemem.open(tmp_path / f"home{n}", model="none") as copy:
                    copy.import_from(tmp_path / f"out{n}.zip")
                    (newest,) = copy.list()
                    history = copy.get(newest.id).history
                assert [fact.content for fact in history] == [
                    f"fact {number}" for number in range(len(history))
                ]
                assert before <= len(history) <= after
    finally:
        writer.kill()
        writer.communicate()
