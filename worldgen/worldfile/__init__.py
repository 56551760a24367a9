"""The world file: one world in one SQLite database.

The world's tables stand in it as real tables; the product's tables have names that start with `_`.
Records of upper packages (tasks, certificates) are opaque here: a section is a table of ids and
JSON, and whoever brings it reads it.
"""

from __future__ import annotations

from worldgen.worldfile.read import Header, read_header, read_world
from worldgen.worldfile.record import FORMAT, SUFFIX, Section, WorldFile
from worldgen.worldfile.write import write_world

__all__ = [
    "FORMAT",
    "SUFFIX",
    "Header",
    "Section",
    "WorldFile",
    "read_header",
    "read_world",
    "write_world",
]
