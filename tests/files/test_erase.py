from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue, ReadOnly
from litemem.files.erase import MARKER, erase_texts, erase_texts_below
from litemem.files.leftover import beside

AT = datetime(2026, 2, 8, 14, 5, 12, tzinfo=UTC)
SECRET = 'My PIN is "4711"\nça va \\ 😀'


def turn(content: str, **more: object) -> str:
    return json.dumps({"ts": "2026-02-08T14:05:12Z", "role": "user", "content": content, **more})


def node(node_id: str, text: str, parent: str | None = None) -> str:
    blocks = [{"kind": "text", "text": text}]
    inner = {"id": node_id, "parent": parent, "turn": {"role": "user", "blocks": blocks}}
    return json.dumps({"type": "node", "node": {**inner, "createdAt": 7}}, separators=(",", ":"))


def written(path: Path, *lines: str) -> Path:
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape"))
    return path


def read(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", "surrogateescape").split("\n")


def test_a_text_is_replaced_and_other_lines_stay_byte_for_byte(tmp_path: Path) -> None:
    others = ['{"ts" : "t",  "n": 1.0e5}\r', "not json", '{"a": "\udcff"}', "", '{"e":"\\u00e9"}']
    path = written(tmp_path / "s.jsonl", *others, turn(f"Hello. {SECRET}. Bye."))

    assert erase_texts(path, [SECRET], at=AT) == 1
    assert read(path) == [*others, turn(f"Hello. {MARKER}. Bye."), ""]
    assert erase_texts(path, [SECRET], at=AT) == 0


@pytest.mark.parametrize(
    "form",
    [
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
        json.dumps(SECRET).replace("u00e7", "u00E7"),
        "".join(f"\\u{ord(c):04x}" if c < "\x80" else json.dumps(c)[1:-1] for c in SECRET).join(
            '""'
        ),
        json.dumps({"deep": [SECRET]}),
        json.dumps({SECRET: 1}),
        json.dumps(json.dumps({"tool": SECRET})),
        json.dumps(json.dumps(json.dumps([SECRET], ensure_ascii=False))),
        json.dumps(json.dumps({"cut off": SECRET})[1:-1]),
        json.dumps("see: " + json.dumps(SECRET)[1:-1]),
    ],
)
def test_every_escaped_form_is_found(tmp_path: Path, form: str) -> None:
    path = written(tmp_path / "s.jsonl", f'{{"role": "user", "content": {form}}}')

    assert erase_texts(path, [SECRET], at=AT) == 1
    assert "4711" not in path.read_text()
    assert MARKER in str(json.loads(path.read_text())["content"])


def test_a_torn_line_is_cleaned_too(tmp_path: Path) -> None:
    whole = turn(f"a {SECRET} b")
    path = tmp_path / "s.jsonl"
    for torn in (whole[:-3], whole[: whole.index("va") + 20], SECRET.replace("\n", "\\n")):
        path.write_text(torn)

        assert erase_texts(path, [SECRET], at=AT) == 1
        assert "4711" not in path.read_text()
        assert MARKER in path.read_text()


def test_a_session_keeps_its_node_and_says_that_it_was_redacted(tmp_path: Path) -> None:
    head = '{"type":"head","leaf":"b"}'
    lines = [
        node("a", f"x {SECRET}"),
        node("b", "hi", "a"),
        head,
        node("c", SECRET),
        node("a", SECRET),
    ]
    path = written(tmp_path / "s.jsonl", *lines)

    assert erase_texts(path, [SECRET], at=AT) == 3
    assert read(path) == [
        node("a", f"x {MARKER}"),
        node("b", "hi", "a"),
        head,
        node("c", MARKER),
        node("a", MARKER),
        '{"type":"redaction","node":"a","at":"2026-02-08T14:05:12Z"}',
        '{"type":"redaction","node":"c","at":"2026-02-08T14:05:12Z"}',
        "",
    ]


def test_a_redaction_record_never_glues_onto_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(node("a", SECRET) + '\n{"type":"no')
    erase_texts(path, [SECRET], at=AT)

    assert read(path)[1:] == [
        '{"type":"no',
        '{"type":"redaction","node":"a","at":"2026-02-08T14:05:12Z"}',
        "",
    ]


@pytest.mark.parametrize("word", ["user", "text", "a1", "node", "type", "2026", "ts", "role"])
def test_a_word_of_the_format_leaves_the_log_readable(tmp_path: Path, word: str) -> None:
    lines = [turn("-"), node("a1", "-"), node("b2", "-", "a1"), '{"type":"head","leaf":"a1"}']
    path = written(tmp_path / "s.jsonl", *lines)

    assert erase_texts(path, [word], at=AT) == 0
    assert read(path) == [*lines, ""]


def test_backups_and_what_killed_writers_left_are_cleaned(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", turn("-"))
    backups = [tmp_path / name for name in ("s.jsonl.bak", "s.jsonl.bak-2", "s.jsonl.2026.bak")]
    other = written(tmp_path / "s2.jsonl.bak", turn(SECRET))
    for backup in backups:
        written(backup, node("a", SECRET))
    written(beside(path), turn(SECRET))

    assert erase_texts(path, [SECRET], at=AT) == 3
    assert all("4711" not in backup.read_text() for backup in backups)
    assert all('"redaction"' in backup.read_text() for backup in backups)
    assert "4711" in other.read_text()
    assert len(list(tmp_path.iterdir())) == 5


def test_backups_of_a_removed_session_are_cleaned(tmp_path: Path) -> None:
    written(tmp_path / "s.jsonl.bak", turn(SECRET))

    assert erase_texts(tmp_path / "s.jsonl", [SECRET], at=AT) == 1
    assert erase_texts(tmp_path / "none" / "s.jsonl", [SECRET], at=AT) == 0


def test_an_agent_state_is_one_document(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"role": SECRET, SECRET: [SECRET, 1.5]}, indent=2))

    assert erase_texts(path, [SECRET], at=AT) == 1
    assert json.loads(path.read_text()) == {"role": MARKER, MARKER: [MARKER, 1.5]}
    assert erase_texts(path, [SECRET], at=AT) == 0


def test_a_whole_folder_is_cleaned(tmp_path: Path) -> None:
    names = ["a.jsonl", "a.jsonl.bak", "gone.jsonl.bak1", "a.json", "b.json.bak", "b.jsonl.json"]
    for name in (*names, "notes.md", "c.jsonld"):
        written(tmp_path / name, turn(SECRET))
    (tmp_path / "d.jsonl").mkdir()

    assert erase_texts_below(tmp_path, [SECRET], at=AT) == len(names)
    left = [p.name for p in tmp_path.iterdir() if p.is_file() and "4711" in p.read_text()]
    assert sorted(left) == ["c.jsonld", "notes.md"]
    assert erase_texts_below(tmp_path / "none", [SECRET], at=AT) == 0


def test_texts_that_overlap_or_contain_each_other_all_go(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", turn("xx tea and milk yy"), turn("aaaa"))

    assert erase_texts(path, ["tea", "tea and", "and milk", "aaa"], at=AT) == 2
    assert read(path) == [turn(f"xx {MARKER} yy"), turn(MARKER), ""]


def test_a_text_that_the_marker_would_bring_back_is_gone_too(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", turn("x erased y"), turn("ab", meta="aabb"))

    assert erase_texts(path, ["erased"], at=AT) == 1
    assert read(path)[0] == turn("x [] y")
    assert erase_texts(path, ["ab"], at=AT, marker="") == 1
    assert read(path)[1] == turn("", meta="")


def test_a_text_learnt_from_bad_bytes_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", '{"content": "caf\udce9 noir", "x": "\udcff"}')

    assert erase_texts(path, ["caf\ufffd noir"], at=AT) == 1
    assert read(path)[0] == f'{{"content": "{MARKER}", "x": "\udcff"}}'


def test_a_line_nested_deeper_than_python_reads_is_cleaned(tmp_path: Path) -> None:
    deep = "[" * 5000 + json.dumps(SECRET) + "]" * 5000
    path = written(tmp_path / "s.jsonl", f'{{"x": "4711", "deep": {deep}}}')

    assert erase_texts(path, ["4711"], at=AT) == 1
    assert "4711" not in path.read_text()
    assert path.read_text().count("[") == 5000 + 2


def test_an_empty_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="an empty text can't be erased"):
        erase_texts(tmp_path / "s.jsonl", ["a", ""], at=AT)


def test_a_file_that_cannot_be_written_stays_whole(
    protected_dir: Path, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    path = written(protected_dir / "s.jsonl", turn(SECRET))
    path.chmod(0o444)
    protected_dir.chmod(0o555)

    with unprivileged(), pytest.raises(ReadOnly, match=r"can't write .*/s.jsonl"):
        erase_texts(path, [SECRET], at=AT)
    assert read(path) == [turn(SECRET), ""]


pieces = st.sampled_from(
    ["n", "u00", "\\", '"', "\n", "é", "😀", "x", "/", " ", "\t", "{", "\ufffd"]
)
around = st.lists(pieces, max_size=4).map("".join)


@st.composite
def hidden(draw: st.DrawFn) -> tuple[str, str]:
    """Return a secret, and a JSON line that holds it in some string at some depth of escaping."""
    secret = draw(around) + "Zebra7" + draw(around)
    value: Any = draw(around) + secret + draw(around)
    for _ in range(draw(st.integers(0, 3))):
        value = json.dumps([value], ensure_ascii=draw(st.booleans()))
    wrapped = draw(st.sampled_from(["value", "list", "key"]))
    value = {"value": value, "list": [1, [value]], "key": {value: None}}[wrapped]
    return secret, json.dumps({"role": "user", "content": value}, ensure_ascii=draw(st.booleans()))


def strings(text: str) -> list[str]:
    """Return all strings of JSON, and of the JSON in them."""
    try:
        value = json.loads(text)
    except ValueError:
        return [text]
    found = [text]
    stack = [value]
    while stack:
        match stack.pop():
            case str() as inner:
                found += strings(inner)
            case list() as inner:
                stack += inner
            case dict() as inner:
                stack += [*inner, *inner.values()]
    return found


@given(hidden())
def test_an_erased_text_is_in_no_string_at_any_depth(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[str, str]
) -> None:
    secret, line = case
    keep = turn('unchanged \\ " é')
    path = written(tmp_path_factory.getbasetemp() / "hidden.jsonl", keep, line)

    assert erase_texts(path, [secret], at=AT) == 1
    first, second, last = read(path)
    assert (first, last) == (keep, "")
    for form in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        assert all(form not in text for text in strings(second))
    assert json.loads(second)["role"] == "user"
