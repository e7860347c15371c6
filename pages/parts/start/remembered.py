"""The settings of the last research, for the next session in the same browser.

The browser keeps a random number in a cookie, the home folder the settings under that number: so two users of one
server do not meet each other's. What belongs to one question alone is not kept.
"""

from __future__ import annotations

import json
import logging
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.parts.start import form_values
from research import private_file
from research.brief import Brief
from research.errors import StoreError
from research.language import Language

COOKIE = "workbench_browser"
_SESSION = "browser_number"
_NUMBER = re.compile(r"[0-9a-f]{32}")
_log = logging.getLogger("workbench")

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


def recalled(home: Path, language: Language) -> dict[str, Any]:
    """Return the fields of the form as this browser left them; those of an empty form if it never did."""
    return load(place(home, _browser()), language)


def remember(home: Path, fields: Mapping[str, Any]) -> None:
    """Keep the fields for this browser's next session."""
    try:
        save(place(home, _browser()), fields)
    except StoreError as error:
        # The research goes on: whoever finds the disk full is told so by the store of the runs.
        _log.warning("The settings of the form are not kept: %s", error)


def place(home: Path, browser: str) -> Path:
    """Return where the settings of a browser are kept."""
    return home / "settings" / "forms" / f"{browser}.json"


def save(path: Path, fields: Mapping[str, Any]) -> None:
    """Keep the fields of a form, but for those of one question.

    Raises:
        StoreError: they cannot be written.
    """
    kept = {name: value for name, value in fields.items() if name not in form_values.OF_ONE_QUESTION}
    private_file.write(path, json.dumps(kept, ensure_ascii=False, indent=2) + "\n")


def load(path: Path, language: Language) -> dict[str, Any]:
    """Return the fields of a form with what is kept; what cannot be read or used is left out, all of it."""
    start = form_values.empty(language)
    try:
        kept = json.loads(path.read_bytes())
        fields = start | {name: kept[name] for name in start if name in kept}
        brief: Brief = form_values.to_brief(fields | {"question": "…"})
    except (FileNotFoundError, NotADirectoryError):
        return start
    except (OSError, ValueError, TypeError, AttributeError, ValidationError) as error:
        _log.warning("Kept settings of the form are left out: %s", type(error).__name__)
        return start
    return form_values.of_brief(brief) | {"question": ""}


def _browser() -> str:
    held = st.context.cookies.get(COOKIE)
    if isinstance(held, str) and _NUMBER.fullmatch(held):
        return held
    number: str = st.session_state.setdefault(_SESSION, uuid.uuid4().hex)
    return number
