"""The settings page as the script draws it; the servers behind it are real ones on loopback."""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block
from werkzeug import Response

from pages.parts.engine import engine
from pages.parts.settings.models import provider_access
from pages.parts.settings.search import connected_servers, search_by_model, web_providers
from pages.parts.settings.services import Provider, access_of, last_check
from pages.parts.start.templates import sample_chosen, start_sample
from pages.parts.ui import Ui, verbatim
from research.analysts.chat import ChatProvider
from research.core import MODEL_SERVERS, PRESETS, Brief, Offer, PresetName, Role, SourceName
from research.language import Language
from research.settings import EMBEDDINGS, TAVILY, KeptService, KeptSettings, WebSearch, kept_settings
from research.sources import usd_a_search
from research.sources.checks import CheckOutcome
from tests.support import sample_runs
from tests.support.embedding_server import EmbeddingServer
from tests.support.model_servers import ModelServer
from tests.support.openai_server import Calls, Failure, OpenAIServer, Text
from tests.support.search_provider import openai_answer
from tests.support.tavily_server import Results, TavilyServer
from tests.support.without_browser import page_alone, script

KEY = "sk-page-secret-0123"


@pytest.fixture
def app(app_home: Path) -> AppTest:
    """The page alone."""
    return page_alone("settings.py")


def opened(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    return at


def offer(service: str) -> Offer:
    """Return what can be set up under a name."""
    return next(one for one in (TAVILY, EMBEDDINGS, *MODEL_SERVERS.values()) if one.name == service)


def enter(at: AppTest, service: str, *, address: str | None = None, key: str | None = None) -> None:
    """Type into the form of a server and send it."""
    key_of = offer(service).key
    if address is not None:
        field = next(box for box in at.text_input if (box.key or "").startswith(f"{key_of}_address_"))
        field.set_value(address)
    if key is not None:
        field = next(box for box in at.text_input if (box.key or "").startswith(f"{key_of}_key_"))
        field.set_value(key)
    at.button(key=f"{key_of}_save").click().run()
    assert not at.exception


def outcome(service: str) -> CheckOutcome | None:
    settings = engine().settings
    if service.endswith("_search"):
        access = search_by_model(WebSearch(service.removesuffix("_search")), Ui(Language.EN)).access
    else:
        one = offer(service)
        access = provider_access(one, settings) if isinstance(one, ChatProvider) else access_of(one, settings)
    last = last_check(access)
    return last.check.outcome if last is not None else None


def state(at: AppTest) -> str:
    """Everything that the session and the widgets hold."""
    held = repr(dict(at.session_state._state.filtered_state.items()))
    return held + " ".join(f"{box.value} {box.placeholder}" for box in at.text_input)


def test_a_key_is_entered_once_checked_and_never_seen_again(app: AppTest, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    opened(app)
    with OpenAIServer() as server:
        server.enqueue(Text("OK"))
        enter(app, "openai", address=server.base_url, key=f" {KEY}\n")
        assert outcome("openai") is CheckOutcome.WORKS
        assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert engine().settings.has_models
    assert KEY not in state(app) and KEY not in caplog.text
    fields = [box for box in app.text_input if (box.key or "").startswith("provider_openai_key")]
    assert [(box.value, box.placeholder) for box in fields] == [("", "Kept; enter another to replace it")]


@pytest.mark.parametrize(
    ("service", "address", "key", "said"),
    [
        ("openai", "api.example.com", KEY, "This is no address of a server."),
        ("openai", "https://me:pw@example.com", KEY, "An address holds no user name"),
        ("openai", "", "ｋｅｙ", "The key holds characters that no key has."),
        ("tavily", "", "x" * 5_000, "This is too long for a key."),
        ("tavily", "https://" + "x" * 600, KEY, "This is too long for the address"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words_and_not_kept(
    app: AppTest, service: str, address: str, key: str, said: str
) -> None:
    opened(app)
    enter(app, service, address=address, key=key)
    assert said in app.error[0].value
    assert not kept_settings.path(engine().settings.home).exists()


def test_a_wrong_key_is_said_to_be_refused_and_can_be_removed(app: AppTest) -> None:
    opened(app)
    with TavilyServer() as server, OpenAIServer() as models:
        models.enqueue(Failure(401))
        enter(app, "openai", address=models.base_url, key=KEY)
        assert outcome("openai") is CheckOutcome.REFUSED
        server.enqueue(Results())
        enter(app, "tavily", address=server.base_url, key="tvly-1")
        assert outcome("tavily") is CheckOutcome.WORKS
    app.button(key="provider_openai_remove").click().run()
    assert not engine().settings.access(WebSearch.OPENAI)[1]
    assert engine().settings.access(WebSearch.TAVILY)[1]
    assert KEY not in kept_settings.path(engine().settings.home).read_text()


@pytest.mark.parametrize("language", list(Language))
def test_each_button_says_whose_key_it_is_about(app: AppTest, language: Language) -> None:
    kept = KeptService(values={"key": SecretStr(KEY)}, key_set_at=datetime(2026, 7, 1, tzinfo=UTC))
    services = dict.fromkeys(("provider_openai", "service_tavily", "provider_anthropic"), kept)
    kept_settings.change(engine().settings.home, lambda _: KeptSettings(services=services))
    app.session_state["lang"] = language.value
    opened(app)
    said = [button.label for button in app.button if not str(button.key).endswith("_remove")]
    said += [found.proto.popover.label for found in app.get("popover") if isinstance(found, Block)]
    assert len(said) == len({*said}) == 8
    assert sum("Tavily" in label for label in said) == 2


def test_a_kept_key_is_not_sent_to_another_address(app: AppTest) -> None:
    opened(app)
    with OpenAIServer() as server, OpenAIServer() as other:
        server.enqueue(Text("OK"))
        enter(app, "openai", address=server.base_url, key=KEY)
        enter(app, "openai", address=other.base_url)
        assert "The kept key was entered for another address" in app.error[0].value
        assert other.requests == [] and engine().settings.access(WebSearch.OPENAI)[0] == server.base_url


def test_the_environment_is_shown_to_go_first(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer() as server:
        given = {
            "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "RESEARCH_MODEL": "env-model",
            "WEB_SEARCH": "anthropic", "WEB_SEARCH_MODEL": "claude-house", "TAVILY_USD_PER_CREDIT": "0.02",
            "RESEARCH_MAX_COST_USD": "0.5",
        }  # fmt: skip
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        opened(app)
        fields = [box for box in app.text_input if (box.key or "").startswith("provider_openai_")]
        assert all(box.disabled for box in fields) and KEY not in state(app)
        searching, price, cap = (
            app.selectbox(key="search_model_anthropic_fixed"),
            app.number_input(key="tavily_credit_fixed"),
            app.number_input(key="cap_for_all_fixed"),
        )
        assert all(field.disabled for field in (app.selectbox(key="model_research_fixed"), searching, price, cap))
        assert (searching.value, price.value, cap.value) == ("claude-house", 0.02, 0.5)
        said = {verbatim(f"Set by the environment ({name}).") for name in [*given][2:] if name != "WEB_SEARCH"}
        assert said <= {caption.value for caption in app.caption}
        server.enqueue(Text("OK"))
        app.button(key="provider_openai_save").click().run()
        assert outcome("openai") is CheckOutcome.WORKS
    assert not kept_settings.path(engine().settings.home).exists()


def test_a_model_is_chosen_and_left_to_the_preset_again(app: AppTest) -> None:
    opened(app)
    app.selectbox(key="model_summarization_free").set_value("gpt-5.4-mini").run()
    assert engine().settings.models == {Role.SUMMARIZATION: "gpt-5.4-mini"}
    app.selectbox(key="model_summarization_free").set_value(None).run()
    assert engine().settings.models == {}


def test_a_home_that_cannot_be_written_is_said(app: AppTest, tmp_path: Path) -> None:
    opened(app)
    (tmp_path / "settings").write_text("in the way")
    enter(app, "tavily", key="tvly-1")
    assert "This could not be kept in" in app.error[0].value
    app.selectbox(key="model_research_free").set_value("gpt-5.4").run()
    assert "This could not be kept in" in app.error[0].value
    assert app.selectbox(key="model_research_free").value is None
    assert not engine().settings.has_web


def test_damaged_settings_are_said_and_replaced(app: AppTest, tmp_path: Path) -> None:
    kept_settings.path(tmp_path).parent.mkdir()
    kept_settings.path(tmp_path).write_text("{")
    opened(app)
    assert "cannot be read and are not used" in app.warning[0].value
    app.selectbox(key="model_research_free").set_value("gpt-5.4").run()
    assert not app.warning
    assert engine().settings.models[Role.RESEARCH] == "gpt-5.4"


def first_card() -> None:
    from pages.parts.start.templates import show_first_run
    from pages.parts.ui import Ui
    from research.language import Language

    show_first_run(Ui(Language.EN))


def test_the_first_run_is_one_click_away(stocked: Callable[[Path], Path], app_home: Path, app: AppTest) -> None:
    stocked(app_home)
    app.run()
    reader = Ui(Language.EN)
    sample = sample_chosen(reader)
    run = start_sample(sample, reader)
    assert run is not None
    assert engine().store.get(run).brief.question == sample.text(Language.EN)
    engine().runner.stop(run)
    engine().runner.wait(run, 120)


@pytest.mark.parametrize(("language", "source"), [(Language.EN, SourceName.FACTBOOK), (Language.JA, SourceName.HOUSE)])
def test_the_first_question_goes_to_texts_in_the_readers_language(language: Language, source: SourceName) -> None:
    assert sample_chosen(Ui(language)).sources == (source,)


def test_the_card_is_gone_once_there_are_runs(app: AppTest) -> None:
    app.run()
    card = script(first_card)
    assert card.run().button(key="first_run_start")
    sample_runs.ended(engine().store, Language.EN)
    assert not card.run().button


def test_who_searches_the_web_is_said(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(app)
    reader = Ui(Language.EN)
    assert web_providers(reader).is_there
    assert web_providers(reader).state == (
        "None is set up: where the web is chosen for a run, public search engines are asked, or Wikipedia."
    )
    enter(app, "tavily", address="http://127.0.0.1:1")
    assert not web_providers(reader).is_there and "did not work" in web_providers(reader).state
    app.selectbox(key="web_search_free").set_value("none").run()
    assert web_providers(reader).state == "Switched off in Settings."
    for searcher, said in (("openai", "(gpt-5.4-mini) is to search, but there is no key"), ("none", "Switched off by")):
        monkeypatch.setenv("WEB_SEARCH", searcher)
        st.cache_resource.clear()
        assert said in web_providers(reader).state
    assert opened(app).selectbox(key="web_search_fixed").disabled


def test_a_key_for_anthropic_is_entered_checked_kept_close_and_removed(
    app: AppTest, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="research")
    opened(app)
    app.selectbox(key="provider_chosen").set_value("anthropic").run()
    with ModelServer("anthropic") as server:
        server.handler = lambda body: Calls(("note", {"word": "tea"})) if body.get("tools") else Text("OK")
        enter(app, "anthropic", address=server.address, key="sk-ant-secret")
        assert outcome("anthropic") is CheckOutcome.WORKS
        shown = state(app)
    assert set(engine().settings.models_by(PRESETS[PresetName.QUALITY].models).values()) == {
        "anthropic:claude-sonnet-4-6", "anthropic:claude-haiku-4-5",
    }  # fmt: skip
    assert web_providers(Ui(Language.EN)) == Provider(
        "Web", True, "A model of Anthropic (claude-haiku-4-5) searches, as the first that is set up."
    )
    kept = kept_settings.path(engine().settings.home)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "sk-ant-secret" not in shown + caplog.text
    app.button(key="provider_anthropic_remove").click().run()
    assert "sk-ant-secret" not in kept.read_text() and not engine().settings.access(WebSearch.ANTHROPIC)[1]


def test_a_server_of_this_computer_is_offered_and_used(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer("ollama") as server:
        monkeypatch.setenv("OLLAMA_API_BASE", server.address)
        opened(app)
        app.selectbox(key="found_model_ollama").set_value("small").run()
        app.button(key="found_use_ollama").click().run()
        settings = engine().settings
        assert settings.model_provider == "ollama" and settings.has_models
        assert set(settings.models_by(PRESETS[PresetName.SPEED].models).values()) == {"ollama:small"}
        assert not [one for one in app.button if one.key == "found_use_ollama"], "it is set up now"


def test_the_price_of_a_credit_is_kept_and_searches_are_counted_at_it(app: AppTest) -> None:
    opened(app)
    enter(app, "tavily", key=KEY)
    brief = Brief(question="Pumps?", preset=PresetName.QUALITY)
    assert usd_a_search(brief, engine().settings) == pytest.approx(0.016), "two credits at the list price"
    field = app.number_input(key="tavily_credit_free")
    assert field.value is None and field.placeholder == "0.008 (list price)"
    for price in (0.005, 0.0):
        app.number_input(key="tavily_credit_free").set_value(price).run()
        assert usd_a_search(brief, engine().settings) == pytest.approx(2 * price)


def test_what_no_run_may_cost_more_than_is_kept_and_taken_back(app: AppTest) -> None:
    opened(app)
    for most in (0.5, None):
        app.number_input(key="cap_for_all_free").set_value(most).run()
        assert engine().settings.max_cost_usd == most


def test_openais_search_has_a_check_of_its_own(app: AppTest, httpserver: HTTPServer) -> None:
    answers = [Response("{}", status=404), Response(json.dumps(openai_answer("https://a.example/")))]
    httpserver.expect_request("/v1/models").respond_with_json({"data": [{"id": "house-search"}]})
    said = {"index": 0, "message": {"role": "assistant", "content": "OK"}, "finish_reason": "stop"}
    whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "small", "choices": [said]}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(whole)
    bearer = {"Authorization": f"Bearer {KEY}"}
    httpserver.expect_request("/v1/responses", headers=bearer).respond_with_handler(lambda _: answers.pop(0))
    opened(app)
    enter(app, "openai", address=httpserver.url_for("/v1"), key=KEY)
    assert outcome("openai") is CheckOutcome.WORKS and outcome("openai_search") is None
    app.selectbox(key="web_search_free").set_value("openai").run()
    app.button(key="service_openai_search_save").click().run()
    assert outcome("openai_search") is CheckOutcome.NO_SEARCH and outcome("openai") is CheckOutcome.WORKS
    assert "did not work" in web_providers(Ui(Language.EN)).state
    app.button(key="service_openai_search_save").click().run()
    assert outcome("openai_search") is CheckOutcome.WORKS
    assert web_providers(Ui(Language.EN)).is_there
    app.selectbox(key="search_model_openai_free").set_value("house-search").run()
    assert engine().settings.search_model(WebSearch.OPENAI) == "house-search", "the server says that it offers it"


def test_the_model_that_searches_is_kept_for_each_provider(app: AppTest) -> None:
    opened(app)
    assert not [field for field in app.selectbox if field.key.startswith("search_model")], "nobody searches with one"
    app.selectbox(key="web_search_free").set_value("openai").run()
    assert engine().settings.searcher is WebSearch.OPENAI
    field = app.selectbox(key="search_model_openai_free")
    assert (field.value, field.placeholder) == (None, "gpt-5.4-mini (usual)")
    field.set_value("gpt-5.4-mini").run()
    app.selectbox(key="web_search_free").set_value("anthropic").run()
    assert app.selectbox(key="search_model_anthropic_free").placeholder == "claude-haiku-4-5 (usual)"
    settings = engine().settings
    assert (settings.search_model(WebSearch.OPENAI), settings.search_model(WebSearch.ANTHROPIC)) == (
        "gpt-5.4-mini",
        None,
    )
    app.selectbox(key="web_search_free").set_value("openai").run()
    app.selectbox(key="search_model_openai_free").set_value(None).run()
    assert engine().settings.search_model(WebSearch.OPENAI) is None
    app.selectbox(key="web_search_free").set_value("").run()
    assert engine().settings.web_search is None


def test_each_field_says_whose_it_is_in_both_languages(app: AppTest) -> None:
    opened(app)
    labels = [box.label for box in app.text_input]
    assert len(set(labels)) == len(labels) == 7
    app.session_state["lang"] = "ja"
    labels = [box.label for box in opened(app).text_input]
    assert len(set(labels)) == 7 and "Tavilyのキー" in labels
    assert app.title[0].value == "設定"
    enter(app, "openai", address="example")
    assert app.error[0].value.startswith("サーバーのアドレスではありません。")


def test_embeddings_are_entered_checked_and_may_be_given_own_documents(app: AppTest) -> None:
    opened(app)
    assert not engine().settings.has_embeddings and "The built-in model" in [box.placeholder for box in app.selectbox]
    with EmbeddingServer() as server:
        enter(app, "embedding", address=server.base_url, key=KEY)
        assert outcome("embedding") is CheckOutcome.WORKS and KEY not in state(app)
        assert {header["Authorization"] for header in server.headers} == {f"Bearer {KEY}"}
        server.refuse(401)
        enter(app, "embedding")
        assert outcome("embedding") is CheckOutcome.REFUSED
        app.selectbox(key="embedding_model_free").set_value("text-embedding-3-large").run()
    settings = engine().settings
    assert (settings.embedding_access[0], settings.embedding_model) == (server.base_url, "text-embedding-3-large")
    assert not settings.embeds_own_documents
    app.toggle(key="leaving_embeds_own_documents_free").set_value(True).run()
    assert engine().settings.embeds_own_documents


def test_any_source_is_set_up_by_its_own_fields_and_checked(
    app: AppTest, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/works").respond_with_json({"results": []})
    opened(app).selectbox(key="source_chosen").set_value("openalex").run()
    fields = {str(box.key).removeprefix("source_openalex_")[:-2]: box for box in app.text_input}
    fields["contact"].set_value("me@example.com")
    fields["key"].set_value(KEY)
    fields["base_url"].set_value(httpserver.url_for(""))
    app.button(key="source_openalex_save").click().run()
    assert not app.exception and "api_key" in httpserver.log[-1][0].args
    assert any("It works." in str(tree.proto) for tree in app.get("bidi_component"))
    kept = kept_settings.load(engine().settings.home).services["source_openalex"]
    assert (kept.value("contact"), kept.value("key")) == ("me@example.com", KEY)
    assert KEY not in state(app)
    monkeypatch.setenv("OPENALEX_KEY", "of-the-environment")
    st.cache_resource.clear()
    (key,) = (box for box in opened(app).text_input if str(box.key).startswith("source_openalex_key"))
    assert key.disabled and "OPENALEX_KEY" in key.placeholder
    app.button(key="source_openalex_remove").click().run()
    assert kept_settings.load(engine().settings.home).services["source_openalex"].values == {}


def test_a_key_is_kept_for_the_place_that_the_environment_sets_and_goes_to_no_other(
    app: AppTest, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/works").respond_with_json({"results": []})

    def send(given: dict[str, str], **typed: str) -> dict[str, str]:
        for name in ("KEY", "BASE_URL"):
            monkeypatch.delenv(f"OPENALEX_{name}", raising=False)
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        st.cache_resource.clear()
        opened(app).selectbox(key="source_chosen").set_value("openalex").run()
        fields = {str(box.key).removeprefix("source_openalex_")[:-2]: box for box in app.text_input}
        assert fields["base_url"].disabled and not fields["base_url"].placeholder.startswith("Set by")
        for name, value in typed.items():
            fields[name].set_value(value)
        app.button(key="source_openalex_save").click().run()
        assert not app.exception and not app.error
        held = kept_settings.load(engine().settings.home).services.get("source_openalex", KeptService())
        return {name: held.value(name) for name in held.values}

    here, elsewhere = httpserver.url_for("").rstrip("/"), "http://127.0.0.1:9"
    assert send({"OPENALEX_BASE_URL": here}) == {}
    assert send({"OPENALEX_BASE_URL": here}, key=KEY) == {"key": KEY, "base_url": here}
    both = {"OPENALEX_BASE_URL": elsewhere, "OPENALEX_KEY": "of-the-environment"}
    kept = send(both, contact="me@example.com")
    assert kept == {"contact": "me@example.com", "key": KEY, "base_url": here}


def test_connected_servers_are_shown_with_what_to_do(app: AppTest, tmp_path: Path) -> None:
    opened(app)
    reader = Ui(Language.EN)
    assert str(tmp_path / "mcp.json") in connected_servers(reader).state
    (tmp_path / "mcp.json").write_text("[{")
    assert "cannot be read" in connected_servers(reader).state
    (tmp_path / "mcp.json").write_text('[{"name": "crm", "url": "http://127.0.0.1:1/mcp", "search": "find"}]')
    assert connected_servers(reader) == Provider("Connected servers (MCP)", True, "crm")
    (tmp_path / "mcp.json").write_text('[{"name": "crm", "url": "http://127.0.0.1:1/mcp"}]')
    assert "Only chat models" in connected_servers(reader).state
