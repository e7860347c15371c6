"""Quotes chosen from a page: what bears on the topic, with its antecedent."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from research.analysts.extractive.asked import core, is_aside, is_excluded, things_asked
from research.analysts.extractive.coverage import Coverage, Told, coverage_of
from research.analysts.extractive.filling import matches
from research.analysts.extractive.lenses import LensSection
from research.analysts.extractive.plan import (
    asks_in_words,
    calls_for_a_lens,
    concepts_of,
    names_in_topic,
    plan_of,
    section_of,
    wanted_of,
)
from research.analysts.extractive.question import question_parts
from research.analysts.extractive.values import cells
from research.analysts.protocol import Compression, Findings, PageRequest, PageSummary
from research.core import Brief, Evidence, Page, SourceKind
from research.language import Bilingual, Language, Phrase
from research.meaning import Embedder
from research.text import (
    Concept,
    Query,
    Quotable,
    choose,
    columns,
    compared_in,
    concept,
    countries_in,
    escape_markdown,
    folded,
    heading_at,
    is_same,
    language_of,
    names_in,
    passages_of,
    query_of,
    rate,
    regions_in,
    scores,
    sentences,
    subject_of,
    tokens,
)

_LEANS = re.compile(
    r"(?:It|They|This|These|Those|He|She|Both|Such|Its|Their|(?:One|Two|Three|Some|Most|Many) of (?:them|these))\b"
    r"|(?:これ|それ|この(?!うち)|その|同社|同氏|同国|両者|いずれも)"
)
_EXPLAINS = re.compile(r"(?:ため|から)(?:である|です|だ)。?\Z")
_HAS_SUBJECT = re.compile(r"[はがも]")
_WIDEST = 320
"""Columns that both sentences may take together."""


def quote_of(quote: str, text: str) -> str:
    """Return what is quoted for a sentence of a page with this `text`: itself, or with the one that it leans on.

    That sentence must stand directly before it, on the same line.
    """
    start = text.find(quote) if _leans(quote) else -1
    if start <= 0:
        return quote
    line = text.rfind("\n", 0, start) + 1
    before = [span for span in sentences(text[line:start]) if any(map(str.isalpha, text[line + span.start : start]))]
    both = text[line + before[-1].start : start + len(quote)] if before else quote
    return both if columns(both) <= _WIDEST else quote


def _leans(text: str) -> bool:
    """Whether a sentence opens with a pronoun, only gives a reason, or is a Japanese one without a subject."""
    if _LEANS.match(text) or _EXPLAINS.search(text):
        return True
    return text.endswith("。") and not _HAS_SUBJECT.search(text)


def without_repeats(quotes: Sequence[str]) -> tuple[str, ...]:
    """Return quotes in their order without those that are a part of another, each once."""
    distinct = tuple(dict.fromkeys(quotes))
    return tuple(one for one in distinct if not any(one != other and one in other for other in distinct))


_COMMA = Bilingual(", ", "、")
_CHARACTERS = {Language.EN: 4, Language.JA: 1}
"""About as many as a token holds."""
_QUOTED = 120
"""Characters of a quote in a note."""


def noted(
    coverage: Coverage, kept: Sequence[Evidence], language: Language, tokens: int, *, is_quoting: bool = False
) -> str:
    """Return notes of at most `tokens` on the evidence `kept`: as many aspects as fit between head and gaps.

    If it `is_quoting`, each aspect says what its first quote says that no aspect before it did, as far as there is
    room: every aspect is named before any is quoted.
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


def _lines(
    coverage: Coverage, kept: Sequence[Evidence], language: Language
) -> Iterator[tuple[str, Sequence[Evidence]]]:
    """Yield a line for each aspect, then one for the quotes that speak of none of them; each with its evidence."""
    for told in coverage.told:
        yield _line(_subject(told, language), told.evidence, language), told.evidence
    said = {entry.id for told in coverage.told for entry in told.evidence}
    if rest := [entry for entry in kept if entry.id not in said]:
        yield _line(Phrase("other").in_(language), rest, language), rest


def _subject(told: Told, language: Language) -> str:
    names = _COMMA.in_(language).join(name.ja if language is Language.JA else name.en for name in told.names)
    brackets = Bilingual(f" ({names})", f"（{names}）").in_(language) if names else ""
    return told.aspect.label.in_(language) + brackets


def _line(subject: str, evidence: Sequence[Evidence], language: Language) -> str:
    colon = Bilingual(": ", "：").in_(language)
    return f"- {subject}{colon}" + " ".join(f"[{entry.id}]" for entry in evidence)


WORTH_SHOWING = 0.3
"""Share of the best score from which a passage is shown."""
_ROWS = 5
"""Rows of a table that are taken, at most."""
_ITEMS, _ITEM = 10, 45
"""Items from which a text is a listing, and how long they are on average at most."""
_SAYS = 0.9
_POINTS = re.compile(
    r"\A(?:本(?:資料|稿|メモ|書|報告書?)|対象)は"
    r"|\AThis (?:report|memo|study|document|note|paper) (?:covers|describes|is about)\b"
    r"|(?:確認|参照)(?:すること|のこと|されたい|して(?:ください|下さい))。?\Z"
)
_UNNAMED_COMPANY = re.compile(r"(?<![A-Za-zＡ-Ｚ])[A-ZＡ-Ｚ]社")
_COMPANY = "企業"


def passage_of(entry: Evidence, page: Page) -> Quotable:
    """Return evidence as a passage, with its page's title and the heading that it stands under."""
    return Quotable(entry.quote, heading_at(page.text, entry.start), page.title)


def weighed(passage: Quotable, query: Query) -> Quotable:
    """Return a passage as it is ranked.

    A row of a table is ranked by all of its cells; A社 is a company. Where the question does not compare, everything on
    a page that is titled by what is asked for stands under that title, as under a heading.
    """
    heading = passage.heading if query.names else f"{passage.heading} {passage.title}".strip()
    text = " ".join(f"{label} {value}" for label, value in cells(passage.text)) or passage.text
    if _UNNAMED_COMPANY.search(text):
        text = f"{text} {_COMPANY}"
    return replace(passage, text=text, heading=heading)


def chosen(passages: Sequence[Quotable], query: Query, count: int, worth: float = WORTH_SHOWING) -> list[int]:
    """Return the indices of up to `count` passages that say most (see `research.text.ranking.choose`).

    What only a listing holds is none of them, nor what only says what a document covers or where to look. The rows of a
    table count as one passage and come together.
    """
    tables: dict[Hashable, list[int]] = {}
    for index, passage in enumerate(passages):
        labels = tuple(label for label, _ in cells(passage.text))
        tables.setdefault((passage.title, labels) if labels else index, []).append(index)
    ranked = [(rows, weighed(passages[rows[0]], query)) for rows in tables.values()]
    telling = [
        (rows, passage)
        for rows, passage in ranked
        if not (is_by_chance(passage, query) or _POINTS.search(passage.text))
    ]
    best = choose([passage for _, passage in telling], query, count, worth)
    return [row for index in best for row in telling[index][0][:_ROWS]]


def is_by_chance(passage: Quotable, query: Query) -> bool:
    """Whether what is asked for is one of the many items of a listing whose label and heading say something else."""
    line = passage.data_line
    listed = line.value if line else passage.text
    items = re.split(r"[,;、，；]\s*", listed)
    if len(items) < _ITEMS or len(listed) > _ITEM * len(items):
        return False
    about = passage.heading_tokens | passage.label_tokens
    return not any(concept.match(about) >= _SAYS for concept in query.concepts)


_ON_SUBJECT, _ELSEWHERE = 0.25, 0.75
"""Share of the best score on the question's subject that a page's best quote must reach; likewise of others' pages on
a country that nobody asked about."""
_TOUCHED = 0.5


def to_the_point(
    entries: Sequence[Evidence], pages: Mapping[str, Page], brief: Brief, *, is_planned: bool = False
) -> list[Evidence]:
    """Leave out what is about other things: what only a section's own words or a year called for.

    Pages are judged as a whole; then each quote must say something of what is asked, unless it `is_planned` what else
    the report holds. Where the question names countries, `research.text.ranking` tells what is about them.
    """
    question = brief.question
    near = [entry for entry in entries if not is_aside(pages[entry.source], question)]
    on_subject = _on_subject(near, pages, brief)
    return on_subject if is_planned else _touching(on_subject, pages, brief)


def _on_subject(near: list[Evidence], pages: Mapping[str, Page], brief: Brief) -> list[Evidence]:
    question = brief.question
    if compared_in(question) or not asks_in_words(question, brief.scope):
        return near
    subject = subject_of(core(question))
    worth = scores([weighed(passage_of(entry, pages[entry.source]), subject) for entry in near], subject)
    of_page: dict[str, float] = {}
    for entry, own in zip(near, worth, strict=True):
        of_page[entry.source] = max(own, of_page.get(entry.source, 0.0))
    best = max(worth, default=0.0)
    return [entry for entry in near if of_page[entry.source] >= _least(pages[entry.source]) * best]


def _touching(near: list[Evidence], pages: Mapping[str, Page], brief: Brief) -> list[Evidence]:
    """Leave out quotes that say nothing of what is asked, unless the lens is what is asked about a country."""
    question = brief.question
    if calls_for_a_lens(question, brief.scope) and (compared_in(question) or not asks_in_words(question, brief.scope)):
        return near
    areas = {area.en for area in regions_in(question)}
    asked = [one for one in things_asked(question) if not one.is_period and one.label not in areas]
    for section in plan_of(question, brief.scope).sections:
        asked += [concept(one.label.en, one.phrases) for one in wanted_of(section, question)]
    if not asked:
        return near
    return [entry for entry in near if _touches(passage_of(entry, pages[entry.source]), asked)]


def _touches(passage: Quotable, asked: Sequence[Concept]) -> bool:
    said = passage.tokens | passage.heading_tokens | passage.title_tokens
    return any(one.match(said) >= _TOUCHED for one in asked)


def _least(page: Page) -> float:
    """Return the share of the best score that a page must reach where the question names no country."""
    return _ELSEWHERE if page.kind is not SourceKind.DOCUMENT and countries_in(page.title) else _ON_SUBJECT


QUOTES = 5
"""Quotes taken from one page."""
_CANDIDATES, _WORTH_A_LOOK = 8, 0.1
"""The same, and the share of the best score that a quote needs, where meaning tells between them when all are there."""
_SHORT = 3_000
"""Characters up to which every passage of a page may answer."""
_LARGE = 50_000
"""Characters from which ranking leaves the event loop."""
_IRRELEVANT = 0.25
"""Share of the best score of a topic below which a quote is dropped."""


async def summarise_by_rule(request: PageRequest, embedder: Embedder | None = None) -> PageSummary:
    """Quote what the page says on question and topic; the summary only names what the quotes are about."""
    if embedder is not None or len(request.text) > _LARGE:
        return await asyncio.to_thread(_summarise, request, embedder)
    return _summarise(request, None)


def _summarise(request: PageRequest, embedder: Embedder | None) -> PageSummary:
    language = language_of(request.topic)
    section = section_of(request.topic, request.question)
    query = query_of(core(request.question), concepts_of(section, request.question, language))
    passages = passages_of(request.text, request.page.title)
    count, worth = (QUOTES, WORTH_SHOWING) if embedder is None else (_CANDIDATES, _WORTH_A_LOOK)
    found = chosen(passages, query, count, worth) if _is_on_subject(request, passages) else []
    if embedder is not None:
        found = list(dict.fromkeys([*found, *_candidates(passages, request)]))
    if not found and _is_titled(request.page.title, query):
        found = list(range(min(2, len(passages))))
    excerpts = [passages[index] for index in found]
    quotes = without_repeats([quote_of(passage.text, request.text) for passage in excerpts])
    values = valued(request.page, request.question, embedder)
    held = [request.page.text[start:end] for start, end in values]
    return PageSummary(_summary(excerpts, query, language), tuple(dict.fromkeys((*held, *quotes))), by_rule=True)


def _candidates(passages: Sequence[Quotable], request: PageRequest) -> list[int]:
    """Return the passages that use the rarest words of the question; of a short page on the subject all of them."""
    if len(request.page.text) <= _SHORT and _is_on_subject(request, passages):
        return list(range(len(passages)))
    asked_for = set(tokens(core(request.question)))
    said = [asked_for & passage.tokens for passage in passages]
    often = Counter(word for words in said for word in words)
    worth = [sum(log(1 + len(passages) / often[word]) for word in words) for words in said]
    best = sorted((index for index, own in enumerate(worth) if own), key=lambda index: -worth[index])
    return best[:_CANDIDATES] if not is_aside(request.page, request.question) else []


def valued(page: Page, question: str, embedder: Embedder | None) -> list[tuple[int, int]]:
    """Return where the labelled values of a page stand that may answer a question, once each."""
    if embedder is None:
        return []
    found = matches(page, question_parts(question), embedder)
    return list(dict.fromkeys((one.value.start, one.value.end) for one in found))


def _is_on_subject(request: PageRequest, passages: Sequence[Quotable]) -> bool:
    """Whether the page holds anything that the question asks for by its own words, wherever it stands."""
    if is_aside(request.page, request.question):
        return False
    things = things_asked(request.question)
    if not things or compared_in(request.question):
        return True
    said = set(tokens(request.page.title)).union(*(passage.tokens | passage.heading_tokens for passage in passages))
    names = names_in(request.question)
    return any(one.match(said) >= 0.9 for one in things) or any(name.stands_in(folded(request.text)) for name in names)


def _is_titled(title: str, query: Query) -> bool:
    """Whether a page is on the subject by its title, so that its beginning is worth quoting whatever it says."""
    low = folded(title)
    on_subject = bool(query.concepts) and query.concepts[0].match(set(tokens(title))) == 1.0
    return on_subject or (not query.concepts and any(name.stands_in(low) for name in query.names))


def _summary(excerpts: Sequence[Quotable], query: Query, language: Language) -> str:
    if not excerpts:
        return Phrase("Nothing on the question.").in_(language)
    said = [
        concept.label
        for concept in query.concepts
        if any(concept.match(passage.tokens | passage.heading_tokens) > 0.5 for passage in excerpts)
    ]
    about = Bilingual(", ", "、").in_(language).join(dict.fromkeys(said))
    count = len(excerpts)
    if not about:
        passages = "passage" if count == 1 else "passages"
        return Bilingual(f"{count} {passages} from its beginning.", f"冒頭から{count}か所を引用。").in_(language)
    passages = "passage" if count == 1 else "passages"
    return Bilingual(f"{count} {passages} on {about}.", f"{about}に関する{count}か所を引用。").in_(language)


def compress_by_rule(findings: Findings, embedder: Embedder | None = None) -> Compression:
    """Keep what is relevant and said once, at least one quote of each source; the notes say what is missing.

    Where it is known what else was found, what is beside the point is left out, as the report leaves it out.
    """
    brief, pages = findings.brief, findings.pages
    section = section_of(findings.topic, brief.question, brief.scope)
    if findings.among:
        near = {entry.id for entry in to_the_point(findings.among, pages, brief)}
        telling = _telling([one for one in findings.evidence if one.id in near], pages, section, brief)
        kept = keep_relevant(telling, pages, section, brief)
    else:
        kept = keep_relevant(findings.evidence, pages, section, brief)
    if embedder is not None:
        kept = _allowed(findings.evidence, brief)
    coverage = coverage_of(section, brief, kept, pages, names_in_topic(findings.topic, brief.question))
    notes = noted(coverage, kept, brief.language, findings.note_tokens, is_quoting=findings.may_quote)
    excluded = len(findings.evidence) - len(_allowed(findings.evidence, brief))
    if excluded:
        words = Phrase("{excluded} left out as excluded.").filled(excluded=excluded)
        notes += "\n" + words.in_(brief.language)
    return Compression(tuple(entry.id for entry in kept), notes)


def keep_relevant(
    evidence: Sequence[Evidence], pages: Mapping[str, Page], section: LensSection, brief: Brief
) -> list[Evidence]:
    """Return the evidence worth keeping, in its order."""
    query = _query(section, brief)
    worth = worths(evidence, pages, query)
    best = max(worth.values(), default=0.0)
    allowed = sorted(_allowed(evidence, brief), key=lambda one: -worth[one.id])
    kept: dict[str, Quotable] = {}
    for entry in allowed:
        passage = weighed(passage_of(entry, pages[entry.source]), query)
        is_lonely = all(other.source != entry.source for other in evidence if other.id in kept)
        is_double = not cells(entry.quote) and any(is_same(passage, other) for other in kept.values())
        if is_lonely or (worth[entry.id] >= _IRRELEVANT * best and not is_double):
            kept[entry.id] = passage
    needed = {told.evidence[0].id for told in _lost(section, brief, allowed, kept, pages)}
    return [entry for entry in evidence if entry.id in kept or entry.id in needed]


def _telling(
    evidence: Sequence[Evidence], pages: Mapping[str, Page], section: LensSection, brief: Brief
) -> list[Evidence]:
    """Return the evidence of the pages of which a quote says enough to be shown."""
    worth = worths(evidence, pages, _query(section, brief))
    least = WORTH_SHOWING * max(worth.values(), default=0.0)
    near = {entry.source for entry in evidence if worth[entry.id] >= least}
    return [entry for entry in evidence if entry.source in near]


def _query(section: LensSection, brief: Brief) -> Query:
    return query_of(core(brief.question), concepts_of(section, brief.question, brief.language))


def _lost(
    section: LensSection, brief: Brief, found: Sequence[Evidence], kept: Container[str], pages: Mapping[str, Page]
) -> Iterator[Told]:
    """Yield what is covered by what was `found`, for each name by itself, and not by what is `kept` of it."""
    for name in compared_in(brief.question) or (None,):
        told = coverage_of(section, brief, found, pages, [name] if name else []).told
        yield from (one for one in told if not any(entry.id in kept for entry in one.evidence))


def worths(evidence: Sequence[Evidence], pages: Mapping[str, Page], query: Query) -> dict[str, float]:
    """Return how much each quote says on `query`, by evidence id."""
    weights = [concept.weight for concept in query.concepts]
    passages = {entry.id: weighed(passage_of(entry, pages[entry.source]), query) for entry in evidence}
    return {name: rate([passage], query)[0].score(weights) for name, passage in passages.items()}


def _allowed(evidence: Sequence[Evidence], brief: Brief) -> list[Evidence]:
    return [entry for entry in evidence if not is_excluded(entry.quote, brief)]
