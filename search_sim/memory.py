"""The memory tool: a dictionary of texts that lasts as long as the episode."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

Operation = Literal["add", "update", "retrieve", "remove", "retrieve_all", "remove_all"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

MOST_CHARACTERS = 200_000
"""A memory holds no more than this, keys included."""


class DictMemory:
    """What an agent has noted, by key. Every operation answers with a text and never raises."""

    def __init__(self) -> None:
        """Start empty."""
        self._notes: dict[str, str] = {}

    def apply(self, operation: Operation, entries: Mapping[str, str], keys: Sequence[str]) -> str:
        """Carry out one operation.

        Args:
            operation: `add` and `update` take entries, `retrieve` and `remove` take keys, the
                others take nothing.
            entries: notes by key.
            keys: keys.
        """
        acts: dict[Operation, Callable[[], str]] = {
            "add": lambda: self._store(entries, new=True),
            "update": lambda: self._store(entries, new=False),
            "retrieve": lambda: self._retrieve(keys),
            "remove": lambda: self._remove(keys),
            "retrieve_all": lambda: self._retrieve(list(self._notes)),
            "remove_all": lambda: self._remove(list(self._notes)),
        }
        return acts[operation]()

    def _store(self, entries: Mapping[str, str], *, new: bool) -> str:
        if not entries:
            return 'Nothing stored: give the notes as "dict", for example {"key": "note"}.'
        wrong = [key for key in entries if (key in self._notes) == new]
        right = {key: note for key, note in entries.items() if key not in wrong}
        size = sum(len(key) + len(note) for key, note in ({**self._notes, **right}).items())
        if size > MOST_CHARACTERS:
            return f"Nothing stored: the memory would exceed {MOST_CHARACTERS:,} characters."
        self._notes |= right
        verb, reason = (
            ("Added", "already there, use update") if new else ("Updated", "not there, use add")
        )
        return _report(verb, list(right), reason, wrong)

    def _retrieve(self, keys: Sequence[str]) -> str:
        found = {key: self._notes[key] for key in keys if key in self._notes}
        missing = [key for key in keys if key not in self._notes]
        lines = [json.dumps(found, ensure_ascii=False, indent=2)] if found else []
        if missing:
            lines.append(f"Not there: {_listed(missing)}.")
        return "\n".join(lines) or "The memory is empty."

    def _remove(self, keys: Sequence[str]) -> str:
        found = [key for key in dict.fromkeys(keys) if self._notes.pop(key, None) is not None]
        return _report("Removed", found, "not there", [key for key in keys if key not in found])


def _report(verb: str, done: Sequence[str], reason: str, left: Sequence[str]) -> str:
    parts = [f"{verb}: {_listed(done)}."] if done else [f"{verb} nothing."]
    return " ".join([*parts, *([f"Left ({reason}): {_listed(left)}."] if left else [])])


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(json.dumps(key, ensure_ascii=False) for key in keys)
