"""The arguments of the command line, and the brief that they make."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from research.brief import Brief
from research.errors import UsageError
from research.language import Bilingual, Language
from research.methods.limits import DEEPEST
from research.methods.names import MethodName
from research.presets import PRESETS
from research.vocabulary import (
    Audience,
    Length,
    OutputForm,
    Period,
    Region,
    Scope,
    SourceName,
    Summary,
    Tone,
    Vocabulary,
)

ANALYSTS = ("auto", "chat", "extractive")

_VOCABULARIES: dict[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": Period,
    "region": Region,
    "sources": SourceName,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
_DEPTHS = ("queries_per_section", "iterations")
_LISTS = {"exclude": "exclusions", "prefer_site": "preferred_sites", "forbid_site": "forbidden_sites"}
"""Flags that may be repeated, and the fields of the brief that they fill."""

_HELP = {
    "program": Bilingual(
        "Research a question; every claim can be checked.", "問いを調査し、根拠を確かめられるレポートを作ります。"
    ),
    "run": Bilingual("research a question and write the report", "問いを調査してレポートを書く"),
    "runs": Bilingual("list past runs, newest first", "これまでの実行を新しい順に表示する"),
    "limit": Bilingual("how many (default: 20)", "表示する件数（既定：20）"),
    "question": Bilingual("what to research; optional if --brief has it", "調査する問い（--brief にあれば省略可）"),
    "preset": Bilingual("how to go about it (default: quality)", "進め方（既定：quality）"),
    "method": Bilingual("how the research is organised (default: the preset's)", "調査方法（既定：プリセットによる）"),
    "queries_per_section": Bilingual(
        "for the outlined method: queries in one search of a section, 1 to 5 (default: the analyst decides)",
        "章立て型で、章ごとの1回の検索に使うクエリの数。1〜5（既定：分析役が決定）",
    ),
    "iterations": Bilingual(
        "for the outlined method: searches of each section at most, 1 to 5 (default: the analyst decides)",
        "章立て型で、章ごとの検索の最大回数。1〜5（既定：分析役が決定）",
    ),
    "scope": Bilingual("the lens", "観点"),
    "period": Bilingual("how far back information may date", "情報の新しさ"),
    "region": Bilingual("the part of the world", "地域"),
    "sources": Bilingual("where to look, separated by commas", "情報源（コンマ区切り）"),
    "audience": Bilingual("who will read the report", "読者"),
    "form": Bilingual("what the report is made of", "形式"),
    "length": Bilingual("how long it may be", "分量"),
    "summary": Bilingual("where the executive summary stands", "要旨の位置"),
    "tone": Bilingual("the manner of writing", "文体"),
    "language": Bilingual("language of the report and of messages", "レポートとメッセージの言語"),
    "exclude": Bilingual("what not to research; may be repeated", "調査しないこと（繰り返し可）"),
    "prefer_site": Bilingual("a domain to search first; may be repeated", "優先するドメイン（繰り返し可）"),
    "forbid_site": Bilingual("a domain never to read; may be repeated", "使わないドメイン（繰り返し可）"),
    "note": Bilingual("anything to add in your own words", "自由記述の補足"),
    "analyst": Bilingual(
        "who researches: models (chat), rules (extractive), or models if a key is set (auto)",
        "調査の担い手：モデル（chat）、規則（extractive）、キーがあればモデル（auto）",
    ),
    "library": Bilingual("a folder of documents to search as well", "あわせて検索する資料のフォルダー"),
    "brief": Bilingual("a brief as JSON; other flags override it", "ブリーフの JSON ファイル（ほかの指定が優先）"),
    "out": Bilingual("the folder to write", "出力先のフォルダー"),
    "quiet": Bilingual("show no progress", "進行状況を表示しない"),
    "more": Bilingual(
        "Writes report.md, run.json, events.jsonl and pages/ to DIR. Ctrl-C writes the report from what there is, "
        "a second Ctrl-C stops at once.\nExit status: 0 complete, 3 partial, 1 failed, 2 wrong usage.\n\nValues:",
        "DIR に report.md、run.json、events.jsonl、pages/ を書き出します。Ctrl-C でその時点の内容からレポートを書き、"
        "もう一度 Ctrl-C で直ちに停止します。\n終了コード：0 完了、3 一部のみ、1 失敗、2 使い方の誤り。\n\n選べる値：",
    ),
}
_UNREADABLE = Bilingual("The brief {path} cannot be read: {reason}.", "ブリーフ {path} を読めません：{reason}")
_NO_OBJECT = Bilingual("The brief {path} is no JSON object.", "ブリーフ {path} は JSON オブジェクトではありません。")
_NO_QUESTION = Bilingual(
    "There is no question: give one, or a --brief that has one.",
    "問いがありません。問いを書くか、問いを含む --brief を指定してください。",
)
_UNUSABLE = Bilingual("{field} is not usable: {reason}", "{field} の値を使えません：{reason}")
_ONE_OF = Bilingual("it must be one of {values}.", "{values} のいずれかを指定してください。")
_FROM_TO = Bilingual("it must be a whole number from 1 to {most}.", "1 から {most} までの整数を指定してください。")


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help)")


def parser(language: Language) -> argparse.ArgumentParser:
    """Return the parser, with its help in `language`; wrong arguments raise `UsageError`."""

    def say(name: str) -> str:
        return _HELP[name].in_(language).replace("%", "%%")

    top = _Parser(prog="python -m research", description=say("program"))
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    run = commands.add_parser(
        "run",
        help=say("run"),
        description=say("run"),
        epilog=f"{say('more')}\n{_values(language)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("question", nargs="?", metavar="QUESTION", help=say("question"))
    for name in ("preset", "method", *_VOCABULARIES, "language", "note"):
        run.add_argument(f"--{name}", metavar=name.upper(), help=say(name))
    for name in _DEPTHS:
        run.add_argument(f"--{name.replace('_', '-')}", metavar="N", help=say(name))
    for name in _LISTS:
        run.add_argument(f"--{name.replace('_', '-')}", action="append", metavar="TEXT", help=say(name))
    run.add_argument("--analyst", choices=ANALYSTS, default=ANALYSTS[0], help=say("analyst"))
    run.add_argument("--library", type=Path, metavar="DIR", help=say("library"))
    run.add_argument("--brief", type=Path, metavar="FILE.json", help=say("brief"))
    run.add_argument("--out", type=Path, metavar="DIR", required=True, help=say("out"))
    run.add_argument("--quiet", action="store_true", help=say("quiet"))
    runs = commands.add_parser("runs", help=say("runs"), description=say("runs"))
    runs.add_argument("--limit", type=int, default=20, metavar="N", help=say("limit"))
    return top


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> Language:
    """Return the language of messages before there is a brief: `--language`, else that of the terminal."""
    for flag, value in pairwise([*arguments, ""]):
        named = value if flag == "--language" else flag.removeprefix("--language=")
        if named in tuple(Language):
            return Language(named)
    terminal = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return Language.JA if terminal.startswith("ja") else Language.EN


def brief_of(arguments: argparse.Namespace, language: Language) -> Brief:
    """Return the brief: the file's, with what the arguments say in its place.

    Raises:
        UsageError: the file is no brief, or a value does not exist; the message names the field.
    """
    fields = _file(arguments.brief, language) if arguments.brief is not None else {}
    named = ("question", "preset", "method", "language", "note", *_VOCABULARIES, *_DEPTHS)
    given = {name: value for name in named if (value := getattr(arguments, name)) is not None}
    given |= {field: value for flag, field in _LISTS.items() if (value := getattr(arguments, flag)) is not None}
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
    elif field in _DEPTHS:
        reason = _FROM_TO.in_(language).format(most=DEEPEST)
    return _UNUSABLE.in_(language).format(field=field, reason=reason)


def _values(language: Language) -> str:
    """Return all values of all vocabularies, one line each."""
    lines = ["  --preset"]
    lines += [
        f"    {name.value:<14} {preset.label.in_(language)}: {preset.hint.in_(language)}"
        for name, preset in PRESETS.items()
    ]
    lines.append("  --method")
    lines += [f"    {name.value:<14} {name.label.in_(language)}: {name.hint.in_(language)}" for name in MethodName]
    for flag, vocabulary in _VOCABULARIES.items():
        lines.append(f"  --{flag}")
        lines += [f"    {term.value:<14} {term.label.in_(language)}" for term in vocabulary]
    return "\n".join([*lines, "  --language", *(f"    {name.value}" for name in Language)])
