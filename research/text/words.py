"""Words of both languages: the one tokeniser, which language a text is in, and a small dictionary between them."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

import snowballstemmer
from babel import Locale

from research.language import Language

_LATIN = r"[a-z]+-\d[a-z0-9]*|[a-zà-ɏ0-9]+(?:[.,](?=\d)\d+)*(?:['’][a-z]+)?"
_CJK = r"[㐀-䶿一-鿿豈-﫿々ァ-ヺー]"
_JOINED_BY_KANA = r"(?:[りきみけえれめ](?=[一-鿿])[一-鿿]+)*"
_TOKEN = re.compile(rf"({_LATIN})|({_CJK}+)")
_WORD = re.compile(rf"(?:{_LATIN})|{_CJK}+{_JOINED_BY_KANA}")

_ENGLISH = """
a about across after against all also am among an and any are as at available based be because been before being
between both but by can could current describe did do does doing during each either else etc every explain find for
from get give given had has have having he her here him his how i if in information into is it its just key kind kinds
know last latest let like main make many may me might more most much must my need new no nor not now of off on one only
or other our out over overview own part per please possible question questions regarding report say see
several shall want wants wanted she should show since so some such summarise summarize summary tell than that the their
them then there these they this those through to today topic under until up us use used using versus very vs was way we
well were what when where whether which while who whom whose why will with within would you your compare compared
comparing comparison set reach really actually truly still already yet even course mean means take stands stand join
together good better best document documents run runs comparisons differ difference differences different directly
known
"""
_STOP_EN = frozenset(_ENGLISH.split())
_JAPANESE = """
比較 調査 調 教 方 何 事 物 点 為 今 今後 現在 最近 最新 場合 情報 内容 概要 概況 状況 事情 様子 詳細
説明 分析 整理 要約 関連 関 対 中 上 下 前 後 間 等 他 各 主 主要 具体 具体的 必要 可能
可能性 以上 以下 以内 問 答 確認 資料 報告 報告書 レポート テーマ トピック ポイント 違 差 知 見
言 行 考 述 及 並 次 例 際 時 度 的 性 化 者 特 同 全 本 当 約 直接
"""
_STOP_JA = frozenset(_JAPANESE.split())
_SCRIPTS = re.compile(r"(?<=[ァ-ヺー]{3})(?=[一-鿿]{2})|(?<=[一-鿿]{2})(?=[ァ-ヺー]{3})")
"""Where a compound of two words changes its script: サービス|拠点."""
_ACCENTS = re.compile(r"[\u0300-\u036f]+")
_ENDING = r"(?:[りきみけえれめしげせびいち](?=$|[^ぁ-ん]|[のをはがにでとやへも]|など|から|まで|より))?"
"""The kana that end a noun, as in 取り組み: they do not count where texts are compared, but belong to the word."""
_TAIL = re.compile(r"(?<=..)(?:状況|概要|概況|事情|比較|調査|分析|情報)$")


def folded(text: str) -> str:
    """Return `text` as it is compared: one form of each character, lower case, no accents, one kind of apostrophe."""
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", plain).lower().replace("’", "'")


def stands_whole(words: str, text: str) -> bool:
    """Whether a text holds words by themselves, and not inside others: no Ford in afford. Both are folded."""
    return re.search(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", text) is not None


def columns(text: str) -> int:
    """Return the width of `text`, wide characters counting two."""
    if text.isascii():
        return len(text)
    return len(text) + sum(map("WF".__contains__, map(unicodedata.east_asian_width, text)))


def tokens(text: str) -> list[str]:
    """Return what texts are compared by: Latin words without plural, and pairs of neighbouring CJK characters."""
    found: list[str] = []
    for latin, wide in _TOKEN.findall(folded(text)):
        if latin:
            found.append(singular(latin))
        elif len(wide) == 1:
            found.append(wide)
        else:
            found.extend(wide[index : index + 2] for index in range(len(wide) - 1))
    return found


def content_words(text: str) -> list[str]:
    """Return the words of `text` that say what it is about, once each, in order; Latin ones in lower case."""
    found = (part for word in _WORD.findall(folded(text)) for part in _SCRIPTS.split(word))
    words = (_TAIL.sub("", word).removesuffix("'s") for word in found)
    return list(dict.fromkeys(word for word in words if not is_stop_word(word)))


def spelt(word: str, text: str) -> str:
    """Return one of the `content_words` of `text` as it stands there, with its capitals and the kana that end it."""
    escaped = re.escape(word)
    pattern = rf"(?<![a-z0-9]){escaped}(?![a-z0-9])" if word.isascii() else escaped + _ENDING
    match = re.search(pattern, text, re.IGNORECASE)
    return match.group() if match else word


def without_accents(word: str) -> str:
    """Return a word in lower case in the letters that a keyboard without accents has: `naïve` as `naive`."""
    bare = "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part))
    return bare.translate(_UNACCENTED)


_UNACCENTED = str.maketrans({"đ": "d", "ø": "o", "ł": "l", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})


def is_stop_word(word: str) -> bool:
    """Whether a folded word says nothing about the subject."""
    if word.isascii():
        return len(word) < 2 or word.removesuffix("'s") in _STOP_EN
    return len(word) < 2 or word in _STOP_JA


def singular(word: str) -> str:
    """Return an English word in lower case without its plural ending, by rule; others mostly as they are."""
    word = word.removesuffix("'s")
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1]


_stemmers = threading.local()


_AMERICAN = (
    (re.compile(r"^programme"), "program"),
    (re.compile(r"(?<=..)([iy])s(?=(?:e[drs]?|ing|ations?|able)$)"), r"\1z"),
    (re.compile(r"^(arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rum|val|vap|vig)our"), r"\1or"),
    (re.compile(r"^(cent|fib|lit|met|theat)re(?=s?$)"), r"\1er"),
    (re.compile(r"^(def|lic|off|pret)ence"), r"\1ense"),
    (re.compile(r"(?<=alog)ue(?=s?$)"), ""),
)
"""What is spelt one way in Britain and another in America."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return an English word in lower case without its ending: exports, exported and exporting are one.

    So are programme and program, organised and organized.
    """
    for britain, america in _AMERICAN:
        word = britain.sub(america, word)
    if not hasattr(_stemmers, "english"):  # A stemmer holds the word that it works on: each thread has its own.
        _stemmers.english = snowballstemmer.stemmer("english")
    found: str = _stemmers.english.stemWord(word)
    return found


KANA = re.compile(r"[ぁ-ゖァ-ヺｦ-ﾝ]")
KANJI = re.compile(r"[㐀-䶿一-鿿豈-﫿々]")
_LATIN_LETTER = re.compile(r"[A-Za-zÀ-ɏ]")

_SAMPLE = 4_000
"""Characters looked at: enough to tell, and the same time for every text."""
_KANA_SHARE = 0.1
"""Share of kana among letters from which a mixed text is Japanese: an English page may cite a Japanese name."""


def language_of(text: str) -> Language:
    """Return the language of `text`: kana make it Japanese, and so do bare kanji without any Latin letter.

    Language detectors call bare kanji Chinese; here they are read as Japanese. What is neither counts as English.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return Language.EN
    kana, kanji = (len(pattern.findall(sample)) for pattern in (KANA, KANJI))
    if not kana and not kanji:
        return Language.EN
    latin = len(_LATIN_LETTER.findall(sample))
    is_japanese = kana + kanji >= _KANA_SHARE * latin if kana else not latin
    return Language.JA if is_japanese else Language.EN


def is_written_in(text: str, language: Language) -> bool:
    """Whether `text` may pass for prose in `language`, whatever names and quotes of the other it holds.

    Japanese needs kana for a tenth of its Latin letters, which tells it from Chinese as well; English may have no more
    kana and kanji than Latin letters. Texts without letters pass.
    """
    sample = text[:_SAMPLE]
    kana, kanji, latin = (len(pattern.findall(sample)) for pattern in (KANA, KANJI, _LATIN_LETTER))
    if language is Language.EN:
        return kana + kanji <= latin
    return kana > _KANA_SHARE * latin or not kana + kanji + latin


_SOUNDS = {
    "": "ァアィイゥウェエォオーッャュョワヰヱヲ",
    "k": "カキクケコガギグゲゴヵヶ",
    "s": "サシスセソザジズゼゾ",
    "t": "タチツテトダヂヅデド",
    "n": "ナニヌネノン",
    "h": "ハヒヘホ",
    "f": "フバビブベボパピプペポヴ",
    "m": "マミムメモ",
    "y": "ヤユヨ",
    "r": "ラリルレロ",
}
_SOUND_OF_KANA = {kana: sound for sound, row in _SOUNDS.items() for kana in row}
_SPELLINGS = (
    ("ph", "f"), ("th", "s"), ("ch|dg", "t"), ("sh", "s"), ("[cg](?=[eiy])", "s"), ("ck|[cgq]", "k"), ("x", "ks"),
    ("[dj]", "t"), ("[bpv]", "f"), ("z", "s"), ("l", "r"), ("y(?![aeiou])", ""), ("[^a-z]|[aeiouw]", ""),
    (r"(.)\1", r"\1"),
)  # fmt: skip


def sound_of(word: str) -> str:
    """Return the consonants of a katakana or Latin word by their kind: アップル and Apple are nearly the same then.

    Katakana writes r for l and b for v, and vowels where English has none; voice and vowels are left out.
    """
    low = folded(word)
    if not low.isascii():
        return "".join(_SOUND_OF_KANA.get(kana, "") for kana in word)
    for spelling, sound in _SPELLINGS:
        low = re.sub(spelling, sound, low)
    return low


# --- the dictionary: countries come from CLDR, words of business, economy and society from `lexicon.txt`, where every
# term of a line leads to the first one on the other side, so that a query does not drown in synonyms.

_KATAKANA = re.compile(r"[\u30a1-\u30fc]")
_ENGLISH_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_AND = re.compile(r"\b([a-z]+) (?P<and>and) (?=(?P<next>[a-z]+))", re.IGNORECASE)
_COUNTRY = re.compile(r"[A-Z]{2}")
_NO_COUNTRY = ("QO", "XA", "XB", "ZZ")
"""Codes of CLDR for the rest of Oceania, for tests, and for unknown places."""


def expand(query: str) -> str:
    """Return `query` and, behind it, the words of the other language for the terms it holds."""
    said = query.casefold()
    added = [word for word in dict.fromkeys(_translations(query)) if word.casefold() not in said]
    return " ".join([query, *added])


def _translations(query: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", query)
    for term in japanese_terms(plain):
        yield from term.english
    yield from _from_english(plain)


class LexiconTerm(NamedTuple):
    """A Japanese term of the dictionary where it stands in a text, and its English."""

    start: int
    end: int
    english: tuple[str, ...]


def japanese_terms(text: str) -> Iterator[LexiconTerm]:
    """Yield each Japanese term of `text` (in NFKC), the longest first where terms overlap."""
    dictionary = _dictionary()[0]
    longest = _longest_from()
    at = 0
    while at < len(text):
        for end in range(min(len(text), at + longest.get(text[at], 0)), at, -1):
            if text[at:end] in dictionary and _stands_alone(text, at, end):
                yield LexiconTerm(at, end, tuple(dictionary[text[at:end]]))
                at = end
                break
        else:
            at += 1


def other_words(term: str) -> tuple[str, ...]:
    """Return the other English terms of the dictionary for the same thing: what one page calls net sales is revenue."""
    english = _dictionary()[0].get(unicodedata.normalize("NFKC", term), [])
    others = (other for one in (*english, term) for other in _in_other_words().get(_english(one), ()))
    return tuple(dict.fromkeys((*english, *others)))


@cache
def _japanese_alike() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for japanese, _ in _terms():
        for term in japanese:
            found.setdefault(term, {}).update(dict.fromkeys(one for one in japanese if one != term))
    return {term: tuple(others) for term, others in found.items()}


def japanese_alike(term: str) -> tuple[str, ...]:
    """Return the other Japanese terms of the dictionary for the same thing: 苦情 for クレーム."""
    return _japanese_alike().get(unicodedata.normalize("NFKC", term), ())


@cache
def _in_other_words() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for _, english in _terms():
        for term in english:
            others = tuple(one for one in english if one != term)
            found[_english(term)] = tuple(dict.fromkeys((*found.get(_english(term), ()), *others)))
    return found


@cache
def _longest_from() -> dict[str, int]:
    """Return the length of the longest Japanese term that begins with each character that any begins with."""
    terms = sorted(_dictionary()[0], key=len)
    return {term[0]: len(term) for term in terms}


@cache
def english_terms() -> frozenset[tuple[str, ...]]:
    """Return the English terms of the dictionary, each as its words in lower case and without plural endings."""
    return frozenset(_dictionary()[1])


@cache
def _joined() -> frozenset[tuple[str, str]]:
    """Return the words that “and” joins to one English term of the dictionary."""
    ands = ((term, place) for term in english_terms() for place, word in enumerate(term) if word == "and")
    return frozenset((term[place - 1], term[place + 1]) for term, place in ands)


def split_beside_terms(separator: re.Pattern[str], text: str) -> Iterator[str]:
    """Split a text at what separates, but not inside of a term: research and development is one thing."""
    inside = {
        match.start("and")
        for match in _AND.finditer(text)
        if (singular(match[1].casefold()), singular(match["next"].casefold())) in _joined()
    }
    start = 0
    for match in separator.finditer(text):
        if match.start() not in inside:
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def _stands_alone(query: str, start: int, end: int) -> bool:
    """Whether a katakana term is a word and no part of a longer one (タイ in タイミング)."""
    left = _KATAKANA.match(query, start) and start > 0 and _KATAKANA.match(query, start - 1)
    right = _KATAKANA.match(query, end - 1) and _KATAKANA.match(query, end)
    return not left and not right


def _from_english(query: str) -> Iterator[str]:
    """Yield the Japanese for each English term, the longest first where terms overlap."""
    dictionary = _dictionary()[1]
    longest = max(map(len, dictionary))
    words = _english(query)
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + longest), at, -1):
            if words[at:end] in dictionary:
                yield from dictionary[words[at:end]]
                at = end
                break
        else:
            at += 1


def _english(text: str) -> tuple[str, ...]:
    """Return the English words of a text in lower case, without accents and plural endings."""
    plain = "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))
    words: list[str] = _ENGLISH_WORD.findall(plain.lower())
    return tuple(map(singular, words))


_Dictionary = tuple[dict[str, list[str]], dict[tuple[str, ...], list[str]]]


@cache
def _dictionary() -> _Dictionary:
    """Return Japanese to English, and English (as words) to Japanese."""
    to_english: dict[str, list[str]] = {}
    to_japanese: dict[tuple[str, ...], list[str]] = {}
    for japanese, english in [*_countries(), *_terms()]:
        for term in japanese:
            to_english.setdefault(term, []).append(english[0])
        for term in english:
            if words := _english(term):
                to_japanese.setdefault(words, []).append(japanese[0])
    return to_english, to_japanese


def _countries() -> Iterable[tuple[list[str], list[str]]]:
    japanese, english = Locale("ja").territories, Locale("en").territories
    codes = [
        code for code in sorted(english) if code in japanese and _COUNTRY.fullmatch(code) and code not in _NO_COUNTRY
    ]
    return [
        ([unicodedata.normalize("NFKC", japanese[code])], [english[code].replace("St. ", "Saint ")]) for code in codes
    ]


def _terms() -> Iterable[tuple[list[str], list[str]]]:
    """Read lines such as `輸出, 輸出額 = exports`; a line that begins with `#` is a heading."""
    text = resources.files("research.text").joinpath("lexicon.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            japanese, english = line.split(" = ")
            yield japanese.split(", "), english.split(", ")
