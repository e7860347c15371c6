"""What the command line does and shows: a run as it goes on, and the commands beside `run`."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Self
from zoneinfo import ZoneInfo

from pydantic import SecretStr
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from research import core
from research.analysts.chat import chat_providers
from research.core import Brief, Phase, RunView, UsageError
from research.engine import Comparison, Estimate, Variant, rounded, variants
from research.export import FORMATS, file_name
from research.export.composing import title_of
from research.export.document import Paper
from research.export.folder import RUN_FILES, OutFolder, load_folder, writing
from research.export.markdown import notes_json, notes_markdown
from research.language import COLON, COMMA, Bilingual, Language, Phrase
from research.results import Report, RunRecord
from research.settings import Settings, account_named, write_whole
from research.sources import clean_title
from research.store import (
    Action,
    Runner,
    RunStore,
    RunSummary,
    Schedule,
    Task,
    Worker,
    add_schedule,
    delete_notes,
    estimate,
    export_run,
    file_name as run_file_name,
    import_run,
    load_report,
    local_zone,
    move_runs,
    move_summaries,
    notes,
    pause_schedule,
    remove_schedule,
    schedules,
    to_log,
    to_stderr,
    told_address,
    uses_models,
)
from research.text import parts_of, question_parts

_TOKENS = Phrase("Tokens: {span}")
_MINUTES = Phrase("{number:.0f} min")
_DOLLARS = Phrase("${number:.2f}")
_WHEN, _TO_DO = Phrase("Period", "that a question is about"), Phrase("To be done")


def estimate_of(brief: Brief, chosen: argparse.Namespace, settings: Settings) -> str:
    """Return what a run of `brief` with these arguments will take, a line each."""
    found = estimate(brief, library=chosen.library, analyst=chosen.analyst, settings=settings)
    return "".join(f"{line}\n" for line in estimate_lines(found, brief.language))


def parts_in_words(brief: Brief) -> str:
    """Return the parts of a brief's question, a line each, then when and what is to be done."""
    asked, language = question_parts(brief.question), brief.language
    colon = COLON.in_(language)
    lines = [f"- {part}" for part in parts_of(brief.question)]
    when = COMMA.in_(language).join((*asked.years, *asked.months))
    lines += [f"{_WHEN.in_(language)}{colon}{when}"] if when else []
    lines.append(f"{_TO_DO.in_(language)}{colon}{asked.operation.label.in_(language)}")
    return "".join(f"{line}\n" for line in lines)


def estimate_lines(found: Estimate, language: Language) -> list[str]:
    """Return an estimate in words."""

    def span(text: Bilingual, least: float, most: float, shown: Callable[[float], str]) -> str:
        low, high = shown(least), shown(most)
        both = low if low == high else Phrase("{low} to {high}").in_(language).format(low=low, high=high)
        return text.in_(language).format(span=both)

    def time(seconds: float) -> str:
        text, number = (Phrase("{number:.0f} s"), seconds) if seconds < 90 else (_MINUTES, seconds / 60)
        return text.in_(language).format(number=number)

    told = [span(Phrase("Time: {span}"), found.seconds.low, found.seconds.high, time)]
    if found.is_free:
        told.append(Phrase("Cost: free, no model is called.").in_(language))
    else:
        told.append(span(_TOKENS, found.tokens.low, found.tokens.high, lambda tokens: f"{rounded(tokens):,}"))
        if found.cost_usd is None:
            models = COMMA.in_(language).join(found.unpriced)
            told.append(Phrase("Cost: the price of {models} is not known.").in_(language).format(models=models))
        else:
            ends = found.cost_usd.low, found.cost_usd.high
            told.append(span(Phrase("Cost: {span}"), *ends, lambda usd: _DOLLARS.in_(language).format(number=usd)))
    return [*told, found.basis.in_(language)]


_RUN_ID = re.compile(r"[0-9]{8}-[0-9a-z]{6}")
_WRITTEN = Phrase("Written: {file}")
_KEPT = Phrase("{file} belongs to the run and is not overwritten; choose another name with --out.")
_UNWRITABLE = Phrase("{file} cannot be written: {reason}.")


def export(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Write the file that the arguments ask for, say where it is, and return 0; errors are told in `language`.

    Raises:
        UsageError: there is no such run, its folder is damaged, what the format needs is not installed, or the file
            cannot be written.
        StoreError: the run store cannot be read.
    """
    folder, wanted = Path(chosen.run), FORMATS[chosen.format]
    with closing(RunStore.of(settings)) as store:
        if not folder.is_dir() and _RUN_ID.fullmatch(chosen.run):
            report = load_report(store, chosen.run)
            title = title_of(report.markdown, report.record.brief.question)
            file: Path = chosen.out or Path(file_name(report.record.run, title, chosen.format))
        else:
            report = load_folder(folder, language, partial(_holds, store))
            name = f"report.{wanted.suffix}"
            file = chosen.out or folder / (f"report.wiki.{wanted.suffix}" if name in RUN_FILES else name)
            if file.name in RUN_FILES and file.parent.resolve() == folder.resolve():
                raise UsageError(_KEPT.filled(file=file))
    data = wanted.make(report, Paper(chosen.paper), with_trail=not chosen.no_appendix)
    try:
        write_whole(file, data, 0o666 & ~_umask())
    except OSError as error:
        raise UsageError(_UNWRITABLE.filled(file=file, reason=error.strerror)) from error
    sys.stderr.write(_WRITTEN.in_(language).format(file=file) + "\n")
    return 0


def _holds(store: RunStore, record: RunRecord) -> bool:
    """Whether a record is that of a run in the library, letter by letter."""
    try:
        return store.record(record.run) == record
    except UsageError:  # there is no such run
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


_WORDS = {
    Phase.WRITING: Phrase("writing the report"),
    Phase.ENDED: Phrase("done: pages {pages}, quotes {quotes}"),
}


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def compare(chosen: argparse.Namespace, brief: Brief, runner: Runner) -> Comparison:
    """Research the question in every way at the same time, and write each report and the comparison to the folder.

    Raises:
        UsageError: fewer than two ways remain, something that was asked for is not available, or the folder cannot be
            used.
        StoreError: the folder cannot be written (any more).
    """
    ways = variants(brief, _names(chosen.methods), _names(chosen.presets))
    folders = [OutFolder(chosen.out / f"{way.preset.value}-{way.method.value}", brief.language) for way in ways]
    runs = [runner.start(way.applied_to(brief), library=chosen.library, analyst=chosen.analyst) for way in ways]
    comparison = Comparison.of(_followed(runner, brief.language, ways, runs, folders, quiet=chosen.quiet))
    with writing(chosen.out, brief.language):
        (chosen.out / "comparison.md").write_text(comparison.to_markdown(), encoding="utf-8", newline="\n")
        (chosen.out / "comparison.json").write_text(comparison.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return comparison


_COLUMNS = (
    SpinnerColumn(finished_text="✓"),
    TextColumn("{task.description}"),
    TextColumn("{task.fields[state]}"),
    TimeElapsedColumn(),
)


def _followed(
    runner: Runner,
    language: Language,
    ways: Sequence[Variant],
    runs: Sequence[str],
    folders: Sequence[OutFolder],
    *,
    quiet: bool,
) -> list[Report]:
    """Show the runs until all have ended; return their reports. Interrupting it stops all of them.

    Each is followed in a thread, because that blocks until something happens in it.
    """

    def watch(way: Variant, run: str, folder: OutFolder) -> None:
        row, view = progress.add_task(way.label(language), total=1, state=""), RunView()
        for event in runner.follow(run):
            folder.add(event)
            words = _WORDS.get(view.extend([event]).phase, Phrase("pages {pages}, quotes {quotes}")).in_(language)
            state = words.format(pages=len(view.pages), quotes=len(view.evidence))
            progress.update(row, state=state, completed=view.phase is Phase.ENDED)

    with Progress(*_COLUMNS, console=plain_console(), disable=quiet) as progress:
        threads = [Thread(target=watch, args=one, daemon=True) for one in zip(ways, runs, folders, strict=True)]
        for thread in threads:
            thread.start()
        try:
            reports = [runner.wait(run) for run in runs]
        except BaseException:
            for run in runs:
                runner.stop(run)
            raise
        for thread in threads:
            thread.join()
    for report, folder in zip(reports, folders, strict=True):
        with folder:
            folder.finish(report)
    return reports


def runs_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """List runs, write one as a file, or take one in from a file; return the exit status."""
    with closing(RunStore.of(settings)) as store:
        match chosen.action:
            case "export":
                file = chosen.out or Path(run_file_name(chosen.run_id))
                data = export_run(store, chosen.run_id)
                with writing(file, language):
                    file.write_bytes(data)
                sys.stderr.write(_WRITTEN.in_(language).format(file=file) + "\n")
            case "import":
                run_id = import_run(store, chosen.file)
                sys.stderr.write(Phrase("Taken in as {run}").in_(language).format(run=run_id) + "\n")
            case _:
                rows = [_row(run) for run in store.list(chosen.limit)]
                _print(rows, Phrase("There are no runs yet."), language)
    return 0


def _print(rows: Sequence[str], none: Phrase, language: Language) -> None:
    sys.stdout.write("\n".join(rows or [none.in_(language)]) + "\n")


def _row(run: RunSummary) -> str:
    when = f"{run.created_at.astimezone():%Y-%m-%d %H:%M}"
    return f"{run.id}  {when}  {run.state.value:<11}  {shortened(run.name, 80)}"


_SQLITE = "sqlite"
_MOVED = Phrase(
    "Moved and compared: runs {runs}, events {events}, pages {pages}, schedules {schedules}, actions {actions}, "
    "summaries {summaries}; there already: runs {known}. What is in {source} stays as it was."
)


def store_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Copy all runs to another database; return the exit status."""
    source, target = (
        settings.database if named is None else SecretStr(named) if named != _SQLITE else None
        for named in (chosen.source, chosen.to)
    )
    if source == target:
        raise UsageError(Phrase("Runs are moved from one database to another; these two are the same."))
    with (
        closing(RunStore(settings.home, source)) as first,
        closing(RunStore(settings.home, target)) as second,
        Progress(
            *_COLUMNS, BarColumn(), MofNCompleteColumn(), console=plain_console(), disable=chosen.quiet
        ) as progress,
    ):
        row = progress.add_task(Phrase("moving runs").in_(language), state="")
        moved = move_runs(
            first, second, merge=chosen.merge, on_run=lambda done, of: progress.update(row, completed=done, total=of)
        )
        summaries = move_summaries(first, second, settings.home)
        said = _MOVED.in_(language).format(source=first.database.name, summaries=summaries, **vars(moved))
    sys.stderr.write(said + "\n")
    return 0


_RUNS_HERE = Phrase("runs on this computer with {models}")


_NO_SERVER = Phrase("mcp.json names no server {name}; it names: {names}.")
_LOG_IN = Phrase("Log in here: {address}")
_LOGGED_IN = Phrase("Logged in to {name}, which offers {count} tools.")
_LOGIN_FORGOTTEN = Phrase("The login to {name} is forgotten.")


def login_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Log in to a connected server in a browser, or forget that, and return 0; 1 if it did not succeed.

    Raises:
        UsageError: there is no such server, or nothing to log in to.
        StoreError: the login cannot be kept.
    """
    from research.settings import mcp_servers
    from research.sources.mcp_login import log_in, log_out

    servers = {one.name: one for one in mcp_servers(settings.servers_home)}
    if (server := servers.get(chosen.server)) is None:
        raise UsageError(_NO_SERVER.in_(language).format(name=chosen.server, names=", ".join(servers) or "–"))
    if chosen.forget:
        log_out(server, settings.home)
        sys.stderr.write(_LOGIN_FORGOTTEN.in_(language).format(name=server.name) + "\n")
        return 0

    def show(address: str) -> None:
        sys.stdout.write(_LOG_IN.in_(language).format(address=address) + "\n")
        sys.stdout.flush()

    try:
        count = asyncio.run(log_in(server, settings.home, show, language))
    except core.SourceError as error:
        sys.stderr.write(f"{core.explain(error.code, language)} {error.detail}\n")
        return 1
    sys.stderr.write(_LOGGED_IN.in_(language).format(name=server.name, count=count) + "\n")
    return 0


def models_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """List who can serve chat models and what each lacks, or check one model; 1 if it cannot be used."""
    from research.sources.model_checks import check_models, local_servers

    if chosen.model is not None:
        check = check_models(settings, chosen.model)
        told = [check.words(language)]
        if check.abilities is not None:
            told += [check.abilities.words(language), *check.abilities.warnings(language)]
        sys.stdout.write("".join(f"{line}\n" for line in told))
        return 0 if check.works else 1
    here = local_servers(settings)
    for one in chat_providers():
        values = settings.values_of(one)
        missing = one.lacking(values)
        if not one.is_installed:
            state = Phrase("pip install 'research-workbench[{extra}]'").in_(language).format(extra=one.extra)
        elif missing or not one.answers(values):
            named = [one.variable(field) for field in one.fields if field.name == "model"]
            state = Phrase("set {variables}").in_(language).format(variables=", ".join(missing or named))
        else:
            state = (Phrase("answers") if one is settings.model_server else Phrase("set up")).in_(language)
        if one.name in here:
            state += f"; {_RUNS_HERE.in_(language).format(models=', '.join(here[one.name]))}"
        sys.stdout.write(f"{one.name:14}{one.label.in_(language):18}{state}\n")
    return 0


def notes_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Print the notes of a run, or delete them; return the exit status."""
    with closing(RunStore.of(settings)) as store:
        if chosen.delete:
            deleted = delete_notes(store, chosen.run_id)
            sys.stderr.write(Phrase("Notes deleted: {count}.").in_(language).format(count=deleted) + "\n")
            return 0
        found = notes(store, chosen.run_id)
        if not found:
            raise UsageError(Phrase("This run has no notes; the method noted takes them."))
        record = load_report(store, chosen.run_id).record
    sys.stdout.write(notes_json(found, record) if chosen.json else notes_markdown(found, record))
    return 0


def work(
    chosen: argparse.Namespace, settings: Settings, settings_of: Callable[[str], Settings], *, as_json: bool
) -> int:
    """Carry out runs that wait, until there are none or a signal says to end; return the exit status.

    `settings_of` gives those of an account, asked anew for each of its runs.
    """
    with closing(RunStore.of(settings)) as store:
        worker = Worker(
            store,
            settings,
            at_once=chosen.at_once,
            per_account=chosen.per_account,
            settings_of=settings_of,
            say=to_log if as_json else to_stderr,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.end())
        worker.work(until_idle=chosen.until_idle)
    return 0


def schedule_command(chosen: argparse.Namespace, settings: Settings, language: Language, brief: Brief | None) -> int:
    """Keep `brief`, or list, pause or forget what is asked again and again; return the exit status."""
    with closing(RunStore.of(settings)) as common:
        store = common.of_account(chosen.account)
        match chosen.action:
            case "add" if brief is not None:
                made = add_schedule(
                    store,
                    chosen.rhythm,
                    brief,
                    Task.of(settings, chosen.library, tell=told_address(chosen.tell, settings)),
                    zone=chosen.timezone or local_zone(),
                    analyst="chat" if uses_models(brief, settings, chosen.analyst) else "extractive",
                )
                _say_due(made, language)
            case "pause" | "go-on":
                _say_due(pause_schedule(store, chosen.schedule_id, chosen.action == "pause"), language)
            case "remove":
                remove_schedule(store, chosen.schedule_id)
            case _:
                rows = [
                    f"{one.id}  {one.rhythm} {one.zone}  {_due(one, language)}  {shortened(one.brief.question, 80)}"
                    for one in schedules(store)
                ]
                _print(rows, Phrase("There are no schedules."), language)
    return 0


def _say_due(one: Schedule, language: Language) -> None:
    said = Phrase("Schedule {id}: next at {due}.") if one.due else Phrase("Schedule {id}: paused.")
    sys.stderr.write(said.in_(language).format(id=one.id, due=_due(one, language)) + "\n")


def _due(one: Schedule, language: Language) -> str:
    if one.due is None:
        return Phrase("paused").in_(language)
    return f"{one.due.astimezone(ZoneInfo(one.zone)):%Y-%m-%d %H:%M %Z}"


_NOT_INSTALLED = Phrase("This needs further packages: pip install 'research-workbench[{extra}]'.")
_SERVING = Phrase("Serving at {address}. Ctrl-C ends it.")


def answer_programs(chosen: argparse.Namespace, environment: Mapping[str, str], language: Language) -> int:
    """Answer other programs, over HTTP until a signal says to end or over stdin and stdout; return the exit status."""
    libraries, is_mcp = folders_of(chosen.library), chosen.command == "mcp"
    _check_package("mcp" if is_mcp else "fastapi", "mcp" if is_mcp else "service")
    if is_mcp and not chosen.http:
        from research.service.mcp import speak

        speak(environment, language, libraries, line_of)
        return 0
    address = f"http://{f'[{chosen.host}]' if ':' in chosen.host else chosen.host}:{chosen.port}"
    where = {
        "host": chosen.host,
        "port": chosen.port,
        "allowed": chosen.allow_host,
        "libraries": libraries,
        "on_ready": lambda: plain_console().print(_SERVING.in_(language).format(address=address + "/mcp" * is_mcp)),
    }
    if is_mcp:
        from research.service.mcp import serve as serve_tools

        serve_tools(environment, language, line_of, **where)
    else:
        from research.service.api import serve

        serve(environment, **where)
    return 0


def _check_package(module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise UsageError(_NOT_INSTALLED.filled(extra=extra))


def folders_of(named: Sequence[Path]) -> list[Path]:
    """Return folders as whole paths; `UsageError` if one is not there."""
    for folder in named:
        if not folder.is_dir():
            raise UsageError(Phrase("There is no folder {folder}.").filled(folder=folder))
    return [folder.resolve() for folder in named]


def token_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Make, list or forget tokens; return the exit status."""
    _check_package("starlette", "service")
    from research.service import add_token, kept_tokens, remove_token

    home = settings.common_home or settings.home
    match chosen.action:
        case "add":
            sys.stdout.write(add_token(home, chosen.account) + "\n")
            _note(settings, chosen.account, Action.ACCESS_GIVEN)
        case "remove":
            _note(settings, remove_token(home, chosen.token_id), Action.ACCESS_TAKEN)
        case _:
            rows = [
                f"{one.id}  {one.made_at:%Y-%m-%d}  {one.account}".rstrip() for one in kept_tokens.load(home).tokens
            ]
            _print(rows, Phrase("There are no tokens."), language)
    return 0


def _note(settings: Settings, account: str, action: Action) -> None:
    """Keep that a program may ask for an account, or no longer: for administrators to see."""
    if account := account_named(account):
        with closing(RunStore.of(settings)) as store:
            store.of_account(account).note(action)


_LONGEST = 160


def plain_console() -> Console:
    """Return the console of messages, in which text of others stands for nothing but itself."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


@contextmanager
def progress_line(name: str, *, quiet: bool) -> Iterator[Callable[..., object]]:
    """Show how far many runs are; what is yielded hears how many of how many are done, and a `name` of the last."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=plain_console(), disable=quiet) as progress:
        shown = progress.add_task(name, total=None)
        yield lambda done, of, name=name: progress.update(shown, completed=done, total=of, description=name)


_ANALYSTS = {
    "chat": Phrase("research by models"),
    "extractive": Phrase("research by rules, without any model"),
}
_Line = tuple[Bilingual, dict[str, str]]
"""A line, and what stands in it."""


def line_of(event: core.AnyEvent, language: Language) -> str | None:
    """Return what to show of an event, or None if it is not worth a line.

    Text of others is shown on one line, shortened, and without anything that a terminal would obey.
    """
    found = _of_method(event, language) or _of_course(event, language)
    if found is None:
        return None
    lane = getattr(event, "lane", "")
    said, parts = found
    parts["lane"] = Phrase("Supervisor").in_(language) if lane == core.SUPERVISOR else lane
    return said.in_(language).format(**{name: shortened(part) for name, part in parts.items()}).strip()


def _of_method(event: core.AnyEvent, language: Language) -> _Line | None:
    """Return what is said of the plan, of what was counted, and of why something ended."""
    found: _Line | None = None
    match event:
        case core.DepthChosen():
            said = Phrase("Depth: queries per section: {queries}, iterations: {iterations}. {reason}")
            counts = {"queries": str(event.depth.queries_per_section), "iterations": str(event.depth.iterations)}
            found = said, {**counts, "reason": event.depth.reason}
        case core.PlanSettled():
            found = Phrase("Plan: {text}"), {"text": " · ".join(section.title for section in event.outline.sections)}
        case core.Assessed():
            said = Phrase("{lane} Score after search {search}: {score}/10. Not covered: {missing}")
            missing = COMMA.in_(language).join(event.missing)
            counts = {"search": str(event.iteration), "score": str(event.score)}
            found = said, {**counts, "missing": missing or Phrase("nothing").in_(language)}
        case core.NoteTaken():
            note = {"step": str(event.step), "query": event.query, "text": event.summary}
            found = Phrase("Note {step} on “{query}”: {text}"), note
        case core.TopicFinished():
            reason = core.StopReason.words_of(event.reason).in_(language)
            said = Phrase("{lane} Done; quotes kept: {count}. {reason}")
            found = said, {"count": str(len(event.evidence)), "reason": reason}
        case core.ResearchFinished():
            reason = core.StopReason.words_of(event.reason).in_(language)
            found = Phrase("Research ended: {reason} {why}"), {"reason": reason, "why": event.why}
    return found


def _of_course(event: core.AnyEvent, language: Language) -> _Line | None:
    """Return what is said of the run's course: topics, searches, pages, thoughts, problems."""
    found: _Line | None = None
    match event:
        case core.RunStarted():
            analyst = _ANALYSTS[event.analyst].in_(language) if event.analyst in _ANALYSTS else event.analyst
            sources = COMMA.in_(language).join(source.label.in_(language) for source in event.sources)
            parts = {"run": event.run, "method": event.method.label.in_(language)}
            found = (
                Phrase("Run {run}: {analyst}, {method}, {sources}"),
                parts | {"analyst": analyst, "sources": sources},
            )
        case core.CollectionIndexed() if event.done == event.total:
            skipped = " ".join(core.explain(code, language, name) for name, code in event.skipped)
            parts = {"source": event.source.label.in_(language), "total": str(event.total), "skipped": skipped}
            found = Phrase("{source}: files read: {total}. {skipped}"), parts
        case core.TopicQueued():
            found = Phrase("{lane} Topic: {text}"), {"text": event.topic}
        case core.Reflected():
            found = Phrase("{lane} Reflection: {text}"), {"text": event.reflection}
        case core.SearchStarted():
            parts = {"text": event.query, "source": event.source.label.in_(language)}
            found = Phrase("{lane} Search in {source}: {text}"), parts
        case core.PageRead():
            facts = (event.title, event.site, event.published)
            found = Phrase("{lane} Read: {text}"), {"text": " · ".join(part for part in facts if part)}
        case core.PageSummarised(queries=asked) if asked:
            listed = " · ".join(core.query_in_words(one, language) for one in asked)
            found = Phrase("{lane} Asked of its tables: {text}"), {"text": listed}
        case core.ProblemOccurred():
            found = Phrase("Problem: {text}"), {"text": core.explain(event.code, language, event.subject)}
        case core.RunResumed():
            found = Phrase("The run goes on where it broke off"), {}
        case core.ReportStarted():
            found = Phrase("Writing the report"), {}
        case core.FinishRequested():
            found = Phrase("Finishing: the report is written from what there is"), {}
        case core.StopRequested():
            found = Phrase("Stopping", "as asked"), {}
    return found


def shortened(text: str, length: int = _LONGEST) -> str:
    """Return text on one line of at most `length` characters, without control characters."""
    plain = clean_title(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


class Display:
    """Shows the events of a run; a context manager, so that the terminal is left tidy."""

    def __init__(self, console: Console, language: Language, *, quiet: bool = False) -> None:
        self._console = console
        self._language = language
        self._quiet = quiet
        self._run = core.RunView()
        self._folding = threading.Lock()
        self._began = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal and not self._quiet:
            self._live = Live(get_renderable=self._picture, console=self._console, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, event: core.AnyEvent) -> None:
        """Show one event."""
        with self._folding:
            self._run.extend([event])
        line = None if self._quiet else line_of(event, self._language)
        if line is not None:
            self._console.print(Text(line), soft_wrap=self._live is None)

    def _picture(self) -> Group:
        with self._folding:  # Rich draws from a thread of its own.
            return Group(self._lanes(), Text(self._totals(), style="bold"))

    def _lanes(self) -> Table:
        table = Table.grid(padding=(0, 1), expand=True)
        for ratio in (0, 3, 4, 0):
            table.add_column(ratio=ratio or None, no_wrap=True, overflow="ellipsis")
        for lane in self._run.topics:
            found = f"{len(lane.readings)}/{len(lane.found)}"
            table.add_row(
                Text(lane.name), Text(shortened(lane.label)), Text(self._activity(lane)), Text(found, justify="right")
            )
        return table

    def _activity(self, lane: core.LaneView) -> str:
        """Return what a researcher did last, after the score that was counted last."""
        if lane.is_over:
            return Phrase("done").in_(self._language)
        if lane.state is core.LaneState.QUEUED:
            return Phrase("waiting").in_(self._language)
        score = f"{lane.assessed[-1].score}/10 · " if lane.assessed and lane.activity else ""
        return shortened(score + lane.activity)

    def _totals(self) -> str:
        run, spent = self._run, self._run.total
        parts = [Phrase("{seconds:.0f} s · searches: {searches} · pages: {pages} · quotes: {evidence}")]
        if run.cached:
            parts.append(Phrase(" · from the cache: {cached}"))
        if spent.tokens:
            parts.append(Phrase(" · tokens: {tokens:,}"))
            if run.spared_tokens or spent.cached_tokens:
                parts.append(Phrase(" (spared: {spared:,})"))
            parts.append(Phrase(" · price not known") if spent.unpriced else Phrase(" · {cost:.2f} USD"))
        if run.phase is core.Phase.WRITING:
            parts.append(Phrase(" · writing the report"))
        return "".join(part.in_(self._language) for part in parts).format(
            seconds=time.monotonic() - self._began,
            searches=len(run.queries),
            pages=len(run.pages),
            evidence=len(run.evidence),
            cached=run.cached,
            tokens=spent.tokens,
            spared=run.spared_tokens + spent.cached_tokens,
            cost=spent.cost_usd,
        )
