"""Reports that lean on few sources say so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from research.core import Ledger, Located, SourceKind, SourceName
from research.results import Remark, concentration


def remarks(cited: Sequence[Sequence[str]], *urls: str, origin: SourceName = SourceName.WEB) -> tuple[Remark, ...]:
    """Evidence E1 stands in the first page, E2 in the second, …"""
    ledger = Ledger()
    for number, url in enumerate(urls, start=1):
        page = ledger.add_page(
            url=url, title=f"Page {number}", site=url.split("/")[2], origin=origin, kind=SourceKind.OTHER,
            published=None, fetched_at=datetime(2026, 1, 1, tzinfo=UTC), text="Words.",
        )  # fmt: skip
        ledger.quote_at(page, Located(0, 6, exact=True))
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
