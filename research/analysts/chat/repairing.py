"""Repair sentences of the report: one call that sees them with their evidence and can do nothing but return an object.

The model that wrote the report is asked, so that every sentence of a report has the author that its byline names.
"""

from __future__ import annotations

import re

from pydantic import BaseModel

from research import prompts
from research.analysts.chat.messages import one_line, system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.structured import ask
from research.analysts.chat.wording import evidence_line, language_name
from research.analysts.protocol import Repair, RepairRequest, WeakSentence
from research.presets import Role

_NUMBER = re.compile(r"\d+")
_ID = re.compile(r"E?\s?(\d+)", re.IGNORECASE)


class SentenceRepair(BaseModel):
    """What to do with one sentence."""

    sentence: str
    action: str
    text: str
    ids: list[str]


class Repairs(BaseModel):
    """What to do with each sentence."""

    repairs: list[SentenceRepair]


async def repair(models: RoleModels, request: RepairRequest) -> tuple[Repair, ...]:
    """Say how sentences can be repaired; answers that name no sentence of the request are left out.

    Raises:
        ModelError: the call failed, or its answer cannot be read.
    """
    language = language_name(request.brief.language)
    listed = "\n\n".join(_entry(number, sentence, request) for number, sentence in enumerate(request.sentences, 1))
    messages = [
        system(prompts.load("repair").fill(today=request.today.isoformat(), language=language)),
        user(f"<sentences>\n{listed}\n</sentences>\n\nReturn one entry for each sentence."),
    ]
    answer = await ask(models, Role.FINAL_REPORT, messages, Repairs)
    found = {read.sentence: read for entry in answer.repairs if (read := _read(entry, request)) is not None}
    return tuple(found.values())


def _entry(number: int, sentence: WeakSentence, request: RepairRequest) -> str:
    row = " (row of a table)" if sentence.is_row else ""
    cites = ", ".join(sentence.cited) or "nothing"
    lines = [f"S{number}{row}: {one_line(sentence.text)}", f"Cites: {cites}. Found: {one_line(sentence.reason)}."]
    return "\n".join([*lines, *(evidence_line(request.evidence[name], request.pages) for name in sentence.candidates)])


def _read(entry: SentenceRepair, request: RepairRequest) -> Repair | None:
    """Return what an entry asks for, or None if it asks for nothing that can be done."""
    number = _NUMBER.search(entry.sentence)
    position = int(number.group()) - 1 if number else -1
    if not 0 <= position < len(request.sentences):
        return None
    sentence = request.sentences[position]
    named = [f"E{int(digits)}" for item in entry.ids for digits in _ID.findall(item)]
    ids = tuple(name for name in dict.fromkeys(named) if name in sentence.candidates)
    action = entry.action.strip().lower()
    if action == "drop":
        return Repair(position, "", ())
    if action == "cite" and ids:
        return Repair(position, sentence.text, ids)
    if action == "reword" and ids and entry.text:
        return Repair(position, entry.text, ids)
    return None
