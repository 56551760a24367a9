from __future__ import annotations

import datetime as dt
import math
import statistics
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.blueprint import Column
from worldgen.draw import Cells, draw_column
from worldgen.errors import BlueprintError
from worldgen.facts import RowKey, Value
from worldgen.names import given_names

SEEDS = st.integers(min_value=0, max_value=2**32)
ROWS: dict[RowKey, dict[str, Value]] = {(i,): {} for i in range(1, 201)}
CHOICE = {"model": "choice", "options": {"tidal": 4, "locked": 1, "never": 0}}
LOGNORMAL = {
    "model": "lognormal",
    "median": 50,
    "sigma": 1.5,
    "low": 20,
    "high": 200,
    "step": 5,
}
SERIES = {"model": "lognormal", "median": 1000, "sigma": 0.0, "low": 1, "high": 10**9}
BETWEEN = {"model": "date_between", "first": "2020-02-27", "last": "2020-03-02"}
AFTER = {
    "model": "date_after",
    "after": ["founded", "port_id.opened"],
    "days": [10, 20],
    "last": "2030-12-31",
}


def draw(
    values: Mapping[str, Any],
    rows: Mapping[RowKey, Mapping[str, Value]] = ROWS,
    *,
    seed: int = 1,
    kind: str = "count",
    decimals: int = 0,
    targets: tuple[int, ...] = (),
    taken: frozenset[str] = frozenset(),
) -> Cells:
    column = Column.model_validate(
        {"name": "x", "kind": kind, "label": "x", "decimals": decimals, "values": values}
    )
    return draw_column(column, seed, rows, targets, taken)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (CHOICE, "category"),
        (LOGNORMAL, "count"),
        (BETWEEN, "date"),
        ({"model": "reference", "skew": 0.5}, "ref"),
        ({"model": "person"}, "person"),
    ],
    ids=["choice", "lognormal", "date_between", "reference", "person"],
)
def test_a_cell_is_drawn_alone(values: dict[str, Any], kind: str) -> None:
    """A row that comes or goes shifts no other cell."""
    whole = draw(values, kind=kind, targets=(1, 2, 3))
    some = {key: row for key, row in ROWS.items() if key[0] % 3}
    assert draw(values, some, kind=kind, targets=(1, 2, 3)) == {key: whole[key] for key in some}
    assert draw(values, kind=kind, targets=(1, 2, 3)) == whole
    assert draw(values, kind=kind, targets=(1, 2, 3), seed=2) != whole


def test_a_choice_is_one_of_its_options_by_weight() -> None:
    counts = Counter(draw(CHOICE, kind="category").values())
    assert counts.keys() == {"tidal", "locked"}
    assert counts["tidal"] > 2 * counts["locked"]


@given(SEEDS, st.sampled_from([1, 5, 20]))
def test_a_number_keeps_to_its_bounds_and_steps(seed: int, step: int) -> None:
    cells = draw({**LOGNORMAL, "step": step}, seed=seed)
    assert cells.keys() == ROWS.keys()
    assert all(type(value) is int for value in cells.values())
    assert all(20 <= int(value) <= 200 and int(value) % step == 0 for value in cells.values())


def test_a_number_reaches_its_bounds() -> None:
    cells = draw(LOGNORMAL).values()
    assert (min(cells), max(cells)) == (20, 200)


def test_a_number_lies_around_its_median() -> None:
    rows: dict[RowKey, dict[str, Value]] = {(i,): {} for i in range(3000)}
    cells = draw({**SERIES, "median": 50_000, "sigma": 0.5}, rows).values()
    logarithms = [math.log(float(value) / 50_000) for value in cells]
    assert statistics.mean(logarithms) == pytest.approx(0, abs=0.05)
    assert statistics.stdev(logarithms) == pytest.approx(0.5, abs=0.03)


def test_decimals_are_exact() -> None:
    cells = draw(
        {"model": "lognormal", "median": 7, "sigma": 0.5, "low": 2.1, "high": 24, "step": 0.1},
        kind="measure",
        decimals=1,
    )
    assert all(type(value) is float for value in cells.values())
    assert all(value == round(float(value), 1) for value in cells.values())
    assert len(set(cells.values())) > 20


def test_factors_multiply_the_median() -> None:
    rows: dict[RowKey, dict[str, Value]] = {
        (1,): {"basin": "deep", "port_id.berths": 9},
        (2,): {"basin": "other", "port_id.berths": 9},
        (3,): {"basin": "deep", "port_id.berths": 18},
        (4,): {"basin": "other", "port_id.berths": 36},
    }
    times = [
        {"path": "basin", "by": {"deep": 3.0}},
        {"path": "port_id.berths", "power": 0.5, "base": 9},
    ]
    cells = draw({**SERIES, "median": 100, "times": times}, rows)
    assert cells == {(1,): 300, (2,): 100, (3,): 424, (4,): 200}


def years(count: int = 1, span: int = 4) -> dict[RowKey, dict[str, Value]]:
    return {(i, 2027 + n): {} for i in range(1, count + 1) for n in range(span)}


def trend(**parts: Any) -> dict[str, Any]:
    return {"model": "trend", "start": SERIES, "growth": 0.1, "wobble": 0.0, "memory": 0.5, **parts}


def test_a_trend_without_noise_grows_evenly() -> None:
    assert list(draw(trend(), years()).values()) == [1000, 1100, 1210, 1331]


def test_a_trend_at_most_halves() -> None:
    assert list(draw(trend(growth=-3), years()).values()) == [1000, 500, 250, 125]


def test_a_trend_keeps_to_the_bounds_of_its_start() -> None:
    start = {**SERIES, "low": 300, "high": 1150}
    assert list(draw(trend(start=start), years()).values()) == [1000, 1100, 1150, 1150]
    down = trend(start=start, growth=-0.5)
    assert list(draw(down, years()).values()) == [1000, 500, 300, 300]


def test_a_trend_starts_anew_for_each_entity() -> None:
    start = {**SERIES, "sigma": 0.3}
    cells = draw(trend(start=start, wobble=0.05), years(5))
    assert len({cells[(i, 2027)] for i in range(1, 6)}) == 5
    alone = {key: row for key, row in years(5).items() if key[0] == 3}
    assert draw(trend(start=start, wobble=0.05), alone) == {key: cells[key] for key in alone}


def test_a_trend_doesnt_depend_on_the_order_of_rows() -> None:
    forwards = draw(trend(wobble=0.05), years(3))
    assert draw(trend(wobble=0.05), dict(reversed(years(3).items()))) == forwards


def test_a_trend_starts_from_what_its_start_reads() -> None:
    times = [{"path": "port_id.berths", "power": 1.0, "base": 10}]
    rows = {key: {"port_id.berths": 10 * key[0]} for key in years(2)}
    cells = draw(trend(start={**SERIES, "times": times}), rows)
    assert (cells[(1, 2027)], cells[(2, 2027)]) == (1000, 2000)


def growth_kept(memory: float) -> float:
    """How far a year's growth tells the next year's: the correlation over many entities."""
    start = {**SERIES, "median": 10**7}
    cells = draw(trend(start=start, growth=0.02, wobble=0.04, memory=memory), years(600, 3))
    rates = [
        [float(cells[(i, y + 1)]) / float(cells[(i, y)]) - 1 for y in (2027, 2028)]
        for i in range(1, 601)
    ]
    return statistics.correlation(*zip(*rates, strict=True))


def test_a_trend_bends_slowly() -> None:
    assert abs(growth_kept(0.0)) < 0.15
    assert growth_kept(0.9) > 0.5


def test_dates_between_two_days_are_all_found() -> None:
    dates = set(draw(BETWEEN, kind="date").values())
    expected = {"2020-02-27", "2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02"}
    assert dates == expected


@given(SEEDS)
def test_a_date_follows_the_latest_of_others(seed: int) -> None:
    rows: dict[RowKey, dict[str, Value]] = {
        (1,): {"founded": "1990-05-01", "port_id.opened": "2001-02-28"},
        (2,): {"founded": "2011-12-31", "port_id.opened": "2001-02-28"},
    }
    cells = draw(AFTER, rows, kind="date", seed=seed)
    for key, start in (((1,), "2001-02-28"), ((2,), "2011-12-31")):
        days = dt.date.fromisoformat(str(cells[key])) - dt.date.fromisoformat(start)
        assert 10 <= days.days <= 20


def test_every_day_after_is_found() -> None:
    rows: dict[RowKey, dict[str, Value]] = {
        key: {"founded": "2020-01-01", "port_id.opened": "2019-01-01"} for key in ROWS
    }
    dates = set(draw(AFTER, rows, kind="date").values())
    assert dates == {f"2020-01-{day}" for day in range(11, 22)}


def test_no_date_is_later_than_the_last() -> None:
    rows: dict[RowKey, dict[str, Value]] = {
        key: {"founded": "2030-12-14", "port_id.opened": "2019-01-01"} for key in ROWS
    }
    dates = draw(AFTER, rows, kind="date").values()
    assert (min(dates), max(dates)) == ("2030-12-24", "2030-12-31")
    late = {key: {**row, "founded": "2030-12-29"} for key, row in rows.items()}
    assert set(draw(AFTER, late, kind="date").values()) == {"2030-12-31"}


GROUPED = st.lists(
    st.tuples(st.sampled_from(["north", "south"]), st.integers(0, 30)), min_size=1, max_size=40
).map(lambda rows: {(i,): {"side": s, "sales": n} for i, (s, n) in enumerate(rows, 1)})


@given(GROUPED)
def test_a_rank_agrees_with_its_numbers(rows: dict[RowKey, dict[str, Value]]) -> None:
    cells = draw({"model": "rank", "of": "sales", "within": "side"}, rows, kind="rank")
    for side in ("north", "south"):
        group = [key for key in rows if rows[key]["side"] == side]
        by_rank = sorted(group, key=lambda key: int(cells[key]))
        assert [cells[key] for key in by_rank] == list(range(1, len(group) + 1))
        sales = [int(rows[key]["sales"]) for key in by_rank]
        assert sales == sorted(sales, reverse=True)


def test_a_rank_without_groups_counts_through() -> None:
    rows: dict[RowKey, dict[str, Value]] = {
        (1,): {"sales": 5},
        (2,): {"sales": 9.5},
        (3,): {"sales": 5},
        (4,): {"sales": 7},
    }
    cells = draw({"model": "rank", "of": "sales"}, rows, kind="rank")
    assert cells == {(1,): 3, (2,): 1, (3,): 4, (4,): 2}


@given(SEEDS, st.integers(1, 60), st.integers(1, 100))
def test_shares_sum_to_100(seed: int, north: int, south: int) -> None:
    sides = ["north"] * north + ["south"] * south
    rows: dict[RowKey, dict[str, Value]] = {(i,): {"side": x} for i, x in enumerate(sides)}
    cells = draw({"model": "share", "within": "side"}, rows, seed=seed)
    for side in set(sides):
        shares = [int(cells[key]) for key in rows if rows[key]["side"] == side]
        assert sum(shares) == 100
        assert min(shares) >= 1


def test_shares_differ() -> None:
    rows: dict[RowKey, dict[str, Value]] = {(i,): {"side": "north"} for i in range(10)}
    shares = [int(share) for share in draw({"model": "share", "within": "side"}, rows).values()]
    assert max(shares) > 1.5 * min(shares)


def test_more_shares_than_percentages_are_refused() -> None:
    rows: dict[RowKey, dict[str, Value]] = {(i,): {"side": "north"} for i in range(101)}
    with pytest.raises(BlueprintError, match="shares of 100 over 101 rows"):
        draw({"model": "share", "within": "side"}, rows)


def test_a_reference_points_to_a_row_that_exists() -> None:
    cells = draw({"model": "reference", "skew": 0.3}, kind="ref", targets=(3, 5, 8))
    assert set(cells.values()) == {3, 5, 8}


def most_common(skew: float) -> float:
    cells = draw({"model": "reference", "skew": skew}, kind="ref", targets=tuple(range(10)))
    return Counter(cells.values()).most_common(1)[0][1] / len(cells)


def test_skew_makes_references_uneven() -> None:
    assert most_common(0.0) < 0.2
    assert most_common(1.0) > 0.25


def test_skew_prefers_no_row_by_its_id() -> None:
    favourites = {
        Counter(
            draw(
                {"model": "reference", "skew": 2.0}, kind="ref", targets=(1, 2, 3, 4), seed=seed
            ).values()
        ).most_common(1)[0][0]
        for seed in range(20)
    }
    assert favourites == {1, 2, 3, 4}


def test_a_person_is_invented_around_what_is_taken() -> None:
    cells = draw({"model": "person"}, kind="person")
    assert all(str(name).split()[0] in given_names() for name in cells.values())
    family = frozenset(str(name).split()[1].lower() for name in cells.values())
    others = draw({"model": "person"}, kind="person", taken=family)
    assert not family & {str(name).split()[1].lower() for name in others.values()}
