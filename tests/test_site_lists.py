"""Named sets of sites: kept, and filled into a brief."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.parts.sources.library import added, holds, removed
from research.core import Brief, Page, SourceKind, SourceName, UsageError, is_primary
from research.language import Language
from research.sources import decision_for
from research.sources.protocol import KIND_OF_HOST, decide_kind, kind_of
from research.sources.sites import SiteList, built_in, delete, kept, load, make, save
from tests.support.stored_runs import page

EN, JA = Language.EN, Language.JA


def a_set(
    name: str = "Ours", *, preferred: tuple[str, ...] = ("stat.go.jp",), forbidden: tuple[str, ...] = ()
) -> SiteList:
    return make(name, preferred, forbidden)


def test_sets_are_kept_edited_and_deleted(tmp_path: Path) -> None:
    for name in "bA":
        save(tmp_path, a_set(name))
    assert [one.name for one in load(tmp_path)] == ["A", "b"]
    save(tmp_path, a_set("c", forbidden=("x.com",)), instead_of="b")
    assert [one.name for one in load(tmp_path)] == ["A", "c"]
    delete(tmp_path, "A")
    delete(tmp_path, "nobody")
    assert load(tmp_path) == (a_set("c", forbidden=("x.com",)),)


def test_files_of_the_first_version_are_read(tmp_path: Path) -> None:
    kept.path(tmp_path).parent.mkdir()
    kept.path(tmp_path).write_text('{"sets": [{"name": "Ours", "preferred": ["stat.go.jp"], "forbidden": []}]}')
    assert load(tmp_path) == (a_set(),)


def test_what_is_typed_becomes_sites_as_briefs_hold_them() -> None:
    typed = ("https://www.Stat.go.jp/data/", "*.go.jp", "総務省.jp", "stat.go.jp", "gov")
    one = make("  Our   sector ", typed, ())
    assert (one.name, one.preferred) == ("Our sector", ("stat.go.jp", "go.jp", "総務省.jp", "gov"))
    assert Brief(question="?", preferred_sites=one.preferred).preferred_sites == one.preferred


@pytest.mark.parametrize(
    ("name", "preferred", "forbidden", "en", "ja"),
    [
        (" ", ("a.jp",), (), "needs a name", "名前が必要"),
        ("x" * 61, ("a.jp",), (), "too long", "長すぎます"),
        ("x", (), (), "holds no site", "サイトが1つもありません"),
        ("x", ("not a site",), (), "“not a site” is no site", "「not a site」"),
        ("x", ("経済産業省",), (), "“経済産業省” is no site", "「経済産業省」"),
        ("x", ("<script>",), (), "is no site", "「<script>」"),
        ("x", ("-a.jp",), (), "is no site", "読めません"),
        ("x", ("a.jp:8080",), (), "is no site", "読めません"),
        ("x", ("a" * 300 + ".jp",), (), "is no site", "読めません"),
        ("x", ("a.jp", "b.jp"), ("B.jp",), "“b.jp” is to be searched first and never", "「b.jp」が"),
        ("x", tuple(f"s{n}.jp" for n in range(301)), (), "at most 300", "300件"),
    ],
)
def test_what_cannot_be_used_is_said_in_both_languages(
    name: str, preferred: tuple[str, ...], forbidden: tuple[str, ...], en: str, ja: str
) -> None:
    with pytest.raises(UsageError) as raised:
        make(name, preferred, forbidden)
    assert en in raised.value.text.en and ja in raised.value.text.ja


def test_a_name_stands_for_one_set(tmp_path: Path) -> None:
    save(tmp_path, a_set("Ours"))
    for taken in ("ours", built_in(EN)[0].name):
        with pytest.raises(UsageError, match="There is another set"):
            save(tmp_path, a_set(taken))
    assert len(load(tmp_path)) == 1


@pytest.mark.parametrize("language", list(Language))
def test_the_sets_that_come_along_can_be_used_as_they_are(language: Language) -> None:
    for one in built_in(language):
        assert make(one.name, one.preferred, one.forbidden) == one
    assert any("x.com" in one.forbidden for one in built_in(language))


def test_choosing_a_set_fills_the_fields_and_unchoosing_takes_out_only_its_own() -> None:
    first = a_set("1", preferred=("a.jp", "b.jp"), forbidden=("x.com",))
    second = a_set("2", preferred=("b.jp", "c.jp"))
    fields = {"preferred_sites": "own.jp\n", "forbidden_sites": ""}
    assert not holds(first, fields)
    both = added(second, added(first, fields))
    assert both == {"preferred_sites": "own.jp\na.jp\nb.jp\nc.jp", "forbidden_sites": "x.com"}
    assert holds(first, both) and holds(second, both)
    left = removed(first, both, [second])
    assert left == {"preferred_sites": "own.jp\nb.jp\nc.jp", "forbidden_sites": ""}


# --- what kind of page an address leads to, and the rule that says so ------------------------------------------------


@pytest.mark.parametrize(
    ("address", "kind", "because"),
    [
        ("https://www.e-stat.go.jp/stat-search", SourceKind.STATISTICS, "e-stat.go.jp"),
        ("https://ec.europa.eu/eurostat/web/main", SourceKind.STATISTICS, "/eurostat"),
        ("https://stats.gov.sa/home", SourceKind.STATISTICS, "“stats”"),
        ("https://data.census.gov/table", SourceKind.STATISTICS, "census.gov"),
        ("https://www.stat.go.jp/data", SourceKind.STATISTICS, "stat.go.jp"),
        ("https://ec.europa.eu/info", SourceKind.GOVERNMENT, "europa.eu"),
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
        ("https://mit.edu/research", SourceKind.PAPER, "ends in .edu"),
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
    alike = (
        "https://meti.go.jp.example.com/",
        "https://notreuters.com/",
        "https://notx.com/",
        "https://go.com/",
        "https://example.com/?u=arxiv.org",
    )
    for address in alike:
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
    return page(url=url, origin=origin, kind=kind)


def test_the_rule_can_be_told_of_a_page_that_was_kept() -> None:
    told = {
        "user's own": _page("file:///a.md", SourceKind.DOCUMENT, SourceName.LIBRARY),
        "Factbook": _page("file:///b.md", SourceKind.GOVERNMENT, SourceName.FACTBOOK),
        ".go.jp": _page("https://meti.go.jp/", SourceKind.GOVERNMENT),
        "news search": _page("https://example.com/", SourceKind.NEWS),
        "No rule": _page("https://example.com/", SourceKind.STATISTICS),
    }
    for words, one in told.items():
        decision = decision_for(one)
        assert decision.kind is one.kind
        assert words in decision.rule.en
