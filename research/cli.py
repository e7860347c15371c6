"""The command line: `python -m research run "QUESTION" --out DIR`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from research.core import Brief, ResearchError, Status, StoreError, UsageError, explain
from research.language import Bilingual, Language, Phrase
from research.settings import Settings
from research.terminal import agreed, brief_of, language_of, parser

if TYPE_CHECKING:
    from research.store import Runner
    from research.terminal.commands import OutFolder


_EXIT = {Status.COMPLETE: 0, Status.FAILED: 1, Status.PARTIAL: 3}
_EXIT_FAILED, _EXIT_USAGE, _EXIT_INTERRUPTED = 1, 2, 130

_SUMMARY = Phrase("{status} (sources: {sources}, quotes: {evidence}, {seconds:.1f} s): {report}")
_WAITS = Phrase("The run {run} waits for a worker (python -m research worker).")
_ERROR = Phrase("Error: {message}")
_UNEXPECTED = Phrase("Unexpected error: {message}")
_INTERRUPTED = Phrase("Interrupted.")
_GRAVITY = (0, 3, 1)
"""Exit statuses of runs, the best first."""
_NO_OUT = Phrase("Name the folder to write the results to: --out DIR.")


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> int:
    """Carry out one command and return the exit status: 0 complete, 3 partial, 1 failed, 2 wrong usage."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    language = language_of(given, environment)
    try:
        return _obey(given, environment, language)
    except UsageError as error:
        return _failed(_EXIT_USAGE, _ERROR, language, str(error))
    except StoreError as error:
        return _failed(_EXIT_FAILED, _ERROR, language, f"{explain(error.code, language)} {error}")
    except ResearchError as error:
        return _failed(_EXIT_FAILED, _ERROR, language, str(error))
    except KeyboardInterrupt:
        return _failed(_EXIT_INTERRUPTED, _INTERRUPTED, language, "")
    except Exception as error:  # noqa: BLE001 - a user is told what happened in one line, not in a traceback
        return _failed(_EXIT_FAILED, _UNEXPECTED, language, f"{type(error).__name__}: {error}")


def _obey(given: Sequence[str], environment: Mapping[str, str], language: Language) -> int:
    understood = parser(language)
    chosen = understood.parse_args(given)
    if chosen.command is None:
        understood.print_help()
        return 0
    settings = Settings.from_environment(environment, account=getattr(chosen, "account", ""))
    settings = agreed(settings, chosen, language)
    # Help is given before any of this is loaded.
    from research.terminal import commands

    if chosen.command == "worker":
        return commands.work(chosen, settings, lambda who: Settings.from_environment(environment, account=who))
    acts = {"compare": _compare, "export": commands.export, "notes": commands.notes_command, "resume": _resume}
    acts |= {"runs": commands.runs_command, "schedule": commands.schedule_command, "store": commands.store_command}
    return acts.get(chosen.command, _run)(chosen, settings, language)


def _run(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    from research.store import Runner, RunStore
    from research.terminal.commands import OutFolder, estimate_of, parts_in_words

    if chosen.out is None and not (chosen.estimate or chosen.plan):
        raise UsageError(_NO_OUT.in_(language))
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
    from research.store import Runner, RunStore
    from research.terminal.commands import OutFolder

    store = RunStore.of(settings)
    brief = store.get(chosen.run_id).brief
    with OutFolder(chosen.out, brief.language) as folder, Runner(store, settings) as runner:
        runner.resume(chosen.run_id, library=chosen.library)
        return _follow(runner, chosen.run_id, brief, folder, quiet=chosen.quiet, waits=settings.uses_workers)


def _follow(runner: Runner, run_id: str, brief: Brief, folder: OutFolder, *, quiet: bool, waits: bool) -> int:
    """Show a run while it is under way, and write its results; return the exit status."""
    from research.terminal.display import Display, plain_console

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
    from research.terminal.commands import compare

    with Runner(RunStore.of(settings), settings) as runner:
        comparison = compare(chosen, brief_of(chosen, language), runner)
    sys.stdout.write(comparison.to_markdown())
    return max((_EXIT[one.status] for one in comparison.outcomes), key=_GRAVITY.index)


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
