"""Contradictions that a reflection named: kept with the mark that no rule checked them, and only if they are new."""

from __future__ import annotations

from research.core import Doubt, Evidence
from research.language import Bilingual
from research.library import Document
from research.verification import Contradiction, ContradictionKind, contradictions
from research.verification.contradictions import with_named
from tests.support.ledgers import ledger_of

LEDGER = ledger_of(
    {
        "memo": Document("The sales target for Vietnam is 800 million yen. Demand is strong.", "Memo", "2025-06"),
        "minutes": Document("The sales target for Vietnam is 650 million yen. Orders are slow.", "Minutes", "2025-07"),
        "notes": Document("Customers wait and see.", "Notes", None),
    }
)
STRONG, SLOW, WAIT = "E2", "E4", "E5"
FOUND = contradictions(LEDGER.evidence.values(), LEDGER.pages)


def named(*ids: str, why: str = "One sees demand,\n the other none.") -> list[Contradiction]:
    everything = with_named(FOUND, [Doubt(text=why, evidence=ids)], LEDGER.evidence, LEDGER.pages)
    assert everything[: len(FOUND)] == FOUND
    return list(everything[len(FOUND) :])


def test_the_rules_find_one() -> None:
    assert [found.kind for found in FOUND] == [ContradictionKind.FIGURES]


def test_it_stands_behind_what_rules_found_and_says_that_it_is_not_checked() -> None:
    (found,) = named(WAIT, SLOW, STRONG)
    assert found.kind is ContradictionKind.NAMED
    assert found.label == "One sees demand, the other none."
    assert found.note == Bilingual(
        "Named in a reflection, not checked by rule.",
        "考察での指摘です。規則による照合は行っていません。",
    )
    assert [side.evidence for side in found.sides] == [STRONG, SLOW, WAIT], "the older source first, undated ones last"
    assert found.sides[0].quote == "Demand is strong." and found.sides[0].value == ""


def test_a_page_stands_by_its_title_in_the_place_of_an_id() -> None:
    (found,) = named(
        STRONG, SLOW, why=f"{STRONG}, {SLOW} give different values; E99 and {STRONG}0 are no quotes of it."
    )
    assert found.label == "Memo, Minutes give different values; E99 and E20 are no quotes of it."


def test_ids_that_do_not_exist_are_passed_over() -> None:
    (found,) = named(STRONG, "E99", SLOW, STRONG)
    assert [side.evidence for side in found.sides] == [STRONG, SLOW]
    assert named(STRONG, "E99") == []


def test_one_source_alone_or_nothing_said_is_no_contradiction() -> None:
    assert named("E1", STRONG) == []
    assert named(STRONG, SLOW, why=" \n") == []
    assert named() == []


def test_what_rules_found_or_another_reflection_named_is_not_said_twice() -> None:
    assert named("E1", "E3") == []
    once = Doubt(text="They differ.", evidence=(STRONG, SLOW))
    again = Doubt(text="Once more.", evidence=(SLOW, STRONG))
    wider = Doubt(text="Three differ.", evidence=(STRONG, SLOW, WAIT))
    said = with_named((), [once, again, wider], LEDGER.evidence, LEDGER.pages)
    assert [found.label for found in said] == ["They differ.", "Three differ."]


def test_a_longer_quote_of_the_same_place_says_nothing_new() -> None:
    first = LEDGER.evidence["E1"]
    text = LEDGER.pages[first.source].text
    longer = Evidence(id="E9", source=first.source, quote=text, start=0, end=len(text))
    held = {**LEDGER.evidence, "E9": longer}
    assert with_named(FOUND, [Doubt(text="They differ.", evidence=("E9", "E3"))], held, LEDGER.pages) == FOUND
