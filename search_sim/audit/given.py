"""What the writer of one result was given, with its items read once."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from answers.dates import YEAR
from search_sim.audit.dates import Date, coarser, find_dates
from search_sim.audit.numbers import Number, find_numbers
from search_sim.audit.tokens import STOPS, Token, cut, exact, normalise, run, sentences, stem

_HIDDEN = ("C", "Zl", "Zp")
"""Classes of characters that nobody sees, which no snippet may take over."""

_WORDS = frozenset({"word", "placeholder"})


@dataclass(frozen=True, eq=False)
class Part:
    """The title, the date, or a piece of a passage.

    A passage is cut at its semicolons, since each piece of a line such as `single fare 45 USD;
    number of weekly sailings 9` says something else.

    Attributes:
        text: it, normalised.
        tokens: its tokens.
    """

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def run(self) -> str:
        """It as `search_sim.audit.tokens.run` writes it, for finding words in a row."""
        return run(self.tokens)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case, and those of its placeholders."""
        return frozenset(t.fold.strip("[]") for t in self.tokens if t.kind in _WORDS)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Its words without plain endings."""
        return frozenset(map(stem, self.words))

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """Its words without plain endings, in order, with the stops that part its sentences."""
        kept = (t for t in self.tokens if t.kind == "word" or t.fold in STOPS)
        return tuple([stem(token.fold) for token in kept])

    @cached_property
    def proper(self) -> frozenset[str]:
        """The words with a capital that doesn't come from the place where they stand alone."""
        capital = [token.kind == "word" and token.text[0].isupper() for token in self.tokens]
        opens = [True, *(token.fold in STOPS or token.fold == ":" for token in self.tokens)]
        return frozenset(
            token.fold
            for place, token in enumerate(self.tokens)
            if capital[place] and (not opens[place] or any(capital[place + 1 : place + 2]))
        )

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """Its placeholders."""
        return frozenset(t.text for t in self.tokens if t.kind == "placeholder")

    @cached_property
    def _dates(self) -> tuple[Date, ...]:
        return tuple(find_dates(self.text, self.tokens))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers, those of dates left out."""
        taken = {place for date in self._dates for place in range(date.start, date.end)}
        return tuple(find_numbers(self.tokens, taken))

    @cached_property
    def dates(self) -> frozenset[str]:
        """What its dates say, each also by its month."""
        keys = (date.key for date in self._dates)
        return frozenset(form for key in keys if key for form in coarser(key))

    @cached_property
    def years(self) -> frozenset[str]:
        """The years of its dates."""
        return frozenset(key[:YEAR] for key in self.dates if not key.startswith("-"))


@dataclass(frozen=True, eq=False)
class _Text:
    """The title, the date or a passage, cut up.

    Attributes:
        parts: its pieces.
        whole: its sentences and all of it, where they say something by themselves, as
            `search_sim.audit.tokens.exact` writes them.
    """

    parts: tuple[Part, ...]
    whole: tuple[str, ...]


# Pages come up in one search after the other, and so do their passages.
@lru_cache(maxsize=4096)
def _read(text: str, *, is_passage: bool = True) -> _Text:
    plain = normalise(text)
    tokens = cut(plain)
    if is_passage and ";" in plain:
        parts = [Part(piece, cut(piece)) for piece in plain.split(";")]
    else:
        parts = [Part(plain, tokens)]
    spans = sentences(tokens)
    spans += [(0, len(tokens))] if len(spans) > 1 else []
    said = [tokens[start:end] for start, end in spans]
    return _Text(tuple(parts), tuple(exact(sentence) for sentence in said if says(sentence)))


def says(sentence: Sequence[Token]) -> bool:
    """Whether a sentence says something by itself: a lone name or number says what comes before."""
    return any(token.text[0].islower() for token in sentence)


@dataclass(frozen=True, eq=False)
class Given:
    """What one result's writer was given.

    Attributes:
        parts: the title, the pieces of the passages in order, and last the page's date, empty if
            there is none.
        passages: for each part the number of the text that it is of, 0 for the title.
        whole: the sentences of all texts and each text as a whole, where they say something.
        characters: the visible characters of all of it.
        longest_first: the title and the passages, normalised, the longest first.
    """

    parts: tuple[Part, ...]
    passages: tuple[int, ...]
    whole: frozenset[str]
    characters: frozenset[str]
    longest_first: tuple[str, ...]

    @classmethod
    def of(cls, title: str, date: str | None, passages: Sequence[str]) -> Given:
        """Read what was given.

        Args:
            title: the page's title.
            date: its date in ISO 8601, or None where the result has none.
            passages: masked passages, with what was disclosed filled in.
        """
        read = [_read(title, is_passage=False), *map(_read, passages), _read(date or "")]
        return cls(
            tuple(part for text in read for part in text.parts),
            tuple(number for number, text in enumerate(read) for _ in text.parts),
            frozenset(sentence for text in read for sentence in text.whole),
            frozenset(_visible("".join((title, *passages, date or "")))),
            tuple(sorted(map(normalise, (title, *passages)), key=len, reverse=True)),
        )

    @property
    def title(self) -> Part:
        """The title."""
        return self.parts[0]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each token stands in all of it, words in lower case."""
        return Counter([token.fold for part in self.parts for token in part.tokens])

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, in lower case."""
        return frozenset[str]().union(*(part.words for part in self.parts))

    @cached_property
    def stems(self) -> frozenset[str]:
        """All words without plain endings."""
        return frozenset[str]().union(*(part.stems for part in self.parts))

    def is_proper(self, word: str) -> bool:
        """Whether a word stands somewhere with a capital as names have it."""
        return any(word in part.proper for part in self.parts)

    @cached_property
    def joined(self) -> frozenset[str]:
        """What words that a hyphen joins are when written as one: `kickoff`."""
        return frozenset(joined for part in self.parts for joined in _joined(part.tokens))

    def holding(self, words: str) -> frozenset[int]:
        """The numbers of the parts that hold some words one after the other."""
        return frozenset([n for n, part in enumerate(self.parts) if words in part.run])

    def where(self, holds: Callable[[Part], bool]) -> frozenset[int]:
        """The numbers of the parts that something holds of."""
        return frozenset([n for n, part in enumerate(self.parts) if holds(part)])


def _visible(text: str) -> set[str]:
    seen = set(text)
    if text.isascii() and text.isprintable():
        return seen
    return {c for c in seen if not unicodedata.category(c).startswith(_HIDDEN)}


def _joined(tokens: Sequence[Token]) -> Iterator[str]:
    for one, hyphen, other in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if hyphen.fold == "-" and one.kind == other.kind == "word":
            yield one.fold + other.fold
