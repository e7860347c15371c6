"""Sections of the lenses on markets and companies, as plain data."""

from __future__ import annotations

from research.analysts.extractive.section import aspect, section

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
