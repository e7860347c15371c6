"""Whether servers of models and those who search the web can be used: one cheap real call each, and its outcome."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from research.core import Brief, SourceError, UsageError, Vocabulary, is_address, leads_to_askable
from research.language import Language, Phrase
from research.meaning import (
    USUAL_MODEL,
    Embedder,
    EmbeddingFailed,
    FastEmbed,
    KeptVectors,
    ServerEmbedder,
    chosen_vectors,
    scale_of,
)
from research.settings import FASTEMBED, OPENAI_ADDRESS, Settings, WebSearch
from research.sources.choosing import SEARCHERS, model_that_searches
from research.sources.protocol import Making, SearchRequest, provider
from research.sources.web import TavilySource

SECONDS = 15.0
"""How long one call may wait for a server of models or for Tavily."""
SEARCH_SECONDS = 60.0
"""How long a model may take to search once."""
_MODEL_NAME = re.compile(r"[\w.:/@+-]{1,200}")
_MOST_MODELS = 1_000
_QUERY = "weather"


class CheckOutcome(Vocabulary):
    """How a check ended, and what the user is told: what happened and what to do."""

    WORKS = ("works", Phrase("It works."))
    NOT_SET = ("not_set", Phrase("Enter a key first."))
    NOT_SET_UP = ("not_set_up", Phrase("Something is missing or cannot be used: look at the fields."))
    NO_ADDRESS = (
        "no_address",
        Phrase(
            "The address is none of a server. It begins with http:// or https://, as in https://api.example.com/v1."
        ),
    )
    FORBIDDEN = (
        "forbidden",
        Phrase(
            "No service is asked at this address: it is one at which networks and clouds speak to their own machines."
        ),
    )
    REFUSED = ("refused", Phrase("The server refused the key. See whether it was copied whole and is still valid."))
    KEY_MISSING = ("key_missing", Phrase("This server asks for a key. Enter it."))
    DENIED = (
        "denied",
        Phrase(
            "The service turned this program away, though no key is wrong. Some let programs in only now and then, "
            "or from some networks: try again later."
        ),
    )
    NO_MODEL = ("no_model", Phrase("The server does not offer the model {model}. Choose another one below."))
    NO_MODEL_NAMED = ("no_model_named", Phrase("Enter which model is to be asked."))
    NOTHING_SAID = (
        "nothing_said",
        Phrase("The server answers, but {model} said nothing. Choose another model, or look whether it was loaded."),
    )
    NO_EMBEDDINGS = (
        "no_embeddings",
        Phrase("The server does not offer embeddings of the model {model}. Check the model's name and the address."),
    )
    NO_DOWNLOAD = (
        "no_download",
        Phrase(
            "The model {model} could not be downloaded. Check its name, which is one of fastembed's list, and whether "
            "this computer reaches the internet."
        ),
    )
    NOTHING_TOLD = (
        "nothing_told",
        Phrase(
            "The vectors of {model} could not be used: they are no numbers, do not fit together, or do not tell "
            "related texts from unrelated ones. Choose another model."
        ),
    )
    NO_SEARCH = (
        "no_search",
        Phrase(
            "The server answers, but {model} did not search the web. See whether web search is switched on in the "
            "provider's console."
        ),
    )
    QUOTA = (
        "quota",
        Phrase(
            "The key is valid, but its quota is used up or calls are being limited. Wait, or raise the limit at the "
            "provider."
        ),
    )
    UNREACHABLE = (
        "unreachable",
        Phrase("Nothing answers at this address. Check its spelling, the network, and whether the server is running."),
    )
    TIMEOUT = ("timeout", Phrase("The server took too long to answer. Try again, or check its address."))
    FOREIGN = (
        "foreign",
        Phrase(
            "Something answers at this address, but not this kind of server. Check the path at the end of the address."
        ),
    )
    FAILED = ("failed", Phrase("The server reported an error. Try again later."))
    NO_PACKAGE = ("no_package", Phrase("A package is missing: pip install 'research-workbench[{package}]'"))


_BY_REASON = {
    "unauthorized": CheckOutcome.REFUSED,
    "quota": CheckOutcome.QUOTA,
    "unreachable": CheckOutcome.UNREACHABLE,
    "timeout": CheckOutcome.TIMEOUT,
}
MODEL_CODES = {
    401: "model_unauthorized",
    402: "model_quota",
    403: "model_unauthorized",
    404: "model_not_found",
    429: "model_quota",
}
OUTCOMES = {
    **{f"{asked}_{why}": told for asked in ("model", "embedding", "search") for why, told in _BY_REASON.items()},
    "search_denied": CheckOutcome.DENIED,
    "model_not_found": CheckOutcome.NO_MODEL,
    "embedding_failed": CheckOutcome.FAILED,
    "embedding_not_found": CheckOutcome.NO_EMBEDDINGS,
    "embedding_unusable": CheckOutcome.NOTHING_TOLD,
    "embedding_not_downloaded": CheckOutcome.NO_DOWNLOAD,
    "embedding_no_package": CheckOutcome.NO_PACKAGE,
}


_YES, _NO, _UNKNOWN = Phrase("yes"), Phrase("no"), Phrase("unknown")
_ABILITIES = Phrase("Tools: {tools} · JSON schema: {schema} · in pieces: {streams} · window: {context}")
_TOKENS = Phrase("{count} tokens")
_SMALL_WINDOW = Phrase("The window is small: long pages and reports are cut. Give the model 16,000 tokens or more.")
_NO_FORM = Phrase(
    "It calls no tools and keeps to no schema: decisions are read from its words, which goes wrong more often."
)
SMALLEST_WINDOW = 16_000
"""Tokens: a prompt of a report with the quotes of some pages has ten thousand."""


@dataclass(frozen=True)
class Abilities:
    """What a model was found to do; None where that could not be found out."""

    tools: bool | None = None
    schema: bool | None = None
    streams: bool | None = None
    context: int | None = None
    """Tokens of a prompt and its answer."""

    def words(self, language: Language) -> str:
        """Return them on one line."""
        said = {True: _YES, False: _NO, None: _UNKNOWN}
        window = _TOKENS.in_(language).format(count=f"{self.context:,}") if self.context else _UNKNOWN.in_(language)
        told = {name: said[getattr(self, name)].in_(language) for name in ("tools", "schema", "streams")}
        return _ABILITIES.in_(language).format(**told, context=window)

    def warnings(self, language: Language) -> list[str]:
        """Return what is to be known before a run."""
        found = [_SMALL_WINDOW] if self.context is not None and self.context < SMALLEST_WINDOW else []
        return [one.in_(language) for one in (*found, *([_NO_FORM] if not (self.tools or self.schema) else []))]


@dataclass(frozen=True)
class Check:
    """What came of a check."""

    outcome: CheckOutcome
    seconds: float = 0.0
    models: tuple[str, ...] = ()
    """The models that the server says it offers; empty if it does not say."""
    subject: str = ""
    """The model that was asked, or the package that is missing."""
    status: int | None = None
    """The HTTP status of an answer that was none; nothing else of such an answer is handed on."""
    abilities: Abilities | None = None
    """What a chat model can do, if one was asked."""

    @property
    def works(self) -> bool:
        """Whether the server can be used."""
        return self.outcome is CheckOutcome.WORKS

    def words(self, language: Language) -> str:
        """Return the outcome as a sentence: what happened and what to do."""
        return self.outcome.words.in_(language).format(model=self.subject, package=self.subject)


def names_in(told: Iterable[object]) -> tuple[str, ...]:
    """Return names of models that a server tells, as far as they can be some."""
    return tuple(sorted(name for name in told if isinstance(name, str) and _MODEL_NAME.fullmatch(name)))[:_MOST_MODELS]


def check_search(settings: Settings, who: WebSearch, *, seconds: float | None = None) -> Check:
    """Have Tavily, or a model of OpenAI's or Anthropic's, search the web once; the key is in no outcome.

    It costs one search, of Tavily's plan; with a model, a few thousand tokens as well.
    """
    address, key = settings.access(who)
    stopped = unasked(settings.has(who), address, SEARCHERS[who].module, SEARCHERS[who].extra)
    if stopped is not None:
        return stopped
    model, search = "", _by_tavily(settings, seconds or SECONDS)
    if who is not WebSearch.TAVILY:
        model, search = _by_model(settings, who, seconds or SEARCH_SECONDS)

    def outcome(error: SourceError) -> CheckOutcome:
        # OpenAI's address serves chat as well: a path that is missing there is no wrong address.
        if who is WebSearch.OPENAI and error.code == "search_unsupported":
            return CheckOutcome.NO_SEARCH
        # Whoever knows the request well enough to refuse it, or names the model, is the right kind of server.
        is_known = error.detail.startswith(("HTTP 400", "HTTP 422")) or model in error.detail
        other = CheckOutcome.NO_SEARCH if model and is_known else CheckOutcome.FOREIGN
        return OUTCOMES.get(error.code, CheckOutcome.FAILED if error.detail.startswith("HTTP 5") else other)

    return _checked(search, outcome, model, key)


_Search = Callable[[], Coroutine[Any, Any, CheckOutcome]]


def _by_tavily(settings: Settings, seconds: float) -> _Search:
    async def search() -> CheckOutcome:
        answer = await TavilySource(settings, timeout_seconds=seconds).ask(
            {"query": _QUERY, "max_results": 1, "search_depth": "basic"}
        )
        return CheckOutcome.WORKS if isinstance(answer, dict) and "results" in answer else CheckOutcome.FOREIGN

    return search


def _by_model(settings: Settings, who: WebSearch, seconds: float) -> tuple[str, _Search]:
    asked, service = model_that_searches(settings, who, seconds)

    async def search() -> CheckOutcome:
        body = await service.post(asked.path, asked.body(SearchRequest(_QUERY, 1), datetime.now(UTC).date()))
        try:
            answer = asked.answer(body)
        except ValidationError:
            return CheckOutcome.FOREIGN
        if answer.error:
            raise SourceError(answer.error, f"{asked.model}: the service could not search")
        return CheckOutcome.WORKS if answer.searched else CheckOutcome.NO_SEARCH

    return asked.model, search


def check_source(settings: Settings, name: str) -> Check:
    """Search once in a source of that name; what its settings lack, or what went wrong, is the outcome."""
    one = provider(name)
    if one.module and find_spec(one.module) is None:
        return Check(CheckOutcome.NO_PACKAGE, subject=one.extra)
    making = Making(Brief(question=one.sample), settings)
    try:
        searched = one.made(making).searched
    except UsageError:
        return Check(CheckOutcome.NOT_SET_UP)
    values = making.values(one)
    key = "".join(values[field.name] for field in one.fields if field.is_secret)

    async def search() -> CheckOutcome:
        async with asyncio.timeout(SEARCH_SECONDS):
            for source in searched:
                await source.search(SearchRequest(one.sample, 1))
        return CheckOutcome.WORKS

    def outcome(error: SourceError) -> CheckOutcome:
        is_failure = error.detail.startswith("HTTP 5")
        return OUTCOMES.get(error.code, CheckOutcome.FAILED if is_failure else CheckOutcome.FOREIGN)

    try:
        return _checked(search, outcome, "", key)
    except TimeoutError:
        return Check(CheckOutcome.TIMEOUT)


def _checked(ask: _Search, outcome: Callable[[SourceError], CheckOutcome], model: str, key: str) -> Check:
    began, status = time.monotonic(), None
    try:
        came = asyncio.run(ask())
    except SourceError as error:
        came, status = _without_key(outcome(error), key), _status(error.detail)
    return Check(came, time.monotonic() - began, subject=model, status=status)


def check_embeddings(settings: Settings) -> Check:
    """Compare 24 questions with their answers. Costs some hundred tokens; a model of this computer is downloaded."""
    model, (address, key) = settings.embedding_model or USUAL_MODEL, settings.embedding_access
    own = settings.own_embedder
    needed = (
        ("httpx", "web") if own is None else ("fastembed", "fastembed") if model.startswith(FASTEMBED) else ("", "")
    )
    stopped = unasked(settings.has_embeddings, "" if own is not None else address, *needed)
    if stopped is not None:
        return stopped
    began = time.monotonic()
    embedder: Embedder = ServerEmbedder(address or OPENAI_ADDRESS, model, key, SECONDS)
    try:
        if own is not None and (kept := chosen_vectors(settings)) is not None:
            embedder = kept.embedder
        if isinstance(embedder, FastEmbed):
            embedder.load(may_download=True)
        with TemporaryDirectory() as folder:
            scale_of(KeptVectors(embedder, Path(folder) / "vectors.sqlite"))
    except EmbeddingFailed as error:
        outcome = _without_key(OUTCOMES.get(error.code, CheckOutcome.FAILED), key)
        return Check(outcome, time.monotonic() - began, subject=model, status=_status(error.detail))
    return Check(CheckOutcome.WORKS, time.monotonic() - began, subject=model)


def unasked(is_set: bool, address: str, package: str, extra: str) -> Check | None:
    """Return why there is nobody to ask, if so."""
    if not is_set:
        return Check(CheckOutcome.NOT_SET)
    if address and not is_address(address):
        return Check(CheckOutcome.NO_ADDRESS)
    if address and not leads_to_askable(urlsplit(address).hostname or ""):
        return Check(CheckOutcome.FORBIDDEN)
    return Check(CheckOutcome.NO_PACKAGE, subject=extra) if package and find_spec(package) is None else None


def _status(detail: str) -> int | None:
    said = re.match(r"HTTP (\d{3})\b", detail)
    return int(said[1]) if said is not None else None


def _without_key(outcome: CheckOutcome, key: str) -> CheckOutcome:
    """Return what a refusal means: where no key was sent, one is asked for."""
    return CheckOutcome.KEY_MISSING if outcome is CheckOutcome.REFUSED and not key else outcome
