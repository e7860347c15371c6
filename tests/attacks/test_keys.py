"""Keys: no part of one is shown, stored, logged or raised, whoever sends it back in whatever form."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError
from streamlit.testing.v1 import AppTest

from research.cli import main
from research.core import without_secrets
from research.settings import KeptSettings, McpServer, Settings, WebSearch
from research.sources.checks import check_search
from research.sources.model_checks import check_models
from tests.support.mcp_server import TOKEN, McpTestServer
from tests.support.openai_server import Failure, OpenAIServer
from tests.support.services import access
from tests.support.tavily_server import Refusal, TavilyServer
from tests.support.without_browser import page_alone

KEY = "qX7vKd93-Zp2mRt64wLb8-Yc5nHs"
"""Like no provider's, so that nothing but the key itself tells that it is one."""
ECHOES: dict[str, Callable[[str], str]] = {
    "whole": lambda key: key,
    "last four": lambda key: f"...{key[-4:]}",
    "last four after stars": lambda key: f"{'*' * 20}{key[-4:]}",
    "first and last": lambda key: f"{key[:4]}****{key[-4:]}",
    "first eight": lambda key: f"{key[:8]}…",
    "middle": lambda key: key[8:16],
    "quoted": lambda key: f"'{key}'",
    "in JSON": lambda key: json.dumps({"key": key}),
    "in two": lambda key: f"{key[:14]} {key[14:]}",
    "as header": lambda key: f"Authorization: Bearer {key}",
}
TOLD = {form: ECHOES[form] for form in ("whole", "last four after stars", "in two")}
"""Of these, what servers are let say to whoever shows or keeps it: each leaves out all forms in the same way."""


def parts(text: str, key: str = KEY) -> list[str]:
    """Every four characters of the key that stand in `text`."""
    return [key[at : at + 4] for at in range(len(key) - 3) if key[at : at + 4] in text]


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_no_part_is_left_in_a_text(echo: Callable[[str], str]) -> None:
    text = without_secrets(f"Incorrect API key provided: {echo(KEY)}. See our page.", [KEY])
    assert not parts(text)
    assert text.startswith("Incorrect API key provided: ") and text.endswith("See our page.")


@pytest.mark.parametrize(
    "shown",
    ["sk-proj-********wxyz", "sk-…wxyz", "****wxyz", "tvly-dev-abc***", "Bearer abc.def", "sk-ant-api03-abc_def",
     "gsk_abcdefgh", "lsv2_pt_abcdef", "abcd••••••wxyz"],
)  # fmt: skip
def test_what_looks_like_a_key_is_left_out_though_it_is_not_known(shown: str) -> None:
    text = without_secrets(f"Wrong: {shown} (see the console)")
    assert "wxyz" not in text and "abc" not in text and "console" in text


@pytest.mark.parametrize("echo", TOLD.values(), ids=TOLD)
def test_no_part_is_in_a_run_whose_servers_send_it_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, echo: Callable[[str], str]
) -> None:
    caplog.set_level(logging.DEBUG)
    home, out, said = tmp_path / "home", tmp_path / "out", f"Incorrect key: {echo(KEY)}"
    with OpenAIServer() as models, TavilyServer() as web:
        models.handler = lambda _: Failure(401, said, code="invalid_api_key")
        web.handler = lambda _: Refusal(401, said)
        environment = {
            "RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8", "OPENAI_BASE_URL": models.base_url,
            "OPENAI_API_KEY": KEY, "TAVILY_BASE_URL": web.base_url, "TAVILY_API_KEY": KEY,
        }  # fmt: skip
        main(["run", "What of pumps?", "--preset", "speed", "--out", str(out)], environment)
    shown = capsys.readouterr()
    kept = [path.read_bytes().decode("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file()]
    assert "401" in "".join(kept), "the refusal was told"
    for text in (shown.out, shown.err, caplog.text, *kept):
        assert not parts(text)


@pytest.mark.parametrize("echo", TOLD.values(), ids=TOLD)
def test_no_part_is_in_a_check(caplog: pytest.LogCaptureFixture, echo: Callable[[str], str]) -> None:
    caplog.set_level(logging.DEBUG)
    said = f"Incorrect key: {echo(KEY)}"
    with OpenAIServer() as models, TavilyServer() as web:
        models.handler = lambda _: Failure(401, said)
        web.handler = lambda _: Refusal(401, said)
        settings = Settings(
            home=Path(),
            services=access(models.base_url, KEY) | access(web.base_url, KEY, to="service_tavily")
            | access(web.base_url, KEY, to="provider_anthropic"),
        )  # fmt: skip
        searchers = (WebSearch.OPENAI, WebSearch.TAVILY, WebSearch.ANTHROPIC)
        checks = [check_models(settings, "small"), *(check_search(settings, who) for who in searchers)]
    assert not parts(repr(checks)) and not parts(caplog.text)


@pytest.mark.parametrize("echo", TOLD.values(), ids=TOLD)
def test_no_part_is_on_the_page(app_home: Path, echo: Callable[[str], str]) -> None:
    at = page_alone("settings.py").run()
    with OpenAIServer() as models:
        models.handler = lambda _: Failure(401, f"Incorrect key: {echo(KEY)}")
        _enter(at, models.base_url)
    assert not at.exception
    held = repr(dict(at.session_state._state.filtered_state.items()))
    assert not parts(held) and not parts(repr(at.main))
    files = [path for path in app_home.rglob("*") if path.is_file() and path.name != "kept.json"]
    assert not [path for path in files if parts(path.read_bytes().decode("utf-8", "replace"))]


def _enter(at: AppTest, address: str) -> None:
    for field, value in (("address", address), ("key", KEY)):
        next(box for box in at.text_input if (box.key or "").startswith(f"provider_openai_{field}_")).set_value(value)
    at.button(key="provider_openai_save").click().run()


def test_no_part_is_in_what_settings_say_of_themselves() -> None:
    services = access("https://a.example", KEY) | access(key=KEY, to="service_tavily") | access(KEY, to="source_sql")
    settings = Settings(home=Path(), services=services)
    for told in (*services.values(), KeptSettings(services=services), settings):
        assert not parts(repr(told)) and not parts(str(told)) and not parts(told.model_dump_json())


@pytest.mark.parametrize(
    "wrong",
    [
        {"services": {"provider_openai": KEY}},
        {"services": {"provider_openai": {"values": {"key": [KEY]}}}},
        {"services": {"provider_openai": {"values": {"key": {"key": KEY}}}}},
        {"models": KEY},
    ],
)
def test_no_part_is_in_what_is_raised_of_settings(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"home": Path(), **wrong})
    assert not parts("".join(traceback.format_exception(caught.value)))


def test_no_part_is_in_what_is_raised_of_servers() -> None:
    with pytest.raises(ValidationError) as caught:
        McpServer.model_validate({"name": "crm", "url": "https://a.example/", "headers": {"Authorization": [KEY]}})
    assert not parts("".join(traceback.format_exception(caught.value)))


def test_a_server_that_answers_with_its_own_token_tells_it_to_nobody(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with McpTestServer() as tools:
        tools.note = f"The pump market in Vietnam grew. Your token is {TOKEN}, says our agent in Da Nang."
        said = {"name": "crm", "url": tools.url, "headers": {"Authorization": "Bearer " + TOKEN}}
        (home / "mcp.json").write_text(json.dumps([{**said, "search": "search_notes"}]), encoding="utf-8")
        given = ["run", "How did the pump market in Vietnam grow?", "--sources", "mcp", "--quiet"]
        main([*given, "--out", str(tmp_path / "out")], {"RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8"})
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "mcp.json"}
    assert any(b"says our agent" in data for data in kept.values())
    assert not [path for path, data in kept.items() if TOKEN.encode() in data]
