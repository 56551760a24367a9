"""Tantivy behind the engine protocol: the default."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy

from search_sim.engine import TITLE_BOOST, Document, query_words
from worldgen.errors import ConfigurationError


class TantivyEngine:
    """BM25 over stemmed words of title, site and body, by tantivy, in memory.

    One writer thread and one commit give one segment, so scores don't depend on timing.

    Raises:
        ConfigurationError: the documents don't fit into one segment.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        """Index `documents`."""
        builder = tantivy.SchemaBuilder()
        for name in ("title", "site", "body"):
            builder.add_text_field(name, stored=False, tokenizer_name="en_stem")
        self._index = tantivy.Index(builder.build())
        self._count = len(documents)
        writer = self._index.writer(heap_size=30_000_000, num_threads=1)
        for document in documents:
            writer.add_document(
                tantivy.Document(title=document.title, site=document.site, body=document.body)
            )
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()
        if self._searcher.num_segments > 1:
            message = (
                f"{self._count} pages are more than one index segment holds; raise its heap size"
            )
            raise ConfigurationError(message)

    def search(self, query: str) -> list[int]:
        """The places of all documents that match some word of a query, the best first."""
        words = query_words(query)
        if not words or not self._count:
            return []
        boosts = {"title": TITLE_BOOST}
        parsed, _ = self._index.parse_query_lenient(
            " ".join(words), ["title", "site", "body"], boosts
        )
        found = self._searcher.search(parsed, limit=self._count).hits
        # One segment, filled in order: a document's address is its place.
        ranked = sorted(found, key=lambda hit: (-hit[0], hit[1].doc))
        return [address.doc for _, address in ranked]
