"""The web through a model's own search: which of the pages that it names are read, and every way it can fail."""

import time
from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research import core
from research.core.errors import PROBLEMS
from research.sources import FoundPage, SearchRequest
from research.sources.fetching import published_on
from research.sources.model_search import AnthropicSearch, Dialect, OpenAISearch
from tests.support.scripted import ScriptedAnalyst, run_scripted
from tests.support.search_provider import KEY, Provider, anthropic_answer, openai_answer

OPENAI_MODEL = "gpt-5.4-mini"
TEXT = "The pump market grew by 4.2% in 2025."


@pytest.fixture
def provider(httpserver: HTTPServer) -> Provider:
    return Provider(httpserver)


def asking(query: str = "pumps", **fields: Any) -> SearchRequest:
    return SearchRequest(**{"query": query, "limit": 2, **fields})


def named(provider: Provider, *paths: str) -> list[str]:
    return [provider.address(path) for path in paths]


def slowly(_: Request) -> Response:
    time.sleep(0.4)
    return Response("{}")


async def found(provider: Provider, dialect: Dialect | None = None, **fields: Any) -> list[FoundPage]:
    return await provider.source(dialect or OpenAISearch("gpt-5.4-mini")).search(asking(**fields))


async def failure(provider: Provider, dialect: Dialect | None = None, **options: Any) -> core.SourceError:
    with pytest.raises(core.SourceError) as caught:
        await provider.source(dialect or OpenAISearch("gpt-5.4-mini"), **options).search(asking())
    assert caught.value.code in PROBLEMS
    return caught.value


async def test_the_pages_that_the_search_named_are_read_whole(provider: Provider) -> None:
    provider.pages = {"/a": TEXT, "/b": TEXT * 2}
    provider.answers.append(openai_answer(*named(provider, "/a", "/b")))
    pages = await found(provider)
    assert [(page.url, page.text, page.origin) for page in pages] == [
        (provider.address("/a"), TEXT, core.SourceName.WEB),
        (provider.address("/b"), TEXT * 2, core.SourceName.WEB),
    ]
    assert pages[0].score > pages[1].score > 0
    assert pages[0].title == pages[0].site == "127.0.0.1"


async def test_only_as_many_pages_are_fetched_as_are_wanted(provider: Provider) -> None:
    provider.pages = dict.fromkeys(("/a", "/b", "/c"), TEXT)
    provider.answers.append(openai_answer(*named(provider, "/a", "/b", "/c", "/a")))
    assert len(await found(provider)) == 2
    assert sorted(provider.fetched) == ["/a", "/b"]


async def test_for_a_page_that_cannot_be_read_the_next_one_is(provider: Provider) -> None:
    provider.pages = {"/b": TEXT, "/d": TEXT}
    provider.answers.append(openai_answer(*named(provider, "/gone", "/b", "/gone-too", "/d", "/e")))
    assert [page.url for page in await found(provider)] == named(provider, "/b", "/d")


async def test_there_is_an_end_to_trying(provider: Provider) -> None:
    provider.answers.append(openai_answer(*(provider.address(f"/{number}") for number in range(40))))
    error = await failure(provider)
    assert (error.code, len(provider.fetched)) == ("pages_unreadable", 6)


async def test_addresses_that_lead_inside_are_named_in_vain(provider: Provider) -> None:
    provider.pages = {"/a": TEXT}
    inside = ("http://127.0.0.2/", "http://[::1]/", "file:///etc/passwd", "javascript:alert(1)", "http://")
    provider.answers.append(openai_answer(*inside, provider.address("/a")))
    assert [page.url for page in await found(provider)] == [provider.address("/a")]


async def test_nothing_found_is_no_error(provider: Provider) -> None:
    provider.answers.append(openai_answer())
    assert await found(provider) == []


async def test_pages_that_are_known_to_be_too_old_are_left_out(provider: Provider) -> None:
    ages = (("/new", "November 2, 2026"), ("/old", "March 1, 2026"), ("/undated", None), ("/recent", "3 days ago"))
    provider.pages = {path: TEXT for path, _ in ages}
    provider.answers.append(anthropic_answer(*((provider.address(path), path, age) for path, age in ages)))
    pages = await found(provider, AnthropicSearch("claude-haiku-4-5"), limit=4, period=core.PeriodChoice.MONTH)
    assert [(page.title, page.published) for page in pages] == [
        ("/new", "2026-11-02"),
        ("/undated", None),
        ("/recent", "2026-11-18"),
    ]


async def test_forbidden_sites_are_not_even_fetched_and_preferred_ones_come_first(provider: Provider) -> None:
    provider.pages = {"/a": TEXT, "/b": TEXT}
    other = provider.address("/b").replace("127.0.0.1", "localhost")
    provider.answers.append(openai_answer(provider.address("/a"), other))
    assert [page.url for page in await found(provider, forbidden_sites=("127.0.0.1",))] == [other]
    assert provider.fetched == ["/b"]
    pages = await found(provider, preferred_sites=("localhost",))
    assert [page.site for page in pages] == ["localhost", "127.0.0.1"]


async def test_a_redirect_to_a_forbidden_site_is_left_out(provider: Provider) -> None:
    target = provider.address("/b").replace("127.0.0.1", "localhost")
    provider.pages = {"/a": Response(status=302, headers={"Location": target}), "/b": TEXT}
    provider.answers.append(openai_answer(provider.address("/a")))
    assert await found(provider, forbidden_sites=("localhost",)) == []


@pytest.mark.parametrize(
    "dialect", [OpenAISearch("gpt-5.4-mini"), AnthropicSearch("claude-haiku-4-5")], ids=["openai", "anthropic"]
)
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "search_unsupported"),
        (401, "search_unauthorized"),
        (403, "search_unauthorized"),
        (404, "search_unsupported"),
        (501, "search_unsupported"),
        (418, "search_failed"),
    ],
)
async def test_each_refusal_has_its_name_and_keeps_the_key(
    provider: Provider, dialect: Dialect, status: int, code: str
) -> None:
    # A second try of what failed on the server is asked for at once.
    refusal = Response(f"No: {KEY}", status=status, headers={"Retry-After": "0"})
    provider.answers.append(refusal)
    error = await failure(provider, dialect)
    assert error.code == code
    assert KEY not in error.detail
    assert [(call.error, call.cost_usd) for call in provider.calls] == [(code, 0.0)]


@pytest.mark.parametrize("body", ["no JSON", "[]", "null", '{"output": 7}', '{"output": [{"content": "x"}]}'])
@pytest.mark.parametrize(
    "dialect", [OpenAISearch("gpt-5.4-mini"), AnthropicSearch("claude-haiku-4-5")], ids=["openai", "anthropic"]
)
async def test_nonsense_is_a_failed_search(provider: Provider, dialect: Dialect, body: str) -> None:
    provider.answers.append(Response(body, content_type="application/json"))
    assert (await failure(provider, dialect)).code == "search_failed"


async def test_a_run_quotes_what_was_fetched_and_counts_what_the_search_cost(provider: Provider) -> None:
    provider.pages = {"/a": f"{TEXT} Prices were stable."}
    provider.answers.append(openai_answer(*named(provider, "/a", "/gone")))
    _, journal = await run_scripted(ScriptedAnalyst(topics=("Pumps",)), provider.source(OpenAISearch("gpt-5.4-mini")))
    assert [page.url for page in journal.pages.values()] == named(provider, "/a")
    assert {entry.quote for entry in journal.of(core.EvidenceFound)} == {TEXT}
    assert not journal.of(core.ProblemOccurred)
    (call,) = provider.calls
    assert (call.role, call.model, call.input_tokens, call.output_tokens) == (
        core.Role.RESEARCH,
        OPENAI_MODEL,
        9000,
        200,
    )
    tokens_usd = core.price_usd(OPENAI_MODEL, 9000, 200, cached_tokens=1000)
    assert tokens_usd is not None and call.cost_usd == pytest.approx(tokens_usd + 0.01)


class OneCall:
    """A cap that leaves room for one call, and remembers what it was asked."""

    def __init__(self, seconds: float = 60.0) -> None:
        self.seconds = seconds
        self.planned: list[core.PlannedCall] = []
        self.closed: list[core.ModelCalled] = []

    async def admit(self, call: core.PlannedCall) -> core.Admission:
        if self.planned:
            raise core.CapReached("spent")
        self.planned.append(call)
        return self

    def close(self, call: core.ModelCalled) -> None:
        self.closed.append(call)


async def test_a_search_that_the_cap_leaves_no_room_for_is_not_made(provider: Provider) -> None:
    provider.answers.append(openai_answer())
    cap = OneCall()
    source = provider.source(OpenAISearch("gpt-5.4-mini"), admit=cap.admit)
    assert await source.search(asking()) == []
    assert [(call.role, call.model) for call in cap.planned] == [(core.Role.RESEARCH, OPENAI_MODEL)]
    assert cap.closed == provider.calls
    with pytest.raises(core.SourceError) as caught:
        await source.search(asking())
    assert (caught.value.code, len(provider.asked)) == ("cap_reached", 1)


async def test_a_search_ends_when_the_time_of_the_run_does(httpserver: HTTPServer, provider: Provider) -> None:
    httpserver.clear()
    httpserver.expect_request("/responses").respond_with_handler(slowly)
    cap = OneCall(seconds=0.1)
    with pytest.raises(core.SourceError) as caught:
        await provider.source(OpenAISearch("gpt-5.4-mini"), admit=cap.admit).search(asking())
    assert caught.value.code == "cap_reached"
    assert [call.error for call in cap.closed] == ["cap_reached"]


# --- anthropic's web search on the wire ------------------------------------------------------------------------------


TODAY = date(2026, 11, 21)


def test_one_search_is_asked_of_anthropic() -> None:
    body = AnthropicSearch("claude-haiku-4-5").body(SearchRequest("pump market", 5), TODAY)
    assert body["tools"] == [{"type": "web_search_20250305", "name": "web_search", "max_uses": 1}]
    assert body["max_tokens"] > 0
    told = body["messages"][0]["content"]
    assert "<query>\npump market\n</query>" in told and "2026-11-21" in told


def test_the_limits_of_the_brief_are_told_to_anthropic() -> None:
    sites = tuple(f"s{number}.example" for number in range(60))
    request = SearchRequest("pumps", 5, period=core.PeriodChoice.MONTH, region=core.Region.INDIA, forbidden_sites=sites)
    body = AnthropicSearch("some-model").body(request, TODAY)
    assert body["model"] == "some-model"
    assert body["tools"][0]["user_location"] == {"type": "approximate", "country": "IN"}
    assert body["tools"][0]["blocked_domains"] == list(sites[:50])
    assert "2026-10-21" in body["messages"][0]["content"]


def test_results_are_pages_with_title_and_age() -> None:
    answer = AnthropicSearch("claude-haiku-4-5").answer(anthropic_answer(("https://a.example/", "A", "April 30, 2025")))
    (page,) = answer.pages
    assert (page.url, page.title, page.age) == ("https://a.example/", "A", "April 30, 2025")
    assert (answer.searched, answer.input_tokens, answer.output_tokens, answer.cached_tokens) == (True, 8500, 100, 500)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("too_many_requests", "search_quota"),
        ("query_too_long", "search_bad_request"),
        ("unavailable", "search_failed"),
        ("something_new", "search_failed"),
    ],
)
def test_what_kept_the_service_from_searching_has_its_name(said: str, code: str) -> None:
    assert AnthropicSearch("claude-haiku-4-5").answer(anthropic_answer(error=said)).error == code


def test_one_search_too_many_does_not_spoil_the_first() -> None:
    body = anthropic_answer(("https://a.example/", "A", None))
    body["content"] += anthropic_answer(error="max_uses_exceeded")["content"]
    answer = AnthropicSearch("claude-haiku-4-5").answer(body)
    assert (len(answer.pages), answer.error) == (1, "")


def test_a_model_that_only_talks_has_not_searched() -> None:
    answer = AnthropicSearch("claude-haiku-4-5").answer({"content": [{"type": "text", "text": "Pumps move water."}]})
    assert not answer.searched and not answer.pages


@pytest.mark.parametrize(
    ("age", "published"),
    [
        ("April 30, 2025", "2025-04-30"),
        ("Sept. 1 2025", "2025-09-01"),
        ("2025-04-30", "2025-04-30"),
        ("5 hours ago", "2026-11-21"),
        ("1 day ago", "2026-11-20"),
        ("2 weeks ago", "2026-11-07"),
        ("11 months ago", "2025-12"),
        ("3 years ago", "2023"),
        ("February 31, 2025", None),
        ("Foo 3, 2025", None),
        ("recently", None),
        ("", None),
    ],
)
def test_ages_in_words_are_dates(age: str, published: str | None) -> None:
    assert published_on(age, TODAY) == published


# --- openAI's web search on the wire ---------------------------------------------------------------------------------


def test_one_search_is_asked_for_and_nothing_is_kept_by_the_provider() -> None:
    body = OpenAISearch("gpt-5.4-mini").body(SearchRequest("pump market", 5), TODAY)
    assert body["tools"] == [
        {"type": "web_search", "search_context_size": "low", "user_location": {"type": "approximate"}}
    ]
    assert (body["tool_choice"], body["max_tool_calls"], body["store"]) == ("required", 1, False)
    assert body["include"] == ["web_search_call.action.sources"]
    assert "<query>\npump market\n</query>" in body["input"]
    assert "2026-11-21" in body["input"]
    assert "wanted" not in body["input"] and "sites" not in body["input"]


def test_the_limits_of_the_brief_are_told_to_openai() -> None:
    request = SearchRequest(
        "pumps",
        5,
        period=core.PeriodChoice.YEAR,
        region=core.Region.JAPAN,
        preferred_sites=("stat.go.jp",),
        forbidden_sites=("x.example", "y.example"),
    )
    body = OpenAISearch("some-model").body(request, TODAY)
    assert body["model"] == "some-model"
    assert body["tools"][0]["user_location"] == {"type": "approximate", "country": "JP"}
    for told in ("2025-11-20", "about Japan", "stat.go.jp", "x.example, y.example"):
        assert told in body["input"]


def test_cited_pages_come_first_and_with_their_titles() -> None:
    answer = OpenAISearch("gpt-5.4-mini").answer(
        openai_answer(
            "https://a.example/", "https://b.example/", cited=(("https://b.example/?utm_source=openai", "B"),)
        )
    )
    assert [(page.url, page.title) for page in answer.pages] == [
        ("https://b.example/?utm_source=openai", "B"),
        ("https://a.example/", ""),
        ("https://b.example/", ""),
    ]
    assert (answer.searched, answer.input_tokens, answer.output_tokens, answer.cached_tokens) == (True, 9000, 200, 1000)


def test_an_address_that_the_model_wrote_and_the_search_did_not_find_is_left_out() -> None:
    answer = OpenAISearch("gpt-5.4-mini").answer(
        openai_answer("https://a.example/", cited=(("https://evil.example/?q=1", "E"),))
    )
    assert [page.url for page in answer.pages] == ["https://a.example/"]


def test_pages_that_the_model_opened_by_itself_are_left_out() -> None:
    body = openai_answer("https://a.example/")
    body["output"].append({"type": "web_search_call", "action": {"type": "open_page", "url": "https://evil.example/"}})
    assert [page.url for page in OpenAISearch("gpt-5.4-mini").answer(body).pages] == ["https://a.example/"]


def test_servers_that_name_no_sources_are_known_by_their_citations() -> None:
    answer = OpenAISearch("gpt-5.4-mini").answer(openai_answer(cited=(("https://a.example/", "A"),)))
    assert [page.url for page in answer.pages] == ["https://a.example/"]


def test_a_server_that_ignores_the_tool_has_not_searched() -> None:
    body = openai_answer()
    del body["output"][1]
    assert not OpenAISearch("gpt-5.4-mini").answer(body).searched


def test_a_failed_answer_is_an_error_and_one_without_usage_is_none() -> None:
    assert OpenAISearch("gpt-5.4-mini").answer(openai_answer(status="failed")).error == "search_failed"
    assert OpenAISearch("gpt-5.4-mini").answer(openai_answer(usage=None)).input_tokens == 0
    with pytest.raises(ValidationError):
        OpenAISearch("gpt-5.4-mini").answer({"choices": []})
