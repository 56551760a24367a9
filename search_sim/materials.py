"""Materials: what a renderer is given, and what it gives back.

It is given masked passages and disclosed facts, and nothing else: not the page, not the world, not
the task. What it is given is equal between a world and its twin until a fact that differs is
disclosed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from search_sim.audit.vocabulary import Vocabulary
from search_sim.controls import Controls
from search_sim.passages import Passage, Relevance

Author = Literal["model", "template"]


@dataclass(frozen=True)
class Material:
    """What a renderer is given of one result; URL, title and date must stay as they are.

    Attributes:
        date: ISO 8601.
        relevance: how much of the query its title and passages name.
    """

    url: str
    title: str
    date: str | None
    relevance: Relevance
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Asked:
    """One query's page of results that is to be written, in the engine's order.

    Attributes:
        page: which page of results, from 1.
    """

    query: str
    page: int
    materials: tuple[Material, ...]


@dataclass(frozen=True)
class Past:
    """A turn that has been, as a model may know it.

    Attributes:
        action: the tool and its arguments, as JSON.
        observation: what came back; of an extracted page the URL, title and headings alone.
    """

    action: str
    observation: str


@dataclass(frozen=True)
class Scene:
    """What a renderer is told of the episode, all of it open.

    Attributes:
        about: what the fictional web is about, in a few words.
        vocabulary: the world's open words, by which what a model writes is checked.
        history: the turns so far, oldest first.
        seed: the episode's.
    """

    about: str
    vocabulary: Vocabulary
    history: tuple[Past, ...]
    seed: int
    controls: Controls


@dataclass(frozen=True)
class Written:
    """One result as it was written.

    Attributes:
        place: which of the materials it is.
        attempt: which of a model's replies it comes from, the first being 1; 0 if from none.
        reason: why the template stands in for a model; empty where it doesn't.
    """

    place: int
    snippet: str
    by: Author = "template"
    reason: str = ""
    attempt: int = 0


@dataclass(frozen=True)
class Rendering:
    """A page of results as it was written, each material once, in the order to show.

    Attributes:
        attempts: how often a model replied.
        faults: what was wrong with its replies, in order.
    """

    results: tuple[Written, ...]
    attempts: int = 0
    faults: tuple[str, ...] = ()
