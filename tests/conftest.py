"""Conditions that hold for all tests."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer

from research.core import SourceName
from research.library import Library
from research.settings import variables_set
from research.sources import collection_folder
from research.store import RunStore
from tests.support.mcp_server import McpTestServer
from tests.support.openai_server import OpenAIServer
from tests.support.postgresql import PostgresqlServer, programs
from tests.support.vectors import shared_vectors, with_shared_vectors

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

_MEMORY, _ROOM = Path("/dev/shm"), 4 * 2**30


def pytest_configure() -> None:
    """Where the browser tests are required, a missing browser is an error instead of a reason to skip them.

    What is prepared beside the installation is out of reach: no test depends on whether it is there.

    Each process reckons with one thread: there are as many processes as processors, and threads of many that wait for
    each other make the built-in model of embeddings take twenty times as long.

    What tests write lies in memory where that has room: a disk that makes sure of each write is what they would wait
    for.
    """
    os.environ["OMP_NUM_THREADS"] = "1"
    if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
    os.environ["RESEARCH_PREPARED"] = os.devnull
    if not os.environ.get("RESEARCH_REQUIRE_BROWSER"):
        return
    from tests.support.serving import chromium

    if chromium() is None:
        raise pytest.UsageError("The browser tests are required (RESEARCH_REQUIRE_BROWSER), but there is no Chromium.")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test may spend money: the keys of whoever runs the tests, set or kept at home, are out of reach."""
    for name in variables_set():
        monkeypatch.delenv(name)
    nowhere = tmp_path_factory.getbasetemp() / "nowhere"
    monkeypatch.setenv("RESEARCH_HOME", str(nowhere))
    monkeypatch.setenv("XDG_DATA_HOME", str(nowhere))


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is made once for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def vectors() -> Iterator[None]:
    """The built-in model is asked once for each text, as a passage takes it half a second."""
    with shared_vectors():
        yield


@pytest.fixture(scope="session")
def stocked(shared: Path) -> Callable[[Path], Path]:
    """Makes a home in which The World Factbook is written and indexed: once for all homes and all workers."""
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Library(collection_folder(SourceName.FACTBOOK, shared), shared / "library").refresh()

    def stock(home: Path) -> Path:
        with_shared_vectors(home)
        for name in ("collections", "library"):
            (home / name).symlink_to(shared / name)
        return home

    return stock


@pytest.fixture(scope="module")
def home(stocked: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the almanac is ready, one for all tests of a file."""
    return stocked(tmp_path_factory.mktemp("home"))


@pytest.fixture
def httpserver(httpserver: HTTPServer) -> HTTPServer:
    """A site that asks nothing of programs."""
    httpserver.expect_request("/robots.txt").respond_with_data(status=404)
    return httpserver


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    """A server of models that answers what a test tells it to."""
    with OpenAIServer() as running:
        yield running


@pytest.fixture(scope="module")
def tools() -> Iterator[McpTestServer]:
    """A server of tools, one for all tests of a file."""
    with McpTestServer() as running:
        yield running


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder of documents, empty unless a file of tests fills it."""
    folder = tmp_path / "documents"
    folder.mkdir()
    return folder


@pytest.fixture
def library(documents: Path, tmp_path: Path) -> Library:
    """The library of the documents."""
    return Library(documents, tmp_path / "index")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """A real server of PostgreSQL, one for all tests of a worker."""
    if (found := programs()) is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql).")
    with PostgresqlServer(found) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[SecretStr | None]:
    """The address of the database that a store is to have: both kinds, one after the other; None for a file."""
    if request.param == "sqlite":
        yield None
        return
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    with server.lent_database() as address:
        yield address


@pytest.fixture
def store(tmp_path: Path, database: SecretStr | None) -> Iterator[RunStore]:
    """An empty store of runs, in a file and on a server."""
    store = RunStore(tmp_path, database)
    yield store
    store.close()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What the command line is started with: an empty home and an English terminal."""
    return {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8"}


@pytest.fixture
def app_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of an app that is drawn without a browser: empty, without keys, and closed in the end."""
    from tests.support.without_browser import own_engine

    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    with own_engine():
        yield tmp_path


@pytest.fixture
def app(app_home: Path) -> AppTest:
    """The whole app, drawn without a browser for an English reader."""
    from tests.support.without_browser import whole_app

    return whole_app()
