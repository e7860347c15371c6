"""Which label of the almanac is taken for what a term asks: of all countries the highest, of one country its value.

What is right was judged by hand (`terms.txt`); a wrong label is worse than none.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from research.analysts.extractive.values import matches
from research.core import Ledger, SourceKind, SourceName
from research.language import Language
from research.library import Library
from research.meaning import Meaning, built_in_vectors
from research.sources import collection_folder
from research.text import language_of, question_parts, values_of

_TERMS = Path(__file__).with_name("terms.txt")
_COUNTRY = ("germany", "Germany", "ドイツ")
_NONE = "none"
_HIGHEST = {Language.EN: "Which country has the highest {term}?", Language.JA: "{term}が最も高い国はどこですか"}
_OF_ONE = {Language.EN: f"What is {_COUNTRY[1]}'s {{term}}?", Language.JA: f"{_COUNTRY[2]}の{{term}}は"}
Asks = Callable[[str], str]


def judged() -> Iterator[tuple[str, str]]:
    """Yield each term with the label that it asks for."""
    for line in _TERMS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            label, terms = line.split(" = ")
            yield from ((term, label) for term in terms.split(", "))


def highest(library: Library) -> Asks:
    """Return what tells whose highest value a library finds for a term."""

    def label_of(term: str) -> str:
        hits = library.search(_HIGHEST[language_of(term)].format(term=term), 1)
        return next((value.label for hit in hits if hit.answers for value in values_of(hit.text)), _NONE)

    return label_of


def of_one(folder: Path, meaning: Meaning) -> Asks:
    """Return what tells which label of one country's pages surely answers, the nearest first."""
    ledger = Ledger()
    for path in sorted((folder / _COUNTRY[0]).glob("*.md")):
        ledger.add_page(
            url=path.as_uri(),
            title=f"{_COUNTRY[1]} — {path.stem}",
            site=path.stem,
            origin=SourceName.FACTBOOK,
            kind=SourceKind.GOVERNMENT,
            published=None,
            fetched_at=datetime.now(UTC),
            text=path.read_text(encoding="utf-8"),
        )

    def label_of(term: str) -> str:
        asked = question_parts(_OF_ONE[language_of(term)].format(term=term))
        every = (one for page in ledger.pages.values() for one in matches(page, asked, meaning))
        sure = (one for one in every if one.is_said and one.is_near)
        best = max(sure, key=lambda one: (one.shared, one.score), default=None)
        return best.value.label if best else _NONE

    return label_of


def main() -> None:
    """Print how many terms got their label, none, or a wrong one; with `-v` those that did not get theirs."""
    with TemporaryDirectory() as home:
        folder = collection_folder(SourceName.FACTBOOK, Path(home))
        meaning = Meaning(built_in=built_in_vectors(Path(home)))
        library = Library(folder, Path(home) / "library", meaning=meaning)
        print("| asked | language | terms | right | none | wrong |\n| --- | --- | ---: | ---: | ---: | ---: |")
        for name, ask in (("the highest", highest(library)), ("of one country", of_one(folder, meaning))):
            found = [(term, label, ask(term)) for term, label in judged()]
            for language in Language:
                own = [one for one in found if language_of(one[0]) is language]
                told = Counter("right" if got == label else _NONE if got == _NONE else "wrong" for _, label, got in own)
                print(f"| {name} | {language} | {len(own)} | {told['right']} | {told[_NONE]} | {told['wrong']} |")
            if "-v" in sys.argv:
                print(*(f"{term}: {got}, not {label}" for term, label, got in found if got != label), sep="\n")


if __name__ == "__main__":
    main()
