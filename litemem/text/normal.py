"""When two texts say the same: case, blanks and final punctuation apart."""

from __future__ import annotations

import unicodedata

_FINAL = " .!?…‽⁇⁈⁉。．｡！？؟۔।॥"


def normalise(text: str) -> str:
    """
    Give the form in which texts are compared; never '' for a text that isn't.

    Canonical caseless form (Unicode 3.13, D145), one space for each run of blanks, no final
    punctuation.
    """
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())
    spaced = unicodedata.normalize("NFC", " ".join(folded.split()))
    return spaced.rstrip(_FINAL) or spaced or text
