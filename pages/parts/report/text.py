"""Messages and links by which the report leads to quotes, pages and answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from pages.parts.nodes import COMPUTED, Badge, Element, el, group, icon, lang_of, link, report_body, sender, unbroken
from pages.parts.ui import Ui
from research.core import Age, Brief, Evidence, FigureCheck, PageRead, RunView, Sentence, cite, freshness, render_marks
from research.export.citing import quote_in_words
from research.results import LeftOut, RunRecord, borne_out, counts
from research.text import columns
from research.verification import COMPUTED as CALCULATED, Label

SHOW_QUOTE = "quote:"
"""Message that asks to show a quote in its page; the id of the evidence follows."""
SHOW_PAGE = "page:"
"""Message that asks to show a page as it was read; its id follows."""
SHOW_PASSAGE = "passage:"
"""Message that asks to show a passage of a page; the page's id and the offsets follow, see `passage_message`."""
ALL = (SHOW_QUOTE, SHOW_PAGE, SHOW_PASSAGE)

_PASSAGE = re.compile(rf"{SHOW_PASSAGE}(\w+):(\d+):(\d+)")


class PassageAddress(NamedTuple):
    """A passage: `page[start:end]`."""

    page: str
    start: int
    end: int


def passage_message(place: PassageAddress) -> str:
    """Return the message that asks for a passage."""
    return f"{SHOW_PASSAGE}{place.page}:{place.start}:{place.end}"


def passage_asked_for(message: str) -> PassageAddress | None:
    """Return the passage that `message` asks for, if it asks for one."""
    found = _PASSAGE.fullmatch(message)
    return PassageAddress(found[1], int(found[2]), int(found[3])) if found else None


_LINK_MARK = re.compile(r"\s?\[(E\d+(?:, E\d+)*)\]")


def quote_links(ids: Iterable[str], known: Collection[str], ui: Ui) -> Element | None:
    """Return a mark for each quote of `ids` that is among the `known`; each opens its page at the quote."""
    marks = [
        sender(SHOW_QUOTE + name, "cite", name, title=ui._("{quote}: show in the page").format(quote=name), key=name)
        for name in dict.fromkeys(ids)
        if name in known
    ]
    return group("span", "cites", marks) if marks else None


def with_links(text: str, known: Collection[str], ui: Ui) -> list[Element | str | None]:
    """Return a text with its marks (`[E1, E2]`) as links."""
    parts: list[Element | str | None] = []
    for place, part in enumerate(_LINK_MARK.split(text)):
        parts.append(quote_links(part.split(", "), known, ui) if place % 2 else part)
    return parts


_SECTION_HEADINGS = ("h2", "h3", "h4", "h5", "h6")


def with_sources(body: Sequence[Element], sources: Callable[[list[str]], Element]) -> list[Element]:
    """Return a report's elements with `sources` under each section that cites something.

    Sections begin at the highest level of heading; the title, where it comes first, is none of them. `sources` is
    given the ids of the quotes that a section cites.
    """
    found: list[Element] = []
    for section in _sections(body):
        found += section
        ids = list(dict.fromkeys(name for element in section for name in _cited_in(element)))
        found += [sources(ids)] if ids else []
    return found


def _sections(body: Sequence[Element]) -> Iterator[list[Element]]:
    start, tag = _first(body), section_level(body)
    starts = [place for place, element in enumerate(body) if place >= start and element.tag == tag]
    for begin, end in zip([0, *starts], [*starts, len(body)], strict=True):
        yield list(body[begin:end])


def section_level(body: Sequence[Element]) -> str:
    """Return the tag of the headings that begin sections, or an empty text if there are none."""
    return min((element.tag for element in body[_first(body) :] if element.tag in _SECTION_HEADINGS), default="")


def _first(body: Sequence[Element]) -> int:
    """Return the place behind the title, if there is one."""
    return 1 if body and body[0].tag == "h2" else 0


def _cited_in(element: Element) -> Iterator[str]:
    for mark in element.find("cite"):
        yield from mark.attributes["data-card"].split(",")


def is_recent(page: PageRead, day: date) -> bool:
    """Whether a page is of the three months before `day`."""
    return freshness(page.published, day).age is Age.RECENT


def source_list(label: str, sources: Iterable[tuple[Element, PageRead]], day: date, ui: Ui) -> Element:
    """Return sources on running lines: number (as given), title and date of each."""
    entries = [
        el("li", "", number, link(page.url, page.title, "title"), _dated(page, day, ui), key=page.page)
        for number, page in sources
    ]
    return el("div", "section-sources", el("span", "label", label), group("ul", "", entries))


def _dated(page: PageRead, day: date, ui: Ui) -> Element:
    if page.published is None or freshness(page.published, day).age is Age.UNKNOWN:
        return el("span", "date", ui._("date unknown"))
    words = ui.partial_date(page.published)
    return el("strong", "date", words) if is_recent(page, day) else el("span", "date", words)


_UNFINISHED_MARK = re.compile(r"\s?\[[^\]\n]{0,80}\Z")
_TABLE = re.compile(r"^\|[^\n]*(?:\n\|[^\n]*)*\Z", re.MULTILINE)


def readable(draft: str) -> str:
    """Return `draft` without a citation that has no end yet, and without a table that has no more than its head."""
    text = _UNFINISHED_MARK.sub("", draft)
    table = _TABLE.search(text)
    return text[: table.start()] if table and _is_bare(table[0].split("\n")) else text


def _is_bare(lines: list[str]) -> bool:
    head, *rest = lines
    return not rest or rest[0].count("|") < head.count("|")


OPPOSED = "compare_arrows"
"""Sign of what sources say differently."""
WEAK = "weak"
"""Class of what needs checking."""
ICONS = {
    Label.VERBATIM: "format_quote",
    Label.SUPPORTED: "check",
    Label.PARTIAL: "contrast",
    Label.UNSUPPORTED: "error",
    Label.UNCITED: "link_off",
    Label.UNVERIFIABLE: "visibility_off",
}


def is_checked(sentences: Sequence[Sentence]) -> bool:
    """Whether the sentences were held against their pages; those of older runs were not."""
    return any(sentence.verdict and sentence.reason for sentence in sentences)


def weak_count(sentences: Sequence[Sentence]) -> int:
    """Return how many sentences need checking."""
    counted = counts(sentences)
    return sum(counted.values()) - borne_out(counted)


def summary(sentences: Sequence[Sentence], ui: Ui) -> list[Element]:
    """Return the counts, and what they are; nothing if no sentence was checked."""
    counted = counts(sentences) if is_checked(sentences) else {}
    if not counted:
        return []
    # How the counts came about stands right beside them.
    how = ui.n_(
        "{count} sentence, checked against the stored page, by rules",
        "{count} sentences, checked against the stored page, by rules",
        sum(counted.values()),
    )
    if read := sum(bool(one.read_by) for one in sentences):
        how = f"{how} · " + ui._("read by a model, as rules did not decide: {count}").format(count=ui.number(read))
    entries = [
        el(
            "li", f"count {name}", icon(ICONS[Label(name)]),
            el("strong", "", ui.number(count)), el("span", "", ui.of_term(Label(name).words)), key=name,
        )
        for name, count in counted.items()
    ]  # fmt: skip
    caution = ui._("A verdict says what the stored page holds, not whether the page is right. Rules can err.")
    head = el("div", "checked-head", el("h2", "", how), group("ul", "counts", entries))
    return [el("div", "checked", head, el("p", "faint", caution), key="checked")]


def tally(sentences: Sequence[Sentence], ui: Ui) -> str:
    """Return the counts of the verdicts on one line; an empty one if no sentence was checked."""
    counted = counts(sentences) if is_checked(sentences) else {}
    return " · ".join(f"{ui.of_term(Label(name).words)}: {ui.number(count)}" for name, count in counted.items())


def badges(
    sentences: Sequence[Sentence], evidence: Mapping[str, Evidence], ui: Ui, opposed: Mapping[int, str] | None = None
) -> tuple[list[Badge], dict[str, list[Element]]]:
    """Return a badge for each sentence that has a verdict, and the card that it opens.

    `opposed` names the card of a contradiction by the start of the sentence that tells one side of it.
    """
    found: list[Badge] = []
    cards: dict[str, list[Element]] = {}
    at = 0
    if not is_checked(sentences):
        return found, cards
    for number, sentence in enumerate(sorted(sentences, key=lambda one: one.start)):
        if sentence.shown is None or not at <= sentence.start < sentence.end:
            continue
        at, label, name = sentence.end, Label(sentence.shown), f"V{number}"
        cards[name] = _verdict_card(sentence, label, evidence, ui)
        kind = "" if label in (Label.VERBATIM, Label.SUPPORTED) else f"said {WEAK} {label.value}"
        kind = COMPUTED if sentence.reason_code in CALCULATED and not kind else kind
        mark = _badge(label, name, ui)
        if other := (opposed or {}).get(sentence.start):
            words = ui._("Another source says otherwise")
            mark = el("span", "marks", mark, opener(other, "opposed", words, icon(OPPOSED), title=words))
        found.append(Badge(sentence.start, sentence.end, mark, kind))
    return found, cards


def _badge(label: Label, name: str, ui: Ui) -> Element:
    words = ui._("{verdict}: what stands behind this sentence").format(verdict=ui.of_term(label.words))
    return opener(name, f"verdict {label.value}", words, icon(ICONS[label]))


def opener(
    card: str, kind: str, words: str, *shown: Element | str, title: str | None = None, is_calm: bool = False
) -> Element:
    """Return a button that opens a card, a calm one when it is pressed alone, and is read out as `words`."""
    return el(
        "button", kind, *shown,
        type="button", data_card=card, data_calm="" if is_calm else None, title=title,
        aria_label=words, aria_haspopup="dialog", aria_expanded="false",
    )  # fmt: skip


def closer(ui: Ui) -> Element:
    """Return the button that closes a card."""
    return sender("close", "quiet", icon("close"), aria_label=ui._("Close"))


def _verdict_card(sentence: Sentence, label: Label, evidence: Mapping[str, Evidence], ui: Ui) -> list[Element]:
    why = ui.of_term(sentence.reason) if sentence.reason else ""
    header = el(
        "header", f"card-head verdict-head {label.value}",
        icon(ICONS[label]),
        el("div", "", el("strong", "", ui.of_term(label.words)), el("p", "", *unbroken(why))),
        closer(ui),
    )  # fmt: skip
    body = [group("ul", "found", [_figure(number, ui) for number in sentence.numbers]) if sentence.numbers else None]
    judge = ui._("Checked against the stored page, by rules")
    if sentence.read_by:
        judge = ui._("Rules did not decide; read on the stored page by {model}").format(model=sentence.read_by)
    how = el("footer", "card-foot how", judge)
    return [header, group("div", "card-body", [*body, *_behind(sentence, evidence, ui)]), how]


def _figure(number: FigureCheck, ui: Ui) -> Element:
    symbol, said = ("check", ui._("found")) if number.found else ("close", ui._("not found"))
    shown = None
    if number.source and number.start is not None and number.end is not None:
        message = passage_message(PassageAddress(number.source, number.start, number.end))
        label = ui._("Show {figure} in the page").format(figure=number.text)
        shown = sender(message, "quiet", icon("find_in_page"), aria_label=label, title=label)
    kind = "held" if number.found else "missing"
    return el("li", kind, icon(symbol), el("strong", "", number.text), el("span", "", said), shown)


def _behind(sentence: Sentence, evidence: Mapping[str, Evidence], ui: Ui) -> Iterator[Element]:
    """Yield the quotes that the sentence cites, and the passage that the verdict rests on if it is no quote."""
    label = ui._("Show in the page")
    quotes = [evidence[name] for name in sentence.evidence if name in evidence]
    for quote in quotes:
        opener = sender(SHOW_QUOTE + quote.id, "textual", icon("find_in_page"), label)
        yield el("figure", "quote", quoted(quote.quote), opener)
    place = sentence.passage
    if place and not any(quote.start <= place.start and place.end <= quote.end for quote in quotes):
        message = passage_message(PassageAddress(place.source, place.start, place.end))
        yield sender(message, "textual", icon("find_in_page"), ui._("Show the passage that was compared"))


def quoted(quote: str, tag: str = "blockquote") -> Element:
    """Return what a page says, as it is quoted beside its source."""
    return el(tag, "", *unbroken(quote_in_words(quote)), lang=lang_of(quote))


def left_out(sentences: Sequence[LeftOut], evidence: Mapping[str, Evidence], ui: Ui) -> list[Element]:
    """Return what a fact-strict report does not hold, each with the reason; nothing if all was kept."""
    entries = [
        el(
            "li", "", el("p", "", one.text), el("p", "faint", ui.of_term(one.reason)),
            *(
                sender(SHOW_QUOTE + name, "textual", icon("find_in_page"), ui._("Show in the page"))
                for name in one.evidence[:1]
                if name in evidence
            ),
            key=str(place),
        )
        for place, one in enumerate(sentences)
    ]  # fmt: skip
    if not entries:
        return []
    head = ui.n_("Left out: {count} statement", "Left out: {count} statements", len(entries))
    why = ui._("This report keeps only what the rules find supported by a primary source.")
    return [
        el(
            "details", "more left-out measure",
            el("summary", "", head), el("p", "faint", why), group("ul", "", entries), key="left_out",
        )
    ]  # fmt: skip


def only_weak(body: Sequence[Element]) -> list[Element]:
    """Return the blocks of a report that hold something to check, with the headings over them."""
    kept: list[Element] = []
    below = 0  # something to check stands below headings of a lower level than this
    for block in reversed(body):
        if block.tag in _VERDICT_HEADINGS:
            if _VERDICT_HEADINGS[block.tag] < below:
                below = _VERDICT_HEADINGS[block.tag]
                kept.append(block)
        elif block.find(WEAK):
            below = len(_VERDICT_HEADINGS) + 2
            kept.append(block)
    return kept[::-1]


_VERDICT_HEADINGS = {f"h{level}": level for level in range(2, 7)}


@dataclass(frozen=True)
class CitedReport:
    """A report with all that its citations point to."""

    draft: str
    numbers: Mapping[str, int]
    """Page id to citation number."""
    evidence: Mapping[str, Evidence]
    pages: Mapping[str, PageRead]
    brief: Brief
    sentences: Sequence[Sentence] = ()
    """Each with its verdict, if the run has ended."""
    left_out: Sequence[LeftOut] = ()
    day: date | None = None
    """That of the run, if the report follows a plan: its sections name their sources, and what is recent stands out."""

    started: datetime | None = None

    @classmethod
    def of_record(cls, record: RunRecord, state: RunView) -> CitedReport:
        """Take the report of a run that has ended."""
        numbers = {source.id: source.number for source in record.sources if source.number is not None}
        day = record.day if record.outline else None
        started = datetime.fromisoformat(record.started_at)
        left_out = record.left_out
        return cls(
            record.draft, numbers, state.evidence, state.pages, record.brief, record.sentences, left_out, day, started
        )

    @classmethod
    def of_draft(cls, brief: Brief, state: RunView) -> CitedReport:
        """Take the report as far as it is written."""
        cited = cite(readable(state.draft), state.evidence)
        return cls(cited.draft, cited.numbers, state.evidence, state.pages, brief)

    @property
    def cited(self) -> dict[str, list[Evidence]]:
        """The quotes cited from each page, in the order of the citation numbers."""
        order = sorted(self.numbers, key=lambda page: self.numbers[page])
        found: dict[str, list[Evidence]] = {page: [] for page in order}

        def note(mark: list[str]) -> str:
            for entry in (self.evidence[name] for name in mark):
                if entry not in found[entry.source]:
                    found[entry.source].append(entry)
            return ""

        render_marks(self.draft, note)
        return found


def report(
    cited: CitedReport, ui: Ui, *, to_check: bool = False, opposed: Mapping[int, str] | None = None
) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the report's text, and the cards that its citations and badges open; `to_check` leaves out the rest."""
    marks, cards = badges(cited.sentences, cited.evidence, ui, opposed)

    def mark(ids: list[str]) -> Element | None:
        buttons = [button(page, quotes) for page, quotes in _by_page(ids, cited)]
        return group("span", "cites", buttons) if buttons else None

    def button(page: str, quotes: list[Evidence]) -> Element:
        name = ",".join(quote.id for quote in quotes)
        cards[name] = _card(cited, page, quotes, ui)
        return _button(cited, page, name, ui)

    def sources(ids: list[str], day: date) -> Element:
        by_number = sorted(_by_page(ids, cited), key=lambda entry: cited.numbers[entry[0]])
        listed = [(button(page, quotes), cited.pages[page]) for page, quotes in by_number]
        return source_list(ui._("Sources of this section"), listed, day, ui)

    language, day = cited.brief.language, cited.day
    body = report_body(cited.draft, mark, language, marks)
    if body and body[0].text() == " ".join(cited.brief.question.split()):
        del body[0]  # a title that only repeats the question, which stands over the page already
    if to_check:
        body = only_weak(body)
    elif day:
        body = [*_lead(cited, day, ui), *with_sources(body, lambda ids: sources(ids, day))]
    kind = "report to-check" if to_check else "report"
    return [group("article", kind, body, lang=language.value)], cards


def _by_page(ids: Sequence[str], cited: CitedReport) -> list[tuple[str, list[Evidence]]]:
    """Return quotes by the page that they stand in, each page once."""
    quotes = [cited.evidence[name] for name in ids if name in cited.evidence]
    pages = dict.fromkeys(quote.source for quote in quotes)
    return [(page, [quote for quote in quotes if quote.source == page]) for page in pages]


def _button(cited: CitedReport, page: str, card: str, ui: Ui) -> Element:
    """Return the number of a source, which opens `card`."""
    number, known = str(cited.numbers[page]), cited.pages[page]
    label = ui._("Source {number}: {title}").format(number=number, title=known.title)
    recent = cited.day is not None and is_recent(known, cited.day)
    age = ui._("last three months") if recent else None
    return opener(card, "cite recent" if recent else "cite", label, number, title=age)


def _lead(cited: CitedReport, day: date, ui: Ui) -> list[Element]:
    """Return the day of the research and, if there is recent information, what its marks mean."""
    started = ui.day(cited.started) if cited.started else ui.partial_date(day.isoformat())
    dated = ui._("Researched on {date}").format(date=started)
    lines = [el("p", "legend", dated, lang=ui.language.value)]
    if any(is_recent(cited.pages[page], day) for page in cited.numbers):
        sample = el("span", "cite recent", "1", aria_hidden="true")
        said = ui._("A framed number or a bold date: information of the three months before the run.")
        lines.append(el("p", "legend", sample, el("span", "", said), lang=ui.language.value))
    return lines


def _card(cited: CitedReport, page_id: str, quotes: Sequence[Evidence], ui: Ui) -> list[Element]:
    page = cited.pages[page_id]
    header = el(
        "header", "card-head",
        el("span", "number", str(cited.numbers[page_id])),
        el("div", "", el("strong", "", page.title), facts(page, ui)),
        closer(ui),
    )  # fmt: skip
    shown = [
        el(
            "figure", "quote",
            quoted(quote.quote),
            sender(SHOW_QUOTE + quote.id, "textual", icon("find_in_page"), ui._("Show in the page")),
        )
        for quote in quotes
    ]  # fmt: skip
    return [header, group("div", "card-body", shown), *_outside(page, ui)]


def _outside(page: PageRead, ui: Ui) -> list[Element]:
    if not page.url.startswith(("http://", "https://")):
        return []
    return [el("footer", "card-foot", link(page.url, ui._("Open the source"), "outside"), icon("open_in_new"))]


def added_badge(day: date, ui: Ui) -> Element:
    """Return the mark of what joined a report by a further question."""
    return el("span", "badge", ui._("added on {date}").format(date=ui.partial_date(day.isoformat())))


def facts(page: PageRead, ui: Ui) -> Element:
    """Return the line under a source's title: site, kind, date."""
    dated = ui.partial_date(page.published) if page.published else ui._("date unknown")
    return on_a_line([page.site, *(ui.of_term(one.label) for one in (page.kind, *page.outside)), dated])


_SHORT_FACT = 40
"""Columns of a fact that is not broken; what is longer would leave the next one on a line of its own."""


def on_a_line(told: Sequence[str]) -> Element:
    """Return facts one behind the other; a line that is too long breaks between them, behind their dots."""
    dotted = [f"{fact} ·" for fact in told[:-1]] + [told[-1]]
    pieces = [el("span", "piece" if columns(fact) <= _SHORT_FACT else "", fact) for fact in dotted]
    spaced = [part for piece in pieces for part in (" ", piece)]
    return el("p", "facts", *spaced[1:])
