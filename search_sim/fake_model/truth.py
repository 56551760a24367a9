"""Reading the truth that the leak script is given."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from worldgen.errors import ConfigurationError

_TRUTH = TypeAdapter(dict[str, list[str]])


def read_truth(path: Path) -> dict[str, list[str]]:
    """A file of true sentences: a JSON object with a list of them for each URL.

    Raises:
        ConfigurationError: it can't be read, or holds something else.
    """
    try:
        return _TRUTH.validate_json(path.read_bytes())
    except OSError as error:
        message = f"truth {path}: can't be read: {error.strerror or error}"
        raise ConfigurationError(message) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        message = f"truth {path}: {place + ': ' if place else ''}{first['msg']}"
        raise ConfigurationError(message) from error
