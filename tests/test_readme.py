"""The README is a program: its blocks run from top to bottom."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from litemem.cli import main

README = Path(__file__).parent.parent / "README.md"


class Console(CodeBlockParser):
    """Run ``$ litemem ...`` lines and compare what they print."""

    language = "console"

    def evaluate(self, example: Example) -> str | None:
        """Return what differs, None where nothing does."""
        for step in re.split(r"^\$ ", str(example.parsed), flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            program, *args = shlex.split(command)
            printed = CliRunner().invoke(main, args, prog_name=program).stdout
            if printed.strip() != expected.strip():
                return f"$ {command}\nexpected: {expected!r}\nprinted:  {printed!r}"
        return None


def test_readme_runs_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = Sybil(parsers=[PythonCodeBlockParser(), Console()]).parse(README)
    examples = list(document.examples())
    fences = re.findall(r"^```(python|console)$", README.read_text(), re.MULTILINE)
    assert len(examples) == len(fences) > 4  # a parser that finds nothing must not pass

    for example in examples:
        example.evaluate()
