"""Messages as lines over pipes, in this process."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.mcp import lines
from litemem.mcp.lines import MAX_LINE, Lines
from litemem.mcp.wire import Wire


class Ends:
    """The client's ends of the wire."""

    def __init__(self, says: int, hears: int) -> None:
        self.says, self.hears = says, hears

    def say(self, text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        while data:
            data = data[os.write(self.says, data) :]

    def leave(self) -> None:
        os.close(self.says)

    def heard(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in os.read(self.hears, 65_536).splitlines()]


@contextmanager
def piped() -> Iterator[tuple[Wire, Ends]]:
    reads, says = os.pipe()
    hears, writes = os.pipe()
    try:
        yield Wire(reads=reads, writes=writes), Ends(says, hears)
    finally:
        for fd in (says, reads, hears, writes):
            with suppress(OSError):
                os.close(fd)


@asynccontextmanager
async def talking() -> AsyncIterator[tuple[Lines, Ends]]:
    with piped() as (wire, ends):
        made = Lines(wire)
        made.start()
        yield made, ends
        with suppress(OSError):
            ends.leave()
        await asyncio.sleep(0.01)  # the reading thread sees it


WORDS = st.text(st.characters(exclude_categories=["Cs"]))
PARAMS = st.dictionaries(WORDS, WORDS, max_size=3)


def asked(id_: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": "ping"}) + "\n"


def answered(id_: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "result": {}}) + "\n"


async def test_the_end_waits_for_answers() -> None:
    async with talking() as (made, ends):
        ends.say(asked(1) + "\n\n" + asked("b"))
        ends.leave()
        assert [json.loads(await anext(made))["id"] for _ in range(2)] == [1, "b"]
        end = asyncio.ensure_future(anext(made, None))
        for id_ in (1, "b"):
            await asyncio.sleep(0.05)
            assert not end.done()
            await made.write(answered(id_))
            await made.flush()

        assert await end is None
        assert [message["id"] for message in ends.heard()] == [1, "b"]


async def test_what_the_server_asks_answers_nothing() -> None:
    async with talking() as (made, ends):
        ends.say(asked(1))
        ends.leave()
        await anext(made)
        await made.write(asked(1))
        end = asyncio.ensure_future(anext(made, None))
        await asyncio.sleep(0.1)
        assert not end.done()
        made.end()

        assert await end is None


async def test_a_last_line_needs_no_line_end_and_what_was_taken_back_no_answer() -> None:
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    back = json.dumps({**cancelled, "params": {"requestId": 7}})
    async with talking() as (made, ends):
        ends.say(f"{asked(7)}{json.dumps(cancelled)}\n{back}")
        ends.leave()
        got = [line async for line in made]

        assert got[-1] == back
        assert len(got) == 3


async def test_too_long_a_wait_for_answers_ends() -> None:
    async with talking() as (made, ends):
        ends.say(asked(1))
        ends.leave()
        await anext(made)
        begun = time.monotonic()

        assert await anext(made, None) is None
        assert lines.LAST_ANSWERS_S <= time.monotonic() - begun < lines.LAST_ANSWERS_S + 2


async def test_an_end_waits_for_nothing() -> None:
    async with talking() as (made, ends):
        for _ in range(100):  # more than are taken in advance
            ends.say(asked(1))
        await anext(made)
        full = "x" * 200_000
        stuck = asyncio.ensure_future(made.write(json.dumps({"id": 1, "result": full}) + "\n"))
        await asyncio.sleep(0.1)
        assert not stuck.done()
        made.end()
        made.end()

        await stuck
        assert await anext(made, None) is None
        os.close(ends.hears)


async def test_nobody_at_the_other_end_is_an_end() -> None:
    async with talking() as (made, ends):
        os.close(ends.hears)
        await made.write(answered(1))

        assert await anext(made, None) is None


async def test_what_is_no_message_is_refused_here() -> None:
    async with talking() as (made, ends):
        wrong = (b"\xff", b"7", b"NaN", b'"\\ud800"', b"[" * 50_000, b"x" * (MAX_LINE + 10))
        took = asyncio.ensure_future(anext(made))
        for line in wrong:
            await asyncio.to_thread(ends.say, line + b"\n")
        ends.say(asked(1))

        assert json.loads(await took)["id"] == 1
        codes = [message["error"]["code"] for message in ends.heard()]  # type: ignore[index]
        assert codes == [-32700, -32600, -32700, -32700, -32700, -32700]


async def test_a_refused_request_isnt_waited_for() -> None:
    async with talking() as (made, ends):
        ends.say(asked(1).replace('"2.0"', '"1.0"') + asked(None))
        ends.leave()
        begun = time.monotonic()

        assert await anext(made, None) is None
        assert time.monotonic() - begun < lines.LAST_ANSWERS_S
        assert [message["id"] for message in ends.heard()] == [1, None]


async def test_a_wrong_answer_gets_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    async with talking() as (made, ends):
        ends.say('{"jsonrpc": "2.0", "id": null, "result": 7}\n' + asked(1))

        assert json.loads(await anext(made))["id"] == 1
        await made.write(answered(1))
        assert [message["id"] for message in ends.heard()] == [1]
    assert "an answer of the client was left out" in caplog.text


@given(params=st.lists(PARAMS, max_size=5), plain=st.booleans())
def test_messages_arrive_as_they_were_sent(params: list[dict[str, str]], *, plain: bool) -> None:
    messages = [{"jsonrpc": "2.0", "method": "m", "params": one} for one in params]

    async def sent() -> list[object]:
        async with talking() as (made, ends):
            for message in messages:
                ends.say(json.dumps(message, ensure_ascii=plain) + "\n")
            ends.leave()
            return [json.loads(line) async for line in made]

    assert asyncio.run(sent()) == messages


def test_a_line_after_the_loop_has_ended_is_lost_in_silence() -> None:
    async def begin(wire: Wire) -> None:
        Lines(wire).start()

    with piped() as (wire, ends):
        before = {*threading.enumerate()}
        asyncio.run(begin(wire))
        new = {*threading.enumerate()} - before
        (reading,) = [thread for thread in new if thread.name == "mcp-stdin"]
        ends.say(asked(1))
        reading.join(5)

        assert not reading.is_alive()
