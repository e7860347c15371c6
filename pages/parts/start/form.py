"""The brief's form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.grid_container import GridContainer

from pages.parts.engine import engine
from pages.parts.native_words import say_anew
from pages.parts.nodes import show_nodes
from pages.parts.sources.library import show_source_choice
from pages.parts.start.brief import (
    empty_values,
    hint_nodes,
    labels,
    recalled_form,
    sources_lacking,
    sources_offered,
    sources_searched,
)
from pages.parts.start.documents import TOOK_OVER
from pages.parts.ui import NAMES, Ui, verbatim
from research.core import (
    DEAREST,
    DEEPEST,
    LONGEST_MINUTES,
    MOST_SENTENCES,
    PRESETS,
    Audience,
    Length,
    MethodName,
    OutputForm,
    PeriodChoice,
    Preset,
    PresetName,
    Region,
    Scope,
    SearchOrder,
    SourceKind,
    SourceName,
    Summary,
    Tone,
    Vocabulary,
)
from research.export import FORMATS
from research.language import COLON, Bilingual, Language
from research.settings.templates import PERSONAS
from research.sources import Lack, provider, providers

TERMS: Mapping[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": PeriodChoice,
    "region": Region,
    "order": SearchOrder,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
"""The vocabulary of each field that is chosen from one."""
_SET_BY_PRESET = ("form", "length", "summary", "tone")


def key(name: str) -> str:
    """Return the name under which the session holds a field."""
    return f"brief_{name}"


def fill(fields: Mapping[str, Any]) -> None:
    """Set fields; only before they are drawn, as callbacks do."""
    for name, value in fields.items():
        st.session_state[key(name)] = value


def _select(
    place: DeltaGenerator,
    name: str,
    reader: Ui,
    help_: str,
    *,
    values: Iterable[Any],
    words: Callable[[Any], str],
    on_change: Callable[[], None] | None = None,
) -> None:
    """Draw a field with one of `values`, written as `words` says."""
    say_anew(key(name), words(st.session_state[key(name)]))
    place.selectbox(
        labels(reader)[name],
        list(values),
        format_func=words,
        key=key(name),
        persist_state="session",
        on_change=on_change,
        help=help_,
    )


def choice(
    place: DeltaGenerator, name: str, reader: Ui, help_: str, on_change: Callable[[], None] | None = None
) -> None:
    """Draw a field that is chosen from its vocabulary, or left open; its help says what each term changes."""
    terms = {term.value: reader.of_term(term.label) for term in TERMS[name]}
    help_ = explained(help_, [(term.label, term.words) for term in TERMS[name]], reader)
    words = named(terms, _unset(name, reader))
    _select(place, name, reader, help_, values=["", *terms], words=words, on_change=on_change)


def explained(help_: str, terms: Iterable[tuple[Bilingual, Bilingual]], reader: Ui) -> str:
    """Return the help of a field with what each of its terms changes, where that is more than its name, as Markdown."""
    told = [(reader.of_term(label), reader.of_term(words)) for label, words in terms]
    colon = COLON.in_(reader.language)
    lines = [f"- **{label}**{colon}{words}" for label, words in told if not _repeats(label, words)]
    return "\n".join([help_, "", *lines]).strip()


def _repeats(label: str, words: str) -> bool:
    """Whether the words say hardly more than the label."""
    return label.casefold() in words.casefold() and len(words) <= 2 * len(label) + 2


def named(terms: Mapping[str, str], unset: str) -> Callable[[str], str]:
    """Return how the values of a field are written."""
    return lambda value: terms.get(value, unset)


def _unset(name: str, reader: Ui) -> str:
    if name not in _SET_BY_PRESET:
        return reader._("Any")
    term: Vocabulary = getattr(PRESETS[PresetName(st.session_state[key("preset")])], name)
    return reader._("{label} (by preset)").format(label=reader.of_term(term.label))


def term(name: str, value: str) -> Vocabulary:
    """Return the term that a field holds."""
    return next(term for term in TERMS[name] if term.value == value)


def text(name: str, reader: Ui, help_: str, example: str) -> None:
    """Draw a field of several lines."""
    st.text_area(
        labels(reader)[name],
        key=key(name),
        persist_state="session",
        height=82,
        help=help_,
        placeholder=example or None,
    )


_SET_BY_READER = ("length", "tone", "summary")


def _manner(grid: GridContainer, reader: Ui) -> None:
    """Draw for whom, in which language and by which method, each with what it means; for a plan how deep to search."""
    choice(
        grid,
        "audience",
        reader,
        reader._("Who will read the report. It also sets length, tone and summary."),
        on_change=_write_for_reader,
    )
    preset = PRESETS[PresetName(st.session_state[key("preset")])]
    languages = {language.value: name for language, name in NAMES.items()}
    said = reader._("The language in which the report and this brief are written.")
    _select(grid, "language", reader, said, values=languages, words=languages.__getitem__)
    method = _method(grid, preset, reader)
    tree = hint_nodes([(preset.label, preset.hint), *_of_reader(), (method.label, method.hint)], reader)
    show_nodes(tree, key="hints", language=reader.language)
    if method is MethodName.OUTLINED:
        _depth(reader)


def _preset(grid: GridContainer, reader: Ui) -> None:
    presets = {name.value: reader.of_term(preset.label) for name, preset in PRESETS.items()}
    help_ = explained(
        reader._("How far the research goes, which models work, and how long the report becomes."),
        [(preset.label, preset.hint) for preset in PRESETS.values()],
        reader,
    )
    _select(grid, "preset", reader, help_, values=presets, words=presets.__getitem__)


def _method(grid: GridContainer, preset: Preset, reader: Ui) -> MethodName:
    """Draw the methods, and return the one that is chosen, by the preset if by nobody."""
    methods = {name.value: name for name in MethodName}
    terms = {value: reader.of_term(name.label) for value, name in methods.items()}
    words = named(terms, reader._("{label} (by preset)").format(label=terms[preset.method]))
    help_ = explained(
        reader._("Who plans the research, and when it stops. Everything else is the same for every method."),
        [(name.label, name.hint) for name in MethodName],
        reader,
    )
    _select(grid.cell(column_span=2), "method", reader, help_, values=["", *methods], words=words)
    return methods[st.session_state[key("method")] or preset.method]


def _write_for_reader() -> None:
    """Set what the reader chosen implies, or leave it to the preset again."""
    chosen = st.session_state[key("audience")]
    persona = PERSONAS.get(chosen)
    fill({name: getattr(persona, name).value if persona else "" for name in _SET_BY_READER})


def _of_reader() -> list[tuple[Bilingual, Bilingual]]:
    """Return the reader chosen, and how the report is written for them."""
    chosen = st.session_state[key("audience")]
    if not chosen:
        return []
    audience = term("audience", chosen)
    held = {name: st.session_state[key(name)] for name in _SET_BY_READER}
    terms = [audience, *(term(name, value) for name, value in held.items() if value)]
    english = "; ".join(term.words.en for term in terms)
    words = Bilingual(english[:1].upper() + english[1:], "／".join(term.words.ja for term in terms))
    return [(audience.label, words)]


def _depth(reader: Ui) -> None:
    helps = {
        "queries_per_section": reader._("How many queries each search of a section holds."),
        "iterations": reader._("How often each section is searched, at most."),
    }
    grid = st.grid(2, min_column_width=130)
    for name, help_ in helps.items():
        values = ["", *range(1, DEEPEST + 1)]
        _select(grid, name, reader, help_, values=values, words=lambda one: str(one or reader._("Analyst decides")))


def prepare_form(reader: Ui) -> None:
    """Give each field that was never filled its start: that of the last research in this browser.

    The report's language follows the interface's until it is chosen.
    """
    if any(key(name) not in st.session_state for name in empty_values(reader.language)):
        for name, value in recalled_form(engine().settings.home, reader.language).items():
            st.session_state.setdefault(key(name), value)
    before = st.session_state.get("brief_interface", reader.language.value)
    if before != reader.language.value and st.session_state[key("language")] == before:
        st.session_state[key("language")] = reader.language.value
    st.session_state["brief_interface"] = reader.language.value


def form_values() -> dict[str, Any]:
    """Return what the fields hold."""
    return {name: st.session_state[key(name)] for name in empty_values(Language.EN)}


def question_field(reader: Ui) -> None:
    """Draw the field of the question."""
    st.text_area(
        labels(reader)["question"],
        key=key("question"),
        persist_state="session",
        height=96,
        placeholder=reader._(
            "What do you want to know? For example: How has Japan's electricity mix changed since 2015?"
        ),
    )


def main_choices(reader: Ui) -> None:
    """Draw the choices that most briefs need: two rows of three, on a phone three of two."""
    grid = st.grid(3, min_column_width=130)
    _sources(grid.cell(column_span=2), reader)
    _preset(grid, reader)
    choice(grid, "scope", reader, reader._("What the report looks at. It decides which sections the report has."))
    choice(grid, "period", reader, reader._("How far back information may date."))
    choice(grid, "region", reader, reader._("The part of the world that the report is about."))


_LONG_TERMS = 180
"""Pixels that a choice takes whose terms say as well that the preset set them: on a phone, a line of its own."""


def more_fields(reader: Ui) -> None:
    """Draw the choices that few briefs need."""
    grid = st.grid(2, min_column_width=130)
    _manner(grid, reader)
    grid = st.grid(2, min_column_width=_LONG_TERMS)
    choice(grid, "form", reader, reader._("What the report is made of."))
    choice(grid, "length", reader, reader._("How long the report may become."))
    choice(grid, "summary", reader, reader._("Where the executive summary stands, if there is one."))
    choice(grid, "tone", reader, reader._("The manner of writing."))
    grid = st.grid(2, min_column_width=130)
    _extent(grid, reader)
    _days(grid, reader)
    _caps(grid, reader)
    text(
        "countries",
        reader,
        reader._("Countries that it is about, one per line. Where the question names none, each is asked about."),
        reader._("Vietnam"),
    )
    text("note", reader, reader._("Anything to add to the brief in your own words."), "")
    text("exclusions", reader, reader._("What is not to be researched, one entry a line."), "")
    show_source_choice(reader, form_values, fill)
    _where(reader)
    left, right = st.columns(2)
    with left:
        text("preferred_sites", reader, reader._("Sites to search first, one per line."), "stat.go.jp")
    with right:
        text("forbidden_sites", reader, reader._("Sites that are never read, one per line."), "example.com")
    text(
        "glossary",
        reader,
        reader._("The house's own terms, so that nobody has to ask: one per line, term = meaning."),
        reader._("SPU = Strategic Planning Unit"),
    )


def _extent(place: DeltaGenerator, reader: Ui) -> None:
    """Draw how long the summary may be, and as which file the report is wanted."""
    counts = ["", *range(1, MOST_SENTENCES + 1)]
    said = reader._("How many sentences the executive summary may have.")
    _select(place, "summary_sentences", reader, said, values=counts, words=lambda one: str(one or reader._("Any")))
    formats = {name: reader.of_term(one.label) for name, one in FORMATS.items()}
    said = reader._("The file in which the report is wanted; it stands first among the downloads.")
    _select(place, "file_format", reader, said, values=["", *formats], words=named(formats, reader._("Any")))


def _days(place: DeltaGenerator, reader: Ui) -> None:
    """Draw from which day to which day information may date."""
    helps = {
        "since": reader._("The first day that information may date from; with it, the period says nothing."),
        "until": reader._("The last day that information may date from."),
    }
    for name, help_ in helps.items():
        place.date_input(
            labels(reader)[name],
            value=None,
            min_value=date(1900, 1, 1),
            max_value=date(2100, 12, 31),
            key=key(name),
            persist_state="session",
            format="YYYY-MM-DD",
            help=help_,
        )


def _where(reader: Ui) -> None:
    """Draw in which order to search, which pages to read in any case, and which kinds of pages."""
    choice(
        st.container(),
        "order",
        reader,
        reader._("What is searched first: what is your own, or the web. What is found first is quoted first."),
    )
    text(
        "addresses",
        reader,
        reader._("Pages to be read whatever else is found, an address a line."),
        "https://www.stat.go.jp/data/",
    )
    kinds = {kind.value: reader.of_term(kind.label) for kind in SourceKind}
    helps = {
        "preferred_kinds": reader._("Kinds of pages to read first; public services that hold them are asked as well."),
        "forbidden_kinds": reader._("Kinds of pages that are never read."),
    }
    for column, (name, help_) in zip(st.columns(2), helps.items(), strict=True):
        say_anew(key(name), "/".join(kinds[value] for value in st.session_state[key(name)]))
        column.multiselect(
            labels(reader)[name],
            list(kinds),
            format_func=kinds.__getitem__,
            key=key(name),
            persist_state="session",
            placeholder=reader._("Any"),
            help=help_,
            select_all=False,
            wrap=True,
        )


def _caps(place: DeltaGenerator, reader: Ui) -> None:
    """Draw what the run may cost and take."""
    helps = {
        "max_cost_usd": reader._(
            "The run keeps to it: before each call of a model there must be room, and enough is kept back for the "
            "report. A model whose price is not known counts like the dearest of the presets. Searches that cost "
            "something count as well."
        ),
        "max_minutes": reader._("When they are nearly over, the report is written from what was found until then."),
    }
    steps = {"max_cost_usd": (DEAREST, 0.5, "%.2f"), "max_minutes": (LONGEST_MINUTES, 5.0, "%g")}
    for name, help_ in helps.items():
        most, step, written = steps[name]
        place.number_input(
            labels(reader)[name],
            min_value=0.0,
            max_value=most,
            step=step,
            format=written,
            key=key(name),
            persist_state="session",
            placeholder=reader._("No cap"),
            help=help_,
        )


def _sources(place: DeltaGenerator, reader: Ui) -> None:
    lacks, chosen = sources_lacking(reader), st.session_state[key("sources")]
    names = {
        str(source): reader.of_term(source.label)
        + (f" · {reader.of_term(lacks[source].remark)}" if source in lacks else "")
        for source in sources_offered(chosen, lacks)
    }
    searched = sources_searched((), lacks, reader)
    told = reader.listed([reader.of_term(name.label) for name in searched])
    say_anew(key("sources"), "/".join(names[value] for value in chosen) or told)
    place.multiselect(
        labels(reader)["sources"],
        list(names),
        format_func=names.__getitem__,
        key=key("sources"),
        persist_state="session",
        placeholder=reader._("Any: {sources}").format(sources=told),
        help=reader._(
            "Where to look. With none chosen, your documents, the web and connected servers are searched, as far as "
            "they are set up; the samples only where there is nothing else."
        ),
        select_all=False,
        wrap=True,
    )
    if not chosen and st.session_state.get(TOOK_OVER) and not any(provider(name).is_sample for name in searched):
        _offer_samples(place, searched, lacks, reader)
    missing = {source: lack for source, lack in lacks.items() if source in chosen}
    for lack in missing.values():
        place.caption(f":orange[:material/warning:] {verbatim(reader.of_term(lack.remedy))}")
    if any(source is not SourceName.LIBRARY for source in missing):
        place.page_link("pages/settings.py", label=reader._("Open Settings"), icon=":material/settings:")


def _offer_samples(
    place: DeltaGenerator, searched: Sequence[SourceName], lacks: Mapping[SourceName, Lack], reader: Ui
) -> None:
    """Say that the first document took the place of the samples, and offer to search both."""
    samples = [SourceName(one.name) for one in providers() if one.is_sample and one.name not in lacks]
    place.caption(reader._("Your documents are searched now, and the samples no longer."))
    place.button(
        reader._("Search the samples as well"),
        icon=":material/add:",
        type="tertiary",
        key="samples_as_well",
        on_click=fill,
        args=({"sources": [*searched, *samples]},),
    )
