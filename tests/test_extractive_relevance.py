"""What a report by rule leaves out, because nobody asked for it."""

from __future__ import annotations

import pytest

from research.analysts.extractive.asked import is_aside, terms, things_asked
from research.analysts.extractive.quoting import to_the_point
from research.core import Brief, Length, MethodName, OutputForm, Scope, SourceKind, SourceName
from research.language import Language
from tests.test_extractive import country, parts, research
from tests.test_extractive_answers import almanac, document, page
from tests.test_extractive_methods import ledger

TRADE = "What are the exports and imports of Vietnam?"


async def test_of_a_country_only_what_is_asked_is_quoted_and_nothing_else_is_called_missing() -> None:
    result, _ = await research(TRADE, (country("Vietnam"),), length=Length.MEDIUM, form=OutputForm.MIX)
    assert "429.383 billion" in result.markdown and "398.672 billion" in result.markdown
    assert not [word for word in ("growth rate", "Birth rate", "Gini") if word in result.markdown.split("## How")[0]]
    assert "Looked for as well" not in result.markdown


@pytest.mark.parametrize(
    "fields", [{"method": MethodName.OUTLINED}, {"scope": Scope.COUNTRY}, {"scope": Scope.MARKET}], ids=str
)
async def test_a_plan_or_a_lens_that_was_chosen_is_all_of_it_wanted(fields: dict[str, object]) -> None:
    result, _ = await research(TRADE, (country("Vietnam"),), length=Length.MEDIUM, **fields)
    assert "Real GDP growth rate" in result.markdown


SAVING = (
    "The AN-300 pump uses 27% less electricity than the pump before it.",
    "An engineer is to be on site within one day.",
    "The target for sales in fiscal 2027 is 800 million yen.",
)


def test_a_quote_that_says_nothing_of_what_is_asked_is_left_out_unless_it_was_planned() -> None:
    evidence, pages = ledger(("Field test", "\n".join(SAVING)))
    brief = Brief(question="How much electricity does the AN-300 pump save?", scope=Scope.TECHNOLOGY)
    assert [entry.quote for entry in to_the_point(evidence, pages, brief)] == [SAVING[0]]
    assert to_the_point(evidence, pages, brief, is_planned=True) == list(evidence)


@pytest.mark.parametrize(
    "question", ["当社の為替リスクはどの程度ですか。", "How large is the currency risk of our company?"]
)
def test_a_question_about_the_own_company_is_answered_with_its_own_documents(question: str) -> None:
    turkey = page("Exchange rates: 32.8 liras per dollar", "Turkey — Economy", SourceKind.GOVERNMENT)
    assert is_aside(turkey, question)
    assert not is_aside(page("1円の円高につき、利益は減る。"), question)
    assert not is_aside(turkey, f"{question} トルコ")
    assert not is_aside(turkey.model_copy(update={"origin": SourceName.WEB}), question), "news may be on what hits us"
    assert not {"当社", "company", "our"} & set(terms(things_asked(question)))


async def test_a_figure_of_this_year_comes_before_that_of_the_year_before() -> None:
    results = document(
        "results",
        "2025年度の業績",
        "前年度の営業利益は14億9,000万円である。",
        "営業利益は14億2,000万円、営業利益率は7.4%だった。",
    )
    result, _ = await research("営業利益はいくらですか。", (results,), language=Language.JA, scope=Scope.COMPANY)
    first = result.markdown.partition("「")[2]
    assert first.startswith("営業利益は14億2,000万円")


async def test_a_company_that_only_a_page_on_a_country_mentions_is_a_stranger() -> None:
    chad = almanac("Chad", "Economy", "Economic overview: a strategy of growth with trucks that Zentra Steel sold")
    plan = document("plan", "Plan", "The strategy is to open two service centres by 2027.")
    result, _ = await research("What is the strategy of Zentra Steel?", (chad, plan), scope=Scope.COMPANY)
    assert "**Apart from pages on countries, no page that was read names Zentra Steel." in result.markdown
    assert "Figures" not in parts(result.markdown)
