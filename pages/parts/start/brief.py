"""What a brief will do, in words and as an estimate; the sources that are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pages.parts.engine import engine, own_documents
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.core import OPEN, PRESETS, Brief, SourceName, UsageError, fields, organisation
from research.engine import Estimate, rounded
from research.language import Bilingual
from research.meaning import embeds_elsewhere, may_have_own
from research.settings import Settings, WebSearch, mcp_servers
from research.sources import is_available

SETTINGS_LINK = "settings"
"""Sent when the reader wants to enter keys."""


def brief_nodes(shown: Brief) -> list[Element]:
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


def hint_nodes(chosen: Iterable[tuple[Bilingual, Bilingual]], ui: Ui) -> list[Element]:
    """Return when to use what was chosen: its label and its hint, a line each."""
    lines = [
        el("li", "", el("strong", "", ui.of_term(label)), " ", el("span", "", ui.of_term(hint)), key=str(place))
        for place, (label, hint) in enumerate(chosen)
    ]
    return [group("ul", "hints", lines)]


def mode_nodes(settings: Settings, chosen: Brief, searched: Sequence[SourceName], ui: Ui) -> list[Element]:
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
    if missing := to_enter_nodes(settings, ui):
        told.append(el("p", "", sender(SETTINGS_LINK, "textual", icon("key"), missing)))
    return [el("div", "mode", icon(symbol), el("strong", "", head), *told)]


def only_samples_note(ui: Ui) -> list[Element]:
    """Return the warning that a question is put to sources that were made for other ones."""
    text = ui._(
        "Only the samples can be searched yet: an almanac of countries and the papers of a fictional company. For any "
        "other question, add documents, or a key for the web."
    )
    return [el("p", "heed", icon("warning"), el("span", "", text))]


def _where(settings: Settings, searched: Sequence[SourceName], ui: Ui) -> str:
    """Return what is searched, and what leaves the computer for it."""
    said = ui._("Searched: {sources}.").format(sources=ui.listed([ui.of_term(name.label) for name in searched]))
    apart = Bilingual(" ", "").in_(ui.language)
    if embeds_elsewhere(settings) and (may_have_own(settings) or not any(name.is_private for name in searched)):
        return said + apart + ui._("Passages of pages go to the server of embeddings, which may charge for them.")
    if settings.has_models:
        return said
    away = {SourceName.WEB, SourceName.MCP}.intersection(searched)
    kept = ui._("Only search words leave this computer.") if away else ui._("Nothing leaves this computer.")
    return said + apart + kept


def to_enter_nodes(settings: Settings, ui: Ui) -> str:
    """Return what a key in the settings would add; an empty string if nothing is missing."""
    match settings.has_models, settings.has_web:
        case False, False:
            return ui._("Add chat models and the web")
        case False, True:
            return ui._("Add chat models")
        case True, False:
            return ui._("Add the web")
    return ""


_SPAN = Bilingual("{low} – {high}", "{low}〜{high}")


def estimate_nodes(found: Estimate, ui: Ui) -> list[Element]:
    """Return time, money and tokens in a line, and what they rest on."""
    facts = [_fact("schedule", _from_to(_time(found.seconds.low, ui), _time(found.seconds.high, ui), ui))]
    if found.is_free:
        facts.append(_fact("money_off", ui._("free")))
    else:
        facts.append(_fact("payments", _money(found, ui)))
        low, high = (ui.number(rounded(end)) for end in (found.tokens.low, found.tokens.high))
        facts.append(_fact("data_usage", ui._("{tokens} tokens").format(tokens=_from_to(low, high, ui))))
    return [el("div", "estimate", group("ul", "", facts), el("p", "faint", _basis(found, ui)))]


def _fact(symbol: str, text: str) -> Element:
    return el("li", "", icon(symbol), el("span", "", text), key=symbol)


def _money(found: Estimate, ui: Ui) -> str:
    if found.cost_usd is None:
        return ui._("price not known")
    return _from_to(ui.dollars(found.cost_usd.low), ui.dollars(found.cost_usd.high), ui)


def _basis(found: Estimate, ui: Ui) -> str:
    said = ui.of_term(found.basis)
    if not found.unpriced:
        return said
    unpriced = ui._("The price of {models} is not known; under a cap, its calls count like the dearest preset model's.")
    return f"{said} {unpriced.format(models=ui.listed(list(found.unpriced)))}"


def _time(seconds: float, ui: Ui) -> str:
    if seconds < 90:
        return ui._("{seconds} s").format(seconds=max(1, round(seconds)))
    return ui._("{minutes} min").format(minutes=round(seconds / 60))


def _from_to(low: str, high: str, ui: Ui) -> str:
    return low if low == high else _SPAN.in_(ui.language).format(low=low, high=high)


_OWN = (SourceName.LIBRARY, SourceName.WEB, SourceName.MCP)
"""Sources of the user's own; the samples are searched where none of these can be."""


@dataclass(frozen=True)
class Lack:
    """What a source needs before it can be searched."""

    remark: str
    """In a word or two, for the list of sources."""
    remedy: str
    """What to do, in a sentence."""
    is_setting: bool = True
    """Whether it is done on the page of settings."""


def sources_lacking(reader: Ui) -> Mapping[SourceName, Lack]:
    """Return the sources that cannot be searched now, and what each of them needs."""
    settings = engine().settings
    found = {
        SourceName.WEB: _web(settings, reader),
        SourceName.LIBRARY: _documents(reader),
        SourceName.MCP: _servers(settings, reader),
        **{name: _sample(name, reader) for name in SourceName if name not in _OWN},
    }
    return {name: lack for name, lack in found.items() if lack is not None}


def sources_offered(chosen: Sequence[str], lacks: Mapping[SourceName, Lack]) -> list[SourceName]:
    """Return the sources to choose from: servers that nobody connected only while they are still chosen."""
    return [name for name in SourceName if name is not SourceName.MCP or name not in lacks or name.value in chosen]


def sources_searched(chosen: Sequence[SourceName], lacks: Mapping[SourceName, Lack]) -> tuple[SourceName, ...]:
    """Return what a run searches: the sources chosen, else the user's own, else the samples."""
    if chosen:
        return tuple(chosen)
    own = tuple(name for name in _OWN if name not in lacks)
    return own or tuple(name for name in SourceName if name not in lacks)


def is_sample(name: SourceName) -> bool:
    """Whether a source came with the program, to try it on."""
    return name not in _OWN


def _web(settings: Settings, reader: Ui) -> Lack | None:
    if settings.has_web:
        return None
    if settings.web_search is WebSearch.NONE:
        return Lack(reader._("switched off"), reader._("The web is switched off. Choose in Settings who searches it."))
    return Lack(reader._("needs a key"), reader._("The web needs a key. Enter one in Settings."))


def _documents(reader: Ui) -> Lack | None:
    if any(not document.problem for document in own_documents()):
        return None
    remedy = reader._("There are no documents yet. Add them under “My documents”.")
    return Lack(reader._("none added"), remedy, is_setting=False)


def _servers(settings: Settings, reader: Ui) -> Lack | None:
    try:
        servers = mcp_servers.load(settings.home, reader.language)
    except UsageError as error:
        return Lack(reader._("cannot be read"), str(error), is_setting=False)
    if not servers:
        return Lack(reader._("none connected"), reader._("No server is connected. Settings say how."))
    if not settings.has_models and not any(server.search for server in servers):
        return Lack(reader._("needs chat models"), reader._("Only chat models can use these servers. Set up a key."))
    return None


def _sample(name: SourceName, reader: Ui) -> Lack | None:
    if is_available(name):
        return None
    return Lack(reader._("not installed"), reader._("This sample is not installed. Settings say how."))
