"""Calls to a model over the wire: counted, priced, retried, and their failures named."""

from __future__ import annotations

import socket
import traceback
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from research.analysts.chat import ModelName
from research.analysts.chat.models import RequestRejected, build_role_models, translate
from research.core import (
    PRESETS,
    Brief,
    CapReached,
    ContextOverflow,
    Event,
    Length,
    ModelCalled,
    ModelError,
    ModelRefused,
    PresetName,
    Role,
    Spending,
    price_usd,
    without_secrets,
)
from research.settings import Settings
from tests.support.chat import KEY, Desk, desk
from tests.support.openai_server import OVERFLOW, Answer, Failure, OpenAIServer, Reply, Text
from tests.support.services import access

HELLO = [HumanMessage("Hello")]


async def call(at: Desk, role: Role = Role.RESEARCH) -> str:
    async with at.models as models:
        return (await models.call(role, HELLO)).text


async def stream(at: Desk) -> list[str]:
    async with at.models as models:
        return [piece.text async for piece in models.stream(Role.FINAL_REPORT, HELLO)]


async def test_a_call_is_answered_counted_and_priced(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day", tokens=(1_000, 200), cached_tokens=400))
    at = desk(server)
    assert await call(at) == "Good day"
    [called] = at.calls
    assert (called.role, called.model, called.error) == (Role.RESEARCH, "gpt-5.4", "")
    assert (called.input_tokens, called.output_tokens) == (1_000, 200)
    assert called.cost_usd == price_usd("gpt-5.4", 1_000, 200, cached_tokens=400)
    assert called.seconds > 0
    [request] = server.requests
    assert request.body["model"] == "gpt-5.4"
    assert request.headers["Authorization"] == f"Bearer {KEY}"


async def test_a_model_that_thinks_longer_than_that_is_let_think(server: OpenAIServer) -> None:
    server.enqueue(Text("<think>Let me see", finish="length"), Text("Good day"), Text("Good night"))
    at = desk(server)
    async with at.models as models:
        assert [(await models.call(Role.RESEARCH, HELLO)).text for _ in range(2)] == ["Good day", "Good night"]
    assert ["max_completion_tokens" in request.body for request in server.requests] == [True, False, False]


async def test_under_a_cap_an_answer_may_be_as_long_as_there_is_something_kept_for(server: OpenAIServer) -> None:
    server.handler = lambda _: Text("<think>Let me see", finish="length", tokens=(100, 600))
    for cap in (0.02, 0.08, 1.0):
        at = desk(server, admit=Spending(Brief(question="Why?", max_cost_usd=cap), {}).admit)
        await call(at)
    limits = [request.body["max_completion_tokens"] for request in server.requests]
    assert limits == [700, 700, 2_800, 2_800, 2_800, 11_200], "those that think are given more where there is room"


async def test_a_stream_ends_where_the_cap_would_be_passed(server: OpenAIServer) -> None:
    account = Spending(Brief(question="Why?", max_cost_usd=0.2, length=Length.SHORT), {})
    server.enqueue(Text("never the same " * 20_000, pieces=60))
    at = desk(server, admit=account.admit)
    with pytest.raises(CapReached):
        await stream(at)
    [called] = at.calls
    assert called.error == "cap_reached" and called.output_tokens > 1_000
    assert called.cost_usd is not None and called.cost_usd < 0.2


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported parameter: 'max_completion_tokens' is not supported with this model.",
        "This model's maximum context length is 4096 tokens. However, you requested 4800 tokens (2000 in the messages, "
        "2800 in the completion).",
    ],
)
async def test_a_server_that_takes_no_such_limit_is_asked_without_one(server: OpenAIServer, message: str) -> None:
    server.enqueue(Failure(400, message), Text("Good day"))
    assert await call(desk(server)) == "Good day"
    assert ["max_completion_tokens" in request.body for request in server.requests] == [True, False]


async def test_each_role_calls_its_own_model_and_the_settings_go_before_the_preset(server: OpenAIServer) -> None:
    server.handler = lambda _: Text("yes")
    settings = Settings(
        home=Path(),
        services=access(server.base_url),
        models={Role.COMPRESSION: "openai:gpt-5.4-nano", Role.RESEARCH: "own:7b"},
    )
    async with build_role_models(settings, PRESETS[PresetName.QUALITY], lambda _: None) as models:
        for role in Role:
            await models.call(role, HELLO)
        assert models.names[Role.COMPRESSION] == "openai:gpt-5.4-nano"
    assert [request.body["model"] for request in server.requests] == [
        "own:7b",
        "own:7b",
        "gpt-5.4-mini",
        "gpt-5.4-nano",
        "gpt-5.4",
    ]
    assert "sk-" not in server.requests[0].headers["Authorization"]


async def test_a_stream_comes_in_pieces_and_is_counted(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day to you", tokens=(50, 5)))
    at = desk(server)
    assert "".join(await stream(at)) == "Good day to you"
    assert (at.calls[0].input_tokens, at.calls[0].output_tokens) == (50, 5)
    assert at.calls[0].cost_usd == price_usd("gpt-5.4", 50, 5)


async def test_a_server_that_counts_no_tokens_leaves_the_price_unknown(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day", tokens=None))
    at = desk(server)
    await call(at)
    assert (at.calls[0].input_tokens, at.calls[0].cost_usd) == (0, None)


async def test_a_server_that_rejects_counting_still_streams(server: OpenAIServer) -> None:
    server.handler = lambda body: (
        Failure(422, "extra: stream_options") if "stream_options" in body else Text("Good day")
    )
    assert "".join(await stream(desk(server))) == "Good day"


@pytest.mark.parametrize(
    ("failure", "kind", "code"),
    [
        (
            Failure(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key"),
            ModelRefused,
            "model_unauthorized",
        ),
        (Failure(403, "No access to this model."), ModelRefused, "model_unauthorized"),
        (Failure(404, "The model `gpt-9` does not exist.", code="model_not_found"), ModelRefused, "model_not_found"),
        (Failure(400, "Bad value for temperature."), RequestRejected, "model_failed"),
        (Failure(402, "Insufficient balance."), ModelError, "model_quota"),
        (Failure(429, "Slow down.", headers={"Retry-After": "3600"}), ModelError, "model_quota"),
        (Failure(503, "Overloaded.", headers={"x-should-retry": "false"}), ModelError, "model_failed"),
        (
            Failure(502, body="<html>Bad gateway</html>", headers={"x-should-retry": "false"}),
            ModelError,
            "model_failed",
        ),
        (OVERFLOW, ContextOverflow, "context_overflow"),
        (Failure(413, "Payload too large."), ContextOverflow, "context_overflow"),
    ],
)
async def test_a_failure_is_named(server: OpenAIServer, failure: Failure, kind: type[ModelError], code: str) -> None:
    server.enqueue(failure)
    at = desk(server)
    with pytest.raises(kind) as caught:
        await call(at)
    assert caught.value.code == code
    assert at.calls[0].error == code
    assert at.calls[0].cost_usd == 0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 128000 tokens, however you requested 150000 tokens.",
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "Request too large for gpt-5.4 on tokens per min (TPM): Limit 30000, Requested 45000.",
        "litellm.ContextWindowExceededError: too much",
    ],
)
def test_an_overflow_is_known_by_any_of_its_wordings(said: str) -> None:
    class BadRequest(Exception):
        status_code = 400

    assert isinstance(translate(BadRequest(said), "m"), ContextOverflow)


async def test_llama_cpp_says_overflow_in_the_type(server: OpenAIServer) -> None:
    server.enqueue(Failure(400, "too much", type="exceed_context_size_error"))
    with pytest.raises(ContextOverflow):
        await call(desk(server))


async def test_a_limited_call_waits_as_the_server_asks(server: OpenAIServer) -> None:
    server.enqueue(Failure(429, headers={"Retry-After": "0.4"}), Text("at last"))
    assert await call(desk(server)) == "at last"
    first, second = server.requests
    assert second.at - first.at >= 0.4


async def test_a_server_error_is_retried(server: OpenAIServer) -> None:
    quick = {"retry-after-ms": "5"}
    server.enqueue(Failure(500, headers=quick), Failure(500, headers=quick), Text("at last"))
    at = desk(server)
    assert await call(at) == "at last"
    assert [called.error for called in at.calls] == [""]


async def test_retries_end(server: OpenAIServer) -> None:
    server.handler = lambda _: Failure(500, headers={"retry-after-ms": "5"})
    with pytest.raises(ModelError) as caught:
        await call(desk(server))
    assert caught.value.code == "model_failed"
    assert len(server.requests) == 4


async def test_a_slow_answer_times_out(server: OpenAIServer) -> None:
    server.handler = lambda _: Text("late", seconds=1)
    at = desk(server, seconds=0.2)
    with pytest.raises(ModelError) as caught:
        await call(at)
    assert caught.value.code == at.calls[0].error == "model_timeout"
    assert len(server.requests) == 1, "no time is left to ask again"


async def test_a_stream_that_stalls_times_out(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day to you", piece_seconds=0.8))
    at = desk(server, seconds=0.3)
    with pytest.raises(ModelError) as caught:
        await stream(at)
    assert caught.value.code == at.calls[0].error == "model_timeout"


async def test_a_long_stream_that_moves_does_not_time_out(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day to you, my friends", pieces=4, piece_seconds=0.4))
    assert "".join(await stream(desk(server, seconds=1.6))) == "Good day to you, my friends"


async def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        events: list[Event] = []
        settings = Settings(home=Path(), services=access(address))
        async with build_role_models(settings, PRESETS[PresetName.SPEED], events.append) as models:
            with pytest.raises(ModelError) as caught:
                await models.call(Role.RESEARCH, HELLO)
    assert caught.value.code == "model_unreachable"


async def test_an_error_in_a_stream_is_named(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day to you", error_after=1))
    at = desk(server)
    with pytest.raises(ModelError) as caught:
        await stream(at)
    assert caught.value.code == at.calls[0].error == "model_failed"


@pytest.mark.parametrize(
    "body", ["<html>hello</html>", "{}", '{"choices": []}', '{"choices": null}', '{"error": "no"}']
)
async def test_an_answer_that_is_none_is_a_failure(server: OpenAIServer, body: str) -> None:
    server.enqueue(Failure(200, body=body))
    with pytest.raises(ModelError) as caught:
        await call(desk(server))
    assert caught.value.code == "model_failed"


@pytest.mark.parametrize(
    "reply",
    [
        Failure(401, f"Wrong key {KEY}"),
        Failure(400, f"Bearer {KEY} is bad"),
        Failure(500, KEY, headers={"x-should-retry": "false"}),
    ],
)
async def test_the_key_is_in_no_error_and_no_event(server: OpenAIServer, reply: Reply) -> None:
    server.enqueue(reply)
    at = desk(server)
    with pytest.raises(ModelError) as caught:
        await call(at)
    shown = "".join(traceback.format_exception(caught.value)) + caught.value.detail + repr(at.events)
    assert KEY not in shown
    assert "***" in caught.value.detail


async def test_a_key_that_cannot_be_sent_is_refused(server: OpenAIServer) -> None:
    settings = Settings(home=Path(), services=access(server.base_url, "ｓｋ－全角キー"))
    async with build_role_models(settings, PRESETS[PresetName.SPEED], lambda _: None) as models:
        with pytest.raises(ModelRefused) as caught:
            await models.call(Role.RESEARCH, HELLO)
    assert "全角" not in caught.value.detail


def test_anything_that_looks_like_a_key_is_scrubbed() -> None:
    text = without_secrets("sk-proj-abcdef123456 and tvly-dev-abcdefgh, secret; risk-averse", ["secret"])
    assert text == "*** and ***, ***; risk-averse"


async def test_a_call_that_is_given_up_is_counted(server: OpenAIServer) -> None:
    server.enqueue(Text("Good day to you"))
    at = desk(server)
    async with at.models as models:
        pieces = models.stream(Role.FINAL_REPORT, HELLO)
        await anext(pieces)
        await pieces.aclose()
    assert [called.error for called in at.calls] == ["cancelled"]


async def test_an_answer_from_one_loop_does_not_hinder_the_next(server: OpenAIServer) -> None:
    import asyncio

    server.handler = lambda _: Answer(text="yes")
    answers = [await asyncio.to_thread(lambda: asyncio.run(call(desk(server)))) for _ in range(2)]
    assert answers == ["yes", "yes"]


@pytest.mark.parametrize(
    ("text", "provider", "name"),
    [
        ("gpt-5.4", "openai", "gpt-5.4"),
        ("openai:gpt-5.4", "openai", "gpt-5.4"),
        ("anthropic:claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
        ("qwen2.5:0.5b", "openai", "qwen2.5:0.5b"),
    ],
)
def test_a_models_name_may_say_who_serves_it(text: str, provider: str, name: str) -> None:
    assert ModelName.parse(text) == (provider, name)


@pytest.mark.parametrize("provider", ["cohere", "deepseek", "google_genai", "groq", "mistralai", "ollama", "xai"])
async def test_a_provider_that_speaks_openais_protocol_is_asked_with_its_own_key(
    server: OpenAIServer, tmp_path: Path, provider: str
) -> None:
    begin = {"google_genai": "GOOGLE", "mistralai": "MISTRAL"}.get(provider, provider.upper())
    server.enqueue(Text("yes"))
    given = {f"{begin}_API_BASE": server.base_url, f"{begin}_API_KEY": "key-of-its-own", "OPENAI_API_KEY": "sk-openai"}
    settings = Settings.from_environment(
        {"RESEARCH_HOME": str(tmp_path), "RESEARCH_MODEL": f"{provider}:large"} | given
    )
    async with build_role_models(settings, PRESETS[PresetName.SPEED], lambda _: None) as models:
        assert (await models.call(Role.RESEARCH, HELLO)).text == "yes"
    [asked] = server.requests
    assert asked.body["model"] == "large"
    assert asked.headers["Authorization"] == "Bearer key-of-its-own"


async def test_a_model_without_price_is_counted_without_price(server: OpenAIServer) -> None:
    server.enqueue(Text("yes"))
    events: list[Event] = []
    settings = Settings(home=Path(), services=access(server.base_url), models={Role.RESEARCH: "own-model"})
    async with build_role_models(settings, PRESETS[PresetName.SPEED], events.append) as models:
        await models.call(Role.RESEARCH, HELLO)
    [called] = events
    assert isinstance(called, ModelCalled)
    assert (called.model, called.input_tokens, called.cost_usd) == ("own-model", 100, None)
