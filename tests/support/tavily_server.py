"""A scripted server that speaks Tavily's wire format on loopback: search results, errors, nonsense.

    with TavilyServer() as server:
        server.enqueue(Results(web_page("https://a.example/", "Text.")), Refusal(429, retry_after="1"))
        settings = Settings(home=tmp_path, services=access(server.base_url, to="service_tavily"))
        ...
        assert server.requests[0].body["query"] == "tea"

What is enqueued is answered first, in order; then the handler is asked; with neither, there are no results.
Requests are answered in parallel.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from werkzeug import Request, Response

from tests.support.quick_server import QuickServer

Body = dict[str, Any]
_BLANK_SECONDS = 1.0
"""Between the blanks of an answer that is held: clients give up on one of which nothing comes for half a minute."""


def web_page(url: str, text: str | None, **fields: Any) -> Body:
    """A search result; `text` is the whole page, None if the service could not fetch it."""
    return {
        "url": url,
        "title": f"Title of {url}",
        "content": "A snippet.",
        "score": 0.9,
        "raw_content": text,
        **fields,
    }


@dataclass(frozen=True)
class Results:
    """Pages, best first."""

    pages: tuple[Body, ...]
    seconds: float = 0.0
    """How long the server waits before it answers."""

    def __init__(self, *pages: Body, seconds: float = 0.0) -> None:
        object.__setattr__(self, "pages", pages)
        object.__setattr__(self, "seconds", seconds)

    def response(self, query: str) -> Response:
        """What goes over the wire."""
        return Response(self.body(query), content_type="application/json")

    def body(self, query: str) -> str:
        """The answer as JSON."""
        body = {"query": query, "images": [], "results": list(self.pages), "response_time": 0.1, "request_id": "r"}
        return json.dumps(body)


@dataclass(frozen=True)
class Held:
    """No page, and that not before it is let go; until then now and then a blank, so that whoever asked waits on."""

    let_go: threading.Event
    seconds: float = 0.0

    def response(self, query: str) -> Response:
        """What goes over the wire."""
        return Response(self._pieces(query), content_type="application/json")

    def _pieces(self, query: str) -> Iterator[str]:
        while not self.let_go.wait(_BLANK_SECONDS):
            yield " "
        yield Results().body(query)


@dataclass(frozen=True)
class Refusal:
    """An error as the service reports it."""

    status: int
    message: str = "scripted"
    retry_after: str | None = None
    seconds: float = 0.0

    def response(self, query: str) -> Response:
        """What goes over the wire."""
        headers = {"Retry-After": self.retry_after} if self.retry_after is not None else {}
        body = json.dumps({"detail": {"error": self.message}})
        return Response(body, status=self.status, headers=headers, content_type="application/json")


@dataclass(frozen=True)
class Raw:
    """An answer of any form."""

    text: str
    seconds: float = 0.0

    def response(self, query: str) -> Response:
        """What goes over the wire."""
        return Response(self.text, content_type="application/json")


Answer = Results | Held | Refusal | Raw


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    body: Body
    headers: Mapping[str, str]
    at: float
    """Seconds on the monotonic clock."""


@dataclass
class TavilyServer:
    """The server; a context manager."""

    handler: Callable[[Asked], Answer] | None = None
    requests: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._http = QuickServer(threaded=True)
        self._queue: deque[Answer] = deque()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._http.expect_request("/search", method="POST").respond_with_handler(self._answer)
        self._http.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.clear()
        if self._http.is_running():
            self._http.stop()

    @property
    def base_url(self) -> str:
        """Its address as settings have it."""
        return self._http.url_for("").rstrip("/")

    def forget(self) -> None:
        """Forget all requests and all that was scripted."""
        with self._lock:
            self.requests.clear()
            self._queue.clear()
            self.handler = None

    def enqueue(self, *answers: Answer) -> None:
        """Say what is answered next, in order."""
        self._queue.extend(answers)

    def _answer(self, request: Request) -> Response:
        asked = Asked(json.loads(request.get_data()), dict(request.headers), time.monotonic())
        with self._lock:
            self.requests.append(asked)
            answer = self._queue.popleft() if self._queue else None
        if answer is None:
            answer = self.handler(asked) if self.handler is not None else Results()
        time.sleep(answer.seconds)
        return answer.response(asked.body["query"])
