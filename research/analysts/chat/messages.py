"""Messages to a model. Whatever text they carry can be sent."""

from __future__ import annotations

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage


def system(text: str) -> SystemMessage:
    """Return a message that says what the model is and does."""
    return SystemMessage(sendable(text))


def user(text: str) -> HumanMessage:
    """Return a message that brings the model something to work on."""
    return HumanMessage(sendable(text))


def assistant(text: str) -> AIMessage:
    """Return a message that the model is to take for its own."""
    return AIMessage(sendable(text))


def sendable(text: str) -> str:
    """Return `text` without halves of characters, which broken files contain and no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """Return `text` on one line."""
    return " ".join(text.split())


def cut(text: str, characters: int) -> str:
    """Return at most `characters` of `text`, ending with a whole word where there is one near."""
    text = text.strip()
    if len(text) <= characters:
        return text
    head = text[:characters]
    blank = head.rfind(" ")
    return head[:blank] if blank > characters // 2 else head


def finish_of(message: AIMessage) -> str:
    """Return why the model stopped, as its provider calls it (`stop`, `length`, …), or an empty text."""
    metadata = message.response_metadata
    return metadata.get("finish_reason") or metadata.get("stop_reason") or ""
