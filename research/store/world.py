"""The world of a run: which analyst, which sources, from the brief and from what is set up; its cache of summaries."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import TypeAdapter

from research.analysts import Analyst, FallbackAnalyst, PageRequest, PageSummary
from research.analysts.extractive import ExtractiveAnalyst
from research.core import PRESETS, Brief, ModelCalled, PresetName, Role, RunChannel, Stage, StoreError, UsageError
from research.engine import World, load_run
from research.export.markdown import report_markdown
from research.gaps import Relevance
from research.language import Phrase
from research.meaning import (
    EmbeddingCall,
    Look,
    Meaning,
    built_in_vectors,
    chosen_vectors,
    load_models,
    may_have_own,
    quick_vectors,
)
from research.settings import Settings, home_of_account
from research.sources import check_package, choose
from research.store.database import Database, SqliteDatabase
from research.store.store import RunStore, utc_now

# --- summaries of pages, kept and shared by all runs: no page is paid for twice with the same question ---------------

_log = logging.getLogger(__name__)

_FORMAT = "2"
"""Part of every key; another number makes all that was stored before unused."""
_SIZE_LIMIT = 1_000_000_000
"""Characters; beyond, the oldest go."""
_NOW_AND_THEN = 100
"""One in so many summaries is the occasion to see whether there are too many."""
_TABLES = (("CREATE TABLE summaries (key text PRIMARY KEY, value text, kept_at text DEFAULT CURRENT_TIMESTAMP)",),)
"""The tables of a file of summaries, by version; those of a team's database stand among its migrations."""
_KEPT = "INSERT INTO summaries (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_ADDED = "INSERT INTO summaries (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
_AT_ONCE = 500
_OLDEST = """
    DELETE FROM summaries WHERE key IN (
        SELECT key FROM (SELECT key, sum(length(value)) OVER (ORDER BY kept_at DESC) AS held FROM summaries) AS aged
        WHERE held > ?
    )
"""

SUMMARIES = Path("cache", "summaries")
"""Where in the home of an account its summaries are kept, if no database of a team keeps them."""
_summaries = TypeAdapter(PageSummary)
_threads = ThreadPoolExecutor(4, thread_name_prefix="summaries")
"""Apart from those that reckon: what is paid for is kept at once, also while a model of embeddings is being loaded."""


@dataclass(frozen=True)
class CacheContent:
    """What the cache holds."""

    summaries: int
    bytes: int
    """Of the summaries alone."""


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

    def __init__(self, place: Path | Database, account: str = "") -> None:
        """Keep summaries in a folder, or in the database of a team, which tells those of each `account` apart.

        A summary tells what somebody has read and asked: no account has any use of another's.
        """
        self._place = place
        is_among_others = account and not isinstance(place, Path)
        self._prefix = f"{sha256(account.encode()).hexdigest()}:" if is_among_others else ""
        self._mine = ("key LIKE ?", (f"{self._prefix}%",)) if is_among_others else ("key NOT LIKE ?", ("%:%",))
        self._opening = threading.Lock()
        self._put_so_far = 0
        self._flights: dict[tuple[asyncio.AbstractEventLoop, str], _Flight] = {}

    async def summarise(self, analyst: Analyst, request: PageRequest) -> tuple[PageSummary, bool]:
        """Have an analyst summarise a page, unless what it would say is kept or being made; see `get_or_make`.

        Raises:
            ModelError: the analyst could not make it; all that waited for it are told.
        """
        parts = analyst.summary_key(request)
        if parts is None:
            return await analyst.summarise(request), False
        key = json.dumps([_FORMAT, request.page.url, request.page.sha256, *parts])
        digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        return await self.get_or_make(digest, lambda: analyst.summarise(request))

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
        condition, values = self._mine
        counted = f"SELECT count(*), coalesce(sum(length(value)), 0) FROM summaries WHERE {condition}"  # noqa: S608
        with self._kept.reading() as connection:
            return CacheContent(*connection.execute(counted, values).fetchone())

    def clear(self) -> int:
        """Throw away all summaries and return how many there were; runs under way make theirs anew.

        Raises:
            StoreError: it cannot be written, or not all of it.
        """
        condition, values = self._mine
        with self._kept.writing() as connection:
            count = connection.execute(f"DELETE FROM summaries WHERE {condition}", values).rowcount  # noqa: S608
        self._kept.wipe_log()
        return count

    def copy_to(self, other: SummaryCache) -> int:
        """Let another cache have all that it lacks, and return how many summaries it was given.

        Raises:
            StoreError: one of them cannot be read or written; what was copied until then stays.
        """
        condition, values = self._mine
        some = f"SELECT key, value FROM summaries WHERE {condition} AND key > ? ORDER BY key LIMIT {_AT_ONCE}"  # noqa: S608
        copied, last = 0, ""
        while True:
            with self._kept.reading() as connection:
                rows = connection.execute(some, (*values, last)).fetchall()
            if not rows:
                return copied
            with other._kept.writing() as connection:
                for row in rows:
                    given = (other._prefix + row["key"].removeprefix(self._prefix), row["value"])
                    copied += max(0, connection.execute(_ADDED, given).rowcount)
            last = rows[-1]["key"]

    @property
    def _kept(self) -> Database:
        """Where they are kept, which is opened when it is first needed; a file that is damaged starts anew."""
        with self._opening:
            if isinstance(self._place, Path):
                file = self._place / "summaries.sqlite3"
                _remove(self._place.glob("cache.db*"))  # Versions before kept them there.
                try:
                    self._place = SqliteDatabase(file, migrations=_TABLES)
                except StoreError as error:
                    if error.code != "store_damaged":
                        raise
                    _log.warning("%s It starts anew.", error)
                    _remove(file.parent.glob(f"{file.name}*"))
                    self._place = SqliteDatabase(file, migrations=_TABLES)
            return self._place

    async def _look_up_or_make(
        self, key: str, make: Callable[[], Coroutine[Any, Any, PageSummary]]
    ) -> tuple[PageSummary, bool]:
        loop = asyncio.get_running_loop()
        kept = await loop.run_in_executor(_threads, self._get, key)
        if kept is not None:
            return kept, True
        summary = await make()
        if summary.summary.strip() and not summary.by_rule:
            await loop.run_in_executor(_threads, self._put, key, summary)
        return summary, False

    def _get(self, key: str) -> PageSummary | None:
        try:
            with self._kept.reading() as connection:
                row = connection.execute("SELECT value FROM summaries WHERE key = ?", (self._prefix + key,)).fetchone()
            return row and _summaries.validate_json(row["value"])
        except Exception as error:  # noqa: BLE001 - whatever is kept, it must not cost a run its summary
            _log.warning("A cached summary could not be used: %r", error)
            return None

    def _put(self, key: str, summary: PageSummary) -> None:
        try:
            with self._kept.writing(key, patient=False) as connection:
                connection.execute(_KEPT, (self._prefix + key, _summaries.dump_json(summary).decode()))
                if self._put_so_far % _NOW_AND_THEN == 0:
                    connection.execute(_OLDEST, (_SIZE_LIMIT,))
            self._put_so_far += 1
        except Exception as error:  # noqa: BLE001 - a full or locked disk must not cost a run its summary
            _log.warning("A summary could not be cached: %r", error)


def move_summaries(source: RunStore, target: RunStore, home: Path) -> int:
    """Copy the summaries of every account that has asked for a run, and return how many the target lacked.

    `home` is that of all accounts. Errors as for `SummaryCache.copy_to`.
    """
    with source.database.reading() as connection:
        accounts = {"", *(row["account"] for row in connection.execute("SELECT DISTINCT account FROM runs").fetchall())}
    return sum(_cache_of(source, home, one).copy_to(_cache_of(target, home, one)) for one in sorted(accounts))


def _cache_of(store: RunStore, home: Path, account: str) -> SummaryCache:
    return SummaryCache(store.shared or home_of_account(home, account) / SUMMARIES, account)


def _remove(files: Iterable[Path]) -> None:
    with suppress(OSError):
        for file in files:
            file.unlink()


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
        summarise=summaries.summarise,
        now=utc_now,
        write_out=report_markdown,
        channel=channel,
        relevance=Relevance(meaning, Look.QUICK),
        meaning=meaning,
        shares_own_words=settings.shares_own_words,
        is_traced=settings.is_traced,
        secrets=settings.secrets,
    )
    if not has_models:
        return world
    # Clients of models take seconds to load, and a run without models needs none.
    with _loading:
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
        models=models.names,
        load=models.load,
        close=models.aclose,
    )


_loading = threading.Lock()
"""Held by who loads clients of models: of two threads at it, one finds modules that are not whole, for good."""


def make_ready(settings: Settings, *, compares: bool = False) -> None:
    """Load what a run needs and nothing else does: it takes seconds, in which a brief is read.

    With `compares` also the models that compare texts by meaning, which not every run needs.
    """
    with _loading:
        load_run()
        if settings.has_models:
            import_module("research.analysts.chat.analyst")
            from research.analysts.chat.models import build_role_models

            with suppress(UsageError):  # Whoever asks is told.
                build_role_models(settings, PRESETS[PresetName.QUALITY], lambda _: None).load()
    if compares:
        load_models(settings)


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
        quick_vectors(settings.home),
        may_have_own=may_have_own(settings),
        on_problem=on_problem,
        on_call=on_call,
        has_room=channel.has_room,
    )


def uses_models(brief: Brief, settings: Settings, analyst: AnalystChoice) -> bool:
    """Whether models carry out a run of `brief`; errors as for `build_world`."""
    if analyst not in get_args(AnalystChoice):
        names = ", ".join(get_args(AnalystChoice))
        raise UsageError(_NO_ANALYST.filled(name=analyst, names=names), brief.language)
    if analyst == "extractive" or (analyst == "auto" and not settings.has_models):
        return False
    if not settings.has_models:
        raise UsageError(_NO_MODELS, brief.language)
    check_package("langchain_openai", "openai", Phrase("The chat analyst"), brief)
    return True
