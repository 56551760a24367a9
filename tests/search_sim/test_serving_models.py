"""The service with a language world model behind it: real servers on both sides of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from models import Gate
from prometheus_client.parser import text_string_to_metric_families
from support import make_case

from search_sim.client import HttpTools, Trainer
from search_sim.fake_model.app import serving_fake
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.faults import FAULTS
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.lwm.renderer import ModelRenderer, Settings
from search_sim.render import Renderer
from search_sim.service.app import make_app
from search_sim.service.recorder import LEFT_OPEN, Recorder
from search_sim.service.server import serving
from search_sim.service.state import Service
from search_sim.shelf import Shelf
from search_sim.trajectory import Trajectory
from worldgen.errors import ConfigurationError
from worldgen.lm.connect import Connection, connect
from worldgen.worldfile import write_world

KEY = "trainer-key"
DEADLINE = 1.5


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    file = make_case("island-ferries").built.file
    path = tmp_path_factory.mktemp("worlds") / f"{file.world.id}.world"
    write_world(path, file)
    return Shelf([path])


@dataclass(frozen=True)
class Served:
    base: str
    service: Service
    trainer: Trainer

    def metrics(self) -> dict[tuple[str, ...], float]:
        """Every sample by name and label values."""
        headers = {"Authorization": f"Bearer {KEY}"}
        text = httpx.get(f"{self.base}/metrics", headers=headers).text
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def episode(self, seed: int = 1) -> tuple[str, HttpTools]:
        made = self.trainer.make_episode(seed=seed)
        return made["episode"], HttpTools(self.base, made["token"])


@contextmanager
def served(shelf: Shelf, renderer: Renderer, recorder: Recorder | None = None) -> Iterator[Served]:
    service = Service(shelf, KEY, renderer=renderer, recorder=recorder)
    try:
        with serving(make_app(service)) as base, Trainer(base, KEY) as trainer:
            yield Served(base, service, trainer)
    finally:
        service.close()
        renderer.close()


def renderer_at(url: str) -> ModelRenderer:
    model = connect(Connection(url=url, model="fake", attempts=2, failures=0))
    return ModelRenderer(model, Settings(deadline=DEADLINE))


def names() -> list[str]:
    return [name for _, _, name in make_case("island-ferries").world.entities()]


@pytest.mark.parametrize("fault", FAULTS)
def test_with_every_fault_each_search_is_answered_in_time_and_recorded(
    shelf: Shelf, fault: str
) -> None:
    fake = FakeModel(faults={fault: 1.0}, late_seconds=2 * DEADLINE)
    with serving_fake(fake) as url, served(shelf, renderer_at(url)) as at:
        episode, tools = at.episode()
        with tools:
            start = time.monotonic()
            found = tools.search(*names()[:3])
            assert time.monotonic() - start < DEADLINE + 5
        assert [len(results) for results in found.results] == [10, 10, 10]
        assert all(result.snippet for results in found.results for result in results)
        turn = at.trainer.trajectory(episode)["turns"][0]
        written = [one for searched in turn["searched"] for one in searched["written"]]
        assert len(written) == 30
        assert all(one["reason"] for one in written if one["by"] == "template")
        assert {one["by"] for one in written} >= {"template"}
        by_template = sum(one["by"] == "template" for one in written)
        counted = [
            v for k, v in at.metrics().items() if k[:2] == ("worldgen_results_total", "template")
        ]
        assert sum(counted) == by_template


def test_an_honest_model_over_http_writes_what_agents_read(shelf: Shelf) -> None:
    with serving_fake(FakeModel()) as url, served(shelf, renderer_at(url)) as at:
        episode, tools = at.episode()
        with tools:
            for name in names()[:5]:
                tools.search(name)
        found = at.metrics()
        assert found["worldgen_results_total", "model", ""] > 45
        assert found["worldgen_alarms_total",] == 0
        assert found["worldgen_lwm_requests_total",] >= 5
        assert found["worldgen_lwm_completion_tokens_total",] > 100
        assert found["worldgen_tool_calls_total", "web_search"] == 5
        assert found["worldgen_episodes_open",] == 1
        assert found["worldgen_render_seconds_count",] == 5
        assert at.trainer.trajectory(episode)["prompt"]["variant"].startswith("search/1/")


def test_an_agent_cant_read_the_metrics(shelf: Shelf) -> None:
    with served(shelf, renderer_at("http://127.0.0.1:9")) as at:
        token = at.trainer.make_episode(seed=1)["token"]
        assert httpx.get(f"{at.base}/metrics").status_code == 401
        refused = httpx.get(f"{at.base}/metrics", headers={"Authorization": f"Bearer {token}"})
        assert refused.status_code == 403
        with HttpTools(at.base, token) as tools:
            tools.search(names()[0])
        assert at.metrics()["worldgen_results_total", "template", "unreachable"] == 10


def test_sixty_four_searches_are_in_flight_at_a_time(shelf: Shelf) -> None:
    """No reply comes before all of them wait for one."""
    together = 64
    gate = Gate(FakeLanguageModel(FakeModel()), together)
    with served(shelf, ModelRenderer(gate, Settings(deadline=60))) as at:

        def search(seed: int) -> bool:
            _, tools = at.episode(seed)
            with tools:
                return bool(tools.search(names()[seed % len(names())]).results[0])

        with ThreadPoolExecutor(together) as pool:
            assert all(pool.map(search, range(together)))
        late = [k for k in at.metrics() if k[0] == "worldgen_results_total" and k[2] == "late"]
        assert late == []


def test_every_episode_is_kept_in_a_file_when_it_ends(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "trajectories.jsonl"
    path.write_text("")
    with (
        serving_fake(FakeModel()) as url,
        served(shelf, renderer_at(url), Recorder(path)) as at,
    ):
        ids = []
        for seed in (1, 2):
            episode, tools = at.episode(seed)
            ids.append(episode)
            with tools:
                tools.search(names()[seed])
                if seed == 1:
                    tools.answer("| A |")
                    (line,) = path.read_text().splitlines()
                    assert Trajectory.model_validate_json(line).answer == "| A |"
        open_one = at.trainer.trajectory(ids[1])
    first, second = map(Trajectory.model_validate_json, path.read_text().splitlines())
    assert first.score is not None
    assert first.failure is None
    assert second.failure == LEFT_OPEN
    assert second.model_dump(mode="json") == {**open_one, "failure": LEFT_OPEN}


def test_a_file_that_cant_be_written_to_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="can't be written to: Is a directory"):
        Recorder(tmp_path)
