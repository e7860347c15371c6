"""Runs from Python: start, follow, load, resume, ask, compare."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from research import engine, export
from research.core import AnyEvent, Brief, FollowUpAnswered, Phase, RunView, Steer, UsageError
from research.language import COMMA, Language, Phrase
from research.results import FollowUp, Report
from research.settings import Settings
from research.sources import Source, added_documents, names_of, usd_a_search
from research.store.recorder import follow_ups_to, join, keep_answer, keep_search, load_report
from research.store.runner import Runner
from research.store.search import past_runs
from research.store.store import NOT_ENDED, RunStore
from research.store.world import AnalystChoice
from research.text import Card

if TYPE_CHECKING:
    from research.library import Library

_NOTHING_FOUND = Phrase("The run {run} found nothing to write from.")
_NO_QUESTION = Phrase("There is no question {number} about the run {run}.")
_ONLY_NAMES = Phrase("Workers carry runs out: a source must be installed where they run, and be named here.")
_engines: list[tuple[Settings, RunStore, Runner]] = []
_lock = threading.Lock()
Report.maker = export.made


async def run(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    sources: Sequence[str | Source] = (),
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Report:
    """Research a brief, or a mere question, and return the report.

    Args:
        brief: what to research; a string is the question of a brief that leaves all else open.
        library: a folder of documents to search as well.
        sources: where to look instead of where the brief says: names, or objects of one's own (`docs/own_source.md`).
        analyst: `chat` (models), `extractive` (none), or `auto`: models if a key is set.
        settings: keys, addresses, models and the home folder; by default those of the environment.

    Cancelling the call stops the run.

    Raises:
        UsageError: something that the brief asks for is not available; says what to do.
        StoreError: the run cannot be entered into the run store.
    """
    live = stream(brief, library=library, sources=sources, analyst=analyst, settings=settings)
    async for _ in live:
        pass
    return live.report


def run_sync(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    sources: Sequence[str | Source] = (),
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Report:
    """Do what `run` does, without await: in scripts, and in notebooks, whose event loop is running already.

    Interrupting the call stops the run.
    """
    live = stream(brief, library=library, sources=sources, analyst=analyst, settings=settings)
    return live.wait()


def stream(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    sources: Sequence[str | Source] = (),
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Stream:
    """Start a run and return its events, to be followed with `async for`; arguments and errors are those of `run`.

    The run goes on, and is stored, whether or not its events are followed to the end.
    """
    used = settings or Settings.from_environment()
    runner = _engine(used)[1]
    asked = Brief(question=brief) if isinstance(brief, str) else brief
    if used.uses_workers and not all(isinstance(source, str) for source in sources):
        raise UsageError(_ONLY_NAMES, asked.language)
    if sources:
        asked = asked.model_copy(update={"sources": names_of(sources, asked.language)})
    return Stream(runner, runner.start(asked, library=_folder(library), analyst=analyst))


def resume(run_id: str, *, library: Library | Path | str | None = None, settings: Settings | None = None) -> Stream:
    """Let a run that broke off go on, and return its events, from its first on; arguments are those of `run`.

    Raises:
        UsageError: there is no such run, it did not break off, or something that it needs is not available any more.
        StoreError: the run store cannot be read or written.
    """
    runner = _engine(settings or Settings.from_environment())[1]
    runner.resume(run_id, library=_folder(library))
    return Stream(runner, run_id)


def load(run_id: str, *, settings: Settings | None = None) -> Report:
    """Return the report of a run that has ended, whichever program it ran in.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the run store cannot be read.
    """
    return load_report(_engine(settings or Settings.from_environment())[0], run_id)


async def ask(
    run_id: str, question: str, *, analyst: AnalystChoice = "auto", settings: Settings | None = None
) -> FollowUpAnswered:
    """Answer a question about the report of a run that has ended, from what it found; nothing is searched.

    The answer's `draft` cites evidence as `[E12]`, and is kept with the run.

    Raises:
        UsageError: there is no such run, it is still running, or the analyst is not available.
        StoreError: the run store cannot be read or written.
    """
    asking = Asking(*_engine(settings or Settings.from_environment()))
    return await asyncio.wrap_future(asking.ask(run_id, question, analyst=analyst))


def rewrite(
    run_id: str, *, analyst: AnalystChoice = "auto", settings: Settings | None = None, **changes: object
) -> Stream:
    """Let the report of a run that has ended be written anew from what was found, as a run of its own.

    `changes` are fields of the brief: `audience`, `form`, `length`, `summary`, `tone`, `language`.

    Raises:
        UsageError: there is no such run, it is still running, it found nothing, or the analyst is not available.
        StoreError: the run store cannot be read or written.
        ValueError: a change is none that a rewritten report can have.
    """
    store, runner = _engine(settings or Settings.from_environment())
    return Stream(runner, Asking(store, runner).rewrite(run_id, analyst=analyst, **changes))


def estimate(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> engine.Estimate:
    """Say what a run will take: seconds, tokens and US dollars, each from so much to so much; nothing is run.

    Raises:
        StoreError: the run store cannot be read.
    """
    used = settings or Settings.from_environment()
    asked = Brief(question=brief) if isinstance(brief, str) else brief
    models = {} if analyst == "extractive" else engine.models_of(asked, used)
    has_documents = library is not None or added_documents(used) is not None
    searched = engine.sources_of(asked, used, has_documents=has_documents)
    web = any(name.is_open for name in searched)
    with closing(RunStore.of(used)) as store:
        past = past_runs(store, asked, "chat" if models else "extractive", web=web)
    fee = usd_a_search(asked, used)
    return engine.estimate(asked, models, past, sources=len(searched), web=web, usd_a_search=fee)


_PHASES = {
    Phase.WAITING: Phrase("Waiting"),
    Phase.RESEARCHING: Phrase("Researching"),
    Phase.WRITING: Phrase("Writing the report"),
    Phase.ENDED: Phrase("Ended"),
}


class Stream(Card):
    """The events of one run as they happen, from `run_started` to `run_finished`; then its report."""

    def __init__(self, runner: Runner, run_id: str) -> None:
        self.run_id = run_id
        self._runner = runner
        self._view = RunView()

    async def __aiter__(self) -> AsyncIterator[AnyEvent]:
        """Yield the events from the first on. Cancelling the loop stops the run; leaving it does not."""
        try:
            async for events in self._runner.looks(self.run_id):
                for event in events:
                    yield event
        except asyncio.CancelledError:
            self._runner.stop(self.run_id)
            raise

    @property
    def report(self) -> Report:
        """The report.

        Raises:
            UsageError: the run has not ended yet.
        """
        try:
            return self._runner.wait(self.run_id, timeout=0)
        except TimeoutError:
            raise UsageError(NOT_ENDED.filled(run=self.run_id)) from None

    def _card(self) -> tuple[str, list[tuple[str, str]]]:
        view = self._view.extend(self._runner.events(self.run_id, self._view.seq))
        language = view.brief.language if view.brief else Language.EN
        rows = {
            Phrase("Run"): self.run_id,
            Phrase("Status"): f"{_PHASES[view.phase].in_(language)} · {view.progress:.0%}",
            Phrase("Searches"): str(len(view.queries)),
            Phrase("Pages", "how many"): str(len(view.pages)),
            Phrase("Quotes"): str(len(view.evidence)),
            Phrase("Newest pages"): COMMA.in_(language).join(page.title for page in [*view.pages.values()][-3:]),
        }
        told = [(name.in_(language), value) for name, value in rows.items() if value]
        doing = {lane.name: "" if lane.is_over else lane.activity for lane in view.topics}
        lanes = [(lane.name, " – ".join(filter(None, (lane.label, doing[lane.name])))) for lane in view.topics]
        return view.brief.question if view.brief else self.run_id, [*told, *lanes]

    def finish_now(self) -> None:
        """Ask for the report to be written now, from what there is."""
        self._runner.finish_now(self.run_id)

    def stop(self) -> None:
        """Ask the run to stop at once."""
        self._runner.stop(self.run_id)

    def steer(self, steer: Steer) -> None:
        """Ask something else of the run: one more question, a topic less, a site less; see `research.core.brief`."""
        self._runner.steer(self.run_id, steer)

    def wait(self) -> Report:
        """Return the report as soon as there is one. Interrupting the call stops the run."""
        try:
            return self._runner.wait(self.run_id)
        except BaseException:
            self._runner.stop(self.run_id)
            raise


def _engine(settings: Settings) -> tuple[RunStore, Runner]:
    """Return the store and the runner for these settings: one of each in a process."""
    with _lock:
        for known, store, runner in _engines:
            if known == settings:
                return store, runner
        store = RunStore.of(settings)
        runner = Runner(store, settings)
        _engines.append((settings, store, runner))
        atexit.register(runner.close)
        return store, runner


def _folder(library: Library | Path | str | None) -> Path | None:
    if library is None or isinstance(library, Path):
        return library
    return Path(library) if isinstance(library, str) else library.folder


class Asking:
    """Asks about reports. Safe for use from any thread.

    Answers are kept with the run as soon as they are there, whoever waits for them.
    """

    def __init__(self, store: RunStore, runner: Runner) -> None:
        self._store = store
        self._runner = runner
        self._asked: dict[str, list[tuple[str, Future[FollowUpAnswered]]]] = {}
        self._lock = threading.Lock()

    def ask(self, run_id: str, question: str, *, analyst: AnalystChoice = "auto") -> Future[FollowUpAnswered]:
        """Answer a question from the evidence of a run that has ended; nothing is searched.

        Raises:
            UsageError: there is no such run, it is running, or the analyst is not available.
            StoreError: the store cannot be read.
        """
        self._store.ended(run_id, own=True)
        report = load_report(self._store, run_id)
        world = self._runner.world(engine.brief_without_sources(report.record.brief), analyst=analyst)
        done = self._runner.submit(self._answer(report, " ".join(question.split()), world))
        with self._lock:
            self._asked.setdefault(run_id, []).append((question, done))
        return done

    def pending(self, run_id: str) -> tuple[str, ...]:
        """Return the questions about a run that this process is answering."""
        with self._lock:
            return tuple(question for question, done in self._asked.get(run_id, []) if not done.done())

    def failed(self, run_id: str) -> tuple[str, ...]:
        """Return the questions about a run that could not be answered, each once."""
        with self._lock:
            asked = self._asked.pop(run_id, [])
            over = [one for one in asked if one[1].done()]
            self._asked[run_id] = [one for one in asked if one not in over]
        return tuple(question for question, done in over if done.cancelled() or done.exception())

    def search(self, run_id: str, number: int, *, analyst: AnalystChoice = "auto") -> str:
        """Start a small run that searches for what a question asks, and return its id.

        What it finds joins the report, and the question is answered anew. A search that is under way is not started
        a second time.

        Raises:
            UsageError: there is no such run or question, or what the search needs is not available.
            StoreError: the store cannot be read or written.
        """
        asked = self._question(run_id, number)
        if asked.awaits and self._is_running(asked.awaits):
            return asked.awaits
        self._store.ended(run_id, own=True)
        report = load_report(self._store, run_id)
        dropped = [topic.label for topic in report.view.topics if topic.dropped]
        brief = engine.small_brief(asked.answer.question, report.record.brief, dropped)
        world = self._runner.world(brief, analyst=analyst)

        async def on_found(found: Report) -> None:
            await self._join(run_id, asked.answer, found, world)

        conduct = partial(engine.search, first=run_id, blocked=report.view.blocked, on_found=on_found)
        small = self._runner.begin(brief, world, conduct)
        keep_search(self._store, run_id, number, small)
        return small

    def rewrite(self, run_id: str, *, analyst: AnalystChoice = "auto", **changes: object) -> str:
        """Start a run that writes the report of another anew, and return its id; see `research.engine.conduct`.

        Raises:
            UsageError: there is no such run, it is running, it found nothing, or the analyst is not available.
            StoreError: the store cannot be read or written.
            ValueError: a change is none that a rewritten report can have.
        """
        first = load_report(self._store, run_id)
        if not first.record.evidence:
            raise UsageError(_NOTHING_FOUND.filled(run=run_id))
        brief: Brief = engine.rewritten(first.record.brief, **changes)
        world = self._runner.world(engine.brief_without_sources(brief), analyst=analyst)
        return self._runner.begin(brief, world, partial(engine.rewrite, first=first))

    async def _answer(self, report: Report, question: str, world: engine.World) -> FollowUpAnswered:
        try:
            answered = await engine.answer_question(report, question, world)
        finally:
            await world.close()
        number = await asyncio.to_thread(keep_answer, self._store, report.record.run, answered.event, answered.calls)
        return answered.event.model_copy(update={"number": number})

    async def _join(self, run_id: str, before: FollowUpAnswered, found: Report, world: engine.World) -> None:
        """Let what a small run found join the report, and answer the question from all there is now."""
        number, small = before.number, found.record.run
        new = await asyncio.to_thread(join, self._store, run_id, found, before.question, number)
        if not new.events:
            nothing = before.model_copy(update={"seq": 0, "at": None, "run": small})
            await asyncio.to_thread(keep_answer, self._store, run_id, nothing)
            return
        report = await asyncio.to_thread(load_report, self._store, run_id)
        answered = await engine.answer_question(report, before.question, world, number=number)
        pages = (*before.added, *(page.id for page in new.pages), *new.regained)
        event = answered.event.model_copy(update={"run": small, "added": tuple(dict.fromkeys(pages))})
        await asyncio.to_thread(keep_answer, self._store, run_id, event, answered.calls)

    def _question(self, run_id: str, number: int) -> FollowUp:
        for asked in follow_ups_to(self._store, run_id):
            if asked.number == number:
                return asked
        raise UsageError(_NO_QUESTION.filled(number=number, run=run_id))

    def _is_running(self, run_id: str) -> bool:
        try:
            return self._store.get(run_id).state.is_open
        except UsageError:
            return False


async def compare(
    brief: Brief | str,
    *,
    methods: Sequence[str] = (),
    presets: Sequence[str] = (),
    library: Library | Path | str | None = None,
    sources: Sequence[str | Source] = (),
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> engine.Comparison:
    """Research a question in every combination of `methods` and `presets`, all at the same time.

    What is not given is the brief's, or each preset's own method. The other arguments are those of `research.run`.

    Raises:
        UsageError: fewer than two ways remain, a name does not exist, or something asked for is not available.
        StoreError: the runs cannot be entered into the run store.
    """
    asked = Brief(question=brief) if isinstance(brief, str) else brief
    ways = engine.variants(asked, methods, presets)
    started = partial(run, library=library, sources=sources, analyst=analyst, settings=settings)
    reports = await asyncio.gather(*(started(way.applied_to(asked)) for way in ways))
    return engine.Comparison.of(reports)
