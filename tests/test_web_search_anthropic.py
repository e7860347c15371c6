"""Anthropic's web search on the wire: what is sent, and what is made of the answer."""

from datetime import date

import pytest

from research.core import PeriodChoice, Region
from research.sources import SearchRequest
from research.sources.model_search import AnthropicSearch, published_on
from tests.support.search_provider import anthropic_answer

TODAY = date(2026, 11, 21)


def test_one_search_is_asked_for() -> None:
    body = AnthropicSearch("claude-haiku-4-5").body(SearchRequest("pump market", 5), TODAY)
    assert body["tools"] == [{"type": "web_search_20250305", "name": "web_search", "max_uses": 1}]
    assert body["max_tokens"] > 0
    told = body["messages"][0]["content"]
    assert "<query>\npump market\n</query>" in told and "2026-11-21" in told


def test_the_limits_of_the_brief_are_told() -> None:
    sites = tuple(f"s{number}.example" for number in range(60))
    request = SearchRequest("pumps", 5, period=PeriodChoice.MONTH, region=Region.INDIA, forbidden_sites=sites)
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
