from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_sim.engine import Document, Engine
from search_sim.engines import ENGINES, make_engine
from worldgen.errors import UnknownNameError

DOCUMENTS = [
    Document("Orrenby Harbour", "board board.example", "A port with nine berths."),
    Document("Port Tallis", "board board.example", "A port with a harbour of some depth."),
    Document("Same", "x x.example", "twin words"),
    Document("Same", "x x.example", "twin words"),
]
BUILT = {name: make_engine(name)(DOCUMENTS) for name in ENGINES}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return BUILT[request.param]


@pytest.mark.parametrize(
    ("query", "best"),
    [("Tallis", 1), ("berth", 0), ("harbour", 0), ("x.example", 2), ("the depth, please", 1)],
)
def test_the_best_match_comes_first(engine: Engine, query: str, best: int) -> None:
    assert engine.search(query)[0] == best


def test_equal_scores_come_in_the_order_of_the_documents(engine: Engine) -> None:
    assert engine.search("twin") == [2, 3]


@pytest.mark.parametrize("query", ["", "   ", "?!", "zzz", '"'])
def test_nothing_matches_nothing(engine: Engine, query: str) -> None:
    assert engine.search(query) == []


@given(st.text(max_size=80))
def test_any_text_is_a_query(query: str) -> None:
    for engine in BUILT.values():
        found = engine.search(query)
        assert len(found) == len(set(found)) <= len(DOCUMENTS)


@pytest.mark.parametrize(
    "query", ["title:same", 'AND OR "(', "body:[a TO b]", "-twin", "NOT twin~2^3"]
)
def test_operators_mean_nothing(engine: Engine, query: str) -> None:
    assert isinstance(engine.search(query), list)


def test_a_long_query_is_cut(
    engine: Engine,
) -> None:
    assert engine.search("filler " * 5000 + "Tallis") == []


def test_an_empty_index_finds_nothing() -> None:
    for name in ENGINES:
        assert make_engine(name)([]).search("port") == []


def test_an_unknown_engine_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'whoosh'"):
        make_engine("woosh")
