"""When two texts say the same: case, blanks and final punctuation apart."""

from __future__ import annotations

import unicodedata

# Not question marks: "He left?" doesn't say what "He left." says.
_FINAL = " .!…。．｡！۔।॥"


def normalise(text: str) -> str:
    """
    Give the form in which texts are compared; never '' for a text that isn't.

    Canonical caseless form (Unicode 3.13, D145), one space for each run of blanks, no final
    punctuation. Of a text of several lines the lines and their indentation count: it may be code.
    """
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", text.strip()).casefold())
    if "\n" not in folded:
        folded = " ".join(folded.split())
    spaced = unicodedata.normalize("NFC", folded)
    short = spaced.rstrip(_FINAL)
    return short if any(map(str.isalnum, short)) else spaced or text
