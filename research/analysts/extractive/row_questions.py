"""How a question asks for what rows of a data file come to: which figure of them, of what groups, when, of how many.

What it asks is read off its words alone; which columns and cells are meant, `queries` finds in a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from research.core import Span
from research.quantities import NUMBER_WORDS, spaced
from research.text import (
    MONTHS,
    YEAR,
    Asked,
    Asks,
    Operation,
    expand,
    folded,
    is_of_today,
    number_in,
    other_words,
)

_EACH = "different|distinct|unique"
"""What is said where of what is alike only one counts."""
_COUNTS = re.compile(
    r"\bhow many (?!times)|\bnumber of\b|何(?:人|件|名|社|店舗?|個|回|台|種類)|いくつ(?:あ|の)|(?:人|件|社|店舗)数",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"\bhow many (?:(?:{_EACH}) )?\w+", re.IGNORECASE)
_NO_NOUN = "is|are|was|were|do|does|did|has|have|had|share|percent|proportion|the|made|happened"
_COUNTED_NOUN = re.compile(
    rf"\b(?:how many|number of) (?:(?:{_EACH}) )?"
    rf"(?P<en>\w+(?: (?!(?:{_NO_NOUN}|in|at|of|from|on|for|with|there|who|that)\b)\w+){{0,2}})"
    r"|(?P<ja>[一-鿿ァ-ヶー]{2,12})(?:は|って)(?:全部で)?(?:何(?:人|件|名|社|店舗?|個|台)|いくつ|何?種類)"
    r"|(?:何種類|いくつ)の(?P<kinds>[一-鿿ァ-ヶー]{2,12})",
    re.IGNORECASE,
)
_KINDS_COUNTED = re.compile(rf"\b(?:how many|number of) (?:{_EACH})\b|何種類", re.IGNORECASE)
IDENTIFIES = re.compile(r"[ _-]?(?:\bids?|\bcode|\bno\.?|\bnumber|\bname)\Z|(?:コード|番号|名|ID)\Z", re.IGNORECASE)
"""What a column ends with that tells those apart whom it is about."""
_SOLD = re.compile(
    r"\bsold\b|\b(?:did|does) .*\bsell\b|\b(?:shipped|ordered|bought)\b|売れ|売った|販売|出荷", re.IGNORECASE
)
_DAYS_COUNTED = re.compile(r"\bhow many (?:days|months|weeks)\b|何日|何か月|何ヶ月", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:shares?|slice|portion) of\b|\bpercent|\bproportion|\bper cent\b|%|％|割合|比率|何割|シェア|構成比",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:of|among) (?:the |our |all )?(?P<en>[\w'-]+(?: [\w'-]+){0,2})"
    r"|(?P<ja>[^、。]{1,30}?)(?:のうち|の中で|に占める)",
    re.IGNORECASE,
)
"""What a share is of: of the technical staff, 女性のうち."""
_BOTH = re.compile(r"[いるた]人と[^、。]{0,12}ない人|\bwith (?:and|or|vs\.?) without\b|\bor not\b", re.IGNORECASE)
"""What asks of those of whom something is so, and of the others."""
_RATE = re.compile(r"\bmargins?\b|\brates?\b|率", re.IGNORECASE)
_MEDIAN = re.compile(r"\bmedian\b|中央値", re.IGNORECASE)
_EACH_SPAN = r"\b(?:which|what|by|per|each|every|worst|best|weakest|strongest|busiest|quietest) "
_SPANS = {
    Span.DAY: rf"{_EACH_SPAN}(?:day|date)\b(?! of)|何月何日|日別|[たるい]日は(?:いつ|何)|どの日",
    Span.MONTH: rf"{_EACH_SPAN}month|月(?:は|別|ごと|毎)|どの月|何月(?!何日)",
    Span.QUARTER: rf"{_EACH_SPAN}quarter|四半期(?:は|別|ごと)|どの四半期",
    Span.YEAR: rf"{_EACH_SPAN}year\b(?! of)|年(?:別|ごと)|何年(?![間か])",
}
_SPANS_ASKED = {span: re.compile(words, re.IGNORECASE) for span, words in _SPANS.items()}
"""What asks for what days, months, quarters or years come to."""
WEEKDAY = re.compile(r"\b(?:day of (?:the )?week|weekday)|曜日", re.IGNORECASE)
_PEAK = re.compile(r"\bpeak|ピーク|最高|最大|最低|最小", re.IGNORECASE)
_LEAST = re.compile(
    r"\b(?:cheapest|worst|weakest|quietest|bottom)\b|悪[いか]|安[いか]|低[いか]|少な[いか]|ワースト", re.IGNORECASE
)
_IN_ALL = re.compile(r"\bhow much\b|\btotal|\baverage\b|\bmedian\b|いくら|合計|全部|平均|中央値|総", re.IGNORECASE)
"""What asks for a figure of all rows where none are named."""
_LOSES = re.compile(r"減[っりる少]|下がっ|落ち|\b(?:drop|fell|fall|declin|decreas|lost|loss|shr[aiu]nk)", re.IGNORECASE)
_GROWS = re.compile(
    rf"増[えや加]|伸び|上がっ|成長|{_LOSES.pattern}|\b(?:gr[eo]w|growth|increas|gain|rose|risen|changed?)",
    re.IGNORECASE,
)
_AS_RATE = re.compile(r"率|[%％]|\b(?:rate|percent|fast)", re.IGNORECASE)
_NOUN = (
    re.compile(
        rf"\b(?:(?:which|what)(?! (?:{_NO_NOUN})\b)|by|per|each|every"
        r"|(?:best|worst|biggest|largest|smallest|top|two|three|five|\d+)(?:[- ](?:selling|performing))?)"
        r" ((?:[a-z]+ ){0,2}[a-z]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"([一-鿿ァ-ヶーA-Za-z]+?)(?:は(?:どこ|どれ|何|なに|誰|だれ|[？?]|$)|別|ごと|毎に|を\d+つ|はどの|(?:トップ|上位|下位|ワースト)\d)"
    ),
    re.compile(r"どの([一-鿿ァ-ヶー]+)"),
)
"""What groups are asked for by: which shop, by region, three biggest departments; 部署はどこ, 地域別."""
_UNNAMED = re.compile(r"のは(?:何|なに|どれ|どこ|誰|だれ)|\bwho\b|\bwhat (?:sells|sold)\b", re.IGNORECASE)
"""What asks for one of several without a word of what they are."""
_SOME = "two|three|four|five|six|seven|eight|nine|ten|twenty|[2-9]|1[0-9]|20"
_NUMBER = re.compile(
    rf"\b({_SOME})\b(?= (?:\w+ )?(?:\w+est|most|best|worst|top)\b)|\b(?:top|bottom|best|worst|\w+est|most) ({_SOME})\b"
    r"|([2-9]|10)[つ位]|(?:トップ|上位|下位|ワースト|ベスト)([2-9]|10)",
    re.IGNORECASE,
)
_NUMBER_OF_RANK = re.compile(
    rf"\b(?:which|what|name|list|show|give|find)(?: me)?(?: the)? ({_SOME})\b(?! \w+ of\b)"
    r"|(?<=[いた])(?:順に?)?([2-9]|1[0-9]|20)(?:社|[か|カヶケ]国|都?道?府?県|都市|市|町|件|人|名|店舗?|校|銘柄|品目?|項目|業種|部署|地域)(?!以)",
    re.IGNORECASE,
)
"""How many are asked for where an order is: which five companies have the highest yield, 利回りが高い5社."""

# --- when ---------------------------------------------------------------------------------------------------------

_QUARTER = re.compile(r"\bQ([1-4])\b|第?([1-4１-４一二三四])四半期", re.IGNORECASE)
_DIGITS = "1234一二三四１２３４"
_HALF = re.compile(
    r"\b(?P<first>first half|H1)\b|\b(?P<last>second half|last half|H2)\b|(?P<ja>[上下])半期", re.IGNORECASE
)
_NAMES = "|".join(MONTHS)
_MONTH_EN = re.compile(
    rf"\b(?:in|for|of|during|by|last|this|than|and|to|vs\.?) (?i:({_NAMES}))\b|\b({'|'.join(map(str.title, MONTHS))})\b"
)
_MONTH_JA = re.compile(r"(?<!\d)(\d{1,2})月(?!別|ごと)")
_RANGE_JA = re.compile(r"(?<!\d)(\d{1,2})月?(?:[〜～~–-]|から)(\d{1,2})月")
_RANGE_EN = re.compile(r"\b(?:from|between)\b.*\b(?:to|and|until|through)\b", re.IGNORECASE)
_DECADES = re.compile(rf"{YEAR.pattern}年?")
_OPEN_TIME = re.compile(
    rf"\b(?P<sign>since|after|before|until|through)\b (?:the )?(?:(?:{_NAMES}) )?(?:19|20)\d\d\b"
    r"|(?:19|20)\d\d年(?:度|\d{1,2}月)?(?P<ja>以降|以来|より後|以前|より前|まで)",
    re.IGNORECASE,
)
_OPEN_SIGNS = {"since": "≥ ", "after": "> ", "before": "< ", "until": "≤ ", "through": "≤ "}
_OPEN_SIGNS |= {"以降": "≥ ", "以来": "≥ ", "より後": "> ", "以前": "≤ ", "より前": "< ", "まで": "≤ "}
"""From when on, or until when: since 2015, 2015年以降."""
_A_DAY = re.compile(
    rf"\b(?P<name>{_NAMES}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (?P<year>(?:19|20)\d\d))?"
    r"|(?P<iso>(?:19|20)\d\d)[-/](?P<iso_month>\d{1,2})[-/](?P<iso_day>\d{1,2})(?!\d)"
    r"|(?:(?P<ja>(?:19|20)\d\d)年)?(?P<ja_month>\d{1,2})月(?P<ja_day>\d{1,2})日",
    re.IGNORECASE,
)
"""A single day: December 3, 2024-12-03, 12月3日."""
_LATEST = re.compile(r"\b(?:latest|most recent|current)\b|最新|直近", re.IGNORECASE)

# --- limits -------------------------------------------------------------------------------------------------------

SIGNS = {
    "≥": r"at least|or more|or above|以上",
    "≤": r"at most|or less|以下",
    "<": r"under|below|less|fewer|younger|未満|を[切割下]",
    ">": r"over|above|more|exceed|older|first|超|を上回|を越",
}
"""How a limit is told that figures keep to, and asked for."""
_LIMIT = re.compile(
    r"\b(?:over|above|at least|(?:more|older|less|fewer|younger) than|exceed(?:s|ed|ing)?|under|below|at most)"
    r" [$€£¥]?(?P<en>\d[\d,]{0,20}(?:\.\d+)?(?: (?:thousand|million|billion|trillion))?)\b(?:\s\w+){0,2}"
    r"|\b(?P<more>\d[\d,]{0,20}(?:\.\d+)?) (?:\w+ ){0,3}or (?:more|less|above)"
    r"|\bfirst (?:top|pass|reach|cross|hit)(?:ped|ed)? [$€£¥]?"
    r"(?P<first>\d[\d,]{0,20}(?:\.\d+)?(?: (?:thousand|million|billion|trillion))?)(?: \w+)?"
    r"|(?P<ja>(?<![\d,])\d[\d,]{0,20}(?:\.\d+)?[万億兆千]*)[一-鿿ァ-ヶ℃%％]{0,3}?(?:以上|以下|未満|超|を上回|を[超越]え|を[切割下])",
    re.IGNORECASE,
)
"""What figures have to keep to: over 50, 35度以上."""
_CLAUSES = re.compile(r"[、,;]| and | but |(?<=[いるた])(?:が|けど|のに|て)|で、?", re.IGNORECASE)
_FIGURE = re.compile(
    r"[$€£¥]?\d[\d,.]*\s?(?:[万億千]|人|円|歳|度|ミリ|%|％|mm\b|days?\b|miles?\b|dollars?\b|yen\b|k\b)"
)
"""A figure that a question names and that is no time."""
_BUT = re.compile(
    r"\b(?:except(?: for)?|excluding|other than|apart from|not counting|without) (?:the |an? |any )?(?P<en>[\w ]+)"
    r"|(?P<ja>[^、。\s]{1,30}?)(?:を除[くい]|以外)",
    re.IGNORECASE,
)
_NEGATES = re.compile(
    r"\b(?:not|never|neither|nor|no|outside|but|rather than|instead of)\b|n['’]t\b"
    r"|でない|ではない|じゃない|[ってい]ない|未(?!満)",
    re.IGNORECASE,
)
"""What turns a question round in a way that is not read."""
_CAME = re.compile(r"\b(?:c[ao]mes?|go(?:es)?|went) (?:from|to|above|below|over|under)\b", re.IGNORECASE)
_FIRST = re.compile(
    r"\bfirst (?:go|went|top|pass|reach|exceed|cross|hit|rise|rose|climb|f[ae]ll|dip|drop)|初めて", re.IGNORECASE
)
"""What asks when something was first so."""
_PLANS = re.compile(
    r"\b(?:over|under)(?:sp[ae]n[dt]|r[au]n|sho[ot]t?)|\b(?:over|under|above|below|against|vs\.?|versus|than|exceed\w*|beat|miss\w*"
    r"|reach\w*|hit|me[et]t?|short of|behind|ahead of) (?:the |its |our |their )?(?:budget|plan|target|forecast)"
    r"|(?:予算|計画|目標)(?:に(?:対|届|比|達)|を(?:達|[上下]回|超|切)|より|比|対|と(?:の差|比|実績))|未達|オーバー",
    re.IGNORECASE,
)
"""What holds what was done against what was planned."""
_MISSED = re.compile(
    r"\bunder|\bbelow\b|\bmiss|\bshort of|\bbehind\b|\b(?:not|n['’]t)\b|未達|下回|届か|達しな|達成しな|割[っりる]",
    re.IGNORECASE,
)
PLANNED = re.compile(r"\b(?:budget|plan(?:ned)?|target|forecast)\b|予算|計画|目標|予測|見込", re.IGNORECASE)
DONE = re.compile(r"\bactuals?\b|\bresults?\b|実績|実際", re.IGNORECASE)
"""How columns of what was planned, and of what came of it, are called."""
_UNREAD_TIME = re.compile(
    r"\b(?:since|after|before|until|till|from now|past|yesterday|today|tomorrow|to date|ytd|weekends?|spring|autumn"
    r"|winter|early|late|mid|recent(?:ly)?|last (?:\d+|few|two|three|four|five|six|ten|twelve))\b"
    r"|以降|以前|より前|より後|以来|令和|平成|昭和|年前半|年後半|[春夏秋冬]|上旬|中旬|下旬|週末|平日|休日|[〇一二三四五六七八九]{4}年"
    r"|['’]\d\d\b|\d{1,2}/\d{1,2}/\d{4}|\b\d{1,2}/\d{4}|\d{4}/\d{1,2}|\dか月",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"まで|\b(?:until|through)\b")
"""Times that are told in ways that are not read: the summer, last week."""
_UNREAD_GROUP = re.compile(
    r"\b(?:by|per|each|every|which|what) (?:week|hour)\b(?! of)"
    r"|\b(?:monthly|weekly|daily|quarterly|yearly|annually|second[- ](?:most|highest|largest))\b"
    r"|(?<!how many )(?<!number of )\b(?:different|distinct)\b"
    r"|[月日週]平均|次に|(?<!何)種類",
    re.IGNORECASE,
)
"""Groups and places in an order that are not made."""
_UNREAD_LIMIT = re.compile(
    r"\bbetween \d|\d0代|\bin (?:his|her|their) \d0s\b|(?-i:\d ?[km]\b)"
    r"|(?:\b(?:than|over|above|under|below|least|most) |[$€£¥])\d[\d,.]* ?[km]\b",
    re.IGNORECASE,
)
"""Limits that are not read; 3M is a name."""
_NOT_OF_ROWS = re.compile(
    r"^\s*(?:how (?:could|can|should|do (?:we|i)|does|would)|why|who (?:decided|said|approved|objected|attended))\b"
    r"|\bdecided\b|決ま|決定|決議|理由|なぜ|どうすれば|どのように|述べ"
    r"|差が(?:一番|最も)|\b(?:largest|biggest|widest) (?:gap|difference)",
    re.IGNORECASE,
)
"""What rows of one file do not tell, or not yet: how something can be done, why it is so, what was decided or said."""
_WHO = re.compile(r"誰|だれ|\bwho(?:'s| is| was)\b", re.IGNORECASE)
TELLS_HOW = re.compile(
    rf"{_NAMES}|averages?|means?|medians?|totals?|shares?|percent(?:age)?|proportion|numbers?|counts?|months?|days?|weeks?"
    r"|years?|quarters?|half|two|three|four|five|ten|top|best|worst|biggest|peak|rank(?:ing)?|list|difference|monthly|data"
    r"|figures?|files?|tables?|latest|q[1-4]|typical(?:ly)?|平均[一-鿿]*|合計|全体|全部|割合|比率|何[一-鿿％%]+|件数|人数|差|推移|順位?"
    r"|上位|下位|トップ|ピーク|データ|表|資料|中央値|最新|[上下]半期|\d+",
    re.IGNORECASE,
)
"""What only says how a figure is to be told."""

_KINDS = (
    (
        r"\b(?:revenues?|sales|turnover|takings|ma[kd]e|bills?|baskets?|spen[dt]|order values?|sell|sold"
        r"|br(?:ing|ought)|money)\b|売上|売り上げ|売れ|売った|いくら|客単価",
        r"(?:total |net )?(?:sales|revenue|turnover|amount)|total(?: amount| sales| revenue)?"
        r"|(?:総)?売上(?:高|金額|合計)?|売り上げ|金額",
    ),
    (
        r"\b(?:earn(?:s|ed)?|paid|pay|salar(?:y|ies)|wages?|makes?)\b|給料|給与|年収|月収|稼",
        r".*\b(?:income|salary|pay|wages?)|給[料与](?:額)?|年収|月収",
    ),
    (
        r"\b(?:cheap(?:er|est)?|expensive|dear(?:er|est)?|cost)\b|安[いか]|高かった|値段|価格|株価",
        r".*\bprices?|価格|値段|単価",
    ),
    (
        r"\b(?:people|inhabitants|lives?|living)\b|人口|住[むん]",
        r"(?:total )?population(?:, (?:total|\d{4}))?|人口",
    ),
    (r"\b(?:years old|aged?|older|younger|oldest|youngest)\b|歳", r"(?:.*\b)?age|年齢"),
)
_KINDS_ASKED = tuple((re.compile(asks, re.IGNORECASE), re.compile(called, re.IGNORECASE)) for asks, called in _KINDS)
"""How what was sold, what somebody earns, what something costs, who lives somewhere and how old they are is asked for,
and how the columns of these are called."""
_UNIT = re.compile(r"\s*[(（][^()（）]*[)）]\Z")
_TRANSLATED = re.compile(r"（([A-Za-z][A-Za-z ,&'-]{2,})）\Z")
"""What a column is called in another language, behind its name: 総合（All items）."""


@dataclass(frozen=True)
class RowsAsked:
    """A question, as it may be asked of rows."""

    asked: Asked

    @property
    def question(self) -> str:
        """The question in its own words."""
        return self.asked.question

    @cached_property
    def words(self) -> str:
        """The question with its words in the other language, folded."""
        return f"{folded(expand(self.question))} {folded(self.question.replace('-', ''))}"

    def has(self, way: str) -> bool:
        """Whether the question has a word, folded: whole, where it is in Latin letters."""
        if not way.isascii():
            return len(way) > 1 and way in self.words
        return len(way) > 2 and re.search(rf"(?<![a-z0-9]){re.escape(way)}(?![a-z0-9])", self.words) is not None

    def says(self, label: str) -> bool:
        """Whether the question says what a column is called, in either language."""
        translated = (match[1] for match in _TRANSLATED.finditer(label))
        return any(map(self.has, (*ways(_UNIT.sub("", spaced(label))), *map(folded, translated))))

    def asks_usually(self, label: str, words: str = "") -> bool:
        """Whether the question, or some words of it, asks in one of the usual ways for what a column measures."""
        called = _UNIT.sub("", spaced(label))
        return any(asks.search(words or self.question) and one.fullmatch(called) for asks, one in _KINDS_ASKED)

    @property
    def is_of_rows(self) -> bool:
        """Whether rows may answer it, with every figure that it names, which is none that they have to keep to."""
        rest = _LIMIT.sub(" ", self.question)
        is_person = _WHO.search(self.question) is not None and not (self.is_rank or self.asked.names)
        is_other = _NOT_OF_ROWS.search(self.question) or self.asked.wants_relation or _FIGURE.search(rest)
        return not is_other and not is_person and self.is_understood

    @property
    def is_understood(self) -> bool:
        """Whether nothing in it would be passed over that changes what is asked: a day, a second limit, a “not”."""
        is_told = any(one.search(self.question) for one in (_RANGE_JA, _RANGE_EN)) or self.is_between_months
        is_of_years = "から" in self.question and len(self.asked.years) > 1
        is_range = (is_told and bool(self.periods or self.asked.spans)) or is_of_years
        asks = self.question.replace(self._open_time[0], " ") if self._open_time and not is_range else self.question
        is_open = _UNREAD_TIME.search(asks) or (_UNTIL.search(asks) and not is_range) or len(self._days) > 1
        is_back = _RANGE_EN.search(asks) is not None and self._months_told != sorted(self._months_told)
        is_back = is_back and not self.is_between_months
        is_unread = _UNREAD_GROUP.search(asks) or _UNREAD_LIMIT.search(asks) or (self.is_first and not self.limits)
        is_negated = _NEGATES.search(asks) and not self.excluded and not self.before_both and not self.is_against_plan
        is_of_limited_groups = bool(self.limits) and self.is_of_groups and not self.counts and not self.is_first
        return not (is_open or is_back or is_unread or is_negated or is_of_limited_groups)

    # --- which figure ---

    @property
    def counts(self) -> bool:
        """Whether rows are to be counted, maybe for a share."""
        return self.counts_too or self.wants_share

    counts_too = Asks(_COUNTS)
    """Whether their number is asked for beside another figure."""

    is_of_kinds = Asks(_KINDS_COUNTED)
    """Whether it is said that of what is alike only one counts: how many different cities, 何種類."""

    def counts_each(self, label: str) -> bool:
        """Whether what a column names is counted, each once: how many customers, of their names or their numbers."""
        called = IDENTIFIES.sub("", spaced(label)).strip()
        said = {*ways(called), *ways(last_word(called))}
        several = (noun[: count + 1] for noun in self._counted for count in range(len(noun)))
        return any(not said.isdisjoint(ways(" ".join(words))) for words in several)

    def counts_of_whom(self, label: str) -> bool:
        """Whether those are counted of whom a column tells something: how many customers, of Customer type."""
        return any(is_called(word, noun[:1]) for word in spaced(label).split()[:1] for noun in self._counted)

    @cached_property
    def _counted(self) -> list[list[str]]:
        """The words for what is counted: how many customers, 顧客は何社."""
        found = _COUNTED_NOUN.finditer(self.question)
        return [(match["en"] or match["ja"] or match["kinds"]).split() for match in found]

    is_of_sold = Asks(_SOLD)
    """Whether it is asked how many were sold, bought or shipped: how many products did we sell."""

    counts_days = Asks(_DAYS_COUNTED)
    """Whether days or months are to be counted."""

    wants_share = Asks(_SHARE)
    """Whether a share is asked for."""

    def has_whole(self, said: Sequence[str]) -> bool:
        """Whether it is said that something in these words is of what a share is: of the technical staff."""
        told = [match["en"] or match["ja"] for match in _WITHIN.finditer(self.question)]
        whole = folded(expand(" ".join(told)))
        return any(way in whole for one in said for way in ways(one))

    @property
    def before_both(self) -> str:
        """The words before those who are held against the others: of those who work overtime and who do not."""
        match = _BOTH.search(self.question)
        return folded(expand(self.question[: match.end()])) if match else ""

    @property
    def wants_rate(self) -> bool:
        """Whether a rate is asked for, which only a column of rates tells."""
        return not self.wants_share and _RATE.search(self.question) is not None

    wants_median = Asks(_MEDIAN)
    """Whether the figure in the middle is asked for."""

    is_of_all = Asks(_IN_ALL)
    """Whether a figure of all rows may be meant."""

    @property
    def is_extreme(self) -> bool:
        """Whether the row with the highest or lowest figure is asked for."""
        is_peak = self.asked.wants_date or _PEAK.search(self.question) is not None
        return is_peak or (self.is_rank and not self.is_of_groups)

    is_latest = Asks(_LATEST)
    """Whether the last row is asked for."""

    # --- of which groups ---

    @property
    def is_rank(self) -> bool:
        """Whether an order is asked for."""
        return self._is_order or self.number > 0

    @property
    def _is_order(self) -> bool:
        return self.asked.operation is Operation.RANK and self.asked.limit is None

    @property
    def is_least(self) -> bool:
        """Whether it begins with the lowest."""
        is_least = self.asked.is_least or _LEAST.search(self.question) is not None
        return is_least and not self.asked.has_both_ends

    @property
    def number(self) -> int:
        """How many are asked for: the three largest; 0 where that is not said."""
        match = _NUMBER.search(self.question) or (_NUMBER_OF_RANK.search(self.question) if self._is_order else None)
        said = next(filter(None, match.groups()), "") if match else ""
        return int(said) if said.isdecimal() else NUMBER_WORDS.get(said.lower(), 0)

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """What the groups are called that are asked for."""
        return tuple(noun for pattern in _NOUN for noun in pattern.findall(self.question))

    is_unnamed = Asks(_UNNAMED)
    """Whether one of several is asked for without a word of what they are."""

    @property
    def is_of_groups(self) -> bool:
        """Whether groups are asked for."""
        return bool(self.nouns) or self.is_unnamed or self.span is not None or self.is_by_weekday

    @property
    def may_have_groups(self) -> bool:
        """Whether it is worthwhile to look for a column of groups."""
        return self.is_rank or self.asked.wants_each or bool(self.nouns)

    @property
    def span(self) -> Span | None:
        """What days are taken together by, where days, months, quarters or years are compared."""
        return next((span for span, words in _SPANS_ASKED.items() if words.search(self.question)), None)

    is_first = Asks(_FIRST)
    """Whether it is asked when something was first so."""

    is_against_plan = Asks(_PLANS)
    """Whether what was done is held against what was planned."""

    is_missed = Asks(_MISSED)
    """Whether those are asked for that stayed below their plan."""

    is_by_weekday = Asks(WEEKDAY)
    """Whether days of the week are compared."""

    asks_growth = Asks(_GROWS)
    """Whether it asks how much groups grew or shrank."""

    asks_loss = Asks(_LOSES)
    """Whether those that shrank most come first."""

    is_as_rate = Asks(_AS_RATE)
    """Whether a change is asked for in per cent."""

    @property
    def asks_money(self) -> bool:
        """Whether an amount of money is asked for: what was sold for how much."""
        return _KINDS_ASKED[0][0].search(self.question) is not None and not self.counts_too

    @property
    def things(self) -> str:
        """The question without what only says what is counted."""
        rest = self.question
        for one in (_COUNTED, _PLANS, _FIRST, _LIMIT, _CAME):
            rest = one.sub(" ", rest)
        return rest

    # --- when, and what figures keep to ---

    @property
    def is_lately(self) -> bool:
        """Whether a time is asked for that only today's date tells."""
        return is_of_today(self.question)

    @cached_property
    def periods(self) -> tuple[tuple[int, int], ...]:
        """First and last month of each part of a year that is named: quarters, halves, months."""
        asks = self.question
        if quarters := [_DIGITS.index(one or other) % 4 for one, other in _QUARTER.findall(asks)]:
            return tuple((3 * one + 1, 3 * one + 3) for one in sorted(set(quarters)))
        if halves := [bool(one["first"] or one["ja"] == "上") for one in _HALF.finditer(asks)]:
            return tuple((1, 6) if first else (7, 12) for first in sorted(set(halves), reverse=True))
        if match := _RANGE_JA.search(asks):
            return ((int(match[1]), int(match[2])),)
        months = sorted({month for month in self._months_told if 1 <= month <= len(MONTHS)})
        if len(months) > 1 and _RANGE_EN.search(asks):
            return ((months[0], months[-1]),)
        return tuple((month, month) for month in months)

    @property
    def _has_ends(self) -> bool:
        """Whether two ends of something are named: from … to …, …から."""
        return _RANGE_EN.search(self.question) is not None or "から" in self.question

    @property
    def is_between_months(self) -> bool:
        """Whether two months are named with their years, as the ends of a time: from April 2018 to April 2019."""
        return self._has_ends and len(self.asked.months) == 2 and len(YEAR.findall(self.question)) == 2

    @property
    def is_of_months(self) -> bool:
        """Whether single months may be meant: one that is named, the highest of all, the average of those of a year."""
        is_of_year = self.asked.wants_average and bool(self.asked.years)
        return bool(self.periods or self.asked.months) or self.is_extreme or self.span is Span.MONTH or is_of_year

    @property
    def _months_told(self) -> list[int]:
        told = [int(month) for month in _MONTH_JA.findall(self.question)]
        return told + [MONTHS.index((one or other).lower()) + 1 for one, other in _MONTH_EN.findall(self.question)]

    @property
    def without_read(self) -> str:
        """The question, folded, without the numbers that are read as times, limits, and how many are asked for."""
        rest = self.question
        for one in (_LIMIT, _A_DAY, _QUARTER, _RANGE_JA, _MONTH_JA, _NUMBER, _NUMBER_OF_RANK, _DECADES):
            rest = one.sub(" ", rest)
        return " ".join(word if len(word) == 1 else folded(word) for word in rest.split())

    @property
    def is_range(self) -> bool:
        """Whether years are the ends of a time, and not held against each other."""
        is_change = self.asked.operation in (Operation.CHANGE, Operation.COMPARE, Operation.RATIO) or self.asks_growth
        return self._has_ends and not is_change

    @cached_property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """What figures have to keep to, as `≥ 35`, each with the words that say so: over 50 years old."""
        told = ((_limit_of(match), match.group()) for match in _LIMIT.finditer(self.question))
        return tuple((limit, words) for limit, words in told if limit)

    def beside(self, words: str) -> str:
        """Return the clause of the question in which some words stand: older than 50 and earning over 10,000."""
        return next((one for one in _CLAUSES.split(self.question) if words in one), self.question)

    @cached_property
    def _open_time(self) -> re.Match[str] | None:
        match = _OPEN_TIME.search(self.question)
        return match if match and len(self.asked.years) == 1 and len(self.asked.months) < 2 else None

    @property
    def since(self) -> str:
        """How a time is open that is asked for, as `≥ `; empty where it is not."""
        match = self._open_time
        return _OPEN_SIGNS[(match["sign"] or match["ja"]).lower()] if match else ""

    @cached_property
    def _days(self) -> list[tuple[str, int, int]]:
        """The days that are named, each with its year, if that is said, its month and its day."""
        return [
            (
                one["year"] or one["iso"] or one["ja"] or "",
                MONTHS.index(one["name"].lower()) + 1 if one["name"] else int(one["iso_month"] or one["ja_month"]),
                int(one["day"] or one["iso_day"] or one["ja_day"]),
            )
            for one in _A_DAY.finditer(self.question)
        ]

    @property
    def day(self) -> tuple[str, int, int] | None:
        """The day that is named: its year, empty if that is not said, its month and its day."""
        return next(iter(self._days), None)

    @cached_property
    def excluded(self) -> str:
        """The words of whom is left out, folded in both languages."""
        match = _BUT.search(self.question)
        return folded(expand(match["en"] or match["ja"])) if match else ""


def _limit_of(match: re.Match[str]) -> str:
    sign = next(sign for sign, words in SIGNS.items() if re.search(words, match.group(), re.IGNORECASE))
    number = number_in(match["en"] or match["more"] or match["first"] or match["ja"])
    return f"{sign} {number:,.15g}" if number is not None else ""


@lru_cache(maxsize=4_096)
def ways(words: str) -> tuple[str, ...]:
    """Return words in all ways of saying them that are known, folded, in both languages, one and several of them."""
    said = dict.fromkeys(folded(one) for one in (words, *other_words(words), *other_words(words.lower())))
    numbers = [way + "s" for way in said if way.isascii()] + [way.removesuffix("s") for way in said if way.isascii()]
    return tuple(way for way in dict.fromkeys((*said, *numbers)) if len(way) > (2 if way.isascii() else 1))


def last_word(label: str) -> str:
    """Return the last word of a label, which says what it is."""
    return label.rsplit(maxsplit=1)[-1] if label.split() else label


def is_called(label: str, nouns: Sequence[str]) -> bool:
    """Whether one of some nouns, or a word of it, is what a column is called, in either language."""
    return any(_is_called(label, noun) for noun in nouns)


def _is_called(label: str, noun: str) -> bool:
    asked = {folded(noun), *ways(noun), *(way for word in noun.split() for way in ways(word))}
    is_part = not noun.isascii() and noun not in "年月日人" and folded(noun) in folded(label)
    return is_part or not asked.isdisjoint(ways(spaced(label)))
