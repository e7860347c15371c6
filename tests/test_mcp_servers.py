"""Connected servers as the user sets them up: what the file may hold, and what is said of a file that does not."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.types import Tool, ToolAnnotations
from pytest_httpserver import HTTPServer

from research.analysts import ToolParameter, UseTool
from research.core import Brief, SourceError, SourceKind, SourceName, Stage, UsageError
from research.core.errors import PROBLEMS
from research.engine import World
from research.settings import KeptService, McpServer, Settings, WebSearch, mcp_servers
from research.sources import FoundPage, SearchRequest
from research.sources.mcp import Servers, offered, query_parameter
from research.store.world import SummaryCache, build_world
from tests.support.mcp_server import CANARY, CUSTOMER, NOTE, TOKEN, McpTestServer

URL = "https://crm.example.com/mcp"


def written(home: Path, *servers: dict[str, Any]) -> Path:
    (home / "mcp.json").write_text(json.dumps(servers, ensure_ascii=False), encoding="utf-8")
    return home


def world(home: Path, *, keys: tuple[str, ...] = (), **brief: Any) -> World:
    services = {name: KeptService.of(key="key") for name in keys}
    settings = Settings(home=home, services=services, web_search=WebSearch.NONE)
    return build_world(
        Brief(question="What of pumps?", **brief),
        settings,
        library=None,
        analyst="auto",
        summaries=SummaryCache(home / "cache"),
    )


def test_without_a_file_there_are_none(tmp_path: Path) -> None:
    assert mcp_servers(tmp_path) == ()
    assert mcp_servers(tmp_path / "no" / "such" / "folder") == ()


def test_a_server_is_read_with_all_that_is_said_of_it(tmp_path: Path) -> None:
    said = {
        "name": "crm",
        "url": URL,
        "headers": {"Authorization": "Bearer ${CRM_TOKEN}"},
        "tools": ["find_customer"],
        "instructions": "当社の顧客と受注。",
        "search": "search_notes",
    }
    (server,) = mcp_servers(written(tmp_path, said))
    assert server.model_dump(mode="json", exclude_defaults=True) == said
    assert [server.allows(tool) for tool in ("find_customer", "list_orders", "search_notes")] == [True, False, False]


def test_an_empty_list_of_tools_allows_all_but_the_one_that_searches() -> None:
    server = McpServer(name="crm", url=URL, search="search_notes")
    assert server.allows("anything") and not server.allows("search_notes")


def test_secrets_come_from_the_environment() -> None:
    server = McpServer(name="crm", url=URL, headers={"Authorization": "Bearer ${TOKEN}", "X-Team": "${TEAM}-1"})
    assert server.filled({"TOKEN": " t0k3n ", "TEAM": "a"}) == {
        "Authorization": "Bearer t0k3n",
        "X-Team": "a-1",
    }
    with pytest.raises(SourceError, match=r"^TEAM, TOKEN$") as caught:
        server.filled({"TOKEN": " "})
    assert caught.value.code == "mcp_no_variable"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[{", "line 1"),
        ("{}", "array"),
        ('[{"name": "crm"}]', "either a url or a command"),
        ('[{"name": "crm", "url": "file:///etc/passwd"}]', "server 1, url"),
        ('[{"name": "c r m", "url": "https://x.example/"}]', "server 1, name"),
        ('[{"name": "</server>", "url": "https://x.example/"}]', "server 1, name"),
        ('[{"name": "crm", "url": "https://x.example/", "token": "secret"}]', "server 1, token"),
        ('[{"name": "crm", "url": "https://a.example/"}, {"name": "CRM", "url": "https://b.example/"}]', "crm"),
        ("\x80", ""),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_place_and_reason(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "mcp.json").write_text(text, encoding="latin-1")
    with pytest.raises(UsageError) as caught:
        mcp_servers(tmp_path)
    for said in caught.value.text:
        assert reason in said and "mcp.json" in said and "secret" not in said


def test_a_server_that_searches_is_a_source_and_needs_no_model(tmp_path: Path) -> None:
    made = world(written(tmp_path, {"name": "crm", "url": URL, "search": "search_notes"}))
    assert [source.name for source in made.sources] == [SourceName.MCP]
    assert made.toolbox is None


def test_tools_alone_need_somebody_who_chooses_them(tmp_path: Path) -> None:
    home = written(tmp_path, {"name": "crm", "url": URL})
    assert [source.name for source in world(home).sources] == [SourceName.FACTBOOK, SourceName.HOUSE]
    made = world(home, keys=("provider_openai",))
    assert made.toolbox is not None and not made.sources


def test_a_brief_that_names_other_sources_asks_no_server(tmp_path: Path) -> None:
    home = written(tmp_path, {"name": "crm", "url": URL, "search": "search_notes"})
    made = world(home, keys=("provider_openai",), sources=("house",))
    assert [source.name for source in made.sources] == [SourceName.HOUSE]
    assert made.toolbox is None


def test_a_brief_that_names_servers_where_there_are_none_is_told_where_to_name_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mcp\.json"):
        world(tmp_path, sources=("mcp",))
    with pytest.raises(UsageError, match="接続サーバー"):
        world(tmp_path, sources=("mcp",), language="ja")


# --- asking the tools of a connected server --------------------------------------------------------------------------


REQUEST = SearchRequest("pumps in Vietnam", 5)


@pytest.fixture
def server(tools: McpTestServer) -> McpTestServer:
    tools.used.clear()
    return tools


class Desk:
    """Servers and the problems that they reported."""

    def __init__(self, *servers: McpServer, seconds: float = 5.0) -> None:
        self.problems: list[tuple[Stage, str, str, str]] = []
        self.servers = Servers(servers, self._told, list_seconds=seconds, call_seconds=seconds)

    def _told(self, stage: Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        self.problems.append((stage, code, subject, detail))

    async def use(self, tool: str, arguments: str = "{}", server: str = "crm") -> list[FoundPage]:
        return await self.servers.source(UseTool(server, tool, arguments)).search(REQUEST)

    async def failure(self, tool: str, arguments: str = "{}", server: str = "crm") -> SourceError:
        with pytest.raises(SourceError) as caught:
            await self.use(tool, arguments, server)
        assert caught.value.code in PROBLEMS
        return caught.value


async def test_tools_are_offered_by_name_and_parameters_with_the_users_words_alone(server: McpTestServer) -> None:
    desk = Desk(server.named(instructions="Our customers."))
    tools = {tool.name: tool for tool in await desk.servers.offered()}
    assert set(tools) == {"find_customer", "search_notes", "rows", "nothing", "broken", "slow", "huge", "records"}
    assert tools["find_customer"].parameters == (
        ToolParameter("name", "string", is_required=True),
        ToolParameter("limit", "integer", is_required=False),
    )
    assert tools["rows"].parameters == (ToolParameter("country", "string", is_required=False),)
    assert {tool.instructions for tool in tools.values()} == {"Our customers."}
    assert "CANARY" not in repr(tools)
    assert not desk.problems


async def test_only_allowed_tools_are_offered_and_the_one_that_searches_is_not(server: McpTestServer) -> None:
    allowed = server.named(tools=("find_customer", "search_notes", "no_such_tool"), search="search_notes")
    assert [tool.name for tool in await Desk(allowed).servers.offered()] == ["find_customer"]


async def test_a_server_that_is_down_costs_only_its_own_tools_and_is_asked_once(server: McpTestServer) -> None:
    desk = Desk(McpServer(name="down", url="http://127.0.0.1:9/mcp"), server.named(tools=("rows",)))
    for _ in range(2):
        assert [tool.name for tool in await desk.servers.offered()] == ["rows"]
    assert [(stage, code, subject) for stage, code, subject, _ in desk.problems] == [
        (Stage.SEARCH, "mcp_unreachable", "down")
    ]


def test_names_that_could_say_something_are_left_out() -> None:
    def tool(name: str, **schema: Any) -> Tool:
        return Tool(name=name, inputSchema={"type": "object", **schema}, annotations=ToolAnnotations(readOnlyHint=True))

    text, server = {"type": "string"}, McpServer(name="s", url="https://s.example/")
    tools = [
        tool("good", properties={"q": text, CANARY: text}),
        tool("needs nonsense", properties={}),
        tool("x" * 65),
        tool("asks_for_more", properties={CANARY: text}, required=[CANARY]),
        tool("odd", properties={"a": {"type": ["null", "integer"]}, "b": {"type": CANARY}, "c": 7}),
        tool("odder", properties=[1], required="x"),
        tool("good"),
    ]
    made = offered(server, tools)
    assert [offer.name for offer in made] == ["good", "odd", "odder"]
    assert [parameter.kind for parameter in made[1].parameters] == ["integer", "string", "string"]
    assert "CANARY" not in repr(made)
    assert len(offered(server, [tool(f"t{number}") for number in range(100)])) == 30


@pytest.mark.parametrize(
    ("schema", "parameter"),
    [
        ({"properties": {"q": {"type": "string"}}, "required": ["q"]}, "q"),
        ({"properties": {"q": {"type": "string"}, "n": {"type": "integer"}}, "required": ["q"]}, "q"),
        ({"properties": {"only": {"type": "string"}}}, "only"),
        ({"properties": {"a": {"type": "string"}, "query": {"type": "string"}}}, "query"),
        ({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}, None),
        ({"properties": {"n": {"type": "integer"}}, "required": ["n"]}, None),
        ({}, None),
    ],
)
def test_the_text_that_a_searching_tool_takes_is_known_by_its_form(
    schema: dict[str, Any], parameter: str | None
) -> None:
    assert query_parameter([Tool(name="s", inputSchema=schema)], "s") == parameter
    assert query_parameter([], "s") is None


async def test_an_answer_is_a_page(server: McpTestServer) -> None:
    (page,) = await Desk(server.named()).use("find_customer", '{"name": "青葉 & Co", "limit": 1}')
    assert page.text.startswith(CUSTOMER)
    assert page.url == "mcp://crm/find_customer?limit=1&name=%E9%9D%92%E8%91%89+%26+Co"
    assert (page.title, page.site) == ("crm/find_customer: 1, 青葉 & Co", "crm")
    assert (page.origin, page.kind) == (SourceName.MCP, SourceKind.OTHER)
    assert server.used == [("find_customer", {"name": "青葉 & Co", "limit": 1})]


async def test_an_answer_in_several_parts_is_one_page_and_an_empty_one_none(server: McpTestServer) -> None:
    desk = Desk(server.named())
    (page,) = await desk.use("rows")
    assert "310" in page.text and "12" in page.text
    assert await desk.use("nothing") == []


async def test_long_arguments_make_a_short_address(server: McpTestServer) -> None:
    (page,) = await Desk(server.named()).use("find_customer", '{"name": "' + "x" * 3_000 + '"}')
    assert page.url.startswith("mcp://crm/find_customer?sha256=") and len(page.url) < 120


async def test_a_tool_that_searches_is_asked_with_every_query(server: McpTestServer) -> None:
    (source,) = Desk(server.named(search="search_notes")).servers.sources
    (page,) = await source.search(REQUEST)
    assert page.text.startswith(NOTE)
    assert server.used == [("search_notes", {"query": "pumps in Vietnam"})]


async def test_a_list_of_records_is_a_page_each_of_the_kind_that_was_set(server: McpTestServer) -> None:
    (source,) = Desk(server.named(search="records", kind="statistics")).servers.sources
    first, second = await source.search(REQUEST)
    assert (first.url, first.title, first.published) == ("https://share.example/7", "Minutes", "2026-03-02")
    assert (first.text, first.kind, first.site) == (NOTE, SourceKind.STATISTICS, "crm")
    assert (second.url, second.origin) == ("mcp://crm/records/8%2Fa", SourceName.MCP)


PROGRAM = """
import os, sys
from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
fast = FastMCP("files", log_level="CRITICAL")
@fast.tool(annotations=ToolAnnotations(readOnlyHint=True))
def find(query: str) -> str:
    return f"{query}: {sys.argv[1]} {os.environ['HOUSE_TOKEN']} {sorted(n for n in os.environ if 'API_KEY' in n)}"
fast.run()
"""


async def test_a_program_is_asked_on_its_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_TOKEN", "house-secret-123")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-programs")
    program = tmp_path / "server.py"
    program.write_text(PROGRAM)
    started = McpServer(
        name="files", command=sys.executable, args=(str(program), "notes"), search="find",
        environment={"HOUSE_TOKEN": "${OUR_TOKEN}"},
    )  # fmt: skip
    (source,) = Desk(started, seconds=60).servers.sources
    (page,) = await source.search(REQUEST)
    assert page.text == "pumps in Vietnam: notes *** []", "it is given no key but its own, which is not repeated"
    broken = McpServer(name="files", command="no-such-program-anywhere", search="find")
    (other,) = Desk(broken).servers.sources
    with pytest.raises(SourceError, match="No such file") as caught:
        await other.search(REQUEST)
    assert caught.value.code == "mcp_unreachable"


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("broken", "{}", "mcp_failed"),
        ("find_customer", "{}", "mcp_failed"),
        ("find_customer", "no JSON", "mcp_failed"),
        ("find_customer", "[]", "mcp_failed"),
        ("no_such_tool", "{}", "mcp_failed"),
    ],
)
async def test_a_failing_tool_is_a_failed_search(server: McpTestServer, tool: str, arguments: str, code: str) -> None:
    assert (await Desk(server.named()).failure(tool, arguments)).code == code


async def test_what_was_not_allowed_is_not_asked(server: McpTestServer) -> None:
    desk = Desk(server.named(tools=("rows",), search="search_notes"))
    for tool in ("find_customer", "search_notes"):
        assert "not set up" in (await desk.failure(tool, '{"name": "x", "query": "x"}')).detail
    assert "not set up" in (await desk.failure("rows", server="other")).detail
    assert not server.used


@pytest.mark.parametrize("given", ["Bearer wrong-secret-123", "Bearer ｔｏｋｅｎ"])
async def test_a_refused_key_is_told_without_it(server: McpTestServer, given: str) -> None:
    error = await Desk(server.named(headers={"Authorization": given})).failure("rows")
    assert error.code == "mcp_unauthorized"
    assert "wrong-secret-123" not in error.detail and TOKEN not in error.detail


async def test_a_variable_that_is_not_set_is_named(server: McpTestServer) -> None:
    desk = Desk(server.named(headers={"Authorization": "Bearer ${NO_SUCH_VARIABLE_IS_SET}"}))
    assert await desk.servers.offered() == ()
    assert [(code, detail) for _, code, _, detail in desk.problems] == [("mcp_no_variable", "NO_SUCH_VARIABLE_IS_SET")]


async def test_a_slow_tool_is_given_up(server: McpTestServer) -> None:
    assert (await Desk(server.named(), seconds=0.5).failure("slow")).code == "mcp_timeout"


async def test_a_huge_answer_is_given_up_at_once(server: McpTestServer) -> None:
    error = await Desk(server.named(), seconds=20).failure("huge")
    assert error.code == "mcp_failed" and "5,000,000" in error.detail


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"response_data": "<html>", "content_type": "text/html"}, "mcp_failed"),
        ({"response_data": "[]", "content_type": "application/json"}, "mcp_failed"),
        ({"response_data": "not JSON", "content_type": "application/json"}, "mcp_failed"),
        (
            {"response_data": '{"jsonrpc":"2.0","id":0,"result":{"x":1}}', "content_type": "application/json"},
            "mcp_failed",
        ),
        ({"response_data": "No.", "status": 500}, "mcp_failed"),
        ({"response_data": "No.", "status": 403}, "mcp_unauthorized"),
        ({"response_data": "", "status": 302, "headers": {"Location": "http://127.0.0.1:9/"}}, "mcp_failed"),
        ({"response_data": "No.", "status": 404}, "mcp_failed"),
    ],
)
async def test_a_server_that_is_none_is_found_out_at_once(
    httpserver: HTTPServer, answer: dict[str, Any], code: str
) -> None:
    httpserver.expect_request("/mcp").respond_with_data(**answer)
    desk = Desk(McpServer(name="crm", url=httpserver.url_for("/mcp")), seconds=20)
    assert (await desk.failure("rows")).code == code, "no time has to run out"
