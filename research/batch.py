"""A brief over a table of subjects: a run for each row, some at a time, and one workbook or a folder of results."""

from __future__ import annotations

import argparse
import re
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from research.core import Brief, Status, UsageError, explain, unusable
from research.documents import UnreadableFile, load, read_rows
from research.export.folder import OutFolder, load_folder, writing
from research.export.tables import BatchRow, batch_xlsx
from research.language import COMMA, Language, Phrase
from research.results import Report
from research.store import Runner
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
    try:
        rows = read_rows(file, load(file, file.stat().st_size))
    except OSError as error:
        raise UsageError(_UNREADABLE.in_(language).format(file=file, reason=error.strerror)) from error
    except UnreadableFile as error:
        raise UsageError(_UNREADABLE.in_(language).format(file=file, reason=explain(error.code, language))) from error
    except Exception as error:
        reason = explain("file_broken", language)
        raise UsageError(_UNREADABLE.in_(language).format(file=file, reason=reason)) from error
    if not rows:
        raise UsageError(_EMPTY.in_(language).format(file=file))
    if len(rows) > MOST:
        raise UsageError(_TOO_MANY.in_(language).format(file=file, count=len(rows), most=MOST))
    columns, named = list(rows[0]), _PLACE.findall(question)
    known = COMMA.in_(language).join(columns)
    if not named:
        raise UsageError(_NO_PLACE.in_(language).format(column=next(iter(columns), ""), columns=known))
    for name in named:
        if name not in columns:
            raise UsageError(_NO_COLUMN.in_(language).format(column=name, columns=known))
    return rows


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
    question = _PLACE.sub(lambda found: subject.get(found[1], ""), template.question)
    try:
        brief = Brief.model_validate(template.model_dump(exclude_defaults=True) | {"question": question})
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
        return BatchRow(subject, question, None, str(error))


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
