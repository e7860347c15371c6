"""A scripted server that speaks OpenAI's wire format on loopback: chat completions, tool calls, streams, errors.

    with OpenAIServer() as server:
        server.enqueue(Text("Hello"), Calls(("search", {"queries": ["tea"]})), Failure(500), OVERFLOW)
        server.handler = lambda request: Text("whatever else is asked")
        settings = Settings(home=tmp_path, services=access(server.base_url))
        ...
        assert server.requests[0].body["model"] == "gpt-5.4"

What is enqueued is answered first, in order; then the handler is asked; with neither, the answer is a 400 that says so.
Requests are answered in parallel. Whether an answer is streamed is for the request to say, as with the real server.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from werkzeug import Request, Response

from tests.support.quick_server import QuickServer

Body = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the model says: text, tool calls, or a refusal."""

    text: str | None = None
    calls: tuple[tuple[str, str], ...] = ()
    """Names of tools, and their arguments as the text that the model wrote."""
    refusal: str | None = None
    finish: str | None = None
    """`stop`, `length`, …; by default what fits the answer."""
    tokens: tuple[int, int] | None = (100, 20)
    """Input and output tokens; None for a server that counts none."""
    cached_tokens: int = 0
    seconds: float = 0.0
    """How long the server waits before it answers."""
    pieces: int = 8
    """Characters in one piece of a stream."""
    piece_seconds: float = 0.0
    """How long the server waits before each piece of a stream."""
    breaks_after: int | None = None
    """The stream ends after so many pieces, without a word."""
    error_after: int | None = None
    """The stream reports an error after so many pieces."""
    hangs: bool = False
    """Nothing comes, not even a header, as long as the server runs."""
    hangs_after: int | None = None
    """The stream stops after so many pieces, and stays open."""
    byte_seconds: float = 0.0
    """How long the server waits before each byte of an answer that is not streamed."""

    @property
    def finish_reason(self) -> str:
        """Why the model stopped."""
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True)
class Failure:
    """An error answer; the body has OpenAI's form unless `body` gives another."""

    status: int
    message: str = "The request failed."
    code: str | None = None
    type: str = "invalid_request_error"
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    seconds: float = 0.0


Reply = Answer | Failure


def Text(text: str, **options: Any) -> Answer:  # noqa: N802 - reads as the kind of answer it makes
    """Make an answer in words."""
    return Answer(text=text, **options)


def Json(value: object, **options: Any) -> Answer:  # noqa: N802
    """Make an answer whose text is JSON."""
    return Answer(text=json.dumps(value, ensure_ascii=False), **options)


def Calls(*calls: tuple[str, Body | str], **options: Any) -> Answer:  # noqa: N802
    """Make an answer of tool calls; arguments given as text are sent as they are, however broken."""
    written = tuple((name, given if isinstance(given, str) else json.dumps(given)) for name, given in calls)
    return Answer(calls=written, **options)


OVERFLOW = Failure(
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    code="context_length_exceeded",
)


@dataclass(frozen=True)
class Received:
    """A request as it came in."""

    body: Body
    headers: dict[str, str]
    at: float
    """`time.monotonic()` when it arrived."""

    @property
    def tools(self) -> list[str]:
        """Names of the tools offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def schema(self) -> str | None:
        """Name of the JSON schema that the answer must follow, if one was sent as `response_format`."""
        form = self.body.get("response_format") or {}
        name: str | None = form.get("json_schema", {}).get("name")
        return name

    @property
    def text(self) -> str:
        """Everything that the model is shown, as one text (tools and arguments included)."""
        return json.dumps(self.body, ensure_ascii=False)


Handler = Callable[[Body], Reply]


class OpenAIServer:
    """The server; a context manager."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.handler: Handler | None = None
        self.offer: Body = {"object": "list", "data": []}
        """What it says of its models."""
        self._queue: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._server = QuickServer(threaded=True)
        self._server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._respond)
        self._server.expect_request("/v1/models", method="GET").respond_with_handler(
            lambda _: Response(json.dumps(self.offer), mimetype="application/json")
        )

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.stop()

    @property
    def base_url(self) -> str:
        """The address to give as `OPENAI_BASE_URL`."""
        return self._server.url_for("/v1")

    def enqueue(self, *replies: Reply) -> None:
        """Give these answers to the next requests, in order."""
        self._queue.extend(replies)

    def _respond(self, request: Request) -> Response:
        body = json.loads(request.get_data())
        with self._lock:
            self.requests.append(Received(body, dict(request.headers), time.monotonic()))
            reply = self._queue.popleft() if self._queue else None
        if reply is None:
            reply = self.handler(body) if self.handler else Failure(400, "Nothing is enqueued and there is no handler.")
        time.sleep(reply.seconds)
        if isinstance(reply, Failure):
            return _failure(reply)
        if reply.hangs:
            self._over.wait()
        if body.get("stream"):
            return Response(self._held(_stream(reply, body), reply), mimetype="text/event-stream")
        text = json.dumps(_completion(reply, body))
        return Response(self._dripping(text, reply) if reply.byte_seconds else text, mimetype="application/json")

    def _held(self, pieces: Iterator[str], reply: Answer) -> Iterator[str]:
        for number, piece in enumerate(pieces, -1):  # the first holds no text
            if number == reply.hangs_after:
                self._over.wait()
                return
            yield piece

    def _dripping(self, text: str, reply: Answer) -> Iterator[str]:
        for letter in text:
            if self._over.wait(reply.byte_seconds):
                return
            yield letter


def _failure(reply: Failure) -> Response:
    error = {"error": {"message": reply.message, "type": reply.type, "param": None, "code": reply.code}}
    text = json.dumps(error) if reply.body is None else reply.body
    return Response(text, status=reply.status, headers=reply.headers, mimetype="application/json")


def _usage(reply: Answer) -> Body | None:
    if reply.tokens is None:
        return None
    given, written = reply.tokens
    return {
        "prompt_tokens": given,
        "completion_tokens": written,
        "total_tokens": given + written,
        "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
    }


def _tool_calls(reply: Answer) -> list[Body]:
    return [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(reply.calls)
    ]


def _envelope(body: Body, kind: str) -> Body:
    return {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": body["model"]}


def _completion(reply: Answer, body: Body) -> Body:
    message: Body = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    if reply.calls:
        message["tool_calls"] = _tool_calls(reply)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
    completion = _envelope(body, "chat.completion") | {"choices": [choice]}
    usage = _usage(reply)
    return completion if usage is None else completion | {"usage": usage}


def _stream(reply: Answer, body: Body) -> Iterator[str]:
    head = _envelope(body, "chat.completion.chunk")

    def event(delta: Body, finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return f"data: {json.dumps(head | {'choices': [choice]})}\n\n"

    yield event({"role": "assistant", "content": ""})
    text = reply.text or ""
    for number, start in enumerate(range(0, len(text), reply.pieces)):
        if number == reply.breaks_after:
            return
        if number == reply.error_after:
            yield f"data: {json.dumps({'error': {'message': 'The server had an error.', 'type': 'server_error'}})}\n\n"
            return
        time.sleep(reply.piece_seconds)
        yield event({"content": text[start : start + reply.pieces]})
    for number, call in enumerate(_tool_calls(reply)):
        yield event({"tool_calls": [call | {"index": number}]})
    yield event({}, reply.finish_reason)
    usage = _usage(reply)
    if usage is not None and (body.get("stream_options") or {}).get("include_usage"):
        yield f"data: {json.dumps(head | {'choices': [], 'usage': usage})}\n\n"
    yield "data: [DONE]\n\n"
