"""LangChain's client of OpenAI's protocol, kept from throwing away answers that were paid for."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI
from openai import BaseModel as OpenAIObject


class TolerantChatOpenAI(ChatOpenAI):
    """Keeps an answer whose tool arguments are JSON but no object (encoded twice, a bare list or text).

    LangChain would throw the whole answer away, and with it what was paid for. Such arguments come back as
    `{"arguments": "<the text that the model wrote>"}`.
    """

    def _create_chat_result(
        self, response: dict[str, Any] | OpenAIObject, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        if isinstance(response, OpenAIObject):
            for choice in getattr(response, "choices", None) or ():
                for call in choice.message.tool_calls or ():
                    function = getattr(call, "function", None)
                    if function is not None:
                        function.arguments = _as_object(function.arguments)
        return super()._create_chat_result(response, generation_info)


def _as_object(arguments: str | None) -> str:
    """Return arguments that are an object or broken JSON (which LangChain sets aside) as they are, else wrapped."""
    if not arguments:
        return "{}"
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    return arguments if isinstance(value, dict) else json.dumps({"arguments": arguments})
