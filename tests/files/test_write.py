from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import FileTrouble, ReadOnly
from litemem.files.folders import remove_folder
from litemem.files.leftover import beside, create_beside, is_leftover, sweep
from litemem.files.write import append, make_folder, remove_file, replace_file

Limit = Callable[[int], AbstractContextManager[None]]
Unprivileged = Callable[[], AbstractContextManager[None]]

WRITERS = pytest.mark.parametrize("write", [replace_file, append])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@WRITERS
def test_a_new_file_is_private_and_so_are_its_new_folders(
    tmp_path: Path, write: Callable[[Path, bytes], object]
) -> None:
    path = tmp_path / "a" / "b" / "f.md"
    write(path, b"text\n")

    assert path.read_bytes() == b"text\n"
    assert [mode(p) for p in (path, path.parent, path.parent.parent)] == [0o600, 0o700, 0o700]
    assert names(path.parent) == ["f.md"]


@WRITERS
def test_an_existing_file_keeps_its_permissions(
    tmp_path: Path, write: Callable[[Path, bytes], object]
) -> None:
    path = tmp_path / "f"
    path.touch()
    path.chmod(0o644)
    write(path, b"new")

    assert path.read_bytes() == b"new"
    assert mode(path) == 0o644


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.touch()
    os.chown(path, 12, 34)
    replace_file(path, b"new")

    assert (path.stat().st_uid, path.stat().st_gid) == (12, 34)


@WRITERS
def test_a_symbolic_link_is_followed(
    tmp_path: Path, write: Callable[[Path, bytes], object]
) -> None:
    (tmp_path / "notes").mkdir()
    target, link = tmp_path / "notes" / "f", tmp_path / "link"
    target.touch()
    link.symlink_to("notes/f")
    dangling = tmp_path / "dangling"
    dangling.symlink_to("notes/later")
    write(link, b"new")
    write(dangling, b"late")

    assert link.is_symlink()
    assert dangling.is_symlink()
    assert target.read_bytes() == b"new"
    assert (tmp_path / "notes" / "later").read_bytes() == b"late"
    assert names(tmp_path) == ["dangling", "link", "notes"]


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127])
def test_the_longest_names_can_be_replaced(tmp_path: Path, name: str) -> None:
    replace_file(tmp_path / name, b"1")
    replace_file(tmp_path / name, b"2")

    assert (tmp_path / name).read_bytes() == b"2"
    assert names(tmp_path) == [name]


lines_of_text = st.binary(max_size=9).map(lambda data: data.replace(b"\n", b""))
lines_of_size = st.integers(0, 9000).map(bytes)


@given(st.lists(lines_of_text | lines_of_size).map(lambda xs: [x + b"\n" for x in xs]))
def test_appended_lines_are_read_back_at_their_offsets(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines"
    remove_file(path)
    starts = [append(path, line, fsync=False) for line in lines]
    written = path.read_bytes() if lines else b""

    assert written == b"".join(lines)
    assert [written[start:].split(b"\n")[0] + b"\n" for start in starts] == lines


@pytest.mark.parametrize("old", [b"whole\ntor", bytes(4090) + b"tor"])
def test_a_torn_last_line_is_ended_before_an_append(tmp_path: Path, old: bytes) -> None:
    path = tmp_path / "f"
    path.write_bytes(old)

    assert append(path, b"next\n") == len(old) + 1
    assert path.read_bytes() == old + b"\nnext\n"


def test_a_full_disk_leaves_the_replaced_file_as_it_was(
    tmp_path: Path, file_size_limit: Limit
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    with file_size_limit(1000), pytest.raises(FileTrouble, match=r"can't write .*/f: ") as caught:
        replace_file(path, bytes(2000))

    assert caught.value.errno == errno.EFBIG
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


def test_a_disk_that_gets_full_cuts_an_append_back(tmp_path: Path, file_size_limit: Limit) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\nb")
    with file_size_limit(1000), pytest.raises(FileTrouble):
        append(path, bytes(2000))

    assert path.read_bytes() == b"a\nb"
    assert append(path, b"c\n") == 4


def test_a_first_append_that_fails_leaves_no_file(tmp_path: Path, file_size_limit: Limit) -> None:
    with file_size_limit(1000), pytest.raises(FileTrouble):
        append(tmp_path / "new", bytes(2000))

    assert names(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has /dev/full")
def test_a_full_disk_is_said_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "f").symlink_to("/dev/full")

    with pytest.raises(FileTrouble, match=r"can't write .*/f: the disk is full; free some space"):
        append(tmp_path / "f", b"x\n")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="Windows has no /dev/null")
def test_a_device_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "f").symlink_to("/dev/null")

    with pytest.raises(FileTrouble, match="is a folder or a device"):
        replace_file(tmp_path / "f", b"x")
    assert Path("/dev/null").is_char_device()


@WRITERS
def test_a_write_protected_file_is_read_only(
    protected_dir: Path, unprivileged: Unprivileged, write: Callable[[Path, bytes], object]
) -> None:
    path = protected_dir / "f"
    path.write_bytes(b"old")
    path.chmod(0o444)
    protected_dir.chmod(0o777)
    with unprivileged(), pytest.raises(ReadOnly, match="/f: permission denied") as caught:
        write(path, b"new")

    assert caught.value.errno == errno.EACCES
    assert path.read_bytes() == b"old"
    assert names(protected_dir) == ["f"]


@pytest.mark.parametrize("write", [replace_file, append, lambda path, _: make_folder(path)])
def test_a_write_protected_folder_is_read_only(
    protected_dir: Path, unprivileged: Unprivileged, write: Callable[[Path, bytes], object]
) -> None:
    protected_dir.chmod(0o555)
    with unprivileged(), pytest.raises(ReadOnly, match="permission denied; check who may write"):
        write(protected_dir / "f", b"new")

    assert names(protected_dir) == []


@pytest.mark.parametrize("remove", [remove_file, remove_folder])
def test_what_a_write_protected_folder_holds_cannot_be_removed(
    protected_dir: Path, unprivileged: Unprivileged, remove: Callable[[Path], None]
) -> None:
    (protected_dir / "f").mkdir() if remove is remove_folder else (protected_dir / "f").touch()
    protected_dir.chmod(0o555)

    with unprivileged(), pytest.raises(ReadOnly, match=r"can't remove .*/f: permission denied"):
        remove(protected_dir / "f")
    assert names(protected_dir) == ["f"]


@WRITERS
def test_a_folder_in_the_place_of_a_file_stays(
    tmp_path: Path, write: Callable[[Path, bytes], object]
) -> None:
    (tmp_path / "f").mkdir()

    with pytest.raises(FileTrouble, match="it is a folder"):
        write(tmp_path / "f", b"x")
    assert (tmp_path / "f").is_dir()


@pytest.mark.parametrize("write", [replace_file, append, lambda path, _: make_folder(path)])
def test_a_file_in_the_place_of_a_folder_is_named(
    tmp_path: Path, write: Callable[[Path, bytes], object]
) -> None:
    (tmp_path / "home").touch()

    with pytest.raises(FileTrouble, match=r"home.*; move that file away"):
        write(tmp_path / "home" / "f", b"x")


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o755)
    make_folder(tmp_path / "a")

    assert mode(tmp_path / "a") == 0o755


def test_removing_twice_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "d" / "e").mkdir(parents=True)
    for _ in range(2):
        remove_file(tmp_path / "f")
        remove_folder(tmp_path / "d")

    assert names(tmp_path) == []


def test_of_a_link_only_the_link_is_removed(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "f").touch()
    for name, remove in (("d", remove_folder), ("f", remove_file)):
        (tmp_path / f"link-{name}").symlink_to(name)
        remove(tmp_path / f"link-{name}")

    assert names(tmp_path) == ["d", "f"]


def test_remove_folder_takes_no_file(tmp_path: Path) -> None:
    (tmp_path / "f").touch()

    with pytest.raises(FileTrouble):
        remove_folder(tmp_path / "f")
    assert names(tmp_path) == ["f"]


def test_a_sweep_takes_what_dead_writers_left_and_nothing_else(tmp_path: Path) -> None:
    for name in ("f", "notes.tmp", "f.0123456789ab.tmp.md"):
        (tmp_path / name).touch()
    beside(tmp_path / "f").touch()
    (beside(tmp_path / "d") / "inner").mkdir(parents=True)
    fd, living = create_beside(tmp_path / "f")

    assert sweep(tmp_path) == 2
    assert names(tmp_path) == sorted(["f", "notes.tmp", "f.0123456789ab.tmp.md", living.name])
    os.close(fd)
    assert sweep(tmp_path) == 1


def test_a_replacement_takes_along_what_dead_writers_left(tmp_path: Path) -> None:
    beside(tmp_path / "f").write_bytes(b"forgotten since")
    replace_file(tmp_path / "g", b"")

    assert names(tmp_path) == ["g"]


def test_a_file_is_safe_from_sweeps_from_the_moment_it_is_handed_out(tmp_path: Path) -> None:
    over = threading.Event()

    def sweep_on() -> None:
        while not over.is_set():
            sweep(tmp_path)

    thread = threading.Thread(target=sweep_on)
    thread.start()
    lost = 0
    for _ in range(500):
        fd, new = create_beside(tmp_path / "f")
        lost += not new.exists()
        os.close(fd)
    over.set()
    thread.join()

    assert lost == 0


def test_a_sweep_passes_over_what_it_may_not_touch(
    protected_dir: Path, unprivileged: Unprivileged
) -> None:
    beside(protected_dir / "f").touch(mode=0o444)
    protected_dir.chmod(0o555)

    with unprivileged():
        assert sweep(protected_dir) == 0
    assert sweep(protected_dir / "missing") == 0


def test_names_made_on_the_way_are_known_as_such(tmp_path: Path) -> None:
    made = {beside(tmp_path / "x\ny.md").name for _ in range(50)}

    assert len(made) == 50
    assert all(is_leftover(name) for name in made)
    assert not is_leftover("x.tmp")
