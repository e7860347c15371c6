"""Conditions that hold for all tests."""

from __future__ import annotations

import os
import shutil

import pytest

from research.settings import variables_set


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
