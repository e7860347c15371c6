"""Cities by their country: what is said of Hanoi is said of Vietnam.

They come from the time zones of CLDR, in both languages; `cities.txt` adds what those lack.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

from babel import Locale
from babel.core import get_global

from research.text.words import folded

_NO_COUNTRIES = frozenset({"001", "AQ", "TF", "UM", "ZZ"})
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
    for code, name in (*_added(), *_of_time_zones()):
        city = folded(name)
        if code not in _NO_COUNTRIES and city not in taken and _PLAIN.fullmatch(city):
            found[code].setdefault(city)
    return {code: tuple(names) for code, names in found.items()}


def _of_time_zones() -> Iterator[tuple[str, str]]:
    """Yield the city that each time zone is named after, in both languages, with the code of its country."""
    for zone, code in get_global("zone_territories").items():
        yield code, zone.rpartition("/")[2].replace("_", " ")
        for language in ("en", "ja"):
            if city := Locale(language).time_zones.get(zone, {}).get("city"):
                yield code, city


def _added() -> Iterator[tuple[str, str]]:
    """Read lines such as `VN = Hanoi|ハノイ, Saigon|サイゴン`; a line that begins with `#` is a heading."""
    text = resources.files("research.text").joinpath("cities.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, listed = line.split(" = ")
            yield from ((code, name) for city in listed.split(", ") for name in city.split("|"))
