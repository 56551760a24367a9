"""Chats: what a world model or an agent is trained on, from the record of an episode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support import Case

from answers.markdown import to_markdown
from answers.score import score
from search_sim.chats import agent_chat, world_model_chat
from search_sim.cli import main
from search_sim.episode import Episode
from search_sim.prompts.prompt import messages, parts_of
from search_sim.prompts.variant import read_variant
from search_sim.trajectory import Trajectory


@pytest.fixture(scope="module")
def episode(ferries: Case) -> Episode:
    task = next(iter(ferries.opened.tasks.values()))
    made = Episode(ferries.opened, task, seed=2)
    name = next(ferries.world.entities())[2]
    url = made.search(name).results[0][0].url
    made.extract(url)
    made.memory("add", {"a": "1"})
    made.search(name, f"{name} opened", page=1)
    made.extract("https://nowhere.example/")
    gold = to_markdown([c.name for c in task.answer.columns], task.answer.rows)
    made.answer(gold)
    made.trajectory.score = score(task.answer, gold)
    return made


def roles(chat: dict[str, Any]) -> list[str]:
    return [message["role"] for message in chat["messages"]]


def test_an_agents_chat_has_its_calls_and_its_answer_as_targets(episode: Episode) -> None:
    chat = agent_chat(episode.trajectory)
    assert roles(chat) == ["user", *("assistant", "tool") * 5, "assistant"]
    assert chat["messages"][0]["content"] == episode.task.question
    assert chat["messages"][-1]["content"] == episode.answer_text
    for asked, told, turn in zip(
        chat["messages"][1:-1:2], chat["messages"][2:-1:2], episode.trajectory.turns, strict=False
    ):
        (call,) = asked["tool_calls"]
        assert call["id"] == told["tool_call_id"]
        assert call["function"]["name"] == turn.tool
        assert json.loads(call["function"]["arguments"]) == turn.arguments
        assert told["content"] == turn.observation
    assert [tool["function"]["name"] for tool in chat["tools"]] == [
        *("web_search", "web_extractor", "dict_memory"),
    ]


def test_a_world_models_chat_is_what_it_would_be_asked_with_observations_as_targets(
    ferries: Case, episode: Episode
) -> None:
    turns = episode.trajectory.turns
    chat = world_model_chat(episode.trajectory)
    assert roles(chat) == ["system", *("user", "assistant") * 4]
    first = turns[0].searched[0].asked()
    asked = messages(parts_of(read_variant(), ferries.opened.about), [], first, 1_000)
    assert [m["content"] for m in chat["messages"][:2]] == [m.content for m in asked]
    assert turns[0].observation in chat["messages"][2]["content"]
    weights = [m.get("weight", 1) for m in chat["messages"] if m["role"] == "assistant"]
    assert weights == [1, 0, 1, 0]
    opened = chat["messages"][4]["content"]
    assert turns[1].outline in opened
    assert turns[1].observation not in opened
    assert "dict_memory" not in "".join(m["content"] for m in chat["messages"][1:])
    batch = chat["messages"][5]["content"]
    assert batch.count("Relevance:") == sum(len(one.given) + 1 for one in turns[3].searched)


def test_a_full_history_has_every_observation_as_a_target(episode: Episode) -> None:
    chat = world_model_chat(episode.trajectory, "full")
    said = [m for m in chat["messages"] if m["role"] == "assistant"]
    turns = episode.trajectory.turns[:-1]
    assert len(said) == len(turns)
    assert all("weight" not in m for m in said)
    for message, turn in zip(said, turns, strict=True):
        assert turn.observation in message["content"]
    page = chat["messages"][3]["content"]
    stated = [line.lstrip("#- ") for line in turns[1].observation.splitlines() if line]
    assert all(line in page for line in stated)


def test_a_trajectory_is_read_back_as_it_was_written(episode: Episode) -> None:
    line = episode.trajectory.model_dump_json()
    back = Trajectory.model_validate_json(line)
    assert back == episode.trajectory
    assert world_model_chat(back) == world_model_chat(episode.trajectory)


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["chats", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_file_of_trajectories_becomes_a_file_of_chats(episode: Episode, tmp_path: Path) -> None:
    good = episode.trajectory.model_dump_json()
    poor = episode.trajectory.model_copy(update={"score": None}).model_dump_json()
    file, out = tmp_path / "t.jsonl", tmp_path / "c.jsonl"
    file.write_text(f'{good}\n{{"task_id": 3}}\n\nnothing\n{poor}\n')
    code, said = run(file, "--for", "agent", "--out", out, "--least-item-f1", "0.9")
    assert code == 0
    assert f"{file}, line 2: task_id: Input should be a valid string" in said
    assert f"{file}, line 4: Invalid JSON" in said
    assert f"1 chats in {out}, 1 left out for their score" in said
    (line,) = out.read_text().splitlines()
    assert json.loads(line)["task_id"] == episode.task.task_id
    code, _ = run(file, "--for", "world-model", "--history", "full", "--out", out)
    assert code == 0
    assert len(out.read_text().splitlines()) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.jsonl", "t.jsonl"]


def test_wrong_input_is_one_clear_line(tmp_path: Path) -> None:
    code, said = run(tmp_path / "no", "--for", "agent", "--out", tmp_path / "c")
    assert (code, said) == (1, f"Error: {tmp_path / 'no'}: no such file of trajectories\n")
    assert run(tmp_path, "--for", "nobody", "--out", tmp_path / "c")[0] == 2
