"""The things that a question asks for: each with its wordings and its translations, and how far a text says them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from research.language import Language
from research.text.clauses import SHORT
from research.text.names import LONGEST_QUESTION, names_in
from research.text.places import regions_in
from research.text.questions import Asked
from research.text.sentences import YEAR
from research.text.words import (
    content_words,
    expand,
    folded,
    japanese_alike,
    japanese_terms,
    language_of,
    spelt,
    tokens,
)


@dataclass(frozen=True)
class Concept:
    """One thing asked for."""

    label: str
    """What it is called, spelt so that it can be shown and searched for."""
    phrases: tuple[tuple[str, ...], ...]
    """Wordings that mean it, as tokens; the first says it best."""
    related: frozenset[str] = frozenset()
    """Tokens of its translations: several of them together mean it."""
    known: float = 1.0
    """Share of it that the dictionary translates: 売上高 of 海外売上高比率 is not all of it."""
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
        told_abroad = min(1.0, sum(token in found for token in self.related) / min(3, len(self.related)))
        return max(best, 0.95 * self.known * told_abroad)


_ITEM = re.compile(r"[;,、。；]")
"""What stands between the items of a value that lists several."""


def items_of(text: str) -> list[str]:
    """Return the items of a value that lists several."""
    return _ITEM.split(text)


def meets(asked: Collection[Concept], label: str, text: str) -> bool:
    """Whether one item of a value (“copper ore” of all that is exported) says with its label everything asked."""
    called = frozenset(tokens(label))
    left = [one for one in asked if one.match(called) < _MEETS]
    return not left or any(
        all(one.match(said) >= _MEETS for one in left) for said in map(frozenset, map(tokens, items_of(text)))
    )


def lists_share(asked: Collection[Concept], text: str) -> bool:
    """Whether one item of a value tells a share of what is asked, beside words that only say how it is measured.

    In the other language it cannot say words that the dictionary does not know.
    """
    things = [one for one in asked if one.label not in _MEASURES and (one.related or one.label.isascii())]
    shares = (frozenset(tokens(item)) for item in items_of(text) if "%" in item)
    return bool(things) and any(all(one.match(said) >= _MEETS for one in things) for said in shares)


WHOLE = frozenset(("total", "計", "合計", "総数"))
"""Words of a label that make it no narrower."""


def best_told(found: Mapping[str, Collection[str]], asked: Collection[Concept]) -> str:
    """Return the label under which most is told of what is asked; of several the one that says least besides.

    `found` has what is told under each label; nothing of nothing.
    """
    most = max(map(len, found.values()), default=0)

    def besides(label: str) -> tuple[int, int, float]:
        """Return how much a label says besides, of which year it is, the last first, and how long its lines are."""
        last = max(map(int, YEAR.findall(label)), default=0)
        words = set(tokens(label)) - WHOLE - {str(last)}
        beside = sum(1 for word in words if not any(one.match((word,)) for one in asked))
        return beside, -last, sum(map(len, found[label])) / len(found[label])

    return min((label for label, told in found.items() if len(told) >= _MOST_TOLD * most), key=besides, default="")


_MOST_TOLD = 0.8
"""Share of the most that is told under one label that another needs to be as good: some have gaps."""
_MEETS = 0.8
"""From which match a concept is said: by a wording of it as a whole, or by its translation."""
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
    (
        re.compile(r"\bper (?:capita|head|person)\b|[一1１]人[当あ]たり", re.IGNORECASE),
        "per-capita",
        ("per capita", "per person", "per head", "一人当たり", "1人当たり"),
    ),
)
"""Ways of asking for something in words that say nothing by themselves."""
_PERIOD = re.compile(
    r"(?:19|20)\d\d|fiscal|fy|years?|quarters?|months?|annual(?:ly)?|yearly"
    r"|年|年度|会計年度|年間|四半期|上期|下期|上半期|下半期|通期|期"
)
_WHEN = 0.25
"""Weight of a word that only says when, or in what measure: nearly every page holds it."""
_MEASURES = frozenset(("割合", "比率", "構成", "構成比", "内訳", "percentage", "proportion", "composition"))
"""Words that say in what measure something else is asked for."""
_LONG_WORDING = 4
"""Tokens from which half a wording tells something: 省エネ of 省エネ効果."""


def _phrase_match(phrase: tuple[str, ...], found: Collection[str]) -> float:
    share = sum(token in found for token in phrase) / len(phrase)
    if share == 1.0:
        return 1.0
    return 0.5 * share if share > 0.5 or (share == 0.5 and len(phrase) >= _LONG_WORDING) else 0.0


def concept(label: str, phrases: Iterable[str], weight: float = 1.0) -> Concept:
    """Return a concept whose wordings are all known."""
    parts = dict.fromkeys(tuple(tokens(phrase)) for phrase in phrases)
    return _weighed(Concept(label, tuple(part for part in parts if part), weight=weight))


def _weighed(asked: Concept) -> Concept:
    if _PERIOD.fullmatch(folded(asked.label)):
        return replace(asked, weight=asked.weight * _WHEN, is_period=True)
    return replace(asked, weight=asked.weight * _WHEN) if asked.label in _MEASURES else asked


@lru_cache(maxsize=256)
def asked_concepts(question: str) -> tuple[Concept, ...]:
    """Return a concept for each content word of a question that is no name, with its translations.

    Two English words that stand side by side ("industrial growth") are one concept, and each alone counts half. So does
    a part of the world: what is about it need not say so.
    """
    question = question[:LONGEST_QUESTION]
    areas = regions_in(question)
    forms = [form for name in (*names_in(question), *areas) for form in name.forms]
    taken = {word for form in forms for word in content_words(form)} | set(forms)
    bare = _ADJECTIVE.sub(" ", question)
    for idiom, _, _ in _IDIOMS:
        bare = idiom.sub(" ", bare)
    words = [word for word in content_words(bare) if word not in taken]
    low = folded(question)
    subjects = [word for word in words if not _PERIOD.fullmatch(word)]
    pairs = [f"{one} {two}" for one, two in pairwise(subjects) if f"{one} {two}" in low and one.isascii()]
    paired = {word for pair in pairs for word in pair.split(" ")}
    return tuple(
        [_asked(pair, 2.0) for pair in pairs]
        + [_asked(spelt(word, low), 1.0 if word in paired else 2.0) for word in words]
        + [concept(area.en, area.forms) for area in areas]
        + [concept(label, wordings, 2.0) for idiom, label, wordings in _IDIOMS if idiom.search(question)]
    )


def things_of_all(question: Asked) -> tuple[Concept, ...]:
    """Return what a question asks of all, whom it names (a language, say) as well; nothing of one that does not."""
    if not question.is_of_all:
        return ()
    asked = " ".join(question.attributes)
    further = [concept(name.en, name.forms) for name in question.names]
    further += [_asked(word, 1.0) for word in SHORT.findall(asked)]
    return (*asked_things(asked), *further)


def asked_things(question: str) -> tuple[Concept, ...]:
    """Return the single words of `asked_concepts` that say neither when nor in which part of the world."""
    areas = {area.en for area in regions_in(question)}
    singles = (one for one in asked_concepts(question) if " " not in one.label or one.label in areas)
    return tuple(one for one in singles if not one.is_period and one.label not in areas)


def _asked(words: str, weight: float) -> Concept:
    translated = folded(expand(words)).removeprefix(words)
    phrases = tuple(tuple(tokens(wording)) for wording in (words, *_head(words), *japanese_alike(words)))
    return _weighed(Concept(words, phrases, frozenset(tokens(translated)), _share_known(words), weight))


def _share_known(word: str) -> float:
    """Return the share of a Japanese word that the dictionary knows; of others all."""
    if language_of(word) is not Language.JA:
        return 1.0
    known = {place for term in japanese_terms(word) for place in range(term.start, term.end)}
    return len(known) / len(word)


def _head(word: str) -> Iterator[str]:
    """Yield the term of the dictionary that a longer Japanese word ends in: it says what kind of thing is meant."""
    for term in japanese_terms(word):
        if term.start > 0 and term.end == len(word):
            yield word[term.start :]
