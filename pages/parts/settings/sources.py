"""Sources of pages: what each needs to know, entered, kept and checked; ours and those of other packages alike."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine, own_library
from pages.parts.native_words import say_anew
from pages.parts.settings.entering import Entry, show_entry
from pages.parts.settings.services import Provider as Row
from pages.parts.ui import Ui
from research.core import Brief, SourceName
from research.settings import KeptSettings, Settings
from research.sources import Making, Provider, provider, providers
from research.sources.checks import check_source

_CHOSEN = "source_chosen"
_SHOWN_ELSEWHERE = {SourceName.LIBRARY, SourceName.FACTBOOK, SourceName.HOUSE, SourceName.MCP}
"""Those that have parts of their own, on this page or another; the web's have a field here as well."""


def further_sources() -> list[Provider]:
    """Return the sources that have no part of their own on this page."""
    return [one for one in providers() if one.name not in _SHOWN_ELSEWHERE | {SourceName.WEB}]


def standing_of(one: Provider, reader: Ui) -> Row:
    """Return how it stands with a source: what it holds, or what it lacks."""
    lack = one.lacks(_making(reader))
    said = one.hint if lack is None else lack.remedy
    return Row(reader.of_term(one.label), lack is None, reader.of_term(said) if said is not None else "")


def _making(reader: Ui) -> Making:
    settings = engine().settings
    brief = Brief(question="…", language=reader.language)
    return Making(brief, settings, folder=own_library(), uses_models=settings.has_models)


def show_sources(kept: KeptSettings, reader: Ui) -> None:
    """Show the source that the reader chooses: what can be entered for it, and the button to check it."""
    st.subheader(reader._("Sources one by one"), anchor=False)
    st.caption(
        reader._(
            "Each can be chosen for a research under “Sources”. Most need nothing; what is set up of your own here is "
            "searched by itself where no source is chosen."
        )
    )
    offered = [str(one.name) for one in providers() if one.name not in _SHOWN_ELSEWHERE]
    labels = {name: reader.of_term(provider(name).label) for name in offered}
    chosen = st.session_state.setdefault(_CHOSEN, offered[0])
    say_anew(_CHOSEN, labels.get(chosen, ""))
    name = st.selectbox(reader._("Source"), offered, format_func=labels.__getitem__, key=_CHOSEN)
    _source(provider(name), kept, reader)


def _source(one: Provider, kept: KeptSettings, reader: Ui) -> None:
    row = standing_of(one, reader)
    hint = reader.of_term(one.hint) if one.hint is not None else ""
    state = reader._("Ready to be searched.") if row.is_there else row.state

    def used(settings: Settings) -> dict[str, str]:
        return settings.of_source(one)

    entry = Entry("source", one, row.name, hint, used, lambda settings: check_source(settings, one.name))
    show_entry(entry, row.is_there, state, kept, reader)
