from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from worldgen.lm.background import Background, background


@pytest.fixture
def loop() -> Iterator[Background]:
    made = Background()
    yield made
    made.close()


async def _echo(value: int, seconds: float = 0.0) -> int:
    await asyncio.sleep(seconds)
    return value


async def _fail() -> None:
    await asyncio.sleep(0)
    raise ZeroDivisionError


def test_a_result_comes_back(loop: Background) -> None:
    assert loop.run(_echo(7)) == 7


def test_an_error_comes_back(loop: Background) -> None:
    with pytest.raises(ZeroDivisionError):
        loop.run(_fail())


def test_many_threads_are_served_at_once(loop: Background) -> None:
    start = time.monotonic()
    with ThreadPoolExecutor(64) as pool:
        results = list(pool.map(lambda value: loop.run(_echo(value, 0.2)), range(64)))
    assert results == list(range(64))
    assert time.monotonic() - start < 64 * 0.2 / 8


def test_a_caller_that_gives_up_cancels(loop: Background) -> None:
    ended = threading.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        loop.run(work(), 0.02)
    assert ended.wait(5)


def test_closing_cancels_what_still_runs(loop: Background) -> None:
    begun = threading.Event()

    async def work() -> None:
        begun.set()
        await asyncio.sleep(60)

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(loop.run, work())
        assert begun.wait(5)
        loop.close()
        with pytest.raises(CancelledError):
            waiting.result(5)


def test_nothing_runs_after_closing(loop: Background) -> None:
    loop.run(_echo(1))
    loop.close()
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.run(_echo(1))


def test_one_that_was_never_used_starts_no_thread() -> None:
    before = threading.active_count()
    Background().close()
    assert threading.active_count() == before


def test_its_own_thread_is_told_that_it_can_not_wait(loop: Background) -> None:
    async def nested() -> int:
        return loop.run(_echo(1))

    with pytest.raises(RuntimeError, match="await the coroutine"):
        loop.run(nested(), 5)


def test_a_process_has_one_to_share() -> None:
    assert background() is background()


_FORKED = """
import asyncio, os
from worldgen.lm.background import background

async def one():
    return 1

assert background().run(one(), 5) == 1
child = os.fork()
if not child:
    os._exit(0 if background().run(one(), 5) == 1 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


def test_a_forked_process_gets_a_loop_of_its_own() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", _FORKED], check=True, timeout=20)
