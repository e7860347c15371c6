"""What every way of asking has in common: who asks, an account's runs and folders, and what is told of them.

Who asks is a program with a token, or any on this computer as long as there are no tokens. Of a token only its hash is
kept; it is shown once, when it is made. What it opens is the account that it is for.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from research.core import FORWARDED, Brief, Frozen, StoreError, UsageError, explain, is_known_host, is_this_host
from research.export import FORMATS, file_name
from research.export.composing import title_of
from research.export.document import Paper
from research.language import Bilingual, Language, Phrase, preferred
from research.library import Library, place_url
from research.results import Report
from research.settings import CurrentSettings, Settings, UserFile, account_named
from research.sources import DOCUMENTS, names_of
from research.store import Action, AnalystChoice, Asking, Runner, RunState, RunStore, RunSummary, load_report
from research.text import sentences
from research.verification import verify_with

# --- who asks --------------------------------------------------------------------------------------------------------

LARGEST = 8_000_000
"""Bytes that a request may have: pages to verify a text against are sent whole."""
HEALTH = "/health"
"""Whatever watches over the server needs no token."""
_NO_TOKENS = Phrase(
    "Others can reach {host}, and there is no token, so the service does not start. Make one for each program that is "
    "to ask: python -m research token add --account NAME."
)
_STRANGE = Phrase("This service does not answer to that name. Whoever runs it can add it with --allow-host.")
_TOKEN_WANTED = Phrase("This service needs a token: send the header “Authorization: Bearer TOKEN”.")
TOO_LARGE = Phrase("The request is too large: at most {most:,} bytes.")


class Token(Frozen):
    """A token as it is kept."""

    id: str
    account: str
    sha256: str
    made_at: datetime


class Tokens(BaseModel):
    """All that are kept."""

    model_config = ConfigDict(frozen=True)

    tokens: tuple[Token, ...] = ()


kept_tokens = UserFile("tokens.json", Tokens)
"""The tokens of the home folder, for all accounts."""


def add_token(home: Path, account: str) -> str:
    """Make a token of an account, and return it: it is known to nobody afterwards.

    Raises:
        StoreError: it cannot be kept.
    """
    token = f"research_{secrets.token_urlsafe(32)}"
    made = Token(id=secrets.token_hex(4), account=account, sha256=_hash(token), made_at=datetime.now(UTC))
    kept_tokens.change(home, lambda kept: Tokens(tokens=(*kept.tokens, made)))
    return token


def remove_token(home: Path, token_id: str) -> str:
    """Forget a token, so that it opens nothing any more, and return whose account it opened.

    Raises:
        UsageError: there is none of that id.
        StoreError: the tokens cannot be written.
    """

    removed: list[Token] = []

    def without(kept: Tokens) -> Tokens:
        removed[:] = [one for one in kept.tokens if one.id == token_id]
        if not removed:
            raise UsageError(Phrase("There is no token {id}.").filled(id=token_id))
        return Tokens(tokens=tuple(one for one in kept.tokens if one not in removed))

    kept_tokens.change(home, without)
    return removed[0].account


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def check_reach(settings: Settings, host: str) -> None:
    """Check that nobody can reach a server at `host` without a token; `UsageError` says how to make one.

    Raises:
        StoreError: the tokens cannot be read.
    """
    if not is_this_host(host) and not kept_tokens.load(settings.home).tokens:
        raise UsageError(_NO_TOKENS.filled(host=host))


def listen(app: ASGIApp, host: str, port: int) -> None:
    """Serve until a signal says to end. Paths hold what was searched for: nothing that is asked is logged."""
    # Whoever makes a token or asks by stdin needs no server.
    import uvicorn

    uvicorn.run(app, host=host, port=port, access_log=False, server_header=False, proxy_headers=False, log_config=None)


class Refused(Exception):
    """Why a request is not answered, or cannot be carried out as things are."""

    def __init__(self, status: int, code: str, text: Bilingual, **parts: object) -> None:
        super().__init__(code)
        self.status, self.code, self.text, self.parts = status, code, text, parts


def told(status: int, code: str, message: str, **more: object) -> JSONResponse:
    """Return the answer to a request that failed."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse({"code": code, "message": message, **more}, status, {"Cache-Control": "no-store", **headers})


class Door:
    """Lets in requests for known hosts, of whoever has a token; no page of the web, and nothing that is too large.

    It says in the scope's state which `account` asks.
    """

    def __init__(self, app: ASGIApp, *, home: Path, host: str, allowed: Sequence[str]) -> None:
        """`home` holds the tokens, `host` is where the server listens, `allowed` are further names that it has."""
        self._app = app
        self._home = home
        self._is_here = is_this_host(host)
        self._known = () if self._is_here and not allowed else (host, "localhost", "127.0.0.1", "::1", *allowed)
        self._held: tuple[tuple[int, ...], Tokens] = ((-1,), Tokens())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        language = preferred(headers.get("accept-language"))
        try:
            account = self._account(headers)
            self._check(scope, headers, account)
        except StoreError as error:
            await told(503, error.code, explain(error.code, language))(scope, receive, send)
        except Refused as refused:
            text = refused.text.in_(language).format(**refused.parts)
            await told(refused.status, refused.code, text)(scope, receive, send)
        else:
            scope.setdefault("state", {})["account"] = account or ""
            await self._app(scope, _bounded(receive), send)

    def _check(self, scope: Scope, headers: Headers, account: str | None) -> None:
        """Raise `Refused` for a request that is not let in."""
        hosts, length = headers.getlist("host"), headers.get("content-length", "0")
        if len(hosts) != 1 or not is_known_host(hosts[0], self._known):
            raise Refused(421, "unknown_host", _STRANGE)
        if "origin" in headers:
            raise Refused(403, "from_page", Phrase("Pages of the web may not ask this service."))
        if scope["path"] == HEALTH:
            return
        if account is None:
            raise Refused(401, "token_wanted", _TOKEN_WANTED)
        if not length.isdigit() or int(length) > LARGEST:
            raise Refused(413, "too_large", TOO_LARGE, most=LARGEST)

    def _account(self, headers: Headers) -> str | None:
        """Return the account that asks, None if nobody does who is known."""
        tokens = self._tokens()
        if not tokens and self._is_here and not any(name in headers for name in FORWARDED):
            return ""
        said = headers.getlist("authorization")
        kind, _, token = said[0].partition(" ") if len(said) == 1 else ("", "", "")
        if kind.lower() != "bearer":
            return None
        found = [one for one in tokens if hmac.compare_digest(one.sha256, _hash(token.strip()))]
        return account_named(found[0].account) if found else None

    def _tokens(self) -> tuple[Token, ...]:
        """Return the tokens as they are now: one that was removed opens nothing more."""
        stamp = kept_tokens.stamp(self._home)
        if stamp != self._held[0]:
            self._held = stamp, kept_tokens.load(self._home)
        return self._held[1].tokens


def _bounded(receive: Receive) -> Receive:
    """Return what receives a request and fails with 413 where it says more than `LARGEST`, whatever it announced."""
    got = 0

    async def bounded() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > LARGEST:
            raise HTTPException(413)
        return message

    return bounded


# --- what an account works with --------------------------------------------------------------------------------------

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
