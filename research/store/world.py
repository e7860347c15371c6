"""The world of a run: which analyst, which sources, from the brief and from what is set up; its cache of summaries."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

import diskcache
from pydantic import TypeAdapter

from research.analysts import Analyst, FallbackAnalyst, PageRequest, PageSummary
from research.analysts.extractive import ExtractiveAnalyst
from research.core import PRESETS, Brief, ModelCalled, Role, RunChannel, Stage, StoreError, UsageError
from research.engine import World
from research.export.markdown import report_markdown
from research.gaps import Relevance
from research.language import Phrase
from research.meaning import EmbeddingCall, Meaning, built_in_vectors, chosen_vectors, may_have_own
from research.settings import Settings
from research.sources import check_package, choose
from research.store.database import Database
from research.store.store import utc_now

# --- summaries of pages, kept and shared by all runs: no page is paid for twice with the same question ---------------

_log = logging.getLogger(__name__)

_FORMAT = "2"
"""Part of every key; another number makes all that was stored before unused."""
_SIZE_LIMIT = 1_000_000_000
_WAIT_SECONDS = 5.0
_NOW_AND_THEN = 100
"""One in so many summaries is the occasion to see whether there is too much in a database."""

_summaries = TypeAdapter(PageSummary)


class _Refused(Exception):
    """An entry that this program did not write."""


class _PlainDisk(diskcache.JSONDisk):  # type: ignore[misc]
    """Stores JSON alone. A row that asks to be unpickled was planted, and unpickling it would run its code."""

    def get(self, key: Any, raw: bool) -> Any:
        if not raw:
            raise _Refused("pickled key")
        return super().get(key, raw)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode not in (diskcache.core.MODE_RAW, diskcache.core.MODE_BINARY):
            raise _Refused("pickled value")
        return super().fetch(mode, filename, value, read)


@dataclass(frozen=True)
class CacheContent:
    """What the cache holds."""

    summaries: int
    bytes: int
    """On disk or in the database, the room for entries yet to come included."""


class _OnDisk:
    """What is kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opening = threading.Lock()
        self._disk: diskcache.Cache | None = None

    def get(self, key: str) -> object:
        return self._open().get(key)

    def put(self, key: str, value: dict[str, Any]) -> None:
        self._open().set(key, value)

    def content(self) -> CacheContent:
        with self._usable() as disk:
            return CacheContent(len(disk), disk.volume())

    def clear(self) -> int:
        with self._usable() as disk:
            count: int = disk.clear()
        return count

    @contextmanager
    def _usable(self) -> Iterator[diskcache.Cache]:
        try:
            yield self._open()
        except (sqlite3.Error, diskcache.Timeout, OSError) as error:
            raise StoreError(f"The cache {self._folder} cannot be used: {error}.") from error

    def _open(self) -> diskcache.Cache:
        """Return the cache on disk; one that is damaged starts anew."""
        with self._opening:
            if self._disk is None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._folder.chmod(0o700)
                try:
                    self._disk = self._on_disk()
                except sqlite3.OperationalError:
                    raise
                except sqlite3.DatabaseError:
                    _log.warning("The cache %s is damaged and starts anew", self._folder)
                    shutil.rmtree(self._folder)
                    self._folder.mkdir(mode=0o700)
                    self._disk = self._on_disk()
            return self._disk

    def _on_disk(self) -> diskcache.Cache:
        return diskcache.Cache(str(self._folder), timeout=_WAIT_SECONDS, disk=_PlainDisk, size_limit=_SIZE_LIMIT)


_OLDEST = """
    DELETE FROM summaries WHERE key IN (
        SELECT key FROM (SELECT key, sum(length(value)) OVER (ORDER BY kept_at DESC) AS held FROM summaries) AS each
        WHERE held > ?
    )
"""


class _InDatabase:
    """What is kept beside the runs of a team; the oldest goes when there is too much."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._count = 0

    def get(self, key: str) -> object:
        with self._database.reading() as connection:
            row = connection.execute("SELECT value FROM summaries WHERE key = ?", (key,)).fetchone()
        return row and json.loads(row["value"])

    def put(self, key: str, value: dict[str, Any]) -> None:
        kept = "INSERT INTO summaries VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        with self._database.writing(key, patient=False) as connection:
            connection.execute(kept, (key, json.dumps(value)))
            if self._count % _NOW_AND_THEN == 0:
                connection.execute(_OLDEST, (_SIZE_LIMIT,))
        self._count += 1

    def content(self) -> CacheContent:
        counted = "SELECT count(*), pg_total_relation_size('summaries') FROM summaries"
        with self._database.reading() as connection:
            return CacheContent(*connection.execute(counted).fetchone())

    def clear(self) -> int:
        with self._database.writing() as connection:
            count = connection.execute("DELETE FROM summaries").rowcount
        self._database.wipe_log()
        return count


@dataclass
class _Flight:
    """A summary that is being made, and how many are waiting for it."""

    task: asyncio.Task[tuple[PageSummary, bool]]
    waiting: int = 0


class SummaryCache:
    """Summaries that are kept, and those being made. One instance serves all runs of a process.

    The cache saves money and is never needed: if it cannot be read, that is a miss; if it cannot be written, the
    summary is used all the same.
    """

    def __init__(self, place: Path | Database) -> None:
        """Keep summaries in a folder, or in the database of a team."""
        self._kept: _OnDisk | _InDatabase = _OnDisk(place) if isinstance(place, Path) else _InDatabase(place)
        self._flights: dict[tuple[asyncio.AbstractEventLoop, str], _Flight] = {}

    async def get_or_make(
        self, key: str, make: Callable[[], Coroutine[Any, Any, PageSummary]]
    ) -> tuple[PageSummary, bool]:
        """Return the summary kept under `key`, or make and keep it; and whether it was not made for this caller alone.

        Callers that ask for the same key at once share one call. It goes on as long as one of them waits for it.
        """
        place = (asyncio.get_running_loop(), key)
        flight = self._flights.get(place)
        leads = flight is None
        if flight is None:
            flight = self._flights[place] = _Flight(asyncio.create_task(self._look_up_or_make(key, make)))
        flight.waiting += 1
        try:
            summary, kept = await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                flight.task.cancel()
            if (flight.task.done() or not flight.waiting) and self._flights.get(place) is flight:
                del self._flights[place]
        return summary, kept or not leads

    def content(self) -> CacheContent:
        """Return how much the cache holds.

        Raises:
            StoreError: it cannot be read.
        """
        return self._kept.content()

    def clear(self) -> int:
        """Throw away all summaries and return how many there were; runs under way make theirs anew.

        Raises:
            StoreError: it cannot be written, or not all of it.
        """
        return self._kept.clear()

    async def _look_up_or_make(
        self, key: str, make: Callable[[], Coroutine[Any, Any, PageSummary]]
    ) -> tuple[PageSummary, bool]:
        kept = await asyncio.to_thread(self._get, key)
        if kept is not None:
            return kept, True
        summary = await make()
        if summary.summary.strip() and not summary.by_rule:
            await asyncio.to_thread(self._put, key, summary)
        return summary, False

    def _get(self, key: str) -> PageSummary | None:
        try:
            value = self._kept.get(key)
            return None if value is None else _summaries.validate_python(value)
        except Exception as error:  # noqa: BLE001 - whatever is kept, it must not cost a run its summary
            _log.warning("A cached summary could not be used: %r", error)
            return None

    def _put(self, key: str, summary: PageSummary) -> None:
        try:
            self._kept.put(key, asdict(summary))
        except Exception as error:  # noqa: BLE001 - a full or locked disk must not cost a run its summary
            _log.warning("A summary could not be cached: %r", error)


class CachedSummariser:
    """Summarises with one run's analyst, through a cache shared with all other runs."""

    def __init__(self, analyst: Analyst, cache: SummaryCache) -> None:
        self._analyst = analyst
        self._cache = cache

    async def summarise(self, request: PageRequest) -> tuple[PageSummary, bool]:
        """Return the summary, and whether it cost no call of its own (kept from before, or shared).

        Raises:
            ModelError: the analyst could not make it; all that waited for it are told.
        """
        parts = self._analyst.summary_key(request)
        if parts is None:
            return await self._analyst.summarise(request), False
        key = json.dumps([_FORMAT, request.page.url, request.page.sha256, *parts])
        digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        return await self._cache.get_or_make(digest, lambda: self._analyst.summarise(request))


AnalystChoice = Literal["auto", "chat", "extractive"]
WorldBuilder = Callable[..., World]
"""Makes the world of one run; see `build_world`."""

_NO_MODELS = Phrase(
    "The chat analyst needs a model: set up a provider in the workbench's Settings, or by the environment, as with "
    "OPENAI_API_KEY, ANTHROPIC_API_KEY or OLLAMA_MODEL. The extractive analyst needs none."
)
_NO_ANALYST = Phrase("There is no analyst {name}; there are: {names}.")


def build_world(
    brief: Brief, settings: Settings, *, library: Path | None, analyst: AnalystChoice, summaries: SummaryCache
) -> World:
    """Return the world of a run: what the brief names, or what is available where it names nothing.

    Args:
        brief: what is to be researched.
        settings: keys, addresses, models and the home folder.
        library: a folder of documents; where it is None, the documents added on the start page take its place.
        analyst: `chat`, `extractive`, or `auto`: models where a key is set.
        summaries: the cache that all runs of this process share.

    Raises:
        UsageError: something that was asked for is not available; says what to do, in the brief's language.
    """
    has_models = uses_models(brief, settings, analyst)
    channel = RunChannel()
    meaning = _meaning(settings, channel)
    chosen = choose(brief, settings, channel, library=library, uses_models=has_models, meaning=meaning)
    if chosen.are_private:
        meaning.keep_own_here()
    rules = ExtractiveAnalyst(meaning)
    world = World(
        analyst=rules,
        rules=rules,
        sources=chosen.searched,
        summariser=CachedSummariser(rules, summaries),
        now=utc_now,
        write_out=report_markdown,
        channel=channel,
        relevance=Relevance(meaning),
        meaning=meaning,
        shares_own_words=settings.shares_own_words,
        is_traced=settings.is_traced,
        secrets=settings.secrets,
    )
    if not has_models:
        return world
    # Clients of models take seconds to load, and a run without models needs none.
    from research.analysts.chat.analyst import ChatAnalyst
    from research.analysts.chat.models import build_role_models

    models = build_role_models(
        settings, PRESETS[brief.preset], channel.emit, admit=channel.admit, language=brief.language
    )
    chat = FallbackAnalyst(ChatAnalyst(models, utc_now().date()), rules, channel.problem, models)
    return replace(
        world,
        analyst=chat,
        toolbox=chosen.toolbox,
        summariser=CachedSummariser(chat, summaries),
        models=models.names,
        close=models.aclose,
    )


def _meaning(settings: Settings, channel: RunChannel) -> Meaning:
    """Return who compares texts by meaning; what goes wrong and what it costs is told to the run."""

    def on_problem(code: str, subject: str, detail: str) -> None:
        channel.problem(Stage.SEARCH, code, subject=subject, detail=detail)

    def on_call(model: str, call: EmbeddingCall, usd: float) -> None:
        channel.emit(
            ModelCalled(
                role=Role.RESEARCH,
                model=model,
                seconds=call.seconds,
                input_tokens=call.tokens,
                output_tokens=0,
                cost_usd=usd,
                error=call.error,
            )
        )

    return Meaning(
        chosen_vectors(settings),
        built_in_vectors(settings.home),
        may_have_own=may_have_own(settings),
        on_problem=on_problem,
        on_call=on_call,
        has_room=channel.has_room,
    )


def uses_models(brief: Brief, settings: Settings, analyst: AnalystChoice) -> bool:
    """Whether models carry out a run of `brief`; errors as for `build_world`."""
    if analyst not in get_args(AnalystChoice):
        names = ", ".join(get_args(AnalystChoice))
        raise UsageError(_NO_ANALYST.in_(brief.language).format(name=analyst, names=names))
    if analyst == "extractive" or (analyst == "auto" and not settings.has_models):
        return False
    if not settings.has_models:
        raise UsageError(_NO_MODELS.in_(brief.language))
    check_package("langchain_openai", "openai", Phrase("The chat analyst"), brief)
    return True
