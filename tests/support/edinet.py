"""Filings as EDINET hands them out: the list of a day, and a document's archive of tables."""

from __future__ import annotations

import csv
import io
import zipfile
from typing import Any

_COLUMNS = ("要素ID", "項目名", "コンテキストID", "相対年度", "連結・個別", "期間・時点", "ユニットID", "単位", "値")
_DEI = ("FilingDateInstant", "提出日時点", "その他", "時点", "－", "－")
_SALES = "売上高、経営指標等"
ROWS = (
    ("jpdei_cor:FilerNameInJapaneseDEI", "提出者名（日本語表記）、DEI", *_DEI, "トヨタ自動車株式会社"),
    ("jpdei_cor:CurrentFiscalYearEndDateDEI", "当事業年度終了日、DEI", *_DEI, "2026-03-31"),
    ("jpcrp_cor:Sales", _SALES, "CurrentYearDuration", "当期", "連結", "期間", "JPY", "円", "48036704000000"),
    ("jpcrp_cor:Sales", _SALES, "Prior1YearDuration", "前期", "連結", "期間", "JPY", "円", "45095325000000"),
    ("jpcrp_cor:Sales", _SALES, "CurrentYearDuration_AMember", "当期", "連結", "期間", "JPY", "円", "43199855000000"),
    ("jpcrp_cor:Employees", "従業員数", "CurrentYearInstant_NonConsolidatedMember", "当期末", "個別", "時点", "pure",
     "－", "71515"),
    ("jpcrp_cor:Ratio", "自己資本比率", "Prior4YearInstant", "四期前時点", "連結", "時点", "pure", "", "－"),
    ("jpcrp_cor:BusinessTextBlock", "事業の内容 [テキストブロック]", *_DEI,
     "３【事業の内容】  自動車の設計、製造および販売を行っています。"),
)  # fmt: skip
"""Rows of an annual report: what it is, figures of the whole and of a segment, one without a value, a passage."""


def archive(
    *rows: tuple[str, ...], name: str = "XBRL_TO_CSV/jpcrp030000-asr-001_E02144-000_2026-03-31_01.csv"
) -> bytes:
    """Return a document of type 5: tables separated by tabs, quoted, in UTF-16 with its mark; and the auditors' own."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows((_COLUMNS, *(rows or ROWS)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(name, text.getvalue().encode("utf-16"))
        parts.writestr("XBRL_TO_CSV/jpaud-aar-cn-001_E02144-000_2026-03-31_01.csv", "x".encode("utf-16"))
    return packed.getvalue()


def filed(number: str, filer: str, on: str, **other: Any) -> dict[str, Any]:
    """Return a document as the list of a day tells it."""
    return {
        "seqNumber": 1, "docID": number, "edinetCode": "E02144", "secCode": "72030", "JCN": "1180301018771",
        "filerName": filer, "fundCode": None, "ordinanceCode": "010", "formCode": "030000", "docTypeCode": "120",
        "periodStart": "2025-04-01", "periodEnd": "2026-03-31", "submitDateTime": f"{on} 15:00",
        "docDescription": "有価証券報告書－第122期(2025/04/01－2026/03/31)", "withdrawalStatus": "0",
        "docInfoEditStatus": "0", "disclosureStatus": "0", "xbrlFlag": "1", "pdfFlag": "1", "csvFlag": "1",
        "legalStatus": "1",
    } | other  # fmt: skip


def listed(day: str, *documents: dict[str, Any]) -> dict[str, Any]:
    """Return the list of a day."""
    about = {
        "title": "提出された書類を把握するためのAPI", "parameter": {"date": day, "type": "2"},
        "resultset": {"count": len(documents)}, "processDateTime": f"{day} 16:00", "status": "200", "message": "OK",
    }  # fmt: skip
    return {"metadata": about, "results": list(documents)}
