from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.extract.answer import MOST, parse_answer
from litemem.extract.fact import CATEGORIES, ExtractedFact
from litemem.extract.found import MAX_ANSWER
from litemem.extract.turn import ConversationTurn

SHOWN = {"m41c7": "Lives in Bruges", "m2": "Works in Ghent"}
WHOLE = {
    "action": "add",
    "content": "Lives in Ghent",
    "category": "personal",
    "importance": 0.8,
    "tags": ["home"],
}
FACT = ExtractedFact(content="Lives in Ghent", category="personal", importance=0.8, tags=("home",))


def answered(*facts: object) -> str:
    return json.dumps({"facts": list(facts)})


@pytest.mark.parametrize(
    "text",
    [
        answered(WHOLE),
        json.dumps([WHOLE]),
        json.dumps(WHOLE),
        json.dumps({"result": {"memories": [{"fact": WHOLE}]}}),
        f"Here is what I found [1]:\n```json\n{answered(WHOLE)}\n```\nAnything else?",
        f"{{thinking}} {answered(WHOLE)}",
        answered(WHOLE, WHOLE),
        answered({**WHOLE, "action": "ADD "}),
        answered({**WHOLE, "importance": "0.8", "tags": "home", "category": "Personal"}),
        answered({**WHOLE, "content": " Lives in\nGhent\u0000", "tags": ["#home", "home", ""]}),
        answered(
            {
                "fact": "Lives in Ghent",
                **{key: WHOLE[key] for key in ("category", "importance", "tags")},
            }
        ),
    ],
)
def test_a_fact_is_found_however_it_is_wrapped(text: str) -> None:
    answer = parse_answer(text, SHOWN)

    assert answer.facts == (FACT,)
    assert answer.trouble == ()


@pytest.mark.parametrize(
    "text", ['{"facts": []}', "[]", '{"facts": [{"action": "nothing", "id": "m2", "tags": ["a"]}]}']
)
def test_nothing_is_a_valid_answer(text: str) -> None:
    assert parse_answer(text, SHOWN).facts == ()
    assert parse_answer(text, SHOWN).trouble == ()


def test_missing_fields_have_defaults() -> None:
    assert parse_answer('{"facts": ["Lives in Ghent", {"content": "Likes tea"}]}', {}).facts == (
        ExtractedFact(content="Lives in Ghent"),
        ExtractedFact(content="Likes tea"),
    )


@pytest.mark.parametrize("id_", [{"id": "m2"}, {"id": "[m2]"}, {"replaces": "m2"}])
def test_a_replacement_of_a_shown_fact_replaces_it(id_: dict[str, str]) -> None:
    [fact] = parse_answer(answered({**WHOLE, "action": "replace", **id_}), SHOWN).facts

    assert fact.replaces == "m2"


@pytest.mark.parametrize("id_", ["m3", "", None, 7, True, ["m2"], {"id": "m2"}, "m" * 999, 10**99])
def test_a_replacement_of_anything_else_becomes_a_new_fact(id_: object) -> None:
    answer = parse_answer(answered({**WHOLE, "action": "update", "id": id_}), SHOWN)

    assert answer.facts == (FACT,)
    assert answer.trouble == ("fact 1: the id that it replaces wasn't shown; added as a new fact",)


def test_one_known_fact_is_replaced_once() -> None:
    answer = parse_answer(
        answered(
            {"action": "replace", "id": "m2", "content": "Lives in Ghent"},
            {"action": "replace", "id": "m2", "content": "Works in Ghent"},
        ),
        SHOWN,
    )

    assert [fact.replaces for fact in answer.facts] == ["m2", None]
    assert answer.trouble == (
        "fact 2: the id that it replaces was replaced before; added as a new fact",
    )


@pytest.mark.parametrize(
    ("fields", "trouble"),
    [
        ({"importance": 8}, "its importance isn't a number from 0 to 1; taken as 0.5"),
        ({"importance": "high"}, "its importance isn't a number from 0 to 1; taken as 0.5"),
        ({"importance": True}, "its importance isn't a number from 0 to 1; taken as 0.5"),
        ({"importance": float("nan")}, "its importance isn't a number from 0 to 1; taken as 0.5"),
        ({"importance": [1]}, "its importance isn't a number from 0 to 1; taken as 0.5"),
        ({"category": "hobby"}, "its category is none of ours; taken as general"),
        ({"category": 3}, "its category is none of ours; taken as general"),
        ({"tags": {"a": 1}}, "its tags are no list"),
        ({"tags": [1]}, "a tag isn't a short text; left out"),
        ({"tags": ["x" * 99]}, "a tag isn't a short text; left out"),
        ({"action": 3}, "its action isn't text; taken as add"),
    ],
)
def test_a_wrong_field_is_told_and_the_fact_is_kept(fields: dict[str, Any], trouble: str) -> None:
    answer = parse_answer(answered({"content": "Lives in Ghent", **fields}), SHOWN)

    assert answer.facts == (ExtractedFact(content="Lives in Ghent"),)
    assert answer.trouble == (f"fact 1: {trouble}",)


@pytest.mark.parametrize(
    ("fields", "trouble"),
    [
        ({"content": 3}, "its content isn't text"),
        ({"content": None, "action": "add"}, "it has no content"),
        ({"content": " \u0000?"}, "its content is empty"),
        ({"content": "\ud800"}, "its content is empty"),
        ({"content": "x " * 600}, "its content has more than 1000 characters"),
        ({"content": "x" * 5000}, "its content has more than 1000 characters"),
        ({"content": "x", "action": "delete"}, "its action is none of add, replace, nothing"),
    ],
)
def test_a_fact_without_valid_text_or_action_is_left_out(
    fields: dict[str, Any], trouble: str
) -> None:
    answer = parse_answer(answered(fields), SHOWN)

    assert answer.facts == ()
    assert answer.trouble == (f"fact 1 was left out: {trouble}",)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "the answer holds no JSON"),
        ("I found nothing.", "the answer holds no JSON"),
        ("{]", "the answer holds no JSON"),
        ("{}", "the answer's JSON holds no facts"),
        ('{"a": [1, "x", {"b": null}]}', "the answer's JSON holds no facts"),
        ("[" * 50_000, "the answer's JSON is nested too deeply"),
        ("9" * 9999 + "[" + "9" * 9999 + "]", "the answer holds no JSON"),
    ],
)
def test_an_answer_without_facts_says_why(text: str, trouble: str) -> None:
    answer = parse_answer(text, SHOWN)

    assert answer.facts == ()
    assert trouble in answer.trouble


def test_deep_nesting_is_not_followed() -> None:
    assert parse_answer('{"a":' * 20 + answered(WHOLE) + "}" * 20, SHOWN).facts == ()


def test_a_repeated_key_is_told() -> None:
    answer = parse_answer('[{"content": "a1", "content": "b1", "tags": ["x"], "tags": []}]', {})

    assert [fact.content for fact in answer.facts] == ["b1"]
    assert answer.trouble == ("a key is given twice in one object; the last was taken",)


def test_hundreds_of_facts_are_bounded() -> None:
    answer = parse_answer(answered(*(f"Owns {i} hats" for i in range(300))), {})

    assert len(answer.facts) == MOST
    assert answer.trouble == ("250 facts were left out: at most 50 are read",)


def test_hundreds_of_troubles_are_bounded() -> None:
    answer = parse_answer(
        answered(*({"content": f"Owns {i} hats", "tags": 3} for i in range(50))), {}
    )

    assert len(answer.trouble) == 21
    assert answer.trouble[-1] == "30 more things were wrong in the answer"


def test_an_enormous_answer_is_read_to_a_bound() -> None:
    text = answered(WHOLE) + " {[" * MAX_ANSWER

    started = time.thread_time()
    answer = parse_answer(text, SHOWN)

    assert time.thread_time() - started < 3  # coverage doubles it
    assert answer.facts == (FACT,)
    assert answer.trouble == (f"only the first {MAX_ANSWER} characters of the answer were read",)


def test_what_was_said_is_taken_and_what_was_invented_is_told() -> None:
    said = ConversationTurn(user_message="I live in Ghent.")

    answer = parse_answer(answered("Owns a yacht", "Lives in Ghent"), SHOWN, said=said)

    assert [fact.content for fact in answer.facts] == ["Lives in Ghent"]
    assert answer.trouble == ("fact 1 was left out: most of its words weren't said",)


def test_words_of_the_fact_that_is_replaced_may_stay() -> None:
    said = ConversationTurn(user_message="I moved on to Antwerp.")
    content = "Works in Antwerp, before that in Ghent"

    kept = parse_answer(
        answered({"action": "replace", "id": "m2", "content": content}), SHOWN, said=said
    )
    added = parse_answer(answered(content), SHOWN, said=said)

    assert [fact.replaces for fact in kept.facts] == ["m2"]
    assert added.facts == ()


def test_a_fact_that_is_left_out_replaces_nothing() -> None:
    said = ConversationTurn(user_message="I live in Antwerp.")
    invented, true = "Has a yacht in Ostend", "Lives in Antwerp"

    answer = parse_answer(
        answered(
            *({"action": "replace", "id": "m41c7", "content": one} for one in (invented, true))
        ),
        SHOWN,
        said=said,
    )

    assert [(fact.content, fact.replaces) for fact in answer.facts] == [(true, "m41c7")]


@pytest.mark.parametrize(
    ("answer", "contents", "troubles"),
    [
        (
            [{"content": ["Oslo"]}, 5, None, "x1", {"content": "y1"}],
            ["x1", "y1"],
            [
                "fact 1 was left out: its content isn't text",
                "fact 2 was left out: it is neither an object nor text",
                "fact 3 was left out: it is neither an object nor text",
            ],
        ),
        (
            {"facts": [5, {"name": "x"}]},
            [],
            [
                "fact 1 was left out: it is neither an object nor text",
                "fact 2 was left out: it has no content",
            ],
        ),
        (
            {"memories": ["x1", [], {"content": "y1", "tags": 3}]},
            ["x1", "y1"],
            [
                "fact 2 was left out: it is neither an object nor text",
                "fact 3: its tags are no list",
            ],
        ),
        (
            {"content": {"a": "Oslo"}},
            [],
            ["fact 1 was left out: its content isn't text"],
        ),
        (
            {"facts": ["x1"], "memories": 7},
            ["x1"],
            ["the answer's 'memories' isn't a list of facts"],
        ),
    ],
)
def test_what_is_no_fact_is_told_by_its_place_in_the_list(
    answer: object, contents: list[str], troubles: list[str]
) -> None:
    read = parse_answer(json.dumps(answer), {})

    assert [fact.content for fact in read.facts] == contents
    assert list(read.trouble) == troubles


def test_objects_outside_of_a_list_are_counted() -> None:
    read = parse_answer('{"content": "x1"} and {"content": 7} and [1] and {"content": "y1"}', {})

    assert [fact.content for fact in read.facts] == ["x1", "y1"]
    assert read.trouble == ("fact 2 was left out: its content isn't text",)


@pytest.mark.parametrize("torn", [1, 2, 8, 15])
def test_an_answer_that_breaks_off_is_told(torn: int) -> None:
    answer = parse_answer(answered(WHOLE, {"action": "add", "content": "torn"})[:-torn], SHOWN)

    assert answer.facts[0] == FACT
    assert answer.trouble == ("the answer's JSON breaks off; what is whole of it was read",)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["add", "replace", "nothing", "m2", "m41c7", "0.8", "personal"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "facts",
                    "memories",
                    "content",
                    "fact",
                    "action",
                    "id",
                    "replaces",
                    "importance",
                    "tags",
                    "category",
                    "x",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def check(text: str) -> None:
    answer = parse_answer(text, SHOWN)
    replaced = [fact.replaces for fact in answer.facts if fact.replaces is not None]

    assert len(answer.facts) <= MOST
    assert set(replaced) <= SHOWN.keys()
    assert len(replaced) == len(set(replaced))
    for fact in answer.facts:
        assert fact.content == " ".join(fact.content.split())
        fact.content.encode()
        assert fact.category in {*CATEGORIES, "general"}
        assert all(len(tag.split()) == 1 for tag in fact.tags)
    assert "" not in answer.trouble


@given(st.text(st.sampled_from('{}[]",:\\ abcfacts1e-.m2N\ud800\x00'), max_size=80) | st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    check(text)


@given(values, st.text(max_size=5), st.integers(0, 40))
def test_no_json_makes_it_fail(value: object, prose: str, torn: int) -> None:
    text = json.dumps(value)
    check(prose + text[: len(text) - torn] + prose)
