"""Files made to harm are read or named, hold up nobody else, and are not tried again unasked."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from time import monotonic

import psutil
import pytest
from pytest_httpserver import HTTPServer
from streamlit.testing.v1 import AppTest

from bench.hostile import Held, measure, write_hostile
from pages.parts.engine import own_documents, read_documents, take_in_documents
from research.cli import main
from research.core import SourceError, explain
from research.core.errors import PROBLEMS
from research.language import Language
from research.library import Library, library_state
from research.settings import Settings
from research.sources.fetching import Fetcher
from research.text import escape_markdown
from tests.support.hostile_files import HOSTILE, SLOW
from tests.support.machine import slowness, wait_until
from tests.support.processes import elsewhere, said
from tests.support.smuggles import addresses
from tests.support.vectors import with_shared_vectors

GOOD = "Pump sales rose to 12,000 units in 2025."
PAGE = f"<html><body><article><p>{GOOD}</p></article></body></html>"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def slow(hostile: Path, tmp_path: Path) -> Path:
    """A folder with a file that does not end, and one that does."""
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / SLOW[0]).write_bytes((hostile / SLOW[0]).read_bytes())
    (folder / "good.txt").write_text(GOOD, encoding="utf-8")
    return folder


def codes(library: Library, **how: bool) -> dict[str, str]:
    return {one.path.name: one.code for one in library.refresh(**how).skipped}


def measured(connection: Connection, hostile: Path, home: Path) -> None:
    connection.send(measure(hostile, home))


def test_a_folder_of_them_is_read_or_named_and_holds_up_no_other(hostile: Path, tmp_path: Path) -> None:
    assert len(HOSTILE) >= 80
    with_shared_vectors(tmp_path / "home" / "data")
    with elsewhere(measured, hostile, tmp_path / "home") as (_, connection):  # what other tests left is not theirs
        held = said(connection, patience=300)
    assert isinstance(held, Held) and held.report is not None and held.others
    limit = slowness()
    assert held.loop < 2 * limit and held.step < 4 * limit, "0.2 and 1.0 s alone: see bench/README.md"
    assert held.megabytes < 1.5 * 1024

    library, began = Library(hostile, tmp_path / "home" / "data" / "library"), monotonic()
    named = codes(library)
    assert monotonic() - began < 5 * limit, "nothing of it is read again"
    assert named.keys() <= HOSTILE.keys()
    assert set(named.values()) <= PROBLEMS.keys() - {"file_unfinished", "file_waiting"}
    assert {named[name] for name in SLOW} <= {"file_slow", "file_fatal"}, "its own clock ends it, or the system does"
    assert "good.txt" in {hit.path.name for hit in library.search("pump sales 2025", 50)}

    limits = held.report.markdown.partition("## Limits of this report")[2].partition("\n## ")[0]
    told = {code: explain(code, Language.EN) for code in named.values()}
    lines = {code: next(line for line in limits.splitlines() if words in line) for code, words in told.items()}
    for code, line in lines.items():
        files = sorted(name for name, its in named.items() if its == code)
        assert all(escape_markdown(name) in line for name in files[:5])
        assert len(files) <= 5 or f"and {len(files) - 5} more" in line


def test_files_that_were_not_read_are_named_in_the_report_of_either_language(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "good.md").write_text(f"# ポンプ\n\n{GOOD}\n2025年のポンプの販売は12,000台だった。\n", encoding="utf-8")
    for name in ("broken.docx", "a\n# [b](http:$$evil.example)\u202e.docx".replace("/", "$")):
        (folder / name).write_bytes(b"PK\x03\x04 broken")
    os.mkfifo(folder / "pipe.txt")
    (folder / "link.txt").symlink_to("/etc/passwd")
    for language, words in (("en", "damaged"), ("ja", "壊れて")):
        out = tmp_path / language
        asked = ["run", "How many pumps were sold in 2025?", "--library", str(folder), "--sources", "library"]
        given = {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8"}
        assert main([*asked, "--language", language, "--out", str(out), "--quiet"], given) in (0, 3)
        report = (out / "report.md").read_text("utf-8")
        (line,) = (line for line in report.splitlines() if "broken.docx" in line)
        assert words in line and "evil" in line
        assert not list(addresses(line)) and "\u202e" not in report
        assert "root:" not in report and not [part for part in report.splitlines() if part.startswith("# [b]")]


def test_nothing_of_the_machine_gets_into_what_is_read(hostile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("outside.html", "outside.docx"):
        (folder / name).write_bytes((hostile / name).read_bytes())
    library = Library(folder, tmp_path / "index")
    library.refresh()
    assert "root:" not in library.text("outside.html")
    assert library.search("root") == []


def test_two_runs_on_one_folder_do_not_wait_for_each_other_and_what_is_too_slow_is_tried_again_when_it_is_asked_for(
    slow: Path, tmp_path: Path
) -> None:
    file, second = slow / SLOW[0], Library(slow, tmp_path / "index")
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(codes, Library(slow, tmp_path / "index"))
        wait_until(lambda: bool(library_state(slow, tmp_path / "index").skipped))
        assert codes(second) == {file.name: "file_unfinished"}
        assert [hit.path.name for hit in second.search("pump sales")] == ["good.txt"]
        assert not first.done()
    began = monotonic()
    os.utime(file)
    assert codes(second) == codes(Library(slow, tmp_path / "index")) == first.result() == {file.name: "file_slow"}
    assert monotonic() - began < 5 * slowness()
    over = Event()
    with ThreadPoolExecutor(1) as threads:
        again = threads.submit(lambda: second.refresh(again=True, stop=over.is_set))
        wait_until(lambda: {one.code for one in library_state(slow, tmp_path / "index").skipped} == {"file_unfinished"})
        over.set()
        assert [one.code for one in again.result().skipped] == ["file_waiting"]
    file.write_text(PAGE, encoding="utf-8")
    assert codes(second) == {}


def test_a_file_over_which_the_program_ended_is_named_and_left_alone(slow: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"  # It has no guard against being run a second time in a child.
    script.write_text(
        "import sys; from pathlib import Path; from research import Library\n"
        "print('run', flush=True)\n"
        "Library(sys.argv[1], Path(sys.argv[2])).refresh()\n",
        encoding="utf-8",
    )
    with subprocess.Popen(
        [sys.executable, str(script), str(slow), str(tmp_path / "index")],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path.cwd()), "OPENAI_API_KEY": "secret"},
    ) as program:
        wait_until(lambda: bool(library_state(slow, tmp_path / "index").skipped))
        (reader,) = psutil.Process(program.pid).children()
        assert "OPENAI_API_KEY" not in reader.environ()
        program.send_signal(signal.SIGKILL)
        assert program.stdout is not None
        assert program.stdout.read() == b"run\n"
    library = Library(slow, tmp_path / "index")
    began = monotonic()
    assert codes(library) == {SLOW[0]: "file_unfinished"}
    assert [hit.path.name for hit in library.search("pump sales")] == ["good.txt"]
    assert monotonic() - began < 5 * slowness()


def test_a_run_that_may_take_so_long_takes_no_longer(hostile: Path, tmp_path: Path) -> None:
    with_shared_vectors(tmp_path / "home")
    began = monotonic()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "research", "run", "How did pump sales develop in 2025?"),
            *("--library", str(hostile), "--max-minutes", "0.1", "--out", str(tmp_path / "out")),
        ],
        env=os.environ | {"RESEARCH_HOME": str(tmp_path / "home")},
        capture_output=True,
        timeout=90,
        check=False,
    )
    assert done.returncode in (0, 3), done.stderr.decode()  # complete, or partial
    assert (tmp_path / "out" / "report.md").read_text(encoding="utf-8").startswith("# ")
    assert monotonic() - began < 6 + 20 * slowness(), "the time of the run, and that in which a busy machine starts it"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_uploaded_files_are_kept_or_refused_and_the_page_comes_back(hostile: Path, tmp_path: Path) -> None:
    settings = Settings.from_environment({"RESEARCH_HOME": str(tmp_path)})
    names = (SLOW[0], "grid-span.docx", "bomb.docx", "loop-of-pages.pdf", "bomb.epub")
    dropped = [(name, (hostile / name).read_bytes()) for name in names]
    added, refused = take_in_documents(settings, [*dropped, ("good.txt", GOOD.encode())])
    assert added == 1
    problems = {one.name: one.problem for one in refused}
    assert problems.pop("bomb.docx") in ("file_heavy", "file_broken"), "as the parser takes it that no memory is left"
    assert problems == {
        SLOW[0]: "file_slow",
        "grid-span.docx": "file_broken",
        "loop-of-pages.pdf": "file_broken",
        "bomb.epub": "file_binary",
    }
    began = monotonic()
    assert [(one.name, one.problem) for one in read_documents(settings)] == [("good.txt", "")]
    assert monotonic() - began < 5 * slowness()


def test_the_first_page_comes_although_a_document_does_not_end(hostile: Path, app_home: Path, app: AppTest) -> None:
    (app_home / "documents").mkdir()
    (app_home / "documents" / SLOW[0]).write_bytes((hostile / SLOW[0]).read_bytes())
    app.run()
    assert not app.exception
    assert app.button(key="start")
    wait_until(lambda: own_documents()[0].problem == "file_slow")


@pytest.fixture
def site(hostile: Path, httpserver: HTTPServer) -> Iterator[HTTPServer]:
    for name in ("attributes.html", "divs.html", "form-in-itself.pdf", "blanks.pdf"):
        kind = "application/pdf" if name.endswith("pdf") else "text/html"
        data = (hostile / name).read_bytes()
        httpserver.expect_request(f"/{name}").respond_with_data(data, content_type=kind)
    httpserver.expect_request("/good").respond_with_data(PAGE, content_type="text/html")
    yield httpserver


async def test_pages_made_to_harm_are_given_up_and_others_come(site: HTTPServer) -> None:
    fetcher = Fetcher(seconds=15, allowed=lambda _: True)
    async with fetcher.opened() as fetch:
        names = ("attributes.html", "divs.html", "form-in-itself.pdf", "blanks.pdf")
        # Twice what may be slow at once: those that are found slow give way to one that may be quick.
        pages = [asyncio.ensure_future(fetch(site.url_for(f"/{name}"))) for name in names * 2]
        await asyncio.sleep(1)
        assert GOOD in (await fetch(site.url_for("/good"))).text
        assert not all(page.done() for page in pages), "it came while others were still being read"
        results = await asyncio.gather(*pages, return_exceptions=True)
    assert {type(result) for result in results} == {SourceError}
    wait_until(lambda: not _busy())


def _busy() -> bool:
    """Whether a process that this one started still works."""
    try:
        return any(one.cpu_percent(0.2) > 30 for one in psutil.Process().children())
    except psutil.NoSuchProcess:
        return True
