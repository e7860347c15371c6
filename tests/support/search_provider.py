"""A scripted provider whose models search the web, in OpenAI's and in Anthropic's wire format, and the pages it names.

provider = Provider(httpserver)
provider.pages["/pumps"] = "The pump market grew."
provider.answers.append(openai_answer(provider.address("/pumps")))
source = provider.source(OpenAISearch("gpt-5.4-mini"))
"""

from __future__ import annotations

import json
import re
from collections import deque
from datetime import UTC, datetime
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.core import Admit, Event, ModelCalled, freely
from research.sources.fetching import Fetcher
from research.sources.model_search import Dialect, ModelSearchSource, service_at

KEY = "sk-secret-1234567890"
TODAY = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
Body = dict[str, Any]


def openai_answer(*urls: str, cited: tuple[tuple[str, str], ...] = (), **fields: Any) -> Body:
    """An answer of the Responses API after one search; `cited` are addresses with their titles."""
    sources: list[Body] = [{"type": "url", "url": url} for url in urls]
    notes = [
        {"type": "url_citation", "url": url, "title": title, "start_index": 0, "end_index": 1} for url, title in cited
    ]
    search = {"type": "search", "query": "pumps", "sources": [*sources, {"type": "api", "name": "oai-weather"}]}
    return {
        "id": "resp_1",
        "status": "completed",
        "output": [
            {"type": "reasoning", "id": "r_1", "summary": []},
            {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": search},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Pages.", "annotations": notes}],
            },
        ],
        "usage": {"input_tokens": 9000, "output_tokens": 200, "input_tokens_details": {"cached_tokens": 1000}},
        **fields,
    }


def anthropic_answer(*results: tuple[str, str, str | None], error: str = "", **fields: Any) -> Body:
    """An answer of the Messages API after one search; results are address, title and age."""
    found: Any = [
        {"type": "web_search_result", "url": url, "title": title, "page_age": age, "encrypted_content": "x"}
        for url, title, age in results
    ]
    if error:
        found = {"type": "web_search_tool_result_error", "error_code": error}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I search."},
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "pumps"}},
            {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": found},
            {"type": "text", "text": "done", "citations": None},
        ],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 8000,
            "output_tokens": 100,
            "cache_read_input_tokens": 500,
            "cache_creation_input_tokens": 0,
            "server_tool_use": {"web_search_requests": 1, "web_fetch_requests": 0},
        },
        **fields,
    }


class Provider:
    """The provider, and everything that was asked of it."""

    def __init__(self, server: HTTPServer) -> None:
        self.pages: dict[str, str | Response] = {}
        self.answers: deque[Body | Response] = deque()
        """Given in order; the last one again and again."""
        self.asked: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.fetched: list[str] = []
        self.events: list[Event] = []
        self._server = server
        for path in ("/responses", "/v1/messages"):
            server.expect_request(path, method="POST").respond_with_handler(self._search)
        server.expect_request(re.compile(".*"), method="GET").respond_with_handler(self._page)

    def address(self, path: str = "") -> str:
        """Return the address of a page, or without one that of the provider."""
        return f"http://127.0.0.1:{self._server.port}{path}"

    def source(
        self, dialect: Dialect, *, key: str = KEY, seconds: float = 5.0, admit: Admit = freely
    ) -> ModelSearchSource:
        """Return a source that asks this provider; pages may come from its own address alone."""
        service = service_at(self.address(), {"Authorization": f"Bearer {key}"}, key, seconds)
        fetcher = Fetcher(seconds=5.0, allowed=lambda address: address == "127.0.0.1")
        return ModelSearchSource(dialect, service, self.events.append, admit=admit, fetcher=fetcher, now=lambda: TODAY)

    @property
    def calls(self) -> list[ModelCalled]:
        """The calls that were reported."""
        return [event for event in self.events if isinstance(event, ModelCalled)]

    def _search(self, request: Request) -> Response:
        self.asked.append(json.loads(request.get_data()))
        self.headers.append(dict(request.headers))
        answer = self.answers.popleft() if len(self.answers) > 1 else self.answers[0]
        return answer if isinstance(answer, Response) else Response(json.dumps(answer), content_type="application/json")

    def _page(self, request: Request) -> Response:
        self.fetched.append(request.path)
        page = self.pages.get(request.path, Response(status=404))
        return page if isinstance(page, Response) else Response(page, content_type="text/plain; charset=utf-8")
