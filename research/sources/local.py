"""Folders and collections as sources."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from research.core import ResearchError, SourceError, SourceKind, SourceName
from research.library import Document, Hit, Library, Skipped, Stop, display_name, in_own_thread
from research.sources.protocol import FoundPage, SearchRequest

IndexProgress = Callable[[int, int, tuple[Skipped, ...]], None]
"""Told how many files of how many are indexed, and at the end what was skipped."""

_FACTBOOK_SITE = "The World Factbook"
_PASSAGES = 8
"""Passages looked at for each page wanted, since several may stand in one file."""
_REPORTS = 10
"""How often progress is told, at most, before the end."""


class LocalSource:
    """Searches a library. Several searches may run at once; the first one opens and indexes it, the others wait."""

    def __init__(
        self,
        name: SourceName,
        library: Library | Callable[[], Library],
        on_progress: IndexProgress | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        patience: float = math.inf,
    ) -> None:
        """Make a source of a library.

        Args:
            name: which of the brief's sources it is.
            library: the documents, or what opens them: making the folder of a collection takes seconds, so that is left
                to the run and not to who starts it.
            on_progress: called from a worker thread, about ten times and at the end, where both numbers are equal.
            now: the current time, with a time zone.
            patience: seconds after which what has been indexed is searched, whatever is left.
        """
        self.name = name
        self._open: Callable[[], Library] = (lambda: library) if isinstance(library, Library) else library
        self._on_progress = on_progress
        self._now = now
        self._patience = patience
        self._indexing = asyncio.Lock()
        self._ready: tuple[Library, int] | None = None
        """The library, once it is indexed, and how many documents it has."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return documents for one query, best first, with the passages that matched.

        Documents that are known to be older than the period are left out; the region and sites play no part here.

        Raises:
            SourceError: `folder_empty` or `search_failed`.
        """
        try:
            async with self._indexing:
                if self._ready is None:
                    self._ready = await in_own_thread(self._indexed)
            return await asyncio.to_thread(self._search, *self._ready, request)
        except SourceError:
            raise
        except (ResearchError, OSError) as error:
            raise SourceError("search_failed", str(error)) from error

    def _search(self, library: Library, files: int, request: SearchRequest) -> list[FoundPage]:
        if not files:
            raise SourceError("folder_empty", str(library.folder))
        documents: dict[Path, Document] = {}
        passages: dict[Path, list[Hit]] = {}
        for hit in library.search(request.query, request.limit * _PASSAGES):
            document = documents.setdefault(hit.path, library.document(hit.path))
            is_current = document.text[hit.start : hit.end] == hit.text
            if is_current and not request.is_too_old(document.published, self._now().date()):
                passages.setdefault(hit.path, []).append(hit)
        asked = sum(any(hit.is_asked for hit in hits) for hits in passages.values())
        best = list(passages.items())[: max(request.limit, asked)]
        return [self._page(library, path, documents[path], hits) for path, hits in best]

    def _indexed(self, stop: Stop) -> tuple[Library, int]:
        """Open the library, read what is new in its folder, and return it and how many documents there are."""
        library = self._open()
        last_moment = monotonic() + self._patience
        report = library.refresh(self._progress, stop=lambda: stop() or monotonic() > last_moment)
        if self._on_progress is not None and not stop():
            total = report.files + len(report.skipped)
            self._on_progress(total, total, report.skipped)
        return library, report.files

    def _progress(self, done: int, total: int) -> None:
        step = max(total // _REPORTS, 1)
        if self._on_progress is not None and done < total and done % step == 0:
            self._on_progress(done, total, ())

    def _page(self, library: Library, path: Path, document: Document, hits: list[Hit]) -> FoundPage:
        own = self.name is not SourceName.FACTBOOK
        return FoundPage(
            url=path.as_uri(),
            title=document.title,
            site=display_name(path.relative_to(library.folder)) if own else _FACTBOOK_SITE,
            origin=self.name,
            kind=SourceKind.DOCUMENT if own else SourceKind.GOVERNMENT,
            text=document.text,
            published=document.published,
            passages=tuple((hit.start, hit.end) for hit in hits),
            score=hits[0].score,
        )
