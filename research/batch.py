"""A brief over a table of subjects: a run for each row, some at a time, and one workbook or a folder of results.

Either whoever asks waits for all of them (`batch`), or they are entered for a worker to carry them out one after the
other, and what was asked is kept (`enter_batch`).
"""

from __future__ import annotations

import argparse
import re
import secrets
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from research.core import Brief, Frozen, Status, UsageError, explain, unusable
from research.documents import UnreadableFile, load, read_rows
from research.export.folder import OutFolder, load_folder, writing
from research.export.tables import BatchRow, batch_xlsx
from research.language import COMMA, Language, Phrase
from research.results import Report
from research.settings import Settings
from research.settings.files import UserFile
from research.store import Action, Runner, RunStore, RunSummary, Task, enter, load_report, uses_models
from research.terminal import progress_line, shortened

T = TypeVar("T")
MOST = 1_000
"""Subjects of one batch."""
_PLACE = re.compile(r"\{([^{}]*)\}")
_UNSAFE = re.compile(r"[^\w-]+")

_UNREADABLE = Phrase("The table {file} cannot be read: {reason}")
_EMPTY = Phrase("The table {file} has no rows below its first, which names the columns.")
_TOO_MANY = Phrase("The table {file} has {count} rows; a batch takes up to {most}.")
_NO_PLACE = Phrase("The question names no column, as in {{{column}}}. Columns: {columns}")
_NO_COLUMN = Phrase("The table has no column {{{column}}}. Columns: {columns}")
_DONE = Phrase("{done}: complete {complete}, partial {partial}, failed {failed}: {out}")


def subjects_of(file: Path, question: str, language: Language) -> list[dict[str, str]]:
    """Return the rows of a table, each by the names of its columns, of which the question names some in braces.

    Raises:
        UsageError: the table cannot be read, or has no such column; says so in `language`.
    """
    rows = rows_of_table(file, language)
    if lacks := unnamed_columns(question, rows, language):
        raise UsageError(lacks)
    return rows


def rows_of_table(file: Path, language: Language, *, called: str = "") -> list[dict[str, str]]:
    """Return the rows of a table, each by the names of its columns; `called` is what the file is called to the user.

    Raises:
        UsageError: it cannot be read, is empty, or has more than `MOST` rows; says so in `language`.
    """
    name = called or file
    try:
        rows = read_rows(file, load(file, file.stat().st_size))
    except OSError as error:
        raise UsageError(_UNREADABLE.in_(language).format(file=name, reason=error.strerror)) from error
    except UnreadableFile as error:
        raise UsageError(_UNREADABLE.in_(language).format(file=name, reason=explain(error.code, language))) from error
    except Exception as error:
        reason = explain("file_broken", language)
        raise UsageError(_UNREADABLE.in_(language).format(file=name, reason=reason)) from error
    if not rows:
        raise UsageError(_EMPTY.in_(language).format(file=name))
    if len(rows) > MOST:
        raise UsageError(_TOO_MANY.in_(language).format(file=name, count=len(rows), most=MOST))
    return rows


def unnamed_columns(question: str, rows: Sequence[Mapping[str, str]], language: Language) -> str:
    """Return why a question cannot be asked of rows: it names no column, or one that is not there; else nothing."""
    columns, named = list(rows[0]), _PLACE.findall(question)
    known = COMMA.in_(language).join(columns)
    if not named:
        return _NO_PLACE.in_(language).format(column=next(iter(columns), ""), columns=known)
    missing = next((name for name in named if name not in columns), None)
    return "" if missing is None else _NO_COLUMN.in_(language).format(column=missing, columns=known)


def batch(chosen: argparse.Namespace, brief: Brief, runner: Runner) -> list[BatchRow]:
    """Carry out a run for each row of the table, and write what became of it; interrupting it stops all of them.

    In a folder, rows that have their results there already are not asked again.

    Raises:
        UsageError: the table or the place of the results cannot be used.
        StoreError: the results cannot be written (any more).
    """
    language = brief.language
    subjects = subjects_of(chosen.table, brief.question, language)
    is_book = chosen.out.suffix.lower() == ".xlsx"
    under_way = UnderWay()
    carry_out = partial(_report, chosen, runner, under_way)
    found: dict[int, BatchRow] = {}
    with progress_line(Phrase("Batch").in_(language), quiet=chosen.quiet) as on_done:
        on_done(0, len(subjects))
        one = partial(_carried_out, chosen, brief, carry_out)
        jobs = [partial(one, number, subject) for number, subject in enumerate(subjects)]
        try:
            with closing(side_by_side(jobs, chosen.at_once, under_way)) as ended:
                for number, row in ended:
                    found[number] = row
                    on_done(len(found), len(subjects), shortened(row.question, 60))
        finally:
            rows = [found[number] for number in sorted(found)]
            if is_book and rows:
                with writing(chosen.out, language):
                    chosen.out.write_bytes(batch_xlsx(rows, language))
    return rows


class UnderWay:
    """Runs that have not ended; those that begin after all were stopped are stopped as well."""

    def __init__(self) -> None:
        self._runs: dict[str, Callable[[], object]] = {}
        self._is_stopped = False
        self._lock = threading.Lock()

    @contextmanager
    def holding(self, run_id: str, stop: Callable[[], object]) -> Iterator[None]:
        """Know the run, and what stops it, as long as this lasts."""
        with self._lock:
            self._runs[run_id] = stop
            if self._is_stopped:
                stop()
        try:
            yield
        finally:
            with self._lock:
                del self._runs[run_id]

    def stop(self) -> None:
        """Stop all."""
        with self._lock:
            self._is_stopped = True
            for stop in self._runs.values():
                stop()


def side_by_side(jobs: Sequence[Callable[[], T]], at_once: int, under_way: UnderWay) -> Generator[tuple[int, T]]:
    """Yield what jobs came to, with their numbers, as they end; closing it stops all that is under way."""
    with ThreadPoolExecutor(at_once, thread_name_prefix="batch") as threads:
        waiting = {threads.submit(job): number for number, job in enumerate(jobs)}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            under_way.stop()
            raise


def _carried_out(
    chosen: argparse.Namespace,
    template: Brief,
    carry_out: Callable[[Brief, OutFolder | None], Report],
    number: int,
    subject: Mapping[str, str],
) -> BatchRow:
    """Carry out the run of one row, and write its folder if there is to be one."""
    question = filled(template.question, subject)
    try:
        brief = _brief(template, question)
        if chosen.out.suffix.lower() == ".xlsx":
            return BatchRow(subject, question, carry_out(brief, None))
        name = _UNSAFE.sub("-", next(iter(subject.values()), ""))[:40].strip("-")
        place = chosen.out / f"{number + 1:03d}-{name}".rstrip("-")
        if (place / "run.json").is_file():
            return BatchRow(subject, question, load_folder(place, brief.language))
        with OutFolder(place, brief.language) as folder:
            return BatchRow(subject, question, carry_out(brief, folder))
    except ValidationError as error:
        return BatchRow(subject, question, None, unusable(error.errors()[0], template.language))
    except UsageError as error:
        return BatchRow(subject, question, None, error.text.in_(template.language))


def filled(question: str, subject: Mapping[str, str]) -> str:
    """Return a question with what a row holds in place of the columns that it names in braces."""
    return _PLACE.sub(lambda found: subject.get(found[1], ""), question)


def _brief(template: Brief, question: str) -> Brief:
    return Brief.model_validate(template.model_dump(exclude_defaults=True) | {"question": question})


def _report(
    chosen: argparse.Namespace, runner: Runner, under_way: UnderWay, brief: Brief, folder: OutFolder | None
) -> Report:
    run_id = runner.start(brief, library=chosen.library, analyst=chosen.analyst)
    with under_way.holding(run_id, partial(runner.stop, run_id)):
        for event in runner.follow(run_id):
            if folder is not None:
                folder.add(event)
        report = runner.wait(run_id)
    if folder is not None:
        folder.finish(report)
    return report


def outcome_in_words(rows: Sequence[BatchRow], out: Path, language: Language) -> str:
    """Return how a batch ended, on a line."""
    states = [row.report.status if row.report is not None else Status.FAILED for row in rows]
    counted = {state.value: states.count(state) for state in Status}
    return _DONE.in_(language).format(done=len(rows), out=out, **counted)


# --- kept, and carried out by a worker -------------------------------------------------------------------------------


class Entry(Frozen):
    """A row of a batch, and the run that was entered for it."""

    subject: dict[str, str]
    question: str
    run: str = ""
    problem: str = ""
    """Why there is no run."""


class Batch(Frozen):
    """What was asked of every row of a table."""

    id: str
    name: str
    """Of the table's file."""
    question: str
    """With the names of columns in braces."""
    created_at: datetime
    entries: tuple[Entry, ...]


class Batches(Frozen):
    """The batches of an account, the latest first."""

    kept: tuple[Batch, ...] = ()


BATCHES = UserFile("batches.json", Batches)
_MOST_KEPT = 50


def enter_batch(
    store: RunStore,
    settings: Settings,
    name: str,
    template: Brief,
    subjects: Sequence[Mapping[str, str]],
    *,
    library: Path | None = None,
) -> Batch:
    """Enter a waiting run for each row, and keep which are whose; the oldest batches beyond fifty are forgotten.

    Raises:
        UsageError: the analyst needs what is not there.
        StoreError: runs cannot be entered, or the batch cannot be kept.
    """
    task, entries = Task.of(settings, library), list[Entry]()
    analyst = "chat" if uses_models(template, settings, "auto") else "extractive"
    for subject in subjects:
        question = filled(template.question, subject)
        try:
            run = enter(store, _brief(template, question), analyst, task)
            entries.append(Entry(subject=dict(subject), question=question, run=run))
        except ValidationError as error:
            problem = unusable(error.errors()[0], template.language)
            entries.append(Entry(subject=dict(subject), question=question, problem=problem))
    one = Batch(
        id=secrets.token_hex(4),
        name=name,
        question=template.question,
        created_at=store.now(),
        entries=tuple(entries),
    )
    BATCHES.change(settings.home, lambda held: Batches(kept=(one, *held.kept)[:_MOST_KEPT]))
    return one


def forget_batch(settings: Settings, batch_id: str) -> None:
    """Forget a batch; its runs stay.

    Raises:
        StoreError: it cannot be written.
    """
    BATCHES.change(settings.home, lambda held: Batches(kept=tuple(one for one in held.kept if one.id != batch_id)))


def runs_of_batch(store: RunStore, one: Batch) -> dict[str, RunSummary]:
    """Return the runs of a batch that are still there, by their ids."""
    wanted = [entry.run for entry in one.entries if entry.run]
    return {run.id: run for run in store.chosen(",".join("?" * len(wanted)), wanted)} if wanted else {}


def batch_book(store: RunStore, one: Batch, language: Language) -> bytes:
    """Return the workbook of what has ended of a batch."""
    runs, rows = runs_of_batch(store, one), list[BatchRow]()
    for entry in one.entries:
        run = runs.get(entry.run)
        report = load_report(store, run.id) if run is not None and not run.state.is_open else None
        rows.append(BatchRow(entry.subject, entry.question, report, entry.problem))
    store.note(Action.EXPORTED)
    return batch_xlsx(rows, language)


def stop_batch(store: RunStore, runner: Runner, one: Batch) -> None:
    """Stop what is under way of a batch, and let nothing begin that waits."""
    for run in sorted(runs_of_batch(store, one).values(), key=lambda run: run.state.value, reverse=True):
        if run.state.is_open:
            with suppress(UsageError):
                runner.stop(run.id)
