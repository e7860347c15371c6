"""Pages, quotes and the ledger: everything that a report can cite.

A page is kept as it was read and never changes. Evidence is a verbatim quote with its offsets in one page. Models
refer to evidence by id alone, so a citation cannot be invented.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict

from research.quotes import Located, locate
from research.vocabulary import SourceKind, SourceName


def text_hash(text: str) -> str:
    """Return the SHA-256 of `text` (UTF-8) in hexadecimal: the identity of a page's content."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Page(BaseModel):
    """An immutable snapshot of what was read."""

    model_config = ConfigDict(frozen=True)

    id: str
    """`S1`, `S2`, … within a run."""
    url: str
    """Canonical address; `file:` for own documents."""
    title: str
    site: str
    """Host name, or the name of the collection."""
    origin: SourceName
    kind: SourceKind
    published: str | None
    """ISO 8601 date of the information, as precise as known (`2025`, `2025-06`, `2025-06-30`)."""
    fetched_at: datetime
    text: str
    sha256: str


class Evidence(BaseModel):
    """A verbatim quote: `page.text[start:end] == quote`, always."""

    model_config = ConfigDict(frozen=True)

    id: str
    """`E1`, `E2`, … within a run."""
    source: str
    """Id of the page."""
    quote: str
    start: int
    end: int


class Ledger:
    """The pages and evidence of one run, in the order in which they were found."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.evidence: dict[str, Evidence] = {}
        self.dropped_quotes = 0
        """Quotes that a model gave and that stand in no page."""
        self._last_page = self._last_entry = 0
        """The last numbers given; of a run that broke off, some below them may never have been stored."""
        self._page_by_url: dict[str, Page] = {}
        self._evidence_by_place: dict[tuple[str, int, int], Evidence] = {}

    @classmethod
    def of(cls, pages: Iterable[Page], evidence: Iterable[Evidence]) -> Self:
        """Return a ledger that holds these, under the ids that they have; quotes of other pages are left out."""
        ledger = cls()
        for page in pages:
            ledger.pages[page.id] = page
            ledger._page_by_url.setdefault(page.url, page)
        for entry in evidence:
            if entry.source in ledger.pages:
                ledger.evidence[entry.id] = entry
                ledger._evidence_by_place[entry.source, entry.start, entry.end] = entry
        ledger._last_page = last_number(ledger.pages)
        ledger._last_entry = last_number(ledger.evidence)
        return ledger

    def add_page(
        self,
        *,
        url: str,
        title: str,
        site: str,
        origin: SourceName,
        kind: SourceKind,
        published: str | None,
        fetched_at: datetime,
        text: str,
    ) -> Page:
        """Keep a page; the same canonical address a second time returns the page kept first."""
        known = self._page_by_url.get(url)
        if known is not None:
            return known
        self._last_page += 1
        page = Page(
            id=f"S{self._last_page}",
            url=url,
            title=title,
            site=site,
            origin=origin,
            kind=kind,
            published=published,
            fetched_at=fetched_at,
            text=text,
            sha256=text_hash(text),
        )
        self.pages[page.id] = page
        self._page_by_url[url] = page
        return page

    def quote(self, page: Page, quotes: Iterable[str]) -> list[Evidence]:
        """Enter quotes from `page`; what does not stand in it is dropped and counted."""
        found: list[Evidence] = []
        for quote in quotes:
            place = locate(quote, page.text)
            if place is None:
                self.dropped_quotes += 1
            else:
                found.append(self.quote_at(page, place))
        return list(dict.fromkeys(found))

    def quote_at(self, page: Page, place: Located) -> Evidence:
        """Enter the quote that stands at `place` in `page`; the same place twice is one entry."""
        key = (page.id, place.start, place.end)
        known = self._evidence_by_place.get(key)
        if known is not None:
            return known
        self._last_entry += 1
        evidence = Evidence(
            id=f"E{self._last_entry}",
            source=page.id,
            quote=page.text[place.start : place.end],
            start=place.start,
            end=place.end,
        )
        self.evidence[evidence.id] = evidence
        self._evidence_by_place[key] = evidence
        return evidence

    def page_of(self, evidence: Evidence) -> Page:
        """Return the page that `evidence` quotes."""
        return self.pages[evidence.source]


def last_number(ids: Iterable[str]) -> int:
    """Return the highest number among ids of pages or quotes (`S3`, `E12`); 0 if there is none."""
    return max((int(name[1:]) for name in ids if name[1:].isdecimal()), default=0)
