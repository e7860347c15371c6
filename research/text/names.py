"""Names of organisations, products and people in a text, beside those of places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from babel import Locale

from research.language import Language
from research.text.places import Name, asked_places, cities_named, is_of_region, place_of, with_capitals
from research.text.words import english_terms, expand, folded, is_stop_word, language_of, singular

LONGEST_QUESTION = 4_000
"""Characters of a question that are looked at: as many as one may have."""
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_WORDS_OF_HEADLINE = 3
"""Words with a meaning that a headline has at least."""
_BETWEEN = re.compile(r"\b(?:of|in|and|or|for|the|to|at|by|with)\b|[^\w\s&'’-]", re.IGNORECASE)
"""What stands between the parts of a headline."""
_FORMS = """
inc corp corporation co ltd limited llc plc gmbh ag sa nv company group holdings industries motors bank motor
electric pharmaceuticals partners laboratories
"""
_COMPANY_FORMS = frozenset(_FORMS.split())
"""What the name of a company ends in."""
_LATIN = r"A-Za-z0-9À-ÖØ-öø-ɏ_\-"
TERM = r"(?:R&D|M&A|P&L|Q&A|SG&A|EPS|EBIT|EBITDAR?|CAGR|CAPEX|COGS|GAAP|PPNE|ROE|ROA|ROI|ESG|IPO)(?![A-Za-z0-9])"
"""What is no name though it is written like one, in capitals: Nvidia R&D."""
_CAPITALISED = re.compile(
    rf"(?<![{_LATIN}'’])(?:(?!(?:AI|CEO|CFO|EU|FY|GDP|IT|UK|UN|USA?)\b)[A-Z]{{2,5}} )?"
    rf"[A-Z][a-zß-öø-ÿ]+[{_LATIN}]*(?:[ &]+(?:of |de )?(?!{TERM})[A-Z][{_LATIN}]*)*"
)
"""In Japanese, letters that are not Latin follow without a blank: AppleとNVIDIAの売上高."""
_WIDE = r"[一-鿿々ァ-ヺー]{2,40}"
_OWNS = re.compile(r"\s*(?:[のとや、・はが]|$)")
"""What follows a name in Japanese of which something is asked."""
_COMPANY = re.compile(rf"株式会社({_WIDE})|({_WIDE})株式会社|({_WIDE}?(?:商事|製薬|電機|製作所|ホールディングス))")
_LONG_COMPANY = re.compile(r"([一-鿿々ァ-ヺー]{4,40}(?:工業|銀行|自動車|食品|化学))(?![一-鿿ァ-ヺー])")
_SHORT_COMPANY = re.compile(
    r"(?<![一-鿿々ァ-ヺー])([ァ-ヺー]{2,40}(?:工業|銀行|自動車|食品|化学|グループ))(?![一-鿿ァ-ヺー])"
)
"""In katakana a shorter name does: 電気自動車 is a kind of car, トヨタ自動車 a company."""
_KIND = re.compile("ハイブリッド|プラグイン|コネクテッド|エコ|ネット|インターネット|オンライン|デジタル|モバイル")
"""What a kind of car or bank begins with."""
_MET = re.compile(
    rf"({_WIDE}|(?<![A-Za-z0-9_.&-])[A-Za-z][\w.&-]{{0,60}}(?: [\w.&-]{{1,60}}){{0,8}})"
    r"との(?:面談|面会|商談|会議|打ち?合わ?せ)の?前"
)
"""Who is met, however the name is written."""
_LISTED = re.compile(rf"({_WIDE})(?:と|、|，|・|対|vs\.?)(?={_WIDE}|[A-Z])|(?<=[と、，・対])({_WIDE})(?=の|を|では|は)")
_COMPARES = re.compile(r"比較|比べ|対比|違い|どちら|競合")
_ANYBODY = """
当社 自社 他社 会社 各社 先方 相手 顧客 取引先 投資家 株主 経営者 担当者 役員 社長 部長 上司
"""
_NO_NAMES = frozenset((*_ANYBODY.split(), "実績"))
_DATES = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
"""
_CALENDAR = frozenset(_DATES.split())
_REQUESTS = """
add calculate compare compute contrast describe explain find give identify list name order outline put rank set show
sort state summarise summarize tell
"""
_ASKS = frozenset(_REQUESTS.split())
"""What a request begins with: Order Microsoft's segments by revenue."""


def is_company_form(word: str) -> bool:
    """Whether the name of a company may end in a word: Corporation, Motors."""
    return folded(word).rstrip(".,") in _COMPANY_FORMS


def proper_names(question: str) -> list[str]:
    """Return the proper names in `question`, as they are written; they may hold names of places.

    English names are told by capitals inside a sentence; Japanese ones by a company's form of name, or by standing in
    a list of things to compare. What the lexicon knows is a term.
    """
    question = question[:LONGEST_QUESTION]
    return [*_english_names(question), *_japanese_names(question)]


def _english_names(question: str) -> list[str]:
    is_japanese = language_of(question) is Language.JA  # There a word has a capital because it is a name.
    if not is_japanese and _is_headline(question):
        return _names_in_headline(question)
    found = []
    for match in _CAPITALISED.finditer(question):
        before = question[: match.start()].rstrip(" \"“'(")
        starts_sentence = not is_japanese and (not before or before[-1] in ".!?:。？")
        words = match.group().split(" ")
        if starts_sentence and (is_stop_word(folded(words[0])) or folded(words[0]) in _ASKS):
            words, starts_sentence = words[1:], False
        if starts_sentence and "of" in words and _is_term(words[0]) and not is_company_form(words[0]):
            words, starts_sentence = words[words.index("of") + 1 :], False  # Sales of Zentra Steel
        if starts_sentence and words[1:2] == ["of"] and is_of_region(folded(words[-1])):
            words = []  # Ranking of African countries
        if is_japanese and not _OWNS.match(question, match.end()):
            continue  # A kind of thing, as in Webサイト, or what somebody named did something to.
        is_ordinary = all(is_stop_word(folded(word)) or folded(word) in _CALENDAR for word in words)
        is_ordinary = is_ordinary or (len(words) == 1 and not words[0].istitle() and _is_term(words[0]))  # CO2
        if words and not is_ordinary and not (starts_sentence and len(words) == 1):
            found.append(" ".join(words))
    return found


_MUNICIPALITY = re.compile(
    r"(?<![一-鿿])(?:東京都|北海道|大阪府|京都府|(?!都道府)[一-鿿]{2,3}県|[一-鿿]{2,4}(?<!都)市(?=[のはがとやにで、。？]|$))"
)
"""A prefecture or a town of Japan, which no list of places has."""


def _japanese_names(question: str) -> list[str]:
    companies = [next(filter(None, match.groups())) for match in _COMPANY.finditer(question)]
    kinds = [match[1] for pattern in (_LONG_COMPANY, _SHORT_COMPANY) for match in pattern.finditer(question)]
    companies += [name for name in kinds if not _KIND.match(name)]
    companies += [match[1] for match in _MET.finditer(question)]
    companies += _MUNICIPALITY.findall(question)
    listed: list[str] = []
    if _COMPARES.search(question):
        listed = [match[1] or match[2] for match in _LISTED.finditer(question)]
    listed = [name for name in listed if not is_stop_word(name) and expand(name) == name]
    return [name for name in companies + listed if name not in _NO_NAMES]


def _is_headline(question: str) -> bool:
    """Whether a question Is Written Like This, so that its capitals tell nothing: small words have them, or known ones.

    Sales of Zentra Steel begins with a known word, but then goes on with a name.
    """
    words = [match.group() for match in _WORD.finditer(question)]
    telling = [word for word in words if not is_stop_word(folded(word))]
    if not all(any(map(str.isupper, word)) for word in telling):
        return False
    if any(word.istitle() for word in words[1:] if len(word) > 1 and is_stop_word(folded(word))):
        return True
    known = [word for before, word in pairwise(words) if _is_term(word) and not _may_be_name(before)]
    return len(telling) >= _WORDS_OF_HEADLINE and bool(known)


def _may_be_name(word: str) -> bool:
    return word.isalpha() and not is_stop_word(folded(word)) and not _is_term(word)


def _is_term(word: str) -> bool:
    """Whether the lexicon knows a word, other than as the name of a country."""
    return (singular(folded(word)),) in english_terms() and folded(word) not in _countries()


@cache
def _countries() -> frozenset[str]:
    return frozenset(folded(name) for name in Locale("en").territories.values())


def _names_in_headline(question: str) -> list[str]:
    """Return what ends in a company's form of name, between small words and signs."""
    parts = [part.split() for part in _BETWEEN.split(question)]
    return [" ".join(part) for part in parts if len(part) > 1 and is_company_form(part[-1])]


@lru_cache(maxsize=256)
def names_in(question: str) -> tuple[Name, ...]:
    """Return the names in `question`: places first, then companies, products and people as far as rules can tell.

    English names are told by capitals inside a sentence; Japanese ones by a company's form of name, or by standing in
    a list of things to compare. What the lexicon knows is a term, and a part of the world is no name.
    """
    question = with_capitals(question[:LONGEST_QUESTION])
    names = asked_places(question)
    found = {form for place in names for form in place.forms}
    for written in (*proper_names(question), *cities_named(question)):
        form = folded(written)
        if not is_of_region(form, question) and not any(known in form or form in known for known in found):
            name = place_of(written, question) or Name(written, written, (form,))
            found.update(name.forms)
            names.append(name)
    return tuple(names)


def compared_in(question: str) -> tuple[Name, ...]:
    """Return the names of which each should be covered: the places, or else two names or more.

    A single company is the subject of everything found; its own documents seldom repeat its name.
    """
    names = names_in(question)
    places_named = tuple(name for name in names if name.is_place)
    return places_named or (names if len(names) > 1 else ())


def without_names(text: str, names: Sequence[Name]) -> str:
    """Return a text without names."""
    for name in names:
        for form in sorted({name.en, name.ja, *name.forms}, key=len, reverse=True):
            text = re.sub(
                rf"(?<![A-Za-z]){re.escape(form)}(?:['’]s|(?<=land)ers?|向けの?|国?民(?=[のがはを])|人(?=[のがはを]))?(?![A-Za-z])",
                " ",
                text,
                flags=re.IGNORECASE,
            )
    return text
