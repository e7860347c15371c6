"""Notes on what was found: on each aspect the ids, and what is missing.

A research note, which people read by itself, also says on each aspect what one quote says. Notes on a topic hold no
words of a page, because a supervisor that may be a model reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.analysts.extractive.coverage import Coverage, Told
from research.evidence import Evidence
from research.language import Bilingual, Language
from research.text.markdown import escape_markdown
from research.text.sentences import sentences

_COMMA = Bilingual(", ", "、")
_CHARACTERS = {Language.EN: 4, Language.JA: 1}
"""About as many as a token holds."""
_QUOTED = 120
"""Characters of a quote in a note."""


def noted(
    coverage: Coverage, kept: Sequence[Evidence], language: Language, tokens: int, *, is_quoting: bool = False
) -> str:
    """Return notes of at most `tokens` on the evidence `kept`: as many aspects as fit between head and gaps.

    If it `is_quoting`, each aspect says what its first quote says that no aspect before it did, as far as there is
    room: every aspect is named before any is quoted.
    """
    head, missing = _head(kept, language), _missing(coverage, language)
    left = tokens * _CHARACTERS[language] - len(head) - len(missing)
    lines: list[str] = []
    quotable: list[Sequence[Evidence]] = []
    for line, evidence in _lines(coverage, kept, language):
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
        quotable.append(evidence)
    if is_quoting:
        lines = _with_quotes(lines, quotable, language, left)
    # A blank line, or Markdown would take what is missing as part of the last item.
    return "\n\n".join(part for part in ("\n".join([head, *lines]), missing) if part)


def _head(kept: Sequence[Evidence], language: Language) -> str:
    if not kept:
        return Bilingual("Nothing to the point was found.", "問いに関わる記述は見つかりませんでした。").in_(language)
    quotes, pages = len(kept), len({entry.source for entry in kept})
    return Bilingual(
        f"Kept: {quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}.",
        f"{pages}ページから引用{quotes}件を採用。",
    ).in_(language)


def _missing(coverage: Coverage, language: Language) -> str:
    missing = _COMMA.in_(language).join(coverage.missing(language))
    return Bilingual(f"Missing: {missing}.", f"不足：{missing}。").in_(language) if missing else ""


def _with_quotes(
    lines: Sequence[str], quotable: Sequence[Sequence[Evidence]], language: Language, left: int
) -> list[str]:
    """Return each line with a quote of its evidence behind it, as far as `left` characters hold them."""
    said: set[str] = set()
    quoting = []
    for line, evidence in zip(lines, quotable, strict=True):
        entry = next((one for one in evidence if one.id not in said), None)
        quote = _quote(entry, language, is_only=len(evidence) == 1) if entry else ""
        if entry and len(quote) <= left:
            said.add(entry.id)
            left -= len(quote)
            quoting.append(line + quote)
        else:
            quoting.append(line)
    return quoting


def _quote(entry: Evidence, language: Language, *, is_only: bool) -> str:
    """Return the beginning of a quote, with its id unless the line names no other."""
    text = escape_markdown(shortened(entry.quote))
    mark = "" if is_only else Bilingual(f" [{entry.id}]", f"[{entry.id}]").in_(language)
    return Bilingual(f" – “{text}”{mark}", f"――「{text}」{mark}").in_(language)


def shortened(quote: str) -> str:
    """Return the beginning of `quote` on one line: its first sentence, or 120 characters of that and an ellipsis."""
    text = " ".join(quote.split())
    spans = sentences(text)
    first = text[: spans[0].end] if spans else text
    if len(first) <= _QUOTED:
        return first
    cut = first[:_QUOTED]
    # Japanese has no blanks to cut at, and a blank far from the end would cut off too much.
    whole, blank, _ = cut.rpartition(" ")
    return (whole if blank and 2 * len(whole) > _QUOTED else cut).rstrip() + "…"


def _lines(
    coverage: Coverage, kept: Sequence[Evidence], language: Language
) -> Iterator[tuple[str, Sequence[Evidence]]]:
    """Yield a line for each aspect, then one for the quotes that speak of none of them; each with its evidence."""
    for told in coverage.told:
        yield _line(_subject(told, language), told.evidence, language), told.evidence
    said = {entry.id for told in coverage.told for entry in told.evidence}
    if rest := [entry for entry in kept if entry.id not in said]:
        yield _line(Bilingual("other", "その他").in_(language), rest, language), rest


def _subject(told: Told, language: Language) -> str:
    names = _COMMA.in_(language).join(name.ja if language is Language.JA else name.en for name in told.names)
    brackets = Bilingual(f" ({names})", f"（{names}）").in_(language) if names else ""
    return told.aspect.label.in_(language) + brackets


def _line(subject: str, evidence: Sequence[Evidence], language: Language) -> str:
    colon = Bilingual(": ", "：").in_(language)
    return f"- {subject}{colon}" + " ".join(f"[{entry.id}]" for entry in evidence)
