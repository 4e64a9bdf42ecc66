"""Tokens: made once, kept private, one user's each."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from litemem.errors import FormatError, InvalidName, InvalidValue
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


def test_the_default_users_token_is_the_one_of_the_file(home: Path) -> None:
    assert add_user(Home(home), "default") == own_token(Home(home))


@pytest.mark.parametrize("user", ["../x", "", "a/b", "CON", "DEFAULT"])
def test_a_user_that_is_no_file_name_gets_no_token(home: Path, user: str) -> None:
    with pytest.raises(InvalidName):
        add_user(Home(home), user)
    assert not (home / "server-users.json").exists()


@pytest.mark.parametrize("data", [b"", b"short\n", b"\xff\xfe"])
def test_a_damaged_token_is_an_error_not_an_open_door(home: Path, data: bytes) -> None:
    own_token(Home(home))
    (home / "server-token").write_bytes(data)

    with pytest.raises(FormatError, match="remove the file"):
        Tokens(Home(home))


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
