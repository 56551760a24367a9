"""Reading a world file: its header alone, or whole and checked."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from worldgen.blueprint import Blueprint
from worldgen.errors import WorldFileError, WorldgenError
from worldgen.facts import Fact, RowKey
from worldgen.pages import Claim, Link, Page, Site, Statement, Web
from worldgen.roles import Roles
from worldgen.tables import column_names
from worldgen.world import Row, World
from worldgen.worldfile.record import FORMAT, WorldFile

T = TypeVar("T")
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error)
"""What reading raises where a file holds other than what was written."""


def read_world(path: Path) -> WorldFile:
    """Read a world file whole and check it against its content digest.

    Raises:
        WorldFileError: it is missing, no world, damaged, or of another format.
    """
    return _reading(path, _read)


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
    if not path.exists():
        raise WorldFileError(path, "no such file")
    if not path.is_file():
        problem = "is a folder, not a world file" if path.is_dir() else "is no world file"
        raise WorldFileError(path, problem)
    try:
        location = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(location, uri=True)) as connection:
            return read(connection, path)
    except sqlite3.DatabaseError as error:
        reason = ascii(str(error))[1:-1][:120]
        problem = f"is no world file or is damaged ({reason}); generate it again"
        raise WorldFileError(path, problem) from error
    except WorldFileError:
        raise
    except (*_DAMAGE, WorldgenError) as error:
        raise WorldFileError(path, "is damaged; generate it again") from error


def _read_manifest(connection: sqlite3.Connection, path: Path) -> dict[str, Any]:
    rows = connection.execute("SELECT key, value FROM _manifest")
    manifest = {key: json.loads(value) for key, value in rows}
    if manifest["format"] != FORMAT:
        problem = f"has format {manifest['format']}; this version reads format {FORMAT}"
        raise WorldFileError(path, problem)
    return manifest


def _read(connection: sqlite3.Connection, path: Path) -> WorldFile:
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
    if file.content_digest() != manifest["content_digest"] or not _bodies_agree(connection, file):
        problem = "is damaged: its content differs from its digest; generate it again"
        raise WorldFileError(path, problem)
    return file


def _bodies_agree(connection: sqlite3.Connection, file: WorldFile) -> bool:
    """Whether the stored bodies are what the statements give: nothing else reads them."""
    bodies = dict(_select(connection, "_pages", ("url", "body")).fetchall())
    return bodies.keys() == file.web.by_url.keys() and all(
        zlib.decompress(bodies[page.url]).decode() == page.markdown for page in file.web.pages
    )


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
