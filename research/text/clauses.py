"""What is asked in each clause of a question, without the words that only ask."""

from __future__ import annotations

import re
from functools import reduce

from research.text.asking import ADJECTIVES, BALANCE, SHARE_EN, TOP
from research.text.words import folded, is_stop_word, split_beside_terms

_SPLIT_EN = re.compile(
    r"[,;:?!]|\.\s+(?=(?-i:[A-Z]))|\band\b|\bor\b|\bcompar(?:e[ds]?|ing) (?:to|with|against)\b|\bversus\b|\bvs\b\.?"
    r"|\brelative to\b|\bstack(?:s|ed)? up (?:to|against)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^.*\bknow (?:about|of)\b\s*(?:before (?:an?|the|my|our) \w+)?|^\s*tell me about"
    r"|^\W*(?:\w+ ){0,3}(?:things|questions|points)\b[^?,;]{0,30}?\s(?:[-–—]|:)\s",
    re.IGNORECASE,
)
"""What only says that a question is open, or that several things are asked."""
_EITHER = re.compile(r"^(\s*(?:is|are|was|were|do|does|did|has|have)\b.*?)\bor\b", re.IGNORECASE)
"""Two ways in which one thing may be, of which one is not: growing or shrinking."""
_SPLIT_JA = re.compile(
    r"[、，。？?]|および|及び|ならびに|並びに|(?<=[一-鿿ァ-ヶーA-Za-z0-9])(?<!何)(?<!何[人件円社台個])(?:と|や)\s*(?=[一-鿿ァ-ヶA-Za-z])"
    r"|(?<=[一-鿿][びきみり])や(?=[一-鿿])|(?<=[一-鿿][しびりきみ])と(?=[一-鿿ァ-ヶ])"
)
_WORD = re.compile(r"[A-Za-z0-9](?:[\w'’./&-]*[A-Za-z0-9])?")
_ASKING_WORDS = """
able according alterations altogether annual annually approximately based became become big bigger biggest brought
change changed
combined come comes considerable countries country decide decided described detailed details develop developed
disclose disclosed done earn earned end evolution evolve evolved fluctuated fluctuation fluctuations formerly give
gleaned go goes got greatest high higher highest highlighted i'd identified interested key large larger largest list
long looking lower lowest main me mentioned more name notable older oldest outlined past presented provide provided
put rank recent relation reported revealed roughly second set shift shifted shifts significant smaller smallest sort
spend spends spent substantial
territories third three time times together trend trended trends two variation variations varied ways world year
yearly years
一番 世界 最大 最小 最高 最低 最多 最少 最長 最短 合計 総計 推移 推計 変化 増減 順位 理由 内訳 一覧 検討
現状 状況 情勢 実態 現況 統計 数字 社内資料 程度 範囲 会社
"""
_ASKING = frozenset(_ASKING_WORDS.split())
"""Words of questions that say nothing of what is asked, beside those that say nothing anywhere."""
_OF_GDP = re.compile(
    r"\b(?:as|in|by) (?:an? )?(?:share|percent(?:age)?|proportion|relation) (?:of|to) (?:its |their |the )?GDP\b",
    re.IGNORECASE,
)
"""What only says in what a figure is wanted."""
_GROWS = r"(?:(?:of|in)\s+)?(?:[\w']+\s+){0,2}(?:(?:gr[eo]w|shrink)(?:ing|s|n)?|developed|evolved)"
_WAYS = (
    (
        r"how many (?:people|inhabitants|persons)"
        r" (?:live|does|do|has|have|(?:would|could|can) (?:we|you|one) reach)\b(?!.*\b\w+ed\b)",
        "population",
    ),
    (r"how (?:large|big) (?:is|are|was) [\w' ]{0,40}\beconom(?:y|ies)", "GDP"),
    (r"capital cit(?:y|ies)", "capital"),
    (
        r"(?:how fast (?:are|were|did|do|have) )?(?:consumer )?prices\s+(?:in\s+)?(?:been )?"
        r"(?:ris(?:e|ing|en)|rose|going up|went (?:up|wild)|soar(?:ed|ing)?|jumped|climb(?:ed|ing)?)",
        "inflation rate",
    ),
    (r"(?:old|young)(?:er|est) (?:populations?|people|inhabitants)", "median age"),
    (
        rf"(?:how (?:fast )?(?:is|are|did|does|has|have) [\w' ]*)?econom(?:y|ies)\s+{_GROWS}"
        r"|fastest[- ]growing econom(?:y|ies)",
        "GDP growth rate",
    ),
    (
        rf"(?:how fast (?:is|are|did|does) [\w' ]*)?populations?\s+{_GROWS}|fastest[- ]growing populations?",
        "population growth rate",
    ),
    (
        r"who (?:leads|runs|governs|heads|is (?:currently |now )?(?:leading|running|governing|heading|in charge of))",
        "head of government",
    ),
    (r"(?:(?:外国|海外|国外|世界)[にへ])?何を売っ[てた](?:食べている|いる|きた)?", "輸出品目"),
)
"""Ways of asking for a figure without its name, and its name. Meaning puts the right label first for some of them, but
no nearer than labels that are wrong elsewhere: the label nearest to “richer” is that of the budget's revenues."""
_MEANT = tuple((re.compile(rf"\b{way}\b" if way.isascii() else way, re.IGNORECASE), told) for way, told in _WAYS)
_NOUN_JA = re.compile(
    r"(?!最も)(?:[A-Za-z0-9][A-Za-z0-9.&+/_-]*"
    r"|[㐀-䶿一-鿿々ァ-ヺー]+(?:[りきみけえれめ](?=[一-鿿])[一-鿿]+|たりの?(?=[A-Z一-鿿ァ-ヺ]))*"
    r"(?:(?<=[一-鿿])[みさし](?=[はがをのにもと、。？?]|$))?)+"
)
"""A word of a Japanese question that may be what is asked; what else stands there only asks."""
_BETWEEN_JA = re.compile(
    r"(?P<topic>(?<=[一-鿿々ァ-ヶーA-Za-z0-9])(?:では|には|は|が|で|に)?)"
    r"(?:(?P<what>(?:何[年月日回件人台個時間]{0,2}|誰|だれ|どこ)(?:が|を|に|で|と|へ|から)?)|なぜ|どのように|どう|いつ|どの(?:程度|くらい|ぐらい)?)"
    r"(?=[一-鿿々ァ-ヶーA-Za-z0-9])"
)
"""What asks between what is asked about and what is asked of it: 代理店は何に不満を, 為替は業績にどう影響."""
_HOW_MANY = re.compile(
    "何(?:[一-鿿]{1,2}|パーセント)|[一-鿿]{1,3}別|[0-9二三四五六七八九十]+(?:番目|位)|(?:上位|下位|トップ)[0-9]*|(?:多|大き|高)い順"
)
_QUOTES_JA = re.compile("[「」『』]")
_SHARE_OF = re.compile(
    r"(?P<whole>[一-鿿ァ-ヶー]+)に占める(?P<part>[一-鿿ァ-ヶー]+)の(?:割合|比率|シェア|構成比)(?:は何[％%]になりますか)?"
)
"""A share of which both are told: 人口に占める外国人の比率."""
_OF_WHOLE = re.compile(r"(?<=[^、。])に占める\s+の?(?:割合|比率|シェア|構成比)")
_MOVED = re.compile(
    r"\b(?:(?:calm|cool|eas|slow|declin|dropp|increas|decreas|worsen|recover|reced)(?:ed|ing)|improving"
    r"|shr[ui]nk(?:ing)?|shrank|grow(?:n|ing)|grew|ris(?:en|ing)|rose|fall(?:en|ing)|fell|down|up)\b",
    re.IGNORECASE,
)
"""What says that something becomes more or less."""
_PERIODS = re.compile(r"(?:month|quarter|year|week|day)s?", re.IGNORECASE)
"""What a further clause only says of the time that is meant: all months together."""
_IN_ORDER = r"^\W*(?:put|list|arrange|rank)\b.*\bin order (?:by|of)\b"
"""What only says that an order is wanted: put the five republics in order by."""
_IN_ALL = r"\bin (?:total|all)\b"
"""What only says that a sum is wanted."""


def english_parts(bare: str) -> dict[str, str]:
    """Return what is asked in each clause of a question, with that clause."""
    parts: dict[str, str] = {}
    bare = re.sub(f"{SHARE_EN}|{TOP}|{_IN_ORDER}|{_IN_ALL}", " ", bare, flags=re.IGNORECASE)
    bare = BALANCE.sub("exports and imports", _OF_GDP.sub(" ", bare))
    for clause in split_beside_terms(_SPLIT_EN, _EITHER.sub(r"\1", _OPENS.sub(" ", bare))):
        meant = {told: told for pattern, told in _MEANT if pattern.search(clause)}
        bare = reduce(lambda left, known: known[0].sub(" ", left), _MEANT, clause)
        words = [word for word in _WORD.findall(bare) if not _only_asks(folded(word))]
        if words and not (parts and all(map(_PERIODS.fullmatch, words))):
            parts.setdefault(" ".join(words), " ".join(clause.split()))
        parts.update(meant)
    return parts


def japanese_parts(bare: str) -> dict[str, str]:
    """Return the same of a Japanese question: from the first word of a clause that says something to the last."""
    parts: dict[str, str] = {}
    bare = BALANCE.sub("輸出と輸入", bare)
    for way, told in _MEANT:
        bare = way.sub(told, bare)
    bare = _SHARE_OF.sub(r"\g<part>、\g<whole>", re.sub(TOP, "", bare))
    bare = _OF_WHOLE.sub("", bare)
    for clause in _SPLIT_JA.split(_QUOTES_JA.sub("", bare)):
        nouns = [
            match
            for match in _NOUN_JA.finditer(clause)
            if not _only_asks(folded(match.group())) or SHORT.match(clause, match.start())
        ]
        if nouns:
            said = clause[nouns[0].start() : nouns[-1].end()].strip()
            parts.setdefault(_BETWEEN_JA.sub(_joined, said), clause.strip())
    return parts


def _joined(asking: re.Match[str]) -> str:
    """Return what stands for a word that asks in the middle: 代理店の不満 for 代理店は何に不満."""
    return "の" if asking["what"] or asking["topic"] in ("は", "が") else asking["topic"]


_DEGREE = re.compile(rf"(?:{ADJECTIVES})i?e(?:st|r)")


def _only_asks(word: str) -> bool:
    asks = _DEGREE.fullmatch(word) or _HOW_MANY.fullmatch(word) or _MOVED.fullmatch(word)
    return asks is not None or is_stop_word(word) or word.removesuffix("'s") in _ASKING


SHORT = re.compile(r"(?<![一-鿿々])(?![国何誰人方事物年前後上下中間])[一-鿿](?=[をがのはも])")
"""A word of one sign, which elsewhere tells too little to be searched for: 銅を輸出している国."""
