from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from lm_support import FakeModel, ask, kind_of, run

from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.cache import Cached
from worldgen.lm.records import Reply, Request, Sampling

REPLY = Reply("Grüße\x00 – 1,299", "length", 12, 34)


def _ask(path: Path, model: FakeModel, *requests: Request) -> list[Reply]:
    async def main() -> list[Reply]:
        cached = Cached(model, path)
        try:
            return [await cached.complete(request, 5.0) for request in requests]
        finally:
            await cached.close()

    return run(main())


def test_the_same_request_is_sent_once(tmp_path: Path) -> None:
    model = FakeModel(REPLY)
    replies = _ask(tmp_path / "replies", model, ask("a"), ask("a"))
    assert replies == [REPLY, replace(REPLY, cached=True)]
    assert len(model.asked) == 1
    assert model.closed


def test_replies_outlive_the_process(tmp_path: Path) -> None:
    _ask(tmp_path / "replies", FakeModel(REPLY), ask("a"))
    model = FakeModel(LanguageModelError("unreachable", "gone"))
    assert _ask(tmp_path / "replies", model, ask("a")) == [replace(REPLY, cached=True)]


@pytest.mark.parametrize(
    "other",
    [
        ask("b"),
        ask("a", seed=1),
        ask("a", schema={"type": "object"}),
        ask("a", sampling=Sampling(temperature=0.0)),
        ask("a", sampling=Sampling(thinking=True)),
    ],
)
def test_another_request_is_another_entry(tmp_path: Path, other: Request) -> None:
    model = FakeModel()
    _ask(tmp_path / "replies", model, ask("a"), other)
    assert len(model.asked) == 2


def test_another_model_is_another_entry(tmp_path: Path) -> None:
    for name in ("fake", "other"):
        model = FakeModel(Reply(name))
        model.name = name
        assert _ask(tmp_path / "replies", model, ask()) == [Reply(name)]


def test_errors_are_not_kept(tmp_path: Path) -> None:
    async def main() -> list[str]:
        cached = Cached(FakeModel(LanguageModelError("server", "down"), Reply("up")), path)
        kinds = [await kind_of(cached.complete(ask(), 5.0)) for _ in range(2)]
        await cached.close()
        return kinds

    path = tmp_path / "replies"
    assert run(main()) == ["server", "reply"]


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all, " * 100)


def _another_kind(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE replies (x)")


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("spoil", [_garbage, _another_kind, _folder])
def test_a_file_that_is_no_cache_is_one_clear_line(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = tmp_path / "replies"
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ConfigurationError) as caught:
        Cached(FakeModel(), path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert before == (path.read_bytes() if path.is_file() else b"")


def test_a_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="can't be used as a cache"):
        Cached(FakeModel(), tmp_path / "no" / "replies")


def test_damage_in_the_middle_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    requests = [ask(str(number)) for number in range(40)]
    _ask(path, FakeModel(Reply("word " * 500)), *requests)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x55" * (size - 4096))
    with pytest.raises(ConfigurationError, match="delete it"):
        _ask(path, FakeModel(), *requests)


def test_a_reply_that_can_not_be_stored_is_given_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    _ask(path, FakeModel(), ask("other"))

    async def main() -> Reply:
        cached = Cached(FakeModel(REPLY), path)
        cached._file.execute("PRAGMA busy_timeout = 10")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            reply = await cached.complete(ask(), 5.0)
            await cached.close()
        return reply

    assert run(main()) == REPLY
    model = FakeModel()
    _ask(path, model, ask())
    assert len(model.asked) == 1


def test_requests_at_the_same_time_share_the_file(tmp_path: Path) -> None:
    async def main() -> int:
        model = FakeModel(seconds=0.001)
        cached = Cached(model, tmp_path / "replies")
        for _ in range(2):
            await asyncio.gather(*(cached.complete(ask(str(n)), 5.0) for n in range(50)))
        await cached.close()
        return len(model.asked)

    assert run(main()) == 50


_WRITER = """
import asyncio, sys
from pathlib import Path
from worldgen.lm.cache import Cached
from worldgen.lm.records import Message, Reply, Request

class Model:
    name = "fake"
    async def complete(self, request, timeout):
        return Reply(request.messages[0].content)
    async def close(self):
        pass

async def main():
    cached = Cached(Model(), Path(sys.argv[1]))
    for number in range(50):
        text = str(number)
        reply = await cached.complete(Request((Message("user", text),)), 10.0)
        assert reply.text == text
    await cached.close()

asyncio.run(main())
"""


def test_several_processes_share_the_file(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    command = [sys.executable, "-c", _WRITER, str(path)]
    writers = [subprocess.Popen(command) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(*) FROM replies").fetchone() == (50,)


@pytest.mark.parametrize("content", [b"x", b"SQLite format 3", b"notes\n" * 40])
def test_another_kind_of_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="notes can't be used as a cache of replies"):
        Cached(FakeModel(), path)
    assert path.read_bytes() == content
