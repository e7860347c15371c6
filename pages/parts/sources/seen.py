"""Pages that runs have read, and the drawer for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import unquote

import streamlit as st

from pages.parts.engine import engine
from pages.parts.frame import open_run
from pages.parts.library.runs import OPEN_RUN, title
from pages.parts.nodes import Element, el, group, icon, link, sender, show_nodes
from pages.parts.report.head import state_label
from pages.parts.report.sources import AROUND, snapshot
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.core import Sentence, SourceName, UsageError
from research.store import PageUse, SeenPage, citing_sentences, page_seen, quotes_of_page, uses_of_page
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
            sender(f"{SHOW_SEEN}{page.id}", "title", name(page), aria_haspopup="dialog"),
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
                el("div", "", el("dt", "", label), el("dd", "hash" if label == "SHA-256" else "", value))
                for label, value in rows if value
            ],
        ),
    ]  # fmt: skip


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
        el("a", "title", title(use.name), href=f"./run?id={use.run}", data_send=OPEN_RUN + use.run),
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
            el("p", "", sentence.text),
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
    if text is None:
        st.warning(reader._("The text of this page is no longer stored."), icon=":material/inventory_2:")
        return
    whole = len(text) > 2 * AROUND and st.toggle(reader._("Show the whole page"), key="seen_whole")
    quotes = quotes_of_page(engine().store, page.id)
    show_nodes(snapshot(text, quotes, None, reader, whole=whole), key=f"seen_text_{page.id}", language=reader.language)


def _text(page: SeenPage) -> str | None:
    try:
        return engine().store.page_text(page.sha256)
    except UsageError:
        return None
