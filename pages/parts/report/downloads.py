"""The report as files, made ahead."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from itertools import count
from typing import NamedTuple

import streamlit as st
from streamlit import runtime

from pages.parts.engine import engine
from pages.parts.ui import Ui, no_traceback, verbatim
from research.core import ResearchError
from research.export import FORMATS, file_name
from research.export.document import Paper
from research.language import Bilingual, Phrase
from research.results import Report
from research.store import Action, RunStore, load_report

_log = logging.getLogger("workbench")

_KEPT = 8
_Key = tuple[str, str, bool, int, str]


class Wish(NamedTuple):
    """How a file is wanted."""

    paper: Paper = Paper.A4
    with_trail: bool = True
    """Whether how it was researched, with all queries, stands at its end."""


class MadeAhead:
    """Makes one format; used by several threads."""

    def __init__(self, make: Callable[[Report, Wish], bytes]) -> None:
        self._make = make
        self._made: OrderedDict[_Key, Future[bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def file(self, report: Report, wish: Wish) -> bytes:
        """Return the file of a report, made now unless it is there or being made; raises what making it raises."""
        key = _key(report, wish)
        with self._lock:
            future = self._made.get(key)
            is_mine = future is None
            if future is None:
                future = self._made[key] = Future()
            self._made.move_to_end(key)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        if is_mine:
            self._fill(key, future, report, wish)
        return future.result()

    def begin(self, load: Callable[[], Report], wish: Wish, *, after: float = 0.0) -> None:
        """Make the file of the report that `load` returns on a thread of its own, `after` so many seconds."""
        timer = threading.Timer(after, self._prepare, (load, wish))
        timer.daemon = True
        timer.start()

    def _prepare(self, load: Callable[[], Report], wish: Wish) -> None:
        try:
            self.file(load(), wish)
        except Exception as error:  # noqa: BLE001 - nobody has asked for it; whoever does is told
            _log.info("A file could not be made ahead: %s", error)

    def _fill(self, key: _Key, future: Future[bytes], report: Report, wish: Wish) -> None:
        try:
            future.set_result(self._make(report, wish))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the file is told
            with self._lock:
                self._made.pop(key, None)
            future.set_exception(error)


def _key(report: Report, wish: Wish) -> _Key:
    """Return what tells one content from another; pages and quotes of a run never change, they only become more."""
    told = sha256(report.markdown.encode("utf-8", "replace")).hexdigest()
    return report.record.run, wish.paper, wish.with_trail, len(report.history), told


_HELD = 32
"""The latest so many files of all sessions stay."""
_made = count()


@dataclass(frozen=True)
class MadeFile:
    """The `data` of a download button whose `file_name` is `name` and whose `mime` is the same."""

    make: Callable[[], bytes]
    name: str
    mime: str

    def __call__(self) -> bytes:
        """Return the file, made now; raises what making it raises."""
        data = self.make()
        # Outside a page's run a file belongs to no session, so no run takes it away; the next under its place does.
        runtime.get_instance().media_file_mgr.add(
            data, self.mime, f"made file {next(_made) % _HELD}", file_name=self.name, is_for_static_download=True
        )
        return data


_EXPORTS, _AHEAD, _PAPER, _TRAIL = "exports", "made_ahead", "download_paper", "download_trail"
_EVERY = 2.0
"""Seconds between two looks at what is being made, while the menu is open."""
_SOON = 0.5
"""Seconds after which the PDF of a report that was opened is made: the page itself comes first."""
_SHOWN_AFTER = 1.0
"""Seconds from which it is said that a file is still being made."""
_PAPERS: dict[Paper, Bilingual] = {Paper.A4: Phrase("A4"), Paper.LETTER: Phrase("Letter")}
_NO_OTHER_MESSAGE = "<style>.st-key-downloads [data-testid=stDownloadButtonError] { display: none }</style>"
"""The framework's own message is in English and says nothing; ours stands below the buttons."""


@dataclass
class Exports:
    """What one session is making of one run, and what could not be made; used by several threads."""

    running: dict[str, float] = field(default_factory=dict)
    """When each format was begun, on the monotonic clock."""
    failed: dict[str, str] = field(default_factory=dict)
    """Why a format could not be made; empty if the reason is only in the log."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def making(self, name: str) -> Iterator[None]:
        """Enter what happens inside into these books; what goes wrong is logged and raised on."""
        with self._lock:
            self.running[name] = time.monotonic()
            self.failed.pop(name, None)
        reason: str | None = None
        try:
            yield
        except Exception as error:
            _log.exception("A report could not be exported as %s.", name)
            reason = str(error) if isinstance(error, ResearchError) else ""
            raise
        finally:
            with self._lock:
                self.running.pop(name, None)
                if reason is not None:
                    self.failed[name] = reason

    def state(self) -> tuple[dict[str, float], dict[str, str]]:
        """Return copies of what is running and what failed."""
        with self._lock:
            return dict(self.running), dict(self.failed)


def show_downloads(run_id: str, title: str, wanted: str | None, reader: Ui) -> None:
    """Show the menu of a run that has ended, the format that its brief wants before the others.

    `title` goes into the names of the files.
    """
    if st.session_state.get(_AHEAD) != run_id:
        st.session_state[_AHEAD] = run_id
        _make_ahead(run_id, _chosen(), after=_SOON)
    menu = st.popover(
        reader._("Download"), icon=":material/download:", key=f"download_menu_{run_id}", on_change="rerun"
    )
    if menu.open:
        with menu, no_traceback(reader):
            _draw(_Menu(run_id, title, wanted, _exports(run_id), reader))


def make(store: RunStore, run_id: str, name: str, wish: Wish, exports: Exports) -> bytes:
    """Return a run's report as a file of the format `name`; called on a thread that draws nothing."""
    with exports.making(name):
        report = load_report(store, run_id)
        store.note(Action.EXPORTED, run_id)
        return _pdfs().file(report, wish) if name == "pdf" else _made_of(name, report, wish)


@cache
def _pdfs() -> MadeAhead:
    """Return the PDFs of this process."""
    return MadeAhead(partial(_made_of, "pdf"))


def _made_of(name: str, report: Report, wish: Wish) -> bytes:
    return FORMATS[name].make(report, wish.paper, with_trail=wish.with_trail)


def _make_ahead(run_id: str, wish: Wish, *, after: float = 0.0) -> None:
    _pdfs().begin(partial(load_report, engine().store, run_id), wish, after=after)


@dataclass(frozen=True)
class _Menu:
    run: str
    title: str
    wanted: str | None
    exports: Exports
    reader: Ui

    def buttons(self, names: list[str], wish: Wish) -> None:
        """Show a button for each of the formats `names`."""
        grid = st.grid(2, min_column_width=120, gap="xsmall")
        for name in sorted(names, key=lambda name: name != self.wanted):
            made = partial(make, engine().store, self.run, name, wish, self.exports)
            file = MadeFile(made, file_name(self.run, self.title, name), FORMATS[name].mime)
            grid.download_button(
                self.reader.of_term(FORMATS[name].label),
                data=file,
                file_name=file.name,
                mime=file.mime,
                help=self.reader.of_term(FORMATS[name].hint),
                on_click="ignore",
                width="stretch",
                type="primary" if name == self.wanted else "secondary",
                key=f"download_{name}",
            )


def _draw(menu: _Menu) -> None:
    reader = menu.reader
    with st.container(key="downloads"):
        st.html(_NO_OTHER_MESSAGE)
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(reader._("The report"), width="content")
            paper = _paper(reader)
        with_trail = st.checkbox(reader._("With how it was researched"), value=True, key=_TRAIL)
        wish = Wish(paper, with_trail)
        _make_ahead(menu.run, wish)
        menu.buttons([name for name, one in FORMATS.items() if one.has_text], wish)
        st.caption(reader._("Its data and sources"))
        menu.buttons([name for name, one in FORMATS.items() if not one.has_text], wish)
        _news(menu.exports, reader)


def _paper(reader: Ui) -> Paper:
    chosen: Paper | None = st.segmented_control(
        reader._("Paper"),
        list(Paper),
        default=Paper.A4,
        required=True,
        format_func=lambda paper: reader.of_term(_PAPERS[paper]),
        label_visibility="collapsed",
        key=_PAPER,
    )
    return chosen or Paper.A4


def _chosen() -> Wish:
    return Wish(st.session_state.get(_PAPER) or Paper.A4, st.session_state.get(_TRAIL, True))


@st.fragment(run_every=_EVERY)
def _news(exports: Exports, reader: Ui) -> None:
    """Say what is being made and what failed; the buttons are left alone, as a file in the making belongs to one."""
    running, failed = exports.state()
    now = time.monotonic()
    for name, begun in running.items():
        if now - begun >= _SHOWN_AFTER:
            words = reader._("Making {kind} … {seconds}").format(
                kind=reader.of_term(FORMATS[name].label), seconds=reader.duration(now - begun)
            )
            st.caption(verbatim(words))
    for name, reason in failed.items():
        words = reader._("{kind} could not be made: {reason}").format(
            kind=reader.of_term(FORMATS[name].label),
            reason=reason or reader._("something unexpected went wrong; details are in the log."),
        )
        st.error(verbatim(words), icon=":material/error:")


def _exports(run_id: str) -> Exports:
    exports: Exports = st.session_state.setdefault(f"{_EXPORTS}_{run_id}", Exports())
    return exports
