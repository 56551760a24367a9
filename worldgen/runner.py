"""Running one build function over many jobs, on one core or several."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from worldgen.errors import WorldgenError

Job = TypeVar("Job")
Built = TypeVar("Built")


def run_jobs(
    build: Callable[[Job], Built],
    jobs: Sequence[Job],
    workers: int = 1,
    done: Callable[[Built], None] = lambda _: None,
) -> list[Built]:
    """Build every job; what comes back doesn't depend on the number of workers.

    Args:
        build: a function of a module, so that worker processes can import it.
        jobs: what to build.
        workers: the number of processes; 1 builds in this one.
        done: called with each result as it comes, in any order.

    Returns:
        The results, in the order of the jobs.

    Raises:
        WorldgenError: as `build` raised it, or a worker process was killed. Jobs that had not
            started are dropped.
    """
    if workers <= 1 or len(jobs) <= 1:
        return [_here(build, job, done) for job in jobs]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context) as pool:
        try:
            return _in_pool(pool, build, jobs, done)
        except BrokenProcessPool as error:
            message = "a worker process was killed (out of memory?); run again with fewer workers"
            raise WorldgenError(message) from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _here(build: Callable[[Job], Built], job: Job, done: Callable[[Built], None]) -> Built:
    built = build(job)
    done(built)
    return built


def _in_pool(
    pool: ProcessPoolExecutor,
    build: Callable[[Job], Built],
    jobs: Sequence[Job],
    done: Callable[[Built], None],
) -> list[Built]:
    futures = [pool.submit(build, job) for job in jobs]
    for future in as_completed(futures):
        done(future.result())
    return [future.result() for future in futures]
