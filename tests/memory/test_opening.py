"""Opening a home: made where it's missing, its own model, read-only, without a model."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest

import litemem
from litemem.embed.hashing import HashEmbedder
from litemem.errors import EmbedError, FileTrouble, InvalidName, ModelError, SettingsError
from litemem.memory.memory import Memory
from litemem.types import Vector
from tests.conftest import NOW, OpenMemory
from tests.embed.tiny import make_model


class Broken(HashEmbedder):
    """An embedder that fails."""

    def embed_passages(self, texts: object) -> list[Vector | None]:
        """Fail."""
        raise EmbedError("the model is out of order")

    def embed_query(self, text: str) -> Vector | None:
        """Fail."""
        raise EmbedError("the model is out of order")


def test_a_new_home_is_private_and_keeps_its_settings(memory: Memory, home: Path) -> None:
    memory.remember("likes tea")
    settings = json.loads((home / "settings.json").read_text())

    assert settings == {"version": 1, "time_zone": "UTC", "model": "hash"}
    for path in [home, *home.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_the_environment_chooses_home_and_model_of_a_new_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITEMEM_HOME", str(tmp_path / "there"))
    monkeypatch.setenv("LITEMEM_MODEL", "hash")
    with litemem.open() as memory:
        assert (memory.home, memory.model) == (tmp_path / "there", "hash")

    monkeypatch.setenv("LITEMEM_MODEL", "fast")
    with litemem.open() as memory:
        assert memory.model == "hash"


def test_another_model_of_a_known_home_is_refused(opened: OpenMemory) -> None:
    opened()

    with pytest.raises(SettingsError, match="uses the model 'hash', not 'fast'; change it with"):
        opened(model="fast")


def test_two_names_of_one_model_are_the_same(opened: OpenMemory) -> None:
    opened(model="fast").close()

    assert opened(model="potion-8m-int8").model == "fast"


def test_a_model_folder_is_kept_by_its_whole_path(
    opened: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    memory = opened(model=f"./{folder.name}")
    memory.remember("likes tea")

    assert memory.model == str(folder)


def test_an_unknown_model_makes_no_home(opened: OpenMemory, home: Path) -> None:
    with pytest.raises(ModelError, match="nonsense"):
        opened(model="nonsense")

    assert not home.exists()


@pytest.mark.parametrize("user", ["", "..", "a/b"])
def test_a_wrong_user_makes_no_home(opened: OpenMemory, home: Path, user: str) -> None:
    with pytest.raises(InvalidName, match="user id"):
        opened(user_id=user)

    assert not home.exists()
    with pytest.raises(InvalidName, match="user id"):
        opened().for_user(user)


def test_without_a_model_words_are_enough(opened: OpenMemory) -> None:
    memory = opened(model="none")
    done = memory.remember("likes tea")
    found = memory.search("tea")

    assert done.warning == "this home has no embedding model"
    assert [hit.id for hit in found] == [done.id]
    assert found.note == "keyword only: this home has no embedding model"
    assert memory.rebuild().embedded == 0


def test_a_missing_model_leaves_keyword_search_and_says_so(
    opened: OpenMemory, tmp_path: Path
) -> None:
    folder = make_model(tmp_path)
    memory = opened(model=str(folder))
    memory.remember("likes tea")
    memory.close()
    shutil.rmtree(folder)

    again = opened(model=None)
    later = again.remember("likes green tea")

    assert {hit.content for hit in again.search("tea")} == {"likes tea", "likes green tea"}
    assert str(folder) in str(again.search("tea").note)
    assert str(folder) in str(later.warning)
    assert any(str(folder) in note for note in again.doctor().notes)


def test_a_fact_without_a_vector_gets_it_when_an_embedder_appears(opened: OpenMemory) -> None:
    memory = opened(embedder=Broken(), model=None)
    done = memory.remember("likes tea")
    first = memory.search("tea")
    memory.close()

    again = opened(embedder=HashEmbedder(), model=None)
    found = again.search("tea")

    assert "out of order" in str(done.warning)
    assert first.note == "keyword only: the model is out of order"
    assert found.note is None
    assert set(found[0].matched) == {"keyword", "vector"}


def test_a_failing_rebuild_leaves_the_old_index(opened: OpenMemory) -> None:
    memory = opened(embedder=HashEmbedder(), model=None)
    memory.remember("likes tea")
    memory.close()
    broken = opened(embedder=Broken(), model=None)
    (broken.home / "memory" / "2026-02-01.md").write_text("- likes pie\n")

    with pytest.raises(EmbedError, match="out of order"):
        broken.rebuild()

    assert [hit.content for hit in broken.search("tea", mode="keyword")] == ["likes tea"]
    assert not list(broken.home.glob("index.db.rebuild*"))


def test_a_callers_own_embedder_is_asked_for_again(opened: OpenMemory) -> None:
    opened(embedder=HashEmbedder(32), model=None).close()

    again = opened(embedder=HashEmbedder(32), model=None)

    assert again.model == "hash-32"


def test_a_failed_write_is_a_clear_error(home: Path, opened: OpenMemory) -> None:
    opened().close()
    (home / "memory").write_text("a file where the folder should be")

    with pytest.raises(FileTrouble, match="memory"):
        opened().remember("likes tea")


READ_ONLY = """
import os, sys, litemem
from litemem.errors import LitememError
home = sys.argv[1]
litemem.open(sys.argv[3], model="hash").close()
with litemem.open(sys.argv[3]) as memory:  # what is imported later can't be read
    memory.remember("warm")
    memory.search("warm")
    memory.search("warm", mode="keyword")
os.setuid(65534)
with litemem.open(home) as memory:
    print([hit.content for hit in memory.search("tea", mode=sys.argv[2])])
    try:
        memory.remember("likes pie")
    except LitememError as error:
        print(error)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to become somebody who may not write")
@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_a_read_only_home_is_searched_and_not_written(
    opened: OpenMemory, home: Path, tmp_path: Path, mode: str
) -> None:
    opened().remember("likes tea")
    opened().blocks.set("persona", "Brief.")  # its vector is left to the next search
    opened().close()
    for path in [home, *home.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for folder in home.parents:
        if folder == Path(tempfile.gettempdir()):
            break
        folder.chmod(0o755)

    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(home), mode, str(tmp_path / "warm")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    hits, error = done.stdout.splitlines()
    assert hits == "['likes tea']"
    assert str(home) in error


def test_damaged_settings_say_what_to_do(opened: OpenMemory, home: Path) -> None:
    opened().close()
    (home / "settings.json").write_text("{")

    with pytest.raises(SettingsError, match="isn't JSON; correct it"):
        opened()


def test_one_more_fact_embeds_one_text(opened: OpenMemory) -> None:
    class Counting(HashEmbedder):
        texts = 0

        def embed_passages(self, texts: object) -> list[Vector | None]:
            given = list(texts)  # type: ignore[call-overload]
            Counting.texts += len(given)
            return super().embed_passages(given)

    memory = opened(embedder=Counting(), model=None)
    for number in range(50):
        memory.remember(f"fact {number}")
    before = Counting.texts
    memory.remember("one more")

    assert (before, Counting.texts) == (50, 51)


def test_a_fact_restated_on_another_day_embeds_nothing(opened: OpenMemory) -> None:
    class Once(HashEmbedder):
        spent = False

        def embed_passages(self, texts: object) -> list[Vector | None]:
            if Once.spent:
                raise EmbedError("asked twice")
            Once.spent = True
            return super().embed_passages(texts)  # type: ignore[arg-type]

    opened(embedder=Once(), model=None, clock=lambda: NOW).remember("likes tea")
    later = opened(embedder=Once(), model=None, clock=lambda: NOW + timedelta(days=3))
    done = later.remember("Likes tea!")

    assert (done.created, done.warning) == (False, None)
    assert later.stats().vectors == 1


def test_rows_without_vectors_are_filled_in_the_background_when_nobody_waits(
    opened: OpenMemory, home: Path
) -> None:
    opened().close()
    (home / "memory").mkdir()
    (home / "memory" / "2026-02-01.md").write_text("".join(f"- fact {n}\n" for n in range(200)))
    memory = opened()

    first = memory.search("fact", wait=False)
    memory._filler._thread.join()  # type: ignore[union-attr]
    later = memory.search("fact", wait=False)

    assert first.hits
    assert later.note is None
    assert memory.stats().vectors == 200


def test_a_rebuild_says_why_and_asks_for_nothing(
    opened: OpenMemory, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    opened().close()
    (home / "index.db").write_bytes(b"no index" * 4096)
    opened()

    told = [record.getMessage() for record in caplog.records]
    assert any(one.startswith("building the index anew: ") for one in told)
    assert not any("; run " in one for one in told)
