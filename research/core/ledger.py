"""The ledger: pages as they were read, how fresh they are, quotes proven against them, sentences that cite them."""

from __future__ import annotations

import hashlib
import unicodedata
from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator
from rapidfuzz import fuzz

from research.core.origins import SourceName
from research.core.vocabulary import Frozen, Outside, SourceKind
from research.language import Bilingual, Language, Phrase
from research.text import Span

MINIMUM = 8
"""Shorter quotes (wide characters count twice) could stand anywhere and prove nothing."""
CERTAIN = 92.0
"""Similarity (0-100) from which a near match is taken for the same passage."""


def locate(quote: str, page: str) -> Span | None:
    """Return where `quote` stands in `page`, or None.

    Tried in order: as it is; with Unicode (NFKC) and white space folded; as a near match of at least `CERTAIN` whose
    figures are all the same. Time is linear in the page for the first two.
    """
    wanted = quote.strip()
    beginning = wanted[:MINIMUM]
    wide = sum(map("WF".__contains__, map(unicodedata.east_asian_width, beginning)))
    if len(beginning) + wide < MINIMUM:
        return None
    candidates = dict.fromkeys((wanted, wanted.strip("\"“”「」'")))
    for candidate in candidates:
        start = page.find(candidate)
        if start >= 0:
            return Span(start, start + len(candidate))
    folded_page, offsets = _fold(page)
    for candidate in candidates:
        folded = _fold(candidate)[0].strip()
        start = folded_page.find(folded)
        if folded and start >= 0:
            return Span(offsets[start], offsets[start + len(folded) - 1] + 1)
    return _near(_fold(wanted)[0].strip(), folded_page, offsets)


@lru_cache(maxsize=16)
def _fold(text: str) -> tuple[str, Sequence[int]]:
    """Return `text` in NFKC with white space as single blanks, and for each character its offset in `text`."""
    folded: list[str] = []
    offsets = array("L")
    for offset, character in enumerate(text):
        if character.isspace() or unicodedata.category(character) == "Cf":
            if folded and folded[-1] != " " and character.isspace():
                folded.append(" ")
                offsets.append(offset)
            continue
        for part in unicodedata.normalize("NFKC", character):
            folded.append(_PLAIN.get(part, part))
            offsets.append(offset)
    return "".join(folded), offsets


_PLAIN = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"}


_WINDOW = 8_000
"""Characters of a page that are compared at once: all other threads wait for a comparison."""


def _near(quote: str, page: str, offsets: Sequence[int]) -> Span | None:
    for begin in range(0, max(1, len(page) - len(quote)), _WINDOW):
        window = page[begin : begin + _WINDOW + 2 * len(quote)]
        match = fuzz.partial_ratio_alignment(quote, window, score_cutoff=CERTAIN)
        if match is None or match.dest_end - match.dest_start < 1 or len(window) < len(quote):
            continue
        start, end = _whole_words(page, begin + match.dest_start, begin + match.dest_end)
        if _digits(page[start:end]) == _digits(quote):
            return Span(offsets[start], offsets[end - 1] + 1)
    return None


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span so that it cuts no Latin word or number in two."""
    while start > 0 and _joins(text[start - 1]) and _joins(text[start]):
        start -= 1
    while end < len(text) and _joins(text[end - 1]) and _joins(text[end]):
        end += 1
    while end > start and text[end - 1] == " ":
        end -= 1
    while start < end and text[start] == " ":
        start += 1
    return start, end


def _joins(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _digits(text: str) -> list[str]:
    """Return the numbers of `text` in order: a near match must never change one."""
    kept = "".join(character if character.isdigit() else " " for character in text.replace(",", ""))
    return kept.split()


def text_hash(text: str) -> str:
    """Return the SHA-256 of `text` (UTF-8) in hexadecimal: the identity of a page's content."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def place_of(url: str) -> str:
    """Return what the canonical addresses of one page share: `http:`, `www.` and a last slash change nothing."""
    if not url.startswith(("http://", "https://")):
        return url
    parts = urlsplit(url)
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"


class Page(Frozen):
    """An immutable snapshot of what was read."""

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
    outside: tuple[Outside, ...] = ()
    """Limits of the brief that it is outside of; records of before it was kept have none."""


class Evidence(Frozen):
    """A verbatim quote: `page.text[start:end] == quote`, always."""

    id: str
    """`E1`, `E2`, … within a run."""
    source: str
    """Id of the page."""
    quote: str
    start: int
    end: int
    answers: tuple[str, ...] = ()
    """What is asked, in the words of the question, that rules found a value of it to answer."""


class Ledger:
    """The pages and evidence of one run, in the order in which they were found."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.evidence: dict[str, Evidence] = {}
        self._last_page = self._last_entry = 0
        """The last numbers given; of a run that broke off, some below them may never have been stored."""
        self._page_by_place: dict[str, Page] = {}
        self._evidence_by_place: dict[tuple[str, int, int], Evidence] = {}

    @classmethod
    def of(cls, pages: Iterable[Page], evidence: Iterable[Evidence]) -> Self:
        """Return a ledger that holds these, under the ids that they have; quotes of other pages are left out."""
        ledger = cls()
        for page in pages:
            ledger.pages[page.id] = page
            ledger._page_by_place.setdefault(place_of(page.url), page)
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
        outside: tuple[Outside, ...] = (),
    ) -> Page:
        """Keep a page; another one of the same place returns the page kept first."""
        known = self._page_by_place.get(place_of(url))
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
            outside=outside,
        )
        self.pages[page.id] = page
        self._page_by_place[place_of(url)] = page
        return page

    def quote(
        self, page: Page, quotes: Iterable[str], answers: Mapping[str, tuple[str, ...]] | None = None
    ) -> list[Evidence]:
        """Enter quotes from `page`, with what some answer; what does not stand in it is dropped."""
        found: list[Evidence] = []
        for quote in quotes:
            place = locate(quote, page.text)
            if place is not None:
                found.append(self.quote_at(page, place, (answers or {}).get(quote, ())))
        return list(dict.fromkeys(found))

    def quote_at(self, page: Page, place: Span, answers: tuple[str, ...] = ()) -> Evidence:
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
            answers=answers,
        )
        self.evidence[evidence.id] = evidence
        self._evidence_by_place[key] = evidence
        return evidence

    def forget(self, evidence: Evidence) -> None:
        """Take back a quote that nothing cites; its id is not given again."""
        self.evidence.pop(evidence.id, None)
        self._evidence_by_place.pop((evidence.source, evidence.start, evidence.end), None)

    def page_of(self, evidence: Evidence) -> Page:
        """Return the page that `evidence` quotes."""
        return self.pages[evidence.source]


def last_number(ids: Iterable[str]) -> int:
    """Return the highest number among ids of pages or quotes (`S3`, `E12`); 0 if there is none."""
    return max((int(name[1:]) for name in ids if name[1:].isdecimal()), default=0)


def in_both(words: object) -> object:
    """Return a text as a pair; records of before have it in the language of their report alone."""
    return (Bilingual(words, words) if words else None) if isinstance(words, str) else words


class FigureCheck(Frozen):
    """A figure of a sentence, and whether the evidence that the sentence cites holds it."""

    text: str
    """The figure as the sentence prints it."""
    found: bool
    source: str | None = None
    """Id of the page in which the figure stands: the one that agrees, or the same figure said of something else."""
    start: int | None = None
    end: int | None = None


class Passage(Frozen):
    """The place in a page that a verdict rests on: `page[start:end]`."""

    source: str
    """Id of the page."""
    evidence: str
    """Id of the evidence by which the sentence cites the page."""
    start: int
    end: int


class Sentence(Frozen):
    """A sentence of the report, the evidence it cites, and what the stored pages bear out of it."""

    text: str
    evidence: tuple[str, ...]
    verdict: str | None
    """`supported`, `partial`, `unsupported`, `uncited` or `unverifiable`; None if it claims nothing."""
    score: float | None = None
    """From 0 to 1: how far the pages bear it out; None where that was not computed."""
    reason: Annotated[Bilingual | None, BeforeValidator(in_both)] = None
    """Why the verdict is what it is, for readers of either language; None where nothing was checked."""
    reason_code: str = ""
    numbers: tuple[FigureCheck, ...] = ()
    passage: Passage | None = None
    verbatim: bool = False
    """Whether it is a quote: it stands on its page, or in what it cites, word for word. Its verdict is `supported`."""
    read_by: str = ""
    """The model that read the passage where rules had left the sentence open; empty where rules decided."""
    start: int = 0
    """Offsets in the record's `draft`."""
    end: int = 0

    @property
    def shown(self) -> str | None:
        """The verdict as it is shown and counted: a supported quote is `verbatim`."""
        return "verbatim" if self.verbatim and self.verdict == "supported" else self.verdict


RECENT_DAYS = 92
"""Three months: what is not older stands out."""


class Age(StrEnum):
    """How old information is."""

    RECENT = "recent"
    DATED = "dated"
    UNKNOWN = "unknown"


class Freshness(NamedTuple):
    """What is known of a page's date."""

    age: Age
    label: Bilingual
    """As a reader is told."""


def freshness(published: str | None, today: date) -> Freshness:
    """Return how recent a page is that is of `published` (ISO 8601: a year, a month, a day or a moment).

    Recent is what can only be of the last three months: the first day of a month or year counts. A date that cannot be
    read, or that lies ahead, tells nothing and is unknown.
    """
    first = first_day(published) if published else None
    if published is None or first is None or first > today:
        return Freshness(Age.UNKNOWN, Phrase("date unknown"))
    told = Bilingual(*(date_in_words(published, language) for language in Language))
    if first >= today - timedelta(days=RECENT_DAYS):
        return Freshness(Age.RECENT, Bilingual("{} · {}", "{} · {}").filled(told, Phrase("last three months")))
    return Freshness(Age.DATED, told)


_PATTERNS = {
    Language.EN: ("y", "MMM y", "d MMM y"),
    Language.JA: ("y年", "y年M月", "y年M月d日"),
}
"""How a date is written that is known to the year, to the month, to the day."""


def date_in_words(known: date | str, language: Language) -> str:
    """Return a day, or an ISO date of any precision (`2025`, `2025-06`), as readers write it: `30 Jun 2025`.

    All that readers are told is dated by it, on pages and in documents alike. What is no date is returned as it is.
    """
    from babel.dates import format_date

    text = str(known)
    if (day := first_day(text)) is None:
        return text
    return str(format_date(day, _PATTERNS[language][text[:10].count("-")], locale=language.value))


def first_day(published: str) -> date | None:
    """Return the first day that an ISO date of any precision covers, or None if it is no date."""
    parts = published[:10].split("-")
    try:
        return date.fromisoformat("-".join([*parts, "01", "01"][:3]))
    except ValueError:
        return None
