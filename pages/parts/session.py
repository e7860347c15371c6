"""One reader's session: language, and guards against anything unforeseen."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from pages.parts.nodes import deliver_assets
from pages.parts.ui import NAMES, Ui, preferred, verbatim
from research.core import StoreError, UsageError
from research.language import Language

_log = logging.getLogger("workbench")

_LANGUAGE = "lang"
_LOGO = Path(__file__).parent / "assets" / "logo.svg"
SIGN = Path(__file__).parent / "assets" / "sign.svg"
"""The product's sign alone, where its name has no room: a telephone's header also holds the menu."""


def ui() -> Ui:
    """Return how this reader is spoken to: in the language chosen, else in that of the address or the browser."""
    return Ui.of(Language(st.session_state.get(_LANGUAGE) or _first_language()), st.context.timezone)


def _first_language() -> Language:
    asked = st.query_params.get(_LANGUAGE)
    return Language(asked) if asked in set(Language) else _browser_language()


def _browser_language() -> Language:
    return preferred(st.context.locale or st.context.headers.get("Accept-Language"))


def language_switch() -> None:
    """Show the switch of the interface's language. A choice that differs from the browser stands in the address."""
    st.session_state.setdefault(_LANGUAGE, _first_language().value)
    chosen = st.segmented_control(
        "Language / 言語",
        [language.value for language in Language],
        format_func=lambda value: NAMES[Language(value)],
        required=True,
        key=_LANGUAGE,
        persist_state="session",
        label_visibility="collapsed",
    )
    deliver_assets(Language(chosen or _browser_language()))
    if chosen and chosen != _browser_language():
        st.query_params[_LANGUAGE] = chosen
    elif _LANGUAGE in st.query_params:
        del st.query_params[_LANGUAGE]


def logo() -> str:
    """Return the product's name and sign as SVG, in the ink of the theme that is shown."""
    ink = "E3E7ED" if st.context.theme.type == "dark" else "141B26"
    return _LOGO.read_text(encoding="utf-8").replace("INK", ink)


@contextmanager
def no_traceback(reader: Ui) -> Iterator[None]:
    """Turn what goes wrong inside into a message that says what to do; the details go to the log."""
    try:
        yield
    except UsageError as error:
        _log.warning("%s", error)
        st.error(reader._("This does not exist (any more). Go back to the list of runs."), icon=":material/error:")
    except StoreError as error:
        _log.exception("The store failed.")
        st.error(verbatim(reader.reason(error)), icon=":material/error:")
    except Exception:  # noqa: BLE001 - whatever breaks, the reader sees a sentence and no traceback
        _log.exception("A page failed.")
        message = reader._(
            "Something unexpected went wrong. Reload the page; your runs are kept. Details are in the log."
        )
        st.error(verbatim(message), icon=":material/error:")
