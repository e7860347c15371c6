"""What models are told of a brief, a plan and of evidence, and their answers read leniently into typed data."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import chain
from typing import Any, TypeVar, get_args, get_origin

import json_repair
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.utils.function_calling import convert_to_openai_function
from pydantic import BaseModel

from research import core, prompts
from research.analysts.chat.models import CUT, RoleModels, finish_of, without_thoughts
from research.analysts.protocol import ResearcherView
from research.language import Language
from research.text import parts_of, question_parts

# --- Texts, as they are sent and as they are read ---------------------------------------------------------------------


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


_LONGEST_RANGE = 200
"""Ids that one "E3-E7" may stand for; a longer one is a slip."""
_RANGE = re.compile(r"(?<![A-Z])E\s?(\d+)\s*[-–~〜]\s*E?\s?(\d+)", re.IGNORECASE)
_MARKED = re.compile(r"(?<![A-Z])E\s?(\d+)", re.IGNORECASE)
_BARE = re.compile(r"\W*(\d+)\W*")


def known_ids(items: Iterable[str], evidence: Sequence[core.Evidence]) -> tuple[str, ...]:
    """Return the ids in `evidence` that `items` name, in its order: `E12`, `[E12]`, `12`, `E3–E7`."""
    numbers: set[int] = set()
    for item in items:
        spans = (range(int(first), int(last) + 1) for first, last in _RANGE.findall(item))
        numbers.update(number for span in spans if len(span) <= _LONGEST_RANGE for number in span)
        bare = _BARE.fullmatch(item)
        numbers.update(map(int, [bare[1]] if bare else _MARKED.findall(item)))
    named = {f"E{number}" for number in numbers}
    return tuple(entry.id for entry in evidence if entry.id in named)


# --- JSON, however it is written --------------------------------------------------------------------------------------

Shape = TypeVar("Shape", bound=BaseModel)

_BLOCK = re.compile(r"```[\w-]*\s*(.*?)(?:```|\Z)|<tool_call>\s*(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_BULLET = re.compile(r"^\s*(?:(?:[-*•]|\d+[.)])\s+|・\s*)")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_TEXT_KEYS = ("quote", "text", "excerpt", "query", "id", "content", "value")
_DEPTH = 4
"""How deep a wanted object may be wrapped in others, or encoded as text in itself."""


def readings(text: str) -> Iterator[list[Any]]:
    """Yield the JSON objects and lists in `text` as they can be read, most literally first.

    First all that is whole, wherever it stands; then fenced blocks and then all of the text with what is broken or
    cut off repaired.
    """
    text = without_thoughts(text)
    yield list(_whole_values(text))
    yield [_repaired(fenced or tagged) for fenced, tagged in _BLOCK.findall(text)]
    if start := _OPENING.search(text):
        yield [_repaired(text[start.start() :])]


def decoded(value: Any) -> Any:
    """Return `value`, taken out of its text if it was encoded once too often."""
    for _ in range(_DEPTH):
        if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
            break
        inner = json_repair.loads(value)
        if not inner or inner == value:
            break
        value = inner
    return value


def plain(name: object) -> str:
    """Return a name as it is compared: letters and digits alone, without case."""
    return re.sub(r"[\W_]", "", str(name)).lower()


def find(value: Any, wanted: Iterable[str], needed: Iterable[str], depth: int = _DEPTH) -> dict[str, Any] | None:
    """Return the `wanted` keys of the object in `value` that has all `needed`, however spelt and however deep."""
    value, names = decoded(value), {plain(name): name for name in wanted}
    if isinstance(value, dict):
        found = {names[plain(key)]: part for key, part in value.items() if plain(key) in names}
        if set(needed) <= found.keys():
            return found
        value = list(value.values())
    if not isinstance(value, list) or not depth:
        return None
    inner = (find(part, wanted, needed, depth - 1) for part in value if isinstance(part, (dict, list, str)))
    return next((found for found in inner if found is not None), None)


def fit(value: Any, shape: type[Shape]) -> Shape | None:
    """Return `value` as a `shape`, or None if a field without default is missing.

    The fields of a shape are texts, numbers, lists of texts, and lists of other shapes; of those, items that do not
    fit are left out, and a bare text stands for a shape that needs nothing but one text.
    """
    needed = {name for name, field in shape.model_fields.items() if field.is_required()}
    parts = find(value, shape.model_fields, needed) or {}
    read = {name: _as(shape.model_fields[name].annotation, part) for name, part in parts.items()}
    fields = {name: part for name, part in read.items() if part is not None}
    return shape(**fields) if fields and needed <= fields.keys() else None


def _as(wanted: Any, value: Any) -> Any:
    """Return `value` as a field of the type `wanted`; None if it is no number and has to be one."""
    if wanted in (int, float):
        number = _NUMBER.search(as_text(value))
        return number and (float(number[0]) if wanted is float else round(float(number[0])))
    if get_origin(wanted) is not list:
        return as_text(value)
    (item,) = get_args(wanted)
    if not issubclass(item, BaseModel):
        return as_list(value)
    value = decoded(value)
    return [found for part in (value if isinstance(value, list) else [value]) if (found := _item(part, item))]


def _item(value: Any, shape: type[Shape]) -> Shape | None:
    found = fit(value, shape)
    if found is not None:
        return found
    match [(name, field) for name, field in shape.model_fields.items() if field.is_required()]:
        case [(name, field)] if field.annotation is str and (text := as_text(value)):
            return shape(**{name: text})
    return None


def as_text(value: Any) -> str:
    """Return `value` as one text; of an object, the part that is most likely the text."""
    if isinstance(value, str):
        return sendable(value).strip()
    if isinstance(value, list):
        return "\n".join(filter(None, map(as_text, value)))
    if isinstance(value, dict):
        return next((as_text(value[key]) for key in _TEXT_KEYS if value.get(key)), "")
    return "" if value is None or isinstance(value, bool) else str(value)


def as_list(value: Any) -> list[str]:
    """Return `value` as a list of texts without empty ones; lines of a text, and the values of an object, are items."""
    value = decoded(value)
    if isinstance(value, dict):
        one = as_text(value)
        return [one] if one else [item for part in value.values() for item in as_list(part)]
    if isinstance(value, list):
        nested = (as_list(part) if isinstance(part, list) else [as_text(part)] for part in value)
        return [item for items in nested for item in items if item]
    lines = (_BULLET.sub("", line).strip() for line in as_text(value).splitlines())
    return [line for line in lines if line]


def _whole_values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    position = 0
    while start := _OPENING.search(text, position):
        try:
            value, position = decoder.raw_decode(text, start.start())
        except ValueError:
            position = start.end()
            continue
        if value:
            yield value


def _repaired(text: str) -> Any:
    value = json_repair.loads(text)
    return value if isinstance(value, (dict, list)) else []


# --- Asking for an object ---------------------------------------------------------------------------------------------

ECHO = 2_000
"""Characters of a useless answer that the model is shown again."""


class Asking:
    """A part of the analyst: asks the models of its run for objects."""

    def __init__(self, models: RoleModels, today: date) -> None:
        self._models = models
        self._today = today

    async def ask(
        self,
        role: core.Role,
        told: SystemMessage,
        asked: str,
        shape: type[Shape],
        *,
        seconds: float | None = None,
        tokens: int | None = None,
    ) -> Shape:
        """Return what a role's model answers as a `shape`, as far as `fit` can make one of it, within `seconds` in all.

        It was `told` what it does; `tokens` is how long its answer will about be, where that is known. An answer that
        cannot be read, or was cut off, is asked for a second time. Fields of a shape that an answer may do without have
        a `default_factory`: a plain default would enter the schema, which strict servers reject.

        Raises:
            UnusableAnswer: the model refused, or answered twice with something else.
            ModelError: the call failed.
        """
        ends = time.monotonic() + (seconds or self._models.seconds)
        function = convert_to_openai_function(shape, strict=True)
        schema = json.dumps(function["parameters"], ensure_ascii=False)
        messages: list[BaseMessage] = [told, user(asked)]
        for _ in range(2):
            left = ends - time.monotonic()
            if left <= 0:
                break
            answer = await self._shaped(role, messages, function, schema, seconds=left, tokens=tokens)
            found = _read(answer, shape)
            if found is not None:
                return found
            again = prompts.load("answer_again").fill(schema=schema)
            messages = [*messages[:2], assistant(answer.text[:ECHO] or "(nothing)"), user(again)]
        raise core.UnusableAnswer("model_unusable", f"{self._models.names[role]}: no usable {shape.__name__}")

    async def _shaped(
        self,
        role: core.Role,
        messages: Sequence[BaseMessage],
        function: Mapping[str, Any],
        schema: str,
        *,
        seconds: float,
        tokens: int | None,
    ) -> AIMessage:
        """Return an answer in the first way that the server takes: held to a schema, by a function, or told it."""
        models, form = self._models, {"name": function["name"], "strict": True, "schema": function["parameters"]}
        tool = {"type": "function", "function": function}
        asked = user(prompts.load("answer_in_json").fill(schema=schema))
        call = partial(models.call, role, seconds=seconds, tokens=tokens)
        ways: dict[str, Callable[[], Awaitable[AIMessage]]] = {
            # It goes into the request as it is: the client's own way throws away answers that were cut off.
            "schema": partial(
                call, messages, extra_body={"response_format": {"type": "json_schema", "json_schema": form}}
            ),
            "function": partial(call, messages, tools=[tool], tool_choice="any"),
            "plain": partial(call, [*messages, asked]),
        }
        if not models.served_by(role).takes_schema:
            del ways["schema"]
        return await models.known.put(models.identity(role), ways)


def _read(answer: AIMessage, shape: type[Shape]) -> Shape | None:
    """Return the object in `answer`, or None if there is none or the answer was cut off.

    Raises:
        UnusableAnswer: the model refuses; asking again is no use.
    """
    if answer.additional_kwargs.get("refusal") or finish_of(answer) == "content_filter":
        raise core.UnusableAnswer("model_unusable", "the model refused to answer")
    if finish_of(answer) in CUT:
        return None
    called: list[Any] = [call["args"] for call in (*answer.tool_calls, *answer.invalid_tool_calls)]
    return next(
        (found for value in chain([called], readings(answer.text)) if (found := fit(value, shape)) is not None), None
    )


# --- how models are told of a brief, a topic, a plan and of evidence: foreign text on one line, behind its id --------

_MARK = re.compile(r"\[(?=\s*E\s?\d)", re.IGNORECASE)
_LANGUAGES = {Language.EN: "English", Language.JA: "Japanese (written style, である調)"}


def instructions(prompt: str, brief: core.Brief, today: date, **values: object) -> SystemMessage:
    """Return what a model is told of its work: a prompt filled with the day, the report's language and `values`."""
    filled = prompts.load(prompt).fill(today=today.isoformat(), language=language_name(brief.language), **values)
    return system(filled)


def language_name(language: Language) -> str:
    """Return the language as a prompt names it."""
    return _LANGUAGES[language]


def note_length(tokens: int, language: Language) -> str:
    """Return a length in tokens as a model can keep to it: in words, or in characters where words have no ends."""
    # A token is about three quarters of an English word, and about one Japanese character.
    about = f"{tokens} characters" if language is Language.JA else f"{tokens * 3 // 4} words"
    return f"about {tokens} tokens long ({about})"


def constraints(brief: core.Brief) -> str:
    """Return what the brief sets a researcher, one line each; what is open is left out."""
    lines = {
        "Information": period.en if (period := core.period_of(brief)) is not None else None,
        "Region": ", ".join([*filter(None, [brief.region and brief.region.words.en]), *brief.countries]),
        "Look in": ", ".join(source.words.en for source in brief.sources),
        "Do not research": "; ".join(brief.exclusions),
        "Prefer these sites": ", ".join(brief.preferred_sites),
        "Prefer these kinds of sources": ", ".join(kind.words.en for kind in brief.preferred_kinds),
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


def section_lines(section: core.Section) -> list[str]:
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


def brief_block(brief: core.Brief) -> str:
    """Return the brief for whoever plans, decides or writes."""
    return f"<brief>\n{core.compose(brief)}\n</brief>"


def asked_block(brief: core.Brief) -> str:
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


def manner(brief: core.Brief) -> str:
    """Return how the report is to be written, one line each; what the brief leaves open, its preset decides."""
    preset = core.PRESETS[brief.preset]
    summary = brief.summary or preset.summary
    sentences = f", of at most {brief.summary_sentences} sentences" if brief.summary_sentences else ""
    lines = {
        "Form": (brief.form or preset.form).words.en,
        "Length": (brief.length or preset.length).words.en,
        "Executive summary": "none" if summary is core.Summary.NONE else f"{summary.words.en}{sentences}",
        "Tone": (brief.tone or preset.tone).words.en,
        "Readers": brief.audience.words.en if brief.audience else "not named: write for an informed outsider",
        "House terms (use them as given)": _glossary(brief),
    }
    return "\n".join(f"- {line}" for line in named_lines(lines))


def evidence_lines(
    entries: Iterable[core.Evidence], pages: Mapping[str, core.Page], *, titled: bool = False, today: date | None = None
) -> Iterator[str]:
    """Yield evidence as `[E12] "quote" (site, date)`, each on one line whatever the quote holds.

    Quotes of one page follow each other: those behind the first say `same page`, not its name again.

    Args:
        entries: The evidence.
        pages: Pages by id; those that are quoted are among them.
        titled: Name the page's title too.
        today: If given, evidence of the last three months is marked `recent`.
    """
    before = ""
    for entry in entries:
        told = "(same page)" if entry.source == before else _named(pages[entry.source], titled=titled, today=today)
        before = entry.source
        yield f'[{entry.id}] "{_quoted(entry.quote)}" {told}'


def _named(page: core.Page, *, titled: bool, today: date | None) -> str:
    recent = ", recent" if today and core.freshness(page.published, today).age is core.Age.RECENT else ""
    title = f"— {_quoted(page.title)} " if titled and page.title.strip() else ""
    return f"{title}({_quoted(page.site)}, {page.published or 'undated'}{recent})"


def _quoted(text: str) -> str:
    """Return foreign text on one line, without anything that could pass for the mark of an entry."""
    return _MARK.sub("(", one_line(text))


def _glossary(brief: core.Brief) -> str:
    return "; ".join(f"{term} = {meaning}" for term, meaning in brief.glossary.items())
