"""Files into rows: what stays, what goes, and what is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from litemem.errors import InvalidVector
from litemem.files.state import FileState
from litemem.index.docs import Changes, Doc
from litemem.index.store import Index
from litemem.types import Problem
from tests.index.made import fact, facts, fill, source, vector


def rowids(index: Index) -> dict[str, int]:
    """Return the numbers of the current facts."""
    return {one.doc.id: one.rowid for one in index.facts("default")}


def found(index: Index, word: str) -> list[str]:
    """Return the ids of the rows that hold a word."""
    with index.reading() as db:
        rows = [
            row for (row,) in db.execute("select rowid from words where words match ?", (word,))
        ]
    return sorted(one.doc.id for one in index.by_rowids(rows).values())


def vectors(index: Index) -> set[int]:
    """Return the numbers of the rows in the vector table."""
    with index.reading() as db:
        return {row for (row,) in db.execute("select rowid from vec")}


def test_one_changed_line_of_a_hundred_touches_one_row(index: Index) -> None:
    docs = facts(*(f"m{n:03}" for n in range(100)))
    index.put_source(source(), docs)
    fill(index)
    before = rowids(index)
    docs[50] = replace(docs[50], text="changed")

    changes = index.put_source(source(), docs)

    assert changes == Changes(added=1, removed=1, kept=99)
    assert {name for name, row in rowids(index).items() if before[name] != row} == {"m050"}
    assert [text for _, text in index.pending(9)] == ["changed"]


def test_a_line_put_in_front_moves_the_others(index: Index) -> None:
    index.put_source(source(), facts("m1", "m2"))
    fill(index)
    moved = [replace(doc, line=doc.line + 1) for doc in facts("m1", "m2")]

    changes = index.put_source(source(), [fact("m0"), *moved])

    assert changes == Changes(added=1, kept=2)
    assert {one.doc.id: one.doc.line for one in index.facts("default")} == {
        "m0": 1,
        "m1": 2,
        "m2": 3,
    }
    assert index.progress() == (2, 3)


def test_other_attributes_leave_the_vector(index: Index) -> None:
    index.put_source(source(), [fact("m1", "tea")])
    fill(index)
    changed = replace(fact("m1", "tea", minute=9), line=1, tags=("ui",), chat_id="c", importance=1)

    changes = index.put_source(source(), [changed])

    assert changes == Changes(updated=1)
    assert index.find("default", "m1") == replace(
        index.facts("default")[0], doc=changed, has_vector=True
    )
    assert found(index, "ui") == ["m1"]
    with index.reading() as db:
        scope, at = db.execute("select scope, at from vec").fetchall()[0]
        assert db.execute("select chat from scope where id = ?", (scope,)).get == "c"
        assert at == db.execute("select at from doc").get


def test_a_superseded_fact_is_found_no_more_and_comes_back(index: Index) -> None:
    index.put_source(source("a.md"), [fact("m1", "tea")])
    fill(index)
    index.put_source(source("b.md"), [fact("m2", "ale", minute=1, replaces="m1")])
    gone = found(index, "tea"), index.counts()["fact"], len(vectors(index))
    index.drop_source("b.md")

    assert gone[0] == []
    assert (gone[1].current, gone[1].superseded, gone[2]) == (1, 1, 0)
    assert found(index, "tea") == ["m1"]
    assert index.pending(9) == [(rowids(index)["m1"], "tea")]


def test_an_append_comes_with_its_vectors(index: Index) -> None:
    index.put_source(source(), [fact("m1")])
    new = [fact("m2", "tea", minute=1), fact("m3", "ale", minute=2)]

    numbers = index.extend_source(source(lines=3), new, {1: vector("ale")})

    assert [index.by_rowids(numbers)[n].doc.id for n in numbers] == ["m2", "m3"]
    assert vectors(index) == {numbers[1]}
    assert index.cached_vectors(["ale", "tea"]) == {"ale": vector("ale")}
    known = index.source("memory/a.md")
    assert known is not None
    assert known.lines == 3


def test_a_new_row_copies_the_vector_of_the_same_text(index: Index) -> None:
    index.extend_source(source("a.md"), [fact("m1", "tea")], {0: vector("tea")})

    index.put_source(source("b.md"), [fact("m2", "tea"), replace(fact("m3", "tea"), head="Ann: ")])

    assert [text for _, text in index.pending(9)] == ["Ann: tea"]


def test_a_text_that_cannot_be_embedded_is_not_tried_again(index: Index) -> None:
    index.put_source(source("a.md"), [fact("m1", "-")])
    index.put_vectors([(index.pending(1)[0][0], None)])

    index.put_source(source("b.md"), [fact("m2", "-", minute=1)])

    assert index.pending(9) == []
    assert index.cached_vectors(["-"]) == {}
    assert index.counts()["fact"].unembeddable == 2


def test_a_vector_of_the_caller_is_never_copied(index: Index) -> None:
    own = vector("something else")
    index.extend_source(source("a.md"), [fact("m1", "tea")], {0: own}, own=(0,))

    index.put_source(source("b.md"), [fact("m2", "tea", minute=1)])

    assert [text for _, text in index.pending(9)] == ["tea"]
    assert index.cached_vectors(["tea"]) == {}


def test_a_superseded_vector_of_the_caller_is_embedded_when_it_comes_back(index: Index) -> None:
    index.extend_source(source("a.md"), [fact("m1", "tea")], {0: vector("other")}, own=(0,))
    index.put_source(source("b.md"), [fact("m2", minute=1, replaces="m1")])
    index.drop_source("b.md")
    fill(index)

    assert index.cached_vectors(["tea"]) == {"tea": vector("tea")}


def test_a_wrong_vector_stores_nothing(index: Index) -> None:
    with pytest.raises(InvalidVector, match="8 numbers, not 4"):
        index.extend_source(source(), [fact("m1")], {0: vector("tea", 4)})

    assert index.sources() == {}
    assert index.facts("default") == []


def test_a_renamed_file_keeps_its_vectors(index: Index) -> None:
    index.put_source(source("a.md"), facts("m1", "m2"))
    fill(index)
    with index.transaction():
        index.put_source(source("b.md"), facts("m1", "m2"))
        index.drop_source("a.md")

    assert index.progress() == (2, 2)
    assert {one.path for one in index.facts("default")} == {"b.md"}


def test_dropping_an_unknown_file_changes_nothing(index: Index) -> None:
    assert index.drop_source("nothing.md") == Changes()


def test_changes_add_up() -> None:
    one = Changes(added=1, removed=2, kept=3, updated=4)

    assert one + one == Changes(added=2, removed=4, kept=6, updated=8)


def test_a_failed_transaction_leaves_nothing(index: Index) -> None:
    def write_and_fail() -> None:
        with index.transaction():
            index.put_source(source("a.md"), facts("m1"))
            raise KeyError

    with pytest.raises(KeyError):
        write_and_fail()
    assert index.sources() == {}


def test_a_failed_write_inside_a_transaction_takes_back_itself_alone(index: Index) -> None:
    with index.transaction():
        index.put_source(source("a.md"), [fact("m1", "tea")])
        row = index.pending(1)[0][0]
        with pytest.raises(InvalidVector):
            index.put_vectors([(row, vector("tea")), (row, vector("tea", 3))])
        index.put_source(source("b.md"), [fact("m2", "ale")])

    assert list(index.sources()) == ["a.md", "b.md"]
    assert index.progress() == (0, 2)
    assert vectors(index) == set()


@pytest.mark.parametrize(
    "text", ["", "a\0b", "\ud800", "東京都", "🙂", "x" * 100_000, "a\r\nb\u2028"]
)
def test_any_text_can_be_stored_and_removed(index: Index, text: str) -> None:
    index.put_source(source(), [replace(fact("m1", text or " "), text=text)])
    stored = index.find("default", "m1")
    index.drop_source("memory/a.md")

    assert stored is not None
    assert stored.doc.text == text.replace("\ud800", "\ufffd")
    with index.reading() as db:
        assert db.execute("select count(*) from words_vocabulary").get == 0
        assert db.execute("pragma integrity_check").get == "ok"


def test_what_is_known_of_a_file_survives(index: Index) -> None:
    state = FileState(size=2**40, mtime_ns=2**62, ctime_ns=1, inode=2**64 - 1)
    problems = (Problem(path="a\udcff.md", line=3, reason="odd"),)
    known = replace(source("a\udcff.md"), state=state, problems=problems, digests=b"\0" * 64)
    index.put_source(known, [])

    shown = replace(known, problems=(replace(problems[0], path="a\ufffd.md"),))
    assert index.source("a\udcff.md") == shown
    assert index.sources("default") == {"a\udcff.md": shown}
    assert index.problems() == [shown.problems[0]]
    assert index.source("other.md") is None


def test_a_row_cannot_be_revised_into_another_text(index: Index) -> None:
    (row,) = index.extend_source(source(), [fact("m1", "tea")])

    with pytest.raises(ValueError, match="put its file"):
        index.revise_source(source(), {row: fact("m1", "ale")})


def test_rows_of_a_block_share_an_id_and_have_no_chain(index: Index) -> None:
    chunk = Doc(
        kind="block", id="facts", line=1, text="one", at=None, chat_id=None, thread="block:facts"
    )
    index.put_source(source("MEMORY.md"), [chunk, replace(chunk, line=9, text="two")])
    fill(index)

    assert index.counts()["block"].current == 2
    assert index.counts()["block"].with_vector == 2
    assert index.find("default", "facts") is None


def test_a_merge_supersedes_facts_of_other_files_and_gives_them_back(index: Index) -> None:
    index.put_source(source("a.md"), facts("m1", "m2"))
    index.put_source(source("b.md"), [fact("m3")])
    both = replace(fact("m4", minute=9, replaces="m1"), merges=("m3",))

    index.extend_source(source("c.md"), [both])
    assert [one.doc.id for one in index.chain("default", "m3")] == ["m1", "m3", "m4"]
    assert [one.doc.id for one in index.facts("default")] == ["m4", "m2"]
    index.put_source(source("c.md"), [replace(both, merges=("m2",))])
    assert [one.doc.id for one in index.facts("default")] == ["m4", "m3"]
    index.drop_source("c.md")
    assert sorted(one.doc.id for one in index.facts("default")) == ["m1", "m2", "m3"]
