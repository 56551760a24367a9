"""One spelling for every record, so that equal content has an equal digest on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable


def canonical_json(record: object) -> str:
    """JSON with sorted keys and no spaces; text stays text.

    Raises:
        ValueError: the record holds NaN or an infinity, which JSON has no word for.
    """
    return json.dumps(
        record, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def digest(record: object, size: int = 32) -> str:
    """The blake2b digest of a record's canonical JSON, in hex; `size` in bytes."""
    return hashlib.blake2b(canonical_json(record).encode(), digest_size=size).hexdigest()


def digest_lines(lines: Iterable[str]) -> str:
    """The blake2b digest of a stream of lines, in hex."""
    state = hashlib.blake2b(digest_size=32)
    for line in lines:
        state.update(line.encode())
        state.update(b"\n")
    return state.hexdigest()
