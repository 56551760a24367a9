"""A registry: things under names, each name once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from worldgen.errors import ConfigurationError, UnknownNameError

T = TypeVar("T")

JOINT = "+"
"""Joins a script's name to a fault's, so no name may hold it."""


class Registry(Generic[T]):
    """Things under names, in the order in which they were added.

    Attributes:
        kind: what the things are, for messages.
    """

    def __init__(self, kind: str) -> None:
        """Start with nothing."""
        self.kind = kind
        self._things: dict[str, T] = {}

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._things)

    def add(self, name: str, thing: T) -> None:
        """Put a thing under a name.

        Raises:
            ConfigurationError: the name is taken, empty, or holds a plus.
        """
        if name in self._things:
            message = f"there is a {self.kind} {name!r} already"
            raise ConfigurationError(message)
        if not name or JOINT in name:
            message = f"a {self.kind} can't be named {name!r}"
            raise ConfigurationError(message)
        self._things[name] = thing

    def get(self, name: str) -> T:
        """The thing under a name.

        Raises:
            UnknownNameError: there is none.
        """
        if name not in self._things:
            raise UnknownNameError(name, self.kind, self._things)
        return self._things[name]
