"""Running the verifiers: cases are made, played and looked at, some of them at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from search_sim.render import Renderer, TemplateRenderer
from search_sim.verify.cases import make_case
from search_sim.verify.play import play
from search_sim.verify.scores import TEMPLATE, Report, Verdict, inspect, sum_up
from search_sim.verify.worlds import Worlds
from worldgen.errors import ConfigurationError


@dataclass(frozen=True)
class Options:
    """What is run.

    Attributes:
        cases: the number of cases; worlds and policies take turns.
        seed: the root of all draws.
        concurrency: cases that are played at a time.
    """

    cases: int = 50
    seed: int = 7
    concurrency: int = 8


def verify(
    worlds: Worlds,
    renderer: Renderer,
    options: Options | None = None,
    done: Callable[[Verdict], None] = lambda _: None,
) -> Report:
    """Verify a renderer. The report doesn't depend on the concurrency.

    Args:
        worlds: where cases are drawn from.
        renderer: what writes the results.
        options: what is run.
        done: called with each verdict, in the order of the cases.

    Raises:
        ConfigurationError: no world has tasks.
        WorldFileError: one of the worlds is damaged.
    """
    options = options or Options()
    if not worlds.ids:
        message = "none of the worlds has tasks, so no episode can be started"
        raise ConfigurationError(message)
    verdicts = []
    for verdict in _verdicts(worlds, renderer, options):
        done(verdict)
        verdicts.append(verdict)
    name = TEMPLATE if isinstance(renderer, TemplateRenderer) else renderer.variant.id
    return sum_up(name, options.seed, verdicts)


def _verdicts(worlds: Worlds, renderer: Renderer, options: Options) -> Iterator[Verdict]:
    look = partial(_verdict, worlds, renderer, options.seed)
    pool = ThreadPoolExecutor(options.concurrency)
    try:
        yield from pool.map(look, range(options.cases))
    finally:
        pool.shutdown(cancel_futures=True)


def _verdict(worlds: Worlds, renderer: Renderer, seed: int, number: int) -> Verdict:
    ids = worlds.ids
    world = worlds.open(ids[number % len(ids)])
    return inspect(play(world, make_case(world, seed, number), renderer))
