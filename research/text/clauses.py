"""What is asked in each clause of a question, without the words that only ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce

from research.text.asking import ADJECTIVES, BALANCE, EXCEEDS, SHARE_EN, SO_MANY
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
_LISTED_JA = re.compile(r"[一-鿿ァ-ヶーA-Za-z0-9]+(?:・[一-鿿ァ-ヶーA-Za-z0-9]+){2,}")
"""Three things or more in one word, of which at least one is no name in katakana: ゲーム・業務用可視化・自動車."""
_KANJI = re.compile(r"[一-鿿]")
_WORD = re.compile(r"[A-Za-z0-9](?:[\w'’./&-]*[A-Za-z0-9])?")
_WITH_JA = re.compile(
    r"[、,]?(?:その)?(?:割合|比率|構成比|シェア|金額|数量|数値|件数)[とも](?:とも|共|併せ|あわせ|合わせ|一緒|含め)(?:に|て)?"
    r"|(?<=[一-鿿])付き(?:で|の)?"
)
"""What only says that figures are wanted with what is asked: 輸出相手国を、割合とともに."""
_ASKING_WORDS = """
able according again alterations altogether annual annually approximately bad based became become big bigger biggest
brief briefly brought came change changed combined come comes considerable countries country decide decided described
detailed details develop developed disclose disclosed done earn earned end evolution evolve evolved fluctuated
fluctuation fluctuations formerly give glance gleaned go goes going got greatest high higher highest highlighted hows
i'd identified interested key large larger largest list long looking lower lowest main me mentioned more name notable
nowadays nutshell older oldest outlined past presented provide provided put quick rank really recent region regions
relation reported revealed roughly rundown second set shift shifted shifts short significant situation smaller
smallest sort spend spends spent substantial territories third three time times together trend trended trends two
variation variations varied ways whats world year yearly years
全部 一番 本当 正直 結局 世界 最大 最小 最高 最低 最多 最少 最長 最短 合計 総計 推移 推計 変化 増減 順位
理由 内訳 一覧 検討 現状 状況 情勢 実態 現況 簡単 統計 数字 社内資料 程度 範囲 会社 直近 最新 最近 前回 要点 要旨
ランキング
"""
_OF_BOTH = re.compile(
    r"\b(?P<first>[a-z]+) and (?P<second>[a-z]+) of (?:the |its |their )?"
    r"(?P<whose>[a-z]+(?: (?!(?:and|at|by|for|from|in|of|on|or|over|since|to|with)\b)[a-z]+){0,2})\b",
    re.IGNORECASE,
)
_OF_BOTH_JA = re.compile(
    r"(?P<whose>[一-鿿ァ-ヶー]+)の(?P<first>[一-鿿]{1,4})と"
    r"(?P<second>成長|成長率|伸び|推移|変化|規模|構成|割合|比率|見通し|現状|課題|特徴|動向|内訳)(?![一-鿿])"
)
"""Two things asked of one: size and growth of the market, 市場の規模と成長."""
_ASKING = frozenset(_ASKING_WORDS.split())
"""Words of questions that say nothing of what is asked, beside those that say nothing anywhere."""
_OF_GDP = re.compile(
    r"\b(?:as|in|by) (?:an? )?(?:share|percent(?:age)?|proportion|relation) (?:of|to) (?:its |their |the )?GDP\b",
    re.IGNORECASE,
)
"""What only says in what a figure is wanted."""
_HEADS = re.compile(r"\bhow many (?:people|persons) are (?:there )?in (?:its|the|their)\b", re.IGNORECASE)
"""What counts the people of something that is named: how many people are in its workforce asks for no population."""
_MEANS_FOR = re.compile(r"^.*\bdo(?:es)? (?:it|this|that) (?:mean|imply) for\b", re.IGNORECASE)
"""What only asks for a judgement, of what stands behind it: what does it mean for the labor force."""
_COUNTED_AGAIN = re.compile(
    r"(?P<first>\bhow many (?P<what>[a-z]+s)\b.*?\bhow many)(?= (?:outside|inside|abroad|overseas|in|at|of)\b)",
    re.IGNORECASE,
)
"""What is counted once more elsewhere: how many stores are there, and how many outside the US."""
_GROWS = r"(?:(?:of|in)\s+)?(?:[\w']+\s+){0,2}(?:(?:(?:gr[eo]w|shrink)(?:ing|s|n)?|developed|evolved)\b)"
_WAYS = (
    (
        r"how many (?:people|inhabitants|persons)"
        r" (?:live|are|is that|does|do|has|have|(?:would|could|can) (?:we|you|one) reach)\b(?!.*\b(?:\w+ed|employ)\b)",
        "population",
    ),
    (
        r"how many (?:people|persons|workers) (?:(?:do|does|did)\s+(?:(?:we|they|it|you)\s+)?employ|works? (?:for|at))",
        "employees",
    ),
    (
        r"how (?:large|big) (?:is|are|was) [\w' ]{0,40}\beconom(?:y|ies)"
        r"|(?:larg|bigg|small|weak|strong)(?:er|est) econom(?:y|ies)|economy is (?:the )?(?:larg|bigg|small)(?:er|est)",
        "GDP",
    ),
    (r"(?:most|least) populous", "population"),
    (
        r"(?:larg|bigg|small)est (?:country|nation|state)(?=(?:\s+(?:in|on)(?:\s+the)?(?:\s+(?:world|earth))?)?\W*$)",
        "total area",
    ),
    (r"economy (?:is )?doing|(?:is|are) the economy(?= (?:good|bad|strong|weak|ok(?:ay)?)\W*$)", "GDP growth rate"),
    (r"how many (?:people|inhabitants|persons) in(?=\s*(?:now|nowadays|today|these days)?\W*$)", "population"),
    (r"getting (?:old|young)er", "median age"),
    (r"(?:losing|gaining) (?:its )?(?:people|population|inhabitants)", "population growth rate"),
    (r"reads? (?:and|or) writes?", "literacy"),
    (r"live (?:off|on|from)(?=\W*$)|(?:make|earn) (?:its|their|a|the) (?:money|living)(?=\W*$)", "export commodities"),
    (r"for how much", "revenue"),
    (r"capital cit(?:y|ies)", "capital"),
    (
        r"(?:how fast (?:are|were|did|do|have) )?(?:consumer )?prices\s+(?:in\s+)?(?:been )?"
        r"(?:ris(?:e|ing|en)|rose|going up|went (?:up|wild)|soar(?:ed|ing)?|jumped|climb(?:ed|ing)?)",
        "inflation rate",
    ),
    (
        r"how old (?:is|are) (?:[\w' ]{0,30}\b(?:people|persons?|population|inhabitants)|the (?:typical|average)\b)",
        "median age",
    ),
    (r"(?:average|mean|typical) age(?! (?:of|at)\b)", "median age"),
    (
        r"(?:how )?(?:is|are) (?:the )?populations? (?:of )?\s*age?ing|age?ing (?:of the )?populations?"
        r"|population age?ing",
        "elderly dependency ratio",
    ),
    (r"(?:old|young)(?:er|est) (?:populations?|people|inhabitants)", "median age"),
    (
        r"(?<!\bin )(?<!\bfor )(?<!\bfrom )(?:rich|poor|wealthi)(?:er|est)"
        r"(?! (?:\d|people|person|m[ae]n|wom[ae]n|famil|household))",
        "GDP per capita",
    ),
    (
        rf"(?:how (?:fast )?(?:is|are|did|does|has|have) [\w' ]*)?econom(?:y|ies)\s+{_GROWS}"
        r"|fastest[- ]growing econom(?:y|ies)",
        "GDP growth rate",
    ),
    (
        rf"(?:how fast (?:is|are|did|does) [\w' ]*)?populations?\s+{_GROWS}|fastest[- ]growing populations?",
        "population growth rate",
    ),
    (r"(?:people )?lives? (?:the )?long(?:er|est)", "life expectancy"),
    (r"who (?:buys|imports) (?:from )?(?:it|them|its \w+|\s*(?:exports|goods|products))", "export partners"),
    (r"who (?:sells (?:to )?|supplies )(?:it|them|its \w+)", "import partners"),
    (r"how much (?:is|are)(?: the| an?| one)?(?=\W*$)", "price"),
    (r"(?:豊か|裕福)(?:な国|な|か)?|貧し[いく](?!人|家|世帯|層)国?", "一人当たりGDP"),
    (r"(?:平均的に)?長生き(?:する|な)?", "平均寿命"),
    (r"経済(?:の)?規模|経済(?=が(?:一番|最も|より)?(?:大き|小さ))", "GDP"),
    (r"経済(?:の)?(?:成長|伸び)(?:が|の)(?=速|早|著)", "経済成長率が"),
    (r"何を(?:どこ|誰|だれ)(?:の国)?[にへ]売っ[てた](?:いる|きた)?(?:国)?", "輸出品目と輸出相手国"),
    (r"(?:(?:外国|海外|国外|世界)[にへ])?何を売っ[てた](?:食べている|いる|きた)?", "輸出品目"),
    (r"(?:(?:外国|海外|国外)から)?何を買っ[てた](?:いる|きた)?", "輸入品目"),
    (r"(?<![を一-鿿])買って(?:いる|くれる)国", "輸出相手国"),
    (r"([一-鿿ァ-ヶー]+)の男女差", r"男性の\1、女性の\1"),
    (r"^\W*は?いくら(?:です|だ|なの)?か?(?=\W*$)", "価格"),
    (r"(?<![がのは])(安い|安価な|高価な)", r"価格の\1"),
    ("総人口", "人口"),
    ("(?<![一-鿿])(?:王様|国王|女王|天皇)", "国家元首"),
    ("今(?![年月日週期回後度夜朝昔])", ""),
    (r"人口が?(?:減って|増えて|縮んで)(?:い?る|い?ます)", "人口増加率"),
    ("景気", "経済成長率"),
    ("何語", "言語"),
    (
        "(?:円|ドル|元|ユーロ|ポンド|ウォン|ルピー|ルピア|バーツ|ペソ|リラ|レアル|ドン|通貨)[安高]"
        r"(?=[はが]?(?:どう(?!影響)|どの)|の推移|\W*$)",
        "為替レート",
    ),
    (r"何で(?:儲けて|食べて)い?る国", "輸出品目"),
    (r"^(?:世界で|で|\s)*(?:最も|いちばん)?(?:広|大き|小さ)い国(?=(?:は(?:どこ)?)?(?:です)?か?\W*$)", "面積"),
    ("国や地域|国・地域", "国"),
    ("少子高齢化", "出生率と高齢化"),
    ("少子化", "出生率"),
)
"""Ways of asking for a figure without its name, and its name. Meaning puts the right label first for some of them, but
no nearer than labels that are wrong elsewhere: the label nearest to “richer” is that of the budget's revenues."""
_COSTS = re.compile(
    r"\b(?P<does>(?:how much|what) (?:do|does|would|will)\b.*)\bcost(?=\W*$)"
    r"|\b(?:cheape(?:r|st)|(?:least|less|most|more) expensive)\b",
    re.IGNORECASE,
)
"""What asks for a price: the verb in “what does it cost” (what something has cost, documents tell as a cost)."""
_GROWING = r"how (?:fast|quickly) (?:is|are|was|were|did|does|has|have)\s+(?:been )?gr[eo]w(?:ing|n)?(?=\W*$)"
_OF_FIRMS = (
    (_GROWING, "revenue"),
    (
        r"(?:is|are|was|were)\s+(?:it |they )?profitable(?=\W*$)"
        r"|(?:make|makes|made|making|earn) (?:a |any )?(?:profit|money)(?=\W*$)",
        "net income",
    ),
    (r"who (?:leads|runs|heads|manages)(?=\W*$)", "chief executive"),
    (r"head ?count", "employees"),
    (
        r"who (?:do|does|is|are)\s+(?:it |they |we )?(?:(?:go(?:ing)? )?up against|compet(?:e|ing) (?:with|against))",
        "competitors",
    ),
    (r"(?:do|did|have) (?:we|they) (?:sell|sold) (?:the )?most(?=\W*$)", "sales"),
    (r"売れている(?=国|地域|市場)", "売上が多い"),
    (r"(?:一番|いちばん|最も)?(?:多く)?売れてい(?:ますか?|るか)(?=\W*$)", "売上"),
    (r"(?<!財政)(?<!収支)(?:黒字|赤字|儲かって(?:い?る|い)?)(?:の|です|ます|でした)?か?(?=\W*$)", "純利益"),
)
_OF_STATES = (
    (_GROWING, "GDP growth rate"),
    (
        r"who (?:is )?(?:(?:really|actually|currently|now) )?"
        r"(?:leads|runs|governs|heads|leading|running|governing|heading|in charge of)",
        "head of government",
    ),
    (r"who (?:rules|reigns)|(?:the )?(?:king|queen|monarch|emperor|sultan)(?=(?: of)?\W*$)", "chief of state"),
)
"""The same of firms and of countries: who leads a market is a firm."""
_MEANT, _MEANT_OF_STATES = (
    tuple((re.compile(rf"\b{way}\b" if way.isascii() else way, re.IGNORECASE), told) for way, told in ways)
    for ways in (_WAYS + _OF_FIRMS, _WAYS + _OF_STATES)
)
_CIRCUMSTANCE = re.compile(r"[たの](?:後|あと)(?:に|は|には|で)?\s*$|[一-鿿]中\s*$")
"""How a clause ends that only says when: 生産をやめた後, 試験中."""
_NOUN_JA = re.compile(
    r"(?!最も)(?:[A-Za-z0-9][A-Za-z0-9.&+/_-]*"
    r"|[㐀-䶿一-鿿々ァ-ヺー]+(?:[りきみけえれめ](?=[一-鿿])[一-鿿]+|たりの?(?=[A-Z一-鿿ァ-ヺ]))*"
    r"(?:(?<=[一-鿿])[みさし](?=[はがをのにもと、。？?]|$)|(?<=[一-鿿]{2})[れりえけせ](?=[はがをのにでもと、。？?]|$))?)+"
)
"""A word of a Japanese question that may be what is asked; what else stands there only asks."""
_IN_KANA = re.compile(
    r"(?:^|(?<=[^ぁ-ん\s])|\s(?:では|には|で|に|の|は)?)(?![これそれあれ]{2})"
    r"(?P<word>[ぁ-んー]{2,6}を(?:[ぁ-んー]{0,2}|[一-鿿][うくすつぬむるぐ]人?の))$"
)
"""A word in hiragana before the first noun that belongs to it: ごみを分別する人の割合, たばこを吸う人の割合."""
_OF_WHOM = re.compile(r"(?:^|(?<=[\sのでにはが]))(?P<word>[一-鿿]{1,2}[ぁ-ん]{1,3}人の)$")
_COUNTS_PEOPLE = frozenset(("割合", "比率", "数", "人数"))
"""Those whose share or number is asked for: 貧しい人の割合."""
_BETWEEN_JA = re.compile(
    r"(?P<topic>(?<=[一-鿿々ァ-ヶーA-Za-z0-9])(?:では|には|は|が|で|に)?)"
    r"(?:(?P<what>(?:何[年月日回件人台個時間]{0,2}|誰|だれ|どこ)(?:が|を|に|で|と|へ|から)?)|なぜ|どのように|どう|いつ|どの(?:程度|くらい|ぐらい)?)"
    r"(?=[一-鿿々ァ-ヶーA-Za-z0-9])"
)
"""What asks between what is asked about and what is asked of it: 代理店は何に不満を, 為替は業績にどう影響."""
_LEFT_OVER = re.compile(
    r"(?<=[一-鿿ァ-ヶー])\s+(?=の)"
    r"|の(?:上がり|下がり|増え|減り|伸び|変わり)方(?:[はが](?:近年|最近|昨今))?$|[はが](?:実際|近年|最近|昨今)$"
)
"""What is left of a name between its kind and what is asked of it (ポンプ AN-300 の効果), and of 効果は実際に; and what
only says that it moves: 物価の上がり方."""
_BEHIND_NAMES = re.compile(r"^[\sとやのはがを・]+(?=[^\sぁ-ん])")
"""What is left of names before what is asked of them: “と の” of ケニアとベトナムのGDP."""
_COUNTED_JA = re.compile(
    r"(?<=[はが])(?:合わせて|合計で?|全部で|日量|年間|平均で?|およそ|約)*何[万億兆千百]+(?:[ァ-ヶー]+|[一-鿿]{1,2})"
)
"""What only says in what a figure is wanted: 産油量は合わせて日量何万バレル."""
_FIRST_JA = re.compile(r"一番(?=[^、。]*(?:国|地域)(?:[はがをで？?]|\s*$))")
"""What only asks for the first of all countries; the highest mountain is what is asked for."""
_HOW_MANY = re.compile(
    "[0-9.]+(?:bps?|月)|何(?:[一-鿿]{1,2}|パーセント)|[一-鿿]{1,3}別|[0-9二三四五六七八九十]+(?:番目|位)|(?:上位|下位|トップ)[0-9]*|(?:多|大き|高)い順"
)
_DONE_JA = re.compile(
    r"(?<![一-鿿])(?!何|教|知|言|思|見|変|良|悪|多|少|説|比|伸|増|減|売|一)[一-鿿]{1,2}[えけせてねべめれげきぎしじちにびみりいっん](?=[たてでる])"
)
"""What is asked for where a question has nothing but a verb: 遅れているの."""
_QUOTES_JA = re.compile("[「」『』]")
_APART_JA = re.compile(r"(?<=[一-鿿ァ-ヶー])(?=(?:推移|内訳|一覧|順位|ランキング)(?![一-鿿]))")
"""Where what is asked for and what is to be told of it are written as one word: 売上推移."""
_HAVE_JA = re.compile("[がの](?:直面(?:する|している)|抱え(?:る|ている))")
"""What only says whose something is: 当社が抱える課題."""
_SHARE_OF = re.compile(
    r"(?P<whole>[一-鿿ァ-ヶー]+)に占める(?P<part>[一-鿿ァ-ヶー]+)の(?:割合|比率|シェア|構成比)(?:は何[％%]になりますか)?"
)
"""A share of which both are told: 人口に占める外国人の比率."""
_OF_WHOLE = re.compile(r"(?<=[^、。])に占める\s+の?(?:割合|比率|シェア|構成比)")
_PART_OF = re.compile(r"(?P<part>[^、。]{1,60})が[^、。]{1,60}に占める(?:割合|比率|シェア|構成比)")
_FOR_EACH = re.compile(r"[月年]平均の?(?=[一-鿿])|人口(?:[\d千万億]+人)?(?:あたり|当たり|当り)の(?=[一-鿿ァ-ヶ])")
"""How a share is asked for: 売上高に占めるアジアの割合 with the whole, 送金がGDPに占める割合 by the part."""
_DURING = re.compile(r"\b(?:during|amid|throughout) (?:\w+ ){1,3}?\w+\s*$", re.IGNORECASE)
"""What says beside a figure that is asked for by its way only when: how fast did prices rise during the crisis."""
_MOVED = re.compile(
    r"\b(?:(?:calm|cool|eas|slow|declin|dropp|increas|decreas|worsen|recover|reced)(?:ed|ing)|improving"
    r"|shr[ui]nk(?:ing)?|shrank|grow(?:n|ing)|grew|ris(?:en|ing)|rose|fall(?:en|ing)|fell|down|up)\b",
    re.IGNORECASE,
)
"""What says that something becomes more or less."""
_HOW_FAST = re.compile(
    r"\b(?:how|at what|at which) (?:fast|quick(?:ly)?|rapidly|rate|pace|speed) "
    r"(?:do(?:es)?|did|is|are|was|were|has|have) (?:it|they) (?:been )?(?:grow|increas|expand|ris)",
    re.IGNORECASE,
)
_HOW_FAST_JA = re.compile(r"(?:どの(?:くらい|程度|ぐらい)の)?(?:速さ|ペース|勢い)で(?:増え|増加し|伸び|成長し)")
"""What asks how fast that grows which was asked before: the population of Kenya, and how fast does it grow."""
_PERIODS = re.compile(r"(?:month|quarter|year|week|day)s?", re.IGNORECASE)
"""What a further clause only says of the time that is meant: all months together."""
_IN_ORDER = r"^\W*(?:put|list|arrange|rank)\b.*\bin order (?:by|of)\b"
"""What only says that an order is wanted: put the five republics in order by."""
_IN_ALL = r"\bin (?:total|all)\b|\bon average\b|\b(?:gap|difference)s? between\b"
"""What only says that a sum, a mean or a difference is wanted."""
_OF_EACH = re.compile(r"\b(?P<first>\w+)['’]s? and (?P<second>\w+)['’]s? (?P<what>[a-z]+(?: [a-z]+)?)\b(?!['’])")
"""One thing asked of two, who are no names: men's and women's life expectancy."""
_BOTH_SEXES = re.compile(
    r"(?<!for )(?<!of )\b(?:(?:men|males?) (?:or|and) (?:women|females?)"
    r"|(?:women|females?) (?:or|and) (?:men|males?))\b"
)
"""What only says that something is asked of both: who lives longer, men or women."""
_OF_BOTH_SEXES = re.compile(
    r"\b(?P<what>[a-z]+(?: [a-z]+)?) (?:of|for|among) (?P<first>(?:wo)?men|(?:fe)?males?)"
    r" and (?P<second>(?:wo)?men|(?:fe)?males?)\b",
    re.IGNORECASE,
)
"""One thing asked of both: the literacy of men and women."""
_ASKS = re.compile(r"\b(?:who|which|is|are|was|were|has|have|had|did|does|do)\b", re.IGNORECASE)
"""What a clause has that asks something, and does not only list it: size and growth."""
_STEM = 6
"""Letters by which words are the same: dependent, dependence."""
_JUDGED = re.compile(
    r"\b(?:might|could|may|does|do|would|can)\s+(?:this|that|these|those|it|they)\s+\w*\s*"
    r"(?:indicate|suggest|mean|imply|have|affect|signal|say|reveal|influence)\b"
    r"|\b(?:implications?|repercussions?|significance)\b|示唆|何を意味",
    re.IGNORECASE,
)
"""What asks for a judgement of what was found: what might this indicate."""


_COMPARE = re.compile(r"\bcompar(?:e|ing)\b", re.IGNORECASE)
"""What only says what is to be done: wages that are compared are nearer to “Area - comparative”."""


def english_parts(bare: str, *, of_states: bool = False) -> dict[str, str]:
    """Return what is asked in each clause of a question, maybe one about countries, with that clause."""
    ways = _MEANT_OF_STATES if of_states else _MEANT
    parts: dict[str, str] = {}
    bare = _COUNTED_AGAIN.sub(r"\g<first> \g<what>", bare)
    bare = _EACH.sub(
        "per capita", re.sub(f"{SHARE_EN}|{SO_MANY}|{_IN_ORDER}|{_IN_ALL}", " ", bare, flags=re.IGNORECASE)
    )
    bare = BALANCE.sub("exports and imports", _OF_GDP.sub(" ", _HEADS.sub(" ", _COSTS.sub(r"\g<does>price", bare))))
    bare = _OF_BOTH.sub(r"\g<whose> \g<first> and \g<whose> \g<second>", bare)
    bare = _OF_BOTH_SEXES.sub(r"\g<first>'s and \g<second>'s \g<what>", bare)
    bare = _OF_EACH.sub(r"\g<first>'s \g<what> and \g<second>'s \g<what>", _BOTH_SEXES.sub(" ", bare))
    for part in split_beside_terms(_SPLIT_EN, _EITHER.sub(r"\1", _OPENS.sub(" ", bare))):
        clause = _MEANS_FOR.sub(" ", part)
        if parts and _HOW_FAST.search(clause):
            rate = f"{next(reversed(parts))} growth rate"
            parts[rate] = rate
            continue
        meant = {told: told for pattern, told in ways if pattern.search(clause)}
        bare = reduce(lambda left, known: known[0].sub(" ", left), ways, clause)
        bare = _DURING.sub(" ", bare) if meant else bare
        words = [word for word in _WORD.findall(bare) if not _only_asks(folded(word))]
        is_when = all(map(_PERIODS.fullmatch, words))
        if words and not (parts and (is_when or _JUDGED.search(clause) or _says_nothing_new(clause, words, parts))):
            parts.setdefault(" ".join(words), " ".join(_COMPARE.sub(" ", clause).split()))
        parts.update(meant)
    return parts


def _says_nothing_new(clause: str, words: Sequence[str], parts: Iterable[str]) -> bool:
    """Whether a further clause only asks how what was asked before it moves: is the dependence shrinking."""
    known = {folded(word)[:_STEM] for part in parts for word in part.split()}
    is_asked = _ASKS.search(clause) is not None and _MOVED.search(clause) is not None
    return is_asked and all(folded(word)[:_STEM] in known for word in words)


def japanese_parts(bare: str) -> dict[str, str]:
    """Return the same of a Japanese question: from the first word of a clause that says something to the last."""
    parts: dict[str, str] = {}
    if match := EXCEEDS.search(bare):
        bare = f"{bare[: match.start()]}と{match['second']}"
    bare = _COUNTED_JA.sub("いくら", _FIRST_JA.sub("いちばん", BALANCE.sub("輸出と輸入", bare)))
    for way, told in _MEANT:
        bare = way.sub(told, bare)
    bare = _HAVE_JA.sub("の", _APART_JA.sub("の", re.sub(SO_MANY, "", bare)))
    bare = _OF_BOTH_JA.sub(r"\g<whose>の\g<first>、\g<whose>の\g<second>", bare)
    bare = _SHARE_OF.sub(r"\g<part>、\g<whole>", bare)
    bare = _OF_WHOLE.sub("", _PART_OF.sub(r"\g<part>", _FOR_EACH.sub("", bare)))
    bare = _LISTED_JA.sub(
        lambda run: run.group().replace("・", "、") if _KANJI.search(run.group()) else run.group(), bare
    )
    clauses = _SPLIT_JA.split(_WITH_JA.sub("", _QUOTES_JA.sub("", bare)))
    for clause in [one for one in clauses if not _CIRCUMSTANCE.search(one)] or clauses:
        nouns = [
            match
            for match in _NOUN_JA.finditer(clause)
            if not _only_asks(folded(match.group())) or SHORT.match(clause, match.start())
        ]
        if parts and _HOW_FAST_JA.search(clause):
            rate = f"{next(reversed(parts))}増加率"
            parts[rate] = rate
        elif nouns and not (parts and _JUDGED.search(clause)):
            said = clause[nouns[0].start() : nouns[-1].end()].strip()
            lead = clause[: nouns[0].start()]
            before = _IN_KANA.search(lead) or (nouns[0].group() in _COUNTS_PEOPLE and _OF_WHOM.search(lead))
            said = f"{before['word']}{said}" if before else said
            parts.setdefault(_LEFT_OVER.sub("", _BETWEEN_JA.sub(_joined, said)), _BEHIND_NAMES.sub("", clause).strip())
    done = _DONE_JA.search(bare) if not parts else None
    return {done[0]: _BEHIND_NAMES.sub("", bare).strip()} if done else parts


def _joined(asking: re.Match[str]) -> str:
    """Return what stands for a word that asks in the middle: 代理店の不満 for 代理店は何に不満."""
    return "の" if asking["what"] or asking["topic"] in ("は", "が") else asking["topic"]


_DEGREE = re.compile(rf"(?:{ADJECTIVES})i?e(?:st|r)")
_EACH = re.compile(r"\bper (?:head|person|inhabitant)\b", re.IGNORECASE)


def _only_asks(word: str) -> bool:
    asks = _DEGREE.fullmatch(word) or _HOW_MANY.fullmatch(word) or _MOVED.fullmatch(word)
    return asks is not None or is_stop_word(word) or word.removesuffix("'s") in _ASKING


SHORT = re.compile(r"(?<![一-鿿々])(?![国何誰人方事物年前後上下中間])[一-鿿](?=[をがのはも])")
"""A word of one sign, which elsewhere tells too little to be searched for: 銅を輸出している国."""
