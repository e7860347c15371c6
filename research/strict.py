"""Fact-strict reports: only what primary sources state and their stored pages bear out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.citations import FRAMING
from research.drafts import citing_only, edited
from research.evidence import Evidence, Page
from research.language import Bilingual, Language
from research.proof import Books
from research.report import LeftOut, Sentence
from research.sources.kinds import is_primary
from research.text.sentences import Span
from research.verification.labels import Label

_SECONDARY = Bilingual("No primary source: {sources}", "一次情報ではありません：{sources}")
_NOT_BORNE_OUT = Bilingual("Its primary sources alone do not bear it out", "一次情報だけでは裏付けられません")
_SOURCE = Bilingual("{site} ({kind})", "{site}（{kind}）")
_COMMA = Bilingual(", ", "、")
_COLON = Bilingual(": ", "：")


def primary_evidence(evidence: Mapping[str, Evidence], pages: Mapping[str, Page]) -> dict[str, Evidence]:
    """Return the evidence that is quoted from primary sources."""
    return {name: entry for name, entry in evidence.items() if is_primary(pages[entry.source].kind)}


def keep_primary(draft: str, sentences: Sequence[Sentence], books: Books) -> tuple[str, tuple[LeftOut, ...]]:
    """Return the draft with nothing but supported sentences on primary sources, and what was left out.

    What claims nothing stays where something that it introduces stays; citations of other sources go.
    """
    primary = primary_evidence(books.evidence, books.pages)
    changes: dict[Span, str] = {}
    left_out = []
    for sentence in sentences:
        if sentence.verdict is None:
            continue
        span = Span(sentence.start, sentence.end)
        reason = _reason_against(sentence, primary, books)
        if reason:
            changes[span] = ""
            left_out.append(_left_out(sentence, reason))
        elif not set(sentence.evidence) <= primary.keys():
            changes[span] = citing_only(draft[span.start : span.end], primary.keys())
    for sentence in _introducing_nothing(draft, sentences, changes):
        changes[Span(sentence.start, sentence.end)] = ""
    return edited(draft, changes), tuple(left_out)


def quotes_left_out(evidence: Mapping[str, Evidence], books: Books) -> tuple[LeftOut, ...]:
    """Return the quotes of sources that are not primary, as left out of a report that the program composed."""
    primary = primary_evidence(evidence, books.pages)
    return tuple(
        LeftOut(text=entry.quote, evidence=(name,), reason=_secondary([entry], books))
        for name, entry in evidence.items()
        if name not in primary
    )


def _reason_against(sentence: Sentence, primary: Mapping[str, Evidence], books: Books) -> Bilingual | None:
    """Return why a sentence cannot stay, or None if it can."""
    label = Label(sentence.verdict or Label.UNCITED)
    if label is not Label.SUPPORTED:
        parts = zip(label.words, _COLON, sentence.reason or ("", ""), strict=True)
        return Bilingual(*map("".join, parts))
    own = tuple(name for name in sentence.evidence if name in primary)
    if not own:
        return _secondary([books.evidence[name] for name in sentence.evidence], books)
    if own != sentence.evidence:
        alone = books.prove(sentence.model_copy(update={"evidence": own}))
        return None if alone.verdict == Label.SUPPORTED else _NOT_BORNE_OUT
    return None


def _secondary(entries: Sequence[Evidence], books: Books) -> Bilingual:
    pages = {entry.source: books.pages[entry.source] for entry in entries}

    def said(language: Language) -> str:
        source = _SOURCE.in_(language)
        named = [source.format(site=page.site, kind=page.kind.label.in_(language)) for page in pages.values()]
        return _SECONDARY.in_(language).format(sources=_COMMA.in_(language).join(named))

    return Bilingual(said(Language.EN), said(Language.JA))


def _left_out(sentence: Sentence, reason: Bilingual) -> LeftOut:
    return LeftOut(text=sentence.text, evidence=sentence.evidence, reason=reason, verdict=sentence.verdict)


def _introducing_nothing(draft: str, sentences: Sequence[Sentence], changes: Mapping[Span, str]) -> list[Sentence]:
    """Return the sentences without claim behind which, up to the next of them or a heading, no claim is left."""
    nothing: list[Sentence] = []
    waiting: list[Sentence] = []
    claimed = kept = False
    end = 0
    for sentence in sentences:
        starts_anew = "\n#" in draft[end : sentence.start] or (sentence.verdict is None and claimed)
        if starts_anew:
            nothing += [] if kept else waiting
            waiting, claimed, kept = [], False, False
        if sentence.verdict is None:
            waiting += [sentence] if sentence.reason_code != FRAMING else []
        else:
            claimed = True
            kept = kept or changes.get(Span(sentence.start, sentence.end)) != ""
        end = sentence.end
    return nothing + ([] if kept else waiting)
