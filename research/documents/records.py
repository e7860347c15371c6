"""Records of other programs: JSON, transcripts of what was said, and filings as EDINET hands them out."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from research.documents.document import Document, UnreadableFile, decode, flat, within_limit

# --- JSON ------------------------------------------------------------------------------------------------------------

_DEEPEST = 12
"""Objects within objects that are named one after the other; what is deeper is written as JSON."""


def read_json(data: bytes, stem: str) -> Document:
    """Return a line for each record of a list (`name: Aya; address.city: Kobe`), or for each value of an object.

    A file of which each line is JSON is a list of records.

    Raises:
        UnreadableFile: `file_broken`, it is no JSON.
    """
    text = decode(data).removeprefix("\ufeff")
    try:
        held = _held(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("file_broken", f"no JSON: {error}"[:200]) from error
    is_list = isinstance(held, list)
    lines = map(_record, held) if is_list else _told(held)
    return Document("\n".join(within_limit(filter(None, lines))), stem, rows=is_list)


def _held(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line) for line in lines]


def _record(record: Any) -> str:
    return "; ".join(f"{name}: {value}" if name else value for name, value in _leaves(record))


def _told(held: Any) -> Iterator[str]:
    """Yield the lines of an object: a heading over each list of records in it, a line for each other value."""
    records = {name: value for name, value in held.items() if _is_records(value)} if isinstance(held, dict) else {}
    for name, value in _leaves({n: v for n, v in held.items() if n not in records} if records else held):
        yield f"{name}: {value}" if name else value
    for name, rows in records.items():
        yield f"\n# {flat(name)}\n"
        yield from map(_record, rows)


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and depth < _DEEPEST:
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{flat(name)}" if path else flat(name), depth + 1)
    elif isinstance(value, list) and not any(isinstance(inner, dict | list) for inner in value):
        yield path, ", ".join(_plain(inner) for inner in value)
    elif value not in (None, "", [], {}):
        yield path, _plain(value)


def _plain(value: Any) -> str:
    return flat(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- transcripts: WebVTT (https://www.w3.org/TR/webvtt1/) and SubRip -------------------------------------------------

_TIMES = re.compile(r"(?:(\d{1,3}):)?(\d{2}):(\d{2})[.,]\d{3}\s+-->\s")
_SPEAKER = re.compile(r"<v(?:\.[^ >]{0,80})? ([^>]{1,80})>")
_TAG = re.compile(r"<[^<>]{0,120}>")
_PARAGRAPH = 600
"""Characters of what one speaker says in a paragraph, before the next begins with its own time."""


def read_transcript(data: bytes, stem: str) -> Document:
    """Return what was said in paragraphs, each with its time and, where that is told, who spoke: `[0:12:05] Aya: …`.

    Raises:
        UnreadableFile: `file_broken`, nothing in it has a time.
    """
    paragraphs: list[tuple[str, str, str]] = []
    for time, speaker, said in _cues(decode(data).removeprefix("\ufeff")):
        before = paragraphs[-1] if paragraphs else ("", "", "")
        if paragraphs and before[1] == speaker and len(before[2]) < _PARAGRAPH:
            paragraphs[-1] = (before[0], speaker, f"{before[2]} {said}")
        else:
            paragraphs.append((time, speaker, said))
    if not paragraphs:
        raise UnreadableFile("file_broken", "no transcript: nothing has a time")
    lines = (f"[{time}] {speaker}: {said}" if speaker else f"[{time}] {said}" for time, speaker, said in paragraphs)
    return Document("\n\n".join(within_limit(lines)), stem)


def _cues(text: str) -> Iterable[tuple[str, str, str]]:
    """Yield time, speaker and words of each cue; numbers, notes and styles between them are passed over."""
    time, lines = "", list[str]()
    for line in [*text.splitlines(), ""]:
        if match := _TIMES.match(line.strip()):
            time, lines = f"{int(match[1] or 0)}:{match[2]}:{match[3]}", []
        elif line.strip():
            lines.append(line)
        elif time:
            whole = " ".join(lines)
            speaker = _SPEAKER.search(whole)
            said = flat(_TAG.sub("", whole))
            if said:
                yield time, flat(speaker[1]) if speaker else "", said
            time, lines = "", []


# --- filings of EDINET as CSV: https://disclosure2dl.edinet-fsa.go.jp/guide/static/disclosure/WZEK0110.html ----------

_FILING = re.compile(r"(?:^|/)XBRL_TO_CSV/jp(?!aud)[^/]{1,200}\.csv$")
"""The tables of a filing; those of its auditors repeat none of its figures."""
_PERIOD = re.compile(
    r"(Current|Prior(\d))(?:Year|YTD|Quarter|Interim|AccumulatedQ\d)?(?:Duration|Instant)(?:_NonConsolidatedMember)?"
)
"""Contexts of figures of the company as a whole; those of segments do not say in words which they are of."""
_PASSAGE, _TOLD_PASSAGE = "TextBlock", re.compile(r"\s*\[(?:テキストブロック|目次項目)\]$")
_LONGEST_PASSAGE = 5_000_000
_NO_VALUE = ("", "－", "-")
_MOST_OF_FILING = 100_000_000
"""Bytes that the tables of a filing may unpack to; those of a bank's annual report have ten million."""


def read_filing(data: bytes, stem: str) -> Document:
    """Return a filing: a line for each figure (`売上高（連結）、2025年3月期: 1,234円`), and its passages with headings.

    Raises:
        UnreadableFile: `file_binary`, the archive holds no filing; `file_too_large`.
    """
    csv.field_size_limit(_LONGEST_PASSAGE)
    rows: list[dict[str, str]] = []
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        tables = [part for part in parts.infolist() if _FILING.search(part.filename)]
        if not tables:
            raise UnreadableFile("file_binary", "an archive that holds no filing")
        if sum(part.file_size for part in tables) > _MOST_OF_FILING:
            raise UnreadableFile("file_too_large", "unpacks to more than the limit")
        for part in tables:
            text = decode(parts.read(part)).removeprefix("\ufeff")
            rows += csv.DictReader(io.StringIO(text), delimiter="\t")
    about = {row["要素ID"].partition(":")[2]: row["値"] for row in rows if row["要素ID"].startswith("jpdei_cor:")}
    filer, ends = about.get("FilerNameInJapaneseDEI", ""), about.get("CurrentFiscalYearEndDateDEI", "")
    lines = (_stated(row, ends) for row in rows if not row["要素ID"].startswith("jpdei_cor:"))
    title = " ".join(filter(None, (filer, _fiscal(ends, 0)))) or stem
    return Document("\n".join(within_limit(dict.fromkeys(filter(None, lines)))), title, ends or None)


def _stated(row: Mapping[str, str], ends: str) -> str:
    """Return a row as text: a passage with its heading, or a figure of the company; empty for any other."""
    name, value = _TOLD_PASSAGE.sub("", flat(row["項目名"])), flat(row["値"] or "")
    if row["要素ID"].endswith(_PASSAGE):
        return f"\n## {name}\n\n{value}\n" if value else ""
    period = _PERIOD.fullmatch(row["コンテキストID"])
    if period is None or value in _NO_VALUE:
        return ""
    whose = row["連結・個別"] if row["連結・個別"] in ("連結", "個別") else ""
    when = _fiscal(ends, int(period[2] or 0)) or row["相対年度"]
    figure = f"{int(value):,}" if re.fullmatch(r"-?\d{4,20}", value) else value
    unit = row["単位"] if row["単位"] not in _NO_VALUE else ""
    return f"{name}{f'（{whose}）' if whose else ''}、{when}: {figure}{unit}"


def _fiscal(ends: str, ago: int) -> str:
    """Return what a fiscal year is called that ended so many years before the one that ends on a day."""
    day = re.fullmatch(r"(\d{4})-(\d{2})-\d{2}", ends)
    return f"{int(day[1]) - ago}年{int(day[2])}月期" if day else ""
