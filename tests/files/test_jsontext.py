from __future__ import annotations

import json
import time

from hypothesis import given
from hypothesis import strategies as st

from litemem.files.jsontext import ITEM, Step, map_strings

Path = tuple[Step, ...]

texts = st.text(st.characters(), max_size=8) | st.sampled_from(
    ["", '"', "\\", "\\n", "\ud83d", "{"]
)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
json_texts = st.builds(
    json.dumps, documents, indent=st.sampled_from([None, 2]), ensure_ascii=st.booleans()
)


def walk(value: object, path: Path = ()) -> list[tuple[Path, str]]:
    match value:
        case str():
            return [(path, value)]
        case list():
            return [found for inner in value for found in walk(inner, (*path, ITEM))]
        case dict():
            return [
                found
                for key, inner in value.items()
                for found in (((*path, None), key), *walk(inner, (*path, key)))
            ]
        case _:
            return []


def mapped(value: object) -> object:
    match value:
        case str():
            return f"<{value}>"
        case list():
            return [mapped(inner) for inner in value]
        case dict():
            return {f"<{key}>": mapped(inner) for key, inner in value.items()}
        case _:
            return value


class Visit:
    """Notes the strings that it's shown, and changes none."""

    def __init__(self) -> None:
        self.seen: list[tuple[Path, str]] = []

    def __call__(self, path: Path, value: str) -> str:
        self.seen.append((path, value))
        return value


@given(json_texts)
def test_every_string_is_shown_with_its_place(text: str) -> None:
    visit = Visit()

    assert map_strings(text, visit) == text
    assert visit.seen == walk(json.loads(text))


@given(json_texts)
def test_changed_strings_stand_in_otherwise_equal_json(text: str) -> None:
    assert json.loads(map_strings(text, lambda _, value: f"<{value}>")) == mapped(json.loads(text))


@given(st.text(st.sampled_from('"\\{}[],:ab \nu0dé')))
def test_any_text_passes_unchanged(text: str) -> None:
    assert map_strings(text, lambda _, value: value) == text


def test_numbers_spaces_and_repeated_keys_stay() -> None:
    text = '{ "a":1.0e5,\t"a" : -0, "b":"x", "c":[1E2 , "x"]}\r'

    assert map_strings(text, lambda _, value: value.replace("x", "y")) == text.replace("x", "y")


def test_json_deeper_than_python_reads_is_changed() -> None:
    text = "[" * 5000 + '"x"' + "]" * 5000

    assert map_strings(text, lambda *_: "y") == text.replace("x", "y")


def test_ascii_stays_ascii() -> None:
    assert map_strings('["x"]', lambda *_: "é😀") == '["\\u00e9\\ud83d\\ude00"]'
    assert map_strings('["é"]', lambda *_: "é😀\ud800") == '["é😀\\ud800"]'


def test_a_torn_line_costs_linear_time() -> None:
    torn = '{"a": "' + '\\"x' * 200_000
    began = time.perf_counter()

    assert map_strings(torn, lambda *_: "") == '{"": "' + '\\"x' * 200_000
    assert time.perf_counter() - began < 2


def test_a_value_after_a_key_that_cannot_be_decoded_is_still_a_value() -> None:
    visit = Visit()
    map_strings('{"\\x": "v", "k": "w"}', visit)

    assert visit.seen == [(("",), "v"), ((None,), "k"), (("k",), "w")]
