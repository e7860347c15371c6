"""Runs moved: one as an archive, out and in; all of a store into another, be it a file or a server."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import BinaryIO

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from research import core
from research.export.folder import (
    check_json,
    check_moments,
    check_page,
    check_record,
    checked_event,
    proved_again,
    stands,
)
from research.language import Phrase
from research.results import RunRecord
from research.sources.protocol import clean_title as shown_title
from research.store.database import Action, Connection
from research.store.search import catch_up_words, clean_tags, clean_title
from research.store.seen import catch_up_seen
from research.store.store import RunState, RunStore, insert_events, insert_pages, insert_run

FORMAT = 1
MANIFEST, RECORD, REPORT, EVENTS, PAGES = "manifest.json", "run.json", "report.md", "events.jsonl", "pages.jsonl"
LARGEST_ARCHIVE = 128 * 2**20
"""Bytes that all parts together may have when unpacked, and those that the file itself may have."""
_LARGEST_PART = 24 * 2**20
"""Bytes that one part may have: JSON takes some twenty times its size in memory."""
_LARGEST_DIRECTORY = 8 * 2**20
_NAME = re.compile(rf"{MANIFEST}|{RECORD}|{REPORT}|{EVENTS}|{PAGES}|pages/[0-9a-f]{{64}}\.txt")
_DIRECTORY_END = struct.Struct("<4s4H2LH")
_LONGEST_RUN = 366 * 86_400
"""Seconds that a run can have taken."""
_THEN = (1980, 1, 1, 0, 0, 0)
"""The same run always makes the same file."""

_DAMAGED = Phrase("The file is damaged or was altered ({part}); nothing was taken in. Export the run again.")
_NEWER = Phrase(
    "The file was written by a newer version of the program (format {version}; this one reads up to "
    "{format}). Install a newer version to take it in."
)
_NO_RUN_FILE = Phrase("The file is not an exported run.")
_TOO_LARGE = Phrase("The file is too large to be taken in: it unpacks to more than {largest_archive} MB.").filled(
    largest_archive=LARGEST_ARCHIVE // 2**20
)
_KNOWN_RUN = Phrase(
    "The run {run_id} is in the library already and was left as it is. To take this file in, delete it first."
)


class UnusableRunFile(core.UsageError):
    """A file cannot be taken in as a run."""


class Manifest(BaseModel):
    """What the store says of the run, and the hash of every other part."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    kind: str = "research-run"
    format: int = FORMAT
    run: str = Field(pattern=r"^[0-9]{8}-[0-9a-z]{6}$")
    created_at: AwareDatetime
    finished_at: AwareDatetime | None
    seconds: float | None = Field(ge=0, le=_LONGEST_RUN)
    state: RunState
    analyst: str = Field(max_length=40)
    brief: core.Brief
    title: str = ""
    starred: bool = False
    tags: tuple[str, ...] = ()
    follows: str | None = None
    parts: dict[str, str]
    """SHA-256 of each part, by its name."""


def file_name(run_id: str) -> str:
    """Return the name under which the file of a run is offered."""
    return f"{run_id}.run.zip"


def export_run(store: RunStore, run_id: str) -> bytes:
    """Return a run that has ended as one file: report, record, events, pages, and what the user says of it.

    The same run makes the same file.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the store cannot be read.
    """
    run = store.ended(run_id)
    record, markdown = store.record(run_id), store.markdown(run_id)
    pages = store.pages(run_id).values()
    parts = {
        EVENTS: _lines(event.model_dump_json() for event in store.events(run_id)),
        PAGES: _lines(page.model_copy(update={"text": ""}).model_dump_json() for page in pages),
        **{_text_name(page): page.text.encode("utf-8", "surrogatepass") for page in pages},
    }
    if record is not None and markdown is not None:
        parts |= {RECORD: record.model_dump_json(indent=2).encode(), REPORT: markdown.encode()}
    store.note(Action.EXPORTED, run_id)
    said = {name: value for name, value in vars(run).items() if name in Manifest.model_fields}
    return pack_archive(Manifest(run=run.id, parts={}, **said), parts)


def pack_archive(manifest: Manifest, parts: Mapping[str, bytes]) -> bytes:
    """Return the file; the manifest gets the hashes of `parts`."""
    first = manifest.model_copy(update={"parts": _hashes(parts)}).model_dump_json(indent=2).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {MANIFEST: first, **parts}.items():
            archive.writestr(zipfile.ZipInfo(name, _THEN), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _hashes(parts: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _text_name(page: core.Page) -> str:
    return f"pages/{page.sha256}.txt"


def import_run(store: RunStore, file: bytes | Path | BinaryIO) -> str:
    """Take a run in from its file and return its id; all of it, or nothing.

    What can be checked is checked: hashes, that parts fit together, that every quote stands in its page, that dates and
    numbers are possible. Verdicts and the report are made anew; where the file claimed others, the report says so.

    Raises:
        UnusableRunFile: the file holds no run, is damaged, altered, too large or of a newer version, or its run is in
            the store already, which is left as it is.
        UsageError: the file cannot be read.
        StoreError: the store cannot be written.
    """
    parts = _unpacked(_content(file))
    manifest = _manifest(parts)
    with _checking(PAGES):
        pages = _pages(parts)
    with _checking(EVENTS):
        events = _events(parts[EVENTS], manifest.run, pages)
    record, markdown = None, None
    with _checking(RECORD):
        if RECORD in parts or REPORT in parts or manifest.state is not RunState.INTERRUPTED:
            record, markdown = _record(parts[RECORD], manifest, events, pages), parts[REPORT].decode()
            record, markdown, events = proved_again(record, events, pages)
    _enter(store, manifest, (record, markdown), events, pages)
    store.note(Action.IMPORTED, manifest.run)
    return manifest.run


@contextmanager
def _checking(part: str) -> Iterator[None]:
    """Say that a part is damaged, whatever it breaks: it may be made to harm."""
    try:
        yield
    except TimeoutError as error:
        raise UnusableRunFile(_TOO_LARGE) from error
    except Exception as error:
        raise UnusableRunFile(_DAMAGED.filled(part=part)) from error


def _content(file: bytes | Path | BinaryIO) -> bytes:
    if isinstance(file, bytes):
        return file
    try:
        with file.open("rb") if isinstance(file, Path) else nullcontext(file) as opened:
            data = opened.read(LARGEST_ARCHIVE + 1)
    except OSError as error:
        raise core.UsageError(f"The file {file} cannot be read: {error.strerror}.") from error
    if len(data) > LARGEST_ARCHIVE:
        raise UnusableRunFile(_TOO_LARGE)
    return data


def _unpacked(data: bytes) -> dict[str, bytes]:
    """Return the parts of an archive; one that lists or holds more than a run has is refused before it is unpacked."""
    end = data.rfind(b"PK\x05\x06")
    try:
        size = _DIRECTORY_END.unpack_from(data, end)[5] if end >= 0 else 0
        if size > _LARGEST_DIRECTORY or data[max(0, end - 20) : max(0, end)].startswith(b"PK\x06\x07"):
            raise UnusableRunFile(_TOO_LARGE)
        return _parts(zipfile.ZipFile(io.BytesIO(data)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error) as error:
        raise UnusableRunFile(_NO_RUN_FILE) from error


def _parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    parts: dict[str, bytes] = {}
    left = LARGEST_ARCHIVE
    # No part is unpacked further than the directory says of it, so that its word can be taken.
    if sum(entry.file_size for entry in archive.infolist()) > LARGEST_ARCHIVE:
        raise UnusableRunFile(_TOO_LARGE)
    for entry in archive.infolist():
        is_known = _NAME.fullmatch(entry.filename) and entry.filename not in parts
        is_plain = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if not is_known or not is_plain or stat.S_ISLNK(entry.external_attr >> 16):
            raise UnusableRunFile(_NO_RUN_FILE)
        most = min(left, _LARGEST_PART)
        with archive.open(entry) as part:
            parts[entry.filename] = part.read(most + 1)  # counted, whatever its header says
        if len(parts[entry.filename]) > most:
            raise UnusableRunFile(_TOO_LARGE)
        left -= len(parts[entry.filename])
    return parts


def _manifest(parts: dict[str, bytes]) -> Manifest:
    """Take the manifest out of the parts, which are as their hashes there say."""
    data = parts.pop(MANIFEST, b"")
    try:
        check_json(data)
        kind, version = (json.loads(data)[name] for name in ("kind", "format"))
        _require(kind == "research-run" and int(version) >= 1)
    except (ValueError, KeyError, TypeError) as error:
        raise UnusableRunFile(_NO_RUN_FILE) from error
    if int(version) > FORMAT:
        raise UnusableRunFile(_NEWER.filled(version=int(version), format=FORMAT))
    with _checking(MANIFEST):
        manifest = Manifest.model_validate_json(data)
        check_moments([manifest.created_at, manifest.finished_at])
        _require(_hashes(parts) == manifest.parts)
    return manifest


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError("the parts do not belong together")


def _pages(parts: dict[str, bytes]) -> dict[str, core.Page]:
    found: dict[str, core.Page] = {}
    for line in parts[PAGES].splitlines():
        check_json(line)
        page = core.Page.model_validate_json(line)
        text = parts[_text_name(page)].decode("utf-8", "surrogatepass")
        _require(page.id not in found and core.text_hash(text) == page.sha256)
        check_page(page)
        shown = {"title": shown_title(page.title), "site": shown_title(page.site)}
        found[page.id] = page.model_copy(update={"text": text, **shown})
    _require({*map(_text_name, found.values())} == {name for name in parts if name.startswith("pages/")})
    return found


def _events(part: bytes, run_id: str, pages: Mapping[str, core.Page]) -> list[core.AnyEvent]:
    events: list[core.AnyEvent] = []
    last = 0
    for line in part.splitlines():
        event = checked_event(line)
        # Numbers may be left out, as notes can be deleted by themselves.
        _require(event.seq > last and event.at is not None and event.at.tzinfo is not None)
        _require(not isinstance(event, core.RunStarted) or event.run == run_id)
        _require(not isinstance(event, core.EvidenceFound) or stands(event, pages))
        last = event.seq
        events.append(event)
    return events


def _record(part: bytes, manifest: Manifest, events: list[core.AnyEvent], pages: dict[str, core.Page]) -> RunRecord:
    check_json(part)
    record = RunRecord.model_validate_json(part)
    _require(record.run == manifest.run and record.status.value == manifest.state.value)
    _require(record.analyst == manifest.analyst and _is_carried_out_as(manifest.brief, record.brief))
    _require(all(source.id in pages and source.sha256 == pages[source.id].sha256 for source in record.sources))
    _require(all(stands(entry, pages) for entry in record.evidence))
    _require(all(0 <= one.start <= one.end <= len(record.draft) for one in record.sentences))
    check_record(record, events, pages)
    return record


def _is_carried_out_as(asked: core.Brief, done: core.Brief) -> bool:
    """Whether a brief is as asked, but for a lower cap, which holds for all, and countries named in its question."""
    is_lower = done.max_cost_usd is not None and done.max_cost_usd < (asked.max_cost_usd or math.inf)
    may_differ = [*(["max_cost_usd"] if is_lower else []), *(["question"] if asked.countries else [])]
    return done.model_copy(update={name: getattr(asked, name) for name in may_differ}) == asked


def _enter(
    store: RunStore,
    manifest: Manifest,
    report: tuple[RunRecord | None, str | None],
    events: list[core.AnyEvent],
    pages: dict[str, core.Page],
) -> None:
    record, markdown = report
    last_alive = manifest.finished_at or manifest.created_at
    with store.database.writing() as connection:
        entered = insert_run(
            connection,
            manifest.run,
            manifest.brief,
            manifest.created_at,
            analyst=manifest.analyst,
            state=manifest.state.value,
            heartbeat=last_alive.timestamp(),
            finished_at=last_alive.astimezone(UTC).isoformat(),
            seconds=manifest.seconds,
            record=record.model_dump_json() if record else None,
            markdown=markdown,
            title=clean_title(manifest.title),
            account=store.account,
            starred=int(manifest.starred),
        )
        if not entered:
            raise UnusableRunFile(_KNOWN_RUN.filled(run_id=manifest.run))
        connection.execute(
            f"UPDATE runs SET follows = (SELECT id FROM runs WHERE id = ? AND {store.readable}) WHERE id = ?",  # noqa: S608
            (manifest.follows, manifest.run),
        )
        insert_pages(connection, manifest.run, pages.values())
        insert_events(connection, manifest.run, events)
        tags = [(manifest.run, tag) for tag in clean_tags(manifest.tags)]
        connection.executemany("INSERT INTO tags VALUES (?, ?)", tags)


# --- all runs moved to another database ------------------------------------------------------------------------------

_RUNS = (
    "id, created_at, question, brief, analyst, state, heartbeat, finished_at, seconds, record, markdown, title, "
    "starred, owner, account, shared, schedule"
)
"""The columns of a run but for the one that it repeats, which may come later."""
_PARTS = {"events": "run, seq, type, body", "run_pages": "run, page, sha256, facts"} | {
    "steering": "run, seq, body",
    "tags": "run, tag",
    "run_answers": "run, search, answer",
}
"""What belongs to a run, by table; what is looked up in words and pages is entered anew from these."""
_SCHEDULES = "id, rhythm, zone, brief, analyst, task, account, due, last_run"
_ACTIONS = "at, account, action, run"
"""The columns of what belongs to no run."""

_RUNNING = Phrase("{count} runs are still under way; let them end or stop them before all runs are moved.")
_NOT_EMPTY = Phrase(
    "{name} holds {count} runs already, so nothing was moved. With --merge, runs that it lacks are added, and those "
    "that it has stay as they are."
)


class CannotMove(core.UsageError):
    """Runs are not moved."""


@dataclass(frozen=True)
class Moved:
    """What was brought over, as it was counted in both stores afterwards."""

    runs: int
    events: int
    pages: int
    """Pages read by the runs; a text that several have read counts for each."""
    schedules: int
    actions: int
    """Entries of the log of who did what."""
    known: int
    """Runs that were there already."""


def move_runs(
    source: RunStore,
    target: RunStore,
    *,
    merge: bool = False,
    on_run: Callable[[int, int], None] = lambda done, of: None,
) -> Moved:
    """Copy all runs with all that belongs to them, each whole or not at all, and compare what both stores then hold.

    Schedules and the log of who did what are copied after them. Runs of the same id are taken for the same run, and so
    are schedules. `on_run` is told how many runs of how many are done.

    Raises:
        CannotMove: runs are under way, or the target is not empty and is not to be merged with.
        StoreError: one of the stores cannot be read or written, or they differ afterwards. What was copied until then
            stays; `merge` goes on from there.
    """
    if running := [run for run, state in _runs(source) if RunState(state).is_open]:
        raise CannotMove(_RUNNING.filled(count=len(running)))
    there = {run for run, _ in _runs(target)}
    if there and not merge:
        raise CannotMove(_NOT_EMPTY.filled(name=target.database.name, count=len(there)))
    lacking = [run for run, _ in _runs(source) if run not in there]
    for done, run in enumerate(lacking, 1):
        _copy(source, target, run)
        on_run(done, len(lacking))
    _copy_repeats(source, target, set(lacking))
    schedules, actions = _copy_schedules(source, target), _copy_actions(source, target)
    catch_up_words(target)
    catch_up_seen(target, seconds=float("inf"))
    here, copied = _counts(source, lacking), _counts(target, lacking)
    if here != copied:
        differing = sorted({run for run, *_ in here ^ copied})
        raise core.StoreError(f"These runs differ in {target.database.name}: {', '.join(differing)}.")
    events = sum(counted[1] for counted in copied)
    return Moved(len(copied), events, sum(counted[2] for counted in copied), schedules, actions, len(there))


def _runs(store: RunStore) -> list[tuple[str, str]]:
    """Return id and state of all runs, the oldest first."""
    store.settle()
    with store.database.reading() as connection:
        return [tuple(row) for row in connection.execute("SELECT id, state FROM runs ORDER BY created_at, id")]


def _copy(source: RunStore, target: RunStore, run: str) -> None:
    with source.database.reading() as there, target.database.writing(run) as here:
        _insert(here, "runs", _RUNS, _rows(there, f"SELECT {_RUNS} FROM runs WHERE id = ?", run))  # noqa: S608
        texts = "SELECT sha256, text FROM pages WHERE sha256 IN (SELECT sha256 FROM run_pages WHERE run = ?)"
        _insert(here, "pages", "sha256, text", _rows(there, f"{texts} ORDER BY sha256", run))
        for table, columns in _PARTS.items():
            _insert(here, table, columns, _rows(there, f"SELECT {columns} FROM {table} WHERE run = ?", run))  # noqa: S608


def _rows(connection: Connection, selection: str, *values: str) -> Iterator[Sequence[object]]:
    return map(tuple, connection.execute(selection, values))


def _insert(connection: Connection, table: str, columns: str, rows: Iterator[Sequence[object]]) -> None:
    places = ", ".join("?" * len(columns.split(",")))
    # Tables and columns are constants of this module.
    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING", rows)  # noqa: S608


def _copy_repeats(source: RunStore, target: RunStore, runs: set[str]) -> None:
    """Let each of the runs repeat the one that it repeats where it comes from."""
    with source.database.reading() as connection:
        found = connection.execute("SELECT follows, id FROM runs WHERE follows IS NOT NULL").fetchall()
    repeats = [tuple(row) for row in found if row["id"] in runs]
    with target.database.writing() as connection:
        repeated = "UPDATE runs SET follows = (SELECT id FROM runs WHERE id = ?) WHERE id = ?"
        connection.executemany(repeated, repeats)


def _copy_schedules(source: RunStore, target: RunStore) -> int:
    """Copy what is asked again and again, for any account; return how many schedules the target lacked."""
    ids = "SELECT id FROM schedules"
    with source.database.reading() as there, target.database.writing() as here:
        known = set(_rows(here, ids))
        _insert(here, "schedules", _SCHEDULES, _rows(there, f"SELECT {_SCHEDULES} FROM schedules"))  # noqa: S608
        return len(set(_rows(here, ids)) - known)


def _copy_actions(source: RunStore, target: RunStore) -> int:
    """Copy who did what, in the order in which it was done, and return how many entries the target lacked."""
    chosen = f"SELECT {_ACTIONS} FROM actions ORDER BY id"  # noqa: S608 - constants
    with source.database.reading() as there, target.database.writing() as here:
        known = set(_rows(here, chosen))  # They have no name by which one that was copied before could be told.
        lacking = [row for row in _rows(there, chosen) if row not in known]
        _insert(here, "actions", _ACTIONS, iter(lacking))
    return len(lacking)


def _counts(store: RunStore, runs: Sequence[str]) -> set[tuple[str, int, int, int, int]]:
    """Return how much each of the runs has of everything."""
    counted = ", ".join(f"(SELECT count(*) FROM {table} WHERE run = runs.id) AS {table}" for table in _PARTS)  # noqa: S608
    wanted = set(runs)
    with store.database.reading() as connection:
        rows = connection.execute(f"SELECT id, {counted} FROM runs").fetchall()  # noqa: S608 - constants
    return {tuple(row) for row in rows if row["id"] in wanted}
