"""The section of a report on what its sources say differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from research.core.ledger import Page
from research.export.period_words import label_in_words
from research.language import Bilingual, Language
from research.text.markdown import escape_markdown
from research.verification.labels import Contradiction, ContradictionKind, Side

_TITLE = Bilingual("Contradictions", "情報源の食い違い")
_INTRODUCTION = Bilingual(
    "Quotes were compared by rules, which do not find everything. Nothing was averaged, and no side was taken.",
    "引用どうしを規則により照合したもので、すべてを網羅するものではありません。値の平均や優劣の判断は行っていません。",
)
_UNDATED = Bilingual("date unknown", "日付不明")
_ADDED = Bilingual("{date}, added on {day}", "{date}、{day}に追加")
_COLON = Bilingual(": ", "：")
_SIDE = Bilingual("- {value}{source} ({date}): “{quote}”", "- {value}{source}（{date}）：「{quote}」")


def contradictions_markdown(
    contradictions: Sequence[Contradiction],
    numbers: Mapping[str, int],
    language: Language,
    pages: Mapping[str, Page],
) -> str:
    """Return the section, or an empty string if there are no contradictions.

    Args:
        contradictions: What was found.
        numbers: Citation number of each page that the report cites. Sources that it does not cite stand by their title.
        language: That of the report.
        pages: Every page that a side quotes, by id.
    """
    if not contradictions:
        return ""
    entries = entries_markdown(contradictions, numbers, language, pages)
    return "\n\n".join([f"## {_TITLE.in_(language)}", _INTRODUCTION.in_(language), entries])


def entries_markdown(
    contradictions: Sequence[Contradiction],
    numbers: Mapping[str, int],
    language: Language,
    pages: Mapping[str, Page],
    added: Mapping[str, date] | None = None,
) -> str:
    """Return the contradictions without a heading; `added` says on which day a quote joined the run, by its id."""
    parts = []
    for contradiction in contradictions:
        parts.append(_headline(contradiction, language))
        parts.append("\n".join(_side(side, numbers, language, pages, added or {}) for side in contradiction.sides))
    return "\n\n".join(parts)


def _headline(contradiction: Contradiction, language: Language) -> str:
    label = contradiction.label
    if contradiction.kind is not ContradictionKind.NAMED:
        label = label_in_words(label, language)
    named = [escape_markdown(part) for part in (contradiction.subject, label) if part]
    return f"**{_COLON.in_(language).join(named)}** – {contradiction.note.in_(language)}"


def _side(
    side: Side, numbers: Mapping[str, int], language: Language, pages: Mapping[str, Page], added: Mapping[str, date]
) -> str:
    page = pages[side.source]
    number = numbers.get(side.source)
    return _SIDE.in_(language).format(
        value=f"**{escape_markdown(side.value)}** " if side.value else "",
        source=f"[{number}]" if number is not None else f"{escape_markdown(page.title)} · {escape_markdown(page.site)}",
        date=_dates(side, added.get(side.evidence), language),
        quote=escape_markdown(side.quote),
    )


def _dates(side: Side, added: date | None, language: Language) -> str:
    dated = side.published or _UNDATED.in_(language)
    return _ADDED.in_(language).format(date=dated, day=added.isoformat()) if added else dated
