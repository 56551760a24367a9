"""Prompt variants: each a TOML file with a name and a version; those that ship lie in `variants/`.

A text may hold fields in braces. `{tools}` and `{about}` are filled once an episode; `{query}`,
`{page}`, `{count}`, `{mix}`, `{characters}` and `{results}` for each search; `{faults}`,
`{missing}` and `{urls}` where a reply is sent back.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from worldgen.canonical import digest
from worldgen.errors import ConfigurationError, UnknownNameError

DEFAULT = "search"
SUFFIX = ".toml"


class Variant(BaseModel):
    """The texts of one prompt, and the form in which it asks for results.

    Attributes:
        reply: `text` asks for the public format of results between tags, `json` for an object
            that a server with structured output can be held to.
        task_description, action_space, initial_state, demonstrations: the parts that are the
            same for every turn of an episode.
        simulation_instruction: the part that comes with every search.
        correction: what is said when a reply is sent back.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"[a-z][a-z0-9-]*")
    version: int = Field(ge=1)
    reply: Literal["text", "json"]
    task_description: str
    action_space: str
    initial_state: str
    demonstrations: str
    simulation_instruction: str
    correction: str

    @property
    def id(self) -> str:
        """Name, version and the digest of all texts, for example `search/1/0a1b2c3d`."""
        return f"{self.name}/{self.version}/{digest(self.model_dump(), 4)}"


def variants() -> tuple[str, ...]:
    """The names of the variants that ship, sorted."""
    folder = files("search_sim.prompts") / "variants"
    return tuple(
        sorted(f.name.removesuffix(SUFFIX) for f in folder.iterdir() if f.name.endswith(SUFFIX))
    )


def read_variant(name: str = DEFAULT) -> Variant:
    """A variant by its name, or one of the user's own by the path of its TOML file.

    Raises:
        ConfigurationError: the file can't be read or is no variant.
        UnknownNameError: none of that name ships.
    """
    if name.endswith(SUFFIX):
        return _read(Path(name))
    return _shipped(name)


@lru_cache
def _shipped(name: str) -> Variant:
    if name not in variants():
        raise UnknownNameError(name, "prompt variant", variants())
    return _parse((files("search_sim.prompts") / "variants" / f"{name}{SUFFIX}").read_text(), name)


def _read(path: Path) -> Variant:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"prompt variant {path}: can't be read: {error}"
        raise ConfigurationError(message) from error
    return _parse(text, str(path))


def _parse(text: str, where: str) -> Variant:
    try:
        return Variant.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = f"prompt variant {where}: {error}"
        raise ConfigurationError(message) from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        message = f"prompt variant {where}: {field}: {first['msg']}"
        raise ConfigurationError(message) from error
