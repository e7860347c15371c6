"""How far passages speak of what is asked, told by words and, where somebody can compare it, by meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from threading import Lock

from research.core import Evidence, Page
from research.meaning import Look, Meaning
from research.text import (
    Concept,
    Name,
    Passage,
    are_data,
    asked_concepts,
    content_words,
    folded,
    heading_of,
    language_of,
    passages,
    regions_in,
    stem,
    tokens,
    unlinked,
)

_SPEAKS = 9.0
"""Points from which a passage is taken to speak of what is asked. On JaQuAD's training questions nine of ten sentences
that hold the answer have as many, 7% of the other sentences of their article, and none of another article's."""
_WORDS = 8.0
"""Points of a passage that says all words of what is asked. On HotpotQA, 4 to 8 put most gold passages first."""
_BY_WORDS = 0.5
"""Share of the words that tells the same where meaning is not compared: three of four answers of JaQuAD say as many."""
_COMPARED = 32
"""Passages that are compared closely for one thing asked, those that come nearest at a glance; each takes 30 to 60 ms.
Of 308 facts in others' questions and our own 16 find as many as 32, and 8 lose five of our own; on annual reports,
where 26 are taken from a page, what answers lies deeper."""
_TITLE = 60
"""Characters of a title that are compared."""
_OWN = 0.7
"""Weight of what a passage says itself; the rest is for what it says together with the title of its page: minutes of
2026年1月 are found by their title, and without it what was decided then is not, of the questions of `bench.answers`."""
_BESIDE = 0.3
"""What a passage gains from a neighbour that says more. On JaQuAD's dev articles (9,300 characters on average) 4,000
characters chosen so hold 98.6% of the answers, without it 97.7%; of XQuAD's, four to a page, 97.8% and 97.5%."""
_MATCHED = 0.3
"""What a passage gains that the search itself found to match."""
_UNSURE, _COMPARED_THERE = 0.4, 6
"""The share of the words below which the best passage of a page leaves open what bears on a question, as on one in six
of those pages, where half of what words miss is missed; and how many passages are then compared by meaning: of XQuAD's
answers 96.7% are then held, 95.8% by words alone, and as many of JaQuAD's."""
_AT_ONCE = Lock()
_IN_PASSING = 0.2
"""Points below which a passage says next to nothing of what is asked; what stands beside the best one has `_BESIDE`.
Excerpts of 4,000 characters without such passages are 22% (XQuAD) to 35% (JaQuAD) shorter and hold 4 of 816 answers
less; at 0.3 they lose one in ten."""
_LEFT_TO_MEANING = 0.25
"""The share of an excerpt that meaning decides on there."""
_GAP = "\n…\n"
_LONGEST_HEADING = 120
_MEASURE = re.compile(
    r"sizes?|rates?|shares?|figures?|trends?|levels?|numbers?|amounts?|values?|volumes?|規模|割合|比率|数値|推移|水準|金額|数量",
    re.IGNORECASE,
)
_POST = re.compile(r"[一-鿿ァ-ヶー]{2,10}[部課室局]長")
"""Whoever is named by an office: 品質保証部長 says nothing of 保証."""
_DIGIT = re.compile(r"\d")
_INFLECTED = 0.9


@dataclass(frozen=True)
class Room:
    """How many characters of a page are shown: as many as is usual, or `most` of one that is rich."""

    usual: int
    most: int
    is_patient: bool = True
    """Whether a page waits while the meanings of another one are compared, which takes up to half a second."""


class Relevance:
    """Says how far passages speak of what is asked: 1 from where they do, 0 where they share nothing with it."""

    def __init__(self, meaning: Meaning | None = None, look: Look = Look.BOTH) -> None:
        """Tell by words alone without a `meaning`; lines of data are looked at closely, and at nothing else."""
        self._meaning = meaning
        self._look = look

    @property
    def is_by_meaning(self) -> bool:
        """Whether somebody compares meanings, and not words alone."""
        return self._meaning is not None and self._meaning.is_there

    def of(
        self,
        asked: str,
        texts: Sequence[str],
        *,
        words: str = "",
        names: Sequence[Name] = (),
        titles: Sequence[str] = (),
        at_most: int = _COMPARED,
    ) -> list[float]:
        """Return it for each text; beyond `at_most` texts, those that come nearest at a glance are compared closely.

        `words` and `names` are those of `asked` that tell, `titles` those of the pages on which the texts stand: what
        is asked may stand in them.
        """
        shares, is_prose = word_shares(words or asked, texts, names), not are_data(texts)
        if titles:
            under = [f"{title} {text}" for title, text in zip(titles, texts, strict=True)]
            whole = word_shares(words or asked, under, names)
            shares = [_OWN * own + (1 - _OWN) * both for own, both in zip(shares, whole, strict=True)]
            texts = [f"{title[:_TITLE]}: {text}" for title, text in zip(titles, texts, strict=True)]
        if self._meaning is None or not texts:
            return [share / _BY_WORDS for share in shares]
        among = self.foremost(asked, texts, shares, at_most) if is_prose else _most(shares, at_most)
        near = self._meaning.standing_out(asked, [texts[one] for one in among], self._look if is_prose else Look.CLOSE)
        if near is None:
            return [share / _BY_WORDS for share in shares]
        points = [_WORDS * share for share in shares]
        for index, nearness in zip(among, near, strict=True):
            points[index] += nearness
        return [max(0.0, one / _SPEAKS) for one in points]

    def foremost(
        self, asked: str, texts: Sequence[str], shares: Sequence[float], at_most: int, *, unsaid: int = 0
    ) -> list[int]:
        """Return the places of those texts, best first, that words and a quick look at their meaning put first.

        `shares` say how many of the words asked for each text holds; up to `unsaid` need none of them.
        """
        if len(texts) <= at_most or self._meaning is None:
            return _most(shares, at_most)
        return self._meaning.at_a_glance(asked, texts, shares, unsaid=unsaid)[:at_most]

    def excerpt(self, text: str, asked: Sequence[str], room: Room, matched: Sequence[tuple[int, int]] = ()) -> str:
        """Return what of a page bears on what is asked, in its order, under its headings, an ellipsis for the rest.

        A page that fits is returned whole. Beyond what is usual stands only what says half of the words of one thing
        asked; of a page in another language, whose words tell little, as much as there is room for. Where some passage
        surely speaks of something asked, none is shown that shares next to nothing with it.

        Args:
            text: The page.
            asked: What is asked of it, the most important first.
            room: How much may be shown.
            matched: Offsets of passages that a search found to match.
        """
        if len(text) <= room.usual:
            return text
        every = passages(text)
        said = [f"{one.heading} {one.text}" for one in every]
        shares = [word_shares(one, said) for one in asked]
        points, says = _points(shares, _matching(every, matched))
        ranked = sorted(range(len(every)), key=lambda index: -points[index])
        is_foreign = max(shares[0], default=0.0) < _BY_WORDS and language_of(text) is not language_of(asked[0])
        full = room.most if is_foreign else room.usual
        chosen = _Chosen(every, text)
        if not is_foreign and any(share >= _BY_WORDS for one in shares for share in one):
            ranked = [index for index in ranked if says[index] >= _IN_PASSING]
        chosen.fill([0, *ranked] if every else [], full - int(full * _LEFT_TO_MEANING))
        if max(shares[0], default=0.0) < _UNSURE:
            left = [index for index in ranked if index not in chosen.indices][:_COMPARED_THERE]
            said_there = {index: said[index] for index in left}
            chosen.fill(self._by_meaning(asked[0], said_there, is_patient=room.is_patient), full)
        chosen.fill(ranked, full)
        telling = (index for index in ranked if any(share[index] >= _BY_WORDS for share in shares))
        chosen.fill(telling, room.most)
        return chosen.text() or text[: room.usual]

    def _by_meaning(self, asked: str, texts: Mapping[int, str], *, is_patient: bool) -> list[int]:
        """Return the keys of `texts`, the nearest first; as they are if one that is not patient would have to wait."""
        if self._meaning is None or not texts or not _AT_ONCE.acquire(blocking=is_patient):
            return list(texts)
        try:
            told = self._meaning.nearness(asked, list(texts.values()))
        finally:
            _AT_ONCE.release()
        near = dict(zip(texts, told, strict=True)) if told is not None else {}
        return sorted(texts, key=lambda index: -near.get(index, 0.0))


def _most(shares: Sequence[float], at_most: int) -> list[int]:
    return sorted(range(len(shares)), key=lambda index: -shares[index])[:at_most]


class _Chosen:
    """Passages of a page that are shown."""

    def __init__(self, every: Sequence[Passage], page: str) -> None:
        self.indices: set[int] = set()
        self._every = every
        self._page = page
        self._length = 0

    def fill(self, ranked: Iterable[int], room: int) -> None:
        """Take passages in this order, as many as have room."""
        for index in ranked:
            one = self._every[index]
            length = len(one.text) + len(_GAP) + min(len(one.heading), _LONGEST_HEADING)
            if index not in self.indices and self._length + length <= room:
                self.indices.add(index)
                self._length += length

    def text(self) -> str:
        """Return them in the order of the page."""
        parts: list[str] = []
        before, heading = -1, ""
        for index in sorted(self.indices):
            one = self._every[index]
            parts.append(self._between(before, index))
            if one.heading != heading and one.heading:
                parts.append(f"# {one.heading[:_LONGEST_HEADING]}\n")
            parts.append(one.text)
            before, heading = index, one.heading
        return "".join(parts).strip("\n")

    def _between(self, before: int, index: int) -> str:
        """Return what keeps two passages apart: paragraphs stay paragraphs, or they would be quoted as one."""
        if index != before + 1:
            return _GAP
        if not index:
            return ""
        between = self._page[self._every[before].end : self._every[index].start]
        return "\n\n" if between.strip() or between.count("\n") > 1 else "\n"


def _points(shares: Sequence[Sequence[float]], gained: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return what each passage says of whatever it says most of, with what its neighbours lend; and the most of both.

    What is asked in many words, no passage says all of: shares count beside the best one on the page.
    """
    best = [max(_BY_WORDS, *share) if share else 1.0 for share in shares]
    own = [max(share[index] / most for share, most in zip(shares, best, strict=True)) for index in range(len(gained))]
    beside = [
        max([*own[max(0, index - 1) : index], *own[index + 1 : index + 2]], default=0.0) for index in range(len(own))
    ]
    gains = list(zip(own, (_BESIDE * near for near in beside), gained, strict=True))
    return [sum(of) for of in gains], [max(of) for of in gains]


def _matching(every: Sequence[Passage], matched: Sequence[tuple[int, int]]) -> list[float]:
    return [_MATCHED * any(one.start < end and start < one.end for start, end in matched) for one in every]


def spoken_of_most(text: str, topics: Sequence[str], count: int) -> tuple[str, ...]:
    """Return the topics of which a page speaks, at most `count`: those of whose words some passage says most."""
    said = [f"{one.heading} {one.text}" for one in passages(text)]
    best = {topic: max(word_shares(topic, said), default=0.0) for topic in dict.fromkeys(topics)}
    told = sorted((topic for topic, share in best.items() if share > 0), key=lambda topic: -best[topic])
    return tuple(told[:count])


def under_heading(entry: Evidence, page: Page) -> str:
    """Return a quote behind the heading that it stands under, as it is held against what is asked."""
    heading = heading_of(page.text, entry.start)
    return unlinked(f"{heading}: {entry.quote}" if heading else entry.quote)


def word_shares(asked: str, texts: Sequence[str], names: Sequence[Name] = ()) -> list[float]:
    """Return which share of the words asked for each text says, in either language; what few texts say counts more.

    `names` are asked for as words are.
    """
    things = [one for one in asked_concepts(asked) if " " not in one.label]
    areas = {area.en for area in regions_in(asked)}  # What is about a part of the world need not say so.
    things = [one for one in things if not one.is_period and one.label not in areas] or things
    if not things and not names:
        return [0.0] * len(texts)
    words = _tokens if _POST.search(asked) else _tokens_beside_posts
    matches = [
        [*(_match(one, words(text), text) for one in things), *(float(one.stands_in(folded(text))) for one in names)]
        for text in texts
    ]
    often = [sum(share > 0.5 for share in column) for column in zip(*matches, strict=True)]
    weights = [log(1 + (len(texts) + 1) / (count + 1)) for count in often]
    return [sum(map(float.__mul__, row, weights)) / sum(weights) for row in matches]


def said_shares(asked: str, texts: Sequence[str]) -> list[float]:
    """Return which share of the words asked for, names among them, each text holds, in the language of the question."""
    words = frozenset(tokens(" ".join(content_words(asked))))
    return [len(words.intersection(tokens(text))) / len(words) if words else 0.0 for text in texts]


def _match(thing: Concept, words: frozenset[str], text: str) -> float:
    """Return how far a text says one thing; what only asks for a figure, any figure says."""
    is_figure = _MEASURE.fullmatch(thing.label) is not None and _DIGIT.search(text) is not None
    return 1.0 if is_figure else says(thing, words)


def says(thing: Concept, words: frozenset[str]) -> float:
    """Return how far words say one thing, from 0 to 1; another form of an English word says nearly the same."""
    told = thing.match(words)
    if told >= _INFLECTED or " " in thing.label or not thing.label.isascii():
        return told
    return max(told, _INFLECTED * (stem(thing.label) in _stems(words)))


@lru_cache(maxsize=5_000)
def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


@lru_cache(maxsize=20_000)
def _tokens(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


@lru_cache(maxsize=20_000)
def _tokens_beside_posts(text: str) -> frozenset[str]:
    return frozenset(tokens(_POST.sub(" ", text)))
