"""A plan made by rule: what is asked, point by point, and for an open question the sections of its scope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from research.analysts.protocol import PlanRequest, ResearcherView
from research.core import (
    Brief,
    Depth,
    Outline,
    Scope,
    Section,
    bounds,
    first_sentence_of,
    period_of,
    title_of,
    topic_of,
)
from research.gaps import is_excluded
from research.language import COMMA, SPACE, Bilingual, Phrase
from research.text import Name, Operation, compared_in, folded, head_of, places_in, question_parts


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


DIRECT_TITLE = Phrase("Directly on the question")
_DIRECT_FOCUS = Phrase("what the sources say on the question itself")
_FEWEST = 3
"""Sections of an outline, at least."""
_CONTEXT = 2
"""Points of a section that nobody asked for."""
_POINTS = 8
"""Points of a question that are looked for."""
_AND = Phrase(" and ")


@dataclass(frozen=True)
class RulePlan:
    """What a report made by rule is to hold."""

    sections: tuple[Section, ...]
    """What is asked; if the question is open and a scope is chosen, what the scope looks for besides."""
    topics: tuple[Section, ...]
    """What is handed out to researchers: of places, each thing that is asked by itself, since pages are on one each."""
    context: tuple[Section, ...]
    """Further sections of the scope, for whoever needs a longer outline."""

    def outlined(self, at_most: int) -> tuple[Section, ...]:
        """Return three sections or more: what is asked, a section for each point where there are many, then context."""
        asked = self.sections
        if len(asked) == 1 and len(asked[0].needs) >= _FEWEST:
            asked = _each(asked[0])
        short = max(0, min(_FEWEST, at_most) - len(asked))
        return (*asked[:at_most], *self.context[:short])


def _each(section: Section) -> tuple[Section, ...]:
    """Return a section for each point of one."""
    return tuple(
        Section(title=need, focus=need, questions=(question,), needs=(need,))
        for need, question in zip(section.needs, section.questions, strict=True)
    )


def plan_for(brief: Brief) -> RulePlan:
    """Return the plan for a brief."""
    asked = question_parts(brief.question)
    is_open = asked.operation is Operation.OPEN
    scope = brief.scope or (Scope.COUNTRY if places_in(brief.question) else Scope.OVERVIEW)
    around = tuple(_of_scope(one, brief) for one in scope_sections()[scope])
    direct = _section(DIRECT_TITLE.in_(brief.language), _DIRECT_FOCUS.in_(brief.language), asked.points, brief)
    if is_open and brief.scope is not None:
        return RulePlan((direct, *around), (direct, *around), ())
    short = tuple(one.model_copy(update={"needs": one.needs[:_CONTEXT]}) for one in around)
    each = any(name.is_place for name in asked.names) and len(direct.needs) > 1
    return RulePlan((direct,), _each(direct) if each else (direct,), short)


def _of_scope(section: ScopeSection, brief: Brief) -> Section:
    labels = [point.in_(brief.language) for point in section.points]
    return _section(section.title.in_(brief.language), section.focus.in_(brief.language), labels, brief)


def _section(title: str, focus: str, points: Sequence[str], brief: Brief) -> Section:
    """Return a section with a key question for each point; points that the brief excludes are none."""
    kept = [point for point in points if not is_excluded(point, brief)][:_POINTS] or list(points[:1])
    names = compared_in(brief.question)
    questions = tuple(_question(point, names, brief) for point in kept)
    return Section(title=title, focus=focus, questions=questions, needs=tuple(kept))


def _question(label: str, names: Sequence[Name], brief: Brief) -> str:
    en, ja = _AND.en.join(name.en for name in names), _AND.ja.join(name.ja for name in names)
    return Bilingual(
        f"What is said of {label}" + (f" in {en}?" if en else "?"),
        (f"{ja}の" if ja else "") + f"{label}はどうなっているか。",
    ).in_(brief.language)


def outline_by_rule(request: PlanRequest) -> Outline:
    """Plan sections for what is asked; beside few ones, some context."""
    brief = request.brief
    plan = plan_for(brief)
    sections = plan.outlined(request.limits.methods.sections)
    added = [one.title for one in sections if one in plan.context]
    remarks = [basis(brief)]
    if added:
        remarks.append(Phrase(" Added as context: {titles}.").filled(titles=COMMA.in_(brief.language).join(added)))
    return Outline(
        purpose=_purpose(brief).in_(brief.language),
        sections=sections,
        introduction=_INTRODUCTION.in_(brief.language),
        conclusion=_CONCLUSION.in_(brief.language),
        remark="".join(remark.in_(brief.language) for remark in remarks),
    )


_INTRODUCTION = Phrase("The answer, as far as the sources hold it: values, what follows from them, the nearest quotes.")
_CONCLUSION = Phrase("What was asked and not found; no conclusion of its own.")


def basis(brief: Brief) -> Bilingual:
    """Say how the plan was made: by rule, for which points and names."""
    asked = question_parts(brief.question)
    points = COMMA.in_(brief.language).join(asked.points)
    named = compared_in(brief.question)
    who = Bilingual("", "")
    if named:
        en, ja = ", ".join(name.en for name in named), "、".join(name.ja for name in named)
        who = Bilingual(f" Searched for separately: {en}.", f"個別に検索する対象：{ja}。")
    return Phrase("Plan by rule, without a model. Asked for: {points}.{who}").filled(points=points, who=who)


def _purpose(brief: Brief) -> Bilingual:
    """Say what the report answers, and within which bounds."""
    question = head_of(brief.question)
    region = brief.region.words if brief.region is not None else None
    countries = (Bilingual(country, country) for country in brief.countries)
    limits = [words for words in (region, *countries, period_of(brief)) if words is not None]
    within = Bilingual(COMMA.en.join(words.en for words in limits), COMMA.ja.join(words.ja for words in limits))
    without = COMMA.in_(brief.language).join(brief.exclusions)
    return Bilingual(
        f"To show what the sources say on “{question}”."
        + (f" Scope: {within.en}." if limits else "")
        + (f" Left out: {without}." if without else ""),
        f"「{question}」について、情報源が述べていることを示します。"
        + (f"範囲：{within.ja}。" if limits else "")
        + (f"除外：{without}。" if without else ""),
    )


_MANY = 4
"""Things asked for, from which a question is wide."""
_RECENT_DAYS = 366
"""A period up to this asks for recent information, which takes one search more."""
_ITERATIONS = 2
"""A broad search and a narrow one."""


def depth_by_rule(request: PlanRequest) -> Depth:
    """Choose the depth.

    A search asks once for each name compared, and once more if four things or more are asked for. There are two
    searches, one more each for a comparison, for four things or more, and for a period of a year or less. Neither
    exceeds what the preset allows.
    """
    brief, limits = request.brief, request.limits
    names, things = len(compared_in(brief.question)), len(question_parts(brief.question).attributes)
    is_wide = things >= _MANY
    is_recent = brief.period is not None and brief.period.days <= _RECENT_DAYS
    queries = max(1, names) + is_wide
    iterations = _ITERATIONS + (names > 1) + is_wide + is_recent
    most = min(limits.methods.iterations, limits.searches)
    reason = SPACE.in_(brief.language).join(
        part.in_(brief.language) for part in _reasons(request, names, things, most, is_recent=is_recent)
    )
    return Depth.within(min(queries, limits.queries), min(iterations, most), reason)


def _reasons(request: PlanRequest, names: int, things: int, most: int, *, is_recent: bool) -> Iterator[Bilingual]:
    yield Bilingual(
        f"Chosen by rule: {things} {'thing is' if things == 1 else 'things are'} asked for"
        + (f", of {names} {'name' if names == 1 else 'names'}." if names else "."),
        f"規則による判断：問われている点は{things}件" + (f"、対象は{names}件です。" if names else "です。"),
    )
    if is_recent and request.brief.period is not None:
        label = request.brief.period.label
        yield Bilingual(f"The period is short ({label.en.lower()}).", f"期間が短い（{label.ja}）指定です。")
    queries = request.limits.queries
    yield Phrase("The preset allows at most {queries} queries a search and {most} searches a section.").filled(
        queries=queries, most=most
    )


# --- topics ----------------------------------------------------------------------------------------------------

_STILL = Phrase("Still missing: ")


def topic_for(section: Section, brief: Brief, missing: Sequence[str]) -> str:
    """Return a self-contained paragraph that hands `section` to a researcher; with `missing`, for that alone."""
    still = [_STILL.in_(brief.language) + COMMA.in_(brief.language).join(missing)] if missing else []
    return topic_of(section, brief.question, brief.language, [*bounds(brief), *still])


def section_in(view: ResearcherView) -> Section:
    """Return what a researcher looks for: its section of the plan, else what its topic asks for."""
    return section_of(view.topic, view.brief, view.section)


def section_of(topic: str, brief: Brief, section: Section | None = None) -> Section:
    """Return what a topic asks for, point by point; a section that wants nothing in particular asks for its subject."""
    if section is not None and section.wanted:
        return section
    if section is None and topic.strip() == brief.question.strip():
        return plan_for(brief).sections[0]
    said = (section.focus or section.title) if section is not None else first_sentence_of(topic)
    title = section.title if section is not None else title_of(topic)
    return _section(title, said, question_parts(said).attributes, brief)


def names_in_topic(topic: str, question: str) -> tuple[Name, ...]:
    """Return the names of the question that a topic is about: those that it says, or all if it says none."""
    names, low = compared_in(question), folded(topic)
    return tuple(name for name in names if name.stands_in(low)) or names
