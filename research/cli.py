"""The command line: `python -m research run "QUESTION" --out DIR`; its arguments, with help in both languages."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from runpy import run_module
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import ValidationError

from research import core
from research.core import Brief, ResearchError, Status, StoreError, UsageError, explain
from research.export import FORMATS
from research.export.document import Paper
from research.language import Bilingual, Language, Phrase
from research.settings import AgreedTool, Settings, account_named, prepared_home, secrets_of_all
from research.sources import names_of, prepare, providers

if TYPE_CHECKING:
    from research.export.folder import OutFolder
    from research.store import Runner


_WORDS = {
    "preset": Phrase("how to go about it (default: quality)"),
    "method": Phrase("how the research is organised (default: the preset's)"),
    "scope": Phrase("what to look at"),
    "period": Phrase("how far back information may date"),
    "since": Phrase("the first day that information may date from, as in 2019-04-01, instead of --period"),
    "until": Phrase("the last day that information may date from"),
    "region": Phrase("the part of the world"),
    "sources": Phrase("where to look, separated by commas"),
    "order": Phrase("what is searched first (default: all at once)"),
    "audience": Phrase("who will read the report"),
    "form": Phrase("what the report is made of"),
    "length": Phrase("how long it may be"),
    "summary": Phrase("where the executive summary stands"),
    "tone": Phrase("the manner of writing"),
    "language": Phrase("language of the report and of messages"),
    "file_format": Phrase("the file in which the report is wanted as well: a format of `export`"),
    "note": Phrase("anything to add in your own words"),
}
"""Flags that take a word or a text, and their help."""
_DEPTHS = {
    "queries_per_section": Phrase(
        "for the outlined method: queries in one search of a section, 1 to 5 (default: the analyst decides)"
    ),
    "iterations": Phrase(
        "for the outlined method: searches of each section at most, 1 to 5 (default: the analyst decides)"
    ),
}
_SENTENCES = Phrase("sentences of the executive summary at most, 1 to 12")
_CAPS = {
    "max_cost_usd": Phrase(
        "the most that the models may cost in US dollars; the report is then written from what there is"
    ),
    "max_minutes": Phrase("the most minutes that the run may take, the writing included"),
}
_LISTS = {
    "countries": ("country", Phrase("a country that it is about; may be repeated")),
    "addresses": ("address", Phrase("a page to be read whatever else is found; may be repeated")),
    "preferred_kinds": ("prefer-kind", Phrase("a kind of sources to read first; may be repeated")),
    "forbidden_kinds": ("forbid-kind", Phrase("a kind of sources never to read; may be repeated")),
    "exclusions": ("exclude", Phrase("what not to research; may be repeated")),
    "preferred_sites": ("prefer-site", Phrase("a domain to search first; may be repeated")),
    "forbidden_sites": ("forbid-site", Phrase("a domain never to read; may be repeated")),
}
"""Fields of the brief that are filled by a flag that may be repeated: its name and help."""
_ABOUT_RUN = Phrase(
    "Writes report.md, run.json, events.jsonl and pages/ to DIR. Ctrl-C writes the report from what there is, "
    "a second Ctrl-C stops at once.\nExit status: 0 complete, 3 partial, 1 failed, 2 wrong usage."
)
_ABOUT_COMPARE = Phrase(
    "Every combination runs at the same time. DIR gets a folder for each with the files of a run, and "
    "comparison.md and comparison.json.\nExit status: that of the worst run."
)
_PLAN = Phrase(
    "print the parts of the question as it is understood, and run nothing; a question may list them itself, a line "
    "each, as in “- Japan: inflation”"
)
_ESTIMATE = Phrase("print what the run will take (time, tokens, money) and run nothing")
_ANALYST = Phrase("who researches: models (chat), rules (extractive), or models if a key is set (auto)")
_MODEL = Phrase(
    "the model of this run, as in gpt-5.4 or ollama:qwen3, or of a role, as in final_report=gpt-5.4; may be repeated; "
    "roles: {roles}"
)
_ALLOW_TOOL = Phrase(
    "a tool of a connected server that may be used though it may change something there, as SERVER/TOOL; may be "
    "repeated"
)
_SHARE_OWN_WORDS = Phrase(
    "let queries to the web and to connected servers hold words that stand only in your own documents"
)
_EMBED_OWN = Phrase("let the server of embeddings compare passages of your own documents")
_HAND_ON = Phrase("write the report of a run as a file to hand on")
_ABOUT_PREPARE = Phrase(
    "Writes the pages of the samples, their indexes and vectors beside the installation, or to RESEARCH_PREPARED;\n"
    "what is there and fits stays. A home that finds none there makes its own with its first question,\n"
    "which takes seconds."
)
_RUN_OR_FOLDER = Phrase("the folder that `run --out` wrote, or a run as `runs` lists it")
_RUN, _RUN_FILE = Phrase("the run, as `runs` lists it"), Phrase("the file of the run")
_OUT_FILE = Phrase("the file to write (default: report.SUFFIX in DIR)")

_MOVE = Phrase("copy all runs to another database, where those that are there stay as they are")
_ABOUT_MOVE = Phrase(
    "Afterwards both are counted and compared. To work with the other database, set RESEARCH_DATABASE to its address "
    "(for sqlite, set it to nothing). A password in the arguments can be seen by others on this computer: PGPASSWORD "
    "or a file .pgpass keeps it out."
)
_TO = Phrase("where to: postgresql://USER@HOST/NAME, or sqlite for the file in RESEARCH_HOME")
_FROM = Phrase("where from, in the same words (default: RESEARCH_DATABASE, else sqlite)")
_MERGE = Phrase("add runs that the other database lacks to those that it has")

_ABOUT_WORKER = Phrase(
    "Any number of workers may share a store, on one machine or many. With RESEARCH_WORKERS=1 the workbench and the\n"
    "other commands leave research to them. Each says on stderr which run it begins and ends. SIGTERM or Ctrl-C ends\n"
    "it: others go on with its runs at once."
)
_RHYTHM = Phrase(
    "“every day 08:00”, “every weekday 08:00”, “every monday 08:00” (or another day) or “every month on 1 08:00”"
)
_ZONE = Phrase("the time zone, as in Europe/Vienna (default: this machine's)")
_TELL = Phrase("an e-mail address or a webhook that is told what changed when a run has ended")
_ACCOUNT = Phrase("whose the runs are, where people log in")

_ABOUT_LOGIN = Phrase(
    "For servers that ask for OAuth instead of a key. Open the address that is shown in a browser on this computer;\n"
    "the login is kept among your private files in RESEARCH_HOME and renewed by itself."
)
_ABOUT_BATCH = Phrase(
    "The question names columns of the table in braces, as in “How did {company} do in {year}?”. In a folder, rows\n"
    "that have their results there already are not asked again.\nExit status: that of the worst run."
)
_TABLE = Phrase("a table in CSV or Excel, whose first row names its columns")
_OUT_BATCH = Phrase("a folder, which gets one for each row with the files of a run, or one workbook (FILE.xlsx)")
_AT_ONCE, _QUIET = Phrase("runs at once (default: 2)"), Phrase("show no progress")
_OUT_EXPERIMENT = Phrase("the folder to write (default: one below RESEARCH_HOME, which the page “Experiments” shows)")
_ABOUT_EXPERIMENT = Phrase(
    "DIR gets runs.jsonl and runs.csv (a row for each run), ways.csv and ways.md (a row for each way) and reports/.\n"
    "Runs that are in DIR already are not done again. Exit status: 0 all done, 3 some are left."
)
_ABOUT_SERVE = Phrase(
    "It has the runs, keys and settings of the workbench; /openapi.json describes it. On this computer it needs no\n"
    "token until there is one (`token add`); without any, it does not listen elsewhere. Ctrl-C ends it."
)
_ABOUT_MCP = Phrase(
    "Tools: run_research, get_report, search_library, verify_claims, export. Without --http a program starts this and\n"
    "speaks with it over stdin and stdout; with it, tokens and names of hosts are as for `serve`."
)
_HOST = Phrase("the address to listen at (default: 127.0.0.1, this computer alone)")
_ALLOW_HOST = Phrase("another name under which the server is reached; may be repeated")
_LIBRARIES = Phrase("a folder of documents that may be searched, under its own name; may be repeated")

_ANALYSTS = ("auto", "chat", "extractive")
_Say = Callable[[Phrase], str]


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise core.UsageError(f"{message} ({self.prog} --help)")


def parser(language: Language) -> argparse.ArgumentParser:
    """Return the parser, with its help in `language`; wrong arguments raise `UsageError`."""

    def say(text: Phrase) -> str:
        return text.in_(language).replace("%", "%%")

    top = _Parser(
        prog="python -m research", description=say(Phrase("Research a question; every claim can be checked."))
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: Phrase, *epilog: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=say(text),
            description=say(text),
            epilog="\n\n".join(epilog),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    heading = say(Phrase("Values:"))
    values = f"{heading}\n{_values(language)}"
    run = command("run", Phrase("research a question and write the report"), say(_ABOUT_RUN), values)
    _add_brief(run, say)
    _add_course(run, say, writes=False)
    run.add_argument("--estimate", action="store_true", help=say(_ESTIMATE))
    run.add_argument("--plan", action="store_true", help=say(_PLAN))
    side_by_side = Phrase("research a question in several ways, side by side")
    compare = command("compare", side_by_side, say(_ABOUT_COMPARE), values)
    _add_brief(compare, say)
    _add_course(compare, say)
    compare.add_argument("--methods", metavar="NAMES", help=say(Phrase("methods to compare, separated by commas")))
    compare.add_argument("--presets", metavar="NAMES", help=say(Phrase("presets to compare, separated by commas")))
    every_row = Phrase("research a question for every row of a table")
    _add_batch(command("batch", every_row, say(_ABOUT_BATCH), values), say)
    best = Phrase("ask questions in many ways and tell which way is best")
    _add_experiment(command("experiment", best, say(_ABOUT_EXPERIMENT)), say)
    _add_runs(command("runs", Phrase("list past runs, newest first")), say)
    _add_store(command("store", Phrase("move all runs to another database")), say)
    _add_worker(command("worker", Phrase("carry out runs that wait for a worker"), say(_ABOUT_WORKER)), say)
    _add_schedule(command("schedule", Phrase("ask a question again and again; workers carry it out")), say)
    models = command("models", Phrase("show who can serve chat models, or check what one can do"))
    asked = Phrase("the model to check, as in anthropic:claude-haiku-4-5; without one, all providers are listed")
    models.add_argument("model", nargs="?", metavar="MODEL", help=say(asked))
    serve = command("serve", Phrase("answer other programs over HTTP: research, reports, search"), say(_ABOUT_SERVE))
    _add_server(serve, say, 8600)
    mcp = command("mcp", Phrase("answer chat tools and editors by the Model Context Protocol"), say(_ABOUT_MCP))
    mcp.add_argument("--http", action="store_true", help=say(Phrase("over HTTP, at /mcp, instead of stdin and stdout")))
    _add_server(mcp, say, 8601)
    _add_token(command("token", Phrase("who may ask the service")), say)
    _add_login(command("login", Phrase("log in to a connected server in your browser"), say(_ABOUT_LOGIN)), say)
    resume = command("resume", Phrase("let a run that broke off go on"))
    resume.add_argument("run_id", metavar="RUN", help=say(_RUN))
    _add_course(resume, say)
    command("prepare", Phrase("make what the samples need, once for all homes"), say(_ABOUT_PREPARE))
    notes = command("notes", Phrase("show the research notes of a run (method noted)"))
    notes.add_argument("run_id", metavar="RUN", help=say(_RUN))
    notes.add_argument("--json", action="store_true", help=say(Phrase("as JSON")))
    delete = Phrase("delete the notes of the run, and nothing else of it")
    notes.add_argument("--delete", action="store_true", help=say(delete))
    _add_export(command("export", _HAND_ON, f"{heading}\n{_formats(language)}"), say)
    return top


def _action(actions: Any, name: str, said: str, **more: str) -> argparse.ArgumentParser:
    """Add what a command can be asked to do, described by what its help says of it."""
    parser: argparse.ArgumentParser = actions.add_parser(name, help=said, description=said, **more)
    return parser


def _add_login(parser: argparse.ArgumentParser, say: _Say) -> None:
    named = say(Phrase("the server, as mcp.json in RESEARCH_HOME names it"))
    parser.add_argument("server", metavar="NAME", help=named)
    parser.add_argument("--forget", action="store_true", help=say(Phrase("forget the login instead")))
    parser.add_argument("--account", default="", type=account_named, metavar="NAME", help=say(_ACCOUNT))


def _add_batch(parser: argparse.ArgumentParser, say: _Say) -> None:
    parser.add_argument("table", type=Path, metavar="TABLE", help=say(_TABLE))
    _add_brief(parser, say)
    _add_consent(parser, say)
    _add_models(parser, say)
    parser.add_argument("--out", type=Path, metavar="OUT", required=True, help=say(_OUT_BATCH))
    parser.add_argument("--at-once", type=_number, default=2, metavar="N", help=say(_AT_ONCE))
    parser.add_argument("--quiet", action="store_true", help=say(_QUIET))


def _add_export(parser: argparse.ArgumentParser, say: _Say) -> None:
    parser.add_argument("run", metavar="DIR", help=say(_RUN_OR_FOLDER))
    kind, paper = say(Phrase("the kind of file")), say(Phrase("size of printed pages (default: a4)"))
    parser.add_argument("--format", choices=tuple(FORMATS), required=True, metavar="FORMAT", help=kind)
    parser.add_argument("--paper", choices=[*map(str, Paper)], default=str(Paper.A4), help=paper)
    without = say(Phrase("leave out the appendix: how it was researched, with all queries"))
    parser.add_argument("--no-appendix", action="store_true", help=without)
    parser.add_argument("--out", type=Path, metavar="FILE", help=say(_OUT_FILE))


def _add_experiment(parser: argparse.ArgumentParser, say: _Say) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=say(Phrase("what is tried, in YAML or JSON")))
    parser.add_argument("--out", type=Path, metavar="DIR", help=say(_OUT_EXPERIMENT))
    parser.add_argument("--quiet", action="store_true", help=say(_QUIET))


def _add_runs(parser: argparse.ArgumentParser, say: _Say) -> None:
    parser.add_argument("--limit", type=int, default=20, metavar="N", help=say(Phrase("how many (default: 20)")))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    give_out = _action(actions, "export", say(Phrase("write a run, with all that it read, as one file")))
    give_out.add_argument("run_id", metavar="RUN", help=say(_RUN))
    give_out.add_argument("--out", type=Path, metavar="FILE", help=say(_RUN_FILE))
    take_in = _action(actions, "import", say(Phrase("take in a run from such a file")))
    take_in.add_argument("file", type=Path, metavar="FILE", help=say(_RUN_FILE))


def _add_store(parser: argparse.ArgumentParser, say: _Say) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    move = _action(actions, "move", say(_MOVE), epilog=say(_ABOUT_MOVE))
    move.add_argument("--to", required=True, metavar="ADDRESS", help=say(_TO))
    move.add_argument("--from", dest="source", metavar="ADDRESS", help=say(_FROM))
    move.add_argument("--merge", action="store_true", help=say(_MERGE))
    move.add_argument("--quiet", action="store_true", help=say(_QUIET))


def _add_worker(parser: argparse.ArgumentParser, say: _Say) -> None:
    per_account = Phrase("runs of one account at once, over all workers")
    parser.add_argument("--at-once", type=_number, default=2, metavar="N", help=say(_AT_ONCE))
    parser.add_argument("--per-account", type=_number, metavar="N", help=say(per_account))
    parser.add_argument("--until-idle", action="store_true", help=say(Phrase("end as soon as no run waits")))


def _add_server(parser: argparse.ArgumentParser, say: _Say, port: int) -> None:
    """Add where a server listens, whom it answers to, and the folders that may be searched by way of it."""
    parser.add_argument("--host", default="127.0.0.1", help=say(_HOST))
    where = say(Phrase("the port (default: {port})")).format(port=port)
    parser.add_argument("--port", type=_number, default=port, metavar="N", help=where)
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=say(_ALLOW_HOST))
    parser.add_argument("--library", action="append", default=[], type=Path, metavar="DIR", help=say(_LIBRARIES))


def _add_token(parser: argparse.ArgumentParser, say: _Say) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = _action(actions, "add", say(Phrase("make a token and print it, this once")))
    add.add_argument("--account", default="", type=account_named, metavar="NAME", help=say(_ACCOUNT))
    _action(actions, "list", say(Phrase("list tokens by their ids")))
    remove = _action(actions, "remove", say(Phrase("forget a token, which then opens nothing")))
    remove.add_argument("token_id", metavar="ID", help=say(Phrase("the token, as `token list` names it")))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is no whole number above 0")
    return int(text)


def _add_schedule(parser: argparse.ArgumentParser, say: _Say) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = _action(actions, "add", say(Phrase("keep a question and when it is asked")))
    add.add_argument("rhythm", metavar="WHEN", help=say(_RHYTHM))
    _add_brief(add, say)
    _add_consent(add, say)
    add.add_argument("--timezone", metavar="ZONE", help=say(_ZONE))
    add.add_argument("--tell", default="", metavar="ADDRESS", help=say(_TELL))
    listing = _action(actions, "list", say(Phrase("list schedules, the next one first")))
    pause = _action(actions, "pause", say(Phrase("let a schedule rest")))
    go_on = _action(actions, "go-on", say(Phrase("let a schedule that rests go on, from its next time")))
    remove = _action(actions, "remove", say(Phrase("forget a schedule; its runs stay")))
    for action in (pause, go_on, remove):
        action.add_argument("schedule_id", metavar="ID", help=say(Phrase("the schedule, as `schedule list` names it")))
    for action in (add, listing, pause, go_on, remove):
        action.add_argument("--account", default="", type=account_named, metavar="NAME", help=say(_ACCOUNT))


def _add_brief(parser: argparse.ArgumentParser, say: _Say) -> None:
    """Add what makes a brief, each under the name of the field that it fills."""
    question = say(Phrase("what to research; optional if --brief has it"))
    parser.add_argument("question", nargs="?", metavar="QUESTION", help=question)
    for name, text in _WORDS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar=name.upper(), help=say(text))
    for name, text in (*_DEPTHS.items(), ("summary_sentences", _SENTENCES)):
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="N", help=say(text))
    for name, text in _CAPS.items():
        flag = name.removesuffix("_usd").replace("_", "-")
        parser.add_argument(f"--{flag}", dest=name, type=float, metavar="N", help=say(text))
    for name, (flag, text) in _LISTS.items():
        parser.add_argument(f"--{flag}", dest=name, action="append", metavar="TEXT", help=say(text))
    parser.add_argument("--analyst", choices=_ANALYSTS, default="auto", help=say(_ANALYST))
    brief = say(Phrase("a brief as JSON; other flags override it"))
    parser.add_argument("--brief", type=Path, metavar="FILE.json", help=brief)


def _add_course(parser: argparse.ArgumentParser, say: _Say, *, writes: bool = True) -> None:
    """Add where results go, beside `_add_consent`. A run may write nothing unless `writes`."""
    _add_consent(parser, say)
    _add_models(parser, say)
    parser.add_argument("--out", type=Path, metavar="DIR", required=writes, help=say(Phrase("the folder to write")))
    parser.add_argument("--quiet", action="store_true", help=say(_QUIET))


def _add_models(parser: argparse.ArgumentParser, say: _Say) -> None:
    told = say(_MODEL).format(roles=", ".join(core.Role))
    parser.add_argument("--model", action="append", dest="run_models", default=[], metavar="[ROLE=]MODEL", help=told)


def _add_consent(parser: argparse.ArgumentParser, say: _Say) -> None:
    """Add where documents are, and what the user agrees to for a run.

    A brief cannot agree to anything, since briefs are passed on.
    """
    library = say(Phrase("a folder of documents to search as well"))
    parser.add_argument("--library", type=Path, metavar="DIR", help=library)
    parser.add_argument("--allow-tool", action="append", default=[], metavar="SERVER/TOOL", help=say(_ALLOW_TOOL))
    parser.add_argument("--share-own-words", action="store_true", help=say(_SHARE_OWN_WORDS))
    parser.add_argument("--embed-own-documents", action="store_true", help=say(_EMBED_OWN))


def with_models(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Return the settings with the models that the arguments name; one without a role is that of all other roles.

    Raises:
        UsageError: there is no such role, or no model is named.
    """
    chosen: dict[core.Role, str] = {}
    for named in sorted(getattr(arguments, "run_models", ()), key=lambda named: "=" in named):
        role, _, model = named.strip().rpartition("=")
        if not model or (role and role not in tuple(core.Role)):
            raise core.UsageError(_NO_ROLE.filled(named=named, roles=", ".join(core.Role)))
        chosen |= {core.Role(role): model} if role else dict.fromkeys(core.Role, model)
    return settings.with_models(chosen) if chosen else settings


def agreed(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Return the settings with what the arguments agree to.

    Raises:
        UsageError: what is to be allowed is no tool of a server.
    """
    tools = []
    for named in getattr(arguments, "allow_tool", ()):
        server, _, tool = named.partition("/")
        if not (server and tool):
            raise core.UsageError(_NO_TOOL.filled(named=named))
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
        for name, preset in core.PRESETS.items()
    ]
    lines.append("  --method")
    lines += [f"    {name.value:<14} {name.label.in_(language)}: {name.hint.in_(language)}" for name in core.MethodName]
    for flag, vocabulary in core.TERMS.items():
        lines.append(f"  --{flag}")
        lines += [f"    {term.value:<14} {term.label.in_(language)}" for term in vocabulary]
    lines += ["  --prefer-kind, --forbid-kind"]
    lines += [f"    {kind.value:<14} {kind.label.in_(language)}" for kind in core.SourceKind]
    lines += ["  --sources", *(f"    {one.name:<14} {one.label.in_(language)}" for one in providers())]
    return "\n".join([*lines, "  --language", *(f"    {name.value}" for name in Language)])


def _formats(language: Language) -> str:
    """Return all formats of export, one line each."""
    lines = [f"    {name:<14} {one.label.in_(language)}: {one.hint.in_(language)}" for name, one in FORMATS.items()]
    return "\n".join(["  --format", *lines, "  --paper", *(f"    {paper}" for paper in Paper)])


_UNREADABLE = Phrase("The brief {path} cannot be read: {reason}.")
_NO_FORMAT = Phrase("There is no format {name}; there are: {formats}.")
_NO_ROLE = Phrase("{named} names no model; write it as MODEL or ROLE=MODEL, where the roles are {roles}.")
_NO_TOOL = Phrase("{named} is no tool of a connected server; write it as SERVER/TOOL.")


def brief_of(arguments: argparse.Namespace, language: Language) -> core.Brief:
    """Return the brief: the file's, with what the arguments say in its place.

    Raises:
        UsageError: the file is no brief, or a value does not exist; the message names the field.
    """
    fields = _file(arguments.brief) if arguments.brief is not None else {}
    flags = {name: getattr(arguments, name, None) for name in core.Brief.model_fields}
    given = {name: value for name, value in flags.items() if value is not None}
    if "sources" in given:
        given["sources"] = [name.strip() for name in given["sources"].split(",") if name.strip()]
    fields |= given
    if not str(fields.get("question", "")).strip():
        raise core.UsageError(Phrase("There is no question: give one, or a --brief that has one."))
    try:
        brief = core.Brief.model_validate(fields)
    except ValidationError as error:
        raise core.UsageError(core.unusable(error.errors()[0], language)) from error
    names_of(brief.sources, language)
    if brief.file_format is not None and brief.file_format not in FORMATS:
        formats = ", ".join(FORMATS)
        raise core.UsageError(_NO_FORMAT.filled(name=brief.file_format, formats=formats))
    return brief


def _file(path: Path) -> dict[str, Any]:
    try:
        fields = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise core.UsageError(_UNREADABLE.filled(path=path, reason=reason)) from error
    if not isinstance(fields, dict):
        raise core.UsageError(Phrase("The brief {path} is no JSON object.").filled(path=path))
    return fields


_EXIT = {Status.COMPLETE: 0, Status.FAILED: 1, Status.PARTIAL: 3}
_EXIT_FAILED, _EXIT_USAGE, _EXIT_INTERRUPTED = 1, 2, 130

_SUMMARY = Phrase("{status} (sources: {sources}, quotes: {evidence}, {seconds:.1f} s): {report}")
_WAITS = Phrase("The run {run} waits for a worker (python -m research worker).")
_ERROR = Phrase("Error: {message}")
_UNEXPECTED = Phrase("Unexpected error: {message}")
_GRAVITY = (0, 3, 1)
"""Exit statuses of runs, the best first."""
_NOT_PREPARED = Phrase("Not prepared, and not needed either: {folder} cannot be written ({reason}).")


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> int:
    """Carry out one command and return the exit status: 0 complete, 3 partial, 1 failed, 2 wrong usage."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    language = language_of(given, environment)
    # What requests does without: it silences this itself, unless another thread holds the filters at that moment.
    warnings.filterwarnings("ignore", message="SOCKS support in urllib3")
    try:
        return _obey(given, environment, language)
    except UsageError as error:
        return _failed(_EXIT_USAGE, _ERROR, language, error.text.in_(language))
    except StoreError as error:
        return _failed(_EXIT_FAILED, _ERROR, language, f"{explain(error.code, language)} {error}")
    except ResearchError as error:
        return _failed(_EXIT_FAILED, _ERROR, language, str(error))
    except KeyboardInterrupt:
        return _failed(_EXIT_INTERRUPTED, Phrase("Interrupted."), language, "")
    except Exception as error:  # noqa: BLE001 - a user is told what happened in one line, not in a traceback
        return _failed(_EXIT_FAILED, _UNEXPECTED, language, f"{type(error).__name__}: {error}")


_NO_PAGES = Phrase("The workbench needs further packages: pip install 'research-workbench[workbench]'.")


def open_workbench() -> int:
    """Open the workbench, with the arguments that `streamlit run` takes; return the exit status."""
    if find_spec("streamlit") is None or find_spec("plotly") is None:
        language = language_of((), os.environ)
        return _failed(_EXIT_USAGE, _ERROR, language, _NO_PAGES.in_(language))
    here = Path(__file__).parent
    places = (here / "workbench" / "app.py", here.parent / "app.py")
    sys.argv = ["streamlit", "run", str(next(place for place in places if place.is_file())), *sys.argv[1:]]
    run_module("streamlit", run_name="__main__")
    return 0


def _obey(given: Sequence[str], environment: Mapping[str, str], language: Language) -> int:
    understood = parser(language)
    chosen = understood.parse_args(given)
    if chosen.command is None:
        understood.print_help()
        return 0
    if chosen.command == "prepare":
        return _prepare(environment, language)
    settings = Settings.from_environment(environment, account=getattr(chosen, "account", ""))
    settings = with_models(agreed(settings, chosen), chosen)
    if settings.run_models and getattr(chosen, "analyst", "") == "auto":
        chosen.analyst = "chat"  # who names a model is not served by rules in silence
    # Help is given before any of this is loaded.
    from research.store import logs_are_json, write_json
    from research.terminal import (
        answer_programs,
        export,
        login_command,
        models_command,
        notes_command,
        runs_command,
        schedule_command,
        store_command,
        token_command,
        work,
    )

    if logs_are_json(environment):
        write_json(lambda: secrets_of_all(environment))
    match chosen.command:
        case "worker":
            settings_of: Callable[[str], Settings] = lambda who: Settings.from_environment(environment, account=who)  # noqa: E731
            return work(chosen, settings, settings_of, as_json=logs_are_json(environment))
        case "serve" | "mcp":
            return answer_programs(chosen, environment, language)
        case "schedule":
            brief = brief_of(chosen, language) if chosen.action == "add" else None
            return schedule_command(chosen, settings, language, brief)
    acts: dict[str, Callable[[argparse.Namespace, Settings, Language], int]] = {
        "run": _run, "compare": _compare, "batch": _batch, "experiment": _experiment, "resume": _resume,
        "export": export, "login": login_command, "models": models_command,
        "notes": notes_command, "runs": runs_command, "store": store_command,
        "token": token_command,
    }  # fmt: skip
    return acts[chosen.command](chosen, settings, language)


def _prepare(environment: Mapping[str, str], language: Language) -> int:
    """Prepare the samples; where that cannot be written, every home still makes its own."""
    place = prepared_home(environment)
    try:
        prepare(place)
    except (OSError, StoreError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        sys.stderr.write(_NOT_PREPARED.in_(language).format(folder=place, reason=reason) + "\n")
    else:
        sys.stderr.write(Phrase("Prepared: {folder}").in_(language).format(folder=place) + "\n")
    return 0


def _run(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    from research.export.folder import OutFolder
    from research.store import Runner, RunStore
    from research.terminal import estimate_of, parts_in_words

    if chosen.out is None and not (chosen.estimate or chosen.plan):
        raise UsageError(Phrase("Name the folder to write the results to: --out DIR."))
    brief = brief_of(chosen, language)
    if chosen.plan or chosen.estimate:
        sys.stdout.write(parts_in_words(brief) if chosen.plan else estimate_of(brief, chosen, settings))
        return 0
    with OutFolder(chosen.out, brief.language) as folder, Runner(RunStore.of(settings), settings) as runner:
        runner.make_ready()
        run_id = runner.start(brief, library=chosen.library, analyst=chosen.analyst)
        return _follow(runner, run_id, brief, folder, quiet=chosen.quiet, waits=settings.uses_workers)


def _resume(chosen: argparse.Namespace, settings: Settings, _: Language) -> int:
    """Let a run that broke off go on, and write its results as those of any run."""
    from research.export.folder import OutFolder
    from research.store import Runner, RunStore

    store = RunStore.of(settings)
    brief = store.get(chosen.run_id).brief
    with OutFolder(chosen.out, brief.language) as folder, Runner(store, settings) as runner:
        runner.resume(chosen.run_id, library=chosen.library)
        return _follow(runner, chosen.run_id, brief, folder, quiet=chosen.quiet, waits=settings.uses_workers)


def _follow(runner: Runner, run_id: str, brief: Brief, folder: OutFolder, *, quiet: bool, waits: bool) -> int:
    """Show a run while it is under way, and write its results; return the exit status."""
    from research.terminal import Display, plain_console

    if waits and not quiet:
        sys.stderr.write(_WAITS.in_(brief.language).format(run=run_id) + "\n")
    with _interruptible(runner, run_id):
        with Display(plain_console(), brief.language, quiet=quiet) as display:
            for event in runner.follow(run_id):
                folder.add(event)
                display.show(event)
        report = runner.wait(run_id)
        folder.finish(report)
    said = _SUMMARY.in_(brief.language).format(
        status=report.status.label.in_(brief.language),
        sources=len(report.record.sources),
        evidence=len(report.record.evidence),
        seconds=report.record.seconds,
        report=folder.report,
    )
    sys.stderr.write(said + "\n")
    return _EXIT[report.status]


def _compare(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    from research.store import Runner, RunStore
    from research.terminal import compare

    with Runner(RunStore.of(settings), settings) as runner:
        comparison = compare(chosen, brief_of(chosen, language), runner)
    sys.stdout.write(comparison.to_markdown())
    return max((_EXIT[one.status] for one in comparison.outcomes), key=_GRAVITY.index)


def _batch(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    from research.batch import batch, outcome_in_words
    from research.store import Runner, RunStore

    brief = brief_of(chosen, language)
    with Runner(RunStore.of(settings), settings) as runner:
        rows = batch(chosen, brief, runner)
    sys.stderr.write(outcome_in_words(rows, chosen.out, brief.language) + "\n")
    return max((_EXIT[row.report.status] if row.report else _EXIT_FAILED for row in rows), key=_GRAVITY.index)


def _experiment(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    from research.experiments import KEPT, experiment
    from research.terminal import progress_line

    out = chosen.out or settings.home / KEPT / chosen.file.stem
    with progress_line(Phrase("Experiment").in_(language), quiet=chosen.quiet) as on_done:
        results = experiment(chosen.file, out, settings=settings, on_done=on_done, language=language)
    sys.stdout.write(results.to_markdown())
    return _EXIT[Status.PARTIAL if results.left else Status.COMPLETE]


@contextmanager
def _interruptible(runner: Runner, run_id: str) -> Iterator[None]:
    """Let the first Ctrl-C finish the run, the second stop it, and the third end the program."""

    def finish(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, stop)
        runner.finish_now(run_id)

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        runner.stop(run_id)

    before = signal.signal(signal.SIGINT, finish)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _failed(status: int, text: Bilingual, language: Language, message: str) -> int:
    sys.stderr.write(text.in_(language).format(message=" ".join(message.split())) + "\n")
    return status
