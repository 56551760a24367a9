"""The errors of the `widesearch` mode.

    WorldgenError
    ├── ScorerError    the public scorer would fail here, with an error of a certain name
    └── GoldError      a gold table that the public scorer refuses

The public scorer gives an answer zero when anything in it fails, and logs the error's name. Where
Python itself fails in the same way, its own error stands for it.
"""

from __future__ import annotations

from worldgen.errors import WorldgenError

__all__ = [
    "ASSERTION_ERROR",
    "ATTRIBUTE_ERROR",
    "EMPTY_DATA",
    "MALFORMED",
    "VALUE_ERROR",
    "GoldError",
    "ScorerError",
    "logged_name",
]

ASSERTION_ERROR = "AssertionError"
"""What the public scorer logs for the name of a step that it hasn't."""

ATTRIBUTE_ERROR = "AttributeError"
"""What it logs where several columns with one name are taken for one."""

VALUE_ERROR = "ValueError"
"""What it logs where tables don't fit together."""

EMPTY_DATA = "pandas.errors.EmptyDataError"
"""What it logs for a text without a single line."""

MALFORMED = "pandas.errors.ParserError"
"""What it logs for a row that is too long or a quote that never ends."""


class ScorerError(WorldgenError):
    """An answer on which the public scorer fails.

    Attributes:
        kind: the error's name in the public scorer's log: `ValueError`.
    """

    def __init__(self, kind: str, message: str) -> None:
        """Keep the name; the message is for people."""
        super().__init__(message)
        self.kind = kind


class GoldError(WorldgenError):
    """A gold table that lacks a required column or cannot be read."""


def logged_name(error: Exception) -> str:
    """The name under which the public scorer logs an error, as a traceback ends with it."""
    if isinstance(error, ScorerError):
        return error.kind
    module, name = type(error).__module__, type(error).__qualname__
    return name if module == "builtins" else f"{module}.{name}"
