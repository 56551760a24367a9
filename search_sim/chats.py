"""Trajectories as chats, to train a world model on (environment turns) or an agent (actions).

A world model's chat is the one that it would be asked in: the parts of the prompt, then actions as
the user's turns and observations as the assistant's. An agent's chat is the usual one of a model
with tools.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from search_sim.history import past_search, write_action
from search_sim.prompts.instruction import write_instruction
from search_sim.prompts.prompt import Parts, action_message, observation_message
from search_sim.tools import TOOLS
from search_sim.trajectory import Trajectory, Turn
from worldgen.errors import ConfigurationError
from worldgen.lm.records import Message

History = Literal["masked", "full"]
Chat = dict[str, Any]

INSTRUCTED_TO_WRITE = "Write the page whose lines are these, as Markdown:"


def agent_chat(trajectory: Trajectory) -> Chat:
    """An agent's chat: every assistant message, tool calls and answer, is a target.

    Returns:
        `messages` and `tools`, as OpenAI-compatible trainers take them.
    """
    messages: list[Chat] = [{"role": "user", "content": trajectory.question}]
    for number, turn in enumerate(trajectory.turns, 1):
        if turn.tool != "answer":
            messages += _called(f"call_{number}", turn)
    if trajectory.answer is not None:
        messages.append({"role": "assistant", "content": trajectory.answer})
    return {"messages": messages, "tools": TOOLS}


def _called(call_id: str, turn: Turn) -> list[Chat]:
    arguments = json.dumps(turn.arguments, ensure_ascii=False)
    call = {
        "id": call_id,
        "type": "function",
        "function": {"name": turn.tool, "arguments": arguments},
    }
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": turn.observation},
    ]


def world_model_chat(trajectory: Trajectory, history: History = "masked") -> Chat:
    """A world model's chat: assistant messages are targets, but for those of weight 0.

    Args:
        trajectory: the episode.
        history: `masked` is as the model is asked when it serves: an opened page is URL, title and
            headings, of weight 0, and notes are left out. `full` has every observation whole, as
            a target; an opened page's lines then stand in its instruction.

    Returns:
        `messages`; a message of weight 0 has a field `weight`.
    """
    turns = [turn for turn in trajectory.turns if turn.tool != "answer"]
    if history == "masked":
        turns = [turn for turn in turns if turn.tool != "dict_memory"]
    messages = [_plain(trajectory.prompt.system)]
    for number, turn in enumerate(turns, 1):
        messages += _turn(number, turn, trajectory.prompt, history)
    return {"messages": messages}


def _turn(number: int, turn: Turn, parts: Parts, history: History) -> list[Chat]:
    masked = turn.tool == "web_extractor" and history == "masked"
    said = observation_message(turn.outline if masked else turn.observation)
    asked = action_message(number, _action(turn), _told(turn, parts, masked))
    return [_plain(asked), {**_plain(said), **({"weight": 0} if masked else {})}]


def _action(turn: Turn) -> str:
    """A call as the model's history has it: a search in its shortest form."""
    if turn.tool == "web_search":
        return past_search(turn.arguments["queries"], turn.arguments["page"], "").action
    return write_action(turn.tool, {k: v for k, v in turn.arguments.items() if v})


def _told(turn: Turn, parts: Parts, masked: bool) -> str:
    """The instruction of a turn: what its observation is made from."""
    if turn.tool == "web_search":
        template = parts.simulation_instruction
        return "\n\n".join(write_instruction(template, one.asked()) for one in turn.searched)
    if turn.tool == "web_extractor" and not masked:
        lines = [line.lstrip("#- ") for line in turn.observation.splitlines() if line.strip()]
        return "\n".join((INSTRUCTED_TO_WRITE, *lines))
    return ""


def _plain(message: Message) -> Chat:
    return {"role": message.role, "content": message.content}


def read_trajectories(path: Path, left_out: Callable[[int, str], None]) -> Iterator[Trajectory]:
    """The trajectories of a file of JSON lines.

    Args:
        path: the file.
        left_out: called with the number of a line that is none, from 1, and what is wrong with it.

    Raises:
        ConfigurationError: there is no such file, or it can't be read.
    """
    if not path.is_file():
        message = f"{path}: no such file of trajectories"
        raise ConfigurationError(message)
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield Trajectory.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                field = ".".join(map(str, first["loc"]))
                left_out(number, f"{field}: {first['msg']}" if field else first["msg"])


def write_chats(
    trajectories: Iterator[Trajectory],
    out: Path,
    write: Callable[[Trajectory], Chat],
    least_item_f1: float | None = None,
) -> tuple[int, int]:
    """Write a chat for each trajectory, one JSON line each, once all are there.

    Args:
        trajectories: the episodes.
        out: the file.
        write: makes the chat.
        least_item_f1: leave out episodes below that score, and those without one.

    Returns:
        How many were written, and how many were left out for their score.
    """
    written = poor = 0
    temporary = out.with_name(f".{out.name}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            for trajectory in trajectories:
                if least_item_f1 is not None and _item_f1(trajectory) < least_item_f1:
                    poor += 1
                    continue
                tags = {"task_id": trajectory.task_id, "seed": trajectory.seed}
                line = json.dumps({**write(trajectory), **tags}, ensure_ascii=False)
                file.write(line + "\n")
                written += 1
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)
    return written, poor


def _item_f1(trajectory: Trajectory) -> float:
    return trajectory.score.item_f1 if trajectory.score else -1.0
