"""Facts that say the same in nearly the same words, found without comparing each with each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from litemem.text.proposal import Refusals, age, by_grounds
from litemem.text.saying import Saying, likeness, saying
from litemem.types import Fact

Near: TypeAlias = Callable[[Fact, Sequence[Fact]], Collection[str]]
"""Say which of some facts a vector finds near the first one, by their ids."""

_MOST_LOOKED_AT: Final = 300  # facts of one bucket: a home of one sentence stays linear


_MOST_TOGETHER: Final = 200  # facts that one takes the place of at a time: its line stays short


class _Said(NamedTuple):
    fact: Fact
    saying: Saying

    def key(self, words: Hashable) -> Hashable:
        """Return what facts share that may say the same; an event is one of its day."""
        day = self.fact.created_at.date() if self.saying.event else None
        return self.saying.guard, self.saying.cjk, day, words


def duplicates(
    facts: Sequence[Fact], fresh: Collection[str], refusals: Refusals, near: Near | None
) -> list[tuple[Fact, ...]]:
    """
    Find groups of facts that say the same; each fact is in one at most.

    Args:
        facts: current ones of one user.
        fresh: ids, of which each group has one.
        refusals: what stays apart.
        near: tells where the words alone can't; None: only what is word for word the same counts,
            apart from words that say nothing.

    Returns:
        Groups of at least two, the fact that says all that the others say first.
    """
    found = []
    for some in by_grounds(facts):
        read = ((fact, saying(fact.content)) for fact in some)
        said = [_Said(fact, what) for fact, what in read if what and not what.is_slight]
        # The fullest first, of equals the newest: it is the one that stays.
        said.sort(key=lambda one: (len(one.saying.words), *age(one.fact)), reverse=True)
        groups = _Buckets(said, refusals, near).groups(said)
        found += [group for group in groups if any(fact.id in fresh for fact in group)]
    return found


class _Buckets:
    """Facts by what equals share; those that have a group leave."""

    def __init__(self, said: Sequence[_Said], refusals: Refusals, near: Near | None) -> None:
        self._refusals, self._near = refusals, near
        self._buckets: dict[Hashable, dict[str, _Said]] = {}
        for one in said:
            for key in self._keys(one):
                self._buckets.setdefault(key, {})[one.fact.id] = one

    def groups(self, said: Sequence[_Said]) -> Iterator[tuple[Fact, ...]]:
        """Give each fact that is left with those it speaks for."""
        for main in said:
            if main.fact.id in self._buckets[main.key(main.saying.words)]:
                group = [main, *self._members(main)]
                for one in group:
                    for key in self._keys(one):
                        del self._buckets[key][one.fact.id]
                if len(group) > 1:
                    yield tuple(one.fact for one in group)

    def _members(self, main: _Said) -> list[_Said]:
        same, perhaps = [], []
        for one in self._candidates(main):
            match likeness(main.saying, one.saying):
                case "same":
                    same.append(one)
                case "near":
                    perhaps.append(one)
                case "other":
                    pass
        if perhaps and self._near is not None:
            close = self._near(main.fact, [one.fact for one in perhaps])
            same += [one for one in perhaps if one.fact.id in close]
        by_id = {one.fact.id: one for one in same}
        some = self._refusals.allowed(main.fact, (one.fact for one in same))
        return [by_id[fact.id] for fact in islice(some, _MOST_TOGETHER - 1)]

    def _candidates(self, main: _Said) -> Iterable[_Said]:
        equal, *keys = self._keys(main)
        found = dict(self._buckets[equal])
        if self._near is not None:
            keys += [main.key(part) for part in main.saying.beginnings]
        for key in keys:
            found |= dict(islice(self._buckets.get(key, {}).items(), _MOST_LOOKED_AT))
        del found[main.fact.id]
        return found.values()

    def _keys(self, said: _Said) -> list[Hashable]:
        keys = [said.key(said.saying.words)]
        if self._near is not None and said.saying.bag:
            keys.append(said.key(said.saying.bag))
        return keys
