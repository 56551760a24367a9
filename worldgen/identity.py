"""Identity: what a world is built from, and the id that digests it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from worldgen.blueprint import Blueprint
from worldgen.canonical import digest
from worldgen.seeds import child_seed

SHAPING = ("faker", "sqlglot", "tantivy")
"""Libraries whose version can change what a seed gives."""


def versions() -> dict[str, str]:
    """The versions that shape a world: of worldgen, and of libraries whose results it keeps."""
    return {name: version(name) for name in ("worldgen", *SHAPING)}


def world_id(blueprint: Blueprint, seed: int, options: Mapping[str, Any]) -> str:
    """The id of a world: its blueprint's id and a digest of all that it is built from."""
    built_from = [blueprint.model_dump(mode="json"), seed, dict(options), versions()]
    return f"{blueprint.id}-{digest(built_from, 6)}"


def world_seed(root: int, index: int) -> int:
    """The seed of a batch's world number `index`: 53 bits, which every JSON reader keeps exact."""
    return child_seed(root, "world", index) >> 11
