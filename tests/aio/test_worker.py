from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from litemem.aio.worker import Worker
from litemem.errors import Closed


async def test_calls_run_in_order_on_one_other_thread() -> None:
    worker, seen = Worker(), list[tuple[int, str]]()

    def note(number: int) -> None:
        seen.append((number, threading.current_thread().name))

    await asyncio.gather(*(worker.run(note, number) for number in range(20)))
    worker.close()

    assert [number for number, _ in seen] == list(range(20))
    assert {name for _, name in seen} == {"litemem_0"}


async def test_a_read_doesnt_queue_behind_a_write() -> None:
    worker, go = Worker(), threading.Event()

    slow = asyncio.ensure_future(worker.run(go.wait, 30))
    read = await asyncio.wait_for(worker.read(lambda: "read"), 10)
    go.set()

    assert read == "read"
    assert await slow is True
    worker.close()


async def test_a_begun_write_finishes_although_its_caller_is_cancelled() -> None:
    worker, begun, go, done = Worker(), threading.Event(), threading.Event(), list[str]()

    def write() -> None:
        begun.set()
        go.wait(30)
        done.append("written")

    caller = asyncio.ensure_future(worker.run(write))
    await asyncio.to_thread(begun.wait, 30)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go.set()
    await worker.aclose()

    assert done == ["written"]


async def test_a_cancelled_call_that_hasnt_begun_is_left_out() -> None:
    worker, go, done = Worker(), threading.Event(), list[str]()

    first = asyncio.ensure_future(worker.run(go.wait, 30))
    second = asyncio.ensure_future(worker.run(done.append, "written"))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    go.set()
    await first
    await worker.aclose()

    assert done == []


async def test_a_closed_worker_refuses_work_and_closes_twice() -> None:
    worker = Worker()
    await worker.aclose()
    await worker.aclose()

    with pytest.raises(Closed, match="open it again"):
        await worker.run(lambda: None)
    with pytest.raises(Closed):
        worker.submit(lambda: None)


async def test_context_variables_reach_the_work() -> None:
    who, worker = contextvars.ContextVar[str]("who"), Worker()
    who.set("me")

    assert await worker.run(who.get) == "me"
    await worker.aclose()
