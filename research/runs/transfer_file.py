"""The file that holds one run: a ZIP archive whose parts are known by name, limited in size and checked by hash.

Nothing of it is ever unpacked to a disk. Of a file of unknown origin every part is read within limits, whatever its
headers claim, and a part that is not expected makes the whole file unusable.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from research.brief import Brief
from research.errors import UsageError
from research.language import Bilingual
from research.runs.model import RunState

FORMAT = 1
MANIFEST, RECORD, REPORT, EVENTS, PAGES = "manifest.json", "run.json", "report.md", "events.jsonl", "pages.jsonl"
LARGEST = 512 * 2**20
"""Bytes that all parts together may have when unpacked."""
_LARGEST_DIRECTORY = 8 * 2**20
_TEXT = re.compile(r"pages/[0-9a-f]{64}\.txt")
_KNOWN = {MANIFEST, RECORD, REPORT, EVENTS, PAGES}
_END = struct.Struct("<4s4H2LH")
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
    seconds: float | None = Field(ge=0)
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


def pack(manifest: Manifest, parts: Mapping[str, bytes]) -> bytes:
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
    left = LARGEST
    for entry in archive.infolist():
        if entry.filename in parts or not (entry.filename in _KNOWN or _TEXT.fullmatch(entry.filename)):
            raise NO_RUN_FILE
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NO_RUN_FILE
        with archive.open(entry) as part:
            parts[entry.filename] = part.read(left + 1)
        left -= len(parts[entry.filename])
        if left < 0:
            raise TOO_LARGE
    return parts


def _manifest(data: bytes) -> Manifest:
    try:
        version = _Version.model_validate_json(data)
    except ValidationError as error:
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
        Bilingual(
            f"The file is damaged or was altered ({part}); nothing was taken in. Export the run again.",
            f"ファイルが壊れているか、書き換えられています（{part}）。何も取り込んでいません。書き出しをやり直してください。",
        )
    )


def _newer(version: int) -> UnusableRunFile:
    return UnusableRunFile(
        Bilingual(
            f"The file was written by a newer version of the program (format {version}; this one reads up to "
            f"{FORMAT}). Install a newer version to take it in.",
            f"より新しい版のプログラムで書き出されたファイルです（形式{version}。この版が読めるのは{FORMAT}まで）。"
            "新しい版をインストールしてから取り込んでください。",
        )
    )


NO_RUN_FILE = UnusableRunFile(Bilingual("The file is not an exported run.", "書き出した調査のファイルではありません。"))
TOO_LARGE = UnusableRunFile(
    Bilingual(
        f"The file is too large to be taken in: it unpacks to more than {LARGEST // 2**20} MB.",
        f"ファイルが大きすぎて取り込めません（展開後の上限は{LARGEST // 2**20} MB）。",
    )
)
