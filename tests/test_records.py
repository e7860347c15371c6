"""Files of office programs and records of other programs become text: what stands in them, and what is refused."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from pptx import Presentation
from pptx.util import Inches

import research
from research.documents import Document, UnreadableFile, read
from research.library import read_apart
from research.settings import Settings
from tests.support.edinet import archive


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Sales"
    for row in (
        ["Sales by region"], [], ["month", "region", "units", "share"],
        [date(2026, 4, 1), "East", 120, 0.425], [datetime(2026, 5, 1, 9, 30), "West\nand South", 98.5, None],
    ):  # fmt: skip
        sheet.append(row)
    sheet["D4"].number_format = "0.0%"
    book.create_sheet("Empty")
    other = book.create_sheet("客先")
    other.append(["顧客", "売上"])
    other.append(["青葉商事", 3400])
    return changed_on("2026-06-02", saved(book.save))


def slides() -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Outlook 2027"
    slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = "Sales will reach 450 units."
    table = slide.shapes.add_table(2, 2, 0, 0, Inches(2), Inches(1)).table
    for at, text in enumerate(("region", "units", "East", "450")):
        table.cell(at // 2, at % 2).text = text
    slide.notes_slide.notes_text_frame.text = "Ask about prices."
    deck.core_properties.modified = datetime(2026, 3, 4)
    return saved(deck.save)


def changed_on(day: str, book: bytes) -> bytes:
    """The workbook with another day of its last change, which the library itself sets."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    core = "docProps/core.xml"
    return packed(**parts | {core: re.sub(rb"\d{4}-\d\d-\d\d(?=T)", day.encode(), parts[core])})


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    target = io.BytesIO()
    save(target)
    return target.getvalue()


def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Aya <aya@a.example>", "bo@b.example", "ポンプの価格"
    message["Date"] = "Tue, 17 Nov 2026 08:00:00 +0900"
    message.set_content("価格は12%上がりました。")
    message.add_alternative("<p>HTML</p>", subtype="html")
    message.add_attachment(b"month,units\n2026-04,120\n", maintype="text", subtype="csv", filename="units.csv")
    message.add_attachment(b"\xff" * 9, maintype="image", subtype="png", filename="logo.png")
    return message.as_bytes()


VTT = """WEBVTT - minutes

NOTE made by a machine

1
00:00:05.000 --> 00:00:09.000 align:start
<v Aya Mori>We will <b>close</b> the plant

00:00:09.500 --> 00:00:12.000
<v Aya Mori>in March.</v>

01:02:03.000 --> 01:02:05.000
<v Bo>Agreed.
"""
SRT = "1\n00:00:05,000 --> 00:00:09,000\nWe will close\nthe plant.\n\n2\n00:01:00,000 --> 00:01:02,000\nIn March.\n"

CASES: dict[str, tuple[Callable[[], bytes], Document]] = {
    "book.xlsx": (workbook, Document(
        "# Sales\nSales by region\nmonth: 2026-04-01; region: East; units: 120; share: 42.5%\n"
        "month: 2026-05-01 09:30; region: West and South; units: 98.5\n# 客先\n顧客: 青葉商事; 売上: 3400",
        "book", "2026-06-02", rows=True,
    )),
    "deck.pptx": (slides, Document(
        "## Outlook 2027\n\nSales will reach 450 units.\n\nregion: East; units: 450\n\nAsk about prices.",
        "Outlook 2027", "2026-03-04",
    )),
    "prices.eml": (mail, Document(
        "From: Aya <aya@a.example>\nTo: bo@b.example\nDate: Tue, 17 Nov 2026 08:00:00 +0900\nSubject: ポンプの価格\n\n"
        "価格は12%上がりました。\n\n\n# units.csv\n\nmonth: 2026-04; units: 120\n\n# logo.png",
        "ポンプの価格", "2026-11-17",
    )),
    "people.json": (lambda: b'[{"name": "Aya", "home": {"city": "Kobe"}, "tags": ["a", 1]}, {"name": "Bo"}]', Document(
        "name: Aya; home.city: Kobe; tags: a, 1\nname: Bo", "people", rows=True,
    )),
    "report.json": (lambda: json.dumps({"year": 2026, "rows": [{"a": 1}, {"a": 2}]}).encode(), Document(
        "year: 2026\n\n# rows\n\na: 1\na: 2", "report",
    )),
    "log.jsonl": (lambda: b'{"a": 1}\n{"a": "x\\ny"}\n', Document("a: 1\na: x y", "log", rows=True)),
    "talk.vtt": (VTT.encode, Document(
        "[0:00:05] Aya Mori: We will close the plant in March.\n\n[1:02:03] Bo: Agreed.", "talk",
    )),
    "S100VWVY.zip": (archive, Document(
        "売上高、経営指標等（連結）、2026年3月期: 48,036,704,000,000円\n"
        "売上高、経営指標等（連結）、2025年3月期: 45,095,325,000,000円\n従業員数（個別）、2026年3月期: 71,515\n\n"
        "## 事業の内容\n\n３【事業の内容】 自動車の設計、製造および販売を行っています。\n",
        "トヨタ自動車株式会社 2026年3月期", "2026-03-31",
    )),
    "talk.srt": (SRT.encode, Document("[0:00:05] We will close the plant. In March.", "talk")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_read_as_what_it_says(name: str) -> None:
    made, expected = CASES[name]
    assert read(Path(name), made()) == expected


def packed(**parts: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return target.getvalue()


def far_cell() -> bytes:
    """A sheet with values in its last column alone."""
    book = openpyxl.Workbook()
    for row in range(1, 250):
        book.worksheets[0].cell(row, 16_384).value = row
    return saved(book.save)


WRONG: dict[str, tuple[str, bytes | Callable[[], bytes], set[str]]] = {
    "an old workbook": ("x.xlsx", b"\xd0\xcf\x11\xe0" + b"x" * 99, {"file_binary"}),
    "an encrypted one": ("x.xlsx", b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), {"file_encrypted"}),
    "a bomb": ("x.xlsx", lambda: packed(**{f"{at}.xml": bytes(60_000_000) for at in range(4)}), {"file_too_large"}),
    "a bomb of slides": ("x.pptx", lambda: packed(**{f"{at}": bytes(9**8) for at in range(9)}), {"file_too_large"}),
    "no archive": ("x.pptx", b"PK no", {"file_broken"}),
    "a cell far away": ("x.xlsx", far_cell, {"file_too_large", "file_heavy", "file_slow"}),
    "a bomb of a filing": (
        "x.zip", lambda: packed(**{f"XBRL_TO_CSV/jp{at}.csv": bytes(6 * 10**7) for at in (1, 2)}), {"file_too_large"},
    ),
    "an archive of other files": ("x.zip", lambda: packed(**{"a.csv": b"1"}), {"file_binary"}),
    "an archive that is none": ("x.zip", b"PK no", {"file_broken"}),
    "no JSON": ("x.json", b"{no", {"file_broken"}),
    "lists in lists": ("x.json", b"[" * 400_000, {"file_broken"}),
    "an empty list": ("x.json", b"[]", {"file_empty"}),
    "no mail": ("x.eml", b"\x00\x01 nothing", {"file_broken"}),
    "no transcript": ("x.vtt", b"WEBVTT\n\nnothing\n", {"file_broken"}),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_read_says_why_and_harms_nobody(what: str) -> None:
    name, data, codes = WRONG[what]
    with pytest.raises(UnreadableFile) as caught:
        read_apart(Path(name), data if isinstance(data, bytes) else data())
    assert caught.value.code in codes


async def test_a_run_quotes_a_workbook_and_a_mail(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in ("book.xlsx", "prices.eml"):
        (folder / name).write_bytes(CASES[name][0]())
    settings = Settings(home=tmp_path / "home")
    report = await research.run("How many units were sold in the East?", library=folder, settings=settings)
    assert "120" in report.markdown
    assert {Path(row.url).name for row in report.sources.itertuples()} & {"book.xlsx", "prices.eml"}
