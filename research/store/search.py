"""Finding past runs: by words, by label, with excerpts.

Every function may raise `StoreError`: the store cannot be read or written, and nothing has changed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Any

from research.core import PRESETS, Brief, PresetName, Role, SourceName, method_of
from research.engine import ENOUGH, PastRun, RoleTokens
from research.sources import clean_title as on_one_line
from research.store.database import Connection
from research.store.store import RunState, RunStore, RunSummary
from research.text import folded


@dataclass(frozen=True)
class Wanted:
    """What a reader looks for; what is empty is left open, the rest must all hold."""

    words: str = ""
    """All must occur in title, question, report, or the titles and addresses of the pages read."""
    state: RunState | None = None
    tags: tuple[str, ...] = ()
    starred: bool = False

    @property
    def is_open(self) -> bool:
        """Whether every run is wanted."""
        return not self.words.strip() and self == Wanted(words=self.words)


@dataclass(frozen=True)
class RunsFound:
    """A page of the runs that were found."""

    runs: Sequence[RunSummary]
    """Newest first."""
    total: int
    """Of all pages."""


def find(store: RunStore, wanted: Wanted, *, limit: int = 25, offset: int = 0) -> RunsFound:
    """Return the runs that are wanted, `limit` of them from number `offset` on."""
    if wanted.state is not None:
        store.settle()
    if wanted.words.strip():
        catch_up_words(store)
    if (selection := selection_of(store, wanted)) is None:
        return RunsFound((), 0)
    condition, values = selection
    with store.database.reading() as connection:
        counted = f"SELECT count(*) FROM runs WHERE {condition}"  # noqa: S608 - made of constants of this module
        total: int = connection.execute(counted, values).fetchone()[0]
    page = f"SELECT id FROM runs WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"  # noqa: S608
    return RunsFound(store.chosen(page, (*values, limit, offset)), total)


def selection_of(store: RunStore, wanted: Wanted) -> tuple[str, list[object]] | None:
    """Return the condition on `runs` in SQL, and its values; None if nothing can fulfil it."""
    # With a text before it, `id` is looked up in what was found, while the runs come from the index `runs_listed`.
    conditions, values = [store.readable], list[object]()
    if wanted.words.strip():
        clean = wanted.words.encode("utf-8", "ignore").decode("utf-8")
        phrases = [_phrase(part) for part in query_parts(clean)]
        if not phrases:
            return None
        found, values = store.database.matching(phrases)
        conditions.append(f"'' || id IN ({found})")
    if wanted.state is not None:
        conditions.append("state = ?")
        values.append(wanted.state.value)
    for tag in wanted.tags:
        conditions.append("'' || id IN (SELECT run FROM tags WHERE tag = ?)")
        values.append(tag)
    if wanted.starred:
        conditions.append("starred = 1")
    return " AND ".join(conditions), values


_WIDE = re.compile(r"([぀-ヿ㐀-䶿一-鿿豈-﫿々가-힣\U00020000-\U0003ffff])")
_PARTS = re.compile(r'"([^"]+)"|([^\s"]+)')
_WORD = re.compile(r"[^\W_]{1,200}")
"""What both databases take for a word; longer ones are cut, as PostgreSQL's index has no room for them."""
_MOST_PARTS = 12
_LONGEST_PART = 200


def _index_text(text: str) -> str:
    """Return the words of `text` as they are entered into the index, with blanks between."""
    return " ".join(_WORD.findall(_WIDE.sub(r" \1 ", folded(text.encode("utf-8", "ignore").decode("utf-8")))))


def query_parts(words: str) -> list[str]:
    """Return what a query asks for: its words, and what stands between quotation marks as one; folded."""
    found = (" ".join((quoted or word).split()) for quoted, word in _PARTS.findall(folded(words.replace("\0", " "))))
    return [part[:_LONGEST_PART] for part in found if _WORD.search(part)][:_MOST_PARTS]


def _phrase(part: str) -> tuple[str, bool]:
    """Return the words of a part, and whether the last is a beginning: a wide character is a word by itself."""
    return _index_text(part), _WIDE.match(part[-1]) is None


def catch_up_words(store: RunStore) -> None:
    """Bring the words of all runs that have changed into the index."""
    store.catch_up("search_waiting", _enter_words)


def _enter_words(connection: Connection, run_id: str) -> None:
    """Bring the words of a run into the index, in place of what was there of it."""
    head = connection.execute("SELECT title, question, markdown FROM runs WHERE id = ?", (run_id,)).fetchone()
    connection.execute("DELETE FROM search_texts WHERE run = ?", (run_id,))
    connection.execute(
        "INSERT INTO search_texts (run, head, report, sources) VALUES (?, ?, ?, ?)",
        (
            run_id,
            _index_text(f"{head['title']}\n{head['question']}"),
            _index_text(head["markdown"] or ""),
            _index_text("\n".join(" ".join(source) for source in _word_sources(connection, run_id))),
        ),
    )


def _word_sources(connection: Connection, run_id: str) -> Iterator[tuple[str, str]]:
    """Yield title and address of each page that a run has read."""
    for row in connection.execute("SELECT facts FROM run_pages WHERE run = ? ORDER BY page", (run_id,)):
        facts = json.loads(row["facts"])
        yield facts["title"], facts["url"]


LONGEST_TITLE = 200
LONGEST_TAG = 40
MOST_TAGS = 20


def label(store: RunStore, run_id: str, *, title: str, tags: Iterable[str]) -> None:
    """Give a run a title and tags in place of those it had; the question stays. An empty title takes it away.

    Raises:
        UsageError: there is no such run.
    """
    with store.changing(run_id) as connection:
        connection.execute("UPDATE runs SET title = ? WHERE id = ?", (clean_title(title), run_id))
        connection.execute("DELETE FROM tags WHERE run = ?", (run_id,))
        connection.executemany("INSERT INTO tags VALUES (?, ?)", [(run_id, tag) for tag in clean_tags(tags)])


def star(store: RunStore, run_id: str, starred: bool) -> None:
    """Set a run's star or take it away; errors as for `label`."""
    with store.changing(run_id) as connection:
        connection.execute("UPDATE runs SET starred = ? WHERE id = ?", (int(starred), run_id))


def follow(store: RunStore, run_id: str, earlier: str) -> None:
    """Say that a run repeats an earlier one; errors as for `label`, and if there is no such earlier run."""
    store.get(earlier)
    with store.changing(run_id) as connection:
        connection.execute("UPDATE runs SET follows = ? WHERE id = ?", (earlier, run_id))


def tags_in_use(store: RunStore) -> tuple[str, ...]:
    """Return every tag that a run of the account has, in the order of the alphabet."""
    with store.database.reading() as connection:
        used = f"SELECT DISTINCT tag FROM tags JOIN runs ON id = run WHERE {store.own} ORDER BY tag"  # noqa: S608
        return tuple(row["tag"] for row in connection.execute(used))


def clean_title(title: str) -> str:
    """Return a title as it is kept: on one line, not too long."""
    return on_one_line(title)[:LONGEST_TITLE].rstrip()


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags as they are kept: one form of each character, each once, none too long, not too many."""
    found = (on_one_line(unicodedata.normalize("NFKC", tag)).lstrip("#")[:LONGEST_TAG].strip() for tag in tags)
    return tuple(sorted(dict.fromkeys(tag for tag in found if tag)))[:MOST_TAGS]


_LATEST = 20
# Reports written anew, and searches for a follow-up question, are runs of another kind.
_ALIKE = """
    SELECT seconds, json_extract(record, '$.usage') AS usage, json_extract(started.body, '$.sources') AS sources
    FROM runs JOIN events AS started ON started.run = runs.id AND started.type = 'run_started'
    WHERE state = ? AND analyst = ? AND record IS NOT NULL
        AND coalesce(json_extract(brief, '$.preset'), ?) = ?
        AND coalesce(json_extract(brief, '$.method'), ?) = ?
        AND coalesce(json_extract(started.body, '$.rewritten_from'), '') = ''
        AND coalesce(json_extract(started.body, '$.follow_up_to'), '') = ''
"""


def past_runs(store: RunStore, brief: Brief, analyst: str, *, web: bool) -> Sequence[PastRun]:
    """Return the latest complete runs of the brief's preset and method by `analyst`, with the web or without it."""
    with store.database.reading() as connection:
        rows = connection.execute(
            f"{_ALIKE} AND {store.own} ORDER BY created_at DESC LIMIT ?",
            (
                RunState.COMPLETE.value,
                analyst,
                PresetName.QUALITY.value,
                brief.preset.value,
                PRESETS[brief.preset].method.value,
                method_of(brief).value,
                _LATEST,
            ),
        ).fetchall()
    alike = [row for row in rows if any(SourceName(name).is_open for name in json.loads(row["sources"])) is web]
    usages = [(row["seconds"], json.loads(row["usage"] or "{}")) for row in alike]
    own = [(seconds, usage) for seconds, usage in usages if _paid_its_own(usage)]
    return [
        PastRun(seconds, _tokens(usage), sum(used.get("searches_usd", 0.0) for used in usage.values()))
        for seconds, usage in (own if len(own) >= ENOUGH else usages)
    ]


def _paid_its_own(usage: dict[str, dict[str, Any]]) -> bool:
    """Whether a run had most summaries made: one that took them from the cache says little of a new question."""
    made = usage.get(Role.SUMMARIZATION.value, {})
    return bool(made.get("calls", 0) >= made.get("cached", 0))


def _tokens(usage: dict[str, dict[str, int]]) -> dict[Role, RoleTokens]:
    """Return the tokens of each role; one that only another version knows counts nothing."""
    known = {role.value for role in Role}
    return {
        Role(name): RoleTokens(used.get("input_tokens", 0), used.get("output_tokens", 0))
        for name, used in usage.items()
        if name in known
    }


_AROUND = 48
"""Characters shown on either side, wide ones counting two."""
_ADDRESS = re.compile(r"\[\d+\]: ")
"""Begins a line that only says where a numbered link leads."""
_LINK = re.compile(r"\[(?![\d, ]+\])([^\[\]]+)\](?:\[\d+\]|\((?:<[^>]{0,4000}>|[^()\s]{0,4000})\))")
_MARKUP = re.compile(r"^[#>\s*\-|]+|\*\*|`|\\(?=\W)|(?:\s{0,4}\[[\d, ]{1,60}\](?:\([^)]{0,4000}\))?)+")


class MatchPlace(StrEnum):
    """In what a word was found."""

    REPORT = "report"
    SOURCE = "source"


@dataclass(frozen=True)
class Excerpt:
    """A word that was found, and what stands around it."""

    place: MatchPlace
    before: str
    found: str
    after: str


def excerpt(store: RunStore, run: RunSummary, words: str) -> Excerpt | None:
    """Return the first place of a word that the run's name does not hold; None if it holds them all.

    Raises:
        UsageError: there is no such run any more.
        StoreError: the store cannot be read.
    """
    name = folded(f"{run.title}\n{run.question}")
    wanted = [part for part in query_parts(words) if part not in name]
    if not wanted:
        return None
    if found := _first(wanted, MatchPlace.REPORT, _lines(store.markdown(run.id) or "")):
        return found
    with store.reading(run.id) as connection:
        sources = [text for source in _word_sources(connection, run.id) for text in source]
    return _first(wanted, MatchPlace.SOURCE, sources)


def _lines(markdown: str) -> Iterator[str]:
    """Yield the lines of a report as they are read: without markup, and of a link its words alone."""
    for line in markdown.splitlines():
        if not _ADDRESS.match(line):
            yield _MARKUP.sub("", _LINK.sub(r"\1", line))


def _first(wanted: list[str], place: MatchPlace, texts: Iterable[str]) -> Excerpt | None:
    for text in texts:
        plain = folded(text)
        for part in wanted:
            if (match := re.search(_pattern(part), plain)) is not None:
                return _cut(place, text, match.start(), match.end())
    return None


def _pattern(part: str) -> str:
    """Return what finds a part: a Latin word by its beginning, other text anywhere."""
    start = r"\b" if part[0].isascii() and part[0].isalnum() else ""
    return start + r"\s+".join(map(re.escape, part.split()))


def _cut(place: MatchPlace, text: str, start: int, end: int) -> Excerpt:
    """Return the place in `text` whose folded form has the word from `start` to `end`."""
    if len(folded(text)) != len(text):
        ends = list(accumulate(len(folded(character)) for character in text))
        start, end = _offset(ends, start), _offset(ends, end - 1) + 1
    around = _AROUND if text.isascii() else _AROUND // 2
    first, last = max(0, start - around), min(len(text), end + around)
    return Excerpt(
        place,
        ("…" if first else "") + text[first:start].lstrip(),
        text[start:end],
        text[end:last].rstrip() + ("…" if last < len(text) else ""),
    )


def _offset(ends: list[int], folded_offset: int) -> int:
    """Return the character of a text in whose folded form an offset lies."""
    return next((place for place, end in enumerate(ends) if end > folded_offset), len(ends) - 1)
