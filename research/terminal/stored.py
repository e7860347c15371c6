"""The commands that need nothing but the run store: past runs, their files, their notes."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from research.errors import UsageError
from research.language import Bilingual, Language
from research.runs.store import RunStore
from research.settings import Settings
from research.terminal.lines import shortened
from research.terminal.outfolder import writing

_NO_RUNS = Bilingual("There are no runs yet.", "実行はまだありません。")
_EXPORTED = Bilingual("Written: {file}", "書き出しました：{file}")
_IMPORTED = Bilingual("Taken in as {run}", "{run} として取り込みました")
_NO_FILE = Bilingual("The file {file} cannot be read: {reason}.", "ファイル {file} を読めません：{reason}")
_DELETED = Bilingual("Notes deleted: {count}.", "ノートを{count}件削除しました。")
_NO_NOTES = Bilingual(
    "This run has no notes; the method noted takes them.", "この実行にノートはありません。ノート型の調査で作られます。"
)


def runs(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
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
    from research.runs.transfer import export_run, file_name

    data = export_run(store, run_id)
    file = out or Path(file_name(run_id))
    with writing(file, language):
        file.write_bytes(data)
    sys.stderr.write(_EXPORTED.in_(language).format(file=file) + "\n")


def _import(store: RunStore, file: Path, language: Language) -> None:
    from research.runs.transfer import import_run
    from research.runs.transfer_file import UnusableRunFile

    try:
        run_id = import_run(store, file)
    except UnusableRunFile as error:
        raise UsageError(error.text.in_(language)) from error
    except OSError as error:
        raise UsageError(_NO_FILE.in_(language).format(file=file, reason=error.strerror)) from error
    sys.stderr.write(_IMPORTED.in_(language).format(run=run_id) + "\n")


def notes(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Print the notes of a run, or delete them; return the exit status."""
    from research.export.notes import notes_json, notes_markdown
    from research.runs.notes import delete_notes
    from research.runs.notes import notes as notes_of
    from research.runs.reports import load_report

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
