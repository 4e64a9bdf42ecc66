"""Which passages of a transcript are worth their room: greedy cover with diminishing returns."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from litemem.index.stopwords import stop_words
from litemem.run.centrality import Themes
from litemem.run.salience import items, must_keep, words
from litemem.run.sentences import Passage

# Measured on LoCoMo and BEAM, in per cent: how many of the answers' words a tenth of the text still
# has, and how many of the messages that answer are still there by half.
_USER: Final = 3.0  # what a user says counts thrice: messages kept on BEAM 75; alike 51
_TOOL: Final = 0.3  # what goes into a tool and comes out of it counts less: it is long and dense
_ITEM: Final = 2.0  # a new number or name, in new words
_ONCE: Final = 0.7  # a word of one passage alone: in real chats often a slip; without it answers -3
_KNOWN: Final = 0.25  # a word that is covered already
_SHORT: Final = 40  # characters added to each length, or scraps win: LoCoMo messages 19, else 15

# Shares of the budget, in the order they are filled.
_MUST: Final = 0.3  # requests, decisions, errors, open tasks; with 1.0 LoCoMo answers 48 -> 40
_NAMED: Final = 0.45  # then what holds numbers and names
_ALL: Final = 0.75  # when all of these fit into this, all are kept
_MIXED: Final = 0.8  # then the best of all; the rest of the room goes to what was done and answered

_SAME: Final = 0.9  # nearness from which a passage without a new word says nothing new


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage, and what choosing it would add and cost."""

    passage: Passage
    said: tuple[str, ...]  # all its words, in order
    words: frozenset[str]  # without stop words
    slips: int  # how many of the words no other passage has
    items: frozenset[str]
    cost: float
    must: bool  # asks, decides, reports an error, leaves something to do
    names: bool  # holds numbers or names, and isn't a tool's output
    weight: float


def candidates(
    passages: Sequence[Passage], cost: Callable[[str], float], *, sample: int = 5000
) -> list[Candidate]:
    """
    Say of each passage what it would add and cost.

    Args:
        passages: of one transcript, in order.
        cost: what a text takes of the budget.
        sample: how many passages decide which language's stop words count.
    """
    said = [tuple(words(passage.text)) for passage in passages]
    stop = stop_words([word for row in said[:sample] for word in row])
    seen = Counter(word for row in said for word in set(row))

    def candidate(passage: Passage, row: tuple[str, ...]) -> Candidate:
        kept, found = frozenset(row) - stop, frozenset(items(passage.text))
        found = found if len(row) > len(found) else frozenset()  # a number alone says nothing
        return Candidate(
            passage=passage,
            said=row,
            words=kept,
            slips=sum(seen[word] == 1 for word in kept),
            items=found,
            cost=cost(passage.text),
            must=must_keep(passage),
            names=bool(found) and passage.role != "tool",
            weight=_TOOL if passage.tool else _USER if passage.role == "user" else 1.0,
        )

    return list(map(candidate, passages, said))


def _is_answer(row: Candidate) -> bool:
    return row.passage.role != "user" and not row.passage.tool


class Selection:
    """Chooses passages, the best value for its cost first, until a budget is spent."""

    def __init__(
        self, rows: Sequence[Candidate], themes: Themes | None = None, embedded: Sequence[int] = ()
    ) -> None:
        """
        Start with nothing chosen.

        Args:
            rows: all candidates.
            themes: over those of `embedded`, in that order.
            embedded: places of candidates.
        """
        self.chosen: list[int] = []  # places, best first
        self._rows, self._themes = rows, themes
        self._themed = {place: i for i, place in enumerate(embedded)}
        self._covered: set[str] = set()
        self._said: set[tuple[str, ...]] = set()
        self._spent = 0.0

    def fill(self, budget: float) -> list[int]:
        """Choose what must be kept, then what holds numbers and names, then the rest."""
        must = [place for place, row in enumerate(self._rows) if row.must]
        named = [place for place, row in enumerate(self._rows) if row.names]
        for places, share in ((must, _MUST), (named, _NAMED)):
            room = self._spent + sum(self._rows[place].cost for place in self._left(places))
            self._take(places, budget * (_ALL if room <= _ALL * budget else share))
        all_rows = range(len(self._rows))
        self._take(all_rows, budget * _MIXED)
        self._take([place for place in all_rows if _is_answer(self._rows[place])], budget)
        self._take(all_rows, budget)
        return self.chosen

    def _take(self, places: Iterable[int], budget: float) -> None:
        """Choose greedily; a gain only ever falls, so the heap asks again at the top alone."""
        heap = [(-self._gain(place), place) for place in self._left(places)]
        heapq.heapify(heap)
        while heap:
            _, place = heapq.heappop(heap)
            if self._spent + self._rows[place].cost > budget or not (gain := self._gain(place)):
                continue
            if heap and -gain > heap[0][0]:
                heapq.heappush(heap, (-gain, place))
            else:
                self._choose(place)

    def _left(self, places: Iterable[int]) -> set[int]:
        return set(places).difference(self.chosen)

    def _choose(self, place: int) -> None:
        row = self._rows[place]
        self.chosen.append(place)
        self._spent += row.cost
        self._covered |= row.words | row.items
        self._said.add(row.said)
        if self._themes is not None and place in self._themed:
            self._themes.choose(self._themed[place])

    def _gain(self, place: int) -> float:
        """Return what a passage adds for its length; 0 when it says nothing new."""
        row = self._rows[place]
        if row.said in self._said:
            return 0.0
        words, names = len(row.words - self._covered), len(row.items - self._covered)
        theme, near = self._theme(place)
        if not words and not names and near >= _SAME:
            return 0.0
        doubt = (1.0 - _ONCE) * row.slips
        value = words - doubt + _ITEM * names + _KNOWN * (len(row.words) - doubt) + theme
        return row.weight * value * (1.0 - near**4) / (len(row.passage.text) + _SHORT)

    def _theme(self, place: int) -> tuple[float, float]:
        if self._themes is None or place not in self._themed:
            return 0.0, 0.0
        at = self._themed[place]
        return self._themes.gain(at), self._themes.nearest(at)
