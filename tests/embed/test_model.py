"""A model folder that isn't as it should be is an error that names the file and the way out."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.embed.identity import identity
from litemem.embed.model import read_model, verify
from litemem.embed.onnx import OnnxEmbedder
from litemem.errors import ModelError
from tests.embed.tiny import make_model, write_sums

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
keys = st.sampled_from(
    (
        *("name", "dim", "max_tokens", "query_prefix", "passage_prefix", "pad_id", "inputs"),
        *("output", "pooling", "normalize", "similarity", "query_centering", "vector_weight"),
    )
)


def test_a_folder_that_isnt_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model folder .*gone"):
        read_model(tmp_path / "gone")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "model.json", "SHA256SUMS"])
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    folder = make_model(tmp_path)
    (folder / file).unlink()

    with pytest.raises(ModelError, match=rf"{file} is missing; copy the model folder again"):
        OnnxEmbedder(folder).embed_query("red")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "model.json", "SHA256SUMS"])
def test_a_file_that_cant_be_read_is_named(tmp_path: Path, file: str) -> None:
    folder = make_model(tmp_path)
    (folder / file).unlink()
    (folder / file).mkdir()

    with pytest.raises(ModelError, match=rf"can't read .*{file}: "):
        OnnxEmbedder(folder).embed_query("red")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "model.json"])
def test_one_changed_bit_is_named(tmp_path: Path, file: str) -> None:
    folder = make_model(tmp_path)
    data = bytearray((folder / file).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / file).write_bytes(data)

    with pytest.raises(ModelError, match=rf"{file} isn't the file that SHA256SUMS names"):
        OnnxEmbedder(folder).embed_query("red")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_file_without_a_sum_is_named(tmp_path: Path, file: str) -> None:
    folder = make_model(tmp_path)
    sums = (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    kept = [line for line in sums if not line.endswith(file)]
    (folder / "SHA256SUMS").write_text("\n".join(kept), encoding="ascii")

    with pytest.raises(ModelError, match=rf"SHA256SUMS has no line for {file}"):
        read_model(folder)


def test_sums_may_be_in_capitals_binary_marked_and_without_the_spec(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    lines = (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    told = [line.replace("  ", " *") for line in lines if not line.endswith("model.json")]
    told = [line[:64].upper() + line[64:] for line in told]
    (folder / "SHA256SUMS").write_text("\r\n".join(told), encoding="ascii")
    (folder / "model.json").write_bytes((folder / "model.json").read_bytes() + b"\n")

    verify(read_model(folder))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "\xff", '{"dim": 3', "[" * 100_000, '{"dim": 3}']
)
def test_damaged_json_is_named(tmp_path: Path, text: str) -> None:
    folder = make_model(tmp_path)
    (folder / "model.json").write_bytes(text.encode("latin-1"))
    write_sums(folder)

    with pytest.raises(ModelError, match=r"model\.json is damaged: .*copy the model folder again"):
        read_model(folder)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("dim", 0, "`dim` must be a whole number from 1"),
        ("dim", True, "`dim` must be a whole number"),
        ("dim", 10**9, "`dim` must be a whole number"),
        ("dim", None, "`dim` must be a whole number"),
        ("max_tokens", "512", "`max_tokens` must be a whole number"),
        ("pad_id", -1, "`pad_id` must be a whole number from 0"),
        ("query_prefix", 3, "`query_prefix` must be text"),
        ("inputs", ["pixels"], "`inputs` must list input_ids"),
        ("inputs", "input_ids", "`inputs` must list input_ids"),
        ("inputs", [["input_ids"]], "`inputs` must list input_ids"),
        ("pooling", "cls", "only `pooling` mean"),
        ("normalize", False, "only `pooling` mean"),
        ("similarity", 3, "`similarity` must be an object"),
        ("similarity", {"typical_unrelated": 0.5}, "`typical_related` must be a number"),
        ("similarity", {"typical_unrelated": 0.5, "typical_related": 0.5}, "must be below"),
        ("query_centering", float("nan"), "`query_centering` must be a number in 0..1"),
        ("vector_weight", 1.5, "`vector_weight` must be a number in 0..1"),
        ("vector_weight", True, "`vector_weight` must be a number in 0..1"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, key: str, value: object, says: str) -> None:
    folder = make_model(tmp_path, inputs=["input_ids"])
    _change(folder, {key: value})

    with pytest.raises(ModelError) as caught:
        read_model(folder)
    assert says in str(caught.value)


@given(st.dictionaries(keys, json_values, max_size=4))
def test_any_model_json_is_read_or_named(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]
) -> None:
    folder = make_model(tmp_path_factory.mktemp("model"))
    _change(folder, changes)

    try:
        said = f"model.json names {read_model(folder).name}"
    except ModelError as error:
        said = str(error)
    assert "model.json" in said


def test_a_spec_may_leave_out_what_has_a_default(tmp_path: Path) -> None:
    spec = read_model(make_model(tmp_path, name="short", inputs=["input_ids", "attention_mask"]))

    assert (spec.name, spec.output, spec.pad_id) == ("short", "last_hidden_state", 0)
    assert (spec.query_prefix, spec.passage_prefix) == ("", "")
    assert (spec.profile.query_centering, spec.profile.vector_weight) == (0.0, 0.6)


@pytest.mark.parametrize(
    ("changes", "is_another"),
    [
        ({"query_prefix": "ask "}, True),
        ({"passage_prefix": "say "}, True),
        ({"max_tokens": 9}, True),
        ({"similarity": {"typical_unrelated": 0.2, "typical_related": 0.3}}, False),
        ({"query_centering": 0.5, "vector_weight": 0.4}, False),
    ],
)
def test_the_identity_changes_with_what_decides_on_a_vector(
    tmp_path: Path, changes: dict[str, object], *, is_another: bool
) -> None:
    folder = make_model(tmp_path)
    before = identity(folder).sha256
    _change(folder, changes)

    assert (identity(folder).sha256 != before) is is_another


def _change(folder: Path, changes: dict[str, Any]) -> None:
    stated = json.loads((folder / "model.json").read_bytes())
    (folder / "model.json").write_text(json.dumps(stated | changes), encoding="utf-8")
    write_sums(folder)
