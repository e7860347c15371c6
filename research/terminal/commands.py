"""The commands beside `run`: compare, estimate, export, and what is stored."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, Literal, Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from research.core import AnyEvent, Brief, Phase, RunView, SourceName, StoreError, UsageError
from research.engine import Comparison, Estimate, Variant, estimate, models_of, rounded, sources_of, variants
from research.export.composing import title_of
from research.export.document import Paper
from research.export.folder import RUN_FILES, load_folder
from research.export.formats import FORMATS, file_name
from research.language import Bilingual, Language, Phrase
from research.results import Report, RunRecord
from research.settings import Settings, write_whole
from research.sources import DOCUMENTS, usd_a_search
from research.store import Runner, RunStore, past_runs
from research.terminal.display import shortened
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
    web = SourceName.WEB in sources
    with closing(RunStore(settings.home)) as store:
        past = past_runs(store, brief, "chat" if models else "extractive", web=web)
    fee = usd_a_search(brief, settings)
    found = estimate(brief, models, past, sources=len(sources), web=web, usd_a_search=fee)
    return "".join(f"{line}\n" for line in estimate_lines(found, brief.language))


def parts_in_words(brief: Brief) -> str:
    """Return the parts of a brief's question, a line each, then when and what is to be done."""
    asked, language = question_parts(brief.question), brief.language
    colon = Bilingual(": ", "：").in_(language)
    lines = [f"- {part}" for part in parts_of(brief.question)]
    when = Bilingual(", ", "、").in_(language).join((*asked.years, *asked.months))
    lines += [f"{_WHEN.in_(language)}{colon}{when}"] if when else []
    lines.append(f"{_TO_DO.in_(language)}{colon}{asked.operation.label.in_(language)}")
    return "".join(f"{line}\n" for line in lines)


def estimate_lines(found: Estimate, language: Language) -> list[str]:
    """Return an estimate in words."""

    def said(text: Bilingual, **values: str) -> str:
        return text.in_(language).format(**values)

    def from_to(low: str, high: str) -> str:
        return low if low == high else said(_FROM_TO, low=low, high=high)

    told = [said(_TIME, span=from_to(_time(found.seconds.low, language), _time(found.seconds.high, language)))]
    if found.is_free:
        return [*told, said(_FREE), found.basis.in_(language)]
    tokens = (f"{rounded(end):,}" for end in (found.tokens.low, found.tokens.high))
    told.append(said(_TOKENS, span=from_to(*tokens)))
    if found.cost_usd is None:
        told.append(said(_UNKNOWN, models=Bilingual(", ", "、").in_(language).join(found.unpriced)))
    else:
        ends = (_DOLLARS.in_(language).format(number=end) for end in (found.cost_usd.low, found.cost_usd.high))
        told.append(said(_COST, span=from_to(*ends)))
    return [*told, found.basis.in_(language)]


def _time(seconds: float, language: Language) -> str:
    if seconds < 90:
        return _SECONDS.in_(language).format(number=seconds)
    return _MINUTES.in_(language).format(number=seconds / 60)


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
    given = Path(chosen.run)
    is_stored = not given.is_dir() and _RUN_ID.fullmatch(chosen.run) is not None
    report = _stored(chosen.run, settings) if is_stored else load_folder(given, language, _is_stored_in(settings))
    file: Path = chosen.out or (_named(report, chosen.format) if is_stored else _beside(given, chosen.format))
    if not is_stored and file.name in RUN_FILES and file.parent.resolve() == given.resolve():
        raise UsageError(_KEPT.in_(language).format(file=file))
    data = FORMATS[chosen.format].make(report, Paper(chosen.paper))
    try:
        _write_export(file, data)
    except OSError as error:
        raise UsageError(_UNWRITABLE.in_(language).format(file=file, reason=error.strerror)) from error
    sys.stderr.write(_WRITTEN.in_(language).format(file=file) + "\n")
    return 0


def _is_stored_in(settings: Settings) -> Callable[[RunRecord], bool]:
    """Return what says whether a record is that of a run in the library, letter by letter."""
    from research.store.store import RunStore

    def is_stored(record: RunRecord) -> bool:
        with closing(RunStore(settings.home)) as store:
            try:
                return store.record(record.run) == record
            except UsageError:  # there is no such run
                return False

    return is_stored


def _stored(run_id: str, settings: Settings) -> Report:
    from research.store.recorder import load_report
    from research.store.store import RunStore

    with closing(RunStore(settings.home)) as store:
        return load_report(store, run_id)


def _named(report: Report, format_name: str) -> Path:
    title = title_of(report.markdown, report.record.brief.question)
    return Path(file_name(report.record.run, title, format_name))


def _beside(folder: Path, format_name: str) -> Path:
    """Return the file in the run's folder that holds the export: never one that the run itself wrote."""
    name = f"report.{FORMATS[format_name].suffix}"
    return folder / (f"report.wiki.{FORMATS[format_name].suffix}" if name in RUN_FILES else name)


def _write_export(file: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    if file.is_dir():
        raise IsADirectoryError(21, os.strerror(21))
    write_whole(file, data, 0o666 & ~_umask())


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
        self._events: IO[str] | None = None
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
        if not self._is_whole:
            return
        try:
            if self._events is None:
                self._events = _private(self._folder / "events.jsonl", "w")
            self._events.write(event.model_dump_json() + "\n")
            self._events.flush()
        except OSError:
            self._is_whole = False

    def finish(self, report: Report) -> None:
        """Write report, record and pages.

        Raises:
            StoreError: the folder cannot be written (any more).
        """
        with writing(self._folder, self._language):
            _write(self.report, report.markdown)
            _write(self._folder / "run.json", report.record.model_dump_json(indent=2) + "\n")
            for page in report.pages.values():
                # Bytes, because the name is their hash.
                with _private(self._folder / "pages" / f"{page.sha256}.txt", "wb") as file:
                    file.write(page.text.encode("utf-8", "surrogatepass"))
            if not self._is_whole:
                lines = "".join(event.model_dump_json() + "\n" for event in report.history)
                _write(self._folder / "events.jsonl", lines)


def _write(file: Path, text: str) -> None:
    with _private(file, "w") as opened:
        opened.write(text)


def _private(file: Path, mode: Literal["w", "wb"]) -> IO[Any]:
    """Open a file of a run to write it anew: for its owner alone, and not through a link that lies in its place."""

    def opener(path: str, flags: int) -> int:
        handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)  # one that an earlier run left may be open to others
        return handle

    if mode == "wb":
        return open(file, mode, opener=opener)
    return open(file, mode, opener=opener, encoding="utf-8", newline="\n")


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


def compare(chosen: argparse.Namespace, brief: Brief, runner: Runner, console: Console) -> Comparison:
    """Research the question in every way at the same time, and write each report and the comparison to the folder.

    Raises:
        UsageError: fewer than two ways remain, something that was asked for is not available, or the folder cannot be
            used.
        StoreError: the folder cannot be written (any more).
    """
    ways = variants(brief, _names(chosen.methods), _names(chosen.presets))
    folders = [OutFolder(chosen.out / f"{way.preset.value}-{way.method.value}", brief.language) for way in ways]
    runs = [runner.start(way.applied_to(brief), library=chosen.library, analyst=chosen.analyst) for way in ways]
    watched = _Watched(runner, brief.language, console, quiet=chosen.quiet)
    reports = watched.follow(ways, runs, folders)
    comparison = Comparison.of(reports)
    with writing(chosen.out, brief.language):
        (chosen.out / "comparison.md").write_text(comparison.to_markdown(), encoding="utf-8", newline="\n")
        (chosen.out / "comparison.json").write_text(comparison.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return comparison


class _Watched:
    """Several runs under way, each followed in a thread, because each blocks until something happens in it."""

    def __init__(self, runner: Runner, language: Language, console: Console, *, quiet: bool) -> None:
        self._runner = runner
        self._language = language
        self._progress = Progress(
            SpinnerColumn(finished_text="✓"),
            TextColumn("{task.description}"),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
            console=console,
            disable=quiet,
        )

    def follow(self, ways: Sequence[Variant], runs: Sequence[str], folders: Sequence[OutFolder]) -> list[Report]:
        """Show the runs until all have ended; return their reports. Interrupting it stops all of them."""
        with self._progress:
            threads = [
                threading.Thread(target=self._watch, args=(way.label(self._language), run, folder), daemon=True)
                for way, run, folder in zip(ways, runs, folders, strict=True)
            ]
            for thread in threads:
                thread.start()
            try:
                reports = [self._runner.wait(run) for run in runs]
            except BaseException:
                for run in runs:
                    self._runner.stop(run)
                raise
            for thread in threads:
                thread.join()
        for report, folder in zip(reports, folders, strict=True):
            with folder:
                folder.finish(report)
        return reports

    def _watch(self, label: str, run: str, folder: OutFolder) -> None:
        row = self._progress.add_task(label, total=1, state="")
        view = RunView()
        for event in self._runner.follow(run):
            folder.add(event)
            words = _WORDS.get(view.extend([event]).phase, _PROGRESS).in_(self._language)
            state = words.format(pages=len(view.pages), quotes=len(view.evidence))
            self._progress.update(row, state=state, completed=view.phase is Phase.ENDED)


_NO_RUNS = Phrase("There are no runs yet.")
_EXPORTED = Phrase("Written: {file}")
_IMPORTED = Phrase("Taken in as {run}")
_NO_FILE = Phrase("The file {file} cannot be read: {reason}.")
_DELETED = Phrase("Notes deleted: {count}.")
_NO_NOTES = Phrase("This run has no notes; the method noted takes them.")


def runs_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """List runs, write one as a file, or take one in from a file; return the exit status."""
    with closing(RunStore(settings.home)) as store:
        match chosen.action:
            case "export":
                _export(store, chosen.run_id, chosen.out, language)
            case "import":
                _import(store, chosen.file, language)
            case _:
                _list(store, chosen.limit, language)
    return 0


def _list(store: RunStore, limit: int, language: Language) -> None:
    rows = [
        f"{run.id}  {run.created_at.astimezone():%Y-%m-%d %H:%M}  {run.state.value:<11}  {shortened(run.name, 80)}"
        for run in store.list(limit)
    ]
    sys.stdout.write("\n".join(rows or [_NO_RUNS.in_(language)]) + "\n")


def _export(store: RunStore, run_id: str, out: Path | None, language: Language) -> None:
    from research.store.transfer import export_run, file_name

    data = export_run(store, run_id)
    file = out or Path(file_name(run_id))
    with writing(file, language):
        file.write_bytes(data)
    sys.stderr.write(_EXPORTED.in_(language).format(file=file) + "\n")


def _import(store: RunStore, file: Path, language: Language) -> None:
    from research.store.transfer import UnusableRunFile, import_run

    try:
        run_id = import_run(store, file)
    except UnusableRunFile as error:
        raise UsageError(error.text.in_(language)) from error
    except OSError as error:
        raise UsageError(_NO_FILE.in_(language).format(file=file, reason=error.strerror)) from error
    sys.stderr.write(_IMPORTED.in_(language).format(run=run_id) + "\n")


def notes_command(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Print the notes of a run, or delete them; return the exit status."""
    from research.export.notes import notes_json, notes_markdown
    from research.store.api import delete_notes, notes as notes_of
    from research.store.recorder import load_report

    with closing(RunStore(settings.home)) as store:
        if chosen.delete:
            deleted = delete_notes(store, chosen.run_id)
            sys.stderr.write(_DELETED.in_(language).format(count=deleted) + "\n")
            return 0
        found = notes_of(store, chosen.run_id)
        if not found:
            raise UsageError(_NO_NOTES.in_(language))
        record = load_report(store, chosen.run_id).record
    sys.stdout.write(notes_json(found, record) if chosen.json else notes_markdown(found, record))
    return 0
