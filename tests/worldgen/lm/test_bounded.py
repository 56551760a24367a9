from __future__ import annotations

import asyncio

import pytest
from lm_support import FakeModel, ask, kind_of, run

from worldgen.lm.bounded import Bounded
from worldgen.lm.records import Reply


def test_so_many_requests_are_under_way_at_a_time() -> None:
    async def main() -> list[str]:
        return await asyncio.gather(*(kind_of(bounded.complete(ask(), 5.0)) for _ in range(10)))

    model = FakeModel(seconds=0.01)
    bounded = Bounded(model, 3)
    assert run(main()) == ["reply"] * 10
    assert model.most_at_once == 3


def test_waiting_counts_against_the_timeout() -> None:
    async def main() -> list[str]:
        first = asyncio.create_task(kind_of(bounded.complete(ask(), 5.0)))
        await asyncio.sleep(0)
        second = await kind_of(bounded.complete(ask(), 0.02))
        assert not first.done()
        return [second, await first]

    model = FakeModel(seconds=0.5)
    bounded = Bounded(model, 1)
    assert run(main()) == ["late", "reply"]
    assert len(model.asked) == 1


def test_what_is_left_after_the_wait_is_the_inner_timeout() -> None:
    async def main() -> None:
        await asyncio.gather(*(bounded.complete(ask(), 5.0) for _ in range(2)))

    model = FakeModel(seconds=0.05)
    bounded = Bounded(model, 1)
    run(main())
    (_, first), (_, second) = model.asked
    assert 4.9 < first <= 5.0
    assert second <= first - 0.045


def test_a_place_is_given_back_whatever_happens() -> None:
    async def main() -> str:
        with pytest.raises(ZeroDivisionError):
            await bounded.complete(ask(), 5.0)
        task = asyncio.create_task(bounded.complete(ask(), 5.0))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        return await kind_of(bounded.complete(ask(), 5.0))

    bounded = Bounded(FakeModel(ZeroDivisionError(), Reply("yes"), seconds=0.05), 1)
    assert run(main()) == "reply"


def test_name_and_end_are_the_inner_models() -> None:
    model = FakeModel()
    bounded = Bounded(model, 1)
    run(bounded.close())
    assert bounded.name == "fake"
    assert model.closed
