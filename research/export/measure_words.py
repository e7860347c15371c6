"""Currencies and units as readers of a language write them; a sign that all write the same way stays as it is."""

from __future__ import annotations

import re

from babel.numbers import get_currency_name, is_currency

from research.language import Language

_CURRENCY = re.compile(r"\A[A-Z]{3}\b")
_JAPANESE = {
    "JPY": "円",
    "days": "日",
    "weeks": "週",
    "months": "か月",
    "quarters": "四半期",
    "years": "年",
    "points": "ポイント",
    "pp": "ポイント",
    "x": "倍",
    "units": "台・個",
    "people": "人",
    "deaths": "人（死亡）",
    "births": "人（出生）",
    "households": "世帯",
    "companies": "社",
    "shops": "店",
    "sites": "か所",
    "countries": "か国",
    "cases": "件",
    "times": "回",
    "vehicles": "台",
    "aircraft": "機",
    "ships": "隻",
    "buildings": "棟",
    "animals": "頭・匹",
    "shares": "株",
    "seats": "席",
    "beds": "床",
    "schools": "校",
    "hospitals": "病院",
    "kinds": "種",
    "islands": "島",
    "reactors": "基",
    "rank": "位",
    "acre": "エーカー",
}
_WORD = re.compile(rf"\b(?:{'|'.join(_JAPANESE)})\b")


def in_words(measure: str, language: Language) -> str:
    """Return a measure (see `research.verify.quantities.measure_of`) in words: `JPY/kWh`, `円/kWh`; `days`, `日`."""
    if language is Language.EN:
        return measure
    named = _CURRENCY.sub(lambda code: _currency(code[0]), measure)
    return _WORD.sub(lambda word: _JAPANESE[word[0]], named)


def _currency(code: str) -> str:
    """Return the Japanese name of a currency; the code if it is none, or has a word of its own here."""
    is_named = is_currency(code) and code not in _JAPANESE
    return str(get_currency_name(code, locale=Language.JA.value)) if is_named else code
