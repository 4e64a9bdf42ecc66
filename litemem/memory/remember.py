"""Remember facts: find what is known already, embed what is new, write it down."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace

from litemem.errors import EmbedError, FileTrouble, IndexTrouble, UnknownFact
from litemem.index.docs import StoredDoc
from litemem.memory.append import Vectors, append_facts, freshen
from litemem.memory.edit import rewrite_facts
from litemem.memory.new import NewFact
from litemem.memory.rows import fact_of
from litemem.memory.similar import Similar, similar_facts
from litemem.memory.workspace import Progress, Workspace
from litemem.text.head import head, local_day
from litemem.text.ids import new_id
from litemem.text.normal import normalise
from litemem.types import Fact, Seen

logger = logging.getLogger(__name__)

_BATCH = 256  # facts written under one lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of one fact."""

    id: str
    created: bool  # a new line was written
    updated: bool = False  # it was known, and its importance or tags changed on disk
    similar_to: tuple[Similar, ...] = ()  # near-duplicates that were there before
    warning: str | None = None  # why it has no vector yet; keyword search finds it


def remember(
    space: Workspace,
    user: str,
    news: Sequence[NewFact],
    *,
    similar: bool,
    beside: Callable[[], None] | None = None,
) -> list[Remembered]:
    """
    Write facts down, in order; all are durable when this returns.

    The same fact (user, chat, speaker and normalised text) isn't written twice: another explicit
    time or other metadata makes it another fact, else it is confirmed. `beside` writes more rows
    in the same transaction of the index. Raises InvalidFact and UnknownFact (for `replaces`)
    before anything is written.
    """
    planned = [_Plan.of(space, user, new.checked()) for new in news]
    vectors, warning = _embed(space, user, planned)
    near = {
        plan.fact.id: similar_facts(space, user, plan.fact, vectors.by_id.get(plan.fact.id))
        for plan in planned
        if similar
    }
    batch = _Batch(space, user)
    with space.writing(), _one_transaction(space):
        freshen(space, user, {local_day(plan.fact.created_at, space.zone) for plan in planned})
        results = [batch.settle(plan) for plan in planned]
        rewrite_facts(space, batch.changed.values())
        append_facts(space, user, list(batch.fresh.values()), vectors)
        if beside is not None:
            beside()
    return [
        replace(done, similar_to=near.get(done.id, ()), warning=warning) if done.created else done
        for done in results
    ]


def remember_many(
    space: Workspace, user: str, news: Sequence[NewFact], progress: Progress | None
) -> list[Remembered]:
    """Do `remember` in batches, each under one lock, without a look for near-duplicates."""
    done: list[Remembered] = []
    for start in range(0, len(news), _BATCH):
        done += remember(space, user, news[start : start + _BATCH], similar=False)
        if progress is not None:
            progress(len(done), len(news))
    if len(news) >= _BATCH:
        _tidy(space)
    return done


def _tidy(space: Workspace) -> None:
    try:
        space.index.compact_if_grown()
    except (IndexTrouble, FileTrouble) as error:  # the facts are safe all the same
        logger.warning("searches may be slower, the index wasn't compacted: %s", error)


@contextmanager
def _one_transaction(space: Workspace) -> Iterator[None]:
    with ExitStack() as stack:
        # Where the index can't be written the logs are all the same, and the first row says why.
        with suppress(IndexTrouble):
            stack.enter_context(space.index.transaction())
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    new: NewFact
    fact: Fact

    @staticmethod
    def of(space: Workspace, user: str, new: NewFact) -> _Plan:
        ids = () if new.replaces is None else (new.replaces, *new.merges)
        olds = [*{old.id: old for old in (newest(space, user, one) for one in ids)}.values()]
        fact = new.as_fact(
            id=new_id(space.rng) if new.id is None else new.id,
            now=space.clock(),
            zone=space.zone,
            old=olds[0] if olds else None,
            merged=olds[1:],
        )
        return _Plan(new=new, fact=fact)

    def is_same(self, known: Fact) -> bool:
        """Say whether a known fact of the same text is this one, not another said so."""
        if self.fact.merges or self.fact.replaces not in (None, known.id):
            return False  # it takes another one's place, whoever else says so too
        if self.new.created_at is not None and known.created_at != self.fact.created_at:
            return False
        return not self.new.metadata or self.new.metadata == known.metadata

    def confirmed(self, known: Fact) -> Fact:
        """Return the known fact with what this statement of it says anew."""
        seen, last = known.seen, known.seen.last if known.seen else known.created_at
        # A turn that is read twice says nothing twice.
        again = self.new.said_at is None or self.fact.created_at > last
        if self.new.created_at is None and again:
            count = seen.n if seen else 0
            seen = Seen(n=count + 1, last=self.fact.created_at)
        importance, tags = self.new.importance, self.new.tags
        return replace(
            known,
            category=known.category if self.new.category is None else self.new.category,
            importance=known.importance if importance is None else float(importance),
            tags=known.tags if tags is None else tags,
            seen=seen,
        )


class _Batch:
    """What one call will write: new facts by id, and changed ones by row."""

    def __init__(self, space: Workspace, user: str) -> None:
        self._space, self._user = space, user
        self._by_text: dict[tuple[str, str | None, str | None], list[str]] = {}
        self.fresh: dict[str, Fact] = {}
        self.changed: dict[int, tuple[StoredDoc, Fact]] = {}

    def settle(self, plan: _Plan) -> Remembered:
        """Confirm a fact that is known, or take it as new."""
        return self._confirm_stored(plan) or self._confirm_fresh(plan) or self._take(plan)

    def _confirm_stored(self, plan: _Plan) -> Remembered | None:
        fact = plan.fact
        # The newest first: an old one of the same words may have been said in an import.
        for stored in reversed(
            self._space.index.find_same(self._user, fact.chat_id, fact.speaker, fact.content)
        ):
            known = self._known(stored)
            if plan.is_same(known):
                changed = plan.confirmed(known)
                if changed != known:
                    self.changed[stored.rowid] = stored, changed
                return Remembered(id=known.id, created=False, updated=_differs(changed, known))
        return None

    def _confirm_fresh(self, plan: _Plan) -> Remembered | None:
        for id_ in self._by_text.get(_text_key(plan.fact), ()):
            known = self.fresh[id_]
            if plan.is_same(known):
                self.fresh[id_] = plan.confirmed(known)
                return Remembered(id=id_, created=False, updated=_differs(self.fresh[id_], known))
        return None

    def _take(self, plan: _Plan) -> Remembered:
        fact = plan.fact
        for parent in fact.parents:
            self._make_explicit(parent)
        self.fresh[fact.id] = fact
        self._by_text.setdefault(_text_key(fact), []).append(fact.id)
        return Remembered(id=fact.id, created=True)

    def _make_explicit(self, id: str) -> None:
        """Write a hand-written fact's id down before another fact refers to it."""
        stored = self._space.index.find(self._user, id)
        if stored is None:
            msg = f"fact {id!r} was forgotten meanwhile; nothing to replace"
            raise UnknownFact(msg)
        if not stored.doc.explicit:
            self.changed[stored.rowid] = stored, self._known(stored)

    def _known(self, stored: StoredDoc) -> Fact:
        return (
            self.changed[stored.rowid][1] if stored.rowid in self.changed else fact_of(stored.doc)
        )


def _text_key(fact: Fact) -> tuple[str, str | None, str | None]:
    return normalise(fact.content), fact.chat_id, fact.speaker


def _differs(one: Fact, other: Fact) -> bool:
    return (one.importance, one.tags, one.category) != (
        other.importance,
        other.tags,
        other.category,
    )


def _is_known(space: Workspace, user: str, plan: _Plan) -> bool:
    fact = plan.fact
    same = space.index.find_same(user, fact.chat_id, fact.speaker, fact.content)
    return any(plan.is_same(fact_of(stored.doc)) for stored in same)


def _embed(space: Workspace, user: str, planned: Sequence[_Plan]) -> tuple[Vectors, str | None]:
    """Return the vectors of what is new, and why some are missing; takes no lock."""
    own = {plan.fact.id: plan.new.vector for plan in planned if plan.new.vector is not None}
    texts = {
        plan.fact.id: head(plan.fact.speaker, local_day(plan.fact.created_at, space.zone))
        + plan.fact.content
        for plan in planned
        if plan.fact.id not in own
    }
    cached = space.index.cached_vectors(set(texts.values()))
    unseen = [plan for plan in planned if texts.get(plan.fact.id) not in {None, *cached}]
    # Should a known fact be forgotten before the lock is held, its vector follows like any other.
    fresh = {texts[plan.fact.id] for plan in unseen if not _is_known(space, user, plan)}
    missing = sorted(fresh, key=len)
    warning = None
    if missing:
        embedder = space.embedders.get()
        try:
            made = embedder.embed_passages(missing) if embedder else []
            cached |= {text: one for text, one in zip(missing, made, strict=False) if one}
            warning = None if embedder else space.embedders.trouble
        except EmbedError as error:
            warning = f"kept without a vector for now: {error}"
    found = {id_: cached[text] for id_, text in texts.items() if text in cached}
    return Vectors(by_id=own | found, own=frozenset(own)), warning


def newest(space: Workspace, user: str, id: str) -> Fact:
    """Return the newest fact of the chain that an id belongs to. Raises UnknownFact."""
    chain = space.index.chain(user, id)
    current = [stored for stored in chain if stored.state == "current"]
    if not current:
        msg = f"no fact {id!r} of user {user!r}; 'litemem list' shows the ids"
        raise UnknownFact(msg)
    return fact_of(current[-1].doc)
