"""Put facts together that say the same, or that time replaced: propose it, and write it down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from litemem.errors import EmbedError, InvalidFact
from litemem.index.docs import StoredDoc
from litemem.index.scan import cosines, embeddings
from litemem.memory.append import Vectors, append_facts
from litemem.memory.edit import rewrite_facts
from litemem.memory.new import check_text
from litemem.memory.rows import fact_of
from litemem.memory.similar import near_duplicate
from litemem.memory.sync import sync
from litemem.memory.watermark import Watermark, logs_now, read_watermark, write_watermark
from litemem.memory.workspace import Workspace
from litemem.text.conflicts import conflicts
from litemem.text.duplicates import duplicates
from litemem.text.head import head, local_day
from litemem.text.ids import new_id
from litemem.text.proposal import Proposal, Refusals, is_current, together
from litemem.types import Fact, Vector

_Cosines = Callable[[Fact, Sequence[Fact]], Mapping[str, float]]
"""From one fact to others, by their ids; those without a vector are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What could be consolidated; nothing is changed by it."""

    proposals: tuple[Proposal, ...]
    facts: int  # current ones
    fresh: int  # of these, such as were compared with all others
    mark: Watermark  # how far it comes, once it's applied
    note: str | None = None  # what the person should know: the watermark's file was damaged


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A proposal that wasn't applied, and why."""

    proposal: Proposal
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What one step wrote down."""

    step: str | None  # its name, for `undo`; None where nothing was written
    written: tuple[Fact, ...]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """What was found, and what became of it where it was applied."""

    plan: Plan
    applied: Applied | None


def consolidate(
    space: Workspace, user: str, *, write: bool, everything: bool = False
) -> Consolidation:
    """Plan, and with `write` apply all of it."""
    found = plan(space, user, everything=everything)
    applied = apply(space, user, found.proposals, of=found) if write else None
    return Consolidation(plan=found, applied=applied)


def plan(space: Workspace, user: str, *, everything: bool = False) -> Plan:
    """
    Propose what could be consolidated, most important first; costs time linear in the facts.

    Facts in logs that changed since the last `apply` are compared with all; with `everything` all
    are. Without a model only what is word for word the same counts as the same.
    """
    sync(space, (user,))
    known, note = read_watermark(space, user)
    rows = {row.doc.id: row for row in space.index.facts(user)}
    facts = [fact_of(row.doc) for row in rows.values()]
    logs, model = logs_now(space, user), space.index.fingerprint.model
    old = {} if everything or known.model != model else known.logs
    fresh = {
        id_
        for id_, row in rows.items()
        if old.get(row.path) is None or old[row.path] != logs.get(row.path)
    }
    found = _proposals(space, rows, facts, fresh, Refusals(known.refused))
    return Plan(
        proposals=tuple(sorted(found, key=_rank)),
        facts=len(facts),
        fresh=len(fresh),
        mark=replace(known, logs=logs, model=model),
        note=note,
    )


def apply(
    space: Workspace,
    user: str,
    proposals: Sequence[Proposal],
    *,
    of: Plan | None = None,
    refused: Sequence[Proposal] = (),
) -> Applied:
    """
    Write proposals down, as new lines that replace the old ones: all in one write, or nothing.

    A proposal of which a fact was changed or forgotten since is left out, and reported. The
    originals stay in their logs.

    Args:
        space: the open home.
        user: whose facts.
        proposals: those to apply, of one plan; with another text where somebody decided so.
        of: their plan. Once each proposal of it was applied or refused, what it compared isn't
            compared again.
        refused: proposals that aren't to come again.

    Raises:
        InvalidFact: a merge has a text that none of its facts has.
    """
    for one in proposals:
        _check(one)
    vectors = _vectors(space, proposals)
    with space.writing():
        sync(space, (user,))
        now = space.clock()
        step = f"{now:%Y%m%dT%H%M%S}-{new_id(space.rng)[1:5]}"
        sound, left_out = _present(space, user, proposals)
        facts = [
            together(one, [fact_of(row.doc) for row in rows], id=new_id(space.rng), step=step)
            for one, rows in sound
        ]
        hand_written = (row for _, rows in sound for row in rows if not row.doc.explicit)
        rewrite_facts(space, [(row, fact_of(row.doc)) for row in hand_written])
        by_id = {
            fact.id: vectors[text] for fact in facts if (text := _text(space, fact)) in vectors
        }
        append_facts(space, user, facts, Vectors(by_id=by_id), written=now)
        _move_watermark(space, user, of, (*proposals, *refused), refused, left_out)
    return Applied(step=step if facts else None, written=tuple(facts), left_out=tuple(left_out))


def _proposals(
    space: Workspace,
    rows: Mapping[str, StoredDoc],
    facts: Sequence[Fact],
    fresh: set[str],
    refusals: Refusals,
) -> Iterator[Proposal]:
    embedder = space.embedders.get()
    measure = _measure(space, rows) if embedder else _nothing
    floor = near_duplicate(embedder.profile) if embedder else 2.0

    def near(main: Fact, others: Sequence[Fact]) -> set[str]:
        return {id_ for id_, cosine in measure(main, others).items() if cosine >= floor}

    def least(group: Sequence[Fact]) -> float | None:
        return min(measure(group[0], group[1:]).values(), default=None)

    taken: set[str] = set()
    for one in conflicts(facts, fresh, refusals, space.zone):
        taken |= {fact.id for fact in one.facts}
        yield Proposal(
            kind="replace", facts=one.facts, content=one.content, cosine=least(one.facts)
        )
    left = [fact for fact in facts if fact.id not in taken]
    for group in duplicates(left, fresh, refusals, near if embedder else None):
        content = group[0].content
        yield Proposal(kind="merge", facts=group, content=content, cosine=least(group))


def _measure(space: Workspace, rows: Mapping[str, StoredDoc]) -> _Cosines:
    def measure(main: Fact, others: Sequence[Fact]) -> Mapping[str, float]:
        ids = {rows[one.id].rowid: one.id for one in others}
        rowid = rows[main.id].rowid
        with space.index.reading() as db:
            vector = embeddings(db, [rowid]).get(rowid)
            found = cosines(db, vector, [*ids]) if vector is not None and ids else {}
        return {ids[number]: cosine for number, cosine in found.items()}

    return measure


def _nothing(_main: Fact, _others: Sequence[Fact]) -> Mapping[str, float]:
    return {}


def _rank(one: Proposal) -> tuple[bool, int, str]:
    return one.kind == "merge", -len(one.facts), one.facts[0].id


def _check(one: Proposal) -> None:
    check_text(one.content, "content")
    if not one.content.strip() or len(one.facts) < 2:
        raise InvalidFact("a proposal needs a text and two facts")
    if one.kind == "merge" and all(one.content != fact.content for fact in one.facts):
        raise InvalidFact(f"a merge of {one.ids[0]} needs the text of one of its facts")


def _present(
    space: Workspace, user: str, proposals: Sequence[Proposal]
) -> tuple[list[tuple[Proposal, list[StoredDoc]]], list[LeftOut]]:
    """Return the proposals whose facts are as they were, with their rows, and the others."""
    sound: list[tuple[Proposal, list[StoredDoc]]] = []
    left_out = []
    taken: set[str] = set()
    for one in proposals:
        found = [(id_, space.index.find(user, id_)) for id_ in one.ids]
        rows = [row for _, row in found if row is not None and row.state == "current"]
        now = {row.doc.id: fact_of(row.doc) for row in rows}
        changed = [fact.id for fact in one.facts if not is_current(fact, now)]
        twice = taken.intersection(one.ids)
        if changed:
            left_out.append(LeftOut(proposal=one, reason=f"{changed[0]} was changed or forgotten"))
        elif twice:
            reason = f"{min(twice)} is in another proposal too"
            left_out.append(LeftOut(proposal=one, reason=reason))
        else:
            taken.update(one.ids)
            sound.append((one, rows))
    return sound, left_out


def _move_watermark(
    space: Workspace,
    user: str,
    of: Plan | None,
    decided: Sequence[Proposal],
    refused: Sequence[Proposal],
    left_out: Sequence[LeftOut],
) -> None:
    mark, _ = read_watermark(space, user)
    ids = {one.ids for one in decided}
    if of is not None and not left_out and all(one.ids in ids for one in of.proposals):
        mark = replace(mark, logs=of.mark.logs, model=of.mark.model)
    mark = replace(mark, refused=(*mark.refused, *(one.ids for one in refused)))
    if of is not None or refused:
        write_watermark(space, user, mark)


def _vectors(space: Workspace, proposals: Sequence[Proposal]) -> dict[str, Vector]:
    """Return the vectors of the texts to be; those that can't be had now follow later."""
    made = [together(one, one.facts, id="x", step="") for one in proposals]
    texts = {_text(space, fact) for fact in made}
    found = space.index.cached_vectors(texts)
    missing = sorted(texts - found.keys(), key=len)
    embedder = space.embedders.get() if missing else None
    try:
        fresh = embedder.embed_passages(missing) if embedder else []
    except EmbedError:
        fresh = []
    return found | {text: one for text, one in zip(missing, fresh, strict=False) if one}


def _text(space: Workspace, fact: Fact) -> str:
    return head(fact.speaker, local_day(fact.created_at, space.zone)) + fact.content
