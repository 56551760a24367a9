"""Ten thousand searches behind servers that lie, guess and leak in every reply."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from models import truth_of
from support import Case

from search_sim.episode import Episode
from search_sim.fake_model.app import serving_fake
from search_sim.fake_model.fake import FakeModel
from search_sim.lwm.renderer import ModelRenderer, Settings
from search_sim.trajectory import Turn
from worldgen.lm.connect import Connection, connect
from worldgen.seeds import generator
from worldgen.world import World

SEARCHES = 10_000
SEARCHES_AN_EPISODE = 40
SCRIPTS = ("leak", "invent", "guess")
WORLDS = 3


def questions(world: World) -> Iterator[str]:
    """Queries without end, none of them twice: names, attributes, guesses."""
    rng = generator(9)
    entities = list(world.entities())
    for number in itertools.count():
        table, _, name = rng.choice(entities)
        label = rng.choice(world.blueprint.table(table).details).label
        kinds = (f"{name} {number}", f"{name} {label} {number}", f"{label} of {name}: {number}?")
        yield rng.choice(kinds)


class Undisclosed:
    """What must not be said of each page: the spans of guarded claims, in plain and bare forms."""

    def __init__(self, case: Case) -> None:
        roles = case.world.roles
        self._spans: dict[str, set[str]] = {}
        for page in case.opened.web.pages:
            found = self._spans.setdefault(page.url, set())
            for statement in page.statements:
                for claim in statement.claims:
                    whole = claim.start == 0 and claim.end == len(statement.text)
                    if roles.guarded(claim.fact) and not whole:
                        found.add(bare(statement.text[claim.start : claim.end]))

    def said(self, turn: Turn, snippets: dict[str, str]) -> list[str]:
        """The spans that a search's snippets state though nothing given does."""
        (searched,) = turn.searched
        found = []
        for given in searched.given:
            shown = bare(" ".join((given.title, *given.passages, *given.stated)))
            said = bare(snippets[given.url])
            found += [s for s in self._spans[given.url] if s in said and s not in shown]
        return found


def bare(text: str) -> str:
    """A text without what only makes it readable, its words between spaces."""
    words = re.findall(r"[^\W_]+(?:\.\d+)?", text.casefold().replace(",", ""))
    return f" {' '.join(words)} "


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_nothing_undisclosed_reaches_an_agent(case: Case, script: str) -> None:
    searches = -(-SEARCHES // (len(SCRIPTS) * WORLDS))
    truth = truth_of(case.opened) if script == "leak" else {}
    undisclosed = Undisclosed(case)
    asked = questions(case.world)
    tasks = itertools.cycle(case.built.tasks)
    with serving_fake(FakeModel(script=script, truth=truth)) as url:
        model = connect(Connection(url=url, model="fake"))
        renderer = ModelRenderer(model, Settings(deadline=60))
        for start in range(0, searches, SEARCHES_AN_EPISODE):
            episode = Episode(case.opened, next(tasks), seed=start, renderer=renderer)
            for query in itertools.islice(asked, min(SEARCHES_AN_EPISODE, searches - start)):
                (results,) = episode.search(query).results
                turn = episode.trajectory.turns[-1]
                assert turn.searched[0].alarms == 0, query
                assert undisclosed.said(turn, {r.url: r.snippet for r in results}) == [], query
        renderer.close()
    assert renderer.tally.searches == searches
    assert renderer.tally.sent_back > searches
