"""What was found on a topic: which cells of its section the quotes fill, what is kept, and the note on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.analysts.extractive.plan import names_in_topic, section_of
from research.analysts.extractive.quotes import allowed_of, said_by, unlisted
from research.analysts.extractive.statements import operand_quotes
from research.analysts.extractive.tables import rows_asked_for
from research.analysts.protocol import Compression, Findings
from research.core import Brief, Evidence, Page, Section
from research.gaps import Relevance, Subjects, is_excluded, spoken_of
from research.language import Bilingual, Language, Phrase
from research.quantities import figures
from research.text import (
    Name,
    compared_in,
    countries_in,
    escape_markdown,
    folded,
    heading_of,
    question_parts,
    sentences,
)

_NEAR = 0.5
"""Relevance to the question that a note needs, where more was found than it is made of."""
_COMMA = Bilingual(", ", "、")
_CHARACTERS = {Language.EN: 4, Language.JA: 1}
"""About as many as a token holds."""
_QUOTED = 120
"""Characters of a quote in a note."""


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
    # “Most people live in the south” is no population that could be added to another.
    wants_amounts = question_parts(brief.question).wants_amounts
    telling = [entry for entry in evidence if figures(entry.quote)] if wants_amounts else evidence
    cells = []
    for point in section.wanted:
        if is_excluded(point, brief):
            continue
        told = spoken_of(point, telling, pages, relevance)
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


# --- the findings on a topic -----------------------------------------------------------------------------------


def compress_by_rule(findings: Findings, relevance: Relevance) -> Compression:
    """Keep what is said once and not excluded, at least one quote of each source; the notes say what is missing."""
    brief, pages = findings.brief, findings.pages
    allowed = allowed_of(findings.evidence, brief)
    once: dict[tuple[str, str], Evidence] = {}
    for entry in _to_the_point(allowed, findings, relevance):
        once.setdefault((entry.source, folded(entry.quote)), entry)
    kept = list(once.values())
    section = section_of(findings.topic, brief)
    names = names_in_topic(findings.topic, brief.question)
    coverage = coverage_of(section, brief, kept, pages, relevance, asked=names)
    notes = noted(coverage, kept, brief.language, findings.note_tokens, is_quoting=findings.may_quote)
    if excluded := len(findings.evidence) - len(allowed):
        words = Phrase("{excluded} left out as excluded.").filled(excluded=excluded)
        notes += "\n" + words.in_(brief.language)
    return Compression(tuple(entry.id for entry in kept), notes)


def _to_the_point(allowed: Sequence[Evidence], findings: Findings, relevance: Relevance) -> list[Evidence]:
    """Leave out what is beside the question, where it is known what else was found."""
    if not findings.among:
        return list(allowed)
    asked = question_parts(findings.brief.question)
    subjects = Subjects(asked, findings.pages.values())
    among = [one for one in findings.among if subjects.are_meant(findings.pages[one.source], one.quote)]
    near = relevance.of(findings.brief.question, [said_by(entry, findings.pages) for entry in among])
    told = {entry.id for entry, share in zip(among, near, strict=True) if share >= _NEAR or entry.answers}
    for page in {entry.source: findings.pages[entry.source] for entry in allowed}.values():
        values = (one.value for one in rows_asked_for(page, asked, None))
        rows = {*(page.text[one.start : one.end] for one in values), *operand_quotes(page, asked)}
        told |= {one.id for one in allowed if one.source == page.id and one.quote in rows}
    return [entry for entry in allowed if entry.id in told]


def noted(
    coverage: Coverage, kept: Sequence[Evidence], language: Language, tokens: int, *, is_quoting: bool = False
) -> str:
    """Return notes of at most `tokens` on the evidence `kept`: as many points as fit between head and gaps.

    If it `is_quoting`, each point says what its first quote says that no point before it did, as far as there is
    room: every point is named before any is quoted.
    """
    head, missing = _head(kept, language), _missing(coverage, language)
    left = tokens * _CHARACTERS[language] - len(head) - len(missing)
    lines: list[str] = []
    quotable: list[Sequence[Evidence]] = []
    for line, evidence in _lines(coverage, kept, language):
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
        quotable.append(evidence)
    if is_quoting:
        lines = _with_quotes(lines, quotable, language, left)
    # A blank line, or Markdown would take what is missing as part of the last item.
    return "\n\n".join(part for part in ("\n".join([head, *lines]), missing) if part)


def _head(kept: Sequence[Evidence], language: Language) -> str:
    if not kept:
        return Phrase("Nothing to the point was found.").in_(language)
    quotes, pages = len(kept), len({entry.source for entry in kept})
    return Bilingual(
        f"Kept: {quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}.",
        f"{pages}ページから引用{quotes}件を採用。",
    ).in_(language)


def _missing(coverage: Coverage, language: Language) -> str:
    missing = _COMMA.in_(language).join(coverage.missing(language))
    return Phrase("Missing: {missing}.").in_(language).format(missing=missing) if missing else ""


def _lines(
    coverage: Coverage, kept: Sequence[Evidence], language: Language
) -> Iterator[tuple[str, Sequence[Evidence]]]:
    """Yield a line for each point, then one for the quotes that speak of none of them; each with its evidence."""
    for point, evidence in coverage.told.items():
        yield _line(point, evidence, language), evidence
    said = {entry.id for evidence in coverage.told.values() for entry in evidence}
    if rest := [entry for entry in kept if entry.id not in said]:
        words = Phrase("also found") if said else Phrase("found")
        yield _line(words.in_(language), rest, language), rest


def _line(subject: str, evidence: Sequence[Evidence], language: Language) -> str:
    colon = Bilingual(": ", "：").in_(language)
    return f"- {subject}{colon}" + " ".join(f"[{entry.id}]" for entry in evidence)


def _with_quotes(
    lines: Sequence[str], quotable: Sequence[Sequence[Evidence]], language: Language, left: int
) -> list[str]:
    """Return each line with a quote of its evidence behind it, as far as `left` characters hold them."""
    said: set[str] = set()
    quoting = []
    for line, evidence in zip(lines, quotable, strict=True):
        entry = next((one for one in evidence if one.id not in said), None)
        quote = _quote(entry, language, is_only=len(evidence) == 1) if entry else ""
        if entry and len(quote) <= left:
            said.add(entry.id)
            left -= len(quote)
            quoting.append(line + quote)
        else:
            quoting.append(line)
    return quoting


def _quote(entry: Evidence, language: Language, *, is_only: bool) -> str:
    """Return the beginning of a quote, with its id unless the line names no other."""
    text = escape_markdown(shortened(entry.quote))
    mark = "" if is_only else Bilingual(f" [{entry.id}]", f"[{entry.id}]").in_(language)
    return Bilingual(f" – “{text}”{mark}", f"――「{text}」{mark}").in_(language)


def shortened(quote: str) -> str:
    """Return the beginning of `quote` on one line: its first sentence, or 120 characters of that and an ellipsis."""
    text = unlisted(" ".join(quote.split()))
    spans = sentences(text)
    first = text[: spans[0].end] if spans else text
    if len(first) <= _QUOTED:
        return first
    cut = first[:_QUOTED]
    # Japanese has no blanks to cut at, and a blank far from the end would cut off too much.
    whole, blank, _ = cut.rpartition(" ")
    return (whole if blank and 2 * len(whole) > _QUOTED else cut).rstrip() + "…"
