"""Names, parameters and defaults are the reference's, listed in data/unified-signatures.json."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import litemem

SPEC = json.loads((Path(__file__).parents[1] / "data/unified-signatures.json").read_text())
SYNC = {
    ("TranscriptManager", "transcript_exists"),
    ("StateMirror", "mirror_state"),
    ("StateMirror", "read_state"),
    ("SessionLifecycle", "should_reset"),
    ("SessionLifecycle", "get_session_key"),
    ("MemorySearchTool", "set_context"),
    ("MemorySearchTool", "forward"),
    ("MemoryBlockUpdateTool", "set_context"),
    ("MemoryBlockUpdateTool", "forward"),
}
CASES = [(name, method) for name, methods in SPEC.items() for method in methods]


@pytest.mark.parametrize(("name", "method"), CASES)
def test_the_references_parameters_come_first_with_its_defaults(name: str, method: str) -> None:
    wanted: list[list[Any]] = SPEC[name][method]
    found = getattr(getattr(litemem, name), method)
    ours = [one for one in inspect.signature(found).parameters.values() if one.name != "self"]

    assert [one.name for one in ours[: len(wanted)]] == [one[0] for one in wanted]
    for parameter, (_, *default) in zip(ours, wanted, strict=False):
        assert not default or parameter.default == default[0]
    needed = [one for one in ours[len(wanted) :] if one.default is inspect.Parameter.empty]
    assert [one for one in needed if one.kind not in {one.VAR_KEYWORD, one.VAR_POSITIONAL}] == []
    if method != "__init__":
        assert inspect.iscoroutinefunction(found) == ((name, method) not in SYNC)


def test_session_policy_has_the_references_defaults() -> None:
    policy = litemem.SessionPolicy()

    assert (policy.daily_reset_hour, policy.idle_timeout_minutes, policy.max_turns) == (4, 0, 0)
