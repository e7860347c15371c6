"""What a question wants done, when, and within which limit: told by the words with which questions ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Protocol

from research.language import Bilingual, Language, Phrase
from research.text.names import compared_in, without_names
from research.text.places import Name
from research.text.values import number_in
from research.text.words import folded, language_of, singular

_MONTH_NAMES = "january february march april may june july august september october november december"
MONTHS = _MONTH_NAMES.split()
"""English names of the months, in order."""
_MONTH = re.compile(
    rf"\b({'|'.join(MONTHS)})\s+((?:19|20)\d\d)|((?:19|20)\d\d)年(?:\d{{1,2}}月?[〜～~–-])?(\d{{1,2}})月", re.IGNORECASE
)
"""A month; of several, as in 2023年8〜10月期, the last."""
_TO_MONTH = r"\s*(?:to|and|through|until|till|[–-])\s*"
_MONTHS_TO = re.compile(rf"\b({'|'.join(MONTHS)}){_TO_MONTH}(?:{'|'.join(MONTHS)})\s+((?:19|20)\d\d)", re.IGNORECASE)
"""The first of two months of which only the last has a year: from April to June 2025."""
_MONTH_IN_FIGURES = re.compile(r"(?<![\d-])((?:19|20)\d\d-(?:0[1-9]|1[0-2]))(?![\d-])")
_MONTHS_OF_YEAR = re.compile(r"((?:19|20)\d\d)年(\d{1,2})月?(?:から|[〜～~–-]|、|と)(\d{1,2})月(?!期)")
"""Two months of one year: 2025年4月から6月."""
_MONTH_ALONE = re.compile(rf"\b({'|'.join(map(str.title, MONTHS))})\b(?!,? \d)(?<!\AMay)(?<![.?!] May)")
_MONTH_ALONE_JA = re.compile(r"(?<![\d年/〜～~])(?<!から)(1[0-2]|[1-9])月(?![\d〜～~]|から|まで)")
"""A month whose year is not told: March, 3月; from one to another it is a stretch of time."""
_YEAR_BESIDE = re.compile(r"(?P<before>(?P<year>(?:19|20)\d\d)年.{0,20}?)(?P<which>翌年|前年)の?(?P<month>\d{1,2})月")
"""A month of the year after or before one that is named: 2024年1月と翌年の1月."""
RANGE = re.compile(
    rf"\b(?:from|since|until|till|through|to|over|during|after|before)\b|\bbetween (?:{'|'.join(MONTHS)})\b"
    r"|から|まで|[〜～~–-]|にかけて|間|以降|推移|期",
    re.IGNORECASE,
)
"""What says that time goes on from one month to another, where two are named."""
_FISCAL = re.compile(r"((?:19|20)\d\d)年度|\bfiscal (?:year )?((?:19|20)\d\d)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:(?:in|from|since|between|during|for|by|until|to|and|of)\s+)?(?:the\s+)?(?:fiscal\s+(?:year\s+)?|FY\s?)?"
    rf"(?:(?:(?:{'|'.join(MONTHS)}){_TO_MONTH})?(?:{'|'.join(MONTHS)})\s+)?(?:19|20)\d\d\b(?:-\d\d)?"
    r"|(?:[一-鿿ァ-ヶー]{1,8}[のが]あった)?"
    r"(?:19|20)\d\d年(?:度|(?:\d{1,2}月?[〜～~–-])?\d{1,2}月期?)?(?:から|にかけて|まで|以降|以来|以前)?(?:に|の)?",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\bFY\s?['’]?(\d\d)(?!\d)", re.IGNORECASE)
_QUARTER_OF_YEAR = re.compile(r"(?:FY\s?)?((?:19|20)\d\d)\s?Q([1-4])(?!\d)|Q([1-4])(?:\s?FY)?\s?((?:19|20)\d\d)(?!\d)")
GROWTH = re.compile(
    r"\b(?:gr[eo]w(?:s|n|th|ing)?|increas(?:e[ds]?|ing)|expand(?:ed|ing)?|shr[aiu]nk(?:ing)?|fell|declin(?:e[ds]?|ing))\b"
    r"|伸び|成長|増え|増加|減っ|減少",
    re.IGNORECASE,
)
"""What asks of an order not how large something is, but by how much it grew."""
BY_EACH = re.compile(
    r"\b(?:by|(?:for|in|of) each)"
    r" (?:country|region|market|state|city|branch|product|model|customer|category|segment)\b"
    r"|(?:国|地域|市場|都市|支店|店舗|製品|商品|機種|顧客|部門|区分)別",
    re.IGNORECASE,
)
"""What asks for a figure of each of those of whom a file tells."""
PER = re.compile(
    r"\bper (?!cent\b|capita\b|year\b|annum\b|month\b|head\b)\w+|[一-鿿ァ-ヶー]あたり|当たり|単価", re.IGNORECASE
)
"""What asks for one figure in relation to another."""
THAN = re.compile(r"\b(?:more|less|fewer|higher|lower)\b.*\bthan\b|より|に比べ", re.IGNORECASE)
SIZE = re.compile(
    r"\b(?:largest|biggest|highest|smallest|lowest)\b(?! (?:[a-z]+ ){0,2}(?:gr[eo]w|incr|decl|fall|rise))"
    r"|最大|(?:最も|一番|もっとも)(?:大き|多|高|少な|小さ)",
    re.IGNORECASE,
)
AVERAGE = re.compile(r"\b(?:average|mean)\b|平均", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?。？！])\s+|(?<=question):\s+|(?<=[。？！])", re.IGNORECASE)
_INSTRUCTS = re.compile(
    r".*\b(?:answers?|respon(?:se|d)|judge?ments?|decimals?|round(?:ed)?|(?:the|this|following) question|metric)\b"
    r"|\s*(?:you are|imagine|assume|if\b.*\b(?:state|say|explain)\b|define\b|please (?:state|use|base|comp|calc))"
    r"|.*\b(?:is|are|here is) (?:defined|calculated|computed)\s+as\b|\s*(?:compute|calculate|use|base)\b"
    r"|\s*(?:(?:the )?(?:latest|newest|most recent)|recent|current) (?:numbers|figures|data|values)\b"
    r"|.*(?:答えて|回答して|四捨五入)",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence beside a question that says how it is to be answered, or what its words mean."""
LEADS_TO_QUESTION = re.compile(
    r"^\s*(?!among\b|between\b|of\b|compar)(?:(?!\b(?:what|how|which|who|whose|when|where|why)\b)[^?,])*(?:,[^?,]*)?,\s*"
    r"(?=(?:what|how (?:much|many)|which|who|when|where|why)\b)"
    r"|\(\s*(?:in|as|to)\b[^()]*\)",
    re.IGNORECASE,
)
"""What stands before, or in brackets in, a question and says on what ground it is to be answered, and in what."""
SETS_THE_SCENE = re.compile(
    r"^\s*(?:I|we|our (?:firm|company|team|boss|client))\b[^?]*?"
    r"\b(?:(?:would|'d) like to (?:sell|buy|open|launch|move|invest|build|visit|work)|looking (?:at|into)"
    r"|thinking (?:of|about)|going to|considering|planning|travel+ing|flying|visiting|moving|plan to"
    r"|will (?:visit|meet|travel|fly|move|open))\b[^?]*$"
    r"|^[^？?]*?(?:出張|赴任|旅行|訪問|出店|進出|販売|拠点|投資)[^？?]*?"
    r"(?:(?:検討|計画)(?:中|して(?:います|いる))|予定(?:です|だ)?|考えて(?:います|いる)|(?<!願い)します|行きます|行く"
    r"|なりました)\W*$"
    r"|^(?!.*(?:どう|何|なぜ|いくら|ど[れこの]|だれ|誰|いつ|ください|下さい|たい|[ほ欲]しい|教え|願|せよ|くれ|まとめ|比べ))"
    r"[^？?]*[たるす]。\s*$",
    re.IGNORECASE,
)
"""What only says why somebody asks, before the question: we are looking at a factory in Indonesia, 来月出張します;
or any Japanese sentence that tells something and asks nothing: 社員が長く休むことになった."""
SHARE_EN = r"\b(?:how much|what (?:share|percentage|percent|part|portion|proportion|fraction)) of\b"
OVERVIEW = re.compile(
    r"\b(?:overview|profile|outline)\b|^\s*how(?:['’]?s| is| are)\b"
    r"|概要|概況|プロフィール|[はが]どう(?:なって|です|$|[？?])",
    re.IGNORECASE,
)
"""What asks of a subject, where it asks nothing in particular, what it is in all: how is Vietnam doing."""
_MEMBER = r"\ban? (?:EU|European Union) member(?: state| country)?\b"
BELONGS = re.compile(
    r"^\W*(?:is|are|was|were)\b[^?,]*\b(?:in|part of) the (?:EU|European Union)\W*$"
    r"|\b(?:members?|member (?:states?|countr(?:y|ies))) of the (?:EU|European Union)\b"
    rf"|{_MEMBER}"
    r"|\b(?:belong(?:s|ed)? to|join(?:s|ed)?|left|leave) the (?:EU|European Union)\b"
    r"|(?:EU|欧州連合)(?:に(?:は)?(?:入|加盟|参加|加わ|属)|の?(?:加盟|メンバー)|を?(?:離脱|脱退|やめ|抜け))",
    re.IGNORECASE,
)
"""What asks whether somebody belongs to the European Union, which is nobody to be compared with then."""
_IS_MEMBER = re.compile(_MEMBER, re.IGNORECASE)
_LIES_IN = re.compile(
    r"\b(?:in|part of) (?=the (?:EU|European Union)\W*$)|(?<=EU|連合)に(?:は)?(?:入って|属して)", re.IGNORECASE
)
"""The same without a word for a member, by which the line that tells it is found."""
LISTED = re.compile(r"^[ \t]*(?:[-*•–][ \t]+|・[ \t　]*|\d{1,2}[.)．][ \t　]+)(?=\S)(.+)$", re.MULTILINE)
"""A line of a question that lists what is asked, point by point."""


_TOPIC_JA = re.compile(
    r"(?<=[一-鿿々ァ-ヶーA-Za-z0-9]{2})(?:って(?![いるたてくきしも])|、(?=何で|なん[でか]|なぜ|どう|いつ|誰|どこ))"
)
_NO_PARTICLE_JA = re.compile(
    r"(?<=[一-鿿々ァ-ヶー])(?<![最番])(?=(?:足り|増え|遅れ|壊れ|売れ)[てるたな]|(?:上が|下が|決ま)[っるり]|減[っりる]"
    r"|[悪良高低安強弱][いくか](?!ら)|多[いくか]|少な|大き[いく]|小さ[いく]"
    r"|ある(?=[？?の]|$))"
)
"""Where whoever writes as they speak shortens or leaves out what marks the topic: 出生率って低い, 物価上がってる."""


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
_COUNTED = re.compile(r"^\s*(?:people|inhabitants|persons)\b", re.IGNORECASE)
"""Who are counted where the limit is one of people: countries with more than 100 million people."""
_BELOW_ZERO = (
    (
        re.compile(
            r"\b(?:an? )?(?:shrinking|declining|falling|decreasing) populations?\b"
            r"|\bpopulations? (?:is |are )?(?:shrinking|declining|falling|decreasing|shrinks?|declines?|falls?)\b",
            re.IGNORECASE,
        ),
        "population growth rate of less than 0%",
    ),
    (
        re.compile(r"\b(?:an? )?negative ((?:[\w-]+ ){0,3}(?:growth|rate)\b)", re.IGNORECASE),
        r"\1 of less than 0",
    ),
    (re.compile(r"人口が?(?:減って|減少して|縮小して)いる|人口減少(?:が続いている|中)の?"), "人口増加率が0%未満の"),
    (re.compile(r"([一-鿿ァ-ヶー]{0,8}(?:率|成長))がマイナスの?"), r"\1が0未満の"),
    (re.compile(r"マイナス成長(?:の|が続く)?"), "経済成長率が0%未満の"),
)
"""What asks for less than nothing of something, and the limit that it sets."""
SUMS_UP = re.compile(
    r"\b(?:summary|summari[sz]e|overview|outline|gist|rundown|walk me through|brief me)\b"
    r"|まとめ|要約|概要|概況|あらまし|要点|要旨|骨子|全体像|大枠|ざっくり",
    re.IGNORECASE,
)
"""What asks to sum up, whichever figures are wanted with it."""
AS_A_WHOLE = re.compile(
    rf"{SUMS_UP.pattern}|\bin (?:short|brief|a nutshell)\b"
    r"|\b(?:main|key|central|essential) (?:\w+ )?(?:points?|ideas?|features?|findings?|messages?|takeaways?|themes?)\b"
    r"|\bwhat (?:is|are|was|were) (?:[\w'’-]+ ){1,8}(?:about|all about|for)\s*\?"
    r"|\bwhat (?:do|does|did) (?:[\w'’-]+ ){1,8}(?:say|cover|contain|discuss|deal with|talk about|conclude)\b"
    r"|\bwhat (?:is|are|was|were) (?:[\w'’-]+ ){1,8}(?:meant|intended|supposed) to\b"
    r"|ポイント|簡単に(?:説明|教え)|について(?:教え|説明|知りた)|とは(?:何|なに|[？?]|$)|特徴|どうだった"
    r"|(?:どんな|どういう|どのような)(?:制度|会社|製品|商品|事業|計画|内容|話|もの|こと|人|仕組み|課題|意見|議論|指摘|論点)"
    r"|何(?:が|を)(?:話し合|議論|話題)|何と(?:言|いい|述べ|書)",
    re.IGNORECASE,
)
"""What asks for what there is to be said of its subject, not for one thing."""
_COUNTRIES = r"(?:countries|nations|states|economies|territories)"
WHY_OR_HOW = re.compile(
    rf"^\s*(?:how(?! many (?:\w+ )?{_COUNTRIES}\b)|why|when|by when|could|can|will|should)\b|どう|いかに|なぜ|いつ",
    re.IGNORECASE,
)
"""What asks for something else than all that keep to a limit: how a share could be brought below 40%."""
ADJECTIVES = "high|larg|bigg|great|low|small|old|young|long|short|tall|deep|fast|slow|rich|poor|few|strong|weak|cheap"
_NUMBERS = {
    **dict(zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(2, 11), strict=True)),
    **dict(zip("二三四五六七八九十", range(2, 11), strict=True)),
    **{"twelve": 12, "fifteen": 15, "twenty": 20},
}
_FEW = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)})"
_NO_SHARE = r"(?!\s?(?:[%％割]|percent\b|パーセント))"
TOP = (
    rf"\btop {_FEW}\b{_NO_SHARE}|\b{_FEW} (?=(?:{ADJECTIVES})(?:er|i)?est\b|(?:most|least|best|worst)\b)"
    rf"|(?:トップ|ベスト|ワースト|[上下]から){_FEW}つ?(?!\d){_NO_SHARE}"
    rf"|[上下]位{_FEW}(?!\d){_NO_SHARE}(?:[つ位社人件]|[かカヵヶケ箇]国)?"
)
"""How many of the first are asked for, which asks for an order."""
SO_MANY = rf"{TOP}|\b{_FEW} (?={_COUNTRIES}\b)|{_FEW}[かカヵヶケ箇](?=国)"
"""The same, or what says it where an order is asked for: which five countries have the largest population."""
_NUMBER = re.compile(_FEW, re.IGNORECASE)
_SO_MANY = re.compile(SO_MANY, re.IGNORECASE)
_MOST_JA = "最も|もっとも|一番|いちばん"
_OPERATIONS = (
    (
        Operation.OPEN,
        r"^\s*(?:tell me|write|describe|give (?:me )?an overview)|\bknow (?:about|of)\b"
        r"|\blatest (?:on|about)\b"
        r"|知っておく|について(?:教えて|説明して|まとめて)|どんな国(?!の)",
    ),
    (
        Operation.REASON,
        r"\bwhy\b|\breasons?\b|\bhow come\b|\bwhat(?:['’]s| is| was| lies| lay) behind\b|\bwhat (?:caused|led to)\b"
        r"|なぜ|何故|どうして|なんで|何で(?=よく|こんな|そんな|いつも|まだ|急に|もう)|理由|原因",
    ),
    (
        Operation.RATIO,
        rf"\bhow many times\b|{SHARE_EN}|\bby what factor\b"
        r"|の何(?:[％%倍]|パーセント)|何(?:[％%]|パーセント)に(?:あた|当た)|何倍|何割|に占める",
    ),
    (
        Operation.RANK,
        r"^\s*(?:rank|order|sort)\b|\bin order (?:by|of)\b"
        rf"|\b(?:{ADJECTIVES})est\b|\b(?:(?:most|least)(?! of\b| recent)|best|worst)\b|{TOP}|{_MOST_JA}|[上下]位"
        rf"|(?:多|少な|大き|小さ|高|低|安|早|速|長|短|古|新し)い順|(?:[多高長広速早低短狭遅]|少な|大き|小さ|貧し)い(?:{_FEW}[かカヵヶケ箇])?国(?=[はをで？?]|$)"
        r"|(?:[多高長広速早低短狭遅安]|少な|大き|小さ)い[一-鿿ァ-ヶー]{1,8}は(?:どこ|どれ|誰|だれ)"
        r"|[0-9二三四五六七八九十]番目|最[大小高低多少長短](?!で?(?:どの|どれ|何|いくら))",
    ),
    (
        Operation.ADD,
        r"\b(?:together|altogether|in (?:total|all)|combined|sum|add(?:s|ed)? up)\b|\bhow many .*\bfrom .* to\b"
        r"|合計|合わせ[てるた](?!検討|考)|総額|総計|足[しす]",
    ),
    (
        Operation.CHANGE,
        r"(?<!\bclimate )\bchanged?\b|\b(?:year|month|quarter) (?:earlier|before|ago)\b|前年"
        r"|\bdevelop(?:ed)?\b|\bevolved?\b|^(?!\s*(?:what|which) (?:\w+ )?(?:do|does) .*\bgrow\b)"
        r".*\b(?:grow|grew|grown|increased?|decreased?|declined?|rise|rose|fall|fell|shr[iau]nk|calmed|eased)\b"
        r"|\b(?:is|are|was|were|been)\b[^.?!;]*\b(?:grow|ris|fall|shrink|declin|increas|decreas|improv|worsen|develop|evolv)ing\b"
        r"|変わ[りっる]|変化|推移|増え|増加|減[りるっ]|減少|(?:短|長|安|速|早|良|よ|悪)くな|伸び|上昇|低下|[上下]が[りっる]|落ち着[いき]",
    ),
    (Operation.COMPARE, r"\bcompare|\bdiffer|\bgap between\b|比べ|比較|違[いう]|(?:[のと]|男女)差(?:は|が|を|$|[？?])"),
)
_RANKS = re.compile(
    r"\b(?:what|which) (?:rank(?:ing)?|place)\b|(?<!\A)\brank(?:s|ed|ing)?\b"
    r"|(?:世界(?:の中)?[でのは]?)?(?:第?何[位番]目?|順位|ランキング)(?:に(?![多少大小高低]))?",
    re.IGNORECASE,
)
"""What asks where somebody stands in the order of all: where does Japan rank, 世界で何位. To rank somebody's exports
asks for an order of these."""
_IS_FIRST = re.compile(
    r"^(?:is|are|was)\s+(?:the\s+)?(?P<en>[^?]+?)(?:['’]s?\b[^?]*)?\s+(?:still\s+)?"
    rf"the\s+(?:world['’]s\s+)?(?:(?:{ADJECTIVES})i?est|most(?! of\b)|least)\b"
    rf"|^(?P<ja>[^はのでが、]+)[はの](?!.*(?:何|誰|ど[これの]|いくら))[^、。]*(?:世界一|{_MOST_JA}|最[大小高低多少長短])[^、。]*か\W*$",
    re.IGNORECASE,
)
"""What asks whether somebody, whom it begins with, is the first of all: is Russia the largest, 中国は世界最大か."""
_OF_WORLD = re.compile(r"世界で?(?=最[大小高低多少長短])")
"""What says with them only that the order is that of all: 世界最大."""
_OF_FIRST = re.compile(rf"^\s*how \w+ (?:has|have|did|does|do|will|can)\b.*\b(?:{ADJECTIVES})est\b", re.IGNORECASE)
"""What asks something of whoever is first, and no order: how long has the oldest one run."""
_PATTERNS = tuple((operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _OPERATIONS)
LEAST = re.compile(
    r"\b(?:lowest|smallest|fewest|least|slowest|poorest|shortest|youngest|weakest|cheapest)\b"
    r"|少ない|小さい|低い|狭い|遅い|短い|貧しい(?!人|家|世帯|層)|安い|弱い|最小|最少|最低|下位",
    re.IGNORECASE,
)
MOST = re.compile(
    r"\bmost\b(?! of\b| recent\b)|\b(?:high|larg|bigg|great|fast|rich|long|old|strong)est\b"
    rf"|(?:{_MOST_JA})(?:多|大|高|広|速|長)|最[大多高長]|上位",
    re.IGNORECASE,
)
HOW_MUCH = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|long|old)\b|\b(?:rate|share|number|percentage|ratio)\b"
    r"|どれ(?:だけ|くらい|ほど)|どのくらい|いくら|いくつ|何[％%割人円件社台]|何[かカヶケ][国月所]|[率額量数]"
    r"|[多高低大広速早](?:い|き)[のんで]?(?:です)?か?\W*$",
    re.IGNORECASE,
)
HOW_LARGE = re.compile(r"\bhow (?:big|large)\b|大きさ|広さ|どのくらい(?:大き|広)", re.IGNORECASE)
AREA = {Language.EN: "total area", Language.JA: "面積"}
"""What asks nothing of a country but its size, and what that is."""
ITEMS = re.compile(
    r"\b(?:main|major|chief|biggest|largest|top|leading|important)\b(?: [\w-]+){1,4}s\b"
    r"|\b(?:which|what) (?:[\w-]+ )?"
    r"(?!countries|territories|years|months|quarters|percent|sales|earnings|costs|rates)\w+s"
    r" (?:are|do|does|did|has|have|were|can)\b"
    r"|\bwhich (?!countries|territories|years|months)\w+s\b"
    r"|^\s*what (?:do|does|did)\b(?!.*\b(?:costs?|spend|pay|weigh|owe|charge|make|mean|say|report|decide|think)\b)"
    r"(?!.*\bearn\b(?!.*\b(?:with|from|by)\b))"
    r"|^\s*who (?:is|are|was|were|leads|runs|rules|heads)\b"
    r"|主な|主要な|おもな|は(?:何|誰|だれ|どなた)(?:です|か|[？?]|$)|[はが]何を(?!意味)|(?:どんな|どのような|どういった|何の)(?=[一-鿿ァ-ヶ])",
    re.IGNORECASE,
)
"""What asks for things by their names, not for an amount: the main exports, what a country grows."""
WHEN = re.compile(r"^\s*(?:by )?when\b|いつ(?!も)", re.IGNORECASE)
SINCE = re.compile(r"\b(?:since )?when\b(?! it comes\b)|いつ(?!も)", re.IGNORECASE)
"""What asks when, if only beside what else is asked: is there no army, and since when."""
WHAT_ARE = re.compile(r"\bwhat (?:are|were)\b|^\s*what (?:do|does|did)\b|何を(?:一番|最も)", re.IGNORECASE)
WHICH_PLACES = re.compile(
    r"\b(?:which|what|list|name|all)\b.{0,40}\b(?:countries|states|nations|territories|economies)\b"
    r"|(?:どの|各)国|国(?:[はを]|々|の一覧|はどこ|$)",
    re.IGNORECASE,
)
HOW_MANY_PLACES = re.compile(
    rf"\bhow many (?:\w+ )?{_COUNTRIES}\b|国(?:は|の数は)?(?:いくつ|何国)|何[かカヵヶケ箇]国", re.IGNORECASE
)
IN_TOTAL = re.compile(r"\btotal\b|総(?=人口|面積|額|数|生産|輸)", re.IGNORECASE)
"""What asks of a group of countries what theirs come to."""
DIFFERENCE = re.compile(
    r"\bdifference\b|\bgap between\b|\bhow much (?:more|less|higher|lower|larger|smaller)\b|[のと]差|男女差",
    re.IGNORECASE,
)
MORE_OR_LESS = re.compile(
    rf"\b(?:more|less|fewer|(?:{ADJECTIVES})i?er)\b|どちら.{{0,16}}(?:多|少な|大き|小さ|高|低|速|早|長|短)",
    re.IGNORECASE,
)
"""What asks which of several has more of something, or goes faster: figures tell."""
EXCEEDS = re.compile(
    r"[はが](?P<second>[一-鿿ァ-ヶー]+)を(?:いくら|どれ(?:だけ|くらい|ほど)|どのくらい|何[^\s、]{1,6})(?:上|下)回"
    r"|\b(?:exceed|outweigh|top)s?\b",
    re.IGNORECASE,
)
"""What asks by how much one thing is more than another of the same subject: 輸出は輸入をいくら上回って."""
AFTERWARDS = re.compile(r"以降|以来|以後|その後|\bsince\b|\bafterwards?\b|\bonwards?\b", re.IGNORECASE)
"""What asks of all years from the first that is named on."""
BALANCE = re.compile(
    r"\btrade (?:surplus|deficit|balance)(?:es|s)?\b(?:\s*\((?:exports?|imports?|minus|less|[\s–-])+\))?"
    r"|貿易(?:黒字|赤字|収支)",
    re.IGNORECASE,
)
"""What asks by how much exports are more than imports, or less."""
BEFORE = re.compile(r"前年|\byear(?:[- ](?:earlier|before|ago)|[- ](?:on|over)[- ]year)\b", re.IGNORECASE)
"""What compares with a year before."""
SERIES = re.compile(
    r"(?:\b(?:over|across|in|during|for|from|to|with|than|between|through(?:out)?|of)\s+)?"
    r"(?:\b(?:the|these|those|all|each|its|their|prior|previous|preceding|past|last|recent|reported|several|various|few"
    r"|earlier|subsequent|two|three|four|five|\d)\s+)+"
    r"(?:quarters|periods|fiscal years|years|quarterly (?:reports|filings)|filings|10-[KQ]s|reports)\b(?:\s+ones\b)?"
    r"|\b(?:prior|previous|earlier)\s+ones\b|\bover (?:time|the (?:quarters|years|periods))\b"
    r"|\b(?:quarter|year|period)[- ](?:over|by|to)[- ](?:quarter|year|period)\b"
    r"|(?:各|複数の)(?:四半期|期|年度?)(?:の|における|ごとの?)?|(?:四半期|期|年度?)(?:ごと|毎|別)の?(?=.*(?:推移|変化|比))"
    r"|(?:過去|直近|ここ)(?:数|[0-9二三四五六])(?:四半期|期|年度?|か年)(?:間)?[のでに]?|経年の?",
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
_HOW_MANY = re.compile(
    r"\bhow many (?:[\w'’-]+ ){0,3}?(?P<en>[\w'’-]+)(?:\?|\s*$"
    r"| (?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|of|in|on|at|per|there|live|work|took)\b)"
    r"|\bnumber of (?P<of>[\w'’-]+)"
    r"|何(?:千|万|億|百|十)*(?P<ja>か月|[一-鿿々ァ-ヺー%％]{1,8}?)(?=[がをはのにでとかもい、？?]|くらい|ぐらい|ほど|程度|です|$)",
    re.IGNORECASE,
)
_LASTS = re.compile(r"[年月週日時]|[かカヶ]月")
"""How a counter of time begins."""
_DURATION = re.compile(
    r"(?<![\d年月/])(?!(?:19|20)\d\d年)[\d０-９一二三四五六七八九十]+(?:\.\d+)?\s?(?:年間?(?![度\d])|[かカヶ]月|週間|日間?|時間|営業日)"
    r"|\b\d+(?:\.\d+)?[- ](?:\w+ )?(?:years?|months?|weeks?|days?|hours?)\b",
    re.IGNORECASE,
)
"""How a passage in either language tells how long something takes or lasts."""
_LATELY = re.compile(
    r"\b(?:last|this|previous) (?:year|quarter|month|week)\b"
    r"|昨年|去年|先月|今月|今年|前月(?!比)|前年(?!(?:同[月期])?比)|先週|今週|年度|[上下]期",
    re.IGNORECASE,
)
"""A time that only today's date tells, or whoever keeps the books."""
_IN_POINTS = re.compile(
    rf"\bin (?:about |at most )?{_FEW} (?:[a-z]+ )?(?:points?|bullets?|sentences?|lines?|words?|paragraphs?|items?)\b"
    rf"|を?{_FEW}(?:つ|点|行|文|項目|字|文字|か条)(?:程度|以内|ほど)?(?:[でにを])?(?=まとめ|要約|整理|説明|教え|挙げ|あげ|列挙|箇条)",
    re.IGNORECASE,
)
"""In how many points an answer is wanted."""
OURS = re.compile(r"当社|自社|弊社|我が社|わが社|\b(?:our|we|us)\b", re.IGNORECASE)


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


def sentences_asking(question: str) -> str:
    """Return what a question asks, without sentences on how to answer it; the years that it has, in four digits."""
    question = _YEAR_BESIDE.sub(_with_year, _SHORT_YEAR.sub(r"FY20\1", question))
    question = _QUARTER_OF_YEAR.sub(lambda one: f"Q{one[2] or one[3]} {one[1] or one[4]}", question)
    if "?" not in question and "？" not in question and "。" not in question:
        return question
    if LISTED.search(question):
        return question
    said = [one for one in SENTENCE_END.split(question) if one]
    asking = [one for one in said if one.rstrip().endswith(("?", "？")) or not _INSTRUCTS.match(one)]
    return " ".join(asking) or question


def as_written(question: str) -> str:
    """Return a Japanese question that is put as one speaks with the particles of one that is written."""
    return _NO_PARTICLE_JA.sub("が", _TOPIC_JA.sub("は", question))


def without_times(text: str) -> str:
    """Return a text without what only says when, in which periods, in which report, or in how many points to answer."""
    for told in (_TIME, SERIES, _REPORT):
        text = told.sub(" ", text)
    return without_points(text)


def order_asked(question: str, bare: str, name: Name) -> str | None:
    """Return what asks where a name stands in the order of all without that; None if it is not asked.

    `bare` is the question without its names.
    """
    if _RANKS.search(bare):
        return " ".join(_RANKS.sub(" ", bare).split())
    first = _IS_FIRST.search(question)
    is_asked = first is not None and name.stands_in(folded(first["en"] or first["ja"]))
    return _OF_WORLD.sub("", bare) if is_asked else None


def with_zero(bare: str) -> str:
    """Return a question with what asks for less than nothing as a limit: a shrinking population, 人口が減っている国."""
    for pattern, told in _BELOW_ZERO:
        bare = pattern.sub(told, bare)
    return bare


def without_points(text: str) -> str:
    """Return a text without in how many points an answer is wanted."""
    return _IN_POINTS.sub(" ", text)


def without_limit(bare: str) -> tuple[str, Limit | None]:
    """Return a question with what sets a limit turned into an order, and the limit."""
    is_japanese = language_of(bare) is Language.JA
    match = (_LIMIT_JA if is_japanese else _LIMIT_EN).search(bare)
    number = number_in(match["amount"]) if match else None
    if match is None or number is None:
        return bare, None
    behind = bare[match.end() :] if is_japanese else _COUNTED.sub("population", bare[match.end() :])
    rest = f"{bare[: match.start()]}{'が最も大きい' if is_japanese else ' '}{behind}"
    return rest, Limit(number, match["said"].strip(), match["above"] is not None, bool(match["least"] or match["most"]))


def first_few_of(question: str) -> int | None:
    """Return how many of the first are asked for, from 1 to 99; None if the question does not say."""
    found = _SO_MANY.search(question)
    said = _NUMBER.search(found.group()) if found else None
    return None if said is None else _NUMBERS.get(folded(said.group())) or int(said.group()) or None


def months_of(question: str) -> set[str]:
    """Return the months that a question names, as `2025-04`; of a fiscal year its first and its last."""
    found = set()
    for match in _MONTH.finditer(question):
        if match[1]:
            found.add(f"{match[2]}-{MONTHS.index(match[1].lower()) + 1:02}")
        else:
            found.add(f"{match[3]}-{int(match[4]):02}")
    for month, year in _MONTHS_TO.findall(question):
        found.add(f"{year}-{MONTHS.index(month.lower()) + 1:02}")
    found.update(_MONTH_IN_FIGURES.findall(question))
    for year, *both in _MONTHS_OF_YEAR.findall(question):
        found |= {f"{year}-{int(month):02}" for month in both}
    for year in fiscal_years_of(question):
        found |= {f"{year}-04", f"{year + 1}-03"}
    return found


def month_alone(question: str) -> int | None:
    """Return the number of the one month that a question names without a year: 3月の会議, the minutes of March."""
    named = [MONTHS.index(name.lower()) + 1 for name in _MONTH_ALONE.findall(question)]
    named += map(int, _MONTH_ALONE_JA.findall(question))
    return named[0] if len(named) == 1 else None


def _with_year(month: re.Match[str]) -> str:
    """Return a month of the next year, or of the one before, with the year that it is then."""
    year = int(month["year"]) + (1 if month["which"].startswith("翌") else -1)
    return f"{month['before']}{year}年{month['month']}月"


def fiscal_years_of(question: str) -> list[int]:
    """Return the fiscal years that a question names, as Japanese companies have them: from April to March."""
    return sorted({int(first or second) for first, second in _FISCAL.findall(question)})


class _Question(Protocol):
    @property
    def question(self) -> str: ...


class Asks:
    """An attribute of a question: whether it is worded so that a pattern finds it."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __get__(self, asked: _Question, owner: type) -> bool:
        """Return whether the pattern finds anything in the question."""
        return self._pattern.search(asked.question) is not None


def operation_of(question: str, names: Sequence[Name]) -> Operation:
    """Return what is to be done; a name says nothing of it: Best Buy."""
    bare = without_names(question, [name for name in names if not name.is_place])
    found = next((operation for operation, pattern in _PATTERNS if pattern.search(bare)), None)
    if found is Operation.RANK and _OF_FIRST.search(bare):
        return Operation.LOOK_UP
    if found is not None:
        return found
    is_of_several = len(compared_in(question)) > 1 and not BELONGS.search(question)
    return Operation.COMPARE if is_of_several else Operation.LOOK_UP


@lru_cache(maxsize=256)
def counted_in(question: str) -> re.Pattern[str] | None:
    """Return how a passage counts the things whose number a question asks for; None if it asks for none."""
    match = _HOW_MANY.search(question)
    if match is None:
        return None
    if counter := match["ja"]:
        if _LASTS.match(counter) and not question.startswith("に", match.end()):
            return _DURATION
        number = (
            r"[0-9０-９一二三四五六七八九十百千万億数][0-9０-９.,，．一二三四五六七八九十百千万億]{0,20}(?:余り|余)?の?"
        )
        return re.compile(f"{number}{'[人名]' if counter in '人名' else re.escape(counter)}")
    thing = singular(folded(match["en"] or match["of"])).removesuffix("y")
    number = r"(?<![\d,.])(?!(?:19|20)\d\d\b)\d[\d,.]*(?<![.,])(?: (?:thousand|million|billion))?"
    return re.compile(rf"{number}(?: [\w'’-]+){{0,2}}? {re.escape(thing)}", re.IGNORECASE)


def as_member(question: str) -> str:
    """Return what asks whether somebody is in the European Union as what asks whether it is a member."""
    question = _IS_MEMBER.sub("a member of the EU", question)
    return _LIES_IN.sub(lambda said: "a member of " if said[0].isascii() else "加盟して", question)


def is_of_today(question: str) -> bool:
    """Whether a question asks for a time that only today's date tells: last month, 昨年."""
    return _LATELY.search(question) is not None
