from __future__ import annotations

from support import Case

from search_sim.passages import SNIPPET_LENGTH, Passages
from worldgen.facts import cell, row


def _masked(case: Case) -> Passages:
    return case.opened.masked[0]


def test_passages_fit_the_room_unless_one_alone_does_not(case: Case) -> None:
    passages = _masked(case)
    for place in range(0, len(passages.pages), 7):
        chosen = passages.choose(place, "harbour depth salary", frozenset())
        assert len(chosen) == 1 or sum(p.room for p in chosen) <= SNIPPET_LENGTH
        assert [p.number for p in chosen] == sorted(p.number for p in chosen)


def test_a_disclosed_cell_is_shown_and_its_neighbours_are_not(ferries: Case) -> None:
    world, passages = ferries.world, _masked(ferries)
    fact = cell("port", (1,), "depth_m")
    shown = []
    for place, page in enumerate(passages.pages):
        if fact in page.facts:
            chosen = passages.choose(place, world.name_of("port", 1), frozenset({fact}))
            shown += [passage for passage in chosen if passage.disclosed]
    assert shown
    depth = f"{world.tables['port'][(1,)]['depth_m']:,.1f} m"
    assert all(depth in passage.text for passage in shown)


def test_a_disclosed_fact_takes_no_more_room_than_its_mask(ferries: Case) -> None:
    passages = _masked(ferries)
    fact = cell("port", (1,), "dues_usd")
    for place, page in enumerate(passages.pages):
        if fact not in page.facts:
            continue
        plain = passages.choose(place, "annual harbour dues", frozenset())
        told = passages.choose(place, "annual harbour dues", frozenset({fact}))
        rooms = {p.number: p.room for p in plain}
        assert all(rooms.get(p.number, p.room) == p.room for p in told)


def test_a_link_row_is_shown_with_only_the_cell_that_was_disclosed(ferries: Case) -> None:
    world, passages = ferries.world, _masked(ferries)
    key = next(iter(world.tables["call"]))
    facts = frozenset({row("call", key), cell("call", key, "fare_usd")})
    texts = [
        passage.text
        for place, page in enumerate(passages.pages)
        if facts & page.facts
        for passage in passages.choose(place, "fare", facts)
        if passage.disclosed
    ]
    assert texts
    for text in texts:
        assert world.name_of("port", key[1]) in text
        assert "[number]" in text
        assert "[date]" in text
        assert "[amount]" not in text


def test_words_of_the_title_choose_no_passage(ferries: Case) -> None:
    passages = _masked(ferries)
    title = ferries.world.name_of("port", 1)
    place = next(
        n for n, page in enumerate(passages.pages) if page.title == f"{title}: port record"
    )
    by_title = passages.choose(place, title, frozenset())
    assert by_title == passages.choose(place, "", frozenset())


def test_placeholders_are_no_words_to_search_for(ferries: Case) -> None:
    passages, engine = ferries.opened.masked
    assert any("[amount]" in p.text for page in passages.by_page for p in page)
    assert "[" not in "".join(map(passages.text, range(len(passages.pages))))
    assert engine.search("amount") == []
