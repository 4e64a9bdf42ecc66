"""Every acceptance case has a test that bears its number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent.parent
CASES = range(1, 53)
_NUMBERED = re.compile(r"Case (\d+):")


def numbered(tree: ast.Module) -> Iterator[int]:
    """Yield the numbers of the cases that a module's tests are for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = _NUMBERED.match(ast.get_docstring(node) or "")
            if found and node.name.startswith("test_"):
                yield int(found[1])


def test_every_case_has_a_test_with_its_number() -> None:
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    trees = (ast.parse(text) for text in texts if _NUMBERED.search(text))
    found = {number for tree in trees for number in numbered(tree)}

    assert sorted(set(CASES) - found) == []
    assert sorted(found - set(CASES)) == []
