"""The first queries for a topic, and what tells a new query from one that was made."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from research import prompts
from research.analysts.chat.messages import cut, one_line, system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.structured import ask
from research.analysts.chat.tools import SEARCH
from research.analysts.chat.wording import assignment, language_name
from research.analysts.protocol import ResearcherView
from research.errors import UnusableAnswer
from research.presets import Role


class Queries(BaseModel):
    """What to search for; an empty list if nothing has to be searched."""

    queries: list[str]


async def queries(models: RoleModels, view: ResearcherView) -> tuple[str, ...]:
    """Return the first queries for a topic; none if the model sees no need to search.

    Raises:
        UnusableAnswer: the answer holds queries, and none of them can be made.
        ModelError: the call failed.
    """
    instructions = prompts.load("queries").fill(
        today=view.today.isoformat(),
        language=language_name(view.brief.language),
        queries=view.limits.queries,
    )
    answer = await ask(models, Role.RESEARCH, [system(instructions), user(assignment(view))], Queries)
    new = new_queries(answer.queries, view)
    if answer.queries and not new:
        raise UnusableAnswer("model_unusable", f"{models.names[Role.RESEARCH]}: no usable query")
    return new


def new_queries(asked: Iterable[str], view: ResearcherView) -> tuple[str, ...]:
    """Return the queries that were not made before, each once, as many as one search holds."""
    known = {query.casefold() for query in view.queries_made}
    new: dict[str, str] = {}
    for query in (cut(one_line(text), SEARCH.longest) for text in asked):
        if query.casefold() not in known and any(character.isalnum() for character in query):
            new.setdefault(query.casefold(), query)
    return tuple(new.values())[: view.limits.queries]
