"""A question taken apart: whom it is about, what is asked of them, when, and what is to be done with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from typing import TypeVar

from research.language import Bilingual, Language, Phrase
from research.text.names import LONGEST_QUESTION, Name, compared_in, groups_in, names_in, regions_in
from research.text.values import number_in
from research.text.words import (
    content_words,
    expand,
    folded,
    is_stop_word,
    japanese_terms,
    language_of,
    spelt,
    split_beside_terms,
    tokens,
)

_Placed = TypeVar("_Placed")

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH_NAMES = "january february march april may june july august september october november december"
MONTHS = _MONTH_NAMES.split()
"""English names of the months, in order."""
_MONTH = re.compile(
    rf"\b({'|'.join(MONTHS)})\s+((?:19|20)\d\d)|((?:19|20)\d\d)年(?:\d{{1,2}}月?[〜～~–-])?(\d{{1,2}})月", re.IGNORECASE
)
"""A month; of several, as in 2023年8〜10月期, the last."""
_FISCAL = re.compile(r"((?:19|20)\d\d)年度|\bfiscal (?:year )?((?:19|20)\d\d)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:(?:in|from|since|between|during|for|by|until|to|and|of)\s+)?(?:the\s+)?(?:fiscal\s+(?:year\s+)?|FY\s?)?"
    rf"(?:(?:{'|'.join(MONTHS)})\s+)?(?:19|20)\d\d\b(?:-\d\d)?"
    r"|(?:19|20)\d\d年(?:度|(?:\d{1,2}月?[〜～~–-])?\d{1,2}月期?)?(?:から|にかけて|まで|以降|以来|以前)?(?:に|の)?",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\bFY\s?['’]?(\d\d)(?!\d)", re.IGNORECASE)
_QUARTER_OF_YEAR = re.compile(r"(?:FY\s?)?((?:19|20)\d\d)\s?Q([1-4])(?!\d)|Q([1-4])(?:\s?FY)?\s?((?:19|20)\d\d)(?!\d)")
_SENTENCE_END = re.compile(r"(?<=[.!?。？！])\s+|(?<=question):\s+|(?<=[。？！])", re.IGNORECASE)
_INSTRUCTS = re.compile(
    r".*\b(?:answers?|respon(?:se|d)|judge?ments?|decimals?|round(?:ed)?|(?:the|this|following) question|metric)\b"
    r"|\s*(?:you are|imagine|assume|if\b.*\b(?:state|say|explain)\b|define\b|please (?:state|use|base|comp|calc))"
    r"|.*\b(?:is|are|here is) (?:defined|calculated|computed)\s+as\b|\s*(?:compute|calculate|use|base)\b"
    r"|.*(?:答えて|回答して|四捨五入)",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence beside a question that says how it is to be answered, or what its words mean."""
_LEADS_TO_QUESTION = re.compile(
    r"^\s*(?!among\b|between\b|of\b|compar)[^?,]*(?:,[^?,]*)?,\s*"
    r"(?=(?:what|how (?:much|many)|which|who|when|where|why)\b)"
    r"|\(\s*(?:in|as|to)\b[^()]*\)",
    re.IGNORECASE,
)
"""What stands before, or in brackets in, a question and says on what ground it is to be answered, and in what."""
_SHARE_EN = r"\b(?:how much|what (?:share|percentage|percent|part|portion|proportion|fraction)) of\b"
_SPLIT_EN = re.compile(
    r"[,;:?!]|\band\b|\bor\b|\bcompar(?:e[ds]?|ing) (?:to|with|against)\b|\bversus\b|\bvs\b\.?|\brelative to\b"
    r"|\bstack(?:s|ed)? up (?:to|against)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^.*\bknow (?:about|of)\b\s*(?:before (?:an?|the|my|our) \w+)?|^\s*tell me about", re.IGNORECASE)
"""What only says that a question is open."""
_EITHER = re.compile(r"^(\s*(?:is|are|was|were|do|does|did|has|have)\b.*?)\bor\b", re.IGNORECASE)
"""Two ways in which one thing may be, of which one is not: growing or shrinking."""
_SPLIT_JA = re.compile(
    r"[、，。？?]|および|及び|ならびに|並びに|(?<=[一-鿿ァ-ヶーA-Za-z0-9])(?<!何)(?<!何[人件円社台個])(?:と|や)\s*(?=[一-鿿ァ-ヶA-Za-z])"
)
_LISTED_JA = re.compile(r"[一-鿿ァ-ヶーA-Za-z0-9]+(?:・[一-鿿ァ-ヶーA-Za-z0-9]+){2,}")
"""Three things or more in one word, of which at least one is no name in katakana: ゲーム・業務用可視化・自動車."""
_KANJI = re.compile(r"[一-鿿]")
_WORD = re.compile(r"[A-Za-z0-9](?:[\w'’./&-]*[A-Za-z0-9])?")
_WITH_JA = re.compile(
    r"[、,]?(?:その)?(?:割合|比率|構成比|シェア|金額|数量|数値|件数)[とも](?:とも|共|併せ|あわせ|合わせ|一緒|含め)(?:に|て)?"
)
"""What only says that figures are wanted with what is asked: 輸出相手国を、割合とともに."""
_LISTED = re.compile(r"^[ \t]*(?:[-*•–][ \t]+|・[ \t　]*|\d{1,2}[.)．][ \t　]+)(?=\S)(.+)$", re.MULTILINE)
"""A line of a question that lists what is asked, point by point."""
_ABOUT = re.compile(r"\s*([^:：]{1,80})[:：]\s*(?=\S)(.+)")
"""Such a line that says first whom it is about: Japan: inflation."""
_CAPITALS = re.compile(
    r"(?<![A-Za-z0-9_-])(?!(?:CAGR|CAPEX|COGS|EBITDAR?|GAAP|PPNE)\b)(?:[A-Z]{4,}|[A-Z]{2,}-\d+)(?![A-Za-z0-9_-])|(?!フリー・キャッシュ)[ァ-ヺー]{3,20}・[ァ-ヺー・]{2,}|(?<![A-Za-z])[A-ZＡ-Ｚ]社"
    r"|\b[Cc]ompany [A-Z]\b|(?<![A-Za-z])(?:[a-z]{1,2}|[A-Z][a-z]+)[A-Z][a-z]+(?![A-Za-z])"
)
"""What is a name without the form of one: NVIDIA, AN-300, eBay, エービーシー・マート, K社 and company K."""
_QUARTER = re.compile(r"Q[1-4]|[1-4]Q")
_SPELT = re.compile(r"([ァ-ヺー・]{2,20})[（(]([A-Z][\w&. -]{1,40})[）)]")
"""A name in katakana with its spelling abroad: アムコア（Amcor）."""
_FORMERLY = re.compile(
    r"([A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*)(?:['’]s)? "
    r"\((?:formerly|previously|now|also)(?: known as| called)? ([A-Z][\w&. -]*)\)"
)
"""A name with the one that it had before: Block (formerly known as Square)."""
_COMPANY = re.compile(r"[Cc]ompany ([A-Z])|([A-ZＡ-Ｚ])社")
_OVERVIEW = {Language.EN: ("overview", "background"), Language.JA: ("概要", "背景")}
"""What is asked where a question is open and names nothing but its subject."""
_MOST_PARTS = 12
MOST_WITHIN = 30
"""Values that are found of a question which sets them a limit: as many as a report can list."""
_ASKING_WORDS = """
able according alterations altogether based became become bigger biggest brought change changed combined come comes
considerable countries country decide decided described detailed details develop developed disclose disclosed done end
evolution evolve evolved fluctuated fluctuation fluctuations formerly gleaned go goes got greatest high higher highest
highlighted identified key large larger largest list long lower lowest main me mentioned name notable older oldest
outlined past presented provide provided recent relation reported revealed second set shift shifted shifts significant
smaller smallest spend spends spent substantial territories third three time times together trend trended trends two
variation variations varied ways year years
一番 世界 最大 最小 最高 最低 最多 最少 最長 最短 合計 総計 推移 推計 変化 増減 順位 理由 内訳 一覧 検討 社内資料
現状 状況 情勢 実態 現況
"""
_ASKING = frozenset(_ASKING_WORDS.split())
"""Words of questions that say nothing of what is asked, beside those that say nothing anywhere."""
_GROWS = r"(?:(?:of|in)\s+)?(?:[\w']+\s+){0,2}(?:gr[eo]w|shrink)(?:ing|s|n)?"
_WAYS = (
    (r"how many (?:people|inhabitants|persons) (?:live|are|does|do|has|have)\b(?!.*\b\w+ed\b)", "population"),
    (r"how (?:large|big) (?:is|are|was) [\w' ]{0,40}\beconom(?:y|ies)", "GDP"),
    (r"for how much", "revenue"),
    (r"how old (?:is|are) [\w' ]{0,30}\b(?:people|persons?|population|inhabitants)", "median age"),
    (r"(?:old|young)(?:er|est) (?:populations?|people|inhabitants)", "median age"),
    (r"(?:rich|poor|wealthi)(?:er|est)(?! (?:\d|people|person|m[ae]n|wom[ae]n|famil|household))", "GDP per capita"),
    (
        rf"(?:how fast (?:is|are|did|does) [\w' ]*)?econom(?:y|ies)\s+{_GROWS}|fastest[- ]growing econom(?:y|ies)",
        "GDP growth rate",
    ),
    (
        rf"(?:how fast (?:is|are|did|does) [\w' ]*)?populations?\s+{_GROWS}|fastest[- ]growing populations?",
        "population growth rate",
    ),
    (r"(?:people )?live (?:the )?long(?:er|est)", "life expectancy"),
    (r"who (?:buys|imports) (?:it|them|its \w+)", "export partners"),
    (r"who (?:sells|supplies) (?:it|them|its \w+)", "import partners"),
    (r"(?:豊か|裕福|貧し[いく])(?:な国|な|か)?", "一人当たりGDP"),
    (r"(?:平均的に)?長生き(?:する|な)?", "平均寿命"),
    (r"経済(?:の)?(?:成長|伸び)(?:が|の)(?=速|早|著)", "経済成長率が"),
    ("少子高齢化", "出生率と高齢化"),
    ("少子化", "出生率"),
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
    r"(?:(?P<what>(?:何|誰|だれ|どこ)(?:が|を|に|で|と|へ|から)?)|なぜ|どのように|どう|いつ|どの)"
    r"(?=[一-鿿々ァ-ヶーA-Za-z0-9])"
)
"""What asks between what is asked about and what is asked of it: 代理店は何に不満を, 為替は業績にどう影響."""
_HOW_MANY = re.compile(
    "何[一-鿿]{1,2}|[一-鿿]{1,3}別|[0-9二三四五六七八九十]番目|(?:上位|下位|トップ)[0-9]*|(?:多|大き|高)い順"
)
_QUOTES_JA = re.compile("[「」『』]")
_HAVE_JA = re.compile("[がの](?:直面(?:する|している)|抱え(?:る|ている))")
"""What only says whose something is: 当社が抱える課題."""


class Operation(Enum):
    """What is to be done with what is found."""

    LOOK_UP = auto()
    COMPARE = auto()
    RANK = auto()
    ADD = auto()
    RATIO = auto()
    CHANGE = auto()
    REASON = auto()
    OPEN = auto()

    @property
    def label(self) -> Bilingual:
        """How it is called."""
        return _LABELS[self]


_LABELS = {
    Operation.LOOK_UP: Phrase("look up"),
    Operation.COMPARE: Phrase("compare"),
    Operation.RANK: Phrase("put in order"),
    Operation.ADD: Phrase("add up"),
    Operation.RATIO: Phrase("share or ratio"),
    Operation.CHANGE: Phrase("change over time"),
    Operation.REASON: Phrase("reasons"),
    Operation.OPEN: Phrase("an overview"),
}

_AMOUNT = (
    r"(?P<amount>[$€£¥]?\s?\d[\d,]*(?:\.\d+)?"
    r"(?:\s?(?:thousand|million|billion|trillion)\b|[万億兆](?:[\d,]+[万億])?)?)"
)
_LIMIT_EN = re.compile(
    r"\b(?:(?P<above>(?:more|great\w*|high\w*|larg\w*|bigg\w*|old\w*|long\w*) than|over|above|(?P<least>at least)"
    r"|exceed\w*)|(?:less|few\w*|low\w*|small\w*|short\w*|young\w*) than|under|below|(?P<most>at most))\s+"
    rf"(?P<said>{_AMOUNT}(?!\d)\s?(?:%|percent\b|yen\b|dollars?\b|euros?\b)?)",
    re.IGNORECASE,
)
_LIMIT_JA = re.compile(
    rf"[がはの]?(?P<said>{_AMOUNT}(?:[%％]|パーセント|ドル|[人円件社台歳年])?)(?:を|より)?も?"
    r"(?:(?P<above>超え?る?|上回る?|(?P<least>以上)|多い|大きい|高い|長い)|(?P<most>以下)|未満|下回る?|少ない|小さい|低い|短い)"
    r"(?:の|である)?"
)
"""What sets a limit to the values of those that are asked for: with a GDP above 1 trillion, 人口が1億人を超える."""
_WHY_OR_HOW = re.compile(r"^\s*(?:how|why|when|by when|could|can|will|should)\b|どう|いかに|なぜ|いつ", re.IGNORECASE)
"""What asks for something else than all that keep to a limit: how a share could be brought below 40%."""
_ADJECTIVES = "high|larg|bigg|great|low|small|old|young|long|short|tall|deep|fast|slow|rich|poor|few|strong|weak|cheap"
_MOST_JA = "最も|もっとも|一番|いちばん"
_OPERATIONS = (
    (
        Operation.OPEN,
        r"^\s*(?:tell me|write|describe|give (?:me )?an overview)|\bknow (?:about|of)\b"
        r"|知っておく|について(?:教えて|説明して|まとめて)",
    ),
    (Operation.REASON, r"\bwhy\b|\breasons?\b|なぜ|理由|原因"),
    (
        Operation.RATIO,
        rf"\bhow many times\b|{_SHARE_EN}|\bby what factor\b|の何[％%倍]|何[％%]に(?:あた|当た)|何倍|に占める",
    ),
    (
        Operation.RANK,
        rf"^\s*(?:rank|order|sort)\b|\b(?:{_ADJECTIVES})est\b|\b(?:(?:most|least)(?! of\b| recent)|best|worst)\b"
        rf"|{_MOST_JA}|[上下]位"
        r"|(?:多|少な|大き|小さ|高|低)い順|[0-9二三四五六七八九十]番目|最大|最小|最高|最低|最多|最少|最長|最短",
    ),
    (
        Operation.ADD,
        r"\b(?:together|altogether|in total|combined|sum|add(?:s|ed)? up)\b|\bhow many .*\bfrom .* to\b"
        r"|合計|合わせ[てるた](?!検討|考)|総額|総計|足[しす]",
    ),
    (
        Operation.CHANGE,
        r"\bchanged?\b|\b(?:year|month|quarter) (?:earlier|before|ago)\b|前年|\bdevelop(?:ed)?\b|\bevolved?\b"
        r"|\b(?:grow|grew|grown|increased?|decreased?|declined?|rise|rose|fall|fell)\b"
        r"|変わ[りっる]|変化|推移|増え|増加|減[りる]|減少|伸び|上昇|低下|[上下]が[りっる]",
    ),
    (Operation.COMPARE, r"\bcompare|\bdiffer|比べ|比較|違[いう]|[のと]差(?:は|が|を|$|[？?])"),
)
_PATTERNS = tuple((operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _OPERATIONS)


_LEAST = re.compile(
    r"\b(?:lowest|smallest|fewest|least|slowest|poorest|shortest|youngest)\b|少ない|小さい|低い|狭い|遅い|短い|最小|最少|最低|下位",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\bmost\b(?! of\b| recent\b)|\b(?:high|larg|bigg|great|fast|rich|long|old|strong)est\b"
    rf"|(?:{_MOST_JA})(?:多|大|高|広|速|長)|最[大多高長]|上位",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|long|old)\b|\b(?:rate|share|number|percentage|ratio)\b"
    r"|どれ(?:だけ|くらい|ほど)|どのくらい|いくら|いくつ|何[％%割人円件社か台]|[率額量数]",
    re.IGNORECASE,
)
_ITEMS = re.compile(
    r"\b(?:main|major|chief|biggest|largest|top|leading|important)\b(?: [\w-]+){1,4}s\b"
    r"|\bwhich (?!countries|territories|years|months)\w+s\b|主な|主要な|おもな|は何(?:です|か)",
    re.IGNORECASE,
)
"""What asks for things by their names, not for an amount: the main exports."""
_WHEN_ASKED = re.compile(r"^\s*(?:by )?when\b|いつ(?!も)", re.IGNORECASE)
_WHAT_ARE = re.compile(r"\bwhat (?:are|were)\b", re.IGNORECASE)
_WHICH_PLACES = re.compile(
    r"\b(?:which|what|list|name|all)\b.{0,40}\b(?:countries|states|nations|territories|economies)\b"
    r"|(?:どの|各)国|国(?:[はを]|々|の一覧|はどこ|$)",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\bdifference\b|\bhow much (?:more|less|higher|lower|larger|smaller)\b|[のと]差", re.IGNORECASE
)
_SHARE_OF = re.compile(
    r"(?P<whole>[一-鿿ァ-ヶー]+)に占める(?P<part>[一-鿿ァ-ヶー]+)の(?:割合|比率|シェア|構成比)(?:は何[％%]になりますか)?"
)
"""A share of which both are told: 人口に占める外国人の比率."""
_OF_WHOLE = re.compile(r"(?<=[^、。])に占める\s+の?(?:割合|比率|シェア|構成比)")
_PART_OF = re.compile(r"(?P<part>[^、。]+)が[^、。]+に占める(?:割合|比率|シェア|構成比)")
_FOR_EACH = re.compile(r"人口(?:[\d千万億]+人)?(?:あたり|当たり|当り)の(?=[一-鿿ァ-ヶ])")
"""How a share is asked for: 売上高に占めるアジアの割合 with the whole, 送金がGDPに占める割合 by the part."""
_EXCEEDS = re.compile(
    r"[はが](?P<second>[一-鿿ァ-ヶー]+)を(?:いくら|どれ(?:だけ|くらい|ほど)|どのくらい|何[^\s、]{1,6})(?:上|下)回"
    r"|\b(?:exceed|outweigh|top)s?\b",
    re.IGNORECASE,
)
"""What asks by how much one thing is more than another of the same subject: 輸出は輸入をいくら上回って."""
_BEFORE = re.compile(r"前年|\byear(?:[- ](?:earlier|before|ago)|[- ](?:on|over)[- ]year)\b", re.IGNORECASE)
"""What compares with a year before."""
_SERIES = re.compile(
    r"(?:\b(?:over|across|in|during|for|from|to|with|than|between|through(?:out)?|of)\s+)?"
    r"(?:\b(?:the|these|those|all|each|its|their|prior|previous|preceding|past|last|recent|reported|several|various|few"
    r"|earlier|subsequent|two|three|four|five|\d)\s+)+"
    r"(?:quarters|periods|fiscal years|years|quarterly (?:reports|filings)|filings|10-[KQ]s|reports)\b(?:\s+ones\b)?"
    r"|\b(?:prior|previous|earlier)\s+ones\b|\bover (?:time|the (?:quarters|years|periods))\b"
    r"|\b(?:quarter|year|period)[- ](?:over|by|to)[- ](?:quarter|year|period)\b"
    r"|(?:各|複数の)(?:四半期|期|年度?)(?:の|における|ごとの?)?|(?:四半期|期|年度?)(?:ごと|毎|別)の?(?=.*(?:推移|変化|比))"
    r"|(?:過去|直近)(?:数|[0-9二三四五六])(?:四半期|期|年度?|か年)(?:間)?の?|経年の?",
    re.IGNORECASE,
)
"""What asks of several periods without naming them: across these quarters, compared to previous ones, 各四半期の."""
_REPORT = re.compile(
    r"\b(?:(?:in|for|from|during|of)\s+)?(?:(?:the|its|their)\s+)?(?:"
    r"(?:(?:most recent|latest|current|same|first|second|third|fourth)\s+)+(?:fiscal\s+)?"
    r"(?:quarters?(?:ly (?:filing|report|results))?|periods?|10-[KQ](?:\s+(?:filing|report))?|filing|report)\b"
    r"(?:\s+of\b)?"
    r"|Q[1-4]\b(?:\s*FY)?(?:\s+period\b)?)"
    r"|\b10-[KQ]s?\b(?:\s+(?:filing|report))?|\bas\s+(?:\w+ed\s+(?:in|by)|per)\b"
    r"|(?:直近|最新)の?(?:四半期|[一-鿿]*決算|報告書|決算短信)(?:における|では|で|の)?|第[1-4１-４一二三四]四半期(?:における|では|で|の)?",
    re.IGNORECASE,
)
"""What only says which report is meant."""
_JUDGED = re.compile(
    r"\b(?:might|could|may|does|do|would|can)\s+(?:this|that|these|those|it|they)\s+\w*\s*"
    r"(?:indicate|suggest|mean|imply|have|affect|signal|say|reveal|influence)\b"
    r"|\b(?:implications?|repercussions?|significance)\b|示唆|何を意味",
    re.IGNORECASE,
)
"""What asks for a judgement of what was found: what might this indicate."""
_OURS = re.compile(r"当社|自社|弊社|我が社|わが社|\b(?:our|we|us)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One thing that is asked."""

    about: str
    """Whom or what it is about; empty where that is what the whole question is about."""
    asked: str

    def __str__(self) -> str:
        """Return it as a line that lists it in a question."""
        return f"{self.about}: {self.asked}" if self.about else self.asked


@dataclass(frozen=True)
class Limit:
    """What the values of those that a question asks for have to be above or below."""

    number: float
    said: str
    """As the question says it: 1億人, 20%."""
    is_above: bool
    is_within: bool
    """Whether the limit itself keeps to it: at least, 以下."""

    def holds(self, number: float) -> bool:
        """Whether a figure keeps to it."""
        if number == self.number:
            return self.is_within
        return (number > self.number) is self.is_above


@dataclass(frozen=True)
class Asked:
    """A question taken apart."""

    question: str
    names: tuple[Name, ...]
    attributes: tuple[str, ...]
    """What is asked of each, in the question's own words, one each; the whole question where nothing is left."""
    wordings: tuple[str, ...]
    """The clause that asks for each, as it is worded: “how large is its economy” says more than “economy”."""
    years: tuple[str, ...]
    months: tuple[str, ...]
    """As `2025-04`, in order."""
    operation: Operation
    abouts: tuple[str, ...] = ()
    """Whom each is asked of, where the question lists its parts and says so; else all that it names."""
    limit: Limit | None = None
    """Where it asks for all whose values are above or below one: they are put in order."""
    beside: str = ""
    """All that was written, with how it is to be answered and what its words mean."""

    @property
    def points(self) -> tuple[str, ...]:
        """What is asked: as the question lists it, with whom it is asked of where that is not the same for all."""
        if len(set(self.abouts)) < 2:
            return self.wordings if self.abouts else self.attributes
        of = "の" if language_of(self.question) is Language.JA else " "
        return tuple(f"{who}{of}{what}" if who else what for who, what in zip(self.abouts, self.wordings, strict=True))

    @property
    def listed(self) -> tuple[str, ...]:
        """The parts that the question lists itself; none where it does not."""
        return self.points if self.abouts else ()

    @property
    def wants_prose(self) -> bool:
        """Whether a reason or an overview is asked for, which no value gives."""
        return self.operation in (Operation.REASON, Operation.OPEN)

    @property
    def wants_figure(self) -> bool:
        """Whether a number is asked for."""
        return _HOW_MUCH.search(self.question) is not None

    @property
    def wants_date(self) -> bool:
        """Whether it asks when."""
        return _WHEN_ASKED.search(self.question) is not None

    @property
    def wants_items(self) -> bool:
        """Whether things are asked for by their names, not an amount of them."""
        is_list = self.operation is Operation.RANK and bool(self.names) and _WHAT_ARE.search(self.question) is not None
        is_asked = self.limit is None and (is_list or self.operation is Operation.LOOK_UP)
        return is_asked and not self.wants_figure and _ITEMS.search(self.question) is not None

    @property
    def wants_amounts(self) -> bool:
        """Whether only figures answer it: they are added up, or one is held against another."""
        return self.operation in (Operation.ADD, Operation.RATIO) or self.wants_difference

    def is_in_years(self, year: str) -> bool:
        """Whether a year is one of those asked for; a change goes from the first, or the year before."""
        if not self.years:
            return True
        first, last = min(self.years), max(self.years)
        if self.operation is Operation.CHANGE and first == last:
            first = str(int(first) - 1)
        spans = self.operation in (Operation.CHANGE, Operation.COMPARE)
        return first <= year <= last if spans else year in self.years

    @property
    def is_least(self) -> bool:
        """Whether an order begins with the lowest."""
        is_least = _LEAST.search(self.question) is not None and not self.has_both_ends
        return not self.limit.is_above if self.limit else is_least

    @property
    def has_both_ends(self) -> bool:
        """Whether both the highest and the lowest are asked for."""
        return self.limit is None and bool(_LEAST.search(self.question) and _MOST.search(self.question))

    def ends_of(self, ordered: Sequence[_Placed], at_most: int) -> Sequence[_Placed]:
        """Return the first of an order; as many of its last beside them where both ends are asked for."""
        if not self.has_both_ends or len(ordered) <= at_most:
            return ordered[:at_most]
        return [*ordered[: at_most // 2], *ordered[-(at_most // 2) :]]

    @property
    def is_wide_open(self) -> bool:
        """Whether nothing in particular is asked of its subject."""
        return self.operation is Operation.OPEN and self.attributes == _OVERVIEW[language_of(self.question)]

    @property
    def is_rank_of_all(self) -> bool:
        """Whether all places that there are, or those of a part of the world, are to be put in order."""
        return self.operation is Operation.RANK and not any(name.is_place for name in self.names)

    @property
    def is_of_all(self) -> bool:
        """Whether it asks of all places, or all of a part of the world: whichever there are."""
        if self.operation not in (Operation.LOOK_UP, Operation.COMPARE, Operation.OPEN):
            return False
        if _WHICH_PLACES.search(self.question):
            return not any(name.is_place for name in self.names)
        return not self.names and bool(regions_in(self.question))

    @property
    def wants_change(self) -> bool:
        """Whether it asks how something changed, if only beside what else it asks."""
        return self.operation is Operation.CHANGE or _BEFORE.search(self.question) is not None

    @property
    def wants_series(self) -> bool:
        """Whether it asks how something was in several periods that it does not name."""
        return not self.years and _SERIES.search(self.question) is not None

    @property
    def wants_difference(self) -> bool:
        """Whether it asks by how much two figures differ."""
        is_compared = self.operation is Operation.COMPARE and _DIFFERENCE.search(self.question) is not None
        return is_compared or _EXCEEDS.search(self.question) is not None

    @property
    def is_ours(self) -> bool:
        """Whether it is about those who ask."""
        return _OURS.search(self.question) is not None

    @property
    def spans(self) -> tuple[tuple[str, str], ...]:
        """The first and last month of each fiscal year asked for; else of what lies between the months asked for."""
        years = _fiscal_years(self.question)
        return tuple((f"{year}-04", f"{year + 1}-03") for year in years) or ((self.span,) if self.span else ())

    @property
    def span(self) -> tuple[str, str] | None:
        """The first and last month asked for, as `2025-04`; None if no months are."""
        return (min(self.months), max(self.months)) if self.months else None


@lru_cache(maxsize=256)
def question_parts(question: str) -> Asked:
    """Take a question apart; of a very long one, its beginning."""
    whole = question[:LONGEST_QUESTION]
    question = _asking(whole)
    said = (one for one in names_in(question) if not _QUARTER.fullmatch(one.en))
    found = tuple(_named(one.en) if _COMPANY.fullmatch(one.en) else one for one in said)
    spelt = tuple(Name(en, ja, (folded(en), folded(ja))) for ja, en in _SPELT.findall(question))
    spelt += tuple(Name(now, now, (folded(now), folded(old))) for now, old in _FORMERLY.findall(question))
    bare = _FORMERLY.sub(r"\1", _SPELT.sub(r"\1", question))
    found = (*spelt, *(one for one in found if not any(one.stands_in(form) for two in spelt for form in two.forms)))
    groups = groups_in(question)
    known = {form for one in found for form in one.forms}
    further = [
        word
        for word in _CAPITALS.findall(bare)
        if folded(word) not in known and not any(one.en.startswith(folded(word)) for one in groups)
    ]
    names = (*found, *map(_named, dict.fromkeys(further)))
    bare = " ".join(_LEADS_TO_QUESTION.sub("", one) for one in _SENTENCE_END.split(bare) if one)
    bare = _without_times(without_names(bare, (*groups, *names, *regions_in(question))))
    operation, limit = _operation(question, names), None
    is_which = not names and _WHY_OR_HOW.search(question) is None
    if is_which and operation in (Operation.LOOK_UP, Operation.RANK, Operation.COMPARE):
        bare, limit = _without_limit(bare)
    operation = Operation.RANK if limit else operation
    taken = _japanese if language_of(question) is Language.JA else _english
    parts = taken(bare)
    if listed := _listed(question):
        return _as_listed(question, names, listed, taken)
    if not parts and operation is Operation.OPEN:
        parts = dict.fromkeys(_OVERVIEW[language_of(question)], question)
    return Asked(
        question,
        names,
        tuple(parts) or (question,),
        tuple(parts.values()) or (question,),
        tuple(dict.fromkeys(_YEAR.findall(question))),
        tuple(sorted(_months(question))),
        operation,
        beside=whole,
        limit=limit,
    )


def _asking(question: str) -> str:
    """Return what a question asks, without sentences on how to answer it; the years that it has, in four digits."""
    question = _SHORT_YEAR.sub(r"FY20\1", question)
    question = _QUARTER_OF_YEAR.sub(lambda one: f"Q{one[2] or one[3]} {one[1] or one[4]}", question)
    if "?" not in question and "？" not in question and "。" not in question:
        return question
    if _LISTED.search(question):
        return question
    said = [one for one in _SENTENCE_END.split(question) if one]
    asking = [one for one in said if one.rstrip().endswith(("?", "？")) or not _INSTRUCTS.match(one)]
    return " ".join(asking) or question


def _without_times(text: str) -> str:
    for told in (_TIME, _SERIES, _REPORT):
        text = told.sub(" ", text)
    return text


def _named(word: str) -> Name:
    """Return what a name is called; a company known by a letter has a name in either language."""
    if (match := _COMPANY.fullmatch(word)) is None:
        return Name(word, word, (folded(word),))
    letter = unicodedata.normalize("NFKC", match[1] or match[2])
    en, ja = f"Company {letter}", f"{letter}社"
    return Name(en, ja, (folded(en), folded(ja)))


def _without_limit(bare: str) -> tuple[str, Limit | None]:
    """Return a question with what sets a limit turned into an order, and the limit."""
    is_japanese = language_of(bare) is Language.JA
    match = (_LIMIT_JA if is_japanese else _LIMIT_EN).search(bare)
    number = number_in(match["amount"]) if match else None
    if match is None or number is None:
        return bare, None
    rest = f"{bare[: match.start()]}{'が最も大きい' if is_japanese else ' '}{bare[match.end() :]}"
    return rest, Limit(number, match["said"].strip(), match["above"] is not None, bool(match["least"] or match["most"]))


def without_names(text: str, names: Sequence[Name]) -> str:
    """Return a text without names."""
    for name in names:
        for form in sorted({name.en, name.ja, *name.forms}, key=len, reverse=True):
            text = re.sub(
                rf"(?<![A-Za-z]){re.escape(form)}(?:['’]s|向けの?|国?民(?=[のがはを])|人(?=[のがはを]))?(?![A-Za-z])",
                " ",
                text,
                flags=re.IGNORECASE,
            )
    return text


def _as_listed(
    question: str, names: tuple[Name, ...], listed: tuple[Part, ...], taken: Callable[[str], dict[str, str]]
) -> Asked:
    """Return a question whose parts stand in it as a list: they are what is asked, of those that they name."""
    abouts = " / ".join(part.about for part in listed)
    about = question_parts(abouts).names if abouts.strip(" /") else names
    of = "の" if language_of(question) is Language.JA else " "
    said: dict[str, Part] = {}
    for part in listed:
        # What is no name, such as a kind of thing, is looked for in words.
        is_named = not part.about or any(name.stands_in(folded(part.about)) for name in about)
        told = part if is_named else Part("", f"{part.about}{of}{part.asked}")
        bare = _without_times(without_names(told.asked, about or names))
        what = " ".join(taken(bare)) or " ".join(bare.split()) or told.asked
        # The same asked of several is asked of all.
        said[what] = told if what not in said else Part("", said[what].asked)
    return Asked(
        question,
        about or names,
        tuple(said),
        tuple(part.asked for part in said.values()),
        tuple(dict.fromkeys(_YEAR.findall(question))),
        tuple(sorted(_months(question))),
        _operation(question, names),
        tuple(part.about for part in said.values()),
    )


def _listed(question: str) -> tuple[Part, ...]:
    """Return the parts that a question lists, a line each."""
    lines = [_ABOUT.fullmatch(line.strip()) or line.strip() for line in _LISTED.findall(question)]
    parts = (Part("", line) if isinstance(line, str) else Part(line[1].strip(), line[2].strip()) for line in lines)
    return tuple(dict.fromkeys(parts))[:_MOST_PARTS]


def head_of(question: str) -> str:
    """Return a question without the list of its parts; all of it where it is nothing else."""
    return " ".join(_LISTED.sub("", question).split()) or " ".join(question.split())


def parts_of(question: str) -> tuple[Part, ...]:
    """Return what is asked, part by part: as the question lists it, else as it is taken apart."""
    if listed := _listed(question):
        return listed
    asked = question_parts(question)
    about = ("、" if language_of(question) is Language.JA else ", ").join(
        name.ja if language_of(question) is Language.JA else name.en for name in asked.names
    )
    return tuple(Part(about, attribute) for attribute in asked.attributes[:_MOST_PARTS])


def with_parts(question: str, parts: Sequence[Part]) -> str:
    """Return a question that lists these parts, and no others."""
    head = _LISTED.sub("", question).strip()
    return "\n".join([head, *(f"- {part}" for part in parts if part.asked)]).strip()


def _english(bare: str) -> dict[str, str]:
    """Return what is asked in each clause of a question, with that clause."""
    parts: dict[str, str] = {}
    bare = _EACH.sub("per capita", re.sub(_SHARE_EN, " ", bare, flags=re.IGNORECASE))
    for clause in split_beside_terms(_SPLIT_EN, _EITHER.sub(r"\1", _OPENS.sub(" ", bare))):
        meant = {told: told for pattern, told in _MEANT if pattern.search(clause)}
        bare = reduce(lambda left, known: known[0].sub(" ", left), _MEANT, clause)
        words = [word for word in _WORD.findall(bare) if not _only_asks(folded(word))]
        if words and not (parts and _JUDGED.search(clause)):
            parts.setdefault(" ".join(words), " ".join(clause.split()))
        parts.update(meant)
    return parts


def _japanese(bare: str) -> dict[str, str]:
    """Return the same of a Japanese question: from the first word of a clause that says something to the last."""
    parts: dict[str, str] = {}
    if match := _EXCEEDS.search(bare):
        bare = f"{bare[: match.start()]}と{match['second']}"
    for way, told in _MEANT:
        bare = way.sub(told, bare)
    bare = _HAVE_JA.sub("の", bare)
    bare = _SHARE_OF.sub(r"\g<part>、\g<whole>", bare)
    bare = _OF_WHOLE.sub("", _PART_OF.sub(r"\g<part>", _FOR_EACH.sub("", bare)))
    bare = _LISTED_JA.sub(
        lambda run: run.group().replace("・", "、") if _KANJI.search(run.group()) else run.group(), bare
    )
    for clause in _SPLIT_JA.split(_WITH_JA.sub("", _QUOTES_JA.sub("", bare))):
        nouns = [
            match
            for match in _NOUN_JA.finditer(clause)
            if not _only_asks(folded(match.group())) or _SHORT.match(clause, match.start())
        ]
        if nouns and not (parts and _JUDGED.search(clause)):
            said = clause[nouns[0].start() : nouns[-1].end()].strip()
            parts.setdefault(_BETWEEN_JA.sub(_joined, said), clause.strip())
    return parts


def _joined(asking: re.Match[str]) -> str:
    """Return what stands for a word that asks in the middle: 代理店の不満 for 代理店は何に不満."""
    return "の" if asking["what"] else asking["topic"]


_DEGREE = re.compile(rf"(?:{_ADJECTIVES})i?e(?:st|r)")
_EACH = re.compile(r"\bper (?:head|person|inhabitant)\b", re.IGNORECASE)


def _only_asks(word: str) -> bool:
    asks = _DEGREE.fullmatch(word) or _HOW_MANY.fullmatch(word)
    return asks is not None or is_stop_word(word) or word.removesuffix("'s") in _ASKING


def _months(question: str) -> set[str]:
    found = set()
    for match in _MONTH.finditer(question):
        if match[1]:
            found.add(f"{match[2]}-{MONTHS.index(match[1].lower()) + 1:02}")
        else:
            found.add(f"{match[3]}-{int(match[4]):02}")
    for year in _fiscal_years(question):
        found |= {f"{year}-04", f"{year + 1}-03"}
    return found


def _fiscal_years(question: str) -> list[int]:
    """Return the fiscal years that a question names, as Japanese companies have them: from April to March."""
    return sorted({int(first or second) for first, second in _FISCAL.findall(question)})


def _operation(question: str, names: Sequence[Name]) -> Operation:
    """Return what is to be done; a name says nothing of it: Best Buy."""
    bare = without_names(question, [name for name in names if not name.is_place])
    found = next((operation for operation, pattern in _PATTERNS if pattern.search(bare)), None)
    if found is not None:
        return found
    return Operation.COMPARE if len(compared_in(question)) > 1 else Operation.LOOK_UP


@dataclass(frozen=True)
class Concept:
    """One thing asked for."""

    label: str
    """What it is called, spelt so that it can be shown and searched for."""
    phrases: tuple[tuple[str, ...], ...]
    """Wordings that mean it, as tokens; the first says it best."""
    related: frozenset[str] = frozenset()
    """Tokens of its translations: several of them together mean it."""
    known: float = 1.0
    """Share of it that the dictionary translates: 売上高 of 海外売上高比率 is not all of it."""
    weight: float = 1.0
    is_period: bool = False
    """Whether it only says when, as 2025 or 年度 do: what else is asked for is the subject."""

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Every token of every wording."""
        return self.related.union(*self.phrases)

    def match(self, found: Collection[str]) -> float:
        """Return how far a text with the tokens `found` speaks of this, from 0 to 1."""
        if self.tokens.isdisjoint(found):
            return 0.0
        told = enumerate(self.phrases)
        best = max((_phrase_match(phrase, found) * max(0.9, 1 - 0.02 * place) for place, phrase in told), default=0.0)
        if best >= 0.9 or not self.related:
            return best
        told_abroad = min(1.0, sum(token in found for token in self.related) / min(3, len(self.related)))
        return max(best, 0.95 * self.known * told_abroad)


_ITEM = re.compile(r"[;,、。；]")
"""What stands between the items of a value that lists several."""


def items_of(text: str) -> list[str]:
    """Return the items of a value that lists several."""
    return _ITEM.split(text)


def meets(asked: Collection[Concept], label: str, text: str) -> bool:
    """Whether one item of a value (“copper ore” of all that is exported) says with its label everything asked."""
    called = frozenset(tokens(label))
    left = [one for one in asked if one.match(called) < _MEETS]
    return not left or any(
        all(one.match(said) >= _MEETS for one in left) for said in map(frozenset, map(tokens, items_of(text)))
    )


def best_told(found: Mapping[str, Collection[str]], asked: Collection[Concept]) -> str:
    """Return the label under which most is told of what is asked; of several the one that says least besides.

    `found` has what is told under each label; nothing of nothing.
    """
    most = max(map(len, found.values()), default=0)

    def besides(label: str) -> tuple[int, float]:
        beside = sum(1 for word in set(tokens(label)) if not any(one.match((word,)) for one in asked))
        return beside, sum(map(len, found[label])) / len(found[label])

    return min((label for label, told in found.items() if len(told) >= _MOST_TOLD * most), key=besides, default="")


_SHORT = re.compile(r"(?<![一-鿿々])(?![国何誰人方事物年前後上下中間])[一-鿿](?=[をがのはも])")
"""A word of one sign, which elsewhere tells too little to be searched for: 銅を輸出している国."""
_MOST_TOLD = 0.8
"""Share of the most that is told under one label that another needs to be as good: some have gaps."""
_MEETS = 0.8
"""From which match a concept is said: by a wording of it as a whole, or by its translation."""
_ADJECTIVE = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|low|long)\b"
    r"|\b(?:largest|biggest|greatest|highest|lowest|smallest|fewest|fastest|slowest)\b"
    r"|一番|最(?:大|小|多|少|高|低)",
    re.IGNORECASE,
)
"""A word behind "how" asks for a measure, a superlative for an order; neither says what is measured."""
_IDIOMS = (
    (
        re.compile(r"\b(?:to|with|from|by) whom\b|誰に|誰と|だれに|どこの国|どの国|どこに(?:売|輸出)", re.IGNORECASE),
        "partners",
        ("partners", "partner", "customers", "buyers", "相手国", "取引先", "顧客"),
    ),
    (
        re.compile(r"\bper (?:capita|head|person)\b|[一1１]人[当あ]たり", re.IGNORECASE),
        "per-capita",
        ("per capita", "per person", "per head", "一人当たり", "1人当たり"),
    ),
)
"""Ways of asking for something in words that say nothing by themselves."""
_PERIOD = re.compile(
    r"(?:19|20)\d\d|fiscal|fy|years?|quarters?|months?|annual(?:ly)?|yearly"
    r"|年|年度|会計年度|年間|四半期|上期|下期|上半期|下半期|通期|期"
)
_WHEN = 0.25
"""Weight of a word that only says when: nearly every page holds it."""
_LONG_WORDING = 4
"""Tokens from which half a wording tells something: 省エネ of 省エネ効果."""


def _phrase_match(phrase: tuple[str, ...], found: Collection[str]) -> float:
    share = sum(token in found for token in phrase) / len(phrase)
    if share == 1.0:
        return 1.0
    return 0.5 * share if share > 0.5 or (share == 0.5 and len(phrase) >= _LONG_WORDING) else 0.0


def concept(label: str, phrases: Iterable[str], weight: float = 1.0) -> Concept:
    """Return a concept whose wordings are all known."""
    parts = dict.fromkeys(tuple(tokens(phrase)) for phrase in phrases)
    return _weighed(Concept(label, tuple(part for part in parts if part), weight=weight))


def _weighed(asked: Concept) -> Concept:
    if _PERIOD.fullmatch(folded(asked.label)):
        return replace(asked, weight=asked.weight * _WHEN, is_period=True)
    return asked


@lru_cache(maxsize=256)
def asked_concepts(question: str, weight: float = 2.0) -> tuple[Concept, ...]:
    """Return a concept for each content word of a question that is no name, with its translations.

    Two English words that stand side by side ("industrial growth") are one concept, and each alone counts half. So does
    a part of the world: what is about it need not say so.
    """
    question = question[:LONGEST_QUESTION]
    areas = regions_in(question)
    forms = [form for name in (*names_in(question), *areas) for form in name.forms]
    taken = {word for form in forms for word in content_words(form)} | set(forms)
    bare = _ADJECTIVE.sub(" ", question)
    for idiom, _, _ in _IDIOMS:
        bare = idiom.sub(" ", bare)
    words = [word for word in content_words(bare) if word not in taken]
    low = folded(question)
    subjects = [word for word in words if not _PERIOD.fullmatch(word)]
    pairs = [f"{one} {two}" for one, two in pairwise(subjects) if f"{one} {two}" in low and one.isascii()]
    paired = {word for pair in pairs for word in pair.split(" ")}
    return tuple(
        [_asked(pair, weight) for pair in pairs]
        + [_asked(spelt(word, low), weight / 2 if word in paired else weight) for word in words]
        + [concept(area.en, area.forms, weight / 2) for area in areas]
        + [concept(label, wordings, weight) for idiom, label, wordings in _IDIOMS if idiom.search(question)]
    )


def things_of_all(question: Asked) -> tuple[Concept, ...]:
    """Return what a question asks of all, whom it names (a language, say) as well; nothing of one that does not."""
    if not question.is_of_all:
        return ()
    asked = " ".join(question.attributes)
    further = [concept(name.en, name.forms) for name in question.names]
    further += [_asked(word, 1.0) for word in _SHORT.findall(asked)]
    return (*asked_things(asked), *further)


def asked_things(question: str) -> tuple[Concept, ...]:
    """Return the single words of `asked_concepts` that say neither when nor in which part of the world."""
    areas = {area.en for area in regions_in(question)}
    singles = (one for one in asked_concepts(question) if " " not in one.label or one.label in areas)
    return tuple(one for one in singles if not one.is_period and one.label not in areas)


def _asked(words: str, weight: float) -> Concept:
    translated = folded(expand(words)).removeprefix(words)
    phrases = tuple(tuple(tokens(wording)) for wording in (words, *_head(words)))
    return _weighed(Concept(words, phrases, frozenset(tokens(translated)), _share_known(words), weight))


def _share_known(word: str) -> float:
    """Return the share of a Japanese word that the dictionary knows; of others all."""
    if language_of(word) is not Language.JA:
        return 1.0
    known = {place for term in japanese_terms(word) for place in range(term.start, term.end)}
    return len(known) / len(word)


def _head(word: str) -> Iterator[str]:
    """Yield the term of the dictionary that a longer Japanese word ends in: it says what kind of thing is meant."""
    for term in japanese_terms(word):
        if term.start > 0 and term.end == len(word):
            yield word[term.start :]
