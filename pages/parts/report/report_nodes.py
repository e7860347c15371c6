"""The report as elements: its text with numbered citations, and the card behind each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pages.parts.live.live_view import LiveState
from pages.parts.markdown_nodes import report_body
from pages.parts.nodes import Element, el, group, icon, link, sender
from pages.parts.report.section_nodes import is_recent, source_list, with_sources
from pages.parts.report.source_messages import SHOW_QUOTE
from pages.parts.report.unfinished import readable
from pages.parts.report.verdict_nodes import badges, only_weak
from pages.parts.ui import Ui
from research.brief import Brief
from research.citations import cite, render_marks
from research.events import PageRead
from research.evidence import Evidence
from research.report import LeftOut, RunRecord, Sentence


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

    @classmethod
    def of_record(cls, record: RunRecord, state: LiveState) -> CitedReport:
        """Take the report of a run that has ended."""
        numbers = {source.id: source.number for source in record.sources if source.number is not None}
        day = record.day if record.outline else None
        return cls(
            record.draft, numbers, state.evidence, state.pages, record.brief, record.sentences, record.left_out, day
        )

    @classmethod
    def of_draft(cls, brief: Brief, state: LiveState) -> CitedReport:
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


def report(cited: CitedReport, ui: Ui, *, to_check: bool = False) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the report's text, and the cards that its citations and badges open; `to_check` leaves out the rest."""
    marks, cards = badges(cited.sentences, cited.evidence, ui)

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
    return el(
        "button", "cite recent" if recent else "cite", number,
        type="button", data_card=card, title=age,
        aria_label=label, aria_haspopup="dialog", aria_expanded="false",
    )  # fmt: skip


def _lead(cited: CitedReport, day: date, ui: Ui) -> list[Element]:
    """Return the day of the research and, if there is recent information, what its marks mean."""
    dated = ui._("Researched on {date}").format(date=ui.partial_date(day.isoformat()))
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
        sender("close", "quiet", icon("close"), aria_label=ui._("Close")),
    )  # fmt: skip
    quoted = [
        el(
            "figure", "quote",
            el("blockquote", "", quote.quote),
            sender(SHOW_QUOTE + quote.id, "textual", icon("find_in_page"), ui._("Show in the page")),
        )
        for quote in quotes
    ]  # fmt: skip
    return [header, group("div", "card-body", quoted), *_outside(page, ui)]


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
    return on_a_line([page.site, ui.of_term(page.kind.label), dated])


def on_a_line(told: Sequence[str]) -> Element:
    """Return short facts one behind the other; a line that is too long breaks between them, behind their dots."""
    pieces = [el("span", "piece", f"{fact} ·") for fact in told[:-1]] + [el("span", "piece", told[-1])]
    spaced = [part for piece in pieces for part in (" ", piece)]
    return el("p", "facts", *spaced[1:])
