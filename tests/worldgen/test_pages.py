from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from worldgen.facts import Fact, cell, row
from worldgen.pages import Claim, Layout, Link, Page, Site, Statement, Web

BASE = "https://kell.example/"
DEPTH = cell("port", (1,), "depth_m")
CALL = row("call", (4, 1))


def claim(fact: Fact, start: int, end: int) -> Claim:
    return Claim(fact, 1, start, end, "[x]", (fact,))


def page(*statements: Statement, links: tuple[Link, ...] = (), url: str = "") -> Page:
    return Page(f"{BASE}{url}", "kell", "Port Kell", "2031-05-01", statements, links)


def test_a_whole_page_in_markdown() -> None:
    ossary = f"{BASE}ossary"
    whole = page(
        Statement("Port Kell is a port."),
        Statement("Depth: 7.2 m", "fact"),
        Statement("Berths: 3", "fact"),
        Statement("Calls", "heading"),
        Statement("MV Ossary", "item", href=ossary),
        Statement("MV Brae: fare $3", "item"),
        Statement("It rains."),
        Statement("Mind the step."),
        Statement("Length: 9 m", "fact"),
        Statement("MV Teal", "item"),
        links=(Link("Home", BASE), Link("Ossary", ossary)),
    )
    assert whole.markdown == (
        "# Port Kell\n\n"
        "Port Kell is a port.\n\n"
        "- Depth: 7.2 m\n"
        "- Berths: 3\n\n"
        "## Calls\n\n"
        f"- [MV Ossary]({ossary})\n"
        "- MV Brae: fare $3\n\n"
        "It rains.\n\n"
        "Mind the step.\n\n"
        "- Length: 9 m\n\n"
        "- MV Teal\n\n"
        "## See also\n\n"
        f"- [Home]({BASE})\n"
        f"- [Ossary]({ossary})"
    )


def test_an_empty_page_has_its_title() -> None:
    assert page().markdown == "# Port Kell"


@pytest.mark.parametrize(
    ("layout", "plain", "linked"),
    [
        ("sentence", "text", "[text](u)"),
        ("fact", "- text", "- [text](u)"),
        ("item", "- text", "- [text](u)"),
        ("heading", "## text", "## [text](u)"),
    ],
)
def test_a_statement_in_markdown(layout: Layout, plain: str, linked: str) -> None:
    assert Statement("text", layout).markdown() == plain
    assert Statement("text", layout, href="u").markdown() == linked


def test_a_claim_may_span_the_whole_statement() -> None:
    statement = Statement("Depth: 7.2 m", "fact", (claim(DEPTH, 7, 12), claim(CALL, 0, 12)))
    assert [statement.spans_all(claim) for claim in statement.claims] == [False, True]
    assert not statement.spans_all(claim(DEPTH, 0, 11))
    assert not statement.spans_all(claim(DEPTH, 1, 12))


def test_outgoing_urls_come_in_order_and_once() -> None:
    found = page(
        Statement("a", "item", href="u1"),
        Statement("b", "item", href="u2"),
        Statement("c", "item"),
        links=(Link("b", "u2"), Link("d", "u0"), Link("d", "u0")),
    )
    assert found.outgoing == ("u1", "u2", "u0")


def test_a_web_finds_pages_by_url_and_by_fact() -> None:
    one = page(Statement("text", claims=(claim(DEPTH, 0, 1), claim(CALL, 0, 4))), url="a")
    other = page(
        Statement("x", claims=(claim(DEPTH, 0, 1),)),
        Statement("y", claims=(claim(DEPTH, 0, 1),)),
        url="b",
    )
    silent = page(Statement("z", depends_on=(CALL,)), url="c")
    web = Web((), (one, other, silent))
    assert web.by_url == {f"{BASE}a": one, f"{BASE}b": other, f"{BASE}c": silent}
    assert one.facts == {DEPTH, CALL}
    assert silent.facts == frozenset()
    unknown = cell("port", (9,), "depth_m")
    assert web.stating([DEPTH, CALL, unknown]) == {
        DEPTH: (f"{BASE}a", f"{BASE}b"),
        CALL: (f"{BASE}a",),
        unknown: (),
    }


def test_a_site_has_its_home_below_its_host() -> None:
    assert (
        Site("kell", "press", "Kell Post", "kell-post.example").home == "https://kell-post.example/"
    )


def test_records_are_frozen() -> None:
    for record, name in ((Statement("x"), "text"), (page(), "title"), (Link("a", "b"), "url")):
        with pytest.raises(FrozenInstanceError):
            setattr(record, name, "other")
