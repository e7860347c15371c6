"""Ranks texts for a question: its terms, and the concepts that both languages share."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from research.text.lexicon import expand, japanese_terms
from research.text.names import Name, compared_in, countries_in, names_in, regions_in
from research.text.sentences import DataLine, Quotable, latest_year
from research.text.words import columns, content_words, folded, spelt, tokens


@dataclass(frozen=True)
class Concept:
    """One thing asked for."""

    label: str
    """What it is called, spelt so that it can be shown and searched for."""
    phrases: tuple[tuple[str, ...], ...]
    """Wordings that mean it, as tokens; the first says it best."""
    related: frozenset[str] = frozenset()
    """Tokens of its translations: several of them together mean it."""
    weight: float = 1.0
    is_period: bool = False
    """Whether it only says when, as 2025 or 年度 do: what else is asked for is the subject."""

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Every token of every wording."""
        return self.related.union(*self.phrases)

    def match(self, found: Collection[str]) -> float:
        """Return how far a text with the tokens `found` speaks of this, from 0 to 1."""
        if self.tokens.isdisjoint(found):
            return 0.0
        told = enumerate(self.phrases)
        best = max((_phrase_match(phrase, found) * max(0.9, 1 - 0.02 * place) for place, phrase in told), default=0.0)
        if best >= 0.9 or not self.related:
            return best
        return max(best, 0.95 * min(1.0, sum(token in found for token in self.related) / min(3, len(self.related))))


_HOW_MUCH = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|low|long)\b|\bsize\b|\brates?\b|\bshares?\b|\bfigures\b"
    r"|どれだけ|どのくらい|どれくらい|どれほど|どこまで|いくら|何[%％割人円件]|規模|割合|数値|推移",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|low|long)\b"
    r"|\b(?:largest|biggest|greatest|highest|lowest|smallest|fewest|fastest|slowest)\b"
    r"|一番|最(?:大|小|多|少|高|低)",
    re.IGNORECASE,
)
"""A word behind "how" asks for a measure, a superlative for an order; neither says what is measured."""
_IDIOMS = (
    (
        re.compile(r"\b(?:to|with|from|by) whom\b|誰に|誰と|だれに|どこの国|どの国|どこに(?:売|輸出)", re.IGNORECASE),
        "partners",
        ("partners", "partner", "customers", "buyers", "相手国", "取引先", "顧客"),
    ),
)
"""Ways of asking for something in words that say nothing by themselves."""
_PERIOD = re.compile(
    r"(?:19|20)\d\d|fiscal|fy|years?|quarters?|months?|annual(?:ly)?|yearly"
    r"|年|年度|会計年度|年間|四半期|上期|下期|上半期|下半期|通期|期"
)
_WHEN = 0.25
"""Weight of a word that only says when: nearly every page holds it."""
_LONG = 4
"""Tokens from which half a wording tells something: 省エネ of 省エネ効果."""


def _phrase_match(phrase: tuple[str, ...], found: Collection[str]) -> float:
    share = sum(token in found for token in phrase) / len(phrase)
    if share == 1.0:
        return 1.0
    return 0.5 * share if share > 0.5 or (share == 0.5 and len(phrase) >= _LONG) else 0.0


@dataclass(frozen=True)
class Query:
    """What passages are ranked by."""

    concepts: tuple[Concept, ...]
    names: tuple[Name, ...] = ()
    """What passages must be about, if anything: see `research.text.names.compared_in`."""
    asks_how_much: bool = False
    """Whether the question asks for figures."""


def concept(label: str, phrases: Iterable[str], weight: float = 1.0) -> Concept:
    """Return a concept whose wordings are all known."""
    parts = dict.fromkeys(tuple(tokens(phrase)) for phrase in phrases)
    return _weighed(Concept(label, tuple(part for part in parts if part), weight=weight))


def _weighed(asked: Concept) -> Concept:
    if _PERIOD.fullmatch(folded(asked.label)):
        return replace(asked, weight=asked.weight * _WHEN, is_period=True)
    return asked


@lru_cache(maxsize=256)
def asked_concepts(question: str, weight: float = 2.0) -> tuple[Concept, ...]:
    """Return a concept for each content word of a question that is no name, with its translations.

    Two English words that stand side by side ("industrial growth") are one concept, and each alone counts half. So does
    a part of the world: what is about it need not say so.
    """
    areas = regions_in(question)
    forms = [form for name in (*names_in(question), *areas) for form in name.forms]
    taken = {word for form in forms for word in content_words(form)} | set(forms)
    words = [word for word in content_words(_ADJECTIVE.sub(" ", question)) if word not in taken]
    low = folded(question)
    subjects = [word for word in words if not _PERIOD.fullmatch(word)]
    pairs = [f"{one} {two}" for one, two in pairwise(subjects) if f"{one} {two}" in low and one.isascii()]
    paired = {word for pair in pairs for word in pair.split(" ")}
    return tuple(
        [_asked(pair, weight) for pair in pairs]
        + [_asked(spelt(word, low), weight / 2 if word in paired else weight) for word in words]
        + [concept(area.en, area.forms, weight / 2) for area in areas]
        + [concept(label, wordings, weight) for idiom, label, wordings in _IDIOMS if idiom.search(question)]
    )


def subject_of(question: str) -> Query:
    """Return what `question` is about, without what only says when; of a question about nothing else, that."""
    asked = asked_concepts(question)
    return Query(tuple(one for one in asked if not one.is_period) or asked)


def _asked(words: str, weight: float) -> Concept:
    translated = folded(expand(words)).removeprefix(words)
    phrases = tuple(tuple(tokens(wording)) for wording in (words, *_head(words)))
    return _weighed(Concept(words, phrases, frozenset(tokens(translated)), weight))


def _head(word: str) -> Iterator[str]:
    """Yield the term of the dictionary that a longer Japanese word ends in: it says what kind of thing is meant."""
    for term in japanese_terms(word):
        if term.start > 0 and term.end == len(word):
            yield word[term.start :]


def query_of(question: str, concepts: Iterable[Concept] = (), weight: float = 2.0) -> Query:
    """Return what `question` asks for, each thing with `weight`, and further `concepts`; each counts once."""
    further = tuple(concepts)
    known = {phrase for one in further for phrase in one.phrases}
    asked = (one for one in asked_concepts(question, weight) if one.phrases[0] not in known)
    return Query((*asked, *further), compared_in(question), _HOW_MUCH.search(question) is not None)


_HEADING_SHARE = 0.6
"""How much a concept counts that stands only in the heading above a passage."""
_IN_NUMBER, _IN_PROSE = 0.2, 0.5
"""How much a concept counts that stands only in the value of a data line, not in its label."""
_FURTHER = 0.4
"""How much each further concept counts: wordings overlap, and one thing well said beats many touched."""
_WORTH_SHOWING = 0.3
"""Share of the best score below which nothing more is taken."""
_LOOKED_AT = 60
"""Passages, the best ones, among which is chosen."""
_POOR = 0.12
"""Quality below which a passage is never taken: boilerplate, remarks, pages about something else."""
_SAME = 85.0
"""Similarity (0-100) from which two passages say the same."""
_REPEATS = 0.35
"""What a concept still counts once a passage about it was taken, so that the next one is about something else."""

_UNNAMED = 0.25
"""How much a passage counts that does not name what is asked for, on a page that does not either."""
_MENTIONED, _MANY = 0.2, 4
"""How much a passage counts that names it on a page about another country, or among so many others."""

_BOILERPLATE = re.compile(
    r"cookie|subscribe|newsletter|all rights reserved|copyright|©|privacy policy|terms of (?:use|service)"
    r"|sign (?:in|up)|log in|click here|read more|share this|javascript|advertis"
    r"|クッキー|無断転載|著作権|プライバシー|利用規約|ログイン|会員登録|お問い合わせはこちら|続きを読む|広告",
    re.IGNORECASE,
)
_NAVIGATION = re.compile(r"(?:[^|›»>]{1,30}(?:[|›»]| > )){3,}")
_ADDRESS = re.compile(r"https?://|www\.")
_REMARK = re.compile(r"(?:^|[,–—、]\s*)(?:notes?(?: \d+)?|source|see also|注|注記|出典|備考)\s*[:：]", re.IGNORECASE)
_BEFORE = re.compile(r"前(?:年度?|期|年同期)の|(?:The|In the) (?:previous|prior|preceding) (?:fiscal )?year")
"""How a sentence opens that only says what a figure was before."""
_SUPPOSES = re.compile(r"If\b|もし|仮に")
"""How a sentence opens that says what would be, not what is."""
_ASKS = re.compile(r"[?？]\s*$")
_NEUTRAL = frozenset(
    {"total", "real", "overall", "annual", "rate", "number", "amount", "率", "数", "額", "合計", "総計", "全体", "計"}
)
"""Words of a label that make it no narrower."""
_DIGIT = re.compile(r"(?<![A-Za-z\d.])(?<![A-Za-z]-)\d")
"""The first digit of a number that is no part of a name such as AN-300."""


@dataclass(frozen=True)
class Scored:
    """A passage's place in the list it came from, and what it says of each concept (0 to 1)."""

    index: int
    matches: tuple[float, ...]
    quality: float
    """How well it is said: complete, to the point, no boilerplate."""

    def score(self, weights: Sequence[float]) -> float:
        """Return its worth under the given weight for each concept."""
        parts = sorted((match * weight for match, weight in zip(self.matches, weights, strict=True)), reverse=True)
        return self.quality * sum(part * _FURTHER**place for place, part in enumerate(parts))


def choose(passages: Sequence[Quotable], query: Query, count: int, worth: float = _WORTH_SHOWING) -> list[int]:
    """Return the indices of up to `count` passages, the best first; each next one prefers what was not said yet.

    Passages that say nothing on any concept are never chosen, nor those with less than `worth` of the best score.
    """
    scored = [entry for entry in _distinct(rate(passages, query), passages) if entry.quality >= _POOR]
    weights = _weights(scored, query, len(passages))
    best = max((entry.score(weights) for entry in scored), default=0.0)
    left = [entry for entry in scored if best and entry.score(weights) >= worth * best]
    left = sorted(left, key=lambda entry: -entry.score(weights))[: _LOOKED_AT + 4 * count]
    chosen: list[int] = []
    while left and len(chosen) < count:
        entry = max(left, key=lambda one: (one.score(weights), _year(passages[one.index]), -one.index))
        left.remove(entry)
        if any(is_same(passages[entry.index], passages[other]) for other in chosen):
            continue
        chosen.append(entry.index)
        damped = zip(weights, entry.matches, strict=True)
        weights = [weight * (1 - (1 - _REPEATS) * match**2) for weight, match in damped]
    return chosen


def scores(passages: Sequence[Quotable], query: Query) -> list[float]:
    """Return what each passage is worth; what few of them speak of counts more."""
    rated = rate(passages, query)
    weights = _weights(rated, query, len(passages))
    return [entry.score(weights) for entry in rated]


def _distinct(scored: Sequence[Scored], passages: Sequence[Quotable]) -> list[Scored]:
    """Return the entries that say anything, the first of those with the same words under the same heading."""
    telling = (entry for entry in reversed(scored) if any(entry.matches))
    by_text = {(passages[one.index].heading, folded(passages[one.index].text)): one for one in telling}
    return list(by_text.values())[::-1]


def rate(passages: Sequence[Quotable], query: Query) -> list[Scored]:
    """Return what each passage says of each concept, and how well."""
    about = {title: _subject(title, query) for title in {passage.title for passage in passages}}
    return [
        Scored(
            index, _matches(passage, query), _quality(passage, query) * _nearness(passage, query, about[passage.title])
        )
        for index, passage in enumerate(passages)
    ]


def is_same(one: Quotable, other: Quotable) -> bool:
    """Whether two passages say the same: near duplicates, or two years of one series under one heading."""
    if one.data_line and other.data_line:
        return (one.data_line.series, one.heading, one.title) == (other.data_line.series, other.heading, other.title)
    shared = len(one.tokens & other.tokens)
    if shared < 0.6 * min(len(one.tokens), len(other.tokens)):
        return False
    return fuzz.token_set_ratio(one.text, other.text) >= _SAME


def _matches(passage: Quotable, query: Query) -> tuple[float, ...]:
    """Return how far a passage speaks of each concept; a data line the more, the less else its label says.

    What only says when counts where something else that is asked for is told as well.
    """
    under = [_HEADING_SHARE * concept.match(passage.heading_tokens) for concept in query.concepts]
    if passage.data_line is None:
        said = [concept.match(passage.tokens) for concept in query.concepts]
    else:
        said = _line_matches(passage, passage.data_line, query)
    told = tuple(map(max, said, under))
    periods = [one.is_period for one in query.concepts]
    if all(periods) or any(match for match, is_period in zip(told, periods, strict=True) if not is_period):
        return told
    return (0.0,) * len(told)


def _line_matches(passage: Quotable, line: DataLine, query: Query) -> list[float]:
    labelled = [concept.match(passage.label_tokens) for concept in query.concepts]
    asked = {token for one, match in zip(query.concepts, labelled, strict=True) if match >= 0.9 for token in one.tokens}
    label = passage.label_tokens - passage.heading_tokens - passage.title_tokens - _NEUTRAL
    together = _share(label, asked)
    in_value = _IN_NUMBER if line.is_short else _IN_PROSE
    return [
        max(
            match * (0.2 + 0.4 * together**2 + 0.4 * _share(label, concept.tokens) ** 2),
            concept.match(passage.tokens) * in_value,
        )
        for concept, match in zip(query.concepts, labelled, strict=True)
    ]


def _share(label: Set[str], asked: Set[str]) -> float:
    """Return the share of a label that was asked for: "Exports" before "Exports of goods by sector of origin"."""
    return len(label & asked) / len(label) if label else 1.0


def _weights(scored: Sequence[Scored], query: Query, total: int) -> list[float]:
    """Return the weight of each concept: the rarer it is among the passages, the more it tells."""
    weights = []
    for position, concept in enumerate(query.concepts):
        frequency = sum(entry.matches[position] > 0.5 for entry in scored)
        rarity = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
        weights.append(concept.weight * (1 + 0.3 * rarity))
    return weights


def _quality(passage: Quotable, query: Query) -> float:
    text = passage.text
    quality = (1.5 if query.asks_how_much else 1.15) if _DIGIT.search(text) else 1.0
    if passage.data_line is None:
        quality /= 0.7 + 0.6 * columns(text) / 160
        quality *= 0.5 if text[0].islower() else 1.0
    if _BEFORE.match(text) or _SUPPOSES.match(text):
        quality *= 0.6
    if _REMARK.search(text[:160]):
        quality *= 0.1
    if _BOILERPLATE.search(text) or _NAVIGATION.search(text):
        quality *= 0.1
    return quality * 0.6 if _ASKS.search(text) or _ADDRESS.search(text) else quality


class _Subject(Enum):
    """What a page is about, as far as its title tells."""

    ASKED = auto()
    """Only what is asked for, or the question names nothing."""
    ASKED_AMONG_OTHERS = auto()
    """What is asked for, and other countries."""
    UNTOLD = auto()
    OTHER = auto()
    """Another country: it may mention what is asked for, but says little of it."""


def _subject(title: str, query: Query) -> _Subject:
    if not query.names:
        return _Subject.ASKED
    others = [place for place in countries_in(title) if place not in query.names]
    if any(name.stands_in(folded(title)) for name in query.names):
        return _Subject.ASKED_AMONG_OTHERS if others else _Subject.ASKED
    asks_for_places = any(name.is_place for name in query.names)
    return _Subject.OTHER if asks_for_places and others else _Subject.UNTOLD


def _nearness(passage: Quotable, query: Query, subject: _Subject) -> float:
    """Return how near a passage is to the names asked for, from 0 to 1."""
    if subject is _Subject.ASKED:
        return 1.0
    said = f"{passage.heading}\n{passage.text}"
    is_named = any(name.stands_in(folded(said)) for name in query.names)
    if subject is _Subject.OTHER or (is_named and len(countries_in(said)) > len(query.names) + _MANY):
        return _MENTIONED if is_named else 0.0
    if subject is _Subject.ASKED_AMONG_OTHERS:
        return 1.0 if is_named or not countries_in(said) else _MENTIONED
    return 1.0 if is_named else _UNNAMED


def _year(passage: Quotable) -> int:
    return latest_year(passage.data_line.label if passage.data_line else passage.text)


def query_within(question: str, before: str) -> Query:
    """Return what `question` asks for; if it names nothing, of what the question asked `before` names."""
    query = query_of(question)
    return query if query.names else replace(query, names=compared_in(before))
