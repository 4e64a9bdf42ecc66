"""Condensation without a language model."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.embed.hashing import HashEmbedder
from litemem.errors import EmbedError, InvalidValue, RunFailed
from litemem.run import channel as ch
from litemem.run.compact import compact
from litemem.run.offline import OfflineSummariser
from litemem.run.policy import CompactionPolicy, ModelCard
from litemem.run.summarize import summarize
from litemem.run.transcript import render_transcript
from litemem.run.turns import SUMMARY_HEADING, Turn, text_turn
from litemem.types import Vector

SENTENCES = st.sampled_from(
    [
        "Please rename it.",
        "We decided on SQLite.",
        "The port is 8443!",
        "我们决定用它。",
        "它在哪里？",
        "Look at src/app.py.",
        "user:",
        "ValueError: no",
        "nothing much",
        "\u2028 odd \r ends",
        "---",
        "",
    ]
)
TURNS = st.builds(
    text_turn,
    st.sampled_from(["user", "assistant", "tool"]),
    st.lists(SENTENCES, max_size=6).flatmap(
        lambda said: st.sampled_from([" ", "\n"]).map(lambda between: between.join(said))
    ),
)
TRANSCRIPTS = st.lists(TURNS, max_size=10).map(render_transcript)
CHATTER = [
    "The garden looked lovely in the early morning light.",
    "A neighbour told a long story about a boat and a storm.",
    "Somebody played the piano while the soup was getting cold.",
    "Later the children painted clouds on a very large sheet.",
    "Grandmother explained how bread was baked in her village.",
]


def chat() -> list[Turn]:
    return [text_turn("assistant", " ".join([line, *CHATTER])) for line in CHATTER * 4]


class BrokenEmbedder(HashEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> list[Vector | None]:
        raise EmbedError(f"no vectors for {len(texts)} texts")


@given(TRANSCRIPTS, st.integers(1, 80))
def test_nothing_is_invented_and_the_order_stays(transcript: str, max_tokens: int) -> None:
    text, at = OfflineSummariser(HashEmbedder(), max_tokens=max_tokens).condense(transcript), 0
    for line in text.split("\n"):
        at = transcript.index(line, at) + len(line)


@given(TRANSCRIPTS, st.integers(1, 200))
def test_a_summary_keeps_to_its_budget(transcript: str, budget: int) -> None:
    summariser = OfflineSummariser(HashEmbedder(), counter=len)

    assert len(summariser.condense(transcript, max_tokens=budget)) <= budget


@pytest.mark.parametrize("embedder", [None, HashEmbedder(), BrokenEmbedder()])
def test_what_matters_survives_among_chatter(embedder: HashEmbedder | None) -> None:
    matters = [
        ("user", "Please move the export to the settings page."),
        ("assistant", "We decided to keep the old parser."),
        ("assistant", "The change went into src/export/writer.py today."),
        ("assistant", "The upload limit is 250 MB."),
        ("tool", "TypeError: unsupported operand"),
        ("assistant", "Still open: the Windows installer."),
    ]
    turns = chat()
    for n, (role, text) in enumerate(matters):
        turns.insert(3 * n + 1, text_turn(role, text))
    text = OfflineSummariser(embedder, max_tokens=160).condense(render_transcript(turns))

    wanted = [said for _, said in matters]

    assert [line for line in text.split("\n") if line in wanted] == wanted


def test_a_summary_says_who_spoke() -> None:
    transcript = render_transcript([text_turn("user", "Fix the footer."), *chat()])
    text = OfflineSummariser(max_tokens=60).condense(transcript)

    assert text.startswith("user:\nFix the footer.\nassistant:\n")


def test_a_short_transcript_is_kept_whole() -> None:
    assert OfflineSummariser().condense("user:\nhi\n") == "user:\nhi"


def test_an_earlier_summary_goes_on_without_its_heading() -> None:
    heading = f"user:\n{SUMMARY_HEADING}\n"
    transcript = f"{heading}{heading}user:\nhi\n\nassistant:\nyes"

    assert OfflineSummariser().condense(transcript) == "user:\nhi\n\nassistant:\nyes"


def test_without_vectors_words_decide_and_a_warning_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    transcript = render_transcript(chat())
    plain = OfflineSummariser(max_tokens=60).condense(transcript)

    assert OfflineSummariser(BrokenEmbedder(), max_tokens=60).condense(transcript) == plain
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_a_history_is_condensed_without_a_language_model() -> None:
    turns = [text_turn("user", "Fix the footer."), *chat(), text_turn("user", "Thanks.")]
    card, policy = ModelCard(id="m", context_window=1000), CompactionPolicy(keep_recent=1)
    summary, *tail = await compact(
        turns, card, policy, OfflineSummariser(HashEmbedder(), max_tokens=100)
    )

    assert summary["blocks"][0]["text"].startswith(f"{SUMMARY_HEADING}\nuser:\nFix the footer.")
    assert len(summary["blocks"][0]["text"]) <= len(SUMMARY_HEADING) + 1 + 400
    assert tail == turns[-1:]


async def test_condensing_a_summary_again_keeps_what_it_said() -> None:
    summariser = OfflineSummariser(max_tokens=100)
    once = await summarize([text_turn("user", "Fix the footer."), *chat()], summariser)
    twice = await summarize([once, *chat()], summariser)

    assert twice["blocks"][0]["text"].count(SUMMARY_HEADING) == 1
    assert "Fix the footer." in twice["blocks"][0]["text"]


async def test_nothing_to_say_is_an_error() -> None:
    with pytest.raises(RunFailed, match="empty"):
        await summarize([], OfflineSummariser())


async def answer(summariser: OfflineSummariser, options: ch.StreamOptions, *turns: Turn) -> str:
    emitted = [e async for e in summariser(ch.Conversation(turns=turns), options)]
    streamed, done = emitted
    assert isinstance(streamed, ch.TextEmitted)
    assert isinstance(done, ch.Done)
    assert done.reply.blocks == ({"kind": "text", "text": streamed.delta},)
    return streamed.delta


async def test_a_call_can_lower_the_limit() -> None:
    turn = text_turn("user", render_transcript(chat()))
    text = await answer(OfflineSummariser(), ch.StreamOptions(max_output_tokens=50), turn)

    assert 0 < len(text) <= 200


async def test_a_conversation_of_turns_is_a_transcript_too() -> None:
    turns = text_turn("user", "Fix it."), text_turn("assistant", "Done.")
    text = await answer(OfflineSummariser(), ch.StreamOptions(), *turns)

    assert text == "user:\nFix it.\n\nassistant:\nDone."


async def test_the_work_can_be_done_elsewhere() -> None:
    done: list[str] = []

    def elsewhere(work: Callable[[], str]) -> Awaitable[str]:
        async def run() -> str:
            done.append(work())
            return done[-1]

        return run()

    summariser = OfflineSummariser(offload=elsewhere)

    assert await answer(summariser, ch.StreamOptions(), text_turn("user", "hi")) == "hi"
    assert done == ["hi"]


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InvalidValue, match="max_tokens"):
        OfflineSummariser(max_tokens=0)
