"""Arguments of the command line and their help in both languages."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from research.core.brief import DEAREST, LONGEST_MINUTES, Brief
from research.core.errors import UsageError
from research.core.presets import DEEPEST, PRESETS, MethodName
from research.core.vocabulary import (
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
from research.export.document import Paper
from research.export.formats import FORMATS
from research.language import Bilingual, Language

HELP = {
    "program": Bilingual(
        "Research a question; every claim can be checked.", "問いを調査し、根拠を確かめられるレポートを作ります。"
    ),
    "run": Bilingual("research a question and write the report", "問いを調査してレポートを書く"),
    "compare": Bilingual("research a question in several ways, side by side", "一つの問いを複数の進め方で調べて比べる"),
    "methods": Bilingual("methods to compare, separated by commas", "比べる調査方法（コンマ区切り）"),
    "presets": Bilingual("presets to compare, separated by commas", "比べるプリセット（コンマ区切り）"),
    "more_compare": Bilingual(
        "Every combination runs at the same time. DIR gets a folder for each with the files of a run, and "
        "comparison.md and comparison.json.\nExit status: that of the worst run.",
        "すべての組み合わせを同時に実行します。DIR には、実行ごとのフォルダーと comparison.md、"
        "comparison.json を書き出します。"
        "\n終了コードは最も悪い実行のものです。",
    ),
    "resume": Bilingual("let a run that broke off go on", "中断した実行を続きから再開する"),
    "notes": Bilingual("show the research notes of a run (method noted)", "実行の調査ノートを表示する（ノート型）"),
    "export_run": Bilingual(
        "write a run, with all that it read, as one file", "実行を、読んだページも含めて一つのファイルに書き出す"
    ),
    "import_run": Bilingual("take in a run from such a file", "書き出したファイルから実行を取り込む"),
    "run_file": Bilingual("the file of the run", "実行のファイル"),
    "run_id": Bilingual("the run, as `runs` lists it", "実行の ID（runs の一覧に表示）"),
    "json": Bilingual("as JSON", "JSON で出力する"),
    "delete": Bilingual("delete the notes of the run, and nothing else of it", "その実行のノートだけを削除する"),
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
    "max_cost": Bilingual(
        "the most that the models may cost in US dollars; the report is then written from what there is",
        "モデルの費用の上限（米ドル）。達するとその時点の内容でレポートを書きます",
    ),
    "max_minutes": Bilingual(
        "the most minutes that the run may take, the writing included", "所要時間の上限（分、執筆を含む）"
    ),
    "estimate": Bilingual(
        "print what the run will take (time, tokens, money) and run nothing",
        "所要時間・トークン・費用の見積もりを表示し、実行はしない",
    ),
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
        "a second Ctrl-C stops at once.\nExit status: 0 complete, 3 partial, 1 failed, 2 wrong usage.",
        "DIR に report.md、run.json、events.jsonl、pages/ を書き出します。Ctrl-C でその時点の内容からレポートを書き、"
        "もう一度 Ctrl-C で直ちに停止します。\n終了コード：0 完了、3 一部のみ、1 失敗、2 使い方の誤り。",
    ),
    "export": Bilingual("write the report of a run as a file to hand on", "実行のレポートを配布用のファイルに書き出す"),
    "run_or_folder": Bilingual(
        "the folder that `run --out` wrote, or a run as `runs` lists it",
        "run --out で書き出したフォルダー、または実行の ID（runs の一覧に表示）",
    ),
    "format": Bilingual("the kind of file", "ファイルの形式"),
    "paper": Bilingual("size of printed pages (default: a4)", "用紙サイズ（既定：a4）"),
    "out_file": Bilingual(
        "the file to write (default: report.SUFFIX in DIR)", "出力するファイル（既定：DIR の report.拡張子）"
    ),
    "values": Bilingual("Values:", "選べる値："),
}

VOCABULARIES: dict[str, type[Vocabulary]] = {
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


_UNREADABLE = Bilingual("The brief {path} cannot be read: {reason}.", "ブリーフ {path} を読めません：{reason}")
_NO_OBJECT = Bilingual("The brief {path} is no JSON object.", "ブリーフ {path} は JSON オブジェクトではありません。")
_NO_QUESTION = Bilingual(
    "There is no question: give one, or a --brief that has one.",
    "問いがありません。問いを書くか、問いを含む --brief を指定してください。",
)
_UNUSABLE = Bilingual("{field} is not usable: {reason}", "{field} の値を使えません：{reason}")
_ONE_OF = Bilingual("it must be one of {values}.", "{values} のいずれかを指定してください。")
_MOST = {"max_cost_usd": DEAREST, "max_minutes": LONGEST_MINUTES}
_ABOVE_ZERO = Bilingual("it must be a number above 0, up to {most}.", "0より大きく{most}以下の数を指定してください。")
_FROM_TO = Bilingual("it must be a whole number from 1 to {most}.", "1から{most}までの整数を指定してください。")


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
