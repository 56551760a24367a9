"""What a language world model costs the service that asks it, the model itself left out."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path

import httpx

from benchmarks.common import compare, options, positive, print_table, times
from search_sim.build import build_world
from search_sim.client import HttpTools, Trainer
from search_sim.episode import Episode
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.lwm.draft import Draft
from search_sim.lwm.renderer import ModelRenderer
from search_sim.lwm.reply import Prediction, read_text
from search_sim.materials import Asked
from search_sim.open_world import OpenWorld
from search_sim.prompts.prompt import messages, parts_of
from search_sim.prompts.variant import read_variant
from search_sim.render import Renderer, TemplateRenderer, snippet
from worldgen.library import domain
from worldgen.lm.records import Reply, Request
from worldgen.worldfile import write_world

SEED, KEY = 21, "bench"
LATENCY = 0.3
FEW, TOGETHER = 8, 64
"""Agents at a time: as many as leave the service idle now and then, and as many as it must bear."""
SEARCHES_AN_EPISODE = 20
STARTING = 30.0
WATCHING = 1.0
"""Seconds between looks at the metrics, which cost the service something too."""


class Remembering:
    """Gives each request the reply that it got before, so that no time goes into writing it."""

    name = "remembering"

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._inner = FakeLanguageModel(FakeModel())
        self._replies: dict[str, Reply] = {}

    async def complete(self, request: Request, timeout: float) -> Reply:
        """The reply to a request."""
        key = request.messages[-1].content
        if key not in self._replies:
            self._replies[key] = await self._inner.complete(request, timeout)
        return self._replies[key]

    async def close(self) -> None:
        """Nothing to close."""


def in_process(opened: OpenWorld, queries: Sequence[str], rounds: int) -> None:
    """Whole searches with either renderer, and the parts that a model adds."""
    task = next(iter(opened.tasks.values()))
    model = ModelRenderer(Remembering())

    def search(renderer: Renderer) -> None:
        for start in range(0, len(queries), SEARCHES_AN_EPISODE):
            episode = Episode(opened, task, seed=start, renderer=renderer)
            for query in queries[start : start + SEARCHES_AN_EPISODE]:
                episode.search(query)

    pages = list(_pages(opened, queries))
    parts, prediction = parts_of(read_variant(), opened.about), [_written(page) for page in pages]
    read = [read_text(Reply(text)) for text in prediction]
    taken = compare(
        {
            "search, template": lambda: search(TemplateRenderer()),
            "search, model": lambda: search(model),
            "writing the prompt": lambda: [messages(parts, (), page, 8_000) for page in pages],
            "reading the reply": lambda: [read_text(Reply(text)) for text in prediction],
            "checking the snippets": lambda: _check(opened, pages, read),
        },
        rounds,
    )
    base = taken["search, template"]
    rows = [[n, f"{t / len(queries) * 1e3:.2f}", times(t, base)] for n, t in taken.items()]
    print_table(
        f"In process: {len(queries)} searches of 10 results",
        ("for each search", "CPU ms", "x template"),
        rows,
    )


def _pages(opened: OpenWorld, queries: Sequence[str]) -> Iterator[Asked]:
    episode = Episode(opened, next(iter(opened.tasks.values())))
    for query in queries:
        episode.search(query)
    for turn in episode.trajectory.turns:
        yield from (searched.asked() for searched in turn.searched)


def _check(opened: OpenWorld, pages: Sequence[Asked], read: Sequence[Prediction]) -> None:
    for page, prediction in zip(pages, read, strict=True):
        Draft(page, opened.vocabulary).take(prediction)


def _written(asked: Asked) -> str:
    blocks = [
        f"[{number}] {m.url}\nTitle: {m.title}\nSnippet: {snippet(m)}"
        for number, m in enumerate(asked.materials, 1)
    ]
    return "<predicted_observation>{}</predicted_observation>".format("\n\n".join(blocks))


def served(folder: Path, queries: Sequence[str], latency: float) -> None:
    """The whole service in a process of its own, asked by some agents at a time."""
    rows, added = [], []
    for agents in (FEW, TOGETHER):
        used = {}
        for name in ("template", "lwm"):
            with _service(folder, name, latency) as base:
                cpu, wall, peak = _drive(base, queries, agents)
            used[name] = cpu / len(queries) * 1e3
            rate = f"{len(queries) / wall:.0f}"
            rows.append([f"{name}, {agents} agents", f"{used[name]:.2f}", rate, f"{peak:.0f}"])
        more = max(used["lwm"] - used["template"], 0)
        added.append([f"added by the model, {agents} agents", f"{more:.2f}"])
    print_table(
        f"Served: {len(queries)} searches, {latency:g} s a reply",
        ("renderer", "service CPU ms a search", "searches/s", "most in flight"),
        rows,
    )
    print_table("The service's work around the model", ("for each search", "CPU ms"), added)


@contextmanager
def _service(folder: Path, renderer: str, latency: float) -> Iterator[str]:
    with ExitStack() as stack:
        given: list[str] = []
        if renderer == "lwm":
            model = stack.enter_context(_command("lwm", "fake", "--latency", str(latency)))
            given = ["--renderer", "lwm", "--lwm-url", model, "--lwm-model", "fake"]
            given += ["--lwm-deadline", "60"]
        yield stack.enter_context(_command("serve", str(folder), *given))


def _drive(base: str, queries: Sequence[str], agents: int) -> tuple[float, float, float]:
    """Search with all agents at a time.

    Returns:
        The service's CPU seconds, the seconds on the wall, the most requests to the model at once.
    """
    stop, peak = threading.Event(), [0.0]

    def watch() -> None:
        while not stop.wait(WATCHING):
            peak[0] = max(peak[0], _metric(base, "worldgen_lwm_in_flight"))

    def play(number: int) -> None:
        with Trainer(base, KEY) as trainer:
            token = trainer.make_episode(seed=number)["token"]
        with HttpTools(base, token) as tools:
            for query in queries[number % agents :: agents]:
                tools.search(query)

    with ThreadPoolExecutor(agents) as pool:
        list(pool.map(play, range(agents)))  # opens the world, fills what is kept
        watcher = threading.Thread(target=watch)
        watcher.start()
        cpu, start = _metric(base, "process_cpu_seconds_total"), time.monotonic()
        list(pool.map(play, range(agents, 2 * agents)))
        wall = time.monotonic() - start
        cpu = _metric(base, "process_cpu_seconds_total") - cpu
        stop.set()
        watcher.join()
    return cpu, wall, peak[0]


def _metric(base: str, name: str) -> float:
    headers = {"Authorization": f"Bearer {KEY}"}
    text = httpx.get(f"{base}/metrics", headers=headers, timeout=60, trust_env=False).text
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


@contextmanager
def _command(*arguments: str) -> Iterator[str]:
    """A command of the product that serves something, until the context ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "search_sim", *arguments, "--port", str(port)]
    environment = {**os.environ, "WORLDGEN_TRAINER_KEY": KEY}
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    base = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{base}/healthz")
        yield base
    finally:
        running.terminate()
        running.wait()


def _wait_for(url: str) -> None:
    end = time.monotonic() + STARTING
    while time.monotonic() < end:
        try:
            httpx.get(url, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    message = f"nothing answers at {url}"
    raise SystemExit(message)


def main() -> None:
    """Measure one world."""
    parser = options(__doc__)
    parser.add_argument("--searches", type=positive, help="searches (960; 64, quick)")
    parser.add_argument("--rounds", type=positive, help="rounds (5; 1, quick)")
    chosen = parser.parse_args()
    count = chosen.searches or (64 if chosen.quick else 960)
    built = build_world(domain("island-ferries"), SEED, 2)
    opened = OpenWorld.of(built.file)
    names = [name for _, _, name in opened.world.entities()]
    queries = list(islice(cycle(names), count))
    in_process(opened, list(dict.fromkeys(queries)), chosen.rounds or (1 if chosen.quick else 5))
    with tempfile.TemporaryDirectory() as folder:
        write_world(Path(folder) / f"{built.file.world.id}.world", built.file)
        served(Path(folder), queries, LATENCY)


if __name__ == "__main__":
    main()
