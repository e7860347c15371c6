"""Questions that the sample collections can answer: one click fills the form."""

from __future__ import annotations

from pages.parts import component
from pages.parts.engine import engine, own_documents
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.start import brief_files, form, form_values, templates_panel
from pages.parts.ui import Ui
from research import collections
from research.brief import Brief
from research.collections.questions import QUESTIONS, SampleQuestion
from research.language import Language
from research.vocabulary import SourceName

_FILL = "fill:"
_SHOWN = 3


def show(reader: Ui, without: SampleQuestion | None = None) -> None:
    """Show the questions but for one, to whoever has nothing but the samples to search."""
    if engine().settings.has_web or own_documents():
        return
    rows = [_row(sample, reader) for sample in ordered(reader.language) if sample is not without]
    tree = [
        el("p", "faint", reader._("Questions to try, answered from the samples")),
        group("ul", "samples", rows[:_SHOWN]),
        el("details", "more", el("summary", "", reader._("More questions")), group("ul", "samples", rows[_SHOWN:])),
    ]
    component.show(tree, key="samples", language=reader.language, on_message=lambda message: _fill(message, reader))


def ordered(language: Language) -> list[SampleQuestion]:
    """Return the questions whose collections are installed, first those to texts in the reader's language."""
    own = {Language.EN: SourceName.FACTBOOK, Language.JA: SourceName.HOUSE}[language]
    there = [sample for sample in QUESTIONS if all(map(collections.is_available, sample.sources))]
    return sorted(there, key=lambda sample: own not in sample.sources)


def _row(sample: SampleQuestion, reader: Ui) -> Element:
    place = QUESTIONS.index(sample)
    where = " + ".join(reader.of_term(source.label) for source in sample.sources)
    text = sample.text(reader.language)
    button = sender(f"{_FILL}{place}", "sample", icon("north_west"), el("span", "", text), title=f"{text} ({where})")
    return el("li", "", button, key=str(place))


def _fill(message: str, reader: Ui) -> None:
    sample = QUESTIONS[int(message.removeprefix(_FILL))]
    brief = Brief(
        question=sample.text(reader.language),
        scope=sample.scope,
        region=sample.region,
        sources=sample.sources,
        language=reader.language,
    )
    manner = {name: value for name, value in form.values().items() if name in form_values.MANNER}
    form.fill(form_values.of_brief(brief) | manner)
    templates_panel.forget()
    brief_files.forget_failure()
