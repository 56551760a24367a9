"""Prompts: variants as files, parts as a record, instructions, histories that fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Case

from search_sim.episode import Episode
from search_sim.history import outline, past_search
from search_sim.materials import Asked, Material, Past
from search_sim.passages import Passage
from search_sim.prompts.instruction import SNIPPET_CHARACTERS, fill, write_instruction
from search_sim.prompts.prompt import CHARACTERS_A_TOKEN, messages, parts_of, trimmed
from search_sim.prompts.variant import Variant, read_variant, variants
from worldgen.errors import ConfigurationError, UnknownNameError

FIELDS = (
    "{query}",
    "{page}",
    "{count}",
    "{mix}",
    "{characters}",
    "{results}",
    "{about}",
    "{tools}",
)


def passage(text: str, disclosed: bool = False) -> Passage:
    return Passage(0, text, len(text), frozenset(), disclosed)


ASKED = Asked(
    'depth of "Kell" {results}',
    2,
    (
        Material(
            "https://a.example/kell",
            "Port Kell",
            "2031-05-02",
            "high",
            (passage("Depth: [measure]"), passage("Berths: 14", disclosed=True)),
        ),
        Material("https://b.example/", "Home", None, "background", (passage("Welcome."),)),
    ),
)


def test_two_variants_ship_and_one_is_the_default() -> None:
    assert variants() == ("search", "search-json")
    assert read_variant() is read_variant("search")
    assert {read_variant(name).reply for name in variants()} == {"text", "json"}


@pytest.mark.parametrize("name", variants())
def test_a_shipped_variant_is_filled_in_whole(name: str) -> None:
    variant = read_variant(name)
    parts = parts_of(variant, "Ferries.")
    instruction = write_instruction(variant.simulation_instruction, Asked("q", 1, ASKED.materials))
    filled = parts.system.content + instruction
    assert not [field for field in FIELDS if field in filled]
    assert "Ferries." in parts.system.content
    assert '"web_search"' in parts.system.content
    assert "Port Kell" in instruction
    assert str(SNIPPET_CHARACTERS) in instruction


def test_the_id_tells_texts_apart() -> None:
    variant = read_variant()
    other = variant.model_copy(update={"task_description": "Another."})
    assert variant.id.startswith("search/1/")
    assert variant.id != other.id


def test_a_variant_of_the_users_own_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    texts = read_variant().model_dump() | {"name": "mine", "version": 3}
    file.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in texts.items()))
    assert read_variant(str(file)).id.startswith("mine/3/")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "mine.toml: Invalid value"),
        ('name = "x"', "mine.toml: version: Field required"),
        ('name = "X!"\nversion = 1', "name: String should match"),
    ],
)
def test_a_broken_variant_is_one_clear_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=words) as caught:
        read_variant(str(file))
    assert "\n" not in str(caught.value)


def test_unknown_and_missing_variants() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'search'"):
        read_variant("serch")
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml: can't be read"):
        read_variant("nowhere.toml")


def test_an_instruction_says_what_is_given_and_nothing_of_a_query_is_taken_for_a_field() -> None:
    text = write_instruction("{query} p{page} n{count} {mix}\n{results}\n{other}", ASKED)
    assert text == (
        '"depth of \\"Kell\\" {results}" p2 n2 1 high, 1 background\n'
        "[1] https://a.example/kell\nTitle: Port Kell\nDate: May 2, 2031\nRelevance: high\n"
        "Passages:\n- Depth: [measure]\nTo be stated:\n- Berths: 14\n\n"
        "[2] https://b.example/\nTitle: Home\nDate: N/A\nRelevance: background\n"
        "Passages:\n- Welcome.\n{other}"
    )


def test_a_page_without_results_is_told_to_say_so() -> None:
    text = write_instruction("{results}", Asked("zz", 3, ()))
    assert text == 'Nothing on page 3 for the query "zz": say No results found.'


@given(st.text(), st.text())
def test_values_are_never_filled_again(one: str, other: str) -> None:
    assert fill("{a}|{b}", {"a": one, "b": other}) == f"{one}|{other}".strip()


def test_a_chat_is_parts_then_turns_then_the_action_with_its_instruction() -> None:
    variant = read_variant()
    history = [past_search(["a", "b"], 1, "results of a"), Past('{"name": "x"}', "a page")]
    chat = messages(parts_of(variant, "Ferries."), history, ASKED, 10_000)
    assert [m.role for m in chat] == ["system", *("user", "assistant") * 2, "user"]
    assert '{"queries": ["a", "b"]}' in chat[1].content
    assert "results of a" in chat[2].content
    assert chat[3].content.startswith("### Turn 2")
    assert chat[5].content.startswith("### Turn 3")
    assert "**Simulation Instruction:**" in chat[5].content
    assert "Port Kell" in chat[5].content
    assert not any("Port Kell" in m.content for m in chat[:5])


def test_turns_keep_their_numbers_when_older_ones_are_left_out() -> None:
    history = [Past("a", "x" * 100), Past("b", "y" * 100)]
    chat = messages(parts_of(read_variant(), "F."), history, ASKED, 110 // CHARACTERS_A_TOKEN)
    assert [m.role for m in chat] == ["system", "user", "assistant", "user"]
    assert chat[1].content.startswith("### Turn 2")


@given(
    st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=8),
    st.integers(0, 60),
)
def test_a_history_is_trimmed_by_whole_turns_from_the_oldest(
    turns: list[tuple[str, str]], tokens: int
) -> None:
    history = [Past(action, observation) for action, observation in turns]
    kept = list(trimmed(history, tokens))
    size = [len(past.action) + len(past.observation) for past in history]
    assert kept == history[len(history) - len(kept) :]
    assert sum(size[len(size) - len(kept) :]) <= tokens * CHARACTERS_A_TOKEN
    if len(kept) < len(history):
        assert sum(size[len(size) - len(kept) - 1 :]) > tokens * CHARACTERS_A_TOKEN


def test_an_opened_page_is_known_by_url_title_and_open_headings(case: Case) -> None:
    roles = case.world.roles
    for page in case.opened.web.pages:
        lines = outline(page, roles).splitlines()
        assert lines[:2] == [page.url, f"# {page.title}"]
        assert all(line.startswith("## ") for line in lines[2:])
        headings = {s.text for s in page.statements if s.layout == "heading"}
        assert len(lines) - 2 <= len(headings)


def test_an_episodes_prompt_is_that_of_its_renderer(ferries: Case) -> None:
    task = next(iter(ferries.opened.tasks.values()))
    prompt = Episode(ferries.opened, task).trajectory.prompt
    assert prompt == parts_of(read_variant(), ferries.opened.about)
    assert ferries.world.name in prompt.initial_state


def test_a_variant_refuses_fields_that_it_doesnt_know() -> None:
    with pytest.raises(ValueError, match="extra"):
        Variant.model_validate({**read_variant().model_dump(), "extra": "x"})
