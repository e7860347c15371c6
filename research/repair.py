"""Repair of weak sentences: which they are, what they could rest on instead, and which repairs are taken.

An analyst proposes; a proposal is taken only if the sentence is better borne out afterwards. Nothing else changes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from research.analysts.protocol import Repair, RepairRequest, WeakSentence
from research.brief import Brief
from research.citations import cite, cited_sentences, numbered, without_marks
from research.drafts import edited, marked
from research.evidence import Evidence
from research.proof import Books
from research.report import Sentence
from research.text.sentences import Span
from research.text.words import tokens
from research.verification.labels import Label

_WEAK = frozenset({Label.UNSUPPORTED, Label.UNCITED})
_WORTH = {Label.SUPPORTED: 2, Label.PARTIAL: 1}
"""What a verdict is worth; none of the others is better than another."""
_AT_ONCE = 40
"""Sentences that one request holds; a report with more needs another writer, not repairs."""
_NEAREST = 4


@dataclass(frozen=True)
class Outcome:
    """A draft after repair, and what became of its weak sentences."""

    draft: str
    changed: int = 0
    dropped: int = 0


def weak_sentences(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return the sentences that are worth a repair, in order."""
    return [sentence for sentence in sentences if sentence.verdict in _WEAK][:_AT_ONCE]


def repair_request(
    weak: Sequence[Sentence], draft: str, books: Books, *, usable: Mapping[str, Evidence], brief: Brief, today: date
) -> RepairRequest:
    """Return what an analyst is asked: each weak sentence with its own and the nearest of the `usable` evidence."""
    nearest = _Nearest(usable)
    asked = []
    for sentence in weak:
        own = [name for name in sentence.evidence if name in usable]
        asked.append(
            WeakSentence(
                text=sentence.text,
                cited=sentence.evidence,
                reason=sentence.reason.in_(brief.language) if sentence.reason else "",
                candidates=tuple(dict.fromkeys([*own, *nearest.to(sentence.text)])),
                is_row=_is_row(draft, sentence),
            )
        )
    evidence = {name: usable[name] for sentence in asked for name in sentence.candidates}
    pages = {entry.source: books.pages[entry.source] for entry in evidence.values()}
    return RepairRequest(brief, today, tuple(asked), evidence, pages)


def carry_out(repairs: Iterable[Repair], weak: Sequence[Sentence], draft: str, books: Books) -> Outcome:
    """Return the draft with those repairs that leave a sentence better borne out, or take it out.

    A report that would cite nothing any more stays as it is.
    """
    changes: dict[Span, str] = {}
    for repair in repairs:
        if not 0 <= repair.sentence < len(weak):
            continue
        sentence = weak[repair.sentence]
        text = _repaired(repair, sentence, draft, books)
        if text is not None:
            changes[Span(sentence.start, sentence.end)] = text
    after = edited(draft, changes)
    if not numbered(after, books.evidence).citations:
        return Outcome(draft)
    dropped = sum(not text for text in changes.values())
    return Outcome(after, len(changes) - dropped, dropped)


def _repaired(repair: Repair, sentence: Sentence, draft: str, books: Books) -> str | None:
    """Return what is to stand in place of a sentence, empty for nothing, or None if the repair is refused."""
    if not repair.text:
        return ""
    if repair.text == sentence.text:
        words = without_marks(draft[sentence.start : sentence.end])
    else:
        words = " ".join(cite(repair.text, {}).draft.split())
        if _is_row(draft, sentence) or words.startswith("|"):
            return None
    ids = [name for name in repair.evidence if name in books.evidence]
    if not words or not ids:
        return None
    text = marked(words, ids)
    found = cited_sentences(text)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text)):
        return None  # A heading, a list, two sentences, or no words.
    return text if _worth(books.prove(found[0])) > _worth(sentence) else None


def _worth(sentence: Sentence) -> int:
    return _WORTH.get(Label(sentence.verdict), 0) if sentence.verdict else 0


def _is_row(draft: str, sentence: Sentence) -> bool:
    return draft.startswith("|", sentence.start)


class _Nearest:
    """Finds the evidence that shares most with a sentence: rare words count more, figures double."""

    def __init__(self, evidence: Mapping[str, Evidence]) -> None:
        self._tokens = {name: frozenset(tokens(entry.quote)) for name, entry in evidence.items()}
        self._holders = Counter(token for found in self._tokens.values() for token in found)

    def to(self, text: str) -> list[str]:
        """Return the ids of the nearest evidence, nearest first; none that shares nothing."""
        wanted = frozenset(tokens(text))
        scores = {name: sum(map(self._weight, wanted & found)) for name, found in self._tokens.items()}
        near = sorted((name for name in scores if scores[name] > 0), key=lambda name: -scores[name])
        return near[:_NEAREST]

    def _weight(self, token: str) -> float:
        rarity = math.log(1 + len(self._tokens) / self._holders[token])
        return rarity * (2 if any(character.isdigit() for character in token) else 1)
