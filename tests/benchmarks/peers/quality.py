"""How well each peer's own search finds the answers of a public set."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.intervals import difference
from tests.benchmarks.peers.given import Work, of_conversations
from tests.benchmarks.peers.measure import Bench, Found
from tests.benchmarks.scores import DEPTH, METRICS, Answer, Run, conversations, value_of

OURS, COMPARED = "litemem", "R@10"


def asked(
    said: argparse.Namespace, found: Sequence[Found], pythons: Mapping[str, Path], folder: Path
) -> list[str]:
    """Ask the questions of a set, print a table, and write its figures; return who failed."""
    runs = {one.peer.name: Run(name=one.peer.name) for one in found}
    for work in of_conversations(said.data, folder / "work", said.model):
        bench = Bench.of(found, pythons, work, folder, said.timeout)
        for peer, ranked in rankings(bench, DEPTH):
            runs[peer].answers += _answers(work, ranked)
        for one in found:
            one.trouble = bench.found[one.peer.name].trouble  # asks it no more
    name = said.data.resolve().parent.name
    print(f"\n{name}: each peer's own search, the same vectors\n")
    print("\n".join(_table(found, runs)))
    if said.json is not None:
        figures = {one.peer.name: _figures(one, runs[one.peer.name]) for one in found}
        spelled = json.dumps({"set": name, "peers": figures}, indent=1)
        said.json.write_text(spelled + "\n", encoding="utf-8")
    return [one.peer.name for one in found if one.trouble]


def _figures(one: Found, run: Run) -> dict[str, object]:
    means = {metric: asdict(run.mean(metric)) for metric in METRICS} if run.answers else {}
    return {"version": one.version, "figures": means, "trouble": one.trouble}


def _table(found: Sequence[Found], runs: Mapping[str, Run]) -> Iterator[str]:
    more = f"{COMPARED}: {OURS} finds more"
    yield f"| peer | searches by | questions | {' | '.join(METRICS)} | {more} |"
    yield f"|{'---|' * (4 + len(METRICS))}"
    for one in found:
        run = runs[one.peer.name]
        cells = [run.mean(metric).percent() if run.answers else "–" for metric in METRICS]
        cells.append(_more(run, runs.get(OURS)))
        kind = f"{one.peer.name} {one.version} | {one.peer.kind}"
        yield f"| {kind} | {len(run.answers)} | {' | '.join(cells)} |"
    yield from (f"\n{one.peer.name}: {one.trouble}" for one in found if one.trouble)


def _more(run: Run, ours: Run | None) -> str:
    if ours is None or run is ours:
        return ""
    values = {one.id: value_of(COMPARED, one) for one in ours.answers}
    both = [one for one in run.answers if one.id in values]
    theirs = [value_of(COMPARED, one) for one in both]
    groups = conversations(both)
    more = difference([values[one.id] for one in both], theirs, groups)
    return more.percent("+") if both else "–"


def rankings(bench: Bench, depth: int) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each peer's rankings of all questions of the work."""
    for name in bench.found:

        def ask(name: str) -> list[list[str]]:
            process = bench.start(name, f"quality-{bench.work.folder.name}")
            process.do("add", first=0, last=len(bench.work.rows))
            found = [
                process.do("search", query=n, k=depth).result for n in range(len(bench.work.asked))
            ]
            process.close()
            return found

        yield from bench.tried([name], ask).items()


def _answers(work: Work, ranked: Sequence[Sequence[str]]) -> Iterator[Answer]:
    chats = {row.id: row.chat for row in work.rows}
    for query, ids in zip(work.asked, ranked, strict=True):
        yield Answer(
            id=query["id"],
            category=query["category"],
            gold=frozenset(query["gold"]),
            gold_sessions=frozenset(query["gold_sessions"]),
            ranked=tuple(ids),
            sessions=tuple(dict.fromkeys(chats[id_] for id_ in ids)),
            seconds=0.0,
            conversation=query["conv"],
        )
