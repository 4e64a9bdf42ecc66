from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from litemem.errors import FileTrouble
from litemem.files.state import BLOCK, digests, extend_digests, state_of

sizes = st.integers(0, 3 * BLOCK) | st.sampled_from(
    [0, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK]
)


@given(sizes, sizes, st.integers())
@example(BLOCK, BLOCK, 0)
@example(2 * BLOCK, 10, 0)
def test_digests_of_a_changed_size_equal_those_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, old_size: int, new_size: int, seed: int
) -> None:
    data = random.Random(seed).randbytes(max(old_size, new_size))
    path = tmp_path_factory.getbasetemp() / "grown"
    path.write_bytes(data)
    old = digests(data[:old_size])

    assert extend_digests(old, old_size, path, new_size) == digests(data[:new_size])


def test_a_digest_stands_for_each_64_kib() -> None:
    data = bytes(BLOCK) + b"x"

    assert digests(b"") == b""
    assert digests(data) == (hashlib.sha256(bytes(BLOCK)).digest() + hashlib.sha256(b"x").digest())


def test_only_the_last_partial_block_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(bytes(BLOCK) + b"new")
    stale = b"d" * 32 + digests(b"ne")

    assert extend_digests(stale, BLOCK + 2, path, BLOCK + 3) == b"d" * 32 + digests(b"new")


def test_a_file_that_shrinks_meanwhile_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"abc")

    with pytest.raises(FileTrouble, match="f got shorter while it was read"):
        extend_digests(b"", 0, path, 4)


def test_a_state_tells_a_rewrite_of_the_same_size_and_time(tmp_path: Path) -> None:
    path, new = tmp_path / "f", tmp_path / "new"
    path.write_bytes(b"abc")
    new.write_bytes(b"xyz")
    before = state_of(path)
    os.utime(new, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    new.replace(path)
    after = state_of(path)

    assert before is not None
    assert after is not None
    assert (before.size, before.mtime_ns) == (after.size, after.mtime_ns)
    assert before != after


def test_a_missing_file_has_no_state(tmp_path: Path) -> None:
    (tmp_path / "f").touch()

    assert state_of(tmp_path / "gone") is None
    assert state_of(tmp_path / "f" / "below") is None


def test_a_state_that_the_system_refuses_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble, match="its path is too long"):
        state_of(tmp_path / ("x" * 300))
