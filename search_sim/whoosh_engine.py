"""Whoosh behind the engine protocol: pure Python, no compiled wheel, and much slower."""

from __future__ import annotations

from collections.abc import Sequence

from whoosh.analysis.analyzers import StemmingAnalyzer
from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.query.compound import Or
from whoosh.query.terms import Term

from search_sim.engine import TITLE_BOOST, Document, query_words

_FIELDS = ("title", "site", "body")


class WhooshEngine:
    """BM25F over stemmed words of title, site and body, in memory."""

    def __init__(self, documents: Sequence[Document]) -> None:
        """Index `documents`."""
        text = StemmingAnalyzer(expression=r"\w+", stoplist=None, minsize=1)
        schema = Schema(
            place=NUMERIC(stored=True),
            title=TEXT(analyzer=text, field_boost=TITLE_BOOST),
            site=TEXT(analyzer=text),
            body=TEXT(analyzer=text),
        )
        self._index = RamStorage().create_index(schema)  # type: ignore[no-untyped-call]
        self._count = len(documents)
        writer = self._index.writer()
        for place, document in enumerate(documents):
            writer.add_document(
                place=place, title=document.title, site=document.site, body=document.body
            )
        writer.commit()
        self._analyzer = text

    def search(self, query: str) -> list[int]:
        """The places of all documents that match some word of a query, the best first."""
        words = query_words(query)
        if not words or not self._count:
            return []
        stems = dict.fromkeys(token.text for token in self._analyzer(" ".join(words)))
        wanted = Or([Term(field, stem) for field in _FIELDS for stem in stems])
        with self._index.searcher() as searcher:
            hits = searcher.search(wanted, limit=None)
            ranked = sorted((-float(hit.score or 0.0), int(hit["place"])) for hit in hits)
        return [place for _, place in ranked]
