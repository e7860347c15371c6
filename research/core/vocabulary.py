"""The dropdowns of a brief: each value has a label and the words that it adds to the brief, in both languages."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from research.language import Bilingual


class Vocabulary(StrEnum):
    """A closed list of terms; the value is what files and the command line hold."""

    label: Bilingual
    words: Bilingual

    def __new__(cls, value: str, label: tuple[str, str], words: tuple[str, str]) -> Self:
        """Make a term from its value, its (en, ja) label and the (en, ja) words it adds to a brief."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.label = Bilingual(*label)
        term.words = Bilingual(*words)
        return term


class Scope(Vocabulary):
    """The lens through which the question is looked at; it decides the sections of a report."""

    OVERVIEW = (
        "overview",
        ("Overview", "全体像"),
        (
            "Give an overview: definition, present state, concrete cases, outlook.",
            "全体像をつかむ：定義、現状、具体例、見通し。",
        ),
    )
    MARKET = (
        "market",
        ("Market", "市場"),
        (
            "Look at the market: size and growth, segments, demand, players, outlook.",
            "市場を見る：規模と成長、セグメント、需要、主要企業、見通し。",
        ),
    )
    COMPANY = (
        "company",
        ("Company", "企業"),
        (
            "Look at the company: business, figures, strategy, people, recent events, risks.",
            "企業を見る：事業、業績、戦略、経営陣、直近の動き、リスク。",
        ),
    )
    COMPETITORS = (
        "competitors",
        ("Competitors", "競合"),
        (
            "Compare competitors: position, offer, price, strengths and weaknesses, moves.",
            "競合を比べる：位置づけ、製品・サービス、価格、強みと弱み、動向。",
        ),
    )
    TECHNOLOGY = (
        "technology",
        ("Technology", "技術"),
        (
            "Look at the technology: how it works, maturity, uses, limits, who develops it.",
            "技術を見る：仕組み、成熟度、用途、限界、開発の担い手。",
        ),
    )
    POLICY = (
        "policy",
        ("Policy and regulation", "政策・規制"),
        (
            "Look at policy and regulation: rules in force, planned changes, authorities, effects.",
            "政策・規制を見る：現行の規則、予定される変更、所管、影響。",
        ),
    )
    COUNTRY = (
        "country",
        ("Country", "国・地域"),
        (
            "Look at the country: population, economy, energy and infrastructure, government, risks.",
            "国・地域を見る：人口、経済、エネルギーとインフラ、政治体制、リスク。",
        ),
    )
    LITERATURE = (
        "literature",
        ("Literature", "文献"),
        (
            "Review the literature: questions asked, methods, findings, disagreement, open problems.",
            "文献を概観する：問い、方法、知見、見解の相違、未解決の課題。",
        ),
    )
    RISK = (
        "risk",
        ("Risks", "リスク"),
        (
            "Look for risks: causes, likelihood, effects, early signs, mitigation.",
            "リスクを洗い出す：原因、起こりやすさ、影響、兆候、対策。",
        ),
    )


class Period(Vocabulary):
    """How far back information may date."""

    WEEK = ("week", ("Past week", "過去1週間"), ("from the past week", "過去1週間の情報"))
    MONTH = ("month", ("Past month", "過去1か月"), ("from the past month", "過去1か月の情報"))
    QUARTER = ("quarter", ("Past 3 months", "過去3か月"), ("from the past three months", "過去3か月の情報"))
    YEAR = ("year", ("Past year", "過去1年"), ("from the past year", "過去1年の情報"))
    THREE_YEARS = ("3years", ("Past 3 years", "過去3年"), ("from the past three years", "過去3年の情報"))
    FIVE_YEARS = ("5years", ("Past 5 years", "過去5年"), ("from the past five years", "過去5年の情報"))

    @property
    def days(self) -> int:
        """Length of the period in days."""
        return {"week": 7, "month": 31, "quarter": 92, "year": 366, "3years": 1096, "5years": 1827}[self.value]


class Region(Vocabulary):
    """The part of the world that the report is about."""

    WORLD = ("world", ("Worldwide", "世界全体"), ("the whole world", "世界全体"))
    JAPAN = ("japan", ("Japan", "日本"), ("Japan", "日本"))
    ASIA = ("asia", ("Asia", "アジア"), ("Asia", "アジア"))
    ASEAN = ("asean", ("South-East Asia", "東南アジア"), ("South-East Asia", "東南アジア"))
    CHINA = ("china", ("China", "中国"), ("China", "中国"))
    INDIA = ("india", ("India", "インド"), ("India", "インド"))
    NORTH_AMERICA = ("north-america", ("North America", "北米"), ("North America", "北米"))
    LATIN_AMERICA = ("latin-america", ("Latin America", "中南米"), ("Latin America", "中南米"))
    EUROPE = ("europe", ("Europe", "欧州"), ("Europe", "欧州"))
    MIDDLE_EAST = ("middle-east", ("Middle East", "中東"), ("the Middle East", "中東"))
    AFRICA = ("africa", ("Africa", "アフリカ"), ("Africa", "アフリカ"))
    OCEANIA = ("oceania", ("Oceania", "オセアニア"), ("Oceania", "オセアニア"))


class SourceName(Vocabulary):
    """Where pages come from."""

    WEB = ("web", ("Web", "ウェブ"), ("the web", "ウェブ"))
    LIBRARY = ("library", ("My documents", "自分の資料"), ("the user's own documents", "利用者自身の資料"))
    FACTBOOK = (
        "factbook",
        ("The World Factbook (sample)", "ワールド・ファクトブック（サンプル）"),
        ("The World Factbook", "ワールド・ファクトブック"),
    )
    HOUSE = (
        "house",
        ("House documents (sample company)", "社内資料（サンプル企業）"),
        ("the house documents of the sample company", "サンプル企業の社内資料"),
    )
    MCP = ("mcp", ("Connected servers (MCP)", "接続サーバー（MCP）"), ("connected servers", "接続したサーバー"))


class Audience(Vocabulary):
    """Who will read the report."""

    FRONT_LINE = (
        "front-line",
        ("Front line", "現場担当者"),
        ("for people doing the work: concrete and practical", "現場の担当者向け：具体的で実務的に"),
    )
    MANAGEMENT = (
        "management",
        ("Management", "管理職"),
        ("for managers: options, effort and consequences", "管理職向け：選択肢、必要な労力、影響を示す"),
    )
    EXECUTIVES = (
        "executives",
        ("Executives", "経営層"),
        ("for executives: what matters for the decision, briefly", "経営層向け：意思決定に必要な点を簡潔に"),
    )


class OutputForm(Vocabulary):
    """What the report is made of."""

    TEXT = ("text", ("Text", "文章"), ("continuous text", "文章"))
    POINTS = (
        "points",
        ("Key points", "要点（箇条書き）"),
        ("key points, one thought each", "一項目一要点の箇条書き"),
    )
    CHARTS = (
        "charts",
        ("Charts and figures", "グラフと数値"),
        (
            "figures first: short text around tables of figures; the program draws the charts",
            "数値を中心に：数値の表と短い文章（グラフはプログラムが描く）",
        ),
    )
    MIX = (
        "mix",
        ("Text, tables and charts", "文章・表・グラフ"),
        ("text with tables where they help", "文章と、役立つところに表"),
    )


class Length(Vocabulary):
    """How long the report may be."""

    PAGE = ("page", ("One page", "1ページ"), ("about one page", "約1ページ"))
    SHORT = ("short", ("2–3 pages", "2〜3ページ"), ("two to three pages", "2〜3ページ"))
    MEDIUM = ("medium", ("4–8 pages", "4〜8ページ"), ("four to eight pages", "4〜8ページ"))
    LONG = ("long", ("10–30 pages", "10〜30ページ"), ("ten to thirty pages", "10〜30ページ"))


class Summary(Vocabulary):
    """Where the executive summary stands."""

    FIRST = (
        "first",
        ("At the start", "冒頭に置く"),
        ("an executive summary at the start", "冒頭に要旨を置く"),
    )
    LAST = ("last", ("At the end", "末尾に置く"), ("an executive summary at the end", "末尾に要旨を置く"))
    NONE = ("none", ("None", "なし"), ("no executive summary", "要旨は置かない"))


class Tone(Vocabulary):
    """The manner of writing."""

    NEUTRAL = ("neutral", ("Neutral", "中立"), ("neutral and factual", "中立的・客観的に"))
    FORMAL = ("formal", ("Formal", "格式"), ("formal, as for a board paper", "取締役会資料のように格調高く"))
    PLAIN = ("plain", ("Plain", "平易"), ("plain words, no jargon", "平易な言葉で、専門用語を避けて"))
    CRITICAL = (
        "critical",
        ("Critical", "批判的"),
        ("critical: weigh the sources against each other", "批判的に：情報源を突き合わせて吟味"),
    )


class SourceKind(Vocabulary):
    """What kind of page a source is."""

    STATISTICS = ("statistics", ("Official statistics", "公的統計"), ("official statistics", "公的統計"))
    GOVERNMENT = ("government", ("Government", "官公庁"), ("government pages", "官公庁の資料"))
    COMPANY = ("company", ("Company", "企業"), ("company reports", "企業の開示資料"))
    PAPER = ("paper", ("Paper", "論文"), ("scientific papers", "学術論文"))
    NEWS = ("news", ("News", "報道"), ("news", "報道"))
    TRADE = (
        "trade",
        ("Trade press and associations", "業界紙・業界団体"),
        ("trade press and associations", "業界紙・業界団体の資料"),
    )
    BLOG = ("blog", ("Blog", "ブログ"), ("blogs", "ブログ"))
    SOCIAL = ("social", ("Social media", "SNS"), ("social media", "SNS"))
    DOCUMENT = ("document", ("Own document", "自分の資料"), ("own documents", "自分の資料"))
    OTHER = ("other", ("Other", "その他"), ("other pages", "その他"))
