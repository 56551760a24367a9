"""The renderer: what a model writes well is shown, the rest goes back, then it's the template's."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from models import Gate, Listening, Said, Scripted, late, page_of
from support import Case

from search_sim.episode import Episode
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.lwm.renderer import ModelRenderer, Settings
from search_sim.lwm.reply import Prediction
from search_sim.materials import Asked, Material, Past, Scene
from search_sim.prompts.variant import read_variant
from search_sim.render import TemplateRenderer, snippet
from worldgen.errors import LanguageModelError
from worldgen.lm.records import Reply, Request


@pytest.fixture(scope="module")
def scene(ferries: Case) -> Scene:
    return Episode(ferries.opened, ferries.built.tasks[0])._scene()


@pytest.fixture(scope="module")
def asked(ferries: Case) -> Asked:
    episode = Episode(ferries.opened, ferries.built.tasks[0])
    episode.search(ferries.world.name_of("port", 1))
    found = episode.trajectory.turns[0].searched[0].asked()
    return replace(found, materials=found.materials[:4])


def good(materials: tuple[Material, ...]) -> str:
    return page_of(materials, [snippet(m) for m in materials])


def reasons(renderer: ModelRenderer, asked: Asked, scene: Scene) -> list[tuple[str, str]]:
    (rendering,) = renderer.render([asked], scene)
    assert sorted(one.place for one in rendering.results) == list(range(len(asked.materials)))
    by_place = sorted(rendering.results, key=lambda one: one.place)
    return [(one.by, one.reason) for one in by_place]


MODEL, FAULT = ("model", ""), ("template", "fault")


def test_what_a_model_writes_well_is_shown_in_its_order(asked: Asked, scene: Scene) -> None:
    materials = asked.materials[::-1]
    model = Scripted(page_of(materials, [snippet(m) for m in materials]))
    (rendering,) = ModelRenderer(model).render([asked], scene)
    assert [one.place for one in rendering.results] == [3, 2, 1, 0]
    assert {(one.by, one.reason) for one in rendering.results} == {MODEL}
    assert (rendering.attempts, rendering.faults) == (1, ())


def test_a_snippet_that_doesnt_trace_goes_back_with_its_fault_named(
    asked: Asked, scene: Scene
) -> None:
    bad, rest = asked.materials[1], [snippet(m) for m in asked.materials]
    rest[1] = "It has 987 berths."
    model = Scripted(page_of(asked.materials, rest), good((bad,)))
    assert reasons(ModelRenderer(model), asked, scene) == [MODEL] * 4
    first, second = model.asked
    assert second.messages[: len(first.messages)] == first.messages
    said, correction = second.messages[len(first.messages) :]
    assert "987 berths" in said.content
    assert bad.url in correction.content
    assert "987" in correction.content
    assert not any(m.url in correction.content for m in asked.materials if m is not bad)
    assert first.seed != second.seed


def test_after_two_retries_the_template_stands_in_for_that_result_alone(
    asked: Asked, scene: Scene
) -> None:
    texts = [snippet(m) for m in asked.materials]
    texts[2] = "It has 987 berths."
    model = Scripted(page_of(asked.materials, texts))
    renderer = ModelRenderer(model)
    (rendering,) = renderer.render([asked], scene)
    assert len(model.asked) == rendering.attempts == 3
    assert [(one.by, one.reason) for one in rendering.results] == [MODEL, MODEL, FAULT, MODEL]
    assert rendering.results[2].snippet == snippet(asked.materials[2])
    assert len(rendering.faults) >= 3
    assert renderer.tally.results == {MODEL: 3, FAULT: 1}
    assert renderer.tally.sent_back == 2
    assert renderer.tally.share("model") == 0.75


def change(materials: tuple[Material, ...], change: Callable[[str], str]) -> str:
    return change(good(materials))


ODD: list[tuple[Callable[[str, tuple[Material, ...]], str], list[tuple[str, str]], str]] = [
    (
        lambda text, m: text.replace(f"Title: {m[0].title}", "Title: Depth 14 m"),
        [FAULT, MODEL, MODEL, MODEL],
        "its title is",
    ),
    (
        lambda text, m: text.replace("Date: ", "Date: Feb 30, ", 1),
        [FAULT, MODEL, MODEL, MODEL],
        "its date is",
    ),
    (
        lambda text, m: text.replace(m[3].url, f"{m[3].url}?depth=14"),
        [MODEL, MODEL, MODEL, ("template", "missing")],
        "is not among the results",
    ),
    (
        lambda text, m: text.replace("[3]", f"[9] {m[1].url}\nSnippet: Depth 987 m\n\n[3]"),
        [MODEL] * 4,
        "stands there twice",
    ),
    (
        lambda text, m: text.split("[3]")[0],
        [MODEL, MODEL, ("template", "missing"), ("template", "missing")],
        "is missing",
    ),
    (
        lambda text, m: text.replace(f"Snippet: {snippet(m[2])}\n", ""),
        [MODEL, MODEL, FAULT, MODEL],
        "it has no snippet",
    ),
    (lambda text, m: "<predicted_observation>no", [("template", "missing")] * 4, "is [n] URL"),
    (lambda text, m: "no", [("template", "missing")] * 4, "no <predicted_observation>"),
]


@pytest.mark.parametrize(("alter", "found", "fault"), ODD, ids=[fault for *_, fault in ODD])
def test_only_snippets_of_given_results_are_taken(
    asked: Asked,
    scene: Scene,
    alter: Callable[[str, tuple[Material, ...]], str],
    found: list[tuple[str, str]],
    fault: str,
) -> None:
    model = Scripted(alter(good(asked.materials), asked.materials))
    renderer = ModelRenderer(model)
    assert reasons(renderer, asked, scene) == found
    (rendering,) = renderer.render([asked], scene)
    assert any(fault in one for one in rendering.faults)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        *((LanguageModelError(kind, "x"), kind) for kind in ("server", "resting", "refused")),
        (late(), "late"),
        (ValueError("a bug"), "error: ValueError"),
    ],
)
def test_without_a_reply_every_result_is_the_templates(
    asked: Asked, scene: Scene, error: Said, reason: str
) -> None:
    renderer = ModelRenderer(Scripted(error))
    assert reasons(renderer, asked, scene) == [("template", reason)] * 4
    template = TemplateRenderer().render([asked], scene)
    shown = renderer.render([asked], scene)
    assert [one.snippet for one in shown[0].results] == [r.snippet for r in template[0].results]


def test_what_was_written_before_a_model_failed_is_kept(asked: Asked, scene: Scene) -> None:
    model = Scripted(good(asked.materials[:2]), late())
    assert reasons(ModelRenderer(model), asked, scene) == [
        *(MODEL, MODEL, ("template", "late"), ("template", "late")),
    ]


def test_a_model_that_never_replies_is_waited_for_until_the_deadline(
    asked: Asked, scene: Scene
) -> None:
    renderer = ModelRenderer(Gate(Scripted("x"), 99), Settings(deadline=0.2))
    start = time.monotonic()
    assert reasons(renderer, asked, scene) == [("template", "late")] * 4
    assert time.monotonic() - start < 5


def test_a_refused_chat_is_asked_again_without_its_history(asked: Asked, scene: Scene) -> None:
    def short(request: Request) -> Said:
        if len(request.messages) > 2:
            return LanguageModelError("refused", "context too long", 400)
        return good(asked.materials)

    model = Scripted(short)
    told = replace(scene, history=(Past("{}", "seen"),))
    assert reasons(ModelRenderer(model), asked, told) == [MODEL] * 4
    assert [len(request.messages) for request in model.asked] == [4, 2]
    assert (
        reasons(ModelRenderer(Scripted(LanguageModelError("refused", "x"))), asked, told)
        == [("template", "refused")] * 4
    )


def test_a_page_without_results_is_not_asked_for(scene: Scene) -> None:
    model = Scripted("x")
    (rendering,) = ModelRenderer(model).render([Asked("zzz", 1, ())], scene)
    assert rendering.results == ()
    assert model.asked == []


def test_the_queries_of_a_batch_are_asked_side_by_side(asked: Asked, scene: Scene) -> None:
    batch = [replace(asked, query=f"{asked.query} {number}") for number in range(5)]
    model = Gate(Scripted(good(asked.materials)), len(batch))
    found = ModelRenderer(model, Settings(deadline=20)).render(batch, scene)
    assert [{one.by for one in rendering.results} for rendering in found] == [{"model"}] * 5


def test_an_object_is_asked_for_with_a_schema_of_what_is_missing(
    asked: Asked, scene: Scene
) -> None:
    import json

    def entries(materials: tuple[Material, ...]) -> str:
        return json.dumps({"results": [{"url": m.url, "snippet": snippet(m)} for m in materials]})

    model = Scripted(entries(asked.materials[:3]), entries(asked.materials[3:]))
    renderer = ModelRenderer(model, Settings(variant=read_variant("search-json")))
    assert reasons(renderer, asked, scene) == [MODEL] * 4
    urls = [
        r.schema["properties"]["results"]["items"]["properties"]["url"]["enum"]
        for r in model.asked
        if r.schema
    ]
    assert urls == [[m.url for m in asked.materials], [asked.materials[3].url]]


def test_an_odd_reply_is_quoted_shortly_and_whole_characters_alone(
    asked: Asked, scene: Scene
) -> None:
    model = Scripted(Reply("\ud800" + "x" * 1_000_000), good(asked.materials))
    assert reasons(ModelRenderer(model), asked, scene) == [MODEL] * 4
    quoted = model.asked[1].messages[-2].content
    assert len(quoted) < 10_000
    quoted.encode()


def test_the_same_episode_asks_the_same(case: Case) -> None:
    names = [name for _, _, name in case.world.entities()][:4]

    def requests(seed: int) -> list[Request]:
        model = Listening(FakeLanguageModel(FakeModel()))
        episode = Episode(
            case.opened, case.built.tasks[0], seed=seed, renderer=ModelRenderer(model)
        )
        for name in names:
            episode.search(name)
        return model.asked

    first = requests(1)
    assert first == requests(1)
    assert [r.seed for r in first] != [r.seed for r in requests(2)]


@pytest.mark.parametrize("variant", ["search", "search-json"])
def test_an_honest_model_writes_nearly_all_results(case: Case, variant: str) -> None:
    settings = Settings(variant=read_variant(variant))
    renderer = ModelRenderer(FakeLanguageModel(FakeModel()), settings)
    episode = Episode(case.opened, case.built.tasks[0], seed=3, renderer=renderer)
    for _, _, name in list(case.world.entities())[::3]:
        episode.search(name, f"{name} overview")
    assert renderer.tally.share("model") > 0.98
    assert renderer.tally.searches > 5
    assert all(s.alarms == 0 for turn in episode.trajectory.turns for s in turn.searched)


def test_nothing_is_taken_from_an_empty_prediction(asked: Asked, scene: Scene) -> None:
    from search_sim.lwm.draft import Draft

    draft = Draft(asked, scene.vocabulary)
    draft.take(Prediction("", (), ("nothing",)))
    assert draft.latest == ("nothing",)
    assert len(draft.missing) == 4
