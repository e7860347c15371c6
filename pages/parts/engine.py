"""The user's own documents: a folder that files dropped on the page join, if they can be read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st

from pages.parts.accounts import account, is_administrator
from research.core import RunView
from research.library import Library, Skipped, library_state
from research.settings import CurrentSettings, Settings, disk_problem
from research.store import Action, Asking, Runner, RunState, RunStore, Worker, has_work, to_log

_LONGEST_NAME = 120
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')


@dataclass(frozen=True)
class OwnDocument:
    """A file of the folder, or one that was to join it."""

    name: str
    size: int
    problem: str = ""
    """Why it cannot be read or kept (a key of `research.core.errors`), if it cannot."""


def documents_folder(settings: Settings) -> Path:
    """Return the folder of the documents, making it if need be."""
    place = settings.home / "documents"
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    return place


def safe_name(name: str) -> str:
    """Return a file name that stays inside its folder and is not hidden, as close to `name` as can be."""
    bare = _UNSAFE.sub("_", unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]).strip(" .")
    stem, dot, ending = bare.rpartition(".")
    if not dot:
        stem, ending = bare, ""
    return f"{stem[:_LONGEST_NAME] or 'document'}{dot}{ending[:12]}"


def add(place: Path, name: str, data: bytes) -> str:
    """Keep a file and return its name; the same file twice is kept once, another of that name gets a number."""
    wanted = place / safe_name(name)
    for number in range(1, 1_000):
        path = wanted if number == 1 else wanted.with_stem(f"{wanted.stem} ({number})")
        if not path.exists():
            path.write_bytes(data)
            return path.name
        if path.read_bytes() == data:
            return path.name
    raise OSError(f"There are a thousand files named {wanted.name}.")


def remove_document(place: Path, name: str) -> None:
    """Remove a file of the folder; a name that leads elsewhere removes nothing."""
    path = place / safe_name(name)
    if path.name == name:
        path.unlink(missing_ok=True)


def present_documents(place: Path) -> list[tuple[str, int, int]]:
    """Return name, size and time of change of each file: what tells whether the folder changed."""
    status = {path.name: path.stat() for path in sorted(place.iterdir()) if path.is_file() and path.name[0] != "."}
    return [(name, entry.st_size, entry.st_mtime_ns) for name, entry in status.items()]


def take_in_documents(settings: Settings, dropped: Iterable[tuple[str, bytes]]) -> tuple[int, Sequence[OwnDocument]]:
    """Keep what can be read of the files dropped, each with its name; return how many, and those that were refused."""
    place, kept, refused = documents_folder(settings), dict[str, OwnDocument](), list[OwnDocument]()
    for name, data in dropped:
        try:
            kept[add(place, name, data)] = OwnDocument(name, len(data))
        except OSError as error:
            refused.append(OwnDocument(name, len(data), disk_problem(error)))
    problems = {held.name: held.problem for held in read_documents(settings)}
    for name in [name for name in kept if problems.get(name)]:
        file = kept.pop(name)
        remove_document(place, name)
        refused.append(OwnDocument(file.name, file.size, problems[name]))
    return len(kept), refused


def read_documents(settings: Settings) -> list[OwnDocument]:
    """Read what is new in the folder and return all its documents, each with what is wrong with it."""
    place = documents_folder(settings)
    return _named(place, Library(place, settings.home / "library").refresh().skipped)


def documents_so_far(settings: Settings) -> list[OwnDocument]:
    """Return the documents of the folder, each with what is known to be wrong with it; nothing is read."""
    place = documents_folder(settings)
    return _named(place, library_state(place, settings.home / "library").skipped)


def _named(place: Path, skipped: Iterable[Skipped]) -> list[OwnDocument]:
    codes = {skip.path.name: skip.code for skip in skipped}
    return [OwnDocument(name, size, codes.get(name, "")) for name, size, _ in present_documents(place)]


@dataclass(frozen=True)
class Engine:
    """What the pages need of the engine."""

    current: CurrentSettings
    store: RunStore
    runner: Runner
    asking: Asking
    """Who answers questions about reports: answers arrive when the page that asked is refreshed or closed."""

    @property
    def settings(self) -> Settings:
        """The settings that a run started now would have."""
        return self.current()


def engine() -> Engine:
    """Return the engine of whoever is here, which knows nothing of other accounts.

    Raises:
        Refused: nobody has logged in.
    """
    return _engine(account())


_NOTED = "login_noted"


def note_login() -> None:
    """Keep that somebody has come, once in a session."""
    if st.session_state.setdefault(_NOTED, "") != (who := account()):
        st.session_state[_NOTED] = who
        engine().store.note(Action.LOGGED_IN)


def settings_home() -> Path:
    """Return the folder in which the Settings page keeps what is entered; an administrator enters it for all."""
    settings = engine().settings
    return settings.common_home or settings.home if is_administrator() else settings.home


@st.cache_resource(show_spinner=False, on_release=lambda made: made.runner.close())
def _engine(account: str) -> Engine:
    """Return the engine of an account; made once, so that runs live on when a page is refreshed or closed.

    Where Streamlit's caches are cleared, it leaves its runs: the next one could not reach them.
    """
    current = CurrentSettings(account)
    current().home.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = common_store().of_account(account)
    runner = Runner(store, current(), current=current)
    return Engine(current, store, runner, Asking(store, runner))


@st.cache_resource(show_spinner=False, on_release=lambda store: store.close())
def common_store() -> RunStore:
    """Return the store of all accounts, as it is for that without a name; made once."""
    return RunStore.of(Settings.from_environment())


def leaves_to_workers() -> bool:
    """Whether workers carry out the research of all."""
    return Settings.from_environment().uses_workers


def make_ready() -> None:
    """Load what a run and its page need, once the first page stands: while it is read, and a question written."""
    _made_ready(account())


def make_ready_to_compare() -> None:
    """Load what runs compare texts by, once a question stands: it takes seconds, and not every page is there to ask."""
    _made_ready_to_compare(account())


@st.cache_resource(show_spinner=False)
def _made_ready_to_compare(account: str) -> None:
    if not leaves_to_workers():
        _engine(account).runner.make_ready(compares=True)


@st.cache_resource(show_spinner=False)
def _made_ready(account: str) -> None:
    _engine(account).runner.make_ready()
    carry_out_waiting()
    for shown_next in ("live.run", "report.finished"):
        import_module(f"pages.parts.{shown_next}")


def carry_out_waiting() -> None:
    """Let this process carry out what is scheduled or waits, whoever asked for it, where no workers do."""
    if not engine().settings.uses_workers and has_work(engine().store):
        _own_worker()


@st.cache_resource(show_spinner=False, on_release=lambda worker: worker.end())
def _own_worker() -> Worker:
    """Return the worker of this process, which is at work; made once."""
    worker = Worker(
        common_store(), Settings.from_environment(), settings_of=lambda who: CurrentSettings(who)(), say=to_log
    )
    Thread(target=worker.work, name="waiting", daemon=True).start()
    return worker


def own_library() -> Path | None:
    """Return the folder of the reader's own documents, or None while there are none."""
    return documents_folder(engine().settings) if own_documents() else None


def own_documents() -> list[OwnDocument]:
    """Return the user's documents as last read; they are read again only when the folder changed.

    If that takes long, it goes on while the page is shown, and what is known so far is returned.
    """
    place = documents_folder(engine().settings)
    present = tuple(present_documents(place))
    reading = _reading(place, present)
    if not wait([reading], _PATIENCE).done:
        return documents_so_far(engine().settings)
    if reading.exception() or any(one.problem == "file_unfinished" for one in reading.result()):
        # The next look may find more: the folder is readable again, another program has read the file.
        _reading.clear(place, present)
    return reading.result()


_PATIENCE = 3.0
"""Seconds that a page waits for the documents to be read."""


@st.cache_resource(show_spinner=False, max_entries=100)
def _reading(place: Path, present: tuple[tuple[str, int, int], ...]) -> Future[list[OwnDocument]]:
    """Read the documents of the folder at `place`, whose files are `present`, in a thread of its own."""
    settings, reading = engine().settings, Future[list[OwnDocument]]()

    def read() -> None:
        try:
            reading.set_result(read_documents(settings) if present else [])
        except Exception as error:  # noqa: BLE001 - the page is to hear of it
            reading.set_exception(error)

    Thread(target=read, name="documents", daemon=True).start()
    return reading


_KEY = "live_state"


def current(run_id: str) -> RunView:
    """Return the state of a run as of now; only events that this session has not seen are read."""
    held = st.session_state.get(_KEY)
    state = held[1] if held is not None and held[0] == run_id else RunView()
    state.extend(engine().runner.events(run_id, after=state.seq))
    st.session_state[_KEY] = (run_id, state)
    return state


def forget_state() -> None:
    """Take the run in from its first event the next time: one that was over goes on."""
    st.session_state.pop(_KEY, None)


def is_running(run_id: str) -> bool:
    """Whether a run waits or is under way."""
    return state_of(run_id).is_open


def state_of(run_id: str) -> RunState:
    """Return where a run stands; of those of this process the store need not have heard for a while."""
    return RunState.RUNNING if engine().runner.is_under_way(run_id) else engine().store.get(run_id).state
