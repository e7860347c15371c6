"""The command `export`: the report of a run's folder, or of a run of the store, as a file to hand on."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from research.errors import UsageError
from research.export.folder import EVENTS, PAGES, RECORD, REPORT, load_folder
from research.export.formats import FORMATS, file_name
from research.export.front_matter import title_of
from research.export.paper import Paper
from research.language import Bilingual, Language
from research.report import Report
from research.settings import Settings

_RUN_ID = re.compile(r"[0-9]{8}-[0-9a-z]{6}")
_OF_THE_RUN = frozenset({RECORD, REPORT, EVENTS, PAGES})
_WRITTEN = Bilingual("Written: {file}", "書き出しました：{file}")
_KEPT = Bilingual(
    "{file} belongs to the run and is not overwritten; choose another name with --out.",
    "{file} は実行の記録なので上書きしません。--out で別の名前を指定してください。",
)
_UNWRITABLE = Bilingual("{file} cannot be written: {reason}.", "{file} に書き込めません：{reason}")


def export(chosen: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Write the file that the arguments ask for, say where it is, and return 0; errors are told in `language`.

    Raises:
        UsageError: there is no such run, its folder is damaged, what the format needs is not installed, or the file
            cannot be written.
        StoreError: the run store cannot be read.
    """
    given = Path(chosen.run)
    is_stored = not given.is_dir() and _RUN_ID.fullmatch(chosen.run) is not None
    report = _stored(chosen.run, settings) if is_stored else load_folder(given, language)
    file: Path = chosen.out or (_named(report, chosen.format) if is_stored else _beside(given, chosen.format))
    if not is_stored and file.name in _OF_THE_RUN and file.parent.resolve() == given.resolve():
        raise UsageError(_KEPT.in_(language).format(file=file))
    data = FORMATS[chosen.format].make(report, Paper(chosen.paper))
    try:
        _write(file, data)
    except OSError as error:
        raise UsageError(_UNWRITABLE.in_(language).format(file=file, reason=error.strerror)) from error
    sys.stderr.write(_WRITTEN.in_(language).format(file=file) + "\n")
    return 0


def _stored(run_id: str, settings: Settings) -> Report:
    from research.runs.reports import load_report
    from research.runs.store import RunStore

    with closing(RunStore(settings.home)) as store:
        return load_report(store, run_id)


def _named(report: Report, format_name: str) -> Path:
    title = title_of(report.markdown, report.record.brief.question)
    return Path(file_name(report.record.run, title, format_name))


def _beside(folder: Path, format_name: str) -> Path:
    """Return the file in the run's folder that holds the export: never one that the run itself wrote."""
    name = f"report.{FORMATS[format_name].suffix}"
    return folder / (f"report.wiki.{FORMATS[format_name].suffix}" if name in _OF_THE_RUN else name)


def _write(file: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    if file.is_dir():
        raise IsADirectoryError(21, os.strerror(21))
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}-")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as output:
            output.write(data)
        draft.chmod(0o666 & ~_umask())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
