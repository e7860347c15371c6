"""The reference of `docs/reference/`, written from the code: `python -m bench.reference`.

Of a field, an event, an address or an option it says what the code says; a test holds the pages against the code.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from research.cli import parser
from research.core import AnyEvent, Brief, Steer, vocabulary
from research.core.errors import PROBLEMS
from research.core.events import LaneEvent
from research.core.ledger import Evidence, FigureCheck, Passage, Sentence
from research.core.vocabulary import PRESETS
from research.export import FORMATS
from research.export.folder import RUN_FILES
from research.language import Bilingual, Language
from research.results import record
from research.service import api, desks
from research.sources import providers
from research.verification.verdicts import Contradiction, Label, Side

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
_MADE = "*Written from the code by `python -m bench.reference`.*"
_TERMS = ("value", "English", "日本語")
_FIELDS = ("field", "type", "meaning")


_PLAIN = {"Question": "str", "Line": "str", "HowDeep": "int"}
"""Types that are called otherwise in the code only for their limits."""


def pages() -> dict[str, str]:
    """Return every page of the reference by the name of its file."""
    made = {"brief": _brief, "events": _events, "run_folder": _run_folder, "rest": _rest, "command_line": _commands}
    return {f"{name}.md": "\n\n".join(blocks()) + "\n" for name, blocks in made.items()}


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _both(text: Bilingual) -> tuple[str, str]:
    return text.en, text.ja


def _doc(model: type) -> str:
    return " ".join(inspect.cleandoc(model.__doc__ or "").partition("\n\n")[0].split())


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and meaning of each field that a model has of its own, as its source says them."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(tree, ast.ClassDef)
    for said, after in pairwise([*tree.body, ast.Pass()]):
        if isinstance(said, ast.AnnAssign) and isinstance(said.target, ast.Name):
            name, told = said.target.id, after.value if isinstance(after, ast.Expr) else None
            words = str(told.value) if isinstance(told, ast.Constant) else model.model_fields[name].description
            yield f"`{name}`", _kind(said.annotation), words or ""


class _Bare(ast.NodeTransformer):
    """Takes from a type what only says how it is read."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
            return self.visit(node.slice.elts[0])
        return self.generic_visit(node)


def _kind(annotation: ast.expr) -> str:
    """Return a type without its home, and without what only says how it is read."""
    short = re.sub(r"\b(?:core|vocabulary)\.", "", ast.unparse(_Bare().visit(annotation)))
    plain = re.sub(r"\w+", lambda found: _PLAIN.get(found[0], found[0]), short)
    return f"`{plain}`"


# --- the brief -------------------------------------------------------------------------------------------------------


def _brief() -> Iterator[str]:
    yield "# The brief · 調査条件"
    yield _MADE
    yield (
        "What a run is asked: `research.Brief` in Python, the `brief` of a request over HTTP, a file for `--brief`, "
        "the form of the page. Only the question is needed; what is left out stays open, and nobody asks back."
    )
    hints, kinds = get_type_hints(Brief), {name: kind for name, kind, _ in _fields(Brief)}
    rows, lists = [], []
    for name, field in Brief.model_fields.items():
        terms = next((one for one in (hints[name], *get_args(hints[name])) if _is_list(one)), None)
        lists += [terms] if terms else []
        kind = f"[{terms.__name__}](#{terms.__name__.lower()})" if terms else kinds[f"`{name}`"]
        rows.append((f"`{name}`", kind, _default(field), field.description or (_doc(terms) if terms else "")))
    yield _table(["field", "type", "by default", "meaning"], rows)
    for terms in lists:
        yield f"## {terms.__name__}"
        yield _table(_TERMS, map(_term, terms))
    yield "## SourceName"
    yield "And whatever is [registered](../own_source.md) besides."
    yield _table(_TERMS, [(f"`{one.name}`", *_both(one.label)) for one in providers()])


def _is_list(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, StrEnum) and found is not Language


def _term(term: Any) -> Sequence[str]:
    said = PRESETS.get(term, term)
    pairs = zip(_both(said.label), _both(getattr(said, "hint", said.label)), strict=True)
    return (f"`{term.value}`", *(label if label == hint else f"{label}: {hint}" for label, hint in pairs))


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    return "" if field.default in (None, "", ()) or field.default_factory else f"`{field.default}`"


# --- events, and what a run leaves -----------------------------------------------------------------------------------

_RECORD: tuple[type[BaseModel], ...] = (
    record.RunRecord, record.SourceEntry, Evidence, Sentence, FigureCheck, Passage, record.AskedPart, record.Problem,
    record.LeftOut, Contradiction, Side, record.Usage, record.Trail, record.TopicTrail, record.QueryTrail,
)  # fmt: skip
_FILES = {
    "report.md": "the report, with numbered citations and its list of sources",
    "run.json": "the [record](#runrecord); over HTTP it is `/runs/{run_id}/record`, in Python `report.record`",
    "events.jsonl": "what happened, a line each: [events](events.md)",
    "pages": "the text of every page that was read, each under its SHA-256",
}


def _events() -> Iterator[str]:
    yield "# Events · イベント"
    yield _MADE
    yield (
        "Everything that a run tells, in the past tense: what `research.stream` yields, `/runs/{run_id}/events` sends "
        "and a line of `events.jsonl` holds. Each has `type`, `seq` (from 1 within a run) and `at` (UTC). "
        "Those with ◦ have a `lane` too: the researcher (`R1`, `R2`, …) or the `supervisor` that they are about."
    )
    for event in get_args(get_args(AnyEvent)[0]):
        yield f"## {event.model_fields['type'].default}{' ◦' if issubclass(event, LaneEvent) else ''}"
        yield _doc(event)
        if rows := list(_fields(event)):
            yield _table(_FIELDS, rows)


def _run_folder() -> Iterator[str]:
    yield "# The folder of a run · 実行のフォルダー"
    yield _MADE
    yield (
        "What `python -m research run --out DIR` writes. `export` reads it again, on any machine; quotes and verdicts "
        "are then held against the pages anew."
    )
    yield _table(["file", "what it holds"], [(f"`{name}`", _FILES[name]) for name in sorted(RUN_FILES)])
    for model in _RECORD:
        yield f"## {model.__name__}"
        yield _doc(model)
        yield _table(_FIELDS, _fields(model))
    yield "## Verdicts"
    yield _table(_TERMS, [(f"`{one.value}`", *_both(one.words)) for one in Label])
    yield "## Why research ended"
    yield _table(_TERMS, [(f"`{one.value}`", *_both(one.label)) for one in vocabulary.StopReason])
    yield "## Codes of problems"
    yield _table(["code", "English", "日本語"], [(f"`{code}`", *_both(text)) for code, text in PROBLEMS.items()])


# --- how others ask --------------------------------------------------------------------------------------------------

_BODIES: tuple[type[BaseModel], ...] = (
    api.RunRequest, api.QuestionRequest, api.RewriteRequest, api.VerifyRequest, desks.RunTold, desks.Passage,
    desks.SentenceVerdict, api.Problem,
)  # fmt: skip


def _rest() -> Iterator[str]:
    yield "# REST"
    yield _MADE
    yield (
        "What `python -m research serve` answers; `/openapi.json` says the same to programs, down to each field. Where "
        "there are tokens (`token add`), a request brings one: `Authorization: Bearer …`. What fails is told as a "
        "[Problem](#problem), in the language of `Accept-Language`."
    )
    with tempfile.TemporaryDirectory() as home:
        described = api.make_app({"RESEARCH_HOME": home}, host="127.0.0.1").openapi()
    rows = [_address(path, method, said) for path, all_ in described["paths"].items() for method, said in all_.items()]
    yield _table(["address", "what it does", "takes"], rows)
    yield "## Formats of a report"
    yield _table(_TERMS, [(f"`{name}`", *_both(one.label)) for name, one in FORMATS.items()])
    yield "## Steering a run"
    rows = []
    for one in get_args(get_args(Steer)[0]):
        further = [f"`{name}`" for name in one.model_fields if name != "kind"]
        rows.append((f"`{one.model_fields['kind'].default}`", _doc(one), ", ".join(further)))
    yield _table(["kind", "what it asks", "with"], rows)
    for model in _BODIES:
        yield f"## {model.__name__}"
        yield _doc(model)
        yield _table(_FIELDS, _fields(model))
    yield "## Status"
    answers = described["paths"]["/runs"]["post"]["responses"].items()
    yield _table(["status", "meaning"], [(f"`{one}`", said["description"]) for one, said in answers if one >= "400"])


def _address(path: str, method: str, said: Mapping[str, Any]) -> Sequence[str]:
    takes = [f"`{one['name']}`" for one in said.get("parameters", ()) if one["in"] != "path"]
    if "requestBody" in said:
        schema = said["requestBody"]["content"]["application/json"]["schema"]
        name = schema.get("$ref", "").rpartition("/")[2]
        takes.append(f"[{name}](#{name.lower()})" if name else "[one of these](#steering-a-run)")
    return f"`{method.upper()} {path}`", said["description"], ", ".join(takes)


def _commands() -> Iterator[str]:
    yield "# The command line · コマンドライン"
    yield _MADE
    yield (
        "`python -m research COMMAND`, or `research COMMAND` where the package is installed. Help and messages speak "
        "the language of the terminal, or that of `--language`. The values of a brief stand on [its page](brief.md)."
    )
    yield from _of_command((), parser(Language.EN), parser(Language.JA))


def _of_command(
    names: tuple[str, ...], english: argparse.ArgumentParser, japanese: argparse.ArgumentParser
) -> Iterator[str]:
    if names:
        yield f"{'#' * (len(names) + 1)} {' '.join(names)}"
        yield f"{english.description} · {japanese.description}"
    rows, below = [], []
    for one, other in zip(english._actions, japanese._actions, strict=True):
        if isinstance(one, argparse._SubParsersAction):
            below = [((*names, name), one.choices[name], other.choices[name]) for name in one.choices]
        elif "--help" not in one.option_strings and (names == ("run",) or one.dest not in Brief.model_fields):
            rows.append((_option(one), *(str(each.help).replace("%%", "%") for each in (one, other))))
    if names != ("run",) and "question" in {one.dest for one in english._actions}:
        rows.append(
            ("…", "question and options of a brief: as of [run](#run)", "質問と調査条件の指定：[run](#run) と同じ")
        )
    if rows:
        yield _table(["option", "meaning", "意味"], rows)
    for further in below:
        yield from _of_command(*further)


def _option(action: argparse.Action) -> str:
    """Return an option with what it takes, or the name of an argument."""
    value = "" if action.nargs == 0 else action.metavar or ",".join(map(str, action.choices or [action.dest.upper()]))
    needed = " (needed)" if action.required and action.option_strings else ""
    return f"`{' '.join([*action.option_strings, str(value)]).strip()}`{needed}"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
