"""Models behind the guard: in control whatever they write, and counted for what they wrote."""

from __future__ import annotations

import pytest

from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.lwm.renderer import ModelRenderer
from search_sim.verify.run import Options, verify
from search_sim.verify.scores import Report
from search_sim.verify.worlds import InMemory


def _truth(worlds: InMemory) -> dict[str, list[str]]:
    """The sentences of every page that state something guarded."""
    return {
        page.url: [
            statement.text
            for statement in page.statements
            if any(world.world.roles.guarded(claim.fact) for claim in statement.claims)
        ]
        for world in worlds.by_id.values()
        for page in world.web.pages
    }


def _report(worlds: InMemory, script: str, cases: int = 3) -> Report:
    model = FakeLanguageModel(FakeModel(script, truth=_truth(worlds)))
    return verify(worlds, ModelRenderer(model), Options(cases, 5, 2))


@pytest.mark.parametrize("script", ["leak", "invent", "guess", "garbage"])
def test_a_bad_model_is_in_control_behind_the_guard(worlds: InMemory, script: str) -> None:
    report = _report(worlds, script)
    axes = {axis.axis: axis for axis in report.axes}
    assert [f for f in report.failures if f.axis == "controllability"] == []
    assert axes["controllability"].score == 100
    authors = report.authors
    assert authors.by_model + sum(authors.by_template.values()) == authors.results > 0
    assert sum(authors.by_template.values()) > authors.results / 2
    assert authors.faults > 0
    assert authors.attempts > authors.pages


def test_an_honest_model_writes_all_by_itself(worlds: InMemory) -> None:
    report = _report(worlds, "honest")
    authors = report.authors
    assert all(axis.perfect for axis in report.axes)
    assert authors.at_first_reply == authors.by_model == authors.results > 0
    assert report.renderer.startswith("search/")


def test_what_passed_at_the_first_reply_is_less_than_all_that_a_bad_model_wrote(
    worlds: InMemory,
) -> None:
    authors = _report(worlds, "shuffle").authors
    assert 0 < authors.at_first_reply < authors.by_model
