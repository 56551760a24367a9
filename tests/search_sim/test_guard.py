from __future__ import annotations

from collections import Counter

import pytest
from support import Case

from search_sim.guard import MIXTURE, Guard, check_policy, effective_policy
from worldgen.errors import UnknownNameError


def _guard(case: Case, policy: str = "reach", allowance: int = 2, seed: int = 1) -> Guard:
    assert policy in ("reach", "tease", "open")
    return Guard(case.opened.lexicon, policy, allowance, seed)  # type: ignore[arg-type]


def _ask(case: Case, port: int, *labels: str) -> str:
    return " ".join((case.world.name_of("port", port), *labels))


def test_one_fact_a_query(ferries: Case) -> None:
    told = _guard(ferries).disclose(_ask(ferries, 1, "harbourmaster", "number of berths"))
    assert len(told) == 1


def test_the_choice_among_two_is_seeded_and_both_occur(ferries: Case) -> None:
    query = _ask(ferries, 1, "harbourmaster", "number of berths")
    chosen = [_guard(ferries, seed=seed).disclose(query) for seed in range(20)]
    assert len(set(chosen)) == 2
    assert chosen == [_guard(ferries, seed=seed).disclose(query) for seed in range(20)]


def test_the_allowance_ends_and_what_was_told_stays_told(ferries: Case) -> None:
    guard = _guard(ferries, allowance=2)
    queries = [_ask(ferries, port, "harbour depth") for port in (1, 2, 3)]
    told = [guard.disclose(query) for query in queries]
    assert [len(facts) for facts in told] == [1, 1, 0]
    assert [guard.disclose(query) for query in queries] == told


def test_asking_for_a_link_that_does_not_exist_spends_the_allowance_too(ferries: Case) -> None:
    world = ferries.world
    missing = next(p for p in world.ids("port") if (1, p) not in world.tables["call"])
    guard = _guard(ferries, allowance=1)
    names = f"{world.name_of('vessel', 1)} {world.name_of('port', missing)}"
    assert guard.disclose(f"{names} port of call")
    assert not guard.disclose(_ask(ferries, 1, "harbour depth"))


@pytest.mark.parametrize("policy", ["tease", "open"])
def test_only_reach_discloses(ferries: Case, policy: str) -> None:
    assert not _guard(ferries, policy).disclose(_ask(ferries, 1, "harbour depth"))


def test_mixed_follows_its_shares() -> None:
    drawn = Counter(effective_policy("mixed", seed) for seed in range(4000))
    for policy, share in MIXTURE.items():
        assert drawn[policy] / 4000 == pytest.approx(share, abs=0.03)


def test_an_unknown_policy_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'tease'"):
        check_policy("teas")
