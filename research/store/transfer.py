"""Runs as archives, out and in."""

from __future__ import annotations

import hashlib
import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from datetime import UTC
from pathlib import Path
from typing import IO, BinaryIO

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from research.core import AnyEvent, Brief, Evidence, EvidenceFound, Page, RunStarted, UsageError, parse_event, text_hash
from research.export.folder import proved_again
from research.language import Bilingual, Phrase
from research.results import (
    RunRecord,
    check_json,
    check_moments,
    check_page,
    check_record,
    moments_of,
)
from research.sources.pages import clean_title as shown_title
from research.store.search import clean_tags, clean_title
from research.store.store import RunState, RunStore, ended, insert_events, insert_pages, insert_run

FORMAT = 1
MANIFEST, RECORD, REPORT, EVENTS, PAGES = "manifest.json", "run.json", "report.md", "events.jsonl", "pages.jsonl"
LARGEST_ARCHIVE = 128 * 2**20
"""Bytes that all parts together may have when unpacked, and those that the file itself may have."""
_LARGEST_PART = 24 * 2**20
"""Bytes that one part may have: JSON takes some twenty times its size in memory."""
_STEP = 2**20
_LARGEST_DIRECTORY = 8 * 2**20
_TEXT = re.compile(r"pages/[0-9a-f]{64}\.txt")
_KNOWN = {MANIFEST, RECORD, REPORT, EVENTS, PAGES}
_END = struct.Struct("<4s4H2LH")
LONGEST_RUN = 366 * 86_400
"""Seconds that a run can have taken."""
_THEN = (1980, 1, 1, 0, 0, 0)
"""The same run always makes the same file."""


class UnusableRunFile(UsageError):
    """A file cannot be taken in as a run; `text` says why in both languages."""

    def __init__(self, text: Bilingual) -> None:
        super().__init__(text.en)
        self.text = text


class Manifest(BaseModel):
    """What the store says of the run, and the hash of every other part."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    kind: str = "research-run"
    format: int = FORMAT
    run: str = Field(pattern=r"^[0-9]{8}-[0-9a-z]{6}$")
    created_at: AwareDatetime
    finished_at: AwareDatetime | None
    seconds: float | None = Field(ge=0, le=LONGEST_RUN)
    state: RunState
    analyst: str = Field(max_length=40)
    brief: Brief
    title: str = ""
    starred: bool = False
    tags: tuple[str, ...] = ()
    follows: str | None = None
    parts: dict[str, str]
    """SHA-256 of each part, by its name."""


class _Version(BaseModel):
    kind: str
    format: int


def pack_archive(manifest: Manifest, parts: Mapping[str, bytes]) -> bytes:
    """Return the file; the manifest gets the hashes of `parts`."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}
    first = manifest.model_copy(update={"parts": hashes}).model_dump_json(indent=2).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {MANIFEST: first, **parts}.items():
            archive.writestr(zipfile.ZipInfo(name, _THEN), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack(data: bytes) -> tuple[Manifest, dict[str, bytes]]:
    """Return the manifest and the other parts, which are as their hashes say.

    Raises:
        UnusableRunFile: the file is no such archive, is damaged, too large, or of a newer version.
    """
    try:
        _check_directory(data)
        parts = _read(zipfile.ZipFile(io.BytesIO(data)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error) as error:
        raise NO_RUN_FILE from error
    manifest = _manifest(parts.pop(MANIFEST, b""))
    if {name: hashlib.sha256(part).hexdigest() for name, part in parts.items()} != manifest.parts:
        raise damaged(MANIFEST)
    return manifest, parts


def _check_directory(data: bytes) -> None:
    """Refuse a file that lists far more parts than a run has, before anything is made of the list."""
    at = data.rfind(b"PK\x05\x06")
    if at < 0:
        raise NO_RUN_FILE
    size = _END.unpack_from(data, at)[5]
    if size > _LARGEST_DIRECTORY or data[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        raise TOO_LARGE


def _read(archive: zipfile.ZipFile) -> dict[str, bytes]:
    parts: dict[str, bytes] = {}
    left = LARGEST_ARCHIVE
    # No part is unpacked further than the directory says of it, so that its word can be taken.
    if sum(entry.file_size for entry in archive.infolist()) > LARGEST_ARCHIVE:
        raise TOO_LARGE
    for entry in archive.infolist():
        if entry.filename in parts or not (entry.filename in _KNOWN or _TEXT.fullmatch(entry.filename)):
            raise NO_RUN_FILE
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NO_RUN_FILE
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise NO_RUN_FILE
        with archive.open(entry) as part:
            parts[entry.filename] = _bounded(part, min(left, _LARGEST_PART))
        left -= len(parts[entry.filename])
    return parts


def _bounded(part: IO[bytes], most: int) -> bytes:
    """Return what a part unpacks to, read in steps and counted, whatever its header says."""
    data = bytearray()
    while piece := part.read(_STEP):
        data += piece
        if len(data) > most:
            raise TOO_LARGE
    return bytes(data)


def _manifest(data: bytes) -> Manifest:
    try:
        check_json(data)
        version = _Version.model_validate_json(data)
    except ValueError as error:
        raise NO_RUN_FILE from error
    if version.kind != "research-run" or version.format < 1:
        raise NO_RUN_FILE
    if version.format > FORMAT:
        raise _newer(version.format)
    try:
        return Manifest.model_validate_json(data)
    except ValidationError as error:
        raise damaged(MANIFEST) from error


def damaged(part: str) -> UnusableRunFile:
    """Return the error that says which part is not as it should be."""
    return UnusableRunFile(
        Phrase("The file is damaged or was altered ({part}); nothing was taken in. Export the run again.").filled(
            part=part
        )
    )


def _newer(version: int) -> UnusableRunFile:
    return UnusableRunFile(
        Phrase(
            "The file was written by a newer version of the program (format {version}; this one reads up to "
            "{format}). Install a newer version to take it in."
        ).filled(version=version, format=FORMAT)
    )


NO_RUN_FILE = UnusableRunFile(Phrase("The file is not an exported run."))
TOO_LARGE = UnusableRunFile(
    Phrase("The file is too large to be taken in: it unpacks to more than {largest_archive} MB.").filled(
        largest_archive=LARGEST_ARCHIVE // 2**20
    )
)


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
    run = ended(store.get(run_id))
    record, markdown = store.record(run_id), store.markdown(run_id)
    pages = store.pages(run_id).values()
    parts = {
        EVENTS: _lines(event.model_dump_json() for event in store.events(run_id)),
        PAGES: _lines(page.model_copy(update={"text": ""}).model_dump_json() for page in pages),
        **{_text_name(page.sha256): page.text.encode("utf-8", "surrogatepass") for page in pages},
    }
    if record is not None and markdown is not None:
        parts |= {RECORD: record.model_dump_json(indent=2).encode(), REPORT: markdown.encode()}
    said = {name: value for name, value in vars(run).items() if name in Manifest.model_fields}
    manifest = Manifest(run=run.id, parts={}, **said)
    return pack_archive(manifest, parts)


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
    manifest, parts = unpack(_content(file))
    events, pages = _events(parts.get(EVENTS)), _pages(parts)
    record, markdown = _report(parts)
    _check(manifest, record, events, pages)
    if record is not None:
        try:
            record, markdown, events = proved_again(record, events, pages)
        except TimeoutError as error:
            raise TOO_LARGE from error
        except Exception as error:  # whatever a record made to harm breaks, it is not taken in
            raise damaged(RECORD) from error
    _enter(store, manifest, (record, markdown), events, pages)
    return manifest.run


def _content(file: bytes | Path | BinaryIO) -> bytes:
    if isinstance(file, bytes):
        return file
    try:
        with file.open("rb") if isinstance(file, Path) else nullcontext(file) as opened:
            data = opened.read(LARGEST_ARCHIVE + 1)
    except OSError as error:
        raise UsageError(f"The file {file} cannot be read: {error.strerror}.") from error
    if len(data) > LARGEST_ARCHIVE:
        raise TOO_LARGE
    return data


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _text_name(sha256: str) -> str:
    return f"pages/{sha256}.txt"


def _events(part: bytes | None) -> list[AnyEvent]:
    try:
        events = [_event(line) for line in (part or b"").splitlines()]
    except ValueError as error:
        raise damaged(EVENTS) from error
    numbers = [event.seq for event in events]
    # Numbers may be left out, as notes can be deleted by themselves.
    in_order = all(before < after for before, after in zip([0, *numbers], numbers, strict=False))
    if part is None or not in_order or any(event.at is None or event.at.tzinfo is None for event in events):
        raise damaged(EVENTS)
    return events


def _event(line: bytes) -> AnyEvent:
    check_json(line)
    event = parse_event(line)
    check_moments(moments_of(event))
    return event


def _pages(parts: dict[str, bytes]) -> dict[str, Page]:
    found: dict[str, Page] = {}
    try:
        for line in parts[PAGES].splitlines():
            check_json(line)
            page = Page.model_validate_json(line)
            text = parts[_text_name(page.sha256)].decode("utf-8", "surrogatepass")
            if page.id in found or text_hash(text) != page.sha256:
                raise damaged(PAGES)
            check_page(page)
            shown = {"title": shown_title(page.title), "site": shown_title(page.site)}
            found[page.id] = page.model_copy(update={"text": text, **shown})
    except (ValueError, KeyError) as error:
        raise damaged(PAGES) from error
    if {_text_name(page.sha256) for page in found.values()} != {name for name in parts if name.startswith("pages/")}:
        raise damaged(PAGES)
    return found


def _report(parts: dict[str, bytes]) -> tuple[RunRecord | None, str | None]:
    if RECORD not in parts and REPORT not in parts:
        return None, None
    try:
        check_json(parts[RECORD])
        return RunRecord.model_validate_json(parts[RECORD]), parts[REPORT].decode()
    except (ValueError, KeyError) as error:
        raise damaged(RECORD) from error


def _check(manifest: Manifest, record: RunRecord | None, events: list[AnyEvent], pages: dict[str, Page]) -> None:
    """Refuse a file whose parts do not belong together."""
    try:
        check_moments([manifest.created_at, manifest.finished_at])
    except ValueError as error:
        raise damaged(MANIFEST) from error
    if any(isinstance(event, RunStarted) and event.run != manifest.run for event in events):
        raise damaged(EVENTS)
    if not all(_stands(event, pages) for event in events if isinstance(event, EvidenceFound)):
        raise damaged(EVENTS)
    if record is None:
        if manifest.state is not RunState.INTERRUPTED:
            raise damaged(RECORD)
        return
    said = (record.run, record.status.value, record.analyst, record.brief)
    fits = (
        said == (manifest.run, manifest.state.value, manifest.analyst, manifest.brief)
        and all(source.id in pages and source.sha256 == pages[source.id].sha256 for source in record.sources)
        and all(_stands(entry, pages) for entry in record.evidence)
        and all(0 <= one.start <= one.end <= len(record.draft) for one in record.sentences)
    )
    if not fits:
        raise damaged(RECORD)
    try:
        check_record(record, events, pages)
    except Exception as error:
        raise damaged(RECORD) from error


def _stands(entry: EvidenceFound | Evidence, pages: dict[str, Page]) -> bool:
    """Whether a quote stands in its page."""
    page = pages.get(entry.source)
    return page is not None and page.text[entry.start : entry.end] == entry.quote


def _enter(
    store: RunStore,
    manifest: Manifest,
    report: tuple[RunRecord | None, str | None],
    events: list[AnyEvent],
    pages: dict[str, Page],
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
            starred=int(manifest.starred),
        )
        if not entered:
            raise _known(manifest.run)
        connection.execute(
            "UPDATE runs SET follows = (SELECT id FROM runs WHERE id = ?) WHERE id = ?",
            (manifest.follows, manifest.run),
        )
        insert_pages(connection, manifest.run, pages.values())
        insert_events(connection, manifest.run, events)
        tags = [(manifest.run, tag) for tag in clean_tags(manifest.tags)]
        connection.executemany("INSERT INTO tags VALUES (?, ?)", tags)


def _known(run_id: str) -> UnusableRunFile:
    return UnusableRunFile(
        Phrase(
            "The run {run_id} is in the library already and was left as it is. To take this file in, delete it first."
        ).filled(run_id=run_id)
    )
