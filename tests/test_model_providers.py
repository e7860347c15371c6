"""Every provider of chat models: a run with its access alone, over its own wire, and what goes wrong there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

import research
from research.analysts.chat import ModelName
from research.analysts.chat.models import Connections, build_role_models, translate
from research.cli import main
from research.core import MODEL_SERVERS, PRESETS, MethodName, ModelCalled, PresetName, Role, UsageError
from research.language import Language
from research.settings import Settings
from research.sources.checks import CheckOutcome
from research.sources.model_checks import check_models, local_servers
from tests.support.model_servers import CONTEXT, KEY, PROVIDERS, ModelServer
from tests.support.openai_server import Answer, Calls, Failure, Json, OpenAIServer, Text
from tests.support.pump_model import PAGE, Model
from tests.support.tavily_server import Results, TavilyServer, web_page

HELLO = [HumanMessage("Hello")]


@pytest.fixture(params=PROVIDERS)
def server(request: pytest.FixtureRequest) -> Iterator[ModelServer]:
    with ModelServer(request.param) as server:
        yield server


def test_a_run_with_one_providers_access_alone(tmp_path: Path, server: ModelServer) -> None:
    server.handler = Model()
    with TavilyServer() as web:
        web.handler = lambda _: Results(web_page("https://a.example/", PAGE))
        settings = server.settings(tmp_path, TAVILY_API_KEY="tvly-key", TAVILY_BASE_URL=web.base_url)
        brief = research.Brief(question="How is the pump market?", preset="speed", method=MethodName.SUPERVISED)
        report = research.run_sync(brief, settings=settings)
    assert "The pump market grew by 4.2% in 2025" in report.markdown
    assert (report.record.analyst, report.record.writer) == ("chat", "chat")
    assert not [one for one in report.record.problems if "model" in one.code]
    assert KEY not in report.record.model_dump_json()
    asked_as = {Role.SUMMARIZATION, Role.RESEARCH, Role.FINAL_REPORT}
    models = settings.models_by(PRESETS[PresetName.SPEED].models)
    is_bare = server.provider == "openai"
    assert all(is_bare or models[role].startswith(f"{server.provider}:") for role in asked_as) and server.requests


WRONG_KEY = {
    "gemini": Failure(400, "API key not valid. Please pass a valid API key.", code="API_KEY_INVALID"),
    "bedrock": Failure(403, "The security token is invalid.", code="UnrecognizedClientException"),
}
QUOTA = {
    "anthropic": Failure(400, "Your credit balance is too low to access the Anthropic API."),
    "bedrock": Failure(429, "Too many requests", code="ThrottlingException"),
}


@pytest.mark.parametrize(
    ("told", "usual", "code"),
    [
        (WRONG_KEY, Failure(401, f"Incorrect API key provided: {KEY}"), "model_unauthorized"),
        (QUOTA, Failure(429, "You exceeded your current quota."), "model_quota"),
        ({}, Failure(404, "The model large does not exist."), "model_not_found"),
        ({}, Failure(500, "Internal error."), "model_failed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_goes_wrong_is_told_apart_and_the_key_is_in_none_of_it(
    tmp_path: Path, server: ModelServer, told: dict[str, Failure], usual: Failure, code: str
) -> None:
    server.handler = lambda _: told.get(server.provider, usual)
    connections = Connections(server.settings(tmp_path), 10.0, retries=0)
    name = ModelName.parse(server.settings(tmp_path).models_by(PRESETS[PresetName.SPEED].models)[Role.RESEARCH])
    try:
        with pytest.raises(Exception) as raised:
            await connections.model(name).ainvoke(HELLO)
        error = translate(raised.value, name.name, server.settings(tmp_path).secrets)
        assert error.code == code and KEY not in f"{error} {error.detail}"
    finally:
        await connections.aclose()


async def test_answers_come_in_pieces_and_are_counted(tmp_path: Path, server: ModelServer) -> None:
    server.enqueue(Text("Good day to you all", tokens=(70, 9)), Calls(("search", {"value": ["tea"]})))
    events: list[object] = []
    settings, preset = server.settings(tmp_path), PRESETS[PresetName.SPEED]
    async with build_role_models(settings, preset, events.append) as models:
        pieces = [piece.text async for piece in models.stream(Role.FINAL_REPORT, HELLO)]
        search = {"name": "search", "description": "Searches.", "parameters": {"type": "object", "properties": {}}}
        tools = [{"type": "function", "function": search}]
        answer = await models.call(Role.RESEARCH, HELLO, tools=tools, tool_choice="any")
    assert "".join(pieces) == "Good day to you all" and len([piece for piece in pieces if piece]) > 1
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == [("search", {"value": ["tea"]})]
    called = [event for event in events if isinstance(event, ModelCalled)]
    assert (called[0].input_tokens, called[0].output_tokens) == (70, 9)
    if server.provider in ("ollama", "lmstudio", "llamacpp"):
        assert [one.cost_usd for one in called] == [0.0, 0.0], "what runs here costs nothing"


def test_what_is_not_set_up_says_what_to_set(tmp_path: Path) -> None:
    given = {"RESEARCH_HOME": str(tmp_path), "OPENAI_API_KEY": "sk-openai", "RESEARCH_MODEL": "anthropic:claude-x"}
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        build_role_models(Settings.from_environment(given), PRESETS[PresetName.SPEED], lambda _: None)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"ANTHROPIC_API_KEY": "k"}, "anthropic:claude-haiku-4-5"),
        ({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}, "gpt-5.4-nano"),
        ({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "MODEL_PROVIDER": "gemini"}, None),
        ({"ANTHROPIC_API_KEY": "k", "SUMMARIZATION_MODEL": "claude-opus-4-8"}, "anthropic:claude-opus-4-8"),
        ({"OPENAI_API_KEY": "k", "SUMMARIZATION_MODEL": "groq:llama-4"}, "groq:llama-4"),
        ({"RESEARCH_MODEL": "ollama:qwen3:4b"}, "ollama:qwen3:4b"),
        ({"MODEL_PROVIDER": "ollama", "OLLAMA_MODEL": "qwen3:4b", "SUMMARIZATION_MODEL": "tiny:1b"}, "ollama:tiny:1b"),
        ({"MODEL_PROVIDER": "ollama", "OPENAI_API_KEY": "k"}, None),
        ({"MODEL_PROVIDER": "nobody", "OPENAI_API_KEY": "k"}, "gpt-5.4-nano"),
        ({"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}, None),
        ({"RESEARCH_MODEL": "gpt-5.4"}, None),
    ],
)
def test_who_answers_where_no_model_is_set(tmp_path: Path, given: dict[str, str], expected: str | None) -> None:
    settings = Settings.from_environment({"RESEARCH_HOME": str(tmp_path)} | given)
    models = settings.models_by(PRESETS[PresetName.COST].models)
    assert models.get(Role.SUMMARIZATION) == expected and settings.has_models is (expected is not None)


def answering(body: dict[str, Any]) -> Answer:
    """Answer as a model that can do all: a word, a note by the tool, and JSON where a schema asks for it."""
    if body.get("tools"):
        return Calls(("note", {"word": "tea"}))
    return Json({"word": "tea"}) if body.get("response_format") else Text("OK")


WINDOWS = {"ollama": 4096, "openai": 400_000, "azure_openai": None, "bedrock": 200_000}


def asked_model(server: ModelServer) -> str:
    named = {"openai": "gpt-5.4-mini", "bedrock": "global.anthropic.claude-haiku-4-5-20251001-v1:0"}
    return f"{server.provider}:{named.get(server.provider, 'large')}"


def test_a_check_says_what_a_model_can_do(tmp_path: Path, server: ModelServer) -> None:
    server.handler = answering
    check = check_models(server.settings(tmp_path), asked_model(server))
    assert check.works and check.abilities is not None, check
    assert (check.abilities.tools, check.abilities.schema, check.abilities.streams) == (True, True, True)
    assert check.abilities.context == WINDOWS.get(server.provider, CONTEXT)
    if server.provider not in ("azure_openai", "bedrock", "openai"):
        assert check.models == ("large", "small")
    is_small = check.abilities.context is not None and check.abilities.context < 16_000
    assert bool(check.abilities.warnings(Language.JA)) == is_small
    assert len(set(map(check.abilities.words, Language))) == 2


@pytest.mark.parametrize(
    ("told", "usual", "outcome"),
    [
        (WRONG_KEY, Failure(401, f"Incorrect API key provided: {KEY}"), CheckOutcome.REFUSED),
        (QUOTA, Failure(429, "You exceeded your current quota."), CheckOutcome.QUOTA),
        ({}, Text(""), CheckOutcome.NOTHING_SAID),
        ({}, Failure(500, "Internal error."), CheckOutcome.FAILED),
    ],
    ids=["key", "quota", "nothing", "failure"],
)
def test_a_check_says_what_is_wrong(
    tmp_path: Path, server: ModelServer, told: dict[str, Failure], usual: Answer | Failure, outcome: CheckOutcome
) -> None:
    server.handler = lambda _: told.get(server.provider, usual)
    check = check_models(server.settings(tmp_path), asked_model(server))
    is_keyless = outcome is CheckOutcome.REFUSED and server.provider in ("ollama", "lmstudio", "llamacpp")
    assert check.outcome is (CheckOutcome.KEY_MISSING if is_keyless else outcome) and KEY not in repr(check)


def test_a_model_that_can_do_little_says_so(tmp_path: Path) -> None:
    with ModelServer("llamacpp") as server:
        server.handler = lambda body: Text("tea") if len(body) == 3 or "stream" in body else Failure(400, "no tools")
        check = check_models(server.settings(tmp_path), "llamacpp:large")
    assert check.works and check.abilities is not None
    assert (check.abilities.tools, check.abilities.streams) == (False, True)
    assert any("tools" in line for line in check.abilities.warnings(Language.EN))


def test_servers_of_this_computer_are_found(tmp_path: Path) -> None:
    with ModelServer("ollama") as ollama, ModelServer("lmstudio") as studio, ModelServer("openai") as other:
        given = ollama.environment(tmp_path) | studio.environment(tmp_path) | {"LLAMACPP_API_BASE": other.base_url}
        found = local_servers(Settings.from_environment(given))
    assert found == {"ollama": ("large", "small"), "lmstudio": ("large", "small")}


def test_the_command_line_lists_providers_and_checks_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer("anthropic") as server, ModelServer("ollama") as local:
        server.handler = answering
        given = server.environment(tmp_path, OLLAMA_API_BASE=local.address)
        assert main(["models"], given) == 0
        listed = capsys.readouterr().out
        assert main(["models", "anthropic:large"], given) == 0
        told = capsys.readouterr().out
        assert main(["models", "gemini:large"], given) == 1
    lines = {line.split()[0]: line for line in listed.splitlines()}
    assert lines["anthropic"].endswith("answers") and "GEMINI_API_KEY" in lines["gemini"]
    assert "OLLAMA_MODEL" in lines["ollama"] and "large, small" in lines["ollama"]
    assert told.splitlines()[0] == "It works." and "window: 32,768 tokens" in told


HOW_TO = (Path(__file__).parents[1] / "docs" / "own_model.md").read_text(encoding="utf-8")
(CODE, *_) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)


def test_a_provider_of_another_package_is_installed_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "site" / "house_gateway-1.0.dist-info"
    about.mkdir(parents=True)
    (about.parent / "house_gateway.py").write_text(CODE, encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: house-gateway\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[research.models]\nhouse = house_gateway:HOUSE\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(about.parent))
    monkeypatch.setattr(MODEL_SERVERS, "_entries", dict(MODEL_SERVERS))
    MODEL_SERVERS.load()
    with OpenAIServer() as server, TavilyServer() as web:
        server.handler = Model()
        web.handler = lambda _: Results(web_page("https://a.example/", PAGE))
        given = {"RESEARCH_HOME": str(tmp_path), "HOUSE_GATEWAY_KEY": KEY, "HOUSE_GATEWAY_ADDRESS": server.base_url}
        given |= {"TAVILY_API_KEY": "tvly-key", "TAVILY_BASE_URL": web.base_url}
        brief = research.Brief(question="How is the pump market?", preset="speed", method=MethodName.SUPERVISED)
        report = research.run_sync(brief, settings=Settings.from_environment(given))
    assert report.record.writer == "chat" and "grew by 4.2%" in report.markdown
    assert {request.headers["Authorization"] for request in server.requests} == {f"Bearer {KEY}"}
