"""The demo does the main job with the bundled model, and leaves nothing behind."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import AsJson, Run


def test_demo_gives_the_same_answers_after_the_index_is_gone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("LITEMEM_MODEL")
    done = run("demo")

    assert done.exit_code == 0
    assert "same answers, ids and scores" in done.stdout
    answers = re.findall(r"^\? (.*)\n  (.*)$", done.stdout, re.MULTILINE)
    assert dict(answers) == {
        "where does she live?": "Lives in Lisbon since March",
        "is she training for a race?": "Wants to run a half marathon in October",
        "where is she employed?": "Works at Microsoft as a data engineer",
        "what does the cat eat?": "Ihre Katze heißt Minka und frisst nur Huhn",
        "what does she do at the weekend?": "周末喜欢去海边冲浪",
        "冲浪": "周末喜欢去海边冲浪",
        "db-7.internal": "The staging server is db-7.internal, port 5433",
    }
    assert list(tmp_path.glob("litemem-demo-*")) == []


def test_demo_takes_another_model(run: Run) -> None:
    done = run("demo", "--model", "fast")

    assert done.exit_code == 0
    assert "with fast" in done.stdout


def test_demo_is_one_json_document_where_it_is_asked_for(as_json: AsJson) -> None:
    told = as_json("demo", "--model", "hash")

    assert told["same"] is True
    assert {"query": "冲浪", "best": "周末喜欢去海边冲浪"} in told["answers"]
