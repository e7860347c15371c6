"""Notes on what was found: on each aspect how much, with the ids, and what is missing. No words of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.analysts.extractive.coverage import Coverage, Told
from research.evidence import Evidence
from research.language import Bilingual, Language

_COMMA = Bilingual(", ", "、")
_CHARACTERS = {Language.EN: 4, Language.JA: 1}
"""About as many as a token holds."""


def noted(coverage: Coverage, kept: Sequence[Evidence], language: Language, tokens: int) -> str:
    """Return notes of at most `tokens` on the evidence `kept`: as many aspects as fit between head and gaps."""
    head, missing = _head(kept, language), _missing(coverage, language)
    left = tokens * _CHARACTERS[language] - len(head) - len(missing)
    lines = []
    for line in _lines(coverage, kept, language):
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    # A blank line, or Markdown would take what is missing as part of the last item.
    return "\n\n".join(part for part in ("\n".join([head, *lines]), missing) if part)


def _head(kept: Sequence[Evidence], language: Language) -> str:
    quotes, pages = len(kept), len({entry.source for entry in kept})
    return Bilingual(
        f"Kept: {quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}.",
        f"{pages} ページから引用 {quotes} 件を採用。",
    ).in_(language)


def _missing(coverage: Coverage, language: Language) -> str:
    missing = _COMMA.in_(language).join(coverage.missing(language))
    return Bilingual(f"Missing: {missing}.", f"不足：{missing}。").in_(language) if missing else ""


def _lines(coverage: Coverage, kept: Sequence[Evidence], language: Language) -> Iterator[str]:
    """Yield a line for each aspect, then one for the quotes that speak of none of them."""
    for told in coverage.told:
        yield _line(_subject(told, language), told.evidence, language)
    said = {entry.id for told in coverage.told for entry in told.evidence}
    if rest := [entry for entry in kept if entry.id not in said]:
        yield _line(Bilingual("other", "その他").in_(language), rest, language)


def _subject(told: Told, language: Language) -> str:
    names = _COMMA.in_(language).join(name.ja if language is Language.JA else name.en for name in told.names)
    brackets = Bilingual(f" ({names})", f"（{names}）").in_(language) if names else ""
    return told.aspect.label.in_(language) + brackets


def _line(subject: str, evidence: Sequence[Evidence], language: Language) -> str:
    colon = Bilingual(": ", "：").in_(language)
    return f"- {subject}{colon}" + " ".join(f"[{entry.id}]" for entry in evidence)
