"""Names in a question: countries and territories in both languages, companies and other proper names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from babel import Locale

from research.text.cities import cities
from research.text.proper_names import proper_names
from research.text.words import folded


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
        return any(_stands(form, text) for form in self.forms) or any(_is_located(city, text) for city in self.cities)


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
    for code, en in english.items():
        if re.fullmatch("[A-Z]{2}", code) and code not in _NO_COUNTRIES:
            ja, short = japanese.get(code, en), re.sub(r"\s*\(.*\)", "", en)
            forms = map(folded, (en, en.replace(" & ", " and "), short, ja, *_ALIASES.get(code, ())))
            place = Name(short, ja, tuple(dict.fromkeys(forms)), is_place=True, cities=cities().get(code, ()))
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


@cache
def _countries_of_cities() -> Mapping[str, Name]:
    return {city: place for place in dict.fromkeys(places().values()) for city in place.cities}


@cache
def _city_pattern() -> re.Pattern[str]:
    return re.compile(f"(?:{_any_of(_countries_of_cities()).pattern}){_NO_TREATY}")


@cache
def _located_pattern(city: str) -> re.Pattern[str]:
    return re.compile(_pattern(city) + _NO_TREATY)


def _any_of(forms: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(_pattern(form) for form in sorted(forms, key=len, reverse=True)))


def _pattern(form: str) -> str:
    if form[0].isascii():
        return rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])"
    if not _KATAKANA.fullmatch(form):
        return re.escape(form)
    # マインド is no インド, and タイミング no タイ; a longer name may go on, as in ベトナムオフィス.
    return rf"(?<![ァ-ヺー]){re.escape(form)}" + ("(?![ァ-ヺー])" if len(form) <= _SHORT else "")


@cache
def _form_pattern(form: str) -> re.Pattern[str]:
    return re.compile(_pattern(form))


def _stands(form: str, text: str) -> bool:
    if form not in text:
        return False
    if form not in places():
        return _form_pattern(form).search(text) is not None
    return any(match.group() == form for match in _place_pattern().finditer(text))


def _is_located(city: str, text: str) -> bool:
    return city in text and _located_pattern(city).search(text) is not None


@lru_cache(maxsize=1024)
def countries_in(text: str) -> tuple[Name, ...]:
    """Return the countries that a text is about: those that it names, then those of which it names a city."""
    found = dict.fromkeys(places_in(text))
    found.update((_countries_of_cities()[match.group()], None) for match in _city_pattern().finditer(folded(text)))
    return tuple(found)


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


@lru_cache(maxsize=256)
def names_in(question: str) -> tuple[Name, ...]:
    """Return the names in `question`: places first, then companies, products and people as far as rules can tell.

    English names are told by capitals inside a sentence; Japanese ones by a company's form of name, or by standing in
    a list of things to compare. What the lexicon knows is a term, and a part of the world is no name.
    """
    found = {form: place for place in places_in(question) for form in place.forms}
    names = list(dict.fromkeys(found.values()))
    for written in proper_names(question):
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
