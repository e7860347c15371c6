"""Pages that runs have read, and the drawer for one."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.engine import engine
from pages.parts.frame import nothing_yet, open_run
from pages.parts.library.runs import run_link, title
from pages.parts.native_words import say_anew
from pages.parts.nodes import Element, el, group, icon, lang_of, link, sender, show_nodes
from pages.parts.report.head import state_label
from pages.parts.report.sources import show_snapshot
from pages.parts.start.brief import lines_of
from pages.parts.ui import Ui, no_traceback, paged, show_pagination, verbatim
from research.core import PeriodChoice, Sentence, SourceKind, SourceName, StoreError, UsageError, Vocabulary
from research.library import Library
from research.sources import providers
from research.sources.sites import SiteList, built_in, load
from research.store import (
    Order,
    PageUse,
    SeenPage,
    Use,
    WantedPages,
    catch_up_seen,
    citing_sentences,
    find_pages,
    page_seen,
    quotes_of_page,
    uses_of_page,
)
from research.verification import Label

SHOW_SEEN = "seen:"
"""Message that asks to show a page; its number follows."""

_ICONS = {
    SourceName.WEB: "language",
    SourceName.LIBRARY: "description",
    SourceName.FACTBOOK: "menu_book",
    SourceName.HOUSE: "apartment",
}
_LONGEST_ADDRESS = 240
_USES_SHOWN = 5
"""Runs that stand above a page's text; earlier ones are folded away, so that the text stays in reach."""


def page_rows(shown: Sequence[SeenPage], ui: Ui) -> list[Element]:
    """Return pages as rows that open."""
    return [group("ul", "seen-pages", [_row(page, ui) for page in shown])]


def name(page: SeenPage) -> str:
    """Return what a page is called in one line: its title, else its address."""
    return title(page.title) or title(page.url)


def _row(page: SeenPage, ui: Ui) -> Element:
    facts = [page.site, ui.of_term(page.kind.label), _dated(page, ui)]
    return el(
        "li", "seen-page",
        icon(_ICONS.get(page.origin, "travel_explore")),
        el(
            "div", "",
            sender(f"{SHOW_SEEN}{page.id}", "title", name(page), aria_haspopup="dialog", lang=lang_of(name(page))),
            group("p", "facts", [el("span", "", fact) for fact in facts if fact]),
        ),
        group("p", "facts uses", [el("span", kind, text) for kind, text in _uses(page, ui)]),
        key=str(page.id),
    )  # fmt: skip


def _uses(page: SeenPage, ui: Ui) -> list[tuple[str, str]]:
    """Return what became of a page, each with its class."""
    runs = ui.n_("in {count} run", "in {count} runs", page.runs)
    quoted = ui.n_("{count} quote", "{count} quotes", page.quotes) if page.quotes else ui._("not quoted")
    cited = ui.n_("cited in {count} report", "cited in {count} reports", page.cited) if page.cited else ""
    return [(kind, text) for kind, text in (("cited", cited), ("", quoted), ("", runs)) if text]


def _dated(page: SeenPage, ui: Ui) -> str:
    return ui.partial_date(page.published) if page.published else ui._("date unknown")


def page_details(page: SeenPage, characters: int | None, ui: Ui) -> list[Element]:
    """Return all that is known of a page; `characters` is the length of its text, if that is still stored."""
    rows = [
        (ui._("Address"), _address(page.url)),
        (ui._("Site"), page.site),
        (ui._("Kind"), ui.of_term(page.kind.label)),
        (ui._("Found in"), ui.of_term(page.origin.label)),
        (ui._("Date of the information"), _dated(page, ui)),
        (ui._("Read last"), ui.moment(page.last_read)),
        (
            ui._("Length"),
            "" if characters is None else ui.n_("{count} character", "{count} characters", characters),
        ),
        ("SHA-256", page.sha256),
    ]
    return [
        el("p", "seen-name", link(page.url, name(page), "title")),
        group(
            "dl", "brief seen-facts",
            [
                el("div", "", el("dt", "", label), group("dd", "hash" if label == "SHA-256" else "", _in_steps(value)))
                for label, value in rows if value
            ],
        ),
    ]  # fmt: skip


def _in_steps(value: str) -> list[Element]:
    """Return a value, of a path or an address a piece for each step: a line ends between two, and in none that fits."""
    return [el("span", "step", piece) for piece in _STEP.findall(value)]


_STEP = re.compile(r"[^/]*/+|[^/]+")


def _address(url: str) -> str:
    """Return an address as it is read: the path of a file, or what fits of a web address."""
    shown = unquote(url.removeprefix("file://")) if url.startswith("file:///") else url
    return shown if len(shown) <= _LONGEST_ADDRESS else shown[:_LONGEST_ADDRESS] + "…"


def page_uses(
    page: SeenPage, shown: Sequence[PageUse], sentences: Mapping[str, Sequence[Sentence]], ui: Ui
) -> list[Element]:
    """Return the runs that have read a page, each as a link with what it took; `sentences` cite the page, by run."""
    rows = [_use(use, sentences.get(use.run, ()), ui) for use in shown]
    heading = el("h3", "seen-heading", ui._("Used in"))
    return [heading, group("ul", "seen-uses", rows[:_USES_SHOWN]), *_earlier(page, rows, ui)]


def _use(use: PageUse, sentences: Sequence[Sentence], ui: Ui) -> Element:
    quoted = ui.n_("{count} quote", "{count} quotes", use.quotes) if use.quotes else ui._("not quoted")
    cited = ui._("cited as [{number}]").format(number=use.number) if use.number else ui._("not cited")
    facts = (quoted, state_label(use.state, ui), ui.moment(use.created_at))
    return el(
        "li", "",
        run_link(use.run, title(use.name)),
        el("p", "facts", el("span", "cited" if use.number else "", cited), *(el("span", "", fact) for fact in facts)),
        _folded(sentences, ui) if sentences else None,
        key=use.run,
    )  # fmt: skip


def _folded(sentences: Sequence[Sentence], ui: Ui) -> Element:
    """Return the sentences that cite a page, with the verdict on each, behind their number."""
    counted = ui.n_("{count} sentence that cites it", "{count} sentences that cite it", len(sentences))
    rows = [
        el(
            "li", "",
            el("p", "", sentence.text, lang=lang_of(sentence.text)),
            el("p", "facts", ui.of_term(Label(sentence.shown).words)) if sentence.shown else None,
            key=str(sentence.start),
        )
        for sentence in sentences
    ]  # fmt: skip
    return el("details", "more", el("summary", "", counted), group("ul", "seen-sentences", rows))


def _earlier(page: SeenPage, rows: Sequence[Element], ui: Ui) -> list[Element]:
    """Return the rows that are folded away, and how many there are besides."""
    folded, left = rows[_USES_SHOWN:], page.runs - len(rows)
    if not folded:
        return []
    counted = ui.n_("{count} earlier run", "{count} earlier runs", page.runs - _USES_SHOWN)
    more = el("p", "faint", ui.n_("and {count} earlier run", "and {count} earlier runs", left)) if left > 0 else None
    return [el("details", "more", el("summary", "", counted), group("ul", "seen-uses", folded), more)]


_OPEN = "open_seen"


def handle_page_drawer(message: str) -> None:
    """Ask for the page that `message` names; the drawer opens when the page runs next."""
    number = message.removeprefix(SHOW_SEEN)
    if message.startswith(SHOW_SEEN) and number.isdecimal():
        st.session_state[_OPEN] = int(number)


def show_page_drawer(reader: Ui) -> None:
    """Show the drawer if a page was asked for."""
    number = st.session_state.get(_OPEN)
    if number is None:
        return

    @st.dialog(reader._("The page as it was read"), position="right", width=640, on_dismiss=_close)
    def drawer() -> None:
        with no_traceback(reader):
            page = page_seen(engine().store, number)
            if page is None:
                st.info(reader._("This page is no longer stored."), icon=":material/inventory_2:")
            else:
                _draw(page, reader)

    drawer()


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _follow(message: str) -> None:
    _close()
    open_run(message)


def _draw(page: SeenPage, reader: Ui) -> None:
    text = _text(page)
    known = page_details(page, None if text is None else len(text), reader)
    shown = uses_of_page(engine().store, page.id)
    used = page_uses(page, shown, citing_sentences(engine().store, shown), reader)
    heading = el("h3", "seen-heading", reader._("Text, with the quotes marked"))
    head = [*known, *used, *([] if text is None else [heading])]
    show_nodes(head, key="seen_head", language=reader.language, on_message=_follow)
    show_snapshot(text, quotes_of_page(engine().store, page.id), None, reader, key=f"seen_{page.id}")


def _text(page: SeenPage) -> str | None:
    try:
        return engine().store.page_text(page.sha256)
    except UsageError:
        return None


_log = logging.getLogger("workbench")

_KEY = "site_sets_chosen"
_USED = "site_set_used"
_CHOICE_FIELDS = (("preferred_sites", "preferred"), ("forbidden_sites", "forbidden"))


def show_source_choice(
    reader: Ui, values: Callable[[], Mapping[str, Any]], fill: Callable[[Mapping[str, Any]], None]
) -> None:
    """Draw the sets to choose from; `values` returns the fields of the form, `fill` sets some of them."""
    if st.session_state.pop(_USED, False):
        st.toast(reader._("The sites of the set are in the brief."), icon=":material/check:")
    sets = _sets(reader)
    # What is chosen follows from the fields, so that a site taken out by hand unchooses its set.
    st.session_state[_KEY] = [name for name, one in sets.items() if holds(one, values())]
    st.pills(
        reader._("Named sets of sites"),
        list(sets),
        format_func=verbatim,
        selection_mode="multi",
        key=_KEY,
        on_change=lambda: fill(_changed(sets, values())),
        help=reader._("They fill the two fields below. Make your own under “Sources & cache”."),
    )


def use_choice(
    one: SiteList, values: Callable[[], Mapping[str, Any]], fill: Callable[[Mapping[str, Any]], None]
) -> None:
    """Join the sites of a set to the form, which says so when it is drawn next; else as in `show_source_choice`."""
    fill(added(one, values()))
    st.session_state[_USED] = True


def holds(one: SiteList, fields: Mapping[str, Any]) -> bool:
    """Whether the fields of the form hold all sites of a set."""
    return all(set(getattr(one, sort)) <= set(lines_of(fields[field])) for field, sort in _CHOICE_FIELDS)


def added(one: SiteList, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of sites with those of a set joined to them."""
    return {field: _lines_text([*lines_of(fields[field]), *getattr(one, sort)]) for field, sort in _CHOICE_FIELDS}


def removed(one: SiteList, fields: Mapping[str, Any], others: list[SiteList]) -> dict[str, str]:
    """Return the fields of sites without those that only this set, and none of the `others`, brought."""
    kept = {(sort, site) for other in others for _, sort in _CHOICE_FIELDS for site in getattr(other, sort)}
    return {
        field: _lines_text(
            [site for site in lines_of(fields[field]) if site not in getattr(one, sort) or (sort, site) in kept]
        )
        for field, sort in _CHOICE_FIELDS
    }


def _changed(sets: Mapping[str, SiteList], before: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of sites as the sets that are chosen now want them."""
    chosen = st.session_state[_KEY]
    fields = {field: before[field] for field, _ in _CHOICE_FIELDS}
    for name, one in sets.items():
        if name in chosen and not holds(one, fields):
            fields |= added(one, fields)
        elif name not in chosen and holds(one, before):
            fields |= removed(one, fields, [sets[other] for other in chosen])
    return fields


def _sets(reader: Ui) -> dict[str, SiteList]:
    try:
        own = load(engine().settings.home)
    except StoreError as error:
        _log.warning("Own sets of sites are left out: %s", error)
        own = ()
    return {one.name: one for one in (*own, *built_in(reader.language))}


def _lines_text(sites: list[str]) -> str:
    return "\n".join(dict.fromkeys(sites))


FILTERS_PLACE = "seen_place"
"""Which part of the pages is shown."""

_UNDATED = "undated"
_FILTER_FIELDS = {"words": "", "kind": "", "origin": "", "date": "", "use": ""}
_Term = TypeVar("_Term", bound=Vocabulary)


def choose_filters(reader: Ui) -> tuple[WantedPages, DeltaGenerator]:
    """Draw the fields; return what they ask for, and the place beside the order for how many pages that are."""
    words = st.text_input(
        reader._("Search pages"),
        key="seen_words",
        persist_state="session",
        type="search",
        live=True,
        placeholder=reader._("Search titles, sites and addresses"),
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=_from_the_start,
    )
    grid = st.grid(4, min_column_width=140)
    kinds, periods = _terms(SourceKind), _terms(PeriodChoice)
    origins = {str(one.name): SourceName(one.name) for one in providers()}
    kind = _field(grid, "kind", reader._("Kind"), _labels(kinds, reader), reader._("All"))
    origin = _field(grid, "origin", reader._("Found in"), _labels(origins, reader), reader._("All"))
    dates = _labels(periods, reader) | {_UNDATED: reader._("Date unknown")}
    date = _field(grid, "date", reader._("Date of the information"), dates, reader._("Any"))
    use = _field(grid, "use", reader._("Use"), _use_words(reader), reader._("All"))
    line = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    counted = line.container(width="content")
    order = _field(line, "order", reader._("Order"), _orders(reader), reader._("Read most recently"), is_alone=True)
    wanted = WantedPages(
        words=words or "",
        kind=kinds.get(kind),
        origin=origins.get(origin),
        published=periods.get(date),
        undated=date == _UNDATED,
        use=Use(use) if use else None,
        order=Order(order) if order else Order.READ,
    )
    return wanted, counted


def clear_filters() -> None:
    """Empty the fields; only before they are drawn, as callbacks do."""
    for name, value in _FILTER_FIELDS.items():
        st.session_state[f"seen_{name}"] = value
    _from_the_start()


def _field(
    place: DeltaGenerator, name: str, label: str, terms: Mapping[str, str], unset: str, *, is_alone: bool = False
) -> str:
    """Draw a field and return its value; one that stands alone says by its terms what it is."""
    say_anew(f"seen_{name}", terms.get(st.session_state.get(f"seen_{name}", ""), unset))
    chosen: str = place.selectbox(
        verbatim(label),
        ["", *terms],
        format_func=lambda value: terms.get(value, unset),
        key=f"seen_{name}",
        persist_state="session",
        on_change=_from_the_start,
        label_visibility="collapsed" if is_alone else "visible",
        width=210 if is_alone else "stretch",
    )
    return chosen


def _from_the_start() -> None:
    st.session_state[FILTERS_PLACE] = 1


def _terms(vocabulary: type[_Term]) -> dict[str, _Term]:
    return {term.value: term for term in vocabulary}


def _labels(terms: Mapping[str, Vocabulary | SourceName], reader: Ui) -> dict[str, str]:
    return {value: reader.of_term(term.label) for value, term in terms.items()}


def _use_words(reader: Ui) -> dict[str, str]:
    return {
        Use.CITED.value: reader._("Cited in a report"),
        Use.QUOTED.value: reader._("Quoted"),
        Use.READ.value: reader._("Read only, not quoted"),
    }


def _orders(reader: Ui) -> dict[str, str]:
    return {
        Order.QUOTED.value: reader._("Most quoted"),
        Order.USED.value: reader._("In most runs"),
        Order.PUBLISHED.value: reader._("Newest information"),
    }


_PAGE = 25
_LEFT = "seen_left"
"""How many runs are left, if that was counted just now."""


def show_sources(reader: Ui) -> None:
    """Show the pages and what to search them by."""
    left = catch_up_seen(engine().store)
    if left:
        st.session_state[_LEFT] = left
        _take_in(reader)
    if not find_pages(engine().store, WantedPages(), today=_today(reader), limit=0).total:
        nothing_yet(
            reader._("No page has been read yet"),
            reader._("Every page that research reads is kept here as it was, with where it is used."),
            reader,
        )
        return
    wanted, counted = choose_filters(reader)
    found = paged(
        lambda offset: find_pages(engine().store, wanted, today=_today(reader), limit=_PAGE, offset=offset),
        _PAGE,
        FILTERS_PLACE,
    )
    counted.caption(reader.n_("{count} page", "{count} pages", found.total))
    if not found.total:
        _nothing(reader)
        return
    show_nodes(
        page_rows(found.pages, reader), key="seen_pages", language=reader.language, on_message=handle_page_drawer
    )
    show_pagination(found.total, _PAGE, FILTERS_PLACE)


@st.fragment(run_every=4.0)
def _take_in(reader: Ui) -> None:
    """Take in the pages of runs that are not listed yet, a little at a time, and say how many are left."""
    with no_traceback(reader):
        left = st.session_state.pop(_LEFT, None) or catch_up_seen(engine().store)
        if not left:
            st.rerun()
        words = reader.n_(
            "The pages of {count} run are not listed yet.", "The pages of {count} runs are not listed yet.", left
        )
        st.info(verbatim(words), icon=":material/hourglass_top:")


def _today(reader: Ui) -> date:
    return datetime.now(reader.timezone).date()


def _nothing(reader: Ui) -> None:
    with st.container(border=True, horizontal_alignment="center", key="seen_none"):
        st.markdown(reader._("No page fits."), text_alignment="center")
        st.button(reader._("Clear the filters"), icon=":material/filter_alt_off:", on_click=clear_filters)


@dataclass
class IndexingJob:
    """The indexing of one folder."""

    done: int = 0
    total: int = 0
    """Files; 0 as long as the folder is being prepared."""
    is_over: bool = False
    failed: bool = False


class Jobs:
    """What is being indexed, and what was indexed last, by the name of the collection."""

    def __init__(self) -> None:
        self._jobs: dict[str, IndexingJob] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> IndexingJob | None:
        """Return the latest job of a collection, if there was one."""
        return self._jobs.get(name)

    def is_running(self, name: str) -> bool:
        """Whether a collection is being indexed by this process."""
        job = self._jobs.get(name)
        return job is not None and not job.is_over

    def start(self, name: str, folder: Callable[[], Path], index_home: Path) -> None:
        """Index a collection, unless that is under way; `folder` prepares its folder first."""
        with self._lock:
            if self.is_running(name):
                return
            job = self._jobs[name] = IndexingJob()
        work = threading.Thread(target=_index, args=(job, folder, index_home), name=f"index-{name}", daemon=True)
        work.start()


def jobs() -> Jobs:
    """Return the jobs of whoever is here, in this process."""
    return _jobs(engine().store.account)


@st.cache_resource(show_spinner=False)
def _jobs(account: str) -> Jobs:
    return Jobs()


def _index(job: IndexingJob, folder: Callable[[], Path], index_home: Path) -> None:
    def progress(done: int, total: int) -> None:
        job.done, job.total = done, total

    try:
        Library(folder(), index_home).refresh(progress)
    except Exception:  # noqa: BLE001 - whatever breaks, the page says that it did; the reason goes to the log
        _log.exception("A collection could not be indexed.")
        job.failed = True
    finally:
        job.is_over = True
