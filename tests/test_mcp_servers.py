"""Connected servers as the user sets them up: what the file may hold, and what is said of a file that does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from research.core import Brief, SourceError, SourceName, UsageError
from research.engine import World
from research.language import Language
from research.settings import Settings, mcp_servers
from research.settings.mcp_servers import McpServer
from research.store.world import SummaryCache, build_world

URL = "https://crm.example.com/mcp"


def written(home: Path, *servers: dict[str, Any]) -> Path:
    (home / "mcp.json").write_text(json.dumps(servers, ensure_ascii=False), encoding="utf-8")
    return home


def world(home: Path, *, keys: tuple[str, ...] = (), **brief: Any) -> World:
    settings = Settings.model_validate({"home": home, **dict.fromkeys(keys, "key"), "web_search": "none"})
    return build_world(
        Brief(question="What of pumps?", **brief),
        settings,
        library=None,
        analyst="auto",
        summaries=SummaryCache(home / "cache"),
    )


def test_without_a_file_there_are_none(tmp_path: Path) -> None:
    assert mcp_servers.load(tmp_path, Language.EN) == ()
    assert mcp_servers.load(tmp_path / "no" / "such" / "folder", Language.EN) == ()


def test_a_server_is_read_with_all_that_is_said_of_it(tmp_path: Path) -> None:
    said = {
        "name": "crm",
        "url": URL,
        "headers": {"Authorization": "Bearer ${CRM_TOKEN}"},
        "tools": ["find_customer"],
        "instructions": "当社の顧客と受注。",
        "search": "search_notes",
    }
    (server,) = mcp_servers.load(written(tmp_path, said), Language.EN)
    assert server.model_dump(mode="json") == said
    assert [server.allows(tool) for tool in ("find_customer", "list_orders", "search_notes")] == [True, False, False]


def test_an_empty_list_of_tools_allows_all_but_the_one_that_searches() -> None:
    server = McpServer(name="crm", url=URL, search="search_notes")
    assert server.allows("anything") and not server.allows("search_notes")


def test_secrets_come_from_the_environment() -> None:
    server = McpServer(name="crm", url=URL, headers={"Authorization": "Bearer ${TOKEN}", "X-Team": "${TEAM}-1"})
    assert server.filled_headers({"TOKEN": " t0k3n ", "TEAM": "a"}) == {
        "Authorization": "Bearer t0k3n",
        "X-Team": "a-1",
    }
    with pytest.raises(SourceError, match=r"^TEAM, TOKEN$") as caught:
        server.filled_headers({"TOKEN": " "})
    assert caught.value.code == "mcp_no_variable"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[{", "line 1"),
        ("{}", "array"),
        ('[{"name": "crm"}]', "server 1, url"),
        ('[{"name": "crm", "url": "file:///etc/passwd"}]', "server 1, url"),
        ('[{"name": "c r m", "url": "https://x.example/"}]', "server 1, name"),
        ('[{"name": "</server>", "url": "https://x.example/"}]', "server 1, name"),
        ('[{"name": "crm", "url": "https://x.example/", "token": "secret"}]', "server 1, token"),
        ('[{"name": "crm", "url": "https://a.example/"}, {"name": "CRM", "url": "https://b.example/"}]', "crm"),
        ("\x80", ""),
    ],
)
@pytest.mark.parametrize("language", list(Language))
def test_a_file_that_cannot_be_used_is_named_with_place_and_reason(
    tmp_path: Path, language: Language, text: str, reason: str
) -> None:
    (tmp_path / "mcp.json").write_text(text, encoding="latin-1")
    with pytest.raises(UsageError) as caught:
        mcp_servers.load(tmp_path, language)
    assert reason in str(caught.value) and "mcp.json" in str(caught.value)
    assert "secret" not in str(caught.value)


# --- in the world of a run -------------------------------------------------------------------------------------


def test_a_server_that_searches_is_a_source_and_needs_no_model(tmp_path: Path) -> None:
    made = world(written(tmp_path, {"name": "crm", "url": URL, "search": "search_notes"}))
    assert [source.name for source in made.sources] == [SourceName.MCP]
    assert made.toolbox is None


def test_tools_alone_need_somebody_who_chooses_them(tmp_path: Path) -> None:
    home = written(tmp_path, {"name": "crm", "url": URL})
    assert [source.name for source in world(home).sources] == [SourceName.FACTBOOK, SourceName.HOUSE]
    made = world(home, keys=("openai_api_key",))
    assert made.toolbox is not None and not made.sources


def test_a_brief_that_names_other_sources_asks_no_server(tmp_path: Path) -> None:
    home = written(tmp_path, {"name": "crm", "url": URL, "search": "search_notes"})
    made = world(home, keys=("openai_api_key",), sources=("house",))
    assert [source.name for source in made.sources] == [SourceName.HOUSE]
    assert made.toolbox is None


def test_a_brief_that_names_servers_where_there_are_none_is_told_where_to_name_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mcp\.json"):
        world(tmp_path, sources=("mcp",))
    with pytest.raises(UsageError, match="接続サーバー"):
        world(tmp_path, sources=("mcp",), language="ja")
