"""A brief in words: what models read of it, and what the user is told."""

from __future__ import annotations

from research.core.brief import Brief
from research.core.presets import PRESETS, MethodName
from research.core.spending import cap_in_words
from research.core.vocabulary import Vocabulary
from research.language import Bilingual, Language, Phrase

OPEN = Phrase("open")
_LANGUAGE = Phrase("English")
_NAMES = {
    "question": Phrase("Question"),
    "scope": Phrase("Scope"),
    "period": Phrase("Period"),
    "region": Phrase("Region"),
    "sources": Phrase("Sources"),
    "preset": Phrase("Manner"),
    "audience": Phrase("Audience"),
    "form": Phrase("Form"),
    "length": Phrase("Length"),
    "summary": Phrase("Summary"),
    "tone": Phrase("Tone"),
    "exclusions": Phrase("Not to be researched"),
    "preferred_sites": Phrase("Preferred sites"),
    "forbidden_sites": Phrase("Forbidden sites"),
    "glossary": Phrase("House terms"),
    "note": Phrase("Note"),
    "language": Phrase("Language of the report"),
}
_METHOD = Phrase("Method")
_DEPTH = Phrase("Depth")
_DEPTH_WORDS = Phrase("queries per section: {queries}; iterations: {iterations}")
_CAP = Phrase("Cap")
_ANALYST_DECIDES = Phrase("analyst decides")
_LEFT_OUT_IF_EMPTY = {"exclusions", "preferred_sites", "forbidden_sites", "glossary", "note"}


def compose(brief: Brief) -> str:
    """Return the brief as one line a field, in the language of the report; what is unset is stated to be open."""
    colon = Bilingual(": ", "：").in_(brief.language)
    return "\n".join(f"{name}{colon}{value}" for name, value in fields(brief))


def bounds(brief: Brief) -> list[str]:
    """Return what limits the research, one sentence each without its stop: region, period, exclusions."""
    language = brief.language
    colon = Bilingual(": ", "：").in_(language)
    limits = {
        Phrase("Region"): brief.region,
        Phrase("Period"): brief.period,
        Phrase("Leave out"): brief.exclusions,
    }
    return [f"{name.in_(language)}{colon}{_words(value, language)}" for name, value in limits.items() if value]


def fields(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of each line of `compose`."""
    written = {name: _value(brief, name) for name in _NAMES}
    open_ = OPEN.in_(brief.language)
    return [
        (_NAMES[name].in_(brief.language), value or open_)
        for name, value in written.items()
        if value or name not in _LEFT_OUT_IF_EMPTY
    ]


def method_of(brief: Brief) -> MethodName:
    """Return how the research is organised: as the brief says, else as its preset does."""
    return brief.method or PRESETS[brief.preset].method


def organisation(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of what the brief says about how to go about it.

    It is shown beside `fields` and no part of `compose`: the program carries it out, and no analyst needs to know.
    """
    language, method = brief.language, method_of(brief)
    rows = [(_METHOD.in_(language), method.label.in_(language))]
    if method is MethodName.OUTLINED:
        decides = _ANALYST_DECIDES.in_(language)
        depth = _DEPTH_WORDS.in_(language).format(
            queries=brief.queries_per_section or decides, iterations=brief.iterations or decides
        )
        rows.append((_DEPTH.in_(language), depth))
    if cap := cap_in_words(brief, language):
        rows.append((_CAP.in_(language), cap))
    return rows


def _value(brief: Brief, name: str) -> str:
    preset = PRESETS[brief.preset]
    if name == "preset":
        return preset.words.in_(brief.language)
    if name == "language":
        return _LANGUAGE.in_(brief.language)
    # What the analyst leaves open, the preset decides where it can.
    return _words(getattr(brief, name) or getattr(preset, name, None), brief.language)


def _words(value: object, language: Language) -> str:
    if isinstance(value, Vocabulary):
        return value.words.in_(language)
    if isinstance(value, dict):
        equals = Bilingual(" = ", "＝").in_(language)
        return _words(tuple(f"{term}{equals}{meaning}" for term, meaning in value.items()), language)
    if isinstance(value, tuple):
        return Bilingual("; ", "、").in_(language).join(_words(item, language) for item in value)
    return str(value or "")
