"""What is answered: runs started, followed and steered, reports in every format, folders searched, texts verified.

It is the same store, runner and settings as the pages have. `/openapi.json` describes it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlsplit

import uvicorn
from fastapi import Body, Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, StreamingResponse

from research.core import (
    AnyEvent,
    Brief,
    Frozen,
    Steer,
    StopNow,
    StoreError,
    UsageError,
    explain,
    is_this_host,
    unusable,
)
from research.export import FORMATS, file_name, title_of
from research.export.document import Paper
from research.language import Bilingual, Language, Phrase, preferred
from research.library import Library, place_url
from research.results import Report, RunRecord
from research.service.tokens import HEALTH, LARGEST, NO_TOKENS, TOO_LARGE, Door, kept_tokens, told
from research.settings import CurrentSettings, Settings
from research.sources import DOCUMENTS, names_of
from research.store import Action, Runner, RunState, RunStore, RunSummary, health_told, load_report
from research.text import sentences
from research.verification import verify_with

_NO_RUN = Phrase("There is no run {id}.")
_OPEN = Phrase("The run {id} has not ended yet.")
_ENDED = Phrase("The run {id} has ended.")
_NO_LIBRARY = Phrase("There is no folder of documents {name}. There are: {names}.")
_NO_ROUTE = Phrase("There is nothing at this address.")
_NO_METHOD = Phrase("This address does not take {method}.")
_UNREADABLE = Phrase("The body of the request is no JSON, or is not sent as application/json.")


class Problem(BaseModel):
    """Why a request failed; `message` is in the language that the request prefers."""

    code: str
    message: str
    field: str = ""


class RunRequest(Frozen):
    """A run to be started."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    brief: Brief
    library: str | None = Field(default=None, description="A folder of documents to search as well, by its name.")
    analyst: Literal["auto", "chat", "extractive"] = "auto"
    attended: bool = Field(default=False, description="Whether a plan waits a while for whoever wants to edit it.")


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


class VerifyRequest(Frozen):
    """A text whose every sentence is held against pages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=100_000)]
    pages: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]


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


class Refused(Exception):
    """A request that cannot be carried out as things are."""

    def __init__(self, status: int, code: str, text: Bilingual, **parts: str) -> None:
        super().__init__(code)
        self.status, self.code, self.text, self.parts = status, code, text, parts


@dataclass(frozen=True)
class Desk:
    """What one account works with."""

    current: CurrentSettings
    store: RunStore
    runner: Runner

    def run(self, run_id: str, *, own: bool = False) -> RunSummary:
        """Return a run that the account may read or, with `own`, change; another account's is none."""
        try:
            run = self.store.get(run_id)
        except UsageError:
            run = None
        if run is None or (own and not run.is_own):
            raise Refused(404, "run_unknown", _NO_RUN, id=run_id)
        return run

    def report(self, run_id: str) -> Report:
        """Return the report of a run that has ended."""
        if self.run(run_id).state.is_open:
            raise Refused(409, "run_open", _OPEN, id=run_id)
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
                self._desks[account] = Desk(current, store, Runner(store, current(), current=current))
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

    def close(self) -> None:
        """Leave the runs that are under way."""
        with self._lock:
            for desk in self._desks.values():
                desk.runner.close()
        self.store.close()


def start_run(desks: Desks, desk: Desk, asked: RunRequest, language: Language) -> str:
    """Start a run as the command line does, and return its id."""
    names_of(asked.brief.sources, language)
    library = None if asked.library is None else desks.folder(desk, asked.library)
    return desk.runner.start(asked.brief, library=library, analyst=asked.analyst, attended=asked.attended)


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


def exported(desk: Desk, run_id: str, format_name: str, paper: Paper) -> tuple[bytes, str]:
    """Return a report as a file, and the file's name."""
    report = desk.report(run_id)
    data = FORMATS[format_name].make(report, paper)
    desk.store.note(Action.EXPORTED, run_id)
    title = title_of(report.markdown, report.record.brief.question)
    return data, file_name(run_id, title, format_name)


_SIGN_SECONDS = 15.0
"""A stream in which nothing happens says so often that it is there, else servers on its way close it."""


async def _as_sent(looks: AsyncIterator[Sequence[AnyEvent]]) -> AsyncIterator[str]:
    """Yield events as they are sent to browsers (server-sent events)."""
    told_at = time.monotonic()
    async for events in looks:
        for event in events:
            yield f"id: {event.seq}\nevent: {event.type}\ndata: {event.model_dump_json()}\n\n"
        if not events and time.monotonic() > told_at + _SIGN_SECONDS:
            yield ": still here\n\n"
            told_at = time.monotonic()


def _language(request: Request) -> Language:
    return preferred(request.headers.get("accept-language"))


_TOKEN = Depends(HTTPBearer(auto_error=False))
"""Says in the description that a token is sent; the door has looked at it."""
_Language = Annotated[Language, Depends(_language)]
_FORMAT = "^(" + "|".join(FORMATS) + ")$"
_EVENT = {"id": {"type": "string"}, "event": {"type": "string"}, "data": {"type": "string"}}
_EVENTS = {"text/event-stream": {"schema": {"type": "object", "properties": _EVENT}}}
_FILE = {"schema": {"type": "string", "format": "binary"}}
_FAILS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in {
        401: "A token is needed.",
        403: "A page of the web asks.",
        404: "There is no such thing, or it is another account's.",
        409: "It cannot be done as things are: the run has ended, or has not; a source or model is not set up.",
        413: "The request is too large.",
        421: "The server has another name.",
        422: "The request is malformed.",
        503: "The store cannot be used.",
    }.items()
}


def make_app(
    environment: Mapping[str, str], *, host: str, allowed: Sequence[str] = (), libraries: Sequence[Path] = ()
) -> FastAPI:
    """Return the service as an application of ASGI, to be served at `host`; see `Door` and `Desks`."""
    desks = Desks(environment, libraries)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desks.close()

    app = FastAPI(
        title="Research workbench",
        version="1",
        summary="Deep research whose every claim can be checked.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=_FAILS,
    )
    app.add_middleware(Door, home=desks.settings.home, host=host, allowed=allowed)
    _tell_failures(app)
    _add_runs(app, desks)
    _add_texts(app, desks)
    return app


def _desk_of(desks: Desks) -> Any:
    """Return the dependency that gives the desk of whoever asks."""

    def desk(request: Request, _: Any = _TOKEN) -> Desk:
        return desks.of(request.state.account)

    return Depends(desk)


def _add_runs(app: FastAPI, desks: Desks) -> None:
    own = _desk_of(desks)

    @app.post("/runs", status_code=201)
    def start(asked: RunRequest, language: _Language, response: Response, desk: Desk = own) -> RunTold:
        """Start a run from a brief."""
        run = desk.run(start_run(desks, desk, asked, language))
        response.headers["Location"] = f"/runs/{run.id}"
        return RunTold.of(run)

    @app.get("/runs")
    def list_runs(
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
        desk: Desk = own,
    ) -> list[RunTold]:
        """List runs, newest first."""
        return [RunTold.of(run) for run in desk.store.list(limit, offset)]

    @app.get("/runs/{run_id}")
    def state(run_id: str, desk: Desk = own) -> RunTold:
        """Say where a run stands."""
        return RunTold.of(desk.run(run_id))

    @app.get("/runs/{run_id}/events", response_class=StreamingResponse, responses={200: {"content": _EVENTS}})
    def events(
        run_id: str, last_event_id: Annotated[int, Header(ge=0, le=2**31)] = 0, desk: Desk = own
    ) -> StreamingResponse:
        """Tell all that happens in a run, from its first event or from behind `Last-Event-ID` on, until it has ended.

        The last event of research is `run_finished`.
        """
        told = _as_sent(desk.runner.looks(desk.run(run_id).id, last_event_id))
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(told, headers=headers, media_type="text/event-stream")

    @app.post("/runs/{run_id}/steer", status_code=202)
    def steer(run_id: str, asked: Annotated[Steer, Body()], desk: Desk = own) -> RunTold:
        """Ask something of a run that is under way: finish or stop, one more question, another plan, a topic less."""
        if not desk.run(run_id, own=True).state.is_open:
            raise Refused(409, "run_ended", _ENDED, id=run_id)
        desk.runner.steer(run_id, asked)
        if isinstance(asked, StopNow):
            desk.store.note(Action.STOPPED, run_id)
        return RunTold.of(desk.run(run_id))

    @app.get("/runs/{run_id}/record")
    def record(run_id: str, desk: Desk = own) -> RunRecord:
        """Return what is known of a run that has ended: sources, evidence, verdicts, problems."""
        return desk.report(run_id).record

    @app.get(
        "/runs/{run_id}/report",
        response_class=Response,
        responses={200: {"content": {one.mime: _FILE for one in FORMATS.values()}}},
    )
    def report(
        run_id: str,
        format_name: Annotated[str, Query(alias="format", pattern=_FORMAT)] = "md",
        paper: Paper = Paper.A4,
        desk: Desk = own,
    ) -> Response:
        """Return the report of a run that has ended as a file."""
        data, name = exported(desk, run_id, format_name, paper)
        plain = name.encode("ascii", "ignore").decode() or "report"
        said = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
        return Response(data, headers={"Content-Disposition": said}, media_type=FORMATS[format_name].mime)


def _add_texts(app: FastAPI, desks: Desks) -> None:
    own = _desk_of(desks)

    @app.get("/libraries")
    def libraries(desk: Desk = own) -> list[str]:
        """List the folders of documents that can be searched."""
        return list(desks.libraries(desk))

    @app.get("/libraries/{name}")
    def search(
        name: str,
        q: Annotated[str, Query(min_length=1, max_length=1_000)],
        limit: Annotated[int, Query(ge=1, le=100)] = 10,
        desk: Desk = own,
    ) -> list[Passage]:
        """Search a folder of documents."""
        return search_folder(desks, desk, name, q, limit)

    @app.post("/verify", dependencies=[_TOKEN])
    def verify(asked: VerifyRequest, language: _Language) -> list[SentenceVerdict]:
        """Hold each sentence of a text against pages."""
        return verdicts(asked.text, asked.pages, language)

    @app.get(HEALTH, responses={503: {"description": "The store cannot be used.", "model": dict[str, Any]}})
    def health() -> JSONResponse:
        """Say how it stands with store, workers and runs that wait, in numbers alone."""
        status, said = health_told(desks.store, uses_workers=desks.settings.uses_workers)
        return JSONResponse(said, status, {"Cache-Control": "no-store"})


_CODES = {404: ("unknown", _NO_ROUTE), 405: ("no_method", _NO_METHOD), 413: ("too_large", TOO_LARGE)}


def _tell_failures(app: FastAPI) -> None:
    """Let every failure be told as a `Problem`."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return told(error.status, error.code, error.text.in_(_language(request)).format(**error.parts))

    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        if first["type"] == "json_invalid" or first["loc"] == ("body",):
            return told(422, "malformed", _UNREADABLE.in_(_language(request)))
        field = ".".join(str(part) for part in first["loc"][1:])
        return told(422, "unusable", unusable(first, _language(request)), field=field)

    async def not_possible(_: Request, error: Exception) -> Response:
        return told(409, "not_possible", str(error))

    async def store_failed(request: Request, error: Exception) -> Response:
        assert isinstance(error, StoreError)
        return told(503, error.code, explain(error.code, _language(request)))

    async def no_route(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code, text = _CODES.get(error.status_code, ("malformed", _UNREADABLE))
        message = text.in_(_language(request)).format(method=request.method, most=LARGEST)
        answer = told(error.status_code, code, message)
        answer.headers.update(error.headers or {})
        return answer

    async def broken(request: Request, _: Exception) -> Response:
        return told(500, "internal", explain("internal", _language(request)))

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(UsageError, not_possible)
    app.add_exception_handler(StoreError, store_failed)
    app.add_exception_handler(HTTPException, no_route)
    app.add_exception_handler(Exception, broken)


def serve(
    environment: Mapping[str, str],
    language: Language,
    *,
    host: str,
    port: int,
    allowed: Sequence[str],
    libraries: Sequence[Path],
    on_ready: Callable[[], object],
) -> None:
    """Serve until a signal says to end; `on_ready` is called before the first request is taken.

    Raises:
        UsageError: others can reach the server, and there is no token.
        StoreError: the store or the tokens cannot be read.
    """
    check_reach(Settings.from_environment(environment), host, language)
    app = make_app(environment, host=host, allowed=allowed, libraries=libraries)
    on_ready()
    # Paths hold what was searched for, which no log is to tell.
    uvicorn.run(app, host=host, port=port, access_log=False, server_header=False, proxy_headers=False, log_config=None)


def check_reach(settings: Settings, host: str, language: Language) -> None:
    """Check that nobody can reach a server at `host` without a token; errors as for `serve`."""
    if not is_this_host(host) and not kept_tokens.load(settings.home).tokens:
        raise UsageError(NO_TOKENS.in_(language).format(host=host))
