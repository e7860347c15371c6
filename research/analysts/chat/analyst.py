"""The analyst that asks chat models: one for each role."""

from __future__ import annotations

from research.analysts.chat.deciding import Deciding
from research.analysts.chat.planning import Planning
from research.analysts.chat.reading import Reading
from research.analysts.chat.writing import Writing


class ChatAnalyst(Planning, Deciding, Reading, Writing):
    """Research decided, summarised, compressed and written by chat models.

    Every method may raise `ModelError`. Prompts that can act hold no page text; prompts that hold page text can do
    nothing but answer.
    """

    name = "chat"
