"""Replies: what is read of them, and what is wrong with those that can't be."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_sim.lwm.reply import Claimed, read_json, read_text, schema
from worldgen.lm.records import Reply

PAGE = """\
[1] https://a.example/x
Title: Port Kell
Snippet: Depth: [measure].
Date: May 2, 2031

[2] https://b.example/
Title: Home
Snippet: Welcome.
Date: N/A"""
FIRST = Claimed("https://a.example/x", "Port Kell", "Depth: [measure].", "May 2, 2031")
SECOND = Claimed("https://b.example/", "Home", "Welcome.", "N/A")


def tagged(text: str) -> str:
    return f"<predicted_observation>\n{text}\n</predicted_observation>"


@pytest.mark.parametrize(
    "text",
    [
        tagged(PAGE),
        tagged(f"```\n{PAGE}\n```"),
        tagged(PAGE.replace("\n\n", "\n")),
        tagged(PAGE.replace("Title:", "title :").replace("Snippet:", "SNIPPET:")),
        tagged(PAGE.replace("\n", "\r\n")),
        tagged(f'Query: "depth"\n\n{PAGE}'),
        f"<think>maybe {tagged('[1] https://no.example/')}</think>{tagged(PAGE)}",
        f"{tagged('[1] https://no.example/')} no, rather {tagged(PAGE)}",
        f"<predicted_observation>{PAGE}",
        tagged(PAGE.replace("Depth: [measure].", "Depth:\n[measure].")),
        f"thinking aloud</think>\n{tagged(PAGE)}",
    ],
)
def test_results_are_read_from_the_last_tagged_text(text: str) -> None:
    found = read_text(Reply(text))
    assert found.results == (FIRST, SECOND)
    assert found.faults == ()


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("[1] https://a.example/x", (Claimed("https://a.example/x"),)),
        ("[1] https://a.example/x\nSnippet:", (Claimed("https://a.example/x", snippet=""),)),
        ("[9] u\nDate: N/A\nSnippet: a\n\nb", (Claimed("u", snippet="a", date="N/A"),)),
        ("[1]u\nSnippet: one\ntwo\n[2] v", (Claimed("u", snippet="one two"), Claimed("v"))),
    ],
)
def test_fields_may_be_missing_and_go_on_over_lines(
    text: str, results: tuple[Claimed, ...]
) -> None:
    assert read_text(Reply(tagged(text))).results == results


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply(""), "there is no <predicted_observation> in the reply"),
        (Reply(PAGE), "there is no <predicted_observation> in the reply"),
        (Reply("<think>on and on", "length"), "in the reply, which was cut off"),
        (Reply(tagged("I'm sorry.")), "no line between the tags is [n] URL"),
    ],
)
def test_what_cant_be_read_is_named(reply: Reply, fault: str) -> None:
    found = read_text(reply)
    assert found.results == ()
    assert len(found.faults) == 1
    assert fault in found.faults[0]


RESULTS = {"results": [{"url": "https://a.example/x", "snippet": "Depth: [measure]."}]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RESULTS),
        json.dumps(RESULTS["results"]),
        f"```json\n{json.dumps(RESULTS, indent=1)}\n```",
        f"<think>{{}}</think>Here it is: {json.dumps(RESULTS)} Good?",
        tagged(json.dumps(RESULTS)),
    ],
)
def test_an_object_is_read_whatever_stands_around_it(text: str) -> None:
    found = read_json(Reply(text))
    assert found.results == (Claimed("https://a.example/x", snippet="Depth: [measure]."),)
    assert found.faults == ()


@pytest.mark.parametrize(
    "text",
    [
        *("", "no", "{}", "[]", '{"results": 3}', '{"results": [1, "a"]}', "[[[[", '{"results": ['),
        '{"results": []}',
    ],
)
def test_what_is_no_object_with_results_is_named(text: str) -> None:
    found = read_json(Reply(text))
    assert found.results == ()
    assert len(found.faults) == 1


def test_odd_entries_become_results_that_match_nothing() -> None:
    text = json.dumps({"results": [{"snippet": 3}, {"url": None, "title": ["x"]}]})
    assert read_json(Reply(text)).results == (Claimed(""), Claimed("None"))


@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for read in (read_text, read_json):
        for said in (text, tagged(text), f"{{{text}", text + "\ud800"):
            read(Reply(said)).text.encode()


def test_the_schema_holds_a_reply_to_one_entry_for_each_url() -> None:
    found = schema(["https://a.example/", "https://b.example/"], 50)
    results = found["properties"]["results"]
    assert (results["minItems"], results["maxItems"]) == (2, 2)
    assert results["items"]["properties"]["url"]["enum"][1] == "https://b.example/"
    assert results["items"]["properties"]["snippet"]["maxLength"] == 50
