"""What a world file holds, and the digest of its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from worldgen.canonical import canonical_json, digest_lines
from worldgen.pages import Statement, Web
from worldgen.world import World

SUFFIX = ".world"
FORMAT = 1
"""The number of the file's layout; a reader refuses another."""

Section = Mapping[str, Mapping[str, Any]]
"""Records by id, each as plain JSON data."""


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
    yield canonical_json(manifest(file))
    for table in file.world.blueprint.tables:
        for key, row in file.world.tables[table.name].items():
            yield canonical_json([table.name, key, row])
    for site in file.web.sites:
        yield canonical_json([site.id, site.kind, site.name, site.host])
    for page in file.web.pages:
        links = [[link.text, link.url] for link in page.links]
        yield canonical_json([page.url, page.site, page.title, page.date, links, page.markdown])
        for statement in page.statements:
            yield canonical_json(statement_record(statement))
    for name, section in sorted(file.sections.items()):
        for record_id, record in sorted(section.items()):
            yield canonical_json([name, record_id, record])


def manifest(file: WorldFile) -> dict[str, Any]:
    """What a world file says of itself, its digest and sections apart."""
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


def statement_record(statement: Statement) -> list[Any]:
    """A statement as plain data: layout, text, href, claims, depends_on."""
    claims = [
        [str(c.fact), c.value, c.start, c.end, c.placeholder, [str(f) for f in c.depends_on]]
        for c in statement.claims
    ]
    depends_on = [str(fact) for fact in statement.depends_on]
    return [statement.layout, statement.text, statement.href, claims, depends_on]
