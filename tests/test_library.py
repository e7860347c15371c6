"""The library: a folder of documents, indexed and searched."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from research.core import SourceName, UsageError
from research.library import Library, place_url
from research.sources import collection_folder


def test_hits_are_verbatim_and_have_exact_places(documents: Path, library: Library) -> None:
    (documents / "memo.md").write_bytes(
        b"---\r\ntitle: Pumps\r\ndate: 2025-04-01\r\n---\r\n\r\n# Plan\r\n\r\nWe sell pumps in Hanoi.\r\n"
    )
    (documents / "notes.txt").write_text(
        "ベトナムでは工業団地の需要が伸びている。\n価格も上がった。\n", encoding="utf-8"
    )

    for query, name in (("pumps Hanoi", "memo.md"), ("工業団地の需要", "notes.txt")):
        hit = library.search(query)[0]
        assert hit.path == documents / name
        assert hit.path.is_absolute()
        assert hit.score > 0
        assert hit.text == library.text(hit.path)[hit.start : hit.end]
        assert hit.text == hit.path.read_text(encoding="utf-8")[hit.start : hit.end]


def test_best_passage_comes_first_and_k_limits(documents: Path, library: Library) -> None:
    for number in range(12):
        (documents / f"{number}.txt").write_text(f"Report {number} mentions the factory once.", encoding="utf-8")
    (documents / "best.txt").write_text("The factory in Kanazawa: factory floor, factory yield.", encoding="utf-8")

    hits = library.search("factory Kanazawa", k=5)
    assert hits[0].path.name == "best.txt"
    assert len(hits) == 5
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert library.search("factory", k=0) == []


@pytest.mark.parametrize("query", ["", "   ", "？！", "zebra", "縞馬"])
def test_no_match_is_an_empty_list(documents: Path, library: Library, query: str) -> None:
    (documents / "a.txt").write_text("Pumps and valves.", encoding="utf-8")
    assert library.search(query) == []


def test_title_and_date_of_each_kind_of_file(documents: Path, library: Library) -> None:
    (documents / "front.md").write_text('---\ntitle: "A title"\npublished: 2025/6/3\n---\ntext', encoding="utf-8")
    (documents / "heading.md").write_text("Intro\n\n## First heading ##\n\ntext", encoding="utf-8")
    (documents / "plain.txt").write_text("text", encoding="utf-8")
    (documents / "page.html").write_text(
        "<html><head><title>A page</title><meta name='date' content='2024-02-01'></head>"
        "<body><script>alert('evil words')</script><article><p>Real words of the page.</p></article></body></html>",
        encoding="utf-8",
    )
    word = docx.Document()
    word.add_heading("Word title", 1)
    word.save(str(documents / "word.docx"))
    library.refresh()

    front = library.document("front.md")
    assert (front.title, front.published) == ("A title", "2025-06-03")
    assert library.document("heading.md").title == "First heading"
    assert library.document("plain.txt").title == "plain"
    assert library.document("plain.txt").published is None
    page = library.document("page.html")
    assert (page.title, page.published) == ("A page", "2024-02-01")
    assert "evil" not in page.text
    assert (library.document("word.docx").title, library.document("word.docx").published) == ("Word title", None)


def test_table_rows_explain_themselves(documents: Path, library: Library) -> None:
    (documents / "sales.csv").write_text(
        'month,region,units,\n2025-04,East,120,extra\n\n2025-05,"West, coast\nand hills",80\n', encoding="utf-8-sig"
    )
    assert library.search("region East")[0].text.startswith("month: 2025-04; region: East; units: 120; column 4: extra")
    text = library.text("sales.csv")
    assert text.splitlines()[2] == "month: 2025-05; region: West, coast and hills; units: 80"
    url = (documents / "sales.csv").as_uri()
    assert place_url(url, text, text.index("2025-05"), len(text)).endswith("sales.csv#row=4")


def test_word_tables_and_lists(documents: Path, library: Library) -> None:
    word = docx.Document()
    word.add_paragraph("first point", style="List Bullet")
    table = word.add_table(rows=2, cols=2)
    for cell, text in zip([c for row in table.rows for c in row.cells], ["City", "Staff", "Hanoi", "12"], strict=True):
        cell.text = text
    word.save(str(documents / "a.docx"))
    library.refresh()
    assert library.text("a.docx") == "- first point\n\nCity: Hanoi; Staff: 12"


def test_pdf_pages_have_addresses(tmp_path: Path) -> None:
    library = Library(collection_folder(SourceName.HOUSE, tmp_path), tmp_path / "index")
    hit = library.search("瞬時電圧低下 インバーターの停止が31回")[0]
    assert hit.path.suffix == ".pdf"
    text = library.text(hit.path)
    at = text.index("31回")
    assert place_url(hit.path.as_uri(), text, at, at + 3) == f"{hit.path.as_uri()}#page=2"
    assert place_url(hit.path.as_uri(), text, 0, 5).endswith("#page=1")


def test_place_of_text_and_of_what_has_no_places() -> None:
    assert place_url("file:///a/b.md", "text", 1, 3) == "file:///a/b.md#char=1,3"
    assert place_url("file:///a/b.docx", "text", 1, 3) == "file:///a/b.docx"
    assert place_url("https://example.org/b.pdf", "text", 1, 3) == "https://example.org/b.pdf"


def test_only_changes_are_read_again(documents: Path, library: Library) -> None:
    for name in ("kept.txt", "changed.txt", "removed.txt"):
        (documents / name).write_text(f"apples in {name}", encoding="utf-8")
    seen: list[tuple[int, int]] = []
    assert library.refresh(lambda done, total: seen.append((done, total))).files == 3
    assert seen == [(1, 3), (2, 3), (3, 3)]

    (documents / "changed.txt").write_text("pears now, many pears", encoding="utf-8")
    (documents / "removed.txt").unlink()
    (documents / "new.txt").write_text("cherries", encoding="utf-8")
    seen.clear()
    report = library.refresh(lambda done, total: seen.append((done, total)))
    assert (report.files, report.passages) == (3, 3)
    assert seen == [(2, 3), (3, 3)]
    assert [hit.path.name for hit in library.search("apples")] == ["kept.txt"]
    assert [hit.path.name for hit in library.search("pears")] == ["changed.txt"]
    assert [hit.path.name for hit in library.search("cherries")] == ["new.txt"]
    with pytest.raises(UsageError):
        library.text("removed.txt")


def test_a_new_instance_takes_the_index_and_finds_what_changed(documents: Path, tmp_path: Path) -> None:
    (documents / "a.txt").write_text("apples", encoding="utf-8")
    Library(documents, tmp_path / "index").refresh()
    (documents / "b.txt").write_text("pears", encoding="utf-8")
    seen: list[tuple[int, int]] = []
    later = Library(documents, tmp_path / "index")
    assert later.search("pears")[0].path.name == "b.txt"
    later.refresh(lambda done, total: seen.append((done, total)))
    assert seen == [(2, 2)]


def test_japanese_and_english_in_one_text(documents: Path, library: Library) -> None:
    (documents / "mixed.md").write_text(
        "朝凪のAN-300は省エネ型ポンプです。Ｑ３の売上は１,２００台でした。", encoding="utf-8"
    )
    (documents / "other.md").write_text("まったく別の話題です。", encoding="utf-8")
    for query in ("AN-300", "an300", "ポンプ", "ﾎﾟﾝﾌﾟ", "1200台", "q3 売上", "省エネ", "凪"):
        assert [hit.path.name for hit in library.search(query)] == ["mixed.md"], query


def test_question_in_the_other_language_finds_the_document_but_the_own_words_win(
    documents: Path, library: Library
) -> None:
    (documents / "en.md").write_text("The population of Japan fell again.", encoding="utf-8")
    (documents / "ja.md").write_text("日本の人口は再び減少した。", encoding="utf-8")
    assert [hit.path.name for hit in library.search("日本の人口")] == ["ja.md", "en.md"]
    assert [hit.path.name for hit in library.search("population of Japan")] == ["en.md", "ja.md"]


def test_a_missing_folder_is_named(tmp_path: Path, documents: Path, library: Library) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        Library(tmp_path / "nowhere")
    documents.rmdir()
    with pytest.raises(UsageError):
        library.search("pumps")


def test_an_empty_folder_is_no_error(library: Library) -> None:
    assert library.refresh() == (0, 0, (), ())
    assert library.search("pumps") == []
