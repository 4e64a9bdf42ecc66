"""What `import litemem` gives, and what it doesn't load."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import litemem


def test_every_public_name_is_there() -> None:
    for name in litemem.__all__:
        assert getattr(litemem, name) is not None
    assert set(litemem.__all__) == {*litemem._HOMES, "__version__"} - {"open"}
    assert "open" not in litemem.__all__  # it would take the place of the builtin one
    assert set(litemem.__all__) <= set(dir(litemem))


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        litemem.nonsense  # noqa: B018


def test_importing_the_package_loads_next_to_nothing() -> None:
    code = (
        "import sys, litemem\n"
        "heavy = {'numpy', 'asyncio', 'apsw', 'click', 'onnxruntime', 'tokenizers', 'sqlite3'}\n"
        "loaded = sorted(heavy & set(sys.modules))\n"
        "sys.exit(', '.join(loaded) if loaded else 0)"
    )
    # Coverage of child processes would load its own database.
    alone = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=alone
    )

    assert done.returncode == 0, done.stderr
