"""Companies, products and people that a question names, as far as rules can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from babel import Locale

from research.text.lexicon import english_terms, expand
from research.text.words import folded, is_stop_word, singular

_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_WORDS_OF_HEADLINE = 3
"""Words with a meaning that a headline has at least."""
_FORMS = """
inc corp corporation co ltd limited llc plc gmbh ag sa nv company group holdings industries motors bank electric
pharmaceuticals partners laboratories
"""
_COMPANY_FORMS = frozenset(_FORMS.split())
"""What the name of a company ends in."""
_COMPARES_IN_ENGLISH = re.compile(r"\b(?:compar\w+|vs|versus|between|differ\w*)\b", re.IGNORECASE)
_CAPITALISED = re.compile(r"(?<![\w'’-])[A-Z][a-z]+[\w-]*(?:[ &]+(?:of |de )?[A-Z][\w-]*)*")
_WIDE = r"[一-鿿々ァ-ヺー]{2,}"
_COMPANY = re.compile(rf"株式会社({_WIDE})|({_WIDE})株式会社|({_WIDE}?(?:商事|製薬|電機|製作所|ホールディングス))")
_LONG_COMPANY = re.compile(r"([一-鿿々ァ-ヺー]{4,}(?:工業|銀行|自動車|食品|化学))(?![一-鿿ァ-ヺー])")
_SHORT_COMPANY = re.compile(
    r"(?<![一-鿿々ァ-ヺー])([ァ-ヺー]{2,}(?:工業|銀行|自動車|食品|化学|グループ))(?![一-鿿ァ-ヺー])"
)
"""In katakana a shorter name does: 電気自動車 is a kind of car, トヨタ自動車 a company."""
_KIND = re.compile("ハイブリッド|プラグイン|コネクテッド|エコ|ネット|インターネット|オンライン|デジタル|モバイル")
"""What a kind of car or bank begins with."""
_MET = re.compile(rf"({_WIDE}|[A-Za-z][\w.&-]*(?: [\w.&-]+)*)との(?:面談|面会|商談|会議|打ち?合わ?せ)の?前")
"""Who is met, however the name is written."""
_LISTED = re.compile(rf"({_WIDE})(?:と|、|，|・|対|vs\.?)(?={_WIDE})|(?<=[と、，・対])({_WIDE})(?=の|を|では|は)")
_COMPARES = re.compile(r"比較|比べ|対比|違い|どちら|競合")
_ANYBODY = """
当社 自社 他社 会社 各社 先方 相手 顧客 取引先 投資家 株主 経営者 担当者 役員 社長 部長 上司
"""
_NO_NAMES = frozenset(_ANYBODY.split())
_DATES = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
"""
_CALENDAR = frozenset(_DATES.split())


def proper_names(question: str) -> list[str]:
    """Return the proper names in `question`, as they are written; they may hold names of places.

    English names are told by capitals inside a sentence; Japanese ones by a company's form of name, or by standing in
    a list of things to compare. What the lexicon knows is a term.
    """
    return [*_english_names(question), *_japanese_names(question)]


def _english_names(question: str) -> list[str]:
    if _is_headline(question):
        return _names_in_headline(question)
    found = []
    for match in _CAPITALISED.finditer(question):
        before = question[: match.start()].rstrip(" \"“'(")
        starts_sentence = not before or before[-1] in ".!?:。？"
        words = match.group().split(" ")
        if starts_sentence and is_stop_word(folded(words[0])):
            words, starts_sentence = words[1:], False
        if starts_sentence and "of" in words and _is_term(words[0]) and folded(words[0]) not in _COMPANY_FORMS:
            words, starts_sentence = words[words.index("of") + 1 :], False  # Sales of Zentra Steel
        is_ordinary = all(is_stop_word(folded(word)) or folded(word) in _CALENDAR for word in words)
        if words and not is_ordinary and not (starts_sentence and len(words) == 1):
            found.append(" ".join(words))
    return found


def _japanese_names(question: str) -> list[str]:
    companies = [next(filter(None, match.groups())) for match in _COMPANY.finditer(question)]
    kinds = [match[1] for pattern in (_LONG_COMPANY, _SHORT_COMPANY) for match in pattern.finditer(question)]
    companies += [name for name in kinds if not _KIND.match(name)]
    companies += [match[1] for match in _MET.finditer(question)]
    listed: list[str] = []
    if _COMPARES.search(question):
        listed = [match[1] or match[2] for match in _LISTED.finditer(question)]
    listed = [name for name in listed if not is_stop_word(name) and expand(name) == name]
    return [name for name in companies + listed if name not in _NO_NAMES]


def _is_headline(question: str) -> bool:
    """Whether a question Is Written Like This, so that its capitals tell nothing.

    Every word with a meaning has a capital; and so has a small word inside, or a word that is known to be no name.
    """
    words = [match.group() for match in _WORD.finditer(question)]
    telling = [word for word in words if not is_stop_word(folded(word))]
    if not all(any(map(str.isupper, word)) for word in telling):
        return False
    if any(word.istitle() for word in words[1:] if len(word) > 1 and is_stop_word(folded(word))):
        return True
    return len(telling) >= _WORDS_OF_HEADLINE and any(_is_term(word) for word in telling if word is not words[0])


def _is_term(word: str) -> bool:
    """Whether the lexicon knows a word, other than as the name of a country."""
    return (singular(folded(word)),) in english_terms() and folded(word) not in _countries()


@cache
def _countries() -> frozenset[str]:
    return frozenset(folded(name) for name in Locale("en").territories.values())


def _runs(question: str) -> Iterator[list[str]]:
    """Yield the words of a headline that stand side by side, between small words and signs."""
    run: list[str] = []
    end = 0
    for match in _WORD.finditer(question):
        if is_stop_word(folded(match.group())) or question[end : match.start()].strip(" "):
            yield run
            run = []
        if not is_stop_word(folded(match.group())):
            run.append(match.group())
        end = match.end()
    yield run


def _names_in_headline(question: str) -> list[str]:
    """Return what ends in a company's form of name, and in a comparison also what the lexicon knows no word of."""
    runs = [run for run in _runs(question) if run]
    companies = [run for run in runs if len(run) > 1 and folded(run[-1]) in _COMPANY_FORMS]
    unknown = [run for run in runs if run not in companies and not any(map(_is_term, run))]
    compared = unknown if _COMPARES_IN_ENGLISH.search(question) else []
    return [" ".join(run) for run in runs if run in companies or run in compared]
