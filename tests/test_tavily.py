"""Searching the web with Tavily: what is asked, what becomes of the answer, and every way it can fail."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from research.core import PeriodChoice, Region, SourceError, SourceKind, SourceName, canonical_url
from research.settings import Settings
from research.sources import SearchRequest
from research.sources.web import TavilySource
from tests.support.services import access
from tests.support.tavily_server import Answer, Raw, Refusal, Results, TavilyServer, web_page

KEY = "tvly-secret-1234"
TODAY = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def running_server() -> Iterator[TavilyServer]:
    with TavilyServer() as server:
        yield server


@pytest.fixture
def server(running_server: TavilyServer) -> TavilyServer:
    running_server.forget()
    return running_server


@pytest.fixture
def source(server: TavilyServer, tmp_path: Path) -> TavilySource:
    return source_at(server.base_url, tmp_path)


def source_at(address: str, home: Path, key: str = KEY, **options: Any) -> TavilySource:
    settings = Settings(home=home, services=access(address, key, to="service_tavily"))
    return TavilySource(settings, now=lambda: TODAY, **options)


def asking(query: str = "pumps", **fields: Any) -> SearchRequest:
    return SearchRequest(**{"query": query, "limit": 5, **fields})


async def failure(source: TavilySource) -> SourceError:
    with pytest.raises(SourceError) as caught:
        await source.search(asking())
    return caught.value


# --- what is asked ---------------------------------------------------------------------------------------------


async def test_an_open_brief_asks_for_whole_pages_and_nothing_else(server: TavilyServer, source: TavilySource) -> None:
    await source.search(asking())
    request = server.requests[0]
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "query": "pumps",
        "topic": "general",
        "search_depth": "basic",
        "max_results": 5,
        "include_raw_content": "markdown",
    }


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"period": PeriodChoice.WEEK}, {"time_range": "week", "topic": "news"}),
        ({"period": PeriodChoice.MONTH}, {"time_range": "month", "topic": "general"}),
        ({"period": PeriodChoice.YEAR}, {"time_range": "year"}),
        ({"period": PeriodChoice.QUARTER}, {"start_date": "2026-08-21"}),
        ({"period": PeriodChoice.FIVE_YEARS}, {"start_date": "2021-11-20"}),
        ({"region": Region.JAPAN}, {"country": "japan"}),
        ({"region": Region.EUROPE}, {"country": None}),
        ({"region": Region.JAPAN, "period": PeriodChoice.WEEK}, {"country": None, "topic": "news"}),
        ({"preferred_sites": ("nasa.gov",)}, {"include_domains": ["nasa.gov"], "include_domains_mode": "prefer"}),
        ({"forbidden_sites": ("x.com",)}, {"exclude_domains": ["x.com"]}),
        ({"limit": 50}, {"max_results": 20}),
        ({"query": "  two\n words "}, {"query": "two words"}),
        ({"query": "word " * 100}, {"query": ("word " * 80).strip()}),
        ({"query": "電" * 500}, {"query": "電" * 400}),
    ],
)
async def test_the_brief_is_mapped_to_the_services_parameters(
    server: TavilyServer, source: TavilySource, fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    await source.search(asking(**fields))
    body = server.requests[0].body
    assert {name: body.get(name) for name in expected} == expected


async def test_depth_is_for_the_caller_to_choose(server: TavilyServer, tmp_path: Path) -> None:
    await source_at(server.base_url, tmp_path, depth="advanced").search(asking())
    assert server.requests[0].body["search_depth"] == "advanced"


async def test_a_server_that_needs_no_key_is_sent_none(server: TavilyServer, tmp_path: Path) -> None:
    await source_at(server.base_url, tmp_path, key="").search(asking())
    assert "Authorization" not in server.requests[0].headers


# --- what becomes of the answer --------------------------------------------------------------------------------


async def test_a_page_is_taken_over_clean(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(
        Results(
            web_page(
                "https://WWW.Example.go.jp:443/a/../report?utm_source=x&id=7#part",
                "Intro.\r\nThe market\x00 grew by 4 %.\n",
                title="The\u202e market\u200b\n report\x07",
                content="The market grew by 4 %. [...] not on the page",
                published_date="Tue, 18 Nov 2026 23:30:00 GMT",
            )
        )
    )
    (page,) = await source.search(asking())
    assert page.url == "https://www.example.go.jp/report?id=7"
    assert (page.site, page.kind, page.origin) == ("example.go.jp", SourceKind.GOVERNMENT, SourceName.WEB)
    assert page.title == "The market report"
    assert page.text == "Intro.\nThe market grew by 4 %.\n"
    assert [page.text[start:end] for start, end in page.passages] == ["The market grew by 4 %."]
    assert page.published == "2026-11-18"
    assert page.score == 0.9


async def test_where_the_page_is_missing_the_snippet_stands_for_it(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(Results(web_page("https://a.example/", None, content="All there is.")))
    (page,) = await source.search(asking())
    assert page.text == "All there is."


async def test_what_leads_nowhere_is_left_out(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(
        Results(
            web_page("javascript:alert(1)", "x"),
            web_page("file:///etc/passwd", "x"),
            web_page("https://empty.example/", " ", content=""),
            web_page("https://sub.forbidden.example/", "x"),
            {"title": "no address"},
            web_page("https://a.example/?fbclid=1", "first", title=None),
            web_page("https://a.example/#again", "second"),
        )
    )
    (page,) = await source.search(asking(forbidden_sites=("forbidden.example",)))
    assert (page.url, page.text, page.title) == ("https://a.example/", "first", "a.example")


async def test_no_more_pages_than_asked_for_and_none_is_endless(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(Results(*(web_page(f"https://{number}.example/", "x" * 1_200_000) for number in range(4))))
    pages = await source.search(asking(limit=2))
    assert [len(page.text) for page in pages] == [1_000_000] * 2


async def test_half_a_character_does_not_survive(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(Results(web_page("https://a.example/", "before\ud83dafter")))
    (page,) = await source.search(asking())
    assert page.text == "beforeafter"


async def test_no_results_are_no_failure(source: TavilySource) -> None:
    assert await source.search(asking()) == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-11-18T08:00:00Z", "2026-11-18"),
        ("2026-11", "2026-11"),
        ("2026", "2026"),
        ("yesterday", None),
        ("2026-13-01", None),
        ("", None),
        (None, None),
    ],
)
async def test_dates_are_read_as_written(
    server: TavilyServer, source: TavilySource, written: str | None, expected: str | None
) -> None:
    server.enqueue(Results(web_page("https://a.example/", "x", published_date=written)))
    assert (await source.search(asking()))[0].published == expected


# --- every way it can fail -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code", "requests"),
    [
        (400, "search_bad_request", 1),
        (401, "search_unauthorized", 1),
        (403, "search_unauthorized", 1),
        (432, "search_quota", 1),
        (433, "search_quota", 1),
        (404, "search_failed", 1),
        (302, "search_failed", 1),
        (500, "search_failed", 2),
        (503, "search_failed", 2),
    ],
)
async def test_refusals_have_names_and_only_the_servers_own_are_tried_again(
    server: TavilyServer, source: TavilySource, status: int, code: str, requests: int
) -> None:
    server.handler = lambda _: Refusal(status, f"no, {KEY}")
    error = await failure(source)
    assert (error.code, len(server.requests)) == (code, requests)
    assert str(status) in error.detail
    assert KEY not in error.detail


async def test_an_error_that_passes_is_not_noticed(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(Refusal(500), Results(web_page("https://a.example/", "x")))
    assert len(await source.search(asking())) == 1


@pytest.mark.parametrize("written", ["0.4", "date"])
async def test_a_short_retry_after_is_waited_for(server: TavilyServer, source: TavilySource, written: str) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=1.9), usegmt=True)
    server.enqueue(Refusal(429, retry_after=when if written == "date" else written))
    server.enqueue(Results(web_page("https://a.example/", "x")))
    assert len(await source.search(asking())) == 1
    assert server.requests[1].at - server.requests[0].at >= 0.4


async def test_a_long_retry_after_is_not(server: TavilyServer, source: TavilySource) -> None:
    server.enqueue(Refusal(429, retry_after="3600"))
    assert (await failure(source)).code == "search_quota"
    assert len(server.requests) == 1


async def test_a_quota_that_stays_used_up_ends_after_the_second_try(server: TavilyServer, source: TavilySource) -> None:
    server.handler = lambda _: Refusal(429, retry_after="0")
    assert (await failure(source)).code == "search_quota"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "nonsense", [Raw("<html>"), Raw("[]"), Raw("null"), Raw('{"results": "none"}'), Raw('{"results": [1, 2]}'), Raw("")]
)
async def test_nonsense_is_a_failure_and_not_a_crash(
    server: TavilyServer, source: TavilySource, nonsense: Answer
) -> None:
    server.enqueue(nonsense)
    assert (await failure(source)).code == "search_failed"


async def test_a_slow_answer_is_given_up(server: TavilyServer, tmp_path: Path) -> None:
    server.enqueue(Results(seconds=3))
    assert (await failure(source_at(server.base_url, tmp_path, timeout_seconds=0.1))).code == "search_timeout"


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert (await failure(source_at(address, tmp_path))).code == "search_unreachable"


@pytest.mark.parametrize("address", ["localhost", "http://[broken", "http://host:99999999"])
async def test_an_address_that_is_none(tmp_path: Path, address: str) -> None:
    assert (await failure(source_at(address, tmp_path))).code == "search_unreachable"


async def test_a_key_that_cannot_be_sent(server: TavilyServer, tmp_path: Path) -> None:
    assert (await failure(source_at(server.base_url, tmp_path, key="ｔｖｌｙ－全角"))).code == "search_unauthorized"


async def test_many_queries_at_once_and_one_failing_costs_only_itself(
    server: TavilyServer, source: TavilySource
) -> None:
    def answer(asked: Any) -> Answer:
        query = asked.body["query"]
        if query == "bad":
            return Refusal(400)
        if query != "later":
            together.wait(timeout=30)
        return Results(web_page(f"https://{query}.example/", "x"))

    together = threading.Barrier(3)
    server.handler = answer
    found = await asyncio.gather(
        *(source.search(asking(query)) for query in ("one", "bad", "two", "three")), return_exceptions=True
    )
    assert [isinstance(result, SourceError) for result in found] == [False, True, False, False]
    assert len(await source.search(asking("later"))) == 1, "connections open again when they are needed"


# --- addresses and kinds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("HTTP://Example.com", "http://example.com/"),
        ("https://example.com/a/./b/../c?x=1&gclid=2", "https://example.com/a/c?x=1"),
        ("https://example.com/?q=%E6%97%A5&utm_campaign=y", "https://example.com/?q=%E6%97%A5"),
        ("https://日本.example/道", "https://xn--wgv71a.example/%E9%81%93"),
        ("https://user:password@example.com/", "https://example.com/"),
        ("https://example.com:8443/#x", "https://example.com:8443/"),
        (" https://example.com/x ", "https://example.com/x"),
        ("ftp://example.com/", None),
        ("data:text/html,x", None),
        ("//example.com/", None),
        ("https://", None),
        ("https://[::1", None),
        ("https://example.com/" + "x" * 5_000, None),
        ("", None),
    ],
)
def test_the_same_page_has_one_address(address: str, expected: str | None) -> None:
    assert canonical_url(address) == expected
    if expected is not None:
        assert canonical_url(expected) == expected
