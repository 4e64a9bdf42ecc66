"""Pure parts of the page, run in the browser with many inputs at once."""

from __future__ import annotations

import json
import random

import pytest

from tests.page.site import Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

COMPARE = """async (pairs) => {
  const { lineDiff, folded } = await import("/page/diff.js");
  return pairs.map(([a, b]) => { const made = lineDiff(a, b); return [made, folded(made)]; });
}"""
MARK = """async (pairs) => {
  const { marked } = await import("/page/highlight.js");
  const read = (node) => (typeof node === "string" ? [node, false] : [node.textContent, true]);
  return pairs.map(([text, question]) => marked(text, question).map(read));
}"""


def longest(a: list[str], b: list[str]) -> int:
    """Return the length of the longest common subsequence, by the book."""
    row = [0] * (len(b) + 1)
    for one in a:
        before = row[:]
        for j, other in enumerate(b, 1):
            row[j] = before[j - 1] + 1 if one == other else max(before[j], row[j - 1])
    return row[-1]


def test_a_difference_holds_both_texts_and_no_needless_change(shown: Watched) -> None:
    seed = random.Random(11)
    pairs = [
        ["\n".join(seed.choices(["a", "b", "c", "", "é"], k=seed.randrange(9))) for _ in "ab"]
        for _ in range(300)
    ]
    made = shown.page.evaluate(COMPARE, pairs)

    for (before, after), (lines, folded) in zip(pairs, made, strict=True):
        kinds = {
            kind: [one["text"] for one in lines if one["kind"] != kind] for kind in ("more", "less")
        }
        assert "\n".join(kinds["more"]) == before
        assert "\n".join(kinds["less"]) == after
        same = sum(one["kind"] == "same" for one in lines)
        assert same == longest(before.split("\n"), after.split("\n"))
        assert sum(one.get("count", 1) for one in folded) == len(lines)


def test_a_huge_difference_is_whole_and_quick(shown: Watched) -> None:
    pair = ["\n".join(f"a{n}" for n in range(5000)), "\n".join(f"b{n}" for n in range(5000))]
    ((lines, _),) = shown.page.evaluate(COMPARE, [pair])

    assert len(lines) == 10_000


def test_marks_never_change_a_text(shown: Watched) -> None:
    seed = random.Random(12)
    words = [
        "tea",
        "Teas",
        "tea-pot",
        "engineer",
        "engineering",
        "<b>",
        "茶",
        "绿茶店",
        "é",
        "\u202e",
        "(*",
        "\\",
    ]
    pairs = [[" ".join(seed.choices(words, k=seed.randrange(8))) for _ in "ab"] for _ in range(300)]
    made = shown.page.evaluate(MARK, pairs)

    for (text, _), pieces in zip(pairs, made, strict=True):
        assert "".join(piece for piece, _ in pieces) == text, json.dumps(pieces)


def test_marks_find_forms_of_words_and_pieces_of_unspaced_text(shown: Watched) -> None:
    pairs = [
        ["An Engineer of tea", "engineering teas"],
        ["我喜欢绿茶", "绿茶店"],
        ["art", "artist"],
    ]
    made = shown.page.evaluate(MARK, pairs)

    assert [[piece for piece, hit in one if hit] for one in made] == [["Engineer"], ["绿茶"], []]
