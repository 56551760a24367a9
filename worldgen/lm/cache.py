"""Replies on disk: a request that was answered once is not sent again."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from worldgen.errors import ConfigurationError
from worldgen.lm.late import within
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.lm.wrapper import Wrapper

_ID = 0x77676C6D
"""What SQLite's `application_id` says of a file of replies."""
_MAGIC = b"SQLite format 3\0"
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    request TEXT PRIMARY KEY, text TEXT NOT NULL, finish TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL
)
"""
_LOOK = "SELECT application_id, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id"
_GET = "SELECT text, finish, prompt_tokens, completion_tokens FROM replies WHERE request = ?"
_PUT = "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)"


class Cached(Wrapper):
    """Keeps replies in an SQLite file, which several processes may share.

    A reply's key is the digest of the whole request and the model's name; errors aren't kept. A
    reply that can't be stored (a full disk, a lock that doesn't go away) is given all the same.
    """

    def __init__(self, inner: LanguageModel, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            ConfigurationError: it can't be made, is damaged, or is another kind of file.
        """
        super().__init__(inner)
        self._path = path
        # One thread for the file: it never holds up the event loop, and keeps writes in order.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replies")
        try:
            self._file = _open(path)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    async def complete(self, request: Request, timeout: float) -> Reply:
        """The reply that is stored, or the inner model's, which then is.

        Raises:
            LanguageModelError: as the inner model says; `late` if reading took all the time.
            ConfigurationError: the file is damaged.
        """
        deadline = time.monotonic() + timeout
        key = request.digest(self.name)
        found = await self._read(key, timeout)
        if found is not None:
            return found
        reply = await self._inner.complete(request, deadline - time.monotonic())
        self._thread.submit(self._put, key, reply)
        return reply

    async def close(self) -> None:
        """Close the inner model, and the file when all is written."""
        await self._inner.close()
        await asyncio.to_thread(self._thread.shutdown)
        self._file.close()

    async def _read(self, key: str, timeout: float) -> Reply | None:
        loop = asyncio.get_running_loop()
        try:
            async with within(timeout, f"reading {self._path}"):
                return await loop.run_in_executor(self._thread, self._get, key)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _get(self, key: str) -> Reply | None:
        row = self._file.execute(_GET, (key,)).fetchone()
        return None if row is None else replace(Reply(*row), cached=True)

    def _put(self, key: str, reply: Reply) -> None:
        # Damage shows, and is reported, at the next reading.
        with suppress(sqlite3.Error), self._file:
            row = (key, reply.text, reply.finish, reply.prompt_tokens, reply.completion_tokens)
            self._file.execute(_PUT, row)

    def _unusable(self, error: sqlite3.Error) -> ConfigurationError:
        return ConfigurationError(
            f"{self._path} can't be used as a cache of replies ({error}); "
            "delete it, or name another file"
        )


def _open(path: Path) -> sqlite3.Connection:
    _refuse_other_files(path)
    # The one thread that uses it is not the one that opens it.
    file = sqlite3.connect(path, check_same_thread=False)
    try:
        found, tables = file.execute(_LOOK).fetchone()
        if tables and found != _ID:
            message = "it is another kind of file"
            raise sqlite3.DatabaseError(message)
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        file.execute(f"PRAGMA application_id = {_ID}")
        file.execute(_TABLE)
        file.commit()
    except sqlite3.Error:
        file.close()
        raise
    return file


def _refuse_other_files(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and writes over it."""
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                message = "it is another kind of file"
                raise sqlite3.DatabaseError(message)
