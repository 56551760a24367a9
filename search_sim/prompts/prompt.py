"""A prompt as a record of five parts, and as the messages of a chat.

The parts are those of a language world model's trajectory (Qwen-AgentWorld, arXiv 2606.24597):
task description, action space, initial state, demonstrations, simulation instruction. Turns that
have been are the user's (actions) and the assistant's (observations). The instruction changes with
every search, so it stands in the last message: what comes before it stays the same from turn to
turn, and a server can keep it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from search_sim.history import past_search
from search_sim.materials import Asked, Past
from search_sim.prompts.instruction import fill, write_instruction
from search_sim.prompts.variant import Variant
from search_sim.tools import TOOLS
from worldgen.lm.records import Message

CHARACTERS_A_TOKEN = 3
"""Fewer than any usual tokenizer needs for English, so that the estimate errs to the safe side."""

TAG = "predicted_observation"


class Parts(BaseModel):
    """The five parts of a prompt, filled in as far as they are the same for a whole episode.

    Attributes:
        variant: the id of the variant that they come from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: str
    task_description: str
    action_space: str
    initial_state: str
    demonstrations: str
    simulation_instruction: str

    @property
    def system(self) -> Message:
        """The parts that come before every turn."""
        parts = (self.task_description, self.action_space, self.initial_state, self.demonstrations)
        return Message("system", "\n\n".join(part for part in parts if part))


@lru_cache(maxsize=256)
def parts_of(variant: Variant, about: str) -> Parts:
    """The parts of a variant, for a web that is about something."""
    once = {"tools": json.dumps(TOOLS, ensure_ascii=False), "about": about}
    return Parts(
        variant=variant.id,
        task_description=variant.task_description.strip(),
        action_space=fill(variant.action_space, once),
        initial_state=fill(variant.initial_state, once),
        demonstrations=variant.demonstrations.strip(),
        simulation_instruction=variant.simulation_instruction.strip(),
    )


def action_message(turn: int, action: str, instruction: str = "") -> Message:
    """The user's message of a turn, counted from 1, with its instruction if it has one."""
    text = f"### Turn {turn}\n**Action:**\n```json\n{action}\n```"
    if instruction:
        text += f"\n**Simulation Instruction:**\n{instruction}"
    return Message("user", text)


def observation_message(observation: str) -> Message:
    """The assistant's message of a turn that has been."""
    return Message("assistant", f"<{TAG}>\n{observation}\n</{TAG}>")


def messages(
    parts: Parts, history: Sequence[Past], asked: Asked, history_tokens: int
) -> tuple[Message, ...]:
    """The whole chat that asks for one page of results.

    Args:
        parts: the parts.
        history: the turns so far, oldest first.
        asked: the page of results.
        history_tokens: what the history may take up, as `trimmed` counts it.
    """
    kept = trimmed(history, history_tokens)
    chat = [parts.system]
    for number, past in enumerate(kept, len(history) - len(kept) + 1):
        chat += [action_message(number, past.action), observation_message(past.observation)]
    action = past_search((asked.query,), asked.page, "").action
    instruction = write_instruction(parts.simulation_instruction, asked)
    return (*chat, action_message(len(history) + 1, action, instruction))


def trimmed(history: Sequence[Past], tokens: int) -> Sequence[Past]:
    """The newest turns that fit into some tokens, estimated from characters; whole turns alone."""
    start, left = len(history), tokens * CHARACTERS_A_TOKEN
    while start:
        left -= len(history[start - 1].action) + len(history[start - 1].observation)
        if left < 0:
            break
        start -= 1
    return history[start:]
