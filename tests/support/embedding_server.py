"""A server that speaks OpenAI's `/v1/embeddings` on loopback; its vectors count the pieces of words, hashed.

So texts with words in common lie near each other, as with a real model, only less well. `enqueue` puts other answers
in front: a status, or a function that spoils the usual answer.
"""

from __future__ import annotations

import json
import time
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any, Self

from werkzeug import Request, Response

from tests.support.quick_server import QuickServer

Body = dict[str, Any]
_SIZE = 256


def vector_of(text: str) -> list[float]:
    """Return how often a text has each pair and triple of letters; they share 256 places."""
    vector = [0.0] * _SIZE
    letters = f" {text.lower()} "
    for length in (2, 3):
        for at in range(len(letters) - length + 1):
            vector[zlib.crc32(letters[at : at + length].encode()) % _SIZE] += 1.0
    return vector


class EmbeddingServer:
    """The server; a context manager."""

    def __init__(self) -> None:
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.spoil: Callable[[Body], Any] = lambda answer: answer
        """Changes every answer; what it returns is sent, as it is where it is bytes."""
        self.seconds = 0.0
        self._queue: deque[Response] = deque()
        self._server = QuickServer(threaded=True)
        self._server.expect_request("/v1/embeddings", method="POST").respond_with_handler(self._respond)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    @property
    def base_url(self) -> str:
        """The address to give as `EMBEDDING_BASE_URL`."""
        return self._server.url_for("/v1")

    @property
    def texts(self) -> list[str]:
        """All texts that were sent, in order."""
        return [text for body in self.requests for text in body["input"]]

    def refuse(self, status: int, **headers: str) -> None:
        """Answer the next request with an error."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._queue.append(Response(json.dumps({"error": {"message": "No."}}), status=status, headers=named))

    def _respond(self, request: Request) -> Response:
        body = json.loads(request.get_data())
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        if self._queue:
            return self._queue.popleft()
        time.sleep(self.seconds)
        rows = [
            {"object": "embedding", "index": index, "embedding": vector_of(text)}
            for index, text in enumerate(body["input"])
        ]
        tokens = sum(len(text) for text in body["input"]) // 4
        answer = self.spoil(
            {"object": "list", "data": rows, "model": body["model"], "usage": {"prompt_tokens": tokens}}
        )
        sent = answer if isinstance(answer, bytes) else json.dumps(answer)
        return Response(sent, mimetype="application/json")
