"""`litemem consolidate` and `litemem undo`."""

from __future__ import annotations

from pathlib import Path

import pytest

import litemem
from litemem.cli.consolidate import say_what_was_done
from litemem.memory.consolidate import Consolidation, apply
from tests.cli.conftest import AsJson, Run


def told(run: Run) -> None:
    """Remember what can be put together."""
    run("remember", "User goes by Alex", "--date", "2026-01-02")
    run("remember", "Name is Alex", "--date", "2026-01-03")
    run("remember", "lives in Rome\x1b[31m", "--date", "2026-01-04")
    run("remember", "lives in Rome", "--date", "2026-01-05")
    run("remember", "moved to Oslo", "--date", "2026-01-06")


def test_proposals_are_shown_and_nothing_changes(run: Run) -> None:
    told(run)
    before = run("list").stdout

    done = run("consolidate")

    assert "replace 3 facts, cosine " in done.stdout
    assert "merge 2 facts, cosine " in done.stdout
    assert "  => Currently: moved to Oslo, since 2026-01-06; before: lives in Rome" in done.stdout
    assert "2026-01-02  User goes by Alex\n" in done.stdout
    assert "2 proposals; nothing was changed. 'litemem consolidate --apply'" in done.stderr
    assert "\x1b" not in done.stdout
    assert run("list").stdout == before


def test_what_was_applied_is_listed_and_taken_back(run: Run, as_json: AsJson) -> None:
    told(run)
    before = as_json("list")

    done = as_json("consolidate", "--apply")

    assert done["compared"] == done["facts"] == 5
    assert [one["kind"] for one in done["proposals"]] == ["replace", "merge"]
    assert {fact["content"] for fact in done["written"]} == {
        one["content"] for one in done["proposals"]
    }
    merged = next(fact for fact in as_json("list") if fact["merges"] and fact["seen"])
    assert merged["seen"] == {"n": 1, "last": "2026-01-03T00:00:00Z"}
    shown = run("show", merged["id"]).stdout
    assert "confirmed   1 time, first said 2026-01-02T00:00:00Z, last 2026-01-03T00:00:00Z" in shown
    assert [one["step"] for one in as_json("undo", "--list")] == [done["step"]]
    assert f"{done['step']}  2 facts written\n" in run("undo", "--list").stdout
    undone = as_json("undo", done["step"])
    assert len(undone["removed"]) == 2
    assert len(undone["restored"]) == 5
    assert as_json("list") == before


def test_each_outcome_is_said(run: Run) -> None:
    assert "nothing was consolidated" in run("undo", "--list").stderr
    assert run("undo").exit_code == 1
    assert "no consolidation to undo" in run("undo").stderr
    assert run("undo", "x", "--list").exit_code == 2
    told(run)
    applied = run("consolidate", "--apply")
    assert "2 facts written; 'litemem undo " in applied.stderr
    assert "5 facts current again" in run("undo").stdout
    assert (
        "nothing to consolidate; 5 new or changed facts compared with 5"
        in run("consolidate", "--all").stderr
    )


def test_a_damaged_watermark_is_said(run: Run, tmp_path: Path) -> None:
    told(run)

    (tmp_path / "home" / "consolidation.json").write_text("{")

    assert (
        "consolidation.json can't be read; all facts are compared again"
        in run("consolidate").stderr
    )


def test_what_was_left_out_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with litemem.open(tmp_path / "home", model="hash") as memory:
        for text in ("User goes by Alex", "Name is Alex"):
            memory.remember(text)
        found = memory.consolidate()
        memory.forget(found.plan.proposals[0].ids[0])
        applied = apply(memory._space, "default", found.plan.proposals)

    say_what_was_done(Consolidation(plan=found.plan, applied=applied))

    told = capsys.readouterr().err
    assert "litemem: left out: " in told
    assert "was changed or forgotten" in told
    assert "nothing was written" in told
