"""Servers of chat models on loopback, each in its provider's own wire format, scripted as `OpenAIServer` is.

    with ModelServer("anthropic") as server:
        server.handler = Model()
        settings = server.settings(tmp_path)

What is asked is put into OpenAI's form for the script, a single tool that must be called as a schema; what the script
answers is put into the provider's form: Anthropic's messages and their events, Gemini's `generateContent`, Bedrock's
`converse` and its binary event stream, Azure's deployments. Local servers tell of their models as the real ones do.
"""

from __future__ import annotations

import json
import re
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from werkzeug import Request, Response

from research.settings import Settings
from tests.support.openai_server import Answer, Body, Failure, OpenAIServer, Received

KEY = "sk-of-this-provider-only"
PROVIDERS = ("openai", "azure_openai", "anthropic", "gemini", "bedrock", "ollama", "lmstudio", "llamacpp")
CONTEXT = 32_768


class ModelServer(OpenAIServer):
    """One provider's server; `handler`, `enqueue` and `requests` are those of `OpenAIServer`."""

    def __init__(self, provider: str) -> None:
        super().__init__()
        self.provider = provider
        self.models = ["large", "small"]
        if provider in ("anthropic", "llamacpp"):
            told = {"max_input_tokens": CONTEXT, "type": "model"} if provider == "anthropic" else {"object": "model"}
            self.offer = {"data": [{"id": name} | told for name in self.models], "has_more": False}
        for path, answer in _ROUTES.get(provider, {}).items():
            self._server.expect_request(re.compile(path), method="POST").respond_with_handler(self._speaking(answer))
        for path, told in _TOLD.get(provider, {}).items():
            self._server.expect_request(path).respond_with_handler(lambda _, told=told: _json(told(self.models)))
        if provider == "azure_openai":
            path = re.compile("/openai/deployments/.+/chat/completions")
            self._server.expect_request(path, method="POST").respond_with_handler(self._respond)

    @property
    def address(self) -> str:
        """The address as it is set for this provider."""
        return self.base_url if self.provider in ("openai", *_LOCAL) else self.base_url.removesuffix("/v1")

    def environment(self, home: Path, **more: str) -> dict[str, str]:
        """Return the variables that set up this provider, and no other."""
        own = {name: value.format(address=self.address, key=KEY) for name, value in _ENVIRONMENT[self.provider].items()}
        return {"RESEARCH_HOME": str(home)} | own | more

    def settings(self, home: Path, **more: str) -> Settings:
        """Return settings with this provider alone."""
        return Settings.from_environment(self.environment(home, **more))

    def _speaking(self, dialect: Callable[..., Response]) -> Callable[[Request], Response]:
        def respond(request: Request) -> Response:
            asked = json.loads(request.get_data())
            body, is_schema = _as_openai(asked)
            with self._lock:
                self.requests.append(Received(body, dict(request.headers), time.monotonic()))
                reply = self._queue.popleft() if self._queue else None
            if reply is None:
                reply = self.handler(body) if self.handler else Failure(400, "Nothing is enqueued.")
            time.sleep(reply.seconds)
            if isinstance(reply, Answer) and is_schema and not reply.calls:
                reply = Answer(calls=((body["response_format"]["json_schema"]["name"], reply.text or ""),))
            return dialect(reply, request.path, asked)

        return respond


def _json(value: object, status: int = 200, **headers: str) -> Response:
    return Response(json.dumps(value), status=status, headers=headers, mimetype="application/json")


def _as_openai(asked: Body) -> tuple[Body, bool]:
    """Return what is asked in OpenAI's form, and whether it was a schema in the form of a tool."""
    tools = [
        *(tool for tool in asked.get("tools", []) if "name" in tool),
        *(one for tool in asked.get("tools", []) for one in tool.get("functionDeclarations", [])),
        *(tool["toolSpec"] for tool in (asked.get("toolConfig") or {}).get("tools", [])),
    ]
    names, body = [tool["name"] for tool in tools], {"messages": asked, "model": asked.get("model", "")}
    if len(names) == 1 and names[0][0].isupper() and names[0] not in ("ConductResearch", "ResearchComplete"):
        return body | {"response_format": {"type": "json_schema", "json_schema": {"name": names[0]}}}, True
    return body | ({"tools": [{"function": {"name": name}} for name in names]} if names else {}), False


def _pieces(reply: Answer) -> Iterator[str]:
    text = reply.text or ""
    yield from (text[start : start + reply.pieces] for start in range(0, len(text), reply.pieces))


def _arguments(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return {}


# --- Anthropic: POST /v1/messages ---------------------------------------------------------------------------------


def _anthropic(reply: Answer | Failure, path: str, asked: Body) -> Response:
    if isinstance(reply, Failure):
        kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
        kind = kinds.get(reply.status, "invalid_request_error")
        error = {"type": "error", "error": {"type": kind, "message": reply.message}}
        return _json(error, reply.status, **reply.headers)
    calls = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": _arguments(written)}
        for number, (name, written) in enumerate(reply.calls)
    ]
    stop = reply.finish or ("tool_use" if calls else "end_turn")
    given, written = reply.tokens or (0, 0)
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"], "stop_sequence": None}
    if not asked.get("stream"):
        text = [{"type": "text", "text": reply.text}] if reply.text else []
        usage = {"input_tokens": given, "output_tokens": written}
        return _json(message | {"content": [*text, *calls], "stop_reason": stop, "usage": usage})

    def events() -> Iterator[str]:
        usage = {"input_tokens": given, "output_tokens": 1}
        start = message | {"content": [], "stop_reason": None, "usage": usage}
        yield _sse("message_start", message=start)
        yield _sse("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for piece in _pieces(reply):
            yield _sse("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
        yield _sse("content_block_stop", index=0)
        delta = {"stop_reason": stop, "stop_sequence": None}
        yield _sse("message_delta", delta=delta, usage={"input_tokens": given, "output_tokens": written})
        yield _sse("message_stop")

    return Response(events(), mimetype="text/event-stream")


def _sse(kind: str, **data: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | data)}\n\n"


# --- Gemini: POST /v1beta/models/…:generateContent ------------------------------------------------------------------


def _gemini(reply: Answer | Failure, path: str, asked: Body) -> Response:
    if isinstance(reply, Failure):
        status = {400: "INVALID_ARGUMENT", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}.get(reply.status, "INTERNAL")
        error = {"code": reply.status, "message": reply.message, "status": status}
        if reply.code:
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reply.code}]
        return _json({"error": error}, reply.status, **reply.headers)
    given, written = reply.tokens or (0, 0)
    usage = {"promptTokenCount": given, "candidatesTokenCount": written, "totalTokenCount": given + written}
    calls = [{"functionCall": {"name": name, "args": _arguments(text)}} for name, text in reply.calls]

    def part(parts: list[Body], finish: str | None) -> Body:
        candidate: Body = {"content": {"role": "model", "parts": parts}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "large"}

    if ":streamGenerateContent" not in path:
        return _json(part([*([{"text": reply.text}] if reply.text else []), *calls], reply.finish or "STOP"))
    chunks = [part([{"text": piece}], None) for piece in _pieces(reply)] + [part([*calls, {"text": ""}], "STOP")]
    return Response((f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in chunks), mimetype="text/event-stream")


# --- Bedrock: POST /model/…/converse and …/converse-stream ------------------------------------------------------------


def _bedrock(reply: Answer | Failure, path: str, asked: Body) -> Response:
    if isinstance(reply, Failure):
        kinds = {403: "AccessDeniedException", 404: "ResourceNotFoundException", 429: "ThrottlingException"}
        kind = reply.code or kinds.get(reply.status, "ValidationException")
        return _json({"message": reply.message}, reply.status, **{"x-amzn-ErrorType": kind})
    given, written = reply.tokens or (0, 0)
    usage = {"inputTokens": given, "outputTokens": written, "totalTokens": given + written}
    stop, metrics = reply.finish or ("tool_use" if reply.calls else "end_turn"), {"latencyMs": 1}
    if path.endswith("/converse"):
        text = [{"text": reply.text}] if reply.text else []
        calls = [
            {"toolUse": {"toolUseId": f"t{number}", "name": name, "input": _arguments(said)}}
            for number, (name, said) in enumerate(reply.calls)
        ]
        output = {"message": {"role": "assistant", "content": [*text, *calls]}}
        return _json({"output": output, "stopReason": stop, "usage": usage, "metrics": metrics})

    def events() -> Iterator[bytes]:
        yield _framed("messageStart", {"role": "assistant"})
        for piece in _pieces(reply):
            yield _framed("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": piece}})
        yield _framed("contentBlockStop", {"contentBlockIndex": 0})
        yield _framed("messageStop", {"stopReason": stop})
        yield _framed("metadata", {"usage": usage, "metrics": metrics})

    return Response(events(), mimetype="application/vnd.amazon.eventstream")


def _framed(kind: str, payload: Body) -> bytes:
    """Return an event as Amazon frames it: lengths, a sum of them, headers, the payload, a sum of all."""
    told = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    headers = b"".join(
        bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
        for name, value in told.items()
    )
    body = json.dumps(payload).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(body), len(headers))
    framed = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + body
    return framed + struct.pack(">I", zlib.crc32(framed))


_ROUTES = {
    "anthropic": {"/v1/messages": _anthropic},
    "gemini": {"/v1beta/models/.+": _gemini},
    "bedrock": {"/model/.+": _bedrock},
}
_LOCAL = ("ollama", "lmstudio", "llamacpp")


_TOLD: dict[str, dict[str, Callable[[list[str]], Body]]] = {
    "gemini": {
        "/v1beta/models": lambda names: {
            "models": [
                {
                    "name": f"models/{name}",
                    "inputTokenLimit": CONTEXT,
                    "supportedGenerationMethods": ["generateContent"],
                }
                for name in names
            ]
            + [{"name": "models/embedding", "supportedGenerationMethods": ["embedContent"]}]
        }
    },
    "ollama": {
        "/api/tags": lambda names: {"models": [{"name": name, "model": name, "size": 1} for name in names]},
        "/api/show": lambda names: {
            "capabilities": ["completion", "tools"],
            "model_info": {"general.architecture": "qwen3", "qwen3.context_length": CONTEXT},
        },
        "/api/ps": lambda names: {"models": [{"name": name, "model": name, "context_length": 4096} for name in names]},
    },
    "lmstudio": {
        "/api/v0/models": lambda names: {
            "object": "list",
            "data": [
                {"id": name, "type": "llm", "state": "loaded", "max_context_length": CONTEXT * 4}
                | {"loaded_context_length": CONTEXT}
                for name in names
            ]
            + [{"id": "nomic", "type": "embeddings", "state": "not-loaded", "max_context_length": 2048}],
        }
    },
    "llamacpp": {
        "/props": lambda names: {"default_generation_settings": {"n_ctx": CONTEXT}, "total_slots": 1},
    },
}
_AT = {"{0}_API_BASE": "{address}", "{0}_MODEL": "large", "{0}_SMALL_MODEL": "small"}
_ENVIRONMENT: dict[str, dict[str, str]] = {
    "openai": {"OPENAI_API_KEY": "{key}", "OPENAI_BASE_URL": "{address}"},
    "azure_openai": {
        "AZURE_OPENAI_API_KEY": "{key}",
        "AZURE_OPENAI_ENDPOINT": "{address}",
        "AZURE_OPENAI_MODEL": "large",
    },
    "anthropic": {"ANTHROPIC_API_KEY": "{key}", "ANTHROPIC_BASE_URL": "{address}"},
    "gemini": {"GEMINI_API_KEY": "{key}", "GEMINI_API_BASE": "{address}"},
    "bedrock": {
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "{key}",
        "AWS_REGION": "eu-west-1",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "{address}",
    },
    **{name: {variable.format(name.upper()): value for variable, value in _AT.items()} for name in _LOCAL},
}
