"""What must not be lost of a transcript."""

from __future__ import annotations

import pytest

from litemem.run.salience import items, must_keep, words
from litemem.run.sentences import Passage


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("user", "Which port does it use?"),
        ("user", "please rename the module"),
        ("user", "Fix the footer"),
        ("user", "帮我写一个测试"),
        ("", "Could you have a look"),
        ("assistant", "We decided against microservices."),
        ("assistant", "我们决定用 SQLite。"),
        ("assistant", "The build failed with exit code 2."),
        ("tool", "KeyError: 'port'"),
        ("tool", "tool_result (failed) -> no such file"),
        ("assistant", "Still open: the tests for Windows."),
        ("assistant", "- [ ] write the docs"),
        ("user", "TODO clean up"),
        ("assistant", "下一步是部署"),
    ],
)
def test_requests_decisions_errors_and_open_tasks_must_be_kept(role: str, text: str) -> None:
    assert must_keep(Passage(text=text, role=role))


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("user", "That went well."),
        ("assistant", "Shall I go on?"),
        ("assistant", "except ValueError as error:"),
        ("assistant", "It must have been lovely."),
        ("tool", "please decide what to do next"),
    ],
)
def test_the_rest_need_not(role: str, text: str) -> None:
    assert not must_keep(Passage(text=text, role=role))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/app.py and README.md.", ["src/app.py", "README.md"]),
        ("at 09:30 on 2024-03-15, 12% of 1,200", ["09:30", "2024-03-15", "12%", "1,200"]),
        ("call find_cut or `make all`", ["find_cut", "make all"]),
        ("keepRecent in v2", ["keepRecent", "v2"]),
        ("just words, e.g. these", []),
    ],
)
def test_numbers_and_names_are_found(text: str, expected: list[str]) -> None:
    assert items(text) == expected


def test_words_are_lower_case_and_chinese_runs_are_pairs() -> None:
    assert words("Don't STOP 数据库是 a_b 好") == [
        "don't",
        "stop",
        "数据",
        "据库",
        "库是",
        "a",
        "b",
        "好",
    ]
