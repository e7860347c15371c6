"""The brief in words, and what will do the work."""

from __future__ import annotations

from collections.abc import Iterable

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui
from research.brief import Brief
from research.brief_text import OPEN, fields, organisation
from research.language import Bilingual
from research.presets import PRESETS
from research.settings import Settings


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


def mode(settings: Settings, chosen: Brief, ui: Ui) -> list[Element]:
    """Return what will do the work, said plainly: which models, or none; the web, or only documents."""
    if settings.has_models:
        models = dict.fromkeys((PRESETS[chosen.preset].models | settings.models).values())
        symbol, head = "smart_toy", ui._("Chat models do this research")
        who = ui._(
            "{models} decide, summarise and write, and receive what is read; every quote is checked against its page."
        ).format(models=ui.listed(list(models)))
    else:
        symbol, head = "rule", ui._("No model is set up: rules do this research")
        who = ui._(
            "They pick verbatim quotes and arrange them by section; nothing is rephrased or concluded. "
            "OPENAI_API_KEY brings in chat models."
        )
    return [
        el("div", "mode", icon(symbol), el("strong", "", head), el("p", "", who), el("p", "", _where(settings, ui)))
    ]


def _where(settings: Settings, ui: Ui) -> str:
    match settings.has_models, settings.has_web:
        case False, False:
            return ui._(
                "Your documents and the samples are searched; nothing leaves this computer. "
                "TAVILY_API_KEY brings in the web."
            )
        case False, True:
            return ui._("The web, your documents and the samples are searched; only search words leave this computer.")
        case True, False:
            return ui._("Your documents and the samples are searched. TAVILY_API_KEY brings in the web.")
    return ui._("The web, your documents and the samples are searched.")
