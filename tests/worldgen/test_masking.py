from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from worldgen.facts import Fact
from worldgen.masking import mask, reveal
from worldgen.pages import Claim, Statement, Web
from worldgen.roles import Roles
from worldgen.world import World

CASES = Path(__file__).with_name("masking_cases.txt")
SPAN = re.compile(r"<([^=>]+)=([^>]+)>")
ROLES = Roles(
    columns={
        "port.name": "key",
        "port.basin": "locator",
        "port.depth_m": "guarded",
        "port.master": "guarded",
        "call.fare_usd": "locator",
        "twin.gift_usd": "guarded",
    },
    rows={"call": "guarded", "twin": "locator"},
)
PLACEHOLDERS = {
    "depth_m": "[measure]",
    "basin": "[category]",
    "name": "[name]",
    "master": "[name]",
    "fare_usd": "[amount]",
    "gift_usd": "[amount]",
}
CUT = "\x00"
"""Stands where a span was cut out: no text holds it."""


class Case(NamedTuple):
    statement: Statement
    disclosed: frozenset[Fact]
    remains: str | None


def read_facts(text: str) -> tuple[Fact, ...]:
    return tuple(Fact.parse(fact) for fact in text.split())


def read_statement(text: str, whole: str, loose: str) -> Statement:
    parts, claims, at = [], [], 0
    for match in SPAN.finditer(text):
        parts.append(text[at : match.start()])
        start, surface = sum(map(len, parts)), match[2]
        fact, *others = (Fact.parse(part) for part in match[1].split("+"))
        placeholder = "[number]" if fact.kind == "list" else PLACEHOLDERS[fact.column]
        placeholder = "[name]" if fact.kind == "top" else placeholder
        read = (fact, *others)
        claims.append(Claim(fact, surface, start, start + len(surface), placeholder, read))
        parts.append(surface)
        at = match.end()
    plain = "".join((*parts, text[at:]))
    rows = [Claim(fact, 1, 0, len(plain), "", (fact,)) for fact in read_facts(whole)]
    return Statement(plain, "sentence", (*rows, *claims), read_facts(loose))


def read_cases() -> list[object]:
    cases: list[object] = []
    for number, line in enumerate(CASES.read_text(encoding="utf-8").split("\n"), 1):
        if line and not line.startswith("#"):
            text, whole, loose, disclosed, remains, reason = line.split(" | ")
            case = Case(
                read_statement(text, whole, loose),
                frozenset(read_facts(disclosed)),
                None if remains == "dropped" else remains,
            )
            cases.append(pytest.param(case, id=f"line {number}: {reason}"))
    return cases


@pytest.mark.parametrize("case", read_cases())
def test_what_remains(case: Case) -> None:
    assert reveal(case.statement, ROLES, case.disclosed) == case.remains
    if not case.disclosed:
        assert mask(case.statement, ROLES) == case.remains


def statements(web: Web) -> Iterator[Statement]:
    for page in web.pages:
        yield from page.statements


def withheld(statement: Statement, roles: Roles) -> list[Claim]:
    return [
        claim
        for claim in statement.claims
        if roles.guarded(claim.fact) or roles.any_guarded(claim.depends_on)
    ]


def rest(statement: Statement, cut: list[Claim]) -> str:
    """The text outside some claims' spans."""
    spanned = {place for claim in cut for place in range(claim.start, claim.end)}
    return "".join(CUT if i in spanned else c for i, c in enumerate(statement.text))


def surfaces(statement: Statement, claims: list[Claim]) -> list[str]:
    return [
        statement.text[claim.start : claim.end]
        for claim in claims
        if not statement.spans_all(claim)
    ]


def test_no_withheld_surface_remains(world: World, web: Web) -> None:
    hidden = dropped = 0
    for statement in statements(web):
        masked, cut = mask(statement, world.roles), withheld(statement, world.roles)
        if masked is None:
            dropped += 1
            assert world.roles.any_guarded(statement.depends_on) or any(
                statement.spans_all(claim) for claim in cut
            )
            continue
        outside = rest(statement, cut)
        for surface in surfaces(statement, cut):
            assert surface not in masked or surface in outside, statement.text
            hidden += 1
        pattern = re.sub(f"{CUT}+", "(.*)", re.escape(outside).replace(f"\\{CUT}", CUT))
        matched = re.fullmatch(pattern, masked)
        assert matched is not None, statement.text
        assert "".join(matched.groups()) == "".join(claim.placeholder for claim in cut)
    assert hidden > 100
    assert dropped > 10


def test_a_statement_without_guarded_facts_stays(world: World, web: Web) -> None:
    stayed = 0
    for statement in statements(web):
        read = [fact for claim in statement.claims for fact in (claim.fact, *claim.depends_on)]
        if not world.roles.any_guarded([*read, *statement.depends_on]):
            assert mask(statement, world.roles) == statement.text
            stayed += 1
    assert stayed > 100


def test_disclosing_everything_gives_the_page_back(world: World, web: Web) -> None:
    for statement in statements(web):
        facts = {claim.fact for claim in statement.claims}
        assert reveal(statement, world.roles, facts) == statement.text


def test_disclosing_one_fact_gives_its_span_alone(world: World, web: Web) -> None:
    for statement in statements(web):
        cut = withheld(statement, world.roles)
        if any(statement.spans_all(claim) for claim in cut):
            continue
        for claim in cut:
            others = [other for other in cut if other.fact != claim.fact]
            masked = reveal(statement, world.roles, {claim.fact})
            assert masked is not None
            assert statement.text[claim.start : claim.end] in masked
            outside = rest(statement, others)
            for surface in surfaces(statement, others):
                assert surface not in masked or surface in outside, statement.text


def test_a_mask_is_the_same_in_a_twin(world: World, web: Web, twin_web: Web) -> None:
    changed = 0
    for page, other in zip(web.pages, twin_web.pages, strict=True):
        assert masked_lines(page.statements, world) == masked_lines(other.statements, world)
        changed += page.markdown != other.markdown
    assert changed > len(web.pages) / 2


def masked_lines(found: tuple[Statement, ...], world: World) -> list[object]:
    masked = [(mask(statement, world.roles), statement) for statement in found]
    return [(text, s.layout, s.href) for text, s in masked if text is not None]


def test_lines_that_stand_for_no_row_are_the_same_in_number(
    world: World, web: Web, twin_web: Web
) -> None:
    """Only a line that claims a guarded row may come or go between a world and its twin."""
    for page, other in zip(web.pages, twin_web.pages, strict=True):
        kept, kept_there = (not_dropped(p.statements, world) for p in (page, other))
        assert len(kept) == len(kept_there)
        for one, there in zip(kept, kept_there, strict=True):
            assert mask(one, world.roles) == mask(there, world.roles)
            assert one.depends_on == there.depends_on


def not_dropped(found: tuple[Statement, ...], world: World) -> list[Statement]:
    cuts = [(statement, withheld(statement, world.roles)) for statement in found]
    return [s for s, cut in cuts if not any(s.spans_all(claim) for claim in cut)]
