"""Plans that wait to be read or edited, in both languages."""

from __future__ import annotations

from datetime import timedelta

from research import core
from research.language import Language
from research.store import RunStore, utc_now
from tests.support.stored_runs import append

QUESTIONS = {
    Language.EN: "How will the market for heat pumps in Japan develop until 2030?",
    Language.JA: "日本のヒートポンプ市場は2030年までにどう変わりますか。",
}

OUTLINES = {
    Language.EN: core.Outline(
        purpose="Show how large the market is, what drives it and who gains, so that the board can decide on a second "
        "assembly line.",
        sections=(
            core.Section(
                title="Size and growth",
                focus="Units and revenue by use, with the last five years",
                questions=(
                    "How many units were sold in each year since 2020?",
                    "How do the official forecasts for 2030 differ, and why?",
                ),
                needs=("Units sold", "Revenue", "Forecasts"),
            ),
            core.Section(
                title="Policy and regulation",
                focus="Subsidies, building codes and refrigerant rules",
                questions=(
                    "Which subsidies run out before 2030?",
                    "What does the next refrigerant limit change?",
                    "How do the prefectures differ?",
                ),
                needs=("Subsidy terms", "Dates"),
            ),
            core.Section(
                title="Makers and their margins",
                focus="The five largest makers, their capacity and prices",
                questions=("Who gained share since 2023?", "Where are margins falling?"),
            ),
            core.Section(
                title="Risks", focus="What would make the forecasts wrong", questions=("Which supplies are short?",)
            ),
        ),
        introduction="The decision, and what this report rests on.",
        conclusion="Three scenarios with the signs by which to tell them apart.",
        remark="Revenue by maker is rarely published; the third section may have to rest on annual reports.",
    ),
    Language.JA: core.Outline(
        purpose="市場の規模、成長の要因、恩恵を受ける企業を示し、第二組立ラインへの投資判断の材料とする。",
        sections=(
            core.Section(
                title="市場規模と成長",
                focus="用途別の台数と売上（過去5年）",
                questions=("2020年以降、各年に何台販売されたか。", "2030年の公的な予測はどう異なり、理由は何か。"),
                needs=("販売台数", "売上高", "予測値"),
            ),
            core.Section(
                title="政策と規制",
                focus="補助金、建築基準、冷媒規制",
                questions=("2030年までに終わる補助金はどれか。", "次の冷媒規制で何が変わるか。"),
                needs=("補助金の条件", "期限"),
            ),
            core.Section(
                title="メーカーと利益率",
                focus="上位5社の生産能力と価格",
                questions=("2023年以降、誰がシェアを伸ばしたか。",),
            ),
            core.Section(title="リスク", focus="予測が外れる要因", questions=("不足している部材は何か。",)),
        ),
        introduction="判断の対象と、本レポートの根拠。",
        conclusion="三つのシナリオと、その見分け方。",
        remark="メーカー別の売上は公表が少なく、第3章は年次報告書に頼る可能性があります。",
    ),
}
_REASONS = {
    Language.EN: "The question is broad and the figures differ by source, so each section needs a second look.",
    Language.JA: "問いの範囲が広く、情報源により数値が異なるため、各章を二度確認します。",
}


def brief(language: Language) -> core.Brief:
    """The brief that the plan is for."""
    return core.Brief(question=QUESTIONS[language], method=core.MethodName.GAP_DRIVEN, language=language)


def waiting(store: RunStore, language: Language, seconds: float = 60.0) -> str:
    """Store a run whose plan waits for so long, and return its id."""
    run = store.create(brief(language), "chat")
    depth = core.Depth(queries_per_section=2, iterations=3, reason=_REASONS[language])
    started = core.RunStarted(
        run=run,
        brief=brief(language),
        brief_text=core.compose(brief(language)),
        analyst="chat",
        sources=(core.SourceName.WEB,),
        method=core.MethodName.GAP_DRIVEN,
    )
    drafted = core.PlanDrafted(outline=OUTLINES[language], begins_at=utc_now() + timedelta(seconds=seconds))
    for event in (started, core.DepthChosen(depth=depth, by="analyst"), drafted):
        append(store, run, event)
    return run
