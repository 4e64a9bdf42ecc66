"""What the embedder does with odd texts, long ones, several threads and models that don't fit."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder
from litemem.embed.vectors import cosine, unpack
from litemem.errors import InvalidValue, ModelError
from litemem.types import Embedder, Vector
from tests.embed.tiny import TABLE, make_model, write_sums

NO_TOKEN = ("", " ", "\n\n\t", "\u200b", "\ufeff", "\u2028", "\x01", "\ud800", "\ufffd")
NAN = float("nan")


def test_a_text_without_a_token_has_no_vector(e5: OnnxEmbedder, fast: OnnxEmbedder) -> None:
    for embedder in (e5, fast):
        vectors = embedder.embed_passages(["tea", *NO_TOKEN, "tea"])

        assert vectors[0] == vectors[-1] is not None
        assert vectors[1:-1] == [None] * len(NO_TOKEN)
        assert [embedder.embed_query(text) for text in NO_TOKEN] == [None] * len(NO_TOKEN)


def test_a_text_of_unknown_tokens_has_no_vector_of_zeros(fast: OnnxEmbedder) -> None:
    assert fast.embed_passages(["数据库", "😀"]) == [None, None]
    assert fast.embed_query("数据库") is None


def test_half_a_character_is_read_as_a_replacement_mark(e5: OnnxEmbedder) -> None:
    assert e5.embed_passages(["likes \udc80 tea"]) == e5.embed_passages(["likes \ufffd tea"])


def test_no_text_gives_no_vector(fast: OnnxEmbedder) -> None:
    assert fast.embed_passages([]) == []


def test_a_text_is_cut_at_the_models_limit(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(make_model(tmp_path, max_tokens=8))
    eight = "red " * 7 + "green"

    assert embedder.embed_passages([eight + " blue stone"]) == embedder.embed_passages([eight])
    assert embedder.embed_passages([eight]) != embedder.embed_passages(["red " * 7])


def test_the_default_models_limit_counts_prefix_and_marks(e5: OnnxEmbedder) -> None:
    room = 512 - 4  # <s> passage : ... </s>
    full = " ".join(["tea"] * room)

    assert e5.count_tokens(full) == room
    at_limit, beyond, other = e5.embed_passages([full, full + " Lisbon", full[:-3] + "Lisbon"])
    assert at_limit == beyond != other


def test_ten_megabytes_cost_no_more_than_the_limit(fast: OnnxEmbedder) -> None:
    huge = "the harbour at night " * 500_000

    assert fast.embed_passages([huge]) == fast.embed_passages([huge[:10_000]])


@given(st.text(max_size=60))
def test_any_text_has_a_unit_vector_or_none(fast: OnnxEmbedder, text: str) -> None:
    (vector,) = fast.embed_passages([text])

    assert vector is None or abs(cosine(vector, vector) - 1.0) < 1e-5


@given(st.text(max_size=40), st.integers(1, 600))
def test_tokens_are_counted_beyond_the_limit(fast: OnnxEmbedder, text: str, times: int) -> None:
    long = (text + " ") * times
    whole = _UNLIMITED.encode(long.encode("utf-8", "replace").decode(), add_special_tokens=False)

    assert fast.count_tokens(long) == len(whole)


_UNLIMITED = Tokenizer.from_file(str(find_model("fast", {}) / "tokenizer.json"))


def test_prefixes_and_further_inputs_are_given_to_the_graph(tmp_path: Path) -> None:
    folder = make_model(
        tmp_path,
        inputs=["input_ids", "attention_mask", "token_type_ids"],
        query_prefix="red ",
        passage_prefix="green ",
    )
    embedder: Embedder = OnnxEmbedder(folder)

    assert _numbers(embedder.embed_query("blue")) == pytest.approx([0.5**0.5, 0.0, 0.5**0.5])
    assert _numbers(embedder.embed_passages(["blue"])[0]) == pytest.approx(
        [0.0, 0.5**0.5, 0.5**0.5]
    )
    assert embedder.embed_passages([""]) == [None]
    assert embedder.embed_query("") is None


def test_many_texts_keep_their_order_over_threads(tmp_path: Path) -> None:
    folder = make_model(tmp_path, inputs=["input_ids", "attention_mask"], max_tokens=64)
    texts = ["red " * n + "green " * (n % 7) + "blue" for n in range(60)] * 5
    embedder = OnnxEmbedder(folder, threads=3)

    assert embedder.embed_passages(texts) == [embedder.embed_query(text) for text in texts]


def test_a_negative_thread_count_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="threads is -1"):
        OnnxEmbedder(make_model(tmp_path), threads=-1)


def test_a_model_is_read_only_when_the_first_text_comes(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    (folder / "model.onnx").unlink()
    embedder = OnnxEmbedder(folder)

    assert (embedder.name, embedder.dimension) == ("tiny", 3)
    with pytest.raises(ModelError, match=r"model\.onnx is missing"):
        embedder.embed_query("red")


def test_a_model_that_was_put_right_loads_at_the_next_text(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    weights = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(weights[:-1])
    embedder = OnnxEmbedder(folder)
    with pytest.raises(ModelError):
        embedder.embed_query("red")
    (folder / "model.onnx").write_bytes(weights)

    assert embedder.embed_query("red") is not None


_LOADS = """
import sys, threading
from pathlib import Path
from litemem.embed.onnx import OnnxEmbedder

opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
embedder, start, got = OnnxEmbedder(Path(sys.argv[1])), threading.Barrier(4), []

def use():
    start.wait()
    got.append(embedder.embed_query("red"))

threads = [threading.Thread(target=use) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sum(name.endswith("model.onnx") for name in opened), len(got), len(set(got)))
"""


def test_first_uses_at_once_load_the_model_once(tmp_path: Path) -> None:
    assert _python(_LOADS, make_model(tmp_path)) == "1 4 1"


_BROKEN_IMPORT = """
import sys
from pathlib import Path
from litemem.embed.onnx import OnnxEmbedder
from litemem.errors import ModelError
try:
    OnnxEmbedder(Path(sys.argv[1])).embed_query("red")
except ModelError as error:
    print(error)
"""


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_a_library_that_cant_be_loaded_is_named(tmp_path: Path, library: str) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / f"{library}.py").write_text("raise ImportError('no such DLL')", encoding="utf-8")

    said = _python(_BROKEN_IMPORT, make_model(tmp_path), path=broken)

    assert said == (
        f"{library} can't be loaded (no such DLL); reinstall it, or search by keyword only"
    )


def test_a_graph_of_another_dimension_is_named(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(make_model(tmp_path, dim=4))

    with pytest.raises(ModelError, match=r"model\.onnx gave \(1, 2, 3\), not \(1, 2, 4\)"):
        embedder.embed_query("red sea")


def test_a_graph_without_the_stated_output_is_named(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(make_model(tmp_path, output="pooled"))

    with pytest.raises(ModelError, match=r"model\.onnx failed on a text: .*pooled"):
        embedder.embed_query("red")


def test_a_graph_that_gives_nan_is_named(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(make_model(tmp_path, table=[(NAN, 1.0)] * len(TABLE)))

    with pytest.raises(ModelError, match=r"model\.onnx gave numbers that aren't finite"):
        embedder.embed_passages(["red"])


def test_a_table_that_is_too_short_fails_quietly(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    embedder = OnnxEmbedder(make_model(tmp_path, table=TABLE[:4]))

    with pytest.raises(ModelError, match=r"model\.onnx failed on a text"):
        embedder.embed_passages(["stone"])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_right_but_cant_be_parsed_is_named(tmp_path: Path, file: str) -> None:
    folder = make_model(tmp_path)
    (folder / file).write_bytes(b"of another version")
    write_sums(folder)

    with pytest.raises(ModelError, match=rf"{file} can't be loaded: .*copy the model folder"):
        OnnxEmbedder(folder).embed_query("red")


def test_threads_share_one_embedder(fast: OnnxEmbedder) -> None:
    texts = [f"fact {n} about tea in Lisbon" for n in range(40)]
    alone = fast.embed_passages(texts)
    got: list[list[Vector | None]] = []
    threads = [
        threading.Thread(target=lambda: got.append(fast.embed_passages(texts))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert got == [alone] * 4


def _numbers(vector: Vector | None) -> list[float]:
    assert vector is not None
    return list(unpack(vector))


def _python(code: str, folder: Path, path: Path | None = None) -> str:
    environ = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    run = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return run.stdout.strip()
