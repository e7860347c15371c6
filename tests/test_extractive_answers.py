"""What a report by rules answers: which quotes come first, which are left out, and what it says is missing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from research.analysts import AnswerRequest
from research.analysts.extractive import ExtractiveAnalyst
from research.analysts.extractive.asked import core, is_aside, meant, terms, things_asked, unnamed
from research.analysts.extractive.plan import aspects_asked, plan_of
from research.analysts.extractive.quoting import chosen, quote_of, without_repeats
from research.analysts.extractive.values import cells
from research.core import Brief, Ledger, Length, MethodName, OutputForm, Page, Scope, SourceKind, SourceName
from research.language import Language
from research.sources import FoundPage
from research.text import passages_of, query_of, sentences
from tests.scripted import NOW, found_page
from tests.test_extractive import parts, research

TREATIES = (
    "Air Pollution, Antarctic Treaty, Biodiversity, Climate Change, Comprehensive Nuclear Test Ban, Desertification, "
    "Endangered Species, Hazardous Wastes, Law of the Sea, Nuclear Test Ban, Ozone Layer Protection, Wetlands, Whaling"
)


def almanac(country: str, chapter: str, *lines: str) -> FoundPage:
    """A page of an almanac: each line begins with the country."""
    text = "\n".join([f"# {country} — {chapter}", "", *(f"{country} – {line}" for line in lines)])
    name = f"{country}-{chapter}".lower().replace(" ", "-")
    return found_page(name, text, title=f"{country} — {chapter}", kind=SourceKind.GOVERNMENT)


def document(name: str, title: str, *lines: str) -> FoundPage:
    """One of the user's own documents."""
    text = "\n".join([f"# {title}", "", *lines])
    return found_page(name, text, title=title, origin=SourceName.HOUSE, kind=SourceKind.DOCUMENT)


NUCLEAR = tuple(
    page
    for country, share, rate in (("Germany", "1.3%", "3.5%"), ("France", "63.9%", "7.4%"))
    for page in (
        almanac(country, "Energy", f"Electricity generation sources, nuclear: {share} of total capacity (2023 est.)"),
        almanac(country, "Economy", f"Unemployment rate: {rate} (2024 est.)"),
        almanac(country, "Environment", f"International environmental agreements, party to: {TREATIES}"),
    )
)


async def test_a_figure_on_what_is_asked_comes_before_a_listing_that_holds_the_word() -> None:
    result, _ = await research("How do Germany and France compare in unemployment and nuclear power?", NUCLEAR)
    assert "63.9% of total" in result.markdown and "1.3% of total" in result.markdown
    assert "Whaling" not in result.markdown


async def test_the_top_of_a_comparison_has_the_same_figure_for_each_name() -> None:
    pages = [
        *(
            almanac(country, "Economy", f"Industrial production growth rate: {rate} (2024 est.)")
            for country, rate in (("Vietnam", "8.2%"), ("Indonesia", "5.2%"))
        ),
        almanac("Vietnam", "Introduction", "Background: since 1986 industrial production has seen strong growth."),
    ]
    question = "How do Vietnam and Indonesia compare in industrial production?"
    result, _ = await research(question, tuple(pages), length=Length.MEDIUM, form=OutputForm.MIX)
    top = result.markdown.split("Introduction")[0]
    assert "8.2%" in top and "5.2%" in top


MINUTES = document("minutes", "Minutes of Asanagi", "The strategy of Asanagi is to sell more pumps abroad.")
QATAR = almanac("Qatar", "Economy", "Economic overview: a strategy for business growth and investment")


async def test_a_question_about_a_company_is_not_answered_with_pages_on_countries() -> None:
    question = "What is the strategy and business of Asanagi Pump Industries?"
    result, _ = await research(question, (MINUTES, QATAR), scope=Scope.COMPANY)
    assert "sell more pumps abroad" in result.markdown
    assert "“Qatar" not in result.markdown


async def test_a_question_about_a_country_is_not_answered_with_documents_on_others() -> None:
    review = document("review", "Quality review", "A new seal is required by regulation in Vietnam from July 2026.")
    korea = almanac("South Korea", "Government", "Legal system: a law and regulation of mixed origin")
    question = "Which laws and regulations hold in South Korea?"
    result, _ = await research(question, (review, korea), scope=Scope.POLICY)
    assert "mixed origin" in result.markdown and "new seal" not in result.markdown


async def test_a_page_that_shares_nothing_but_a_year_with_the_question_is_not_quoted() -> None:
    result = document("result", "Result of fiscal 2025", "Sales abroad reached 1.6 billion yen, short of the target.")
    taiwan = almanac("Taiwan", "Military", "Military service: men may volunteer in fiscal 2025 (2025)")
    found, _ = await research("Did sales abroad reach the target of fiscal 2025?", (result, taiwan))
    assert "1.6 billion yen" in found.markdown and "volunteer" not in found.markdown


def page(text: str, title: str = "Notes", kind: SourceKind = SourceKind.DOCUMENT) -> Page:
    return Ledger().add_page(
        url="file:///notes", title=title, site="notes", origin=SourceName.HOUSE, kind=kind, published=None,
        fetched_at=NOW, text=text,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "text", "title", "kind", "aside"),
    [
        ("What does Zentra Steel sell?", "Qatar exports gas.", "Qatar — Economy", SourceKind.GOVERNMENT, True),
        (
            "What does Zentra Steel sell?",
            "Zentra has a mill in Qatar.",
            "Qatar — Economy",
            SourceKind.GOVERNMENT,
            False,
        ),
        ("What does Zentra Steel sell?", "We sell steel in Qatar.", "Sales", SourceKind.DOCUMENT, False),
        ("What does Zentra Steel sell?", "The steel market is growing.", "Steel", SourceKind.NEWS, False),
        ("What does South Korea regulate?", "A seal for Vietnam.", "Review", SourceKind.DOCUMENT, True),
        ("What does South Korea regulate?", "A seal for everybody.", "Review", SourceKind.DOCUMENT, False),
        ("Which countries export gas?", "Qatar exports gas.", "Qatar — Economy", SourceKind.GOVERNMENT, False),
    ],
)
def test_what_a_page_is_about(question: str, text: str, title: str, kind: SourceKind, *, aside: bool) -> None:
    assert is_aside(page(text, title, kind), question) is aside


@pytest.mark.parametrize(
    ("question", "text", "names"),
    [
        ("What does Zentra Steel sell?", "We sell steel.", ["Zentra Steel"]),
        ("What does Zentra Steel sell?", "Zentra sells steel.", []),
        ("What does Zentra Steel sell?", "当社は鋼材を販売しています。", []),
        ("朝凪ポンプ工業の売上はいくらですか。", "当社の売上高は3億円です。", ["朝凪ポンプ工業"]),
        ("朝凪ポンプ工業の売上はいくらですか。", "朝凪の売上高は3億円です。", []),
        ("What does Vietnam export?", "We sell steel.", []),
    ],
)
def test_a_company_that_no_page_names_is_told(question: str, text: str, names: list[str]) -> None:
    assert [name.ja for name in unnamed([page(text)], question)] == names


async def test_a_report_on_a_company_that_no_page_names_says_so() -> None:
    orders = document("orders", "Orders", "The sales of pumps came to 300 million yen in 2025.")
    result, _ = await research("What are the sales of Zentra Steel?", (orders,), scope=Scope.COMPANY)
    assert "**No page that was read names Zentra Steel." in result.markdown.partition("\n## ")[0]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How do Germany and France compare in debt and nuclear power?", ["debt", "nuclear power"]),
        ("What does it mean for the labor force?", ["labor force"]),
        ("Should it build its first service centre?", ["build", "first", "service centre"]),
        ("What did the service centres cost?", ["service centres", "cost"]),
        ("How large is the new cooling tower?", ["cooling tower"]),
        ("朝凪ポンプ工業との面談の前に知っておくべきことは何か（業績、戦略）。", ["業績", "戦略"]),
        ("What should I know about Zentra Steel before a meeting: its strategy and debt?", ["strategy", "debt"]),
    ],
)
def test_what_a_question_asks_for(question: str, words: list[str]) -> None:
    assert terms(things_asked(question)) == words


def test_a_meeting_that_is_asked_about_is_no_occasion() -> None:
    assert core("What was decided in meetings of the board?") == "What was decided in meetings of the board?"
    assert core("会議の前に決めるべきことは何か。") == "会議の前に決めるべきことは何か。"


@pytest.mark.parametrize(
    ("word", "text"), [("grown", "Debt increased."), ("ageing", "An aging people"), ("増加", "rose")]
)
def test_words_that_mean_the_same(word: str, text: str) -> None:
    assert meant(word) and meant(word) <= meant(text)


def test_a_measure_is_named_without_saying_that_it_is_a_rate() -> None:
    sections = plan_of("How high is unemployment in France?", Scope.COUNTRY).sections
    asked = [
        aspect.label.en for one in sections for aspect in aspects_asked(one, "How high is unemployment in France?")
    ]
    assert asked == ["prices and work"]


async def test_of_an_aspect_with_several_measures_the_one_asked_for_is_quoted_first() -> None:
    pages = tuple(
        almanac(
            country, "Economy", f"Inflation rate (consumer prices): {prices} (2024 est.)", f"Unemployment rate: {rate}"
        )
        for country, prices, rate in (("Germany", "2.3%", "3.5%"), ("France", "2%", "7.4%"))
    )
    result, _ = await research("失業率をドイツとフランスで比較してください。", pages, language=Language.JA)
    before = result.markdown.partition("Inflation")[0]
    assert "Unemployment rate: 3.5%" in before and "Unemployment rate: 7.4%" in before


async def test_words_of_the_question_that_no_quote_uses_are_quoted_as_words() -> None:
    notes = document("notes", "Competitors", "A competitor of Asanagi has grown in Asia and lowered its price.")
    question = "Which competitors threaten Asanagi, and how much have they increased?"
    result, _ = await research(question, (notes,), scope=Scope.COMPETITORS)
    missing = parts(result.markdown)["What is missing"]
    assert "- No quote uses these words of the question: “threaten”." in missing, "grown is an increase"
    assert "nothing on threaten" not in missing


async def test_what_only_the_lens_looks_for_stands_in_one_line_of_its_own() -> None:
    notes = document("notes", "売上", "朝凪ポンプ工業の売上高は2025年度に3億円だった。")
    question = "朝凪ポンプ工業の売上と戦略はどうなっていますか。"
    result, _ = await research(question, (notes,), scope=Scope.COMPANY, language=Language.JA)
    lines = parts(result.markdown)["不足している情報"].split("\n")
    assert "- 戦略と経営陣：戦略に関する記述は見つかりませんでした。" in lines
    (others,) = [line for line in lines if line.startswith("- あわせて調べたものの")]
    assert "業績（利益）" in others and "戦略と経営陣（経営陣）" in others and "（戦略" not in others


async def test_a_section_whose_quotes_all_stand_above_is_left_out() -> None:
    question = "How do Germany and France compare in unemployment and nuclear power?"
    result, _ = await research(question, NUCLEAR, length=Length.MEDIUM, form=OutputForm.POINTS)
    for body in parts(result.markdown).values():
        assert not body.strip().startswith("Quotes above")
        assert "Already quoted" not in body


async def test_a_planned_section_has_its_quotes_though_the_summary_has_them_too() -> None:
    question = "How do Germany and France compare in unemployment and nuclear power?"
    result, _ = await research(question, NUCLEAR, method=MethodName.OUTLINED, length=Length.MEDIUM)
    sections = parts(result.markdown)
    assert all(figure in sections["Executive summary"] for figure in ("3.5%", "7.4%")), "a summary is fair to both"
    assert all(figure in sections["Economy and trade"] for figure in ("3.5%", "7.4%"))


async def test_foreign_quotes_are_counted_as_far_as_they_are_shown() -> None:
    lines = [f"Sales of model {letter} came to {place} million yen in 2025." for place, letter in enumerate("ABCDE", 3)]
    pages = tuple(document(f"memo-{place}", f"Memo {place}", line) for place, line in enumerate(lines))
    result, _ = await research("売上はいくらですか。", pages, language=Language.JA, length=Length.PAGE)
    shown = result.markdown.count("「Sales of model")
    assert shown and f"英語の情報源からの引用{shown}件は、原文のまま掲載しています。" in result.markdown


# --- tables ----------------------------------------------------------------------------------------------------

ROWS = tuple(
    f"Country: {country}; Market for pumps (billion yen): {size}; Expected growth: {growth}; Competitors: {who}"
    for country, size, growth, who in (
        ("Vietnam", "7.4", "9%", "Chinese makers"),
        ("Indonesia", "11.8", "5%", "a Japanese maker"),
        ("India", "46", "7%", "local makers"),
    )
)
STUDY = document(
    "study",
    "Market study",
    "",
    "| Country | Market for pumps (billion yen) | Expected growth | Competitors |",
    "|---|---|---|---|",
    "| Vietnam | 7.4 | 9% | Chinese makers |",
)


def test_the_cells_of_a_row() -> None:
    assert cells(ROWS[0])[1] == ("Market for pumps (billion yen)", "7.4")
    for text in ("Population: 34.3 million (2023 est.)", "Sales fell; and growth stopped.", "", ";", ":;:"):
        assert cells(text) == []


def test_rows_of_a_table_come_together_and_count_as_one() -> None:
    text = "\n".join(["# Study", "", *(f"- {row}" for row in ROWS), "", "The market for pumps grows steadily there."])
    passages = passages_of(text, "Study")
    query = query_of("How large is the market for pumps, and how fast does it grow?")
    taken = [passages[index].text for index in chosen(passages, query, 2)]
    assert sorted(taken, key=text.index) == [*ROWS, passages[-1].text]


async def test_a_table_on_what_is_asked_opens_the_report_and_its_figures_keep_their_unit() -> None:
    study = document("study", "Market study", *(f"- {row}" for row in ROWS), "- Orders: sales grew in 3 of 4 years.")
    question = "How large is the market for pumps, how fast does it grow, and who are the competitors?"
    fields = {"scope": Scope.MARKET, "length": Length.MEDIUM, "form": OutputForm.MIX}
    result, _ = await research(question, (study,), **fields)
    sections = parts(result.markdown)
    figures = sections["Figures"]
    assert "| Item | Vietnam | Indonesia | India |" in figures
    assert "11.8 billion yen" in figures and "Market for pumps |" in figures
    assert "3 of 4 years" not in figures, "a sentence is no figure"
    assert "Country: Vietnam" in sections["Executive summary"]


# --- quotes that stand by themselves ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "quote"),
    [
        (["A new seal will be standard from July. It adds 6,200 yen to the cost of each pump."], (0, 1)),
        (["開設は2026年10月に延期する。建屋の消防検査が遅れているためである。"], (0, 1)),
        (["入門機種の発売は2026年9月とする。戦略メモの予定の範囲内である。"], (0, 1)),
        (["A new seal will be standard from July.", "It adds 6,200 yen to the cost of each pump."], (1, 1)),
        (["A new seal will be standard from July. Pumps cost 6,200 yen more each year."], (1, 1)),
        (["売上高は24億円を目標とする予定である。このうちベトナムの目標は8億円とする。"], (1, 1)),
        ([f"A new seal{' of silicon carbide' * 20} will be standard. It adds 6,200 yen to each pump."], (1, 1)),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_is_quoted_with_it(
    lines: Sequence[str], quote: tuple[int, int]
) -> None:
    text = "\n".join(f"- {line}" for line in lines)
    said = [text[span.start : span.end] for span in sentences(text)]
    assert len(said) == 2
    quoted = quote_of(said[1], text)
    assert quoted in text
    assert quoted.startswith(said[quote[0]]) and quoted.endswith(said[quote[1]])


def test_the_number_of_a_list_item_is_no_sentence_before_it() -> None:
    text = "1. ハイフォン市にサービス拠点を設け、到着を24時間以内に縮める。"
    assert quote_of(text.removeprefix("1. "), text) == text.removeprefix("1. ")


def test_a_quote_within_another_is_left_out() -> None:
    assert without_repeats(["A b.", "A b. C d.", "E f.", "E f."]) == ("A b. C d.", "E f.")


async def test_a_table_that_answers_a_question_about_a_report_is_quoted_with_all_of_its_rows() -> None:
    read = page("\n".join(["# Study", "", *(f"- {row}" for row in ROWS), "- Lunch is served at noon in the canteen."]))
    ledger = Ledger()
    kept = ledger.add_page(**read.model_dump(exclude={"id", "sha256"}))
    evidence = {entry.id: entry for entry in ledger.quote(kept, (*ROWS, "Lunch is served at noon in the canteen."))}
    request = AnswerRequest(
        question="Who are the competitors, and how fast does the market grow?",
        brief=Brief(question="How large is the market for pumps?"),
        evidence=evidence,
        pages={kept.id: kept},
        today=NOW.date(),
    )
    text = (await ExtractiveAnalyst().answer(request)).text
    assert all(f"Country: {country};" in text for country in ("Vietnam", "Indonesia", "India"))
    assert "Lunch" not in text
