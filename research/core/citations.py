"""Drafts with evidence ids become text with numbered citations, measured in pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import groupby
from typing import NamedTuple

from markdown_it.tree import SyntaxTreeNode

from research.core.brief import Brief
from research.core.ledger import Evidence, Sentence
from research.core.row_query import OF_ROWS
from research.core.vocabulary import PRESETS, Length
from research.language import Language, Phrase, is_own_text
from research.text import BETWEEN_CELLS, GONE, MarkdownWriter, Span, markdown_reader, sentences_in

_NUMBER = r"\d{1,6}(?:\s{0,3}[-–~〜]\s{0,3}E?\s?\d{1,6})?"
_IDS = rf"E\s?{_NUMBER}(?:\s{{0,3}}[,;、，；]\s{{0,3}}E?\s?{_NUMBER})*"
_MARK = re.compile(rf"(?:\\?\[|［|【|\(|（)\s{{0,3}}(?:{_IDS})\s{{0,3}}(?:\\?\]|］|】|\)|）)", re.IGNORECASE)
_ONLY_IDS = re.compile(rf"\s*(?:{_IDS})\s*", re.IGNORECASE)
_ONLY_NUMBER = re.compile(r"\^?\d{1,3}")
_FOREIGN_NUMBER = re.compile(r"\[\^?\d{1,3}(?:\s{0,3}[,–-]\s{0,3}\d{1,3})*\](?!\():?")
_CLEAN_MARK = re.compile(r"\[(E\d+(?:, E\d+)*)\]")
_ROW_OF_MARKS = re.compile(rf"{_CLEAN_MARK.pattern}(?:\s*[,、]?\s*{_CLEAN_MARK.pattern})*")
_LONE_MARKS = re.compile(rf"(?:(?:[-*+]|\d{{1,3}}[.)]|>) )*{_ROW_OF_MARKS.pattern}[ .,;。、，；]*")
_MOST_BEHIND = 5
"""Marks on lines of their own that the sentence above may have: nobody cites more for one."""
_CITATION_RANGE = re.compile(r"(\d+)\s*[-–~〜]\s*E?\s?(\d+)", re.IGNORECASE)
_LONGEST_RANGE = 10

_SOURCE_LIST = re.compile(
    r"(?:\d+\.? ?)?(?:sources?|references?|bibliography|works cited|citations?"
    r"|出典|情報源|参考文献|参考資料|引用元|引用文献)(?:一覧)? ?[:：]?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Cited:
    """A report whose every citation exists."""

    draft: str
    """The text with evidence ids, cleaned: every mark has the form `[E1, E2]` and every id exists."""
    numbers: dict[str, int]
    """Page id -> citation number, in order of first citation; no number without entry, none twice."""
    evidence: tuple[str, ...]
    """The evidence cited, once each, in order of first citation."""
    citations: int
    unknown_ids: int
    removed_links: int


def cite(text: str, evidence: Mapping[str, Evidence], *, is_quoting: bool = False) -> Cited:
    """Read an analyst's text as Markdown, write it back without what leads elsewhere, and number what it cites.

    Unknown ids, citation numbers, links, images and addresses written by the analyst are removed and counted; a list of
    sources is cut. What is left can be read by any reader of Markdown: it holds no link, image, definition or HTML, and
    every mark stands with words.

    Args:
        text: What an analyst wrote.
        evidence: What it may cite, by id.
        is_quoting: Whether the program composed it of quotes, which stay as they are: with addresses, as plain text.
    """
    writer = _DraftWriter(evidence, keeps_addresses=is_quoting)
    draft = writer.written(_reader, text) + "\n"
    draft = draft if is_quoting else _with_marks_at_words(draft)
    return numbered(draft, evidence, unknown_ids=writer.unknown_ids, removed_links=writer.removed)


_reader = markdown_reader(citation=_MARK, number=_FOREIGN_NUMBER)
_OPENING, _CLOSING = "\x01", "\x02"
"""Around the ids of a mark until its line is finished: no text holds them."""
_MARKS_IN_A_ROW = re.compile(
    rf"{_OPENING}[^{_CLOSING}]*{_CLOSING}(?:\s{{0,3}}[,、]?\s{{0,3}}{_OPENING}[^{_CLOSING}]*{_CLOSING})*"
)


_FAILED_EMPHASIS = re.compile("(?<=[\u3000-\u9fff\uff00-\uffef])\\*\\*|\\*\\*(?=[\u3000-\u9fff\uff00-\uffef])")
"""Beside Japanese letters and stops, of which Markdown's rules know nothing."""


class _DraftWriter(MarkdownWriter):
    """Writes an analyst's text as a draft: every mark has the form `[E1, E2]`, and its ids exist."""

    def __init__(self, evidence: Mapping[str, Evidence], *, keeps_addresses: bool) -> None:
        super().__init__(keeps_addresses=keeps_addresses)
        self.unknown_ids = 0
        self._evidence = evidence

    def chosen(self, blocks: Sequence[SyntaxTreeNode]) -> Sequence[SyntaxTreeNode]:
        """Return the blocks before a list of sources; of quotes, all of them."""
        if self.keeps_addresses:
            return blocks
        headings = (place for place, block in enumerate(blocks) if block.type == "heading")
        ends = (place for place in headings if _SOURCE_LIST.fullmatch(_words_of(blocks[place])))
        return blocks[: next(ends, len(blocks))]

    def text(self, text: str) -> str:
        """Return plain text as Markdown, without signs of emphasis that no reader takes for them."""
        return super().text(text if self.keeps_addresses else _FAILED_EMPHASIS.sub("", text))

    def special(self, node: SyntaxTreeNode) -> str:
        """Return the ids of a mark that exist; nothing for a number of the analyst's own."""
        if node.type == "citation":
            return self._mark(node.content)
        if node.type == "number":
            self.unknown_ids += 1
            return ""
        return super().special(node)

    def linked(self, node: SyntaxTreeNode) -> str:
        """Return what stays of a link: its words, a mark if it was put on one, nothing of a citation number."""
        words = _words_of(node)
        if _ONLY_IDS.fullmatch(words):
            return self._mark(words)
        return "" if _ONLY_NUMBER.fullmatch(words) else super().linked(node)

    def finished(self, line: str) -> str:
        """Return the line with its marks, such that none becomes an image, a link or a definition."""
        line = _MARKS_IN_A_ROW.sub(lambda row: _marks(re.findall(r"E[0-9]+", row[0])), line)
        line = re.sub(f"!(?={_OPENING})", r"\\!", line)
        line = re.sub(rf"{_CLOSING}(?=[(:])", f"{_CLOSING}\\\\", line)
        return line.replace(_OPENING, "[").replace(_CLOSING, "]")

    def _mark(self, written: str) -> str:
        wanted = _ids(written)
        known = [name for name in wanted if name in self._evidence]
        self.unknown_ids += len(wanted) - len(known)
        return _marks(known) if known else GONE


def _marks(names: Sequence[str]) -> str:
    """Return ids as one mark of a line that is not finished, each once."""
    return f"{_OPENING}{', '.join(dict.fromkeys(names))}{_CLOSING}"


def _words_of(node: SyntaxTreeNode) -> str:
    return " ".join("".join(child.content for child in node.walk() if child.type in ("text", "code_inline")).split())


def numbered(draft: str, evidence: Mapping[str, Evidence], *, unknown_ids: int = 0, removed_links: int = 0) -> Cited:
    """Number the sources of a draft that is clean already, in the order of their first citation."""
    names = _names_in(draft)
    cited = tuple(dict.fromkeys(names))
    sources = dict.fromkeys(evidence[name].source for name in cited)
    numbers = {source: number for number, source in enumerate(sources, start=1)}
    return Cited(draft, numbers, cited, len(names), unknown_ids, removed_links)


def _with_marks_at_words(draft: str) -> str:
    """Return a draft in which no mark stands alone: small models list ids below headings and say nothing.

    Below a sentence that cites nothing a few of them are its own; all others cite for nothing, and go.
    """
    kept: list[str] = []
    are_lost = []
    for has_words, run in groupby(draft.split("\n"), _has_words):
        lines = list(run)
        alone = [] if has_words else _names_in(" ".join(lines))
        if not alone:
            kept += lines
            continue
        is_own = len(alone) <= _MOST_BEHIND and bool(kept) and _is_without_mark(kept[-1])
        if is_own:
            kept[-1] = marked(kept[-1], list(dict.fromkeys(alone)))
        are_lost.append(not is_own)
        kept += [line for line in lines if not line.strip()]
    if not are_lost:
        return draft
    kept = _without_empty_headings(kept) if any(are_lost) else kept
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


def _has_words(line: str) -> bool:
    return bool(line.strip()) and not _LONE_MARKS.fullmatch(" ".join(line.split()))


def _is_without_mark(line: str) -> bool:
    """Whether a line says something for which no mark stands."""
    is_set = line.lstrip().startswith(("#", "|")) or _TABLE_RULE.match(line)
    return not is_set and re.search(r"\w", line) is not None and not _CLEAN_MARK.search(line)


def _names_in(draft: str) -> list[str]:
    return [name for match in _CLEAN_MARK.finditer(draft) for name in match[1].split(", ")]


def cited_ids(draft: str) -> list[str]:
    """Return the ids of the evidence that a clean draft cites, once each, in order."""
    return list(dict.fromkeys(_names_in(draft)))


def render_marks(draft: str, render: Callable[[list[str]], str]) -> str:
    """Replace each mark of a cleaned draft by what `render` makes of its evidence ids."""
    return _CLEAN_MARK.sub(lambda match: render(match.group(1).split(", ")), draft)


def cited_sentences(draft: str) -> list[Sentence]:
    """Return the sentences of a cleaned draft, each with the evidence it cites and its place in the draft.

    Headings claim nothing and are left out; nor does what the program says where it found nothing. A mark behind the
    full stop belongs to the sentence before it; a row of a table is one sentence. Whether a sentence is borne out is
    not looked at.
    """
    found: list[Sentence] = []
    for line in _claiming_lines(draft):
        if draft.startswith("|", line.start):
            spans = [Span(0, line.end - line.start)]
        else:
            # A full stop changes places with what belongs to its sentence behind it; offsets stay true.
            text = _STRONG.sub(
                lambda strong: f"{strong[1]}{strong[2]}{strong[1]}{strong[3]}" if strong[3] else strong[0],
                draft[line.start : line.end],
            )
            text = _MARK_AFTER_STOP.sub(r"\2\3\1", text)
            spans = _whole(text, sentences_in(text, Span(0, len(text))))
        for span in spans:
            found.extend(_sentence_at(draft, Span(line.start + span.start, line.start + span.end)))
    return found


def quoted_passages(draft: str) -> list[Sentence]:
    """Return the passages of a draft that the program composed of quotes: each quote with its mark, each table row or
    item of a list that cites one, and each line that computes something of figures with their marks.

    What stands around the quotes are the program's own words about its work; they are returned as claiming nothing.
    """
    found: list[Sentence] = []
    for line in _claiming_lines(draft):
        if draft.startswith("|", line.start) or _CALCULATION.search(draft, line.start, line.end):
            found.extend(_sentence_at(draft, line))
            continue
        lead = _TITLE_BEFORE_QUOTES.match(draft, line.start, line.end)
        start = lead.end() if lead else line.start
        for mark in _ROW_OF_MARKS.finditer(draft, start, line.end):
            opening = _OPENING_QUOTE.search(draft, start, mark.start())
            piece = Span(opening.start() if opening else start, mark.end())
            claims = opening or _TOLD_OF.fullmatch(draft, start, mark.start())
            found.extend(_sentence_at(draft, piece) if claims else _framing(draft, piece))
            start = mark.end()
        found.extend(_framing(draft, Span(start, line.end)))
    return found


def _sentence_at(draft: str, span: Span) -> list[Sentence]:
    """Return what stands at `span` as one sentence, or nothing if there are no words."""
    piece = draft[span.start : span.end]
    ids = tuple(cited_ids(piece))
    words = _plain(without_marks(piece) if ids else _RUN_IN_TITLE.sub(r"\1", piece))
    if not re.search(r"\w", words):
        return []
    if _BOLD_LINE.fullmatch(piece):
        return [Sentence(text=words, evidence=(), verdict=None, reason_code=TITLE, start=span.start, end=span.end)]
    is_own = not ids and is_own_text(words)
    verdict, reason = None if ids or is_own else "uncited", FRAMING if is_own else ""
    return [Sentence(text=words, evidence=ids, verdict=verdict, reason_code=reason, start=span.start, end=span.end)]


def without_marks(text: str) -> str:
    """Return a piece of a cleaned draft without its marks."""
    return _MARK_WITH_BLANK.sub("", text)


def _claiming_lines(draft: str) -> Iterator[Span]:
    """Yield where lines stand that can claim something, without list markers: no headings, rules or heads of tables."""
    start = 0
    lines = draft.split("\n")
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        is_table_head = line.lstrip().startswith("|") and _TABLE_RULE.match(following)
        if not (line.lstrip().startswith("#") or _TABLE_RULE.match(line) or is_table_head or not line.strip()):
            lead = _LINE_LEAD.match(line)
            yield Span(start + (lead.end() if lead else 0), start + len(line.rstrip()))
        start += len(line) + 1


_MARK_WITH_BLANK = re.compile(rf"\s?{_CLEAN_MARK.pattern}")
_MARK_AFTER_STOP = re.compile(r"([.!?。！？][\"”’」』）)*_]*)(\s*)((?:\s?\[E\d+(?:, E\d+)*\])+)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|(&#?\w+;)")
_CALCULATION = re.compile(rf" = (?=[^=“「]*\[E\d)(?:[^=“「]* [÷×−+] |{OF_ROWS})")
"""How a line shows what it is worked out from: 12.0% = 240 [E1] ÷ 2,000 [E2], 1,531 = sum of 48 rows [E3]."""
_OPENING_QUOTE = re.compile("[“「]")
_TOLD_OF = re.compile(r"[^:：\n]+[:：][^\n]*[^\s:：?？。]\s*")
"""An item of a list that tells something of somebody: no question, and nothing that only leads to a mark."""
_STOPS = re.compile(r"[.!?。！？…][^\w\s]{0,20}\Z")
_STOP_AND_SIGNS = 21
"""Characters that it can match at most: what stands before them is not looked through."""
_STRONG = re.compile(r"(\*{1,3})([^*]*[^*.!?。！？])([.!?。！？]+)\1|(\*{1,3})[^*]+\4")
"""Words in emphasis, those that end with a full stop first; pairs are taken as they come."""
_RUN_IN_TITLE = re.compile(r"\*\*([^*]+)[.。]\*\*\Z")
"""A title before text on the same line; without its full stop it is read as the title that it is."""
_BOLD_LINE = re.compile(r"\*\*[^*\[\]]{0,80}[^*\[\].!?。！？]\*\*[:：]?")
_TITLE_BEFORE_QUOTES = re.compile(r"\*\*.*?\*\*[:：]\s*")
_TABLE_RULE = re.compile(r"^\s*(?:\|\s*)?:?-{2,}[\s|:-]*$")
"""The line between the head of a table and its rows, or between parts of a text."""
_LINE_LEAD = re.compile(r"\s*(?:(?:[-*+]|\d+[.)]|>)\s+)?")
"""What stands before the words of a line."""
FRAMING = "framing"
"""Reason code of what the program itself says of its work."""
TITLE = "title"
"""Reason code of a line in bold that serves as a heading."""


def _framing(draft: str, span: Span) -> list[Sentence]:
    found = _sentence_at(draft, span)
    return [sentence.model_copy(update={"verdict": None, "reason_code": FRAMING}) for sentence in found]


def _whole(text: str, spans: Sequence[Span]) -> list[Span]:
    """Join the pieces of a sentence that is longer than the segmenter takes at once: they end without a full stop."""
    joined: list[Span] = []
    for span in spans:
        if joined and not _STOPS.search(text, max(joined[-1].start, joined[-1].end - _STOP_AND_SIGNS), joined[-1].end):
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined


def _plain(text: str) -> str:
    """Return Markdown text without its marks of emphasis, code and tables."""
    text = re.sub(r"(?<!\\)(\*{1,3}|_{2,3}|`+)", "", text)
    if text.lstrip().startswith("|"):
        text = BETWEEN_CELLS.join(cell.strip() for cell in re.split(r"(?<!\\)\|", text) if cell.strip())
    return re.sub(r"\s+", " ", _ESCAPED.sub(lambda match: match[1] or unescape(match[2]), text)).strip()


def _ids(mark: str) -> list[str]:
    """Return the evidence ids of a mark as an analyst wrote it; a range stands for all its members."""

    def spread(match: re.Match[str]) -> str:
        first, last = int(match[1]), int(match[2])
        return ",".join(map(str, range(first, last + 1))) if 0 <= last - first < _LONGEST_RANGE else match[1]

    return list(dict.fromkeys(f"E{int(number)}" for number in re.findall(r"\d+", _CITATION_RANGE.sub(spread, mark))))


_DRAFT_HEADING = re.compile(r"#{1,6}(?=\s)")
_END_SIGNS, _BEHIND_STOPS = ".!?。！？", '"”’」』）)*_| \t\n\u00a0\u3000'
_WIDE_BEFORE = re.compile(r"[⺀-鿿＀-￯]$")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_CONTENT = 7
"""Deeper than any heading."""


def edited(draft: str, changes: Mapping[Span, str]) -> str:
    """Return `draft` with each span replaced by its text, on one line; an empty text takes the sentence out.

    Lines, tables and headings that are left empty go as well; the title stays.
    """
    of_line: dict[int, list[Span]] = {}
    for span in changes:
        of_line.setdefault(draft.rfind("\n", 0, span.start) + 1, []).append(span)
    lines, start = [], 0
    for line in draft.split("\n"):
        here = of_line.get(start, [])
        changed = _changed(line, {Span(span.start - start, span.end - start): changes[span] for span in here})
        if not here or re.search(r"\w", _LINE_LEAD.sub("", f"{changed} ", count=1)):
            lines.append(changed)
        start += len(line) + 1
    if not any(text == "" for text in changes.values()):
        return "\n".join(lines)
    text = "\n".join(_without_empty_headings(_without_empty_tables(lines)))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def marked(text: str, ids: Sequence[str]) -> str:
    """Return a sentence without marks with one mark for `ids`, before its full stop."""
    words = text.rstrip(_BEHIND_STOPS).rstrip(_END_SIGNS)
    end = text[len(words) :]
    blank = "" if _WIDE_BEFORE.search(words) else " "
    return f"{words}{blank}[{', '.join(ids)}]{end}"


def citing_only(text: str, ids: Collection[str]) -> str:
    """Return a piece of a draft whose marks name none but `ids`."""

    def kept(names: list[str]) -> str:
        left = [name for name in names if name in ids]
        return f"[{', '.join(left)}]" if left else ""

    return re.sub(r"(?<!\s)\s+(?=[.。,、]|$)", "", render_marks(text, kept))


def _changed(line: str, changes: Mapping[Span, str]) -> str:
    for span in sorted(changes, reverse=True):
        text = " ".join(changes[span].split())
        rest = line[span.end :]
        line = line[: span.start] + text + (rest if text else rest.lstrip())
    return _GAP.sub(" ", line).rstrip() if changes else line


def _without_empty_tables(lines: Sequence[str]) -> list[str]:
    """Return the lines without heads of tables that have no rows left."""
    kept: list[str] = []
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        if "|" in line and _TABLE_RULE.match(line) and not following.lstrip().startswith("|"):
            kept = kept[:-1]
        else:
            kept.append(line)
    return kept


def _without_empty_headings(lines: Sequence[str]) -> list[str]:
    """Return the lines without headings under which nothing stands; the first line, the title, stays."""
    kept: list[str] = []
    below = 0  # Something stands below headings of a lower level than this.
    for number, line in reversed(list(enumerate(lines))):
        heading = _DRAFT_HEADING.match(line)
        if heading is None:
            below = _CONTENT if line.strip() else below
        elif len(heading.group()) < below:
            below = len(heading.group())
        elif number:
            continue
        kept.append(line)
    return kept[::-1]


WORDS_A_PAGE = 400
SIGNS_A_PAGE = 900
"""Chinese, Japanese and Korean characters."""
_MEASURED_HEADING = 20
"""Words that fit where a heading stands with the space around it."""
_LEAST = 12
"""Words that fit on the line that even the shortest point of a list, row or paragraph takes."""
_FAR = 1.25
"""A report is as long as it was asked to be if it is within the pages asked for, give or take this factor."""
_REWORKED_FROM = 1.5
"""The factor from which it is worth to have a report written again."""

_WIDE_LETTER = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:[.,'’:/%-][^\W_]+)*")
_ASKED_AND_HAS = Phrase("asked for: {asked}; it has about {has}")
_PAGE = Phrase("1 page")


class Pages(NamedTuple):
    """How many pages a report may have."""

    least: int
    """Zero where it may be as short as it likes."""
    most: int


PAGES = {Length.PAGE: Pages(0, 1), Length.SHORT: Pages(2, 3), Length.MEDIUM: Pages(4, 8), Length.LONG: Pages(10, 30)}


def length_of(brief: Brief) -> Length:
    """Return how long the report may be: as the brief says, else as its preset does."""
    return brief.length or PRESETS[brief.preset].length


def pages_of(draft: str) -> float:
    """Return how many pages a draft has, in whichever languages it is written; its marks are not counted."""
    lines = (line for line in without_marks(draft).splitlines() if line.strip() and not _TABLE_RULE.match(line))
    return round(sum(map(_words, lines)) / WORDS_A_PAGE, 2)


def _words(line: str) -> float:
    """Return the words that would fit where a line of Markdown stands."""
    wide, narrow = _WIDE_LETTER.subn(" ", line)
    words = len(_WORD.findall(wide)) + narrow * WORDS_A_PAGE / SIGNS_A_PAGE
    return words + _MEASURED_HEADING if line.startswith("#") else max(words, _LEAST)


def is_too_long(pages: float, length: Length, factor: float = _FAR) -> bool:
    """Whether a report has more pages than a length allows, by more than a reader would let pass."""
    return pages > PAGES[length].most * factor


def is_too_short(pages: float, length: Length, factor: float = _FAR) -> bool:
    """Whether a report has fewer pages than a length asks for, by more than a reader would let pass."""
    return pages < PAGES[length].least / factor


def is_far_off(pages: float, length: Length) -> bool:
    """Whether a report is so much longer or shorter than asked for that writing it again is worth the time."""
    return is_too_long(pages, length, _REWORKED_FROM) or is_too_short(pages, length, _REWORKED_FROM)


def is_nearer(pages: float, than: float, length: Length) -> bool:
    """Whether one number of pages is nearer to what a length asks for than another."""
    least, most = PAGES[length]
    first, second = (max(least / max(one, 0.01), one / most, 1.0) for one in (pages, than))
    return first < second


def length_in_words(pages: float, length: Length, language: Language) -> str:
    """Return how long a report was asked to be and how long it is: `asked for: 1 page; it has about 3 pages`."""
    least, most = PAGES[length]
    asked = (_PAGE if most == 1 else Phrase("{least}–{most} pages")).in_(language).format(least=least, most=most)
    halves = max(1, round(2 * pages)) / 2
    has = Phrase("half a page") if halves < 1 else _PAGE if halves == 1 else Phrase("{count} pages")
    count = f"{halves:g}" if halves < 10 else str(round(pages))
    return _ASKED_AND_HAS.in_(language).format(asked=asked, has=has.in_(language).format(count=count))


def range_in_words(least: float, most: float, language: Language) -> str:
    """Return a number of pages as a writer in `language` can keep to it: `800 to 1200 words`."""
    a_page, unit = (SIGNS_A_PAGE, "characters") if language is Language.JA else (WORDS_A_PAGE, "words")
    first, last = (round(pages * a_page, -1) for pages in (least, most))
    return f"{first:.0f} to {last:.0f} {unit}" if 0 < first < last else f"{last:.0f} {unit}"


KEY_FINDINGS = Phrase("Key findings")
"""The heading of the short list of what matters most, of a report or of a section of its plan."""


RECENT_MARK = "†"
"""Stands behind a citation of information of the last three months."""
