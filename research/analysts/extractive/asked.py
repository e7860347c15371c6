"""What a question asks for in its own words, without the phrases that only say what the answer is for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from research.analysts.extractive.superlative import without_order
from research.text.concepts import Concept, asked_concepts
from research.text.lexicon import english_terms
from research.text.words import tokens
from research.verification.meanings import japanese_meanings, meanings, unit_of

_OCCASION = re.compile(
    r"\b(?:before|ahead of|for|at|in) (?:an?|the|my|our|your)(?: (?:first|next|upcoming|coming))?"
    r" (?:meeting|visit|call|interview)\b"
    r"|\bwhat should (?:i|we|one|you|a (?:company|business|manager|visitor)) know (?:about|of)\b"
    r"|\b(?:latest|recent|key|main) figures\b"
    r"|との(?:面談|面会|商談|会議|打ち?合わ?せ)の?(?:前|際|場)に"
    r"|(?:企業|会社|当社|自社|経営者|経営陣|担当者)が(?=知って)"
    r"|(?:検討|整理|報告|評価)して(?:ください|下さい|ほしい)"
    r"|(?:当社|自社|弊社|我が社|わが社)(?=[のはがをにでとも])|\bour (?:own )?(?:company|firm)(?:['’]s)?\b",
    re.IGNORECASE,
)
_US = re.compile(r"当社|自社|弊社|我が社|わが社|\bour\b", re.IGNORECASE)
_LATIN = re.compile(r"[^\W\d_]+")


def core(question: str) -> str:
    """Return a question without what only says for whom, for which occasion or in which order it is asked.

    「当社の」 says no more than that the documents are one's own.
    """
    return _OCCASION.sub(" ", without_order(question))


def is_about_us(question: str) -> bool:
    """Whether a question is about those who ask."""
    return _US.search(question) is not None


def things_asked(question: str) -> tuple[Concept, ...]:
    """Return a concept for each thing that a question asks for (see `research.text.concepts.asked_concepts`)."""
    return asked_concepts(core(question))


def terms(concepts: Sequence[Concept]) -> list[str]:
    """Return what `concepts` of a question are called, two words that stand side by side as one where both are here.

    Of overlapping pairs one that the dictionary knows is one, else the last: the head of an English term stands at its
    end ("new cooling tower").
    """
    words = [one.label for one in concepts if " " not in one.label]
    first: dict[str, str] = {}
    taken: set[str] = set()
    pairs = [one.label for one in concepts if " " in one.label][::-1]
    for pair in sorted(pairs, key=lambda one: tuple(tokens(one)) not in english_terms()):
        parts = pair.split(" ")
        if len(parts) == 2 and set(parts) <= set(words) and taken.isdisjoint(parts):
            taken.update(parts)
            first[parts[0]] = pair
    return [first.get(word, word) for word in words if word in first or word not in taken]


@lru_cache(maxsize=4096)
def meant(text: str) -> frozenset[str]:
    """Return what the words of a text mean, by stem or group: "grown" and 増加 are one."""
    english = (unit_of(word) for word in _LATIN.findall(text) if word.isascii())
    japanese = (meanings().japanese[match.group()] for match in japanese_meanings().finditer(text))
    return frozenset((*english, *japanese)) - {""}
