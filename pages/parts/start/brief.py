"""What the form holds: to and from briefs, remembered from visit to visit."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import RootModel, ValidationError

from pages.parts.engine import documents_folder, engine, own_documents
from pages.parts.nodes import Element, el, group, icon, rows_of, sender
from pages.parts.ui import Ui
from research.core import (
    FIELDS,
    OPEN,
    PRESETS,
    TERMS,
    Brief,
    PresetName,
    SourceName,
    StoreError,
    UsageError,
    fields,
    organisation,
)
from research.engine import ENOUGH, Estimate
from research.language import COMMA, SPACE, Bilingual, Language, Phrase
from research.meaning import embeds_elsewhere, may_have_own
from research.settings import Settings, files
from research.sources import Lack, Making, Provider, by_default, providers
from research.text import LONGEST_QUESTION

MANNER = ("preset", "method", "queries_per_section", "iterations")
"""Fields that say how to go about it, whatever the question is."""
LINES = ("countries", "addresses", "exclusions", "preferred_sites", "forbidden_sites")
"""Fields with one entry a line."""
DAYS = ("since", "until")
"""Fields with a day, or None where it is open."""
KINDS = ("preferred_kinds", "forbidden_kinds")
"""Fields with kinds of sources."""
EXTENT = ("summary_sentences", "file_format")
"""Fields with one of a few values, or an empty string for open."""

CAPS = ("max_cost_usd", "max_minutes")
"""Fields with a number, or None for no cap."""
STAYS = ("sources", "order", "preferred_sites", "forbidden_sites", *KINDS, "glossary", *CAPS)
"""Fields that depend on what the analyst has and may spend, whatever the job is."""
OF_ONE_QUESTION = ("question", "countries", "addresses", *DAYS, "exclusions", "note")
"""Fields that mean nothing for another question."""


def empty_values(language: Language) -> dict[str, Any]:
    """Return the fields of an empty form for a reader of `language`."""
    return {
        "question": "",
        **dict.fromkeys((*TERMS, *EXTENT), ""),
        **dict.fromkeys(DAYS),
        "sources": [],
        **{name: [] for name in KINDS},
        "preset": PresetName.QUALITY.value,
        "method": "",
        "queries_per_section": "",
        "iterations": "",
        "language": language.value,
        **dict.fromkeys(CAPS),
        **dict.fromkeys(LINES, ""),
        "glossary": "",
        "note": "",
    }


def values_of_brief(brief: Brief) -> dict[str, Any]:
    """Return the fields that show `brief`."""
    held = brief.model_dump(mode="json")
    return {
        "question": brief.question,
        **{name: held[name] or "" for name in (*TERMS, *EXTENT)},
        **{name: getattr(brief, name) for name in DAYS},
        **{name: held[name] for name in ("sources", *KINDS)},
        **{name: held[name] or "" for name in MANNER},
        **{name: held[name] for name in CAPS},
        "language": held["language"],
        **{name: "\n".join(held[name]) for name in LINES},
        "glossary": "\n".join(f"{term} = {meaning}" for term, meaning in brief.glossary.items()),
        "note": brief.note,
    }


def to_brief(fields: Mapping[str, Any]) -> Brief:
    """Return the brief that the fields make.

    Raises:
        ValidationError: a field cannot be used; `complaints_about` says it in the reader's language.
    """
    chosen = {name: fields[name] or None for name in (*TERMS, *EXTENT, *DAYS, *MANNER, *CAPS)}
    lines = {name: lines_of(fields[name]) for name in LINES}
    return Brief.model_validate(
        {
            **chosen,
            **lines,
            "glossary": dict(_term(line) for line in lines_of(fields["glossary"])),
            **{name: fields[name] for name in ("question", "sources", *KINDS, "language", "note")},
        }
    )


def lines_of(text: str) -> list[str]:
    """Return what was entered one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _term(line: str) -> tuple[str, str]:
    for sign in ("=", "＝", "：", ":"):
        term, found, meaning = line.partition(sign)
        if found:
            return term.strip(), meaning.strip()
    return line, ""


def labels(ui: Ui) -> dict[str, str]:
    """Return the name of each field."""
    return {name: ui.of_term(words) for name, words in FIELDS.items()} | {
        "since": ui._("From day"),
        "until": ui._("To day"),
        "order": ui._("Order of the search"),
        "preset": ui._("Preset"),
        "method": ui._("Method"),
        "queries_per_section": ui._("Queries per section"),
        "iterations": ui._("Iterations"),
        "max_cost_usd": ui._("Cost at most, USD"),
        "max_minutes": ui._("Minutes at most"),
        "summary": ui._("Executive summary"),
        "summary_sentences": ui._("Summary sentences"),
        "file_format": ui._("Format of the file"),
        "forbidden_sites": ui._("Sites never to read"),
        "forbidden_kinds": ui._("Kinds of sources never to read"),
        "note": ui._("Your own words"),
    }


def complaints_about(error: ValidationError, fields: Mapping[str, Any], ui: Ui) -> list[str]:
    """Return what is wrong with the fields, one sentence each, in the reader's language."""
    said = (_complaint(str(entry["loc"][0]) if entry["loc"] else entry["type"], fields, ui) for entry in error.errors())
    return list(dict.fromkeys(said))


def _complaint(name: str, fields: Mapping[str, Any], ui: Ui) -> str:
    label = labels(ui).get(name, name)
    if name == "question":
        length = len(str(fields.get("question", "")).strip())
        if not length:
            return ui._("Please write a question first.")
        if length > LONGEST_QUESTION:
            return ui._("The question is too long: {length} of {limit} characters. Move details to “{note}”.").format(
                length=ui.number(length), limit=ui.number(LONGEST_QUESTION), note=labels(ui)["note"]
            )
    if name == "glossary":
        return ui._("“{field}” needs one term a line, written as: term = meaning.").format(field=label)
    if name == "days":
        return ui._("The period ends before it begins: look at “{field}”.").format(field=labels(ui)["until"])
    if name in LINES or name == "note":
        return ui._("“{field}” holds an entry that is too long.").format(field=label)
    return ui._("“{field}” holds a value that cannot be used.").format(field=label)


@dataclass(frozen=True)
class Unusable:
    """A file that holds no brief, and why."""

    reason: str


def load_brief(data: bytes, ui: Ui) -> Brief | Unusable:
    """Read a brief from the bytes of a file that somebody saved."""
    try:
        return Brief.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return Unusable(ui._("The file is not a saved brief: it is not JSON."))
        name = str(first["loc"][0]) if first["loc"] else ""
        if not name:
            return Unusable(ui._("The file is not a saved brief."))
        field = labels(ui).get(name, name)
        return Unusable(ui._("The file is not a usable brief: look at “{field}”.").format(field=field))


def brief_file_name(text: str) -> str:
    """Return a name for a file that any system takes, as close to `text` as can be."""
    return re.sub(r"[^\w-]+", "-", text).strip("-")[:60] or "template"


COOKIE = "workbench_browser"
_SESSION = "browser_number"
_NUMBER = re.compile(r"[0-9a-f]{32}")
_log = logging.getLogger("workbench")


class _Fields(RootModel[dict[str, Any]]):
    """Fields of the form, by their names."""


_mark = st.components.v2.component(
    "workbench_browser",
    html="""
<span hidden></span>
""",
    js=f"""
export default function ({{ data }}) {{
  if (document.cookie.includes("{COOKIE}=")) return
  document.cookie = `{COOKIE}=${{data}}; path=/; max-age=31536000; SameSite=Strict`
}}
""",
)


def mark_browser() -> None:
    """Give the browser its number, if it has none."""
    if COOKIE not in st.context.cookies:
        _mark(key="browser", data=_browser(), height=1)


def recalled_form(home: Path, language: Language) -> dict[str, Any]:
    """Return the fields of the form as this browser left them; those of an empty form if it never did."""
    return load_remembered(remembered_place(home, _browser()), language)


def remember_form(home: Path, fields: Mapping[str, Any]) -> None:
    """Keep the fields for this browser's next session."""
    try:
        save_remembered(remembered_place(home, _browser()), fields)
    except StoreError as error:
        # The research goes on: whoever finds the disk full is told so by the store of the runs.
        _log.warning("The settings of the form are not kept: %s", error)


def remembered_place(home: Path, browser: str) -> Path:
    """Return where the settings of a browser are kept."""
    return home / "settings" / "forms" / f"{browser}.json"


def save_remembered(path: Path, fields: Mapping[str, Any]) -> None:
    """Keep the fields of a form, but for those of one question.

    Raises:
        StoreError: they cannot be written.
    """
    kept = {name: value for name, value in fields.items() if name not in OF_ONE_QUESTION}
    files.write(path, _Fields(kept))


def load_remembered(path: Path, language: Language) -> dict[str, Any]:
    """Return the fields of a form with what is kept; what cannot be read or used is left out, all of it."""
    start = empty_values(language)
    try:
        kept = files.read(path, _Fields)
        if kept is None:
            return start
        fields = start | {name: kept.root[name] for name in start if name in kept.root}
        brief: Brief = to_brief(fields | {"question": "…"})
    except (StoreError, ValueError, TypeError, AttributeError) as error:
        _log.warning("Kept settings of the form are left out: %s", type(error).__name__)
        return start
    return values_of_brief(brief) | {"question": ""}


def _browser() -> str:
    held = st.context.cookies.get(COOKIE)
    if isinstance(held, str) and _NUMBER.fullmatch(held):
        return held
    number: str = st.session_state.setdefault(_SESSION, uuid.uuid4().hex)
    return number


SETTINGS_LINK = "settings"
"""Sent when the reader wants to enter keys."""


_UNSET = Phrase("Not specified")


def brief_nodes(shown: Brief) -> list[Element]:
    """Return the brief as it will be read by whoever does the research, in the language of the report.

    After it stands how the research is organised, which only the program needs to know.
    """
    open_ = OPEN.in_(shown.language)
    rows = [(name, value) for name, value in fields(shown) if value != open_]
    left = COMMA.in_(shown.language).join(name for name, value in fields(shown) if value == open_)
    if left:
        rows.append((_UNSET.in_(shown.language), left))
    return [rows_of("brief", [*rows, *organisation(shown)], lang=shown.language.value)]


def hint_nodes(chosen: Iterable[tuple[Bilingual, Bilingual]], ui: Ui) -> list[Element]:
    """Return when to use what was chosen: its label and its hint, a line each."""
    lines = [
        el("li", "", el("strong", "", ui.of_term(label)), " ", el("span", "", ui.of_term(hint)), key=str(place))
        for place, (label, hint) in enumerate(chosen)
    ]
    return [group("ul", "hints", lines)]


def mode_nodes(settings: Settings, chosen: Brief, searched: Sequence[SourceName], ui: Ui) -> list[Element]:
    """Return in a line what will be searched and who will write."""
    where = ui._("Searches {sources}.").format(sources=ui.listed([ui.of_term(name.label) for name in searched]))
    if settings.has_models:
        models = dict.fromkeys((PRESETS[chosen.preset].models | settings.models).values())
        symbol = "smart_toy"
        who = ui._("Written by {models}; what is read is sent there.").format(models=ui.listed(list(models)))
    else:
        symbol, who = "rule", ui._("Rules write, in quotes alone.")
    line: list[Element | str] = [
        SPACE.in_(ui.language).join(filter(None, (where, who, _leaving(settings, searched, ui))))
    ]
    if missing := to_enter_nodes(settings, ui):
        line += [" ", sender(SETTINGS_LINK, "textual", icon("key"), missing)]
    return [el("div", "mode", icon(symbol), el("p", "", *line))]


def only_samples_note(ui: Ui) -> list[Element]:
    """Return the warning that a question is put to sources that were made for other ones."""
    text = ui._(
        "Only the samples can be searched yet: an almanac of countries and the papers of a fictional company. For any "
        "other question, add documents, or choose the web under Sources."
    )
    return [el("p", "heed", icon("warning"), el("span", "", text))]


def _leaving(settings: Settings, searched: Sequence[SourceName], ui: Ui) -> str:
    """Return what leaves the computer for what is searched; an empty string where the models are told of anyway."""
    if embeds_elsewhere(settings) and (may_have_own(settings) or not any(name.is_private for name in searched)):
        return ui._("Passages of pages go to the server of embeddings, which may charge for them.")
    if settings.has_models:
        return ""
    away = any(name.leaves for name in searched)
    return ui._("Only search words leave this computer.") if away else ui._("Nothing leaves this computer.")


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


def estimate_nodes(found: Estimate, past: int, ui: Ui) -> list[Element]:
    """Return the time and money that are typical, a figure each, and whether they are learned from `past` runs."""
    facts = [_fact("schedule", _about(_time(found.seconds.typical, ui), ui))]
    if found.is_free:
        facts.append(_fact("money_off", ui._("free")))
    elif found.cost_usd is None:
        facts.append(_fact("payments", ui.price(None)))
    else:
        facts.append(_fact("payments", _about(ui.dollars(found.cost_usd.typical), ui)))
    if found.is_cut:
        facts.append(_fact("warning", ui._("probably ends early, at the cap")))
    return [el("div", "estimate", group("ul", "", facts), el("p", "faint", _basis(found, past, ui)))]


def _about(figure: str, ui: Ui) -> str:
    return ui._("about {figure}").format(figure=figure)


def _fact(symbol: str, text: str) -> Element:
    return el("li", "", icon(symbol), el("span", "", text), key=symbol)


def _basis(found: Estimate, past: int, ui: Ui) -> str:
    most = [_time(found.seconds.high, ui), *([ui.dollars(found.cost_usd.high)] if found.cost_usd else ())]
    if past >= ENOUGH:
        said = ui.of_term(found.basis)
    else:
        said = ui._("At most {most} by the limits of preset and method; your runs will tell more closely.").format(
            most=ui.listed(most[:1] if found.is_free else most)
        )
    if not found.unpriced:
        return said
    unpriced = ui._("The price of {models} is not known; under a cap, its calls count like the dearest preset model's.")
    return f"{said} {unpriced.format(models=ui.listed(list(found.unpriced)))}"


def _time(seconds: float, ui: Ui) -> str:
    if seconds < 90:
        return ui._("{seconds} s").format(seconds=max(1, round(seconds)))
    return ui._("{minutes} min").format(minutes=round(seconds / 60))


def _making(reader: Ui) -> Making:
    settings = engine().settings
    brief = Brief(question="…", language=reader.language)
    return Making(brief, settings, folder=_readable_documents(), uses_models=settings.has_models)


def _readable_documents() -> Path | None:
    is_there = any(not document.problem for document in own_documents())
    return documents_folder(engine().settings) if is_there else None


def sources_lacking(reader: Ui) -> Mapping[SourceName, Lack]:
    """Return the sources that cannot be searched now, and what each of them needs."""
    making = _making(reader)
    found = {SourceName(one.name): _lack(one, making) for one in providers()}
    return {name: lack for name, lack in found.items() if lack is not None}


def _lack(one: Provider, making: Making) -> Lack | None:
    try:
        return one.lacks(making)
    except UsageError as error:
        return Lack(Phrase("cannot be read"), error.text)


def sources_offered(chosen: Sequence[str], lacks: Mapping[SourceName, Lack]) -> list[SourceName]:
    """Return the sources to choose from: servers that nobody connected only while they are still chosen."""
    names = [SourceName(one.name) for one in providers()]
    return [name for name in names if name is not SourceName.MCP or name not in lacks or name in chosen]


def sources_searched(
    chosen: Sequence[SourceName], lacks: Mapping[SourceName, Lack], reader: Ui, brief: Brief | None = None
) -> tuple[SourceName, ...]:
    """Return what a run searches: the sources chosen, else the user's own and those of a brief, else the samples."""
    making = _making(reader)
    return tuple(chosen) or by_default(replace(making, brief=brief or making.brief), lacks)
