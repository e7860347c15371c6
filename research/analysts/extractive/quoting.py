"""What is quoted from a page, and what a note says of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence

from research.analysts.extractive.coverage import Coverage, coverage_of
from research.analysts.extractive.filling import matches
from research.analysts.extractive.ordering import rows_asked_for
from research.analysts.extractive.plan import names_in_topic, section_of
from research.analysts.extractive.subjects import Subjects, is_excluded
from research.analysts.protocol import Compression, Findings, PageRequest, PageSummary
from research.core import Brief, Evidence, Page
from research.gaps import Relevance, word_shares
from research.language import Bilingual, Language, Phrase
from research.meaning import Meaning
from research.text import (
    Name,
    Passage,
    escape_markdown,
    folded,
    heading_of,
    language_of,
    passages,
    question_parts,
    sentences,
)

_QUOTES = 8
"""Passages that are taken from a page for the question, those that share most words with it; meaning tells later."""
_FOR_TOPIC = 4
"""Further ones for what else the topic wants."""
_SHORT = 12
"""Passages up to which all of a page are taken: what answers may share no word with the question."""
_NAMED, _SELDOM = 0.3, 0.2
"""What a passage gains that names somebody asked for, where under this share of a page's passages do."""
_OPENING = 2
"""Passages of the beginning of a page that is titled by what is asked."""
_NEAR = 0.5
"""Relevance to the question that a note needs, where more was found than it is made of."""
_COMMA = Bilingual(", ", "、")
_CHARACTERS = {Language.EN: 4, Language.JA: 1}
"""About as many as a token holds."""
_QUOTED = 120
"""Characters of a quote in a note."""


# --- a page ----------------------------------------------------------------------------------------------------


async def summarise_by_rule(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    """Quote what the page says on question and topic; the summary only names what the quotes are about."""
    return await asyncio.to_thread(_summarise, request, meaning)


def _summarise(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    asked = question_parts(request.question)
    found = _chosen(request, meaning)
    values = matches(request.page, asked, meaning)
    held = dict.fromkeys(request.page.text[one.value.start : one.value.end] for one in values)
    quotes = dict.fromkeys([*held, *(passage.text for passage in found)])
    return PageSummary(_said(found, asked.attributes, language_of(request.topic)), tuple(quotes), by_rule=True)


def _chosen(request: PageRequest, meaning: Meaning | None) -> list[Passage]:
    """Return the passages of a page that may say something of what is asked, in the order of the page."""
    every = passages(request.text)
    if len(every) <= _SHORT:
        return list(every)
    said = [f"{one.heading} {one.text}" for one in every]
    asked = question_parts(request.question)
    topic = request.topic.replace(request.question, " ")
    best = {*_best(" ".join(asked.attributes), said, _QUOTES, asked.names), *_best(topic, said, _FOR_TOPIC)}
    title = folded(request.page.title)
    if not best and meaning is not None and meaning.is_there and any(name.stands_in(title) for name in asked.names):
        near = Relevance(meaning).of(request.question, said)
        best = set(sorted(range(len(said)), key=lambda index: -near[index])[:_OPENING])
    if not best and max(word_shares(request.question, [request.page.title])) > 0:
        best = set(range(_OPENING))
    return [every[index] for index in sorted(best)]


def _best(asked: str, said: Sequence[str], count: int, names: Sequence[Name] = ()) -> list[int]:
    """Return the passages that share most words with what is asked; naming somebody tells where few of them do."""
    shares = word_shares(asked, said)
    for name in names:
        named = [name.stands_in(folded(one)) for one in said]
        if sum(named) < _SELDOM * len(said):
            shares = [share + _NAMED * is_named for share, is_named in zip(shares, named, strict=True)]
    ranked = sorted((index for index, share in enumerate(shares) if share > 0), key=lambda index: -shares[index])
    return ranked[:count]


def _said(found: Sequence[Passage], points: Sequence[str], language: Language) -> str:
    if not found:
        return Phrase("Nothing on the question.").in_(language)
    texts = [f"{one.heading} {one.text}" for one in found]
    about = _COMMA.in_(language).join(point for point in points if max(word_shares(point, texts)) >= 0.5)
    count, passages_ = len(found), "passage" if len(found) == 1 else "passages"
    if not about:
        return Bilingual(f"{count} {passages_}.", f"{count}か所を引用。").in_(language)
    return Bilingual(f"{count} {passages_} on {about}.", f"{about}に関する{count}か所を引用。").in_(language)


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
    told = {entry.id for entry, share in zip(among, near, strict=True) if share >= _NEAR}
    for page in {entry.source: findings.pages[entry.source] for entry in allowed}.values():
        rows = {(one.start, one.end) for one in rows_asked_for(page.text, asked, page.title)}
        told |= {one.id for one in allowed if one.source == page.id and (one.start, one.end) in rows}
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
        yield _line(Phrase("other").in_(language), rest, language), rest


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
    text = " ".join(quote.split())
    spans = sentences(text)
    first = text[: spans[0].end] if spans else text
    if len(first) <= _QUOTED:
        return first
    cut = first[:_QUOTED]
    # Japanese has no blanks to cut at, and a blank far from the end would cut off too much.
    whole, blank, _ = cut.rpartition(" ")
    return (whole if blank and 2 * len(whole) > _QUOTED else cut).rstrip() + "…"


# --- how a quote is shown --------------------------------------------------------------------------------------


def said_by(entry: Evidence, pages: Mapping[str, Page]) -> str:
    """Return a quote with the heading that it stands under, as it is compared with what is asked."""
    page = pages[entry.source]
    heading = heading_of(page.text, entry.start)
    return f"{heading}: {entry.quote}" if heading and folded(heading) != folded(page.title) else entry.quote


def allowed_of(evidence: Sequence[Evidence], brief: Brief) -> list[Evidence]:
    """Return the quotes that speak of nothing that the brief excludes."""
    return [entry for entry in evidence if not is_excluded(entry.quote, brief)]


_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARK = r"(?:[•‣・●○◎▪]\s*|(?:[-*+–]|\d{1,3}[.)])\s+)"
_ITEM = re.compile(rf"\s*\n\s*{_MARK}")
_STARTS = re.compile(rf"^{_MARK}")
_EMPTY_CELLS = re.compile(r"\s*\|(?:\s*[$€£¥]?\s*\|)*\s*")
_WRAPPED = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s*\n\s*(?=[\u3000-\u9fff\uff00-\uffef])")


def quoted(entry: Evidence, page: Page, language: Language) -> str:
    """Return a quote on one line in the report's quotation marks, with its citation; a bare line with its heading.

    Of a link only its words are shown, of a row of a table its filled cells; items of a list are separated by slashes.
    """
    plain = _LINK.sub(r"\1", entry.quote.strip())
    first, *items = _ITEM.split(_STARTS.sub("", plain))
    led = not _STARTS.match(plain) and items  # A first line that is no item leads to them.
    listed = [" ".join([first, *items[:1]]), *items[1:]] if led else [first, *items]
    joined = " / ".join(" ".join(_WRAPPED.sub("", one).split()) for one in listed)
    text = escape_markdown(_EMPTY_CELLS.sub(" | ", joined).strip("| ") if plain.startswith("|") else joined)
    marks = Bilingual(f"“{text}” [{entry.id}]", f"「{text}」[{entry.id}]").in_(language)
    heading = heading_of(page.text, entry.start)
    short = len(entry.quote) < _BARE and not _speaks_for_itself(entry.quote, page)
    if short and heading and "|" not in heading and heading not in page.title:
        colon = Bilingual(": ", "：").in_(language)
        return f"{escape_markdown(heading)}{colon}{marks}"
    return marks


def titled(entry: Evidence, pages: Mapping[str, Page], language: Language) -> str:
    """Return a quote as it is shown, with the title of its page, where several pages were read."""
    page = pages[entry.source]
    quote = quoted(entry, page, language)
    if len(pages) == 1:
        return quote
    return f"{escape_markdown(page.title)}{Bilingual(': ', '：').in_(language)}{quote}"


_BARE = 60
"""Characters below which a quote may need its heading to be understood."""


def _speaks_for_itself(quote: str, page: Page) -> bool:
    """Whether a short quote is a whole sentence, or names what the page is about."""
    return quote.endswith((".", "。", "!", "！")) or quote.split(" ", maxsplit=1)[0] in page.title
