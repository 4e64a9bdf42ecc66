"""Tokens: made once, kept private, one user's each."""

from __future__ import annotations

import hashlib
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import FileTrouble, FormatError, InvalidName, InvalidValue
from litemem.server.run import check_binding, is_loopback
from litemem.server.tokens import Tokens, add_user, own_token, read_token
from litemem.settings import Home


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_start_makes_a_token_that_only_the_owner_can_read(home: Path) -> None:
    token = own_token(Home(home))

    assert len(token) >= 43  # 256 bits
    assert (home / "server-token").read_text().strip() == token
    assert mode(home / "server-token") == 0o600
    assert own_token(Home(home)) == token
    assert Tokens(Home(home)).user_of(token) == "default"


def test_a_token_that_others_could_read_is_made_private_again(home: Path) -> None:
    token = own_token(Home(home))
    (home / "server-token").chmod(0o644)

    assert own_token(Home(home)) == token
    assert mode(home / "server-token") == 0o600


def test_starts_at_once_agree_on_one_token(home: Path) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(own_token(Home(home)))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 8
    assert len(set(found)) == 1


def test_another_users_token_is_kept_as_a_hash(home: Path) -> None:
    token = add_user(Home(home), "bob")

    assert token not in (home / "server-users.json").read_text()
    assert mode(home / "server-users.json") == 0o600
    assert Tokens(Home(home)).user_of(token) == "bob"


def test_a_users_new_token_ends_the_former_one(home: Path) -> None:
    tokens = Tokens(Home(home))
    first, eve = add_user(Home(home), "bob"), add_user(Home(home), "eve")
    second = add_user(Home(home), "bob")
    tokens.reload()

    assert [tokens.user_of(one) for one in (first, second, eve)] == [None, "bob", "eve"]
    assert len(tokens) == 2


def test_the_default_users_new_token_ends_the_former_one(home: Path) -> None:
    first = own_token(Home(home))
    (home / "server-token").chmod(0o644)
    tokens = Tokens(Home(home))
    second = add_user(Home(home), "default")

    assert second == own_token(Home(home)) != first
    assert mode(home / "server-token") == 0o600
    assert tokens.reload() == {"default"}
    assert [tokens.user_of(one) for one in (first, second)] == [None, "default"]


def test_the_default_user_can_be_added_before_the_first_start(home: Path) -> None:
    token = add_user(Home(home), "default")
    assert token == own_token(Home(home))
    assert mode(home / "server-token") == 0o600


@pytest.mark.parametrize("name", ["server-token", "server-users.json"])
def test_a_link_is_refused_and_what_it_leads_to_left_alone(
    home: Path, tmp_path: Path, name: str
) -> None:
    own_token(Home(home))
    add_user(Home(home), "bob")
    elsewhere = tmp_path / "elsewhere"
    (home / name).rename(elsewhere)
    elsewhere.chmod(0o644)
    before = elsewhere.read_bytes()
    (home / name).symlink_to(elsewhere)
    user = "default" if name == "server-token" else "bob"

    for work in (Tokens, lambda home: add_user(home, user)):
        with pytest.raises(FileTrouble, match=f"{name} is a symbolic link"):
            work(Home(home))
    assert (elsewhere.read_bytes(), mode(elsewhere)) == (before, 0o644)


def test_a_link_to_nothing_is_refused(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "server-token").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FileTrouble, match="symbolic link"):
        own_token(Home(home))
    assert not (tmp_path / "elsewhere").exists()


def test_no_token_is_good_while_their_file_is_damaged(home: Path) -> None:
    token = own_token(Home(home))
    tokens = Tokens(Home(home))
    (home / "server-token").write_bytes(b"")
    for _ in range(2):
        with pytest.raises(FormatError):
            tokens.reload()
    assert tokens.user_of(token) is None

    new = add_user(Home(home), "default")
    assert tokens.reload() == {"default"}
    assert tokens.user_of(new) == "default"


@pytest.mark.parametrize("user", ["../x", "", "a/b", "CON", "DEFAULT"])
def test_a_user_that_is_no_file_name_gets_no_token(home: Path, user: str) -> None:
    with pytest.raises(InvalidName):
        add_user(Home(home), user)
    assert not (home / "server-users.json").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"short\n",
        b"\xff\xfe",
        b"a" * 64,
        b"ab" * 32,
        b"\x01\x02\x03\x04\x05\x06\x07\x08" * 8,
        bytes(range(128, 192)),
        b"two words " * 8,
        b"0123456789abcdef" + b"\n" + b"0123456789abcdef",
    ],
)
def test_a_damaged_or_weak_token_is_an_error_not_an_open_door(home: Path, data: bytes) -> None:
    own_token(Home(home))
    (home / "server-token").write_bytes(data)

    with pytest.raises(FormatError, match="--add-user default"):
        Tokens(Home(home))


@given(st.binary(min_size=16, max_size=48))
def test_a_random_token_of_ones_own_is_taken(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    home = tmp_path_factory.getbasetemp() / "own"
    home.mkdir(exist_ok=True)
    token = hashlib.sha256(raw).hexdigest()[: 2 * len(raw)]
    (home / "server-token").write_text(token + "\n")

    assert own_token(Home(home)) == token


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a": "zz"}', b'{"a": "00"}', b'{"a": 3}', b"{"])
def test_damaged_hashes_are_an_error(home: Path, data: bytes) -> None:
    add_user(Home(home), "bob")
    (home / "server-users.json").write_bytes(data)

    with pytest.raises(FormatError, match="hashes"):
        Tokens(Home(home))


@pytest.mark.parametrize("odd", ["", "\ud800", "x" * 10_000, "é"])
def test_an_odd_token_is_nobodys(home: Path, odd: str) -> None:
    own_token(Home(home))
    assert Tokens(Home(home)).user_of(odd) is None


def test_without_a_token_only_this_machine_is_answered(home: Path) -> None:
    home.mkdir()
    tokens = Tokens(Home(home))
    assert read_token(Home(home)) is None

    for host in ("127.0.0.1", "::1", "localhost", "127.5.5.5"):
        check_binding(host, tokens)
        assert is_loopback(host)
    for host in ("0.0.0.0", "::", "10.0.0.5", "example.org"):
        with pytest.raises(InvalidValue, match="no token"):
            check_binding(host, tokens)
    own_token(Home(home))
    tokens.reload()
    check_binding("0.0.0.0", tokens)
