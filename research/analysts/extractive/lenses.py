"""Sections that a scope calls for, with the aspects of each."""

from __future__ import annotations

from dataclasses import dataclass

from research.core import Scope
from research.language import Bilingual


@dataclass(frozen=True)
class LensAspect:
    """One thing that a section should say."""

    label: Bilingual
    words: tuple[tuple[str, ...], tuple[str, ...]]
    """Search words in English and in Japanese, the most telling first; each alone shows that the aspect is covered."""

    @property
    def phrases(self) -> tuple[str, ...]:
        """The words of both languages."""
        return self.words[0] + self.words[1]


@dataclass(frozen=True)
class LensSection:
    """A part of the report, and the topic of one researcher."""

    title: Bilingual
    focus: Bilingual
    aspects: tuple[LensAspect, ...]


def aspect(labels: str, en: str, ja: str) -> LensAspect:
    """Return an aspect from `English|Japanese` labels, its English words (by comma) and its Japanese words (by 、)."""
    english, japanese = labels.split("|")
    return LensAspect(Bilingual(english, japanese), (tuple(en.split(", ")), tuple(ja.split("、"))))


def section(titles: str, focus: str, *aspects: LensAspect) -> LensSection:
    """Return a section from its title and focus as `English|Japanese`, and its aspects."""
    return LensSection(Bilingual(*titles.split("|")), Bilingual(*focus.split("|")), aspects)


OUTLOOK = section(
    "Outlook|見通し",
    "what is expected, planned or feared|何が予想され、計画され、懸念されているか",
    aspect("forecasts|予測", "forecast, outlook, expected to, projected", "予測、見通し、見込み、予想"),
    aspect("plans|計画", "plan, target, strategy, investment", "計画、目標、方針、投資"),
    aspect("risks|リスク", "risk, challenge, concern, obstacle", "リスク、課題、懸念、障害"),
)

MARKET = (
    section(
        "Size and growth|規模と成長",
        "how large the market is and how fast it grows|市場の大きさと伸び",
        aspect("growth|成長率", "GDP growth rate, growth rate, market growth", "成長率、経済成長、伸び率"),
        aspect("size|規模", "real GDP, GDP, market size, sales, market for", "市場規模、GDP、国内総生産、売上高"),
        aspect(
            "GDP per capita|一人当たりGDP",
            "GDP per capita, income per capita, purchasing power",
            "一人当たりGDP、1人当たり、所得、購買力",
        ),
    ),
    section(
        "Demand and trade|需要と貿易",
        "who buys what, and what comes from abroad|誰が何を買い、何が輸入されているか",
        aspect("imports|輸入", "imports, imports commodities, import", "輸入、輸入品目、輸入額"),
        aspect("exports|輸出", "exports, exports commodities, export", "輸出、輸出品目、輸出額"),
        aspect("demand|需要", "demand, household consumption, customers", "需要、消費、顧客、販売"),
        aspect("population|人口", "population total, population, consumers", "人口、消費者、客層"),
    ),
    section(
        "Players and competition|主要企業と競争",
        "who supplies the market today|現在の供給者と競争の状況",
        aspect("partners|貿易相手", "imports partners, exports partners, partners", "貿易相手、輸入相手、取引先"),
        aspect("companies|企業", "company, manufacturer, market share, competitor", "企業、メーカー、シェア、競合"),
        aspect("industries|産業", "industries, industrial production, sector", "産業、業界、業種、生産"),
    ),
    section(
        "Conditions of access|参入条件",
        "rules, costs and infrastructure|規則、費用、インフラ",
        aspect("rules|規則", "tariff, regulation, trade agreement, license", "関税、規制、協定、許認可"),
        aspect("prices and currency|物価と為替", "inflation rate, exchange rates, price", "物価、インフレ、為替、価格"),
        aspect("infrastructure|インフラ", "ports, infrastructure, logistics, railways", "インフラ、物流、港湾、輸送"),
    ),
    OUTLOOK,
)

COMPANY = (
    section(
        "Business|事業",
        "what the company does, for whom and where|何を、誰に、どこで提供しているか",
        aspect("business|事業内容", "business, products, services, segment", "事業、製品、サービス、商品"),
        aspect("customers and places|顧客と拠点", "customers, offices, factory, stores", "顧客、取引先、拠点、工場"),
    ),
    section(
        "Sales and profit|業績",
        "sales, profit and their change|売上、利益とその推移",
        aspect("sales|売上", "sales, revenue, turnover", "売上高、売上、収益"),
        aspect("profit|利益", "operating profit, profit, income, margin", "営業利益、利益、利益率、損益"),
    ),
    section(
        "Strategy and people|戦略と経営陣",
        "where it wants to go, and who decides|方向性と意思決定者",
        aspect("strategy|戦略", "strategy, plan, target, priority", "戦略、中期計画、計画、方針、目標"),
        aspect("people|経営陣", "president, CEO, director, founder", "社長、代表取締役、役員、創業者"),
    ),
    section(
        "Recent events|直近の動き",
        "what happened lately|最近の出来事",
        aspect(
            "announcements|発表・新製品", "announced, launched, acquired, partnership", "発表、開始、買収、提携、新製品"
        ),
        aspect("investment|投資", "investment, expansion, new plant, hiring", "投資、拡大、新工場、採用"),
    ),
    section(
        "Risks|リスク",
        "what could go wrong|何が起こり得るか",
        aspect("risks|リスク", "risk, problem, complaint, lawsuit", "リスク、問題、クレーム、訴訟"),
        aspect("challenges|課題", "challenge, shortage, delay, cost", "課題、不足、遅延、コスト"),
    ),
)

COMPETITORS = (
    section(
        "Position|位置づけ",
        "who the competitors are and how large|競合とその規模",
        aspect("competitors|競合", "competitor, rival, competition", "競合、競合他社、ライバル"),
        aspect("share|シェア", "market share, sales, rank", "シェア、売上高、順位"),
    ),
    section(
        "Offer and price|製品と価格",
        "what they sell at which price|何をいくらで売っているか",
        aspect("offer|製品・サービス", "product, service, feature, line-up", "製品、サービス、機能、品揃え"),
        aspect("price|価格", "price, cost, discount, fee", "価格、料金、値引き、単価"),
    ),
    section(
        "Strengths and weaknesses|強みと弱み",
        "what each does better or worse|それぞれの優劣",
        aspect("strengths|強み", "strength, advantage, leading, quality", "強み、優位、優れ、品質"),
        aspect("weaknesses|弱み", "weakness, disadvantage, complaint, behind", "弱み、弱点、不満、遅れ"),
    ),
    section(
        "Moves|動向",
        "what they did lately and plan next|最近の動きと次の一手",
        aspect("recent moves|最近の動き", "launched, announced, entered, acquired", "発売、発表、参入、買収"),
        aspect("plans|計画", "plan, strategy, expansion, target", "計画、戦略、拡大、目標"),
    ),
)

RISK = (
    section(
        "Risks and causes|リスクと原因",
        "what could happen, and why|何がなぜ起こり得るか",
        aspect("risks|リスク", "risk, hazard, threat, danger", "リスク、危険、脅威、災害"),
        aspect("causes|原因", "cause, due to, reason, dependence", "原因、要因、依存、により"),
    ),
    section(
        "Likelihood and signs|起こりやすさと兆候",
        "how often it happens and how it is noticed|頻度と兆候",
        aspect("likelihood|頻度", "likely, frequent, probability, rate", "可能性、頻度、確率、発生率"),
        aspect("signs|兆候", "warning, indicator, increase, decline", "兆候、警告、指標、増加"),
    ),
    section(
        "Effects|影響",
        "what it would cost and whom it would hit|損失と影響を受ける対象",
        aspect("effects|影響", "impact, effect, damage, loss", "影響、被害、損失、停止"),
        aspect("cost|費用", "cost, debt, price, expense", "費用、債務、価格、コスト"),
    ),
    section(
        "Mitigation|対策",
        "what is done or can be done|講じられている対策と可能な対策",
        aspect("measures|対策", "measure, mitigation, prevention, backup", "対策、対応、予防、備え"),
        aspect("responsibility|担当", "responsible, authority, insurance, plan", "担当、責任、保険、計画"),
    ),
)

OVERVIEW = (
    section(
        "Definition and background|定義と背景",
        "what it is and how it came about|それが何であり、どのような経緯があるか",
        aspect("definition|定義", "definition, defined as, refers to, overview", "定義、とは、概要、を指す"),
        aspect("background|背景", "background, history, established, founded", "背景、経緯、歴史、設立"),
    ),
    section(
        "Present state|現状",
        "figures and facts as they stand|現在の数値と事実",
        aspect("key figures|主要な数値", "total, share, rate, sales", "売上、割合、件数、規模"),
        aspect("recent changes|最近の変化", "increase, decline, growth, change", "増加、減少、成長、変化"),
    ),
    section(
        "Concrete cases|具体例",
        "who does what, with which result|誰が何をし、どのような結果を得たか",
        aspect("cases|事例", "case, example, project, introduced", "事例、導入、実績、取り組み"),
        aspect("results|成果", "result, effect, success, failure", "成果、効果、結果、失敗"),
    ),
    OUTLOOK,
)

TECHNOLOGY = (
    section(
        "How it works|仕組み",
        "principle and parts|原理と構成",
        aspect("principle|原理", "technology, method, principle, works by", "技術、方式、原理、仕組み"),
        aspect("parts|構成", "system, component, architecture, process", "構成、装置、部品、工程"),
    ),
    section(
        "Maturity and uses|成熟度と用途",
        "where it is in use, with which result|どこで使われ、どのような成果があるか",
        aspect("uses|用途", "application, use case, deployed, adoption", "用途、活用、導入、採用"),
        aspect("maturity|成熟度", "commercial, pilot, prototype, mass production", "実用化、実証、試作、量産"),
        aspect("performance|性能", "efficiency, capacity, performance, accuracy", "効率、容量、性能、精度"),
    ),
    section(
        "Limits|限界",
        "what it cannot do, and what it costs|できないことと費用",
        aspect("limits|限界", "limit, problem, challenge, safety", "限界、問題、課題、安全"),
        aspect("cost|費用", "cost, price, investment", "費用、コスト、価格、投資"),
    ),
    section(
        "Who develops it|開発の担い手",
        "companies, institutes and their plans|企業、研究機関とその計画",
        aspect("developers|担い手", "company, university, institute, developer", "企業、大学、研究所、開発"),
        aspect("plans|計画", "roadmap, plan, research and development, patent", "計画、研究開発、特許、目標"),
    ),
)

POLICY = (
    section(
        "Rules in force|現行の規則",
        "what applies today|現在適用される内容",
        aspect("rules|規則", "law, regulation, act, rule", "法律、規制、法令、条例"),
        aspect("duties|義務", "must, required, prohibited, penalty", "義務、禁止、罰則、要件"),
    ),
    section(
        "Planned changes|予定される変更",
        "what will change and when|何がいつ変わるか",
        aspect("changes|変更", "amendment, reform, proposal, bill", "改正、改革、法案、見直し"),
        aspect("dates|時期", "enter into force, effective, deadline, from 2026", "施行、期限、適用開始、時期"),
    ),
    section(
        "Authorities|所管",
        "who decides and who enforces|決定と執行の担い手",
        aspect("authorities|所管官庁", "ministry, authority, agency, government", "省、庁、当局、政府"),
        aspect("system|制度", "legal system, constitution, legislature, court", "制度、憲法、議会、裁判所"),
    ),
    section(
        "Effects|影響",
        "who is affected and how|誰にどのような影響があるか",
        aspect("effects|影響", "effect, impact, affected, consequence", "影響、効果、対象、結果"),
        aspect("cost|負担", "cost, compliance, burden, subsidy, tax", "負担、費用、対応、補助金、税"),
    ),
)

COUNTRY = (
    section(
        "Population|人口",
        "how many people live there, and how that changes|人口とその推移",
        aspect("population|人口", "population total, population", "総人口、人口"),
        aspect(
            "change|人口動態", "population growth rate, birth rate, net migration", "人口増加率、人口成長率、出生率"
        ),
        aspect("age|年齢構成", "median age, age structure", "年齢中央値、年齢構成、高齢化"),
        aspect("cities|都市", "urbanization, urban population, major urban areas", "都市化、都市人口、主要都市"),
    ),
    section(
        "Economy and trade|経済と貿易",
        "how large the economy is, how it grows and what it trades|経済の規模と成長、貿易の内容",
        aspect("growth|経済成長", "GDP growth rate, economic growth", "経済成長、成長率"),
        aspect("size|経済規模", "real GDP, GDP, official exchange rate", "GDP、国内総生産、経済規模"),
        aspect("GDP per capita|一人当たりGDP", "GDP per capita", "一人当たりGDP、1人当たり、所得"),
        aspect("exports|輸出", "exports, exports partners, exports commodities", "輸出、輸出額、輸出相手"),
        aspect("imports|輸入", "imports, imports partners, imports commodities", "輸入、輸入額、輸入相手"),
        aspect("prices and work|物価と雇用", "inflation rate, unemployment rate", "物価、インフレ、失業率"),
    ),
    section(
        "Energy and infrastructure|エネルギーとインフラ",
        "power, transport and communications|電力、交通、通信",
        aspect(
            "electricity|電力", "electricity, installed generating capacity, electricity access", "電力、発電、電化率"
        ),
        aspect(
            "energy sources|エネルギー源",
            "fossil fuels, coal, petroleum, natural gas, solar",
            "石炭、石油、天然ガス、再生可能",
        ),
        aspect("transport|交通", "railways, roadways, ports, airports", "鉄道、道路、港湾、空港"),
        aspect("communications|通信", "internet users, mobile cellular, broadband", "インターネット、携帯電話、通信"),
    ),
    section(
        "Government|政治体制",
        "who governs and by which rules|統治の担い手と制度",
        aspect("system|政体", "government type, constitution, capital", "政体、憲法、首都、共和"),
        aspect("leaders|指導者", "chief of state, head of government, president", "元首、首相、大統領"),
        aspect("law|法制度", "legal system, legislative branch, elections", "法制度、議会、選挙"),
    ),
    section(
        "Risks|リスク",
        "what could harm people or business|人や事業に及ぶ危険",
        aspect(
            "natural hazards|自然災害", "natural hazards, climate, typhoons, earthquakes", "自然災害、台風、地震、洪水"
        ),
        aspect(
            "disputes and security|紛争と治安", "disputes, security, terrorist, corruption", "紛争、治安、汚職、テロ"
        ),
        aspect("debt|債務", "public debt, debt external, budget", "公的債務、対外債務、財政"),
    ),
)

LITERATURE = (
    section(
        "Questions and methods|問いと方法",
        "what was asked and how it was studied|何がどのように研究されたか",
        aspect("questions|問い", "aim, hypothesis, research question, purpose", "目的、仮説、問い、課題"),
        aspect("methods|方法", "method, data, sample, survey, experiment", "方法、データ、対象、調査、実験"),
    ),
    section(
        "Findings|知見",
        "what was found|何がわかったか",
        aspect("findings|知見", "found that, result, shows, finding", "結果、知見、明らか、示された"),
        aspect("effects|効果", "effect, correlation, significant, increase", "効果、相関、有意、増加"),
    ),
    section(
        "Disagreement|見解の相違",
        "where the sources differ|情報源が食い違う点",
        aspect("disagreement|相違", "however, contrary, debate, criticism", "一方、反対、議論、批判"),
        aspect("limits|限界", "limitation, bias, caution, uncertain", "限界、偏り、注意、不確か"),
    ),
    section(
        "Open problems|未解決の課題",
        "what remains to be studied|今後の研究課題",
        aspect(
            "open problems|課題",
            "future work, further research, open question, unclear",
            "今後の課題、未解決、不明、必要がある",
        ),
    ),
)

LENSES: dict[Scope, tuple[LensSection, ...]] = {
    Scope.OVERVIEW: OVERVIEW,
    Scope.MARKET: MARKET,
    Scope.COMPANY: COMPANY,
    Scope.COMPETITORS: COMPETITORS,
    Scope.TECHNOLOGY: TECHNOLOGY,
    Scope.POLICY: POLICY,
    Scope.COUNTRY: COUNTRY,
    Scope.LITERATURE: LITERATURE,
    Scope.RISK: RISK,
}
