"""What differs between two runs: claims, sources, figures and cost, by rule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from research.core import Brief, Ledger, Role, Sentence, SourceKind, SourceName, Status
from research.language import Language
from research.results import Difference, Remark, Report, RunRecord, SourceEntry, Usage, concentration, difference
from research.results.difference import differs, pairs
from research.text import Span

Pages = dict[str, tuple[str, str]]
"""Address to title and text; every line of the text is a quote."""


def report(
    pages: Pages,
    sentences: tuple[tuple[str, str | None], ...] = (),
    *,
    language: Language = Language.EN,
    cost: float | None = 0.5,
) -> Report:
    """A finished run that read these pages; the first is cited."""
    ledger = Ledger()
    for url, (title, text) in pages.items():
        page = ledger.add_page(
            url=url,
            title=title,
            site="example.com",
            origin=SourceName.WEB,
            kind=SourceKind.COMPANY,
            published=None,
            fetched_at=datetime(2026, 11, 22, tzinfo=UTC),
            text=text,
        )
        ledger.quote(page, text.splitlines())
    numbers = {page: place or None for place, page in zip((1, *[0] * len(pages)), ledger.pages, strict=False)}
    record = RunRecord(
        run="20261122-aaaaaa",
        status=Status.COMPLETE,
        analyst="chat",
        writer="chat",
        brief=Brief(question="How are sales?", language=language),
        started_at="2026-11-22T00:00:00+00:00",
        seconds=10,
        usage={Role.RESEARCH: Usage(calls=3, input_tokens=100, output_tokens=20, cost_usd=cost)},
        sources=tuple(SourceEntry.of(page, numbers[page.id]) for page in ledger.pages.values()),
        evidence=tuple(ledger.evidence.values()),
        sentences=tuple(Sentence(text=text, evidence=(), verdict=verdict) for text, verdict in sentences),
    )
    return Report(record=record, markdown="", pages=ledger.pages)


def claims(before: str, after: str, verdicts: tuple[str, str] = ("supported", "supported")) -> Difference:
    return difference(report({}, ((before, verdicts[0]),)), report({}, ((after, verdicts[1]),)))


SALES = "Sales in Vietnam were 293 million yen in fiscal 2024."


@pytest.mark.parametrize(
    ("before", "after", "is_changed"),
    [
        (SALES, SALES, False),
        (SALES, "Sales in Vietnam were 293 million yen in fiscal 2024", False),
        (SALES, "Sales in Vietnam amounted to 293 million yen in fiscal 2024.", False),
        (SALES, "Sales in Vietnam were 391 million yen in fiscal 2024.", True),
        (SALES, "Ｓａｌｅｓ in Vietnam were ２９３ million yen in fiscal 2024.", False),
        ("Exports of tea to France rose in the last year.", "Exports of tea to France fell in the last year.", True),
        ("The board has approved the plan.", "The board has not approved the plan.", True),
        (
            "2024年度のベトナムの売上高は2億9,300万円であった。",
            "2024年度のベトナムの売上高は3億9,100万円であった。",
            True,
        ),
        (
            "2024年度のベトナムの売上高は2億9,300万円であった。",
            "2024年度のベトナムの売上高は2億9,300万円だった。",
            False,
        ),
    ],
)
def test_the_same_statement_is_known_in_other_words_and_with_another_figure(
    before: str, after: str, is_changed: bool
) -> None:
    found = claims(before, after).claims
    assert (found.gone, found.new) == ((), ())
    assert [pair.is_changed for pair in found.both] == [is_changed]
    assert len(found.changed) == is_changed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (SALES, "Sales in Thailand were 293 million yen in fiscal 2024."),
        (SALES, "The house plans a second assembly line by 2030."),
        ("ベトナムの売上高は2億円であった。", "タイの拠点では新しい工場の建設が始まっている。"),
        (
            "Vietnam – Exports 2024: $429.383 billion (2024 est.)",
            "Vietnam – Imports 2024: $398.672 billion (2024 est.)",
        ),
        ("Vietnam's exports were 429 billion dollars in 2024.", "Vietnam's imports were 429 billion dollars in 2024."),
        ("Exports of goods rose in 2024.", "Imports of goods rose in 2024."),
        ("ベトナムの輸出額は2024年に4,294億ドルだった。", "ベトナムの輸入額は2024年に3,987億ドルだった。"),
        ("Sales in the first half rose 5%.", "Sales in the second half rose 7%."),
        ("Revenue of the house was 4.1 billion yen.", "Profit of the house was 1.1 billion yen."),
        ("The highest unemployment rate is 7.5% (2024).", "The lowest unemployment rate is 2.1% (2024)."),
        ("The maximum flow is 320 l/min.", "The minimum flow is 40 l/min."),
        ("最高気温は38.2度だった。", "最低気温は-3.1度だった。"),
        ("The biggest exporter sold 340 units in 2024.", "The second biggest exporter sold 210 units in 2024."),
    ],
)
def test_a_statement_about_somebody_or_something_else_is_another_one(before: str, after: str) -> None:
    found = claims(before, after).claims
    assert [one.text for one in found.gone] == [before]
    assert [one.text for one in found.new] == [after]
    assert found.both == ()


def test_rows_of_tables_are_of_what_their_heads_name() -> None:
    def told(head: str, amount: str) -> Report:
        row = f"| Vietnam | {amount} [E1] |"
        draft = f"|  | {head} |\n| --- | --- |\n{row}\n"
        said = Sentence(text=f"Vietnam | {amount}", evidence=(), verdict="supported", start=draft.index(row), end=-1)
        one = report({})
        return one.model_copy(update={"record": one.record.model_copy(update={"draft": draft, "sentences": (said,)})})

    exports = told("Exports", "$429.383 billion")
    apart = difference(exports, told("Imports", "$398.672 billion")).claims
    assert (len(apart.gone), len(apart.new), apart.both) == (1, 1, ())
    (pair,) = difference(exports, told("Exports", "$398.672 billion")).claims.both
    assert pair.is_changed and pair.after.text == "Vietnam | $398.672 billion"


def test_another_verdict_is_a_change() -> None:
    assert len(claims(SALES, SALES, ("supported", "unsupported")).claims.changed) == 1


def test_sentences_that_claim_nothing_are_not_compared() -> None:
    found = difference(report({}, (("This section looks at sales.", None),)), report({}))
    assert found.claims.gone == ()


def test_each_sentence_has_one_partner_and_the_most_alike_comes_first() -> None:
    before = ["Sales were 10 million yen in 2023.", "Sales were 12 million yen in 2024."]
    after = ["Sales were 12 million yen in 2024.", "Sales were 10 million yen in 2023.", "Sales were 9 million yen."]
    assert sorted(pairs(before, after)) == [(0, 1), (1, 0)]
    assert pairs([], after) == pairs(before, []) == []


def test_versions_differ_by_figure_or_by_sense() -> None:
    assert not differs("Growth was 4.5 % in 2025.", "In 2025 growth was 4.5 %.")
    assert differs("Growth was 4.5 % in 2025.", "Growth was 45 % in 2025.")


def test_sources_are_new_lost_or_read_again() -> None:
    same, other, fresh = ("Same", "The old text stands."), ("Lost", "Gone now."), ("New", "Here now.")
    before = report({"https://a.example/": same, "https://b.example/": other})
    after = report({"https://c.example/": fresh, "https://a.example/": ("Same", "The new text stands.")})
    found = difference(before, after).sources
    assert [one.title for one in found.lost] == ["Lost"]
    assert [one.title for one in found.new] == ["New"]
    assert ([one.title for one in found.changed], found.same) == (["Same"], ())
    assert difference(before, before).sources.changed == ()


def test_cited_sources_come_first() -> None:
    pages = {f"https://{name}.example/": (name, f"Page {name} says so.") for name in "ab"}
    found = difference(report({}), report(pages)).sources.new
    assert [one.number for one in found] == [1, None]


def test_the_same_quantity_with_another_value_is_a_changed_figure() -> None:
    before = report({
        "https://a.example/": ("Asanagi", "Sales in Vietnam were 391 million yen in fiscal 2025."),
        "https://n.example/": ("Asanagi notes", "Sales in Vietnam were 293 million yen in fiscal 2024."),
    })  # fmt: skip
    after = report({
        "https://b.example/": ("Asanagi news", "Sales in Vietnam were 455 million yen in fiscal 2025."),
        "https://n.example/": ("Asanagi notes", "Sales in Vietnam were 293 million yen in fiscal 2024."),
    })  # fmt: skip
    found = difference(before, after).figures
    assert found.compared == 2
    (change,) = found.changed
    assert [value.text for value in change.before] == ["391 million yen"]
    assert [value.text for value in change.after] == ["455 million yen"]
    assert change.after[0].source.url == "https://b.example/"
    assert change.period is not None
    assert difference(before, before).figures.changed == ()


def test_the_highest_and_the_lowest_are_two_figures() -> None:
    def told(place: str, amount: str) -> Report:
        page = ("Unemployment in the regions of Vietnam", f"{place} rate of unemployment: {amount}%")
        return report({f"https://{place.lower()}.example/": page})

    assert difference(told("Highest", "7.5"), told("Lowest", "2.1")).figures.changed == ()
    assert len(difference(told("Highest", "7.5"), told("Peak", "8.1")).figures.changed) == 1


def test_a_page_that_both_have_read_and_one_quotes_changes_no_figure() -> None:
    memo = ("Asanagi memo", SALES_OF.format("Vietnam", 800))
    minutes = ("Asanagi minutes", SALES_OF.format("Vietnam", 650))
    both = report({"https://m.example/": memo, "https://n.example/": minutes})
    kept = tuple(entry for entry in both.record.evidence if entry.source == both.record.sources[0].id)
    first = both.model_copy(update={"record": both.record.model_copy(update={"evidence": kept})})
    assert difference(first, both).figures.changed == difference(both, first).figures.changed == ()
    news = report(
        {"https://m.example/": memo, "https://n.example/": ("Asanagi minutes", SALES_OF.format("Vietnam", 655))}
    )
    assert len(difference(first, news).figures.changed) == 1


SALES_OF = "Sales in {} were {} million yen in fiscal 2025."


def figures_of(*sales: tuple[str, int]) -> Report:
    return report({
        f"https://{place.lower()}.example/": ("Asanagi", SALES_OF.format(place, amount)) for place, amount in sales
    })  # fmt: skip


def test_the_figure_that_changed_most_comes_first() -> None:
    before = figures_of(("Vietnam", 400), ("Thailand", 200), ("Indonesia", 100))
    after = figures_of(("Vietnam", 404), ("Thailand", 100), ("Indonesia", 120))
    changed = difference(before, after).figures.changed
    assert [one.share for one in changed] == [-0.5, 0.2, 0.01]


def test_where_a_run_gives_two_values_nobody_says_by_how_much_they_changed() -> None:
    before = report({
        "https://a.example/": ("Asanagi", SALES_OF.format("Vietnam", 391)),
        "https://n.example/": ("Asanagi notes", SALES_OF.format("Vietnam", 293)),
    })  # fmt: skip
    (change,) = difference(before, figures_of(("Vietnam", 455))).figures.changed
    assert change.share is None


def test_cost_stands_beside_cost() -> None:
    found = difference(report({}), report({}, cost=None))
    before, after = found.spent
    assert (before.calls, before.tokens, before.cost_usd, found.seconds[0]) == (3, 120, 0.5, 10)
    assert after.cost_usd is None


def test_reports_in_two_languages_are_said_to_be_so() -> None:
    assert difference(report({}), report({})).same_language
    assert not difference(report({}), report({}, language=Language.JA)).same_language


# --- reports that lean on few sources say so -------------------------------------------------------------------------


def remarks(cited: Sequence[Sequence[str]], *urls: str, origin: SourceName = SourceName.WEB) -> tuple[Remark, ...]:
    """Evidence E1 stands in the first page, E2 in the second, …"""
    ledger = Ledger()
    for number, url in enumerate(urls, start=1):
        page = ledger.add_page(
            url=url, title=f"Page {number}", site=url.split("/")[2], origin=origin, kind=SourceKind.OTHER,
            published=None, fetched_at=datetime(2026, 1, 1, tzinfo=UTC), text="Words.",
        )  # fmt: skip
        ledger.quote_at(page, Span(0, 6))
    return concentration(cited, ledger.evidence, ledger.pages)


WEB = ("https://a.example.com/1", "https://b.example.org/2", "https://c.example.net/3")


def test_a_source_for_most_sentences_is_pointed_out() -> None:
    (remark,) = remarks([["E1"]] * 5 + [["E2"], ["E3"], ["E2", "E3"]] + [[]] * 20, *WEB)
    assert (remark.code, remark.source) == ("one_source", "S1")
    assert remark.text.en == "5 of the 8 cited sentences rest on one source: Page 1."
    assert "8文のうち5文" in remark.text.ja


def test_half_of_the_sentences_or_a_short_report_is_no_matter() -> None:
    assert remarks([["E1"]] * 5 + [["E2"]] * 5, *WEB) == ()
    assert remarks([["E1"]] * 4, *WEB) == ()
    assert remarks([], *WEB) == ()


def test_a_sentence_counts_once_for_a_source() -> None:
    assert remarks([["E1", "E1"]] * 4 + [["E2"]] * 4, *WEB) == ()


def test_all_on_one_site_is_pointed_out_whatever_the_host() -> None:
    hosts = ("https://www.meti.go.jp/1", "https://data.meti.go.jp/2", "https://meti.go.jp/3")
    (remark,) = remarks([["E1"], ["E2"], ["E3"]] * 2, *hosts)
    assert (remark.code, remark.source) == ("one_site", None)
    assert remark.text.en == "All 6 cited sentences rest on one site: meti.go.jp."


def test_two_ministries_are_two_sites() -> None:
    assert remarks([["E1"], ["E2"]] * 3, "https://www.meti.go.jp/1", "https://www.mof.go.jp/2") == ()


def test_a_single_page_is_pointed_out_once() -> None:
    (remark,) = remarks([["E1"]] * 6, WEB[0])
    assert remark.code == "one_source"


def test_documents_are_named_by_their_collection() -> None:
    found = remarks([["E1"], ["E2"]] * 3, "file:///a.md", "file:///b.md", origin=SourceName.FACTBOOK)
    assert found[-1].text.ja.endswith("ワールド・ファクトブック（サンプル）")


def test_hosts_without_a_registered_domain_are_compared_as_they_are() -> None:
    found = remarks([["E1"], ["E2"]] * 3, "http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b")
    assert [remark.code for remark in found] == ["one_site"]
