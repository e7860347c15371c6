"""EDINET on loopback: filings found by who filed them when, read from the archives it hands out, and its refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.core import Brief, SourceError, SourceKind
from research.settings import KeptService, Settings
from research.sources import FoundPage, Making, SearchRequest, provider
from research.sources.apis import KNOWN
from tests.support.edinet import archive, filed, listed
from tests.support.hostile_files import pdf_page, pdf_stream

KEY = "0123456789abcdef0123456789abcdef"
Listing = Callable[[str], list[dict[str, Any]]]


def is_due(day: str) -> bool:
    """Whether a day is the first one of work from the 18th of June on."""
    days = (date(int(day[:4]), 6, number) for number in (18, 19, 20))
    return day == next(one for one in days if one.weekday() < 5).isoformat()


def annual(day: str) -> list[dict[str, Any]]:
    """On one day the annual report, on the others what others filed."""
    if not is_due(day):
        return [filed("S100OTHR", "株式会社花王商店", day, secCode=None)]
    return [
        filed("S100VWVY", "トヨタ自動車株式会社", day),
        filed("S100SUBS", "トヨタ紡織株式会社", day, secCode="31160"),
        filed("S100FUND", "トヨタ自動車株式会社", day, ordinanceCode="030"),
        filed("S100GONE", "トヨタ自動車株式会社", day, withdrawalStatus="1"),
    ]


def serve(httpserver: HTTPServer, listing: Listing = annual) -> None:
    def answer(request: Request) -> Response:
        day = request.args["date"]
        return Response(json.dumps(listed(day, *listing(day))), content_type="application/json; charset=utf-8")

    httpserver.expect_request("/v2/documents.json").respond_with_handler(answer)
    httpserver.expect_request(
        "/v2/documents/S100VWVY", query_string={"type": "5", "Subscription-Key": KEY}
    ).respond_with_data(archive(), content_type="application/octet-stream")


async def search(httpserver: HTTPServer, query: str, limit: int = 1, home: Path = Path("/nowhere")) -> list[FoundPage]:
    """Search without a pause between requests, which EDINET itself is owed."""
    KNOWN.clear()
    kept = KeptService.of(base_url=httpserver.url_for("/v2"), key=KEY)
    making = Making(Brief(question="?"), Settings(home=home, services={"source_edinet": kept}))
    (source,) = provider("edinet").made(making).searched
    unhurried: Any = source
    found: list[FoundPage] = await replace(unhurried, service=replace(unhurried.service, gap=0.0)).search(
        SearchRequest(query, limit)
    )
    return found


@pytest.mark.parametrize("query", ["トヨタの2025年の売上高", "トヨタ自動車 営業利益", "7203の売上高は？"])
async def test_a_company_is_found_by_its_name_or_code(httpserver: HTTPServer, query: str) -> None:
    serve(httpserver)
    page, *others = await search(httpserver, query)
    assert page.url == "https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?S100VWVY"
    assert page.title == "トヨタ自動車株式会社 – 有価証券報告書－第122期(2025/04/01－2026/03/31)"
    assert (page.kind, page.origin, is_due(page.published or "")) == (SourceKind.COMPANY, "edinet", True)
    assert "売上高、経営指標等（連結）、2026年3月期: 48,036,704,000,000円" in page.text
    assert "## 事業の内容\n\n３【事業の内容】 自動車の設計、製造および販売を行っています。" in page.text
    assert not others


async def test_days_on_which_annual_reports_are_due_are_asked_about_first(httpserver: HTTPServer) -> None:
    serve(httpserver)
    await search(httpserver, "トヨタの売上高")
    days = [request.args["date"] for request, _ in httpserver.log if "date" in request.args]
    assert all(day[5:7] in ("03", "06") for day in days) and len(days) <= 20


async def test_who_is_not_named_is_not_found_and_the_days_asked_about_are_bounded(httpserver: HTTPServer) -> None:
    serve(httpserver)
    assert await search(httpserver, "日本の半導体市場の規模") == []
    assert len(httpserver.log) == 60


async def test_a_document_without_tables_is_read_as_pdf(httpserver: HTTPServer) -> None:
    serve(
        httpserver,
        lambda day: [filed("S100PDFS", "株式会社キーエンス", day, csvFlag="0")] if is_due(day) else [],
    )
    words = b"BT /F 12 Tf 50 700 Td (Annual report: sales rose to 1,059 billion yen.) Tj ET"
    paper = pdf_page(pdf_stream(words))
    httpserver.expect_request(
        "/v2/documents/S100PDFS", query_string={"type": "2", "Subscription-Key": KEY}
    ).respond_with_data(paper, content_type="application/pdf")
    (page,) = await search(httpserver, "キーエンスの売上高")
    assert "1,059 billion yen" in page.text


REFUSED = {"statusCode": 401, "message": "Access denied due to invalid subscription key."}
WRONG = {
    "a wrong key": (REFUSED, 401, {}, "search_unauthorized"),
    "a wrong key behind a good status": (REFUSED, 200, {}, "search_unauthorized"),
    "a failure behind a good status": ({"metadata": {"status": "500", "message": "Internal Server Error"}}, 200, {},
                                       "search_failed"),
    "busy for long": ({"statusCode": 429, "message": "Rate limit is exceeded."}, 429, {"Retry-After": "600"},
                      "search_quota"),
    "another form": ({"documents": []}, 200, {}, "search_failed"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
async def test_what_edinet_refuses_has_its_name(httpserver: HTTPServer, wrong: str) -> None:
    answer, status, headers, code = WRONG[wrong]
    httpserver.expect_request("/v2/documents.json").respond_with_json(answer, status=status, headers=headers)
    with pytest.raises(SourceError) as caught:
        await search(httpserver, "トヨタの売上高")
    assert caught.value.code == code and KEY not in str(caught.value) + caught.value.detail


@pytest.mark.parametrize(
    "answer",
    [(archive(name="elsewhere/x.csv"), "application/octet-stream"), (b"PK no archive", "application/octet-stream"),
     (json.dumps(REFUSED).encode(), "application/json")],
)  # fmt: skip
async def test_a_document_that_cannot_be_read_is_told(httpserver: HTTPServer, answer: tuple[bytes, str]) -> None:
    serve(httpserver, lambda day: [filed("S100BAAD", "トヨタ自動車株式会社", day)] if is_due(day) else [])
    httpserver.expect_request("/v2/documents/S100BAAD").respond_with_data(answer[0], content_type=answer[1])
    with pytest.raises(SourceError, match="S100BAAD") as caught:
        await search(httpserver, "トヨタの売上高")
    assert caught.value.code == "pages_unreadable"
