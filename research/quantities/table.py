"""The table of figures of a run: every figure in the evidence, with what it is about and where it stands.

What a figure measures, in the words of its page: the label of its line or cells, or the words before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING

from research.core import Evidence, Page
from research.quantities.amounts import has_japanese
from research.quantities.figures import Figure, figures, unit_named
from research.quantities.periods import periods
from research.text import Span, columns, label_in_words

if TYPE_CHECKING:
    import pandas as pd


_TITLE_BREAK = re.compile(r"\s{1,9}[—–|｜-]\s{1,9}|[｜]")
_LABEL = re.compile(r"(?P<label>[^:：\n|;；]{1,160}?)\s*[:：](?!//)\s*")
_SENTENCE_BREAK = re.compile(r"[;:。；：!?！？]\s*|\.\s+|\n")
_CLAUSE_BREAK = re.compile(r",\s+|、|[(（]|\s(?:and|but|while|whereas|which)\s")
_ASIDE = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]")
_EMPTY = re.compile(r"[(（\[]\s*[)）\]]")
_UNIT = re.compile(r"\s*[(（]([^()（）]{1,24})[)）]\Z")
"""What a label ends with that its figures are counted in."""
_GAP = re.compile(r"(?<=[(（\[])\s+|\s+(?=[)）\]])")
_OPENING, _CLOSING, _MASK = "(（[", ")）]", "\ufffc"
_EDGES = " \t\u3000-–—*•・#<>~/|,;:、，。；：「」"
_JOINING = re.compile(
    r"^(?:(?:and|but|while|the|a|an|it|its)\s+|[のはがをにで])+|"
    r"(?:(?:^|[\s,]+)(?:in|for|of|as|at|to|by|was|is|were|are|the|a|an|about|around|some|over|than|more|from|with))+$|[のはがをにでと約]+$",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"(?:このうち|うち|また|なお|一方)?、?(?P<topic>[^。\d]{2,40}?)(?:は|を|が)(?![一-鿿])")
"""What a Japanese sentence is about stands before its first particle of topic or object."""
_COMPARING = re.compile(
    r"(?:above|below|over|under|against|versus|from|to|of|up|down|than|compared|instead|at (?:least|most)|only)\b"
    r"|(?:前年|前期|前回|従来|目標|計画|上限|下限)(?:度|同期)?(?:比|から|より)?\Z",
    re.IGNORECASE,
)
"""Words that set a figure against another without saying what is measured."""
_PARTICLES = re.compile(r"(?:[ぁ-ん\W]|以内|以上|以下|未満|程度)*|and|or|to|of|up")
_OF_PERIOD = re.compile(
    r"(?:^|(?<=[\s(]))(?:in|during|for|of|as of|since|by|at the end of"
    r"|(?:for )?(?:the )?(?:\w+ )?(?:years?|quarters?|months?|weeks?|periods?) end(?:ed|ing))\s*$",
    re.IGNORECASE,
)
_LINE_LENGTH = 2_000
_LABEL_LENGTH = 200
_WORDS = 80
"""Characters of a sentence that are kept as a label."""
_BESIDE, _CROWD = 4 * _WORDS, 12
"""Characters before a figure in which the words for it stand, and the figures there of which more are no sentence."""
_ENOUGH = 8
"""Columns (wide characters count two) from which a clause tells by itself what is measured."""
_TABLE_LENGTH = 40_000


def subject_of(title: str) -> str:
    """Return what a page is about: its title up to the first dash or bar between blanks."""
    return _TITLE_BREAK.split(title.strip(), maxsplit=1)[0].strip() or title.strip()


def label_of(figure: Figure, text: str, subject: str = "", known: Sequence[Figure] | None = None) -> str | None:
    """Return what `figure` of `text` measures, without periods and the `subject` before it; None if it is in a label.

    It is empty where nothing stands before the figure. Who asks for many gives all figures of `text`, in order, as
    `known`: otherwise those before this one are read each time.
    """
    start = max(text.rfind("\n", 0, figure.start) + 1, figure.start - _LINE_LENGTH)
    if text.startswith("|", start):
        return _in_table(text, start, figure, subject)
    before = text[start : figure.start]
    others = _figures_before(figure, text, start, known)
    label = _last_label(before)
    if label is not None:
        return _in_line(label, before, others, subject)
    behind = _LABEL.match(text, start, figure.end + 160)
    if behind is not None and behind.end("label") > figure.start:
        return None
    return _in_prose(_sentence(before), others, subject)


def _figures_before(figure: Figure, text: str, start: int, known: Sequence[Figure] | None) -> list[Span]:
    """Return where the nearest figures of the line before one stand, counted from that one: all are negative."""
    start = max(start, figure.start - _BESIDE)
    if known is None:
        read, origin = figures(text[start : figure.start])[-_CROWD:], start - figure.start
        return [Span(one.start + origin, one.end + origin) for one in read]
    first, last = (bisect_left(known, place, key=_start) for place in (start, figure.start))
    near = known[max(first, last - _CROWD) : last]
    return [Span(one.start - figure.start, one.end - figure.start) for one in near]


def _last_label(before: str) -> re.Match[str] | None:
    """Return the last label of a line; only what stands near its colon is looked at, as lines may be long."""
    colon = max(map(before.replace("://", "   ").rfind, ":："))
    labels = list(_LABEL.finditer(before, max(0, colon - _LABEL_LENGTH), colon + 1))
    return labels[-1] if labels else None


def _in_prose(before: str, others: Sequence[Span], subject: str) -> str:
    """Return the words of a sentence before a figure, without other figures.

    Words that only set the figure against another ("up from", 前年度から) stand behind what the other measures.
    """
    ends = [(len(before) + one.start, len(before) + one.end) for one in others if len(before) + one.start >= 0]
    starts = [*(start for start, _ in ends), len(before)]
    between = [before[end:start] for (_, end), start in zip(ends, starts[1:], strict=True)]
    own = (_own_words(words, subject) for words in reversed(between))
    nearest = next(own, None)
    if nearest and not _is_dependent(nearest):
        return nearest
    named = next((words for words in own if not _is_dependent(words)), None)
    if named is None and len(ends) < _CROWD:  # Of a crowd, nobody would find the first words again.
        named = _first_words(before[: starts[0]], subject)
    return ", ".join(dict.fromkeys(filter(None, (named, nearest))))


def _first_words(before: str, subject: str) -> str:
    name = _clean(_last_clause(before), subject)
    if name and not name[0].isdigit():  # A clause that begins with another figure names nothing.
        return name
    topic = _TOPIC.match(before)
    return (_clean(topic["topic"], subject) if topic else "") or name


def _own_words(between: str, subject: str) -> str:
    """Return the words between two figures, from the last clause; nothing if they are particles only."""
    words = _clean(_clause(_behind_asides(between)), subject) if between.strip() else ""
    return "" if _PARTICLES.fullmatch(words) else words


def _is_dependent(words: str) -> bool:
    return columns(words) < _ENOUGH or _COMPARING.match(words) is not None


def _in_table(text: str, start: int, figure: Figure, subject: str) -> str:
    """Return the first cell of a table row and the head of the figure's column."""
    column = text.count("|", start, figure.start)
    row = _cell(text, start, 1) if column > 1 else ""
    paragraph = max(0, text.rfind("\n\n", max(0, start - _TABLE_LENGTH), start))
    head = 0 if text.startswith("|") and not paragraph else text.find("\n|", paragraph, start) + 1
    names = (row, _cell(text, head, column) if head < start else "")
    return ", ".join(name for name in (_clean(cell, subject) for cell in names) if name)


def _cell(text: str, start: int, column: int) -> str:
    end = text.find("\n", start)
    cells = text[start : end if end >= 0 else len(text)].split("|", column + 1)
    return cells[column] if column < len(cells) else ""


def _in_line(label: re.Match[str], before: str, others: Sequence[Span], subject: str) -> str:
    """Return the label of a line, and the words next to the figure, which tell several figures apart."""
    name, beside = _unmeasured(label_in_words(_clean(label["label"], subject))), before[label.end() :][-_BESIDE:]
    nearest = next((one for one in reversed(others) if len(beside) + one.start >= 0), None)
    own = _clean(_clause(_behind_asides(beside[nearest.end :] if nearest and nearest.end else beside)), subject)
    if name and own and len(own) <= _WORDS // 2:
        return f"{name}, {own}"
    return name or own or _in_prose(_sentence(beside), others, subject)


def _unmeasured(label: str) -> str:
    """Return a label without the unit in brackets behind it: its figures are told with theirs."""
    unit = _UNIT.search(label)
    return label[: unit.start()] if unit and unit_named(unit[1]) is not None else label


def _last_clause(before: str) -> str:
    """Return the words before a figure: its clause, or its sentence if the clause says too little."""
    sentence = _sentence(before)
    clause = _clause(sentence)
    if columns(clause.strip()) < _ENOUGH:
        clause = sentence
    if len(clause) <= _WORDS:
        return clause
    shorter = clause[-_WORDS:]
    return shorter.partition(" ")[2] if " " in shorter else shorter


def _clause(text: str) -> str:
    """Return the last clause of `text`; what stands in brackets that are closed again is no clause of its own."""
    return text[max((found.end() for found in _CLAUSE_BREAK.finditer(_masked(text))), default=0) :]


def _behind_asides(text: str) -> str:
    """Return what stands behind a figure without the brackets that are about that figure."""
    rest = _masked(text).lstrip()
    return text[len(text) - len(rest.lstrip(_MASK + " ")) :] if rest.startswith(_MASK) else text


def _masked(text: str) -> str:
    """Return `text` with brackets that are closed again made unreadable."""
    while (masked := _ASIDE.sub(lambda aside: _MASK * len(aside.group()), text)) != text:
        text = masked
    return text


def _whole(text: str) -> str:
    """Return `text` without empty brackets, brackets that nothing closes, and the end of an aside that it begins in."""
    text = _GAP.sub("", _EMPTY.sub(" ", text))
    masked = _masked(text)
    begins = max(map(masked.rfind, _CLOSING)) + 1
    pairs = zip(text[begins:], masked[begins:], strict=True)
    return "".join(" " if shown in _OPENING else own for own, shown in pairs)


def _sentence(before: str) -> str:
    return _SENTENCE_BREAK.split(before[-_BESIDE:])[-1]


def _clean(label: str, subject: str) -> str:
    kept, position = [], 0
    for period in periods(label):
        kept.append(_OF_PERIOD.sub("", label[position : period.start]))
        position = period.end
    plain = " ".join(_whole("".join([*kept, label[position:]])).split()).strip(_EDGES)
    if subject and plain.casefold().startswith(subject.casefold()) and not plain[len(subject) :][:1].isalnum():
        plain = plain[len(subject) :].strip(_EDGES)
    return _JOINING.sub("", plain).strip(_EDGES)


@dataclass(frozen=True)
class FigureRow:
    """One figure of the evidence."""

    subject: str
    """What the page is about: the first part of its title."""
    label: str
    """What the figure measures, in the words of the page."""
    value: float
    unit: str | None
    currency: str | None
    period: str | None
    text: str
    """The figure as printed."""
    quote: str
    evidence: str
    """Id of the evidence."""
    source: str
    """Id of the page."""
    date: str | None
    """Date of the page's information (ISO 8601, as precise as known)."""


_MOST = 5_000
"""Figures that are looked at: nobody reads a longer table."""


def label_as_written(label: str) -> str:
    """Return a label as its language writes it: between the parts of a Japanese one stands a Japanese comma."""
    return label.replace(", ", "、") if has_japanese(label) else label


def figure_rows(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> list[FigureRow]:
    """Return a row for each figure in `evidence`, in order; `pages` are those that it quotes, by id.

    Figures are read in their page, so that the head of a table or a label counts even if the quote leaves it out.
    Figures that are part of a label ("ages 15-24: 3.9%") are left out, and what comes after 5,000. A figure that one
    page states twice in the same words has one row.
    """
    rows: dict[tuple[object, ...], FigureRow] = {}
    for entry, figure, known in islice(_quoted(evidence, pages), _MOST):
        row = _row(figure, entry, pages[entry.source], known)
        if row is not None:
            rows.setdefault(_identity(row), row)
    return list(rows.values())


def _quoted(
    evidence: Iterable[Evidence], pages: Mapping[str, Page]
) -> Iterator[tuple[Evidence, Figure, Sequence[Figure]]]:
    """Yield each quote with each of its figures, and all figures of their page."""
    by_page: dict[str, list[Figure]] = {}
    for entry in evidence:
        if entry.source not in by_page:
            by_page[entry.source] = figures(pages[entry.source].text)
        known = by_page[entry.source]
        for place in range(bisect_left(known, entry.start, key=_start), len(known)):
            if known[place].end > entry.end:
                break
            yield entry, known[place], known


def _start(figure: Figure) -> int:
    return figure.start


def _row(figure: Figure, entry: Evidence, page: Page, known: Sequence[Figure]) -> FigureRow | None:
    subject = subject_of(page.title)
    label = label_of(figure, page.text, subject, known)
    if label is None:
        return None
    said = (figure.value, figure.unit, figure.currency, figure.period, figure.text)
    return FigureRow(subject, label, *said, entry.quote, entry.id, page.id, page.published)


def _identity(row: FigureRow) -> tuple[object, ...]:
    return row.source, row.label.casefold(), row.value, row.unit, row.currency, row.period


def figure_frame(rows: Iterable[FigureRow]) -> pd.DataFrame:
    """Return the rows as a pandas frame, one column a field."""
    import pandas as pd

    return pd.DataFrame([asdict(row) for row in rows], columns=[field.name for field in fields(FigureRow)])


Cell = str | float | int | None

_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)*")
_FORMULA = tuple("=+-@＝＋－＠\t\r\n")


def to_csv_safe(cell: Cell) -> Cell:
    """Return `cell` so that no spreadsheet takes it for a formula.

    Text that begins with = + - @ (also full-width, or behind blanks), a tab or a line break gets an apostrophe before
    it. Numbers stay numbers, and so does text that is nothing but a number.
    """
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell):
        return cell
    return "'" + cell if cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA) else cell
