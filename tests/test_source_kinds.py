"""What kind of page an address leads to, and the rule that says so."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from research.core import Page, SourceKind, SourceName, is_primary, text_hash
from research.sources import decision_for
from research.sources.protocol import KIND_OF_HOST, decide_kind, kind_of


@pytest.mark.parametrize(
    ("address", "kind", "because"),
    [
        ("https://www.e-stat.go.jp/stat-search", SourceKind.STATISTICS, "e-stat.go.jp"),
        ("https://ec.europa.eu/eurostat/web/main", SourceKind.STATISTICS, "/eurostat"),
        ("https://stats.gov.sa/home", SourceKind.STATISTICS, "“stats”"),
        ("https://www.meti.go.jp/policy", SourceKind.GOVERNMENT, "ends in .go.jp"),
        ("https://www.gov.uk/guidance", SourceKind.GOVERNMENT, "ends in .gov.uk"),
        ("https://www.imf.org/en", SourceKind.GOVERNMENT, "imf.org"),
        ("https://www.sec.gov/newsroom/press", SourceKind.GOVERNMENT, "ends in .gov"),
        ("https://www.sec.gov/Archives/edgar/data/1/a.htm", SourceKind.COMPANY, "/Archives/edgar"),
        ("https://disclosure2.edinet-fsa.go.jp/week0010.aspx", SourceKind.COMPANY, "edinet-fsa.go.jp"),
        ("https://ir.example.com/results", SourceKind.COMPANY, "“ir”"),
        ("https://example.com/en/investor-relations/", SourceKind.COMPANY, "/investor-relations"),
        ("https://global.example/jp/newsroom/1.html", SourceKind.COMPANY, "/newsroom"),
        ("https://prtimes.jp/main/html/rd/p/1.html", SourceKind.COMPANY, "prtimes.jp"),
        ("https://pump.co.jp/products", SourceKind.COMPANY, "ends in .co.jp"),
        ("https://publisher.co.jp/articles/12", SourceKind.OTHER, "No rule"),
        ("https://www.u-tokyo.ac.jp/focus", SourceKind.PAPER, "ends in .ac.jp"),
        ("https://arxiv.org/abs/1", SourceKind.PAPER, "arxiv.org"),
        ("https://asia.nikkei.com/a", SourceKind.NEWS, "nikkei.com"),
        ("https://xtech.nikkei.com/a", SourceKind.TRADE, "xtech.nikkei.com"),
        ("https://www.jpma.or.jp/data", SourceKind.TRADE, "ends in .or.jp"),
        ("https://www.pumpassociation.example/data", SourceKind.TRADE, "“association”"),
        ("https://note.com/someone/n/1", SourceKind.BLOG, "note.com"),
        ("https://someone.hatenablog.com/entry", SourceKind.BLOG, "hatenablog.com"),
        ("https://blog.example.com/post", SourceKind.BLOG, "“blog”"),
        ("https://example.com/blog/post", SourceKind.BLOG, "/blog"),
        ("https://old.reddit.com/r/pumps", SourceKind.SOCIAL, "reddit.com"),
        ("https://en.wikipedia.org/wiki/Pump", SourceKind.OTHER, "No rule"),
    ],
)
def test_the_kind_and_its_rule(address: str, kind: SourceKind, because: str) -> None:
    decision = decide_kind(address)
    assert decision.kind is kind
    assert because in decision.rule.en
    assert decision.rule.ja.endswith("。")


def test_a_name_that_only_resembles_a_known_one_is_not_it() -> None:
    for address in ("https://meti.go.jp.example.com/", "https://notreuters.com/", "https://example.com/?u=arxiv.org"):
        assert kind_of(address) is SourceKind.OTHER


def test_a_news_search_decides_only_where_no_host_does() -> None:
    assert decide_kind("https://example.com/newsroom/1", is_news=True).kind is SourceKind.NEWS
    assert "news search" in decide_kind("https://example.com/1", is_news=True).rule.en
    assert decide_kind("https://meti.go.jp/1", is_news=True).kind is SourceKind.GOVERNMENT


def test_a_host_alone_is_enough() -> None:
    assert kind_of("www.meti.go.jp") is SourceKind.GOVERNMENT


@pytest.mark.parametrize("address", ["", "https://", "http://[::1]/", "https://127.0.0.1:8000/x", "file:///a b.txt"])
def test_odd_addresses_are_of_no_kind(address: str) -> None:
    assert kind_of(address) is SourceKind.OTHER


def test_no_host_stands_in_the_list_in_vain() -> None:
    for host, kind in KIND_OF_HOST.items():
        assert decide_kind(f"https://{host}/").kind is kind


def test_what_is_primary() -> None:
    assert {kind for kind in SourceKind if is_primary(kind)} == {
        SourceKind.STATISTICS, SourceKind.GOVERNMENT, SourceKind.COMPANY, SourceKind.PAPER, SourceKind.DOCUMENT,
    }  # fmt: skip


def _page(url: str, kind: SourceKind, origin: SourceName = SourceName.WEB) -> Page:
    return Page(
        id="S1", url=url, title="T", site="s", origin=origin, kind=kind, published=None,
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC), text="x", sha256=text_hash("x"),
    )  # fmt: skip


def test_the_rule_can_be_told_of_a_page_that_was_kept() -> None:
    told = {
        "user's own": _page("file:///a.md", SourceKind.DOCUMENT, SourceName.LIBRARY),
        "Factbook": _page("file:///b.md", SourceKind.GOVERNMENT, SourceName.FACTBOOK),
        ".go.jp": _page("https://meti.go.jp/", SourceKind.GOVERNMENT),
        "news search": _page("https://example.com/", SourceKind.NEWS),
        "No rule": _page("https://example.com/", SourceKind.STATISTICS),
    }
    for words, page in told.items():
        decision = decision_for(page)
        assert decision.kind is page.kind
        assert words in decision.rule.en
