"""Writers killed at random moments: old state or new state, and everything acknowledged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

KILL = """
import json, os, random, signal, sys, time
from datetime import UTC, datetime
from pathlib import Path
from litemem.files.erase import erase_texts
from litemem.files.folders import remove_folder
from litemem.files.leftover import sweep
from litemem.files.lock import locked
from litemem.files.note import append_noted, undo_half
from litemem.files.write import append, replace_file

folder, chance = Path(sys.argv[1]), random.Random(int(sys.argv[2]))


def killed(work, longest_s=0.012):
    \"\"\"Run work in a child, kill it at a random moment, and return what it had said.\"\"\"
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            work(lambda said: os.write(into, f"{said}\\n".encode()))
        finally:
            os._exit(0)
    os.close(into)
    time.sleep(chance.uniform(0, longest_s))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(out) as said:
        return said.read().split()
"""

REPLACE = (
    KILL
    + """
path = folder / "f"
replace_file(path, b"0" * 300_000)


def work(say):
    for n in range(1, 1000):
        replace_file(path, str(n % 10).encode() * 300_000)
        say(n % 10)


leftovers = 0
for _ in range(30):
    last = (killed(work) or ["0"])[-1]
    data = path.read_bytes()
    assert data == data[:1] * 300_000, "half a file"
    assert int(data[:1]) in (int(last), (int(last) + 1) % 10), (data[:1], last)
    leftovers += sweep(folder)
    assert os.listdir(folder) == ["f"]
    replace_file(path, b"0" * 300_000)
print(leftovers)
"""
)

APPEND = (
    KILL
    + """
path = folder / "f"
rounds = 30
for turn in range(rounds):

    def work(say):
        for n in range(1000):
            with locked(folder / "lock"):
                record = {"turn": turn, "n": n, "x": "x" * 200_000}
                append(path, json.dumps(record).encode() + b"\\n")
            say(n)

    acknowledged = [int(n) for n in killed(work)]
    with locked(folder / "lock", timeout_s=1):
        append(path, json.dumps({"turn": turn, "n": -1}).encode() + b"\\n")
    records, torn = [], 0
    for line in path.read_bytes().split(b"\\n")[:-1]:
        try:
            records.append(json.loads(line))
        except ValueError:
            torn += 1
    mine = [record["n"] for record in records if record["turn"] == turn]
    whole = list(range(len(mine) - 1))
    assert mine == [*whole, -1], mine
    assert whole[: len(acknowledged)] == acknowledged
    assert len(whole) - len(acknowledged) <= 1
    assert torn <= turn + 1
print(rounds)
"""
)

WHOLE = (
    KILL
    + """
path, kept = folder / "log.md", []
for turn in range(100):

    def work(say):
        for n in range(1000):
            append_noted(path, f"- {turn}.{n} {'x' * 300}\\n".encode(), note=folder / "note")
            say(f"{turn}.{n}")

    kept += killed(work, 0.004)
    undo_half(folder / "note")
    lines = path.read_bytes().decode().split("\\n") if path.exists() else [""]
    assert lines.pop() == "", "a torn line"
    assert all(len(line.split()[2]) == 300 for line in lines), "a torn line"
    assert set(kept) <= {line.split()[1] for line in lines}
print("fine")
"""
)

REMOVE = (
    KILL
    + """
for turn in range(20):
    user = folder / "user"
    for n in range(20):
        append(user / "memory" / str(n), b"x", fsync=False)
    killed(lambda say: remove_folder(user), 0.006)
    assert not user.exists() or len(list((user / "memory").iterdir())) == 20
    sweep(folder)
    assert os.listdir(folder) in ([], ["user"])
    remove_folder(user)
print("fine")
"""
)

ERASE = (
    KILL
    + """
path, backup = folder / "s.jsonl", folder / "s.jsonl.bak"
secret = "the pin is 4711"
turns = ({"ts": "t", "role": "user", "content": f"{n}: {secret}" * 20} for n in range(300))
old = "".join(json.dumps(turn) + "\\n" for turn in turns).encode()
new = old.replace(secret.encode(), b"[erased]")
for _ in range(20):
    path.write_bytes(old)
    backup.write_bytes(old)
    killed(lambda say: erase_texts(path, [secret], at=datetime.now(UTC)), 0.03)
    assert {path.read_bytes(), backup.read_bytes()} <= {old, new}, "half a file"
    erase_texts(path, [secret], at=datetime.now(UTC))
    assert path.read_bytes() == backup.read_bytes() == new
    assert sorted(os.listdir(folder)) == ["s.jsonl", "s.jsonl.bak"]
print("fine")
"""
)

MANY = """
import json, os, sys
from pathlib import Path
from litemem.files.lock import locked
from litemem.files.write import append

folder, children = Path(sys.argv[1]), []
for who in range(4):
    child = os.fork()
    if child == 0:
        for n in range(12):
            record = {"who": who, "n": n, "x": str(who) * 600_000}
            with locked(folder / "lock"):
                start = append(folder / "f", json.dumps(record).encode() + b"\\n", fsync=False)
            os.write(1, json.dumps([who, n, start]).encode() + b"\\n")
        os._exit(0)
    children.append(child)
assert all(os.waitpid(child, 0)[1] == 0 for child in children)
"""

SWEEPERS = """
import os, sys
from pathlib import Path
from litemem.files.write import replace_file

folder, children = Path(sys.argv[1]), []
for who in range(4):
    child = os.fork()
    if child == 0:
        for n in range(60):
            replace_file(folder / str(who), str(n).encode())
        os._exit(0)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])
"""

Run = Callable[..., str]


def test_a_killed_replacement_leaves_the_old_or_the_new_file(
    tmp_path: Path, run_python: Run
) -> None:
    leftovers = run_python(REPLACE, tmp_path, 1)

    assert int(leftovers) > 0  # else no kill hit a write


def test_a_killed_append_loses_nothing_acknowledged(tmp_path: Path, run_python: Run) -> None:
    assert run_python(APPEND, tmp_path, 2) == "30\n"


def test_a_killed_append_leaves_no_part_of_a_line_once_its_note_is_undone(
    tmp_path: Path, run_python: Run
) -> None:
    assert run_python(WHOLE, tmp_path, 5) == "fine\n"


def test_a_killed_removal_leaves_the_whole_folder_or_none(tmp_path: Path, run_python: Run) -> None:
    assert run_python(REMOVE, tmp_path, 3) == "fine\n"


def test_a_killed_erasure_leaves_old_or_new_files_and_can_be_done_again(
    tmp_path: Path, run_python: Run
) -> None:
    assert run_python(ERASE, tmp_path, 4) == "fine\n"


def test_large_appends_of_four_processes_never_interleave(tmp_path: Path, run_python: Run) -> None:
    said = [json.loads(line) for line in run_python(MANY, tmp_path).splitlines()]
    data = (tmp_path / "f").read_bytes()
    records = [json.loads(line) for line in data.split(b"\n")[:-1]]

    assert len(records) == len(said) == 48
    for who in range(4):
        assert [r["n"] for r in records if r["who"] == who] == list(range(12))
    for who, n, start in said:
        record = json.loads(data[start : data.index(b"\n", start)])
        assert (record["who"], record["n"]) == (who, n)


def test_writers_of_one_folder_never_sweep_each_others_work(
    tmp_path: Path, run_python: Run
) -> None:
    assert run_python(SWEEPERS, tmp_path) == "[0, 0, 0, 0]\n"
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == dict.fromkeys("0123", "59")
