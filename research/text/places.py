"""Places: countries, cities, parts of the world and groups of countries, by every way in which a text names them.

Their names are those of Unicode (CLDR); what those lack stands in `places.txt` and `cities.txt`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple, TypeVar

from babel import Locale
from babel.core import get_global

from research.language import Language
from research.text.words import folded, is_stop_word, language_of

_One = TypeVar("_One")
_SHORT = 2
"""Letters up to which a name in katakana may begin a longer word that has nothing to do with it."""
_KATAKANA = re.compile("[ァ-ヺー]+")
_KANJI = re.compile(r"[一-鿿]")


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


# --- what names them -------------------------------------------------------------------------------------------------

_TABLES = "places.txt"
_HEAD = re.compile(r"\[(.+)\]")


@cache
def _table(name: str) -> Mapping[str, str]:
    """Return a table of the file of places: what stands before and behind the sign of equality of each of its lines."""
    tables: dict[str, dict[str, str]] = {}
    inside = ""
    for line in resources.files("research.text").joinpath(_TABLES).read_text(encoding="utf-8").splitlines():
        if head := _HEAD.fullmatch(line):
            inside = head[1]
        elif line and not line.startswith("#"):
            key, _, told = line.partition(" = ")
            tables.setdefault(inside, {})[key] = told
    return tables[name]


def _forms(told: str) -> tuple[str, ...]:
    """Return the forms that a line lists."""
    return tuple(told.split(" | ")) if told else ()


_NO_COUNTRIES = frozenset({"ZZ", "XA", "XB", "EZ", "UN", "QO"})
EUROPEAN_UNION = "European Union"
_EUROPEAN = (EUROPEAN_UNION, "Eurozone")
_UNIONS = frozenset((*_EUROPEAN, "United Nations"))
"""What the names of places hold that is none of them."""
_NO_STATES = _UNIONS | {"Antarctica"}
"""The same, with what is none that could be first of all."""


@cache
def places() -> Mapping[str, Name]:
    """Return every country and territory by each of its folded forms."""
    english, japanese = Locale("en").territories, Locale("ja").territories
    by_form: dict[str, Name] = {}
    for short, code in _codes().items():
        if code not in _NO_COUNTRIES:
            en, ja = english[code], japanese.get(code, english[code])
            forms = map(folded, (en, en.replace(" & ", " and "), short, ja, *_forms(_table("called").get(code, ""))))
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


_FOR_ANYBODY = frozenset("AC AI AS BZ CC CD CO CX FM GG GL IM IO LA LY ME MS NU SC SH SR ST TK TO TV VC WS".split())  # noqa: SIM905
"""Domains of countries that are given to anybody and say nothing of where a site is."""


def country_of_site(host: str) -> str:
    """Return the English name of the country whose domain a host is in; empty where that says nothing."""
    ending = host.rpartition(".")[2].upper()
    code = {"UK": "GB"}.get(ending, ending)
    return "" if code in _FOR_ANYBODY else next((en for en, known in _codes().items() if known == code), "")


# --- cities ----------------------------------------------------------------------------------------------------------

_NOT_CITIES = frozenset({"001", "AQ", "TF", "UM", "ZZ"})
_WORDS = """
adak bahia canary casey center chatham chita darwin davis dawson gambier midway nome oral palmer petersburg phoenix
regina resolute salta samara stanley wallis
リマ チタ ロメ オラル マヘ アデン マセル ノーム パース サルタ サマラ アダック フェニックス
"""
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


@cache
def _countries_of_cities() -> Mapping[str, Name]:
    return {city: place for place in dict.fromkeys(places().values()) for city in place.cities}


# --- parts of the world, and groups ----------------------------------------------------------------------------------


@cache
def regions() -> Mapping[str, Name]:
    """Return every part of the world (South-East Asia, Europe, …) by each of its folded forms."""
    english, japanese = Locale("en").territories, Locale("ja").territories
    by_form: dict[str, Name] = {}
    for code, en in english.items():
        if re.fullmatch(r"\d{3}", code) and code != "001":
            ja = japanese.get(code, en)
            forms = tuple(dict.fromkeys(map(folded, (en, ja, *_forms(_table("part called").get(code, ""))))))
            by_form.update(dict.fromkeys(forms, Name(en, ja, forms)))
    return by_form


@cache
def _words_of_regions() -> frozenset[str]:
    """Return the forms of every part of the world, and what they begin with: “European” names nobody."""
    return frozenset((*regions(), *(form.split()[0] for form in regions())))


@cache
def countries_of(region: Name) -> frozenset[Name]:
    """Return the countries and territories of a part of the world, or of a group of them."""
    english = Locale("en").territories
    if region.en in _members():
        return frozenset(_members()[region.en])
    if group := _groups_of_many().get(region.en):
        return frozenset(places()[folded(english[country])] for country in group.codes)
    code = next((code for code in _table("lies in part") if english[code] == region.en), "")
    return frozenset(places()[folded(english[country])] for country in _countries_in(code))


def _countries_in(code: str) -> Iterator[str]:
    for part in _table("lies in part").get(code, "").split():
        yield from _countries_in(part) if part.isdigit() else (part,)


@cache
def _members() -> Mapping[str, tuple[Name, ...]]:
    """Return the countries of each group of them, by each of its folded forms."""
    english = Locale("en").territories
    return {
        folded(form): tuple(places()[folded(english[code])] for code in codes.split())
        for codes, forms in _table("group").items()
        for form in _forms(forms)
    }


_EU = "EU countries"
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


@lru_cache(maxsize=1024)
def regions_in(text: str) -> tuple[Name, ...]:
    """Return the parts of the world that `text` names, in order."""
    low = folded(text)
    found = [regions()[match.group()] for match in _pattern_of(regions).finditer(low)]
    return tuple(dict.fromkeys((*found, *_groups_of_some(low))))


def _groups_of_some(low: str) -> Iterator[Name]:
    """Yield the groups of countries of which a folded text asks for some, or that are of many."""
    if _HAS_LIMIT.search(low):
        yield from (Name(one, one, (one,)) for one in dict.fromkeys(_pattern_of(_members).findall(low)))
    for group in _groups_of_many().values():
        found = [match.group() for match in group.named.finditer(low)]
        if found or (group.asked_of.search(low) and _HAS_ORDER.search(low)):
            yield Name(group.en, group.ja, tuple(dict.fromkeys((*found, *group.called))))


class _GroupOfMany(NamedTuple):
    """A group of so many countries that it is asked about as a part of the world is."""

    en: str
    ja: str
    called: tuple[str, ...]
    codes: tuple[str, ...]
    named: re.Pattern[str]
    """How its members are named."""
    asked_of: re.Pattern[str]
    """How they are asked of: “countries in the EU”."""


@cache
def _groups_of_many() -> Mapping[str, _GroupOfMany]:
    """Return the groups of many by their English names."""
    members = r"(?:countr(?:y|ies)|members|member (?:states|countries)|states|nations|economies)"
    found = {}
    for key, codes in _table("group of many").items():
        en, ja, *called = _forms(key)
        who = f"(?:{'|'.join(map(re.escape, called))})"
        named = rf"\b{who} {members}\b|\bcountr(?:y|ies) (?:of|in) the {who}\b|{who}(?:の?加盟国|諸国|各国|の国々?)"
        asked_of = rf"\bcountr(?:y|ies)\b.{{0,60}}\bin the {who}\b|{who}(?:の中|域?内)?(?:で|のうち).{{0,40}}国"
        patterns = re.compile(named), re.compile(asked_of)
        found[en] = _GroupOfMany(en, ja, tuple(called), tuple(codes.split()), *patterns)
    return found


def groups_in(text: str) -> tuple[Name, ...]:
    """Return the groups of countries all of which `text` asks about, each by the form in which it names it."""
    named = () if _HAS_LIMIT.search(folded(text)) else _pattern_of(_members).findall(folded(text))
    return tuple(Name(one, one, (one,)) for one in dict.fromkeys(named))


def lies_in(said: str, parts: Iterable[Name]) -> bool:
    """Whether a text names a country of each of these parts of the world; an unknown part asks for nothing."""
    named = places_in(said)
    return all(not (inside := countries_of(part)) or not inside.isdisjoint(named) for part in parts)


def lies_elsewhere(said: str, parts: Iterable[Name]) -> bool:
    """Whether a text names places, and none in these parts of the world; no parts are everywhere."""
    return bool(places_in(said)) and not lies_in(said, parts)


# --- people ----------------------------------------------------------------------------------------------------------

_ADJECTIVE = re.compile(r"([a-z]{4,}?)(?:(?P<long>u?ese|ish|ian)|an|n|i)")
"""An English word made of the name of a country: Vietnamese, Swedish, Brazilian; Mexican, Austrian, Israeli."""
_LOST, _LOST_LONG = 1, 3
"""Letters of the name that may be lost before a short and a long ending: Mexico and Mexican, Brit(ain) and British."""
_SMALL = re.compile(r"\b[a-z]{5,}\b")
_OF_SPEECH = frozenset(("language", "languages", "speaking", "spoken"))
"""What follows the name of a language."""


@cache
def _irregular() -> Mapping[str, str]:
    """Return the country of each word for its people, or for what is of it, that no rule tells."""
    return {word: country for country, words in _table("people").items() for word in words.split()}


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


@lru_cache(maxsize=4096)
def _people_of(adjective: str) -> Name | None:
    """Return the country of which a word is the English adjective, with that word as one of its forms."""
    low, match = folded(adjective), _ADJECTIVE.fullmatch(folded(adjective))
    stem, lost = (match[1], _LOST_LONG if match["long"] else _LOST) if match else ("", 0)
    among = [form for form in places() if match and form.startswith(stem) and len(form) <= len(stem) + lost]
    among = [form for form in among if form.isalpha()]

    def alike(form: str) -> int:
        return next(end for end in range(len(form), -1, -1) if low.startswith(form[:end]))

    form = _irregular().get(low) or max(among, key=alike, default=_languages().get(low, ""))
    place = places().get(form) or places().get(f"south {form}")
    return replace(place, forms=(*place.forms, low)) if place else None


def with_capitals(question: str) -> str:
    """Return a question that is all in small letters with capitals where it names the people of a country."""
    if question != question.lower() or not question.isascii():
        return question
    return _SMALL.sub(lambda one: one[0].capitalize() if _is_people(one[0]) else one[0], question)


def _is_people(word: str) -> bool:
    return not is_stop_word(word) and any(map(_people_of, (word, word.removesuffix("s"))))


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
    is_people = re.search(
        rf"\b(?:how many|most|young|old|rich|poor|the|do|are|can) (?-i:{re.escape(written)})\b", question, re.IGNORECASE
    )
    is_language = follows is not None and follows["what"] in _OF_SPEECH
    return _people_of(written) if (is_adjective or is_people is not None) and not is_language else None


# --- in a text -------------------------------------------------------------------------------------------------------

_MUST_BE_CAPITAL = frozenset({"chad", "jersey", "jordan", "turkey", "guinea", "georgia", "niger", "mali", "cuba"})
_NO_TREATY = r"(?!\s*(?:agreement|convention|protocol|statute|treaty|accord|i{1,3}\b|協定|条約|議定書|規程|宣言|字))"
"""What follows a city that only gave its name to a treaty."""
_UNITED_STATES = re.compile(r"(?<![A-Za-z])US(?![A-Za-z])")


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


def _is_whole(match: re.Match[str]) -> bool:
    """Whether the name of a city does not go on: 東京都 and 東京支店 are something else."""
    return not _KANJI.match(match.string, match.end())


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


def is_place(said: str) -> bool:
    """Whether a text names a country or territory, and no union of them alone."""
    return any(place.en not in _NO_STATES for place in places_in(said))


def places_among(ones: Sequence[_One], who: Callable[[_One], str]) -> Sequence[_One]:
    """Return those that are about places, if most are, without the world or a union beside them; else all."""
    placed = [one for one in ones if is_place(who(one))]
    return placed if 2 * len(placed) > len(ones) else ones


def place_in(language: Language, said: str) -> str:
    """Return a country or territory by its name in a language; what is written in it, or names none, as it is."""
    place = places().get(folded(said)) if language_of(said) is not language else None
    return getattr(place, language.value, said)


_CAPITAL = re.compile(r"\b[A-Z][a-z]{3,}\b")


@cache
def _beginnings() -> frozenset[str]:
    """Return how an adjective of a country can begin; words of pages are many, and each would be compared with all."""
    return frozenset(form[:4] for form in (*places(), *_languages(), *_irregular()))


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


# --- in a question ---------------------------------------------------------------------------------------------------


_AMERICA = re.compile(
    r"(?<!north )(?<!south )(?<!latin )(?<!central )(?<!middle )(?<!of )\bamerica\b(?! (?-i:[A-Z]))",
    re.IGNORECASE,
)
_SOUTH_AFRICA = re.compile("(?<![東西])南ア(?![ァ-ヶー])")
_KOREA = re.compile(r"(?<!north )(?<!south )\bkorea\b(?! strait)(?!, (?:north|south))", re.IGNORECASE)
"""What people call a country for short, where it is no part of another name: South America, 東南アジア."""


def in_full(question: str) -> str:
    """Return a question with what people call for short as it is called: Korea is South Korea, 南ア is 南アフリカ."""
    question = _AMERICA.sub("the United States", _KOREA.sub("South Korea", question))
    return _SOUTH_AFRICA.sub("南アフリカ", question)


def asked_places(question: str) -> list[Name]:
    """Return the countries and territories that a question names, and those of each group that it asks about."""
    groups = [one.en for one in groups_in(question)]
    grouped = [place for group in groups for place in _members()[group]]
    is_of_members = any(part.en == _EU for part in regions_in(question))
    single = [
        one for one in places_in(in_full(question)) if not any(form in group for form in one.forms for group in groups)
    ]
    single = [one for one in single if not is_of_members or one.en not in _EUROPEAN]
    return list(dict.fromkeys((*single, *grouped)))


def cities_named(question: str) -> list[str]:
    """Return the cities that a question names, folded."""
    return [match.group() for match in _city_pattern().finditer(folded(question)) if _is_whole(match)]


def is_of_region(form: str, question: str = "") -> bool:
    """Whether a folded form is that of a part of the world, or of a group, or what one of them begins with."""
    is_part = form in _words_of_regions() or any(form in part.forms for part in regions_in(question))
    return is_part or any(form in group for group in _members())


def place_of(written: str, question: str) -> Name | None:
    """Return the city of that name, or the country whose people are called so in a question; None of neither."""
    return _names_of_cities().get(folded(written)) or _people_in(question, written)
