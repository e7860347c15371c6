"""From evidence ids to numbered citations."""

import pytest

from research import core
from research.text import escape_markdown
from tests.support.scripted import NOW

EVIDENCE = {
    f"E{number}": core.Evidence(id=f"E{number}", source=f"S{(number + 1) // 2}", quote="q", start=0, end=1)
    for number in range(1, 9)
}


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("Up 4%. [E3]", "Up 4%. [E3]"),
        ("Up 4% [E3][E1].", "Up 4% [E3, E1]."),
        ("Up 4% [E3], [E3].", "Up 4% [E3]."),
        ("Up 4% [e3; E 5].", "Up 4% [E3, E5]."),
        ("増えた【E3】。", "増えた[E3]。"),
        ("増えた（E3、E4）。", "増えた[E3, E4]。"),
        ("Up 4% [E1-E3].", "Up 4% [E1, E2, E3]."),
        ("Up 4% \\[E3\\].", "Up 4% [E3]."),
        ("Up 4% [E3](https://evil.example).", "Up 4% [E3]."),
        ("Up 4% [E3] [1](https://evil.example).", "Up 4% [E3] ."),
    ],
)
def test_marks_are_read_however_they_are_written(written: str, cleaned: str) -> None:
    assert core.cite(written, EVIDENCE).draft == cleaned + "\n"


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("# T\n\n## A\n\n- [E1]\n- [E3]\n\n## B\n\nUp 4% [E3].", "# T\n\n## B\n\nUp 4% [E3]."),
        ("Up 4%.\n\n[E1]\n\nDown later [E3].", "Up 4% [E1].\n\nDown later [E3]."),
        ("- Tea\n  - [E1]\n- Coffee [E3]", "- Tea [E1]\n- Coffee [E3]"),
        ("茶である。\n- [E1]\n- [E3]", "茶である[E1, E3]。"),
        ("Up 4% [E1].\n\n[E3]\n\nDown.", "Up 4% [E1].\n\nDown."),
        ("Up 4%.\n" + "\n".join(f"- [E{number}]" for number in range(1, 9)), "Up 4%."),
    ],
)
def test_a_mark_that_stands_alone_is_that_of_the_sentence_above_or_goes(written: str, cleaned: str) -> None:
    assert core.cite(written, EVIDENCE).draft == cleaned + "\n"


def test_a_report_of_marks_alone_cites_nothing() -> None:
    cited = core.cite("# Pumps\n\n## Market\n\n" + "\n".join(f"- [E{number}]" for number in range(1, 9)), EVIDENCE)
    assert (cited.draft, cited.citations, cited.evidence) == ("# Pumps\n", 0, ())


def test_unknown_ids_are_removed_and_counted() -> None:
    cited = core.cite("Known [E1, E99]. Unknown [E77].", EVIDENCE)
    assert cited.draft == "Known [E1]. Unknown.\n"
    assert (cited.citations, cited.unknown_ids) == (1, 2)


def test_numbers_and_addresses_of_the_analyst_are_removed_and_counted() -> None:
    cited = core.cite(
        "See [the site](https://evil.example/x) and https://other.example, fact [E1] [12] [^3].\n"
        "![img](file:///etc/passwd)\n[1]: https://evil.example\n",
        EVIDENCE,
    )
    assert "example" not in cited.draft and "passwd" not in cited.draft and "[12]" not in cited.draft
    assert "the site" in cited.draft
    assert (cited.removed_links, cited.unknown_ids) == (4, 2)


def test_raw_html_becomes_text() -> None:
    assert "<script" not in core.cite("<script>alert(1)</script> 3 < 4 [E1]", EVIDENCE).draft
    assert "3 < 4" in core.cite("3 < 4 [E1]", EVIDENCE).draft


@pytest.mark.parametrize("heading", ["## Sources", "# References:", "## 参考文献", "### 出典一覧", "## 5. Sources"])
def test_a_list_of_sources_written_by_the_analyst_is_cut(heading: str) -> None:
    assert core.cite(f"Fact [E1].\n\n{heading}\n\n- Somewhere\n", EVIDENCE).draft == "Fact [E1].\n"


def test_sources_are_numbered_in_order_of_first_citation_without_gaps() -> None:
    cited = core.cite("A [E7]. B [E1]. C [E8]. D [E3].", EVIDENCE)
    assert cited.numbers == {"S4": 1, "S1": 2, "S2": 3}
    shown = core.render_marks(cited.draft, lambda ids: f"[{cited.numbers[EVIDENCE[ids[0]].source]}]")
    assert shown == "A [1]. B [2]. C [1]. D [3].\n"


def test_sentences_carry_the_evidence_they_cite() -> None:
    found = core.cited_sentences(
        "# Title\n\nGrowth was 4%. [E1] It slowed later [E2, E3]. Nobody knows why.\n\n"
        "| Item | Value |\n|---|---|\n| Sales | 40 [E4] |\n\n- **Costs** fell by half. [E5]\n\n"
        "売上は増えた。[E6] 利益は減った[E7]。\n"
    )
    assert [(sentence.text, sentence.evidence) for sentence in found] == [
        ("Growth was 4%.", ("E1",)),
        ("It slowed later.", ("E2", "E3")),
        ("Nobody knows why.", ()),
        ("Sales | 40", ("E4",)),
        ("Costs fell by half.", ("E5",)),
        ("売上は増えた。", ("E6",)),
        ("利益は減った。", ("E7",)),
    ]
    assert [sentence.verdict for sentence in found][2] == "uncited"
    assert found[0].verdict is None


def test_sentences_read_as_plain_text() -> None:
    (sentence,) = core.cited_sentences("- “Exports: \\$429 billion \\~ 3 \\&lt; 4 **bold**” [E1]\n")
    assert sentence.text == "“Exports: $429 billion ~ 3 &lt; 4 bold”"


def test_a_sentence_knows_its_place_whatever_stands_around_it() -> None:
    draft = (
        "# T\n\n- **Costs** fell by half. [E1] They rose [E2, E3].\n> A quote. [E4]\n\n"
        "| Item | Value |\n|---|---|\n| Sales | 40 [E5] |\n\n売上は増えた。[E6] 利益は減った[E7]。\n"
    )
    pieces = [draft[one.start : one.end] for one in core.cited_sentences(draft)]
    assert pieces == [
        "**Costs** fell by half. [E1]",
        "They rose [E2, E3].",
        "A quote. [E4]",
        "| Sales | 40 [E5] |",
        "売上は増えた。[E6]",
        "利益は減った[E7]。",
    ]


def test_emphasis_is_never_cut_in_two_and_a_bold_title_is_no_claim() -> None:
    draft = (
        "**Market size**\n\n**Exports.** They rose. **They fell.** [E1] 強い。**輸出は増えた。**輸入は減った[E2]。\n"
    )
    found = core.cited_sentences(draft)
    assert [draft[one.start : one.end].count("**") % 2 for one in found] == [0] * len(found)
    assert [one.text for one in found][:4] == ["Market size", "Exports", "They rose.", "They fell."]
    assert [one.verdict for one in found][:3] == [None, "uncited", "uncited"]
    assert found[3].evidence == ("E1",)


def test_a_sentence_of_any_length_is_one_sentence_with_its_mark() -> None:
    long = f"Sales rose{', and again' * 120} [E1].\n"
    (found,) = core.cited_sentences(long)
    assert found.evidence == ("E1",)


def test_of_a_report_of_quotes_only_the_quotes_and_rows_are_statements() -> None:
    draft = (
        "# T\n\nFound: 3 quotes on 2 pages.\n\n**A “title”**: “One. Two.” [E1] “Three.” [E2]\n\n"
        "- Energy: “Coal 10%” [E3]\n- 「石炭は10%。」[E4]\n\nAlready quoted above: [E1, E2].\n\n"
        "| Item | Value |\n| --- | --- |\n| Sales | 40 [E5] |\n"
    )
    found = core.quoted_passages(draft)
    stated = [(one.text, one.evidence) for one in found if one.reason_code != core.FRAMING]
    assert stated == [
        ("“One. Two.”", ("E1",)),
        ("“Three.”", ("E2",)),
        ("“Coal 10%”", ("E3",)),
        ("「石炭は10%。」", ("E4",)),
        ("Sales | 40", ("E5",)),
    ]
    framing = [(one.text, one.evidence, one.verdict) for one in found if one.reason_code == core.FRAMING]
    assert framing == [
        ("Found: 3 quotes on 2 pages.", (), None),
        ("Already quoted above:", ("E1", "E2"), None),
    ]


@pytest.mark.parametrize("said", ["Nothing was found on this.", "これについては何も見つかりませんでした。"])
def test_where_nothing_was_found_the_program_claims_nothing(said: str) -> None:
    found = core.cited_sentences(f"## Prices\n\n{said} Prices rose.\n")
    assert [(one.verdict, one.reason_code) for one in found] == [(None, core.FRAMING), ("uncited", "")]


def test_a_draft_that_lost_sentences_is_numbered_anew_without_gaps() -> None:
    cited = core.numbered("B [E3]. C [E8]. D [E4].\n", EVIDENCE)
    assert cited.numbers == {"S2": 1, "S4": 2} and cited.evidence == ("E3", "E8", "E4")


# --- the ledger ------------------------------------------------------------------------------------------------------


@pytest.fixture
def ledger() -> core.Ledger:
    return core.Ledger()


def keep(
    ledger: core.Ledger, url: str = "https://a.example/", text: str = "Sales were 40 units. Costs fell by half."
) -> core.Page:
    return ledger.add_page(
        url=url, title="A", site="a.example", origin=core.SourceName.WEB, kind=core.SourceKind.NEWS, published=None,
        fetched_at=NOW, text=text,
    )  # fmt: skip


def test_a_page_is_kept_once_and_never_changes(ledger: core.Ledger) -> None:
    first = keep(ledger)
    assert keep(ledger, text="Something else entirely.") is first
    assert first.id == "S1" and len(first.sha256) == 64
    with pytest.raises(ValueError, match="frozen"):
        first.text = "changed"


def test_evidence_is_verbatim_and_entered_once(ledger: core.Ledger) -> None:
    page = keep(ledger)
    (entry,) = ledger.quote(page, ["Sales were 40 units.", "Sales  were 40 units."])
    assert entry == core.Evidence(id="E1", source="S1", quote="Sales were 40 units.", start=0, end=20)
    assert page.text[entry.start : entry.end] == entry.quote
    assert ledger.page_of(entry) is page


def test_what_does_not_stand_in_the_page_is_dropped(ledger: core.Ledger) -> None:
    assert ledger.quote(keep(ledger), ["Sales were 400 units.", "Nobody ever said this at all."]) == []
    assert not ledger.evidence


# --- where a quote stands in a page ----------------------------------------------------------------------------------


PAGE = (
    "Results for fiscal 2025.\n\nRevenue rose 4.2% to ¥1,234 million, the company  said;\n"
    "the board called it “a solid year”. 売上高は前年比４．２％増の１２億円となった。営業利益は横ばいだった。"
)


def span(quote: str) -> str | None:
    place = core.locate(quote, PAGE)
    return PAGE[place.start : place.end] if place else None


def test_exact_quote_is_found_as_it_is() -> None:
    assert span("Revenue rose 4.2% to ¥1,234 million") == "Revenue rose 4.2% to ¥1,234 million"


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("the company said; the board", "the company  said;\nthe board"),
        ('the board called it "a solid year"', "the board called it “a solid year”"),
        ("売上高は前年比4.2%増の12億円となった。", "売上高は前年比４．２％増の１２億円となった。"),
        ("「営業利益は横ばいだった。」", "営業利益は横ばいだった。"),
        ("Revenue\u200b rose 4.2%", "Revenue rose 4.2%"),
    ],
)
def test_unicode_form_and_white_space_do_not_matter(quote: str, stands: str) -> None:
    assert span(quote) == stands


def test_certain_near_match_is_replaced_by_the_pages_own_words() -> None:
    place = core.locate("Revenue rose 4.2% to ¥1,234 million, the company sad; the board called it", PAGE)
    assert place is not None
    assert PAGE[place.start : place.end].startswith("Revenue rose 4.2%")


@pytest.mark.parametrize(
    "quote",
    [
        "Revenue rose 4.3% to ¥1,234 million, the company said",
        "Revenue rose 4.2% to ¥1,235 million, the company said",
        "Revenue fell sharply and the board was dismayed by the outcome",
        "",
        "said",
        "   \n ",
    ],
)
def test_altered_figures_inventions_and_scraps_are_not_found(quote: str) -> None:
    assert span(quote) is None


def test_empty_page_holds_no_quote() -> None:
    assert core.locate("A sentence that stands nowhere.", "") is None


def test_a_huge_page_is_searched() -> None:
    page = "lorem ipsum dolor sit amet " * 40_000
    assert core.locate("A quote that does not stand here at all, whatever one does.", page) is None
    assert core.locate("AMET lorem", page) is None
    place = core.locate("dolor  sit\namet lorem ipsum", page)
    assert place is not None and page[place.start : place.end] == "dolor sit amet lorem ipsum"


@pytest.mark.parametrize(
    "text", ["Growth of 7.1% (2024 est.) - a record.", "前年度比12%増（推計）。", "snake_case stays", "U.S."]
)
def test_ordinary_prose_stays_as_it_is(text: str) -> None:
    assert escape_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("*bold* `code` [x](y)", r"\*bold\* \`code\` \[x\](y)"),
        ("a | b", r"a \| b"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("&lt;b>", r"\&lt;b>"),
        ("# head", r"\# head"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("> quote", r"\> quote"),
        ("$5 and $6", r"\$5 and \$6"),
        ("a\nb\tc", "a b c"),
        ("日本\n語", "日本語"),
        ("a\u202eb\x00c", "abc"),
        ("-5 degrees", "-5 degrees"),
    ],
)
def test_markup_of_others_is_neutralised(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped


@pytest.mark.parametrize(
    "text", ["see [E2]", "vitamin (E2)", "［E2］", "[1]", "http://x.example/a", "[a](http://x.example)"]
)
def test_a_page_cannot_cite_or_link(text: str) -> None:
    evidence = {name: core.Evidence(id=name, source="S1", quote="q", start=0, end=1) for name in ("E1", "E2")}
    cited = core.cite(f"“{escape_markdown(text)}” [E1]", evidence, is_quoting=True)
    assert cited.evidence == ("E1",)
    assert (cited.removed_links, cited.unknown_ids) == (0, 0)
