"""Repair of single sentences: which are weak, what they could rest on, what changes, how a model is asked."""

from __future__ import annotations

from typing import Any

import pytest

from research.analysts import FallbackAnalyst, Repair, RepairRequest
from research.analysts.extractive import ExtractiveAnalyst
from research.core import ModelError, ModelRefused, Page, Sentence, cite, cited_sentences, citing_only, edited, marked
from research.engine.proving import RepairOutcome, carry_out, repair_request, weak_sentences
from research.results import ProofBasis, prove_draft
from research.text import Span
from tests.support.chat import TODAY, Shelf, brief, desk
from tests.support.openai_server import Calls, Failure, Json, OpenAIServer, Text

TEA = "Japan exported 8,798 tonnes of tea in 2024."
PRICE = "The average price of green tea was 3,100 yen per kilogram."
FARMS = "Shizuoka has 9,000 farms that grow tea."
WEAK = "Japan exported 12,500 tonnes of tea in 2024"


def books(*quotes: str) -> ProofBasis:
    shelf = Shelf()
    for quote in quotes:
        shelf.page(quote)
    return ProofBasis(shelf.ledger.pages, shelf.ledger.evidence)


BOOKS = books(TEA, PRICE, FARMS)


def weak_of(draft: str, held: ProofBasis = BOOKS) -> list[Sentence]:
    return weak_sentences(prove_draft(draft, held, by_rule=False))


def repaired(draft: str, *repairs: Repair, held: ProofBasis = BOOKS) -> RepairOutcome:
    draft = cite(draft, held.evidence).draft
    return carry_out(repairs, weak_of(draft, held), draft, held)


def request(draft: str, held: ProofBasis = BOOKS) -> RepairRequest:
    weak = weak_of(draft, held)
    return repair_request(weak, draft, held, usable=held.evidence, brief=brief(), today=TODAY)


# --- what is proved --------------------------------------------------------------------------------------------


def test_a_page_that_was_not_kept_makes_a_sentence_unverifiable() -> None:
    (found,) = prove_draft(f"{TEA} [E1]\n", ProofBasis({}, BOOKS.evidence), by_rule=False)
    assert (found.verdict, found.reason_code) == ("unverifiable", "no-page")


def test_a_check_that_breaks_costs_its_sentence_the_verdict_and_nothing_else() -> None:
    broken = Page.model_construct(**{**BOOKS.pages["S1"].model_dump(), "text": None})
    held = ProofBasis({**BOOKS.pages, "S1": broken}, BOOKS.evidence)
    first, second = prove_draft(f"{TEA} [E1] {PRICE} [E2]\n", held, by_rule=False)
    assert first.verdict == "unverifiable" and first.reason is not None
    assert first.reason.en.startswith("The check itself failed (") and first.reason.ja.startswith("照合の処理で")
    assert second.verdict == "supported"


def test_what_was_proved_before_is_taken_over_with_its_new_place() -> None:
    known = Sentence(text=TEA, evidence=("E1",), verdict="partial", reason="known", start=0, end=5)
    (found,) = prove_draft(f"\n\n{TEA} [E1]\n", BOOKS, by_rule=False, known=[known])
    assert found == known.model_copy(update={"start": 2, "end": 2 + len(f"{TEA} [E1]")})


# --- what is asked ---------------------------------------------------------------------------------------------


def test_weak_is_what_is_not_supported_or_cites_nothing() -> None:
    draft = f"{WEAK} [E1]. {TEA[:-1]} [E1]. Tea cures every illness. What follows?\n"
    assert [(one.text, one.verdict) for one in weak_of(draft)] == [
        (f"{WEAK}.", "unsupported"),
        ("Tea cures every illness.", "uncited"),
    ]


def test_candidates_are_what_is_cited_and_what_shares_most_words_and_figures() -> None:
    asked = request("The average price of green tea was 3,100 yen [E3]. Shizuoka has 9,000 shops.\n")
    first, second = asked.sentences
    assert first.candidates[:2] == ("E3", "E2") and first.cited == ("E3",)
    assert second.candidates[0] == "E3" and second.cited == ()
    assert set(asked.evidence) == {*first.candidates, *second.candidates}
    assert set(asked.pages) == {entry.source for entry in asked.evidence.values()}


def test_evidence_that_may_not_be_used_is_no_candidate() -> None:
    draft = f"{WEAK} [E1].\n"
    usable = {"E3": BOOKS.evidence["E3"]}
    asked = repair_request(weak_of(draft), draft, BOOKS, usable=usable, brief=brief(), today=TODAY)
    assert asked.sentences[0].candidates == ("E3",)


def test_a_report_of_nothing_but_weak_sentences_asks_for_a_limited_number() -> None:
    draft = "\n\n".join(f"Tea shop {number} in Da Nang closed." for number in range(100))
    assert len(weak_of(draft)) == 40


# --- what is taken ---------------------------------------------------------------------------------------------


def test_only_the_sentence_itself_changes() -> None:
    draft = f"# Tea\n\n- **Exports.** {WEAK} [E1]; see below. {PRICE[:-1]} [E2].\n"
    (weak,) = weak_of(draft)
    outcome = repaired(draft, Repair(0, TEA, ("E1",)))
    assert outcome.draft == draft[: weak.start] + f"{TEA[:-1]} [E1]." + draft[weak.end :]
    assert (outcome.changed, outcome.dropped) == (1, 0)


def test_a_better_citation_leaves_the_words_and_their_emphasis() -> None:
    outcome = repaired(f"**{TEA[:-1]}** [E3].\n", Repair(0, TEA, ("E1",)))
    assert outcome.draft in (f"**{TEA[:-1]}** [E1].\n", f"**{TEA[:-1]} [E1]**.\n")


def test_partly_is_better_than_not_at_all() -> None:
    text = "Shizuoka has 9,000 farms, and they run on robots, drones and satellites from abroad."
    (found,) = prove_draft(marked(text, ["E3"]), BOOKS, by_rule=False)
    assert found.verdict == "partial"
    assert repaired("Coffee comes from Brazil [E3].\n", Repair(0, text, ("E3",))).changed == 1


@pytest.mark.parametrize(
    "text",
    [
        "Japan exported 12,501 tonnes of tea in 2024.",
        f"{TEA} It was the best year of all.",
        f"# {TEA}",
        f"| {TEA} |\n| --- |",
        "Is tea exported?",
        "In short:",
        "[E1]",
    ],
)
def test_what_is_not_better_or_no_sentence_is_refused(text: str) -> None:
    draft = f"{WEAK} [E1].\n"
    assert repaired(draft, Repair(0, text, ("E1",))) == RepairOutcome(draft)


def test_links_numbers_and_markup_of_a_rewording_do_not_reach_the_report() -> None:
    written = f"{TEA[:-1]} [E2] [7] (https://evil.example) <script>."
    outcome = repaired(f"{WEAK} [E1].\n", Repair(0, written, ("E1",)))
    assert "evil" not in outcome.draft and "<script" not in outcome.draft
    assert "[7]" not in outcome.draft and "[E2]" not in outcome.draft


def test_a_row_of_a_table_can_be_cited_anew_or_dropped_but_not_reworded() -> None:
    head = "| Item | Value |\n| --- | --- |\n"
    draft = f"Prices rose [E2].\n\n{head}| Farms in Shizuoka | 9,000 [E1] |\n| Tea exported in 2024 | 5 tonnes [E1] |\n"
    rows = [one for one in weak_of(draft) if draft.startswith("|", one.start)]
    places = [weak_of(draft).index(row) for row in rows]
    assert len(rows) == 2 and [request(draft).sentences[place].is_row for place in places] == [True, True]
    outcome = repaired(
        draft, Repair(places[0], rows[0].text, ("E3",)), Repair(places[1], "Tea exported in 2024 | 8,798", ("E1",))
    )
    assert "| Farms in Shizuoka | 9,000 [E3] |" in outcome.draft and "| 5 tonnes [E1] |" in outcome.draft
    gone = repaired(draft, *(Repair(place, "", ()) for place in places))
    assert "|" not in gone.draft and gone.dropped == 2


def test_a_report_is_never_emptied() -> None:
    draft = f"# Tea\n\n{WEAK} [E1].\n"
    assert repaired(draft, Repair(0, "", ())) == RepairOutcome(draft)


def test_japanese_sentences_are_repaired_in_place() -> None:
    held = books("日本の茶の輸出量は2024年に8,798トンだった。", "緑茶の価格は1キロ3,100円である。")
    draft = "緑茶の価格は1キロ3,100円である[E2]。日本の茶の輸出量は2024年に1万2,500トンだった[E1]。\n"
    outcome = repaired(draft, Repair(0, "日本の茶の輸出量は2024年に8,798トンだった。", ("E1",)), held=held)
    assert outcome.draft == draft.replace("1万2,500トン", "8,798トン")


# --- the draft -------------------------------------------------------------------------------------------------


def without(draft: str, *texts: str) -> str:
    spans = [Span(one.start, one.end) for one in cited_sentences(draft) if one.text in texts]
    assert len(spans) == len(texts)
    return edited(draft, dict.fromkeys(spans, ""))


@pytest.mark.parametrize(
    ("draft", "gone", "left"),
    [
        ("# T\n\nOne. Two. Three.\n", ("Two.",), "# T\n\nOne. Three.\n"),
        ("# T\n\nOne. Two.\n", ("Two.",), "# T\n\nOne.\n"),
        ("# T\n\n一つ目だ。二つ目だ。\n", ("一つ目だ。",), "# T\n\n二つ目だ。\n"),
        ("# T\n\n- One.\n- Two.\n- Three.\n", ("Two.",), "# T\n\n- One.\n- Three.\n"),
        ("# T\n\n## A\n\nOne.\n\n## B\n\nTwo.\n", ("One.",), "# T\n\n## B\n\nTwo.\n"),
        ("# T\n\n## A\n\n### B\n\nOne.\n\n## C\n\nTwo.\n", ("One.",), "# T\n\n## C\n\nTwo.\n"),
        ("# T\n\n## A\n\n### B\n\nOne.\n\n### C\n\nTwo.\n", ("One.",), "# T\n\n## A\n\n### C\n\nTwo.\n"),
        ("# T\n\n## A\n\n1. One [E1].\n", ("One.",), "# T\n"),
        ("# T\n\n> **One** [E1].\n\nTwo.\n", ("One.",), "# T\n\nTwo.\n"),
    ],
)
def test_what_is_taken_out_leaves_no_empty_line_list_or_heading(draft: str, gone: tuple[str, ...], left: str) -> None:
    assert without(draft, *gone) == left


def test_a_draft_without_changes_is_the_same_draft() -> None:
    draft = "# T\n\n## Empty\n\n\n\nOne  two.\n"
    assert edited(draft, {}) == draft


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Up 4%.", "Up 4% [E1, E2]."),
        ("Up 4%", "Up 4% [E1, E2]"),
        ("増えた。", "増えた[E1, E2]。"),
        ("| a | 4% |", "| a | 4% [E1, E2] |"),
        ("**Up 4%.**", "**Up 4% [E1, E2].**"),
    ],
)
def test_a_mark_stands_before_the_full_stop(text: str, written: str) -> None:
    assert marked(text, ["E1", "E2"]) == written
    (found,) = cited_sentences(written)
    assert found.evidence == ("E1", "E2")


def test_citations_can_be_reduced_to_some() -> None:
    assert citing_only("Up [E1, E2] and down [E3].", {"E2"}) == "Up [E2] and down."


# --- the model -------------------------------------------------------------------------------------------------


def fix(sentence: str, action: str, text: str = "", *ids: str) -> dict[str, Any]:
    return {"sentence": sentence, "action": action, "text": text, "ids": list(ids)}


DRAFT = f"{WEAK} [E1]. Coffee comes from Brazil [E3]. Tea cures every illness.\n"


async def test_a_model_answers_for_each_sentence_in_one_call_that_can_do_nothing_else(server: OpenAIServer) -> None:
    server.enqueue(
        Json({"repairs": [fix("S1", "reword", TEA, "[E1]"), fix("S2", "drop"), fix("S3", "cite", "", "E2", "E77")]})
    )
    found = await desk(server).analyst.repair(request(DRAFT))
    assert found == (
        Repair(0, TEA, ("E1",)),
        Repair(1, "", ()),
        Repair(2, "Tea cures every illness.", ("E2",)),
    )
    (asked,) = server.requests
    assert asked.schema == "Repairs" and not asked.tools
    assert asked.body["model"] == "gpt-5.4", "the model that wrote the report"
    shown = asked.body["messages"][-1]["content"]
    assert f'[E1] "{TEA}"' in shown and f"S1: {WEAK}." in shown
    assert "Cites: E1. Found: The page has another figure here" in shown


async def test_entries_that_mean_nothing_leave_their_sentence_alone(server: OpenAIServer) -> None:
    entries = [
        fix("S9", "drop"),
        fix("none", "drop"),
        fix("S1", "improve", TEA, "E1"),
        fix("S2", "reword", "", "E3"),
        fix("S3", "cite", "", "E77"),
        {"sentence": "S1"},
        "drop S1",
    ]
    server.enqueue(Json({"repairs": entries}))
    assert await desk(server).analyst.repair(request(DRAFT)) == ()


@pytest.mark.parametrize(
    "answer",
    [
        Text('{"repairs": [{"sentence": "S1", "action": "dr', finish="length"),
        Text("I would rather not."),
        Calls(("other", {"x": 1})),
        Failure(500, headers={"x-should-retry": "false"}),
    ],
)
async def test_what_cannot_be_read_is_an_error_and_no_repair(server: OpenAIServer, answer: Any) -> None:
    server.handler = lambda body: answer
    with pytest.raises(ModelError):
        await desk(server).analyst.repair(request(DRAFT))


async def test_no_other_analyst_repairs_what_a_model_wrote() -> None:
    class Refusing(ExtractiveAnalyst):
        async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
            raise ModelRefused("model_unauthorized")

    analyst = FallbackAnalyst(Refusing(), ExtractiveAnalyst(), lambda *args, **more: None)
    with pytest.raises(ModelError):
        await analyst.repair(request(DRAFT))
    assert await ExtractiveAnalyst().repair(request(DRAFT)) == ()
