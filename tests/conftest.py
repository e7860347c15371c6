"""Conditions that hold for all tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from research.settings.settings import variables_set

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


def pytest_configure() -> None:
    """Where the browser tests are required, a missing browser is an error instead of a reason to skip them."""
    if os.environ.get("RESEARCH_REQUIRE_BROWSER") and shutil.which("chromium") is None:
        raise pytest.UsageError("The browser tests are required (RESEARCH_REQUIRE_BROWSER), but there is no Chromium.")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test may spend money: the keys of whoever runs the tests, set or kept at home, are out of reach."""
    for name in variables_set():
        monkeypatch.delenv(name)
    nowhere = tmp_path_factory.getbasetemp() / "nowhere"
    monkeypatch.setenv("RESEARCH_HOME", str(nowhere))
    monkeypatch.setenv("XDG_DATA_HOME", str(nowhere))


@pytest.fixture
def app_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of an app that is drawn without a browser: empty, without keys, and closed in the end."""
    from tests.without_browser import own_engine

    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    with own_engine():
        yield tmp_path


@pytest.fixture
def app(app_home: Path) -> AppTest:
    """The whole app, drawn without a browser for an English reader."""
    from tests.without_browser import whole_app

    return whole_app()
