"""From evidence ids to numbered citations."""

import pytest

from research.core import FRAMING, Evidence, cite, cited_sentences, numbered, quoted_passages, render_marks

EVIDENCE = {
    f"E{number}": Evidence(id=f"E{number}", source=f"S{(number + 1) // 2}", quote="q", start=0, end=1)
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
    assert cite(written, EVIDENCE).draft == cleaned + "\n"


def test_unknown_ids_are_removed_and_counted() -> None:
    cited = cite("Known [E1, E99]. Unknown [E77].", EVIDENCE)
    assert cited.draft == "Known [E1]. Unknown.\n"
    assert (cited.citations, cited.unknown_ids) == (1, 2)


def test_numbers_and_addresses_of_the_analyst_are_removed_and_counted() -> None:
    cited = cite(
        "See [the site](https://evil.example/x) and https://other.example, fact [E1] [12] [^3].\n"
        "![img](file:///etc/passwd)\n[1]: https://evil.example\n",
        EVIDENCE,
    )
    assert "example" not in cited.draft and "passwd" not in cited.draft and "[12]" not in cited.draft
    assert "the site" in cited.draft
    assert (cited.removed_links, cited.unknown_ids) == (4, 2)


def test_raw_html_becomes_text() -> None:
    assert "<script" not in cite("<script>alert(1)</script> 3 < 4 [E1]", EVIDENCE).draft
    assert "3 < 4" in cite("3 < 4 [E1]", EVIDENCE).draft


@pytest.mark.parametrize("heading", ["## Sources", "# References:", "## 参考文献", "### 出典一覧", "## 5. Sources"])
def test_a_list_of_sources_written_by_the_analyst_is_cut(heading: str) -> None:
    assert cite(f"Fact [E1].\n\n{heading}\n\n- Somewhere\n", EVIDENCE).draft == "Fact [E1].\n"


def test_sources_are_numbered_in_order_of_first_citation_without_gaps() -> None:
    cited = cite("A [E7]. B [E1]. C [E8]. D [E3].", EVIDENCE)
    assert cited.numbers == {"S4": 1, "S1": 2, "S2": 3}
    shown = render_marks(cited.draft, lambda ids: f"[{cited.numbers[EVIDENCE[ids[0]].source]}]")
    assert shown == "A [1]. B [2]. C [1]. D [3].\n"


def test_sentences_carry_the_evidence_they_cite() -> None:
    found = cited_sentences(
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
    (sentence,) = cited_sentences("- “Exports: \\$429 billion \\~ 3 \\&lt; 4 **bold**” [E1]\n")
    assert sentence.text == "“Exports: $429 billion ~ 3 &lt; 4 bold”"


def test_a_sentence_knows_its_place_whatever_stands_around_it() -> None:
    draft = (
        "# T\n\n- **Costs** fell by half. [E1] They rose [E2, E3].\n> A quote. [E4]\n\n"
        "| Item | Value |\n|---|---|\n| Sales | 40 [E5] |\n\n売上は増えた。[E6] 利益は減った[E7]。\n"
    )
    pieces = [draft[one.start : one.end] for one in cited_sentences(draft)]
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
    found = cited_sentences(draft)
    assert [draft[one.start : one.end].count("**") % 2 for one in found] == [0] * len(found)
    assert [one.text for one in found][:4] == ["Market size", "Exports", "They rose.", "They fell."]
    assert [one.verdict for one in found][:3] == [None, "uncited", "uncited"]
    assert found[3].evidence == ("E1",)


def test_a_sentence_of_any_length_is_one_sentence_with_its_mark() -> None:
    long = f"Sales rose{', and again' * 120} [E1].\n"
    (found,) = cited_sentences(long)
    assert found.evidence == ("E1",)


def test_of_a_report_of_quotes_only_the_quotes_and_rows_are_statements() -> None:
    draft = (
        "# T\n\nFound: 3 quotes on 2 pages.\n\n**A “title”**: “One. Two.” [E1] “Three.” [E2]\n\n"
        "- Energy: “Coal 10%” [E3]\n- 「石炭は10%。」[E4]\n\nAlready quoted above: [E1, E2].\n\n"
        "| Item | Value |\n| --- | --- |\n| Sales | 40 [E5] |\n"
    )
    found = quoted_passages(draft)
    stated = [(one.text, one.evidence) for one in found if one.reason_code != FRAMING]
    assert stated == [
        ("“One. Two.”", ("E1",)),
        ("“Three.”", ("E2",)),
        ("“Coal 10%”", ("E3",)),
        ("「石炭は10%。」", ("E4",)),
        ("Sales | 40", ("E5",)),
    ]
    framing = [(one.text, one.evidence, one.verdict) for one in found if one.reason_code == FRAMING]
    assert framing == [
        ("Found: 3 quotes on 2 pages.", (), None),
        ("Already quoted above:", ("E1", "E2"), None),
    ]


def test_a_draft_that_lost_sentences_is_numbered_anew_without_gaps() -> None:
    cited = numbered("B [E3]. C [E8]. D [E4].\n", EVIDENCE)
    assert cited.numbers == {"S2": 1, "S4": 2} and cited.evidence == ("E3", "E8", "E4")
