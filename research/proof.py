"""Every sentence of a report with its verdict, from the stored pages and by rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.citations import FRAMING, TITLE, cited_sentences, quoted_passages
from research.evidence import Evidence, Page
from research.language import Bilingual
from research.report import FigureCheck, Passage, Sentence
from research.verification.labels import Label, Verdict
from research.verification.rows import without_page_names
from research.verification.verdicts import verify_with

_CHECK_FAILED = Bilingual("The check itself failed ({error})", "照合の処理でエラーが起きました（{error}）")
_CLAIM_NOTHING = {
    FRAMING: Bilingual("Said by the program about its own work", "プログラム自身の作業に関する記述です"),
    TITLE: Bilingual("A title", "見出しです"),
}


@dataclass(frozen=True)
class Books:
    """What sentences are held against: the pages and quotes of one run."""

    pages: Mapping[str, Page]
    evidence: Mapping[str, Evidence]

    def prove(self, sentence: Sentence) -> Sentence:
        """Return the sentence with what the pages that it cites bear out of it."""
        cited = [self.evidence[name] for name in sentence.evidence]
        try:
            claim = without_page_names(sentence.text, [entry.quote for entry in cited], self._names_of(cited))
            verdict = verify_with(claim, [(self._text_of(entry), entry.quote) for entry in cited])
        except Exception as error:  # noqa: BLE001 - text of strangers must not cost a report; the sentence says so
            reason = Bilingual(*(words.format(error=type(error).__name__) for words in _CHECK_FAILED))
            return sentence.model_copy(update={"verdict": Label.UNVERIFIABLE.value, "reason": reason})
        return sentence.model_copy(
            update={
                "verdict": verdict.label.value if verdict.label else None,
                "score": round(verdict.score, 3),
                "reason": verdict.reason.words,
                "reason_code": verdict.reason.code,
                "numbers": _numbers(verdict, cited),
                "passage": _passage(verdict, cited),
            }
        )

    def _names_of(self, cited: Iterable[Evidence]) -> set[str]:
        pages = [self.pages[entry.source] for entry in cited if entry.source in self.pages]
        return {name for page in pages for name in (page.title, page.site)}

    def _text_of(self, entry: Evidence) -> str:
        page = self.pages.get(entry.source)
        return page.text if page else ""


def prove_draft(draft: str, books: Books, *, by_rule: bool, known: Iterable[Sentence] = ()) -> tuple[Sentence, ...]:
    """Return the sentences of a cleaned draft with their verdicts, in time linear in draft and pages.

    Args:
        draft: The draft; its marks name evidence of `books`.
        books: What the sentences are held against.
        by_rule: The program composed the draft of quotes; its own words about its work claim nothing.
        known: Sentences that were proved before; the same text with the same evidence is not looked at again.
    """
    proved = {(sentence.text, sentence.evidence): sentence for sentence in known}
    found = []
    for sentence in quoted_passages(draft) if by_rule else cited_sentences(draft):
        if sentence.reason_code:
            found.append(sentence.model_copy(update={"reason": _CLAIM_NOTHING[sentence.reason_code]}))
            continue
        before = proved.get((sentence.text, sentence.evidence)) or books.prove(sentence)
        found.append(before.model_copy(update={"start": sentence.start, "end": sentence.end}))
    return tuple(found)


def counts(sentences: Iterable[Sentence]) -> dict[str, int]:
    """Return how many sentences have each verdict, in the order of `Label`, without those that claim nothing."""
    counted = Counter(sentence.verdict for sentence in sentences)
    return {label.value: counted[label.value] for label in Label if counted[label.value]}


def _numbers(verdict: Verdict, cited: Sequence[Evidence]) -> tuple[FigureCheck, ...]:
    return tuple(
        FigureCheck(
            text=number.text,
            found=number.found,
            source=cited[number.evidence].source if number.where else None,
            start=number.where[0] if number.where else None,
            end=number.where[1] if number.where else None,
        )
        for number in verdict.numbers
    )


def _passage(verdict: Verdict, cited: Sequence[Evidence]) -> Passage | None:
    if verdict.span is None:
        return None
    entry = cited[verdict.evidence]
    return Passage(source=entry.source, evidence=entry.id, start=verdict.span[0], end=verdict.span[1])
