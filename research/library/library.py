"""A folder of documents that can be searched."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, count, repeat, zip_longest
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from research.core import StoreError, UsageError
from research.documents import (
    PAGE_BREAK,
    Document,
    UnreadableFile,
    load,
    query_weights,
    tokenise,
)
from research.language import Language
from research.library.apart import RECOGNISING_SECONDS, Reading, ReadingStopped, Stop, read_apart, recogniser
from research.library.extremes import (
    compared_labels,
    extremes,
    is_extreme,
    is_of_less,
    nearest_column,
    rows_about,
    said_in_other_words,
    told_of_all,
)
from research.library.folders import Skipped, noted, page_numbers, scan
from research.library.index import (
    UNFINISHED,
    DamagedIndex,
    FileReading,
    FolderEntry,
    IndexStore,
    Known,
    Labelled,
    Snapshot,
    index_file,
)
from research.meaning import LOOKED_AT, Meaning
from research.settings import Settings
from research.text import (
    MOST_WITHIN,
    are_data,
    expand,
    language_of,
    lies_elsewhere,
    names_in,
    question_parts,
    regions_in,
)


def place_url(url: str, text: str, start: int, end: int) -> str:
    """Return the address of `text[start:end]`, where `text` is what the library read from the file at `url`.

    PDF: `#page=3`. Plain text and Markdown: `#char=120,180` (RFC 5147). Tables: `#row=7` (RFC 7111). Whatever else:
    the address as it is.
    """
    address = urlsplit(url)
    if address.scheme != "file":
        return url
    match unquote(address.path).lower().rpartition(".")[2]:
        case "pdf":
            return f"{url}#page={text.count(PAGE_BREAK, 0, start) + 1}"
        case "md" | "markdown" | "txt" | "text":
            return f"{url}#char={start},{end}"
        case "csv" | "tsv":
            return f"{url}#row={_row(text, start)}"
    return url


def _row(text: str, start: int) -> int:
    """Return the number of the row at `start`, counted from 1 and with the header row, which `text` leaves out."""
    return text.count("\n", 0, start) + 2


Progress = Callable[[int, int], None]
"""Told how many files of how many are done."""
Stored = Callable[[int], tuple[Path, Document] | None]
"""Returns a document by its number, with where it lies; None if it has changed since."""
_T = TypeVar("_T")

_ADDED_WEIGHT = 0.7
"""Weight of terms that the expansion of a query added, where its own have 1."""
_TITLE_WEIGHT = 0.6
"""Weight of terms in the title of a document, where those in the passage have 1."""
_OPENING = 3
"""Passages in which a document says whose it is."""
_OF_ONE = 0.5
"""Share of the documents up to which a word of their beginnings tells whose they are."""
_CAPITALISED = re.compile(r"\b[A-Z][\w&-]+")
"""What may be a name; the first word of a query as well."""
_EXTREMES, _FIRST = 12, 1_000.0
"""Highest or lowest values that answer a query for them, and the score of the first: they come before words."""
_FILES = 2
"""Data files with rows on a place asked for that stand behind the best hit."""
_WIDER = 20
"""How many times as many passages are looked at where a query asks of a part of the world."""
_ABROAD, _COMPARED, _FOREIGN = 2, 16, 400
"""Passages in the other language that stand behind the best hit, how many are compared closely for them (each takes
30 ms the first time and more), and up to how many documents: of each it must be told what language it is in."""
_OF_TIME, _TIMELY = 4, 1_000.0
"""Passages of documents of each month or year asked for that stand behind the best hit, and what puts those in the
other language before all others to be compared."""
_TRIES = 5
"""How often a search starts again because files changed under it."""
_BATCH_FILES, _BATCH_SECONDS = 400, 0.5
"""How much is read before it is written to the index: a file that took long is written as soon as it is read."""
_PICTURED, _PICTURED_LONG = "file_pictured", "file_pictured_long"
"""Notes on files of which some pages are pictures: nothing here recognises text, or no time was left for them."""
_FATAL = frozenset({"file_slow", "file_heavy", "file_fatal", UNFINISHED})
"""Codes of files that did harm to what read them, or may have: they are not read again unasked."""


class Hit(NamedTuple):
    """A passage that answers a query: `text == library.text(path)[start:end]`."""

    path: Path
    start: int
    end: int
    text: str
    score: float
    """Comparable within the hits of one query."""
    answers: bool = False
    """Whether it is a value of what the query asks of all: the highest, or one that keeps to a limit."""
    is_asked: bool = False
    """Whether it is one of all that the query asks for, or that keep to its limit: each is wanted."""
    is_wanted: bool = False
    """Whether what is asked needs it beside others: one of the lines by which a country is judged."""


class IndexReport(NamedTuple):
    """What the index of a folder holds."""

    files: int
    passages: int
    skipped: tuple[Skipped, ...]
    noted: tuple[Skipped, ...] = ()
    """Files that were read but for some pages."""


class Library:
    """Full-text search over the Markdown, text, HTML, PDF, Word and CSV files of a folder.

    Files are read once and again only when they change, in processes of their own that end if a file does harm. The
    index is kept outside the folder. One instance may be used by several threads at once, and several processes may use
    the same folder.
    """

    def __init__(
        self,
        folder: str | Path,
        index_home: Path | None = None,
        *,
        meaning: Meaning | None = None,
    ) -> None:
        """Open a library; nothing is read before the first search or refresh.

        Args:
            folder: the folder; all folders below it belong to it, hidden files and links do not.
            index_home: where indexes are kept; by default below `RESEARCH_HOME`.
            meaning: tells which values a query for the highest or lowest is about, and which passages in the other
                language it is about, where words do not.

        Raises:
            UsageError: there is no such folder.
        """
        self.folder = Path(folder).expanduser().resolve()
        self._check_folder()
        home = (index_home or Settings.from_environment().home / "library").expanduser().resolve()
        self._leave_out = home
        self._store = IndexStore(index_file(self.folder, home))
        self._meaning = meaning
        self._lock = RLock()
        self._snapshot: Snapshot | None = None
        self._languages: dict[int, Language] = {}
        """Of documents by their numbers."""

    def refresh(
        self, progress: Progress | None = None, *, again: bool = False, stop: Stop = lambda: False
    ) -> IndexReport:
        """Read what is new or changed, forget what is gone, and say what the library holds.

        Args:
            progress: is told how far it is.
            again: also read those files again that were too slow, took too much memory or broke their reader.
            stop: whether reading is to end; what is left then is named as `file_waiting` and read the next time.

        Raises:
            UsageError: the folder is gone.
            StoreError: the index cannot be written.
        """
        self._check_folder()
        with self._lock:
            return self._mended(lambda: self._refresh(progress, again, stop))

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """Return up to `k` passages, best first. The first search of an instance refreshes the index.

        Raises:
            UsageError: the folder is gone.
            StoreError: the index cannot be read.
        """
        with self._lock:
            if self._snapshot is None:
                self.refresh()
            return self._mended(lambda: self._search(query, k))

    def document(self, path: str | Path) -> Document:
        """Return a document of the library with title and date, as it was when the index last read it.

        Raises:
            UsageError: the library holds no such document.
        """
        wanted = self.folder / path
        stored = self._mended(lambda: self._store.document(wanted))
        if stored is None:
            raise UsageError(f"The library {self.folder} holds no document {path}.")
        return stored[1]

    def text(self, path: str | Path) -> str:
        r"""Return the text of a document: for Markdown and text files their content, with `\n` as line end.

        Raises:
            UsageError: the library holds no such document.
        """
        return self.document(path).text

    def compared(self) -> list[str]:
        """Return the labels and passages that searches compare by meaning whatever they ask, in either language.

        Errors are those of `search`.
        """
        with self._lock:
            self.refresh()
            return self._mended(self._compared)

    def _check_folder(self) -> None:
        if not self.folder.is_dir():
            raise UsageError(f"There is no folder {self.folder}.")

    def _mended(self, use: Callable[[], _T]) -> _T:
        """Return what `use` returns; if the index is damaged, build it anew first."""
        try:
            return use()
        except DamagedIndex:
            with self._lock:
                self._store.remove()
                self._snapshot = None
        try:
            with self._lock:
                self._refresh(None)
                return use()
        except DamagedIndex as error:
            raise StoreError(f"The index of {self.folder} cannot be kept: {error}.") from error

    def _refresh(self, progress: Progress | None, again: bool = False, stop: Stop = lambda: False) -> IndexReport:
        found = scan(self.folder, self._leave_out)
        known = self._store.known()
        present = {entry.path for entry in found.files}
        can_recognise = recogniser() is not None
        forgotten = {
            path
            for path, one in known.items()
            if path not in present
            or (again and one.code in _FATAL)
            or (can_recognise and (one.code == "file_scanned" or one.note == _PICTURED))
        }
        if forgotten:
            self._store.write([], forgotten)
            known = {path: one for path, one in known.items() if path not in forgotten}
        same = {path for path, one in known.items() if one.code != "file_unreadable"}
        changed = [one for one in found.files if one.path not in same or one.differs(known[one.path])]
        unread = self._read(sorted(changed, key=_effort), known, len(found.files), progress, stop)
        self._snapshot = self._store.snapshot(self._snapshot)
        if progress is not None:
            progress(len(found.files), len(found.files))
        known = self._store.known() if changed else known
        skipped = {path: one.code for path, one in known.items() if one.code is not None}
        skipped |= dict.fromkeys(unread, "file_waiting") | dict.fromkeys(found.closed, "file_unreadable")
        named = tuple(sorted(Skipped(path, code) for path, code in skipped.items()))
        return IndexReport(self._snapshot.files, self._snapshot.bodies.size, named, tuple(noted(known)))

    def _read(
        self, changed: list[FolderEntry], known: dict[Path, Known], total: int, progress: Progress | None, stop: Stop
    ) -> list[Path]:
        """Read changed files and write them to the index, some at a time; return what was left when told to stop."""
        readings: list[FileReading] = []
        same: list[FolderEntry] = []
        unread: list[Path] = []
        written_at = monotonic()
        for left, entry in zip(range(len(changed) - 1, -1, -1), changed, strict=True):
            try:
                reading = self._reading(entry, known.get(entry.path), stop)
                if reading is None:
                    same.append(entry)
                else:
                    readings.append(reading)
            except ReadingStopped:
                if stop():
                    unread.append(entry.path)
            if left == 0 or len(readings) >= _BATCH_FILES or monotonic() - written_at > _BATCH_SECONDS:
                if readings:
                    self._store.write(readings, [])
                readings, written_at = [], monotonic()
            if progress is not None and left:
                progress(total - left, total)
        if same:
            self._store.touch(same)
        return unread

    def _reading(self, entry: FolderEntry, known: Known | None, stop: Stop) -> FileReading | None:
        """Read a file; return None if its content is what is known already.

        Raises:
            ReadingStopped: it was told to stop, or the file is being read for another run.
        """
        sha256, noted, is_done = "", False, False

        def found(code: str | None, reading: Reading | None = None) -> FileReading:
            left = reading.document.pictures if reading is not None else ()
            note = (_PICTURED if recogniser() is None else _PICTURED_LONG) if left else None
            known = Known(entry.size, entry.mtime_ns, sha256, code, note, page_numbers(left))
            return FileReading(entry.path, known, reading)

        def slow() -> bool:
            nonlocal noted
            noted = self._store.note(found(UNFINISHED))
            return not noted

        if stop():
            raise ReadingStopped
        try:
            data = load(entry.path, entry.size)
            sha256 = hashlib.sha256(data).hexdigest()
            if known is not None and known.sha256 == sha256:
                return None
            reading = read_apart(entry.path, data, cut_up=True, recognises=RECOGNISING_SECONDS, stop=stop, slow=slow)
            is_done = True
        except UnreadableFile as error:
            is_done = True
            return found(error.code)
        finally:
            if noted and not is_done:
                self._store.write([], [entry.path])
        return found(None, reading)

    def _search(self, query: str, k: int) -> list[Hit]:
        for _ in range(_TRIES):
            self._snapshot = self._snapshot or self._store.snapshot()
            hits = self._hits(self._snapshot, query, k)
            if hits is not None:
                told = [*self._asked(query, k), *self._in_other_words(query)]
                return [*told, *hits[:1], *self._rows(query), *hits[1:]][: max(k, 0)]
            self._refresh(None)  # another process has read files anew since: their texts are others now
        raise StoreError(f"The documents in {self.folder} change faster than they can be searched.")

    def _hits(self, snapshot: Snapshot, query: str, k: int) -> list[Hit] | None:
        """Return the hits, or None if a text that the snapshot speaks of is no longer kept."""
        weights = self._weights(query)
        scores = snapshot.bodies.scores(weights) + _TITLE_WEIGHT * snapshot.titles.scores(weights)
        scores += _of_named(query, snapshot, weights)
        document = cache(self._store.document)
        told = [
            passage
            for passage in self._within(query, snapshot, self._ordered(snapshot, query, document, scores), max(k, 0))
            if scores[passage] > 0 or self._sees_all(scores)
        ]
        times = self._of_times(query, snapshot)
        timely = _best_of_times(scores, times, max(k, 0) // 2)
        hits: list[Hit] = []
        abroad = self._abroad(snapshot, query, document, scores, times)
        for passage in dict.fromkeys([*told[:1], *abroad, *timely, *told[1:]]):
            stored = document(int(snapshot.owners[passage]))
            if stored is None:
                return None
            start, end = _place(snapshot, passage)
            hits.append(_hit(stored, start, end, float(scores[passage])))
        return hits

    def _ordered(self, snapshot: Snapshot, query: str, document: Stored, scores: NDArray[np.float64]) -> list[int]:
        """Return the passages, best first, by words and, but for data, by meaning."""
        by_words: list[int] = np.argsort(-scores, kind="stable").tolist()
        first = [passage for passage in by_words[:LOOKED_AT] if scores[passage] > 0 or self._sees_all(scores)]
        texts = _texts(snapshot, first, document) if self._meaning is not None else {}
        if self._meaning is None or are_data(texts.values()):
            return by_words
        looked_at = list(texts)
        both = self._meaning.at_a_glance(query, list(texts.values()), scores[looked_at].tolist())
        return [*(looked_at[place] for place in both), *by_words[len(first) :]]

    def _sees_all(self, scores: NDArray[np.float64]) -> bool:
        """Whether there are so few passages that all are looked at: what answers may have no word of the query."""
        return self._meaning is not None and len(scores) <= LOOKED_AT

    def _of_times(self, query: str, snapshot: Snapshot) -> list[NDArray[np.bool_]]:
        """Return which passages stand in documents of each month, else year, that is asked for: minutes, say.

        Documents on a fiscal year are of other dates; where most are of one year it tells nothing.
        """
        times = question_parts(query).times
        dated = self._store.dated() if times else {}
        of_times = [[file for file, day in dated.items() if day.startswith(time)] for time in times]
        return [np.isin(snapshot.owners, files) for files in of_times if 0 < len(files) <= _OF_ONE * snapshot.files]

    def _abroad(
        self,
        snapshot: Snapshot,
        query: str,
        document: Stored,
        scores: NDArray[np.float64],
        times: Sequence[NDArray[np.bool_]],
    ) -> list[int]:
        """Return the passages in the other language that come nearest by meaning, also of each time asked for.

        Words find few of them.
        """
        if self._meaning is None or not self._meaning.is_there:
            return []
        first = np.logical_or.reduce(times) if times else np.zeros(len(scores), dtype=bool)
        texts = self._foreign(snapshot, language_of(query), document, scores + _TIMELY * first)
        glance = self._meaning.at_a_glance(query, list(texts.values()), scores[list(texts)].tolist())
        looked_at = [list(texts)[place] for place in glance]
        of_time = [one for one in looked_at if first[one]][:_COMPARED]
        compared = {one: texts[one] for one in dict.fromkeys([*looked_at[:_COMPARED], *of_time])}
        near = self._meaning.nearness(query, list(compared.values()))
        if near is None:
            return []
        ordered = [list(compared)[place] for place in np.argsort(-near, kind="stable")]
        of_times = (passage for of_time in times for passage in [one for one in ordered if of_time[one]][:_ABROAD])
        return list(dict.fromkeys([*ordered[:_ABROAD], *of_times]))

    def _foreign(
        self, snapshot: Snapshot, asked: Language, document: Stored, scores: NDArray[np.float64]
    ) -> dict[int, str]:
        """Return the passages in another language than is `asked` in that are compared by meaning, with their texts.

        Of more than can be compared those are that words tell, then the beginnings of documents.
        """
        if snapshot.files > _FOREIGN:
            return {}
        owners, first = np.unique(snapshot.owners, return_index=True)
        foreign = [owner for owner in owners.tolist() if self._language(owner, document) is not asked]
        begins = np.isin(np.arange(len(scores)), first)
        among = np.flatnonzero(np.isin(snapshot.owners, foreign))
        among = among[np.lexsort((~begins[among], -scores[among]))][:LOOKED_AT]
        return _texts(snapshot, sorted(among.tolist()), document)

    def _compared(self) -> list[str]:
        snapshot, document = self._store.snapshot(self._snapshot), cache(self._store.document)
        unasked = np.zeros(len(snapshot.owners))
        foreign = [self._foreign(snapshot, asked, document, unasked).values() for asked in Language]
        return [*compared_labels(self._store), *chain.from_iterable(foreign)]

    def _language(self, owner: int, document: Stored) -> Language:
        if owner not in self._languages:
            stored = document(owner)
            self._languages[owner] = language_of(stored[1].text if stored else "")
        return self._languages[owner]

    def _within(self, query: str, snapshot: Snapshot, best: Sequence[int], k: int) -> Sequence[int]:
        """Return the first `k` passages; where a query asks of a part of the world, files on places elsewhere last."""
        parts = regions_in(query)
        if not parts or names_in(query):
            return best[:k]
        near = best[: _WIDER * k]
        titles = self._store.titles({int(snapshot.owners[passage]) for passage in near})
        elsewhere = {owner for owner, title in titles.items() if lies_elsewhere(title, parts)}
        return sorted(near, key=lambda passage: int(snapshot.owners[passage]) in elsewhere)[:k]

    def _asked(self, query: str, k: int) -> list[Hit]:
        """Return where the highest or lowest values stand, or what is told of all, where that is asked for."""
        asked = question_parts(query)
        most = MOST_WITHIN if asked.is_bounded else asked.first_few
        is_asked = most is not None
        column = nearest_column(query, self._store.columns(), self._meaning) if is_extreme(query) else None
        if column is not None and not is_of_less(query, column, self._store):
            values = extremes(query, self._store.values(column), min(k, most or _EXTREMES))
        else:
            values, is_asked = told_of_all(query, self._store, min(k, MOST_WITHIN)), True
        held = self._held(values, count(_FIRST, -1))
        return [hit._replace(answers=True, is_asked=is_asked) for hit in held]

    def _in_other_words(self, query: str) -> list[Hit]:
        """Return where it is said of a place what the query asks in words that no label has."""
        told = said_in_other_words(query, self._store, self._meaning)
        held = ((one, self._held([one.line], [score])) for one, score in zip(told, count(_FIRST, -1), strict=False))
        return [hit._replace(answers=one.is_sure, is_wanted=one.is_wanted) for one, hits in held for hit in hits]

    def _rows(self, query: str) -> list[Hit]:
        """Return where data files begin to speak of a place asked for; whoever reads them finds the figure."""
        return self._held(rows_about(query, self._store, self._meaning, _FILES), repeat(0.0))

    def _held(self, values: Sequence[Labelled], scores: Iterable[float]) -> list[Hit]:
        """Return where values stand, of files that are still there."""
        return [
            _hit(stored, value.start, value.end, score)
            for value, score in zip(values, scores, strict=False)
            if (stored := self._store.document(value.file))
        ]

    def _weights(self, query: str) -> dict[str, float]:
        # What is asked may have a name that the query does not say: population, of how many people live there.
        named = " ".join([query, *question_parts(query).attributes])
        added = query_weights(expand(named))
        return {token: _ADDED_WEIGHT * weight for token, weight in added.items()} | query_weights(named)


def _of_named(query: str, snapshot: Snapshot, weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Return what passages gain that stand in documents of somebody asked for: few of them say again whose they are.

    A document says at its beginning, or in its title, whose it is; whoever mentions somebody elsewhere is not theirs.
    """
    gained = np.zeros(len(snapshot.owners))
    known = names_in(query)
    places = " ".join(form for name in known if name.is_place for form in name.forms)
    words = [word for word in _CAPITALISED.findall(query) if word.casefold() not in places]
    named = (*(f"{name.en} {name.ja}" for name in known if not name.is_place), *words)
    if not named:
        return gained
    _, first, of = np.unique(snapshot.owners, return_index=True, return_inverse=True)
    openings = [np.minimum(first + place, len(gained) - 1) for place in range(_OPENING)]
    for name in named:
        said = {token: weights[token] for token in tokenise(name) if token in weights}
        if not said:
            continue
        own = snapshot.bodies.scores(said)
        opening = np.maximum.reduce([own[passages] for passages in openings])
        is_of = (snapshot.titles.scores(said)[first] > 0) | (opening > 0)
        if 0 < is_of.sum() <= _OF_ONE * len(first):
            gained = np.maximum(gained, np.where(is_of[of], np.maximum(opening.max() - own, 0.0), 0.0))
    return gained


def _best_of_times(scores: NDArray[np.float64], times: Sequence[NDArray[np.bool_]], at_most: int) -> list[int]:
    """Return the best passages of each time that have a word of the query, the first of each before any second."""
    told = [np.flatnonzero(of_time & (scores > 0)) for of_time in times]
    ordered = [among[np.argsort(-scores[among], kind="stable")].tolist()[:_OF_TIME] for among in told]
    return [passage for places in zip_longest(*ordered) for passage in places if passage is not None][:at_most]


def _texts(snapshot: Snapshot, passages: Iterable[int], document: Stored) -> dict[int, str]:
    """Return passages as they are compared, with the titles of their documents, if those are still there."""
    texts: dict[int, str] = {}
    for passage in passages:
        if (stored := document(int(snapshot.owners[passage]))) is not None:
            start, end = _place(snapshot, passage)
            texts[passage] = f"{stored[1].title}: {stored[1].text[start:end]}"
    return texts


def _place(snapshot: Snapshot, passage: int) -> tuple[int, int]:
    start, end = (int(offset) for offset in snapshot.places[passage])
    return start, end


def _hit(stored: tuple[Path, Document], start: int, end: int, score: float) -> Hit:
    path, document = stored
    return Hit(path, start, end, document.text[start:end], score)


def _effort(entry: FolderEntry) -> tuple[bool, int]:
    """Return what files are read in order of, so that one that takes long keeps none waiting that does not."""
    return entry.path.suffix.lower() in (".pdf", ".docx", ".html", ".htm", ".xhtml"), entry.size
