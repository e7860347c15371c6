"""How Markdown files write citations and sources, and what stands behind their text: differences, verdicts, trail."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote as percent_encode, unquote

from research import core
from research.export.words import period_in_words
from research.language import COLON, COMMA, SPACE, Bilingual, Language, Phrase, bracketed
from research.quantities import label_as_written
from research.results import LeftOut, QueryTrail, SourceEntry, TopicTrail, Trail, counts, site_name
from research.text import BETWEEN_CELLS, cells, escape_markdown, sentences
from research.verification import Contradiction, ContradictionKind, Label, Side

AnyPage = core.Page | SourceEntry
"""A page, or what a record says of one."""

_LINKABLE = ("https://", "http://", "file://")
_LONGEST_TITLE = 120
"""Characters of a title that is named in passing."""
_NEXT = Bilingual("; ", "／")
_LINE = Bilingual("**{label}:** {sources}", "**{label}**：{sources}")
_BEFORE_A_LINK = re.compile(r"(?<!\\)(\[\d+\])(?=[(\[:])")


@dataclass(frozen=True)
class Numbering:
    """Under which numbers a text cites pages, and for whom it is written: what every part of a file has to know."""

    numbers: Mapping[str, int]
    """Citation number of each page that is cited, by its id."""
    pages: Mapping[str, core.Page]
    """Every page that was read, by id."""
    evidence: Mapping[str, core.Evidence]
    language: Language
    day: date
    """That of the research, from which it counts how recent a page is."""

    def marks(self, ids: Sequence[str], recent: Collection[str] = ()) -> str:
        """Return evidence ids as the numbers of their pages (`[1] [2]†`), those of `recent` pages marked.

        What has no number, as it was left out, is skipped.
        """
        pages = dict.fromkeys(self.evidence[name].source for name in ids if name in self.evidence)
        named = (page for page in pages if page in self.numbers)
        return " ".join(f"[{self.numbers[page]}]{core.RECENT_MARK if page in recent else ''}" for page in named)

    def text(self, draft: str, recent: Collection[str] = ()) -> str:
        """Return a clean draft with numbers for its ids; what follows one makes no other kind of link of it."""
        return _BEFORE_A_LINK.sub(r"\1 ", core.render_marks(draft, lambda ids: self.marks(ids, recent)))

    def list_item(self, number: int, page: core.Page, leads: str, quotes: Iterable[core.Evidence]) -> str:
        """Return the entry of a page in a list of sources: its title, which `leads` there, facts, and its quotes."""
        title, own = escape_markdown(page.title), (entry for entry in quotes if entry.source == page.id)
        label = f"[{title}]{leads}" if is_linkable(page) else title
        return f"{number}. {label} — {source_facts(page, own, self.day, self.language)}"


def is_linkable(page: AnyPage) -> bool:
    """Whether the address of a page may become a link."""
    return page.url.startswith(_LINKABLE)


def address(url: str) -> str:
    """Return an address without braces, blanks and line ends, as it can stand between angle brackets."""
    return percent_encode(url, safe=":/?#[]@!$&'()*+,;=%-._~")


def page_address(page: AnyPage, place: str = "") -> str:
    """Return the address of a page, or of a `place` in it, as it can stand between angle brackets.

    A file is named as its library names it: where on this machine the library lies is nobody else's business.
    """
    url, mark, fragment = (place or page.url).partition("#")
    if not url.startswith("file:"):
        return address(place or page.url)
    path = unquote(url.partition("?")[0])  # behind it stands which version of a file that changed is meant
    name = page.site if path.endswith(f"/{page.site}") else path.rpartition("/")[2]
    return f"file:{percent_encode(name)}{mark}{fragment}"


def definitions(pages: Iterable[tuple[int, AnyPage]]) -> str:
    """Return the lines at the end of a file that make each number a link, where the page has an address."""
    return "\n".join(f"[{number}]: <{page_address(page)}>" for number, page in pages if is_linkable(page))


def source_line(label: str, pages: Iterable[tuple[int, AnyPage]], today: date, language: Language) -> str:
    """Return one line with the number, title and date of each page; an empty one if there are none."""
    entries = [
        Bilingual("[{number}] {title}, {dated}", "[{number}] {title} · {dated}")
        .in_(language)
        .format(
            number=number,
            title=escape_markdown(core.clipped(page.title, _LONGEST_TITLE)),
            dated=_dated(page, today, language),
        )
        for number, page in pages
    ]
    return _LINE.in_(language).format(label=label, sources=_NEXT.in_(language).join(entries)) if entries else ""


def _dated(page: AnyPage, today: date, language: Language) -> str:
    """Return the date of a page as a reader is told; one of the last three months stands out."""
    age = core.freshness(page.published, today).age
    if age is core.Age.UNKNOWN or page.published is None:
        return Phrase("date unknown").in_(language)
    day = core.date_in_words(page.published, language)
    return f"**{day}**" if age is core.Age.RECENT else day


_ROWS_LISTED, _ROWS_SHOWN = 12, 3
"""Rows of a file up to which each is listed, and how many of more are."""
_ROWS_LEFT = Phrase("And {count} more rows of this file.")


def source_facts(page: core.Page, quotes: Iterable[core.Evidence], today: date, language: Language) -> str:
    """Return what stands behind the title of a page in a list of sources: facts on its line, its `quotes` below."""
    known = core.freshness(page.published, today).label.in_(language)
    outside = (f"**{limit.label.in_(language)}**" for limit in page.outside)
    facts = " · ".join([escape_markdown(page.site), page.kind.label.in_(language), known, *outside])
    shown, left = listed_quotes(quotes)
    quoted = [f"   > {escape_markdown(quote_in_line(entry.quote))}{_place(entry, page, language)}" for entry in shown]
    quoted += [f"   > {rows_left(left, language)}"] if left else []
    # Paragraphs of one block quotation under a list item.
    return "\n".join([facts, "\n   >\n".join(quoted)] if quoted else [facts])


def quote_in_words(quote: str) -> str:
    """Return a quote as readers see it: rows of tables and points of lists without the signs of Markdown.

    The cells that filings leave empty for their looks are left out.
    """
    quote = _POINT.sub("", quote)
    return _ROW.sub(lambda row: BETWEEN_CELLS.join(filter(None, map(str.strip, _CELL.split(row[1])))), quote)


def quote_in_line(quote: str) -> str:
    """Return a quote as it stands in running text: the end of a line between Japanese letters is no blank."""
    return _LINE_END.sub("", quote_in_words(quote))


_LINE_END = re.compile(r"(?<=[、-ヿ㐀-鿿！-￠])[ \t]*\n\s*(?=[、-ヿ㐀-鿿！-￠])")
_POINT = re.compile(r"(?m)^[ \t]*[-*•][ \t]+(?=\S)")
_ROW, _CELL = re.compile(r"(?m)^[ \t]*\|(.*)\|[ \t]*$"), re.compile(r"(?<!\\)\|")


def listed_quotes(quotes: Iterable[core.Evidence]) -> tuple[list[core.Evidence], int]:
    """Return the quotes of a page that a list of sources shows, and how many rows of a file it leaves out.

    A sum cites each row that it adds up: a list of fifty says no more than the first of them.
    """
    every = list(quotes)
    rows = [entry for entry in every if cells(entry.quote)]
    left = {entry.id for entry in rows[_ROWS_SHOWN:]} if len(rows) > _ROWS_LISTED else set()
    return [entry for entry in every if entry.id not in left], len(left)


def rows_left(count: int, language: Language) -> str:
    """Return that so many rows of a file are cited besides those that are listed."""
    return _ROWS_LEFT.in_(language).format(count=count)


def _place(entry: core.Evidence, page: core.Page, language: Language) -> str:
    """Return a link to where a quote stands in a file, if the file's kind has places and the page was kept."""
    if not page.url.startswith("file:") or page.text[entry.start : entry.end] != entry.quote:
        return ""
    from research.library import place_url

    place = place_url(page.url, page.text, entry.start, entry.end)
    words = Phrase("in the file").in_(language)
    return "" if place == page.url else f" [{words}](<{page_address(page, place)}>)"


# --- contradictions --------------------------------------------------------------------------------------------------
_CONTRADICTIONS = Phrase("Contradictions")

_INTRODUCTION = Phrase(
    "Quotes were compared by rules, which do not find everything. Nothing was averaged, and no side was taken."
)
_SIDE = Bilingual("- {value}{source} ({date}): “{quote}”", "- {value}{source}（{date}）：「{quote}」")


def contradictions_markdown(contradictions: Sequence[Contradiction], cites: Numbering) -> str:
    """Return the section, or an empty string if there are no contradictions; uncited pages stand by their title."""
    if not contradictions:
        return ""
    head = f"## {_CONTRADICTIONS.in_(cites.language)}"
    return "\n\n".join([head, _INTRODUCTION.in_(cites.language), entries_markdown(contradictions, cites)])


def entries_markdown(
    contradictions: Sequence[Contradiction], cites: Numbering, added: Mapping[str, date] | None = None
) -> str:
    """Return the contradictions without a heading; `added` says on which day a quote joined the run, by its id."""
    parts = []
    for contradiction in contradictions:
        parts.append(_headline(contradiction, cites.language))
        parts.append("\n".join(_side(side, cites, (added or {}).get(side.evidence)) for side in contradiction.sides))
    return "\n\n".join(parts)


def _headline(contradiction: Contradiction, language: Language) -> str:
    label = contradiction.label
    if contradiction.kind is not ContradictionKind.NAMED:
        label = label_in_words(label, language)
    named = [escape_markdown(part) for part in (contradiction.subject, label) if part]
    return f"**{COLON.in_(language).join(named)}** – {escape_markdown(contradiction.note.in_(language))}"


def _side(side: Side, cites: Numbering, added: date | None) -> str:
    page, number = cites.pages[side.source], cites.numbers.get(side.source)
    return _SIDE.in_(cites.language).format(
        value=f"**{escape_markdown(side.value)}** " if side.value else "",
        source=f"[{number}]" if number is not None else f"{escape_markdown(page.title)} · {escape_markdown(page.site)}",
        date=_dates(side, added, cites.language),
        quote=escape_markdown(quote_in_line(side.quote)),
    )


def _dates(side: Side, added: date | None, language: Language) -> str:
    dated = core.date_in_words(escape_markdown(side.published or ""), language)
    dated = dated or Phrase("date unknown").in_(language)
    if added is None:
        return dated
    return Phrase("{date}, added on {day}").in_(language).format(date=dated, day=core.date_in_words(added, language))


# --- verification, and what was left out -----------------------------------------------------------------------------

_VERIFICATION = Phrase("Verification")

_CHECKED = Phrase("Sentences checked against the stored page, by rules: {total}. {counts}.")
_COUNT = Bilingual("{label}: {count}", "{label} {count}")
_TO_CHECK = Phrase("Sentences that need checking:")
_LEFT_OUT = Phrase("Left out", "statements")
_WHY = Phrase("This report keeps only what the rules find supported by a primary source. Left out: {count}.")
_ENTRY = Bilingual("- “{text}” – {reason}", "- 「{text}」：{reason}")
_LABELLED = Bilingual("{label}: {reason}", "{label}（{reason}）")
_MORE = Phrase("- and {count} more")
_READ = Phrase("Where rules did not decide, a model ({models}) read the passage: {count} sentences.")
_NEXT_VERDICT = Bilingual(" · ", "、")
_NEEDS_CHECKING = tuple(label for label in Label if label not in (Label.VERBATIM, Label.SUPPORTED))
_SHOWN = 20


def verification(checked: Sequence[core.Sentence], cites: Numbering) -> str:
    """Return the counts of each verdict and the sentences that need checking; nothing if none was checked."""
    total, language = sum(counts(checked).values()), cites.language
    if not total:
        return ""
    lines = [_CHECKED.in_(language).format(total=total, counts=verdict_counts(checked, language))]
    if read := [one.read_by for one in checked if one.read_by]:
        lines.append(_READ.in_(language).format(count=len(read), models=", ".join(dict.fromkeys(read))))
    lines.append(Phrase("A rule can err: open the source before you rely on a sentence.").in_(language))
    text = f"## {_VERIFICATION.in_(language)}\n\n" + SPACE.in_(language).join(lines)
    weak = [
        (sentence, _reason(Label(sentence.verdict), sentence.reason, language))
        for sentence in checked
        if sentence.verdict in _NEEDS_CHECKING
    ]
    return f"{text}\n\n{_TO_CHECK.in_(language)}\n\n{_entries(weak, cites)}" if weak else text


def verdict_counts(checked: Iterable[core.Sentence], language: Language) -> str:
    """Return in one line how many sentences have each verdict; empty if none was checked."""
    return _NEXT_VERDICT.in_(language).join(
        _COUNT.in_(language).format(label=Label(name).words.in_(language), count=count)
        for name, count in counts(checked).items()
    )


def left_out_section(left_out: Sequence[LeftOut], cites: Numbering) -> str:
    """Return what a fact-strict report does not hold and why; nothing if all was kept."""
    if not left_out:
        return ""
    language = cites.language
    why = _WHY.in_(language).format(count=len(left_out))
    entries = _entries([(one, one.reason.in_(language)) for one in left_out], cites)
    return f"## {_LEFT_OUT.in_(language)}\n\n{why}\n\n{entries}"


def _reason(label: Label, reason: Bilingual | None, language: Language) -> str:
    words = label.words.in_(language)
    return _LABELLED.in_(language).format(label=words, reason=reason.in_(language)) if reason else words


def _entries(entries: Iterable[tuple[core.Sentence | LeftOut, str]], cites: Numbering) -> str:
    lines = [
        _ENTRY.in_(cites.language).format(text=escape_markdown(_unquoted(one.text)), reason=escape_markdown(reason))
        + (f" {cited}" if (cited := cites.marks(one.evidence)) else "")
        for one, reason in entries
    ]
    more = len(lines) - _SHOWN
    return "\n".join(lines[:_SHOWN] + ([_MORE.in_(cites.language).format(count=more)] if more > 0 else []))


def _unquoted(text: str) -> str:
    """Return a text without quotation marks around all of it: it gets others."""
    return text[1:-1] if text[:1] + text[-1:] in ("“”", "「」") else text


# --- how it was researched -------------------------------------------------------------------------------------------

_TRAIL = Phrase("How it was researched")
_FACT = Bilingual("- **{label}:** {text}", "- **{label}**：{text}")
_DEPTH_IS = Phrase("Queries a search: at most {queries}. Searches a section: at most {iterations}. Chosen by {who}.")
_WHO = {"analyst": Phrase("the analyst"), "user": Phrase("the user")}
_BUDGET = Phrase("At most {steps} steps (searches and reflections).")
_TOPIC = Bilingual("- **{title}** – {facts}. {ended}", "- **{title}**（{facts}）：{ended}")
_SCORE = Phrase("computed score {score}/10")
_QUERY = Bilingual("“{query}”{outcome}", "「{query}」{outcome}")
_COVERAGE = Phrase("Found of what was wanted: {listed}")
_DOT = Bilingual(" · ", "")
_SITES_NAMED = 8
UNCITED = Phrase("Pages read but not cited")


def trail_markdown(trail: Trail, cites: Numbering) -> str:
    """Return the appendix, or an empty string if nothing is known of the research."""
    if not trail.topics and not trail.ended:
        return ""
    language = cites.language
    facts = [*_facts(trail, language), *_uncited(cites)]
    topics = [*_ahead(trail.ahead, language), *(_topic(one, language) for one in trail.topics)]
    parts = [f"## {_TRAIL.in_(language)}", "\n".join(facts), "\n".join(topics)]
    if trail.method is core.MethodName.CHAINED:
        parts.append(_addresses(cites))
    return "\n\n".join(part for part in parts if part)


def _facts(trail: Trail, language: Language) -> list[str]:
    lines = [(Phrase("Method"), trail.method.label.in_(language))]
    if trail.depth:
        depth = _DEPTH_IS.in_(language).format(
            queries=trail.depth.queries_per_section,
            iterations=trail.depth.iterations,
            who=_WHO[trail.depth_by].in_(language),
        )
        lines.append((Phrase("Depth"), _joined([depth, escape_markdown(trail.depth.reason)], language)))
    if trail.outline:
        plan = [Phrase("Sections: {count}.").in_(language).format(count=len(trail.outline.sections))]
        plan += [Phrase("Edited before research began.").in_(language)] if trail.edited else []
        plan += [_BUDGET.in_(language).format(steps=trail.step_budget)] if trail.step_budget else []
        lines.append((Phrase("Plan"), _joined(plan, language)))
    lines.append((Phrase("Why research ended"), _ended(trail.ended, trail.why, language)))
    return [_FACT.in_(language).format(label=label.in_(language), text=text) for label, text in lines]


def _ended(code: str, why: str, language: Language) -> str:
    reason = (core.StopReason.words_of(code) if code else Phrase("It was broken off.")).in_(language)
    return escape_markdown(why if reason in why else _joined([reason, why], language))


def _joined(texts: Iterable[str], language: Language) -> str:
    return SPACE.in_(language).join(text for text in texts if text)


def _ahead(queries: Sequence[QueryTrail], language: Language) -> list[str]:
    """Say what was searched for before there was a topic: with it, the searches of the topics are all of the run."""
    if not queries:
        return []
    facts = Phrase("searches: {count}").in_(language).format(count=len(queries))
    head = _TOPIC.in_(language).format(title=Phrase("While it was planned").in_(language), facts=facts, ended="")
    return ["\n".join([head.rstrip("： "), *(f"  - {detail}" for detail in _queries(queries, language))])]


def _topic(topic: TopicTrail, language: Language) -> str:
    facts = [_SCORE.in_(language).format(score=topic.score)] if topic.score is not None else []
    facts += [Phrase("searches: {count}").in_(language).format(count=len(topic.queries))] if topic.queries else []
    seconds = round(topic.seconds or 0)
    facts += [Phrase("{seconds} s").in_(language).format(seconds=seconds)] if seconds else []
    head = _TOPIC.in_(language).format(
        title=escape_markdown(_name(topic)),
        facts=COMMA.in_(language).join(facts) or Phrase("not searched").in_(language),
        ended=_ended(topic.ended, topic.why, language),
    )
    details = [*_coverage(topic, language), *_queries(topic.queries, language), *_tables(topic, language)]
    return "\n".join([head, *(f"  - {detail}" for detail in details)])


def _name(topic: TopicTrail) -> str:
    """Return the title of a topic; of one without, its first sentence."""
    first = next(iter(sentences(topic.topic)), None)
    name = topic.title or (topic.topic[first.start : first.end] if first else topic.topic)
    return core.clipped(name.strip().rstrip(".。"), _LONGEST_TITLE)


def _coverage(topic: TopicTrail, language: Language) -> list[str]:
    """Say how far what a topic wants was found."""
    named = [f"{escape_markdown(kind)} {share:.0%}" for kind, share in topic.coverage.items()]
    return [_COVERAGE.in_(language).format(listed=COMMA.in_(language).join(named))] if named else []


def _queries(queries: Sequence[QueryTrail], language: Language) -> list[str]:
    listed = [
        _QUERY.in_(language).format(query=escape_markdown(one.query), outcome=_outcome(one).in_(language))
        for one in queries
    ]
    return [Phrase("Queries: {listed}").in_(language).format(listed=_DOT.in_(language).join(listed))] if listed else []


def _tables(topic: TopicTrail, language: Language) -> list[str]:
    """Say what a model asked of tables: which rows were taken is not checked, and so a reader has to see it."""
    listed = [escape_markdown(core.query_in_words(one, language)) for one in topic.tables]
    return [Phrase("Asked of tables: {listed}").in_(language).format(listed=" · ".join(listed))] if listed else []


def _outcome(query: QueryTrail) -> Bilingual:
    if query.hits:
        return Bilingual("", "")
    if query.failed:
        return Phrase(" (failed)")
    return Phrase(" (nothing found)") if query.answered else Phrase(" (not waited for)")


def _uncited(cites: Numbering) -> list[str]:
    language = cites.language
    uncited = (page for page in cites.pages.values() if page.id not in cites.numbers)
    sites = Counter(site_name(page).in_(language) for page in uncited)
    if not sites:
        return []
    named = [
        Phrase("{site}: {count}").in_(language).format(site=escape_markdown(site), count=count)
        for site, count in sites.most_common(_SITES_NAMED)
    ]
    more = len(sites) - _SITES_NAMED
    named += [Phrase("other sites: {count}").in_(language).format(count=more)] if more > 0 else []
    text = Phrase("{count} ({sites})").in_(language).format(count=sites.total(), sites=COMMA.in_(language).join(named))
    return [_FACT.in_(language).format(label=UNCITED.in_(language), text=text)]


def _addresses(cites: Numbering) -> str:
    """Return the address of every page that was read: those that are cited first, by their number."""
    if not cites.pages:
        return ""
    cited = [f"- [{number}] {_linked(cites.pages[page])}" for page, number in cites.numbers.items()]
    others = [f"- {_linked(page)}" for page in cites.pages.values() if page.id not in cites.numbers]
    return "\n".join([Phrase("Pages referred to:").in_(cites.language), "", *cited, *others])


def _linked(page: core.Page) -> str:
    """Return the address of a page of the web in full; of a file, its title with a link."""
    if core.is_web(page.url):
        return f"<{page_address(page)}>"
    title = escape_markdown(page.title)
    return f"[{title}](<{page_address(page)}>)" if is_linkable(page) else title


def label_in_words(label: str, language: Language) -> str:
    """Return the label of a contradiction with the period in brackets behind it in words: 売上目標（2027年度）."""
    label = label_as_written(label)
    what, bracket, period = label.rpartition(" (")
    if not bracket or not period.endswith(")"):
        return label
    told = period_in_words(period[:-1], language)
    return label if told == period[:-1] else bracketed(what, told, language)
