"""Arguments of the command line and their help in both languages."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from research.core import (
    DEAREST,
    DEEPEST,
    LONGEST_MINUTES,
    PRESETS,
    Audience,
    Brief,
    Length,
    MethodName,
    OutputForm,
    PeriodChoice,
    Region,
    Scope,
    SourceName,
    Summary,
    Tone,
    UsageError,
    Vocabulary,
)
from research.export.document import Paper
from research.export.formats import FORMATS
from research.language import Language, Phrase
from research.settings import AgreedTool, Settings

HELP = {
    "program": Phrase("Research a question; every claim can be checked."),
    "run": Phrase("research a question and write the report"),
    "compare": Phrase("research a question in several ways, side by side"),
    "methods": Phrase("methods to compare, separated by commas"),
    "presets": Phrase("presets to compare, separated by commas"),
    "more_compare": Phrase(
        "Every combination runs at the same time. DIR gets a folder for each with the files of a run, and "
        "comparison.md and comparison.json.\nExit status: that of the worst run."
    ),
    "resume": Phrase("let a run that broke off go on"),
    "notes": Phrase("show the research notes of a run (method noted)"),
    "export_run": Phrase("write a run, with all that it read, as one file"),
    "import_run": Phrase("take in a run from such a file"),
    "run_file": Phrase("the file of the run"),
    "run_id": Phrase("the run, as `runs` lists it"),
    "json": Phrase("as JSON"),
    "delete": Phrase("delete the notes of the run, and nothing else of it"),
    "runs": Phrase("list past runs, newest first"),
    "limit": Phrase("how many (default: 20)"),
    "question": Phrase("what to research; optional if --brief has it"),
    "preset": Phrase("how to go about it (default: quality)"),
    "method": Phrase("how the research is organised (default: the preset's)"),
    "queries_per_section": Phrase(
        "for the outlined method: queries in one search of a section, 1 to 5 (default: the analyst decides)"
    ),
    "iterations": Phrase(
        "for the outlined method: searches of each section at most, 1 to 5 (default: the analyst decides)"
    ),
    "scope": Phrase("the lens"),
    "period": Phrase("how far back information may date"),
    "region": Phrase("the part of the world"),
    "sources": Phrase("where to look, separated by commas"),
    "audience": Phrase("who will read the report"),
    "form": Phrase("what the report is made of"),
    "length": Phrase("how long it may be"),
    "summary": Phrase("where the executive summary stands"),
    "tone": Phrase("the manner of writing"),
    "language": Phrase("language of the report and of messages"),
    "exclude": Phrase("what not to research; may be repeated"),
    "prefer_site": Phrase("a domain to search first; may be repeated"),
    "forbid_site": Phrase("a domain never to read; may be repeated"),
    "max_cost": Phrase(
        "the most that the models may cost in US dollars; the report is then written from what there is"
    ),
    "max_minutes": Phrase("the most minutes that the run may take, the writing included"),
    "plan": Phrase(
        "print the parts of the question as it is understood, and run nothing; a question may list them itself, a line "
        "each, as in “- Japan: inflation”"
    ),
    "estimate": Phrase("print what the run will take (time, tokens, money) and run nothing"),
    "note": Phrase("anything to add in your own words"),
    "analyst": Phrase("who researches: models (chat), rules (extractive), or models if a key is set (auto)"),
    "library": Phrase("a folder of documents to search as well"),
    "allow_tool": Phrase(
        "a tool of a connected server that may be used though it may change something there, as SERVER/TOOL; may be "
        "repeated"
    ),
    "share_own_words": Phrase(
        "let queries to the web and to connected servers hold words that stand only in your own documents"
    ),
    "embed_own_documents": Phrase("let the server of embeddings compare passages of your own documents"),
    "brief": Phrase("a brief as JSON; other flags override it"),
    "out": Phrase("the folder to write"),
    "quiet": Phrase("show no progress"),
    "more": Phrase(
        "Writes report.md, run.json, events.jsonl and pages/ to DIR. Ctrl-C writes the report from what there is, "
        "a second Ctrl-C stops at once.\nExit status: 0 complete, 3 partial, 1 failed, 2 wrong usage."
    ),
    "export": Phrase("write the report of a run as a file to hand on"),
    "run_or_folder": Phrase("the folder that `run --out` wrote, or a run as `runs` lists it"),
    "format": Phrase("the kind of file"),
    "paper": Phrase("size of printed pages (default: a4)"),
    "out_file": Phrase("the file to write (default: report.SUFFIX in DIR)"),
    "values": Phrase("Values:"),
}

VOCABULARIES: dict[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": PeriodChoice,
    "region": Region,
    "sources": SourceName,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
DEPTHS = ("queries_per_section", "iterations")
CAPS = {"max_cost": "max_cost_usd", "max_minutes": "max_minutes"}
"""Flags that take a number, and the fields of the brief that they fill."""
LISTS = {"exclude": "exclusions", "prefer_site": "preferred_sites", "forbid_site": "forbidden_sites"}
"""Flags that may be repeated, and the fields of the brief that they fill."""

ANALYSTS = ("auto", "chat", "extractive")


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help)")


def parser(language: Language) -> argparse.ArgumentParser:
    """Return the parser, with its help in `language`; wrong arguments raise `UsageError`."""

    def say(name: str) -> str:
        return HELP[name].in_(language).replace("%", "%%")

    top = _Parser(prog="python -m research", description=say("program"))
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, *epilog: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=say(name),
            description=say(name),
            epilog="\n\n".join(epilog),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    values = f"{say('values')}\n{_values(language)}"
    run = command("run", say("more"), values)
    _add_brief(run, say, writes=False)
    run.add_argument("--estimate", action="store_true", help=say("estimate"))
    run.add_argument("--plan", action="store_true", help=say("plan"))
    compare = command("compare", say("more_compare"), values)
    _add_brief(compare, say)
    for name in ("methods", "presets"):
        compare.add_argument(f"--{name}", metavar="NAMES", help=say(name))
    runs = command("runs")
    runs.add_argument("--limit", type=int, default=20, metavar="N", help=say("limit"))
    actions = runs.add_subparsers(dest="action", metavar="ACTION")
    give_out = actions.add_parser("export", help=say("export_run"), description=say("export_run"))
    give_out.add_argument("run_id", metavar="RUN", help=say("run_id"))
    give_out.add_argument("--out", type=Path, metavar="FILE", help=say("run_file"))
    take_in = actions.add_parser("import", help=say("import_run"), description=say("import_run"))
    take_in.add_argument("file", type=Path, metavar="FILE", help=say("run_file"))
    resume = command("resume")
    resume.add_argument("run_id", metavar="RUN", help=say("run_id"))
    _add_course(resume, say)
    notes = command("notes")
    notes.add_argument("run_id", metavar="RUN", help=say("run_id"))
    notes.add_argument("--json", action="store_true", help=say("json"))
    notes.add_argument("--delete", action="store_true", help=say("delete"))
    export = command("export", f"{say('values')}\n{_formats(language)}")
    export.add_argument("run", metavar="DIR", help=say("run_or_folder"))
    export.add_argument("--format", choices=tuple(FORMATS), required=True, metavar="FORMAT", help=say("format"))
    export.add_argument("--paper", choices=[*map(str, Paper)], default=str(Paper.A4), help=say("paper"))
    export.add_argument("--out", type=Path, metavar="FILE", help=say("out_file"))
    return top


def _add_brief(parser: argparse.ArgumentParser, say: Callable[[str], str], *, writes: bool = True) -> None:
    """Add what makes a brief, and how it is carried out; it may write nothing unless `writes`."""
    parser.add_argument("question", nargs="?", metavar="QUESTION", help=say("question"))
    for name in ("preset", "method", *VOCABULARIES, "language", "note"):
        parser.add_argument(f"--{name}", metavar=name.upper(), help=say(name))
    for name in DEPTHS:
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="N", help=say(name))
    for name in CAPS:
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, metavar="N", help=say(name))
    for name in LISTS:
        parser.add_argument(f"--{name.replace('_', '-')}", action="append", metavar="TEXT", help=say(name))
    parser.add_argument("--analyst", choices=ANALYSTS, default=ANALYSTS[0], help=say("analyst"))
    parser.add_argument("--brief", type=Path, metavar="FILE.json", help=say("brief"))
    _add_course(parser, say, writes=writes)


def _add_course(parser: argparse.ArgumentParser, say: Callable[[str], str], *, writes: bool = True) -> None:
    """Add where documents are and results go, and what the user agrees to for this run.

    A brief cannot agree to anything, since briefs are passed on.
    """
    parser.add_argument("--library", type=Path, metavar="DIR", help=say("library"))
    parser.add_argument("--allow-tool", action="append", default=[], metavar="SERVER/TOOL", help=say("allow_tool"))
    parser.add_argument("--share-own-words", action="store_true", help=say("share_own_words"))
    parser.add_argument("--embed-own-documents", action="store_true", help=say("embed_own_documents"))
    parser.add_argument("--out", type=Path, metavar="DIR", required=writes, help=say("out"))
    parser.add_argument("--quiet", action="store_true", help=say("quiet"))


def agreed(settings: Settings, arguments: argparse.Namespace, language: Language) -> Settings:
    """Return the settings with what the arguments agree to.

    Raises:
        UsageError: what is to be allowed is no tool of a server.
    """
    tools = []
    for named in getattr(arguments, "allow_tool", ()):
        server, _, tool = named.partition("/")
        if not (server and tool):
            raise UsageError(_NO_TOOL.in_(language).format(named=named))
        tools.append(AgreedTool(server=server, tool=tool))
    return settings.model_copy(
        update={
            "agreed_tools": (*settings.agreed_tools, *tools),
            "shares_own_words": settings.shares_own_words or getattr(arguments, "share_own_words", False),
            "embeds_own_documents": settings.embeds_own_documents or getattr(arguments, "embed_own_documents", False),
        }
    )


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> Language:
    """Return the language of messages before there is a brief: `--language`, else that of the terminal."""
    for flag, value in pairwise([*arguments, ""]):
        named = value if flag == "--language" else flag.removeprefix("--language=")
        if named in tuple(Language):
            return Language(named)
    terminal = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return Language.JA if terminal.startswith("ja") else Language.EN


def _values(language: Language) -> str:
    """Return all values of all vocabularies, one line each."""
    lines = ["  --preset"]
    lines += [
        f"    {name.value:<14} {preset.label.in_(language)}: {preset.hint.in_(language)}"
        for name, preset in PRESETS.items()
    ]
    lines.append("  --method")
    lines += [f"    {name.value:<14} {name.label.in_(language)}: {name.hint.in_(language)}" for name in MethodName]
    for flag, vocabulary in VOCABULARIES.items():
        lines.append(f"  --{flag}")
        lines += [f"    {term.value:<14} {term.label.in_(language)}" for term in vocabulary]
    return "\n".join([*lines, "  --language", *(f"    {name.value}" for name in Language)])


def _formats(language: Language) -> str:
    """Return all formats of export, one line each."""
    lines = [f"    {name:<14} {one.label.in_(language)}: {one.hint.in_(language)}" for name, one in FORMATS.items()]
    return "\n".join(["  --format", *lines, "  --paper", *(f"    {paper}" for paper in Paper)])


_UNREADABLE = Phrase("The brief {path} cannot be read: {reason}.")
_NO_OBJECT = Phrase("The brief {path} is no JSON object.")
_NO_QUESTION = Phrase("There is no question: give one, or a --brief that has one.")
_UNUSABLE = Phrase("{field} is not usable: {reason}")
_NO_TOOL = Phrase("{named} is no tool of a connected server; write it as SERVER/TOOL.")
_ONE_OF = Phrase("it must be one of {values}.")
_MOST = {"max_cost_usd": DEAREST, "max_minutes": LONGEST_MINUTES}
_ABOVE_ZERO = Phrase("it must be a number above 0, up to {most}.")
_FROM_TO = Phrase("it must be a whole number from 1 to {most}.")


def brief_of(arguments: argparse.Namespace, language: Language) -> Brief:
    """Return the brief: the file's, with what the arguments say in its place.

    Raises:
        UsageError: the file is no brief, or a value does not exist; the message names the field.
    """
    fields = _file(arguments.brief, language) if arguments.brief is not None else {}
    named = ("question", "preset", "method", "language", "note", *VOCABULARIES, *DEPTHS)
    given = {name: value for name in named if (value := getattr(arguments, name)) is not None}
    given |= {field: value for flag, field in (LISTS | CAPS).items() if (value := getattr(arguments, flag)) is not None}
    if "sources" in given:
        given["sources"] = [name.strip() for name in given["sources"].split(",") if name.strip()]
    fields |= given
    if not str(fields.get("question", "")).strip():
        raise UsageError(_NO_QUESTION.in_(language))
    try:
        return Brief.model_validate(fields)
    except ValidationError as error:
        raise UsageError(_reason(error, language)) from error


def _file(path: Path, language: Language) -> dict[str, Any]:
    try:
        fields = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(_UNREADABLE.in_(language).format(path=path, reason=reason)) from error
    if not isinstance(fields, dict):
        raise UsageError(_NO_OBJECT.in_(language).format(path=path))
    return fields


def _reason(error: ValidationError, language: Language) -> str:
    first = error.errors()[0]
    field = str(first["loc"][0]) if first["loc"] else "brief"
    reason = first["msg"]
    if first["type"] == "enum":
        reason = _ONE_OF.in_(language).format(values=first["ctx"]["expected"].replace("'", "").replace(" or ", ", "))
    elif field in _MOST:
        reason = _ABOVE_ZERO.in_(language).format(most=f"{_MOST[field]:g}")
    elif field in DEPTHS:
        reason = _FROM_TO.in_(language).format(most=DEEPEST)
    return _UNUSABLE.in_(language).format(field=field, reason=reason)
