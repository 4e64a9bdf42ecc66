"""All users' facts and blocks of one home, by id and by vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from litemem.embed.vectors import check_vector
from litemem.errors import InvalidValue
from litemem.memory.blocks import all_blocks, get_block, set_block
from litemem.memory.change import update_fact
from litemem.memory.forget import forget
from litemem.memory.health import Stats, statistics
from litemem.memory.listing import Chain, Sort, chain_of, list_facts
from litemem.memory.new import NewFact
from litemem.memory.reference import Boosts, reference_search
from litemem.memory.remember import Remembered, remember
from litemem.memory.search import Results
from litemem.memory.sync import SyncReport, sync
from litemem.memory.workspace import Workspace
from litemem.types import DEFAULT_USER, Fact, JsonObject, Scope, Vector

MEANING_ALONE = Boosts(semantic=1.0, fts=0.0, importance=0.0, recency=0.0)


class FactStore:
    """
    What a store of several users' memories does; its methods may be called from several threads.

    A user's files are looked at when the user is first named. A user id must be a file name, else
    InvalidName.
    """

    def __init__(self, space: Workspace) -> None:
        self._space = space
        self._synced = {DEFAULT_USER: SyncReport()}  # opening a home has looked at its files

    @property
    def dimension(self) -> int:
        """How many numbers a vector of the index has."""
        return self._space.index.fingerprint.dimension

    def user(self, user_id: str, *, look: bool = True) -> SyncReport:
        """
        Check a user id, and look at the user's files when it is first named.

        Without `look` they count as looked at: whoever calls does it otherwise.
        """
        if user_id not in self._synced:
            self._space.home.user_dir(user_id)
            self._synced[user_id] = sync(self._space, (user_id,)) if look else SyncReport()
        return self._synced[user_id]

    def vector(self, embedding: Iterable[float] | None) -> Vector | None:
        """Return a caller's numbers as a vector of the index. Raises InvalidVector."""
        return None if embedding is None else check_vector(embedding, self.dimension)

    def block(self, label: str, user_id: str | None, chat_id: str | None) -> str:
        """Return a block of the narrowest scope that has it, '' where none has."""
        return get_block(self._space.home, label, user_id, chat_id)

    def blocks(self, user_id: str | None, chat_id: str | None) -> dict[str, str]:
        """Return the four blocks, each by the lookup of `block`."""
        return all_blocks(self._space.home, user_id, chat_id)

    def set_block(self, label: str, content: str, user_id: str | None, chat_id: str | None) -> None:
        """Replace a block in exactly this scope."""
        set_block(self._space, label, content, user_id, chat_id)

    def add(self, new: NewFact, user_id: str) -> Remembered:
        """Write one fact down. Raises InvalidFact and UnknownFact."""
        self.user(user_id)
        return remember(self._space, user_id, [new], similar=False)[0]

    def hybrid(
        self,
        embedding: Iterable[float] | None,
        query: str,
        scope: Scope,
        *,
        limit: int,
        offset: int,
        boosts: Boosts,
        floor: float | None,
    ) -> Results:
        """Search by the reference's formula; see `reference_search`. Raises InvalidVector."""
        self.user(scope.user)
        return reference_search(
            self._space.index,
            query,
            self.vector(embedding),
            scope,
            now=self._space.clock(),
            boosts=boosts,
            limit=limit,
            offset=offset,
            floor=floor,
        )

    def get(self, id: str, user_id: str | None = None) -> Chain | None:
        """Return the chain of an id, None where nobody (or not this user) has it."""
        owner = self.owner(id, user_id)
        return None if owner is None else chain_of(self._space, owner, id)

    def update(
        self,
        id: str,
        user_id: str | None = None,
        *,
        content: str | None = None,
        embedding: Iterable[float] | None = None,
        importance: float | None = None,
        tags: Sequence[str] | None = None,
        metadata: JsonObject | None = None,
    ) -> bool:
        """Change a fact, a new text as a new line; False where nobody has the id."""
        chain = self.get(id, user_id)
        owner = self.owner(id, user_id)
        if chain is None or owner is None:
            return False
        if content is None or content == chain.fact.content:
            if embedding is not None:
                raise InvalidValue("an embedding belongs to a text: give the new content with it")
            update_fact(self._space, owner, id, importance=importance, tags=tags, metadata=metadata)
            return True
        new = NewFact(
            content=content,
            importance=importance,
            tags=None if tags is None else tuple(tags),
            metadata=chain.fact.metadata if metadata is None else metadata,
            speaker=chain.fact.speaker,
            replaces=id,
            vector=self.vector(embedding),
        )
        remember(self._space, owner, [new], similar=False)
        return True

    def delete(self, id: str, user_id: str | None = None) -> bool:
        """Forget a fact with its chain; False where nobody has the id."""
        owner = self.owner(id, user_id)
        if owner is not None:
            forget(self._space, owner, [id], only=False, transcripts=False)
        return owner is not None

    def list(
        self,
        user_id: str,
        *,
        sort: Sort = "created",
        limit: int | None = None,
        offset: int = 0,
        chat_id: str | None = None,
        category: str | None = None,
    ) -> list[Fact]:
        """Return current facts, newest first or most important first."""
        self.user(user_id)
        return list_facts(
            self._space,
            user_id,
            sort=sort,
            limit=limit,
            offset=offset,
            chat_id=chat_id,
            category=category,
        )

    def stats(self, user_id: str) -> Stats:
        """Count a user's rows."""
        self.user(user_id)
        return statistics(self._space, user_id)

    def count(self, user_id: str, chat_id: str | None = None) -> int:
        """Return how many current facts a user has, of one chat where it's named."""
        if chat_id is None:
            return self.stats(user_id).total_memories
        return len(self.list(user_id, chat_id=chat_id))

    def record_use(self, results: Results, user_id: str) -> None:
        """Count that the facts among these hits were recalled."""
        ids = [hit.id for hit in results if hit.kind == "fact"]
        if ids:
            self._space.index.record_use(user_id, ids, self._space.clock())

    def uses(self, user_id: str, ids: Sequence[str]) -> Mapping[str, int]:
        """Return how often facts were recalled, 0 for those that never were."""
        found = self._space.index.use(user_id, ids)
        return {id_: found[id_].n if id_ in found else 0 for id_ in ids}

    def owner(self, id: str, user_id: str | None = None) -> str | None:
        """
        Return whose fact has an id, None where nobody's has.

        Raises InvalidValue where several users have one of that id and none is named.
        """
        given: Any = id  # Any: what was given, whatever the annotation says
        if not isinstance(given, str):
            raise InvalidValue(f"a memory's id is text, not {type(given).__name__}")
        owners = self._space.index.owners(id)
        if user_id is not None:
            return user_id if user_id in owners else None
        if len(owners) > 1:
            raise InvalidValue(f"several users have a fact {id!r}; name the user")
        return owners[0] if owners else None
