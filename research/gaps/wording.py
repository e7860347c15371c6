"""From what somebody asked for to the few words that a search is made with, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from research.gaps.alike import alike
from research.language import Language
from research.sufficiency import Aspect
from research.text.language_of import language_of
from research.text.lexicon import english_terms, expand, japanese_terms
from research.text.names import Name, names_in, regions_in
from research.text.words import content_words, folded, spelt, tokens

LONGEST = 120
"""Characters of the words that are taken from one text."""
_KANA_INSIDE = re.compile(r"[一-鿿][ぁ-ん]")
_ASKING = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|low|long)\b|(?<=\w )works?(?=\s*\?)|[一-鿿](?:わ[るりれ]|る)"
    r"|\b(?:directly|itself|the sources(?= say))\b|直接(?=に|関わ)|情報源(?=が)",
    re.IGNORECASE,
)
"""Words that ask, or speak of asking, and verbs whose kanji would join the word before them."""
_ANY_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(
    r"[,，、;；・／]|\s/\s|\b(?:and|or)\b|および|及び|ならびに|並びに|または|又は|(?<=[^ぁ-ん])[とや](?=[^ぁ-ん\s])"
)
_AFTER_KANA = re.compile(r"(?<=[一-鿿][みしきりけえ])[とや](?=[一-鿿ァ-ヺ])")


@lru_cache(maxsize=512)
def keywords(text: str, at_most: int = 8) -> tuple[str, ...]:
    """Return up to `at_most` words that tell what `text` is about, spelt as in it: names first, then the rest in order.

    None if it holds nothing but words that say little ("overview"). Together they are at most `LONGEST` characters.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    names = names_of(plain)
    taken = {word for name in names for form in name.forms for word in (form, *content_words(form))}
    language = language_of(plain)
    named = [name.ja if language is Language.JA else name.en for name in names]
    others = [word for word in _words(_ASKING.sub(" ", plain)) if folded(word) not in taken]
    return _cut(dict.fromkeys([*named, *others]), at_most)


def some_words(text: str, at_most: int = 8) -> tuple[str, ...]:
    """Return the `keywords` of `text`, or its words as they are if they all say little; none if it holds no word."""
    return keywords(text, at_most) or _cut(_ANY_WORD.findall(unicodedata.normalize("NFKC", text)), at_most)


def names_of(text: str) -> tuple[Name, ...]:
    """Return the names in `text`, parts of the world among them."""
    return (*names_in(text), *regions_in(text))


def parts_of(point: str) -> tuple[str, ...]:
    """Return the things that a point joins ("market size and growth"); the point itself if it is one thing."""
    if tuple(tokens(point)) in english_terms():
        return (point,)
    pieces = (part.strip() for piece in _BETWEEN.split(point) for part in _AFTER_KANA.split(piece))
    return tuple(dict.fromkeys(part for part in pieces if _ANY_WORD.search(part))) or (point,)


@lru_cache(maxsize=512)
def translated(text: str, language: Language) -> str:
    """Return the telling words of `text` in `language`; empty if they are in it already, or one is not known at all."""
    if language_of(text) is language:
        return ""
    for aspect in Aspect:
        if folded(text) in map(folded, aspect.label):
            return aspect.label.in_(language)
    if tuple(tokens(text)) in english_terms():
        return " ".join(_from_dictionary(text, language))
    words = keywords(text)
    together = {word for pair in pairwise(words) if _is_a_term(pair, language) for word in pair}
    alone = [_roughly(word, language) for word in words if word not in together]
    if not words or not all(alone):
        return ""
    listed = _from_dictionary(" ".join(words), language)
    others = (way for ways in alone for way in ways if way not in listed)
    return " ".join(dict.fromkeys((*listed, *others)))


def other_ways(word: str, language: Language) -> tuple[str, ...]:
    """Return what a word of the other language is in `language`: by the dictionary, else by the words alike."""
    known = sum(term.end - term.start for term in japanese_terms(word))
    listed = _from_dictionary(word, language) if word.isascii() or known >= len(word) - 1 else ()
    return listed or tuple(one for one in alike(word) if language_of(one) is language)


def _roughly(word: str, language: Language) -> tuple[str, ...]:
    """Return one translation of a word, of a part of it if the whole is not known."""
    return (other_ways(word, language) or _from_dictionary(word, language))[:1]


def _from_dictionary(words: str, language: Language) -> tuple[str, ...]:
    """Return the translation of each term in `words`, each once."""
    if language is Language.EN:
        return tuple(dict.fromkeys(term.english[0] for term in japanese_terms(words)))
    added = expand(words).removeprefix(words).split()
    return tuple(dict.fromkeys(word for word in added if language_of(word) is language))


def _is_a_term(pair: tuple[str, str], language: Language) -> bool:
    """Whether two words together have a translation that they have not one by one ("labor cost", 人件費)."""
    one, other = (_from_dictionary(word, language) for word in pair)
    return not {*_from_dictionary(" ".join(pair), language)} <= {*one, *other}


def _words(text: str) -> list[str]:
    """Return the content words of `text` as they are spelt there, and the terms that kana are a part of (強み)."""
    terms = (text[term.start : term.end] for term in japanese_terms(text))
    with_kana = {term: text.find(term) for term in terms if _KANA_INSIDE.search(term)}
    words = dict.fromkeys(spelt(word, text) for word in content_words(text))
    alone = (word for word in words if not any(word in term for term in with_kana))
    places = with_kana | {word: folded(text).find(folded(word)) for word in alone}
    return sorted(places, key=places.__getitem__)


def _cut(words: Iterable[str], at_most: int) -> tuple[str, ...]:
    """Return the first words that have room; one that is too long by itself is cut."""
    kept: list[str] = []
    room = LONGEST
    for word in words:
        if len(kept) == at_most or (kept and len(word) > room):
            break
        kept.append(word[:room])
        room -= len(word) + 1
    return tuple(kept)
