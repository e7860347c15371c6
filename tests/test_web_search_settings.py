"""Who searches the web: what the environment says, and what follows where it says nothing."""

import logging
from pathlib import Path
from typing import Any

import pytest

from research.core import Brief, SourceName, UsageError
from research.settings import KeptService, KeptSettings, Settings, WebSearch, kept_settings
from research.sources.apis import ApiSource
from research.sources.model_search import ModelSearchSource
from research.sources.web import NamingSource, TavilySource
from research.store.world import SummaryCache, build_world

OPENAI = {"OPENAI_API_KEY": "sk-1"}
TAVILY = {"TAVILY_API_KEY": "tvly-1"}
ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-ant-1"}
LOCAL = {"OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"}


def settings(home: Path, *given: dict[str, str], **named: str) -> Settings:
    environment = {"RESEARCH_HOME": str(home), **named}
    for part in given:
        environment |= part
    return Settings.from_environment(environment)


def web_source(made: Settings, **brief: Any) -> Any:
    world = build_world(
        Brief(question="What of pumps?", sources=("web",), **brief),
        made,
        library=None,
        analyst="extractive",
        summaries=SummaryCache(made.home / "cache"),
    )
    (source,) = world.sources
    assert source.name is SourceName.WEB
    return source


@pytest.mark.parametrize(
    ("given", "searcher", "has_web"),
    [
        ({}, WebSearch.NONE, False),
        (OPENAI, WebSearch.OPENAI, True),
        (OPENAI | {"OPENAI_BASE_URL": "https://api.openai.com/v1"}, WebSearch.OPENAI, True),
        (OPENAI | {"OPENAI_BASE_URL": "https://eu.api.openai.com/v1/"}, WebSearch.OPENAI, True),
        (OPENAI | {"OPENAI_BASE_URL": "https://api.openai.com.evil.example/v1"}, WebSearch.NONE, False),
        (OPENAI | {"OPENAI_BASE_URL": "http://["}, WebSearch.NONE, False),
        (OPENAI | LOCAL, WebSearch.NONE, False),
        (LOCAL, WebSearch.NONE, False),
        (ANTHROPIC, WebSearch.NONE, False),
        (OPENAI | TAVILY, WebSearch.TAVILY, True),
        (OPENAI | TAVILY | {"WEB_SEARCH": "openai"}, WebSearch.OPENAI, True),
        (LOCAL | {"WEB_SEARCH": "openai"}, WebSearch.OPENAI, True),
        ({"WEB_SEARCH": "openai"}, WebSearch.OPENAI, False),
        (OPENAI | {"WEB_SEARCH": "tavily"}, WebSearch.TAVILY, False),
        (ANTHROPIC | {"WEB_SEARCH": "Anthropic"}, WebSearch.ANTHROPIC, True),
        ({"WEB_SEARCH": "anthropic"}, WebSearch.ANTHROPIC, False),
        (OPENAI | TAVILY | {"WEB_SEARCH": "none"}, WebSearch.NONE, False),
    ],
)
def test_who_searches(tmp_path: Path, given: dict[str, str], searcher: WebSearch, has_web: bool) -> None:
    made = settings(tmp_path, given)
    assert (made.searcher, made.has_web) == (searcher, has_web)


def keep(home: Path, searcher: WebSearch | None = None, **services: str) -> None:
    """Enter keys, and who searches, in the workbench."""

    def changed(kept: KeptSettings) -> KeptSettings:
        entered = {name: KeptService.of(key=key) for name, key in services.items()}
        return kept.model_copy(update={"services": kept.services | entered, "web_search": searcher})

    kept_settings.change(home, changed)


def test_a_key_that_was_entered_here_is_meant_for_the_search(tmp_path: Path) -> None:
    keep(tmp_path, provider_anthropic="sk-ant-2")
    made = settings(tmp_path)
    assert (made.searcher, made.has_web) == (WebSearch.ANTHROPIC, True)
    assert settings(tmp_path, OPENAI).searcher is WebSearch.ANTHROPIC, "one that is for the search alone goes first"
    assert settings(tmp_path, TAVILY).searcher is WebSearch.TAVILY
    of_others = settings(tmp_path, {"ANTHROPIC_API_KEY": "sk-ant-3"})
    assert of_others.searcher is WebSearch.NONE, "a key in the environment may be there for other programs"


def test_who_searches_is_chosen_and_kept(tmp_path: Path) -> None:
    keep(tmp_path, WebSearch.OPENAI, service_tavily="tvly-2", provider_openai="sk-2")
    assert settings(tmp_path).searcher is WebSearch.OPENAI
    assert settings(tmp_path, WEB_SEARCH="tavily").searcher is WebSearch.TAVILY, "the environment goes first"
    keep(tmp_path, WebSearch.NONE)
    assert not settings(tmp_path).has_web


def test_the_model_that_searches_belongs_to_its_provider(tmp_path: Path) -> None:
    models = {WebSearch.OPENAI: "gpt-kept"}
    kept_settings.change(tmp_path, lambda kept: kept.model_copy(update={"search_models": models}))
    made = settings(tmp_path, OPENAI)
    assert made.search_model(WebSearch.OPENAI) == "gpt-kept"
    assert made.search_model(WebSearch.ANTHROPIC) is None, "another provider does not know it"
    named = settings(tmp_path, OPENAI, WEB_SEARCH_MODEL="gpt-named")
    assert named.search_model(WebSearch.OPENAI) == "gpt-named", "the environment goes first"
    assert named.search_model(WebSearch.ANTHROPIC) is None, "it is meant for whoever searches"


def test_a_word_that_is_none_of_them_switches_the_web_off(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert settings(tmp_path, TAVILY, WEB_SEARCH="off").searcher is WebSearch.NONE
    assert "tavily, openai, anthropic, ddgs, searxng, wikipedia, none" in caplog.text


def test_the_source_is_that_of_who_searches(tmp_path: Path) -> None:
    assert isinstance(web_source(settings(tmp_path, OPENAI, TAVILY)), TavilySource)
    assert isinstance(web_source(settings(tmp_path, TAVILY, WEB_SEARCH="wikipedia")), ApiSource)
    assert isinstance(
        web_source(settings(tmp_path, {"SEARXNG_BASE_URL": "http://x"}, WEB_SEARCH="searxng")), NamingSource
    )
    assert isinstance(web_source(settings(tmp_path, OPENAI)), ModelSearchSource)
    assert isinstance(web_source(settings(tmp_path, ANTHROPIC, WEB_SEARCH="anthropic")), ModelSearchSource)


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"WEB_SEARCH": "none"} | TAVILY, "switched off"),
        ({"WEB_SEARCH": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"WEB_SEARCH": "searxng"}, "SEARXNG_BASE_URL"),
    ],
)
def test_a_brief_that_needs_the_web_is_told_what_is_missing(tmp_path: Path, given: dict[str, str], advice: str) -> None:
    with pytest.raises(UsageError, match=advice):
        web_source(settings(tmp_path, given))
    with pytest.raises(UsageError, match="WEB_SEARCH"):
        web_source(settings(tmp_path, given), language="ja")


def test_who_chooses_the_web_gets_it_without_a_key_and_who_chooses_nothing_asks_nobody(tmp_path: Path) -> None:
    assert isinstance(web_source(settings(tmp_path)), NamingSource | ApiSource)
    assert not settings(tmp_path).has_web and settings(tmp_path).searcher is WebSearch.NONE


def test_without_the_web_everything_else_is_searched_as_ever(tmp_path: Path) -> None:
    made = settings(tmp_path, OPENAI, TAVILY, WEB_SEARCH="none")
    world = build_world(
        Brief(question="What of pumps?"),
        made,
        library=None,
        analyst="extractive",
        summaries=SummaryCache(tmp_path / "cache"),
    )
    assert [source.name for source in world.sources] == [SourceName.FACTBOOK, SourceName.HOUSE]
