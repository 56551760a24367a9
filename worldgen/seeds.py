"""Seeds and generators: every draw takes a generator whose seed names what is drawn."""

from __future__ import annotations

import hashlib
import random


def child_seed(root: int, *path: object) -> int:
    """The seed of one draw: a 64-bit number that depends on `root` and every part of `path`.

    Neighbouring roots share nothing, unlike `root + index`.
    """
    text = "\x1f".join(map(str, (root, *path)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def generator(root: int, *path: object) -> random.Random:
    """A generator of its own for one draw."""
    return random.Random(child_seed(root, *path))  # noqa: S311 - worlds must be repeatable, not secret
