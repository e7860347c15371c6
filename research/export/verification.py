"""The parts of a Markdown report that say what stands behind its sentences, and what was left out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from research.core.ledger import Sentence
from research.language import Bilingual, Language
from research.results.proof import counts
from research.results.record import LeftOut
from research.text.markdown import escape_markdown
from research.verification.labels import Label

Numbers = Callable[[Sequence[str]], str]
"""Returns ids of evidence as citation numbers."""

_TITLE = Bilingual("Verification", "検証")
_CHECKED = Bilingual(
    "Sentences checked against the stored page, by rules: {total}. {counts}.",
    "保存したページと規則により照合した文：{total}。{counts}。",
)
_COUNT = Bilingual("{label}: {count}", "{label} {count}")
_CAUTION = Bilingual(
    "A rule can err: open the source before you rely on a sentence.",
    "規則による照合には誤りもあります。重要な記述は情報源をご確認ください。",
)
_TO_CHECK = Bilingual("Sentences that need checking:", "確認が必要な文：")
_LEFT_OUT = Bilingual("Left out", "採用しなかった記述")
_WHY = Bilingual(
    "This report keeps only what the rules find supported by a primary source. Left out: {count}.",
    "規則による照合で一次情報の裏付けがあると判定した記述だけを残しています。採用しなかった記述：{count}件。",
)
_ENTRY = Bilingual("- “{text}” – {reason}", "- 「{text}」：{reason}")
_LABELLED = Bilingual("{label}: {reason}", "{label}（{reason}）")
_MORE = Bilingual("- and {count} more", "- ほか{count}件")
_COMMA = Bilingual(" · ", "、")
_NEEDS_CHECKING = tuple(label for label in Label if label is not Label.SUPPORTED)
_SHOWN = 20


def verification(sentences: Sequence[Sentence], numbers: Numbers, language: Language) -> str:
    """Return the counts of each verdict and the sentences that need checking; nothing if none was checked."""
    counted = counts(sentences)
    if not counted:
        return ""
    total = sum(counted.values())
    listed = _COMMA.in_(language).join(
        _COUNT.in_(language).format(label=Label(name).words.in_(language), count=count)
        for name, count in counted.items()
    )
    lines = [_CHECKED.in_(language).format(total=total, counts=listed), _CAUTION.in_(language)]
    weak = [sentence for sentence in sentences if sentence.verdict in _NEEDS_CHECKING]
    text = f"## {_TITLE.in_(language)}\n\n" + Bilingual(" ", "").in_(language).join(lines)
    if not weak:
        return text
    reasons = [_reason(Label(one.verdict), one.reason, language) for one in weak if one.verdict]
    entries = _entries(zip(weak, reasons, strict=True), numbers, language)
    return f"{text}\n\n{_TO_CHECK.in_(language)}\n\n{entries}"


def left_out_section(left_out: Sequence[LeftOut], numbers: Numbers, language: Language) -> str:
    """Return what a fact-strict report does not hold and why; nothing if all was kept."""
    if not left_out:
        return ""
    entries = _entries(((one, one.reason.in_(language)) for one in left_out), numbers, language)
    why = _WHY.in_(language).format(count=len(left_out))
    return f"## {_LEFT_OUT.in_(language)}\n\n{why}\n\n{entries}"


def _reason(label: Label, reason: Bilingual | None, language: Language) -> str:
    words = label.words.in_(language)
    return _LABELLED.in_(language).format(label=words, reason=reason.in_(language)) if reason else words


def _entries(entries: Iterable[tuple[Sentence | LeftOut, str]], numbers: Numbers, language: Language) -> str:
    lines = [
        _ENTRY.in_(language).format(text=escape_markdown(_unquoted(one.text)), reason=escape_markdown(reason))
        + (f" {cited}" if (cited := numbers(one.evidence)) else "")
        for one, reason in entries
    ]
    more = len(lines) - _SHOWN
    return "\n".join(lines[:_SHOWN] + ([_MORE.in_(language).format(count=more)] if more > 0 else []))


def _unquoted(text: str) -> str:
    """Return a text without quotation marks around all of it: it gets others."""
    return text[1:-1] if text[:1] + text[-1:] in ("“”", "「」") else text
