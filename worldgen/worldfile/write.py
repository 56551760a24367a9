"""Writing a world file: whole or not at all."""

from __future__ import annotations

import os
import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from worldgen.canonical import canonical_json
from worldgen.errors import WorldFileError
from worldgen.pages import Page
from worldgen.tables import create_statements, fill
from worldgen.worldfile.record import WorldFile, manifest, statement_record

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

OWN_NAMES = ("manifest", "sites", "pages", "statements")
"""Names that no section may have."""
_SECTION_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_world(path: Path, file: WorldFile) -> str:
    """Write a world file under a temporary name, then rename it: a half world never stands there.

    Returns:
        The content digest.

    Raises:
        WorldFileError: there is no such folder, or a section has a name that can't be a table's.
    """
    if not path.parent.is_dir():
        raise WorldFileError(path, "its folder doesn't exist; make it first")
    for name in file.sections:
        if name in OWN_NAMES or not _SECTION_NAME.fullmatch(name):
            raise WorldFileError(path, f"can't have a section named {name!r}; choose another name")
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
    says = {
        **manifest(file),
        "content_digest": content_digest,
        "sections": sorted(file.sections),
    }
    rows: list[Any] = [(key, canonical_json(value)) for key, value in sorted(says.items())]
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
        layout, text, href, claims, depends_on = statement_record(statement)
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
