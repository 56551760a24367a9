from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from awb_support import UNHURRIED
from hypothesis import given
from hypothesis import strategies as st

from search_sim.awb.results import Journal, Judgement, Prediction, read_results
from worldgen.errors import ConfigurationError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def _made(number: int, text: str = "x", failure: str | None = None) -> Prediction:
    return Prediction(
        task="mcp", id=number, turn_idx=1, failure=failure, prediction=text, reply=text
    )


@UNHURRIED
@given(st.lists(st.tuples(st.integers(0, 3), TEXTS), max_size=8), st.data())
def test_a_kill_at_any_byte_loses_the_line_it_cuts_alone(
    added: list[tuple[int, str]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.jsonl"
        with Journal(path, Prediction) as journal:
            for number, text in added:
                journal.add(_made(number, text))
        written = path.read_bytes()
        kept = written[: data.draw(st.integers(0, len(written)))]
        path.write_bytes(kept)
        whole = added[: kept.count(b"\n")]
        expected = {("mcp", number, 1): _made(number, text) for number, text in whole}
        assert read_results(path, Prediction) == expected
        with Journal(path, Prediction) as journal:
            assert journal.found == expected
            journal.add(_made(9))
        assert read_results(path, Prediction) == {**expected, ("mcp", 9, 1): _made(9)}


def test_the_last_line_of_a_row_counts_and_settling_leaves_one_each(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Journal(path, Prediction) as journal:
        journal.add(_made(2))
        journal.add(_made(1, failure="late"))
        journal.add(_made(1, "better"))
        assert path.read_bytes().count(b"\n") == 3
        made = journal.settle([("mcp", 1, 1), ("mcp", 2, 1), ("mcp", 3, 1)])
    assert made == [_made(1, "better"), _made(2)]
    assert path.read_bytes() == (made[0].line() + made[1].line()).encode()
    assert [file.name for file in tmp_path.iterdir()] == ["results.jsonl"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{}", "line 2: task: Field required"),
        (b"nonsense", "line 2: invalid JSON"),
        (_made(1).line().encode().strip(), "line 2: prediction_digest: Field required"),
    ],
)
def test_a_line_that_is_none_of_ours_is_named(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "judgements.jsonl"
    good = Judgement(task="mcp", id=1, turn_idx=1, prediction_digest="ab").line().encode()
    path.write_bytes(good + line + b"\n")
    with pytest.raises(ConfigurationError, match=f"judgements.jsonl, {why}"):
        read_results(path, Judgement)


def test_no_file_holds_nothing(tmp_path: Path) -> None:
    assert read_results(tmp_path / "none", Prediction) == {}
