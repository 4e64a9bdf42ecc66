"""Where a model is looked for, and in which order."""

from pathlib import Path

import pytest

from litemem.embed.locate import DEFAULT_MODEL, find_model, known_models
from litemem.embed.onnx import OnnxEmbedder
from litemem.errors import ModelError
from tests.embed.tiny import make_model

CHECKOUT = Path(__file__).resolve().parents[2]


def _install(root: Path, *names: str, checkout: bool = False) -> Path:
    """Lay out a package with models in it, or a checkout with models beside it."""
    package = root / "litemem"
    package.mkdir(parents=True, exist_ok=True)
    if checkout:
        (root / "pyproject.toml").touch()
    for name in names:
        ((root if checkout else package) / "models" / name).mkdir(parents=True)
    return package


def test_nothing_asked_for_is_the_default_model() -> None:
    assert find_model(None, {}) == CHECKOUT / "models" / DEFAULT_MODEL
    assert find_model("", {"LITEMEM_MODEL": ""}) == find_model(None, {})


def test_the_argument_wins_over_the_environment() -> None:
    environ = {"LITEMEM_MODEL": "fast"}

    assert find_model(None, environ).name == "potion-8m-int8"
    assert find_model("me5-small-q4", environ).name == "me5-small-q4"


def test_a_short_name_and_the_real_one_are_one_model() -> None:
    assert find_model("fast", {}) == find_model("potion-8m-int8", {})
    assert known_models() == ("fast", "me5-small-q4", "potion-8m-int8")


def test_a_checkout_wins_over_the_copy_in_the_package(tmp_path: Path) -> None:
    _install(tmp_path, "me5-small-q4", checkout=True)
    package = _install(tmp_path, "me5-small-q4", "other")

    assert find_model(None, {}, package) == tmp_path / "models" / "me5-small-q4"
    assert find_model("other", {}, package) == package / "models" / "other"


def test_a_foreign_models_folder_beside_an_installed_package_isnt_ours(tmp_path: Path) -> None:
    package = _install(tmp_path, "me5-small-q4")
    (tmp_path / "models" / "me5-small-q4").mkdir(parents=True)
    (tmp_path / "models" / "README.md").touch()

    assert find_model(None, {}, package) == package / "models" / "me5-small-q4"


def test_another_folder_of_the_same_shape_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_model(tmp_path / "my models", name="own")
    monkeypatch.chdir(tmp_path)

    assert find_model(str(folder), {}) == folder
    assert find_model(folder, {}) == folder
    assert find_model(None, {"LITEMEM_MODEL": "my models/own"}) == folder
    assert OnnxEmbedder(find_model("my models/own", {})).embed_query("red") is not None


def test_a_name_wins_over_a_folder_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fast").mkdir()
    monkeypatch.chdir(tmp_path)

    assert find_model("fast", {}).name == "potion-8m-int8"
    assert find_model("./fast", {}) == tmp_path / "fast"


def test_a_folder_may_be_below_the_persons_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert find_model("~/m", {}) == tmp_path / "m"


@pytest.mark.parametrize("name", ["bge", "me5-small-q4\0", "x" * 5000, "~nobody-here"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        find_model(name, {})

    said = str(caught.value)
    assert "me5-small-q4, potion-8m-int8, fast, or give the path of a folder" in said


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(ModelError, match="there is no model folder /no/where"):
        find_model("/no/where", {})


def test_a_bundled_model_that_isnt_there_asks_to_reinstall(tmp_path: Path) -> None:
    package = _install(tmp_path, "potion-8m-int8")

    with pytest.raises(ModelError, match=r"'me5-small-q4' is missing .*reinstall litemem"):
        find_model(None, {}, package)
    with pytest.raises(ModelError, match="known are none, or give"):
        find_model("bge", {}, _install(tmp_path / "bare"))
