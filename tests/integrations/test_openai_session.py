"""LitememSession keeps to the SDK's protocol, over a log in which nothing is lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest
from agents import Agent, Runner, function_tool
from agents.memory import Session, SessionSettings, SQLiteSession
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.aio.logs import SessionStore
from litemem.errors import Closed, InvalidValue
from litemem.integrations.items import Item
from litemem.integrations.openai_agents import LitememSession
from litemem.run.compact import compact
from litemem.run.offline import OfflineSummariser
from litemem.run.policy import CompactionPolicy, ModelCard
from tests.integrations.scripted import QUIET, Scripted, calls, says, thinks
from tests.integrations.sdk_items import ITEMS


def user(text: str) -> Any:  # noqa: ANN401  # Any: an item
    """Make a message of the user."""
    return {"role": "user", "content": text}


@pytest.fixture
def session(tmp_path: Path) -> LitememSession:
    """Return a session in a new folder."""
    return LitememSession("s", SessionStore(tmp_path / "sessions", fsync=False))


def test_it_is_a_session_of_the_sdk(session: LitememSession) -> None:
    assert isinstance(session, Session)
    checked: Session = session
    assert checked.session_id == "s"


async def test_items_come_back_from_a_log_that_was_opened_again(tmp_path: Path) -> None:
    await LitememSession("s", tmp_path).add_items(cast(Any, ITEMS))

    assert await LitememSession("s", str(tmp_path)).get_items() == ITEMS


async def test_the_home_has_the_log_where_no_store_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITEMEM_HOME", str(tmp_path))
    await LitememSession("s").add_items([user("a")])

    assert (tmp_path / "sessions" / "s.jsonl").is_file()


async def test_an_empty_session_has_no_items(session: LitememSession) -> None:
    assert await session.get_items() == []
    assert await session.pop_item() is None
    await session.clear_session()
    await session.add_items([])
    assert await session.store.list_sessions() == []


async def test_a_limit_takes_the_newest_items(session: LitememSession) -> None:
    thought = ITEMS[8]
    await session.add_items([user("a"), cast(Any, thought), cast(Any, ITEMS[1]), user("b")])
    everything = await session.get_items()

    for limit in range(6):
        assert await session.get_items(limit) == everything[max(0, 4 - limit) :]
    with pytest.raises(InvalidValue, match="limit is -1"):
        await session.get_items(-1)


async def test_the_settings_limit_counts_where_none_is_given(tmp_path: Path) -> None:
    session = LitememSession("s", tmp_path, session_settings=SessionSettings(limit=1))
    await session.add_items([user("a"), user("b")])

    assert await session.get_items() == [user("b")]
    assert await session.get_items(2) == [user("a"), user("b")]


async def test_a_limit_finds_items_behind_turns_that_have_none(session: LitememSession) -> None:
    silent = {"role": "assistant", "blocks": [{"kind": "thinking", "text": "hm"}]}
    await session.add_items([user("a")])
    await session.store.append_turns("s", [silent, silent])

    assert await session.get_items(1) == [user("a")]
    assert await session.pop_item() == user("a")


async def test_a_popped_item_stays_in_the_log(session: LitememSession) -> None:
    await session.add_items([user("a"), user("b")])

    assert await session.pop_item() == user("b")
    await session.add_items([user("c")])
    assert await session.get_items() == [user("a"), user("c")]
    assert (await session.store.load_session("s")).size == 3


async def test_one_item_of_a_turn_can_be_popped(session: LitememSession) -> None:
    reply = [cast(Any, ITEMS[8]), cast(Any, ITEMS[5])]
    await session.add_items(reply)

    assert await session.pop_item() == reply[1]
    assert await session.get_items() == reply[:1]


async def test_a_cleared_session_is_empty_and_its_log_whole(session: LitememSession) -> None:
    await session.add_items([user("a"), user("b")])
    await session.clear_session()
    await session.clear_session()

    assert await session.get_items() == await session.get_items(5) == []
    assert (await session.store.load_session("s")).size == 3
    await session.add_items([user("c")])
    assert await session.get_items() == [user("c")]


async def test_a_moved_head_is_the_branch_that_goes_on(session: LitememSession) -> None:
    await session.add_items([user("a"), user("b")])
    first = (await session.store.load_session("s")).all()[0]
    session.store.sync.move_head("s", first.id)

    assert await session.get_items() == [user("a")]
    await session.add_items([user("c")])
    assert await session.get_items() == [user("a"), user("c")]


async def condense(session: LitememSession, keep_recent: int) -> None:
    """Condense a session as `litemem session compact` does."""
    graph = await session.store.load_session("s")
    turns = graph.context().turns()
    card = ModelCard(id="m", context_window=1000)
    policy = CompactionPolicy(keep_recent=keep_recent)
    shorter = await compact(turns, card, policy, OfflineSummariser())
    at = len(turns) - keep_recent
    session.store.sync.compact(graph, shorter[0], at=at)


async def test_a_condensed_session_gives_summary_and_tail(session: LitememSession) -> None:
    texts = [f"The tram number {n} leaves from the old town in Porto." for n in range(8)]
    await session.add_items([user(text) for text in texts])
    await condense(session, 2)
    summary, *tail = await session.get_items()

    assert str(cast(Any, summary)["content"]).startswith("[condensed earlier context]")
    assert tail == [user(text) for text in texts[-2:]]
    assert await session.pop_item() == user(texts[-1])
    assert await session.get_items() == [summary, user(texts[-2])]
    assert await session.get_items(1) == [user(texts[-2])]


async def test_a_closed_store_says_so(session: LitememSession) -> None:
    await session.store.close()

    with pytest.raises(Closed, match="closed; open it again"):
        await session.get_items()


ADDER = """
import asyncio, sys
from litemem.integrations.openai_agents import LitememSession

async def work(folder, name):
    session = LitememSession("s", folder)
    for n in range(10):
        texts = f"{name}{n}", f"{name}{n}!"
        await session.add_items([{"role": "user", "content": text} for text in texts])

asyncio.run(work(*sys.argv[1:]))
"""


def start(folder: Path, name: str) -> subprocess.Popen[bytes]:
    """Add ten pairs of items in another process."""
    return subprocess.Popen([sys.executable, "-c", ADDER, str(folder), name])


async def test_processes_and_tasks_append_without_loss(tmp_path: Path) -> None:
    others = [start(tmp_path, name) for name in "a"]
    sessions = [LitememSession("s", tmp_path) for _ in range(3)]
    for n in range(10):
        await asyncio.gather(
            *(one.add_items([user(f"{i}{n}"), user(f"{i}{n}!")]) for i, one in enumerate(sessions))
        )
    for other in others:
        assert await asyncio.to_thread(other.wait) == 0

    texts = [cast(Any, item)["content"] for item in await sessions[0].get_items()]
    assert len(texts) == 80
    for name in "a012":
        own = [text for text in texts if text[0] == name]
        assert own == [f"{name}{n}{mark}" for n in range(10) for mark in ("", "!")]
    assert all(text + "!" == after for text, after in zip(texts[::2], texts[1::2], strict=True))


async def test_a_cancelled_append_is_whole_or_not_there(session: LitememSession) -> None:
    for n in range(20):
        task = asyncio.create_task(session.add_items([user(f"{n}"), user(f"{n}!")]))
        await asyncio.sleep(0 if n % 2 else 0.0005)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    texts = [cast(Any, item)["content"] for item in await session.get_items()]

    assert all(text + "!" == after for text, after in zip(texts[::2], texts[1::2], strict=True))


async def test_the_loop_goes_on_while_the_log_is_written(session: LitememSession) -> None:
    lags: list[float] = []

    async def tick() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(0.001)
            lags.append(time.perf_counter() - start - 0.001)

    ticker = asyncio.create_task(tick())
    lock = asyncio.create_task(asyncio.to_thread(hold, session))
    await asyncio.sleep(0.02)
    await session.add_items([user("a")])
    await lock
    ticker.cancel()

    assert len(lags) > 20  # it ran while the write waited for another one's lock


def hold(session: LitememSession) -> None:
    """Hold the folder's lock for a tenth of a second."""
    with session.store.sync.folder.writing("other", new=True):
        time.sleep(0.1)


Step = tuple[str, list[Item]]


@settings(max_examples=60)
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("add"), st.lists(st.sampled_from(ITEMS), max_size=4)),
            st.tuples(st.sampled_from(["pop", "pop", "clear"]), st.just([])),
        ),
        max_size=10,
    )
)
def test_it_does_as_the_sdks_own_session(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    async def run() -> None:
        ours = LitememSession("s", SessionStore(tmp_path_factory.mktemp("s"), fsync=False))
        theirs = SQLiteSession("s")
        for step, items in steps:
            if step == "add":
                await ours.add_items(cast(Any, items))
                await theirs.add_items(cast(Any, items))
            elif step == "pop":
                assert await ours.pop_item() == await theirs.pop_item()
            else:
                await ours.clear_session()
                await theirs.clear_session()
            assert await ours.get_items() == await theirs.get_items()
            assert await ours.get_items(2) == await theirs.get_items(2)
        await ours.store.close()
        theirs.close()

    asyncio.run(run())


@function_tool
async def weather(city: str) -> str:
    """Tell the weather."""
    return f"sunny in {city}"


async def test_a_runner_goes_on_where_it_was(tmp_path: Path) -> None:
    model = Scripted(
        [thinks("I need the weather."), calls("weather", '{"city": "Porto"}')],
        [says("Sunny.")],
        [says("You asked for the weather.")],
    )
    agent = Agent(name="Guide", model=model, tools=[weather])
    first, again = LitememSession("s", tmp_path), LitememSession("s", tmp_path)
    await Runner.run(agent, "How is the weather in Porto?", session=first, run_config=QUIET)
    result = await Runner.run(agent, "What did I ask?", session=again, run_config=QUIET)
    items = [cast(Item, item) for item in await LitememSession("s", tmp_path).get_items()]

    assert result.final_output == "You asked for the weather."
    assert [item.get("type", "easy") for item in items] == [
        *("easy", "reasoning", "function_call", "function_call_output", "message"),
        *("easy", "message"),
    ]
    assert items[3]["output"] == "sunny in Porto"
    assert model.given[2] == items[:6]


async def test_a_runner_goes_on_with_a_condensed_session(session: LitememSession) -> None:
    texts = [f"The tram number {n} leaves from the old town in Porto." for n in range(8)]
    await session.add_items([user(text) for text in texts])
    await condense(session, 2)
    model = Scripted([says("Soon.")])
    agent = Agent(name="Guide", model=model)
    await Runner.run(agent, "When?", session=session, run_config=QUIET)

    assert len(model.given[0]) == 4
    assert len(await session.get_items()) == 5


def test_a_run_without_a_loop_of_its_own_works(session: LitememSession) -> None:
    loop = asyncio.new_event_loop()  # the SDK would make one, and leave it open
    asyncio.set_event_loop(loop)
    agent = Agent(name="Guide", model=Scripted([says("Hello.")]))
    result = Runner.run_sync(agent, "Hi", session=session, run_config=QUIET)
    loop.close()
    asyncio.set_event_loop(None)

    assert result.final_output == "Hello."
    assert len(session.store.sync.resume("s")) == 2
