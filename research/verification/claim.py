"""A sentence taken apart: whether it claims anything, its words, names, figures and dates, its clauses and negations.

Headings, questions and transitions claim nothing. A clause is a part with a predicate of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from research.language import Language
from research.quantities import Figure, Period, is_physical, quantities
from research.text import language_of
from research.verification.words import (
    ENGLISH,
    JOINS,
    LIGHT,
    Kind,
    Offsets,
    Term,
    blank,
    digits,
    last_wide_unit,
    names_in,
    terms,
    units,
    visible,
    with_short_names,
    without_surrogates,
)

_QUESTION = re.compile(r"[?？]\s*[\"'”’」』)）]*\s*$|(?:でしょうか|だろうか|ますか|ですか)[。.]?\s*$")
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s|[-*+>|]+\s+|\d{1,3}[.)．）]\s+)|[*_`~|]+")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|[■◆]|【[^】]*】\s*$)")
_DIGIT = re.compile(r"\d|[一二三四五六七八九十百千万億兆]+(?:%|パーセント|割|人|社|円|年|か月|カ月|件|台|倍)")
_STOPS = re.compile(r"[.!。！…][\"'”’」』)）]*\s*$")
_LEADS_IN = re.compile(r"[:：]\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_HIRAGANA = re.compile(r"[ぁ-ゖ]")
_WIDE = re.compile(r"[ぁ-ゖァ-ヺ一-鿿]")

_ABOUT_THE_TEXT = re.compile(
    r"^\W*(?:(?:this|the (?:following|next|present|previous)|our)\s+"
    r"(?:section|chapter|report|table|chart|overview|summary|appendix|paragraph|sections|paragraphs)\b[^.]{0,60}?\s"
    r"(?:(?:is|are) organi[sz]ed|looks? at|describes?|summari[sz]es?|covers?|examines?|discuss(?:es)?|outlines?"
    r"|turns? to|considers?|deals? with|lists?|gives?)\b"
    r"|(?:let us|let's|we (?:now |will |first |then )*(?:turn|look|consider|examine|discuss|begin|move on|proceed))\b"
    r"|(?:see|refer to)\s+(?:also\s+)?(?:the\s+)?(?:section|chapter|table|figure|appendix|below|above)\b)",
    re.IGNORECASE,
)
_ABOUT_THE_TEXT_JA = re.compile(
    r"^\W*(?:本|この|次の|以下の|各)?(?:節|章|項|報告書|レポート|セクション|表|図)(?:で|に)は[^。]{0,80}"
    r"(?:述べる|述べます|見る|見ていく|見ていきます|説明する|説明します|示す|示します|整理する|整理します|概観する|概観します|取り上げる"
    r"|取り上げます|検討する|検討します|まとめる|まとめます|扱う|扱います|紹介する|紹介します|確認する|確認します)[。.]?\s*$"
    r"|^\W*(?:以下|次)(?:に|では|で|で、)[^。]{0,60}(?:述べる|述べます|示す|示します|説明する|説明します|見ていく|見ていきます|まとめる"
    r"|まとめます|整理する|整理します|紹介する|紹介します|検討する|検討します)[。.]?\s*$"
    r"|^\W*(?:以下の通り|以下のとおり|次の通り|次のとおり)(?:である|です)?[。.]?\s*$"
)
_HEADING_WORDS = 10
"""A line of more words than this is a sentence even if each has a capital."""
_HEADING_CHARACTERS = 25
"""The same for Japanese."""


def claims_something(sentence: str) -> bool:
    """Return whether `sentence` states something that a page could bear out.

    False for headings, questions, lead-ins such as "In short:" and remarks on the text itself. When in doubt, True.
    """
    text = unicodedata.normalize("NFKC", sentence[:_LOOKED_AT]).strip()
    if _HEADING.match(text):
        return False
    bare = _MARKUP.sub(" ", text).strip()
    words = [word for word in _WORD.findall(bare) if word.lower() not in ENGLISH]
    if _QUESTION.search(bare) or not words:
        return bool(_DIGIT.search(bare)) and not _QUESTION.search(bare)
    if _ABOUT_THE_TEXT.match(bare) or _ABOUT_THE_TEXT_JA.match(bare):
        return False
    if _DIGIT.search(bare):
        return True
    if _LEADS_IN.search(bare):
        return False
    return not _is_title(bare, words)


_LOOKED_AT = 4_000
"""Characters that are looked at: longer texts are no headings."""


def _is_title(text: str, words: list[str]) -> bool:
    """Whether a line without full stop reads like a heading: no predicate, or every word with a capital."""
    if _STOPS.search(text):
        return False
    if _WIDE.search(text):
        return len(text) <= _HEADING_CHARACTERS and not _HIRAGANA.search(text[-1])
    if len(words) == 1:
        return True
    return len(words) <= _HEADING_WORDS and all(not word[0].islower() for word in words)


_NEGATION_EN = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|barely|fail(?:s|ed|ing)? to"
    r"|den(?:y|ies|ied)|lack(?:s|ed|ing)?|unable to|refus(?:e|es|ed) to|rul(?:e|es|ed|ing) out"
    r"|false(?:ly)?|absence of|instead of"
    r"|rather than)\b|n't\b",
    re.IGNORECASE,
)
_NO_NEGATION_EN = re.compile(
    r"\bnot only\b|\bnot just\b|\bnot merely\b|\bno (?:fewer|less|more|later|earlier) than\b|\bno doubt\b"
    r"|\bwhether or not\b|\bnot (?:necessarily|least)\b|\bNo\.\s?\d|\bno longer than\b"
    r"|\bnot to mention\b"
    r"|\bnone other\b|\bnothing but\b",
    re.IGNORECASE,
)
_NEGATION_JA = re.compile(
    r"(?<![少危切幼拙])な(?:い|かった|く|ければ|し(?:に|で|の|、|。|$))|ません|(?:[らかさたなまわばがせれけめべてきえい])ず(?:[、。にと]|$)"
    r"|ておらず|ぬ(?:[、。]|$)|無(?:い|く|し)|ゼロだっ"
)
_NO_NEGATION_JA = re.compile(
    r"だけで(?:は)?なく|のみならず|ばかり(?:で|か)(?:は)?な?く?|かもしれない|に(?:違い|ちがい|間違い)ない|なければなら(?:ない|なかった)"
    r"|なくてはならない|ざるを得(?:ない|なかった)|に(?:過|す)ぎ(?:ない|なかった)|少なくない|少なくとも|にほかならない|に他ならない"
    r"|(?:ま|間)もなく|なく(?:な(?:る|った|り)|す|し(?:た|て)|せ)|必ず|まず|わずか|思わず|相変わらず|にもかかわらず|問わず|とどまらず|絶えず|おのずと|少なからず"
    r"|なく(?:はない|もない)|やむを得ない|でもなく|限らず|欠かせない|避けられない|(?:ない|なかった)(?=[一-鿿ァ-ヺ])(?!予定|見通し|見込み?|方針|計画|考え|意向|模様|可能性)"
)
"""What looks like a negation and is none. 参加しなかった人 denies nothing of its sentence, 参加しない予定 does."""
_BEHIND = re.compile(r"(?:\s+[\w'-]+){1,6}")
"""Where the word stands that an English negation denies: among the next few."""
_NOTHING_SHOWN = frozenset({"evidence", "sign", "signs", "indication", "proof", "found", "find", "shown", "seen"})
"""`No evidence that it helps` denies the help and not the evidence."""
_BEFORE = 10
"""Characters before a Japanese negation in which the verb that it denies stands."""
_VERB = re.compile(r"[一-鿿々ァ-ヺー]+[ぁ-ん]*\Z")


def is_denied(text: str) -> bool:
    """Return whether a text made plain holds an odd number of negations."""
    rest = _only_real(text)
    return (len(_NEGATION_EN.findall(rest)) + len(_NEGATION_JA.findall(rest))) % 2 == 1


def denied_words(clean: str) -> frozenset[str]:
    """Return what the words that a text made plain denies can be found by, as far as they can be told."""
    text = _only_real(clean)
    found: set[str] = set()
    for match in _NEGATION_EN.finditer(text):
        behind = _BEHIND.match(text, match.end())
        found.update(units(_content(behind.group())) if behind else ())
    for match in _NEGATION_JA.finditer(text):
        verb = _VERB.search(text[max(0, match.start() - _BEFORE) : match.start()])
        found.update(units(verb.group()) if verb else ())
    return frozenset(found)


def _content(words: str) -> str:
    """Return the first word of content."""
    for match in re.finditer(r"[\w'-]+", words):
        low = match.group().lower()
        if low not in LIGHT and low not in _NOTHING_SHOWN and units(low):
            return match.group()
    return ""


def _only_real(text: str) -> str:
    """Return a text without what looks like a negation and is none; the rest stays where it is."""
    return _NO_NEGATION_JA.sub(blank, _NO_NEGATION_EN.sub(blank, text))


_CUT = re.compile(
    r",(?!\d)(?=\s|$)|[;；。()（）—]|:(?=\s)|\s[-–]\s|\b(?:while|whereas|but|although|though|however|which|and|because|when|who|where)\b"
    r"|(?=\b(?:without|instead of|rather than)\b)"
    r"|(?<=[しりえみけせきいくれめてでがばず])、|(?<=[たるいだ])(?:が|一方)(?=、)|(?<=[%円人名社件台回倍歳戸点校])と?、|ものの|一方で"
)
_LEAST = 2
"""Words from which a part of a sentence can stand for itself."""


class Clause(NamedTuple):
    """A part of a sentence; offsets are those of the sentence made plain."""

    text: str
    start: int
    end: int
    units: frozenset[str]
    denied: bool
    """Whether it holds an odd number of negations."""
    denials: frozenset[str]
    """What is denied, as far as that can be told."""
    predicate: str
    """What its last Japanese word is found by: the predicate stands at the end. Empty in English."""


@lru_cache(maxsize=8_192)
def clauses(clean: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence made plain; what holds less than two words is joined to the next."""
    ends: list[int] = []
    start = 0
    for cut in _CUT.finditer(clean):
        if len(units(clean[start : cut.start()])) >= _LEAST:
            ends.append(cut.end())
            start = cut.end()
    if ends and len(units(clean[start:])) < _LEAST:
        ends.pop()
    starts = [0, *ends]
    return tuple(_clause(clean, first, last) for first, last in zip(starts, [*ends, len(clean)], strict=True))


def clause_at(clean: str, offset: int) -> Clause:
    """Return the clause that holds a character of a sentence made plain."""
    found = clauses(clean)
    return next((clause for clause in found if offset < clause.end), found[-1])


def _clause(clean: str, start: int, end: int) -> Clause:
    text = clean[start:end]
    return Clause(text, start, end, frozenset(units(text)), is_denied(text), denied_words(text), last_wide_unit(text))


LONGEST = 3_000
"""Characters of a sentence that are checked: what is longer is no sentence."""

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")


class Claim(NamedTuple):
    """A sentence as it is compared with pages."""

    text: str
    """Visible characters only, with short forms for common names; all offsets refer to it."""
    language: Language
    terms: tuple[Term, ...]
    """Its words without those of figures."""
    figures: tuple[Figure, ...]
    periods: tuple[Period, ...]

    @property
    def digits(self) -> tuple[str, ...]:
        """What its figures can be looked up by."""
        spans = _spans(self.figures, self.periods)
        numerals = {numeral for start, end in spans for numeral in NUMERAL.findall(self.text[start:end])}
        return tuple(sorted(map(digits, numerals)))

    def names(self) -> list[list[int]]:
        """Return the positions of names among its words, those that make up one name together."""
        groups: list[list[int]] = []
        end = -1
        for position, term in enumerate(self.terms):
            if term.kind is not Kind.NAME:
                continue
            if groups and groups[-1][-1] == position - 1 and JOINS.fullmatch(self.text, end, term.start):
                groups[-1].append(position)
            else:
                groups.append([position])
            end = term.start + len(term.text)
        return groups


@lru_cache(maxsize=1_024)
def claim_of(sentence: str) -> Claim:
    """Return `sentence` taken apart."""
    seen = _TAG.sub(lambda tag: " " * len(tag.group()), visible(without_surrogates(sentence[:LONGEST])))
    printed, times = quantities(seen)
    found = tuple(figure for figure in printed if not _is_article(figure))
    text = with_short_names(seen)
    limited = [figure.start for figure in printed if figure.bound is not None]
    words = [
        term
        for term in terms(text, names_in(text), _spans(printed, times))
        if term.units[0] not in _LIMITS or not any(0 < start - term.start <= _BEFORE_FIGURE for start in limited)
    ]
    return Claim(text, language_of(seen), tuple(words), found, tuple(times))


_LIMITS = frozenset({"=more", "=less", "=above", "=below", "=exceed"})
_BEFORE_FIGURE = 12
"""Characters before a figure with a limit in which the word stands that sets it: "more than $500 million"."""


def _spans(found: Iterable[Figure], times: Iterable[Period]) -> list[Offsets]:
    return [(figure.start, figure.end) for figure in found] + [(period.start, period.end) for period in times]


def _is_article(figure: Figure) -> bool:
    """Whether a figure says no more than "a": 1株64円, "one customer"."""
    is_measured = figure.currency is not None or (figure.unit is not None and is_physical(figure.unit))
    is_counted = not is_measured and figure.unit not in ("%", "pp")
    return figure.value == 1 and figure.tolerance >= _WHOLE and is_counted


_WHOLE = 0.5
"""Tolerance of a whole number."""
