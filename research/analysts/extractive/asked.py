"""What a question asks for: names, what is set aside or excluded, superlatives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from research.analysts.extractive.lenses import LensSection
from research.core import Brief, Page, SourceKind, SourceName
from research.language import Language
from research.text import (
    Concept,
    Name,
    asked_concepts,
    compared_in,
    content_words,
    countries_in,
    english_terms,
    folded,
    language_of,
    names_in,
    places_in,
    tokens,
)
from research.verification import japanese_meanings, meanings, unit_of


def without_excluded(section: LensSection, brief: Brief) -> LensSection:
    """Return `section` without the aspects whose words the brief excludes; unchanged if nothing would be left."""
    kept = (
        aspect for aspect in section.aspects if not any(is_excluded(words[0], brief) for words in aspect.words if words)
    )
    return replace(section, aspects=tuple(kept) or section.aspects)


def is_excluded(quote: str, brief: Brief) -> bool:
    """Whether a quote speaks of something that the brief excludes: all that one exclusion says stands in it."""
    found, low = set(tokens(quote)), folded(quote)
    return any(_speaks_of(exclusion, found, low) for exclusion in brief.exclusions)


def _speaks_of(exclusion: str, found: set[str], low: str) -> bool:
    concepts, names = asked_concepts(exclusion), names_in(exclusion)
    if not concepts and not names:
        return folded(exclusion) in low
    return all(one.match(found) >= 0.9 for one in concepts) and all(name.stands_in(low) for name in names)


def source_of(page: Page, language: Language) -> str:
    """Return the host of a page of the web, for others the name of the collection."""
    if page.origin is not SourceName.WEB:
        return page.origin.label.in_(language)
    return re.sub(r"[^\w.:-]", "", page.site)[:60] or page.origin.label.in_(language)


_COUNTRIES = r"(?:countries|country|nations?|economies|economy)"
_MOST = (
    r"(?:largest|biggest|greatest|highest|lowest|smallest|fewest|least|fastest|slowest|richest|poorest|most"
    r"|longest|shortest|oldest|youngest)"
)
_ENGLISH = re.compile(
    rf"\bwhich (?:\w+ ){{0,3}}{_COUNTRIES}\b(?!['’]).*\b{_MOST}\b"
    rf"|\bwhat (?:is|are) the (?:\w+ )?{_MOST} (?:\w+ ){{0,2}}{_COUNTRIES}\b(?!['’])"
    rf"|\b(?:rank|list)\b.*(?:\b{_MOST}\b.*\b{_COUNTRIES}\b|\b{_COUNTRIES}\b.*\b{_MOST}\b)"
    rf"|\btop (?:\w+ )?{_COUNTRIES}\b",
    re.IGNORECASE,
)
_MOST_JA = (
    r"(?:最も|もっとも|一番|いちばん|最大|最小|最多|最少|最高|最低|トップ|上位|下位|ランキング|順位|ベスト|ワースト)"
)
_HIGH_JA = r"(?:多い|大きい|高い|広い|速い|早い|長い|少ない|小さい|低い|狭い|遅い|短い)"
_WHO_JA = r"(?<![一-鿿])(?:国々?|[かカヶ]国)(?=[はがをにトラ上の、。？?]|$)"
_JAPANESE = re.compile(
    rf"{_MOST_JA}[^。はがを]*(?<!の){_WHO_JA}|(?:どの国|どこの国|各国|国の(?:中|うち)|国で)[^。]*{_MOST_JA}"
    rf"|{_HIGH_JA}(?:順[^。]*国|{_WHO_JA})|(?:上位|下位)の?国|国(?:別|の)?(?:ランキング|順位|トップ|上位)"
)
_LEAST = re.compile(
    r"\b(?:lowest|smallest|fewest|least|slowest|poorest|shortest|youngest)\b"
    r"|少ない|小さい|低い|狭い|遅い|短い|最小|最少|最低|下位|ワースト",
    re.IGNORECASE,
)
_ASKING = re.compile(
    rf"\b(?:rank(?:ed|s|ing)?|{_MOST}|top|{_COUNTRIES}|in the world|world(?:['’]s|wide)?|globally)\b"
    rf"|\b(?:\d+|three|five|ten|twenty)\b|{_MOST_JA}\s*\d*国?|{_HIGH_JA}順?|世界(?:で|の|中で)|全世界",
    re.IGNORECASE,
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
_TELLING = re.compile(
    r"\b(?:largest|biggest|highest|lowest|smallest|fewest|most|least)\b.{0,60}?"
    r"\b(?:in the world|of any country|worldwide)\b"
    r"|\bworld['’]s (?:\w+[- ])?(?:largest|biggest|highest|lowest|smallest|most)\b"
    rf"|\b{_ORDINAL}[- ](?:largest|most|highest|lowest|smallest)\b"
    r"|\btop ten\b|\bten largest\b|世界(?:一|第[\d一二三四五六七八九十]+位|最大|最小|最多|最高|最低)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:]\s|[.。]\s*|\bnote \d+\b|, (?=[a-z]+ing\b)")
_SAYS = 0.9


@dataclass(frozen=True)
class Superlative:
    """What a question wants put in order."""

    is_least: bool
    """Whether it asks for the lowest."""


@lru_cache(maxsize=256)
def asked_of_all_countries(question: str) -> Superlative | None:
    """Return what order is asked for, if a question asks which countries come first and names none of them."""
    if compared_in(question) or not (_ENGLISH.search(question) or _JAPANESE.search(question)):
        return None
    return Superlative(_LEAST.search(question) is not None)


def without_order(question: str) -> str:
    """Return such a question without the words that ask for the order: what is left says what is put in order."""
    return _ASKING.sub(" ", question) if asked_of_all_countries(question) else question


def tells_an_order(quote: str) -> bool:
    """Whether a source says itself that something comes first, or second, in the world."""
    return _TELLING.search(quote) is not None


def tells_the_order_of(quote: str, wanted: Sequence[Concept]) -> bool:
    """Whether a source says in one breath that something comes first, and that it is what is `wanted`."""
    clauses = [set(tokens(clause)) for clause in _CLAUSE.split(quote) if tells_an_order(clause)]
    return any(one.match(said) >= _SAYS for said in clauses for one in wanted if not one.is_period)


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
    """Return a concept for each thing that a question asks for (see `research.text.ranking.asked_concepts`)."""
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


_WIDE_RUN = re.compile(r"[一-鿿々]{2,}|[ァ-ヺー]{2,}")


def is_aside(page: Page, question: str) -> bool:
    """Whether a page names none of what the question names, and is about another country instead.

    Of a page of others its title tells what it is about; documents of one's own are about every country that they name.
    What is asked about "our company" stands in these, not in an almanac.
    """
    names = names_in(question)
    if any(_tells_of(page, name) for name in names):
        return False
    if is_about_us(question) and not any(name.is_place for name in names):
        is_ours = page.kind is SourceKind.DOCUMENT or page.origin is SourceName.WEB
        return not is_ours and bool(countries_in(page.title))
    if not names:
        return False
    asks_for_places = any(name.is_place for name in names)
    if page.kind is SourceKind.DOCUMENT:
        return asks_for_places and bool(places_in(f"{page.title}\n{page.text}"))
    return not asks_for_places and bool(places_in(page.title))


def unnamed(pages: Iterable[Page], question: str) -> tuple[Name, ...]:
    """Return the companies, products and people that the question names and none of `pages` does.

    Pages in another language than the name's may write it in their own way: where there are no others, none is told.
    """
    read = list(pages)
    return tuple(
        name
        for name in names_in(question)
        if not name.is_place
        and any(language_of(page.text) is language_of(name.ja) for page in read)
        and not any(_tells_of(page, name) for page in read)
    )


def _tells_of(page: Page, name: Name) -> bool:
    """Whether a page names something, in full or by what it is called for short."""
    low = folded(f"{page.title}\n{page.text}")
    return name.stands_in(low) or (not name.is_place and _short(name) in low)


def _short(name: Name) -> str:
    """Return the first word of a name: "Asanagi", トヨタ of トヨタ自動車."""
    if language_of(name.ja) is Language.JA:
        run = _WIDE_RUN.match(name.ja)
        return run.group() if run else name.ja
    return next(iter(content_words(name.en)), folded(name.en))
