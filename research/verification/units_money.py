"""Currencies: signs and codes before a number, names and codes behind it."""

from __future__ import annotations

import re

from research.verification.units_names import by_first_character, name_at

SIGNS = "$€£¥₩₹₽₺₫฿₱₪₦₴"

_BY_SIGN = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₩": "KRW",
    "₹": "INR",
    "₽": "RUB",
    "₺": "TRY",
    "₫": "VND",
    "฿": "THB",
    "₱": "PHP",
    "₪": "ILS",
    "₦": "NGN",
    "₴": "UAH",
}
_BY_COUNTRY = {
    "US$": "USD",
    "U.S.$": "USD",
    "A$": "AUD",
    "AU$": "AUD",
    "C$": "CAD",
    "CA$": "CAD",
    "HK$": "HKD",
    "NT$": "TWD",
    "S$": "SGD",
    "SG$": "SGD",
    "NZ$": "NZD",
    "R$": "BRL",
    "MX$": "MXN",
    "CN¥": "CNY",
    "RMB¥": "CNY",
    "JP¥": "JPY",
}
_CODE_LIST = """
USD EUR JPY GBP CNY KRW INR TWD HKD SGD AUD NZD CAD CHF SEK NOK DKK PLN CZK HUF RUB UAH TRY BRL MXN ARS CLP THB VND
IDR MYR PHP ZAR NGN KES EGP ILS AED SAR QAR KWD PKR BDT
"""
_CODES = frozenset(_CODE_LIST.split())
_OTHER_CODES = {"RMB": "CNY", "Rs": "INR", "Rs.": "INR", "Rp": "IDR", "RM": "MYR", "CNH": "CNY"}

_NAMES = {
    "dollar": "USD",
    "us dollar": "USD",
    "u.s. dollar": "USD",
    "american dollar": "USD",
    "canadian dollar": "CAD",
    "australian dollar": "AUD",
    "hong kong dollar": "HKD",
    "singapore dollar": "SGD",
    "new zealand dollar": "NZD",
    "taiwan dollar": "TWD",
    "new taiwan dollar": "TWD",
    "euro": "EUR",
    "yen": "JPY",
    "japanese yen": "JPY",
    "yuan": "CNY",
    "chinese yuan": "CNY",
    "renminbi": "CNY",
    "won": "KRW",
    "korean won": "KRW",
    "south korean won": "KRW",
    "rupee": "INR",
    "indian rupee": "INR",
    "baht": "THB",
    "thai baht": "THB",
    "dong": "VND",
    "rupiah": "IDR",
    "ringgit": "MYR",
    "ruble": "RUB",
    "rouble": "RUB",
    "swiss franc": "CHF",
    "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "british pound": "GBP",
    "peso": "",
    "franc": "",
    "pound": "",
}
"""Names in lower case without the plural's "s"; an empty value is money that could be of several countries."""
_LONGEST_NAME = 48
_FIRST_WORDS = frozenset(first for name in _NAMES for first in (name.split(" ")[0].rstrip("."), f"{name.split()[0]}s"))
"""What such a name begins with, in the plural too: most words behind a number name no currency."""

_JAPANESE = {
    "円": "JPY",
    "ドル": "USD",
    "米ドル": "USD",
    "USドル": "USD",
    "㌦": "USD",
    "香港ドル": "HKD",
    "台湾ドル": "TWD",
    "台湾元": "TWD",
    "豪ドル": "AUD",
    "カナダドル": "CAD",
    "加ドル": "CAD",
    "シンガポールドル": "SGD",
    "ニュージーランドドル": "NZD",
    "NZドル": "NZD",
    "ユーロ": "EUR",
    "ポンド": "GBP",
    "英ポンド": "GBP",
    "元": "CNY",
    "人民元": "CNY",
    "中国元": "CNY",
    "ウォン": "KRW",
    "韓国ウォン": "KRW",
    "ルピー": "INR",
    "インドルピー": "INR",
    "バーツ": "THB",
    "タイバーツ": "THB",
    "ドン": "VND",
    "ルピア": "IDR",
    "リンギット": "MYR",
    "ルーブル": "RUB",
    "スイスフラン": "CHF",
}
_JAPANESE_NAMES = by_first_character(_JAPANESE)

_BEFORE = re.compile(
    r"(?:(?<![A-Za-z])([A-Z][A-Za-z.]{0,3})?([$€£¥₩₹₽₺₫฿₱₪₦₴])|(?<![A-Za-z])([A-Z][A-Za-z]{1,2}\.?))[ \u00a0]?\Z"
)
_WORD = re.compile(r"[ \u00a0-]?([A-Za-z.]+)")
_WORDS = re.compile(r"[A-Za-z.]+(?: [A-Za-z]+){0,3}")


_HUNDREDTHS = re.compile(
    r"(?P<GBP>[ \u00a0-]?(?:pence\b|penny\b|ペンス)|(?:(?<=\.\d)|(?<=\.\d\d))p\b)|[ \u00a0-]?(?:cents?\b|セント)"
)


def hundredth_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the currency whose hundredth part is named at `start` (pence, cents), and its end; empty if of several."""
    match = _HUNDREDTHS.match(text, start)
    return (match.lastgroup or "", match.end()) if match else None


def currency_before(text: str, end: int) -> tuple[str, int] | None:
    """Return the currency (ISO 4217) printed right before `end` of a folded text, and where it starts."""
    offset = max(0, end - 8)
    match = _BEFORE.search(text[offset:end])
    if match is None:
        return None
    prefix, sign, code = match.groups()
    start = offset + match.start()
    if sign:
        currency = _BY_COUNTRY.get((prefix or "") + sign)
        if currency is None and prefix in _CODES:
            currency = prefix
        return (currency, start) if currency else (_BY_SIGN[sign], offset + match.start(2))
    currency = code if code in _CODES else _OTHER_CODES.get(code)
    return (currency, start) if currency else None


def currency_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the currency named at `start` of a folded text, after a blank or hyphen at most, and its end.

    The currency is empty for names such as "pounds" that say that it is money, or not even that.
    """
    begin = start + 1 if text[start : start + 1] in (" ", "\u00a0") else start
    first = text[begin : begin + 1]
    if name := name_at(_JAPANESE_NAMES, text, begin):
        return _JAPANESE[name], begin + len(name)
    if first > "\u2e7f":
        return None
    if first and first in SIGNS and begin == start:
        return None if text[begin + 1 : begin + 2].isdigit() else (_BY_SIGN[first], begin + 1)
    word = _WORD.match(text, start)
    return _named(text, word.start(1), word[1].rstrip(".")) if word else None


def _named(text: str, start: int, first: str) -> tuple[str, int] | None:
    """Return the currency that the words at `start` name; `first` is the first of them."""
    if first in _CODES or first in _OTHER_CODES:
        return _OTHER_CODES.get(first, first), start + len(first)
    if first.lower() not in _FIRST_WORDS:
        return None
    words = _WORDS.match(text, start, start + _LONGEST_NAME)
    parts = words.group().split(" ") if words else []
    while parts:
        name = " ".join(parts).lower().rstrip(".")
        currency = _NAMES.get(name, _NAMES.get(name.removesuffix("s")))
        if currency is not None:
            return currency, start + len(name)
        parts.pop()
    return None
