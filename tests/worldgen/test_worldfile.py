from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from worldgen.blueprint import Blueprint
from worldgen.errors import WorldFileError
from worldgen.pages import Web
from worldgen.populate import populate
from worldgen.roles import Roles
from worldgen.tables import column_names
from worldgen.world import World
from worldgen.worldfile import FORMAT, WorldFile, read_header, read_world, write, write_world

OPTIONS = {"tasks": 2, "kinds": ["top", "grouped"], "depth": {"Köln": 0.5, "none": None}}
SECTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "tasks": {"t2": {"question": "How deep is Kell?"}, "t1": {"question": "Wie tief?", "n": [1]}},
    "certificates": {"t1": {"closed": 0.25}},
    "empty": {},
}


@pytest.fixture(scope="module")
def file(small_world: World, small_web: Web) -> WorldFile:
    return WorldFile(small_world, small_web, OPTIONS, "1.2.3", SECTIONS)


@pytest.fixture(scope="module")
def written(file: WorldFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("written") / "small.world"
    write_world(path, file)
    return path


@pytest.fixture
def copy(written: Path, tmp_path: Path) -> Path:
    """A file that a test may damage."""
    return Path(shutil.copy(written, tmp_path / "copy.world"))


def edit(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement, values).rowcount != 0, statement


def refusal(path: Path, read: Callable[[Path], object] = read_world) -> str:
    with pytest.raises(WorldFileError) as caught:
        read(path)
    assert caught.value.path == path
    assert "\n" not in str(caught.value)
    assert str(caught.value) == f"{path}: {caught.value.problem}"
    return caught.value.problem


# What is written reads back


def test_a_file_reads_back(written: Path, file: WorldFile) -> None:
    read = read_world(written)
    assert read == file
    assert (read.world, read.web, read.sections) == (file.world, file.web, SECTIONS)
    assert (read.options, read.version) == (OPTIONS, "1.2.3")


def test_rows_read_back_with_their_types(written: Path, file: WorldFile) -> None:
    tables = read_world(written).world.tables
    for name, rows in file.world.tables.items():
        assert list(tables[name]) == list(rows)
        for key, row in rows.items():
            found = tables[name][key]
            assert {x: type(value) for x, value in found.items()} == {
                x: type(value) for x, value in row.items()
            }


def test_every_world_reads_back(world: World, web: Web, tmp_path: Path) -> None:
    file = WorldFile(world, web, {}, "1")
    digest = write_world(tmp_path / "a.world", file)
    assert read_world(tmp_path / "a.world") == file
    assert digest == file.content_digest()


def test_a_header_is_read_without_the_world(written: Path, file: WorldFile) -> None:
    header = read_header(written)
    assert header.path == written
    assert (header.id, header.name, header.seed) == ("small", file.world.name, file.world.seed)
    assert (header.domain, header.title) == ("glass-fairs", file.world.blueprint.title)
    assert header.section_ids == {"tasks": ("t1", "t2"), "certificates": ("t1",), "empty": ()}


def test_a_world_that_was_read_is_populated_again_alike(written: Path, file: WorldFile) -> None:
    world = read_world(written).world
    again = populate(world.blueprint, world.seed, world.id)
    assert again.tables == file.world.tables


# The content digest


def test_two_writes_are_equal(file: WorldFile, tmp_path: Path) -> None:
    one, other = tmp_path / "one.world", tmp_path / "other.world"
    assert write_world(one, file) == write_world(other, file) == file.content_digest()
    assert one.read_bytes() == other.read_bytes()


def test_a_copy_that_was_read_is_written_alike(written: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.world"
    write_world(again, read_world(written))
    assert again.read_bytes() == written.read_bytes()


def backwards(record: Any) -> Any:
    """The same record, with the keys of every object the other way round."""
    if isinstance(record, dict):
        return {key: backwards(value) for key, value in reversed(record.items())}
    return [backwards(entry) for entry in record] if isinstance(record, list) else record


def test_the_order_of_keys_doesnt_count(file: WorldFile, tmp_path: Path) -> None:
    world, roles = file.world, file.world.roles
    tables = {
        name: {key: backwards(row) for key, row in rows.items()}
        for name, rows in reversed(list(world.tables.items()))
    }
    turned = replace(
        world,
        tables=tables,
        roles=Roles(columns=backwards(roles.columns), rows=backwards(roles.rows)),
        short_names=backwards(world.short_names),
    )
    other = WorldFile(turned, file.web, backwards(OPTIONS), "1.2.3", backwards(SECTIONS))
    assert list(other.sections) != list(file.sections)
    assert other.content_digest() == file.content_digest()
    write_world(tmp_path / "other.world", other)
    write_world(tmp_path / "file.world", file)
    assert (tmp_path / "other.world").read_bytes() == (tmp_path / "file.world").read_bytes()


def other_files(file: WorldFile) -> dict[str, WorldFile]:
    world, web = file.world, file.web
    fairs = {k: {**row, "begun": "1999-01-01"} for k, row in world.tables["fair"].items()}
    page = next(page for page in web.pages if page.links and page.statements)
    pages = tuple(other for other in web.pages if other is not page)
    statement = replace(page.statements[0], href="https://else.example/")
    reworded = replace(page, statements=(statement, *page.statements[1:]))
    return {
        "id": replace(file, world=replace(world, id="other")),
        "name": replace(file, world=replace(world, name="Other")),
        "seed": replace(file, world=replace(world, seed=9)),
        "short names": replace(file, world=replace(world, short_names={})),
        "a row": replace(file, world=replace(world, tables={**world.tables, "fair": fairs})),
        "options": replace(file, options={}),
        "version": replace(file, version="1.2.4"),
        "sections": replace(file, sections={**SECTIONS, "certificates": {}}),
        "a record": replace(file, sections={**SECTIONS, "tasks": {"t1": {}}}),
        "a site": replace(file, web=replace(web, sites=web.sites[1:])),
        "a page": replace(file, web=replace(web, pages=pages)),
        "a date": replace(file, web=replace(web, pages=(*pages, replace(page, date="2001-01-01")))),
        "links": replace(file, web=replace(web, pages=(*pages, replace(page, links=())))),
        "a statement": replace(file, web=replace(web, pages=(*pages, reworded))),
    }


def test_all_content_counts(file: WorldFile) -> None:
    digests = {name: other.content_digest() for name, other in other_files(file).items()}
    digests["the file"] = file.content_digest()
    assert len(set(digests.values())) == len(digests), digests


# The file


def test_plain_sqlite_reads_the_tables(written: Path, small_world: World) -> None:
    with closing(sqlite3.connect(written)) as connection:
        for table in small_world.blueprint.tables:
            names = column_names(table)
            query = f"SELECT * FROM {table.name}"  # noqa: S608 - a name from the blueprint
            cursor = connection.execute(query)
            assert tuple(column for column, *_ in cursor.description) == names
            rows = small_world.tables[table.name].values()
            assert sorted(cursor) == sorted(tuple(row[name] for name in names) for row in rows)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA foreign_key_list(stall)").fetchall()


def test_the_products_tables_start_with_an_underscore(written: Path, small_world: World) -> None:
    with closing(sqlite3.connect(written)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        found = {name for (name,) in connection.execute(query)}
    expected = {table.name for table in small_world.blueprint.tables}
    own = {"_manifest", "_sites", "_pages", "_statements", "_tasks", "_certificates", "_empty"}
    assert found == expected | own


def test_plain_sqlite_reads_pages_and_records(written: Path, file: WorldFile) -> None:
    with closing(sqlite3.connect(written)) as connection:
        pages = connection.execute("SELECT url, title, date FROM _pages ORDER BY url").fetchall()
        records = connection.execute("SELECT id, record FROM _tasks ORDER BY id").fetchall()
        manifest = dict(connection.execute("SELECT key, value FROM _manifest"))
        texts = connection.execute("SELECT text FROM _statements ORDER BY url, number").fetchall()
    assert pages == [(page.url, page.title, page.date) for page in file.web.pages]
    assert [(i, json.loads(record)) for i, record in records] == sorted(SECTIONS["tasks"].items())
    assert json.loads(manifest["format"]) == FORMAT
    assert json.loads(manifest["content_digest"]) == file.content_digest()
    assert texts == [(s.text,) for page in file.web.pages for s in page.statements]


# Writing


def test_a_crash_while_writing_leaves_nothing(
    file: WorldFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_page, pages = write._write_page, []

    def crash(connection: sqlite3.Connection, page: Any) -> None:
        pages.append(page)
        if len(pages) > 20:
            raise KeyboardInterrupt
        write_page(connection, page)

    monkeypatch.setattr(write, "_write_page", crash)
    with pytest.raises(KeyboardInterrupt):
        write_world(tmp_path / "a.world", file)
    assert list(tmp_path.iterdir()) == []
    assert len(pages) == 21


def test_a_crash_while_writing_leaves_the_file_that_was_there(
    file: WorldFile, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = copy.read_bytes()
    monkeypatch.setattr(write, "_write_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_world(copy, file)
    assert list(copy.parent.iterdir()) == [copy]
    assert copy.read_bytes() == before


def test_a_crash_before_the_file_gets_its_name_leaves_nothing(
    file: WorldFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: Path, target: Path) -> None:
        assert read_world(self) == file, "the temporary file is whole"
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", crash)
    with pytest.raises(OSError, match="No space left"):
        write_world(tmp_path / "a.world", file)
    assert list(tmp_path.iterdir()) == []


def test_what_an_earlier_crash_left_is_no_hindrance(file: WorldFile, tmp_path: Path) -> None:
    path = tmp_path / "a.world"
    seen: list[Path] = []

    def remember(self: Path, target: Path) -> None:
        seen.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", remember)
        write_world(path, file)
    (temporary,) = seen
    temporary.write_text("half a world")
    write_world(path, file)
    assert read_world(path) == file
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_replaced(file: WorldFile, copy: Path) -> None:
    other = replace(file, sections={})
    write_world(copy, other)
    assert read_world(copy) == other
    assert list(copy.parent.iterdir()) == [copy]


# Reading what is no world


def test_what_is_not_there(tmp_path: Path) -> None:
    for read in (read_world, read_header):
        assert refusal(tmp_path / "none.world", read) == "no such file"
        assert refusal(tmp_path, read) == "is a folder, not a world file"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"a text\n", b"SQLite format 3\0", b"SQLite format 3\0" + b"\xff" * 4096],
    ids=["empty", "a byte", "text", "the first words", "the first words and noise"],
)
def test_what_is_no_database(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.world"
    path.write_bytes(content)
    for read in (read_world, read_header):
        problem = refusal(path, read)
        assert problem.startswith("is no world file or is damaged (")
        assert problem.endswith("); generate it again")
    assert path.read_bytes() == content


def test_another_database_is_no_world(tmp_path: Path) -> None:
    path = tmp_path / "a.world"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    for read in (read_world, read_header):
        assert "no such table: _manifest" in refusal(path, read)


@pytest.mark.parametrize("tenth", range(10))
def test_a_cut_file_is_refused(tenth: int, copy: Path) -> None:
    content = copy.read_bytes()
    copy.write_bytes(content[: len(content) * tenth // 10 + 7])
    assert "damaged" in refusal(copy)


def test_another_format_is_refused(copy: Path) -> None:
    edit(copy, "UPDATE _manifest SET value = '99' WHERE key = 'format'")
    for read in (read_world, read_header):
        assert refusal(copy, read) == "has format 99; this version reads format 1"


DIGEST = "is damaged: its content differs from its digest; generate it again"
CHANGES = {
    "UPDATE workshop SET kilns = kilns + 1 WHERE id = 3": DIGEST,
    "UPDATE workshop SET heaviest_kg = heaviest_kg + 0.5 WHERE id = 3": DIGEST,
    "UPDATE workshop SET owner = 'Ann Kell' WHERE id = 3": DIGEST,
    "UPDATE workshop SET kilns = 'many' WHERE id = 3": DIGEST,
    "DELETE FROM stall WHERE rowid = 1": DIGEST,
    "INSERT INTO fair VALUES (99, 'Kell Fair', '2001-01-01')": DIGEST,
    "UPDATE _manifest SET value = '\"other\"' WHERE key = 'name'": DIGEST,
    "UPDATE _manifest SET value = '1' WHERE key = 'seed'": DIGEST,
    "UPDATE _manifest SET value = '{}' WHERE key = 'options'": DIGEST,
    "UPDATE _manifest SET value = '\"0\"' WHERE key = 'version'": DIGEST,
    "UPDATE _manifest SET value = '[\"tasks\"]' WHERE key = 'sections'": DIGEST,
    "UPDATE _manifest SET value = '\"00\"' WHERE key = 'content_digest'": DIGEST,
    "UPDATE _manifest SET value = replace(value, 'glass', 'grass')": DIGEST,
    "UPDATE _manifest SET value = replace(value, '\"guarded\"', '\"locator\"')": "damaged",
    "UPDATE _sites SET name = 'Other' WHERE rowid = 1": DIGEST,
    "UPDATE _pages SET title = 'Other' WHERE rowid = 1": DIGEST,
    "UPDATE _pages SET date = '2001-01-01' WHERE rowid = 1": DIGEST,
    "UPDATE _pages SET links = '[]' WHERE rowid = 9": DIGEST,
    "DELETE FROM _pages WHERE rowid = 1": DIGEST,
    "UPDATE _statements SET text = text || '!' WHERE rowid = 1": DIGEST,
    "UPDATE _statements SET href = 'https://else.example/' WHERE rowid = 1": DIGEST,
    "UPDATE _statements SET depends_on = '[\"row:stall:1.1:\"]' WHERE rowid = 1": DIGEST,
    "UPDATE _statements SET claims = '[]' WHERE claims <> '[]'": DIGEST,
    "DELETE FROM _statements WHERE rowid = 1": DIGEST,
    "UPDATE _tasks SET record = '{}' WHERE id = 't1'": DIGEST,
    "UPDATE _tasks SET id = 't3' WHERE id = 't1'": DIGEST,
    "INSERT INTO _tasks VALUES ('t9', '{}')": DIGEST,
    "DELETE FROM _manifest": "damaged",
    "DELETE FROM _manifest WHERE key = 'roles'": "damaged",
    "UPDATE _manifest SET value = '{' WHERE key = 'roles'": "damaged",
    "UPDATE _manifest SET value = '{}' WHERE key = 'blueprint'": "damaged",
    "UPDATE _manifest SET value = '7' WHERE key = 'sections'": "damaged",
    "UPDATE _pages SET links = '7' WHERE rowid = 1": "damaged",
    "UPDATE _statements SET claims = '7' WHERE rowid = 1": "damaged",
    "UPDATE _statements SET claims = '[[1]]' WHERE rowid = 1": "damaged",
    "UPDATE _statements SET depends_on = '[\"x\"]' WHERE rowid = 1": "damaged",
    "UPDATE _tasks SET record = 'x' WHERE id = 't1'": "damaged",
    "DROP TABLE fair": "damaged",
    "DROP TABLE _tasks": "damaged",
    "DROP TABLE _statements": "damaged",
    "ALTER TABLE fair RENAME COLUMN begun TO started": "damaged",
}


@pytest.mark.parametrize(("statement", "says"), CHANGES.items(), ids=CHANGES)
def test_a_changed_file_is_refused(statement: str, says: str, copy: Path) -> None:
    edit(copy, statement)
    problem = refusal(copy)
    assert says in problem
    assert problem.endswith("generate it again")


def test_reading_changes_nothing(copy: Path) -> None:
    before = copy.read_bytes()
    read_world(copy)
    read_header(copy)
    assert copy.read_bytes() == before
    assert list(copy.parent.iterdir()) == [copy]


def test_a_path_may_hold_any_characters(file: WorldFile, tmp_path: Path) -> None:
    path = tmp_path / "50% of #1, ät 'home'?.world"
    write_world(path, file)
    assert read_world(path) == file


# Damage that is seen by another error, or not at all

STRANGE = {
    "an infinity": "UPDATE workshop SET heaviest_kg = 9e999 WHERE id = 3",
    "bytes": "UPDATE workshop SET owner = x'00ff' WHERE id = 3",
    "no number": "UPDATE _manifest SET value = 'NaN' WHERE key = 'seed'",
    "an unknown layout": "UPDATE _statements SET layout = 'poster' WHERE rowid = 1",
    "a list": "UPDATE _manifest SET value = '[]' WHERE key = 'short_names'",
    "a number": "UPDATE _statements SET depends_on = '[7]' WHERE rowid = 1",
    "a contradiction": "UPDATE _manifest SET value = replace(value, '\"link\"', '\"yearly\"')",
    "an unknown table": (
        'UPDATE _manifest SET value = replace(value, \'"table":"output"\', \'"table":"x"\')'
    ),
    "depth": (
        "UPDATE _manifest SET value = replace(hex(zeroblob(50000)), '0', '[') WHERE key = 'options'"
    ),
    "two lines": "UPDATE _statements SET text = CAST(x'0aff' AS TEXT) WHERE rowid = 1",
    "another body": "UPDATE _pages SET body = x'00' WHERE rowid = 1",
}


@pytest.mark.parametrize("statement", STRANGE.values(), ids=STRANGE)
def test_strange_damage_is_refused_too(statement: str, copy: Path) -> None:
    edit(copy, statement)
    refusal(copy)


@pytest.mark.parametrize(("folder", "section"), [("none", "tasks"), (".", "pages"), (".", 'a"b')])
def test_what_cant_be_written_is_refused(
    folder: str, section: str, file: WorldFile, tmp_path: Path
) -> None:
    with pytest.raises(WorldFileError):
        write_world(tmp_path / folder / "a.world", replace(file, sections={section: {}}))


def test_the_blueprint_in_a_file_is_whole(written: Path, small: Blueprint) -> None:
    assert read_world(written).world.blueprint == small
