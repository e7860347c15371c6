"""What is answered: runs started, followed and steered, reports in every format, folders searched, texts verified.

It is the same store, runner and settings as the pages have. `/openapi.json` describes it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Body, Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, StreamingResponse

from research import core
from research.export import FORMATS
from research.export.document import Paper
from research.language import Language, Phrase, preferred
from research.results import RunRecord
from research.service.desks import (
    HEALTH,
    LARGEST,
    TOO_LARGE,
    Desk,
    Desks,
    Door,
    Passage,
    Refused,
    RunTold,
    SentenceVerdict,
    check_reach,
    exported,
    listen,
    search_folder,
    told,
    verdicts,
)
from research.settings import Settings
from research.store import health_told

_NO_ROUTE = Phrase("There is nothing at this address.")
_NO_METHOD = Phrase("This address does not take {method}.")
_UNREADABLE = Phrase("The body of the request is no JSON, or is not sent as application/json.")


class Problem(BaseModel):
    """Why a request failed; `message` is in the language that the request prefers."""

    code: str
    message: str
    field: str = ""


class RunRequest(core.Frozen):
    """A run to be started."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    brief: core.Brief
    library: str | None = Field(default=None, description="A folder of documents to search as well, by its name.")
    analyst: Literal["auto", "chat", "extractive"] = "auto"
    attended: bool = Field(default=False, description="Whether a plan waits a while for whoever wants to edit it.")


class QuestionRequest(core.Frozen):
    """A question about a report, which is answered from what the run found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
    analyst: Literal["auto", "chat", "extractive"] = "auto"


class RewriteRequest(core.Frozen):
    """What is to be different in a report that is written anew from what the run found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    audience: core.Audience | None = None
    form: core.OutputForm | None = None
    length: core.Length | None = None
    summary: core.Summary | None = None
    tone: core.Tone | None = None
    language: Language | None = None
    analyst: Literal["auto", "chat", "extractive"] = "auto"


class VerifyRequest(core.Frozen):
    """A text whose every sentence is held against pages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=100_000)]
    pages: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]


_SIGN_SECONDS = 15.0
"""A stream in which nothing happens says so often that it is there, else servers on its way close it."""


async def _as_sent(looks: AsyncIterator[Sequence[core.AnyEvent]]) -> AsyncIterator[str]:
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
    _add_afterwards(app, desks)
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
    def start(asked: RunRequest, response: Response, desk: Desk = own) -> RunTold:
        """Start a run from a brief."""
        library, analyst = asked.library, asked.analyst
        begun = desks.start(desk, asked.brief, library=library, analyst=analyst, attended=asked.attended)
        run = desk.run(begun)
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
    def steer(run_id: str, asked: Annotated[core.Steer, Body()], desk: Desk = own) -> RunTold:
        """Ask something of a run that is under way: finish or stop, one more question, another plan, a topic less."""
        if not desk.run(run_id, own=True).state.is_open:
            raise Refused(409, "run_ended", Phrase("The run {id} has ended."), id=run_id)
        desk.runner.steer(run_id, asked)
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
        appendix: bool = True,
        desk: Desk = own,
    ) -> Response:
        """Return the report of a run that has ended as a file; its appendix says how it was researched."""
        data, name = exported(desk, run_id, format_name, paper, appendix=appendix)
        plain = name.encode("ascii", "ignore").decode() or "report"
        said = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
        return Response(data, headers={"Content-Disposition": said}, media_type=FORMATS[format_name].mime)


def _add_afterwards(app: FastAPI, desks: Desks) -> None:
    """Add what can be asked for once a run has ended."""
    own = _desk_of(desks)

    @app.post("/runs/{run_id}/resume", status_code=202)
    def go_on(run_id: str, desk: Desk = own, library: str | None = None) -> RunTold:
        """Let a run that broke off go on; `library` names the folder that it searched."""
        run = desk.run(run_id, own=True)
        desk.runner.resume(run.id, library=None if library is None else desks.folder(desk, library))
        return RunTold.of(desk.run(run_id))

    @app.post("/runs/{run_id}/rewrite", status_code=201)
    def rewrite(run_id: str, asked: RewriteRequest, response: Response, desk: Desk = own) -> RunTold:
        """Start a run that writes the report anew from what was found."""
        first = desk.report(desk.run(run_id, own=True).id)
        changes = asked.model_dump(exclude={"analyst"}, exclude_none=True)
        run = desk.run(desk.asking.rewrite(first.record.run, analyst=asked.analyst, **changes))
        response.headers["Location"] = f"/runs/{run.id}"
        return RunTold.of(run)

    @app.get("/runs/{run_id}/questions")
    def asked_before(run_id: str, desk: Desk = own) -> list[core.FollowUpAnswered]:
        """List the questions about a report, each with its last answer."""
        return [one.answer for one in desk.report(run_id).follow_ups]

    @app.post("/runs/{run_id}/questions")
    def ask(run_id: str, asked: QuestionRequest, desk: Desk = own) -> core.FollowUpAnswered:
        """Answer a question about a report from what the run found; nothing is searched."""
        run = desk.run(run_id, own=True)
        number = desk.asking.ask(run.id, asked.question, analyst=asked.analyst).result().number
        return next(one.answer for one in desk.report(run_id).follow_ups if one.number == number)

    @app.post("/runs/{run_id}/questions/{number}/search", status_code=202)
    def search_for(run_id: str, number: int, desk: Desk = own) -> RunTold:
        """Start a small run that searches for what a question asks; its pages join the report, the answer is new."""
        run = desk.run(run_id, own=True)
        return RunTold.of(desk.run(desk.asking.search(run.id, number)))


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


def _told_of(error: Exception, request: Request) -> Response:
    """Return what is told of a failure: a `Problem`, in the language that the request prefers."""
    language = _language(request)
    match error:
        case Refused():
            answer = told(error.status, error.code, error.text.in_(language).format(**error.parts))
        case RequestValidationError():
            first = error.errors()[0]
            if first["type"] == "json_invalid" or first["loc"] == ("body",):
                answer = told(422, "malformed", _UNREADABLE.in_(language))
            else:
                field = ".".join(str(part) for part in first["loc"][1:])
                answer = told(422, "unusable", core.unusable(first, language), field=field)
        case core.UsageError():
            answer = told(409, "not_possible", error.text.in_(language))
        case core.StoreError():
            answer = told(503, error.code, core.explain(error.code, language))
        case HTTPException():
            code, text = _CODES.get(error.status_code, ("malformed", _UNREADABLE))
            message = text.in_(language).format(method=request.method, most=LARGEST)
            answer = told(error.status_code, code, message)
            answer.headers.update(error.headers or {})
        case _:
            answer = told(500, "internal", core.explain("internal", language))
    return answer


def _tell_failures(app: FastAPI) -> None:
    async def failed(request: Request, error: Exception) -> Response:
        return _told_of(error, request)

    for kind in (Refused, RequestValidationError, core.UsageError, core.StoreError, HTTPException, Exception):
        app.add_exception_handler(kind, failed)


def serve(
    environment: Mapping[str, str],
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
    check_reach(Settings.from_environment(environment), host)
    app = make_app(environment, host=host, allowed=allowed, libraries=libraries)
    on_ready()
    listen(app, host, port)
