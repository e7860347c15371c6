"""A ready collection as a source of pages, written to disk by the first search that needs it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from research import collections
from research.errors import ResearchError, SourceError
from research.library import Library
from research.sources.local import IndexProgress, LocalSource
from research.sources.protocol import FoundPage, SearchRequest
from research.vocabulary import SourceName


class CollectionSource:
    """Searches a collection. Making its folder takes seconds, so it is left to the run and not to who starts it."""

    def __init__(self, name: SourceName, home: Path, on_progress: IndexProgress) -> None:
        self._name = name
        self._home = home
        self._on_progress = on_progress
        self._making = asyncio.Lock()
        self._documents: LocalSource | None = None

    @property
    def name(self) -> SourceName:
        """Which of the brief's sources this is."""
        return self._name

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return documents of the collection for one query, best first.

        Raises:
            SourceError: the collection cannot be written or searched.
        """
        async with self._making:
            if self._documents is None:
                try:
                    self._documents = await asyncio.to_thread(self._make)
                except (ResearchError, OSError) as error:
                    raise SourceError("search_failed", str(error)) from error
        return await self._documents.search(request)

    def _make(self) -> LocalSource:
        library = Library(collections.folder(self._name, self._home), self._home / "library")
        return LocalSource(self._name, library, self._on_progress)
