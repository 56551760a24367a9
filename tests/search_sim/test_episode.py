from __future__ import annotations

import pytest
from support import Case

from search_sim.controls import Controls
from search_sim.episode import Episode
from search_sim.guard import Policy
from search_sim.observation import NOT_SHOWN, NOTHING_FOUND
from worldgen.errors import ConfigurationError, EpisodeClosedError


def _episode(case: Case, policy: Policy = "reach", seed: int = 1) -> Episode:
    return Episode(case.opened, case.built.tasks[0], policy, seed)


def test_results_are_ranked_and_paged(case: Case) -> None:
    episode = _episode(case)
    query = case.world.blueprint.tables[1].plural
    first = episode.search(query).results[0]
    second = episode.search(query, page=2).results[0]
    assert [r.rank for r in first] == list(range(1, 10 + 1))
    assert second[0].rank == 10 + 1
    assert not {r.url for r in first} & {r.url for r in second}


def test_the_text_follows_the_prompt_format(ferries: Case) -> None:
    response = _episode(ferries, "tease").search(ferries.world.name_of("port", 1))
    lines = response.text.splitlines()
    assert lines[0] == f"[1] {response.results[0][0].url}"
    assert lines[1] == f"Title: {response.results[0][0].title}"
    assert lines[2].startswith("Snippet: ")
    assert lines[3].startswith("Date: ")
    assert lines[4] == ""


def test_a_batch_answers_each_query_in_order(ferries: Case) -> None:
    episode = _episode(ferries)
    names = [ferries.world.name_of("port", i) for i in (1, 2)]
    batch = episode.search(*names)
    singles = [_episode(ferries).search(name).results[0] for name in names]
    assert list(batch.results) == singles
    assert all(f'Query: "{name}"' in batch.text for name in names)
    assert episode.counts.searches == 2


def test_no_results_say_so(case: Case) -> None:
    assert _episode(case).search("zzzzqq").text == NOTHING_FOUND


def test_a_page_must_be_shown_before_it_opens(ferries: Case) -> None:
    episode = _episode(ferries)
    name = ferries.world.name_of("port", 1)
    url = next(p.url for p in ferries.opened.web.pages if p.title == f"{name}: port record")
    unseen, missing = episode.extract(url), episode.extract("https://nowhere.example/x")
    assert unseen.content == missing.content == NOT_SHOWN
    assert unseen.model_dump(exclude={"url"}) == missing.model_dump(exclude={"url"})
    episode.search(f"{name} port record")
    assert episode.extract(url).content == ferries.opened.web.by_url[url].markdown


def test_links_of_an_opened_page_are_shown(ferries: Case) -> None:
    episode = _episode(ferries)
    page = ferries.opened.web.by_url[episode.search("All ports, A to Z").results[0][0].url]
    target = next(url for url in page.outgoing if url not in episode.shown)
    assert not episode.extract(target).found
    episode.extract(page.url)
    assert episode.extract(target).found


def test_naming_a_site_shows_its_home(ferries: Case) -> None:
    site = ferries.opened.web.sites[0]
    episode = _episode(ferries)
    assert not episode.extract(site.home).found
    episode.search(site.name)
    assert episode.extract(site.home).found


def test_long_pages_come_in_parts(case: Case) -> None:
    controls = Controls(extract_length=200)
    episode = Episode(case.opened, case.built.tasks[0], "tease", 1, controls)
    url = episode.search(case.world.blueprint.tables[1].plural).results[0][0].url
    parts, offset = [], 0
    while True:
        part = episode.extract(url, offset)
        parts.append(part.content)
        if part.next_offset is None:
            break
        offset = part.next_offset
    assert "".join(parts) == case.opened.web.by_url[url].markdown
    assert all(len(part) <= 200 for part in parts)
    assert len(parts) > 1


def test_the_same_seed_gives_the_same_trajectory(case: Case) -> None:
    name = next(case.world.entities())[2]
    records = []
    for _ in range(2):
        episode = _episode(case, "mixed", seed=9)
        episode.search(name, f"{name} harbour depth")
        episode.answer("| A |\n| - |\n| b |")
        records.append(episode.trajectory.model_dump_json())
    assert records[0] == records[1]


def test_after_the_answer_every_tool_is_closed(case: Case) -> None:
    episode = _episode(case)
    episode.answer("nothing")
    for call in (
        lambda: episode.search("x"),
        lambda: episode.extract("x"),
        lambda: episode.answer("y"),
    ):
        with pytest.raises(EpisodeClosedError):
            call()


@pytest.mark.parametrize(("queries", "page"), [((), 1), (("a",) * 6, 1), (("a",), 0)])
def test_a_search_takes_one_to_five_queries(
    case: Case, queries: tuple[str, ...], page: int
) -> None:
    with pytest.raises(ConfigurationError):
        _episode(case).search(*queries, page=page)


def test_a_negative_offset_is_refused(case: Case) -> None:
    with pytest.raises(ConfigurationError):
        _episode(case).extract("https://x.example/", -1)


def test_disclosures_stand_in_the_trajectory_and_in_a_snippet(ferries: Case) -> None:
    episode = _episode(ferries, "reach")
    name = ferries.world.name_of("port", 1)
    response = episode.search(f"{name} harbour depth")
    assert episode.trajectory.turns[-1].disclosed == ("cell:port:1:depth_m",)
    depth = f"{ferries.world.tables['port'][(1,)]['depth_m']:,.1f} m"
    assert depth in response.text
    assert depth not in _episode(ferries, "tease").search(f"{name} harbour depth").text


def test_the_same_query_brings_the_same_results_whatever_came_between(ferries: Case) -> None:
    """A later grant must not change what an earlier query brought."""
    episode = _episode(ferries)
    name = ferries.world.name_of("port", 1)
    both, one = f"{name} harbour depth, berths", f"{name} harbour depth"
    first = episode.search(both)
    other = f"{name} number of berths"
    for query in (one, other):
        episode.search(query)
    again = episode.search(both, both)
    assert again.results == (first.results[0], first.results[0])
    turns = episode.trajectory.turns
    assert turns[-1].disclosed == turns[0].disclosed * 2
    assert turns[-1].searched == turns[0].searched * 2
    assert episode.counts.searches == 5


def test_a_search_is_recorded_with_what_its_renderer_was_given(case: Case) -> None:
    episode = _episode(case)
    name = next(case.world.entities())[2]
    response = episode.search(name)
    (searched,) = episode.trajectory.turns[0].searched
    assert [one.url for one in searched.given] == [r.url for r in response.results[0]]
    assert [one.place for one in searched.written] == list(range(len(searched.given)))
    assert {(one.by, one.reason) for one in searched.written} == {("template", "")}
    for given, result in zip(searched.given, response.results[0], strict=True):
        assert (given.title, given.date) == (result.title, result.date)
        assert all(text in result.snippet for text in given.passages)
    assert searched.given[0].relevance == "high"


def test_an_opened_page_is_recorded_with_what_a_model_may_know_of_it(ferries: Case) -> None:
    episode = _episode(ferries)
    url = episode.search(ferries.world.name_of("port", 1)).results[0][0].url
    content = episode.extract(url).content
    outline = episode.trajectory.turns[-1].outline
    assert outline.startswith(f"{url}\n# ")
    assert len(outline) < len(content)
    episode.extract("https://nowhere.example/")
    assert episode.trajectory.turns[-1].outline == NOT_SHOWN
