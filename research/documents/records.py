"""Records of other programs: JSON, and transcripts of what was said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
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
