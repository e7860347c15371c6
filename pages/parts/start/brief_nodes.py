"""The brief in words, and what will do the work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.brief import Brief
from research.brief_text import OPEN, fields, organisation
from research.language import Bilingual
from research.presets import PRESETS
from research.settings import Settings
from research.vocabulary import SourceName

SETTINGS = "settings"
"""Sent when the reader wants to enter keys."""


def brief(shown: Brief) -> list[Element]:
    """Return the brief as it will be read by whoever does the research, in the language of the report.

    After it stands how the research is organised, which only the program needs to know.
    """
    open_ = OPEN.in_(shown.language)
    rows = [_row(name, value) for name, value in fields(shown) if value != open_]
    left = Bilingual(", ", "、").in_(shown.language).join(name for name, value in fields(shown) if value == open_)
    if left:
        rows.append(_row(open_.capitalize(), left))
    rows += [_row(name, value) for name, value in organisation(shown)]
    return [group("dl", "brief", rows, lang=shown.language.value)]


def _row(name: str, value: str) -> Element:
    return el("div", "", el("dt", "", name), el("dd", "", value), key=name)


def hints(chosen: Iterable[tuple[Bilingual, Bilingual]], ui: Ui) -> list[Element]:
    """Return when to use what was chosen: its label and its hint, a line each."""
    lines = [
        el("li", "", el("strong", "", ui.of_term(label)), " ", el("span", "", ui.of_term(hint)), key=str(place))
        for place, (label, hint) in enumerate(chosen)
    ]
    return [group("ul", "hints", lines)]


def mode(settings: Settings, chosen: Brief, searched: Sequence[SourceName], ui: Ui) -> list[Element]:
    """Return what will do the work, said plainly: which models, or none, and what is searched."""
    if settings.has_models:
        models = dict.fromkeys((PRESETS[chosen.preset].models | settings.models).values())
        symbol, head = "smart_toy", ui._("Chat models do this research")
        who = ui._(
            "{models} decide, summarise and write, and receive what is read; every quote is checked against its page."
        ).format(models=ui.listed(list(models)))
    else:
        symbol, head = "rule", ui._("No model is set up: rules do this research")
        who = ui._("They pick verbatim quotes and arrange them by section; nothing is rephrased or concluded.")
    told = [el("p", "", who), el("p", "", _where(settings, searched, ui))]
    if missing := to_enter(settings, ui):
        told.append(el("p", "", sender(SETTINGS, "textual", icon("key"), missing)))
    return [el("div", "mode", icon(symbol), el("strong", "", head), *told)]


def only_samples(ui: Ui) -> list[Element]:
    """Return the warning that a question is put to sources that were made for other ones."""
    text = ui._(
        "Only the samples can be searched yet: an almanac of countries and the papers of a fictional company. For any "
        "other question, add documents, or a key for the web."
    )
    return [el("p", "heed", icon("warning"), el("span", "", text))]


def _where(settings: Settings, searched: Sequence[SourceName], ui: Ui) -> str:
    """Return what is searched, and what leaves the computer for it."""
    said = ui._("Searched: {sources}.").format(sources=ui.listed([ui.of_term(name.label) for name in searched]))
    if settings.has_models:
        return said
    away = {SourceName.WEB, SourceName.MCP}.intersection(searched)
    kept = ui._("Only search words leave this computer.") if away else ui._("Nothing leaves this computer.")
    return said + Bilingual(" ", "").in_(ui.language) + kept


def to_enter(settings: Settings, ui: Ui) -> str:
    """Return what a key in the settings would add; an empty string if nothing is missing."""
    match settings.has_models, settings.has_web:
        case False, False:
            return ui._("Add chat models and the web")
        case False, True:
            return ui._("Add chat models")
        case True, False:
            return ui._("Add the web")
    return ""
