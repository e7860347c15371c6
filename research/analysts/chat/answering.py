"""Answer a question about a report: one call that sees the evidence and can do nothing but return an object."""

from __future__ import annotations

from itertools import islice

from pydantic import BaseModel, Field

from research import prompts
from research.analysts.chat.messages import one_line, system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.structured import ask
from research.analysts.chat.wording import evidence_line, language_name
from research.analysts.protocol import Answer, AnswerRequest
from research.errors import ContextOverflow
from research.presets import Role

_FEWEST = 8
"""Quotes below which an answer is not worth trying."""


class WrittenAnswer(BaseModel):
    """What the quotes say on the question."""

    answer: str
    answered: str
    missing: str = Field(default_factory=str)


async def answer(models: RoleModels, request: AnswerRequest) -> Answer:
    """Answer the question. Evidence that does not fit the model's window is halved, the nearest to the question stay.

    Raises:
        ModelError: the call failed, or its answer cannot be read.
    """
    shown = len(request.evidence)
    while True:
        try:
            return await _answer(models, request, shown)
        except ContextOverflow:
            if shown <= _FEWEST:
                raise
            shown //= 2


async def _answer(models: RoleModels, request: AnswerRequest, shown: int) -> Answer:
    quotes = (evidence_line(entry, request.pages, titled=True) for entry in islice(request.evidence.values(), shown))
    instructions = prompts.load("answer").fill(
        today=request.today.isoformat(), language=language_name(request.brief.language)
    )
    asked = "\n\n".join(
        [
            f"<research>\n{one_line(request.brief.question)}\n</research>",
            "<evidence>\n" + "\n".join(quotes) + "\n</evidence>",
            f"<question>\n{one_line(request.question)}\n</question>",
        ]
    )
    written = await ask(models, Role.FINAL_REPORT, [system(instructions), user(asked)], WrittenAnswer)
    is_answered = written.answered.strip().lower() == "yes"
    return Answer(written.answer.strip(), is_answered, one_line(written.missing))
