"""A brief in words: what models read of it, and what the user is told."""

from __future__ import annotations

from research.core.brief import Brief
from research.core.presets import PRESETS, MethodName
from research.core.spending import cap_in_words
from research.core.vocabulary import Vocabulary
from research.language import Bilingual, Language

OPEN = Bilingual("open", "指定なし")
_LANGUAGE = Bilingual("English", "日本語")
_NAMES = {
    "question": Bilingual("Question", "問い"),
    "scope": Bilingual("Scope", "観点"),
    "period": Bilingual("Period", "期間"),
    "region": Bilingual("Region", "地域"),
    "sources": Bilingual("Sources", "情報源"),
    "preset": Bilingual("Manner", "進め方"),
    "audience": Bilingual("Audience", "読者"),
    "form": Bilingual("Form", "形式"),
    "length": Bilingual("Length", "分量"),
    "summary": Bilingual("Summary", "要旨"),
    "tone": Bilingual("Tone", "文体"),
    "exclusions": Bilingual("Not to be researched", "調査しないこと"),
    "preferred_sites": Bilingual("Preferred sites", "優先するサイト"),
    "forbidden_sites": Bilingual("Forbidden sites", "使わないサイト"),
    "glossary": Bilingual("House terms", "社内用語"),
    "note": Bilingual("Note", "補足"),
    "language": Bilingual("Language of the report", "レポートの言語"),
}
_METHOD = Bilingual("Method", "調査方法")
_DEPTH = Bilingual("Depth", "深さ")
_DEPTH_WORDS = Bilingual(
    "queries per section: {queries}; iterations: {iterations}", "章ごとのクエリ数：{queries}、反復回数：{iterations}"
)
_CAP = Bilingual("Cap", "上限")
_ANALYST_DECIDES = Bilingual("analyst decides", "分析役が決定")
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
        Bilingual("Region", "地域"): brief.region,
        Bilingual("Period", "期間"): brief.period,
        Bilingual("Leave out", "除外"): brief.exclusions,
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
