from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.lm.thinking import last_tagged, strip_thinking

PLAIN = st.text(alphabet="ab \n.{}é", max_size=6)
SECRET = "Σ"
OPEN = st.sampled_from(["<think>", "<THINK>", "<Think >"])
CLOSE = st.sampled_from(["</think>", "</THINK>", "</think >\n\n"])
PIECES = st.lists(
    st.one_of(OPEN, CLOSE, PLAIN, st.sampled_from(["<r>", "</r>", "<R>", SECRET])), max_size=14
).map("".join)


def _closed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda *parts: "".join(parts), OPEN, inner, CLOSE)


SECRETS = st.just(SECRET) | st.just(f"<r>{SECRET}</r>") | st.just(f"</r><r>{SECRET}")
THOUGHT = _closed(
    st.recursive(
        SECRETS, lambda inner: st.builds(lambda a, b, c: a + b + c, SECRETS, _closed(inner), PLAIN)
    )
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("yes", "yes"),
        ("<think>hm</think>\n\nyes", "yes"),
        ("<THINK>hm</Think> yes", "yes"),
        ("a <think>b</think> c <think>d</think> e", "a c e"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("hm, so</think>\nyes", "yes"),
        ("hm <think>a</think> so</think>yes", "yes"),
        ("yes <think>but", "yes "),
        ("<think>", ""),
        ("</think>", ""),
        ("", ""),
        ("<thinking> is another word", "<thinking> is another word"),
    ],
)
def test_thinking_is_stripped(text: str, said: str) -> None:
    assert strip_thinking(text) == said


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("<r>a</r>", "a"),
        ("<r>a</r> or <r>\nb\n</r>.", "\nb\n"),
        ("<R>a</R>", "a"),
        ("<r>to the end", "to the end"),
        ("<r>a<r>b</r>c</r>", "b"),
        ("<r></r>", ""),
        ("a</r>", None),
        ("<rr>a</rr>", None),
        ("", None),
        ("<think><r>no</r></think>", None),
        ("<think><r>no</r></think><r>yes</r>", "yes"),
        ("<r>yes</r><think><r>no</r></think>", "yes"),
        ("<r>no</r></think>", None),
        ("<r>a<think><r>no</r></think>b</r>", "ab"),
    ],
)
def test_the_last_block_that_is_said_is_taken(text: str, content: str | None) -> None:
    assert last_tagged(text, "r") == content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("<think>hm <r>a</r>", "a"),
        ("<think>hm <r>a</r> or <r>b</r>\n", "b"),
        ("<think>a<think>b</think>c <r>d</r>", "d"),
        ("<r>said</r><think>hm <r>a</r>", "a"),
        ("<think>hm <r>a", None),
        ("<think>hm <r>a</r> or <r>b", "a"),
        ("<r>said</r><think>hm <r>a", "said"),
        ("<think><r>no</r><think>hm", None),
    ],
)
def test_a_complete_block_after_thinking_that_was_never_closed_counts(
    text: str, content: str | None
) -> None:
    assert last_tagged(text, "r") == content


def test_a_tags_name_is_no_pattern() -> None:
    assert last_tagged("<aXb>no</aXb><a.b>yes</a.b>", "a.b") == "yes"


@given(st.text())
def test_a_text_without_thinking_is_left_as_it_is(text: str) -> None:
    assert strip_thinking(text.replace("think", "")) == text.replace("think", "")


@given(st.lists(st.tuples(PLAIN, THOUGHT), max_size=4), PLAIN)
def test_what_is_said_stays_and_what_is_thought_goes(
    pairs: list[tuple[str, str]], last: str
) -> None:
    text = "".join(said + thought for said, thought in pairs) + last
    stripped = strip_thinking(text)
    assert SECRET not in stripped
    said = "".join(said for said, _ in pairs) + last
    assert "".join(stripped.split()) == "".join(said.split())


@given(PLAIN, st.lists(THOUGHT, max_size=3), PLAIN)
def test_what_stands_before_a_lone_closing_mark_was_thought(
    before: str, thoughts: list[str], after: str
) -> None:
    text = before + SECRET.join(["", *thoughts]) + "</think>" + after
    assert strip_thinking(text) == after.lstrip()


@given(st.lists(THOUGHT | PLAIN | st.just("<r>said</r>"), max_size=6))
def test_a_block_in_thinking_never_counts(parts: list[str]) -> None:
    expected = "said" if "<r>said</r>" in parts else None
    assert last_tagged("".join(parts), "r") == expected


@given(PIECES)
def test_nothing_is_made_up(text: str) -> None:
    rest = iter(text)
    assert all(character in rest for character in strip_thinking(text))
    content = last_tagged(text, "r")
    if content is not None:
        assert "<r>" not in content.lower()
        assert "</r>" not in content.lower()


@given(PIECES, PLAIN)
def test_the_block_that_ends_a_reply_is_taken_whatever_went_before(text: str, said: str) -> None:
    assert last_tagged(f"{text}<r>{said}</r>", "r") == said
