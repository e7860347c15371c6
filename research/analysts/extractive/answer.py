"""The answer that a report begins with: the values asked for, what can be computed from them, the nearest passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from math import log

from research.analysts.extractive.asked import asked_of_all_countries, core, is_excluded
from research.analysts.extractive.filling import ValueMatch, matches, ranks
from research.analysts.extractive.question import Asked, Operation, question_parts
from research.analysts.extractive.quoting import worths
from research.analysts.extractive.report import quoted
from research.analysts.extractive.values import Value
from research.analysts.protocol import ReportRequest
from research.core import Evidence
from research.language import Bilingual, Language, Phrase
from research.meaning import Embedder
from research.text import Name, asked_concepts, escape_markdown, folded, language_of, query_of, tokens

HEADING = Phrase("Answer")
_LINES = 4
"""Values of one label that are listed, and labels of one attribute."""
_PASSAGES, _FURTHER = 3, 3
"""Passages that an answer has where no value answers, and those that stand below it."""
_SAYS, _SURE = 0.6, 0.07
"""What a label has to share with what is asked, or how far above its page's average it has to lie, to answer for it."""
_CLOSE = 0.02
"""How far below the nearest label another may lie to be shown beside it."""
_LOOKED_AT = 200_000
"""Characters of a page in which the words of a question are looked for."""
_MOST = 48
"""Quotes that are compared by meaning: those nearest in words, then the first of each page before the second of any."""
_FUSED = 8
"""What evens out the places of two orders that are added up: the first of one counts about twice the ninth."""
_SHOWN = 5
"""Places of an order that are shown."""


@dataclass(frozen=True)
class CitedValue:
    """A value that answers, and the quote that holds it."""

    match: ValueMatch
    entry: Evidence

    @property
    def value(self) -> Value:
        """The value itself."""
        return self.match.value


@dataclass(frozen=True)
class AnsweredByRule:
    """What a report says first, and what else comes near to its question."""

    markdown: str
    shown: tuple[Evidence, ...]
    """The quotes that it cites."""
    further: tuple[Evidence, ...]
    """Quotes that come about as near, the nearest first."""
    is_whole: bool
    """Whether the question asks for nothing that a report of its own sections would add."""


def answer(request: ReportRequest, embedder: Embedder) -> AnsweredByRule:
    """Return the answer that the quotes of a report hold."""
    brief = request.brief
    question = question_parts(brief.question)
    kept = [entry for entry in request.evidence.values() if not is_excluded(entry.quote, brief)]
    # By where they stand, not by when they were found: the same sources give the same answer again.
    kept.sort(key=lambda entry: (request.pages[entry.source].url, entry.start))
    allowed = {entry.id: entry for entry in kept}
    cited = _cited(request, allowed, question, embedder)
    gaps, cited = _gaps(cited, question)
    lines = list(_lines(cited, question, request))
    said = "\n".join(lines)
    used = [entry for name, entry in allowed.items() if f"[{name}]" in said]
    rest = [entry for entry in allowed.values() if entry not in used and not _is_row(entry, cited)]
    nearest = _nearest(rest, request, embedder)
    if not lines and not any(_speaks_of(question, entry, request) for entry in nearest):
        return AnsweredByRule("", (), (), is_whole=False)
    wants_prose = question.operation in (Operation.REASON, Operation.OPEN) or not lines
    first = nearest[: _PASSAGES if wants_prose else 1]
    missing = [f"- {gap.in_(brief.language)}" for gap in (*_unsaid(question, request), *gaps)]
    passages = [f"- {_quoted(entry, request)}" for entry in first]
    told = [*lines, *missing, *passages] if lines else [*missing, *passages]
    return AnsweredByRule(
        f"## {HEADING.in_(brief.language)}\n\n" + "\n".join(_apart(told)) + "\n\n" if told else "",
        tuple(used + first),
        tuple(nearest[len(first) : len(first) + (_FURTHER if wants_prose else 0)]),
        request.outline is None and brief.scope is None and question.operation is not Operation.OPEN,
    )


def _speaks_of(question: Asked, entry: Evidence, request: ReportRequest) -> bool:
    """Whether a quote, or the title of its page, says anything of what is asked, in either language."""
    said = set(tokens(f"{request.pages[entry.source].title} {entry.quote}"))
    return any(one.match(said) > 0 for one in asked_concepts(question.question) if not one.is_period)


def _apart(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with a blank one where a table begins or ends, as Markdown needs it."""
    before = ""
    for line in lines:
        if before and line and before.startswith("|") != line.startswith("|"):
            yield ""
        yield line
        before = line


def _gaps(cited: Sequence[CitedValue], question: Asked) -> tuple[list[Bilingual], list[CitedValue]]:
    """Return what is asked of places that no label comes near to, and the values without what only seemed near.

    A label that shares no word with what is asked has to lie well above the others of its page.
    """
    places = [name for name in question.names if name.is_place]
    if not places or question.operation in (Operation.REASON, Operation.OPEN):
        return [], list(cited)
    gaps, kept = [], []
    for index, attribute in enumerate(question.attributes):
        own = [one for one in cited if one.match.attribute == index]
        sure = [one for one in own if one.match.shared >= _SAYS or one.match.score >= _SURE]
        kept += own if sure else []
        if not sure and len(question.attributes) > 1:
            words, (en, ja) = escape_markdown(attribute), _names(places)
            gaps.append(
                Bilingual(
                    f"Nothing was found on {words} in {en}.", f"{ja}の{words}についての記述は見つかりませんでした。"
                )
            )
    return (gaps, kept) if kept else ([], list(cited))


def _unsaid(question: Asked, request: ReportRequest) -> Iterator[Bilingual]:
    """Yield the words of the question that no page in its language uses: its subject may be missing."""
    language = language_of(question.question)
    texts = [page.text for page in request.pages.values() if language_of(page.text[:_LOOKED_AT]) is language]
    if not texts:
        return
    things = [one for one in asked_concepts(" ".join(question.attributes)) if not one.is_period]
    said: set[str] = set()
    for text in texts:
        said.update(tokens(text[:_LOOKED_AT]))
    missing = [escape_markdown(one.label) for one in things if " " not in one.label and one.match(said) == 0]
    if missing:
        en, ja = ", ".join(f"“{word}”" for word in missing), "、".join(f"「{word}」" for word in missing)
        yield Bilingual(
            f"Nothing was found on {en}: no page that was read says so.", f"{ja}についての記述は見つかりませんでした。"
        )


def _names(places: Sequence[Name]) -> tuple[str, str]:
    return escape_markdown(", ".join(name.en for name in places)), escape_markdown(
        "、".join(name.ja for name in places)
    )


def _is_row(entry: Evidence, cited: Sequence[CitedValue]) -> bool:
    return any(one.entry.id == entry.id and one.value.is_row for one in cited)


def _cited(
    request: ReportRequest, allowed: Mapping[str, Evidence], question: Asked, embedder: Embedder
) -> list[CitedValue]:
    """Return the values that stand in quotes and answer, each with its quote."""
    by_place = {(entry.source, entry.start, entry.end): entry for entry in allowed.values()}
    found = []
    for source in {entry.source: None for entry in allowed.values()}:
        for match in matches(request.pages[source], question, embedder):
            entry = by_place.get((source, match.value.start, match.value.end))
            if entry is not None and match.is_near and not match.value.is_note:
                found.append(CitedValue(match, entry))
    ranked = []
    for index, attribute in enumerate(question.attributes):
        own = [one for one in found if one.match.attribute == index]
        among = ranks(attribute, list(dict.fromkeys(one.value.label for one in own)), embedder)
        ranked += [CitedValue(replace(one.match, rank=among[one.value.label]), one.entry) for one in own]
    return ranked


# --- values ----------------------------------------------------------------------------------------------------


def _lines(cited: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield the lines of the answer for what is to be done with the values."""
    language = request.brief.language
    by_attribute = [[one for one in cited if one.match.attribute == index] for index in range(len(question.attributes))]
    by_attribute = [group for group in by_attribute if group]
    places = [name for name in question.names if name.is_place]
    if len(places) > 1 and by_attribute:
        columns = [_of_label(group, _best_label(group, places, request)) for group in by_attribute]
        yield from _table(columns, places, question, request)
        if question.operation in (Operation.ADD, Operation.RATIO):
            yield from _together(columns[0], places, question, request)
        return
    if question.operation is Operation.RANK and by_attribute:
        yield from _order(by_attribute[0], question, language)
        return
    if question.operation is Operation.ADD and by_attribute:
        for group in by_attribute:
            yield from _sum(group, language)
        return
    shown: set[tuple[str, str]] = set()
    for group in by_attribute:
        best = max(one.match.rank for one in group)
        labels = dict.fromkeys(
            one.value.label for one in sorted(group, key=lambda one: -one.match.rank) if one.match.rank >= best - _CLOSE
        )
        for label in islice(labels, _LINES):
            series = _in_time(_of_label(group, label), question)
            fresh = [one for one in series if (one.entry.id, label) not in shown][:_LINES]
            shown |= {(one.entry.id, label) for one in fresh}
            yield from (f"- {_line(one, request)}" for one in fresh)
            if question.operation is Operation.CHANGE and label == next(iter(labels)):
                yield from _change(series, question, language)


def _best_label(group: Sequence[CitedValue], places: Sequence[Name], request: ReportRequest) -> str:
    """Return the label that is nearest to what is asked and that most of the names have."""
    told: dict[str, tuple[int, float]] = {}
    for label in dict.fromkeys(one.value.label for one in group):
        ones = [one for one in group if one.value.label == label]
        count = sum(any(_is_of(one, name, request) for one in ones) for name in places)
        told[label] = (count, max(one.match.rank for one in ones))
    best = max(score for _, score in told.values())
    near = {label: count for label, (count, score) in told.items() if score >= best - 2 * _CLOSE}
    return max(near, key=lambda label: (near[label], told[label][1]))


def _of_label(group: Sequence[CitedValue], label: str) -> list[CitedValue]:
    return [one for one in group if one.value.label == label]


def _is_of(one: CitedValue, name: Name, request: ReportRequest) -> bool:
    return name.stands_in(folded(f"{one.value.subject} {request.pages[one.entry.source].title}"))


def _in_time(series: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of one label for the years that are asked for, else the latest first."""
    ordered = sorted(series, key=lambda one: one.value.period)
    if question.years:
        first, last = min(question.years), max(question.years)
        is_change = question.operation in (Operation.CHANGE, Operation.COMPARE)
        inside = [
            one
            for one in ordered
            if (first <= one.value.period[:4] <= last if is_change else one.value.period[:4] in question.years)
        ]
        if inside:
            return inside
    dated = [one for one in ordered if one.value.period]
    if question.operation is Operation.CHANGE:
        return ordered
    return dated[-1:] if dated and not dated[-1].value.is_row else ordered


def _line(one: CitedValue, request: ReportRequest) -> str:
    """Return a value as the source has it; that of a table with its label, since its row says more than is asked."""
    if not _is_table_row(one):
        return _quoted(one.entry, request)
    period = f" ({one.value.period})" if one.value.period else ""
    return f"{escape_markdown(one.value.label + period)}: {escape_markdown(one.value.text)} [{one.entry.id}]"


def _quoted(entry: Evidence, request: ReportRequest) -> str:
    return quoted(entry, request.pages[entry.source], request.brief.language)


def _is_table_row(one: CitedValue) -> bool:
    return one.value.is_row and one.entry.quote.lstrip().startswith("|")


def _table(
    columns: Sequence[Sequence[CitedValue]], places: Sequence[Name], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield the values of several names side by side: a row a name, a column for what is asked."""
    language = request.brief.language
    heads = [escape_markdown(column[0].value.label) for column in columns if column]
    yield f"| | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for name in places:
        row = []
        for column in columns:
            own = _in_time([one for one in column if _is_of(one, name, request)], question)
            row.append("; ".join(f"{escape_markdown(_dated(one.value))} [{one.entry.id}]" for one in own[-3:]) or "–")
        yield f"| {escape_markdown(name.ja if language is Language.JA else name.en)} | {' | '.join(row)} |"
    yield ""


def _dated(value: Value) -> str:
    return value.text if not value.period or value.period in value.text else f"{value.text} ({value.period})"


# --- what is computed ------------------------------------------------------------------------------------------


def _together(
    column: Sequence[CitedValue], places: Sequence[Name], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield the sum of the names, or how the first relates to the second."""
    own = [_in_time([one for one in column if _is_of(one, name, request)], question) for name in places]
    known = [series[-1] for series in own if series and _number(series[-1]) is not None]
    if len(known) < len(places):
        return
    if question.operation is Operation.ADD:
        yield _summed(known, request.brief.language)
    elif len(known) == 2 and _number(known[1]):
        first, second = _number(known[0]), _number(known[1])
        if first is not None and second:
            ratio = first / second
            marks = f"{known[0].value.text} [{known[0].entry.id}] ÷ {known[1].value.text} [{known[1].entry.id}]"
            shown = f"{ratio:.1%}" if ratio < 1 else f"{ratio:.1f}"
            yield Phrase("- Computed: {shown} = {marks}").in_(request.brief.language).format(shown=shown, marks=marks)


def _sum(group: Sequence[CitedValue], language: Language) -> Iterator[str]:
    best = max(group, key=lambda one: one.match.score).value.label
    ones = [one for one in _of_label(group, best) if _number(one) is not None]
    if len(ones) > 1:
        yield f"- {escape_markdown(best)}:"
        yield "  " + _summed(ones, language)


def _summed(ones: Sequence[CitedValue], language: Language) -> str:
    total = sum(number for one in ones if (number := _number(one)) is not None)
    operands = " + ".join(f"{_plain(_number(one))} [{one.entry.id}]" for one in ones)
    return Bilingual(f"- Computed: {_plain(total)} = {operands}", f"- 計算：{_plain(total)} = {operands}").in_(language)


def _change(series: Sequence[CitedValue], question: Asked, language: Language) -> Iterator[str]:
    """Yield the change from the first to the last of a series, as a difference and a share."""
    known = [one for one in series if _number(one) is not None and one.value.period]
    if len(known) < 2:
        return
    first, last = known[0], known[-1]
    before, after = _number(first), _number(last)
    if before is None or after is None:
        return
    share = f" ({after / before - 1:+.1%})" if before > 0 else ""
    marks = f"{_plain(after)} [{last.entry.id}] − {_plain(before)} [{first.entry.id}]"
    said = f"{_plain(after - before)}{share} = {marks}"
    yield Phrase("- Computed: {said}").in_(language).format(said=said)


def _order(group: Sequence[CitedValue], question: Asked, language: Language) -> Iterator[str]:
    """Yield the first places of an order; each subject once, with its latest value."""
    asked_order = asked_of_all_countries(question.question)
    best = max(group, key=lambda one: one.match.score).value.label
    latest: dict[tuple[str, str], CitedValue] = {}
    for one in sorted(_of_label(group, best), key=lambda one: one.value.period):
        if _number(one) is not None:
            latest[one.value.subject, one.value.period if one.value.is_row else ""] = one
    is_least = asked_order is not None and asked_order.is_least
    ordered = sorted(latest.values(), key=lambda one: _number(one) or 0.0, reverse=not is_least)
    for one in ordered[:_SHOWN]:
        subject = one.value.subject or one.value.label
        yield f"- {escape_markdown(subject)}: {escape_markdown(_dated(one.value))} [{one.entry.id}]"


def _number(one: CitedValue) -> float | None:
    return one.value.number


def _plain(number: float | None) -> str:
    """Return a number without what adding up left behind its last digit."""
    if number is None:
        return "–"
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.6f}".rstrip("0").rstrip(".")


# --- passages --------------------------------------------------------------------------------------------------


def _nearest(entries: Sequence[Evidence], request: ReportRequest, embedder: Embedder) -> list[Evidence]:
    """Return quotes by how near they come to the question: in meaning and in words, each by its place in that order.

    The model finds texts of the question's own language nearer than others: each language has an order of its own.
    """
    if not entries:
        return []
    question = request.brief.question
    worth = worths(entries, request.pages, query_of(core(question)))
    by_words = sorted(entries, key=lambda entry: -worth[entry.id])
    among = list(dict.fromkeys([*by_words[: _MOST // 2], *_first_of_each(entries)]))[:_MOST]
    texts = [f"{request.pages[entry.source].title}: {entry.quote}" for entry in among]
    near = embedder.passages(texts) @ embedder.query(question)
    place: dict[str, float] = {}
    for language in Language:
        own = [index for index, entry in enumerate(among) if language_of(entry.quote) is language]
        for rank, index in enumerate(sorted(own, key=lambda index: -near[index])):
            place[among[index].id] = 1 / (_FUSED + rank)
    exact = _by_shared_words(among, question)
    for order in (by_words, exact):
        for rank, entry in enumerate(order):
            if entry.id in place:
                place[entry.id] += 1 / (_FUSED + rank)
    return sorted(among, key=lambda entry: -place[entry.id])


def _by_shared_words(entries: Sequence[Evidence], question: str) -> list[Evidence]:
    """Return the quotes that use words of the question, those with the rarer words first."""
    asked_for = set(tokens(core(question)))
    said = {entry.id: asked_for & set(tokens(entry.quote)) for entry in entries}
    often = Counter(word for words in said.values() for word in words)
    rare = {word: log(1 + len(entries) / count) for word, count in often.items()}
    using = [entry for entry in entries if said[entry.id]]
    return sorted(using, key=lambda entry: -sum(rare[word] for word in said[entry.id]))


def _first_of_each(entries: Sequence[Evidence]) -> list[Evidence]:
    """Return quotes in turns: the first of each page, then the second of each."""
    by_page: dict[str, list[Evidence]] = {}
    for entry in entries:
        by_page.setdefault(entry.source, []).append(entry)
    return [entry for row in zip_longest(*by_page.values()) for entry in row if entry is not None]
