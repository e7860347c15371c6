"""The commands and their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from research.errors import UsageError
from research.export.formats import FORMATS
from research.export.paper import Paper
from research.language import Language
from research.methods.names import MethodName
from research.presets import PRESETS
from research.terminal.help_texts import HELP
from research.terminal.vocabularies import CAPS, DEPTHS, LISTS, VOCABULARIES

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

    def command(name: str, epilog: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=say(name),
            description=say(name),
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    values = _values(language)
    run = command("run", f"{say('more')}\n\n{say('values')}\n{values}")
    _add_brief(run, say, writes=False)
    run.add_argument("--estimate", action="store_true", help=say("estimate"))
    compare = command("compare", f"{say('more_compare')}\n\n{say('values')}\n{values}")
    _add_brief(compare, say)
    for name in ("methods", "presets"):
        compare.add_argument(f"--{name}", metavar="NAMES", help=say(name))
    runs = command("runs")
    runs.add_argument("--limit", type=int, default=20, metavar="N", help=say("limit"))
    actions = runs.add_subparsers(dest="action", metavar="ACTION")
    export = actions.add_parser("export", help=say("export_run"), description=say("export_run"))
    export.add_argument("run_id", metavar="RUN", help=say("run_id"))
    export.add_argument("--out", type=Path, metavar="FILE", help=say("run_file"))
    take_in = actions.add_parser("import", help=say("import_run"), description=say("import_run"))
    take_in.add_argument("file", type=Path, metavar="FILE", help=say("run_file"))
    resume = command("resume")
    resume.add_argument("run_id", metavar="RUN", help=say("run_id"))
    resume.add_argument("--library", type=Path, metavar="DIR", help=say("library"))
    resume.add_argument("--out", type=Path, metavar="DIR", required=True, help=say("out"))
    resume.add_argument("--quiet", action="store_true", help=say("quiet"))
    notes = command("notes")
    notes.add_argument("run_id", metavar="RUN", help=say("run_id"))
    notes.add_argument("--json", action="store_true", help=say("json"))
    notes.add_argument("--delete", action="store_true", help=say("delete"))
    _add_export(command("export", f"{say('values')}\n{_formats(language)}"), say)
    return top


def _add_brief(parser: argparse.ArgumentParser, say: Callable[[str], str], *, writes: bool = True) -> None:
    """Add what makes a brief, where its sources are, and where the results go; it may write nothing unless `writes`."""
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
    parser.add_argument("--library", type=Path, metavar="DIR", help=say("library"))
    parser.add_argument("--brief", type=Path, metavar="FILE.json", help=say("brief"))
    parser.add_argument("--out", type=Path, metavar="DIR", required=writes, help=say("out"))
    parser.add_argument("--quiet", action="store_true", help=say("quiet"))


def _add_export(parser: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    """Add what is exported, and as what."""
    parser.add_argument("run", metavar="DIR", help=say("run_or_folder"))
    parser.add_argument("--format", choices=tuple(FORMATS), required=True, metavar="FORMAT", help=say("format"))
    parser.add_argument("--paper", choices=[*map(str, Paper)], default=str(Paper.A4), help=say("paper"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=say("out_file"))


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
