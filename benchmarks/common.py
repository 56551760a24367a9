"""What the benchmarks share: CPU time, comparisons within one run, tables.

Everything is measured in CPU seconds of this process, all its threads together, since other work
on the machine stretches the clock on the wall. Even so, compare numbers of one run alone.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager


class Stopwatch:
    """CPU seconds by stage, for one piece of work after another.

    Attributes:
        laps: per stage, the seconds of each piece of work that has ended.
    """

    def __init__(self) -> None:
        """Start with nothing measured."""
        self.laps: dict[str, list[float]] = {}
        self._running: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure what is done inside; a stage may be entered again, and its times add up."""
        start = time.process_time()
        yield
        self._running[name] += time.process_time() - start

    def lap(self) -> None:
        """End a piece of work."""
        for name, seconds in self._running.items():
            self.laps.setdefault(name, []).append(seconds)
        self._running.clear()

    def medians(self) -> dict[str, float]:
        """The median of each stage, in the order in which the stages were first entered."""
        return {name: statistics.median(laps) for name, laps in self.laps.items()}


def compare(cases: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The CPU seconds of one call of each case: medians over some rounds.

    The cases take turns, so that what slows the machine for a while slows all of them. One round
    that isn't counted comes first, for whatever is made when first used.
    """
    watch = Stopwatch()
    for number in range(rounds + 1):
        for name, call in cases.items():
            with watch.stage(name):
                call()
        watch.lap()
        if not number:
            watch.laps.clear()
    return watch.medians()


def options(description: str | None) -> argparse.ArgumentParser:
    """The command line of a benchmark, with the option that all of them have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--quick", action="store_true", help="measure as little as gives a whole table"
    )
    return parser


def positive(text: str) -> int:
    """A number of the command line that is 1 or more.

    Raises:
        ArgumentTypeError: it is not.
    """
    if not text.isdecimal() or not int(text):
        message = f"{text!r} is no whole number from 1"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    print(f"\n{title}\n")
    for cells in (headings, ["-" * width for width in widths], *rows):
        first, *others = (
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        print("  ".join((first, *others)).rstrip())


def seconds(value: float) -> str:
    """CPU seconds to the millisecond."""
    return f"{value:.3f}"


def rate(count: float, taken: float) -> str:
    """How many a CPU second."""
    return f"{count / taken:,.0f}" if taken else "-"


def times(value: float, base: float) -> str:
    """How many times the base."""
    return f"{value / base:.2f}" if base else "-"
