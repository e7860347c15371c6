"""Questions that the ready collections can answer, for the start page."""

from __future__ import annotations

from dataclasses import dataclass

from research.language import Bilingual, Language
from research.vocabulary import Region, Scope, SourceName

_FACTBOOK, _HOUSE = SourceName.FACTBOOK, SourceName.HOUSE


@dataclass(frozen=True)
class SampleQuestion:
    """A question, and how the form is filled for it."""

    question: Bilingual
    sources: tuple[SourceName, ...]
    scope: Scope
    query: Bilingual
    """A search that leads to the heart of the answer."""
    answer: str
    """A pattern that the heart of the answer matches."""
    region: Region | None = None

    def text(self, language: Language) -> str:
        """Return the question in `language`."""
        return self.question.in_(language)


QUESTIONS: tuple[SampleQuestion, ...] = (
    SampleQuestion(
        Bilingual(
            "How do Vietnam, Indonesia and India compare in population, industrial growth and electricity?",
            "ベトナム、インドネシア、インドを、人口、工業生産の伸び、電力の面から比較してください。",
        ),
        (_FACTBOOK,),
        Scope.COUNTRY,
        Bilingual("Vietnam industrial production growth rate", "ベトナムの工業生産成長率"),
        r"Industrial production growth rate: 8\.2%",
        Region.ASIA,
    ),
    SampleQuestion(
        Bilingual(
            "How is the population of Japan ageing, and what does it mean for the labor force and public debt?",
            "日本の高齢化はどこまで進み、労働力と公的債務はどうなっていますか。",
        ),
        (_FACTBOOK,),
        Scope.COUNTRY,
        Bilingual("Japan median age elderly dependency ratio", "日本の平均年齢"),
        r"Median age, total|elderly dependency ratio",
        Region.JAPAN,
    ),
    SampleQuestion(
        Bilingual(
            "What does Germany export, to whom, and what energy does its industry run on?",
            "ドイツは何をどの国に輸出し、産業はどのようなエネルギーに支えられていますか。",
        ),
        (_FACTBOOK,),
        Scope.MARKET,
        Bilingual("Germany exports commodities partners", "ドイツの輸出相手国"),
        r"Exports - (?:partners|commodities):",
        Region.EUROPE,
    ),
    SampleQuestion(
        Bilingual(
            "What sales targets has Asanagi Pump Industries set for South-East Asia, and will it reach them?",
            "朝凪ポンプ工業は東南アジアでどのような売上目標を立て、達成の見通しはどうですか。",
        ),
        (_HOUSE,),
        Scope.COMPANY,
        Bilingual("South-East Asia sales target", "東南アジアの売上目標"),
        r"24億円|20億円",
        Region.ASEAN,
    ),
    SampleQuestion(
        Bilingual(
            "How much electricity does the AN-300 pump really save, and what do customers say about it?",
            "ポンプAN-300の省エネ効果は実際にどれだけあり、顧客は何と言っていますか。",
        ),
        (_HOUSE,),
        Scope.TECHNOLOGY,
        Bilingual("AN-300 less electricity", "AN-300の消費電力量"),
        r"32% less|27%少",
    ),
    SampleQuestion(
        Bilingual(
            "Should Asanagi Pump Industries build its first service centre in Vietnam? "
            "Join our own documents with the country's industrial growth and electricity supply.",
            "朝凪ポンプ工業は最初のサービス拠点をベトナムに置くべきですか。"
            "社内資料と、工業生産の伸びや電力の統計を合わせて検討してください。",
        ),
        (_HOUSE, _FACTBOOK),
        Scope.MARKET,
        Bilingual("service centre Hai Phong Vietnam", "ハイフォンのサービス拠点"),
        r"service centre|サービス拠点",
        Region.ASEAN,
    ),
    SampleQuestion(
        Bilingual(
            "What stands against selling pumps in India: price, local assembly, size and growth of the market?",
            "インドでのポンプ販売の障害は何ですか。価格、現地組立、市場の規模と成長から整理してください。",
        ),
        (_HOUSE, _FACTBOOK),
        Scope.RISK,
        Bilingual("India local assembly price", "インドの現地組立と価格"),
        r"local assembly|現地組立",
        Region.INDIA,
    ),
)
