"""The ledger: pages are kept once, quotes stand in their page."""

import pytest

from research.core import Evidence, Ledger, Page, SourceKind, SourceName
from tests.support.scripted import NOW


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


def keep(
    ledger: Ledger, url: str = "https://a.example/", text: str = "Sales were 40 units. Costs fell by half."
) -> Page:
    return ledger.add_page(
        url=url, title="A", site="a.example", origin=SourceName.WEB, kind=SourceKind.NEWS, published=None,
        fetched_at=NOW, text=text,
    )  # fmt: skip


def test_a_page_is_kept_once_and_never_changes(ledger: Ledger) -> None:
    first = keep(ledger)
    assert keep(ledger, text="Something else entirely.") is first
    assert first.id == "S1" and len(first.sha256) == 64
    with pytest.raises(ValueError, match="frozen"):
        first.text = "changed"


def test_evidence_is_verbatim_and_entered_once(ledger: Ledger) -> None:
    page = keep(ledger)
    (entry,) = ledger.quote(page, ["Sales were 40 units.", "Sales  were 40 units."])
    assert entry == Evidence(id="E1", source="S1", quote="Sales were 40 units.", start=0, end=20)
    assert page.text[entry.start : entry.end] == entry.quote
    assert ledger.page_of(entry) is page


def test_what_does_not_stand_in_the_page_is_dropped_and_counted(ledger: Ledger) -> None:
    assert ledger.quote(keep(ledger), ["Sales were 400 units.", "Nobody ever said this at all."]) == []
    assert ledger.dropped_quotes == 2
    assert not ledger.evidence
