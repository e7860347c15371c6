"""Checking servers: every way in which one can answer, or not, has its sentence."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.language import Language
from research.settings import Settings, WebSearch
from research.sources.checks import Check, CheckOutcome, check_search
from research.sources.model_checks import check_models
from tests.support.openai_server import Answer, Failure, OpenAIServer, Text
from tests.support.search_provider import anthropic_answer, openai_answer
from tests.support.services import access
from tests.support.tavily_server import Raw, Refusal, Results, TavilyServer, web_page

KEY = "sk-0123456789-secret"
WHOLE = {
    "id": "c", "object": "chat.completion", "created": 1, "model": "small",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "OK"}, "finish_reason": "stop"}],
}  # fmt: skip
"""An answer of a server that sends none in pieces."""
NOBODY = "http://127.0.0.1:1"


def models(address: str | None, key: str | None = KEY, *, seconds: float = 5.0) -> Check:
    return check_models(Settings(home=Path(), services=access(address, key)), "small", seconds=seconds)


def web(address: str | None, key: str | None = KEY, *, seconds: float = 5.0) -> Check:
    settings = Settings(home=Path(), services=access(address, key, to="service_tavily"))
    return check_search(settings, WebSearch.TAVILY, seconds=seconds)


def anthropic(address: str | None, key: str | None = KEY, *, seconds: float = 5.0, **more: str) -> Check:
    settings = Settings(home=Path(), services=access(address, key, to="provider_anthropic"), **more)
    return check_search(settings, WebSearch.ANTHROPIC, seconds=seconds)


def openai(address: str | None, key: str | None = KEY, *, seconds: float = 5.0, **more: str) -> Check:
    settings = Settings(home=Path(), services=access(address, key), **more)
    return check_search(settings, WebSearch.OPENAI, seconds=seconds)


EVERY = (models, web, anthropic, openai)
"""Whatever can be checked."""


def outcomes(address: str | None, key: str | None = KEY) -> set[CheckOutcome]:
    return {check(address, key).outcome for check in EVERY}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Text("OK"), CheckOutcome.WORKS),
        (Failure(401, f"Incorrect API key provided: {KEY}"), CheckOutcome.REFUSED),
        (Failure(403, "No access."), CheckOutcome.REFUSED),
        (Failure(429, "You exceeded your current quota.", code="insufficient_quota"), CheckOutcome.QUOTA),
        (Failure(402), CheckOutcome.QUOTA),
        (Failure(404, "The model `small` does not exist", code="model_not_found"), CheckOutcome.NO_MODEL),
        (Failure(400), CheckOutcome.FAILED),
        (Failure(500), CheckOutcome.FAILED),
    ],
)
def test_what_a_server_of_models_answers_has_its_outcome(reply: Answer | Failure, outcome: CheckOutcome) -> None:
    with OpenAIServer() as server:
        server.enqueue(reply)
        check = models(server.base_url)
        assert check.outcome is outcome
        assert KEY not in repr(check)
        asked = 3 if check.works else 2 if check.status == 400 else 1
        assert len(server.requests) == asked, "a word, a tool, a schema; only what is rejected is put in another way"
        assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_a_server_without_keys_is_used_without_one() -> None:
    with OpenAIServer() as server:
        server.enqueue(Text("OK"), Text("{}"), Text("{}"), Failure(401))
        assert models(server.base_url, None).works
        assert models(server.base_url, None).outcome is CheckOutcome.KEY_MISSING


def test_the_models_on_offer_are_listed(httpserver: HTTPServer) -> None:
    offer = {"data": [{"id": "small"}, {"id": "large"}, {"id": 3}, "nonsense", {"id": ""}]}
    httpserver.expect_request("/v1/models").respond_with_json(offer)
    httpserver.expect_request("/v1/chat/completions").respond_with_json(WHOLE)
    check = models(httpserver.url_for("/v1"))
    assert check.works and check.models == ("large", "small")


def test_a_key_that_may_not_list_models_is_still_good(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/models").respond_with_data("{}", status=403)
    httpserver.expect_request("/v1/chat/completions").respond_with_json(WHOLE)
    assert models(httpserver.url_for("/v1")).works


def test_a_wrong_path_is_told_from_a_missing_model(httpserver: HTTPServer) -> None:
    httpserver.expect_request(re.compile(".*")).respond_with_data("Not Found", status=404)
    assert models(httpserver.url_for("/")).outcome is CheckOutcome.FOREIGN


@pytest.mark.parametrize("answer", ["[]", "{}", "null", '{"data": 1}', "\xff"])
def test_other_kinds_of_servers_are_told_apart(httpserver: HTTPServer, answer: str) -> None:
    httpserver.expect_request(re.compile(".*")).respond_with_data(answer, content_type="application/json")
    assert models(httpserver.url_for("/v1")).outcome is CheckOutcome.FOREIGN


def test_pages_of_html_are_no_answers(httpserver: HTTPServer) -> None:
    httpserver.expect_request(re.compile(".*")).respond_with_data("<html>Hello</html>", content_type="text/html")
    assert outcomes(httpserver.url_for("/v1")) == {CheckOutcome.FOREIGN}


@pytest.mark.parametrize("address", [NOBODY, "http://no-such-host.invalid/v1"])
def test_where_nobody_answers_it_says_so(address: str) -> None:
    assert outcomes(address) == {CheckOutcome.UNREACHABLE}


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:99999/v1", "http://[::1/v1", "ftp://a.example"])
def test_what_is_no_address_is_not_asked(address: str) -> None:
    assert outcomes(address) == {CheckOutcome.NO_ADDRESS}


def test_a_check_does_not_wait_for_ever() -> None:
    with OpenAIServer() as server, TavilyServer() as tavily:
        server.enqueue(Text("OK", seconds=0.6))
        tavily.enqueue(Results(seconds=0.6))
        assert models(server.base_url, seconds=0.2).outcome is CheckOutcome.TIMEOUT
        assert web(tavily.base_url, seconds=0.2).outcome is CheckOutcome.TIMEOUT


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Results(web_page("https://a.example/", "Text.")), CheckOutcome.WORKS),
        (Results(), CheckOutcome.WORKS),
        (Refusal(401, f"The key {KEY} is wrong."), CheckOutcome.REFUSED),
        (Refusal(432), CheckOutcome.QUOTA),
        (Refusal(429), CheckOutcome.QUOTA),
        (Refusal(500), CheckOutcome.FAILED),
        (Refusal(404), CheckOutcome.FOREIGN),
        (Raw("[]"), CheckOutcome.FOREIGN),
        (Raw("nonsense"), CheckOutcome.FOREIGN),
    ],
)
def test_what_the_search_answers_has_its_outcome(reply: Results | Refusal | Raw, outcome: CheckOutcome) -> None:
    with TavilyServer() as server:
        server.enqueue(reply)
        check = web(server.base_url)
        assert check.outcome is outcome
        assert KEY not in repr(check)
        assert len(server.requests) == 1
        assert server.requests[0].body["max_results"] == 1


FOUND = anthropic_answer(("https://a.example/", "A", None))
TALK = {"content": [{"type": "text", "text": "It is sunny."}]}


@pytest.mark.parametrize(
    ("status", "said", "outcome"),
    [
        (200, FOUND, CheckOutcome.WORKS),
        (200, TALK, CheckOutcome.NO_SEARCH),
        (200, anthropic_answer(error="too_many_requests"), CheckOutcome.QUOTA),
        (200, anthropic_answer(error="unavailable"), CheckOutcome.NO_SEARCH),
        (200, {"results": []}, CheckOutcome.FOREIGN),
        (400, {"error": {"message": f"Web search is not enabled ({KEY})."}}, CheckOutcome.NO_SEARCH),
        (401, {"error": {"message": f"invalid x-api-key {KEY}"}}, CheckOutcome.REFUSED),
        (404, {"error": {"message": "model: claude-haiku-4-5"}}, CheckOutcome.NO_SEARCH),
        (404, {}, CheckOutcome.FOREIGN),
        (429, {}, CheckOutcome.QUOTA),
        (529, {}, CheckOutcome.FAILED),
    ],
)
def test_what_anthropic_answers_has_its_outcome(
    httpserver: HTTPServer, status: int, said: object, outcome: CheckOutcome
) -> None:
    httpserver.expect_request("/v1/messages", headers={"x-api-key": KEY}).respond_with_json(said, status=status)
    check = anthropic(httpserver.url_for("/"))
    assert check.outcome is outcome
    assert check.subject == "claude-haiku-4-5" and KEY not in repr(check)
    ((request, _),) = httpserver.log
    assert request.json["tools"][0]["max_uses"] == 1 and len(request.get_data()) < 2_000


@pytest.mark.parametrize(
    ("status", "said", "outcome"),
    [
        (200, openai_answer("https://a.example/"), CheckOutcome.WORKS),
        (200, openai_answer(), CheckOutcome.WORKS),
        (200, {"output": [{"type": "message", "content": []}]}, CheckOutcome.NO_SEARCH),
        (200, openai_answer(status="failed"), CheckOutcome.NO_SEARCH),
        (200, {"choices": [{}]}, CheckOutcome.FOREIGN),
        (400, {"error": {"message": f"web_search is not supported ({KEY})."}}, CheckOutcome.NO_SEARCH),
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, CheckOutcome.REFUSED),
        (404, {"error": {"message": "The model `gpt-5.4-mini` does not exist"}}, CheckOutcome.NO_SEARCH),
        (404, {}, CheckOutcome.NO_SEARCH),
        (429, {}, CheckOutcome.QUOTA),
        (500, {}, CheckOutcome.FAILED),
    ],
)
def test_what_openais_search_answers_has_its_outcome(
    httpserver: HTTPServer, status: int, said: object, outcome: CheckOutcome
) -> None:
    wanted = {"Authorization": f"Bearer {KEY}"}
    httpserver.expect_request("/v1/responses", headers=wanted).respond_with_json(said, status=status)
    check = openai(httpserver.url_for("/v1"))
    assert check.outcome is outcome
    assert check.subject == "gpt-5.4-mini" and KEY not in repr(check)
    ((request, _),) = httpserver.log
    assert request.json["tools"][0]["type"] == "web_search" and len(request.get_data()) < 2_000


def test_the_model_that_was_chosen_for_a_provider_is_asked(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/responses").respond_with_json(openai_answer())
    chosen = {WebSearch.OPENAI: "house-search", WebSearch.ANTHROPIC: "claude-other"}
    check = openai(httpserver.url_for("/v1"), search_models=chosen)  # type: ignore[arg-type]
    assert check.subject == httpserver.log[0][0].json["model"] == "house-search"


def test_the_model_that_searches_is_the_one_asked(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/messages").respond_with_json(FOUND)
    check = anthropic(httpserver.url_for("/"), web_search=WebSearch.ANTHROPIC, web_search_model="claude-other")
    assert check.works and check.subject == httpserver.log[0][0].json["model"] == "claude-other"
    tavily_searches = anthropic(httpserver.url_for("/"), web_search=WebSearch.OPENAI, web_search_model="gpt-other")
    assert tavily_searches.subject == "claude-haiku-4-5", "the model was meant for another provider"


def test_anthropic_may_take_its_time_but_not_for_ever(httpserver: HTTPServer) -> None:
    def late(_: Request) -> Response:
        time.sleep(0.6)
        return Response("{}")

    httpserver.expect_request("/v1/messages").respond_with_handler(late)
    assert anthropic(httpserver.url_for("/"), seconds=0.2).outcome is CheckOutcome.TIMEOUT


def test_a_search_that_asks_for_a_key_says_so(httpserver: HTTPServer) -> None:
    httpserver.expect_request(re.compile("/v1/messages|/responses")).respond_with_json({}, status=401)
    assert anthropic(httpserver.url_for("/"), None).outcome is CheckOutcome.KEY_MISSING
    assert openai(httpserver.url_for("/"), None).outcome is CheckOutcome.KEY_MISSING
    with TavilyServer() as server:
        server.enqueue(Refusal(401))
        assert web(server.base_url, None).outcome is CheckOutcome.KEY_MISSING


def test_without_key_and_address_nothing_is_asked() -> None:
    assert outcomes(None, None) == {CheckOutcome.NOT_SET}


def test_a_key_that_cannot_be_sent_is_refused() -> None:
    assert outcomes(NOBODY, "ｓｋ－全角") == {CheckOutcome.REFUSED}


@pytest.mark.parametrize("outcome", list(CheckOutcome))
def test_every_outcome_has_words_in_both_languages(outcome: CheckOutcome) -> None:
    said = [Check(outcome, subject="small").words(language) for language in Language]
    assert len(set(said)) == 2 and all(said) and not any("{" in text for text in said)
