"""Azure AI Search: an index of the house, asked by words, by vectors, or by both at once, over its REST interface.

https://learn.microsoft.com/rest/api/searchservice/documents/search-post
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from research.core import Reach, SourceError, SourceField, SourceKind, SourceName, canonical_url, register
from research.language import Phrase
from research.meaning import OPENAI_EMBEDDINGS, USUAL_MODEL, EmbeddingFailed, ServerEmbedder
from research.sources.apis import Service
from research.sources.protocol import FoundPage, SearchRequest, clean_text, clean_title, published_date
from research.sources.registry import Making, Provider

_VERSION = "2024-07-01"
"""The first stable version of the interface in which the service itself can turn a query into a vector."""
_NEIGHBOURS = 50
"""Nearest documents that are fused with those found by words, as the service's makers advise."""
KEYWORD, VECTOR, HYBRID = "keyword", "vector", "hybrid"


@dataclass(frozen=True)
class AzureSearchSource:
    """An index as a source; what stands in several chunks of one document becomes one page."""

    name: SourceName
    service: Service
    embedder: ServerEmbedder | None = None
    """Makes the vector of a query by the model that made those of the index; without it, the service does."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return documents for one query, best first; an empty list if there are none.

        Raises:
            SourceError: the search failed.
        """
        values = self.service.values
        path = f"/indexes/{quote(values['index'], safe='')}/docs/search?api-version={_VERSION}"
        body = await self._body(request)
        answer = await self.service.post(path, body, {"api-key": self.service.secret})
        try:
            return self._pages(answer["value"], request)
        except (KeyError, TypeError, AttributeError) as error:
            raise SourceError("search_failed", "the answer has not the expected form") from error

    async def _body(self, request: SearchRequest) -> dict[str, Any]:
        values = self.service.values
        named = ("id_field", "title_field", "text_field", "url_field", "date_field")
        body: dict[str, Any] = {
            "select": ",".join(dict.fromkeys(values[name] for name in named if values[name])),
            "top": request.limit * 3,
        }
        is_vector = bool(values["vector_field"]) and values["mode"] != KEYWORD
        if not is_vector or values["mode"] != VECTOR:
            body |= {"search": request.query, "queryType": "simple", "searchMode": "any"}
        if is_vector:
            same = {"fields": values["vector_field"], "k": _NEIGHBOURS}
            body["vectorQueries"] = [await self._vector(request.query) | same]
        return body

    async def _vector(self, query: str) -> dict[str, Any]:
        if self.embedder is None:
            return {"kind": "text", "text": query}
        try:
            rows = await asyncio.to_thread(self.embedder.embed, [query], is_query=True, told=lambda call: None)
        except EmbeddingFailed as error:
            raise SourceError("search_failed", f"the query could not be embedded: {error.code}") from error
        return {"kind": "vector", "vector": [float(value) for value in rows[0]]}

    def _pages(self, found: Sequence[Mapping[str, Any]], request: SearchRequest) -> list[FoundPage]:
        chunks: dict[str, list[Mapping[str, Any]]] = {}
        for one in found:
            chunks.setdefault(self._address(one), []).append(one)
        pages = (self._page(address, parts) for address, parts in chunks.items())
        return [page for page in pages if page.text.strip()][: request.limit]

    def _page(self, address: str, parts: Sequence[Mapping[str, Any]]) -> FoundPage:
        first = parts[0]
        return FoundPage(
            url=address,
            title=clean_title(self._said(first, "title_field")) or self.service.values["index"],
            site=self.service.values["index"],
            origin=self.name,
            kind=SourceKind.DOCUMENT,
            text=clean_text("\n\n".join(self._said(part, "text_field") for part in parts)),
            published=published_date(self._said(first, "date_field")),
            score=float(first.get("@search.score") or 0.0),
        )

    def _address(self, one: Mapping[str, Any]) -> str:
        """Return where a document stands: its own address, else its name within the index."""
        own = canonical_url(self._said(one, "url_field"))
        name = self._said(one, "url_field") or self._said(one, "id_field") or self._said(one, "title_field")
        return own or f"azure-search://{quote(self.service.values['index'], safe='')}/{quote(name, safe='/')}"

    def _said(self, one: Mapping[str, Any], field: str) -> str:
        value = one.get(self.service.values[field])
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _made(making: Making) -> AzureSearchSource:
    values, settings = making.values(AZURE), making.settings
    address, key = settings.embedding_access
    embedder = None
    if (address, key) != (None, None):
        model = settings.embedding_model or USUAL_MODEL
        embedder = ServerEmbedder(address or OPENAI_EMBEDDINGS, model, key.get_secret_value() if key else "")
    service = Service(values["endpoint"].rstrip("/"), values, values["key"], gap=0.0)
    return AzureSearchSource(SourceName("azure-search"), service, embedder)


AZURE: Provider = Provider(
    name="azure-search",
    label=Phrase("Azure AI Search"),
    words=Phrase("the house's index in Azure AI Search"),
    reach=Reach.CONNECTED,
    kind=SourceKind.DOCUMENT,
    fields=(
        SourceField("endpoint", Phrase("Address of the search service"), is_place=True, is_needed=True),
        SourceField("index", Phrase("Name of the index"), is_place=True, is_needed=True),
        SourceField("key", Phrase("Key", "of a service"), is_secret=True, is_needed=True),
        SourceField("text_field", Phrase("Field with the text"), default="content"),
        SourceField("title_field", Phrase("Field with the title"), default="title"),
        SourceField("id_field", Phrase("Field with the key of a document"), default="id"),
        SourceField("url_field", Phrase("Field with the address of a document")),
        SourceField("date_field", Phrase("Field with the date")),
        SourceField(
            "vector_field",
            Phrase("Field with the vectors"),
            hint=Phrase(
                "With it, meaning is compared as well. The query becomes a vector by the server of embeddings, where "
                "one is set (its model must be that of the index), else by the search service itself."
            ),
        ),
        SourceField("mode", Phrase("Manner: keyword, vector or hybrid"), default=HYBRID),
    ),
    hint=Phrase("An index of your house. What it tells stays private."),
    module="httpx",
    extra="web",
    make=_made,
    by_default=lambda making: True,
)

register(AZURE)
