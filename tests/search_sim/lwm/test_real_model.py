"""A real small model on the CPU writes result pages: badly, which is the point.

It needs two packages that are no dependencies; `tests/real_model.py` says which. The figures are
printed: run with `-s` to see them.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from real_model import missing, real_model
from support import make_case

from search_sim.controls import Controls
from search_sim.episode import Episode
from search_sim.lwm.renderer import ModelRenderer, Settings
from search_sim.observation import Result, write_results
from search_sim.prompts.variant import read_variant
from worldgen.library import domains
from worldgen.lm.connect import Connection, connect
from worldgen.lm.records import Sampling

SEARCHES = 200
RESULTS = 3
QUERIES_A_BATCH = 2


def well_formed(results: tuple[Result, ...], query: str, text: str) -> bool:
    ranks = [result.rank for result in results] == list(range(1, len(results) + 1))
    lines = [line for result in results for line in (result.title, result.snippet)]
    one_line = all(line.strip() and len(line.splitlines()) == 1 for line in lines)
    return ranks and one_line and write_results([query], [results]) in text


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")
def test_two_hundred_searches_of_a_real_model(tmp_path: Path) -> None:
    settings = Settings(
        variant=read_variant("search-json"),
        sampling=Sampling(max_tokens=300),
        deadline=120.0,
        history_tokens=500,
    )
    with real_model(tmp_path) as model:
        renderer = ModelRenderer(
            connect(Connection(url=model.url, model=model.name, concurrency=QUERIES_A_BATCH)),
            settings,
        )
        alarms = malformed = asked = 0
        names = domains()
        for name in names:
            case = make_case(name)
            episode = Episode(
                case.opened,
                case.built.tasks[0],
                seed=5,
                controls=Controls(results=RESULTS),
                renderer=renderer,
            )
            entities = [entity for _, _, entity in case.world.entities()]
            queries = itertools.islice(entities, -(-SEARCHES // len(names)))
            while batch := tuple(itertools.islice(queries, QUERIES_A_BATCH)):
                response = episode.search(*batch)
                asked += len(batch)
                for query, results in zip(batch, response.results, strict=True):
                    malformed += not well_formed(results, query, response.text)
                alarms += sum(s.alarms for s in episode.trajectory.turns[-1].searched)
        renderer.close()
    counts = renderer.counts.snapshot()
    figures = (
        f"{model.name}: {asked} searches, {alarms} alarms, {malformed} malformed",
        f"results by author and reason: {dict(renderer.tally.results)}",
        f"replies sent back: {renderer.tally.sent_back}, faults: {renderer.tally.faults}",
        f"requests: {counts}",
    )
    print("", *figures, sep="\n")  # noqa: T201 - what the test is run for
    assert asked >= SEARCHES
    assert (alarms, malformed) == (0, 0)
    assert counts["replies"] > 0
