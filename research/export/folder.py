"""The folder of a run: written while it goes on, and one from elsewhere read back.

What is read may have been made to deceive, so that all of it is checked and proved again.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, NamedTuple, NoReturn, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from research import core, results
from research.export.markdown import report_markdown
from research.language import Bilingual, Language, Phrase, is_own_text
from research.verification import Label

# --- the bounds of what it may say: dates, numbers and names that cannot be are refused ------------------------------

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=2)
"""How far the clocks of two machines may differ, time zones included."""
_LARGEST_NUMBER = 2**53
"""Beyond, programs that read JSON no longer agree on a number."""
_DEEPEST = 60
_LONGEST_TEXT = 400_000
"""Characters of a report and of all that was answered about it: four times a report of thirty pages."""
_PUBLISHED = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ][\d:.+Z-]{1,24})?)?)?")


def check_json(data: bytes | str) -> None:
    """Check that JSON is neither deep nor holds numbers or characters that break what reads it later.

    Raises:
        ValueError: it does, or is no JSON.
    """
    try:
        told = json.loads(data, parse_int=_number, parse_float=_number, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("too deep") from error
    waiting: list[tuple[Any, int]] = [(told, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError("too deep")
        if isinstance(value, dict):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list):
            waiting += [(one, depth + 1) for one in value]
        elif isinstance(value, str) and "\x00" in value:
            raise ValueError("a null character")


def _number(digits: str) -> float:
    number = float(digits[:400])
    if not abs(number) <= _LARGEST_NUMBER:
        raise ValueError(f"the number {digits[:20]}")
    return number


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def check_moments(moments: Iterable[datetime | None]) -> None:
    """Check that moments lie between the year 2000 and now.

    Raises:
        ValueError: one does not.
    """
    latest = datetime.now(UTC) + _AHEAD
    for moment in moments:
        if moment is not None and not _EARLIEST <= _aware(moment) <= latest:
            raise ValueError(f"the moment {moment}")


def checked_event(line: str | bytes) -> core.AnyEvent:
    """Return the event of a line of JSON.

    Raises:
        ValueError: it is none, or its JSON or a moment that it names cannot be.
    """
    check_json(line)
    event = core.parse_event(line)
    check_moments(value for value in dict(event).values() if isinstance(value, datetime))
    return event


def stands(quote: core.Evidence | core.EvidenceFound, pages: Mapping[str, core.Page]) -> bool:
    """Whether a quote stands in its page, word for word at its place."""
    page = pages.get(quote.source)
    return page is not None and page.text[quote.start : quote.end] == quote.quote


def check_page(page: core.Page) -> None:
    """Check the dates and the address of a page.

    Raises:
        ValueError: one is no date that could be shown, or the address holds a user name, which misleads.
    """
    parts = urlsplit(page.url)
    if parts.username is not None or parts.password is not None:
        raise ValueError("an address with a user name or a password")
    check_moments([page.fetched_at])
    if page.published is not None and not _PUBLISHED.fullmatch(page.published):
        raise ValueError(f"the date {page.published[:40]}")


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def check_record(record: results.RunRecord, events: Iterable[core.AnyEvent], pages: Mapping[str, core.Page]) -> None:
    """Check that a record names only what it holds, and that its events make a run.

    Raises:
        Exception: of whatever kind, if it does not.
    """
    check_moments([datetime.fromisoformat(record.started_at)])
    events = tuple(events)
    answers = sum(len(event.draft) for event in events if isinstance(event, core.FollowUpAnswered))
    if len(record.draft) + answers > _LONGEST_TEXT:
        raise ValueError("a report far longer than any")
    names = [entry.id for entry in record.evidence]
    sources = [source.id for source in record.sources]
    if len(set(names)) < len(names) or len(set(sources)) < len(sources):
        raise ValueError("an id that is there twice")
    cited = {name for sentence in record.sentences for name in sentence.evidence}
    cited.update(name for one in record.left_out for name in one.evidence)
    if not cited <= set(names):
        raise ValueError("evidence that is not there")
    for source in record.sources:
        if source != results.SourceEntry.of(pages[source.id], source.number):
            raise ValueError(f"the source {source.id} is another page")
    core.RunView().extend(events)


# --- the folder of a run -----------------------------------------------------------------------------------------

_RECORD, _REPORT, _EVENTS, _PAGES = "run.json", "report.md", "events.jsonl", "pages"
RUN_FILES = frozenset({_RECORD, _REPORT, _EVENTS, _PAGES})
"""What a run itself writes into its folder."""
_LARGEST = 64 * 2**20
"""Bytes that one file may have."""
_HASH = re.compile(r"[0-9a-f]{64}")
_FORMAT = 1

_NOT_A_RUN = Phrase("{folder} is no folder of a run: {name} is missing. Give the folder that `run --out` wrote.")
_UNREADABLE = Phrase("{file} cannot be read: {reason}.")
_NEWER = Phrase("{file} was written by a newer version of the program (format {found}; this one reads {known}).")
_DAMAGED = Phrase("{file} is damaged or was altered: {what}.")
_WRONG_FIELD = Phrase("{field} is not as expected")
_WRONG_HASH = Phrase("its text is not the one that was read")
_WRONG_PARTS = Phrase("its dates, numbers or names do not fit together")


class _Version(BaseModel):
    format: int
    run: str


def load_folder(
    folder: Path, language: Language = Language.EN, is_own: Callable[[results.RunRecord], bool] = lambda _: False
) -> results.Report:
    """Return the report of a run's folder; errors are told in `language`.

    Every page is held against its hash and every quote against its page; verdicts and the report itself are made anew.
    What the record says of its writers is marked as a claim unless it `is_own`: the user's own run.

    Raises:
        UsageError: the folder is missing or not that of a run, or a file of it is missing, newer, damaged or altered.
    """
    return _FolderReader(folder, language).report(is_own)


class _FolderReader:
    def __init__(self, folder: Path, language: Language) -> None:
        self._folder = folder
        self._language = language

    def report(self, is_own: Callable[[results.RunRecord], bool]) -> results.Report:
        if not self._folder.is_dir():
            self._refuse(Phrase("There is no folder {folder}."), folder=self._folder)
        record = self._record()
        self._text(_REPORT)
        events = self._events()
        pages = {entry.id: self._page(entry) for entry in record.sources}
        for entry in record.evidence:
            self._check_quote(_RECORD, entry, pages)
        for event in events:
            if isinstance(event, core.EvidenceFound):
                self._check_quote(_EVENTS, event, pages)
        try:
            check_record(record, events, pages)
            record, markdown, history = proved_again(record, events, pages, is_own=is_own(record))
        except Exception:  # noqa: BLE001 - whatever a record made to harm breaks, it is damaged
            self._damaged(_RECORD, _WRONG_PARTS)
        return results.Report(record=record, markdown=markdown, history=tuple(history), pages=pages)

    def _check_quote(
        self, part: str, quote: core.Evidence | core.EvidenceFound, pages: Mapping[str, core.Page]
    ) -> None:
        if not stands(quote, pages):
            self._damaged(part, Phrase("quote {name} does not stand in its page"), name=quote.id)

    def _record(self) -> results.RunRecord:
        data = self._bytes(_RECORD)
        file = self._folder / _RECORD
        try:
            check_json(data)
            version = _Version.model_validate_json(data)
        except ValueError:
            self._refuse(Phrase("{file} is not the record of a run."), file=file)
        if version.format > _FORMAT:
            self._refuse(_NEWER, file=file, found=version.format, known=_FORMAT)
        try:
            return results.RunRecord.model_validate_json(data)
        except ValidationError as error:
            self._damaged(_RECORD, _WRONG_FIELD, field=".".join(str(part) for part in error.errors()[0]["loc"]))

    def _events(self) -> tuple[core.AnyEvent, ...]:
        lines = self._text(_EVENTS).split("\n")
        events = []
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    events.append(checked_event(line))
                except ValueError:
                    self._damaged(_EVENTS, Phrase("line {number} is no event that is known"), number=number)
        return tuple(events)

    def _page(self, entry: results.SourceEntry) -> core.Page:
        if not _HASH.fullmatch(entry.sha256):
            self._damaged(_RECORD, _WRONG_FIELD, field=f"sources.{entry.id}.sha256")
        name = f"{_PAGES}/{entry.sha256}.txt"
        try:
            text = self._bytes(name).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            self._damaged(name, _WRONG_HASH)
        if core.text_hash(text) != entry.sha256:
            self._damaged(name, _WRONG_HASH)
        try:
            page = core.Page.model_validate({**entry.model_dump(exclude={"number"}), "text": text})
        except ValidationError as error:
            field = ".".join(str(part) for part in error.errors()[0]["loc"])
            self._damaged(_RECORD, _WRONG_FIELD, field=f"sources.{entry.id}.{field}")
        try:
            check_page(page)
        except ValueError:
            self._damaged(_RECORD, _WRONG_PARTS)
        return page

    def _text(self, name: str) -> str:
        try:
            return self._bytes(name).decode("utf-8")
        except UnicodeDecodeError as error:
            self._refuse(_UNREADABLE, file=self._folder / name, reason=error.reason)

    def _bytes(self, name: str) -> bytes:
        file = self._folder / name
        if not file.is_file() or file.is_symlink() or file.parent.is_symlink():  # a run writes no links
            self._refuse(_NOT_A_RUN, folder=self._folder, name=name)
        try:
            with file.open("rb") as opened:
                data = opened.read(_LARGEST + 1)
        except OSError as error:
            self._refuse(_UNREADABLE, file=file, reason=error.strerror)
        if len(data) > _LARGEST:
            self._refuse(Phrase("{file} is too large."), file=file)
        return data

    def _damaged(self, part: str, what: Bilingual, **named: object) -> NoReturn:
        self._refuse(_DAMAGED, file=self._folder / part, what=what.in_(self._language).format(**named))

    def _refuse(self, words: Bilingual, **named: object) -> NoReturn:
        raise core.UsageError(words.in_(self._language).format(**named))


# --- what it says, proved again ----------------------------------------------------------------------------------

RECOMPUTED = "verdicts_recomputed"
"""The code of the problem that says that a run from elsewhere claimed other verdicts than it has."""
_WRITER_BY_RULE = "extractive"
_SECONDS = 60.0
"""That proving a report may take: ten times what the longest one took."""


def proved_again(
    record: results.RunRecord, events: Sequence[core.AnyEvent], pages: Mapping[str, core.Page], *, is_own: bool = False
) -> tuple[results.RunRecord, str, list[core.AnyEvent]]:
    """Return a record with the verdicts that its pages bear out, its report, and events that say the same.

    Its text, and what was answered about it, is read and written back as that of any writer: it leads nowhere. Unless
    it `is_own`, what it says of its writers is marked as what its file claims.

    Raises:
        Exception: of whatever kind, if no report can be made of the record.
        TimeoutError: that takes too long.
    """
    last_moment = monotonic() + _SECONDS
    basis = _LimitedBasis(pages, record.ledger, last_moment)
    report = _proved(record.draft, record.writer, record.sentences, basis, is_own=is_own)
    later = _LimitedBasis(pages, core.RunView.of(events).evidence, last_moment)
    told, is_as_claimed = list(events), report.is_as_claimed
    for place, event in enumerate(events):
        if isinstance(event, core.FollowUpAnswered) and event.draft:
            answer = _proved(event.draft, event.writer, event.sentences, later, is_own=is_own)
            is_as_claimed = is_as_claimed and answer.is_as_claimed
            told[place] = _answered_again(event, answer, is_own=is_own)
    problems = record.problems
    if not is_as_claimed:
        said = results.Problem(stage=core.Stage.WRITING, code=RECOMPUTED)
        problems = (*(one for one in problems if one.code != RECOMPUTED), said)
    if _verdicts(report.sentences) != _verdicts(record.sentences) or not is_as_claimed:
        verified = {"counts": results.counts(report.sentences)}
        told = [one.model_copy(update=verified) if isinstance(one, core.ReportVerified) else one for one in told]
    proved = {"draft": report.draft, "sentences": report.sentences, "problems": problems}
    record = record.model_copy(update=proved | {"is_claimed": record.is_claimed or not is_own})
    models: Mapping[core.Role, str] = {}
    for event in told:
        if isinstance(event, (core.RunStarted, core.RunResumed)):
            models = event.models
    return record, report_markdown(record, pages, models), told


class _Proved(NamedTuple):
    draft: str
    sentences: tuple[core.Sentence, ...]
    is_as_claimed: bool
    """Whether the file says the same of them."""


def _proved(
    draft: str, writer: str, claimed: Sequence[core.Sentence], basis: results.ProofBasis, *, is_own: bool
) -> _Proved:
    """Read a text that `writer` is said to have written, and prove its sentences.

    Nobody knows that it was the program that wrote a text from elsewhere: what it would have said of its own work is
    held against the pages as well, unless the program says just that.
    """
    by_rule = writer == _WRITER_BY_RULE
    clean = core.cite(draft, basis.evidence, is_quoting=by_rule).draft if draft else ""
    sentences = results.prove_draft(clean, basis, by_rule=by_rule)
    shown = sentences
    if not is_own:
        framing = {one.start for one in sentences if one.reason_code == core.FRAMING and not is_own_text(one.text)}
        shown = tuple(basis.prove(one) if one.start in framing else one for one in sentences)
    return _Proved(clean, shown, _verdicts(claimed) in (_verdicts(sentences), _verdicts(shown)))


def _answered_again(event: core.FollowUpAnswered, answer: _Proved, *, is_own: bool) -> core.FollowUpAnswered:
    holds = any(one.verdict in (Label.SUPPORTED, Label.PARTIAL) for one in answer.sentences)
    proved = {"draft": answer.draft, "sentences": answer.sentences, "is_answered": event.is_answered and holds}
    return event.model_copy(update=proved | {"is_claimed": event.is_claimed or not is_own})


def _verdicts(sentences: Iterable[core.Sentence]) -> list[tuple[str, str | None]]:
    return [(sentence.text, sentence.verdict) for sentence in sentences]


@dataclass(frozen=True)
class _LimitedBasis(results.ProofBasis):
    """Proves sentences until a moment of the monotonic clock."""

    last_moment: float

    def prove(self, sentence: core.Sentence) -> core.Sentence:
        """Return the sentence with what the pages that it cites bear out of it."""
        if monotonic() > self.last_moment:
            raise TimeoutError("proving the report takes too long")
        return super().prove(sentence)


# --- written ----------------------------------------------------------------------------------------------------------

_UNUSABLE = Phrase("The folder {folder} cannot be written: {reason}.")


class OutFolder:
    """Writes `events.jsonl` while the run goes on, everything else at its end; a context manager."""

    def __init__(self, folder: Path, language: Language) -> None:
        """Make the folder; what an earlier run left there stays until this one begins.

        Raises:
            UsageError: it cannot be written.
        """
        self._folder = folder
        self._language = language
        self._events: BinaryIO | None = None
        self._is_whole = True
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / "pages").mkdir(mode=0o700, exist_ok=True)
            if (folder / "pages").is_symlink() or not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise core.UsageError(_said(folder, language, error)) from error

    @property
    def report(self) -> Path:
        """Where the report is written."""
        return self._folder / "report.md"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._events is not None:
            self._events.close()

    def add(self, event: core.AnyEvent) -> None:
        """Write one event. If that fails, the research goes on, and `finish` writes all events once more."""
        try:
            if self._events is None:
                self._events = _private(self._folder / "events.jsonl")
            self._events.write(_line(event).encode())
            self._events.flush()
        except OSError:
            self._is_whole = False

    def finish(self, report: results.Report) -> None:
        """Write report, record and pages, and the report as the file that the brief wants.

        Raises:
            StoreError: the folder cannot be written (any more).
            UsageError: what the format needs is not installed.
        """
        files = {"report.md": report.markdown, "run.json": report.record.model_dump_json(indent=2) + "\n"}
        files |= {f"pages/{page.sha256}.txt": page.text for page in report.pages.values()}
        if not self._is_whole:
            files["events.jsonl"] = "".join(map(_line, report.history))
        with writing(self._folder, self._language):
            for name, text in files.items():
                with _private(self._folder / name) as file:
                    file.write(text.encode("utf-8", "surrogatepass"))  # as it is, because pages are named by their hash
        self._write_wanted(report)

    def _write_wanted(self, report: results.Report) -> None:
        """Write the report as the file in which the brief wants it, unless that is one of the others."""
        wanted = report.record.brief.file_format
        if wanted is None or (name := f"report.{wanted.replace('-', '.')}") in RUN_FILES:
            return
        data = report.export(wanted)
        with writing(self._folder, self._language), _private(self._folder / name) as file:
            file.write(data)


def _line(event: core.AnyEvent) -> str:
    return event.model_dump_json() + "\n"


def _private(file: Path) -> BinaryIO:
    """Open a file of a run to write it anew: for its owner alone, and not through a link that lies in its place."""

    def opener(path: str, flags: int) -> int:
        handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)  # one that an earlier run left may be open to others
        return handle

    return open(file, "wb", opener=opener)


@contextmanager
def writing(folder: Path, language: Language) -> Iterator[None]:
    """Turn what goes wrong while `folder` is written into a `StoreError` that says so."""
    try:
        yield
    except OSError as error:
        raise core.StoreError(_said(folder, language, error)) from error


def _said(folder: Path, language: Language, error: OSError) -> str:
    return _UNUSABLE.in_(language).format(folder=folder, reason=error.strerror)
