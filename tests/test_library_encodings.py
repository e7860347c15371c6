"""Encodings: what documents in Japan and elsewhere are really written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.documents import decode
from research.library import Library, UnreadableFile

JAPANESE = "売上高は前年度から3.0％増加した。\r\n東南アジアの需要は、今後も伸びる見込みです。\r\nポンプ、インバーター。"
FRENCH = "L'économie a crû de 2 % en 2025, d'après l'été précédent. Où est passée la forêt ? Très élevé, déjà à côté."


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp932", "shift_jis", "euc_jp", "iso2022_jp"],
)
def test_japanese(encoding: str) -> None:
    assert decode(JAPANESE.encode(encoding)) == JAPANESE.replace("\r\n", "\n")


def test_cp932_extensions() -> None:
    assert (
        decode("①㈱朝凪ポンプ工業は髙島さんの会社です。".encode("cp932")) == "①㈱朝凪ポンプ工業は髙島さんの会社です。"
    )


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-8"])
def test_western(encoding: str) -> None:
    assert decode(FRENCH.encode(encoding)) == FRENCH


def test_a_mark_stays_as_path_read_text_leaves_it(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("---\ntitle: Marked\n---\n\nWords with a mark.", encoding="utf-8-sig")
    library = Library(folder, tmp_path / "index")
    hit = library.search("words mark")[0]
    assert hit.text == "Words with a mark." == hit.path.read_text(encoding="utf-8")[hit.start : hit.end]
    assert library.document(hit.path).title == "Marked"


def test_a_few_wrong_bytes_cost_only_themselves() -> None:
    data = (JAPANESE * 5).encode().replace("需要".encode(), b"\xe9\x9c", 1)
    assert "東南アジアの\N{REPLACEMENT CHARACTER}は" in decode(data)


def test_old_line_ends() -> None:
    assert decode(b"one\rtwo\r\nthree\n") == "one\ntwo\nthree\n"


def test_declared_encoding_of_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    page = "<html><head><meta charset='windows-1251'></head><body><p>Насосы для воды и сточных вод.</p></body></html>"
    (folder / "a.html").write_bytes(page.encode("windows-1251"))
    assert Library(folder, tmp_path / "index").search("насосы")[0].text == "Насосы для воды и сточных вод."


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03" * 100, b"text\x00text\x00more and more text", b"\x01\x02\x03\x04" * 99]
)
def test_binary(data: bytes) -> None:
    with pytest.raises(UnreadableFile) as caught:
        decode(data)
    assert caught.value.code == "file_binary"
