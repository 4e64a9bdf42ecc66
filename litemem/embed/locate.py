"""Find the folder of an embedding model by its name or path."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from litemem.errors import ModelError

DEFAULT_MODEL: Final = "me5-small-q4"
ALIASES: Final = {"fast": "potion-8m-int8"}
"""Short name -> folder name."""

MODEL_VARIABLE: Final = "LITEMEM_MODEL"
_PACKAGE: Final = Path(__file__).resolve().parent.parent


def find_model(
    argument: str | os.PathLike[str] | None, environ: Mapping[str, str], package: Path = _PACKAGE
) -> Path:
    """
    Return the folder of the model that is asked for, as an absolute path.

    The argument wins over `LITEMEM_MODEL`, and that over the default; an empty one counts as
    absent. A name is looked up in the checkout's `models/` where the package lies in a checkout
    (an editable install leaves a second, aging copy in site-packages), else in `litemem/models/`,
    where a wheel has it. What isn't a name is a folder; a name wins over a folder called the same.

    Args:
        argument: a name ("me5-small-q4", "fast") or a folder.
        environ: where `LITEMEM_MODEL` is looked up.
        package: where litemem lies; only tests have another.

    Raises:
        ModelError: no such name and no such folder; names what is known.
    """
    asked = os.fspath(argument or "") or environ.get(MODEL_VARIABLE) or DEFAULT_MODEL
    name = ALIASES.get(asked, asked)
    named = {folder.name: folder for folder in _bundled(package)}
    if name in named:
        return named[name]
    try:
        folder = Path(asked).expanduser().resolve()
        if folder.is_dir():
            return folder
    except (OSError, RuntimeError, ValueError):  # too long, unknown ~user, NUL
        pass
    raise ModelError(_not_found(asked, name, sorted(named)))


def known_models(package: Path = _PACKAGE) -> tuple[str, ...]:
    """Return the names that `find_model` knows, short ones included, sorted."""
    names = {folder.name for folder in _bundled(package)}
    return tuple(sorted(names | {short for short, name in ALIASES.items() if name in names}))


def _bundled(package: Path) -> Iterator[Path]:
    # Without pyproject.toml this is site-packages, where `models` would be somebody else's.
    checkout = package.parent / "models"
    roots = [checkout] if (package.parent / "pyproject.toml").is_file() else []
    seen = set()
    for root in [*roots, package / "models"]:
        for folder in sorted(root.iterdir()) if root.is_dir() else ():
            if folder.is_dir() and folder.name not in seen:
                seen.add(folder.name)
                yield folder


def _not_found(asked: str, name: str, known: list[str]) -> str:
    if name == DEFAULT_MODEL or asked in ALIASES:
        return f"the bundled model {name!r} is missing from the installation; reinstall litemem"
    if Path(asked).name != asked:
        return f"there is no model folder {asked}; give the path of a folder with a model.json"
    names = ", ".join([*known, *(short for short, long in ALIASES.items() if long in known)])
    return f"unknown model {asked!r}; known are {names or 'none'}, or give the path of a folder"
