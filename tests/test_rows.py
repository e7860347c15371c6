"""Rows of tables that name the page they are from."""

from __future__ import annotations

import pytest

from research.results import ProofBasis, prove_draft
from tests.support.chat import Shelf

HEAD = "| Item | Value | Page |\n| --- | --- | --- |\n"
NAMED = [
    ("Population: 34.3 million (2023 est.)", "Malaysia", "| Population | 34.3 million [E1] | Malaysia |"),
    ("Revenue: 45.1 trillion yen", "Toyota – Results", "| Revenue | 45.1 trillion yen [E1] | **Toyota – Results** |"),
    ("Brunei – Constitution: signed 29 September 1959", "Brunei — Government",
     "| Constitution | signed 29 September 1959 [E1] | Brunei — Government |"),
    ("Acme employs 12,000 people in Poland.", "Reuters \\| Business",
     "| Acme | 12,000 people in Poland [E1] | site1.example |"),
    ("売上高：820億円", "トヨタ自動車", "| 売上高 | 820億円 [E1] | トヨタ自動車 |"),
]  # fmt: skip


@pytest.mark.parametrize(("quote", "title", "row"), NAMED)
@pytest.mark.parametrize("by_rule", [True, False])
def test_the_name_of_the_page_needs_no_proof(quote: str, title: str, row: str, by_rule: bool) -> None:
    assert verdict_of(quote, title, row, by_rule=by_rule) == "supported"


OTHERWISE = [
    ("Population: 34.3 million (2023 est.)", "Malaysia", "| Population | 39.9 million [E1] | Malaysia |"),
    ("Population: 34.3 million (2023 est.)", "Asia", "| Population | 34.3 million [E1] | Malaysia |"),
    ("Laos – Exports: $9.6 billion", "Vietnam", "| Vietnam | Exports | $9.6 billion [E1] |"),
]


@pytest.mark.parametrize(("quote", "title", "row"), OTHERWISE)
def test_other_cells_and_names_do(quote: str, title: str, row: str) -> None:
    assert verdict_of(quote, title, row, by_rule=False) != "supported"


def verdict_of(quote: str, title: str, row: str, *, by_rule: bool) -> str | None:
    shelf = Shelf()
    shelf.page("Some words come first.", quote, title=title)
    evidence = {"E1": shelf.ledger.evidence["E2"].model_copy(update={"id": "E1"})}
    (found,) = prove_draft(f"{HEAD}{row}\n", ProofBasis(shelf.ledger.pages, evidence), by_rule=by_rule)
    return found.verdict
