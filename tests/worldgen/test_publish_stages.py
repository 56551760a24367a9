from __future__ import annotations

import re
from collections import Counter

import pytest
from publishing import claims, list_pages

from worldgen.blueprint import Blueprint, slug
from worldgen.facts import Fact
from worldgen.library import read_blueprint
from worldgen.pages import Page, Web
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.publish.articles import SMALLEST_GROUP
from worldgen.publish.homes import SAMPLES
from worldgen.world import World


def pages_of(world: World, web: Web, site_id: str, path: str) -> list[Page]:
    home = next(site.home for site in web.sites if site.id == site_id)
    return [page for page in web.pages if page.url.startswith(f"{home}{path}/")]


def test_every_row_has_its_pages(world: World, web: Web) -> None:
    for site in world.blueprint.sites:
        home = next(found.home for found in web.sites if found.id == site.id)
        for kind in site.pages:
            table = world.blueprint.table(kind.table)
            for key in world.tables[table.name]:
                entity = table.name if table.kind == "entity" else table.refs[0].to or ""
                label = [world.name_of(entity, key[0]), *map(str, key[1:])]
                page = web.by_url[f"{home}{kind.path}/{'-'.join(map(slug, label))}"]
                year = label[1] if len(label) > 1 else ""
                assert page.title == kind.title.format(name=label[0], year=year)


def test_links_of_a_row_follow_its_open_references(small_world: World, small_web: Web) -> None:
    homes = {site.id: site.home for site in small_web.sites}
    for key, workshop in small_world.tables["workshop"].items():
        name = slug(small_world.name_of("workshop", key[0]))
        region = slug(small_world.name_of("region", int(workshop["region_id"])))
        entry = f"{homes['register']}workshops/{name}"
        notes = f"{homes['notes']}glass/{name}"
        linked = {
            f"{homes['register']}regions/{region}",
            *(f"{homes['register']}returns/{name}-{year}" for year in range(2027, 2031)),
        }
        assert set(small_web.by_url[entry].outgoing) == {homes["register"], notes, *linked}
        assert set(small_web.by_url[notes].outgoing) == {homes["notes"], entry, *linked}


def test_each_column_is_stated_by_whole_kinds_of_pages(small_world: World, small_web: Web) -> None:
    """A page of a kind states what its neighbours state, so its silence tells nothing."""
    for site, path in (("register", "workshops"), ("notes", "glass"), ("register", "returns")):
        details = [
            {claim.fact.column for s in page.statements[1:] for claim in s.claims}
            for page in pages_of(small_world, small_web, site, path)
            if not re.search(r"/(?:all|by-[^/]+/[^/]+)$", page.url)
        ]
        assert len(details) > 10
        plain = [columns - {"", "name", "since", "fee_usd"} for columns in details]
        assert all(columns == plain[0] for columns in plain)


def stated_by(world: World, web: Web, site: str, path: str) -> set[str]:
    page = next(
        page
        for page in pages_of(world, web, site, path)
        if page.url.endswith(slug(world.name_of("workshop", 1)))
    )
    columns = {claim.fact.column for s in page.statements[1:] for claim in s.claims}
    return columns & {column.name for column in world.blueprint.table("workshop").details}


def test_each_column_has_a_home_and_some_are_repeated(small: Blueprint) -> None:
    entries, notes = [], []
    for seed in range(6):
        world = populate(small, seed, "x")
        web = publish(world)
        entries.append(stated_by(world, web, "register", "workshops"))
        notes.append(stated_by(world, web, "notes", "glass"))
    details = {column.name for column in small.table("workshop").details}
    repeated = [one & other for one, other in zip(entries, notes, strict=True)]
    assert all(one | other == details for one, other in zip(entries, notes, strict=True))
    assert 0.1 < sum(map(len, repeated)) / (len(repeated) * len(details)) < 0.5
    assert len({frozenset(columns) for columns in notes}) > 1
    assert "region_id" not in set().union(*notes), "prose can't state what has no sentence"


def test_a_link_table_is_listed_by_one_kind_of_page(world: World, web: Web) -> None:
    for link in world.blueprint.links():
        lines: Counter[Fact] = Counter()
        kinds = set()
        for page, _, claim in claims(web):
            if claim.fact.table == link.name and claim.fact.kind in ("row", "list"):
                lines[claim.fact] += 1
                kinds.add((page.site, page.url.rsplit("/", 1)[0]))
        assert set(lines.values()) == {1}
        assert len(kinds) == 1


def test_a_whole_list_has_as_many_lines_as_it_says(world: World, web: Web) -> None:
    for page, _, claim in claims(web):
        if claim.fact.kind == "list":
            rows = [
                other.fact
                for statement in page.statements
                for other in statement.claims
                if other.fact.kind == "row" and other.fact.table == claim.fact.table
            ]
            assert len(rows) == claim.value
            link = world.blueprint.table(claim.fact.table)
            side = link.key_columns.index(claim.fact.column)
            assert all(fact.key[side] == claim.fact.key[0] for fact in rows)


# Lists


def test_lists_state_open_columns_alone(world: World, web: Web) -> None:
    items = 0
    for page, _ in list_pages(world, web):
        for statement in page.statements:
            read = [f for claim in statement.claims for f in (claim.fact, *claim.depends_on)]
            assert not world.roles.any_guarded([*read, *statement.depends_on])
            columns = {claim.fact.column for claim in statement.claims}
            assert len(columns - {"name"}) <= 1
            items += len(statement.claims)
    assert items > 30


def test_lists_are_complete_and_in_order(world: World, web: Web) -> None:
    found = list(list_pages(world, web))
    assert found
    for page, table in found:
        note, *items = page.statements
        names = [item.text[: item.claims[0].end] for item in items]
        assert names == sorted(names)
        noun = table.plural if len(items) != 1 else table.label
        expected = f"This list is complete: {len(items)} {noun}, in alphabetical order."
        assert note.text == expected
        for name, item in zip(names, items, strict=True):
            assert item.href is not None
            assert slug(name) == item.href.rsplit("/", 1)[1]
        if page.url.endswith("/all"):
            assert len(items) == len(world.tables[table.name])


def test_there_is_a_list_for_each_value_of_each_locator(world: World, web: Web) -> None:
    for site in world.blueprint.sites:
        for kind in site.pages if site.lists else ():
            table = world.blueprint.table(kind.table)
            if table.kind != "entity":
                continue
            for column in table.details:
                base = f"{kind.path}/by-{slug(column.label)}"
                pages = pages_of(world, web, site.id, base)
                if not column.where or world.roles.guarded_column(table.name, column.name):
                    assert pages == []
                    continue
                groups = Counter(r[column.name] for r in world.tables[table.name].values())
                sizes = sorted(len(page.statements) - 1 for page in pages)
                assert sizes == sorted(groups.values())


# Articles


def article_pages(small_text: str, old: str, new: str) -> tuple[World, list[Page], list[Page]]:
    assert small_text.count(old) == 1
    world = populate(read_blueprint(small_text.replace(old, new), "small.toml"), 2, "x")
    web = publish(world)
    return (
        world,
        pages_of(world, web, "herald", "visits"),
        pages_of(world, web, "herald", "records"),
    )


@pytest.mark.parametrize(("share", "expected"), [("0.0", 0.0), ("1.0", 1.0)])
def test_a_share_of_rows_has_an_article(share: str, expected: float, small_text: str) -> None:
    world, visits, _ = article_pages(small_text, "share = 0.5", f"share = {share}")
    assert len(visits) == expected * len(world.tables["workshop"])


def test_an_article_states_a_few_facts_in_passing(small_text: str) -> None:
    world, visits, _ = article_pages(small_text, "share = 0.5", "share = 1.0")
    numbers = set()
    for page in visits:
        lead, *said, close = page.statements
        name = page.title.removeprefix("A visit to ")
        assert lead.text == f"We knocked at the door of {name}."
        assert close.text == f"We left {name} in good spirits."
        columns = [claim.fact.column for statement in said for claim in statement.claims]
        assert len(set(columns)) == len(columns)
        numbers.add(len(columns))
        (workshop,) = {claim.fact.key for statement in said for claim in statement.claims}
        assert world.name_of("workshop", workshop[0]) == name
    assert numbers == {1, 2}


def test_an_article_may_end_without_a_last_word(small_text: str) -> None:
    _, visits, _ = article_pages(small_text, 'close = ["We left {name} in good spirits."]', "")
    assert visits
    for page in visits:
        assert len(page.statements) in (2, 3)
        assert page.statements[-1].claims


def test_a_record_is_kept_for_each_group_of_some_size(small_text: str) -> None:
    world, _, records = article_pages(small_text, "share = 0.5", "share = 0.0")
    sizes = Counter(found["region_id"] for found in world.tables["workshop"].values())
    big = {region for region, size in sizes.items() if size >= SMALLEST_GROUP}
    titles = {
        f"Which workshop of {world.name_of('region', int(i))} has the most kilns?" for i in big
    }
    assert {page.title for page in records} == titles
    assert titles


def test_no_record_is_kept_by_a_guarded_group(small_text: str) -> None:
    world, _, records = article_pages(small_text, 'by = "region_id"', 'by = "sister_region_id"')
    assert world.roles.guarded_column("workshop", "sister_region_id")
    assert records == []


# Home pages


def test_a_home_page_leads_into_its_site(world: World, web: Web) -> None:
    for site, made in zip(world.blueprint.sites, web.sites, strict=True):
        home = web.by_url[made.home]
        assert home.title == made.name
        assert [statement.text for statement in home.statements] == [site.about]
        urls = {page.url for page in web.pages if page.site == site.id and page.url != made.home}
        assert set(home.outgoing) <= urls
        paths = {f"{made.home}{article.path}" for article in site.articles}
        paths |= {f"{made.home}{record.path}" for record in site.superlatives}
        assert {url for url in urls if url.rsplit("/", 1)[0] in paths} <= set(home.outgoing)
        if not site.lists:
            for kind in site.pages:
                base = f"{made.home}{kind.path}/"
                linked = [url for url in home.outgoing if url.startswith(base)]
                assert len(linked) == min(SAMPLES, len(world.tables[kind.table]))


def test_a_listing_site_leads_to_its_lists(world: World, web: Web) -> None:
    for page, _ in list_pages(world, web):
        home = next(site.home for site in web.sites if site.id == page.site)
        assert page.url in web.by_url[home].outgoing


def test_a_world_with_another_seed_has_another_web(blueprint: Blueprint, web: Web) -> None:
    other = publish(populate(blueprint, 3, "one"))
    assert not {page.url for page in web.pages} & {page.url for page in other.pages}
    assert {site.name for site in web.sites} != {site.name for site in other.sites}
