"""Checking servers: every way in which one can answer, or not, has its sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer

from research.checks import Check, Outcome, check_models, check_search
from research.language import Language
from research.settings import Settings
from tests.openai_server import Answer, Failure, OpenAIServer, Text
from tests.tavily_server import Raw, Refusal, Results, TavilyServer, web_page

KEY = "sk-0123456789-secret"
NOBODY = "http://127.0.0.1:1"


def models(address: str | None, key: str | None = KEY, *, seconds: float = 5.0) -> Check:
    secret = SecretStr(key) if key else None
    return check_models(Settings(home=Path(), openai_base_url=address, openai_api_key=secret), "small", seconds=seconds)


def web(address: str | None, key: str | None = KEY, *, seconds: float = 5.0) -> Check:
    secret = SecretStr(key) if key else None
    return check_search(Settings(home=Path(), tavily_base_url=address, tavily_api_key=secret), seconds=seconds)


def page_of_html(server: HTTPServer) -> str:
    server.expect_request(re.compile(".*")).respond_with_data("<html>Hello</html>", content_type="text/html")
    return server.url_for("/v1")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Text("OK"), Outcome.WORKS),
        (Failure(401, f"Incorrect API key provided: {KEY}"), Outcome.REFUSED),
        (Failure(403, "No access."), Outcome.REFUSED),
        (Failure(429, "You exceeded your current quota.", code="insufficient_quota"), Outcome.QUOTA),
        (Failure(402), Outcome.QUOTA),
        (Failure(404, "The model `small` does not exist", code="model_not_found"), Outcome.NO_MODEL),
        (Failure(400), Outcome.FAILED),
        (Failure(500), Outcome.FAILED),
    ],
)
def test_what_a_server_of_models_answers_has_its_outcome(reply: Answer | Failure, outcome: Outcome) -> None:
    with OpenAIServer() as server:
        server.enqueue(reply)
        check = models(server.base_url)
        assert check.outcome is outcome
        assert KEY not in repr(check)
        assert len(server.requests) == 1, "a check is one call, without retries"
        assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_a_server_without_keys_is_used_without_one() -> None:
    with OpenAIServer() as server:
        server.enqueue(Text("OK"), Failure(401))
        assert models(server.base_url, None).works
        assert models(server.base_url, None).outcome is Outcome.KEY_MISSING


def test_the_models_on_offer_are_listed(httpserver: HTTPServer) -> None:
    offer = {"data": [{"id": "small"}, {"id": "large"}, {"id": 3}, "nonsense", {"id": ""}]}
    httpserver.expect_request("/v1/models").respond_with_json(offer)
    httpserver.expect_request("/v1/chat/completions").respond_with_json({"choices": [{}]})
    check = models(httpserver.url_for("/v1"))
    assert check.works and check.models == ("large", "small")


def test_a_key_that_may_not_list_models_is_still_good(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/models").respond_with_data("{}", status=403)
    httpserver.expect_request("/v1/chat/completions").respond_with_json({"choices": [{}]})
    assert models(httpserver.url_for("/v1")).works


def test_a_wrong_path_is_told_from_a_missing_model(httpserver: HTTPServer) -> None:
    httpserver.expect_request(re.compile(".*")).respond_with_data("Not Found", status=404)
    assert models(httpserver.url_for("/")).outcome is Outcome.FOREIGN


@pytest.mark.parametrize("answer", ["[]", "{}", "null", '{"data": 1}', "\xff"])
def test_other_kinds_of_servers_are_told_apart(httpserver: HTTPServer, answer: str) -> None:
    httpserver.expect_request(re.compile(".*")).respond_with_data(answer, content_type="application/json")
    assert models(httpserver.url_for("/v1")).outcome is Outcome.FOREIGN


def test_pages_of_html_are_no_answers(httpserver: HTTPServer) -> None:
    address = page_of_html(httpserver)
    assert models(address).outcome is Outcome.FOREIGN
    assert web(address).outcome is Outcome.FOREIGN


@pytest.mark.parametrize("address", [NOBODY, "http://no-such-host.invalid/v1"])
def test_where_nobody_answers_it_says_so(address: str) -> None:
    assert models(address).outcome is Outcome.UNREACHABLE
    assert web(address).outcome is Outcome.UNREACHABLE


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:99999/v1", "http://[::1/v1", "ftp://a.example"])
def test_what_is_no_address_is_not_asked(address: str) -> None:
    assert models(address).outcome is Outcome.NO_ADDRESS
    assert web(address).outcome is Outcome.NO_ADDRESS


def test_a_check_does_not_wait_for_ever() -> None:
    with OpenAIServer() as server, TavilyServer() as tavily:
        server.enqueue(Text("OK", seconds=0.6))
        tavily.enqueue(Results(seconds=0.6))
        assert models(server.base_url, seconds=0.2).outcome is Outcome.TIMEOUT
        assert web(tavily.base_url, seconds=0.2).outcome is Outcome.TIMEOUT


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Results(web_page("https://a.example/", "Text.")), Outcome.WORKS),
        (Results(), Outcome.WORKS),
        (Refusal(401, f"The key {KEY} is wrong."), Outcome.REFUSED),
        (Refusal(432), Outcome.QUOTA),
        (Refusal(429), Outcome.QUOTA),
        (Refusal(500), Outcome.FAILED),
        (Refusal(404), Outcome.FOREIGN),
        (Raw("[]"), Outcome.FOREIGN),
        (Raw("nonsense"), Outcome.FOREIGN),
    ],
)
def test_what_the_search_answers_has_its_outcome(reply: Results | Refusal | Raw, outcome: Outcome) -> None:
    with TavilyServer() as server:
        server.enqueue(reply)
        check = web(server.base_url)
        assert check.outcome is outcome
        assert KEY not in repr(check)
        assert len(server.requests) == 1
        assert server.requests[0].body["max_results"] == 1


def test_a_search_that_asks_for_a_key_says_so() -> None:
    with TavilyServer() as server:
        server.enqueue(Refusal(401))
        assert web(server.base_url, None).outcome is Outcome.KEY_MISSING


def test_without_key_and_address_nothing_is_asked() -> None:
    assert models(None, None).outcome is Outcome.NOT_SET
    assert web(None, None).outcome is Outcome.NOT_SET


def test_a_key_that_cannot_be_sent_is_refused() -> None:
    assert models(NOBODY, "ｓｋ－全角").outcome is Outcome.REFUSED
    assert web(NOBODY, "ｓｋ－全角").outcome is Outcome.REFUSED


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_words_in_both_languages(outcome: Outcome) -> None:
    said = [Check(outcome, subject="small").words(language) for language in Language]
    assert len(set(said)) == 2 and all(said) and not any("{" in text for text in said)
