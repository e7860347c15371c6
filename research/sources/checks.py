"""Whether servers of models and those who search the web can be used: one cheap real call each, and its outcome."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from research.analysts.chat import OPENAI_ADDRESS
from research.core import SourceError, Vocabulary, leads_to_askable
from research.language import Language, Phrase
from research.meaning import (
    OPENAI_EMBEDDINGS,
    USUAL_MODEL,
    Embedder,
    EmbeddingFailed,
    FastEmbed,
    KeptVectors,
    ServerEmbedder,
    scale_of,
)
from research.settings import FASTEMBED, Settings, WebSearch, is_address
from research.sources.choosing import SEARCHERS, model_that_searches
from research.sources.protocol import SearchRequest
from research.sources.tavily import TavilySource

if TYPE_CHECKING:
    from openai import OpenAI

SECONDS = 15.0
"""How long one call may wait for a server of models or for Tavily."""
_LARGEST = 4_000_000
"""Bytes of an answer: a list of every model, or one word."""
SEARCH_SECONDS = 60.0
"""How long a model may take to search once."""
_NO_KEY = "no-key"
_MODEL_NAME = re.compile(r"[\w.:/@+-]{1,200}")
_MOST_MODELS = 1_000
_QUESTION = "Reply with the word OK."
_QUERY = "weather"


class CheckOutcome(Vocabulary):
    """How a check ended, and what the user is told: what happened and what to do."""

    WORKS = ("works", Phrase("It works."))
    NOT_SET = ("not_set", Phrase("Enter a key first."))
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
    NO_MODEL = ("no_model", Phrase("The server does not offer the model {model}. Choose another one below."))
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
_OUTCOMES = {
    **{f"{asked}_{why}": told for asked in ("model", "embedding", "search") for why, told in _BY_REASON.items()},
    "model_not_found": CheckOutcome.NO_MODEL,
    "embedding_failed": CheckOutcome.FAILED,
    "embedding_not_found": CheckOutcome.NO_EMBEDDINGS,
    "embedding_unusable": CheckOutcome.NOTHING_TOLD,
    "embedding_not_downloaded": CheckOutcome.NO_DOWNLOAD,
    "embedding_no_package": CheckOutcome.NO_PACKAGE,
}
_DECISIVE = {CheckOutcome.UNREACHABLE, CheckOutcome.TIMEOUT}
"""Outcomes of asking for the list of models after which there is no use in asking a model.

A refusal is none of them: a key may be good for models and still not for their list.
"""


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

    @property
    def works(self) -> bool:
        """Whether the server can be used."""
        return self.outcome is CheckOutcome.WORKS

    def words(self, language: Language) -> str:
        """Return the outcome as a sentence: what happened and what to do."""
        return self.outcome.words.in_(language).format(model=self.subject, package=self.subject)


@dataclass(frozen=True)
class _Answer:
    """What one call to a server of models brought."""

    outcome: CheckOutcome
    body: Mapping[str, Any]
    status: int | None = None
    names_model: bool = True
    """Whether what the server said names the model that was asked."""


def check_models(settings: Settings, model: str, *, seconds: float = SECONDS) -> Check:
    """Ask the server of models for its list, and `model` for one word. Costs a few tokens."""
    address = settings.openai_base_url or OPENAI_ADDRESS
    unasked = _unasked(settings.has_models, address, "openai", "openai")
    if unasked is not None:
        return unasked
    from openai import DefaultHttpxClient, OpenAI

    from research.core.wire import for_service

    key = _revealed(settings.openai_api_key)
    began = time.monotonic()
    wire = for_service(DefaultHttpxClient(timeout=seconds), _LARGEST)
    with OpenAI(api_key=key or _NO_KEY, base_url=address, timeout=seconds, max_retries=0, http_client=wire) as client:
        listed = _call(client, "", key)
        models = _names(listed.body)
        answer = listed if listed.outcome in _DECISIVE else _call(client, model, key)
    outcome = answer.outcome
    if outcome is CheckOutcome.NO_MODEL and not models and not answer.names_model:
        outcome = CheckOutcome.FOREIGN
    return Check(outcome, time.monotonic() - began, models, model, answer.status)


def _call(client: OpenAI, model: str, key: str) -> _Answer:
    """Ask `model` for a word, or without one the server for its models."""
    try:
        if model:
            chat = client.chat.completions.with_raw_response
            content = chat.create(model=model, messages=[{"role": "user", "content": _QUESTION}]).content
        else:
            content = client.models.with_raw_response.list().content
    except Exception as error:  # noqa: BLE001 - clients raise what they like; each has its outcome
        from research.analysts.chat import translate

        failure = translate(error, model, [key] if key else [])
        outcome = _without_key(_OUTCOMES.get(failure.code, CheckOutcome.FAILED), key)
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and 300 <= status < 400:
            outcome = CheckOutcome.FOREIGN
        said = failure.detail.removeprefix(f"{model}: ")
        return _Answer(outcome, {}, status if isinstance(status, int) else None, model in said)
    body = _object(content)
    expected = "choices" if model else "data"
    return _Answer(CheckOutcome.WORKS if isinstance(body.get(expected), list) else CheckOutcome.FOREIGN, body)


def _object(content: bytes) -> Mapping[str, Any]:
    """Return the JSON object in `content`; an empty one if there is none, as in a page of HTML."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _names(body: Mapping[str, Any]) -> tuple[str, ...]:
    data = body.get("data")
    entries = data if isinstance(data, list) else []
    names = {entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)}
    return tuple(sorted(filter(_MODEL_NAME.fullmatch, names)))[:_MOST_MODELS]


def check_tavily(settings: Settings, *, seconds: float = SECONDS) -> Check:
    """Search the web once with Tavily. Costs one search of the plan."""

    async def search() -> CheckOutcome:
        answer = await TavilySource(settings, timeout_seconds=seconds).ask(
            {"query": _QUERY, "max_results": 1, "search_depth": "basic"}
        )
        return CheckOutcome.WORKS if isinstance(answer, dict) and "results" in answer else CheckOutcome.FOREIGN

    return _check_search(WebSearch.TAVILY, settings, search)


def check_anthropic(settings: Settings, *, seconds: float = SEARCH_SECONDS) -> Check:
    """Have a model of Anthropic search the web once. Costs one search and a few thousand tokens."""
    return _check_model(WebSearch.ANTHROPIC, settings, seconds)


def check_openai(settings: Settings, *, seconds: float = SEARCH_SECONDS) -> Check:
    """Have a model search the web once, where chat models are asked. Costs one search and a few thousand tokens."""
    return _check_model(WebSearch.OPENAI, settings, seconds)


def _check_model(who: WebSearch, settings: Settings, seconds: float) -> Check:
    asked, wire = model_that_searches(settings, who, seconds)

    async def search() -> CheckOutcome:
        body = await wire.post(asked.path, asked.body(SearchRequest(_QUERY, 1), datetime.now(UTC).date()))
        try:
            answer = asked.answer(body)
        except ValidationError:
            return CheckOutcome.FOREIGN
        if answer.error:
            raise SourceError(answer.error, f"{asked.model}: the service could not search")
        return CheckOutcome.WORKS if answer.searched else CheckOutcome.NO_SEARCH

    return _check_search(who, settings, search, asked.model)


def _check_search(
    who: WebSearch, settings: Settings, search: Callable[[], Coroutine[Any, Any, CheckOutcome]], model: str = ""
) -> Check:
    """Search once, if there is somebody to ask; what fails has its outcome, and the key is in none of it."""
    address, key = settings.access(who)
    unasked = _unasked(settings.has(who), address, SEARCHERS[who].module, SEARCHERS[who].extra)
    if unasked is not None:
        return unasked
    began, status = time.monotonic(), None
    try:
        outcome = asyncio.run(search())
    except SourceError as error:
        status = _status(error.detail)
        # OpenAI's address serves chat as well: a path that is missing there is no wrong address.
        is_right = who is WebSearch.OPENAI and error.code == "search_unsupported"
        outcome = CheckOutcome.NO_SEARCH if is_right else _outcome(error, model)
    return Check(_without_key(outcome, key), time.monotonic() - began, subject=model, status=status)


def _outcome(error: SourceError, model: str) -> CheckOutcome:
    detail = error.detail
    if error.code in _OUTCOMES:
        return _OUTCOMES[error.code]
    if detail.startswith("HTTP 5"):
        return CheckOutcome.FAILED
    # Whoever knows the request well enough to refuse it, or names the model, is the right kind of server.
    is_known = detail.startswith(("HTTP 400", "HTTP 422")) or model in detail
    return CheckOutcome.NO_SEARCH if model and is_known else CheckOutcome.FOREIGN


def check_embeddings(settings: Settings, *, seconds: float = SECONDS) -> Check:
    """Compare 24 questions with their answers. Costs some hundred tokens; a model of this computer is downloaded."""
    model, (address, secret) = settings.embedding_model or USUAL_MODEL, settings.embedding_access
    is_here = model.startswith(FASTEMBED)
    needed = ("fastembed", "fastembed") if is_here else ("httpx", "web")
    unasked = _unasked(settings.has_embeddings, None if is_here else address, *needed)
    if unasked is not None:
        return unasked
    began = time.monotonic()
    embedder: Embedder = ServerEmbedder(address or OPENAI_EMBEDDINGS, model, _revealed(secret), seconds)
    try:
        if is_here:
            embedder = FastEmbed(model.removeprefix(FASTEMBED), settings.home / "fastembed")
            embedder.load(may_download=True)
        with TemporaryDirectory() as folder:
            scale_of(KeptVectors(embedder, Path(folder) / "vectors.sqlite"))
    except EmbeddingFailed as error:
        outcome = _without_key(_OUTCOMES.get(error.code, CheckOutcome.FAILED), secret)
        return Check(outcome, time.monotonic() - began, subject=model, status=_status(error.detail))
    return Check(CheckOutcome.WORKS, time.monotonic() - began, subject=model)


def _unasked(is_set: bool, address: str | None, package: str, extra: str) -> Check | None:
    """Return why there is nobody to ask, if so."""
    if not is_set:
        return Check(CheckOutcome.NOT_SET)
    if address is not None and not is_address(address):
        return Check(CheckOutcome.NO_ADDRESS)
    if address is not None and not leads_to_askable(urlsplit(address).hostname or ""):
        return Check(CheckOutcome.FORBIDDEN)
    return Check(CheckOutcome.NO_PACKAGE, subject=extra) if find_spec(package) is None else None


def _revealed(key: SecretStr | None) -> str:
    return key.get_secret_value() if key is not None else ""


def _status(detail: str) -> int | None:
    said = re.match(r"HTTP (\d{3})\b", detail)
    return int(said[1]) if said is not None else None


def _without_key(outcome: CheckOutcome, key: SecretStr | str | None) -> CheckOutcome:
    """Return what a refusal means: where no key was sent, one is asked for."""
    return CheckOutcome.KEY_MISSING if outcome is CheckOutcome.REFUSED and not key else outcome
