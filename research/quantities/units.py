"""Units and currencies: how they are written, and whether two of them can measure the same thing.

What stands behind a number and belongs to it: multiplier, unit or currency, and per what.

Look up the longest of many names that stands at a place in a text written without blanks.

The units that are read: symbol | dimension | size in the dimension's first unit | names.

Units of one dimension can be converted into each other. Names of two or three words are written with blanks; plurals
in "s" need no name of their own.

Units: what stands behind a number, and whether two of them can measure the same thing.

Currencies: signs and codes before a number, names and codes behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from research.quantities.numbers import Numeral


def by_first_character(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return `names` by their first character, longest first."""
    found: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        found.setdefault(name[0], []).append(name)
    return {first: tuple(rest) for first, rest in found.items()}


def name_at(names: Mapping[str, tuple[str, ...]], text: str, start: int) -> str | None:
    """Return the longest of `names` that stands at `start`, or None."""
    for name in names.get(text[start : start + 1], ()):
        if text.startswith(name, start):
            return name
    return None


UNITS = """
%      | share   | 1        | %, percent, per cent, pct, percentage, パーセント, ％, ㌫, プロセント
‰      | share   | 0.1      | ‰, per mille, per mil, パーミル
ppm    | share   | 0.0001   | ppm
pp     | points  | 1        | pp, ppt, ppts, p.p, percentage point, percentage-point, percent point, per cent point, \
%ポイント, パーセントポイント, パーセント・ポイント, ポイント
points | points  | 1        | point
bps    | points  | 0.01     | bp, bps, basis point, ベーシスポイント, ベーシス・ポイント
x      | ratio   | 1        | x, ×, times, fold, 倍
g      | mass    | 0.001    | g, gram, gramme, グラム
mg     | mass    | 0.000001 | mg, milligram, ミリグラム
µg     | mass    | 1e-9     | µg, mcg, microgram, マイクログラム
kg     | mass    | 1        | kg, kilogram, kilogramme, kilo, キログラム, ㎏
t      | mass    | 1000     | t, ton, tonne, metric ton, metric tonne, トン, ㌧
kt     | mass    | 1e6      | kt, kiloton, kilotonne, キロトン
Mt     | mass    | 1e9      | Mt, megaton, megatonne, メガトン
Gt     | mass    | 1e12     | Gt, gigaton, gigatonne, ギガトン
lb     | mass    | 0.45359  | lb, lbs
oz     | mass    | 0.02835  | oz, ounce, オンス
tCO2   | carbon  | 1        | tCO2, tCO2e, t-CO2, t-CO2e, tonnes of CO2, tons of CO2, トンCO2
MtCO2  | carbon  | 1e6      | MtCO2, MtCO2e, Mt-CO2
nm     | nautical | 1       | nm, nmi, nautical mile, 海里
mm     | length  | 0.001    | mm, millimeter, millimetre, ミリメートル, ミリ, ㎜
cm     | length  | 0.01     | cm, centimeter, centimetre, センチメートル, センチ, ㎝
m      | length  | 1        | m, meter, metre, メートル
km     | length  | 1000     | km, kilometer, kilometre, キロメートル, ㎞
mi     | length  | 1609.34  | mi, mile, マイル
ft     | length  | 0.3048   | ft, foot, feet, フィート
in     | length  | 0.0254   | inch, inches, インチ
yd     | length  | 0.9144   | yd, yds, yard, ヤード
m²     | area    | 1        | m², m2, sqm, sq m, square meter, square metre, 平方メートル, 平米, 平方m, ㎡
km²    | area    | 1e6      | km², km2, sqkm, sq km, square kilometer, square kilometre, \
平方キロ, 平方キロメートル, 平方km, ㎢
mi²    | area    | 2589988  | sq mi, square mile, 平方マイル
ft²    | area    | 0.0929   | ft², ft2, sq ft, square foot, square feet, 平方フィート
ha     | area    | 10000    | ha, hectare, ヘクタール, ㌶, ㏊
acre   | area    | 4046.86  | acre, エーカー
坪     | area    | 3.30579  | tsubo, 坪
m³     | volume  | 1        | m³, m3, cu m, cubic meter, cubic metre, 立方メートル, 立米, ㎥
mph    | speed   | 1        | mph
km³    | volume  | 1e9      | km³, km3, cu km, cubic kilometer, cubic kilometre, 立方キロメートル
ft³    | volume  | 0.0283   | ft³, cu ft, cubic foot, cubic feet, 立方フィート
L      | volume  | 0.001    | L, l, liter, litre, リットル, ℓ
mL     | volume  | 0.000001 | mL, ml, milliliter, millilitre, ミリリットル
kL     | volume  | 1        | kL, kl, kiloliter, kilolitre, キロリットル, ㎘
bbl    | volume  | 0.158987 | bbl, bbls, barrel, バレル
gal    | volume  | 0.003785 | gal, gallon, ガロン
mcm    | volume  | 1e6      | mcm
bcm    | volume  | 1e9      | bcm
W      | power   | 1        | W, watt, ワット
kW     | power   | 1000     | kW, kw, KW, kilowatt, キロワット
MW     | power   | 1e6      | MW, megawatt, メガワット
GW     | power   | 1e9      | GW, gigawatt, ギガワット
TW     | power   | 1e12     | TW, terawatt, テラワット
hp     | power   | 745.7    | hp, horsepower, 馬力
Wh     | energy  | 1        | Wh, watt hour, watt-hour, ワット時
kWh    | energy  | 1000     | kWh, kwh, KWh, kilowatt hour, kilowatt-hour, キロワット時, キロワットアワー
MWh    | energy  | 1e6      | MWh, megawatt hour, megawatt-hour, メガワット時
GWh    | energy  | 1e9      | GWh, gigawatt hour, gigawatt-hour, ギガワット時
TWh    | energy  | 1e12     | TWh, terawatt hour, terawatt-hour, テラワット時
MJ     | energy  | 277.778  | MJ, megajoule, メガジュール
GJ     | energy  | 277778   | GJ, gigajoule, ギガジュール
TJ     | energy  | 2.77778e8 | TJ, terajoule
PJ     | energy  | 2.77778e11 | PJ, petajoule, ペタジュール
EJ     | energy  | 2.77778e14 | EJ, exajoule, エクサジュール
Btu    | energy  | 0.293071 | Btu, BTU
MMBtu  | energy  | 293071   | MMBtu, mmbtu
kcal   | energy  | 1.163    | kcal, kilocalorie, キロカロリー
Mtoe   | energy  | 1.163e13 | Mtoe
Ah     | charge  | 1        | Ah
mAh    | charge  | 0.001    | mAh
V      | voltage | 1        | V, volt, ボルト
kV     | voltage | 1000     | kV, kilovolt, キロボルト
A      | current | 1        | ampere, アンペア
Hz     | frequency | 1      | Hz, hertz, ヘルツ
kHz    | frequency | 1000   | kHz, kilohertz
MHz    | frequency | 1e6    | MHz, megahertz, メガヘルツ
GHz    | frequency | 1e9    | GHz, gigahertz, ギガヘルツ
kB     | data    | 1000     | kB, KB, kilobyte
MB     | data    | 1e6      | MB, megabyte, メガバイト
GB     | data    | 1e9      | GB, gigabyte, ギガバイト
TB     | data    | 1e12     | TB, terabyte, テラバイト
PB     | data    | 1e15     | PB, petabyte, ペタバイト
kbps   | bitrate | 1000     | kbps, Kbps
Mbps   | bitrate | 1e6      | Mbps, Mb/s, メガビット毎秒
Gbps   | bitrate | 1e9      | Gbps, Gb/s, ギガビット毎秒
Pa     | pressure | 1       | Pa, pascal, パスカル
hPa    | pressure | 100     | hPa, ヘクトパスカル
kPa    | pressure | 1000    | kPa
MPa    | pressure | 1e6     | MPa
bar    | pressure | 1e5     | bar
dB     | sound   | 1        | dB, decibel, デシベル
°C     | celsius | 1        | °C, ℃, degrees Celsius, degree Celsius, degrees C, deg C, °c, º C, ºC, ° C
°F     | fahrenheit | 1     | °F, ℉, degrees Fahrenheit, degree Fahrenheit, ºF, ° F
°      | celsius | 1        | °, º, degree, 度
TEU    | container | 1      | TEU, TEUs
ms     | clock   | 0.001    | ms, millisecond, ミリ秒
s      | clock   | 1        | s, sec, secs, second, 秒, 秒間
min    | clock   | 60       | min, mins, minute, 分, 分間
h      | clock   | 3600     | h, hr, hrs, hour, 時間
days   | clock   | 86400    | day, 日間, 日
weeks  | clock   | 604800   | wk, wks, week, 週, 週間
months | calendar | 1       | month, か月, カ月, 箇月, か月間, カ月間, 月間
quarters | calendar | 3     | 四半期
years  | calendar | 12      | yr, yrs, year, 歳, 才, 年, 年間, か年, カ年
units  | count   | 1        | unit, piece, pcs, 台, 個, 基, 本, 枚, 点, 機, 両, 体, 着, 足, セット, ユニット
people | count   | 1        | people, person, persons, worker, employee, resident, inhabitant, citizen, \
staff, population, migrant, immigrant, refugee, visitor, tourist, patient, student, pupil, user, subscriber, \
customer, passenger, respondent, participant, graduate, engineer, member, 人, 名, ユーザー
deaths | count   | 1        | death, fatality, fatalities
births | count   | 1        | birth, live birth
households | count | 1      | household, 世帯
companies | count | 1       | company, companies, firm, corporation, enterprise, startup, start-up, supplier, \
manufacturer, 社, 企業
shops  | count   | 1        | shop, store, outlet, restaurant, branch, branches, 店, 店舗
sites  | count   | 1        | factory, factories, plant, site, location, facility, facilities, office, \
か所, カ所, 箇所, 拠点, 工場, 施設
countries | count | 1       | country, countries, nation, か国, カ国
cases  | count   | 1        | case, incident, accident, project, deal, transaction, contract, order, application, 件
times  | ratio   | 1        | occasion, 回
vehicles | count | 1        | vehicle, car, truck, bus, buses, motorcycle
aircraft | count | 1        | aircraft, airplane, aeroplane, helicopter
ships  | count   | 1        | ship, vessel, 隻, 艘
buildings | count | 1       | building, house, home, dwelling, 棟, 戸
animals | count  | 1        | animal, head of cattle, 頭, 匹, 羽
shares | count   | 1        | share, 株
seats  | count   | 1        | seat, 議席, 席
beds   | count   | 1        | bed, 床
schools | count  | 1        | school, university, universities, college, 校
hospitals | count | 1       | hospital, clinic
kinds  | count   | 1        | kind, type, species, 種, 種類, 品目, 銘柄
islands | count  | 1        | island, 島
reactors | count | 1        | reactor
rank   | rank    | 1        | 位
"""


_LAST_LATIN = "\u2e7f"
"""What comes behind this character is written without blanks: kana, kanji, squared units."""


class Unit(NamedTuple):
    """A unit of measure or a thing counted."""

    symbol: str
    dimension: str
    """Units of one dimension can be converted into each other; things counted all have the dimension `count`."""
    size: float
    """How many of the dimension's first unit one of it is."""


class Units(NamedTuple):
    """All units, as they are looked up."""

    by_symbol: Mapping[str, Unit]
    by_name: Mapping[str, Unit]
    first_words: frozenset[str]
    """The first words of Latin names with several words."""
    wide: Mapping[str, tuple[str, ...]]
    """The Japanese names by their first character."""


@cache
def units() -> Units:
    """Return the table of units."""
    by_symbol: dict[str, Unit] = {}
    by_name: dict[str, Unit] = {}
    for line in UNITS.strip().splitlines():
        symbol, dimension, size, names = (part.strip() for part in line.split("|"))
        unit = by_symbol[symbol] = Unit(symbol, dimension, float(size))
        for name in names.split(","):
            by_name.update(dict.fromkeys(_forms(name.strip()), unit))
    first_words = frozenset(name.split(" ")[0] for name in by_name if " " in name)
    wide = by_first_character(name for name in by_name if name[0] > _LAST_LATIN)
    return Units(by_symbol, by_name, first_words, wide)


def _forms(name: str) -> list[str]:
    """Return a name and its plural; abbreviations have none."""
    return [name, name + "s"] if len(name) > 2 and name.isascii() and name.islower() else [name]


_WORD = re.compile(r"[A-Za-zµ°º℃℉%‰×㌫]+(?:[.\-][A-Za-z]+)*(?:[²³]|[23](?![0-9.,]))?e?")
_GAP = " \u00a0\u2009\u202f-"
_CASE_MATTERS = 3
"""Names up to this length are symbols: `MW` is not `mW`."""


def unit_at(text: str, start: int) -> tuple[Unit, int] | None:
    """Return the unit that stands at `start` of a folded text, after a blank or hyphen at most, and its end."""
    character = text[start : start + 1]
    if not character:
        return None
    if character in _GAP:
        start += 1
        character = text[start : start + 1]
        if character == " " or not character:
            return None
    if character > _LAST_LATIN:
        return _wide_unit(text, start)
    word = _WORD.match(text, start)
    return _latin_unit(text, word) if word else None


def _wide_unit(text: str, start: int) -> tuple[Unit, int] | None:
    name = name_at(units().wide, text, start)
    return (units().by_name[name], start + len(name)) if name else None


def _latin_unit(text: str, word: re.Match[str]) -> tuple[Unit, int] | None:
    table = units()
    name, end = word.group(), word.end()
    if name == "%" or name.lower().rstrip(".") in table.first_words:
        longer = _several_words(text, word.start(), end)
        if longer is not None:
            return longer
    unit = table.by_name.get(name)
    if unit is None and len(name) > _CASE_MATTERS:
        unit = table.by_name.get(name.lower())
    if unit is not None:
        return unit, end
    if name[0] in "%°":
        unit = table.by_name.get(name[0])
        return (unit, word.start() + 1) if unit else None
    shorter = name.split("-")[0]
    if shorter != name and shorter in table.by_name:
        return table.by_name[shorter], word.start() + len(shorter)
    return None


_PERCENT_POINTS = re.compile(r"%[ -]?(?:ポイント|・ポイント|points?\b|pts?\b)")
_PHRASE = re.compile(r"[A-Za-z°º]+\.?(?:[ -][A-Za-z0-9]+){1,2}")


def _several_words(text: str, start: int, end: int) -> tuple[Unit, int] | None:
    table = units()
    if points := _PERCENT_POINTS.match(text, start):
        return table.by_symbol["pp"], points.end()
    phrase = _PHRASE.match(text, start, end + 40)
    if phrase is None:
        return None
    words = re.split(r"\.?[ -]", phrase.group())
    stop = phrase.end()
    while len(words) > 1:
        name = " ".join(words)
        unit = table.by_name.get(name) or table.by_name.get(name.lower())
        if unit is not None:
            return unit, stop
        stop -= len(words.pop()) + 1
    return None


def is_physical(symbol: str) -> bool:
    """Whether a unit (its symbol) measures a substance or distance: no things counted, times, shares or ratios."""
    return _dimension(_parted(symbol)[0]) not in _NOT_PHYSICAL


_NOT_PHYSICAL = frozenset({"count", "clock", "calendar", "share", "points", "ratio", "rank"})


def compatible(one: str | None, other: str | None) -> bool:
    """Whether figures in these units (symbols, with `/` for a rate) can be the same quantity.

    An unknown unit goes with every unit; `units` and `cases` are general words for anything counted.
    """
    if one is None or other is None or one == other:
        return True
    (first, per), (second, other_per) = _parted(one), _parted(other)
    if per and other_per and per != other_per and _dimension(per) != _dimension(other_per):
        return False
    if not first or not second or first == second:
        return True
    dimension = _dimension(first)
    if dimension != _dimension(second):
        return False
    return dimension != "count" or not {"units", "cases"}.isdisjoint((first, second))


def conversion(one: str | None, other: str | None) -> float:
    """Return what a value in `one` is multiplied by to be in `other`; 1 where either is unknown. Both compatible."""
    if one is None or other is None or one == other:
        return 1.0
    (first, per), (second, other_per) = _parted(one), _parted(other)
    factor = _size(first) / _size(second) if first and second else 1.0
    return factor * _size(other_per) / _size(per) if per and other_per else factor


def _parted(symbol: str) -> tuple[str, str]:
    first, _, per = symbol.partition("/")
    return first, per


def _dimension(symbol: str) -> str:
    unit = units().by_symbol.get(symbol)
    return unit.dimension if unit else symbol


def _size(symbol: str) -> float:
    unit = units().by_symbol.get(symbol)
    return unit.size if unit else 1.0


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
_WORD_UNITS_MONEY = re.compile(r"[ \u00a0-]?([A-Za-z.]+)")
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
    word = _WORD_UNITS_MONEY.match(text, start)
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


_WORD_SCALES = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "lakh": 5,
    "crore": 7,
    "mn": 6,
    "mln": 6,
    "bn": 9,
    "bln": 9,
    "tn": 12,
    "trn": 12,
}
_LETTER_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9}
_MONEY_SCALES = {"k": 3, "K": 3, "m": 6, "M": 6, "mm": 6, "MM": 6, "b": 9, "B": 9, "t": 12, "T": 12}
"""Letters that are multipliers only where a currency goes before: `$3m` is money, `3m` a length."""

_SCALE = re.compile(r"[ \u00a0-]?([A-Za-z]{1,8})(?![A-Za-z])")
_INITIALS = frozenset("tmblckTMBLCK")
_ENDS = frozenset("\n\r\t|,;:)]。、")
_GOES_ON_WITHOUT = frozenset("|(+–—=0123456789")
"""Behind a blank, these begin something else than a unit."""
_PARTS_OF_TEN = re.compile(r"割(?:([1-9一二三四五六七八九])分(?!の))?(?!合|引|高|安|り)")
_KANJI_DIGITS = "〇一二三四五六七八九"
_PER = re.compile(
    r" ?/ ?| per (?!cent\b)| an? (?=(?:year|month|week|day|hour)\b(?! (?:earlier|ago|before|later)))|毎(?=[時分秒])"
)
_PER_NUMBER = re.compile(r"(10{2,6}|1(?:,000){1,3}|10{1,2}(?:,000){1,2})(?![0-9,])")
_PER_WORD = {"capita": "people", "head": "people", "annum": "years", "woman": "people", "household": "households"}
_WORD_FIGURES_AFTER = re.compile(r"[A-Za-z]+")
_SINGULAR = {
    "people": "person",
    "years": "year",
    "months": "month",
    "weeks": "week",
    "days": "day",
    "quarters": "quarter",
    "households": "household",
    "vehicles": "vehicle",
    "units": "unit",
    "shares": "share",
}


class After(NamedTuple):
    """A number with all that belongs to it on its right."""

    number: Numeral
    unit: str | None
    currency: str | None
    end: int

    @property
    def is_measured(self) -> bool:
        """Whether anything says what the number measures."""
        return self.unit is not None or self.currency is not None or self.number.scale != 1.0


def after(text: str, number: Numeral, currency: str | None = None) -> After:
    """Read on behind `number` in a folded text; `currency` is what stood before it."""
    number = _scaled(text, number, has_currency=currency is not None)
    end = number.end
    following = text[end : end + 1]
    if not following or following in _ENDS or (following == " " and text[end + 1 : end + 2] in _GOES_ON_WITHOUT):
        return After(number, None, currency, end)
    if following == "割" and (tenths := _PARTS_OF_TEN.match(text, end)):
        return _in_tenths(number, tenths)
    unit: str | None = None
    if (part := hundredth_at(text, end)) is not None:
        number = number.scaled(-2, end)
        currency, end = currency or part[0] or None, part[1]
    elif (named := currency_at(text, end)) is not None:
        currency, end = currency or named[0] or None, named[1]
    elif (found := unit_at(text, end)) is not None:
        unit, end = found[0].symbol, found[1]
    return _with_rate(text, After(number, unit, currency, end))


def _scaled(text: str, number: Numeral, *, has_currency: bool) -> Numeral:
    following = text[number.end : number.end + 1]
    if not (following in _INITIALS or (following in " \u00a0-" and text[number.end + 1 : number.end + 2] in _INITIALS)):
        return number
    match = _SCALE.match(text, number.end)
    if match is None:
        return number
    word, end = match[1], match.end()
    exponent = _WORD_SCALES.get(word.lower(), 0)
    if not exponent and has_currency:
        exponent = _MONEY_SCALES.get(word, 0)
    if not exponent and match.start(1) == number.end:
        exponent = _LETTER_SCALES.get(word, 0)
        if word == "m" and _counts(text, end):
            exponent = 6
    return number.scaled(exponent, end) if exponent else number


def _counts(text: str, start: int) -> bool:
    """Whether a unit or currency follows after a blank, so that `m` before it is no unit itself."""
    if text[start : start + 1] != " ":
        return False
    unit = unit_at(text, start)
    return currency_at(text, start) is not None or (unit is not None and unit[1] - start > 2)


def _in_tenths(number: Numeral, match: re.Match[str]) -> After:
    """Return `3割5分` as 35%."""
    whole = number.scaled(1, match.end())
    value, step, scale = whole.value, whole.step, whole.scale
    if match[1]:
        value += float(match[1]) if match[1].isdecimal() else _KANJI_DIGITS.index(match[1])
        step = scale = 1.0
    return After(Numeral(value, step, scale, number.start, match.end()), "%", None, match.end())


def _with_rate(text: str, found: After) -> After:
    """Add what a value is per (`bbl/day`, `people/km²`); shares stay as they are."""
    if found.unit in ("%", "pp", "bps", "x") or not (found.unit or found.currency):
        return found
    per = _PER.match(text, found.end)
    if per is None:
        return found
    if number := _PER_NUMBER.match(text, per.end()):
        symbol, end = number[1].replace(",", ""), number.end()
    elif (unit := unit_at(text, per.end())) is not None and text[per.end()] not in " -":
        symbol, end = _SINGULAR.get(unit[0].symbol, unit[0].symbol), unit[1]
    elif (word := _WORD_FIGURES_AFTER.match(text, per.end())) and word.group() in _PER_WORD:
        symbol, end = _SINGULAR[_PER_WORD[word.group()]], word.end()
    else:
        return found
    return found._replace(unit=f"{found.unit or ''}/{symbol}", end=end)
