"""What a scope looks for, where a question leaves it open: sections, and the points of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from research.core import Scope
from research.language import Bilingual


@dataclass(frozen=True)
class ScopeSection:
    """A part of a report on a scope."""

    title: Bilingual
    focus: Bilingual
    points: tuple[Bilingual, ...]


_TABLE = """
[overview]
Definition and background|定義と背景 = what it is and how it came about|それが何であり、どのような経緯があるか = definition|定義; background|背景
Present state|現状 = figures and facts as they stand|現在の数値と事実 = key figures|主要な数値; recent changes|最近の変化
Concrete cases|具体例 = who does what, with which result|誰が何をし、どのような結果を得たか = cases|事例; results|成果
Outlook|見通し = what is expected, planned or feared|何が予想され、計画され、懸念されているか = forecasts|予測; plans|計画; risks|リスク
[market]
Size and growth|規模と成長 = how large the market is and how fast it grows|市場の大きさと伸び = market size|市場規模; growth rate|成長率; GDP per capita|一人当たりGDP
Demand and trade|需要と貿易 = who buys what, and what comes from abroad|誰が何を買い、何が輸入されているか = demand|需要; imports|輸入; exports|輸出; population|人口
Players and competition|主要企業と競争 = who supplies the market today|現在の供給者と競争の状況 = companies and competitors|企業と競合; trading partners|貿易相手; industries|産業
Conditions of access|参入条件 = rules, costs and infrastructure|規則、費用、インフラ = rules and tariffs|規則と関税; prices and currency|物価と為替; infrastructure|インフラ
Outlook|見通し = what is expected, planned or feared|何が予想され、計画され、懸念されているか = forecasts|予測; plans|計画; risks|リスク
[company]
Business|事業 = what the company does, for whom and where|何を、誰に、どこで提供しているか = business and products|事業と製品; customers and places|顧客と拠点
Sales and profit|業績 = sales, profit and their change|売上、利益とその推移 = sales|売上高; profit|利益
Strategy and people|戦略と経営陣 = where it wants to go, and who decides|方向性と意思決定者 = strategy and plans|戦略と計画; management|経営陣
Recent events|直近の動き = what happened lately|最近の出来事 = announcements and new products|発表・新製品; investment|投資
Risks|リスク = what could go wrong|何が起こり得るか = risks|リスク; challenges|課題
[competitors]
Position|位置づけ = who the competitors are and how large|競合とその規模 = competitors|競合; market share|シェア
Offer and price|製品と価格 = what they sell at which price|何をいくらで売っているか = products and services|製品・サービス; price|価格
Strengths and weaknesses|強みと弱み = what each does better or worse|それぞれの優劣 = strengths|強み; weaknesses|弱み
Moves|動向 = what they did lately and plan next|最近の動きと次の一手 = recent moves|最近の動き; plans|計画
[technology]
How it works|仕組み = principle and parts|原理と構成 = principle|原理; parts|構成
Maturity and uses|成熟度と用途 = where it is in use, with which result|どこで使われ、どのような成果があるか = uses|用途; maturity|成熟度; performance|性能
Limits|限界 = what it cannot do, and what it costs|できないことと費用 = limits|限界; cost|費用
Who develops it|開発の担い手 = companies, institutes and their plans|企業、研究機関とその計画 = developers|担い手; plans|計画
[policy]
Rules in force|現行の規則 = what applies today|現在適用される内容 = rules|規則; duties|義務
Planned changes|予定される変更 = what will change and when|何がいつ変わるか = changes|変更; dates|時期
Authorities|所管 = who decides and who enforces|決定と執行の担い手 = authorities|所管官庁; system|制度
Effects|影響 = who is affected and how|誰にどのような影響があるか = effects|影響; cost|負担
[country]
Population|人口 = how many people live there, and how that changes|人口とその推移 = population|人口; population growth|人口増加; age|年齢構成; cities|都市
Economy and trade|経済と貿易 = how large the economy is, how it grows and what it trades|経済の規模と成長、貿易の内容 = economic growth|経済成長; size of the economy|経済規模; GDP per capita|一人当たりGDP; exports|輸出; imports|輸入; prices and work|物価と雇用
Energy and infrastructure|エネルギーとインフラ = power, transport and communications|電力、交通、通信 = electricity|電力; energy sources|エネルギー源; transport|交通; communications|通信
Government|政治体制 = who governs and by which rules|統治の担い手と制度 = system of government|政体; leaders|指導者; law|法制度
Risks|リスク = what could harm people or business|人や事業に及ぶ危険 = natural hazards|自然災害; disputes and security|紛争と治安; debt|債務
[literature]
Questions and methods|問いと方法 = what was asked and how it was studied|何がどのように研究されたか = questions|問い; methods|方法
Findings|知見 = what was found|何がわかったか = findings|知見; effects|効果
Disagreement|見解の相違 = where the sources differ|情報源が食い違う点 = disagreement|相違; limits|限界
Open problems|未解決の課題 = what remains to be studied|今後の研究課題 = open problems|課題
[risk]
Risks and causes|リスクと原因 = what could happen, and why|何がなぜ起こり得るか = risks|リスク; causes|原因
Likelihood and signs|起こりやすさと兆候 = how often it happens and how it is noticed|頻度と兆候 = likelihood|頻度; signs|兆候
Effects|影響 = what it would cost and whom it would hit|損失と影響を受ける対象 = effects|影響; cost|費用
Mitigation|対策 = what is done or can be done|講じられている対策と可能な対策 = measures|対策; responsibility|担当
"""  # noqa: E501 - a table reads better with a line for each section
"""Section = focus = points, each as `English|Japanese`, under the name of the scope."""


@cache
def scope_sections() -> Mapping[Scope, tuple[ScopeSection, ...]]:
    """Return the sections of each scope in the order in which a report has them."""
    found: dict[Scope, list[ScopeSection]] = {}
    by_name = {scope.value: scope for scope in Scope}
    scope = Scope.OVERVIEW
    for line in _TABLE.strip().splitlines():
        if line.startswith("["):
            scope = by_name[line.strip("[]")]
        else:
            title, focus, points = (list(_pairs(part)) for part in line.split(" = "))
            found.setdefault(scope, []).append(ScopeSection(title[0], focus[0], tuple(points)))
    return {scope: tuple(sections) for scope, sections in found.items()}


def _pairs(part: str) -> Iterator[Bilingual]:
    for pair in part.split("; "):
        en, _, ja = pair.partition("|")
        yield Bilingual(en, ja)
