"""Ids of facts: random for lines we write, derived for lines a person wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u to misread
_CHARS = 9  # 45 bits: two of 13,000 ids meet with a chance of 2e-6


def new_id(rng: Callable[[int], bytes]) -> str:
    """
    Make a fresh id: `m` and 9 base32 characters.

    Args:
        rng: gives that many random bytes, e.g. `os.urandom`.
    """
    return "m" + _base32(rng(6))


def derived_id(key: str, text: str, occurrence: int) -> str:
    """
    Give a hand-written line its id: `h` and 9 base32 characters, the same on every reading.

    Args:
        key: the file below the home folder, e.g. `memory/2026-02-08.md`.
        text: the fact's content.
        occurrence: how many equal texts without an id stand above it in that file.
    """
    seed = f"{key}\0{occurrence}\0{text}".encode(errors="surrogatepass")
    return "h" + _base32(hashlib.sha256(seed).digest())


def _base32(seed: bytes) -> str:
    number = int.from_bytes(seed[:6], "big") >> 3
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(5 * (_CHARS - 1), -1, -5))
