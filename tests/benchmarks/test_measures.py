"""What benchmarks claim rests on these: metrics, intervals, and what is kept of a conversation."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.intervals import LEAST_GROUPS, difference, mean
from tests.benchmarks.kept import extract, gold_first, kept, recent_tail, size
from tests.benchmarks.peers.given import made_up, of_conversations
from tests.benchmarks.peers.process import Process
from tests.benchmarks.peers.venvs import PEERS, Unavailable
from tests.benchmarks.scores import METRICS, Answer, Run, compared, read, value_of, write
from tests.benchmarks.times import in_turn
from tests.benchmarks.tokens import token_lines, turns_of

IDS = [f"r{n}" for n in range(20)]
ROWS = [
    {"id": "1", "ts": "2031-02-03T10:00", "role": "user", "text": "Our goat Berta ate the fence."},
    {"id": "2", "ts": "2031-02-03T10:01", "role": "assistant", "text": "Goats chew. Use wire."},
    {"id": "3", "ts": "2031-02-04T09:00", "role": "user", "text": "The wire cost 44 crowns."},
]
QUERY = {"id": "q", "conv": "c", "category": "fact", "gold": ["3"]}
ASKED = [QUERY | {"text": "What did the wire cost?", "answer": "44 crowns"}]


def answer(ranked: list[str], gold: set[str], id_: str = "q") -> Answer:
    return Answer(
        id=id_,
        category="fact",
        gold=frozenset(gold),
        gold_sessions=frozenset(gold),
        ranked=tuple(ranked),
        sessions=tuple(ranked),
        seconds=0.0,
    )


@given(st.permutations(IDS), st.sets(st.sampled_from(IDS), min_size=1), st.sampled_from(METRICS))
def test_a_metric_is_a_share_and_best_with_gold_first(
    ranked: list[str], gold: set[str], metric: str
) -> None:
    sorted_first = [*gold, *(id_ for id_ in ranked if id_ not in gold)]

    value, best = (value_of(metric, answer(ids, gold)) for ids in (ranked, sorted_first))
    assert 0 <= value <= best <= 1 + 1e-9


def test_metrics_are_what_their_names_say() -> None:
    one = answer(["a", "b", "c"], {"b", "z"})

    assert value_of("R@5", one) == 0.5
    assert value_of("hit@5", one) == value_of("sHit@5", one) == 1.0
    assert value_of("MRR", one) == 0.5


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_a_mean_lies_within_its_interval(values: list[float]) -> None:
    found = mean(values)

    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found.low - 1e-9 <= max(found.value, found.low)
    assert mean(values) == found


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20)), min_size=1, max_size=50))
def test_groups_change_the_interval_alone(pairs: list[tuple[float, int]]) -> None:
    values, groups = [value for value, _ in pairs], [f"c{group}" for _, group in pairs]
    found = mean(values, groups)

    assert found.value == mean(values).value
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    if len(set(groups)) < LEAST_GROUPS:
        assert found == mean(values)
    others = [f"d{group}" for group in groups]
    assert mean(values, others) == found


def test_values_of_one_group_count_as_little_more_than_one() -> None:
    values = [float(group % 2) for group in range(20) for _ in range(30)]
    groups = [f"c{group}" for group in range(20) for _ in range(30)]
    alone, together = mean(values), mean(values, groups)

    assert together.high - together.low > 4 * (alone.high - alone.low)


def test_nothing_has_a_mean_of_zero() -> None:
    assert mean([]).count == 0


def test_a_difference_is_sure_only_where_its_interval_leaves_zero_out() -> None:
    assert difference([0.9] * 30, [0.4] * 30).surely_not_zero
    assert not difference([1.0, 0.0] * 15, [0.0, 1.0] * 15).surely_not_zero


def test_a_run_is_compared_with_what_it_wrote_before(tmp_path: Path) -> None:
    path = tmp_path / "former.json"
    then = Run(name="s", answers=[answer(["x"], {"a"}, f"q{n}") for n in range(9)])
    now = Run(name="s", answers=[answer(["a"], {"a"}, f"q{n}") for n in range(9)])
    write([then], path)

    lines = list(compared([now], read(path), by_category=False))
    assert lines[-1].startswith("| s | 9 | +100.0 [+100.0, +100.0]* |")


def test_what_is_kept_is_counted_in_words_that_the_question_has_not() -> None:
    [whole] = kept(ROWS, ASKED, "The wire cost 44 crowns.")
    [half] = kept(ROWS, ASKED, "It was 44 or so, that wire.")

    assert (whole.answer, whole.whole, whole.evidence) == (1.0, 1.0, 1.0)
    assert (half.answer, half.whole, half.evidence) == (0.5, 0.0, 0.0)


@given(st.integers(0, 300))
def test_no_baseline_is_longer_than_it_may_be(most: int) -> None:
    for text in (recent_tail(ROWS, most), extract(ROWS, most), gold_first(ROWS, most, {"3"})):
        assert len(text) <= most
    assert len(recent_tail(ROWS, size(ROWS))) == size(ROWS) - 1


def test_each_thing_asked_goes_all_ways_in_turn() -> None:
    seen: list[str] = []
    ways = {name: (lambda one, name=name: seen.append(f"{name}{one}")) for name in "ab"}

    found = in_turn(ways, [1, 2], warm_up=1)
    assert seen == ["a1", "b1", "a2", "b2"]
    assert found.keys() == {"a", "b"}


def test_contexts_are_counted_by_the_usage_of_the_call_before(tmp_path: Path) -> None:
    lines, chars = [], 0.0
    for n in range(20):
        text = f"Prune the pear tree, step {n:04}."
        chars += len(text) / 4 + 4
        usage = {"input": round(1.4 * chars), "output": 9, "cacheRead": 0, "cacheWrite": 0}
        said = [{"type": "text", "text": text}]
        lines.append({"type": "message", "message": {"role": "user", "content": text}})
        answered = {"role": "assistant", "content": said, "usage": usage}
        lines.append({"type": "message", "message": answered})
        chars += len(text) / 4 + 4
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    *_, plain, since = (line.split("|") for line in token_lines(turns_of(path)))
    assert int(plain[2]) == int(since[2]) == 19
    assert float(plain[3]) == pytest.approx(1 / 1.4, abs=0.02)
    assert float(since[3]) == pytest.approx(0.98, abs=0.02)


def test_a_worker_stores_finds_and_says_why_it_failed(tmp_path: Path) -> None:
    work = made_up(tmp_path / "work", 60, 2)
    python, folder = Path(sys.executable), tmp_path / "store"
    one = Process(PEERS[0], python, folder, work.folder, timeout_s=60)
    one.do("add", first=0, last=50)
    found = one.do("search", query=0, k=5).result
    one.do("delete", row=7)
    left = one.do("ids").result

    assert len(found) == 5
    assert sorted(left) == sorted(row.id for row in work.rows[:50] if row.id != "r7")
    with pytest.raises(Unavailable, match="KeyError: 'r55'"):
        one.do("delete", row=55)


def test_a_set_gives_all_vectors_that_litemem_asks_for(tmp_path: Path) -> None:
    row = {"id": "a", "conv": "c", "session_id": "s", "ts": "2025-03-04", "role": "Ann"}
    row["text"] = "I bought a red bicycle."
    texts = ["Ann: Look!\nAssistant: What is it?\nAnn: A bicycle.", "Whose is it? Which colour?"]
    found = {"category": "fact", "gold": ["a"], "gold_sessions": ["s"]}
    asked = [{"id": f"q{n}", "conv": "c", "text": text} | found for n, text in enumerate(texts)]
    for name, lines in (("corpus", [row]), ("queries", asked)):
        spelled = "\n".join(map(json.dumps, lines))
        (tmp_path / f"{name}.jsonl").write_text(spelled, encoding="utf-8")

    [work] = of_conversations(tmp_path, tmp_path / "work", None)
    one = Process(PEERS[0], Path(sys.executable), tmp_path / "store", work.folder, timeout_s=60)
    one.do("add", first=0, last=1)
    assert [one.do("search", query=n, k=5).result for n in range(2)] == [["a"], ["a"]]
    one.close()
