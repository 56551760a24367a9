"""Reading replies in the formats besides Markdown, and choosing among several."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.reply import ReplyTable, Unreadable, read_reply

WANTED = ["Port", "Depth (m)", "Opened"]
ROWS = (("Ossary", "7.2", "2029"), ("Kell, Brae", "1,299", ""))


def read(text: str, columns: list[str] | None = None) -> ReplyTable:
    reply = read_reply(text, WANTED if columns is None else columns)
    assert isinstance(reply, ReplyTable), reply
    return reply


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('Port,Depth (m),Opened\nOssary,7.2,2029\n"Kell, Brae","1,299",', id="csv"),
        pytest.param('Port;Depth;Opened\nOssary;7.2;2029\n"Kell, Brae";1,299;', id="semicolons"),
        pytest.param("Port\tDepth\tOpened\nOssary\t7.2\t2029\nKell, Brae\t1,299", id="tabs"),
        pytest.param(
            'See:\n```csv\nport,depth,opened\nOssary,7.2,2029\n"Kell, Brae","1,299",\n```\nBye.',
            id="a fence",
        ),
        pytest.param(
            '\ufeffPort, Depth (m), Opened\nOssary, 7.2, 2029\n"Kell, Brae", "1,299",\n\nSo, yes.',
            id="a byte order mark, spaces, prose",
        ),
        pytest.param(
            '[{"Port":"Ossary","Depth":7.2,"Opened":2029},{"Port":"Kell, Brae","Depth":"1,299"}]',
            id="objects",
        ),
        pytest.param(
            'So: {"result":{"items":[{"Port":"Ossary","Depth":7.2,"Opened":2029},'
            '{"Port":"Kell, Brae","Depth":"1,299","Opened":null}]},"sources":["a","b"]} done',
            id="objects within objects",
        ),
        pytest.param(
            '{"Headers":["Port","Depth","Opened"],"data":[["Ossary",7.2,2029],'
            '["Kell, Brae","1,299",null]]}',
            id="headers and data",
        ),
        pytest.param(
            '{"columns":[{"name":"Port"},{"name":"Depth"},{"name":"Opened"}],"rows":'
            '[{"Port":"Ossary","Depth":7.2,"Opened":2029},{"Port":"Kell, Brae","Depth":"1,299"}]}',
            id="columns and objects",
        ),
        pytest.param(
            "<table><tr><th>Port</th><th>Depth</th><th>Opened</th></tr><tr><td>Ossary</td>"
            "<td>7.2</td><td>2029</td></tr><tr><td>Kell,\nBrae</td><td>1,299</td></tr></table>",
            id="html",
        ),
        pytest.param(
            "<tr><td>Port<td>Depth<td>Opened<tr><td>Ossary<td>7.2<td>2029<tr><td>Kell, Brae"
            "<td>1,299<td>",
            id="html without a table",
        ),
        pytest.param(
            "<table><tr><td><table><tr><th>Port<th>Depth<th>Opened<tr><td>Ossary<td>7.2<td>2029"
            "<tr><td>Kell, Brae<td>1,299<td></table></td></tr></table>",
            id="html within html",
        ),
    ],
)
def test_a_table_is_found(text: str) -> None:
    found = read(text)
    assert len(found.columns) == 3
    assert found.rows == ROWS


def test_a_list_of_lists_is_a_table_if_its_first_are_texts() -> None:
    assert read('[["Port","Depth"],["Ossary",7]]').rows == (("Ossary", "7"),)
    assert isinstance(read_reply("[[1, 2], [3, 4]]", WANTED), Unreadable)


def test_numbers_in_json_stay_as_they_were_written() -> None:
    huge = "9" * 5000
    found = read(f'[{{"Port":7.10,"Depth":1e400,"Opened":{huge}}},{{"Port":NaN,"Depth":true}}]')
    assert found.rows == (("7.10", "1e400", huge), ("NaN", "true", ""))


def test_json_inside_a_cell_is_written_out_or_left_out() -> None:
    found = read('[{"Port":["a","b"],"Depth":{"value":7,"unit":"m"},"Opened":{"a":[[1]]}}]')
    assert found.rows == (("a, b", "7 m", "..."),)


def test_prose_with_commas_is_no_table() -> None:
    text = "The port, its depth (m), and when it opened, are these.\nOssary, 7.2, 2029"
    assert isinstance(read_reply(text, WANTED), Unreadable)
    assert isinstance(read_reply("Port,Depth\nOssary,7.2"), Unreadable)
    assert read("```csv\nPort,Depth\nOssary,7.2\n```", []).rows == (("Ossary", "7.2"),)


def test_a_column_alone_is_read_line_by_line() -> None:
    assert read("Port\nOssary\nKell Brae\n\nThat is all.", ["Port"]).rows == (
        ("Ossary",),
        ("Kell Brae",),
    )


def test_a_quote_that_is_not_closed_is_none() -> None:
    text = 'Port,Depth,Opened\nA 5" pipe,1,2\nB,2,3\n\nAnd so, yes, no\n'
    assert read(text).rows == (('A 5" pipe', "1", "2"), ("B", "2", "3"))


def test_a_cell_that_spans_rows_and_columns_stands_in_all_of_them() -> None:
    text = (
        "<table><tr><th>Port<th>Depth<th>Opened<tr><td rowspan=3>Ossary<td>1<td>2"
        "<tr><td colspan='2' rowspan=2>x<tr></table>"
    )
    assert read(text).rows == (("Ossary", "1", "2"), ("Ossary", "x", "x"), ("Ossary", "x", "x"))


def test_of_equally_good_tables_the_last_is_read_whatever_its_format() -> None:
    tables = [
        "| Port | Depth |\n|---|---|\n| markdown | 1 |\n",
        "Port,Depth\ncsv,1\n",
        '[{"Port":"json","Depth":1}]\n',
        "<table><tr><th>Port<th>Depth<tr><td>html<td>1</table>\n",
    ]
    for last, name in enumerate(("markdown", "csv", "json", "html")):
        text = "\n".join([*tables[:last], *tables[last + 1 :], tables[last]])
        assert read(text).rows[0][0] == name


NASTY = ["[", "[{", '{"a":', '[["', "<table><tr>", "<td ", "<!--", "<td colspan=999>", "\0", "&"]
NASTY += ['{"a":1}x', '{"a":"\\n|a|\\n|-|"}', '{"b":2},', "```csv\n", 'Port,Depth\nx,"\n\n', "a,"]
NASTY += ["Port,Depth,Opened\n", "[ ", "<sup", "<!---->", "<tr><td rowspan=99999>x", '"', ",\t;"]


@pytest.mark.parametrize("piece", NASTY)
@pytest.mark.parametrize("before", ["", "Port,Depth,Opened\n", "<table><tr><td rowspan=9>x"])
def test_reading_takes_linear_time(piece: str, before: str) -> None:
    start = time.perf_counter()
    read_reply(before + piece * (200_000 // len(piece)), WANTED)
    assert time.perf_counter() - start < 10  # a quadratic pattern takes minutes


SOUP = st.lists(
    st.sampled_from([*NASTY, "|", "\n", "Port", "Depth", "]", "}", ">", "</table>", "7"])
)


@given(SOUP.map("".join))
def test_no_mixture_of_formats_raises(text: str) -> None:
    reply = read_reply(text, WANTED)
    if isinstance(reply, ReplyTable):
        assert {len(row) for row in reply.rows} <= {len(reply.columns)}
