"""What searching costs: indexes, the bare engine, the guard, whole searches, extractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from benchmarks.common import compare, options, positive, print_table, rate, seconds, times
from queries.task import Task
from search_sim.build import build_world
from search_sim.controls import Controls
from search_sim.engines import ENGINES, MakeEngine, make_engine
from search_sim.episode import Episode
from search_sim.guard import Effective, Guard
from search_sim.open_world import OpenWorld
from search_sim.tools import MOST_QUERIES
from worldgen.facts import Fact
from worldgen.library import domain, domains
from worldgen.seeds import generator
from worldgen.world import World

SEED = 21
TASKS = 2
QUERIES_AN_EPISODE = 20
NOTHING: frozenset[Fact] = frozenset()
BARE, GUARD, OPEN, REACH = "bare engine", "guard alone", "search, open", "search, reach"
MASKED = "masked index"

Cases = dict[str, Callable[[], object]]


def typed(world: World, tasks: Sequence[Task], count: int) -> list[str]:
    """What agents type: in turn a name, a name and an attribute, a kind of list, a question."""
    rng = generator(SEED, "queries", world.id)
    entities = list(world.entities())
    found: list[str] = []
    for number in range(count):
        table_name, _, name = rng.choice(entities)
        table = world.blueprint.table(table_name)
        label = rng.choice(table.details).label
        kinds = (name, f"{name} {label}", f"All {table.plural}", rng.choice(tasks).question)
        found.append(kinds[number % len(kinds)])
    return found


class Bench:
    """A world that is open for searching, and the queries that are asked of it."""

    def __init__(self, name: str, engine: MakeEngine, query_count: int) -> None:
        """Build a world of a domain."""
        built = build_world(domain(name), SEED, TASKS)
        self._engine = engine
        self.opened = OpenWorld(built.file.world, built.file.web, built.tasks, engine)
        self.task = built.tasks[0]
        self.queries = typed(self.opened.world, built.tasks, query_count)

    def reopened(self) -> OpenWorld:
        """The same world with nothing indexed."""
        return OpenWorld(self.opened.world, self.opened.web, engine=self._engine)

    def indexes(self) -> Cases:
        """What is made when a world is first searched."""
        return {
            MASKED: lambda: self.reopened().masked,
            "full index, for open": lambda: self.reopened().full,
            "lexicon": lambda: self.reopened().lexicon,
        }

    def searches(self) -> Cases:
        """Every query once, through parts of a search and through whole ones."""
        passages, engine = self.opened.masked
        results = Controls().results
        found = [engine.search(query)[:results] for query in self.queries]
        return {
            BARE: lambda: [engine.search(query) for query in self.queries],
            GUARD: self._guard,
            "passages alone": lambda: [
                passages.choose(place, query, NOTHING)
                for query, places in zip(self.queries, found, strict=True)
                for place in places
            ],
            "search, tease": partial(self._search, "tease"),
            REACH: partial(self._search, "reach"),
            OPEN: partial(self._search, "open"),
            f"search, reach, by {MOST_QUERIES}": partial(self._search, "reach", MOST_QUERIES),
        }

    def _turns(self) -> Iterator[list[str]]:
        """The queries of one episode after another."""
        for start in range(0, len(self.queries), QUERIES_AN_EPISODE):
            yield self.queries[start : start + QUERIES_AN_EPISODE]

    def _guard(self) -> None:
        for seed, queries in enumerate(self._turns()):
            guard = Guard(self.opened.lexicon, "reach", self.task.disclosures, seed)
            for query in queries:
                guard.disclose(query)

    def _search(self, policy: Effective, batch: int = 1) -> None:
        for seed, queries in enumerate(self._turns()):
            episode = Episode(self.opened, self.task, policy, seed)
            for start in range(0, len(queries), batch):
                episode.search(*queries[start : start + batch])

    def extractions(self) -> Cases:
        """Every page once: its Markdown is written when first asked for, then kept."""
        pages = self.opened.web.pages
        return {
            "writing its Markdown": lambda: [replace(page).markdown for page in pages],
            "extraction": self._extract,
        }

    def _extract(self) -> None:
        urls = list(self.opened.web.by_url)
        episode = Episode(self.opened, self.task, shown=set(urls))
        for url in urls:
            episode.extract(url)


def measure(bench: Bench, rounds: int) -> None:
    """Measure one world and print its tables."""
    pages = len(bench.opened.web.pages)
    where = f"{bench.opened.world.blueprint.id}, {pages} pages"
    made = compare(bench.indexes(), rounds)
    rows = [[what, seconds(t), times(t, made[MASKED])] for what, t in made.items()]
    print_table(f"Indexing: {where}", ("made", "CPU s", "x masked index"), rows)

    count = len(bench.queries)
    taken = compare(bench.searches(), rounds)
    rows = [
        [what, f"{t / count * 1e6:,.0f}", rate(count, t), times(t, taken[BARE])]
        for what, t in taken.items()
    ]
    headings = ("for each query", "CPU us", "queries/CPU s", "x bare engine")
    print_table(f"Searching: {where}, {count} queries", headings, rows)

    opened = compare(bench.extractions(), rounds)
    rows = [
        [what, f"{t / pages * 1e6:,.0f}", rate(pages, t), times(taken[OPEN] / count, t / pages)]
        for what, t in opened.items()
    ]
    headings = ("for each page", "CPU us", "pages/CPU s", "search, open / this")
    print_table(f"Extracting: {where}", headings, rows)

    ratios = [
        ["guard / bare engine", times(taken[GUARD], taken[BARE])],
        ["guard / search, reach", times(taken[GUARD], taken[REACH])],
        ["search, reach / search, open", times(taken[REACH], taken[OPEN])],
    ]
    print_table(f"The guard: {where}", ("overhead", "ratio"), ratios)


def main() -> None:
    """Measure a world of each of some domains."""
    parser = options(__doc__)
    parser.add_argument(
        "--domain", action="append", choices=domains(), help="repeat for several (two; one, quick)"
    )
    parser.add_argument("--engine", default="tantivy", choices=ENGINES)
    parser.add_argument("--queries", type=positive, help="queries (120; 40, quick)")
    parser.add_argument("--rounds", type=positive, help="rounds (5; 1, quick)")
    chosen = parser.parse_args()
    count = chosen.queries or (40 if chosen.quick else 120)
    for name in chosen.domain or domains()[: 1 if chosen.quick else 2]:
        bench = Bench(name, make_engine(chosen.engine), count)
        measure(bench, chosen.rounds or (1 if chosen.quick else 5))


if __name__ == "__main__":
    main()
