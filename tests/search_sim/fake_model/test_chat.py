from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_sim.fake_model.chat import Page, read_page, read_sources
from search_sim.history import past_search
from search_sim.materials import Asked, Past
from search_sim.observation import write_date
from search_sim.prompts.instruction import SNIPPET_CHARACTERS, fill
from search_sim.prompts.prompt import observation_message
from search_sim.prompts.variant import read_variant, variants
from worldgen.lm.records import Message


def _page(request: Any, structured: bool = False) -> Page:
    page = read_page(request.messages, structured)
    assert page is not None
    return page


@pytest.mark.parametrize("variant", variants())
def test_a_prompts_materials_are_read_as_they_were_given(
    searches: dict[str, tuple[Asked, ...]], ask: Any, variant: str
) -> None:
    stated = 0
    for asked in (asked for found in searches.values() for asked in found):
        request = ask(asked, variant)
        if not asked.materials:
            assert read_page(request.messages, False) is None
            continue
        page = _page(request)
        assert page.query == asked.query
        assert page.form == read_variant(variant).reply
        assert page.most == SNIPPET_CHARACTERS
        for source, material in zip(page.wanted, asked.materials, strict=True):
            assert (source.url, source.title) == (material.url, material.title)
            assert source.date == write_date(material.date)
            assert source.relevance == material.relevance
            assert source.passages == tuple(p.text for p in material.passages if not p.disclosed)
            assert source.stated == tuple(p.text for p in material.passages if p.disclosed)
            stated += len(source.stated)
    assert stated > 10


def test_a_result_without_date_and_passages_is_one(asked: Asked, ask: Any) -> None:
    bare = replace(asked.materials[0], date=None, passages=())
    page = _page(ask(replace(asked, materials=(bare, *asked.materials[1:]))))
    assert page.wanted[0].date == "N/A"
    assert page.wanted[0].passages == ()
    assert page.wanted[1].passages


def test_the_server_is_asked_for_json_by_its_interface_too(asked: Asked, ask: Any) -> None:
    assert _page(ask(asked), structured=True).form == "json"


@pytest.mark.parametrize("variant", variants())
def test_a_correction_wants_the_urls_that_it_lists(asked: Asked, ask: Any, variant: str) -> None:
    urls = [material.url for material in asked.materials][2:5]
    faults = f"- {asked.materials[0].url}: its date is N/A"
    fields = {"faults": faults, "missing": 3, "urls": "\n".join(urls)}
    correction = fill(read_variant(variant).correction, fields)
    more = (observation_message("..."), Message("user", correction))
    page = _page(ask(asked, variant, more=more))
    assert [source.url for source in page.wanted] == urls
    assert page.wanted == _page(ask(asked, variant)).wanted[2:5]


def test_the_last_instruction_counts_and_results_in_the_history_do_not(
    searches: dict[str, tuple[Asked, ...]], ask: Any
) -> None:
    first, second = searches["island-ferries"][:2]
    earlier = ask(first).messages
    chat = (*earlier, observation_message("..."), ask(second).messages[-1])
    page = read_page(chat, False)
    assert page is not None
    assert [s.url for s in page.wanted] == [m.url for m in second.materials]
    text = "[1] https://x.example/\nTitle: X\nSnippet: x\nDate: N/A"
    history: tuple[Past, ...] = (past_search(("x",), 1, text),)
    assert _page(ask(second, history=history)).wanted == page.wanted


def test_other_chats_ask_for_no_page(asked: Asked, ask: Any) -> None:
    for words in ("", "ls -la", "[1] https://x.example/", "[1] https://x.example/\nSnippet: x"):
        assert read_page((Message("user", words),), False) is None
    assert read_page((), False) is None
    results = Message("assistant", "[1] https://x.example/\nTitle: X\nSnippet: x\nDate: N/A")
    assert read_page((Message("user", "x"), results, Message("user", "y")), False) is None
    named = Message("user", "https://x.example/")
    assert read_page((Message("user", "x"), results, named), False) is None
    after = (*ask(asked).messages, observation_message("..."), Message("user", "Thank you."))
    assert read_page(after, False) is None


_PIECES = st.sampled_from(
    (
        *("[1] https://x.example/", "Title: X", "Date: N/A", "Relevance: high", "Passages:"),
        *("To be stated:", "- words", "", "```json\n[]\n```", '```json\n{"arguments": 1}\n```'),
    )
)


@given(st.lists(st.one_of(_PIECES, st.text(max_size=20)), max_size=30))
def test_any_chat_can_be_read(lines: list[str]) -> None:
    text = "\n".join(lines)
    for source in read_sources(text):
        assert f"[1] {source.url}" in text or re.search(r"\[\d+\] ", text)
    read_page((Message("user", text), Message("user", "Go on.")), False)
