from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support import make_case

from search_sim.awb.verdicts import Verdict, read_verdict
from search_sim.fake_model.disguises import DISGUISES
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.honest import PLACEHOLDER
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.fake_model.invention import spoken_values
from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.leaking import PLACES
from search_sim.fake_model.registry import Registry
from search_sim.fake_model.scripts import SCRIPTS
from search_sim.lwm.draft import Draft
from search_sim.lwm.reply import Claimed, Prediction, read_json, read_text
from search_sim.materials import Asked, Material
from search_sim.observation import write_date
from search_sim.prompts.prompt import TAG, observation_message
from search_sim.prompts.variant import variants
from worldgen.errors import ConfigurationError, LanguageModelError, UnknownNameError
from worldgen.lm.records import Message, Reply, Request, Sampling
from worldgen.lm.thinking import last_tagged, strip_thinking

LEAKING = "search_sim.fake_model.leaking."

Searches = dict[str, tuple[Asked, ...]]


def _reply(request: Request, script: str = "honest", seed: int = 0, **options: Any) -> Reply:
    model = FakeLanguageModel(FakeModel(seed=seed, **options), script)
    return asyncio.run(model.complete(request, 5))


def _replies(
    searches: Searches, ask: Any, script: str, **options: Any
) -> Iterator[tuple[Asked, Prediction]]:
    for asked in (asked for found in searches.values() for asked in found if asked.materials):
        yield asked, read_text(_reply(ask(asked), script, **options))


def _said(material: Material) -> str:
    return " ".join((material.title, *(passage.text for passage in material.passages)))


def _by_url(asked: Asked) -> Mapping[str, Material]:
    return {material.url: material for material in asked.materials}


# ---------------------------------------------------------------- the registry


def test_a_registry_takes_each_name_once_and_helps_with_others() -> None:
    registry: Registry[int] = Registry("number")
    registry.add("one", 1)
    with pytest.raises(ConfigurationError, match="there is a number 'one' already"):
        registry.add("one", 2)
    for odd in ("", "one+two"):
        with pytest.raises(ConfigurationError, match="can't be named"):
            registry.add(odd, 2)
    with pytest.raises(UnknownNameError, match="unknown number 'on': did you mean 'one'"):
        registry.get("on")
    assert (registry.get("one"), list(registry)) == (1, ["one"])


def test_a_script_of_ones_own_is_served_under_its_name(asked: Asked, ask: Any) -> None:
    def shout(job: Job) -> Said:
        return Said(job.messages[-1].content.upper())

    SCRIPTS.add("shout", shout)
    try:
        assert _reply(ask(asked), "shout").text == ask(asked).messages[-1].content.upper()
        assert "shout+late" in FakeModel().models
    finally:
        del SCRIPTS._things["shout"]


# ---------------------------------------------------------------- honest

NEUTRAL = {"from", "the", "page", "about", "this", "details", "a", "an"}


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[\w'\[\]-]+", text.lower())}


def test_honest_replies_are_whole_pages_of_the_passages_own_words(
    searches: Searches, ask: Any
) -> None:
    for asked, prediction in _replies(searches, ask, "honest"):
        assert prediction.faults == ()
        assert {found.url for found in prediction.results} == set(_by_url(asked))
        assert len(prediction.results) == len(asked.materials)
        for found in prediction.results:
            material = _by_url(asked)[found.url]
            assert (found.title, found.date) == (material.title, write_date(material.date))
            assert found.snippet
            assert len(found.snippet) <= 300
            assert _words([found.snippet]) <= _words([_said(material)]) | NEUTRAL


def test_honest_replies_pass_the_check_of_every_world(searches: Searches, ask: Any) -> None:
    checked = 0
    for name, found in searches.items():
        vocabulary = make_case(name).opened.vocabulary
        for asked in (asked for asked in found if asked.materials):
            draft = Draft(asked, vocabulary)
            draft.take(read_text(_reply(ask(asked))))
            assert draft.faults == []
            assert {one.by for one in draft.finish().results} == {"model"}
            checked += 1
    assert checked > 100


def test_honest_replies_state_what_is_to_be_stated(searches: Searches, ask: Any) -> None:
    stated = 0
    for asked, prediction in _replies(searches, ask, "honest"):
        for found in prediction.results:
            for passage in _by_url(asked)[found.url].passages:
                if passage.disclosed:
                    stated += 1
                    assert _words([passage.text]) <= _words([str(found.snippet)]) | NEUTRAL
    assert stated > 10


def test_honest_snippets_are_as_short_as_they_are_asked_to_be(asked: Asked, ask: Any) -> None:
    free = (m for m in asked.materials if not any(p.disclosed for p in m.passages))
    system, action = ask(replace(asked, materials=tuple(free))).messages
    assert "at most 300 characters" in action.content
    shorter = Message("user", action.content.replace("at most 300 ", "at most 90 "))
    prediction = read_text(_reply(Request((system, shorter))))
    lengths = [len(str(found.snippet)) for found in prediction.results]
    assert 60 < max(lengths) <= 90


def test_honest_replies_rank_condense_reorder_and_reword(searches: Searches, ask: Any) -> None:
    reordered = shorter = verbatim = 0
    levels = ["high", "moderate", "background"]
    for asked, prediction in _replies(searches, ask, "honest"):
        found = [_by_url(asked)[claimed.url] for claimed in prediction.results]
        ranks = [levels.index(material.relevance) for material in found]
        assert ranks == sorted(ranks)
        reordered += [m.url for m in found] != [m.url for m in asked.materials]
        for claimed, material in zip(prediction.results, found, strict=True):
            texts = [passage.text for passage in material.passages]
            shorter += any(text[:20] not in str(claimed.snippet) for text in texts)
            verbatim += all(text in str(claimed.snippet) for text in texts)
    assert reordered > 30
    assert shorter > 100
    assert verbatim > 100


@pytest.mark.parametrize("variant", variants())
def test_a_correction_gets_the_results_that_it_asks_for(
    asked: Asked, ask: Any, variant: str
) -> None:
    urls = [asked.materials[place].url for place in (1, 4)]
    lines = "\n".join(urls)
    more = (observation_message("..."), Message("user", f"Write these 2 results again:\n{lines}"))
    reply = _reply(ask(asked, variant, more=more))
    read = read_json if variant == "search-json" else read_text
    found = read(reply)
    assert sorted(claimed.url for claimed in found.results) == sorted(urls)
    assert found.faults == ()


def test_json_replies_are_read_and_structured_ones_are_json_alone(
    searches: Searches, ask: Any
) -> None:
    texts = []
    for asked in (a for a in searches["company-intranet"] if a.materials):
        free = _reply(ask(asked, "search-json"))
        texts.append(strip_thinking(free.text).strip())
        strict = _reply(ask(asked, "search-json", structured=True))
        assert set(json.loads(strict.text)) == {"results"}
        for prediction in (read_json(free), read_json(strict)):
            assert prediction.faults == ()
            assert {found.url for found in prediction.results} == set(_by_url(asked))
            assert all(found.snippet and found.title is None for found in prediction.results)
    assert 0 < sum(text.startswith("```json") for text in texts) < len(texts)


def test_a_model_thinks_first_unless_it_is_told_not_to(asked: Asked, ask: Any) -> None:
    request = ask(asked)
    reply = _reply(request)
    assert reply.text.startswith("<think>")
    assert reply.text.count(f"<{TAG}>") == 2
    assert strip_thinking(reply.text).count(f"<{TAG}>") == 1
    quiet = Request(request.messages, Sampling(thinking=False), seed=7)
    assert "<think>" not in _reply(quiet).text


# ---------------------------------------------------------------- invent, guess


def _new_words(found: Claimed, material: Material) -> set[str]:
    return _words([str(found.snippet)]) - _words([_said(material)])


def test_invent_fills_every_snippet_with_what_was_not_given(searches: Searches, ask: Any) -> None:
    for asked, prediction in _replies(searches, ask, "invent"):
        assert len(prediction.results) == len(asked.materials)
        for found in prediction.results:
            assert not PLACEHOLDER.search(str(found.snippet))
            assert _new_words(found, _by_url(asked)[found.url]) - NEUTRAL


def test_guess_fills_in_every_placeholder_also_from_the_query(searches: Searches, ask: Any) -> None:
    filled = spoken = confirmed = 0
    for asked, prediction in _replies(searches, ask, "guess"):
        values = [v for found in spoken_values(asked.query).values() for v in found]
        for found in prediction.results:
            assert not PLACEHOLDER.search(str(found.snippet))
            material = _by_url(asked)[found.url]
            new = " ".join(_new_words(found, material))
            if all(PLACEHOLDER.search(p.text) for p in material.passages):
                filled += 1
                spoken += any(value.lower() in new for value in values)
            elif not any(PLACEHOLDER.search(p.text) for p in material.passages):
                confirmed += any(value.lower() in new for value in values)
    assert filled > 30
    assert spoken > 3
    assert confirmed > 10


def test_a_querys_values_are_told_by_kind() -> None:
    found = spoken_values("Port Kell depth 14.2 opened 3 May 2028 by Ada Calder")
    assert found["[date]"] == ["3 May 2028"]
    assert found["[number]"] == found["[measure]"] == ["14.2"]
    assert found["[amount]"] == ["$14.2"]
    assert "Ada Calder" in found["[name]"]
    assert {"depth", "opened"} <= set(found["[category]"])


# ---------------------------------------------------------------- leak


def _truth(asked: Asked) -> dict[str, list[str]]:
    return {m.url: [f"Depth{n}: 7{n}.25 m"] for n, m in enumerate(asked.materials)}


def test_leak_tells_a_truth_of_every_result_that_has_one(
    searches: Searches, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it stands in two pieces, or as a part of a URL."""
    monkeypatch.setattr(LEAKING + "DISGUISES", {"marked": lambda text, _: f"<<{text}>>"})
    quoted = str.maketrans({"<": "%3C", ">": "%3E", ":": "%3A", " ": "+"})
    for asked in searches["smartphones-2029"][:20]:
        truth = _truth(asked)
        text = _reply(ask(asked), "leak", truth=truth).text
        for (secret,) in truth.values():
            marked = f"<<{secret}>>"
            half = len(marked) // 2
            assert (
                marked in text
                or marked.translate(quoted) in text
                or (marked[:half] in text and marked[half:] in text)
            ), secret


def test_no_leak_overwrites_another(
    searches: Searches, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {name: PLACES[name] for name in ("alone", "another result", "two pieces")}
    monkeypatch.setattr(LEAKING + "DISGUISES", {"plain": DISGUISES["plain"]})
    monkeypatch.setattr(LEAKING + "PLACES", kept)
    for asked in (asked for asked in searches["company-intranet"] if asked.materials):
        truth = {m.url: ["QZXJWVKYUB"[n] * 8] for n, m in enumerate(asked.materials)}
        text = _reply(ask(asked), "leak", truth=truth).text
        assert all(secret[:4] in text for (secret,) in truth.values())


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("place", PLACES)
def test_each_place_of_a_leak_shows_in_the_reply(
    asked: Asked, ask: Any, variant: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LEAKING + "DISGUISES", {"plain": lambda text, _: text})
    monkeypatch.setattr(LEAKING + "PLACES", {place: PLACES[place]})
    url = asked.materials[3].url
    reply = _reply(ask(asked, variant), "leak", truth={url: ["QQQQZZZZ"]})
    shown = strip_thinking(reply.text)
    assert "QQQQZZZZ" in shown or (place == "two pieces" and "QQQQ" in shown and "ZZZZ" in shown)
    prediction = (read_json if variant == "search-json" else read_text)(reply)
    fields = {
        "title": any("QQQQ" in str(found.title) for found in prediction.results),
        "date": any("QQQQ" in str(found.date) for found in prediction.results),
        "query string": any("QQQQ" in found.url for found in prediction.results),
        "extra result": len(prediction.results) == len(asked.materials) + 1,
    }
    # What follows a date is read as a part of it.
    expected = "date" if (place, variant) == ("loose line", "search") else place
    assert [name for name, shows in fields.items() if shows] == [n for n in fields if n == expected]


def test_leak_uses_every_disguise_and_every_place(
    searches: Searches, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: set[str] = set()

    def noted(name: str, function: Any) -> Any:
        def noting(*arguments: Any) -> Any:
            used.add(name)
            return function(*arguments)

        return noting

    registries: dict[str, Mapping[str, Any]] = {"DISGUISES": DISGUISES, "PLACES": PLACES}
    for name, found in registries.items():
        monkeypatch.setattr(LEAKING + name, {n: noted(n, f) for n, f in found.items()})
    for asked in searches["island-ferries"]:
        _reply(ask(asked), "leak", truth=_truth(asked) or {"x": ["y"]})
    assert used == {*DISGUISES, *PLACES}


def test_leak_knows_nothing_of_other_pages_and_needs_a_truth(asked: Asked, ask: Any) -> None:
    prediction = read_text(_reply(ask(asked), "leak", truth={"https://x.example/": ["Z9"]}))
    for found in prediction.results:
        assert not _new_words(found, _by_url(asked)[found.url]) - NEUTRAL
    with pytest.raises(LanguageModelError, match="needs a truth"):
        _reply(ask(asked), "leak")


# ---------------------------------------------------------------- the rest


def test_copy_repeats_the_whole_prompt(searches: Searches, ask: Any) -> None:
    as_snippets = 0
    for asked in searches["island-ferries"][:20]:
        request = ask(asked)
        tagged = str(_reply(request, "copy").text)
        whole = all(message.content in tagged for message in request.messages)
        line = " ".join(request.messages[-1].content.split())
        assert whole or line in tagged
        as_snippets += not whole
        result = json.loads(strip_thinking(_reply(ask(asked, structured=True), "copy").text))
        assert line in result["results"][0]["snippet"]
    assert 0 < as_snippets < 20


def test_garbage_is_of_all_sorts_and_can_be_read_without_a_crash(asked: Asked, ask: Any) -> None:
    texts, unreadable = [], 0
    for seed in range(120):
        try:
            reply = _reply(ask(asked), "garbage", seed=seed)
        except LanguageModelError as error:
            unreadable += error.kind == "unreadable"
            continue
        texts.append(reply.text)
        read_text(reply)
        read_json(reply)
    assert 3 < unreadable == 120 - len(texts)
    assert max(map(len, texts)) > 900_000
    assert any(text.startswith('{"results"') for text in texts)
    assert len(set(texts)) > 80


def test_empty_says_nothing_in_several_ways(asked: Asked, ask: Any) -> None:
    texts = {_reply(ask(asked), "empty", seed=seed).text for seed in range(30)}
    assert "" in texts
    assert len(texts) == 4
    for text in texts:
        assert read_text(Reply(text)).results == ()


def test_think_only_never_closes_its_thinking(asked: Asked, ask: Any) -> None:
    drafts = set()
    for seed in range(20):
        reply = _reply(ask(asked), "think-only", seed=seed)
        assert reply.finish == "length"
        assert "</think>" not in reply.text
        assert strip_thinking(reply.text) == ""
        drafts.add(last_tagged(reply.text, TAG) is not None)
    assert drafts == {True, False}


def test_refuse_is_polite_prose(asked: Asked, ask: Any) -> None:
    texts = {_reply(ask(asked), "refuse", seed=seed).text for seed in range(30)}
    assert len(texts) == 4
    assert all("can't" in text and TAG not in text for text in texts)


def test_shuffle_mixes_up_right_snippets(searches: Searches, ask: Any) -> None:
    seen = {"double": 0, "missing": 0, "extra": 0, "title": 0, "date": 0, "snippet": 0}
    for asked, prediction in _replies(searches, ask, "shuffle"):
        urls = [found.url for found in prediction.results]
        materials = _by_url(asked)
        seen["double"] += len(urls) > len(set(urls))
        seen["missing"] += bool(set(materials) - set(urls))
        seen["extra"] += bool(set(urls) - set(materials))
        for found in prediction.results:
            if material := materials.get(found.url):
                seen["title"] += found.title != material.title
                seen["date"] += found.date != write_date(material.date)
                seen["snippet"] += bool(_new_words(found, material) - NEUTRAL)
        given = _words(map(_said, asked.materials)) | NEUTRAL
        for found in prediction.results:
            assert _words([str(found.snippet)]) <= given
    assert all(count > 10 for count in seen.values()), seen


# ---------------------------------------------------------------- other prompts


def _elsewhere(words: Sequence[str], script: str = "honest", **options: Any) -> str:
    return _reply(Request(tuple(Message("user", w) for w in words)), script, **options).text


@pytest.mark.parametrize("script", ["honest", "invent", "guess", "leak", "shuffle"])
def test_other_environments_get_an_observation(script: str) -> None:
    text = _elsewhere(["ls -la"], script, truth={"https://x.example/": ["y"]})
    found = last_tagged(text, TAG)
    assert found
    assert len(found) < 100
    assert len({_elsewhere([f"ls {n}"]) for n in range(20)}) > 3


def test_a_judge_gives_scores_that_are_read() -> None:
    seen = set()
    for number in range(30):
        text = _elsewhere(["before", f"Judge {number}. Put it in <final_evaluation>."])
        verdict = read_verdict(text)
        assert isinstance(verdict, Verdict)
        assert verdict.strengths
        assert verdict.weaknesses
        assert "```json" in text
        seen |= set(verdict.scores.values())
        assert text == _elsewhere(["before", f"Judge {number}. Put it in <final_evaluation>."])
    assert seen == {1, 2, 3, 4, 5}
    assert read_verdict(_elsewhere(["<final_evaluation>", "ls"])) == read_verdict(
        _elsewhere(["<final_evaluation>", "ls"])
    )


def test_structured_replies_elsewhere_are_json_alone() -> None:
    for words, key in (("ls", TAG), ("<final_evaluation>", "scores")):
        request = Request((Message("user", words),), schema={"type": "object"})
        assert key in json.loads(_reply(request).text)
