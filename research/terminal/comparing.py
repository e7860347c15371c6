"""`python -m research compare`: one question in several ways, with a table of what each came to."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from research.brief import Brief
from research.comparison import Comparison
from research.events import EvidenceFound, PageRead, ReportStarted, RunFinished
from research.language import Bilingual, Language
from research.report import Report
from research.runs.runner import Runner
from research.terminal.outfolder import OutFolder, writing
from research.variants import Variant, variants

_PROGRESS = Bilingual("pages {pages}, quotes {quotes}", "ページ {pages}件、引用 {quotes}件")
_WRITING = Bilingual("writing the report", "レポートを執筆中")
_DONE = Bilingual("done: pages {pages}, quotes {quotes}", "終了：ページ {pages}件、引用 {quotes}件")


def ways_of(chosen: argparse.Namespace, brief: Brief) -> tuple[Variant, ...]:
    """Return the ways that the arguments name.

    Raises:
        UsageError: a name does not exist, or fewer than two ways remain.
    """
    return variants(brief, _names(chosen.methods), _names(chosen.presets))


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def compare(chosen: argparse.Namespace, brief: Brief, runner: Runner, console: Console) -> Comparison:
    """Research the question in every way at the same time, and write each report and the comparison to the folder.

    Raises:
        UsageError: something that was asked for is not available, or the folder cannot be used.
        StoreError: the folder cannot be written (any more).
    """
    ways = ways_of(chosen, brief)
    folders = [OutFolder(chosen.out / f"{way.preset.value}-{way.method.value}", brief.language) for way in ways]
    runs = [runner.start(way.applied_to(brief), library=chosen.library, analyst=chosen.analyst) for way in ways]
    watched = _Watched(runner, brief.language, console, quiet=chosen.quiet)
    reports = watched.follow(ways, runs, folders)
    comparison = Comparison.of(reports)
    _write(comparison, chosen.out, brief.language)
    return comparison


def _write(comparison: Comparison, folder: Path, language: Language) -> None:
    with writing(folder, language):
        (folder / "comparison.md").write_text(comparison.to_markdown(), encoding="utf-8", newline="\n")
        (folder / "comparison.json").write_text(comparison.model_dump_json(indent=2) + "\n", encoding="utf-8")


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
        pages: set[str] = set()
        quotes, words = 0, _PROGRESS
        for event in self._runner.follow(run):
            folder.add(event)
            match event:
                case PageRead():
                    pages.add(event.page)
                case EvidenceFound():
                    quotes += 1
                case ReportStarted():
                    words = _WRITING
                case RunFinished():
                    words = _DONE
            state = words.in_(self._language).format(pages=len(pages), quotes=quotes)
            self._progress.update(row, state=state, completed=isinstance(event, RunFinished))
