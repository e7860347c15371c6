"""What to do next, decided by a chat model: supervisor, researcher, their history."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, auto
from functools import partial
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import BaseModel

from research import prompts
from research.analysts.chat.answers import ask, assistant, cut, one_line, sendable, system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.tools import (
    COMPLETE,
    CONDUCT_RESEARCH,
    DIFFICULTY,
    HARD,
    SEARCH,
    SIMPLE,
    THINK,
    Tool,
    ToolCall,
    calls_in,
    example,
    function_name,
    introduction,
    tool_of,
)
from research.analysts.protocol import (
    ConductResearch,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    SupervisorAction,
    SupervisorView,
    Think,
    UseTool,
)
from research.core import (
    PRESETS,
    Age,
    Brief,
    ContextOverflow,
    Evidence,
    Page,
    Role,
    Section,
    Summary,
    UnusableAnswer,
    freshness,
    tokens_in,
)
from research.language import Language
from research.text import parts_of, question_parts


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


_RECALLED_ID = re.compile(r"\bE\d+\b")
_LEFT_OUT = "(Lines left out here: {}.)"
_FEWEST = 300
"""Tokens of observations below which it is not they that are too many."""

Recalled = TypeVar("Recalled")


class _Line(NamedTuple):
    """A line of what was observed."""

    step: int
    number: int
    text: str

    @property
    def quotes(self) -> int:
        """How much evidence it names."""
        return len(_RECALLED_ID.findall(self.text))


async def recalling(
    models: RoleModels, steps: Sequence[Step], ask: Callable[[tuple[Step, ...]], Awaitable[Recalled]]
) -> Recalled:
    """Return what is answered to `steps`, with as many of their observations as the model has room for.

    How many that is becomes known when they prove too many; the later decisions of the run go by it.

    Raises:
        ContextOverflow: it is not the observations that are too many.
        ModelError: the call failed otherwise.
    """
    while True:
        shown = recalled(steps, models.observed_tokens)
        try:
            return await ask(shown)
        except ContextOverflow:
            size = min(models.observed_tokens, _size(shown))
            if size < _FEWEST:
                raise
            models.observed_tokens = size // 2


def recalled(steps: Sequence[Step], tokens: int) -> tuple[Step, ...]:
    """Return `steps` with about `tokens` of what was observed at most, line by line.

    What was observed last comes first, then whatever brought most evidence, of equals the newer.
    """
    if _size(steps) <= tokens:
        return tuple(steps)
    texts = [step.observation.splitlines() for step in steps]
    lines = [_Line(step, number, text) for step, said in enumerate(texts) for number, text in enumerate(said)]
    newest = max((line.step for line in lines if line.quotes), default=len(steps) - 1)
    kept: set[_Line] = set()
    for line in sorted(lines, key=lambda one: (one.step < newest, -one.quotes, -one.step, one.number)):
        size = tokens_in(line.text)
        if size <= tokens:
            kept.add(line)
            tokens -= size
    shown = [[line.text for line in lines if line.step == place and line in kept] for place in range(len(steps))]
    return tuple(
        replace(step, observation="\n".join([*some, _LEFT_OUT.format(len(said) - len(some))] if some != said else said))
        for step, said, some in zip(steps, texts, shown, strict=True)
    )


def _size(steps: Sequence[Step]) -> int:
    return sum(tokens_in(step.observation) for step in steps)


_WORDED_ID = re.compile(r"\[(?=\s*E\s?\d)", re.IGNORECASE)
_LANGUAGES = {Language.EN: "English", Language.JA: "Japanese (written style, である調)"}


def language_name(language: Language) -> str:
    """Return the language as a prompt names it."""
    return _LANGUAGES[language]


def note_length(tokens: int, language: Language) -> str:
    """Return a length in tokens as a model can keep to it: in words, or in characters where words have no ends."""
    # A token is about three quarters of an English word, and about one Japanese character.
    about = f"{tokens} characters" if language is Language.JA else f"{tokens * 3 // 4} words"
    return f"about {tokens} tokens long ({about})"


def constraints(brief: Brief) -> str:
    """Return what the brief sets a researcher, one line each; what is open is left out."""
    lines = {
        "Information": brief.period and brief.period.words.en,
        "Region": brief.region and brief.region.words.en,
        "Look in": ", ".join(source.words.en for source in brief.sources),
        "Do not research": "; ".join(brief.exclusions),
        "Prefer these sites": ", ".join(brief.preferred_sites),
        "House terms": _glossary(brief),
    }
    return "\n".join(named_lines(lines)) or "None."


def assignment(view: ResearcherView) -> str:
    """Return what a researcher is to find out: its topic, the section of the plan that this is, and its limits."""
    parts = {"topic": view.topic}
    if view.section is not None:
        parts["section"] = "\n".join([f"Title: {view.section.title}", *section_lines(view.section)])
    parts["limits"] = constraints(view.brief)
    return "\n\n".join(f"<{name}>\n{said}\n</{name}>" for name, said in parts.items())


def section_lines(section: Section) -> list[str]:
    """Return what a section of the plan is about, one line each; its title is left to whoever shows it."""
    return named_lines(
        {
            "Focus": section.focus,
            "Key questions": "; ".join(section.questions),
            "Required": "; ".join(section.needs),
        }
    )


def named_lines(lines: Mapping[str, str | None]) -> list[str]:
    """Return `name: text` for each text that is not empty, on one line."""
    return [f"{name}: {one_line(said)}" for name, said in lines.items() if said]


def asked_block(brief: Brief) -> str:
    """Return the parts of the question for whoever plans, decides or writes."""
    asked = question_parts(brief.question)
    lines = [f"{number}. {one_line(str(part))}" for number, part in enumerate(parts_of(brief.question), start=1)]
    when = ", ".join((*asked.years, *asked.months))
    more = named_lines({"Period": when, "To be done": asked.operation.label.en})
    return prompts.load("asked").fill(parts="\n".join([*lines, *more]))


def computed(view: ResearcherView) -> str:
    """Return what the program counted of what was found; empty before the first search."""
    if view.assessment is None:
        return ""
    return f"<computed>\n{view.assessment.in_words(view.brief.language)}\n</computed>"


def manner(brief: Brief) -> str:
    """Return how the report is to be written, one line each; what the brief leaves open, its preset decides."""
    preset = PRESETS[brief.preset]
    summary = brief.summary or preset.summary
    lines = {
        "Form": (brief.form or preset.form).words.en,
        "Length": (brief.length or preset.length).words.en,
        "Executive summary": "none" if summary is Summary.NONE else summary.words.en,
        "Tone": (brief.tone or preset.tone).words.en,
        "Readers": brief.audience.words.en if brief.audience else "not named: write for an informed outsider",
        "House terms (use them as given)": _glossary(brief),
    }
    return "\n".join(f"- {line}" for line in named_lines(lines))


def evidence_line(
    evidence: Evidence, pages: Mapping[str, Page], *, titled: bool = False, today: date | None = None
) -> str:
    """Return evidence as `[E12] "quote" (site, date)`, on one line whatever the quote holds.

    Args:
        evidence: The evidence.
        pages: Pages by id; the one that is quoted is among them.
        titled: Name the page's title too.
        today: If given, evidence of the last three months is marked `recent`.
    """
    page = pages[evidence.source]
    dated = page.published or "undated"
    recent = ", recent" if today and freshness(page.published, today).age is Age.RECENT else ""
    title = f" — {_quoted(page.title)}" if titled and page.title.strip() else ""
    return f'[{evidence.id}] "{_quoted(evidence.quote)}"{title} ({_quoted(page.site)}, {dated}{recent})'


def _quoted(text: str) -> str:
    """Return foreign text on one line, without anything that could pass for the mark of an entry."""
    return _WORDED_ID.sub("(", one_line(text))


def _glossary(brief: Brief) -> str:
    return "; ".join(f"{term} = {meaning}" for term, meaning in brief.glossary.items())


class Queries(BaseModel):
    """What to search for; an empty list if nothing has to be searched."""

    queries: list[str]


async def ask_queries(models: RoleModels, view: ResearcherView) -> tuple[str, ...]:
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


Look = Search | UseTool
A = TypeVar("A", ConductResearch, Look)

_ECHO = 2_000
"""Characters of a useless answer that the model is shown again."""


class ActionMode(Enum):
    """How a server can be made to answer with actions."""

    TOOLS = auto()
    PLAIN = auto()
    """Described in the prompt, answered in JSON."""


@dataclass(frozen=True)
class _Situation:
    """What a model is told before it decides."""

    role: str
    task: str
    state: str
    """What is left, which changes from turn to turn and so comes last."""
    steps: tuple[Step, ...]
    tools: tuple[Tool, ...]

    def messages(self, way: ActionMode) -> list[BaseMessage]:
        """Return the conversation so far."""
        first = self.task if self.steps else f"{self.task}\n\n{self.state}"
        if way is ActionMode.TOOLS:
            return [system(self.role), user(first), *as_tool_messages(self.steps, self.state)]
        described = prompts.load("actions_in_json").fill(tools=_described(self.tools))
        role = f"{self.role}\n\n{described}"
        return [system(role), user(first), *as_text_messages(self.steps, self.state)]


async def ask_supervisor(models: RoleModels, view: SupervisorView) -> list[SupervisorAction]:
    """Choose the supervisor's next actions.

    Raises:
        ModelError: the call failed.
    """
    limits = view.limits
    situation = _Situation(
        role=prompts.load("supervise").fill(
            today=view.today.isoformat(),
            language=language_name(view.brief.language),
            at_once=limits.concurrent_researchers,
        ),
        task=f"<brief>\n{view.brief_text}\n</brief>\n\n{asked_block(view.brief)}",
        state=f"Topics left: {view.topics_left}. Decisions left: {limits.supervisor_turns - view.turn}.",
        steps=view.steps,
        tools=_offered(view.steps, *[CONDUCT_RESEARCH] * (view.topics_left > 0)),
    )
    known = {step.action.topic for step in view.steps if isinstance(step.action, ConductResearch)}

    def topics(calls: Sequence[ToolCall]) -> list[ConductResearch]:
        asked: dict[str, bool] = {}
        for call in calls:
            if call.tool is CONDUCT_RESEARCH:
                asked.setdefault(cut(call.text, CONDUCT_RESEARCH.longest), call.chosen != SIMPLE)
        return [ConductResearch(topic, is_hard) for topic, is_hard in asked.items() if topic not in known]

    return _one_kind(await _decide(models, situation, begun=bool(known)), topics)


async def ask_researcher(models: RoleModels, view: ResearcherView) -> list[ResearcherAction]:
    """Choose a researcher's next actions.

    Raises:
        ModelError: the call failed.
    """
    limits = view.limits
    left = f"Search rounds left: {view.searches_left}. Decisions left: {limits.researcher_turns - view.turn}."
    situation = _Situation(
        role="\n\n".join(filter(None, (_researcher(view), introduction(view.tools)))),
        task=assignment(view),
        state="\n\n".join(filter(None, (computed(view), left))),
        steps=view.steps,
        tools=_offered(view.steps, *[SEARCH] * (view.searches_left > 0), *map(tool_of, view.tools)),
    )
    used = [step.action for step in view.steps if isinstance(step.action, UseTool)]

    def look(calls: Sequence[ToolCall]) -> list[Look]:
        new = new_queries((query for call in calls if call.tool is SEARCH for query in call.values), view)
        asked = [use for call in calls if (use := _use_of(call)) is not None and use not in used]
        return [*([Search(new)] if new else []), *asked[: limits.queries]]

    return _one_kind(await _decide(models, situation, begun=bool(view.queries_made or used)), look)


def _researcher(view: ResearcherView) -> str:
    return prompts.load("investigate").fill(
        today=view.today.isoformat(),
        language=language_name(view.brief.language),
        queries=view.limits.queries,
    )


def _use_of(call: ToolCall) -> UseTool | None:
    offer = call.tool.offer
    return UseTool(offer.server, offer.name, call.text) if offer is not None else None


def _offered(steps: Sequence[Step], *tools: Tool) -> tuple[Tool, ...]:
    """Return the tools for this turn: after a reflection the next one has to be an act, so that thinking ends."""
    thought = bool(steps) and isinstance(steps[-1].action, Think)
    return (*tools, *[THINK] * (not thought), COMPLETE)


async def _decide(models: RoleModels, situation: _Situation, *, begun: bool) -> list[ToolCall]:
    """Return the calls that the model makes; one that has not begun and makes none is reminded once."""
    answer = await _put(models, situation, [])
    calls = calls_in(answer, situation.tools)
    if calls or begun:
        return calls
    reminder = user(prompts.load("actions_again").fill(tools=_described(situation.tools)))
    answer = await _put(models, situation, [assistant(answer.text[:_ECHO] or "…"), reminder])
    return calls_in(answer, situation.tools)


async def _put(models: RoleModels, situation: _Situation, further: list[BaseMessage]) -> AIMessage:
    tools = [tool.definition for tool in situation.tools]

    async def put(shown: _Situation, way: ActionMode) -> AIMessage:
        offered = tools if way is ActionMode.TOOLS else []
        return await models.call(Role.RESEARCH, [*shown.messages(way), *further], tools=offered)

    async def put_recalled(steps: tuple[Step, ...]) -> AIMessage:
        shown = replace(situation, steps=steps)
        return await models.known.put(models.identity(Role.RESEARCH), list(ActionMode), partial(put, shown))

    return await recalling(models, situation.steps, put_recalled)


def _one_kind(
    calls: Sequence[ToolCall], acts: Callable[[Sequence[ToolCall]], list[A]]
) -> list[A | Think | ResearchComplete]:
    """Return what the calls amount to: one reflection alone, else all acts, else the end."""
    for call in calls:
        if call.tool is THINK:
            return [Think(cut(call.text, THINK.longest))]
    chosen: list[A | Think | ResearchComplete] = []
    chosen.extend(acts(calls))
    if not chosen:
        chosen += [ResearchComplete(cut(call.text, COMPLETE.longest)) for call in calls if call.tool is COMPLETE][:1]
    return chosen


def _described(tools: Sequence[Tool]) -> str:
    return "\n".join(_form(tool) for tool in tools)


def _form(tool: Tool) -> str:
    arguments: dict[str, Any] = {tool.parameter: ["…", "…"] if tool.many else "…"}
    if tool.offer is not None:
        arguments = example(tool.offer)
    hints = [tool.description, tool.hint]
    if tool.choice is not None:
        arguments[tool.choice.parameter] = tool.choice.words[-1]
        hints.append(f"{tool.choice.parameter}, {' or '.join(tool.choice.words)}: {tool.choice.hint}")
    call = json.dumps({"name": tool.name, "arguments": arguments}, ensure_ascii=False)
    return f"- {' '.join(filter(None, hints))}\n  {call}"
