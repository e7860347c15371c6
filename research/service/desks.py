"""What every way of asking has in common: an account's runs and folders, and what is told of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field

from research.core import Brief, Frozen, UsageError
from research.export import FORMATS, file_name
from research.export.composing import title_of
from research.export.document import Paper
from research.language import Language, Phrase
from research.library import Library, place_url
from research.results import Report
from research.service.tokens import Refused
from research.settings import CurrentSettings, Settings
from research.sources import DOCUMENTS, names_of
from research.store import Action, AnalystChoice, Asking, Runner, RunState, RunStore, RunSummary, load_report
from research.text import sentences
from research.verification import verify_with

_NO_LIBRARY = Phrase("There is no folder of documents {name}. There are: {names}.")


@dataclass(frozen=True)
class Desk:
    """What one account works with."""

    current: CurrentSettings
    store: RunStore
    runner: Runner
    asking: Asking

    def run(self, run_id: str, *, own: bool = False) -> RunSummary:
        """Return a run that the account may read or, with `own`, change; another account's is none."""
        try:
            run = self.store.get(run_id)
        except UsageError:
            run = None
        if run is None or (own and not run.is_own):
            raise Refused(404, "run_unknown", Phrase("There is no run {id}."), id=run_id)
        return run

    def report(self, run_id: str) -> Report:
        """Return the report of a run that has ended."""
        if self.run(run_id).state.is_open:
            raise Refused(409, "run_open", Phrase("The run {id} has not ended yet."), id=run_id)
        return load_report(self.store, run_id)


class Desks:
    """The desks of all accounts, and the folders that each may search. Safe for use from any thread."""

    def __init__(self, environment: Mapping[str, str], libraries: Sequence[Path]) -> None:
        self._environment = environment
        self.settings = Settings.from_environment(environment)
        self.store = RunStore.of(self.settings)
        self._libraries = {folder.name: folder for folder in libraries}
        self._desks: dict[str, Desk] = {}
        self._lock = threading.Lock()

    def of(self, account: str) -> Desk:
        """Return the desk of an account; it is made once, so that runs go on when whoever asked has left."""
        with self._lock:
            if account not in self._desks:
                current = CurrentSettings(account, self._environment)
                store = self.store.of_account(account)
                runner = Runner(store, current(), current=current)
                self._desks[account] = Desk(current, store, runner, Asking(store, runner))
            return self._desks[account]

    def libraries(self, desk: Desk) -> dict[str, Path]:
        """Return the folders of documents by name: the account's own, and those that are named for all."""
        own = desk.current().home / DOCUMENTS
        return {**({DOCUMENTS: own} if own.is_dir() else {}), **self._libraries}

    def folder(self, desk: Desk, name: str) -> Path:
        """Return a folder of documents by its name: no path of a request leads anywhere."""
        found = self.libraries(desk)
        if name not in found:
            raise Refused(404, "library_unknown", _NO_LIBRARY, name=name, names=", ".join(found) or "–")
        return found[name]

    def start(
        self,
        desk: Desk,
        brief: Brief,
        *,
        library: str | None,
        analyst: AnalystChoice,
        attended: bool = False,
    ) -> str:
        """Start a run as the command line does, and return its id; errors as for `Runner.start`."""
        names_of(brief.sources)
        folder = None if library is None else self.folder(desk, library)
        return desk.runner.start(brief, library=folder, analyst=analyst, attended=attended)

    def close(self) -> None:
        """Leave the runs that are under way."""
        with self._lock:
            for desk in self._desks.values():
                desk.runner.close()
        self.store.close()


class RunTold(Frozen):
    """Where a run stands."""

    id: str
    state: RunState
    question: str
    title: str
    analyst: str
    created_at: datetime
    finished_at: datetime | None
    seconds: float
    events: int
    pages: int
    evidence: int
    is_own: bool = Field(description="False if another account shares it for reading.")

    @classmethod
    def of(cls, run: RunSummary) -> RunTold:
        """Return what is told of a run."""
        return cls(**{name: getattr(run, name) for name in cls.model_fields})


class Passage(Frozen):
    """A passage of a document that answers a search."""

    file: str
    title: str
    published: str | None
    text: str
    place: str = Field(description="Where it stands in the file: page=3, char=120,180, row=7.")
    score: float = Field(description="Comparable within one answer.")


class SentenceVerdict(Frozen):
    """What pages bear out of a sentence, as far as rules can tell."""

    sentence: str
    label: str | None = Field(description="supported, partial, unsupported, unverifiable; null if nothing is claimed.")
    score: float
    page: int | None = Field(description="Number of the page, from 0, on which the passage stands.")
    passage: str | None
    figures_missing: tuple[str, ...]
    code: str = Field(description="Why, as a word for programs.")
    reason: str


def search_folder(desks: Desks, desk: Desk, name: str, query: str, limit: int) -> list[Passage]:
    """Return the passages of a folder that answer a query, best first."""
    library = Library(desks.folder(desk, name), desk.current().home / "library")
    found = []
    for hit in library.search(query, limit):
        document = library.document(hit.path)
        place = urlsplit(place_url(hit.path.as_uri(), document.text, hit.start, hit.end)).fragment
        file = hit.path.relative_to(library.folder).as_posix()
        facts = {"title": document.title, "published": document.published}
        found.append(Passage(file=file, text=hit.text, place=place, score=hit.score, **facts))
    return found


def verdicts(text: str, pages: Sequence[str], language: Language) -> list[SentenceVerdict]:
    """Return what all pages together bear out of each sentence of a text."""
    found = []
    for span in sentences(text):
        sentence = text[span.start : span.end]
        verdict = verify_with(sentence, [(page, None) for page in pages])
        place = verdict.span
        found.append(
            SentenceVerdict(
                sentence=sentence,
                label=verdict.label and verdict.label.value,
                score=verdict.score,
                page=verdict.evidence if place else None,
                passage=pages[verdict.evidence][slice(*place)] if place else None,
                figures_missing=tuple(number.text for number in verdict.numbers if not number.found),
                code=verdict.reason.code,
                reason=verdict.reason.words.in_(language),
            )
        )
    return found


def exported(desk: Desk, run_id: str, format_name: str, paper: Paper, *, appendix: bool = True) -> tuple[bytes, str]:
    """Return a report as a file, and the file's name."""
    report = desk.report(run_id)
    data = FORMATS[format_name].make(report, paper, with_trail=appendix)
    desk.store.note(Action.EXPORTED, run_id)
    title = title_of(report.markdown, report.record.brief.question)
    return data, file_name(run_id, title, format_name)
