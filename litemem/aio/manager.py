"""MemoryManager: core memory, archival memory and conversation turns of an agent's users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypedDict

from litemem.aio.asking import ask
from litemem.aio.extraction import Extraction, ask_about, by_model, by_rules
from litemem.aio.home import Core
from litemem.aio.markdown import MarkdownMemoryStore, check_home
from litemem.aio.result import MemoryExtractionResult
from litemem.aio.shapes import MemoryList, memory_list
from litemem.aio.store import SQLiteMemoryStore
from litemem.aio.summary import summarise_facts
from litemem.aio.tidy import Consolidated, tidy, tidy_by
from litemem.aio.turns import keep_facts, near_facts, times_said, write_turn
from litemem.errors import InvalidValue
from litemem.extract.turn import ConversationTurn
from litemem.llm.client import LLMClient
from litemem.llm.names import resolve_llm
from litemem.memory.blocks import shown_blocks
from litemem.memory.recall import recall_text
from litemem.memory.refresh import important_facts, refresh_facts
from litemem.memory.search import Results
from litemem.memory.undo import Undone
from litemem.text.prompt import core_block
from litemem.types import DEFAULT_USER, Kind


class MemoryStats(TypedDict):
    """How much a user has, and how often it was recalled."""

    total_memories: int
    user_id: str
    used: int  # facts recalled at least once
    cold: int  # facts never recalled
    rate: float  # used / total, 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What the kept section of the facts block was made of."""

    facts: int
    summarised: bool  # by the model; else a list by category
    error: str | None = None  # why the model's summary wasn't taken


class MemoryManager:
    """
    An agent's memory; drop-in for the reference's.

    Args:
        store: where it is kept; opened at first use.
        embedding_model: the model of a new home; of a known one it must be its own.
        embedding_dimension: what its vectors have; 0: whatever the model makes.
        llm_for_extraction: a client, or a name such as `ollama/llama3.2` (see `resolve_llm`);
            None: facts are extracted by rules, and nothing is contacted.
        markdown_store: for those who have one; it must be in the store's home.
        llm_timeout_s: how long one answer of the model may take.
    """

    def __init__(
        self,
        store: SQLiteMemoryStore,
        embedding_model: str | None = None,
        embedding_dimension: int = 0,
        llm_for_extraction: str | LLMClient | None = None,
        markdown_store: MarkdownMemoryStore | None = None,
        *,
        llm_timeout_s: float = 60.0,
    ) -> None:
        store.expect(model=embedding_model, dimension=embedding_dimension)
        self.store, self.markdown_store = store, markdown_store
        self.llm = _client(llm_for_extraction)
        self._llm_timeout_s = llm_timeout_s
        if markdown_store is not None:
            check_home(markdown_store, store.folder)

    async def close(self) -> None:
        """Finish what was asked and close the store; a second call does nothing."""
        await self.store.close()

    async def __aenter__(self) -> Self:
        await self.store.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def get_core_memory(
        self, chat_id: str | None = None, user_id: str | None = None
    ) -> dict[str, str]:
        """Return the four blocks by label, each of the narrowest scope that has it."""
        return await self.store.get_all_memory_blocks(chat_id, user_id)

    async def update_memory_block(
        self, label: str, content: str, chat_id: str | None = None, user_id: str | None = None
    ) -> bool:
        """Replace a block in exactly this scope; True when it's on disk. Raises InvalidBlock."""
        return await self.store.set_memory_block(label, content, chat_id, user_id)

    async def format_core_memory_for_context(
        self, chat_id: str | None = None, user_id: str | None = None
    ) -> str:
        """Return the blocks as one delimited text for a system prompt, and where the files are."""

        def formatted(core: Core) -> str:
            folder = core.space.home.user_dir(user_id or DEFAULT_USER)
            return core_block(shown_blocks(core.facts.blocks(user_id, chat_id)), str(folder))

        return await self.store.home.read(formatted)

    async def search_memories(
        self,
        query: str,
        limit: int = 10,
        chat_id: str | None = None,
        user_id: str | None = None,
        use_hybrid: bool = True,  # noqa: FBT001, FBT002  # the reference's signature
        *,
        offset: int = 0,
        floor: float | None = None,
        kinds: Sequence[Kind] = ("fact",),
        exclude_chat: str | Sequence[str] = (),
    ) -> MemoryList:
        """
        Return the best matches; `note` says what they lack, such as vectors.

        `use_hybrid` False leaves the words out and goes by meaning alone. Nothing that was said in
        `exclude_chat` is found, such as the chat that is going on. `kinds` may name "turn" for
        transcripts, "node" for sessions and "block", too. Raises InvalidQuery.
        """
        user = user_id or DEFAULT_USER

        def search(core: Core) -> Results:
            return core.of(user).search(
                query,
                limit,
                offset=offset,
                chat_id=chat_id,
                mode="hybrid" if use_hybrid else "semantic",
                floor=floor,
                kinds=kinds,
                exclude_chat=exclude_chat,
                wait=False,
            )

        return memory_list(await self.store.home.search(user, search), user)

    async def retrieve_relevant_memories(
        self,
        query: str,
        chat_id: str | None = None,
        user_id: str | None = None,
        limit: int = 5,
    ) -> str:
        """Return the best matches as one delimited block for a prompt, '' where there are none."""
        user, home = user_id or DEFAULT_USER, self.store.home
        results = await home.search(
            user, lambda core: core.of(user).search(query, limit, chat_id=chat_id, wait=False)
        )
        return await home.read(lambda core: recall_text(results, core.space.zone))

    async def process_conversation_turn_for_memories(
        self,
        conversation_turn: ConversationTurn | Mapping[str, Any],  # Any: a caller's JSON
        chat_id: str,
        user_id: str,
        session_id: str | None = None,
    ) -> MemoryExtractionResult:
        """
        Write a turn to its transcript, and the facts found in it to the day's log and the index.

        The transcript comes first, once for a turn with a timestamp: when the model fails, and the
        result's `errors` say so, or when the caller is cancelled, the turn can be given again.
        Without a model rules find the facts. A model is asked once a turn, with the nearest known
        facts; what it answers is checked, and what isn't taken is in `errors`.

        Args:
            conversation_turn: or a dict, as `ConversationTurn.from_dict` reads it.
            chat_id: where it was said.
            user_id: by whom.
            session_id: whose transcript it belongs to; default the chat's.

        Raises InvalidValue for a turn that isn't one, InvalidName for an id that is no file name.
        """
        turn = _turn(conversation_turn)
        session = chat_id if session_id is None else session_id
        said_at = turn.timestamp or self.store.now()
        home = self.store.home
        with home.at_work():
            appended = await home.write(lambda core: write_turn(core, user_id, session, turn))
            found = await self._extract(turn, chat_id, user_id)
            result = await home.write(
                lambda core: keep_facts(
                    core, user_id, chat_id, session, found.facts, said_at, appended
                )
            )
        result.errors[:0] = found.trouble
        return result

    async def times_said(
        self, turn: ConversationTurn, chat_id: str, user_id: str, session_id: str | None = None
    ) -> int:
        """Return how often a session's transcript has a turn of these texts and tool calls."""
        session = chat_id if session_id is None else session_id
        return await self.store.home.write(lambda core: times_said(core, user_id, session, turn))

    async def refresh_core_memory_facts(self, user_id: str) -> Refreshed:
        """
        Rewrite the kept section of the user's MEMORY.md with what matters most; the rest stays.

        It holds the facts of importance 0.7 and more, at most 50: a list by category, or the
        model's summary where there is a model; a failed or empty summary leaves the list.
        """
        summary, error = None, None
        if self.llm is not None:
            facts = await self.store.home.read(
                lambda core: important_facts(core.of(user_id).space, user_id)
            )
            summary, error = await summarise_facts(self.llm, facts, self._llm_timeout_s)
        kept = await self.store.home.write(
            lambda core: refresh_facts(core.of(user_id).space, user_id, summary)
        )
        return Refreshed(facts=len(kept), summarised=summary is not None, error=error)

    async def consolidate(
        self,
        user_id: str | None = None,
        *,
        apply: bool = False,
        by_model: bool = False,
        everything: bool = False,
    ) -> Consolidated:
        """
        Find facts that say the same or that newer ones replaced, and put them together.

        Nothing changes unless `apply` says to do all of it, or `by_model` lets the model decide
        about each proposal; `undo` takes a step back. Facts in logs that changed since the last
        step are compared with all, with `everything` all are.

        Raises InvalidValue for `by_model` without a model.
        """
        user, home = user_id or DEFAULT_USER, self.store.home
        if not by_model:
            return await tidy(home, user, apply=apply, everything=everything)
        if self.llm is None:
            raise InvalidValue("no model can decide: give the manager llm_for_extraction")
        return await tidy_by(self.llm, home, user, self._llm_timeout_s, everything=everything)

    async def undo(self, user_id: str | None = None, step: str | None = None) -> Undone:
        """Take a step of consolidation back, the latest where none is named."""
        return await self.store.home.write(lambda core: core.of(user_id or DEFAULT_USER).undo(step))

    async def get_memory_stats(self, user_id: str) -> MemoryStats:
        """Return how many current facts a user has, and how many were recalled."""
        found = await self.store.get_memory_stats(user_id)
        return {
            "total_memories": found["total_memories"],
            "user_id": user_id,
            "used": found["used"],
            "cold": found["cold"],
            "rate": found["rate"],
        }

    async def _extract(self, turn: ConversationTurn, chat: str, user: str) -> Extraction:
        home = self.store.home
        if self.llm is None:
            return await home.read(lambda _: by_rules(turn))
        question = await home.read(lambda core: ask_about(turn, near_facts(core, user, chat, turn)))
        answer = await ask(self.llm, question.prompt, question.system, self._llm_timeout_s)
        return await home.read(lambda _: by_model(turn, question, answer))


def _client(given: str | LLMClient | None) -> LLMClient | None:
    if isinstance(given, str):
        return resolve_llm(given)
    if given is not None and not callable(getattr(given, "complete", None)):
        kind = type(given).__name__
        raise InvalidValue(f"llm_for_extraction is a name or has `complete`, and a {kind} hasn't")
    return given


def _turn(given: ConversationTurn | Mapping[str, Any]) -> ConversationTurn:
    if isinstance(given, ConversationTurn):
        return given
    if isinstance(given, Mapping):
        return ConversationTurn.from_dict(given)
    raise InvalidValue(
        f"a conversation turn is a ConversationTurn or a dict, not {type(given).__name__}"
    )
