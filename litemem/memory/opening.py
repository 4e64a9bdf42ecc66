"""Open a home folder: settings, model, index; and build the index anew where it can't be used."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from litemem.embed.identity import identity
from litemem.embed.locate import DEFAULT_MODEL, MODEL_VARIABLE, find_model, known_models
from litemem.errors import IndexDamaged, ModelError, SettingsError
from litemem.files.folders import make_folder
from litemem.files.leftover import sweep
from litemem.index.schema import Fingerprint
from litemem.index.store import NO_MODEL as WITHOUT_MODEL
from litemem.index.store import Index
from litemem.memory.workspace import (
    Clock,
    Embedders,
    Followed,
    Options,
    Progress,
    RandomBytes,
    Workspace,
)
from litemem.settings import Home, Settings, load_settings, write_settings
from litemem.settings import zone as zone_of
from litemem.types import Embedder

if TYPE_CHECKING:
    from litemem.memory.rebuild import RebuildReport

logger = logging.getLogger(__name__)

NO_MODEL = "none"
HASH_MODEL = "hash"


def open_workspace(home: Home, options: Options, *, clock: Clock, rng: RandomBytes) -> Workspace:
    """
    Open a home, making it where it doesn't exist.

    Raises SettingsError (damaged, or another model was asked for than the home has), ReadOnly
    and IndexTrouble.
    """
    settings = _settings(home, options)
    zone = zone_of(settings)
    followed = Followed(home=home, zone=zone, readers=options.readers)
    made_with = fingerprint(settings.model, options.embedder)
    try:
        index = Index.open(home.index, made_with)
    except IndexDamaged as error:
        from litemem.memory.rebuild import rebuild_keywords

        _tell(error)
        index = rebuild_keywords(followed, made_with)
    space = Workspace(
        home=home,
        settings=settings,
        zone=zone,
        followed=followed,
        index=index,
        options=options,
        embedders=Embedders(lambda: start_embedder(settings.model, options)),
        clock=clock,
        rng=rng,
    )
    sweep(home.root)
    if any(".rebuild-" in name for name in os.listdir(home.root)):  # noqa: PTH208  # names alone
        from litemem.index.rebuild import sweep as sweep_sides

        sweep_sides(home.index)
    if home.forgetting.exists():
        from litemem.memory.forget import finish_forgetting

        finish_forgetting(space)
    return space


def heal(space: Workspace, error: IndexDamaged) -> None:
    """Build the index of an open home anew, whatever is in its file."""
    from litemem.memory.rebuild import rebuild_keywords

    _tell(error)
    made_with = fingerprint(space.settings.model, space.options.embedder)
    space.index.close()
    space.index = rebuild_keywords(space.followed, made_with, anyway=True)


def _tell(error: IndexDamaged) -> None:
    # Without the way out, as it's being taken.
    logger.warning("building the index anew: %s", str(error).partition("; run ")[0])


def fingerprint(model: str, embedder: Embedder | None) -> Fingerprint | None:
    """Return what an index of this model carries; None where the model can't be found."""
    if embedder is None and model == HASH_MODEL:
        embedder = _hash_embedder()
    if embedder is not None:
        return Fingerprint(
            model=embedder.name, dimension=embedder.dimension, model_sha256=embedder.sha256
        )
    if model == NO_MODEL:
        return None
    try:
        found = identity(find_model(model, {}))
    except ModelError as error:
        logger.warning("keyword search only: %s", error)
        return None
    return Fingerprint(model=found.name, dimension=found.dimension, model_sha256=found.sha256)


def start_embedder(model: str, options: Options) -> Embedder | None:
    """Return the home's embedder, ready to load; None for "none". Raises ModelError."""
    if options.embedder is not None:
        return options.embedder
    if model == NO_MODEL:
        return None
    if model == HASH_MODEL:
        return _hash_embedder()
    from litemem.embed.onnx import OnnxEmbedder

    return OnnxEmbedder(find_model(model, {}), threads=options.threads)


def _settings(home: Home, options: Options) -> Settings:
    asked = options.embedder.name if options.embedder else options.model
    known = load_settings(home)
    if known is not None:
        if asked is not None and not _same_model(asked, known.model):
            msg = f"{home.root} uses the model {known.model!r}, not {asked!r}; change it with " + (
                "Memory.rebuild(embedder=...), the home opened without embedder"
                if options.embedder
                else f"'litemem index rebuild --model {asked}'"
            )
            raise SettingsError(msg)
        return known
    model = asked or options.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL
    stored = model if options.embedder else stored_model(model)
    make_folder(home.root)
    settings = Settings(model=stored, time_zone=options.time_zone)
    write_settings(home, settings)
    return settings


def rebuild_home(
    space: Workspace,
    model: str | None,
    progress: Progress | None,
    *,
    embedder: Embedder | None = None,
) -> RebuildReport:
    """
    Build the index anew with the home's model, or with another one that becomes the home's.

    Args:
        space: the home.
        model: another model's name or folder.
        progress: called while texts are embedded.
        embedder: a caller's own, instead.

    Raises ModelError and EmbedError; the old index stays.
    """
    from litemem.memory.rebuild import rebuild

    options, settings, embedders = space.options, space.settings, space.embedders
    if embedder is not None or model not in (None, space.settings.model):
        options = replace(space.options, model=model, embedder=embedder)
        name = embedder.name if embedder is not None else stored_model(model or "")
        settings = replace(space.settings, model=name)
        embedders = Embedders(lambda: start_embedder(settings.model, options))
    chosen = None if settings.model == NO_MODEL else embedders.required()
    made_with = fingerprint(settings.model, options.embedder)
    report = rebuild(space, chosen, made_with, settings, progress)
    space.settings, space.options, space.embedders = settings, options, embedders
    if (made_with or WITHOUT_MODEL) != space.index.fingerprint:
        old, space.index = space.index, Index.open(space.home.index, made_with)
        old.close()
    return report


def _hash_embedder() -> Embedder:
    from litemem.embed.hashing import HashEmbedder

    return HashEmbedder()


def stored_model(model: str) -> str:
    """Return how the settings name a model: a folder by its whole path. Raises ModelError."""
    if not model:
        msg = f"the model's name is empty; give one of {', '.join((NO_MODEL, *known_models()))}"
        raise ModelError(msg)
    if model in (NO_MODEL, HASH_MODEL, *known_models()):
        return model
    return str(find_model(model, {}))


def _same_model(asked: str, known: str) -> bool:
    if asked == known:
        return True
    try:
        return find_model(asked, {}) == find_model(known, {})
    except ModelError:
        return False
