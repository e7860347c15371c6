"""Words in files: text that any format can hold, periods and units as readers write them, the language of a text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from urllib.parse import SplitResult, quote, urlsplit

from babel.numbers import get_currency_name, is_currency

from research.core import date_in_words
from research.export.document import Citation, Line, ReportDocument, SourceItem, plain
from research.language import Bilingual, Language, Phrase
from research.text import columns

# --- text that any format can hold -----------------------------------------------------------------------------

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
"""Controls, embedded directions, which may reverse what stands after them, and what is no character."""
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")
_HALF_PAIRS = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    """Return `text` without control characters and embedded directions, and without halves of surrogate pairs.

    Line ends and tabs stay.
    """
    return _HALF_PAIRS.sub("\ufffd", _UNPRINTABLE.sub("", _LINE_ENDS.sub("\n", text)))


def one_line(text: str) -> str:
    """Return `text` as one printable line, each run of blanks as one."""
    return " ".join(printable(text).split())


_BREAKS_EARLY = 1.06
"""Lines end before they are full, where a word does."""


def lines_on(text: str, width: float) -> int:
    """Return on about how many lines `text` is set if a line holds `width` letters, of which a wide one counts two."""
    return sum(max(1, math.ceil(_BREAKS_EARLY * columns(row) / width)) for row in text.split("\n"))


def shortened(text: str, widest: int) -> str:
    """Return `text` cut to `widest` letters, of which a wide one counts two; what was cut ends with an ellipsis.

    An English word that would be cut is left out if letters enough stand before it.
    """
    if columns(text) <= widest:
        return text
    kept = text
    while (width := columns(kept)) >= widest:
        kept = kept[: -max(1, (width - widest) // 2)]
    if match := _CUT_WORD.search(kept + text[len(kept)]):
        kept = kept[: match.start()] if 2 * match.start() > len(kept) else kept
    return kept.rstrip() + "…"


_CUT_WORD = re.compile(r"(?<= )[A-Za-z]{2,24}$")
"""What a text ends with that is cut before its last letter."""


# --- where Japanese lines may end ------------------------------------------------------------------------------

_HIRAGANA = re.compile("[\u3041-\u309f]")
_ENDS = "\u3041-\u309f\u3001\u3002\uff0c\uff1a\uff1b\uff1f\uff01\uff09\u300d\u300f\u3011\u301c\uff5e\u30fb"
"""Signs that a Japanese phrase ends with: particles and endings, in hiragana, and closing signs."""
_PHRASE = re.compile(rf".+?(?:[{_ENDS}](?=[^{_ENDS}\u30fc])|\n|$)")


_WORDS = re.compile(r"\s*\S+(?:\s*\[\d+\]\S*)*\s*")


def phrases(text: str) -> list[str]:
    """Return a Japanese text in pieces that are best kept on one line; any other text as one piece."""
    return _PHRASE.findall(text) if _HIRAGANA.search(text) else [text]


def line_ends(text: str, width: float) -> list[int]:
    """Return where a text is best broken into lines of at most `width` letters: between words, or Japanese phrases.

    Its lines are about as long as each other, and none begins with a citation; nothing where it fits on one line.
    """
    pieces = phrases(text) if _HIRAGANA.search(text) else _WORDS.findall(text)
    if columns(text) <= width or any(columns(piece) > width for piece in pieces):
        return []
    least = math.ceil(columns(text) / math.ceil(columns(text) / width))
    tried = [_filled(pieces, wide) for wide in range(least, int(width) + 1)]
    return min(tried, key=len, default=[])


def _filled(pieces: Sequence[str], width: float) -> list[int]:
    """Return the places at which lines end that are filled with pieces up to their width."""
    ends, at, used = list[int](), 0, 0
    for piece in pieces:
        if used and used + columns(piece) > width:
            ends.append(at)
            used = 0
        at, used = at + len(piece), used + columns(piece)
    return ends


# --- addresses that any format can lead to ---------------------------------------------------------------------

_LONGEST_ADDRESS = 2_000
"""Characters; Office cuts or refuses longer addresses."""
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?\.?|\[[0-9A-Fa-f:.]+\]")
_MAIL = re.compile(r"mailto:[A-Za-z0-9.!$&'*+/=^_{|}~-]+@[A-Za-z0-9.-]+")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATH = "/:@!$&'()*+,;=~%-._"


def safe_address(url: str) -> str:
    """Return an `http`, `https` or `mailto` address with every odd character escaped; empty if it cannot be one.

    One link that Office cannot read makes it call a whole file damaged.
    """
    stripped = printable(url).strip()
    try:
        found = stripped if _MAIL.fullmatch(stripped) else _web_address(urlsplit(stripped))
    except ValueError:
        return ""
    found = _STRAY_PERCENT.sub("%25", found)
    return found if len(found) <= _LONGEST_ADDRESS and "\n" not in stripped else ""


def _web_address(parts: SplitResult) -> str:
    """Return an address of the web; empty with a password before its host, which only ever misleads."""
    name, port = parts.hostname or "", parts.port
    host = name if name.isascii() else name.encode("idna").decode("ascii")
    host = f"[{host}]" if ":" in host else host
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _HOST.fullmatch(host):
        return ""
    end = "" if port is None else f":{port}"
    query = f"?{quote(parts.query, _PATH + '?')}" if parts.query else ""
    fragment = f"#{quote(parts.fragment, _PATH + '?')}" if parts.fragment else ""
    return f"{parts.scheme}://{host}{end}{quote(parts.path, _PATH)}{query}{fragment}"


# --- periods ---------------------------------------------------------------------------------------------------

_PERIOD = re.compile(
    r"(?P<fy>FY)?(?P<year>\d{4})(?:-(?P<month>\d\d))?(?:-(?P<day>\d\d))?(?:-(?P<part>[QH]\d))?(?P<decade>s)?"
)
_PART = Bilingual("{whole} {part}", "{whole}{part}")
_RANGE = Bilingual("{first} – {last}", "{first}〜{last}")
_HALVES = {"H1": Phrase("H1"), "H2": Phrase("H2")}


def period_in_words(period: str, language: Language) -> str:
    """Return a canonical period (`FY2024-H1`, `2024-05`) in words: `2024年度上期`, `May 2024`."""
    first, slash, last = period.partition("/")
    if slash and len(last) > 2 and "/" not in last:
        return _RANGE.in_(language).format(first=period_in_words(first, language), last=period_in_words(last, language))
    match = _PERIOD.fullmatch(period)
    if match is None:
        return period
    try:
        whole = _whole(match, language)
    except ValueError:
        return period
    if (part := match["part"]) is None:
        return whole
    return _PART.in_(language).format(whole=whole, part=_HALVES[part].in_(language) if part in _HALVES else part)


def _whole(match: re.Match[str], language: Language) -> str:
    """Return a period without the quarter or half that it may be of; raises `ValueError` if there is no such day."""
    year = match["year"]
    if match["decade"]:
        return Phrase("{year}s").in_(language).format(year=year)
    if match["month"]:
        known = "-".join(filter(None, match.group("year", "month", "day")))
        if (told := date_in_words(known, language)) == known:
            raise ValueError(known)
        return Phrase("FY to {month}").in_(language).format(month=told) if match["fy"] else told
    if match["fy"]:
        return Phrase("FY{year}").in_(language).format(year=year)
    return Phrase("{year}").in_(language).format(year=year) if match["part"] else year


# --- units -----------------------------------------------------------------------------------------------------

_CURRENCY = re.compile(r"\A[A-Z]{3}\b")
_JAPANESE_UNITS = """
JPY=円 days=日 weeks=週 months=か月 quarters=四半期 years=年 points=ポイント pp=ポイント x=倍 units=台・個
people=人 deaths=人（死亡） births=人（出生） households=世帯 companies=社 shops=店 sites=か所 countries=か国
cases=件 times=回 vehicles=台 aircraft=機 ships=隻 buildings=棟 animals=頭・匹 shares=株 seats=席 beds=床
schools=校 hospitals=病院 kinds=種 islands=島 reactors=基 rank=位 acre=エーカー
"""
_JAPANESE = dict(pair.split("=") for pair in _JAPANESE_UNITS.split())
_WORD = re.compile(rf"\b(?:{'|'.join(_JAPANESE)})\b")


def measure_in_words(measure: str, language: Language) -> str:
    """Return a measure (see `research.quantities.measure_of`) in words: `JPY/kWh`, `円/kWh`; `days`, `日`."""
    if language is Language.EN:
        return measure
    named = _CURRENCY.sub(lambda code: _currency(code[0]), measure)
    return _WORD.sub(lambda word: _JAPANESE[word[0]], named)


def _currency(code: str) -> str:
    """Return the Japanese name of a currency; the code if it is none, or has a word of its own here."""
    is_named = is_currency(code) and code not in _JAPANESE
    return str(get_currency_name(code, locale=Language.JA.value)) if is_named else code


# --- the language of a text ------------------------------------------------------------------------------------

# It decides how letters look, lines break and which way they run. Chinese, Japanese and Korean share characters that
# each draws in its own way. Chinese is told by characters that only simplified or only traditional Chinese writes;
# where nothing tells, characters are drawn as in Japanese.
SIMPLIFIED, TRADITIONAL, KOREAN = "zh-Hans", "zh-Hant", "ko"
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_BOPOMOFO = re.compile("[\u3105-\u312f]")
_SCRIPTS = {
    KOREAN: re.compile("[\uac00-\ud7a3]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "en": re.compile("[A-Za-z]"),
}
_LETTERS_OF_A_WORD = 3
"""Letters of an alphabet that say about as much as one Chinese character."""
_SPOKEN = frozenset("這們麼沒她您嗎妳哪吧呢啦啊")
"""Words of every Chinese text that no Japanese name holds."""
_SURE = 2
"""Traditional characters that tell: a single one may stand in an old Japanese name."""
_RARE, _RARE_SHARE = 5, 0.2
"""Characters that are rare in today's Japanese, and their share of a text, from which it is traditional Chinese."""
_SECOND_LEVEL = b"\xd0\xa1"
"""Where the Japanese national set has, in EUC, its second part: what today's Japanese seldom needs."""
_COUNTRIES = {"cn": SIMPLIFIED, "tw": TRADITIONAL, "hk": TRADITIONAL, "mo": TRADITIONAL, "kr": KOREAN}


def tongue(text: str, of_document: Language, around: str = "") -> str:
    """Return the code of the language that most of the text is written in (`ja`, `zh-Hans`), or that of the document.

    Args:
        text: Any text.
        of_document: The language of the document, which holds where the text tells nothing.
        around: What `tongue_of` says of the page that the text is from; it tells of bare Chinese characters.
    """
    if text.isascii() and of_document is Language.EN:
        return of_document.value
    weights = {code: len(signs.findall(text)) / _LETTERS_OF_A_WORD for code, signs in _SCRIPTS.items()}
    weights[KOREAN] *= _LETTERS_OF_A_WORD
    han, kana = _HAN.findall(text), len(_KANA.findall(text))
    east = Language.JA.value if kana or not han else _chinese(text) or around or Language.JA.value
    weights[east] = weights.get(east, 0.0) + len(han) + kana
    code = max(weights, key=lambda one: (weights[one], one == of_document.value))
    return code if weights[code] else of_document.value


def tongue_of(source: SourceItem) -> str:
    """Return which East Asian language the page of a source is written in; empty where nothing tells."""
    said = "\n".join((source.title, *source.quotes))
    if said.isascii():
        return ""
    if _SCRIPTS[KOREAN].search(said):
        return KOREAN
    if _KANA.search(said):
        return Language.JA.value
    return _chinese(said) or _COUNTRIES.get(_country(source.url), "")


def _chinese(text: str) -> str:
    """Return which Chinese a text without kana is written in; empty if it may as well be Japanese."""
    signs = set(_HAN.findall(text))
    if any(_is_simplified(sign) for sign in signs):
        return SIMPLIFIED
    if _BOPOMOFO.search(text) or signs & _SPOKEN or sum(map(_is_traditional, signs)) >= _SURE:
        return TRADITIONAL
    rare = sum(map(_is_rare, signs))
    return TRADITIONAL if rare >= _RARE and rare >= _RARE_SHARE * len(signs) else ""


@cache
def _is_simplified(sign: str) -> bool:
    return _stands_in(sign, "gb2312") and not _stands_in(sign, "euc_jis_2004") and not _stands_in(sign, "big5")


@cache
def _is_traditional(sign: str) -> bool:
    return _stands_in(sign, "big5") and not _stands_in(sign, "euc_jis_2004") and not _stands_in(sign, "gb2312")


@cache
def _is_rare(sign: str) -> bool:
    return _stands_in(sign, "big5") and _stands_in(sign, "euc_jp") and sign.encode("euc_jp") >= _SECOND_LEVEL


def _stands_in(sign: str, charset: str) -> bool:
    """Whether a national character set, which holds what is written in its country, has a sign."""
    try:
        sign.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _country(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rpartition(".")[2]
    except ValueError:
        return ""


class TextLanguages:
    """Says which language each text of a document is in (`ja`, `zh-Hans`); empty where it is the document's own."""

    def __init__(self, document: ReportDocument) -> None:
        self._own = document.language
        self._of_pages = {source.number: tongue_of(source) for source in document.sources}

    def of(self, text: str, number: int | None = None) -> str:
        """Return the language of a text, perhaps from the page of a source, which tells of bare Chinese characters."""
        code = tongue(text, self._own, self._of_pages.get(number, "") if number is not None else "")
        return "" if code == self._own.value else code

    def of_line(self, line: Line) -> str:
        """Return the language of a line, of which the pages that it cites may tell."""
        cited = (piece.number for piece in line if isinstance(piece, Citation))
        return self.of(plain(line), next((number for number in cited if self._of_pages.get(number)), None))
