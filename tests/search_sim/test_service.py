"""The service as clients meet it: a real server on a loopback port."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from support import make_case

from answers.markdown import to_markdown
from queries.task import Task
from search_sim.client import HttpTools, Trainer
from search_sim.episode import Episode
from search_sim.observation import NOT_SHOWN
from search_sim.service.app import make_app
from search_sim.service.limits import LARGEST_BODY
from search_sim.service.server import listen, serving
from search_sim.service.sessions import Sessions
from search_sim.service.state import Service
from search_sim.shelf import Shelf
from worldgen.errors import ConfigurationError, ServiceError
from worldgen.worldfile import write_world

KEY = "trainer-key"
AGENT_PATHS = {
    "/api/search": {"query": "x"},
    "/api/extract": {"url": "https://nowhere.example/"},
    "/api/memory": {"operation": "retrieve_all"},
    "/api/answer": {"answer": "none"},
}
TRAINER_PATHS = [
    ("POST", "/api/episodes"),
    ("GET", "/api/episodes/{id}"),
    ("GET", "/api/episodes/{id}/trajectory"),
    ("GET", "/api/worlds"),
    ("GET", "/api/worlds/{world}"),
    ("GET", "/api/worlds/{world}/tasks"),
]


@dataclass(frozen=True)
class Served:
    base: str
    shelf: Shelf
    service: Service

    def trainer(self) -> Trainer:
        return Trainer(self.base, KEY)

    def call(self, method: str, path: str, key: str = KEY, **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"}
        return httpx.request(method, self.base + path, headers=headers, timeout=60, **options)

    def task(self) -> Task:
        world_id = next(iter(self.shelf.headers))
        return next(iter(self.shelf.open(world_id).tasks.values()))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    for name in ("island-ferries", "company-intranet"):
        file = make_case(name).built.file
        write_world(folder / f"{file.world.id}.world", file)
    service = Service(Shelf(sorted(folder.iterdir())), KEY, sessions=Sessions(capacity=200))
    with serving(make_app(service)) as base:
        yield Served(base, service.shelf, service)


def test_a_whole_episode_over_http_is_the_episode_in_process(served: Served) -> None:
    task = served.task()
    world = served.shelf.open(task.world_id)
    name = next(world.world.entities())[2]
    gold = to_markdown([c.name for c in task.answer.columns], task.answer.rows)
    inside = Episode(world, task, "reach", seed=4)
    with served.trainer() as trainer:
        made = trainer.make_episode(task=task.task_id, policy="reach", seed=4)
        assert made["question"] == task.question
        assert [t["function"]["name"] for t in made["tools"]] == [
            *("web_search", "web_extractor", "dict_memory"),
        ]
        with HttpTools(served.base, made["token"]) as tools:
            for queries, page in (((name,), 1), ((name, "all"), 2)):
                assert tools.search(*queries, page=page) == inside.search(*queries, page=page)
            url = inside.search(name).results[0][0].url
            tools.search(name)
            assert tools.extract(url) == inside.extract(url)
            assert tools.extract("https://x.example/") == inside.extract("https://x.example/")
            note = {"a": "1"}
            assert tools.memory("add", dict=note) == inside.memory("add", note)
            assert tools.memory("retrieve_all") == inside.memory("retrieve_all")
            tools.answer(gold)
            inside.answer(gold)
        state, trajectory = trainer.state(made["episode"]), trainer.trajectory(made["episode"])
    assert state["state"] == "closed"
    assert state["score"]["success"]
    assert state["counts"] == {"searches": 4, "extractions": 1, "refused": 1}
    assert trajectory["turns"] == [turn.model_dump(mode="json") for turn in inside.trajectory.turns]
    assert trajectory["score"]["item_f1"] == 1


def test_the_raw_shapes_are_those_of_the_interface(served: Served) -> None:
    made = served.call("POST", "/api/episodes", json={"seed": 1})
    assert made.status_code == 201
    assert set(made.json()) == {"episode", "token", "question", "tools"}
    token = made.json()["token"]
    found = served.call("POST", "/api/search", token, json={"query": "all"}).json()
    assert set(found) == {"results", "text"}
    first = found["results"][0][0]
    assert set(first) == {"rank", "url", "title", "snippet", "date"}
    opened = served.call("POST", "/api/extract", token, json={"url": first["url"]}).json()
    assert set(opened) == {"url", "title", "content", "next_offset"}
    assert opened["next_offset"] is None
    noted = served.call(
        *("POST", "/api/memory", token), json={"operation": "add", "dict": {"k": "v"}}
    )
    assert noted.json() == {"text": 'Added: "k".'}
    taken = served.call("POST", "/api/answer", token, json={"answer": "| A |"})
    assert taken.json() == {"accepted": True}


def test_what_is_left_out_is_drawn_by_the_seed(served: Served) -> None:
    with served.trainer() as trainer:
        first, second = (trainer.state(trainer.make_episode(seed=8)["episode"]) for _ in range(2))
        other = [trainer.state(trainer.make_episode(seed=s)["episode"]) for s in range(12)]
    assert (first["world"], first["task"]) == (second["world"], second["task"])
    assert len({state["world"] for state in other}) == 2
    assert len({state["task"] for state in other}) > 3
    assert first["policy"] == "reach"


def test_an_agent_may_do_four_things_and_no_more(served: Served) -> None:
    made = served.call("POST", "/api/episodes", json={"seed": 1}).json()
    for method, path in TRAINER_PATHS:
        full = path.format(id=made["episode"], world=next(iter(served.shelf.headers)))
        refused = served.call(method, full, made["token"], json={} if method == "POST" else None)
        assert refused.status_code == 403, path
        assert refused.json()["error"]["code"] == "forbidden"
        assert served.call(method, full, "guess").status_code == 401
        assert httpx.request(method, served.base + full).status_code == 401
    for path in ("/docs", "/openapi.json", "/redoc", "/api", "/api/nowhere"):
        assert served.call("GET", path, made["token"]).status_code == 404


@pytest.mark.parametrize("path", AGENT_PATHS)
@pytest.mark.parametrize("key", ["guess", KEY, "a b"])
def test_agents_paths_need_an_episodes_token(served: Served, path: str, key: str) -> None:
    refused = served.call("POST", path, key, json=AGENT_PATHS[path])
    assert refused.status_code == 401
    assert set(refused.json()["error"]) == {"code", "message", "hint"}


def test_an_unseen_page_and_a_missing_one_are_the_same_bytes(served: Served) -> None:
    token = served.call("POST", "/api/episodes", json={"seed": 1}).json()["token"]
    world = served.shelf.open(next(iter(served.shelf.headers)))
    urls = [world.web.pages[3].url, "https://nowhere.example/"]
    bodies = [served.call("POST", "/api/extract", token, json={"url": url}) for url in urls]
    assert [body.status_code for body in bodies] == [404, 404]
    assert bodies[0].content == bodies[1].content
    assert NOT_SHOWN.removeprefix("404: ") in bodies[0].text


def test_a_closed_episode_refuses_every_tool(served: Served) -> None:
    token = served.call("POST", "/api/episodes", json={"seed": 1}).json()["token"]
    served.call("POST", "/api/answer", token, json={"answer": "x"})
    for path, body in AGENT_PATHS.items():
        refused = served.call("POST", path, token, json=body)
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "episode_closed"


BAD: list[tuple[str, Any]] = [
    ("/api/search", {}),
    ("/api/search", {"query": "a", "queries": ["b"]}),
    ("/api/search", {"queries": []}),
    ("/api/search", {"queries": ["a"] * 6}),
    ("/api/search", {"query": "a", "page": 0}),
    ("/api/search", {"query": 7}),
    ("/api/search", {"query": "a" * 5000}),
    ("/api/search", {"query": "a", "site": "b"}),
    ("/api/extract", {"url": "x", "offset": -1}),
    ("/api/extract", {}),
    ("/api/memory", {"operation": "forget"}),
    ("/api/memory", {"operation": "add", "dict": {"a": 1}}),
    ("/api/answer", {"answer": None}),
    ("/api/answer", []),
]


@pytest.mark.parametrize(("path", "body"), BAD, ids=[f"{p} {str(b)[:40]}" for p, b in BAD])
def test_bad_input_is_named(served: Served, path: str, body: Any) -> None:
    token = served.call("POST", "/api/episodes", json={"seed": 1}).json()["token"]
    refused = served.call("POST", path, token, json=body)
    assert refused.status_code == 422
    error = refused.json()["error"]
    assert error["code"] == "bad_input"
    assert error["message"]
    assert error["hint"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"world": "island-ferrie"}, 404, "unknown world"),
        ({"task": "nope"}, 404, "unknown task"),
        ({"policy": "teas"}, 422, "policy"),
        ({"controls": {"speed": 1}}, 422, "speed"),
        ({"controls": {"results": 0}}, 422, "results"),
        ({"seed": -1}, 422, "seed"),
    ],
)
def test_a_wrong_episode_is_named(
    served: Served, body: dict[str, Any], status: int, words: str
) -> None:
    refused = served.call("POST", "/api/episodes", json=body)
    assert refused.status_code == status
    assert words in refused.json()["error"]["message"]


def test_broken_json_and_a_huge_body_are_refused(served: Served) -> None:
    broken = served.call("POST", "/api/episodes", content=b"{nope")
    assert broken.status_code == 422
    huge = served.call("POST", "/api/episodes", content=b"x" * (LARGEST_BODY + 1))
    assert huge.status_code == 413
    assert huge.json()["error"]["code"] == "too_large"


def test_controls_reach_the_tools(served: Served) -> None:
    body = {"seed": 1, "controls": {"results": 3, "extract_length": 200}}
    token = served.call("POST", "/api/episodes", json=body).json()["token"]
    found = served.call("POST", "/api/search", token, json={"query": "all"}).json()["results"][0]
    assert len(found) == 3
    opened = served.call("POST", "/api/extract", token, json={"url": found[0]["url"]}).json()
    assert opened["next_offset"] == 200


def test_two_episodes_share_neither_memory_nor_shown_pages(served: Served) -> None:
    task = served.task().task_id
    with served.trainer() as trainer:
        tokens = [trainer.make_episode(task=task, seed=1)["token"] for _ in range(2)]
    with HttpTools(served.base, tokens[0]) as one, HttpTools(served.base, tokens[1]) as other:
        one.memory("add", dict={"secret": "harbour"})
        assert other.memory("retrieve_all") == "The memory is empty."
        url = one.search("all").results[0][0].url
        assert one.extract(url).found
        assert not other.extract(url).found


def test_fifty_episodes_at_once_get_what_each_gets_alone(served: Served) -> None:
    world = served.shelf.open(next(iter(served.shelf.headers)))
    tasks = itertools.cycle(world.tasks.values())
    names = [name for _, _, name in world.world.entities()]

    def play(number: int, task: Task) -> bool:
        alone = Episode(world, task, "reach", seed=number)
        with served.trainer() as trainer:
            made = trainer.make_episode(task=task.task_id, seed=number)
        with HttpTools(served.base, made["token"]) as tools:
            for name in names[number % 7 :: 9]:
                assert tools.search(name) == alone.search(name)
                url = alone.search(name).results[0][0].url
                tools.search(name)
                assert tools.extract(url) == alone.extract(url)
            tools.memory("add", dict={"n": str(number)})
            assert f'"{number}"' in tools.memory("retrieve_all")
            tools.answer("| A |\n| - |\n| b |")
        return True

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(play, range(50), itertools.islice(tasks, 50)))


def test_worlds_and_tasks_are_listed_for_trainers(served: Served) -> None:
    worlds = served.call("GET", "/api/worlds").json()["worlds"]
    assert [w["domain"] for w in worlds] == ["company-intranet", "island-ferries"]
    one = served.call("GET", f"/api/worlds/{worlds[0]['id']}").json()
    assert one == worlds[0]
    tasks = served.call("GET", f"/api/worlds/{worlds[0]['id']}/tasks").json()["tasks"]
    opened = served.shelf.open(worlds[0]["id"])
    assert tasks == [opened.tasks[i].export() for i in sorted(opened.tasks)]
    assert served.call("GET", "/api/worlds/nope").status_code == 404
    assert served.call("GET", "/api/episodes/nope").status_code == 404
    assert httpx.get(f"{served.base}/healthz").json() == {"ok": True, "worlds": 2}


def test_every_route_is_documented(served: Served) -> None:
    text = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
    routes = [*AGENT_PATHS, "/healthz", "/metrics"]
    routes += [p.format(id="{id}", world="{id}") for _, p in TRAINER_PATHS]
    for path in routes:
        assert f"`{path}`" in text or f" {path}`" in text, path


def test_a_port_in_use_is_one_clear_line() -> None:
    listening = listen("127.0.0.1", 0)
    with pytest.raises(ConfigurationError, match=r"can't listen on .* name another with --port"):
        listen("127.0.0.1", listening.getsockname()[1])
    listening.close()


def test_one_broken_world_among_good_ones_is_left_out(served: Served, tmp_path: Path) -> None:
    (tmp_path / "broken.world").write_bytes(b"no world")
    good = [header.path for header in served.shelf.headers.values()]
    shelf = Shelf([*good, tmp_path / "broken.world"])
    assert len(shelf.headers) == 2
    assert "broken.world" in str(shelf.problems[0])
    with pytest.raises(ConfigurationError, match=r"no world to serve: .*broken\.world"):
        Shelf([tmp_path / "broken.world"])


def test_the_shelf_drops_the_world_used_longest_ago(served: Served) -> None:
    shelf = Shelf([header.path for header in served.shelf.headers.values()], capacity=1)
    first, second = shelf.headers
    opened = shelf.open(first)
    assert shelf.open(first) is opened
    shelf.open(second)
    assert shelf.open(first) is not opened


def test_a_world_goes_without_the_collectors_help(served: Served) -> None:
    path = next(iter(served.shelf.headers.values())).path
    shelf = Shelf([path])
    gc.collect()
    gc.disable()
    try:
        world = shelf.open(next(iter(shelf.headers)))
        name = next(world.world.entities())[2]
        Episode(world, next(iter(world.tasks.values()))).search(name)
        world.alarm.count(world.web.pages[0].url, "Nothing.", "")
        gone = weakref.ref(world.world), weakref.ref(world.masked[0])
        del world, shelf
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


def test_when_full_of_open_episodes_the_server_says_so(served: Served) -> None:
    service = Service(served.shelf, KEY, sessions=Sessions(capacity=2))
    with serving(make_app(service)) as base, Trainer(base, KEY) as trainer:
        made = [trainer.make_episode(seed=seed) for seed in (1, 2)]
        with pytest.raises(ServiceError, match="too_many_episodes"):
            trainer.make_episode(seed=3)
        with HttpTools(base, made[0]["token"]) as tools:
            tools.answer("x")
        trainer.make_episode(seed=3)
        with pytest.raises(ServiceError, match="unknown_episode"):
            trainer.state(made[0]["episode"])


def test_a_server_that_is_not_there_is_one_clear_line() -> None:
    with Trainer("http://127.0.0.1:9", KEY) as trainer, pytest.raises(ServiceError, match="127"):
        trainer.make_episode()
