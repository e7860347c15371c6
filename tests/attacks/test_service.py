"""A hostile second user of the service: every address and every tool is asked of another's run, document and key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from research.language import Language
from research.service import Desks, Door, add_token
from research.service.api import make_app
from research.service.mcp import make_server
from research.settings import KeptSettings, home_of_account, kept_settings
from research.store import RunState, RunStore, Task, label, star
from research.store.queue import enter
from research.terminal import line_of
from tests.attacks.test_accounts import everything
from tests.support import sample_runs
from tests.support.service import served, serving
from tests.support.services import access

SECRET = "zanzibar"
ALICE, BOB = "alice@example.com", "bob@example.com"


class Team(NamedTuple):
    """Two accounts of one service; Alice's has a run that has ended, one that waits, a document and a key."""

    environment: dict[str, str]
    store: RunStore
    ended: str
    waiting: str
    tokens: dict[str, dict[str, str]]

    @property
    def hers(self) -> RunStore:
        return self.store.of_account(ALICE)

    def kept(self) -> list[str]:
        """All that the store holds of her runs."""
        return everything(self.hers)


@pytest.fixture
def team(environment: dict[str, str]) -> Iterator[Team]:
    home = Path(environment["RESEARCH_HOME"])
    store = RunStore(home)
    hers = store.of_account(ALICE)
    ended = sample_runs.ended(hers, Language.EN)
    label(hers, ended, title=f"The {SECRET} case", tags=[SECRET])
    star(hers, ended, True)
    brief = hers.get(ended).brief.model_copy(update={"question": f"And {SECRET} now?"})
    waiting = enter(hers, brief, "extractive", Task())
    documents = home_of_account(home, ALICE) / "documents"
    documents.mkdir(parents=True)
    (documents / f"{SECRET}.md").write_text(f"# Plans\n\nThe plans of {SECRET} are secret.\n")
    entered = KeptSettings(services=access("http://127.0.0.1:9/v1", f"sk-{SECRET}"))
    kept_settings.change(home_of_account(home, ALICE), lambda _: entered)
    tokens = {who: {"Authorization": f"Bearer {add_token(home, who)}"} for who in (ALICE, BOB)}
    yield Team(environment, store, ended, waiting, tokens)
    store.close()


Ask = Callable[[httpx.Client, str], httpx.Response]
BRIEF = {"question": "What are the plans?", "preset": "speed", "sources": ["library"]}
OF_A_RUN: dict[str, Ask] = {
    "GET /runs/{run_id}": lambda bob, run: bob.get(f"/runs/{run}"),
    "GET /runs/{run_id}/events": lambda bob, run: bob.get(f"/runs/{run}/events"),
    "GET /runs/{run_id}/record": lambda bob, run: bob.get(f"/runs/{run}/record"),
    "GET /runs/{run_id}/report": lambda bob, run: bob.get(f"/runs/{run}/report?format=xlsx"),
    "GET /runs/{run_id}/questions": lambda bob, run: bob.get(f"/runs/{run}/questions"),
    "POST /runs/{run_id}/questions": lambda bob, run: bob.post(f"/runs/{run}/questions", json={"question": "Why?"}),
    "POST /runs/{run_id}/questions/{number}/search": lambda bob, run: bob.post(f"/runs/{run}/questions/1/search"),
    "POST /runs/{run_id}/steer": lambda bob, run: bob.post(f"/runs/{run}/steer", json={"kind": "stop_now"}),
    "POST /runs/{run_id}/resume": lambda bob, run: bob.post(f"/runs/{run}/resume"),
    "POST /runs/{run_id}/rewrite": lambda bob, run: bob.post(f"/runs/{run}/rewrite", json={"length": "short"}),
}
"""What is asked of one run; another's is not there."""
ELSEWHERE: dict[str, Ask] = {
    "GET /runs": lambda bob, run: bob.get("/runs?limit=500"),
    "POST /runs": lambda bob, run: bob.post(
        "/runs", json={"brief": BRIEF, "library": "documents", "analyst": "extractive"}
    ),
    "GET /libraries": lambda bob, run: bob.get("/libraries"),
    "GET /libraries/{name}": lambda bob, run: bob.get("/libraries/documents", params={"q": f"plans {SECRET}"}),
    "POST /verify": lambda bob, run: bob.post("/verify", json={"text": "The plans are 4.", "pages": ["Plans: 5."]}),
    "GET /health": lambda bob, run: bob.get("/health"),
}
"""What is asked of no run: nothing of hers is in any answer."""
WRITES_OR_ASKS = [name for name in OF_A_RUN if name.startswith("POST")]


def test_every_address_is_tried(team: Team) -> None:
    paths = make_app(team.environment, host="127.0.0.1").openapi()["paths"]
    offered = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert offered == {*OF_A_RUN, *ELSEWHERE}


def test_by_no_address_is_another_accounts_run_read_asked_stopped_or_exported(team: Team) -> None:
    before = team.kept()
    with served(team.environment) as client:
        client.headers.update(team.tokens[BOB])
        for run in (team.ended, team.waiting):
            for name, ask in OF_A_RUN.items():
                answer = ask(client, run)
                unknown = ask(client, "20260101-aaaaaa")
                assert answer.status_code == unknown.status_code == 404, (name, answer.text)
                assert answer.text.replace(run, "…") == unknown.text.replace("20260101-aaaaaa", "…"), name
        for name, ask in ELSEWHERE.items():
            answer = ask(client, team.ended)
            assert SECRET not in answer.text.replace(f"plans {SECRET}", ""), name
            assert team.ended not in answer.text and team.waiting not in answer.text, name
    assert team.kept() == before
    assert team.hers.get(team.waiting).state is RunState.WAITING


def test_what_is_shared_is_read_and_exported_by_address_and_no_more(team: Team) -> None:
    team.hers.share(team.ended, True)
    before = team.kept()
    with served(team.environment) as client:
        client.headers.update(team.tokens[BOB])
        for name, ask in OF_A_RUN.items():
            answer = ask(client, team.ended)
            assert answer.status_code == (404 if name in WRITES_OR_ASKS else 200), (name, answer.text)
        team.hers.share(team.ended, False)
        for name, ask in OF_A_RUN.items():
            assert ask(client, team.ended).status_code == 404, name
    team.hers.share(team.ended, True)
    assert team.kept() == before


PATHS = (
    "documents%2F..", "..", "..%2F..%2Fdocuments", "..%2Fdocuments", "%2Fetc", "accounts", "%2E", "~", "documents%00",
)  # fmt: skip


def test_no_name_of_a_folder_leads_into_that_of_another(team: Team) -> None:
    hers = home_of_account(Path(team.environment["RESEARCH_HOME"]), ALICE)
    with served(team.environment) as client:
        assert SECRET in client.get("/libraries/documents?q=plans", headers=team.tokens[ALICE]).text
        client.headers.update(team.tokens[BOB])
        for name in (*PATHS, str(hers / "documents"), f"accounts%2F{hers.name}%2Fdocuments"):
            answer = client.get(f"/libraries/{name}", params={"q": "plans"})
            assert answer.status_code == 404, (name, answer.text)
            asked = client.post("/runs", json={"brief": BRIEF, "library": name, "analyst": "extractive"})
            assert asked.status_code == 404, (name, asked.text)
            assert SECRET not in answer.text + asked.text


def test_the_key_of_another_is_not_asked_with(team: Team) -> None:
    """Alice's models are set up, Bob's are not: his run is refused, and does not go by hers."""
    with served(team.environment) as client:
        asked = {"brief": {"question": "Plans?", "sources": ["house"]}, "analyst": "chat"}
        answer = client.post("/runs", json=asked, headers=team.tokens[BOB])
        assert (answer.status_code, answer.json()["code"]) == (409, "not_possible")
        assert client.post("/runs", json=asked, headers=team.tokens[ALICE]).status_code == 201


TOOLS: dict[str, dict[str, Any]] = {
    "run_research": {"brief": BRIEF, "library": "documents", "analyst": "extractive"},
    "get_report": {"run_id": "{run}"},
    "search_library": {"query": "plans", "library": "documents"},
    "verify_claims": {"text": "The plans are 4.", "pages": ["Plans: 5."]},
    "export": {"run_id": "{run}", "format": "md"},
}


async def test_by_no_tool_is_anything_of_another_account_had(team: Team) -> None:
    desks = Desks(team.environment, [])
    app = make_server(desks, Language.EN, line_of).streamable_http_app()
    door = Door(app, home=Path(team.environment["RESEARCH_HOME"]), host="127.0.0.1", allowed=())

    @asynccontextmanager
    async def asking(address: str) -> AsyncIterator[ClientSession]:
        async with (
            httpx.AsyncClient(headers=team.tokens[BOB], timeout=60) as over,
            streamable_http_client(f"{address}/mcp", http_client=over) as (reading, writing, _),
            ClientSession(reading, writing) as client,
        ):
            await client.initialize()
            yield client

    before = team.kept()
    with serving(door) as address:
        async with asking(address) as bob:
            assert {tool.name for tool in (await bob.list_tools()).tools} == set(TOOLS)
            assert not (await bob.list_resources()).resources
            for name, given in TOOLS.items():
                for run in (team.ended, team.waiting):
                    said = {key: run if value == "{run}" else value for key, value in given.items()}
                    answer = await bob.call_tool(name, said)
                    told = answer.model_dump_json().replace(f'"{run}', "").replace(f"no run {run}", "")
                    assert answer.isError or name == "verify_claims", (name, told)
                    assert SECRET not in told and run not in told, name
    desks.close()
    assert team.kept() == before
