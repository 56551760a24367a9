"""Runs: whole renderers, good and bad ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from search_sim.guard import Guard
from search_sim.materials import Asked, Rendering, Scene
from search_sim.open_world import OpenWorld
from search_sim.render import TemplateRenderer
from search_sim.verify.run import Options, verify
from search_sim.verify.scores import Report
from search_sim.verify.worlds import InMemory
from worldgen.errors import ConfigurationError
from worldgen.facts import Fact
from worldgen.library import domains

CASES = 12


def _report(
    worlds: InMemory, renderer: TemplateRenderer, cases: int = 4, concurrency: int = 1
) -> Report:
    return verify(worlds, renderer, Options(cases, 5, concurrency))


def _broken(report: Report) -> set[str]:
    return {failure.check for failure in report.failures}


def test_the_template_has_100_on_both_axes_in_every_domain(worlds: InMemory) -> None:
    report = _report(worlds, TemplateRenderer(), CASES)
    assert report.failures == ()
    assert len(report.worlds) == len(domains())
    for axis in report.axes:
        assert (axis.score, axis.passed, axis.cases, axis.perfect) == (100, CASES, CASES, True)
        assert all(check.cases for check in axis.checks)
    assert report.authors.to_state == report.authors.stated > 0
    assert report.authors.by_template == {"plain": report.authors.results}


def test_a_report_is_the_same_whatever_the_concurrency(worlds: InMemory) -> None:
    assert _report(worlds, _Raising(), 6, 1) == _report(worlds, _Raising(), 6, 3)


def test_verdicts_come_in_the_order_of_cases(worlds: InMemory) -> None:
    numbers: list[int] = []
    options = Options(cases=5, concurrency=3)
    verify(worlds, TemplateRenderer(), options, lambda v: numbers.append(v.case.number))
    assert numbers == list(range(5))


def test_worlds_without_tasks_are_refused(worlds: InMemory) -> None:
    world = next(iter(worlds.by_id.values()))
    bare = InMemory({world.world.id: OpenWorld(world.world, world.web)})
    with pytest.raises(ConfigurationError, match="none of the worlds has tasks"):
        verify(bare, TemplateRenderer())


# ---------------------------------------------------------------- bad renderers


class _Altering(TemplateRenderer):
    """The template, but for one thing."""

    def alter(self, rendering: Rendering, asked: Asked) -> Rendering:
        raise NotImplementedError

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        found = super().render(asked, scene)
        return [self.alter(one, about) for one, about in zip(found, asked, strict=True)]


class _Saying(_Altering):
    """Every snippet is one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def alter(self, rendering: Rendering, asked: Asked) -> Rendering:
        return Rendering(tuple(replace(one, snippet=self._text) for one in rendering.results))


class _Raising(_Altering):
    def alter(self, rendering: Rendering, asked: Asked) -> Rendering:
        message = "no\nrendering"
        raise ValueError(message)


class _Dropping(_Altering):
    def alter(self, rendering: Rendering, asked: Asked) -> Rendering:
        return Rendering(rendering.results[:-1])


class _Repeating(_Altering):
    def alter(self, rendering: Rendering, asked: Asked) -> Rendering:
        return Rendering(tuple(replace(one, place=0) for one in rendering.results))


class _Reversing(_Altering):
    def alter(self, rendering: Rendering, asked: Asked) -> Rendering:
        return Rendering(rendering.results[::-1])


class _Mixing(TemplateRenderer):
    """Gives one query's page of results to the next query of the batch."""

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        found = super().render(asked, scene)
        return [*found[1:], *found[:1]]


@pytest.mark.parametrize(
    ("renderer", "check"),
    [
        (_Raising(), "answered"),
        (_Dropping(), "number of results"),
        (_Repeating(), "given results"),
        (_Mixing(), "pages agree with their snippets"),
        (_Saying(""), "snippets"),
        (_Saying("one\ntwo"), "written form"),
        (_Saying("9,417,233 in all"), "pages agree with their snippets"),
    ],
)
def test_a_bad_renderer_is_found_out(
    worlds: InMemory, renderer: TemplateRenderer, check: str
) -> None:
    report = _report(worlds, renderer)
    assert check in _broken(report)
    assert not all(axis.perfect for axis in report.axes)
    failure = next(failure for failure in report.failures if failure.check == check)
    assert "\n" not in failure.problem
    assert failure.turn > 0


def test_disclosed_facts_that_are_not_stated_are_counted_but_no_fault(worlds: InMemory) -> None:
    report = _report(worlds, _Saying("Nothing to see here."), CASES)
    assert report.authors.stated == 0 < report.authors.to_state
    assert report.failures == ()


def test_a_guard_that_tells_all_that_is_asked_is_found_out(
    worlds: InMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tell(guard: Guard, query: str) -> frozenset[Fact]:
        reached = guard.lexicon.reach(query).reached
        return frozenset(fact for one in reached for fact in one.facts)

    monkeypatch.setattr(Guard, "disclose", tell)
    broken = _broken(_report(worlds, TemplateRenderer(), CASES))
    assert broken >= {"disclosure obeys the policy", "disclosure keeps to the allowance"}


def test_the_order_of_results_is_the_renderers(worlds: InMemory) -> None:
    assert _report(worlds, _Reversing()).failures == ()
