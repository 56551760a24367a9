from __future__ import annotations

import ast
import contextlib
import datetime as dt
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers import widesearch
from answers.widesearch.dates import read_date
from answers.widesearch.errors import EMPTY_DATA, MALFORMED, ScorerError
from answers.widesearch.frame import Frame, read_frame
from answers.widesearch.infer import infer
from answers.widesearch.join import inner_join
from answers.widesearch.plain_dates import read_plain_date
from answers.widesearch.records import split_records
from answers.widesearch.result import MEASURES, score_cells

NOW = widesearch.FROZEN_NOW
TEXT = {"preprocess": ["norm_str"], "metric": ["exact_match"]}
JUDGED = {"preprocess": ["norm_str"], "metric": ["llm_judge"], "criterion": "the same"}
GOLD = "Port,Opened\nOssary,2029-03-14\nVelmora,2030-01-02\n"


def rules(**columns: dict[str, Any]) -> dict[str, Any]:
    return {
        "required": list(columns),
        "unique_columns": list(columns)[:1],
        "eval_pipeline": columns,
    }


def reply(*rows: Sequence[str]) -> str:
    return "```markdown\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n```"


def run(
    gold: str,
    evaluation: dict[str, Any],
    response: str | None,
    judge: widesearch.Judge | None = None,
) -> widesearch.Result:
    frame = widesearch.load_gold(gold, evaluation["required"])
    return widesearch.evaluate(frame, evaluation, response, judge or widesearch.SilentJudge(), NOW)


def test_all_is_exact() -> None:
    body = ast.parse(Path(widesearch.__file__).with_suffix(".pyi").read_text("utf-8")).body
    imported = [a.name for node in body if isinstance(node, ast.ImportFrom) for a in node.names]
    stated = next(ast.literal_eval(node.value) for node in body if isinstance(node, ast.Assign))
    assert set(stated) == set(imported) == set(widesearch.__all__)
    assert stated == sorted(stated, key=lambda name: (not name.isupper(), name[0].islower(), name))
    for name in stated:
        assert getattr(widesearch, name).__module__ if callable(name) else hasattr(widesearch, name)


def test_heavy_libraries_are_loaded_when_they_are_used() -> None:
    code = (
        "import sys; from answers.widesearch import *; import datetime as dt;"
        "norm_date('14 March 2029', FROZEN_NOW); assert 'dateparser' not in sys.modules;"
        "norm_date('14 mars 2029', FROZEN_NOW); assert 'dateparser' in sys.modules;"
        "assert 'pandas' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Reading


@pytest.mark.parametrize(
    ("words", "dtype", "values"),
    [
        (["1", "007", " 7", "+5", "-0"], "int64", [1, 7, 7, 5, 0]),
        (["9007199254740993", ""], "float64", [9007199254740992.0, math.nan]),
        (["1", "2.50", "1e3", ".5", "5."], "float64", [1.0, 2.5, 1000.0, 0.5, 5.0]),
        (["inf", "-Infinity", "NA"], "float64", [math.inf, -math.inf, math.nan]),
        (["", "NULL", "<NA>"], "float64", [math.nan] * 3),
        (["9223372036854775808", "1"], "uint64", [9223372036854775808, 1]),
        (["9223372036854775808", "-1", ""], "object", ["9223372036854775808", "-1", ""]),
        (["-9223372036854775809", ""], "object", ["-9223372036854775809", math.nan]),
        (["18446744073709551616", "x"], "object", ["18446744073709551616", "x"]),
        (["9223372036854775808", "1.5"], "float64", [9.223372036854778e18, 1.5]),
        (["99999999999999999999.5"], "object", ["99999999999999999999.5"]),
        (["9" * 5000], "object", ["9" * 5000]),
        (["True", "fAlse"], "bool", [True, False]),
        (["true", "n/a"], "object", [True, math.nan]),
        (["True", "1"], "object", ["True", "1"]),
        (["1,000", "none", "None"], "object", ["1,000", "none", math.nan]),
        (["1e400"], "object", ["1e400"]),
        (["1e", "1_000", "٣", "0x1F", "."], "object", ["1e", "1_000", "٣", "0x1F", "."]),
        ([], "object", []),
    ],
)
def test_a_columns_type_depends_on_all_its_words(
    words: list[str], dtype: str, values: list[Any]
) -> None:
    column = infer(words)
    assert column.dtype == dtype
    assert list(map(repr, column.values)) == list(map(repr, values))


@pytest.mark.parametrize(
    ("word", "value"),
    [
        # Read in the reader's own way, one bit beside the nearest number or more.
        ("0.30000000000000004", 0.3),
        ("9007199254740993.0", 9007199254740992.0),
        ("123456789.123456789", 123456789.12345678),
        ("-12345678901234567.89e-330", -1.23456789e-314),
        ("1e-320", 1e-320),
        ("1e-700", 0.0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
    ],
)
def test_fractions_are_read_to_17_digits(word: str, value: float) -> None:
    assert infer([word]).values == [value]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_fractions_are_read_within_a_hair(number: float) -> None:
    (read,) = infer([repr(number), "0.5"]).values[:1]
    assert read == pytest.approx(number, rel=1e-11, abs=1e-307)


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ('a,b\n"x,y",1\n', ["a", "b"], [["x,y"], ["1"]]),
        ('a,b\n"x""y",1\n', ["a", "b"], [['x"y'], ["1"]]),
        ('a,b\n"x"y,1\n', ["a", "b"], [["xy"], ["1"]]),
        ('a,b\nx"y,1\n', ["a", "b"], [['x"y'], ["1"]]),
        ('a,b\n"x\ny",1', ["a", "b"], [["x\ny"], ["1"]]),
        ("\n \na,b\n\t\n1,x\n\n", ["a", "b"], [["1"], ["x"]]),
        ("a,b\r\n1,x\r\n", ["a", "b"], [["1"], ["x"]]),
        ("a,b\r1,x\r\r,y", ["a", "b"], [["1", "y"], ["x", "nan"]]),
        ("a,b\r 1,x\n 2,y", ["a", "b"], [["a", " 1", " 2"], ["b", "x", "y"]]),
        ("\ufeffa,b\n1,x\n", ["a", "b"], [["1"], ["x"]]),
        ("a\0c,b\n1,x\n", ["a", "b"], [["1"], ["x"]]),
        ("a,b\n1\n", ["a", "b"], [["1"], ["nan"]]),
        ("a,b\n1,2,3\n4,5\n", ["a", "b"], [["2", "5"], ["3.0", "nan"]]),
        ("a,b", ["a", "b"], [[], []]),
    ],
)
def test_delimited_text(text: str, names: list[str], rows: list[list[str]]) -> None:
    frame = read_frame(text, ",")
    assert (frame.names, [column.texts() for column in frame.columns]) == (names, rows)


def test_names_that_repeat_or_are_blank_are_told_apart() -> None:
    frame = read_frame("a,a,a.1,,Unnamed: 3\n", ",")
    assert frame.names == ["a", "a.2", "a.1", "Unnamed: 3.1", "Unnamed: 3"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", EMPTY_DATA),
        ("\n \n", EMPTY_DATA),
        ("a,b\n1,2\n1,2,3\n", MALFORMED),
        ('a,b\n"1,2\n', MALFORMED),
        ('a,b\n"1""\n', MALFORMED),
        ("a,b\n1,2\r 3,4\r 5,6", MALFORMED),
    ],
)
def test_text_that_is_no_table(text: str, kind: str) -> None:
    with pytest.raises(ScorerError) as caught:
        read_frame(text, ",")
    assert caught.value.kind == kind


@given(st.text(alphabet='ab,|"\r\n \t\0\ufeff'), st.sampled_from(",|"))
def test_reading_ends(text: str, separator: str) -> None:
    with contextlib.suppress(ScorerError):
        assert all(split_records(text, separator))


@pytest.mark.parametrize(
    ("response", "names", "rows"),
    [
        ("```markdown\n| A b | C |\n|---|:-:|\n| x | 1 |\n```", ["ab", "c"], [["x", 1]]),
        ("See | A b | C |\n|---|---|\n| x | 1 |\n\n| y | 2 |", ["ab", "c"], [["x", 1]]),
        ("```markdown\nThe table\n| A b | C |\n| x | 1 |\n```", ["A b", "C"], [["x", 1]]),
        ("```markdown\nA b|C\nno pipe\nx|1\n```", ["ab", "c"], [["x", 1]]),
        ("```markdown\n|a|b|\n|x|1|\n``` ```markdown\n|c|d|\n```", ["a", "b"], [["x", 1]]),
    ],
)
def test_the_table_of_a_reply(response: str, names: list[str], rows: list[list[Any]]) -> None:
    frame = widesearch.extract_table(response)
    assert frame is not None
    assert (frame.names, list(map(list, frame.rows()))) == (names, rows)


@pytest.mark.parametrize("response", ["", "no table", "| a |\n| b", "```json\n{}\n```"])
def test_a_reply_without_a_table(response: str) -> None:
    assert widesearch.extract_table(response) is None


def test_a_gold_table_has_the_columns_that_are_asked_for_in_their_order() -> None:
    gold = widesearch.load_gold("A b,C,D\n1,2,3\n", ["d", "ab"])
    assert (gold.names, gold.rows()) == (["d", "ab"], [(3, 1)])


@pytest.mark.parametrize("text", ["", "A,B\n1,2,3,4\n1,2,3,4,5\n", "A\n1\n", "A,B\n\ud800,1\n"])
def test_a_gold_table_that_is_refused(text: str) -> None:
    with pytest.raises(widesearch.GoldError, match="the gold table"):
        widesearch.load_gold(text, ["a", "b"])


# Dates


def library_date(text: str) -> dt.datetime | None:
    from dateparser.date import DateDataParser  # type: ignore[import-untyped]

    parser = DateDataParser(settings={"PREFER_DAY_OF_MONTH": "first", "RELATIVE_BASE": NOW})
    found: dt.datetime | None = parser.get_date_data(text).date_obj
    return found


@pytest.mark.parametrize(
    "text",
    [
        *("2029-03-14", "2029-3-4", "2029/03/14", "2029.3.14", "2029", "2029-03", "2029/3"),
        *("14 March 2029", "3 mar 2029", "14 SEPT 2029", "March 14, 2029", "May 4 2029"),
        *("March 2029", "Sep, 2029", "03/04/2029", "14/03/2029", "14.03.2029", "4.3.2029"),
        *("2029年3月14日", "1000-01-01", "29 February 2028"),
    ],
)
def test_usual_forms_are_read_as_the_library_reads_them(text: str) -> None:
    found = read_plain_date(text, NOW.month)
    assert found is not None
    assert found == library_date(text)


@pytest.mark.parametrize(
    "text",
    [
        *("2029-13-01", "29 Feb 2029", "0987-01-01", "14 mars 2029", "10-24-1200", "2029年"),
        *("14 March", "14th March 2029", "2029-03-14 10:00", " 2029", "20290314", "MARCH 14 29"),
    ],
)
def test_other_forms_are_left_to_the_library(text: str) -> None:
    assert read_plain_date(text, NOW.month) is None
    assert read_date(text, NOW) == library_date(text)


def test_the_release_of_the_library_is_the_one_with_the_public_scorers_dates() -> None:
    # Later releases read quarters, and no longer read a date before a footnote mark.
    assert widesearch.norm_date("Q1 2094", NOW) == "Q1 2094"
    assert widesearch.norm_date("10 Apr 2037[1]", NOW) == "2037-04-01"


def test_today_is_an_argument() -> None:
    later = dt.datetime(2031, 2, 3, 4)  # noqa: DTZ001 - a time without a zone is in UTC
    assert widesearch.norm_date("yesterday", later) == "2031-02-02"
    assert widesearch.norm_date("2024", later) == "2024-02-01"
    east = dt.timezone(dt.timedelta(hours=9))
    assert widesearch.norm_date("today", dt.datetime(2031, 2, 3, 4, tzinfo=east)) == "2031-02-02"


def test_seconds_since_1970_are_read_in_utc() -> None:
    assert read_date("1700000000", NOW) == dt.datetime(2023, 11, 14, 22, 13, 20)  # noqa: DTZ001
    assert str(read_date(" 1700000000123456 ", NOW)) == "2023-11-14 22:13:20.123456"


def test_dates_are_read_from_text_alone() -> None:
    number: Any = 2029
    with pytest.raises(TypeError, match="not from int"):
        widesearch.norm_date(number, NOW)
    assert widesearch.date_near(number, "unknown", NOW) == 1.0


# The judge


def test_the_judge_is_asked_for_columns_keys_and_cells_in_this_order() -> None:
    judge = widesearch.ScriptedJudge(
        aliases={"town": "port", "Osary": "Ossary"}, equivalent=[("deep", "deepwater")]
    )
    gold = "Port,Basin\nOssary,deepwater\nVelmora,tidal\n"
    response = reply(("Town", "Basin"), ("Osary", "deep"), ("Velmora", "tidal"))
    evaluation = rules(port=TEXT, basin=JUDGED)
    assert run(gold, evaluation, response, judge).score == 1.0
    assert run(gold, evaluation, response).status == "column_mismatch"


def test_a_judge_that_fails_scores_nothing() -> None:
    class Broken(widesearch.SilentJudge):
        def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
            raise TimeoutError

    found = run(
        GOLD, rules(port=TEXT, opened=TEXT), reply(("Port", "Opened"), ("a", "b")), Broken()
    )
    assert (found.status, found.exception) == ("exception", "TimeoutError")


def test_replies_that_are_not_asked_for_are_left() -> None:
    judge = widesearch.CannedJudge(["a", None, "b"])
    assert [judge.align([], []), judge.grade("", []), judge.align([], [])] == ["a", None, "b"]
    assert judge.grade("", []) is None


def test_an_unknown_judge() -> None:
    case = {"gold_csv": GOLD, "evaluation": rules(port=TEXT), "response": ""}
    assert widesearch.run_case(case)["status"] == "response_df is None"
    with pytest.raises(ValueError, match="there is no judge 'loud'"):
        widesearch.run_case({**case, "judge": {"mode": "loud"}})


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ('{"idx_0": 1, "idx_1": 0.5}', (0.75, 0.875)),
        ('{"idx_0": true, "idx_1": null}', (1.0, 0.75)),
        ('{"idx_0": NaN, "idx_1": 1}', (1.0, 0.75)),
        ('{"idx_1": 2}', (0.5, 1.0)),
        ("[1, 1]", (0.0, 0.5)),
    ],
)
def test_what_a_judge_writes_counts_as_it_stands(scores: str, wanted: tuple[float, float]) -> None:
    judge = widesearch.CannedJudge([None, f"```json\n{scores}\n```"])
    rows = ("Port", "Opened"), ("Ossary", "2029-03-14"), ("Velmora", "2030-01-02")
    found = run(GOLD, rules(port=TEXT, opened=JUDGED), reply(*rows), judge)
    assert (found.precision_by_row, found.precision_by_item) == wanted


def test_a_judge_that_writes_a_word_for_a_score() -> None:
    judge = widesearch.CannedJudge([None, '```json\n{"idx_0": "1"}\n```'])
    rows = ("Port", "Opened"), ("Ossary", "2029-03-14")
    found = run(GOLD, rules(port=TEXT, opened=JUDGED), reply(*rows), judge)
    assert (found.status, found.exception) == ("exception", "TypeError")


# Columns and keys


@pytest.mark.parametrize(
    ("rule", "exception"),
    [
        ({"metric": ["exact_match"]}, "AttributeError"),
        ({"metric": ["llm_judge"]}, "AttributeError"),
        ({"metric": ["url_match"]}, "TypeError"),
        ({"metric": ["in_match"]}, "TypeError"),
        ({"metric": ["number_near"], "criterion": 0.1}, "ValueError"),
        ({"metric": ["date_near"]}, None),
        ({"metric": ["number_near"], "preprocess": ["norm_date"]}, "TypeError"),
        ({"metric": ["date_near"], "preprocess": ["norm_str"]}, None),
    ],
)
def test_two_columns_that_the_judge_takes_for_one(
    rule: dict[str, Any], exception: str | None
) -> None:
    judge = widesearch.CannedJudge(['```json\n{"size": "depth"}\n```'])
    response = reply(("Port", "Depth", "Size"), ("Ossary", "deep", "deep"))
    found = run("Port,Depth\nOssary,deep\n", rules(port=TEXT, depth=rule), response, judge)
    assert found.exception == exception


def test_a_key_that_two_columns_stand_for() -> None:
    aligned = '```json\n{"town": "port"}\n```'
    response = reply(("Port", "Town", "Opened"), ("Ossary", "Ossary", "2029-03-14"))
    number = {"metric": ["number_near"]}
    for rule, exception in ((TEXT, "AttributeError"), (number, "ValueError")):
        judge = widesearch.CannedJudge([aligned])
        assert run(GOLD, rules(port=rule, opened=TEXT), response, judge).exception == exception


@pytest.mark.parametrize("key", [1, 2.5])
def test_keys_that_the_judge_turns_into_numbers(key: float) -> None:
    reply_of_judge = f"```json\n{json.dumps({'Ossary': key})}\n```"
    evaluation = rules(port={"metric": ["exact_match"]}, opened=TEXT)
    response = reply(("Port", "Opened"), ("Ossary", "2029-03-14"))
    found = run(GOLD, evaluation, response, widesearch.CannedJudge([reply_of_judge]))
    assert found.exception == "ValueError"


def test_keys_that_are_equal_once_prepared_join_more_than_once() -> None:
    rows = ("Ossary", "2029-03-14"), ("OSSARY", "2029-03-14"), ("Velmora", "2030-01-02")
    found = run(GOLD, rules(port=TEXT, opened=TEXT), reply(("Port", "Opened"), *rows))
    assert (found.precision_by_row, found.recall_by_row, found.f1_by_row) == (1.0, 1.5, 1.2)
    assert found.score == 0.0


def test_equal_tables_score_one_whatever_the_judge_says() -> None:
    number = {"preprocess": ["extract_number"], "metric": ["number_near"], "criterion": 0.0}
    gold, evaluation = "Year,Note\n2029,Shy\n2030,rare\n", rules(year=number, note=JUDGED)
    rows = ("Year", "Note"), ("2030", "rare"), ("2029", "shy")
    found = run(gold, evaluation, reply(*rows))
    assert (found.score, found.f1_by_item) == (1.0, 0.5)
    # The same columns in another order don't make equal tables.
    assert run(gold, evaluation, reply(*(row[::-1] for row in rows))).score == 0.0


def test_rows_join_in_the_order_of_the_public_scorer() -> None:
    def column(keys: Sequence[str | None]) -> dict[str, widesearch.Column]:
        return {"k": widesearch.Column("object", list(keys))}

    def joined(gold: str, said: Sequence[str | None]) -> list[tuple[int, int]]:
        return inner_join(column(gold), column(said), ["k"])

    assert joined("ba", "aab") == [(0, 2), (1, 0), (1, 1)]
    assert joined("abc", "aac") == [(0, 0), (0, 1), (2, 2)]
    # As many pairs as gold rows, though some have none: the order is the join's own.
    assert joined("cba", "ccb") == [(0, 0), (0, 1), (1, 2)]
    assert joined("xbxa", "axb") == [(0, 1), (1, 2), (2, 1), (3, 0)]
    assert joined("abab", "bb") == [(1, 0), (3, 0), (1, 1), (3, 1)]
    assert joined("abb", ["a", None, "b"]) == [(0, 0), (1, 2), (2, 2)]


def test_nothing_joins_nothing() -> None:
    response = reply(("Port", "Opened"), ("Kell Brae", "2029-03-14"))
    for metric, exception in (("exact_match", "ValueError"), ("date_near", None)):
        rule = {"preprocess": [], "metric": [metric]}
        assert run(GOLD, rules(port=TEXT, opened=rule), response).exception == exception


@pytest.mark.parametrize(
    ("gold", "rows", "exception"),
    [
        ("Port,Opened\n", [], "IndexError"),
        ("Port,Opened\n", [("Ossary", "2029-03-14")], "ValueError"),
        (GOLD, [], "ValueError"),
    ],
)
def test_rows_without_keys_join_nothing(
    gold: str, rows: list[tuple[str, str]], exception: str
) -> None:
    evaluation = {**rules(port=TEXT, opened=TEXT), "unique_columns": []}
    assert run(gold, evaluation, reply(("Port", "Opened"), *rows)).exception == exception


def test_measures_of_no_rows() -> None:
    found = score_cells({}, 0, 0, 2, equal=True)
    assert (found.score, found.f1_by_row, found.precision_by_item) == (1.0, 0.0, 0.0)


@given(st.text())
def test_no_reply_raises(text: str) -> None:
    found = run(GOLD, rules(port=TEXT, opened=TEXT), text)
    assert found.score == 0.0


def test_names_may_repeat_in_a_frame() -> None:
    frame = Frame(["a", "a"], [infer(["1"]), infer(["x"])])
    assert frame.gather(["a"])["a"].values == [("1", "x")]


# Trials


def trial(value: float) -> dict[str, float]:
    return dict.fromkeys(MEASURES, value)


def test_trials_are_summed_up_by_task() -> None:
    found = widesearch.aggregate([[trial(0.0), trial(1.0)], [trial(0.5), trial(0.5)]], 2)
    assert found["f1_by_item"] == {"avg_n": 0.5, "max_n": 0.75, "min_n": 0.25}
    assert widesearch.aggregate([], 2) == {}


@pytest.mark.parametrize("lost", [None, {}, {"score": 1.0}])
def test_lost_trials_are_refused(lost: dict[str, float] | None) -> None:
    with pytest.raises(ValueError, match="a task has 1 trials of 2"):
        widesearch.aggregate([[trial(0.0), lost]], 2)
