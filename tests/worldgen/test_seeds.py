from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.seeds import child_seed, generator

NEIGHBOURS = range(500)
PATH = st.lists(st.from_regex(r"[a-z0-9_]+", fullmatch=True), max_size=3)


@pytest.mark.parametrize(
    ("root", "path", "seed"),
    [
        (0, (), 9523843951405948789),
        (7, ("cells", "port", "depth_m"), 8817346210069380524),
        (-1, (4, 12), 17660246320047941850),
        (2**70, ("world", 3), 10337464967887228565),
    ],
)
def test_seeds_are_the_same_everywhere(root: int, path: tuple[object, ...], seed: int) -> None:
    assert child_seed(root, *path) == seed


def test_draws_are_the_same_everywhere() -> None:
    rng = generator(7, "names", "port", 1)
    assert [rng.randrange(1000) for _ in range(5)] == [74, 922, 466, 351, 312]


@given(st.integers(), PATH)
def test_a_seed_has_64_bits(root: int, path: list[str]) -> None:
    assert 0 <= child_seed(root, *path) < 2**64


@given(st.integers(), PATH, st.integers(), PATH)
def test_each_root_and_path_has_a_seed_of_its_own(
    root: int, path: list[str], other_root: int, other: list[str]
) -> None:
    same = (root, path) == (other_root, other)
    assert (child_seed(root, *path) == child_seed(other_root, *other)) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, "ab", "c"), (1, "a", "bc")),
        ((1, 23), (12, 3)),
        ((1, "a", "b"), (1, "b", "a")),
        ((1, "a"), (1, "a", "")),
    ],
)
def test_parts_keep_their_borders(
    one: tuple[int, object, object], other: tuple[int, object, object]
) -> None:
    assert child_seed(*one) != child_seed(*other)


def test_neighbouring_roots_share_no_child_seed() -> None:
    children = [child_seed(root, "row", place) for root in NEIGHBOURS for place in range(20)]
    assert len(set(children)) == len(children)


def test_neighbouring_roots_share_no_draw() -> None:
    generators = [generator(root, "row") for root in NEIGHBOURS]
    draws = [rng.random() for rng in generators for _ in range(8)]
    assert len(set(draws)) == len(draws)


def test_a_generator_is_nobody_elses() -> None:
    rng = generator(1, "a")
    first = rng.random()
    generator(1, "b").random()
    assert [generator(1, "a").random(), rng.random() != first] == [first, True]
