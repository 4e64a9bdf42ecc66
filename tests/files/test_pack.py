"""Trees of files packed and read again: whole or not at all, and nothing hostile taken."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.errors import FileTrouble, FormatError, InvalidValue
from litemem.files.leftover import remove_tree
from litemem.files.pack import packing
from litemem.files.treecheck import Limits
from litemem.files.unpack import open_tree

KINDS = ("tree", "tree.zip", "tree.tar.gz", "tree.tgz")

words = st.text(st.sampled_from("abcü日"), min_size=1, max_size=3)
trees = st.dictionaries(
    st.lists(words, min_size=1, max_size=3).map("/".join), st.binary(max_size=40), max_size=6
).filter(lambda tree: not any(f"{name}/" in other for name in tree for other in tree))


def read(path: Path, limits: Limits | None = None) -> dict[str, bytes]:
    """Return the files of a tree."""
    return {entry.name: entry.read() for entry in open_tree(path, limits).entries()}


def names_in(folder: Path) -> list[str]:
    """Return what stands in a folder."""
    return sorted(path.name for path in folder.iterdir())


def pack(path: Path, files: dict[str, bytes], *, force: bool = False) -> Path:
    """Write a tree."""
    with packing(path, force=force) as packer:
        for name, data in files.items():
            packer.add(name, data, 1_700_000_000.0)
    return path


@settings(max_examples=40)
@given(trees, st.sampled_from(KINDS))
def test_what_is_packed_is_read_again(tree: dict[str, bytes], kind: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert read(pack(Path(folder) / kind, tree)) == tree
        assert names_in(Path(folder)) == [kind]


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_else_can_read_it(tmp_path: Path, kind: str) -> None:
    path = pack(tmp_path / kind, {"a/b": b"x"})

    modes = {stat.S_IMODE(one.stat().st_mode) for one in (path, *path.rglob("*"))}
    assert modes <= {0o600, 0o700}


@pytest.mark.parametrize("kind", KINDS)
def test_after_an_error_nothing_new_is_there(tmp_path: Path, kind: str) -> None:
    path = pack(tmp_path / kind, {"a": b"old"})

    with suppress(ZeroDivisionError), packing(path, force=True) as packer:
        packer.add("a", b"new", 0.0)
        raise ZeroDivisionError

    assert read(path) == {"a": b"old"}
    assert names_in(tmp_path) == [kind]


@pytest.mark.parametrize("kind", KINDS)
def test_only_force_replaces(tmp_path: Path, kind: str) -> None:
    path = pack(tmp_path / kind, {"a": b"old"})

    with pytest.raises(InvalidValue, match="is there already"):
        pack(path, {"a": b"new"})
    assert read(path) == {"a": b"old"}
    pack(path, {"b": b"new"}, force=True)
    assert read(path) == {"b": b"new"}
    assert names_in(tmp_path) == [kind]


def test_a_link_to_a_folder_is_replaced_and_the_folder_stays(tmp_path: Path) -> None:
    pack(tmp_path / "real", {"a": b"old"})
    (tmp_path / "link").symlink_to(tmp_path / "real")

    pack(tmp_path / "link", {"b": b"new"}, force=True)

    assert read(tmp_path / "link") == {"b": b"new"}
    assert read(tmp_path / "real") == {"a": b"old"}


def test_targets_that_can_t_be_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=r"an archive ends with .zip, .tar.gz, .tgz"):
        pack(tmp_path / "tree.tar.xz", {})
    with pytest.raises(FileTrouble, match="there is no folder"):
        pack(tmp_path / "missing" / "tree", {})


def test_what_a_killed_export_left_long_ago_goes(tmp_path: Path) -> None:
    old, new = (tmp_path / f".tree.{name}.partial" for name in ("old", "new"))
    for folder in (old, new):
        folder.mkdir()
        (folder / "a").write_bytes(b"")
    os.utime(old, (1, 1))

    pack(tmp_path / "tree", {})

    assert names_in(tmp_path) == [".tree.new.partial", "tree"]


def zipped(path: Path, *names: str, mode: int = 0, data: bytes = b"x") -> Path:
    """Make a zip archive as somebody else would."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            info.filename = info.orig_filename = name
            info.external_attr = mode << 16
            archive.writestr(info, data)
    return path


def tarred(path: Path, *infos: tarfile.TarInfo, data: bytes = b"x") -> Path:
    """Make a tar archive as somebody else would."""
    with tarfile.open(path, "w:gz") as archive:
        for info in infos:
            if info.isreg():
                info.size = info.size or len(data)
            archive.addfile(info, io.BytesIO(data.ljust(info.size)) if info.isreg() else None)
    return path


HOSTILE = [
    "../evil.md",
    "memory/../../evil.md",
    "/etc/evil.md",
    "memory//evil.md",
    "./memory/../evil.md",
    "C:/evil.md",
    "memory\\evil.md",
    "memory/evil\x07.md",
    "memory/" + "x" * 256,
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_names_that_lead_out_or_harm_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    names = ("memory/good.md", name)
    path = (
        zipped(tmp_path / "a.zip", *names)
        if kind == "zip"
        else tarred(tmp_path / "a.tar.gz", *map(tarfile.TarInfo, names))
    )

    with pytest.raises(InvalidValue, match="nothing was taken from it"):
        open_tree(path)


@pytest.mark.parametrize(
    "names",
    [
        ("memory/a.md", "memory/A.md"),
        ("memory/é.md", "memory/e\u0301.md"),
        ("memory/a.md", "memory/a.md"),
        ("memory/a.md", "Memory/b.md"),
        ("memory/a", "memory/a/b"),
        ("memory/a/b", "memory/a"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_are_one_on_some_systems_are_refused(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    with pytest.raises(InvalidValue, match="on some systems"):
        open_tree(zipped(tmp_path / "a.zip", *names))


def link(kind: bytes) -> tarfile.TarInfo:
    """Return an entry of a tar archive that is no file."""
    info = tarfile.TarInfo("memory/evil.md")
    info.type, info.linkname = kind, "/etc/passwd"
    return info


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE]
)
def test_links_and_devices_in_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    with pytest.raises(InvalidValue, match=r"is a link|is no file"):
        open_tree(tarred(tmp_path / "a.tgz", link(kind)))


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_in_a_zip_are_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(InvalidValue, match=r"is a link|is no file"):
        open_tree(zipped(tmp_path / "a.zip", "memory/evil.md", mode=mode | 0o644))


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", "a")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)

    with pytest.raises(InvalidValue, match="is encrypted"):
        open_tree(path)


def make_link(folder: Path) -> None:
    (folder / "evil.md").symlink_to("/etc/passwd")


def make_pipe(folder: Path) -> None:
    os.mkfifo(folder / "evil.md")


@pytest.mark.parametrize("make", [make_link, make_pipe])
def test_links_and_devices_in_a_folder_are_refused(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path)

    with pytest.raises(InvalidValue, match=r"is a link|is no file"):
        open_tree(tmp_path)


@pytest.mark.parametrize("limits", [Limits(files=2), Limits(file_bytes=9), Limits(all_bytes=29)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_flood_is_refused(tmp_path: Path, limits: Limits, kind: str) -> None:
    path = pack(tmp_path / kind, dict.fromkeys("abc", b"0123456789"))

    assert len(open_tree(path, Limits(files=3, file_bytes=10, all_bytes=30)).names) == 3
    with pytest.raises(InvalidValue, match=r"too large|too many"):
        open_tree(path, limits)


def test_a_huge_header_is_refused_before_it_is_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 1 << 31
    path = tmp_path / "a.tar"
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))

    with pytest.raises(FormatError, match="no whole archive"):
        open_tree(path)


def test_a_file_that_isn_t_as_large_as_it_says_is_an_error(tmp_path: Path) -> None:
    pack(tmp_path / "tree", {"a": b"12345"})
    (entry,) = open_tree(tmp_path / "tree").entries()
    (tmp_path / "tree" / "a").write_bytes(b"123")

    with pytest.raises(FormatError, match="isn't as large"):
        entry.read()


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_torn_archive_is_an_error(tmp_path: Path, kind: str) -> None:
    path = pack(tmp_path / kind, {"a": os.urandom(3000)})
    path.write_bytes(path.read_bytes()[:1500])

    with pytest.raises(FormatError, match="no whole archive"):
        read(path)


def test_what_is_no_tree_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"")

    with pytest.raises(FormatError, match="neither a folder nor an archive"):
        open_tree(tmp_path / "a.txt")
    with pytest.raises(FileTrouble, match="no such file"):
        open_tree(tmp_path / "a.zip")
    with pytest.raises(FileTrouble, match="no such file"):
        open_tree(tmp_path / "a")


def test_a_plain_tar_of_a_folder_is_read_without_its_dot(tmp_path: Path) -> None:
    pack(tmp_path / "tree", {"memory/a.md": b"x"})
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(tmp_path / "tree", ".")

    assert read(tmp_path / "a.tar") == {"memory/a.md": b"x"}


def test_times_before_zip_s_own_are_kept_as_its_first(tmp_path: Path) -> None:
    with packing(tmp_path / "a.zip") as packer:
        packer.add("a", b"", 0.0)

    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.infolist()[0].date_time[0] == 1980


def test_folders_in_an_archive_are_no_files(tmp_path: Path) -> None:
    assert read(zipped(tmp_path / "a.zip", "memory/", "memory/a.md")) == {"memory/a.md": b"x"}


def test_a_zip_packed_in_a_way_that_nobody_knows_is_an_error(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", "a")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 10] = 99  # the method
    path.write_bytes(data)

    with pytest.raises(FormatError, match="of another kind"):
        read(path)


def test_where_the_new_folder_can_t_be_put_the_old_one_stays(tmp_path: Path) -> None:
    path = pack(tmp_path / "tree", {"a": b"old"})

    with suppress(FileTrouble), packing(path, force=True) as packer:
        packer.add("a", b"new", 0.0)
        (partial,) = tmp_path.glob(".tree.*")
        remove_tree(partial)

    assert read(path) == {"a": b"old"}
    assert names_in(tmp_path) == ["tree"]
