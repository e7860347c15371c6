"""What was decided and observed so far, as a conversation.

Nothing else of the run goes into a prompt that can act: no page, title, quote or snippet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from research.analysts.chat.messages import assistant, sendable, user
from research.analysts.chat.offers import function_name
from research.analysts.chat.tools import COMPLETE, CONDUCT_RESEARCH, DIFFICULTY, HARD, SEARCH, SIMPLE, THINK
from research.analysts.protocol import (
    ConductResearch,
    ResearchComplete,
    ResearcherAction,
    Search,
    Step,
    SupervisorAction,
    Think,
    UseTool,
)


def as_tool_messages(steps: Sequence[Step], state: str) -> list[BaseMessage]:
    """Return each step as a call and its result; `state` joins the last result, so that no role comes twice."""
    messages: list[BaseMessage] = []
    for number, step in enumerate(steps, start=1):
        name, arguments = _as_call(step.action)
        # Nine letters and digits: the strictest servers accept no other form.
        call_id = f"call{number:05d}"
        call = {"name": name, "args": arguments, "id": call_id, "type": "tool_call"}
        messages.append(AIMessage(content="", tool_calls=[call]))
        observed = _observed(step, state if number == len(steps) else "")
        messages.append(ToolMessage(content=observed, tool_call_id=call_id, name=name))
    return messages


def as_text_messages(steps: Sequence[Step], state: str) -> list[BaseMessage]:
    """Return the same for a server that knows no tools: calls and results as text."""
    messages: list[BaseMessage] = []
    for number, step in enumerate(steps, start=1):
        name, arguments = _as_call(step.action)
        messages.append(assistant(json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)))
        messages.append(user(_observed(step, state if number == len(steps) else "")))
    return messages


def _observed(step: Step, state: str) -> str:
    return sendable("\n\n".join(part for part in (step.observation, state) if part))


def _as_call(action: SupervisorAction | ResearcherAction) -> tuple[str, dict[str, Any]]:
    match action:
        case Think(reflection):
            return THINK.name, {THINK.parameter: sendable(reflection)}
        case ConductResearch(topic, is_hard):
            difficulty = HARD if is_hard else SIMPLE
            arguments = {CONDUCT_RESEARCH.parameter: sendable(topic), DIFFICULTY.parameter: difficulty}
            return CONDUCT_RESEARCH.name, arguments
        case Search(queries):
            return SEARCH.name, {SEARCH.parameter: [sendable(query) for query in queries]}
        case UseTool(server, tool, given):
            return function_name(server, tool), json.loads(sendable(given))
        case ResearchComplete(reason):
            return COMPLETE.name, {COMPLETE.parameter: sendable(reason)}
