"""Which cells the quotes fill: a point that a section wants, for each of the names asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.analysts.extractive.subjects import is_excluded
from research.core import Brief, Evidence, Page, Section
from research.gaps import Relevance, spoken_of
from research.language import Language
from research.text import Name, compared_in, countries_in, folded, heading_of


@dataclass(frozen=True)
class Cell:
    """One point, for one of the names asked for or for the question as a whole, and what was found on it."""

    point: str
    name: Name | None
    evidence: tuple[Evidence, ...]

    def label(self, language: Language) -> str:
        """Return what it asks for, in words."""
        if self.name is None:
            return self.point
        return f"{self.name.ja}の{self.point}" if language is Language.JA else f"{self.name.en}: {self.point}"


@dataclass(frozen=True)
class Coverage:
    """How far the evidence fills the cells of a section."""

    cells: tuple[Cell, ...]

    @property
    def gaps(self) -> tuple[Cell, ...]:
        """The cells on which nothing was found."""
        return tuple(cell for cell in self.cells if not cell.evidence)

    @property
    def told(self) -> dict[str, tuple[Evidence, ...]]:
        """What was found on each point, for whichever name."""
        found: dict[str, dict[str, Evidence]] = {}
        for cell in self.cells:
            found.setdefault(cell.point, {}).update({entry.id: entry for entry in cell.evidence})
        return {point: tuple(entries.values()) for point, entries in found.items() if entries}

    def missing(self, language: Language) -> list[str]:
        """Return the gaps in words; a point that every name lacks is said once."""
        words: list[str] = []
        for point in dict.fromkeys(cell.point for cell in self.cells):
            group = [cell for cell in self.cells if cell.point == point]
            empty = [cell for cell in group if not cell.evidence]
            words += [point] if len(empty) == len(group) else [cell.label(language) for cell in empty]
        return words


def coverage_of(
    section: Section,
    brief: Brief,
    evidence: Sequence[Evidence],
    pages: Mapping[str, Page],
    relevance: Relevance,
    *,
    asked: Sequence[Name] | None = None,
) -> Coverage:
    """Return what `evidence` covers of `section`, for each of the names `asked` for: the question's unless given."""
    names: Sequence[Name | None] = (compared_in(brief.question) if asked is None else asked) or (None,)
    about = {entry.id: subjects(entry, pages[entry.source], names) for entry in evidence}
    cells = []
    for point in section.wanted:
        if is_excluded(point, brief):
            continue
        told = spoken_of(point, evidence, pages, relevance)
        cells += [Cell(point, name, tuple(one for one in told if name in about[one.id])) for name in names]
    return Coverage(tuple(cells))


def subjects(entry: Evidence, page: Page, names: Sequence[Name | None]) -> tuple[Name | None, ...]:
    """Return which of `names` a quote is about: those in its page's title, else those that it or its heading names.

    On a page about another country a name is only mentioned. Every quote is about None, the question as a whole.
    """
    title = folded(page.title)
    titled = tuple(name for name in names if name is not None and name.stands_in(title))
    if len(titled) == 1 or None in names:
        return titled or (None,)
    if not titled and countries_in(page.title) and any(name is not None and name.is_place for name in names):
        return ()
    said = folded(f"{heading_of(page.text, entry.start)}\n{entry.quote}")
    return tuple(name for name in names if name is not None and name.stands_in(said)) or titled
