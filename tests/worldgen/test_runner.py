from __future__ import annotations

import functools
import importlib
import operator
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from worldgen.errors import UnknownNameError, WorldgenError
from worldgen.library import domain
from worldgen.runner import run_jobs

divide = functools.partial(operator.floordiv, 7)
MODULE = '''
import os
import time
from pathlib import Path


def in_turn(job):
    """Build a job once the one after it was built; the last is built at once."""
    folder, number, last = job
    after = Path(folder, str(number + 1))
    deadline = time.monotonic() + 60
    while number < last and not after.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    Path(folder, str(number)).touch()
    return number


def process(job):
    return os.getpid()


def slow_but_the_first(job):
    folder, number = job
    if number == 0:
        raise LookupError(folder)
    time.sleep(0.02)
    Path(folder, str(number)).touch()
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build functions in a module that worker processes can import."""
    tmp_path.joinpath("build_functions.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("build_functions")


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_results_come_in_the_order_of_the_jobs(workers: int) -> None:
    done: list[int] = []
    results = run_jobs(operator.neg, [3, 1, 2], workers, done.append)
    assert results == [-3, -1, -2]
    assert sorted(done) == [-3, -2, -1]


def test_the_order_stays_when_a_later_job_is_done_first(module: Any, tmp_path: Path) -> None:
    jobs = [(str(tmp_path), number, 1) for number in range(2)]
    done: list[int] = []
    assert run_jobs(module.in_turn, jobs, 2, done.append) == [0, 1]
    assert done == [1, 0]


@pytest.mark.parametrize(("workers", "jobs"), [(1, 3), (2, 1), (2, 0)])
def test_one_worker_or_one_job_needs_no_other_process(workers: int, jobs: int, module: Any) -> None:
    assert run_jobs(module.process, range(jobs), workers) == [os.getpid()] * jobs


def test_workers_are_other_processes(module: Any) -> None:
    assert os.getpid() not in run_jobs(module.process, range(4), 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_arrives_with_its_parts(workers: int) -> None:
    with pytest.raises(UnknownNameError) as caught:
        run_jobs(domain, ["company-intranet", "island-ferry", "island-ferries"], workers)
    assert str(caught.value) == "unknown domain 'island-ferry': did you mean 'island-ferries'?"
    assert (caught.value.name, caught.value.kind) == ("island-ferry", "domain")
    assert "island-ferries" in caught.value.known


@pytest.mark.parametrize("workers", [1, 2])
def test_other_errors_arrive_too(workers: int) -> None:
    with pytest.raises(ZeroDivisionError):
        run_jobs(divide, [1, 0, 2], workers)


def test_an_error_of_the_caller_passes_through() -> None:
    def done(result: int) -> None:
        raise LookupError(result)

    for workers in (1, 2):
        with pytest.raises(LookupError):
            run_jobs(operator.neg, [1, 2, 3], workers, done)


def test_with_one_worker_nothing_runs_after_an_error() -> None:
    done: list[int] = []
    with pytest.raises(ZeroDivisionError):
        run_jobs(divide, [1, 0, 2], 1, done.append)
    assert done == [7]


def test_jobs_that_had_not_started_are_dropped(module: Any, tmp_path: Path) -> None:
    folder = tmp_path / "built"
    folder.mkdir()
    jobs = [(str(folder), number) for number in range(500)]
    with pytest.raises(LookupError):
        run_jobs(module.slow_but_the_first, jobs, 2)
    assert len(list(folder.iterdir())) < 400


def test_a_killed_worker_is_reported_in_one_line() -> None:
    with pytest.raises(WorldgenError) as caught:
        run_jobs(os._exit, [3, 3], 2)
    assert type(caught.value) is WorldgenError
    assert "a worker process was killed" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value.__cause__, BrokenProcessPool)


def test_a_worker_killed_while_jobs_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(*_: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    with pytest.raises(WorldgenError):
        run_jobs(operator.neg, [1, 2], 2)
