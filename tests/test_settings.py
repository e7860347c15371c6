"""Settings: what the environment says, over what was entered and is kept for its owner alone."""

from __future__ import annotations

import logging
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

import research
from research.cli import main
from research.core import MODEL_SERVERS, Brief, Offer, PresetName, Role, SourceName, UsageError, origins
from research.settings import (
    EMBEDDINGS,
    TAVILY,
    CurrentSettings,
    KeptService,
    KeptSettings,
    Settings,
    WebSearch,
    clean_address,
    clean_key,
    clean_model,
    is_unencrypted,
    kept_settings,
    shown_address,
    variables_set,
)
from research.store import Runner, RunStore
from tests.support.openai_server import Body, Failure, OpenAIServer

OPENAI = MODEL_SERVERS["openai"]
NOW = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
KEY = "sk-kept-secret"


def keep(home: Path, offer: Offer = OPENAI, address: str = "", key: str = KEY) -> KeptSettings:
    return kept_settings.change(
        home,
        lambda before: before.with_service(
            offer, before.of(offer).entered(offer.fields, {"address": address, "key": key}, NOW)
        ),
    )


def read(home: Path, **environment: str) -> Settings:
    return Settings.from_environment({"RESEARCH_HOME": str(home), **environment})


def models(settings: Settings) -> tuple[str, str]:
    """Return the address and the key with which OpenAI is asked, or who is there in its place."""
    return settings.access(WebSearch.OPENAI)


def test_nothing_set_means_no_models_and_no_web() -> None:
    settings = Settings.from_environment({})
    assert not settings.has_models and not settings.has_web and settings.models == {}
    assert settings.home.is_absolute()


def test_empty_variables_count_as_not_set() -> None:
    settings = Settings.from_environment({"OPENAI_API_KEY": " ", "TAVILY_API_KEY": "", "RESEARCH_MODEL": ""})
    assert not settings.has_models and not settings.has_web and not settings.models


def test_each_variable_has_its_place() -> None:
    settings = Settings.from_environment(
        {
            "OPENAI_API_KEY": "sk-secret",
            "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
            "TAVILY_BASE_URL": "http://127.0.0.1:2",
            "PLANNING_MODEL": "a",
            "RESEARCH_MODEL": "b",
            "SUMMARIZATION_MODEL": "c",
            "COMPRESSION_MODEL": "d",
            "FINAL_REPORT_MODEL": "e",
            "RESEARCH_HOME": "/data/research",
        }
    )
    assert settings.home == Path("/data/research")
    assert settings.models == dict(zip(Role, "abcde", strict=True))
    assert settings.has_models and settings.has_web


def test_whoever_researches_plans_unless_another_is_set() -> None:
    assert Settings.from_environment({"RESEARCH_MODEL": "a"}).models == {Role.PLANNING: "a", Role.RESEARCH: "a"}
    assert Settings.from_environment({"PLANNING_MODEL": "b"}).models == {Role.PLANNING: "b"}
    both = Settings.from_environment({"RESEARCH_MODEL": "a", "PLANNING_MODEL": "b"})
    assert both.models == {Role.PLANNING: "b", Role.RESEARCH: "a"}


def test_what_is_kept_comes_back_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    keep(tmp_path)
    keep(tmp_path, TAVILY, "http://127.0.0.1:1", "tvly-1")
    kept = kept_settings.load(tmp_path)
    assert kept.of(OPENAI).value("key") == KEY and kept.of(OPENAI).key_set_at == NOW
    assert kept.of(TAVILY).value("address") == "http://127.0.0.1:1" and kept.of(TAVILY).value("key") == "tvly-1"
    assert stat.S_IMODE(kept_settings.path(tmp_path).stat().st_mode) == 0o600


def test_files_of_versions_before_are_read_and_written_anew(tmp_path: Path) -> None:
    file = kept_settings.path(tmp_path)
    file.parent.mkdir()
    file.write_text(
        """{
          "openai": {"address": "http://127.0.0.1:1/v1", "key": "sk-old", "key_set_at": "2026-07-01T09:00:00Z"},
          "tavily": {"address": null, "key": "tvly-old", "key_set_at": "2026-07-02T09:00:00Z"}, "anthropic": {},
          "embedding": {"address": "http://127.0.0.1:2/v1", "key": null, "key_set_at": null},
          "sources": {"openalex": {"values": {"contact": "me@example.com", "key": "of-papers"}}},
          "providers": {"ollama": {"values": {"model": "small"}}},
          "web_search": "openai", "search_models": {"openai": "gpt-searching"}, "models": {"research": "gpt-large"}
        }"""
    )
    for _ in range(2):
        settings = read(tmp_path)
        assert models(settings) == ("http://127.0.0.1:1/v1", "sk-old")
        assert settings.access(WebSearch.TAVILY) == ("", "tvly-old") and not settings.has(WebSearch.ANTHROPIC)
        assert settings.embedding_access == ("http://127.0.0.1:2/v1", "")
        papers = settings.values_of(origins()[SourceName("openalex")])
        assert (papers["contact"], papers["key"]) == ("me@example.com", "of-papers")
        assert settings.values_of(MODEL_SERVERS["ollama"])["model"] == "small"
        assert settings.search_model(WebSearch.OPENAI) == "gpt-searching"
        assert settings.models[Role.RESEARCH] == "gpt-large"
        kept = kept_settings.change(tmp_path, lambda before: before)
        assert kept.of(OPENAI).key_set_at == datetime(2026, 7, 1, 9, tzinfo=UTC)
    assert '"openai"' not in file.read_text().partition('"search_models"')[0] and '"sources"' not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("kept", ['{"openai": "sk-damaged"}', '{"tavily": {"key": ["sk-damaged"]}}',
    '{"sources": {"openalex": "sk-damaged"}}', '{"services": {"provider_openai": "sk-damaged"}}'])  # fmt: skip
def test_damaged_settings_are_left_out_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kept: str
) -> None:
    kept_settings.path(tmp_path).parent.mkdir()
    kept_settings.path(tmp_path).write_text(kept)
    with caplog.at_level(logging.WARNING):
        assert not read(tmp_path).has_models
    assert "damaged" in caplog.text and "sk-damaged" not in caplog.text


def test_a_removed_key_is_gone_from_the_disk(tmp_path: Path) -> None:
    keep(tmp_path, address="http://127.0.0.1:1")
    kept_settings.change(tmp_path, lambda kept: kept.with_service(OPENAI, kept.of(OPENAI).without(["key"])))
    assert kept_settings.load(tmp_path).of(OPENAI) == KeptService.of(address="http://127.0.0.1:1")
    assert all(KEY not in path.read_text() for path in tmp_path.rglob("*") if path.is_file())


def test_kept_settings_fill_what_the_environment_leaves_open(tmp_path: Path) -> None:
    keep(tmp_path)
    kept_settings.change(tmp_path, lambda kept: kept.model_copy(update={"models": {Role.SUMMARIZATION: "small"}}))
    settings = read(tmp_path, TAVILY_API_KEY="tvly-env", FINAL_REPORT_MODEL="large")
    assert models(settings) == ("", KEY)
    assert settings.access(WebSearch.TAVILY) == ("", "tvly-env")
    assert settings.models == {Role.SUMMARIZATION: "small", Role.FINAL_REPORT: "large"}


def test_the_environment_goes_first(tmp_path: Path) -> None:
    keep(tmp_path)
    kept_settings.change(tmp_path, lambda kept: kept.model_copy(update={"models": {Role.RESEARCH: "kept"}}))
    settings = read(tmp_path, OPENAI_API_KEY="sk-env", RESEARCH_MODEL="env")
    assert models(settings) == ("", "sk-env")
    assert settings.models == {Role.RESEARCH: "env", Role.PLANNING: "env"}


PAPERS = origins()[SourceName("openalex")]
HERE, ELSEWHERE = "https://here.example/v1", "https://elsewhere.example/v1"


@pytest.mark.parametrize("offer", [OPENAI, MODEL_SERVERS["anthropic"], TAVILY, EMBEDDINGS, PAPERS])
def test_a_key_goes_to_no_address_that_the_other_side_set(tmp_path: Path, offer: Offer) -> None:
    key, place = (next(one for one in offer.fields if getattr(one, kind)) for kind in ("is_secret", "is_place"))

    def enter(address: str, secret: str = KEY) -> None:
        def entered(before: KeptSettings) -> KeptSettings:
            values = {key.name: secret, place.name: address}
            return before.with_service(offer, before.of(offer).entered(offer.fields, values, NOW))

        kept_settings.change(tmp_path, entered)

    def used(**given: str) -> tuple[str, str]:
        values = read(tmp_path, **given).values_of(offer)
        return values[place.name], values[key.name]

    enter("")
    assert used(**{offer.variable(place): ELSEWHERE}) == (ELSEWHERE, "")
    enter(HERE)
    assert used(**{offer.variable(place): HERE}) == (HERE, KEY), "it was entered for just this one"
    assert used(**{offer.variable(key): "sk-env"}) == (place.default, "sk-env")
    with pytest.raises(UsageError, match="another address"):
        enter(ELSEWHERE, "")
    enter(HERE, "")
    assert used() == (HERE, KEY), "all is as before"
    assert KEY not in repr(kept_settings.load(tmp_path)) + kept_settings.load(tmp_path).model_dump_json()
    enter(ELSEWHERE, "sk-other")
    assert used() == (ELSEWHERE, "sk-other")


def test_an_address_without_a_key_can_be_changed(tmp_path: Path) -> None:
    keep(tmp_path, address="http://127.0.0.1:1/v1", key="")
    keep(tmp_path, address="http://127.0.0.1:2/v1", key="")
    assert models(read(tmp_path))[0] == "http://127.0.0.1:2/v1"
    assert not keep(tmp_path, address="", key="").of(OPENAI).value("address")


def test_which_variables_are_set_is_known() -> None:
    set_ = variables_set({"OPENAI_API_KEY": "x", "TAVILY_API_KEY": " ", "PLANNING_MODEL": "y", "HOME": "/"})
    assert set_ == {"OPENAI_API_KEY", "PLANNING_MODEL"}


def test_settings_follow_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    current = CurrentSettings()
    assert not current().has_models
    keep(tmp_path)
    assert models(current())[1] == KEY
    assert current() is current()
    keep(tmp_path, key="sk-other")
    assert models(current())[1] == "sk-other"
    kept_settings.path(tmp_path).unlink()
    assert not current().has_models


# --- what people paste as keys and addresses, made usable or refused in words ----------------------------------------


@pytest.mark.parametrize(
    "pasted",
    [
        "sk-abc123", "  sk-abc123\n", "sk-abc\r\n123", "sk-abc 123", "\u200bsk-abc123\ufeff", '"sk-abc123"',
        "OPENAI_API_KEY=sk-abc123", "export OPENAI_API_KEY='sk-abc123';", "Bearer sk-abc123",
        "Authorization: Bearer sk-abc123",
    ],
)  # fmt: skip
def test_what_came_along_with_a_key_is_taken_off(pasted: str) -> None:
    assert clean_key(pasted) == "sk-abc123"


def test_an_empty_field_is_no_key() -> None:
    assert clean_key(" \n") == ""


@pytest.mark.parametrize("pasted", ["ｓｋ－ａｂｃ", "sk-あいう", "sk-\x00secret", "sk-secret" * 1_000])
def test_what_cannot_be_a_key_is_refused_without_repeating_it(pasted: str) -> None:
    with pytest.raises(UsageError) as refused:
        clean_key(pasted)
    assert all(pasted not in said and "secret" not in said for said in refused.value.text)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("", ""),
        (" https://api.example.com/v1/ ", "https://api.example.com/v1"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("https://api.tavily.com/search", "https://api.tavily.com"),
    ],
)
def test_an_address_is_brought_to_its_base(typed: str, address: str) -> None:
    assert clean_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    [
        "api.example.com/v1",
        "localhost:11434/v1",
        "ftp://example.com",
        "file:///etc/passwd",
        "https://",
        "http://[::1/v1",
        "http://example.com:99999/v1",
        "https://example.com/v1?key=sk-1",
        "https://例え.jp/v1",
        "javascript:alert(1)",
        "https://example.com/" + "x" * 1_000,
    ],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="address"):
        clean_address(typed)


def test_a_password_has_no_place_in_an_address() -> None:
    with pytest.raises(UsageError, match="own field") as refused:
        clean_address("https://me:hunter2@example.com/v1")
    assert "hunter2" not in str(refused.value)
    assert shown_address("https://me:hunter2@example.com:1/v1") == "https://example.com:1/v1"
    assert shown_address("nonsense@") == "nonsense@"


@pytest.mark.parametrize(
    ("address", "open_"),
    [
        ("http://models.example.com/v1", True),
        ("http://192.168.1.5:8000", True),
        ("https://models.example.com/v1", False),
        ("http://localhost:11434/v1", False),
        ("http://127.0.0.1:1", False),
        ("http://[::1]:1", False),
        ("nonsense", False),
    ],
)
def test_an_address_whose_traffic_others_can_read_is_known(address: str, open_: bool) -> None:
    assert is_unencrypted(address) is open_


def test_a_model_is_one_short_line() -> None:
    assert clean_model(" qwen2.5:0.5b ") == "qwen2.5:0.5b"
    for typed in ("a\nb", "x" * 201, "a\x00"):
        with pytest.raises(UsageError):
            clean_model(typed)


# --- runs take the settings of the moment they start; changing settings needs no restart and disturbs no run ---------


BRIEF = Brief(
    question="What sales targets has Asanagi Pump Industries set?", sources=(SourceName.HOUSE,), preset=PresetName.SPEED
)
_WAIT = 60.0


def keys(server: OpenAIServer) -> set[str]:
    return {request.headers["Authorization"] for request in server.requests}


def test_a_run_under_way_keeps_its_settings_and_the_next_has_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    asked, changed = threading.Event(), threading.Event()

    def until_changed(_: Body) -> Failure:
        asked.set()
        assert changed.wait(_WAIT)
        return Failure(400)

    current = CurrentSettings()
    with OpenAIServer() as first, OpenAIServer() as second:
        first.handler, second.handler = until_changed, lambda _: Failure(401)
        store = RunStore(tmp_path)
        with Runner(store, current(), current=current) as runner:
            keep(tmp_path, address=first.base_url, key="sk-first-key")
            early = runner.start(BRIEF)
            assert asked.wait(_WAIT)
            keep(tmp_path, address=second.base_url, key="sk-second-key")
            changed.set()
            late = runner.start(BRIEF)
            reports = [runner.wait(run, _WAIT) for run in (early, late)]
        store.close()
    assert all("Asanagi" in report.markdown for report in reports)
    assert keys(first) == {"Bearer sk-first-key"} and len(first.requests) > 1
    assert keys(second) == {"Bearer sk-second-key"}


def test_notebooks_and_the_command_line_use_what_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"RESEARCH_HOME": str(tmp_path / "home")}
    with OpenAIServer() as server:
        server.handler = lambda _: Failure(401)
        keep(tmp_path / "home", address=server.base_url, key="sk-kept-key")
        research.run_sync(BRIEF, settings=Settings.from_environment(environment))
        by_notebook = len(server.requests)
        main(["run", BRIEF.question, "--sources", "house", "--out", str(tmp_path / "out"), "--quiet"], environment)
        assert 0 < by_notebook < len(server.requests)
        assert keys(server) == {"Bearer sk-kept-key"}
    said = capsys.readouterr()
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "kept.json"]
    assert "sk-kept-key" not in said.out + said.err
    assert all(b"sk-kept-key" not in content for content in written)
