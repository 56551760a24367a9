from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_sim.engine import Document, TantivyEngine

DOCUMENTS = [
    Document("Orrenby Harbour", "board board.example", "A port with nine berths."),
    Document("Port Tallis", "board board.example", "A port with a harbour of some depth."),
    Document("Same", "x x.example", "twin words"),
    Document("Same", "x x.example", "twin words"),
]
ENGINE = TantivyEngine(DOCUMENTS)


@pytest.mark.parametrize(
    ("query", "best"),
    [("Tallis", 1), ("berth", 0), ("harbour", 0), ("x.example", 2), ("the depth, please", 1)],
)
def test_the_best_match_comes_first(query: str, best: int) -> None:
    assert ENGINE.search(query)[0] == best


def test_equal_scores_come_in_the_order_of_the_documents() -> None:
    assert ENGINE.search("twin") == [2, 3]


@pytest.mark.parametrize("query", ["", "   ", "?!", "zzz", '"'])
def test_nothing_matches_nothing(query: str) -> None:
    assert ENGINE.search(query) == []


@given(st.text(max_size=80))
def test_any_text_is_a_query(query: str) -> None:
    found = ENGINE.search(query)
    assert len(found) == len(set(found)) <= len(DOCUMENTS)


@pytest.mark.parametrize(
    "query", ["title:same", 'AND OR "(', "body:[a TO b]", "-twin", "NOT twin~2^3"]
)
def test_operators_mean_nothing(query: str) -> None:
    assert isinstance(ENGINE.search(query), list)


def test_a_long_query_is_cut() -> None:
    assert ENGINE.search("filler " * 5000 + "Tallis") == []


def test_an_empty_index_finds_nothing() -> None:
    assert TantivyEngine([]).search("port") == []
