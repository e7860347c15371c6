"""Names of places, organisations and people in a text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import TypeVar

from babel import Locale
from babel.core import get_global

from research.language import Language
from research.text.words import english_terms, expand, folded, is_stop_word, language_of, singular

_One = TypeVar("_One")

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
_CAPITALISED = re.compile(
    rf"(?<![{_LATIN}'’])(?:(?!(?:AI|CEO|CFO|EU|FY|GDP|IT|UK|UN|USA?)\b)[A-Z]{{2,5}} )?"
    rf"[A-Z][a-zß-öø-ÿ]+[{_LATIN}]*(?:[ &]+(?:of |de )?[A-Z][{_LATIN}]*)*"
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
_LISTED = re.compile(rf"({_WIDE})(?:と|、|，|・|対|vs\.?)(?={_WIDE})|(?<=[と、，・対])({_WIDE})(?=の|を|では|は)")
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
        if starts_sentence and words[1:2] == ["of"] and folded(words[-1]) in _words_of_regions():
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


_NOT_CITIES = frozenset({"001", "AQ", "TF", "UM", "ZZ"})
_WORDS = """
adak bahia canary casey center chatham chita darwin davis dawson gambier midway nome oral palmer petersburg phoenix
regina resolute salta samara stanley wallis
リマ チタ ロメ オラル マヘ アデン マセル ノーム パース サルタ サマラ アダック フェニックス
"""
_KANJI = re.compile(r"[一-鿿]")
_AMBIGUOUS = frozenset(_WORDS.split())
"""Names of cities that are words, people or parts of words as well."""
_PLAIN = re.compile(r"[^,\d]{3,}|[一-鿿ァ-ヺー]{2,}")


@cache
def cities() -> Mapping[str, tuple[str, ...]]:
    """Return the cities of each country, by its code, folded; never what is the name of a country itself."""
    english, japanese = Locale("en").territories, Locale("ja").territories
    taken = {folded(name) for names in (english, japanese) for name in names.values()} | _AMBIGUOUS
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for code, names in (*_added(), *_of_time_zones()):
        for city in map(folded, names):
            if code not in _NOT_CITIES and city not in taken and _PLAIN.fullmatch(city):
                found[code].setdefault(city)
    return {code: tuple(names) for code, names in found.items()}


def _of_time_zones() -> Iterator[tuple[str, list[str]]]:
    """Yield the city that each time zone is named after, in both languages, behind the code of its country."""
    for zone, code in get_global("zone_territories").items():
        written = [Locale(language).time_zones.get(zone, {}).get("city") for language in ("en", "ja")]
        yield code, [zone.rpartition("/")[2].replace("_", " "), *filter(None, written)]


def _added() -> Iterator[tuple[str, list[str]]]:
    """Read lines such as `VN = Hanoi|ハノイ, Saigon|サイゴン`; a line that begins with `#` is a heading."""
    text = resources.files("research.text").joinpath("cities.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, listed = line.split(" = ")
            yield from ((code, city.split("|")) for city in listed.split(", "))


@cache
def _names_of_cities() -> Mapping[str, Name]:
    """Return every way in which a city is written, folded, with the city."""
    found: dict[str, Name] = {}
    known = {city for names in cities().values() for city in names}
    for _, names in (*_added(), *_of_time_zones()):
        forms = tuple(form for form in dict.fromkeys(map(folded, names)) if form in known)
        ja = next((name for name in names if not name.isascii()), names[0])
        found |= {form: Name(names[0], ja, forms) for form in forms if form not in found}
    return found


@dataclass(frozen=True)
class Name:
    """Something that has a name. Both forms are the same where only one is known."""

    en: str
    ja: str
    forms: tuple[str, ...]
    """Every way it may be written, folded as `research.text.words.folded` does."""
    is_place: bool = False
    """Whether it is a country or territory."""
    cities: tuple[str, ...] = ()
    """Cities of a country, folded: a text that names one is about the country, a question that does asks for less."""

    def stands_in(self, text: str) -> bool:
        """Whether `text`, already folded, names it or a city in it; ASCII forms count as whole words only."""
        return self.stands_itself_in(text) or any(_is_located(city, text) for city in self.cities)

    def stands_itself_in(self, text: str) -> bool:
        """Whether `text`, already folded, names it, and not only a city in it."""
        return any(_stands(form, text) for form in self.forms)


_ALIASES: dict[str, tuple[str, ...]] = {
    "AE": ("uae",),
    "AU": ("豪州",),
    "BA": ("bosnia", "ボスニア"),
    "BD": ("バングラ",),
    "CD": ("democratic republic of the congo", "dr congo", "drc", "コンゴ民主共和国"),
    "CG": ("congo-brazzaville", "コンゴ共和国"),
    "CZ": ("czech republic",),
    "CI": ("ivory coast",),
    "CR": ("costa rican", "costa ricans"),
    "EU": ("eu",),
    "GB": ("uk", "u.k.", "britain", "great britain", "英国"),
    "GE": ("グルジア",),
    "HK": ("hong kong", "香港"),
    "KP": ("北朝鮮",),
    "KR": ("korea, south", "republic of korea"),
    "LC": ("saint lucia",),
    "LK": ("sri lankan", "sri lankans"),
    "MK": ("macedonia", "マケドニア"),
    "MM": ("burma", "myanmar", "ミャンマー", "ビルマ"),
    "MO": ("macao", "macau", "マカオ"),
    "NL": ("holland",),
    "NZ": ("new zealander", "new zealanders"),
    "PG": ("papua new guinean", "papua new guineans"),
    "PR": ("puerto rican", "puerto ricans"),
    "PS": ("palestine", "west bank", "gaza strip", "パレスチナ"),
    "SA": ("サウジ",),
    "SL": ("sierra leonean", "sierra leoneans"),
    "SS": ("south sudanese",),
    "ST": ("sao tome and principe",),
    "SZ": ("swaziland", "スワジランド"),
    "TL": ("east timor",),
    "TR": ("turkey", "turkiye"),
    "TT": ("trinidad",),
    "US": ("usa", "u.s.", "u.s.a.", "米国", "アメリカ"),
    "VA": ("vatican", "holy see", "バチカン"),
    "VN": ("viet nam",),
    "ZA": ("south african", "south africans"),
}
_REGION_ALIASES: dict[str, tuple[str, ...]] = {
    "002": ("african country", "african countries"),
    "003": ("北米", "north american"),
    "005": ("南米", "south american"),
    "013": ("central american",),
    "019": ("米州",),
    "035": ("south-east asia", "south east asia", "southeast asian", "south-east asian", "asean", "アセアン"),
    "142": ("asian country", "asian countries"),
    "145": ("middle east", "middle eastern", "中東"),
    "150": ("欧州", "european country", "european countries"),
    "419": ("中南米", "latin american"),
}
_GROUPS: dict[str, tuple[str, ...]] = {
    "EE LV LT": ("baltic states", "baltic countries", "three baltic states", "バルト三国", "バルト3国", "バルト諸国"),
    "BE NL LU": ("benelux", "ベネルクス", "ベネルクス三国", "ベネルクス3国"),
    "DK FI IS NO SE": ("nordic countries", "nordics", "北欧諸国", "北欧5か国", "北欧五か国"),
    "CA FR DE IT JP GB US": ("g7", "g7 countries", "g7諸国", "主要7か国", "主要七か国"),
    "BN KH ID LA MY MM PH SG TH TL VN": ("asean", "asean countries", "asean members", "asean諸国", "asean加盟国"),
    "BR RU IN CN ZA": ("brics", "brics countries", "brics諸国"),
}
"""Countries that are asked about under one name, by ISO 3166."""
_EU = "EU countries"
_OF_MANY: dict[str, tuple[str, tuple[str, ...], str]] = {
    _EU: (
        *("EU加盟国", ("eu", "european union", "欧州連合")),
        "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE",
    ),
    "Eurozone countries": (
        *("ユーロ圏諸国", ("eurozone", "euro zone", "euro area", "ユーロ圏")),
        "AT BE BG HR CY EE FI FR DE GR IE IT LV LT LU MT NL PT SK SI ES",
    ),
    "OECD countries": (
        *("OECD加盟国", ("oecd", "経済協力開発機構")),
        "AU AT BE CA CL CO CR CZ DK EE FI FR DE GR HU IS IE IL IT JP KR LV LT LU MX NL NZ NO PL PT SK SI ES SE CH TR"
        " GB US",
    ),
    "G20 countries": (*("G20諸国", ("g20",)), "AR AU BR CA CN FR DE IN ID IT JP KR MX RU SA ZA TR GB US"),
}
"""Groups of so many that they are asked about as parts of the world are: by their English name the Japanese one, how
they are called, and whom they consist of."""
_HAS_ORDER = re.compile(
    r"\b(?:\w+est|most|least|more|less|fewer|over|above|below|under|top)\b|最[も大小多少高低]|一番|[高低多広速]い|大きい|少ない"
    r"|小さい|超え|上回|下回|以[上下]|未満|上位|トップ"
)
"""What asks of the countries of a group for some: “which country in the EU has the highest debt”."""
_HAS_LIMIT = re.compile(
    r"\b(?:than|over|above|below|under|at least|at most|exceed\w*)\s+[$€£¥]?\d"
    r"|\d[^。]{0,8}(?:超|以[上下]|未満|上回|下回)"
)
"""The same by a limit, to which it is known of none before whether they keep."""
_PARTS = {
    "005": "AR BO BR CL CO EC FK GF GY PE PY SR UY VE",
    "011": "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG",
    "013": "BZ CR GT HN MX NI PA SV",
    "014": "BI DJ ER ET KE KM MG MU MW MZ RE RW SC SO SS TZ UG YT ZM ZW",
    "015": "DZ EG EH LY MA SD TN",
    "017": "AO CD CF CG CM GA GQ ST TD",
    "018": "BW LS NA SZ ZA",
    "021": "BM CA GL PM US",
    "029": "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI",
    "030": "CN HK JP KP KR MN MO TW",
    "034": "AF BD BT IN IR LK MV NP PK",
    "035": "BN ID KH LA MM MY PH SG TH TL VN",
    "039": "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA XK",
    "053": "AU NZ",
    "054": "FJ NC PG SB VU",
    "057": "FM GU KI MH MP NR PW",
    "061": "AS CK NU PF PN TK TO TV WF WS",
    "143": "KG KZ TJ TM UZ",
    "145": "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
    "151": "BG BY CZ HU MD PL RO RU SK UA",
    "154": "AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ",
    "155": "AT BE CH DE FR LI LU MC NL",
    "002": "011 014 015 017 018",
    "202": "011 014 017 018",
    "003": "013 021 029",
    "419": "005 013 029",
    "019": "005 013 021 029",
    "142": "030 034 035 143 145",
    "150": "039 151 154 155",
    "009": "053 054 057 061",
}
"""What lies in each part of the world: countries by ISO 3166, parts by UN M49, whose division this is."""
_NO_COUNTRIES = frozenset({"ZZ", "XA", "XB", "EZ", "UN", "QO"})
EUROPEAN_UNION = "European Union"
_EUROPEAN = (EUROPEAN_UNION, "Eurozone")
_UNIONS = frozenset((*_EUROPEAN, "United Nations"))
"""What the names of places hold that is none of them."""
_MUST_BE_CAPITAL = frozenset({"chad", "jersey", "jordan", "turkey", "guinea", "georgia", "niger", "mali", "cuba"})
_NO_TREATY = r"(?!\s*(?:agreement|convention|protocol|statute|treaty|accord|i{1,3}\b|協定|条約|議定書|規程|宣言|字))"
"""What follows a city that only gave its name to a treaty."""
_KATAKANA = re.compile("[ァ-ヺー]+")
_SHORT = 2
"""Letters up to which a name in katakana may begin a longer word that has nothing to do with it."""
_UNITED_STATES = re.compile(r"(?<![A-Za-z])US(?![A-Za-z])")


@cache
def places() -> Mapping[str, Name]:
    """Return every country and territory by each of its folded forms."""
    english, japanese = Locale("en").territories, Locale("ja").territories
    by_form: dict[str, Name] = {}
    for short, code in _codes().items():
        if code not in _NO_COUNTRIES:
            en, ja = english[code], japanese.get(code, english[code])
            forms = map(folded, (en, en.replace(" & ", " and "), short, ja, *_ALIASES.get(code, ())))
            place = Name(short, ja, tuple(dict.fromkeys(forms)), is_place=True, cities=cities().get(code, ()))
            by_form.update(dict.fromkeys(place.forms, place))
    return by_form


def code_of(place: Name) -> str:
    """Return the code of a country or territory (ISO 3166-1, two letters; `EU` for the Union); empty if it has none."""
    return _codes().get(place.en, "")


@cache
def _codes() -> Mapping[str, str]:
    """Return the code of each country and territory, by its English name without what is said of it in brackets."""
    known = Locale("en").territories.items()
    return {re.sub(r"\s*\(.*\)", "", en): code for code, en in known if re.fullmatch("[A-Z]{2}", code)}


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
def _words_of_regions() -> frozenset[str]:
    """Return the forms of every part of the world, and what they begin with: “European” names nobody."""
    return frozenset((*regions(), *(form.split()[0] for form in regions())))


@cache
def countries_of(region: Name) -> frozenset[Name]:
    """Return the countries and territories of a part of the world, by the division of the United Nations."""
    english = Locale("en").territories
    code = next((code for code in _PARTS if english[code] == region.en), "")
    if region.en in _members():
        return frozenset(_members()[region.en])
    among = _OF_MANY[region.en][-1].split() if region.en in _OF_MANY else _countries_in(code)
    return frozenset(places()[folded(english[country])] for country in among)


def lies_in(said: str, parts: Iterable[Name]) -> bool:
    """Whether a text names a country of each of these parts of the world; an unknown part asks for nothing."""
    named = places_in(said)
    return all(not (inside := countries_of(part)) or not inside.isdisjoint(named) for part in parts)


def places_among(ones: Sequence[_One], who: Callable[[_One], str]) -> Sequence[_One]:
    """Return those that are about places, if most are, without the world or a union beside them; else all."""
    placed = [one for one in ones if is_place(who(one))]
    return placed if 2 * len(placed) > len(ones) else ones


def place_in(language: Language, said: str) -> str:
    """Return a country or territory by its name in a language; what is written in it, or names none, as it is."""
    place = places().get(folded(said)) if language_of(said) is not language else None
    return getattr(place, language.value, said)


def is_place(said: str) -> bool:
    """Whether a text names a country or territory, and no union of them alone."""
    return any(place.en not in _UNIONS for place in places_in(said))


def lies_elsewhere(said: str, parts: Iterable[Name]) -> bool:
    """Whether a text names places, and none in these parts of the world; no parts are everywhere."""
    return bool(places_in(said)) and not lies_in(said, parts)


def _countries_in(code: str) -> Iterator[str]:
    for part in _PARTS.get(code, "").split():
        yield from _countries_in(part) if part.isdigit() else (part,)


@cache
def _countries_of_cities() -> Mapping[str, Name]:
    return {city: place for place in dict.fromkeys(places().values()) for city in place.cities}


@cache
def _pattern_of(known: Callable[[], Mapping[str, object]], behind: str = "") -> re.Pattern[str]:
    """Return a pattern of all forms known; those that may stand at the same places share what is asked of the place."""
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for form in sorted(known(), key=len, reverse=True):
        alike[_around(form)].append(form)
    forms = "|".join(f"{before}{_one_of(same)}{after}" for (before, after), same in alike.items())
    return re.compile(f"(?:{forms}){behind}")


def _city_pattern() -> re.Pattern[str]:
    return _pattern_of(_countries_of_cities, _NO_TREATY)


def _one_of(forms: Iterable[str]) -> str:
    """Return a pattern of forms by their first letters, of which each is tried once: there are hundreds of forms."""
    begun: dict[str, list[str]] = defaultdict(list)
    for form in forms:
        begun[form[0]].append(re.escape(form[1:]))
    firsts = {first: re.escape(first) for first in begun}
    ways = "|".join(f"{firsts[first]}(?:{'|'.join(rest)})" for first, rest in begun.items())
    return f"(?=[{''.join(firsts.values())}])(?:{ways})"


def _around(form: str) -> tuple[str, str]:
    """Return what must not stand before and behind a form."""
    if form[0].isascii():
        return "(?<![a-z0-9])", "(?![a-z0-9])"
    if not _KATAKANA.fullmatch(form):
        return "", ""
    # マインド is no インド, and タイミング no タイ; a longer name may go on, as in ベトナムオフィス.
    return "(?<![ァ-ヺー])", "(?![ァ-ヺー])" if len(form) <= _SHORT else ""


@cache
def _form_pattern(form: str, behind: str = "") -> re.Pattern[str]:
    before, after = _around(form)
    return re.compile(f"{before}{re.escape(form)}{after}{behind}")


def _stands(form: str, text: str) -> bool:
    if form not in text:
        return False
    if form not in places():
        return _form_pattern(form).search(text) is not None
    return any(match.group() == form for match in _pattern_of(places).finditer(text))


def _is_located(city: str, text: str) -> bool:
    return city in text and _form_pattern(city, _NO_TREATY).search(text) is not None


@lru_cache(maxsize=1024)
def countries_in(text: str) -> tuple[Name, ...]:
    """Return the countries that a text is about: those that it names, then those of which it names a city."""
    found = dict.fromkeys(places_in(text))
    found.update((_countries_of_cities()[match.group()], None) for match in _city_pattern().finditer(folded(text)))
    return tuple(found)


@lru_cache(maxsize=1024)
def places_in(text: str) -> tuple[Name, ...]:
    """Return the countries and territories that `text` names, in order; the longest name wins where two overlap."""
    return tuple(dict.fromkeys(_named(text)))


def _named(text: str) -> Iterator[Name]:
    """Yield a country or territory each time that a text names it."""
    text = _UNITED_STATES.sub("USA", text)
    low = folded(text)
    for match in _pattern_of(places).finditer(low):
        written = text[match.start() : match.end()] if len(low) == len(text) else match.group()
        if match.group() not in _MUST_BE_CAPITAL or written[:1].isupper():
            yield places()[match.group()]


def regions_in(text: str) -> tuple[Name, ...]:
    """Return the parts of the world that `text` names, in order."""
    low = folded(text)
    found = [regions()[match.group()] for match in _pattern_of(regions).finditer(low)]
    return tuple(dict.fromkeys((*found, *_groups_of_some(low))))


def _groups_of_some(low: str) -> Iterator[Name]:
    """Yield the groups of countries of which a folded text asks for some, or that are of many."""
    if _HAS_LIMIT.search(low):
        yield from (Name(one, one, (one,)) for one in dict.fromkeys(_pattern_of(_members).findall(low)))
    for en, (named, asked_of) in _patterns_of_many().items():
        if found := [match.group() for match in named.finditer(low)]:
            yield _of_many(en, *found)
        elif asked_of.search(low) and _HAS_ORDER.search(low):
            yield _of_many(en)


def _of_many(en: str, *forms: str) -> Name:
    ja, called, _ = _OF_MANY[en]
    return Name(en, ja, tuple(dict.fromkeys((*forms, *called))))


@cache
def _patterns_of_many() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return how the members of each group of many are named, and how they are asked of: “countries in the EU”."""
    members = r"(?:countr(?:y|ies)|members|member (?:states|countries)|states|nations|economies)"
    found = {}
    for en, (_, called, _) in _OF_MANY.items():
        who = f"(?:{'|'.join(map(re.escape, called))})"
        named = rf"\b{who} {members}\b|\bcountr(?:y|ies) (?:of|in) the {who}\b|{who}(?:の?加盟国|諸国|各国|の国々?)"
        asked_of = rf"\bcountr(?:y|ies)\b.{{0,60}}\bin the {who}\b|{who}(?:の中|域?内)?(?:で|のうち).{{0,40}}国"
        found[en] = re.compile(named), re.compile(asked_of)
    return found


@cache
def _members() -> Mapping[str, tuple[Name, ...]]:
    """Return the countries of each group of them, by each of its folded forms."""
    english = Locale("en").territories
    return {
        folded(form): tuple(places()[folded(english[code])] for code in codes.split())
        for codes, forms in _GROUPS.items()
        for form in forms
    }


def groups_in(text: str) -> tuple[Name, ...]:
    """Return the groups of countries all of which `text` asks about, each by the form in which it names it."""
    named = () if _HAS_LIMIT.search(folded(text)) else _pattern_of(_members).findall(folded(text))
    return tuple(Name(one, one, (one,)) for one in dict.fromkeys(named))


@lru_cache(maxsize=256)
def names_in(question: str) -> tuple[Name, ...]:
    """Return the names in `question`: places first, then companies, products and people as far as rules can tell.

    English names are told by capitals inside a sentence; Japanese ones by a company's form of name, or by standing in
    a list of things to compare. What the lexicon knows is a term, and a part of the world is no name.
    """
    question = question[:LONGEST_QUESTION]
    groups = [one.en for one in groups_in(question)]
    grouped = [place for group in groups for place in _members()[group]]
    parts = regions_in(question)
    is_of_many = any(part.en == _EU for part in parts)
    single = [one for one in places_in(question) if not any(form in group for form in one.forms for group in groups)]
    single = [one for one in single if not is_of_many or one.en not in _EUROPEAN]
    found = {form: place for place in (*single, *grouped) for form in place.forms}
    names = list(dict.fromkeys(found.values()))
    cities_named = [match.group() for match in _city_pattern().finditer(folded(question)) if _is_whole(match)]
    for written in (*proper_names(question), *cities_named):
        form = folded(written)
        is_known = form in _words_of_regions() or any(form in part.forms for part in parts)
        is_known = is_known or any(form in group for group in _members())
        if not is_known and not any(known in form or form in known for known in found):
            name = _names_of_cities().get(form) or _people_in(question, written) or Name(written, written, (form,))
            found |= dict.fromkeys(name.forms, name)
            names.append(name)
    return tuple(names)


_ADJECTIVE = re.compile(r"([a-z]{4,}?)(?:(?P<long>u?ese|ish|ian)|an|n|i)")
"""An English word made of the name of a country: Vietnamese, Swedish, Brazilian; Mexican, Austrian, Israeli."""
_LOST, _LOST_LONG = 1, 3
"""Letters of the name that may be lost before a short and a long ending: Mexico and Mexican, Brit(ain) and British."""
_OF_SPEECH = frozenset(("language", "languages", "speaking", "spoken"))
"""What follows the name of a language."""
_IRREGULAR = {
    word: country
    for country, words in {
        "afghanistan": "afghan",
        "argentina": "argentine",
        "botswana": "motswana batswana",
        "croatia": "croat",
        "cyprus": "cypriot",
        "ivory coast": "ivorian ivoirian",
        "denmark": "danish dane",
        "el salvador": "salvadoran salvadorean",
        "finland": "finn",
        "greenland": "greenlandic",
        "honduras": "honduran",
        "lesotho": "basotho",
        "luxembourg": "luxembourger luxembourgish",
        "madagascar": "malagasy",
        "monaco": "monegasque",
        "mozambique": "mozambican",
        "myanmar (burma)": "burmese",
        "netherlands": "dutch",
        "niger": "nigerien",
        "panama": "panamanian",
        "peru": "peruvian",
        "philippines": "filipino philippine",
        "poland": "poles",
        "saudi arabia": "saudi",
        "serbia": "serb",
        "slovenia": "slovene",
        "spain": "spaniard",
        "sweden": "swede",
        "switzerland": "swiss",
        "togo": "togolese",
        "turkey": "turk",
        "united arab emirates": "emirati",
        "united kingdom": "briton",
        "united states": "american",
    }.items()
    for word in words.split()
}


@cache
def _languages() -> Mapping[str, str]:
    """Return the name of the country of each language, folded, that begins like it: French, Polish; not English."""
    english, likely = Locale("en"), get_global("likely_subtags")
    found: dict[str, str] = {}
    for code, language in english.languages.items():
        country = folded(english.territories.get(likely.get(code, "").rpartition("_")[2], "").rpartition(" ")[2])
        if country[:_SHORT] == folded(language)[:_SHORT]:
            found.setdefault(folded(language), country)
    return found


@cache
def _people_of(adjective: str) -> Name | None:
    """Return the country of which a word is the English adjective, with that word as one of its forms."""
    low, match = folded(adjective), _ADJECTIVE.fullmatch(folded(adjective))
    stem, lost = (match[1], _LOST_LONG if match["long"] else _LOST) if match else ("", 0)
    among = [form for form in places() if match and form.startswith(stem) and len(form) <= len(stem) + lost]
    among = [form for form in among if form.isalpha()]

    def alike(form: str) -> int:
        return next(end for end in range(len(form), -1, -1) if low.startswith(form[:end]))

    form = _IRREGULAR.get(low) or max(among, key=alike, default=_languages().get(low, ""))
    place = places().get(form) or places().get(f"south {form}")
    return replace(place, forms=(*place.forms, low)) if place else None


def _people_in(question: str, written: str) -> Name | None:
    """Return the country of its people, or of an adjective that says whose something is: Nigerians, French exports.

    French alone may be the language.
    """
    one = written.removesuffix("ers" if written.endswith("landers") else "s")
    if one != written and (home := places().get(folded(one)) or _people_of(one) or _people_of(written)):
        return replace(home, forms=(*home.forms, folded(written)))
    others = r"(?:,?\s+(?:and|or)\s+[A-Z][a-z]+|,\s+[A-Z][a-z]+)*"
    follows = re.search(rf"\b{re.escape(written)}{others}\s+(?P<what>[a-z][\w-]*)", question)
    is_adjective = follows is not None and not is_stop_word(follows["what"])
    is_people = re.search(rf"\b(?:how many|most|the|do|are) (?-i:{re.escape(written)})\b", question, re.IGNORECASE)
    is_language = follows is not None and follows["what"] in _OF_SPEECH
    return _people_of(written) if (is_adjective or is_people is not None) and not is_language else None


_CAPITAL = re.compile(r"\b[A-Z][a-z]{3,}\b")


@cache
def _beginnings() -> frozenset[str]:
    """Return how an adjective of a country can begin; words of pages are many, and each would be compared with all."""
    return frozenset(form[:4] for form in (*places(), *_languages(), *_IRREGULAR))


def mentions_in(page: str) -> Counter[str]:
    """Return how often a text, which may be a whole page, speaks of each country or territory, by its English name.

    It does by its names, its cities, its people (German, Japanese) and, of all countries in it, by that of a part of
    the world, a group or a union. What no name stands for in either language is not counted.
    """
    found = Counter(place.en for place in _named(page) if place.en not in _UNIONS)
    found.update(_countries_of_cities()[match.group()].en for match in _city_pattern().finditer(folded(page)))
    words = Counter(word for word in _CAPITAL.findall(page) if folded(word)[:4] in _beginnings())
    for word, times in words.items():
        if folded(word) not in places() and (home := _people_of(word)):
            found[home.en] += times
    found.update(place.en for part in _parts_in(page) for place in part)
    return found


def countries_meant(text: str) -> frozenset[Name]:
    """Return the countries and territories that a text names, also by the name of all in which they are."""
    named = (place for place in places_in(text) if place.en not in _UNIONS)
    return frozenset(named).union(*_parts_in(text))


def _parts_in(text: str) -> Iterator[frozenset[Name]]:
    """Yield the countries in it each time that a text names a part of the world, a group, or the European Union."""
    low = folded(text)
    yield from (countries_of(regions()[match.group()]) for match in _pattern_of(regions).finditer(low))
    yield from (frozenset(_members()[match.group()]) for match in _pattern_of(_members).finditer(low))
    yield from (countries_of(regions()["europe"]) for place in _named(text) if place.en in _EUROPEAN)


_FOR_ANYBODY = frozenset("AC AI AS BZ CC CD CO CX FM GG GL IM IO LA LY ME MS NU SC SH SR ST TK TO TV VC WS".split())  # noqa: SIM905
"""Domains of countries that are given to anybody and say nothing of where a site is."""


def country_of_site(host: str) -> str:
    """Return the English name of the country whose domain a host is in; empty where that says nothing."""
    ending = host.rpartition(".")[2].upper()
    code = {"UK": "GB"}.get(ending, ending)
    return "" if code in _FOR_ANYBODY else next((en for en, known in _codes().items() if known == code), "")


def _is_whole(match: re.Match[str]) -> bool:
    """Whether the name of a city does not go on: 東京都 and 東京支店 are something else."""
    return not _KANJI.match(match.string, match.end())


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
