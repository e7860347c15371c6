"""How far passages speak of what is asked, told by words and, where somebody can compare it, by meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log

from snowballstemmer import stemmer

from research.core import Evidence, Page
from research.meaning import Meaning
from research.text import Concept, asked_concepts, folded, heading_of, names_in, regions_in, tokens

_SPEAKS = 9.0
"""Points from which a passage is taken to speak of what is asked. On JaQuAD's training questions nine of ten sentences
that hold the answer have as many, 7% of the other sentences of their article, and none of another article's."""
_WORDS = 8.0
"""Points of a passage that says all words of what is asked. On HotpotQA, 4 to 8 put most gold passages first."""
_BY_WORDS = 0.5
"""Share of the words that tells the same where meaning is not compared: three of four answers of JaQuAD say as many."""
_COMPARED = 32
"""Passages that are compared by meaning for one thing asked, those that share most words first; each takes 30 ms."""
_OWN = 0.7
"""Weight of what a passage says itself; the rest is for what it says together with the title of its page."""
_TITLE = 60
"""Characters of a title that are compared."""
_MEASURE = re.compile(
    r"sizes?|rates?|shares?|figures?|trends?|levels?|numbers?|amounts?|values?|volumes?|規模|割合|比率|数値|推移|水準|金額|数量",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_INFLECTED = 0.9
_STEMMER = stemmer("english")


class Relevance:
    """Says how far passages speak of what is asked: 1 from where they do, 0 where they share nothing with it."""

    def __init__(self, meaning: Meaning | None = None) -> None:
        """Tell by words alone without a `meaning`."""
        self._meaning = meaning

    def of(
        self, asked: str, texts: Sequence[str], *, words: str = "", titles: Sequence[str] = (), at_most: int = _COMPARED
    ) -> list[float]:
        """Return it for each text; beyond `at_most` texts, those that share fewest words are told by words alone.

        `words` are those of `asked` that tell, `titles` those of the pages on which the texts stand: what is asked may
        stand in them.
        """
        shares = word_shares(words or asked, texts)
        if titles:
            whole = word_shares(words or asked, [f"{title} {text}" for title, text in zip(titles, texts, strict=True)])
            shares = [_OWN * own + (1 - _OWN) * both for own, both in zip(shares, whole, strict=True)]
            texts = [f"{title[:_TITLE]}: {text}" for title, text in zip(titles, texts, strict=True)]
        named = _named(asked, texts)
        among = sorted(range(len(texts)), key=lambda index: (-shares[index], -named[index]))[:at_most]
        near = self._meaning.standing_out(asked, [texts[one] for one in among]) if self._meaning and texts else None
        if near is None:
            return [share / _BY_WORDS for share in shares]
        points = [_WORDS * share for share in shares]
        for index, nearness in zip(among, near, strict=True):
            points[index] += nearness
        return [max(0.0, one / _SPEAKS) for one in points]


def _named(asked: str, texts: Sequence[str]) -> list[int]:
    """Return how many of the names in what is asked each text names: where words tell nothing, they come first."""
    names = names_in(asked)
    return [sum(name.stands_in(low) for name in names) for low in map(folded, texts)] if names else [0] * len(texts)


def under_heading(entry: Evidence, page: Page) -> str:
    """Return a quote behind the heading that it stands under, as it is held against what is asked."""
    return f"{heading_of(page.text, entry.start)}: {entry.quote}"


def word_shares(asked: str, texts: Sequence[str]) -> list[float]:
    """Return which share of the words asked for each text says, in either language; what few texts say counts more."""
    things = [one for one in asked_concepts(asked) if " " not in one.label]
    areas = {area.en for area in regions_in(asked)}  # What is about a part of the world need not say so.
    things = [one for one in things if not one.is_period and one.label not in areas] or things
    if not things:
        return [0.0] * len(texts)
    said = [_tokens(text) for text in texts]
    matches = [[_match(one, words, text) for one in things] for words, text in zip(said, texts, strict=True)]
    often = [sum(row[place] > 0.5 for row in matches) for place in range(len(things))]
    weights = [log(1 + (len(texts) + 1) / (count + 1)) for count in often]
    return [sum(map(float.__mul__, row, weights)) / sum(weights) for row in matches]


def _match(thing: Concept, words: frozenset[str], text: str) -> float:
    """Return how far a text says one thing; what only asks for a figure, any figure says."""
    is_figure = _MEASURE.fullmatch(thing.label) is not None and _DIGIT.search(text) is not None
    return 1.0 if is_figure else says(thing, words)


def says(thing: Concept, words: frozenset[str]) -> float:
    """Return how far words say one thing, from 0 to 1; another form of an English word says nearly the same."""
    told = thing.match(words)
    if told >= _INFLECTED or " " in thing.label or not thing.label.isascii():
        return told
    return max(told, _INFLECTED * (_stem(thing.label) in map(_stem, words)))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Return an English word without its ending: exports, exported and exporting are one."""
    stem: str = _STEMMER.stemWord(word)
    return stem


@lru_cache(maxsize=20_000)
def _tokens(text: str) -> frozenset[str]:
    return frozenset(tokens(text))
