"""What the form holds: to and from briefs, remembered from visit to visit."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import RootModel, ValidationError

from pages.parts.ui import Ui
from research.core import Brief, PresetName, StoreError
from research.language import Language
from research.settings import files

LONGEST_QUESTION = 4_000
"""Characters that a question may have."""

CHOICES = ("scope", "period", "region", "audience", "form", "length", "summary", "tone")
"""Fields with one term of a vocabulary, or an empty string for open."""
MANNER = ("preset", "method", "queries_per_section", "iterations")
"""Fields that say how to go about it, whatever the question is."""
LINES = ("exclusions", "preferred_sites", "forbidden_sites")
"""Fields with one entry a line."""


CAPS = ("max_cost_usd", "max_minutes")
"""Fields with a number, or None for no cap."""
STAYS = ("sources", "preferred_sites", "forbidden_sites", "glossary", *CAPS)
"""Fields that depend on what the analyst has and may spend, whatever the job is."""
OF_ONE_QUESTION = ("question", "exclusions", "note")
"""Fields that mean nothing for another question."""


def empty_values(language: Language) -> dict[str, Any]:
    """Return the fields of an empty form for a reader of `language`."""
    return {
        "question": "",
        **dict.fromkeys(CHOICES, ""),
        "sources": [],
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
        **{name: held[name] or "" for name in CHOICES},
        "sources": held["sources"],
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
    chosen = {name: fields[name] or None for name in (*CHOICES, *MANNER, *CAPS)}
    lines = {name: _lines(fields[name]) for name in LINES}
    return Brief.model_validate(
        {
            **chosen,
            **lines,
            "glossary": dict(_term(line) for line in _lines(fields["glossary"])),
            **{name: fields[name] for name in ("question", "sources", "language", "note")},
        }
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _term(line: str) -> tuple[str, str]:
    for sign in ("=", "＝", "：", ":"):
        term, found, meaning = line.partition(sign)
        if found:
            return term.strip(), meaning.strip()
    return line, ""


def labels(ui: Ui) -> dict[str, str]:
    """Return the name of each field."""
    return {
        "question": ui._("Question"),
        "scope": ui._("Scope"),
        "period": ui._("Period"),
        "region": ui._("Region"),
        "sources": ui._("Sources"),
        "preset": ui._("Preset"),
        "method": ui._("Method"),
        "queries_per_section": ui._("Queries per section"),
        "iterations": ui._("Iterations"),
        "language": ui._("Report language"),
        "audience": ui._("Audience"),
        "max_cost_usd": ui._("Cost at most, in dollars"),
        "max_minutes": ui._("Minutes at most"),
        "form": ui._("Form"),
        "length": ui._("Length"),
        "summary": ui._("Executive summary"),
        "tone": ui._("Tone"),
        "exclusions": ui._("Not to be researched"),
        "preferred_sites": ui._("Preferred sites"),
        "forbidden_sites": ui._("Sites never to read"),
        "glossary": ui._("House terms"),
        "note": ui._("Your own words"),
    }


def complaints_about(error: ValidationError, fields: Mapping[str, Any], ui: Ui) -> list[str]:
    """Return what is wrong with the fields, one sentence each, in the reader's language."""
    said = (_complaint(str(entry["loc"][0]) if entry["loc"] else "", fields, ui) for entry in error.errors())
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
