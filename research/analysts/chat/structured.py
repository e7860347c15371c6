"""Ask a model for an object of a given shape, in whichever way its server can do that."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from enum import Enum, auto
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.utils.function_calling import convert_to_openai_function

from research import prompts
from research.analysts.chat.lenient import Shape, fit, readings
from research.analysts.chat.messages import assistant, finish_of, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.providers import OPENAI
from research.errors import UnusableAnswer
from research.presets import Role

_ECHO = 2_000
"""Characters of a useless answer that the model is shown again."""


class Way(Enum):
    """How a server can be made to answer with an object."""

    SCHEMA = auto()
    """A JSON schema as `response_format`."""
    FUNCTION = auto()
    """A function that must be called."""
    PLAIN = auto()
    """The schema in the prompt, and hope."""


async def ask(
    models: RoleModels,
    role: Role,
    messages: Sequence[BaseMessage],
    shape: type[Shape],
    *,
    seconds: float | None = None,
) -> Shape:
    """Return the model's answer as a `shape`, as far as `lenient.fit` can make one of it.

    An answer that cannot be read, or was cut off, is asked for a second time.

    Args:
        models: The models of the run.
        role: Whose model to ask.
        messages: The conversation.
        shape: What to answer with. Fields that an answer may do without have a `default_factory`: a plain default
            would enter the schema, which strict servers reject.
        seconds: How long it may take in all.

    Raises:
        UnusableAnswer: the model refused, or answered twice with something else.
        ModelError: the call failed.
    """
    ends = time.monotonic() + (seconds or models.seconds)
    conversation = list(messages)
    for _ in range(2):
        left = ends - time.monotonic()
        if left <= 0:
            break
        answer = await _put(models, role, conversation, shape, left)
        found = _read(answer, shape)
        if found is not None:
            return found
        conversation = [*messages, *_reminder(answer, shape)]
    raise UnusableAnswer("model_unusable", f"{models.names[role]}: no usable {shape.__name__}")


async def _put(
    models: RoleModels,
    role: Role,
    messages: Sequence[BaseMessage],
    shape: type[Shape],
    seconds: float,
) -> AIMessage:
    function = convert_to_openai_function(shape, strict=True)

    async def put(way: Way) -> AIMessage:
        if way is Way.SCHEMA:
            return await models.call(role, messages, seconds=seconds, extra_body=_response_format(function))
        if way is Way.FUNCTION:
            tool = {"type": "function", "function": function}
            return await models.call(role, messages, tools=[tool], tool_choice="any", seconds=seconds)
        form = prompts.load("answer_in_json").fill(schema=_schema_text(function))
        return await models.call(role, [*messages, user(form)], seconds=seconds)

    ways = [Way.SCHEMA, Way.FUNCTION, Way.PLAIN] if models.provider(role) == OPENAI else [Way.FUNCTION, Way.PLAIN]
    return await models.known.put(models.identity(role), ways, put)


def _response_format(function: dict[str, Any]) -> dict[str, Any]:
    """Return the request's part that asks for a schema.

    It goes into the request as it is: the client's own `response_format` throws away answers that were cut off.
    """
    schema = {"name": function["name"], "strict": True, "schema": function["parameters"]}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _read(answer: AIMessage, shape: type[Shape]) -> Shape | None:
    """Return the object in `answer`, or None if there is none or the answer was cut off.

    Raises:
        UnusableAnswer: the model refuses; asking again is no use.
    """
    if answer.additional_kwargs.get("refusal") or finish_of(answer) == "content_filter":
        raise UnusableAnswer("model_unusable", "the model refused to answer")
    if finish_of(answer) in ("length", "max_tokens"):
        return None
    called: list[Any] = [call["args"] for call in answer.tool_calls]
    called += [call["args"] for call in answer.invalid_tool_calls]
    found = fit(called, shape)
    if found is not None:
        return found
    return next((found for values in readings(answer.text) if (found := fit(values, shape)) is not None), None)


def _reminder(answer: AIMessage, shape: type[Shape]) -> list[BaseMessage]:
    written = answer.text[:_ECHO] or "(nothing)"
    schema = _schema_text(convert_to_openai_function(shape, strict=True))
    return [assistant(written), user(prompts.load("answer_again").fill(schema=schema))]


def _schema_text(function: dict[str, Any]) -> str:
    return json.dumps(function["parameters"], ensure_ascii=False)
