"""Names in a question: countries and territories in both languages, companies and other proper names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from babel import Locale

from research.text.lexicon import expand
from research.text.words import folded, is_stop_word


@dataclass(frozen=True)
class Name:
    """Something that has a name. Both forms are the same where only one is known."""

    en: str
    ja: str
    forms: tuple[str, ...]
    """Every way it may be written, folded as `research.text.words.folded` does."""
    is_place: bool = False
    """Whether it is a country or territory."""

    def stands_in(self, text: str) -> bool:
        """Whether `text`, already folded, names it; ASCII forms count as whole words only."""
        return any(_stands(form, text) for form in self.forms)


_ALIASES: dict[str, tuple[str, ...]] = {
    "AE": ("uae",),
    "CZ": ("czech republic",),
    "CI": ("ivory coast",),
    "EU": ("eu",),
    "GB": ("uk", "u.k.", "britain", "great britain", "英国"),
    "HK": ("hong kong", "香港"),
    "KP": ("北朝鮮",),
    "KR": ("korea, south", "republic of korea"),
    "MM": ("burma", "myanmar"),
    "MO": ("macao", "macau", "マカオ"),
    "TR": ("turkey", "turkiye"),
    "US": ("usa", "u.s.", "u.s.a.", "米国", "アメリカ"),
    "VN": ("viet nam",),
}
_REGION_ALIASES: dict[str, tuple[str, ...]] = {
    "003": ("北米",),
    "019": ("米州",),
    "035": ("south-east asia", "south east asia", "asean", "アセアン"),
    "145": ("middle east", "中東"),
    "150": ("欧州",),
    "419": ("中南米",),
}
_NO_COUNTRIES = frozenset({"ZZ", "XA", "XB", "EZ", "UN", "QO"})
_MUST_BE_CAPITAL = frozenset({"chad", "jersey", "jordan", "turkey", "guinea", "georgia", "niger", "mali", "cuba"})
_UNITED_STATES = re.compile(r"(?<![A-Za-z])US(?![A-Za-z])")


@cache
def places() -> Mapping[str, Name]:
    """Return every country and territory by each of its folded forms."""
    english, japanese = Locale("en").territories, Locale("ja").territories
    by_form: dict[str, Name] = {}
    for code, en in english.items():
        if re.fullmatch("[A-Z]{2}", code) and code not in _NO_COUNTRIES:
            ja, short = japanese.get(code, en), re.sub(r"\s*\(.*\)", "", en)
            forms = map(folded, (en, en.replace(" & ", " and "), short, ja, *_ALIASES.get(code, ())))
            place = Name(short, ja, tuple(dict.fromkeys(forms)), is_place=True)
            by_form.update(dict.fromkeys(place.forms, place))
    return by_form


@cache
def regions() -> Mapping[str, Name]:
    """Return every part of the world (South-East Asia, Europe, …) by each of its folded forms."""
    english, japanese = Locale("en").territories, Locale("ja").territories
    by_form: dict[str, Name] = {}
    for code, en in english.items():
        if re.fullmatch(r"\d{3}", code) and code != "001":
            ja = japanese.get(code, en)
            forms = tuple(dict.fromkeys(map(folded, (en, ja, *_REGION_ALIASES.get(code, ())))))
            by_form.update(dict.fromkeys(forms, Name(en, ja, forms)))
    return by_form


@cache
def _place_pattern() -> re.Pattern[str]:
    return _any_of(places())


@cache
def _region_pattern() -> re.Pattern[str]:
    return _any_of(regions())


def _any_of(forms: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(_pattern(form) for form in sorted(forms, key=len, reverse=True)))


def _pattern(form: str) -> str:
    return rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])" if form[0].isascii() else re.escape(form)


@cache
def _form_pattern(form: str) -> re.Pattern[str]:
    return re.compile(_pattern(form))


def _stands(form: str, text: str) -> bool:
    if form not in text:
        return False
    if form not in places():
        return _form_pattern(form).search(text) is not None
    return any(match.group() == form for match in _place_pattern().finditer(text))


@lru_cache(maxsize=1024)
def places_in(text: str) -> tuple[Name, ...]:
    """Return the countries and territories that `text` names, in order; the longest name wins where two overlap."""
    text = _UNITED_STATES.sub("USA", text)
    low = folded(text)
    found: dict[Name, None] = {}
    for match in _place_pattern().finditer(low):
        written = text[match.start() : match.end()] if len(low) == len(text) else match.group()
        if match.group() not in _MUST_BE_CAPITAL or written[:1].isupper():
            found[places()[match.group()]] = None
    return tuple(found)


def regions_in(text: str) -> tuple[Name, ...]:
    """Return the parts of the world that `text` names, in order."""
    return tuple(dict.fromkeys(regions()[match.group()] for match in _region_pattern().finditer(folded(text))))


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


@lru_cache(maxsize=256)
def names_in(question: str) -> tuple[Name, ...]:
    """Return the names in `question`: places first, then companies, products and people as far as rules can tell.

    English names are told by capitals inside a sentence; Japanese ones by a company's form of name, or by standing in
    a list of things to compare. What the lexicon knows is a term, and a part of the world is no name.
    """
    found = {form: place for place in places_in(question) for form in place.forms}
    names = list(dict.fromkeys(found.values()))
    for written in (*_english_names(question), *_japanese_names(question)):
        form = folded(written)
        if form not in regions() and not any(known in form or form in known for known in found):
            name = Name(written, written, (form,))
            found[form] = name
            names.append(name)
    return tuple(names)


def compared_in(question: str) -> tuple[Name, ...]:
    """Return the names of which each should be covered: the places, or else two names or more.

    A single company is the subject of everything found; its own documents seldom repeat its name.
    """
    names = names_in(question)
    places_named = tuple(name for name in names if name.is_place)
    return places_named or (names if len(names) > 1 else ())


def _english_names(question: str) -> list[str]:
    found = []
    for match in _CAPITALISED.finditer(question):
        before = question[: match.start()].rstrip(" \"“'(")
        starts_sentence = not before or before[-1] in ".!?:。？"
        words = match.group().split(" ")
        if starts_sentence and is_stop_word(folded(words[0])):
            words, starts_sentence = words[1:], False
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
