"""A summary among an agent's own steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from litemem.run.steps import step_turns
from litemem.run.summarystep import SummaryStep, summary_step
from litemem.run.turns import SUMMARY_HEADING, text_turn

TEXT = f"{SUMMARY_HEADING}\nS"


@dataclass
class Timing:
    start_time: float
    end_time: float | None = None


@dataclass
class Usage:
    input_tokens: int
    output_tokens: int
    total_tokens: int = field(init=False)

    def __post_init__(self) -> None:
        self.total_tokens = self.input_tokens + self.output_tokens


@dataclass
class Action:
    step_number: int
    timing: Timing
    observations: str | None = None
    images: list[str] = field(default_factory=list)
    token_usage: Usage | None = None


@dataclass
class Plain:
    observations: str | None = None
    note: str = ""


@dataclass
class Task:
    task: str


@dataclass
class Strict:
    observations: str

    def __post_init__(self) -> None:
        raise ValueError("not by hand")


def test_among_actions_it_is_one_with_their_times_and_tokens() -> None:
    gone = [
        Action(3, Timing(1, 2), "a", ["i"], Usage(5, 1)),
        Task("t"),
        Action(4, Timing(3, 4), "b", [], Usage(7, 2)),
    ]
    made: Any = summary_step(TEXT, gone)

    assert made == Action(3, Timing(1, 4), TEXT, [], Usage(12, 3))
    assert made.token_usage.total_tokens == 15
    assert gone[0].timing == Timing(1, 2)  # type: ignore[attr-defined]


def test_tokens_that_one_step_doesn_t_know_aren_t_known() -> None:
    gone = [Action(1, Timing(1), token_usage=Usage(1, 1)), Action(2, Timing(2))]

    assert summary_step(TEXT, gone).token_usage is None  # type: ignore[attr-defined]


def test_among_tasks_an_action_that_stays_is_the_example() -> None:
    made = summary_step(TEXT, [Task("a")], [Action(9, Timing(1, 2), "b")])

    assert made == Action(9, Timing(1, 2), TEXT)


def test_an_action_without_times_will_do() -> None:
    assert summary_step(TEXT, [Plain("a", "b")]) == Plain(TEXT)


def test_without_actions_it_is_a_task() -> None:
    assert summary_step(TEXT, [Task("a")]) == Task(TEXT)
    assert summary_step(TEXT, [Strict.__new__(Strict), Task("a")]) == Task(TEXT)


def test_among_turns_and_messages_it_is_one() -> None:
    assert summary_step(TEXT, [text_turn("user", "a")]) == text_turn("user", TEXT)
    assert summary_step(TEXT, [{"role": "user", "content": "a"}]) == {
        "role": "user",
        "content": TEXT,
    }


def test_among_unknown_steps_it_has_messages_of_its_own() -> None:
    made = summary_step(TEXT, ["a", "b"])

    assert made == SummaryStep(text=TEXT)
    assert isinstance(made, SummaryStep)
    assert made.dict() == {"text": TEXT}
    assert made.to_messages(summary_mode=True) == [
        {"role": "user", "content": [{"type": "text", "text": TEXT}]}
    ]
    assert summary_step(TEXT, []) == made


def test_it_is_known_again_among_all_of_them() -> None:
    examples: list[object] = [
        Action(1, Timing(1)),
        Task("a"),
        text_turn("user", "a"),
        {"role": "user", "content": ""},
        "a",
    ]

    for example in examples:
        assert step_turns(summary_step(TEXT, [example])) == [text_turn("user", TEXT)]
