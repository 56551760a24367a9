"""What agents type: names, attributes, pairs, years, lists, questions, guesses, noise."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from queries.task import Task
from search_sim.open_world import OpenWorld
from worldgen.blueprint import Column, Table
from worldgen.surface import write
from worldgen.world import World

MakeQuery = Callable[[OpenWorld, Task, Random], str]

_NOISE = (
    *("which", "is the", "highest", "more than", "2029", "all", "[amount]", "Snippet:", "[1]"),
    *('"', "AND", "(", "site:", "*", "é", "名前", "zzzzqq", "</predicted_observation>"),
)
_NOISE_WORDS = 4
_NAMED = 0.7


def name(world: OpenWorld, task: Task, rng: Random) -> str:
    """An entity by its name, or by a short form of it."""
    table, entity_id, whole = rng.choice(list(world.world.entities()))
    return rng.choice((whole, *world.world.short_names.get((table, entity_id), ())))


def attribute(world: OpenWorld, task: Task, rng: Random) -> str:
    """An attribute of an entity, or two."""
    found = world.world
    table = rng.choice(_described(found))
    columns = rng.sample(table.details, min(rng.randint(1, 2), len(table.details)))
    entity = found.name_of(table.name, rng.choice(found.ids(table.name)))
    return " ".join((entity, *dict.fromkeys(_spoken(column, rng) for column in columns)))


def pair(world: OpenWorld, task: Task, rng: Random) -> str:
    """Whether two entities are linked, or a detail of that; an attribute where none can be."""
    found, links = world.world, world.world.blueprint.links()
    if not links:
        return attribute(world, task, rng)
    link = rng.choice(links)
    sides = [str(link.column(side).to) for side in link.key_columns]
    keys = list(found.tables[link.name]) or [tuple(rng.choice(found.ids(side)) for side in sides)]
    entities = [found.name_of(t, i) for t, i in zip(sides, rng.choice(keys), strict=True)]
    return " ".join((*entities, rng.choice([link.label, *(c.label for c in link.details)])))


def yearly(world: OpenWorld, task: Task, rng: Random) -> str:
    """A figure of one year; an attribute where there are none."""
    found = world.world
    tables = [t for t in found.blueprint.tables if t.kind == "yearly" and t.details]
    if not tables:
        return attribute(world, task, rng)
    table = rng.choice(tables)
    key = rng.choice(list(found.tables[table.name]))
    entity = found.name_of(str(table.refs[0].to), key[0])
    return f"{entity} {_spoken(rng.choice(table.details), rng)} {key[1]}"


def list_title(world: OpenWorld, task: Task, rng: Random) -> str:
    """The title of a list."""
    tables = [t for t in world.world.blueprint.tables if t.kind == "entity"]
    return f"All {rng.choice(tables).plural}, A to Z"


def question(world: OpenWorld, task: Task, rng: Random) -> str:
    """The task's question, as it stands."""
    return task.question


def guess(world: OpenWorld, task: Task, rng: Random) -> str:
    """A value, right or near it, with the attribute and most often the entity."""
    found = world.world
    table = rng.choice(_described(found))
    column, entity_id = rng.choice(table.details), rng.choice(found.ids(table.name))
    value = found.tables[table.name][(entity_id,)][column.name]
    if column.to:
        value = found.name_of(column.to, int(value))
    elif isinstance(value, int):
        value += rng.randint(0, 1)
    entity = found.name_of(table.name, entity_id) if rng.random() < _NAMED else ""
    return f"{entity} {column.label} {write(column, value, rng.randrange(2))}".strip()


def site(world: OpenWorld, task: Task, rng: Random) -> str:
    """A site by its name."""
    return rng.choice(world.web.sites).name


def title(world: OpenWorld, task: Task, rng: Random) -> str:
    """The title of some page."""
    return rng.choice(world.web.pages).title


def noise(world: OpenWorld, task: Task, rng: Random) -> str:
    """Words that name nothing, and marks that mean something elsewhere."""
    return " ".join(rng.sample(_NOISE, _NOISE_WORDS))


KINDS: tuple[MakeQuery, ...] = (
    *(name, attribute, attribute, pair, yearly, list_title, question, guess, site, title, noise),
)
"""The kinds of queries; attributes are drawn twice as often, since they are what is disclosed."""


def draw_query(world: OpenWorld, task: Task, rng: Random) -> str:
    """A query of some kind."""
    return rng.choice(KINDS)(world, task, rng)


def _described(world: World) -> list[Table]:
    return [t for t in world.blueprint.tables if t.kind == "entity" and t.details]


def _spoken(column: Column, rng: Random) -> str:
    return rng.choice((column.label, *column.aliases))
