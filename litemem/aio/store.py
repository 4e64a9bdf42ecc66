"""SQLiteMemoryStore: blocks and facts of all users of a home, by text, vector and id."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from litemem.aio.home import Core, OpenHome
from litemem.aio.shapes import (
    MemoryList,
    StoredMemory,
    StoreStats,
    memory_list,
    store_stats,
    stored_memory,
)
from litemem.edge import home_folder, now, open_memory
from litemem.errors import InvalidValue
from litemem.memory.memory import Memory
from litemem.memory.new import NewFact
from litemem.memory.reference import Boosts
from litemem.memory.search import Results
from litemem.memory.store import MEANING_ALONE
from litemem.memory.workspace import Clock, RandomBytes
from litemem.settings import Home
from litemem.types import DEFAULT_USER, Embedder, Kind, Scope

Metadata = Mapping[str, Any]  # Any: a caller's own JSON


class SQLiteMemoryStore:
    """
    The store of the reference, over a home folder: what it writes is in the files, too.

    It opens at its first use, or by `connect`. Writes run one after the other on a thread of its
    own, searches beside them; the event loop isn't blocked. Close it, or use `async with`.

    Args:
        uri: the home folder; default as `litemem.open` has it.
        embedding_dim: what the caller's vectors have; 0 is what the home's model makes.
        model: for a new home, as `litemem.open` has it.
        embedder: your own, instead of a model; the same at every opening.
        threads: for the model; 0 is one a core.
        clock: gives the present moment, aware.
        rng: gives random bytes, for new ids.
    """

    def __init__(
        self,
        uri: str | Path | None = None,
        embedding_dim: int = 0,
        *,
        model: str | None = None,
        embedder: Embedder | None = None,
        threads: int = 0,
        clock: Clock = now,
        rng: RandomBytes = os.urandom,
    ) -> None:
        self.uri, self.embedding_dim, self.model = uri, embedding_dim, model
        self._embedder, self._threads = embedder, threads
        self._clock, self._rng = clock, rng
        self.home = OpenHome(self._open)

    @property
    def folder(self) -> Home:
        """The home, open or not."""
        return home_folder(self.uri)

    def now(self) -> datetime:
        """Return the present moment, as the store's clock has it."""
        return self._clock()

    def expect(self, *, model: str | None = None, dimension: int = 0) -> None:
        """
        Say which model and dimension the vectors must have; a new home is made with that model.

        Raises InvalidValue where the store was told, or has opened, something else.
        """
        core = self.home.core
        known_model = core.memory.model if core else self.model
        known = core.facts.dimension if core else self.embedding_dim
        if model not in (None, known_model) and known_model is not None:
            raise InvalidValue(
                f"this memory's model is {known_model!r}, not {model!r}: leave embedding_model "
                f"out, or change it with 'litemem index rebuild --model {model}'"
            )
        if dimension not in (0, known) and known:
            raise InvalidValue(
                f"this memory's vectors have {known} numbers, not {dimension}: leave "
                "embedding_dimension out, or give the store the model that makes such vectors"
            )
        self.model, self.embedding_dim = model or self.model, dimension or self.embedding_dim

    async def connect(self) -> None:
        """
        Open the home; a second call does nothing.

        Raises InvalidValue for another dimension than the home's model has, and as `litemem.open`.
        """
        await self.home.write(lambda _: None)

    async def warm_up(self) -> None:
        """
        Load the model now, not at the first text: its tokenizer stops all threads while it loads.

        `tokenizers` keeps Python's lock for that, once a process. Raises EmbedError where the model
        can't be loaded.
        """
        await self.home.read(lambda core: core.space.embedders.required().embed_query("warm"))

    async def close(self) -> None:
        """Finish what was asked and close; a second call does nothing."""
        await self.home.close()

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def get_memory_block(
        self, label: str, chat_id: str | None = None, user_id: str | None = None
    ) -> str:
        """Return a block of the narrowest scope that has it: user and chat, chat, user, all."""
        return await self.home.read(lambda core: core.facts.block(label, user_id, chat_id))

    async def get_all_memory_blocks(
        self, chat_id: str | None = None, user_id: str | None = None
    ) -> dict[str, str]:
        """Return the four blocks, each by the lookup of `get_memory_block`; '' where unset."""
        return await self.home.read(lambda core: core.facts.blocks(user_id, chat_id))

    async def set_memory_block(
        self, label: str, content: str, chat_id: str | None = None, user_id: str | None = None
    ) -> bool:
        """Replace a block in exactly this scope; True when it's on disk. Raises InvalidBlock."""
        await self.home.write(lambda core: core.facts.set_block(label, content, user_id, chat_id))
        return True

    async def add_memory(
        self,
        content: str,
        embedding: Sequence[float] | None,
        user_id: str,
        chat_id: str | None = None,
        metadata: Metadata | None = None,
        importance: float = 0.5,
    ) -> str:
        """
        Write a fact to its day's log and the index, and return its id; a known one's is its own.

        `embedding` serves until the index is rebuilt, then the home's model embeds the text; with
        None it does so now. A `category` and `tags` in the metadata are the fact's own, too.
        Raises InvalidFact and InvalidVector.
        """

        def add(core: Core) -> str:
            new = NewFact(
                content=content,
                chat_id=chat_id,
                metadata=metadata or {},
                category=_text_of(metadata, "category"),
                tags=_tags_of(metadata),
                importance=importance,
                vector=core.facts.vector(embedding),
            )
            return core.facts.add(new, user_id).id

        return await self.home.write(add)

    async def hybrid_search(
        self,
        query_embedding: Sequence[float] | None,
        query_text: str,
        user_id: str,
        limit: int = 10,
        chat_id: str | None = None,
        semantic_weight: float = 0.7,
        fts_weight: float = 0.3,
        recency_boost: float = 0.1,
        importance_boost: float = 0.2,
        *,
        offset: int = 0,
        floor: float | None = None,
        chat_only: bool = False,
        kinds: Sequence[Kind] = ("fact",),
    ) -> MemoryList:
        """
        Rank by semantic · cosine + fts · bm25 / best bm25 + importance + recency / (1 + days).

        Candidates come from the vector and the words alone; see `reference_search`. `floor` is the
        least cosine of a hit in which no word of the query stands. Raises InvalidVector and
        InvalidQuery.
        """
        boosts = Boosts(
            semantic=semantic_weight,
            fts=fts_weight,
            importance=importance_boost,
            recency=recency_boost,
        )
        scope = Scope(user=user_id, chat_id=chat_id, chat_only=chat_only, kinds=tuple(kinds))
        return await self._search(
            scope,
            lambda core: core.facts.hybrid(
                query_embedding,
                query_text,
                scope,
                limit=limit,
                offset=offset,
                boosts=boosts,
                floor=floor,
            ),
        )

    async def semantic_search(
        self,
        query_embedding: Sequence[float],
        user_id: str,
        limit: int = 10,
        chat_id: str | None = None,
        *,
        offset: int = 0,
        floor: float | None = None,
        chat_only: bool = False,
        kinds: Sequence[Kind] = ("fact",),
    ) -> MemoryList:
        """Rank by the cosine alone. Raises InvalidVector and InvalidQuery."""
        scope = Scope(user=user_id, chat_id=chat_id, chat_only=chat_only, kinds=tuple(kinds))
        return await self._search(
            scope,
            lambda core: core.facts.hybrid(
                query_embedding,
                "",
                scope,
                limit=limit,
                offset=offset,
                boosts=MEANING_ALONE,
                floor=floor,
            ),
        )

    async def get_memory(self, memory_id: str, user_id: str | None = None) -> StoredMemory | None:
        """Return the newest fact of a chain by any of its ids, None for an unknown one."""

        def get(core: Core) -> StoredMemory | None:
            chain = core.facts.get(memory_id, user_id)
            owner = core.facts.owner(memory_id, user_id)
            if chain is None or owner is None:
                return None
            return stored_memory(chain.fact, owner, core.facts.uses(owner, [chain.fact.id]))

        return await self.home.read(get)

    async def update_memory(
        self,
        memory_id: str,
        content: str | None = None,
        embedding: Sequence[float] | None = None,
        metadata: Metadata | None = None,
        importance: float | None = None,
        *,
        tags: Sequence[str] | None = None,
        user_id: str | None = None,
    ) -> bool:
        """
        Change a fact: a new text as a new line that replaces it, the rest in place.

        Any id of the chain goes on naming it. Returns False for an unknown id.
        """
        return await self.home.write(
            lambda core: core.facts.update(
                memory_id,
                user_id,
                content=content,
                embedding=embedding,
                importance=importance,
                tags=tags,
                metadata=metadata,
            )
        )

    async def delete_memory(self, memory_id: str, user_id: str | None = None) -> bool:
        """Forget a fact with its chain, in files and index; False for an unknown id."""
        return await self.home.write(lambda core: core.facts.delete(memory_id, user_id))

    async def list_memories(
        self,
        user_id: str,
        chat_id: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        *,
        order_by: Literal["created", "importance"] = "created",
        category: str | None = None,
    ) -> list[StoredMemory]:
        """Return current facts, newest or most important first, of one chat where it's named."""

        def listed(core: Core) -> list[StoredMemory]:
            facts = core.facts.list(
                user_id,
                sort=order_by,
                limit=limit,
                offset=offset,
                chat_id=chat_id,
                category=category,
            )
            uses = core.facts.uses(user_id, [fact.id for fact in facts])
            return [stored_memory(fact, user_id, uses) for fact in facts]

        return await self.home.read(listed)

    async def get_memory_count(self, user_id: str, chat_id: str | None = None) -> int:
        """Return how many current facts a user has, of one chat where it's named."""
        return await self.home.read(lambda core: core.facts.count(user_id, chat_id))

    async def get_memory_stats(self, user_id: str) -> StoreStats:
        """Return a user's counts, after the uses that earlier searches had."""
        return store_stats(await self.home.write(lambda core: core.facts.stats(user_id)))

    async def _search(self, scope: Scope, search: Callable[[Core], Results]) -> MemoryList:
        return memory_list(await self.home.search(scope.user, search), scope.user)

    def _open(self) -> Memory:
        memory = open_memory(
            self.uri,
            user_id=DEFAULT_USER,
            model=self.model,
            embedder=self._embedder,
            threads=self._threads,
            clock=self._clock,
            rng=self._rng,
        )
        dimension = memory.space.index.fingerprint.dimension
        if self.embedding_dim not in (0, dimension):
            memory.close()
            raise InvalidValue(
                f"the vectors of {memory.home} have {dimension} numbers (its model is "
                f"{memory.model}), not {self.embedding_dim}: leave embedding_dim out, give "
                "your own model as embedder=..., or another one with "
                "'litemem index rebuild --model NAME'"
            )
        return memory


def _text_of(metadata: Metadata | None, key: str) -> str | None:
    value = metadata.get(key) if isinstance(metadata, Mapping) else None
    return value if isinstance(value, str) and value.strip() else None


def _tags_of(metadata: Metadata | None) -> tuple[str, ...] | None:
    value = metadata.get("tags") if isinstance(metadata, Mapping) else None
    if not isinstance(value, list | tuple) or not all(isinstance(tag, str) for tag in value):
        return None
    return tuple(value) or None
