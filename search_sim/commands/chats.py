"""The command that turns trajectories into chats to train on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from search_sim.commands.common import PATH


@click.command()
@click.argument("trajectories", type=PATH)
@click.option("--out", required=True, type=PATH, help="The file to write, one JSON line a chat.")
@click.option(
    "--for",
    "learner",
    required=True,
    type=click.Choice(["agent", "world-model"]),
    help="Whose turns are targets: the agent's actions, or the environment's observations.",
)
@click.option(
    "--history",
    default="masked",
    show_default=True,
    type=click.Choice(["masked", "full"]),
    help="For a world model: opened pages as it knows them when it serves, or whole as targets.",
)
@click.option(
    "--least-item-f1",
    type=click.FloatRange(0, 1),
    help="Leave out episodes that scored less, or weren't scored.",
)
def chats(
    trajectories: Path, out: Path, learner: str, history: str, least_item_f1: float | None
) -> None:
    """Write the episodes in TRAJECTORIES as chat messages, to train a world model or an agent."""
    from search_sim.chats import agent_chat, read_trajectories, world_model_chat, write_chats

    def left_out(line: int, problem: str) -> None:
        click.echo(f"Left out: {trajectories}, line {line}: {problem}", err=True)

    full = history == "full"
    write = (
        agent_chat
        if learner == "agent"
        else partial(world_model_chat, history="full" if full else "masked")
    )
    found = read_trajectories(trajectories, left_out)
    written, poor = write_chats(found, out, write, least_item_f1)
    below = f", {poor} left out for their score" if poor else ""
    click.echo(f"{written} chats in {out}{below}")
