"""What the user agrees to on the page Settings: tools that change something, what leaves of own documents, traces."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from research import core
from research.analysts import ResearchComplete, ResearcherAction, ResearcherView, Search, UseTool
from research.engine import Control, conduct
from research.settings import AgreedTool, McpServer, Settings
from research.sources import SearchRequest
from research.sources.mcp import Servers
from research.store import Runner, RunStore
from tests.support.mcp_server import TOKEN, McpTestServer
from tests.support.openai_server import OpenAIServer
from tests.support.pump_model import Model
from tests.support.quick_server import QuickServer
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, found_page, scripted_world
from tests.support.services import access
from tests.support.vectors import with_shared_vectors
from tests.support.without_browser import page_alone

REQUEST = SearchRequest("pumps", 3)
READING = {"find_customer", "search_notes", "rows", "records", "nothing", "broken", "slow", "huge"}
CHANGING = {"writes", "says_nothing", "deletes"}


@pytest.fixture
def tools(tools: McpTestServer) -> McpTestServer:
    tools.used.clear()
    return tools


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
    with pytest.raises(core.SourceError) as caught:
        await servers(tools.named()).source(UseTool("crm", tool, "{}")).search(REQUEST)
    assert caught.value.code == "mcp_unconfirmed"
    assert not tools.used


@pytest.mark.parametrize("tool", ["writes", "deletes"])
async def test_a_search_that_says_it_changes_something_needs_a_yes_as_well(tools: McpTestServer, tool: str) -> None:
    named = tools.named(search=tool)
    (source,) = servers(named).sources
    with pytest.raises(core.SourceError):
        await source.search(REQUEST)
    assert not tools.used
    (source,) = servers(named, AgreedTool(server="crm", tool=tool)).sources
    assert await source.search(REQUEST)
    assert [name for name, _ in tools.used] == [tool]


async def test_a_search_that_the_user_named_and_that_says_nothing_is_asked(tools: McpTestServer) -> None:
    (source,) = servers(tools.named(search="says_nothing")).sources
    assert await source.search(REQUEST)


async def test_no_tool_is_asked_that_the_server_does_not_list(tools: McpTestServer) -> None:
    with pytest.raises(core.SourceError):
        await servers(tools.named()).source(UseTool("crm", "hidden", "{}")).search(REQUEST)


@pytest.mark.parametrize("agreed", [False, True])
def test_no_passage_of_an_own_document_leaves_for_embeddings_without_a_yes(tmp_path: Path, agreed: bool) -> None:
    folder, home = tmp_path / "own", tmp_path / "home"
    folder.mkdir()
    (folder / "plan.md").write_text("# Plan\n\nThe plant in Da Nang is to be sold in 2027.\n")
    # No such name: whoever asks there at all is told that it could not be reached.
    elsewhere = access("http://nobody.invalid/v1", to="service_embedding")
    settings = Settings(home=home, services=elsewhere, embeds_own_documents=agreed)
    with Runner(RunStore(home), settings) as runner:
        brief = core.Brief(question="Which plant will be given up?", sources=(core.SourceName.LIBRARY,))
        report = runner.wait(runner.start(brief, library=folder, analyst="extractive"), timeout=60)
    codes = {problem.code for problem in report.record.problems if problem.code.startswith("embedding")}
    assert codes - {"embedding_built_in", "embedding_words"} == {
        "embedding_unreachable" if agreed else "embedding_kept_here"
    }


# --- words of own documents stay here in every method, also where rules and not models make the queries --------------


NOTES = found_page(
    "Bluebird plan.md",
    "Kestrelworks, code name Bluebird, sells 4871 pumps in Vietnam. Mr Quillfeather opposes it.",
    url="file:///Bluebird%20plan.md",
    title="Bluebird plan",
    site="Bluebird plan.md",
    origin=core.SourceName.LIBRARY,
)
PRIVATE = ("kestrelworks", "bluebird", "4871", "quillfeather", "plan.md")
BY_RULE = {core.MethodName.CHAINED, core.MethodName.GAP_DRIVEN}
"""Methods whose further queries are for what is missing, in words of the question: their analysts write none."""


class Indiscreet(ScriptedAnalyst):
    """Puts what it has read into every further query."""

    def __init__(self) -> None:
        super().__init__(topics=("The pump market",), on_investigate=self._act, on_reflect=self._think)

    def _act(self, view: ResearcherView) -> list[ResearcherAction]:
        if view.turn > 2:
            return [ResearchComplete()]
        return [Search((self._query(view), f"pump {view.turn}"))]

    def _think(self, view: ResearcherView) -> core.Reflection:
        return core.Reflection(
            summary="I have read.", gaps=("prices",), queries=(core.NextQuery(query=self._query(view), reason="a gap"),)
        )

    def _query(self, view: ResearcherView) -> str:
        return f"pump market {view.turn} " + " ".join(entry.quote for entry in view.evidence)[:200]


async def told(method: core.MethodName, *, shares: bool, blocked: str = "") -> tuple[str, MemoryJournal]:
    """Research own documents and the web; return all that the web was told."""
    own, web = MemorySource([NOTES], name=core.SourceName.LIBRARY), MemorySource()
    world = replace(scripted_world(Indiscreet(), own, web), shares_own_words=shares)
    control, journal = Control(), MemoryJournal()
    if blocked:
        control.hear(core.BlockSite(site=blocked))
    brief = core.Brief(question="Tell me about the pump market.", method=method)
    await conduct("test", brief, world, journal, control)
    assert any(event.origin is core.SourceName.LIBRARY for event in journal.of(core.PageRead)) or blocked
    assert len(web.asked) > 1
    return " ".join(repr(request) for request in web.asked).lower(), journal


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_no_method_tells_the_web(method: core.MethodName) -> None:
    heard, journal = await told(method, shares=False)
    assert not [word for word in PRIVATE if word in heard]
    withheld = [event for event in journal.of(core.ProblemOccurred) if event.code == "query_withheld"]
    assert bool(withheld) is (method not in BY_RULE)
    assert not [event for event in withheld if "bluebird" in repr(event).lower()]


@pytest.mark.parametrize(
    ("held", "asked", "is_told"),
    [
        ("library", "wikipedia", False), ("sql", "arxiv", False), ("azure-search", "rss", False),
        ("tables", "azure-search", False), ("azure-search", "sql", False), ("not-installed", "edgar", False),
        ("sql", "sql", True), ("openalex", "web", True),
    ],
)  # fmt: skip
async def test_no_source_is_told_what_another_private_one_holds(held: str, asked: str, is_told: bool) -> None:
    """What a server told may go back to it alone; what is public may go anywhere."""
    pages = [replace(NOTES, origin=core.SourceName(held), site=held, url="https://a.example/x")]
    one, other = MemorySource(pages, name=core.SourceName(held)), MemorySource(name=core.SourceName(asked))
    world = scripted_world(Indiscreet(), one, other)
    brief = core.Brief(question="What of the pump market?", method=core.MethodName.SUPERVISED)
    await conduct("test", brief, world, MemoryJournal(), Control())
    heard = " ".join(repr(request) for request in other.asked).lower()
    assert ("kestrelworks" in heard) is is_told and len(other.asked) > 1


@pytest.mark.parametrize("method", [method for method in core.MethodName if method not in BY_RULE])
async def test_all_is_told_where_the_user_agreed(method: core.MethodName) -> None:
    heard, _ = await told(method, shares=True)
    assert "kestrelworks" in heard


async def test_the_name_of_a_document_that_is_blocked_is_told_to_nobody() -> None:
    heard, _ = await told(core.MethodName.SUPERVISED, shares=False, blocked="Bluebird plan.md")
    assert "plan.md" not in heard


@pytest.mark.parametrize(
    "arguments",
    ["{}", '{"name": "pump"}', '{"name": "Vietnam", "limit": 20}', '{"wanted": true, "more": null}', "no JSON"],
)
def test_arguments_of_the_users_own_words_pass(arguments: str) -> None:
    outgoing = core.Outgoing("What of pumps in Vietnam?", date(2026, 11, 22), is_free=False)
    outgoing.hear(_read_own())
    assert outgoing.may_pass(arguments, (), "crm")


@pytest.mark.parametrize(
    "arguments",
    ['{"name": "Kestrelworks"}', '{"limit": 4871}', '{"price": 312.5}', '{"a": {"b": ["Quillfeather"]}}',
     '{"a": {"Bluebird": 1}}', '{"name": "pump Bluebird"}'],
)  # fmt: skip
def test_others_do_not(arguments: str) -> None:
    outgoing = core.Outgoing("What of pumps in Vietnam?", date(2026, 11, 22), is_free=False)
    outgoing.hear(_read_own())
    assert not outgoing.may_pass(arguments, (), "crm")


def _read_own() -> core.PageRead:
    return core.PageRead(
        lane="R1", page="S1", url="file:///x", title="", site="x", origin=core.SourceName.LIBRARY, kind="document",
        published=None, sha256="", characters=1,
    )  # fmt: skip


# --- traces ----------------------------------------------------------------------------------------------------------


ROOT = Path(__file__).resolve().parents[2]
SECRET = "Bluebird takes over the pump maker Aoba for 4,312 million yen in 2025."
_VARIABLES = {
    "LANGSMITH_TRACING": "true",
    "LANGSMITH_TRACING_V2": "true",
    "LANGCHAIN_TRACING_V2": "true",
    "LANGCHAIN_TRACING": "true",
    "LANGSMITH_API_KEY": "lsv2_pt_0123456789abcdef",
}


@pytest.fixture
def collector() -> Iterator[HTTPServer]:
    """A server that takes traces."""
    with QuickServer(threaded=True) as server:
        server.expect_request(re.compile(".*")).respond_with_json({})
        yield server


def run(tmp_path: Path, collector: HTTPServer, *more: str, **environment: str) -> None:
    """Research own documents by the command line, with all that asks for traces in the environment."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "plan.md").write_text(f"# Plan\n\n{SECRET}\n", encoding="utf-8")
    endpoint = collector.url_for("/").rstrip("/")
    given = {**os.environ, **_VARIABLES, "LANGSMITH_ENDPOINT": endpoint, "LANGCHAIN_ENDPOINT": endpoint}
    given |= {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8", **environment}
    with_shared_vectors(tmp_path / "home")
    command = [sys.executable, "-m", "research", "run", "What of Aoba?", "--preset", "speed", "--quiet"]
    command += ["--library", str(documents), "--out", str(tmp_path / "out"), *more]
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 3), done.stderr
    kept = (path.read_text() for path in (tmp_path / "out" / "pages").iterdir())
    assert any(SECRET in text for text in kept), "the document was read"


def test_nothing_is_sent_of_a_run_without_a_model_unless_the_products_own_setting_names_who_gets_it(
    tmp_path: Path, collector: HTTPServer
) -> None:
    for value in ("true", "1", "on", "off", "no", "langsmith.com", ""):
        assert not Settings.from_environment({"RESEARCH_TRACING": value}).is_traced, value
    run(tmp_path, collector, RESEARCH_TRACING="true")
    assert not collector.log


def test_the_variables_alone_send_nothing_of_a_run_with_models(tmp_path: Path, collector: HTTPServer) -> None:
    with OpenAIServer() as models:
        models.handler = Model()
        run(tmp_path, collector, "--method", "supervised", OPENAI_BASE_URL=models.base_url)
        assert models.requests
    assert not collector.log


def test_the_products_own_setting_sends_traces(tmp_path: Path, collector: HTTPServer) -> None:
    run(tmp_path, collector, RESEARCH_TRACING="langsmith")
    assert collector.log
