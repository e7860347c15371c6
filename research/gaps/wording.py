"""Missing points as words: which say the same, and how they are put."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from research.core import Aspect, Section
from research.language import Language
from research.text import (
    Concept,
    Name,
    content_words,
    english_terms,
    expand,
    folded,
    is_stop_word,
    japanese_terms,
    language_of,
    names_in,
    query_of,
    regions_in,
    spelt,
    tokens,
)

_LINES = """
growth, grow, grew, growing, grown, increase, increased, rise, rose, expansion, expand, expanded, 成長, 増加, 拡大, 伸び
decline, declined, fall, fell, decrease, decreased, drop, dropped, shrink, shrank, 減少, 縮小, 低下, 下落
competitor, rival, competition, competing, player, vendor, 競合, 競争, 各社
company, firm, player, vendor, manufacturer, maker, supplier, producer, 企業, メーカー, 事業者, 会社
customer, buyer, user, client, consumer, 顧客, 利用者, ユーザー, 消費者, 取引先
risk, threat, hazard, danger, リスク, 脅威, 危険
regulation, regulatory, regulated, rule, law, legislation, legal, directive, 規制, 規則, 法律, 法令, 制度, 法案
policy, policies, program, programme, 政策, 施策
forecast, outlook, projection, projected, expect, expected, predict, predicted, 予測, 見通し, 見込み, 予想
plan, planned, target, goal, strategy, roadmap, 計画, 目標, 戦略, 方針
case, example, instance, 事例, 実例, 具体例, 例えば
definition, defined, refer, meaning, 定義, とは, 意味
cause, reason, driver, factor, driven, 要因, 原因, 理由, 背景
effect, impact, influence, consequence, affect, affected, 影響, 効果, 波及
challenge, problem, issue, obstacle, barrier, difficulty, constraint, 課題, 問題, 障壁, 制約
advantage, strength, benefit, merit, 利点, メリット, 強み, 優位
disadvantage, weakness, drawback, limitation, limit, 弱み, 欠点, デメリット, 限界, 短所
price, pricing, priced, 価格, 値段, 単価
cost, expense, expenditure, spending, 費用, コスト, 原価, 支出, 経費
sale, revenue, turnover, 売上, 売上高, 販売, 収入
profit, profitability, margin, earning, income, 利益, 収益, 損益
technology, technologies, technical, technique, 技術, テクノロジー
investment, invest, invested, investor, funding, 投資, 出資, 資金調達
demand, consumption, 需要, 消費
supply, production, output, 供給, 生産, 産出
history, founded, established, origin, 歴史, 沿革, 設立, 創業
method, approach, procedure, 方法, 手法, 手順
research, study, studies, survey, 研究, 調査
employment, job, worker, workforce, employee, labor, labour, 雇用, 労働, 従業員, 就業
adoption, adopted, uptake, deployment, deployed, introduced, 普及, 導入, 採用
size, scale, volume, 規模
trend, 動向, 推移
performance, result, earnings, 業績, 実績
comparison, compared, versus, 比較, 対比
safety, safe, security, 安全, 安全性, 保安
environment, environmental, emission, 環境, 排出
"""


def alike(word: str) -> tuple[str, ...]:
    """Return the words that say nearly the same as `word`, itself not among them; none if it is not listed."""
    return _lines().get(tuple(tokens(word)), ())


@cache
def _lines() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in _LINES.strip().splitlines():
        words = line.split(", ")
        for word in words:
            key = tuple(tokens(word))
            found[key] = (*found.get(key, ()), *(other for other in words if tuple(tokens(other)) != key))
    found.pop((), None)
    return found


LONGEST = 120
"""Characters of the words that are taken from one text."""
_KANA_INSIDE = re.compile(r"[一-鿿][ぁ-ん]")
_ASKING = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|low|long)\b|(?<=\w )works?(?=\s*\?)|[一-鿿](?:わ[るりれ]|る)"
    r"|\b(?:directly|itself|the sources(?= say))\b|直接(?=に|関わ)|情報源(?=が)",
    re.IGNORECASE,
)
"""Words that ask, or speak of asking, and verbs whose kanji would join the word before them."""
_ANY_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(
    r"[,，、;；・／]|\s/\s|\b(?:and|or)\b|および|及び|ならびに|並びに|または|又は|(?<=[^ぁ-ん])[とや](?=[^ぁ-ん\s])"
)
_AFTER_KANA = re.compile(r"(?<=[一-鿿][みしきりけえ])[とや](?=[一-鿿ァ-ヺ])")


@lru_cache(maxsize=512)
def keywords(text: str, at_most: int = 8) -> tuple[str, ...]:
    """Return up to `at_most` words that tell what `text` is about, spelt as in it: names first, then the rest in order.

    None if it holds nothing but words that say little ("overview"). Together they are at most `LONGEST` characters.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    names = names_of(plain)
    taken = {word for name in names for form in name.forms for word in (form, *content_words(form))}
    language = language_of(plain)
    named = [name.ja if language is Language.JA else name.en for name in names]
    others = [word for word in _words(_ASKING.sub(" ", plain)) if folded(word) not in taken]
    return _cut(dict.fromkeys([*named, *others]), at_most)


def some_words(text: str, at_most: int = 8) -> tuple[str, ...]:
    """Return the `keywords` of `text`, or its words as they are if they all say little; none if it holds no word."""
    return keywords(text, at_most) or _cut(_ANY_WORD.findall(unicodedata.normalize("NFKC", text)), at_most)


def names_of(text: str) -> tuple[Name, ...]:
    """Return the names in `text`, parts of the world among them."""
    return (*names_in(text), *regions_in(text))


def parts_of(point: str) -> tuple[str, ...]:
    """Return the things that a point joins ("market size and growth"); the point itself if it is one thing."""
    if tuple(tokens(point)) in english_terms():
        return (point,)
    pieces = (part.strip() for piece in _BETWEEN.split(point) for part in _AFTER_KANA.split(piece))
    return tuple(dict.fromkeys(part for part in pieces if _ANY_WORD.search(part))) or (point,)


@lru_cache(maxsize=512)
def translated(text: str, language: Language) -> str:
    """Return the telling words of `text` in `language`; empty if they are in it already, or one is not known at all."""
    if language_of(text) is language:
        return ""
    for aspect in Aspect:
        if folded(text) in map(folded, aspect.label):
            return aspect.label.in_(language)
    if tuple(tokens(text)) in english_terms():
        return " ".join(_from_dictionary(text, language))
    words = keywords(text)
    together = {word for pair in pairwise(words) if _is_a_term(pair, language) for word in pair}
    alone = [_roughly(word, language) for word in words if word not in together]
    if not words or not all(alone):
        return ""
    listed = _from_dictionary(" ".join(words), language)
    others = (way for ways in alone for way in ways if way not in listed)
    return " ".join(dict.fromkeys((*listed, *others)))


def other_ways(word: str, language: Language) -> tuple[str, ...]:
    """Return what a word of the other language is in `language`: by the dictionary, else by the words alike."""
    known = sum(term.end - term.start for term in japanese_terms(word))
    listed = _from_dictionary(word, language) if word.isascii() or known >= len(word) - 1 else ()
    return listed or tuple(one for one in alike(word) if language_of(one) is language)


def _roughly(word: str, language: Language) -> tuple[str, ...]:
    """Return one translation of a word, of a part of it if the whole is not known."""
    return (other_ways(word, language) or _from_dictionary(word, language))[:1]


def _from_dictionary(words: str, language: Language) -> tuple[str, ...]:
    """Return the translation of each term in `words`, each once."""
    if language is Language.EN:
        return tuple(dict.fromkeys(term.english[0] for term in japanese_terms(words)))
    added = expand(words).removeprefix(words).split()
    return tuple(dict.fromkeys(word for word in added if language_of(word) is language))


def _is_a_term(pair: tuple[str, str], language: Language) -> bool:
    """Whether two words together have a translation that they have not one by one ("labor cost", 人件費)."""
    one, other = (_from_dictionary(word, language) for word in pair)
    return not {*_from_dictionary(" ".join(pair), language)} <= {*one, *other}


def _words(text: str) -> list[str]:
    """Return the content words of `text` as they are spelt there, and the terms that kana are a part of (強み)."""
    terms = (text[term.start : term.end] for term in japanese_terms(text))
    with_kana = {term: text.find(term) for term in terms if _KANA_INSIDE.search(term)}
    words = dict.fromkeys(spelt(word, text) for word in content_words(text))
    alone = (word for word in words if not any(word in term for term in with_kana))
    places = with_kana | {word: folded(text).find(folded(word)) for word in alone}
    return sorted(places, key=places.__getitem__)


def _cut(words: Iterable[str], at_most: int) -> tuple[str, ...]:
    """Return the first words that have room; one that is too long by itself is cut."""
    kept: list[str] = []
    room = LONGEST
    for word in words:
        if len(kept) == at_most or (kept and len(word) > room):
            break
        kept.append(word[:room])
        room -= len(word) + 1
    return tuple(kept)


Wording = tuple[str, ...]
"""The tokens of one way to say a word."""

_QUANTITY_WORDS = """
size sizes volume volumes value values level levels figure figures rate rates share shares number numbers amount
amounts scale trend trends data statistics percentage total quantity quantities change changes
規模 数値 統計 金額 数量 推移 割合 比率 水準 動向 傾向 変化 データ 件数 総額
"""
_QUANTITIES = frozenset(_QUANTITY_WORDS.split())
"""Words that ask for a figure: a number says them."""
_PAIRS = re.compile(r"(?:[一-鿿々]{2}){2,3}")
_PLURALS = ("sses", "xes", "ches", "shes")
_MEASURED = re.compile(r"(?<=..)(?:規模|推移|割合|比率|動向|金額|数量|水準|件数|[率額量数高])$")
"""What at the end of a Japanese compound asks for a figure."""
_YEAR = re.compile(r"(?:19|20)\d\d年?度?")


@dataclass(frozen=True)
class PointPart:
    """One thing that a point asks for."""

    said: tuple[tuple[tuple[Wording, ...], ...], ...]
    """For each language that has words for at least half of it: for each of those words all the ways to say it."""
    asks_how_much: bool
    """Whether a text must hold a number to speak of it."""
    whole: tuple[Wording, ...] = ()
    """Ways to say all of it at once."""

    @property
    def ways(self) -> Iterator[Wording]:
        """Every way to say any of it."""
        yield from (way for words in self.said for ways in words for way in ways)
        yield from self.whole

    def match(self, found: Collection[str]) -> float:
        """Return 1 if a text with the tokens `found` speaks of this, else at most a half: how near it comes."""
        near = max((_share(words, found) for words in self.said), default=1.0)
        has_number = not self.asks_how_much or any(token[0].isdigit() for token in found)
        return 1.0 if has_number and (near == 1.0 or _any(self.whole, found)) else 0.5 * near


def _share(words: tuple[tuple[Wording, ...], ...], found: Collection[str]) -> float:
    """Return the share of the words that a text must say: one of one, two of two to four, half of more."""
    needed = max(min(2, len(words)), math.ceil(len(words) / 2))
    return min(1.0, sum(_any(ways, found) for ways in words) / needed)


def _any(ways: Iterable[Wording], found: Collection[str]) -> bool:
    return any(all(token in found for token in way) for way in ways)


@dataclass(frozen=True)
class WantedPoint(Concept):
    """A wanted point. It matches a text that speaks of any of its parts."""

    parts: tuple[PointPart, ...] = ()
    names: tuple[Name, ...] = ()
    """Of whom it asks: what speaks of it names one of them, or stands on a page or under a heading that does."""

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Every token of every way to say it."""
        return frozenset(token for part in self.parts for way in part.ways for token in way)

    def match(self, found: Collection[str]) -> float:
        """Return how far a text with the tokens `found` speaks of it: 1, or at most a half if it does not."""
        return max((part.match(found) for part in self.parts), default=0.0)


def points_of(section: Section) -> tuple[WantedPoint, ...]:
    """Return what `section` wants; a point without a letter or digit asks for nothing and is left out."""
    points = (_point(wanted, f"{section.title} {section.focus}") for wanted in section.wanted)
    return tuple(point for point in points if point.parts)


@lru_cache(maxsize=512)
def _point(wanted: str, about: str) -> WantedPoint:
    """Return a point as a concept; one whose words tell nothing ("overview") asks for what the section is about."""
    if not tokens(wanted):
        return WantedPoint(wanted, ())
    names = names_of(wanted)
    parts = _parts(parts_of(wanted)) or _parts([about]) or (_literally(wanted),)
    phrases = dict.fromkeys(tuple(tokens(piece)) for piece in (wanted, *parts_of(wanted)))
    return WantedPoint(wanted, tuple(phrase for phrase in phrases if phrase), parts=parts, names=names)


def _parts(texts: Iterable[str]) -> tuple[PointPart, ...]:
    """Return what each text asks for, without names and years; those that ask for nothing are left out."""
    found = (_part(text) for text in texts)
    return tuple(part for part in found if part.said or part.asks_how_much)


def _part(text: str) -> PointPart:
    named = {word for name in names_of(text) for form in name.forms for word in (form, *content_words(form))}
    words = [word for word in map(folded, keywords(text)) if word not in named and not _YEAR.fullmatch(word)]
    bare = [piece for word in words for piece in _pieces(_MEASURED.sub("", word))]
    asks_how_much = query_of(text).asks_how_much or any(word in _QUANTITIES for word in (*words, *bare))
    asks_how_much = asks_how_much or any(_MEASURED.search(word) for word in words)
    telling = dict.fromkeys(word for word in bare if word not in _QUANTITIES and not is_stop_word(word))
    ways = [_ways(word, language_of(text)) for word in telling]
    by_language = (tuple(one[language] for one in ways if one[language]) for language in Language)
    said = tuple(words for words in by_language if words and 2 * len(words) >= len(telling))
    return PointPart(said, asks_how_much, _whole(text))


def _literally(text: str) -> PointPart:
    return PointPart((((tuple(tokens(text)),),),), asks_how_much=False)


def _pieces(word: str) -> tuple[str, ...]:
    """Return a compound of kanji that the dictionary does not know in pairs, as most are made: 導入, 事例."""
    known = any(term.end - term.start == len(word) for term in japanese_terms(word))
    if known or not _PAIRS.fullmatch(word):
        return (word,)
    return tuple(word[place : place + 2] for place in range(0, len(word), 2))


def _ways(word: str, own: Language) -> dict[Language, tuple[Wording, ...]]:
    """Return the ways to say one word in each language: itself, its translations (and those back), words alike.

    What a Japanese text writes in Latin letters (EV) is Japanese as well.
    """
    single = word[:-2] if word.endswith(_PLURALS) else word
    there = other_ways(single, _other(language_of(single)))
    back = (way for one in there for way in other_ways(one, language_of(single)))
    every = (word, single, *there, *back, *alike(single))
    by_language = {language: [one for one in every if language_of(one) is language] for language in Language}
    if word not in by_language[own]:
        by_language[own].append(word)
    return {
        language: tuple(dict.fromkeys(way for one in said if (way := tuple(tokens(one)))))
        for language, said in by_language.items()
    }


def _whole(text: str) -> tuple[Wording, ...]:
    """Return the translation of a term whose words only together have one ("labor cost", 人件費)."""
    language = language_of(text)
    if language is Language.JA and not all(other_ways(word, Language.EN) for word in keywords(text)):
        return ()
    other = tuple(tokens(translated(text, _other(language))))
    return (other,) if other else ()


def _other(language: Language) -> Language:
    return Language.EN if language is Language.JA else Language.JA
