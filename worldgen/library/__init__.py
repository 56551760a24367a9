"""The library: the blueprints that come with worldgen, one TOML file each."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from worldgen.blueprint import Blueprint
from worldgen.checks import check_blueprint
from worldgen.errors import BlueprintError, UnknownNameError


def read_blueprint(text: str, source: str) -> Blueprint:
    """Read a blueprint from TOML.

    Args:
        text: the TOML.
        source: where it came from, for messages.

    Raises:
        BlueprintError: it is no TOML, no blueprint, or one that contradicts itself.
    """
    blueprint = _parse(text, source)
    check_blueprint(blueprint)
    return blueprint


def _parse(text: str, source: str) -> Blueprint:
    try:
        return Blueprint.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BlueprintError(source, f"no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        problem = f"{place}: {first['msg']}" if place else first["msg"]
        raise BlueprintError(source, problem) from error


def _of_file(path: Path) -> Blueprint:
    try:
        return _read_cached(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise BlueprintError(str(path), f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BlueprintError(str(path), "is no UTF-8 text") from error


# By text, so that a file which was changed is read anew.
_read_cached = lru_cache(maxsize=64)(read_blueprint)


@cache
def domains() -> tuple[str, ...]:
    """The ids of the library's blueprints, sorted."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def domain(name: str) -> Blueprint:
    """The library's blueprint of that id, or the one in a file whose path ends in `.toml`.

    Raises:
        UnknownNameError: the library has none of that id.
        BlueprintError: the file can't be read, or holds no blueprint.
    """
    if name.endswith(".toml"):
        return _of_file(Path(name))
    if name not in domains():
        raise UnknownNameError(name, "domain", domains())
    return _of_library(name)


@cache
def _of_library(name: str) -> Blueprint:
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return read_blueprint(text, name)
