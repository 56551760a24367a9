from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.markdown import to_markdown
from answers.reply import MAX_COLUMNS, ReplyTable, Unreadable, read_reply

PORTS = (("Ossary", "7.2"), ("Kell Brae", "12"))
TABLE = "| Port | Depth |\n| --- | --- |\n| Ossary | 7.2 |\n| Kell Brae | 12 |"


def read(text: str, columns: Sequence[str] = ()) -> ReplyTable:
    reply = read_reply(text, columns)
    assert isinstance(reply, ReplyTable), reply
    return reply


def reason(text: str) -> str:
    reply = read_reply(text)
    assert isinstance(reply, Unreadable), reply
    assert "\n" not in reply.reason
    return reply.reason


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TABLE, id="bare"),
        pytest.param(f"```markdown\n{TABLE}\n```", id="fence"),
        pytest.param(f"```\n{TABLE}", id="open fence"),
        pytest.param(f"~~~md\n{TABLE}\n~~~", id="tilde fence"),
        pytest.param("```markdown " + TABLE + "\n```", id="header in the fence's line"),
        pytest.param(f"Here it is:\n\n{TABLE}\n\nAsk me a|b more.", id="prose around"),
        pytest.param(f"Here it is:\n{TABLE}\nThat is all.", id="prose without blank lines"),
        pytest.param(f"# Ports | depths\n{TABLE}", id="a title with a pipe"),
        pytest.param(TABLE.replace("\n", "\r\n"), id="carriage returns and line feeds"),
        pytest.param(TABLE.replace("\n", "\r"), id="carriage returns"),
        pytest.param(TABLE.replace("\n", "\n    "), id="indented"),
        pytest.param("> " + TABLE.replace("\n", "\n> "), id="quoted"),
        pytest.param("\ufeff" + TABLE, id="byte order mark"),
        pytest.param(TABLE.replace(" ", "").replace("KellBrae", "Kell Brae"), id="no spaces"),
        pytest.param(TABLE.replace("| ---", "| :---:"), id="alignment"),
        pytest.param(TABLE.replace("---", "-"), id="short delimiter"),
        pytest.param(TABLE.replace("---", "==="), id="equals signs"),
        pytest.param(TABLE.replace("---", "———"), id="em dashes"),
        pytest.param(TABLE.replace("| --- | --- |\n", ""), id="no delimiter"),
        pytest.param(TABLE + "\n| --- | --- |", id="ruled off below"),
        pytest.param(TABLE.replace("| Kell", "| --- | --- |\n| Kell"), id="ruled off between rows"),
        pytest.param(TABLE.replace("| Kell", TABLE[:31] + "| Kell"), id="the header twice"),
        pytest.param(TABLE.replace("| Kell", "\n| Kell"), id="a blank line between rows"),
        pytest.param(TABLE.replace("|", "\uff5c"), id="full-width pipes"),
        pytest.param(TABLE.replace(" |\n", "\n"), id="no pipe at the end"),
        pytest.param("Port | Depth\n--- | ---\nOssary | 7.2\nKell Brae | 12", id="no outer pipes"),
        pytest.param(
            "| Port | Depth |\n|---|---|\nOssary | 7.2\nKell Brae | 12",
            id="only a header with them",
        ),
    ],
)
def test_a_table_is_found(text: str) -> None:
    assert read(text) == ReplyTable(("Port", "Depth"), PORTS)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("**Ossary**", "Ossary"),
        ("*Ossary*", "Ossary"),
        ("***Ossary***", "Ossary"),
        ("__Ossary__", "Ossary"),
        ("_Ossary_", "Ossary"),
        ("**_Ossary_**", "Ossary"),
        ("`Ossary`", "Ossary"),
        ("``Ossary``", "Ossary"),
        ("snake_case_name", "snake_case_name"),
        ("5 * 3 * 2", "5 * 3 * 2"),
        ("1,299*", "1,299*"),
        ("[Ossary](https://ports.example/ossary)", "Ossary"),
        ("[Ossary](https://ports.example/ossary_(port))", "Ossary"),
        ('[Ossary](https://ports.example "the port")', "Ossary"),
        ("**[Ossary](https://ports.example)**", "Ossary"),
        ("**[7](https://ports.example)**", "7"),
        ("Ossary [1](https://ports.example)", "Ossary"),
        ("Ossary [1][2]", "Ossary"),
        ("Ossary[^3]", "Ossary"),
        ("**Ossary**[1]", "Ossary"),
        ("Ossary【3†source】", "Ossary"),
        ("[7]", "[7]"),
        ("![flag](f.png) Ossary", "Ossary"),
        ("Kell<br>Brae", "Kell Brae"),
        ("Kell<BR />Brae", "Kell Brae"),
        ("<b>Ossary</b>", "Ossary"),
        ('<span style="color: red">Ossary</span>', "Ossary"),
        ("7<sup>1</sup>", "7"),
        ("km<sup>2</sup>", "km2"),
        ("<5 m", "<5 m"),
        ("Salt &amp; Sons", "Salt & Sons"),
        ("a&nbsp;b", "a b"),
        ("a &#124; b", "a | b"),
        ("&lt;b&gt;", "<b>"),
        ("R&D", "R&D"),
        ("&#" + "9" * 5000 + ";", "&#" + "9" * 5000 + ";"),
        (r"a \| b", "a | b"),
        (r"\*Ossary\*", "*Ossary*"),
        (r"C:\dir", r"C:\dir"),
        ("  Kell \t Brae ", "Kell Brae"),
        ("~~7~~ 8", "~~7~~ 8"),
        ("", ""),
    ],
)
def test_a_cell_is_freed_of_markup(cell: str, text: str) -> None:
    assert read(f"| Port | Note |\n|---|---|\n| {cell} | x |").rows == ((text, "x"),)


def test_short_rows_are_filled_up() -> None:
    assert read("| a | b |\n|---|---|\n| 1 |\n||\n").rows == (("1", ""), ("", ""))


def test_long_rows_are_cut_and_counted() -> None:
    reply = read("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | |\n")
    assert reply == ReplyTable(("a", "b"), (("1", "2"), ("4", "5")), cut_rows=1)


def test_a_row_of_blanks_is_a_row() -> None:
    text = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| - | - |\n| 3 | 4 |"
    assert read(text).rows == (("1", "2"), ("-", "-"), ("3", "4"))


def test_the_headings_are_freed_of_markup() -> None:
    assert read(r"| **Port** | Depth (m)[1] | a \| b |" + "\n|-|-|-|").columns == (
        "Port",
        "Depth (m)",
        "a | b",
    )


DRAFT = "| Port | Depth |\n|---|---|\n| Ossary | 1 |\n"
NOTES = "| Source | Seen |\n|---|---|\n| portal | yes |\n"


def test_of_several_tables_the_last_is_read() -> None:
    assert read(f"{DRAFT}\nAnd so:\n\n{TABLE}").rows == PORTS
    assert read(f"{DRAFT}\n{TABLE}").rows == PORTS
    assert read(f"{TABLE}\n\n{NOTES}").columns == ("Source", "Seen")


def test_of_several_tables_the_one_with_the_columns_asked_for_is_read() -> None:
    assert read(f"{TABLE}\n\n{NOTES}", ["Port", "Depth (m)"]).rows == PORTS
    assert read(f"{DRAFT}\n{TABLE}\n\n{NOTES}", ["port", "DEPTH"]).rows == PORTS
    assert read(f"{TABLE}\n\n{NOTES}", ["Crew", "Ship"]).columns == ("Source", "Seen")


def test_a_table_without_headings_is_read_only_for_want_of_a_better() -> None:
    numbers = "| 1 | 2 |\n|---|---|\n| 3 | 4 |\n"
    assert read(f"{TABLE}\n\n{numbers}").rows == PORTS
    assert read(numbers).rows == (("3", "4"),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the reply is empty"),
        (" \n\t", "the reply is empty"),
        ("I could not find anything.", "the reply holds no table"),
        ("Port\n---\nOssary", "the reply holds no table"),
        ("a | b | c", "the reply holds no table"),
        ("|---|---|", "the reply holds no table"),
        ("Port,Depth\nOssary,7.2", "the reply holds no table"),
        ("||||\n|-|-|-|\n| 1 | 2 | 3 |", "the table has no headings"),
        ("|a" * 300 + "\n" + "|-" * 300, f"the table has more than {MAX_COLUMNS} columns"),
        ("|a" * 200 + "\n|-|\n" + "|\n" * 6000, "the table has more than 1,000,000 cells"),
    ],
)
def test_a_reply_without_a_table_has_a_reason(text: str, why: str) -> None:
    assert reason(text) == why


def test_lone_surrogates_are_replaced() -> None:
    assert read("| a\ud800 |\n|---|\n| b |").columns == ("a?",)


PIECES = ["|", "|\n", "\\", "\\|", "|-|\n", "*a ", "_a ", "[x](", "[", "<br", "<b", "&#1", "`"]
PIECES += ["> ", "\uff5c", "-", "| a |\n|---|\n", "``` ", "\n\n", "[1]", "(", " ", "| a | - |\n"]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("around", ["{}", "| a | b |\n|---|---|\n| {} | x |", "{}x|", "```{}"])
def test_reading_takes_linear_time(piece: str, around: str) -> None:
    start = time.perf_counter()
    read_reply(around.format(piece * (300_000 // len(piece))), ["a", "b"])
    assert time.perf_counter() - start < 10  # a quadratic pattern takes minutes


def test_a_megabyte_of_pipes_is_read_fast() -> None:
    start = time.perf_counter()
    assert reason("|" * 1_000_000) == "the reply holds no table"
    assert time.perf_counter() - start < 10


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_no_text_raises(text: str) -> None:
    read_reply(text)
    read_reply(f"| a | b |\n|---|---|\n| {text} | {text} |", ["a"])


@given(st.text(alphabet="|-:\\ \nab`*_[]()<>&;#1"))
def test_no_markup_raises(text: str) -> None:
    reply = read_reply(text)
    if isinstance(reply, ReplyTable):
        assert {len(row) for row in reply.rows} <= {len(reply.columns)}


# Private-use characters stand in for escapes while a cell is read.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Co"]), max_size=12) | st.text(
    alphabet="|-:\\*_`[]()<>&;#1a =—~", max_size=8
)


@given(st.data(), st.integers(1, 4))
def test_a_written_table_reads_back(data: st.DataObject, width: int) -> None:
    headings = [f"{place} {data.draw(TEXT)} heading" for place in range(width)]
    cell = st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
    rows = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), max_size=4))
    reply = read(to_markdown(headings, rows), headings)
    assert reply.columns == tuple(" ".join(heading.split()) for heading in headings)
    for read_row, row in zip(reply.rows, rows, strict=True):
        for text, value in zip(read_row, row, strict=True):
            if isinstance(value, float):
                assert float(text) == value
                assert "e" not in text
            else:
                assert text == ("" if value is None else " ".join(str(value).split()))


def test_a_table_is_written_like_this() -> None:
    rows = [("Ash|Elm", 7.25), ("Kell\nBrae", 1e21), (None, -4), ("a\\b", 1e-7)]
    assert to_markdown(["Port", "Depth (m)"], rows) == (
        "| Port | Depth (m) |\n"
        "| --- | --- |\n"
        "| Ash\\|Elm | 7.25 |\n"
        "| Kell<br>Brae | 1000000000000000000000 |\n"
        "|  | -4 |\n"
        "| a\\\\b | 0.0000001 |\n"
    )
