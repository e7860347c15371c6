"""Sections of the lenses on subjects and countries, as plain data."""

from __future__ import annotations

from research.analysts.extractive.lenses_business import OUTLOOK
from research.analysts.extractive.section import aspect, section

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
