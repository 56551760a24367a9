"""The seam to the model: what it is asked never depends on what it must not know."""

from __future__ import annotations

import pytest
from models import Listening, truth_of
from support import Case, republished

from search_sim import history
from search_sim.episode import Episode
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.guard import Effective
from search_sim.lwm import draft
from search_sim.lwm.renderer import ModelRenderer
from search_sim.open_world import OpenWorld
from worldgen.facts import Fact
from worldgen.pages import Page
from worldgen.roles import Roles
from worldgen.seeds import generator
from worldgen.world import World

QUERIES = 60


def truth(world: World, fact: Fact) -> object:
    row = world.tables[fact.table].get(fact.key)
    return row is not None if fact.kind == "row" else (row or {}).get(fact.column)


def questions(world: World) -> list[str]:
    """Names, names with attributes, guesses."""
    rng = generator(5)
    found = []
    for table_name, _, name in rng.sample(list(world.entities()), QUERIES):
        table = world.blueprint.table(table_name)
        label = rng.choice(table.details).label
        found.append(rng.choice((name, f"{name} {label}", f"{name} {label} {rng.randint(2, 99)}")))
    return found


def compare(ours: OpenWorld, theirs: OpenWorld, case: Case, policy: Effective) -> int:
    """Play the same episode in two worlds and compare every request to the model.

    Returns:
        How many requests were compared before a fact that differs was disclosed.
    """
    models = [Listening(FakeLanguageModel(FakeModel())) for _ in range(2)]
    pair = [
        Episode(opened, case.built.tasks[0], policy, seed=3, renderer=ModelRenderer(model))
        for opened, model in zip((ours, theirs), models, strict=True)
    ]
    for number, query in enumerate(questions(case.world)):
        first, second = (episode.search(query) for episode in pair)
        told = [Fact.parse(name) for name in pair[0].trajectory.turns[-1].disclosed]
        if any(truth(ours.world, fact) != truth(theirs.world, fact) for fact in told):
            break
        assert first == second
        assert models[0].asked == models[1].asked
        if number % 3 == 0 and first.results[0]:
            for episode in pair:
                episode.extract(first.results[0][0].url)
                episode.memory("add", {query: episode.trajectory.turns[-1].observation})
    return len(models[0].asked)


@pytest.mark.parametrize("policy", ["reach", "tease"])
def test_a_republished_twin_asks_the_model_the_same(case: Case, policy: Effective) -> None:
    compared = compare(case.opened, republished(case), case, policy)
    assert compared >= (QUERIES if policy == "tease" else 1)


def test_an_unmasked_history_is_caught(ferries: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def whole(page: Page, roles: Roles) -> str:
        return page.markdown

    monkeypatch.setattr(history, "outline", whole)
    with pytest.raises(AssertionError):
        compare(ferries.opened, republished(ferries), ferries, "tease")


def played(case: Case, script: str, count: int) -> Episode:
    truths = truth_of(case.opened) if script == "leak" else {}
    fake = FakeModel(script=script, truth=truths)
    renderer = ModelRenderer(FakeLanguageModel(fake))
    episode = Episode(case.opened, case.built.tasks[0], seed=1, renderer=renderer)
    for query in questions(case.world)[:count]:
        episode.search(query)
    return episode


def alarms(episode: Episode) -> int:
    return sum(s.alarms for turn in episode.trajectory.turns for s in turn.searched)


LYING = (
    *("leak", "invent", "guess", "copy", "garbage", "shuffle", "empty", "think-only", "refuse"),
)
SOMETIMES_RIGHT = ("shuffle", "guess", "garbage", "think-only")
"""These may write a result as it should be, or nothing that is a reply."""


@pytest.mark.parametrize("script", LYING)
def test_whatever_a_model_says_nothing_undisclosed_is_shown(case: Case, script: str) -> None:
    episode = played(case, script, 25)
    assert alarms(episode) == 0
    for turn in episode.trajectory.turns:
        (searched,) = turn.searched
        assert searched.attempts == 3 or not searched.given or script in SOMETIMES_RIGHT


def test_without_the_check_that_decides_the_alarm_goes_off(
    ferries: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft, "audit", lambda *_: ())
    assert alarms(played(ferries, "leak", 10)) > 10
