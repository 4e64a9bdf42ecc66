"""Work beside other work."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from litemem.index.aside import Aside

NO_MORE_THREADS = """
import resource, threading
from litemem.index.aside import Aside
import concurrent.futures.thread
_, most = resource.getrlimit(resource.RLIMIT_AS)
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 20), most))
threading.stack_size(1 << 26)
aside = Aside()
print(aside.begin(lambda: 7)(), aside._thread)
"""

AFTER_THE_END = """
import threading
from litemem.index.aside import Aside

def late():
    threading.main_thread().join()
    print(Aside().begin(lambda: 7)())

threading.Thread(target=late).start()
"""

FORKED = """
import os, threading
from litemem.index.aside import Aside

aside = Aside()
aside.begin(threading.current_thread)()
if os.fork() == 0:
    begun = threading.Event()
    result = aside.begin(begun.set)
    print(begun.wait(10), flush=True)
    os._exit(0)
os.wait()
"""


@pytest.fixture
def aside() -> Iterator[Aside]:
    """Return a thread that is ended after the test."""
    made = Aside()
    yield made
    made.close()


def test_work_is_done_on_another_thread_while_this_one_goes_on(aside: Aside) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        may_end.wait(10)
        return threading.current_thread().name

    result = aside.begin(work)
    assert begun.wait(10)
    may_end.set()

    assert result().startswith("litemem-aside")


def test_work_that_nobody_has_begun_is_done_here(aside: Aside) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def busy() -> None:
        begun.set()
        may_end.wait(10)

    first = aside.begin(busy)
    assert begun.wait(10)
    second = aside.begin(threading.current_thread)

    assert second() is threading.current_thread()
    may_end.set()
    first()


def test_an_error_comes_where_the_result_is_asked_for(aside: Aside) -> None:
    def work() -> None:
        raise KeyError("no")

    result = aside.begin(work)

    with pytest.raises(KeyError, match="no"):
        result()


def test_after_the_end_work_is_done_here(aside: Aside) -> None:
    aside.begin(threading.current_thread)()
    aside.close()
    aside.close()

    assert aside.begin(threading.current_thread)() is threading.current_thread()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limits")
def test_where_no_thread_can_be_made_work_is_done_here_and_nothing_waits() -> None:
    assert printed(NO_MORE_THREADS) == "7 None\n"


def test_when_the_program_ends_work_is_done_here() -> None:
    assert printed(AFTER_THE_END) == "7\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_a_thread_of_its_own() -> None:
    assert printed(FORKED) == "True\n"


def printed(program: str) -> str:
    """Return what a program prints, which ends well and complains of nothing."""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout
