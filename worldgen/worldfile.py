"""The world file: one world in one SQLite database.

The world's tables stand in it as real tables; the product's tables have names that start with `_`.
Records of upper packages (tasks, certificates) are opaque here: a section is a table of ids and
JSON, and whoever brings it reads it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from worldgen.blueprint import Blueprint
from worldgen.canonical import canonical_json, digest_lines
from worldgen.errors import WorldFileError
from worldgen.facts import Fact, RowKey
from worldgen.pages import Claim, Link, Page, Site, Statement, Web
from worldgen.roles import Roles
from worldgen.tables import column_names, create_statements, fill
from worldgen.world import Row, World

SUFFIX = ".world"
T = TypeVar("T")
FORMAT = 1
"""The number of the file's layout; a reader refuses another."""

Section = Mapping[str, Mapping[str, Any]]
"""Records by id, each as plain JSON data."""

_OWN_TABLES = (
    "CREATE TABLE _manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE _sites (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " host TEXT NOT NULL)",
    "CREATE TABLE _pages (url TEXT PRIMARY KEY, site TEXT NOT NULL REFERENCES _sites,"
    " title TEXT NOT NULL, date TEXT NOT NULL, links TEXT NOT NULL, body BLOB NOT NULL)",
    "CREATE TABLE _statements (url TEXT NOT NULL REFERENCES _pages, number INTEGER NOT NULL,"
    " layout TEXT NOT NULL, text TEXT NOT NULL, href TEXT, claims TEXT NOT NULL,"
    " depends_on TEXT NOT NULL, PRIMARY KEY (url, number))",
)


@dataclass(frozen=True)
class WorldFile:
    """What a world file holds.

    Attributes:
        options: the options that it was built with.
        version: the version of worldgen that built it.
        sections: the records of upper packages, by section and id.
    """

    world: World
    web: Web
    options: Mapping[str, Any]
    version: str
    sections: Mapping[str, Section] = field(default_factory=dict)

    def content_digest(self) -> str:
        """The digest of rows, pages and records: equal on every machine that builds the world."""
        return digest_lines(_content(self))


def _content(file: WorldFile) -> Iterator[str]:
    yield canonical_json(_manifest(file))
    for table in file.world.blueprint.tables:
        for key, row in file.world.tables[table.name].items():
            yield canonical_json([table.name, key, row])
    for site in file.web.sites:
        yield canonical_json([site.id, site.kind, site.name, site.host])
    for page in file.web.pages:
        links = [[link.text, link.url] for link in page.links]
        yield canonical_json([page.url, page.site, page.title, page.date, links, page.markdown])
        for statement in page.statements:
            yield canonical_json(_statement_record(statement))
    for name, section in sorted(file.sections.items()):
        for record_id, record in sorted(section.items()):
            yield canonical_json([name, record_id, record])


def _manifest(file: WorldFile) -> dict[str, Any]:
    world = file.world
    shorts = {f"{table}.{i}": names for (table, i), names in sorted(world.short_names.items())}
    return {
        "format": FORMAT,
        "version": file.version,
        "id": world.id,
        "name": world.name,
        "seed": world.seed,
        "options": file.options,
        "blueprint": world.blueprint.model_dump(mode="json"),
        "roles": world.roles.model_dump(),
        "short_names": shorts,
    }


def _statement_record(statement: Statement) -> list[Any]:
    claims = [
        [str(c.fact), c.value, c.start, c.end, c.placeholder, [str(f) for f in c.depends_on]]
        for c in statement.claims
    ]
    depends_on = [str(fact) for fact in statement.depends_on]
    return [statement.layout, statement.text, statement.href, claims, depends_on]


def write_world(path: Path, file: WorldFile) -> str:
    """Write a world file under a temporary name, then rename it: a half world never stands there.

    Returns:
        The content digest.
    """
    content_digest = file.content_digest()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(temporary)) as connection:
            connection.execute("PRAGMA journal_mode = MEMORY")
            with connection:
                _write(connection, file, content_digest)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return content_digest


def _write(connection: sqlite3.Connection, file: WorldFile, content_digest: str) -> None:
    for statement in (*create_statements(file.world.blueprint), *_OWN_TABLES):
        connection.execute(statement)
    fill(connection, file.world.blueprint, file.world.tables)
    manifest = {
        **_manifest(file),
        "content_digest": content_digest,
        "sections": sorted(file.sections),
    }
    rows: list[Any] = [(key, canonical_json(value)) for key, value in sorted(manifest.items())]
    connection.executemany("INSERT INTO _manifest VALUES (?, ?)", rows)
    sites = [(site.id, site.kind, site.name, site.host) for site in file.web.sites]
    connection.executemany("INSERT INTO _sites VALUES (?, ?, ?, ?)", sites)
    for page in file.web.pages:
        _write_page(connection, page)
    for name, section in sorted(file.sections.items()):
        connection.execute(f'CREATE TABLE "_{name}" (id TEXT PRIMARY KEY, record TEXT NOT NULL)')
        rows = [
            (record_id, canonical_json(record)) for record_id, record in sorted(section.items())
        ]
        connection.executemany(f'INSERT INTO "_{name}" VALUES (?, ?)', rows)  # noqa: S608 - names are ours


def _write_page(connection: sqlite3.Connection, page: Page) -> None:
    links = canonical_json([[link.text, link.url] for link in page.links])
    body = zlib.compress(page.markdown.encode(), 9)
    row = (page.url, page.site, page.title, page.date, links, body)
    connection.execute("INSERT INTO _pages VALUES (?, ?, ?, ?, ?, ?)", row)
    for number, statement in enumerate(page.statements):
        layout, text, href, claims, depends_on = _statement_record(statement)
        record = (
            page.url,
            number,
            layout,
            text,
            href,
            canonical_json(claims),
            canonical_json(depends_on),
        )
        connection.execute("INSERT INTO _statements VALUES (?, ?, ?, ?, ?, ?, ?)", record)


def read_world(path: Path) -> WorldFile:
    """Read a world file whole and check it against its content digest.

    Raises:
        WorldFileError: it is missing, no world, damaged, or of another format.
    """
    file, expected = _reading(path, _read)
    if file.content_digest() != expected:
        raise WorldFileError(
            path, "is damaged: its content differs from its digest; generate it again"
        )
    return file


@dataclass(frozen=True)
class Header:
    """What a world file says of itself, read without reading the world.

    Attributes:
        section_ids: the ids of the records of upper packages, by section.
    """

    path: Path
    id: str
    name: str
    seed: int
    domain: str
    title: str
    section_ids: Mapping[str, tuple[str, ...]]


def read_header(path: Path) -> Header:
    """Read a world file's header: fast, and without a check of what the file holds besides.

    Raises:
        WorldFileError: it is missing, no world, or of another format.
    """
    return _reading(path, _read_header)


def _read_header(connection: sqlite3.Connection, path: Path) -> Header:
    manifest = _read_manifest(connection, path)
    blueprint = manifest["blueprint"]
    sections = {
        name: tuple(sorted(i for (i,) in _select(connection, f"_{name}", ("id",))))
        for name in manifest["sections"]
    }
    named = (manifest["id"], manifest["name"], manifest["seed"])
    return Header(path, *named, blueprint["id"], blueprint["title"], sections)


def _reading(path: Path, read: Callable[[sqlite3.Connection, Path], T]) -> T:
    """Read from a world file; whatever is wrong with it is one kind of error."""
    if not path.is_file():
        problem = "no such file" if not path.exists() else "is a folder, not a world file"
        raise WorldFileError(path, problem)
    try:
        location = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(location, uri=True)) as connection:
            return read(connection, path)
    except sqlite3.DatabaseError as error:
        problem = f"is no world file or is damaged ({error}); generate it again"
        raise WorldFileError(path, problem) from error
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise WorldFileError(path, "is damaged; generate it again") from error


def _read_manifest(connection: sqlite3.Connection, path: Path) -> dict[str, Any]:
    rows = connection.execute("SELECT key, value FROM _manifest")
    manifest = {key: json.loads(value) for key, value in rows}
    if manifest["format"] != FORMAT:
        problem = f"has format {manifest['format']}; this version reads format {FORMAT}"
        raise WorldFileError(path, problem)
    return manifest


def _read(connection: sqlite3.Connection, path: Path) -> tuple[WorldFile, str]:
    manifest = _read_manifest(connection, path)
    blueprint = Blueprint.model_validate(manifest["blueprint"])
    tables = {
        table.name: _read_rows(connection, blueprint, table.name) for table in blueprint.tables
    }
    shorts = {}
    for entity, names in manifest["short_names"].items():
        table, _, entity_id = entity.rpartition(".")
        shorts[(table, int(entity_id))] = tuple(names)
    roles = Roles.model_validate(manifest["roles"])
    world = World(
        manifest["id"], manifest["name"], blueprint, manifest["seed"], roles, tables, shorts
    )
    sections = {
        name: {i: json.loads(text) for i, text in _select(connection, f"_{name}", ("id", "record"))}
        for name in manifest["sections"]
    }
    file = WorldFile(
        world, _read_web(connection), manifest["options"], manifest["version"], sections
    )
    return file, str(manifest["content_digest"])


def _select(connection: sqlite3.Connection, table: str, columns: Sequence[str]) -> sqlite3.Cursor:
    listed = ", ".join(f'"{column}"' for column in columns)
    return connection.execute(f'SELECT {listed} FROM "{table}"')  # noqa: S608 - names of our own


def _read_rows(
    connection: sqlite3.Connection, blueprint: Blueprint, name: str
) -> dict[RowKey, Row]:
    table = blueprint.table(name)
    names = column_names(table)
    rows = [dict(zip(names, row, strict=True)) for row in _select(connection, name, names)]
    by_key = {tuple(row[column] for column in table.key_columns): row for row in rows}
    return dict(sorted(by_key.items()))


def _read_web(connection: sqlite3.Connection) -> Web:
    sites = tuple(
        Site(*row)
        for row in connection.execute("SELECT id, kind, name, host FROM _sites ORDER BY rowid")
    )
    statements: dict[str, list[Statement]] = {}
    query = (
        "SELECT url, layout, text, href, claims, depends_on FROM _statements ORDER BY url, number"
    )
    for url, layout, text, href, claims, depends_on in connection.execute(query):
        read = tuple(_claim(record) for record in json.loads(claims))
        loose = tuple(map(Fact.parse, json.loads(depends_on)))
        statements.setdefault(url, []).append(Statement(text, layout, read, loose, href))
    pages = []
    for url, site, title, date, links in connection.execute(
        "SELECT url, site, title, date, links FROM _pages"
    ):
        linked = tuple(Link(*link) for link in json.loads(links))
        pages.append(Page(url, site, title, date, tuple(statements.get(url, ())), linked))
    return Web(sites, tuple(sorted(pages, key=lambda page: page.url)))


def _claim(record: list[Any]) -> Claim:
    fact, value, start, end, placeholder, depends_on = record
    return Claim(
        Fact.parse(fact), value, start, end, placeholder, tuple(map(Fact.parse, depends_on))
    )
