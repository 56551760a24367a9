from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest
from publishing import HOST, claims, seen, skeleton

from worldgen import names
from worldgen import publish as publishing
from worldgen.blueprint import FRESH_DAYS, Column, slug
from worldgen.errors import GenerationError
from worldgen.facts import Fact, Value, cell, complete_list, row
from worldgen.library import domain, domains, read_blueprint
from worldgen.names import real_names, reserved_words
from worldgen.pages import Claim, Page, Statement, Web
from worldgen.populate import populate
from worldgen.publish import press, publish
from worldgen.publish.articles import SMALLEST_GROUP
from worldgen.publish.details import detail_pages
from worldgen.publish.press import Press
from worldgen.world import Row, World


def test_every_fact_is_stated_somewhere(world: World, web: Web) -> None:
    stated = {claim.fact for _, _, claim in claims(web)}
    for table in world.blueprint.tables:
        for key in world.tables[table.name]:
            for column in table.details:
                assert cell(table.name, key, column.name) in stated
            if table.kind == "link":
                assert row(table.name, key) in stated
    for link in world.blueprint.links():
        for i in world.ids(link.home_side.to or ""):
            assert complete_list(link.name, link.home_side.name, i) in stated


def test_some_facts_stand_on_one_page_and_others_on_several(world: World, web: Web) -> None:
    pages = Counter(len(urls) for urls in web.stating({c.fact for *_, c in claims(web)}).values())
    assert pages[1] > 20
    assert sum(pages[number] for number in pages if number > 1) > 20


def test_claims_are_true_and_read_back(
    world: World, web: Web, read_back: Callable[[Column, str], Value]
) -> None:
    kinds = Counter(claim.fact.kind for *_, claim in claims(web))
    assert kinds.keys() == {"cell", "row", "list", "top"}
    for _, statement, claim in claims(web):
        surface = statement.text[claim.start : claim.end]
        fact = claim.fact
        if fact.kind == "cell":
            assert claim.value == world.tables[fact.table][fact.key][fact.column]
            assert read_surface(world, fact, surface, read_back) == claim.value
        elif fact.kind == "row":
            assert (claim.value, statement.spans_all(claim)) == (1, True)
            assert fact.key in world.tables[fact.table]
        elif fact.kind == "list":
            rows = world.tables[fact.table].values()
            assert claim.value == sum(found[fact.column] == fact.key[0] for found in rows)
            assert int(surface) == claim.value
        else:
            check_record(world, fact, claim, surface)


def read_surface(
    world: World, fact: Fact, surface: str, read_back: Callable[[Column, str], Value]
) -> Value:
    if fact.column == "name":
        return surface
    column = world.blueprint.table(fact.table).column(fact.column)
    if column.to:
        ids = [i for i in world.ids(column.to) if world.name_of(column.to, i) == surface]
        assert len(ids) == 1
        return ids[0]
    return read_back(column, surface)


def check_record(world: World, fact: Fact, claim: Claim, surface: str) -> None:
    (by,) = {
        kind.by
        for site in world.blueprint.sites
        for kind in site.superlatives
        if (kind.table, kind.column) == (fact.table, fact.column)
    }
    group = {k: r for k, r in world.tables[fact.table].items() if r[by] == fact.key[0]}
    best = max(float(found[fact.column]) for found in group.values())
    winners = [key[0] for key, found in group.items() if found[fact.column] == best]
    assert claim.value == (winners[0] if len(winners) == 1 else 0)
    label = world.blueprint.table(fact.table).label
    name = world.name_of(fact.table, winners[0])
    assert surface == (name if len(winners) == 1 else f"more than one {label}")
    assert set(claim.depends_on) == {cell(fact.table, key, fact.column) for key in group}
    assert len(group) >= SMALLEST_GROUP


def test_claims_depend_on_what_they_state(web: Web) -> None:
    for _, _, claim in claims(web):
        if claim.fact.kind != "top":
            assert claim.depends_on == (() if claim.fact.column == "name" else (claim.fact,))


def test_claims_come_in_the_order_of_their_spans(web: Web) -> None:
    for page in web.pages:
        for statement in page.statements:
            inner = [claim for claim in statement.claims if claim.fact.kind != "row"]
            outer = [claim for claim in statement.claims if claim.fact.kind == "row"]
            assert list(statement.claims) == [*outer, *inner]
            at = 0
            for claim in inner:
                assert at <= claim.start < claim.end <= len(statement.text)
                at = claim.end


def test_a_kind_of_claim_has_one_placeholder(world: World, web: Web) -> None:
    found: dict[tuple[str, str, str], set[str]] = {}
    for *_, claim in claims(web):
        kind = (claim.fact.kind, claim.fact.table, claim.fact.column)
        found.setdefault(kind, set()).add(claim.placeholder)
    assert all(len(placeholders) == 1 for placeholders in found.values())


def test_no_statement_is_empty_or_left_unfilled(web: Web) -> None:
    for page in web.pages:
        assert page.statements
        assert not re.search(r"[{}]", page.markdown)
        for statement in page.statements:
            assert statement.text == statement.text.strip() != ""
            assert "\n" not in statement.text


# What doesn't depend on guarded facts


def test_a_twin_has_the_same_skeleton(web: Web, twin_web: Web) -> None:
    assert skeleton(web) == skeleton(twin_web)
    assert web != twin_web


@pytest.mark.parametrize("name", domains())
def test_a_twin_looks_the_same_until_something_is_disclosed(name: str) -> None:
    for seed in range(3):
        world, twin = (populate(domain(name), seed, "x", redraw) for redraw in (0, 1))
        assert seen(world, publish(world)) == seen(twin, publish(twin)), seed


def with_rows(world: World, table: str, change: Callable[[Row], Row]) -> World:
    rows = {key: change(found) for key, found in world.tables[table].items()}
    return replace(world, tables={**world.tables, table: rows})


LEVELLED: Row = {"kilns": 1, "sales_usd": 5, "place": 1, "owner": "Al Po", "opened": "1000-01-01"}
"""Values that the models would never draw together: all rows tie, texts are short."""


def test_whatever_guarded_cells_hold_looks_the_same(small_world: World, small_web: Web) -> None:
    levelled = with_rows(small_world, "workshop", lambda found: {**found, **LEVELLED})
    web = publish(levelled)
    assert "more than one workshop" in "".join(page.markdown for page in web.pages)
    assert seen(levelled, web) == seen(small_world, small_web)


def test_however_many_guarded_rows_there_are_looks_the_same(
    small_world: World, small_web: Web
) -> None:
    stalls = small_world.tables["stall"]
    fewer = {key: found for key, found in stalls.items() if key[1] % 2}
    world = replace(small_world, tables={**small_world.tables, "stall": fewer})
    web = publish(world)
    assert len(fewer) < len(stalls)
    assert web != small_web
    assert seen(world, web) == seen(small_world, small_web)


def leak_in_title(found: Press) -> Iterable[Page]:
    yield with_title(found, next(iter(detail_pages(found))))


def with_title(found: Press, page: Page) -> Page:
    owner = found._world.tables["workshop"][(1,)]["owner"]
    return replace(page, url=f"{page.url}-2", title=f"{page.title} ({owner})")


def leak_in_text(found: Press) -> Iterable[Page]:
    owner = found._world.tables["workshop"][(1,)]["owner"]
    page = next(iter(detail_pages(found)))
    yield replace(page, url=f"{page.url}-2", statements=(Statement(f"Ask {owner}."),))


@pytest.mark.parametrize("leak", [leak_in_title, leak_in_text])
def test_an_unrecorded_leak_would_be_seen(
    leak: Callable[[Press], Iterable[Page]],
    small_world: World,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twin = populate(small_world.blueprint, small_world.seed, small_world.id, redraw=1)
    monkeypatch.setattr(publishing, "STAGES", (*publishing.STAGES, leak))
    assert seen(small_world, publish(small_world)) != seen(twin, publish(twin))


# Pages


def test_publishing_twice_gives_the_same_web(world: World, web: Web) -> None:
    assert publish(world) == web


def test_pages_come_by_url(web: Web) -> None:
    urls = [page.url for page in web.pages]
    assert urls == sorted(set(urls))


def test_hosts_are_nobodys(world: World, web: Web) -> None:
    hosts = [site.host for site in web.sites]
    assert len(set(hosts)) == len(hosts)
    assert all(HOST.fullmatch(host) for host in hosts)
    assert [site.id for site in web.sites] == [site.id for site in world.blueprint.sites]
    for page in web.pages:
        (site,) = [site for site in web.sites if site.id == page.site]
        assert page.url.startswith(site.home)
        assert re.fullmatch(r"https://[a-z0-9./-]+", page.url)


def test_sites_of_an_organisation_share_its_domain() -> None:
    world = populate(domain("company-intranet"), 1, "x")
    for site in publish(world).sites:
        assert site.host == f"{site.id}.{slug(world.name)}.example"


def test_sites_have_names_of_their_own(world: World, web: Web) -> None:
    taken = {word for *_, name in world.entities() for word in name.lower().split()}
    for site, made in zip(world.blueprint.sites, web.sites, strict=True):
        assert made.kind == site.kind
        pattern = re.escape(site.name).replace(r"\{world\}", world.name)
        match = re.fullmatch(pattern.replace(r"\{root\}", "(?P<root>[A-Z][a-z]+)"), made.name)
        assert match, made.name
        if root := match.groupdict().get("root", "").lower():
            assert root not in taken | reserved_words(world.blueprint) | {world.name.lower()}
            assert root not in real_names()
            taken.add(root)


def test_what_was_invented_for_a_site_is_not_invented_again(
    small_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str] = []

    def invented_word(rng: Random, taken: set[str]) -> str:
        assert {word.lower() for word in words} <= taken
        assert reserved_words(small_world.blueprint) | {small_world.name.lower()} <= taken
        named = {word for *_, name in small_world.entities() for word in name.lower().split()}
        assert named <= taken
        words.append(names.invented_word(rng, taken))
        return words[-1]

    monkeypatch.setattr(press, "invented_word", invented_word)
    assert len(publish(small_world).sites) == len(words)


def test_links_lead_to_pages(web: Web) -> None:
    for page in web.pages:
        assert set(page.outgoing) <= web.by_url.keys(), page.url


def test_links_are_named_by_the_page_that_they_lead_to(web: Web) -> None:
    for page in web.pages:
        for link in page.links:
            assert link.text == web.by_url[link.url].title


def test_links_lead_to_other_pages_and_come_once(web: Web) -> None:
    for page in web.pages:
        urls = [link.url for link in page.links]
        assert page.url not in urls
        assert len(set(urls)) == len(urls)


def test_every_page_can_be_reached_from_a_home_page(web: Web) -> None:
    reached: set[str] = set()
    ahead = [site.home for site in web.sites]
    while ahead:
        url = ahead.pop()
        if url not in reached:
            reached.add(url)
            ahead += web.by_url[url].outgoing
    assert web.by_url.keys() - reached == set()


def test_every_page_links_to_its_home(web: Web) -> None:
    homes = {site.id: site.home for site in web.sites}
    for page in web.pages:
        home = homes[page.site]
        assert page.url == home or page.links[0].url == home


def test_no_page_is_dated_after_today(world: World, web: Web) -> None:
    today = world.blueprint.today
    for page in web.pages:
        assert dt.date.fromisoformat(page.date).isoformat() == page.date
        assert page.date < today.isoformat()


def test_pages_are_fresh_but_those_of_a_year(world: World, web: Web) -> None:
    oldest = (world.blueprint.today - dt.timedelta(FRESH_DAYS)).isoformat()
    yearly = {table.name for table in world.blueprint.tables if table.kind == "yearly"}
    dates, returns = set(), 0
    for page in web.pages:
        years = {fact.key[1] for fact in page.facts if fact.table in yearly}
        if years:
            (year,) = years
            assert f"{year + 1}-01-10" <= page.date <= f"{year + 1}-04-30"
            returns += 1
        else:
            assert page.date >= oldest
            dates.add(page.date)
    assert len(dates) > 20
    assert returns > 20


def test_two_pages_at_one_url_are_refused(small_text: str) -> None:
    """Two values of a column that is open in this world are one in a URL."""
    clash = small_text.replace('"goblets" = 3', '"mirrors!" = 3')
    assert clash != small_text
    world = populate(read_blueprint(clash, "small.toml"), 1, "x")
    assert not world.roles.guarded_column("workshop", "craft")
    with pytest.raises(GenerationError, match=r"two pages stand at https://.*/by-craft/.*mirrors"):
        publish(world)


# Detail pages
