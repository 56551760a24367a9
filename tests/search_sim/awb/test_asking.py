from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from awb_support import Scripted, some_rows
from lm_support import FakeModel, ask, kind_of

from search_sim.awb.asking import ask_all
from search_sim.awb.patient import Patient
from search_sim.awb.results import Journal, Prediction
from search_sim.awb.rows import Row
from worldgen.errors import LanguageModelError, WorldgenError
from worldgen.lm.records import Reply

AWAY = LanguageModelError("unreachable", "connection refused")
BUSY = LanguageModelError("overloaded", "HTTP 429", 429)
GATEWAY = LanguageModelError("server", "HTTP 503", 503)
BROKEN = LanguageModelError("server", "HTTP 500", 500)


class Question:
    """Fails or takes a moment, as it is told for each row; counts what is in flight."""

    def __init__(self, *errors: LanguageModelError | None) -> None:
        self.errors = list(errors)
        self.flying = self.most = 0

    async def ask(self, row: Row) -> Prediction:
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(0.001)
        self.flying -= 1
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        return Prediction(task=row.task, id=row.id, turn_idx=row.turn_idx, prediction="x")

    def failed(self, row: Row, error: LanguageModelError) -> Prediction:
        return Prediction(task=row.task, id=row.id, turn_idx=row.turn_idx, failure=error.kind)


def _ask(question: Question, rows: Sequence[Row], path: Path, at_once: int) -> list[Prediction]:
    with Journal(path, Prediction) as journal:
        return asyncio.run(ask_all(question, rows, journal, at_once))


@pytest.mark.parametrize("at_once", [1, 3, 50])
def test_no_more_rows_are_in_flight_than_may_be(tmp_path: Path, at_once: int) -> None:
    question, rows = Question(), some_rows(20)
    made = _ask(question, rows, tmp_path / "p", at_once)
    assert [one.key for one in made] == [row.key for row in rows]
    assert question.most == min(at_once, 20)


@pytest.mark.parametrize(
    "error",
    [AWAY, *(LanguageModelError("refused", "no", status) for status in (401, 403, 404))],
)
def test_a_server_that_is_not_there_or_turns_one_away_ends_it(
    tmp_path: Path, error: LanguageModelError
) -> None:
    question = Question(*[error] * 9)
    with pytest.raises(LanguageModelError) as caught:
        _ask(question, some_rows(9), tmp_path / "p", 3)
    assert caught.value is error
    assert (tmp_path / "p").read_bytes() == b""
    assert len(question.errors) >= 6


def test_later_failures_are_recorded(tmp_path: Path) -> None:
    question = Question(None, AWAY, None, LanguageModelError("refused", "no", 404), BROKEN)
    made = _ask(question, some_rows(6), tmp_path / "p", 2)
    assert [one.failure for one in made] == [None, "unreachable", None, "refused", "server", None]


def test_a_first_failure_that_is_the_rows_own_ends_nothing(tmp_path: Path) -> None:
    question = Question(LanguageModelError("refused", "too long", 400), AWAY)
    made = _ask(question, some_rows(3), tmp_path / "p", 1)
    assert [one.failure for one in made] == ["refused", "unreachable", None]


def test_a_server_that_went_away_for_good_leaves_the_rest_for_another_run(tmp_path: Path) -> None:
    rows, path = some_rows(14), tmp_path / "p"
    with pytest.raises(WorldgenError, match="refused; 4 rows are left for another run of the same"):
        _ask(Question(None, None, *[AWAY] * 8), rows, path, 1)
    again = Question()
    made = _ask(again, rows, path, 1)
    assert [one.failure for one in made] == [None] * 14
    assert path.read_bytes().count(b"\n") == 14


def test_what_breaks_unexpectedly_stops_the_others(tmp_path: Path) -> None:
    class Breaking(Question):
        async def ask(self, row: Row) -> Prediction:
            if row.id == 3:
                message = "a mistake"
                raise ZeroDivisionError(message)
            await asyncio.sleep(60)
            raise AssertionError

    start = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        _ask(Breaking(), some_rows(9), tmp_path / "p", 4)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("outcomes", "ends"),
    [
        ([BUSY, BUSY, Reply("yes")], "reply"),
        ([GATEWAY, Reply("yes")], "reply"),
        ([LanguageModelError("resting", "3 s"), Reply("yes")], "reply"),
        ([BROKEN, Reply("yes")], "server"),
        ([AWAY, Reply("yes")], "unreachable"),
        ([LanguageModelError("late", "5 s"), Reply("yes")], "late"),
    ],
)
def test_a_busy_server_is_waited_for(outcomes: list[Reply | LanguageModelError], ends: str) -> None:
    model = Patient(FakeModel(*outcomes), pause=0.001)
    assert asyncio.run(kind_of(model.complete(ask(), 5.0))) == ends


def test_a_server_that_was_there_is_waited_for_until_the_time_is_up() -> None:
    async def twice(model: Patient) -> list[str]:
        return [await kind_of(model.complete(ask(), 0.2)) for _ in range(2)]

    back = FakeModel(Reply("yes"), AWAY, AWAY, Reply("yes"))
    assert asyncio.run(twice(Patient(back, pause=0.001))) == ["reply", "reply"]
    gone = FakeModel(Reply("yes"), AWAY)
    start = time.monotonic()
    assert asyncio.run(twice(Patient(gone, pause=0.05))) == ["reply", "unreachable"]
    assert time.monotonic() - start < 1
    assert 3 <= len(gone.asked) <= 6


def test_a_pause_is_as_long_as_the_server_asks_but_never_beyond_the_time() -> None:
    busy = LanguageModelError("overloaded", "HTTP 429", 429, retry_after=60.0)
    model = FakeModel(busy)
    assert asyncio.run(kind_of(Patient(model, pause=0.001).complete(ask(), 5.0))) == "overloaded"
    assert len(model.asked) == 1


def test_a_patient_model_has_the_name_of_the_one_inside() -> None:
    assert Patient(Scripted(lambda _: "x")).name == "scripted"
