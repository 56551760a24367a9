"""One episode in process: a world, a task, an agent that reads and writes text, a reward.

`rollout` is what a trainer wraps, and `toy_agent` stands where its model would. An agent is a
generator that yields calls of tools and is sent what each gave back, so a model fits in like this:

    def model_agent(question: str) -> Agent:
        messages = [{"role": "user", "content": question}]
        while True:
            message, call = sample(messages)
            observation = yield call
            messages += [message, {"role": "tool", "content": observation}]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from answers import Score, score, to_markdown
from search_sim import Episode, OpenWorld, Policy, build_world
from worldgen import WorldgenError, domain, domains

TASKS = 4
SHOWN_LINES = 4
MOST_NAMES = 20
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Call(NamedTuple):
    """One call of a tool: what is searched for, which URL is opened, what is answered."""

    tool: Literal["web_search", "web_extractor", "answer"]
    text: str


Agent = Generator[Call, str, None]


def rollout(episode: Episode, agent: Agent, most_calls: int) -> Score:
    """Let an agent act until it answers or has made all its calls; its score is the reward."""
    call = next(agent)
    for number in range(1, most_calls + 1):
        if call.tool == "answer":
            episode.answer(call.text)
            break
        observation = use(episode, call)
        show(number, call, observation)
        call = agent.send(observation)
    return score(episode.task.answer, episode.answer_text)


def use(episode: Episode, call: Call) -> str:
    """What a call gives back, as the text that a model would read."""
    if call.tool == "web_search":
        return episode.search(call.text).text
    return episode.extract(call.text).content


def show(number: int, call: Call, observation: str) -> None:
    """Print a call and the first lines of what it gave back."""
    print(f"\n{number}. {call.tool}: {call.text}")
    lines = [line for line in observation.splitlines() if line]
    for line in lines[:SHOWN_LINES]:
        print(f"   {line[:100]}")
    if len(lines) > SHOWN_LINES:
        print(f"   ... {len(lines) - SHOWN_LINES} more lines")


# ------------------------------------------------------------ the agent


def toy_agent(question: str) -> Agent:
    """Find the list that the question is about, then look up every cell of its rows.

    It reads lines such as `Harbour depth: 7.2 m` and no sentences, and of conditions only "more
    than" and "less than", so it is right about some rows alone.
    """
    key, *asked = re.findall(r'"([^"]+)"', question)
    about = re.search(r"(?:Of|For each of) (all|the) (.+?), (?:list|take)", question)
    title = about[2] if about else f"{key}s"
    if about is None or about[1] == "all":
        title = f"All {title}, A to Z"
    found = titles((yield Call("web_search", title)))
    listing = yield Call("web_extractor", best(found, title))
    items = listing.partition("## See also")[0]
    names = re.findall(r"^- \[(.+?)(?: \([^)]*\))?\]\(", items, re.MULTILINE)
    rows = []
    for name in names[:MOST_NAMES]:
        known = yield from look_up(name, list(map(bare, asked)))
        if fits(question, known):
            rows.append([name, *(known.get(bare(heading)) for heading in asked)])
    yield Call("answer", to_markdown([key, *asked], rows))


def look_up(name: str, labels: list[str]) -> Generator[Call, str, dict[str, str]]:
    """What pages with a name in their title state, by label: one page for each label at most."""
    known: dict[str, str] = {}
    opened: set[str] = set()
    for label in labels:
        if label in known:
            continue
        found = titles((yield Call("web_search", f"{name} {label}")))
        year = label[-4:] if label[-4:].isdecimal() else ""
        able = [url for url, text in found.items() if name in text and year in text]
        for url in [url for url in able if url not in opened][:1]:
            opened.add(url)
            page = yield Call("web_extractor", url)
            for stated, value in re.findall(r"^- ([^:\[]+): (.+)$", page, re.MULTILINE):
                known[f"{stated} in {year}" if year else stated] = value
    return known


def bare(heading: str) -> str:
    """A heading without its unit."""
    return re.sub(r" \([^)]*\)$", "", heading)


def titles(results: str) -> dict[str, str]:
    """The titles of search results by URL."""
    return dict(re.findall(r"^\[\d+\] (\S+)\nTitle: (.+)$", results, re.MULTILINE))


def best(found: dict[str, str], title: str) -> str:
    """The URL of the result with that title, else of the first one."""
    same = [url for url, text in found.items() if text.casefold() == title.casefold()]
    return next(iter((*same, *found)), "")


def fits(question: str, known: dict[str, str]) -> bool:
    """Whether what is known of a row meets the question's condition, as far as can be told."""
    asked = re.search(r"whose (.+?) (?:is|was) (more|less) than \$?([\d,.]*\d)", question)
    value = asked and NUMBER.search(known.get(asked[1][:1].upper() + asked[1][1:], ""))
    if not asked or not value:
        return True
    difference = float(value[0].replace(",", "")) - float(asked[3].replace(",", ""))
    return difference > 0 if asked[2] == "more" else difference < 0


# ------------------------------------------------------------ the command


def main() -> None:
    """Run one episode and print it."""
    parser = argparse.ArgumentParser(description="Run one episode of one task with a toy agent.")
    parser.add_argument("--world", type=Path, help="a .world file; without one, a world is built")
    parser.add_argument("--domain", default="island-ferries", choices=domains())
    parser.add_argument(
        "--seed", type=int, default=7, help="of the episode and of a built world (7)"
    )
    parser.add_argument("--task", type=int, default=1, help="the number of the task (1)")
    parser.add_argument("--policy", default="reach", choices=get_args(Policy))
    parser.add_argument("--calls", type=int, default=120, help="the most calls of tools (120)")
    parser.add_argument("--out", type=Path, help="a .jsonl file to add the trajectory to")
    chosen = parser.parse_args()
    try:
        world = open_world(chosen.world, chosen.domain, chosen.seed)
        tasks = list(world.tasks.values())
        if not 1 <= chosen.task <= len(tasks):
            parser.error(f"there are {len(tasks)} tasks, and no number {chosen.task}")
        episode = Episode(world, tasks[chosen.task - 1], chosen.policy, chosen.seed)
    except WorldgenError as error:
        sys.exit(f"error: {error}")
    print(episode.task.question)
    reward = rollout(episode, toy_agent(episode.task.question), chosen.calls)
    report(episode, reward)
    if chosen.out:
        write(chosen.out, episode, reward)


def open_world(path: Path | None, name: str, seed: int) -> OpenWorld:
    """The world of a file, or one that is built."""
    if path:
        return OpenWorld.read(path)
    built = build_world(domain(name), seed, TASKS)
    return OpenWorld(built.file.world, built.file.web, built.tasks)


def report(episode: Episode, reward: Score) -> None:
    """Print how the episode ended."""
    counts = episode.counts
    print(f"\n{episode.answer_text or 'There was no answer.'}")
    print(f"{counts.searches} searches, {counts.extractions} extractions, policy {episode.policy}")
    print(
        f"item F1 {reward.item_f1:.3f}, row F1 {reward.row_f1:.3f}, "
        f"guarded-cell F1 {reward.guarded_f1:.3f}, success {reward.success}"
    )


def write(path: Path, episode: Episode, reward: Score) -> None:
    """Add the episode's trajectory to a file, one JSON line."""
    record = episode.trajectory.model_copy(
        update={"agent": "toy", "answer": episode.answer_text, "score": reward}
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(record.model_dump_json() + "\n")
    print(f"The trajectory is in {path}.")


if __name__ == "__main__":
    main()
