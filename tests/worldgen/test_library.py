from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from worldgen.blueprint import FRESH_DAYS, Blueprint
from worldgen.errors import BlueprintError, UnknownNameError
from worldgen.library import domain, domains, read_blueprint
from worldgen.populate import populate
from worldgen.values import Lognormal, Trend


def test_domains_are_sorted() -> None:
    assert list(domains()) == sorted(domains())
    assert {"company-intranet", "island-ferries"} <= set(domains())


def test_a_blueprint_has_the_id_that_it_is_found_under() -> None:
    assert [domain(name).id for name in domains()] == list(domains())


def test_a_blueprint_is_read_once() -> None:
    assert domain("island-ferries") is domain("island-ferries")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("island-ferry", "did you mean 'island-ferries'?"),
        ("company_intranet", "did you mean 'company-intranet'?"),
        ("moon", f"known: {', '.join(domains())}"),
        ("", f"known: {', '.join(domains())}"),
        ("../library/island-ferries", "did you mean 'island-ferries'?"),
    ],
)
def test_an_unknown_domain_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        domain(name)
    assert str(caught.value) == f"unknown domain {name!r}: {hint}"


def test_messages_name_the_source() -> None:
    with pytest.raises(BlueprintError, match=r"blueprint 'mine\.toml': no TOML") as caught:
        read_blueprint("id = ", "mine.toml")
    assert caught.value.blueprint == "mine.toml"


def test_a_blueprint_has_three_to_eight_tables(listed: Blueprint) -> None:
    assert 3 <= len(listed.tables) <= 8


def test_every_text_column_can_be_told_apart(listed: Blueprint) -> None:
    """A query names an attribute by label or alias, so each means one column of its table."""
    for table in listed.tables:
        phrases = [x for c in table.columns for x in (c.label, *c.aliases)]
        assert len(set(phrases)) == len(phrases), table.name


def test_labels_fit_into_a_sentence(listed: Blueprint) -> None:
    for table in listed.tables:
        assert table.one in (f"a {table.label}", f"an {table.label}")
        for column in table.columns:
            for phrase in (column.label, *column.aliases):
                assert phrase == phrase.strip()
                assert phrase[0].islower(), phrase
                assert "{" not in phrase
                assert phrase[-1] not in string.punctuation, phrase


def test_sentences_are_sentences(listed: Blueprint) -> None:
    for table in listed.tables:
        for column in table.columns:
            for text in column.say:
                assert text[0].isupper() or text[0] == "{", text
                assert text.endswith("."), text
                assert "{name}" in text
                assert text.count("{value}") == 1
                assert ("{year}" in text) == (table.kind == "yearly"), text


def test_every_cell_can_be_said(listed: Blueprint) -> None:
    """Columns that only a page of prose could state need a sentence."""
    for table in listed.tables:
        kinds = [page for site in listed.sites for page in site.pages if page.table == table.name]
        facts = any(kind.style == "facts" for kind in kinds)
        for column in table.details if table.kind != "link" else ():
            assert facts or column.say, f"{table.name}.{column.name}"


def test_what_a_link_is_listed_on_exists(listed: Blueprint) -> None:
    described = {page.table for site in listed.sites for page in site.pages}
    assert {link.home_side.to for link in listed.links()} <= described
    assert {table.name for table in listed.tables if table.kind == "yearly"} <= described


def test_locators_have_a_phrase(listed: Blueprint) -> None:
    for table in listed.tables:
        for column in table.details:
            if "locator" in column.roles:
                assert column.where, f"{table.name}.{column.name}"
                assert column.where.count("{value}") == 1


def test_bounds_are_multiples_of_the_step(listed: Blueprint) -> None:
    """Else rounding to the step could leave the bounds."""
    for table in listed.tables:
        for column in table.columns:
            model = column.values.start if isinstance(column.values, Trend) else column.values
            if isinstance(model, Lognormal):
                for bound in (model.low, model.high):
                    assert (bound / model.step) == pytest.approx(round(bound / model.step))
                assert 0 <= model.low < model.median < model.high


def test_yearly_pages_come_after_their_year(listed: Blueprint) -> None:
    for table in listed.tables:
        if table.kind == "yearly":
            assert table.years[1] < listed.today.year


def test_rules_read_their_own_tables(listed: Blueprint) -> None:
    names = {table.name for table in listed.tables}
    for rule in listed.rules:
        read = set(re.findall(r"(?:FROM|JOIN) (\w+)", rule.broken))
        assert read
        assert read <= names


def test_fresh_pages_are_younger_than_a_world(listed: Blueprint) -> None:
    world = populate(listed, 1, "x")
    dates = [
        str(row[column.name])
        for table in listed.tables
        for column in table.columns
        if column.kind == "date"
        for row in world.tables[table.name].values()
    ]
    oldest = listed.today.toordinal() - FRESH_DAYS
    assert max(dates) <= type(listed.today).fromordinal(oldest).isoformat()


def test_a_blueprint_file_that_was_changed_is_read_anew(small_text: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(small_text, encoding="utf-8")
    before = domain(str(path))
    path.write_text(small_text.replace("version = 1", "version = 2", 1), encoding="utf-8")
    assert domain(str(path)).version == before.version + 1
