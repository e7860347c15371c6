"""Workbenches to look at: one with runs of every state, one of a newcomer, one with keys, two that ask for a login."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.loopback import Loopback
from research import core
from research.analysts import PageSummary
from research.batch import enter_batch
from research.language import Language
from research.settings import Settings
from research.store import (
    Asking,
    Runner,
    RunStore,
    Task,
    add_schedule,
    enter,
    follow,
    label,
    run_schedule,
    star,
)
from research.store.world import SummaryCache
from tests.support import sample_plans, sample_runs
from tests.support.experiments import kept, row
from tests.support.identity_provider import auth_section
from tests.support.login_proxy import LOGIN, LoginProxy
from tests.support.openai_server import Failure, OpenAIServer
from tests.support.sample_runs import Story
from tests.support.serving import Server, workbench

_BEAT_SECONDS = 3.0
_WHO = "alice@example.com"
_UNDER_WAY = ("live", "steered", "writing", "plan")
_PLAN_SECONDS = 3 * 3_600.0
_ASKED = {
    Language.EN: ("How many service bases are there in Vietnam?", "What do the insurers of the house pay?"),
    Language.JA: ("ベトナムのサービス拠点はいくつあるか。", "保険料はいくらか。"),
}
_NAMES = {
    Language.EN: ("Power prices, for the board", ("energy", "board")),
    Language.JA: ("電力価格（取締役会用）", ("電力", "取締役会")),
}
_BATCH = {
    Language.EN: ("country", ("Vietnam", "Thailand", "Indonesia"), "What were the sales in {country} in fiscal 2025?"),
    Language.JA: ("国", ("ベトナム", "タイ", "インドネシア"), "{国}の2025年度の売上高はいくらか。"),
}
"""A column of a table, what stands in it, and what is asked of each row."""
_BROKEN = {Language.EN: "board-minutes-2026-04.pdf", Language.JA: "取締役会議事録_2026年4月.pdf"}
"""A document that cannot be read."""
_PUMPS = {Language.EN: "How large is the pump market?", Language.JA: "ポンプ市場の規模はどれくらいか。"}
"""What the models and the web on loopback know of."""
_MORE = {
    Language.EN: "What do power contracts of ten years cost?",
    Language.JA: "10年の電力契約はいくらか。",
}
_NEWER = (("455", "470"), ("4億5,500万円", "4億7,000万円"), ("notes.example.org", "review.example.net"))
"""What the second of two runs on one question finds instead of what the first one found."""


@dataclass(frozen=True)
class Homes:
    """The addresses of the workbenches, and the runs of the first."""

    language: Language
    address: str
    newcomer: str
    keyed: str
    """With models, and own documents."""
    team: str
    """By way of its login; its key for models is refused, and no worker is there for its run."""
    strange: str
    """The same, past its login."""
    login: str
    """Of which nothing is seen before a login by OpenID Connect."""
    runs: Mapping[str, str]

    def page(self, name: str = "", *, home: str = "") -> str:
        """The address of a page, of the first workbench unless another one is given."""
        return f"{home or self.address}/{name}?lang={self.language}"

    def run(self, name: str, *, home: str = "") -> str:
        """The address of a run's page."""
        return f"{self.page('run', home=home)}&id={self.runs[name]}"

    def beside(self, *names: str) -> str:
        """The address of the page that compares runs."""
        return f"{self.page('compare')}&runs={','.join(self.runs[name] for name in names)}"


@contextmanager
def homes(folder: Path, language: Language) -> Iterator[Homes]:
    """Start the workbenches with their data below `folder`; all that was asked is in one language."""
    with ExitStack() as stack:
        newcomer = stack.enter_context(workbench(folder / "newcomer"))
        models = stack.enter_context(Loopback())
        _add_documents(folder / "keyed" / "documents", language)
        keyed = stack.enter_context(workbench(folder / "keyed", **models.environment))
        capped = _capped(folder / "keyed", models.environment, language)
        team, strange, waiting = stack.enter_context(_team(folder / "team", language))
        login = stack.enter_context(_login(folder / "login"))
        runs = stack.enter_context(_runs(folder / "home", language)) | {"waiting": waiting} | capped
        yield Homes(
            language, stack.enter_context(workbench(folder / "home")), newcomer, keyed, team, strange, login, runs
        )


def _add_documents(folder: Path, language: Language) -> None:
    """Put two documents into a folder, of which one cannot be read."""
    folder.mkdir(parents=True)
    folder.joinpath("notes.md").write_text("Sales in Vietnam were 320 million yen in fiscal 2024.", encoding="utf-8")
    folder.joinpath(_BROKEN[language]).write_bytes(b"%PDF-1.7 and nothing else")


def _capped(home: Path, environment: Mapping[str, str], language: Language) -> dict[str, str]:
    """Carry out runs with models, on the web and two documents, that reach a cap of cost or of time."""
    caps: dict[str, dict[str, float]] = {"costly": {"max_cost_usd": 0.12}, "hurried": {"max_minutes": 0.25}}
    settings = Settings.from_environment({"RESEARCH_HOME": str(home), **environment})
    sources = (core.SourceName.WEB, core.SourceName.LIBRARY)
    asked = core.Brief(question=_PUMPS[language], language=language, sources=sources)
    store = RunStore(home)
    with Runner(store, settings) as runner:
        made = {name: runner.start(asked.model_copy(update=cap)) for name, cap in caps.items()}
        for run in made.values():
            runner.wait(run, timeout=sample_runs.PATIENCE)
    store.close()
    return made


@contextmanager
def _team(home: Path, language: Language) -> Iterator[tuple[str, str, str]]:
    """Start a team's workbench; yield its address by way of the login and past it, and the run that waits."""
    store = RunStore(home)
    question = _ASKED[language][0]
    run = enter(store.of_account(_WHO), core.Brief(question=question, language=language), "chat", Task())
    store.close()
    with OpenAIServer() as models:
        models.handler = lambda _: Failure(401)
        key = {"OPENAI_API_KEY": "sk-refused", "OPENAI_BASE_URL": models.base_url}
        team = {"RESEARCH_WORKERS": "1", "RESEARCH_ADMINISTRATORS": _WHO}
        with workbench(home, **key, **team, **LOGIN) as server, LoginProxy(server, _WHO) as proxy:
            yield proxy.address, server, run


@contextmanager
def _login(home: Path) -> Iterator[str]:
    """Start a workbench with a login by a provider of identities, and yield its address."""
    secrets = home / "secrets.toml"
    server = Server(home, STREAMLIT_SECRETS_FILES=str(secrets))
    home.mkdir(exist_ok=True)
    secrets.write_text(auth_section(server.address))
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


@contextmanager
def _runs(home: Path, language: Language) -> Iterator[dict[str, str]]:
    """Store runs of every state, and keep those that are under way alive."""
    store, over = RunStore(home), threading.Event()
    made = _carried_out(home, store, language) | _stored(home, store, language)
    asyncio.run(_fill_cache(home))

    def beat() -> None:
        while not over.wait(_BEAT_SECONDS):
            for name in _UNDER_WAY:
                store.heartbeat(made[name])

    beating = threading.Thread(target=beat)
    beating.start()
    try:
        yield made
    finally:
        over.set()
        beating.join()
        store.close()


def _stored(home: Path, store: RunStore, language: Language) -> dict[str, str]:
    """Store runs that nobody carried out."""
    made = {
        "broken": sample_runs.broken_off(home, language),
        "partial": sample_runs.ended(store, language, analyst="extractive", status=core.Status.PARTIAL),
        "old": sample_runs.ended(store, language, checked=False),
        "strict": sample_runs.ended(store, language, left_out=sample_runs.LEFT_OUT),
        "failed": _failed(store, language),
        "wordy": _wordy(store, language),
        "sales": sample_runs.sales(store, language),
        "repeated": _repeated(store, language),
        "complete": sample_runs.ended(store, language),
        "writing": sample_runs.writing(store, language),
        "steered": _steered(store, language),
        "live": sample_runs.researching(store, language),
        "plan": sample_plans.waiting(store, language, seconds=_PLAN_SECONDS),
    }
    follow(store, made["repeated"], made["sales"])
    tried = {"chained": made["partial"], "noted": made["repeated"], "supervised": made["complete"]}
    kept(home, [row(run, method, run=run) for method, run in tried.items()])
    title, tags = _NAMES[language]
    label(store, made["complete"], title=title, tags=tags)
    star(store, made["complete"], True)
    for name, rhythm in {"sales": "every monday 08:00", "complete": "every month on 31 18:00"}.items():
        add_schedule(store, rhythm, store.get(made[name]).brief, Task(), zone="Asia/Tokyo", analyst="chat")
    return made


def _carried_out(home: Path, store: RunStore, language: Language) -> dict[str, str]:
    """Carry out runs by rule on the documents of the house, which contradict each other."""
    made = {"house": sample_runs.house(home, language)}
    with Runner(store, Settings.from_environment({"RESEARCH_HOME": str(home)})) as runner:
        asking = Asking(store, runner)
        brief = store.get(made["house"]).brief
        made["notes"] = runner.start(brief.model_copy(update={"method": core.MethodName.NOTED}))
        made["asked"] = runner.start(brief)
        weekly = add_schedule(store, "every monday 08:00", brief, Task(), zone="Asia/Tokyo", analyst="extractive")
        run_schedule(store, weekly.id)
        made["rewritten"] = asking.rewrite(made["house"], length=core.Length.PAGE)
        for run in made.values():
            runner.wait(run, timeout=sample_runs.PATIENCE)
        column, countries, question = _BATCH[language]
        asked = brief.model_copy(update={"question": question})
        rows = [{column: country} for country in countries]
        enter_batch(store, Settings.from_environment({"RESEARCH_HOME": str(home)}), "countries.csv", asked, rows)
        for question in _ASKED[language]:
            asking.ask(made["asked"], question).result(timeout=sample_runs.PATIENCE)
        runner.wait(asking.search(made["asked"], 1), timeout=sample_runs.PATIENCE)
    return made


def _failed(store: RunStore, language: Language) -> str:
    """Store a run that found nothing."""
    story = Story(store, language, "extractive")
    story.draft = ""
    asked = story.words["query1"]
    story.tell(
        core.SearchStarted(lane="R1", search="Q1", query=asked, source=core.SourceName.WEB),
        core.SearchFailed(lane="R1", search="Q1", code="search_unreachable"),
        core.ProblemOccurred(stage=core.Stage.SEARCH, code="search_unreachable", subject=asked, lane="R1"),
    )
    story.end(core.Status.FAILED)
    return story.run


def _wordy(store: RunStore, language: Language) -> str:
    """Store a run that quotes no figure."""
    story = Story(store, language, "chat")
    page = next(page for page in story.sample["pages"] if page["kind"] == "news")
    said = page["quotes"][-1]
    story.read("R1", page | {"quotes": [said]}, cached=False)
    story.draft = f"{said} [E1]."
    story.end(core.Status.COMPLETE)
    return story.run


def _repeated(store: RunStore, language: Language) -> str:
    """Store the run of `sample_runs.sales` as it would be later: another figure, one page lost and one new."""
    story = Story(store, language, "chat")
    told = json.dumps(story.sample["sales"], ensure_ascii=False)
    for before, now in _NEWER:
        told = told.replace(before, now)
    newer = json.loads(told)
    story.draft = "\n".join(newer["report"])
    for page in newer["pages"]:
        story.read("R1", page, cached=False)
    story.end(core.Status.COMPLETE)
    return story.run


def _steered(store: RunStore, language: Language) -> str:
    """Store a run of which everything was asked that can be asked while it is under way."""
    story = Story(store, language, "chat")
    story.research()
    story.wait()
    story.tell(
        core.QuestionAdded(question=_MORE[language]),
        core.SiteBlocked(site="news.example.com"),
        core.TopicDropped(lane="R1"),
        core.TopicFinished(lane="R1", reason="dropped"),
    )
    return story.run


async def _fill_cache(home: Path) -> None:
    """Put summaries of pages into the cache."""
    cache = SummaryCache(home / "cache" / "summaries")

    async def make() -> PageSummary:
        return PageSummary("It grew.", ("The market grew.",))

    for number in range(12):
        await cache.get_or_make(f"key {number}", make)
