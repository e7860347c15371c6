"""OpenAI's web search on the wire: what is sent, and what is made of the answer."""

from datetime import date

import pytest
from pydantic import ValidationError

from research.core import PeriodChoice, Region
from research.sources import SearchRequest
from research.sources.model_search import OpenAISearch
from tests.support.search_provider import openai_answer

TODAY = date(2026, 11, 21)


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


def test_the_limits_of_the_brief_are_told() -> None:
    request = SearchRequest(
        "pumps",
        5,
        period=PeriodChoice.YEAR,
        region=Region.JAPAN,
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
