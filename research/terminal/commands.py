"""The commands beside `run`: compare, estimate, export, and what is stored."""

from __future__ import annotations

import argparse
import errno
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import BinaryIO, Self
from zoneinfo import ZoneInfo

from pydantic import SecretStr
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from research.core import AnyEvent, Brief, Phase, RunView, StoreError, UsageError
from research.engine import Comparison, Estimate, Variant, estimate, models_of, rounded, sources_of, variants
from research.export.composing import title_of
from research.export.document import Paper
from research.export.folder import RUN_FILES, load_folder
from research.export.formats import FORMATS, file_name
from research.export.markdown import notes_json, notes_markdown
from research.language import COLON, COMMA, Bilingual, Language, Phrase
from research.results import Report, RunRecord
from research.settings import Settings, write_whole
from research.sources import DOCUMENTS, usd_a_search
from research.store import (
    CannotMove,
    Runner,
    RunStore,
    RunSummary,
    Schedule,
    Task,
    UnusableRunFile,
    Worker,
    add_schedule,
    delete_notes,
    export_run,
    file_name as run_file_name,
    import_run,
    load_report,
    local_zone,
    move_runs,
    notes,
    past_runs,
    remove_schedule,
    schedules,
    uses_models,
)
from research.terminal.arguments import brief_of
from research.terminal.display import plain_console, shortened
from research.text import parts_of, question_parts

_TIME = Phrase("Time: {span}")
_TOKENS = Phrase("Tokens: {span}")
_COST = Phrase("Cost: {span}")
_FREE = Phrase("Cost: free, no model is called.")
_UNKNOWN = Phrase("Cost: the price of {models} is not known.")
_SECONDS = Phrase("{number:.0f} s")
_MINUTES = Phrase("{number:.0f} min")
_DOLLARS = Phrase("${number:.2f}")
_WHEN, _TO_DO = Phrase("Time", "that a question is about"), Phrase("To be done")
_FROM_TO = Phrase("{low} to {high}")


def estimate_of(brief: Brief, chosen: argparse.Namespace, settings: Settings) -> str:
    """Return what a run of `brief` with these arguments will take, a line each."""
    models = {} if chosen.analyst == "extractive" else models_of(brief, settings)
    added = settings.home / DOCUMENTS
    has_documents = chosen.library is not None or (added.is_dir() and any(added.iterdir()))
    sources = sources_of(brief, settings, has_documents=has_documents)
    web = any(name.is_open for name in sources)
    with closing(RunStore.of(settings)) as store:
        past = past_runs(store, brief, "chat" if models else "extractive", web=web)
    fee = usd_a_search(brief, settings)
    found = estimate(brief, models, past, sources=len(sources), web=web, usd_a_search=fee)
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
        both = low if low == high else _FROM_TO.in_(language).format(low=low, high=high)
        return text.in_(language).format(span=both)

    def time(seconds: float) -> str:
        text, number = (_SECONDS, seconds) if seconds < 90 else (_MINUTES, seconds / 60)
        return text.in_(language).format(number=number)

    told = [span(_TIME, found.seconds.low, found.seconds.high, time)]
    if found.is_free:
        told.append(_FREE.in_(language))
    else:
        told.append(span(_TOKENS, found.tokens.low, found.tokens.high, lambda tokens: f"{rounded(tokens):,}"))
        if found.cost_usd is None:
            models = COMMA.in_(language).join(found.unpriced)
            told.append(_UNKNOWN.in_(language).format(models=models))
        else:
            ends = found.cost_usd.low, found.cost_usd.high
            told.append(span(_COST, *ends, lambda usd: _DOLLARS.in_(language).format(number=usd)))
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
                raise UsageError(_KEPT.in_(language).format(file=file))
    data = wanted.make(report, Paper(chosen.paper))
    try:
        write_whole(file, data, 0o666 & ~_umask())
    except OSError as error:
        raise UsageError(_UNWRITABLE.in_(language).format(file=file, reason=error.strerror)) from error
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


_UNUSABLE = Phrase("The folder {folder} cannot be written: {reason}.")


class OutFolder:
    """Writes `events.jsonl` while the run goes on, everything else at its end; a context manager."""

    def __init__(self, folder: Path, language: Language) -> None:
        """Make the folder; what an earlier run left there stays until this one begins.

        Raises:
            UsageError: it cannot be written.
        """
        self._folder = folder
        self._language = language
        self._events: BinaryIO | None = None
        self._is_whole = True
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / "pages").mkdir(mode=0o700, exist_ok=True)
            if (folder / "pages").is_symlink() or not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise UsageError(_said(folder, language, error)) from error

    @property
    def report(self) -> Path:
        """Where the report is written."""
        return self._folder / "report.md"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._events is not None:
            self._events.close()

    def add(self, event: AnyEvent) -> None:
        """Write one event. If that fails, the research goes on, and `finish` writes all events once more."""
        try:
            if self._events is None:
                self._events = _private(self._folder / "events.jsonl")
            self._events.write(_line(event).encode())
            self._events.flush()
        except OSError:
            self._is_whole = False

    def finish(self, report: Report) -> None:
        """Write report, record and pages.

        Raises:
            StoreError: the folder cannot be written (any more).
        """
        files = {"report.md": report.markdown, "run.json": report.record.model_dump_json(indent=2) + "\n"}
        files |= {f"pages/{page.sha256}.txt": page.text for page in report.pages.values()}
        if not self._is_whole:
            files["events.jsonl"] = "".join(map(_line, report.history))
        with writing(self._folder, self._language):
            for name, text in files.items():
                with _private(self._folder / name) as file:
                    file.write(text.encode("utf-8", "surrogatepass"))  # as it is, because pages are named by their hash


def _line(event: AnyEvent) -> str:
    return event.model_dump_json() + "\n"


def _private(file: Path) -> BinaryIO:
    """Open a file of a run to write it anew: for its owner alone, and not through a link that lies in its place."""

    def opener(path: str, flags: int) -> int:
        handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)  # one that an earlier run left may be open to others
        return handle

    return open(file, "wb", opener=opener)


@contextmanager
def writing(folder: Path, language: Language) -> Iterator[None]:
    """Turn what goes wrong while `folder` is written into a `StoreError` that says so."""
    try:
        yield
    except OSError as error:
        raise StoreError(_said(folder, language, error)) from error


def _said(folder: Path, language: Language, error: OSError) -> str:
    return _UNUSABLE.in_(language).format(folder=folder, reason=error.strerror)


_PROGRESS = Phrase("pages {pages}, quotes {quotes}")
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
            words = _WORDS.get(view.extend([event]).phase, _PROGRESS).in_(language)
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


_NO_RUNS = Phrase("There are no runs yet.")
_IMPORTED = Phrase("Taken in as {run}")
_DELETED = Phrase("Notes deleted: {count}.")
_NO_NOTES = Phrase("This run has no notes; the method noted takes them.")


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
                try:
                    run_id = import_run(store, chosen.file)
                except UnusableRunFile as error:
                    raise UsageError(error.text.in_(language)) from error
                sys.stderr.write(_IMPORTED.in_(language).format(run=run_id) + "\n")
            case _:
                rows = [_row(run) for run in store.list(chosen.limit)]
                sys.stdout.write("\n".join(rows or [_NO_RUNS.in_(language)]) + "\n")
    return 0


def _row(run: RunSummary) -> str:
    when = f"{run.created_at.astimezone():%Y-%m-%d %H:%M}"
    return f"{run.id}  {when}  {run.state.value:<11}  {shortened(run.name, 80)}"


_SQLITE = "sqlite"
_SAME = Phrase("Runs are moved from one database to another; these two are the same.")
_MOVING = Phrase("moving runs")
_MOVED = Phrase(
    "Moved and compared: runs {runs}, events {events}, pages {pages}; there already: runs {known}. What is in {source} "
    "stays as it was."
)


def store_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Copy all runs to another database; return the exit status."""
    source, target = (
        settings.database if named is None else SecretStr(named) if named != _SQLITE else None
        for named in (chosen.source, chosen.to)
    )
    if source == target:
        raise UsageError(_SAME.in_(language))
    with (
        closing(RunStore(settings.home, source)) as first,
        closing(RunStore(settings.home, target)) as second,
        Progress(
            *_COLUMNS, BarColumn(), MofNCompleteColumn(), console=plain_console(), disable=chosen.quiet
        ) as progress,
    ):
        row = progress.add_task(_MOVING.in_(language), state="")
        try:
            moved = move_runs(
                first,
                second,
                merge=chosen.merge,
                on_run=lambda done, of: progress.update(row, completed=done, total=of),
            )
        except CannotMove as error:
            raise UsageError(error.text.in_(language)) from error
        said = _MOVED.in_(language).format(source=first.database.name, **vars(moved))
    sys.stderr.write(said + "\n")
    return 0


def notes_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Print the notes of a run, or delete them; return the exit status."""
    with closing(RunStore.of(settings)) as store:
        if chosen.delete:
            deleted = delete_notes(store, chosen.run_id)
            sys.stderr.write(_DELETED.in_(language).format(count=deleted) + "\n")
            return 0
        found = notes(store, chosen.run_id)
        if not found:
            raise UsageError(_NO_NOTES.in_(language))
        record = load_report(store, chosen.run_id).record
    sys.stdout.write(notes_json(found, record) if chosen.json else notes_markdown(found, record))
    return 0


def work(chosen: argparse.Namespace, settings: Settings, settings_of: Callable[[str], Settings]) -> int:
    """Carry out runs that wait, until there are none or a signal says to end; return the exit status.

    `settings_of` gives those of an account, asked anew for each of its runs.
    """
    with closing(RunStore.of(settings)) as store:
        worker = Worker(
            store, settings, at_once=chosen.at_once, per_account=chosen.per_account, settings_of=settings_of
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.end())
        worker.work(until_idle=chosen.until_idle)
    return 0


_SCHEDULED = Phrase("Schedule {id}: next at {due}.")
_NO_SCHEDULES = Phrase("There are no schedules.")


def schedule_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Keep, list or forget what is asked again and again; return the exit status."""
    with closing(RunStore.of(settings)) as common:
        store = common.of_account(chosen.account)
        match chosen.action:
            case "add":
                brief = brief_of(chosen, language)
                made = add_schedule(
                    store,
                    chosen.rhythm,
                    brief,
                    Task.of(settings, chosen.library),
                    zone=chosen.timezone or local_zone(),
                    analyst="chat" if uses_models(brief, settings, chosen.analyst) else "extractive",
                )
                sys.stderr.write(_SCHEDULED.in_(language).format(id=made.id, due=_due(made)) + "\n")
            case "remove":
                remove_schedule(store, chosen.schedule_id, language)
            case _:
                rows = [
                    f"{one.id}  {one.rhythm} {one.zone}  {_due(one)}  {shortened(one.brief.question, 80)}"
                    for one in schedules(store)
                ]
                sys.stdout.write("\n".join(rows or [_NO_SCHEDULES.in_(language)]) + "\n")
    return 0


def _due(one: Schedule) -> str:
    return f"{one.due.astimezone(ZoneInfo(one.zone)):%Y-%m-%d %H:%M %Z}"
