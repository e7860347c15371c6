"""Conditions that hold for all tests."""

from __future__ import annotations

import os
import shutil

import pytest


def pytest_configure() -> None:
    """Where the browser tests are required, a missing browser is an error instead of a reason to skip them."""
    if os.environ.get("RESEARCH_REQUIRE_BROWSER") and shutil.which("chromium") is None:
        raise pytest.UsageError("The browser tests are required (RESEARCH_REQUIRE_BROWSER), but there is no Chromium.")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may spend money: the keys of whoever runs the tests are out of reach."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TAVILY_API_KEY", "TAVILY_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
