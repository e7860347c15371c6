"""Failures of model calls told apart, whichever client they come from; other ways to put what was rejected."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping

from langchain_core import exceptions as langchain
from langchain_core.messages import AIMessage

from research.core import ContextOverflow, ModelError, ModelRefused, without_secrets

_OVERFLOW = re.compile(
    r"""
    context_length_exceeded | exceed_context_size | string_above_max_length | ContextWindowExceeded
    | maximum\ context\ length | maximum\ model\ length | model's\ context\ length
    | exceeds?\ the\ (available\ )?context | exceeds?\ (the\ )?context\ (limit|length|window|size)
    | exceeds?\ the\ maximum\ number\ of\ tokens | input\ tokens\ exceed | too\ many\ (input\ )?tokens
    | (prompt|input)\ is\ too\ long | request\ too\ large | reduce\ the\ length\ of\ the\ (messages|input|prompt)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The wordings of OpenAI, Anthropic, Google, Groq, llama.cpp, vLLM, LiteLLM and their kin."""
_DETAIL_LENGTH = 400


class RequestRejected(ModelError):
    """The server understood the caller but not the request: it may know another way to put it."""


_BY_STATUS: dict[int, tuple[type[ModelError], str]] = {
    400: (RequestRejected, "model_failed"),
    401: (ModelRefused, "model_unauthorized"),
    402: (ModelError, "model_quota"),
    403: (ModelRefused, "model_unauthorized"),
    404: (ModelRefused, "model_not_found"),
    408: (ModelError, "model_timeout"),
    422: (RequestRejected, "model_failed"),
    429: (ModelError, "model_quota"),
    501: (RequestRejected, "model_failed"),
}
_BY_NAME = {
    "timeout": "model_timeout",
    "connect": "model_unreachable",
    "network": "model_unreachable",
    "transport": "model_unreachable",
}


def translate(error: BaseException, model: str, secrets: Iterable[str] = ()) -> ModelError:
    """Return the error of this package that `error` amounts to.

    Args:
        error: What the model's client raised.
        model: Which model was called, for the log.
        secrets: Texts that must not appear in the result, whoever echoed them.
    """
    # Some servers put the telling part in `code` or `type`.
    parts = (str(error) or type(error).__name__, getattr(error, "code", None), getattr(error, "type", None))
    text = " ".join(part for part in parts if isinstance(part, str))
    kind, code = _classify(error, text)
    return kind(code, f"{model}: {without_secrets(text, secrets)}"[:_DETAIL_LENGTH])


def _classify(error: BaseException, text: str) -> tuple[type[ModelError], str]:
    status = getattr(error, "status_code", None)
    is_told = status not in (401, 403, 404) and _OVERFLOW.search(text) is not None
    if isinstance(error, langchain.ContextOverflowError) or status == 413 or is_told:
        return ContextOverflow, "context_overflow"
    # Headers are ASCII: a key with full-width or pasted letters fails before anything is sent.
    if isinstance(error, UnicodeEncodeError) and error.encoding == "ascii":
        return ModelRefused, "model_unauthorized"
    # The clients' own classes have no common base: they are known by their names.
    names = " ".join(kind.__name__ for kind in type(error).__mro__).lower()
    by_name = next((code for word, code in _BY_NAME.items() if word in names), "model_failed")
    return _BY_STATUS.get(status or 0, (ModelError, by_name))


class KnownWays:
    """What each model was last found to accept."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], str] = {}

    async def put(self, model: str, ways: Mapping[str, Callable[[], Awaitable[AIMessage]]]) -> AIMessage:
        """Return the answer in the first of `ways`, named, that the server of `model` does not reject.

        Raises:
            RequestRejected: it rejects them all.
            ModelError: the call failed otherwise.
        """
        key = (model, *ways)
        *others, last = [self._known[key]] if key in self._known else ways
        for way in others:
            try:
                answer = await ways[way]()
            except RequestRejected:
                continue
            self._known[key] = way
            return answer
        answer = await ways[last]()
        self._known[key] = last
        return answer


_THOUGHTS = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
CUT = ("length", "max_tokens")
"""How providers say that an answer was cut at its longest."""


def without_thoughts(text: str) -> str:
    """Return `text` without the thoughts that some models write before they answer."""
    return _THOUGHTS.sub("", text).strip()


def finish_of(message: AIMessage) -> str:
    """Return why the model stopped, as its provider calls it (`stop`, `length`, …), or an empty text."""
    metadata = message.response_metadata
    return metadata.get("finish_reason") or metadata.get("stop_reason") or ""


def is_cut_in_thought(answer: AIMessage) -> bool:
    """Whether an answer was cut because the model thought, at length, before it wrote."""
    told = without_thoughts(answer.text) or answer.tool_calls or answer.invalid_tool_calls
    usage = answer.usage_metadata
    has_thought = usage is not None and bool(usage.get("output_token_details", {}).get("reasoning"))
    return finish_of(answer) in CUT and (not told or has_thought)
