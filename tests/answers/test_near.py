from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.near import MIN_LENGTH, NearKeys


def near(said: str, *keys: str) -> int | None:
    return NearKeys([((key,), row) for row, key in enumerate(keys)], [True]).find((said,))


@pytest.mark.parametrize(
    "said", ["velmra", "velmorra", "velmira", "vlemora", "xelmora", "velmorx", "velmor", "elmora"]
)
def test_one_edit_is_near(said: str) -> None:
    assert near(said, "ossary", "velmora") == 1


@pytest.mark.parametrize(
    "said", ["velmora", "vlemoar", "velm", "velmorrra", "aromlev", "", "vemlroa"]
)
def test_none_and_two_edits_are_not(said: str) -> None:
    assert near(said, "ossary", "velmora") is None


def test_short_keys_and_numbers_are_exact() -> None:
    assert near("osary", "ossar") is None
    assert near("osary", "ossary") == 0
    assert near("pier number 12", "pier number 13") is None
    assert near("pier numbr 13", "pier number 13") == 0
    assert near("1234567", "1234568") is None


def test_a_key_near_to_two_rows_is_near_to_none_but_may_be_to_two_names_of_one() -> None:
    assert near("northam", "northan", "northal") is None
    assert NearKeys([(("northan",), 0), (("northal",), 0)], [True]).find(("northam",)) == 0


def test_one_part_of_a_key_may_be_near_and_only_if_it_is_text() -> None:
    keys = NearKeys([(("velmora", "201900", "ossary"), 0)], [True, False, True])
    assert keys.find(("velmra", "201900", "ossary")) == 0
    assert keys.find(("velmora", "201900", "osary")) == 0
    assert keys.find(("velmra", "201900", "osary")) is None
    assert keys.find(("velmora", "20190", "ossary")) is None
    assert keys.find((None, "201900", "ossary")) is None


def distance(one: str, other: str) -> int:
    """Edits between two texts, swaps of neighbours among them, by the textbook."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b)))
            if i > 1 and j > 1 and (a, one[i - 2]) == (other[j - 2], b):
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]


WORDS = st.text("ab", min_size=4, max_size=9)


@given(WORDS, st.lists(WORDS, max_size=6, unique=True))
def test_what_is_near_is_what_the_distance_says(said: str, keys: list[str]) -> None:
    rows = [n for n, key in enumerate(keys) if len(key) >= MIN_LENGTH and distance(said, key) == 1]
    assert near(said, *keys) == (rows[0] if len(rows) == 1 else None)
