"""A condensation round trip: the summary, what was kept and what came after; all nodes stay."""

import pytest

from litemem.errors import Conflict, InvalidValue
from litemem.session import Compaction, Revision, SessionGraph, SessionStore
from tests.session.turns import path_of, said, turn

SUM = turn("[condensed earlier context]\nsum")
SUM2 = turn("[condensed earlier context]\nsum 2")


@pytest.fixture
def graph(store: SessionStore) -> SessionGraph:
    """Return session "s" of six turns, a to f."""
    graph = store.load_session("s")
    for text in "abcdef":
        store.append_turn(graph, turn(text))
    return graph


def context(store: SessionStore) -> list[str]:
    """Return what a run resumes, and check that both ways of reading it agree."""
    turns = store.resume("s")
    for n in range(len(turns) + 2):
        assert store.resume("s", last_n=n) == turns[max(0, len(turns) - n) :]
    return [text.removeprefix("[condensed earlier context]\n") for text in said(turns)]


def test_a_condensed_session_resumes_with_summary_tail_and_new_turns(
    store: SessionStore, graph: SessionGraph
) -> None:
    before = path_of(store).read_bytes()
    record = store.compact(graph, SUM, at=4, tokens_before=900)
    store.append_turn(graph, turn("g"))

    assert path_of(store).read_bytes().startswith(before)
    assert context(store) == ["sum", "e", "f", "g"]
    again = store.load_session("s", strict=True, check_ids=True)
    assert again.marks.compactions == {record.id: record}
    assert said(again.path_to(str(again.leaf))) == list("abcdefg")
    assert said(graph.resume(str(graph.leaf)))[1:] == ["e", "f", "g"]


def test_an_older_turn_can_be_pinned(store: SessionStore, graph: SessionGraph) -> None:
    store.compact(graph, SUM, at=4, pin=1)

    assert context(store) == ["sum", "b", "e", "f"]


def test_everything_can_be_condensed(store: SessionStore, graph: SessionGraph) -> None:
    store.compact(graph, SUM, at=6)
    assert context(store) == ["sum"]

    store.append_turn(graph, turn("g"))
    assert context(store) == ["sum", "g"]


def test_everything_can_be_condensed_but_a_pinned_turn(
    store: SessionStore, graph: SessionGraph
) -> None:
    store.compact(graph, SUM, at=6, pin=5)
    store.append_turn(graph, turn("g"))

    assert context(store) == ["sum", "f", "g"]


def test_condensing_again_repeats_no_history(store: SessionStore, graph: SessionGraph) -> None:
    store.compact(graph, SUM, at=3, pin=0)
    store.append_turn(graph, turn("g"))
    assert context(store) == ["sum", "a", "d", "e", "f", "g"]

    store.compact(graph, SUM2, at=4, pin=1)
    store.append_turn(graph, turn("h"))
    assert context(store) == ["sum 2", "a", "f", "g", "h"]

    store.compact(graph, SUM, at=1)
    assert context(store) == ["sum", "a", "f", "g", "h"]


def test_a_branch_taken_before_sees_its_full_history(
    store: SessionStore, graph: SessionGraph
) -> None:
    second = graph.all()[1].id
    fifth = graph.all()[4].id
    store.compact(graph, SUM, at=4)
    for node in (second, fifth):
        graph.branch_from(node)
        store.append_turn(graph, turn("x"))
        full = said(graph.path_to(str(graph.leaf)))
        assert context(store) == full


def test_each_branch_has_its_own_condensation(store: SessionStore, graph: SessionGraph) -> None:
    main = str(graph.leaf)
    graph.branch_from(graph.all()[2].id)
    store.append_turn(graph, turn("x"))
    store.compact(graph, SUM, at=3)
    assert context(store) == ["sum", "x"]

    store.move_head("s", main)
    assert context(store) == list("abcdef")
    again = store.load_session("s")
    store.compact(again, SUM2, at=5)
    assert context(store) == ["sum 2", "f"]


def test_tool_halves_of_a_pinned_turn_are_left_out(store: SessionStore) -> None:
    graph = store.load_session("s")
    result = {"kind": "tool_result", "callId": "c", "output": "x"}
    text = {"kind": "text", "text": "and?"}
    store.append_turn(graph, {"role": "user", "blocks": [result, text, "odd"]})
    store.append_turn(graph, {"role": "user", "blocks": "odd"})
    store.append_turn(graph, turn("b"))
    store.compact(graph, SUM, at=2, pin=0)

    assert store.resume("s")[1] == {"role": "user", "blocks": [text, "odd"]}
    assert store.resume("s", last_n=2)[0] == {"role": "user", "blocks": [text, "odd"]}
    store.compact(graph, SUM2, at=3)
    assert context(store) == ["sum 2"]


def test_a_write_on_a_state_before_a_condensation_is_refused(
    store: SessionStore, graph: SessionGraph
) -> None:
    other = SessionStore(store.folder.root, fsync=False)
    stale = other.load_session("s")
    revision = store.revision("s")
    record = store.compact(graph, SUM, at=4)

    assert revision == Revision(graph.leaf, None)
    assert store.revision("s") == other.revision("s") == Revision(graph.leaf, record.id)
    with pytest.raises(Conflict, match="condensation"):
        other.append_turn(stale, turn("g"))
    with pytest.raises(Conflict):
        other.append_node("s", stale.draft(turn("g")), expected=revision)
    with pytest.raises(Conflict):
        other.compact(stale, SUM2, at=1)
    other.append_turn(other.load_session("s"), turn("g"))
    assert context(store) == ["sum", "e", "f", "g"]


def test_a_moved_leaf_must_be_saved_before_it_is_condensed(
    store: SessionStore, graph: SessionGraph
) -> None:
    graph.branch_from(graph.all()[2].id)

    with pytest.raises(Conflict):
        store.compact(graph, SUM, at=1)


@pytest.mark.parametrize(("at", "pin"), [(0, None), (7, None), (-1, None), (2, 2), (2, -1)])
def test_a_cut_out_of_range_is_refused(
    store: SessionStore, graph: SessionGraph, at: int, pin: int | None
) -> None:
    with pytest.raises(InvalidValue, match="cut 6 turns"):
        store.compact(graph, SUM, at=at, pin=pin)


def test_a_summary_cannot_be_pinned(store: SessionStore, graph: SessionGraph) -> None:
    store.compact(graph, SUM, at=2)

    with pytest.raises(InvalidValue):
        store.compact(graph, SUM2, at=2, pin=0)


def test_an_empty_session_cannot_be_condensed() -> None:
    with pytest.raises(InvalidValue, match="cut 0 turns"):
        SessionGraph("s").draft_compaction(SUM, at=1)


def with_record(graph: SessionGraph, leaf: int, first: int | str | None, text: str) -> Compaction:
    """Make a record by hand, as another program might."""
    nodes = [node.id for node in graph.all()]
    draft = graph.draft_compaction(turn(text), at=1)
    return Compaction(
        id=text,
        leaf=nodes[leaf],
        first_kept=nodes[first] if isinstance(first, int) else first,
        pinned=("nope",),
        summary=draft.summary,
        tokens_before=None,
        at=draft.at,
    )


@pytest.mark.parametrize("first", ["nope", 5])
def test_a_condensation_that_does_not_fit_its_path_is_passed_over(
    store: SessionStore, graph: SessionGraph, first: int | str
) -> None:
    with store.folder.writing("s") as file:
        file.write([with_record(graph, 2, 1, "good"), with_record(graph, 3, first, "bad")])

    assert context(store) == ["good", *"bcdef"]


def test_of_two_condensations_of_one_leaf_the_last_counts(
    store: SessionStore, graph: SessionGraph
) -> None:
    early, late = with_record(graph, 5, 3, "early"), with_record(graph, 5, 4, "late")
    with store.folder.writing("s") as file:
        file.write([early, late])
    assert context(store) == ["late", "e", "f"]
    assert store.revision("s").compaction == "late"

    with store.folder.writing("s") as file:
        file.write([early])
    assert context(store) == ["early", "d", "e", "f"]
    assert SessionStore(store.folder.root).revision("s").compaction == "early"
    assert store.load_session("s").saved.compaction == "early"
