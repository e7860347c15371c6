"""What the user agrees to on the page Settings: tools that change something, what leaves of own documents, traces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from research.analysts import UseTool
from research.core import Brief, SourceError, SourceName
from research.settings import AgreedTool, Settings
from research.settings.mcp_servers import McpServer
from research.sources import SearchRequest
from research.sources.mcp import Servers
from research.store import Runner, RunStore
from tests.support.mcp_server import TOKEN, McpTestServer
from tests.support.without_browser import page_alone

REQUEST = SearchRequest("pumps", 3)
READING = {"find_customer", "search_notes", "rows", "nothing", "broken", "slow", "huge"}
CHANGING = {"writes", "says_nothing", "deletes"}


@pytest.fixture(scope="module")
def running() -> Iterator[McpTestServer]:
    with McpTestServer() as server:
        yield server


@pytest.fixture
def tools(running: McpTestServer) -> McpTestServer:
    running.used.clear()
    return running


@pytest.fixture
def app(app_home: Path, tools: McpTestServer) -> AppTest:
    """The page Settings where a server is connected."""
    said = {"name": "crm", "url": tools.url, "headers": {"Authorization": f"Bearer {TOKEN}"}}
    (app_home / "mcp.json").write_text(json.dumps([said]), encoding="utf-8")
    at = page_alone("settings.py").run()
    assert not at.exception
    return at


def switches(at: AppTest) -> set[str]:
    return {(toggle.key or "").partition("/")[2] for toggle in at.toggle if (toggle.key or "").startswith("agreed_")}


def test_everything_is_off_until_it_is_switched_on_and_is_kept(app: AppTest) -> None:
    assert not any(toggle.value for toggle in app.toggle)
    settings = engine().settings
    assert (settings.shares_own_words, settings.is_traced, settings.agreed_tools) == (False, False, ())
    for field in ("shares_own_words", "embeds_own_documents", "is_traced"):
        app.toggle(key=f"leaving_{field}_free").set_value(True).run()
        assert getattr(engine().settings, field)
        app.toggle(key=f"leaving_{field}_free").set_value(False).run()
        assert not getattr(engine().settings, field)
    assert not app.exception


def test_a_tool_that_may_change_something_is_switched_on_by_itself(app: AppTest, tools: McpTestServer) -> None:
    assert switches(app) == set()
    app.button(key="list_tools_crm").click().run()
    assert switches(app) == CHANGING
    app.toggle(key="agreed_crm/writes").set_value(True).run()
    assert engine().settings.agreed_tools == (AgreedTool(server="crm", tool="writes", url=tools.url),)
    again = page_alone("settings.py").run()
    assert switches(again) == {"writes"} and again.toggle(key="agreed_crm/writes").value
    again.toggle(key="agreed_crm/writes").set_value(False).run()
    assert engine().settings.agreed_tools == ()
    assert not tools.used, "a list is no use of a tool"


def test_what_the_environment_says_of_traces_cannot_be_switched(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESEARCH_TRACING", "langsmith")
    at = page_alone("settings.py").run()
    assert at.toggle(key="leaving_is_traced_fixed").disabled


# --- what a yes is good for ------------------------------------------------------------------------------------


def servers(server: McpServer, *agreed: AgreedTool) -> Servers:
    settings = Settings(home=Path(), agreed_tools=agreed)
    return Servers([server], lambda *_, **__: None, lambda one, tool: settings.has_agreed(one.name, one.url, tool))


async def offers(server: McpServer, *agreed: AgreedTool) -> set[str]:
    return {tool.name for tool in await servers(server, *agreed).offered()}


async def test_without_a_yes_only_what_reads_is_offered(tools: McpTestServer) -> None:
    assert await offers(tools.named()) == READING


async def test_a_list_of_names_is_no_yes(tools: McpTestServer) -> None:
    assert await offers(tools.named(tools=("rows", *CHANGING))) == {"rows"}


async def test_a_yes_is_for_one_tool_of_one_server_at_one_address(tools: McpTestServer) -> None:
    yes = AgreedTool(server="crm", tool="writes", url=tools.url)
    assert await offers(tools.named(), yes) == {*READING, "writes"}
    assert await offers(tools.named(name="other"), yes) == READING
    moved = yes.model_copy(update={"url": "https://crm.example.com/mcp"})
    assert await offers(tools.named(), moved) == READING
    assert await offers(tools.named(tools=("rows",)), yes) == {"rows"}, "what is not listed is not offered either"


@pytest.mark.parametrize("tool", sorted(CHANGING))
async def test_nothing_that_changes_is_asked_though_it_is_called_by_name(tools: McpTestServer, tool: str) -> None:
    with pytest.raises(SourceError) as caught:
        await servers(tools.named()).source(UseTool("crm", tool, "{}")).search(REQUEST)
    assert caught.value.code == "mcp_unconfirmed"
    assert not tools.used


@pytest.mark.parametrize("tool", ["writes", "deletes"])
async def test_a_search_that_says_it_changes_something_needs_a_yes_as_well(tools: McpTestServer, tool: str) -> None:
    named = tools.named(search=tool)
    (source,) = servers(named).sources
    with pytest.raises(SourceError):
        await source.search(REQUEST)
    assert not tools.used
    (source,) = servers(named, AgreedTool(server="crm", tool=tool)).sources
    assert await source.search(REQUEST)
    assert [name for name, _ in tools.used] == [tool]


async def test_a_search_that_the_user_named_and_that_says_nothing_is_asked(tools: McpTestServer) -> None:
    (source,) = servers(tools.named(search="says_nothing")).sources
    assert await source.search(REQUEST)


async def test_no_tool_is_asked_that_the_server_does_not_list(tools: McpTestServer) -> None:
    with pytest.raises(SourceError):
        await servers(tools.named()).source(UseTool("crm", "hidden", "{}")).search(REQUEST)


@pytest.mark.parametrize("agreed", [False, True])
def test_no_passage_of_an_own_document_leaves_for_embeddings_without_a_yes(tmp_path: Path, agreed: bool) -> None:
    folder, home = tmp_path / "own", tmp_path / "home"
    folder.mkdir()
    (folder / "plan.md").write_text("# Plan\n\nThe plant in Da Nang is to be sold in 2027.\n")
    # No such name: whoever asks there at all is told that it could not be reached.
    settings = Settings(home=home, embedding_base_url="http://nobody.invalid/v1", embeds_own_documents=agreed)
    with Runner(RunStore(home), settings) as runner:
        brief = Brief(question="Which plant will be given up?", sources=(SourceName.LIBRARY,))
        report = runner.wait(runner.start(brief, library=folder, analyst="extractive"), timeout=60)
    codes = {problem.code for problem in report.record.problems if problem.code.startswith("embedding")}
    assert codes - {"embedding_built_in", "embedding_words"} == {
        "embedding_unreachable" if agreed else "embedding_kept_here"
    }
