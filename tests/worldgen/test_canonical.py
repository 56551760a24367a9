from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.canonical import canonical_json, digest, digest_lines

RECORD = {
    "name": "Känn Quay",
    "id": 3,
    "depth": 7.0,
    "open": True,
    "note": None,
    "tags": ["b", "a"],
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


def shuffled(record: Any, rng: random.Random) -> Any:
    """The same record with the keys of every object in another order."""
    if isinstance(record, dict):
        items = [(key, shuffled(value, rng)) for key, value in record.items()]
        rng.shuffle(items)
        return dict(items)
    return [shuffled(entry, rng) for entry in record] if isinstance(record, list) else record


def test_the_spelling() -> None:
    assert canonical_json(RECORD) == (
        '{"depth":7.0,"id":3,"name":"Känn Quay","note":null,"open":true,"tags":["b","a"]}'
    )


@given(JSON)
def test_a_record_reads_back(record: object) -> None:
    assert json.loads(canonical_json(record)) == record


@given(JSON, st.randoms(use_true_random=False))
def test_the_order_of_keys_doesnt_count(record: object, rng: random.Random) -> None:
    assert canonical_json(shuffled(record, rng)) == canonical_json(record)


@given(JSON)
def test_a_record_is_one_line(record: object) -> None:
    assert "\n" not in canonical_json(record)


def test_the_order_of_a_list_counts() -> None:
    assert digest(["a", "b"]) != digest(["b", "a"])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_json_has_no_word_for_is_refused(number: float) -> None:
    for record in (number, [1, number], {"a": {"b": number}}):
        with pytest.raises(ValueError, match="not JSON compliant"):
            canonical_json(record)


def test_digests_are_the_same_everywhere() -> None:
    assert digest(RECORD) == "e808bdf4750cd353f8a4e2f4bcf9886b78b388bb0e778225964b2f89d3f9467b"
    assert digest(RECORD, 6) == "7a025f1ee3c1"
    lines = "e622f861cfb90d7fc2773ebf739fd5331515e652d2d3bad8d5a24ec90bf505fd"
    assert digest_lines(["a", "b"]) == lines


@pytest.mark.parametrize("size", [1, 6, 32, 64])
def test_the_size_of_a_digest_is_in_bytes(size: int) -> None:
    assert len(bytes.fromhex(digest(RECORD, size))) == size


def test_lines_keep_their_borders() -> None:
    splits = (["ab", "c"], ["a", "bc"], ["abc"], ["ab", "c", ""], ["c", "ab"])
    assert len({digest_lines(lines) for lines in splits}) == len(splits)


def test_lines_may_come_one_by_one() -> None:
    assert digest_lines(line for line in ("a", "b")) == digest_lines(["a", "b"])
