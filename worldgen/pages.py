"""The fictional web as records: sites, pages, statements and the claims that they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from worldgen.blueprint import SiteKind
from worldgen.facts import Fact, Value

Layout = Literal["sentence", "fact", "item", "heading"]


@dataclass(frozen=True)
class Claim:
    """What a statement says of one fact.

    Attributes:
        fact: the fact.
        value: the stated value: for a cell what the table holds, for a list its length, for a row
            1, for a superlative the id of the entity.
        start, end: the span of the surface form in the statement's text, in characters. The claim
            that a row exists spans the whole statement.
        placeholder: what stands at the span where the value is withheld.
        depends_on: every fact that was read to write the span.
    """

    fact: Fact
    value: Value
    start: int
    end: int
    placeholder: str
    depends_on: tuple[Fact, ...]


@dataclass(frozen=True)
class Statement:
    """One sentence, or one line of a list or table.

    Attributes:
        claims: in the order of their spans; a claim that a row exists comes first.
        depends_on: every fact that its writer read outside the claims' spans.
        href: the URL that the line links to, or none.
    """

    text: str
    layout: Layout = "sentence"
    claims: tuple[Claim, ...] = ()
    depends_on: tuple[Fact, ...] = ()
    href: str | None = None

    def spans_all(self, claim: Claim) -> bool:
        """Whether a claim is made by the whole statement, so that it can't be cut out of it."""
        return claim.start == 0 and claim.end == len(self.text)

    def markdown(self) -> str:
        """The statement as it stands in the page's Markdown."""
        text = f"[{self.text}]({self.href})" if self.href else self.text
        prefix = {"sentence": "", "fact": "- ", "item": "- ", "heading": "## "}[self.layout]
        return prefix + text


@dataclass(frozen=True)
class Link:
    """A link to another page of the web; its text and target depend on no guarded fact."""

    text: str
    url: str


@dataclass(frozen=True)
class Page:
    """A list of statements and links under a URL, with a title and a date (ISO 8601)."""

    url: str
    site: str
    title: str
    date: str
    statements: tuple[Statement, ...]
    links: tuple[Link, ...] = ()

    @cached_property
    def markdown(self) -> str:
        """The whole page, as an extractor gives it."""
        blocks = [f"# {self.title}"]
        previous: Layout = "heading"
        for statement in self.statements:
            joined = statement.layout == previous and statement.layout in ("fact", "item")
            glue = "\n" if joined else "\n\n"
            blocks.append(glue + statement.markdown())
            previous = statement.layout
        if self.links:
            blocks.append(
                "\n\n## See also\n\n"
                + "\n".join(f"- [{link.text}]({link.url})" for link in self.links)
            )
        return "".join(blocks)

    @cached_property
    def outgoing(self) -> tuple[str, ...]:
        """The URLs that the page links to, in order."""
        hrefs = [statement.href for statement in self.statements if statement.href]
        return tuple(dict.fromkeys([*hrefs, *(link.url for link in self.links)]))

    @cached_property
    def facts(self) -> frozenset[Fact]:
        """The facts that the page states."""
        return frozenset(claim.fact for statement in self.statements for claim in statement.claims)


@dataclass(frozen=True)
class Site:
    """A site: its kind, its name, the host of its URLs and the URL of its home page."""

    id: str
    kind: SiteKind
    name: str
    host: str

    @property
    def home(self) -> str:
        """The URL of its home page."""
        return f"https://{self.host}/"


@dataclass(frozen=True)
class Web:
    """All sites and pages of a world, pages in the order of their URLs."""

    sites: tuple[Site, ...]
    pages: tuple[Page, ...] = field(repr=False)

    @cached_property
    def by_url(self) -> dict[str, Page]:
        """The pages by URL."""
        return {page.url: page for page in self.pages}

    def stating(self, facts: Iterable[Fact]) -> dict[Fact, tuple[str, ...]]:
        """For each of some facts: the URLs of the pages that state it."""
        return {fact: self._where.get(fact, ()) for fact in facts}

    @cached_property
    def _where(self) -> dict[Fact, tuple[str, ...]]:
        where: dict[Fact, list[str]] = {}
        for page in self.pages:
            for fact in sorted(page.facts):
                where.setdefault(fact, []).append(page.url)
        return {fact: tuple(urls) for fact, urls in where.items()}
