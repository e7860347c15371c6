"""A source of somebody else's: as the how-to says, handed over as an object, and installed as a package."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

import research
from research.core import Reach, SourceName, UsageError, origins
from research.core.origins import _sources
from research.language import Language
from research.settings import KeptService, Settings
from research.sources import FoundPage, SearchRequest, found_page, names_of, provider
from research.sources.checks import CheckOutcome, check_source

HOW_TO = (Path(__file__).parents[1] / "docs" / "own_source.md").read_text(encoding="utf-8")
(CODE, *_) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
ROWS = {"rows": [{
    "url": "https://tea.example/2026", "title": "Tea prices", "day": "2026-10-01",
    "text": "The price of tea in Kenya rose by 12% to 2.45 dollars a kilogram in September 2026.",
}]}  # fmt: skip


@pytest.fixture
def registry() -> Iterator[None]:
    """What is registered within a test is forgotten after it."""
    before = dict(origins())
    yield
    _sources._entries = dict(before)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registry: None) -> Iterator[None]:
    """A package with the how-to's code and its entry point, and one that is broken."""
    site = tmp_path / "site"
    for name, code in {"tea_prices": CODE, "broken_source": "raise RuntimeError('broken')"}.items():
        about = site / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (site / f"{name}.py").write_text(code, encoding="utf-8")
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        target = "TEA" if name == "tea_prices" else "SOURCE"
        (about / "entry_points.txt").write_text(f"[research.sources]\nx = {name}:{target}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    _sources._is_loaded = False
    yield
    sys.modules.pop("tea_prices", None)


class Archive:
    """An object as somebody may hand it over: it says no more than its name."""

    name = "archive"

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        page = found_page(self.name, "https://archive.example/1", "Minutes", ROWS["rows"][0]["text"])
        return [page] if page is not None else []


def test_the_how_to_is_no_longer_than_it_says() -> None:
    lines = [line for line in CODE.splitlines() if line.strip() and not line.startswith(("from ", "import "))]
    assert len(lines) <= 20


def settings(home: Path, httpserver: HTTPServer) -> Settings:
    address = httpserver.url_for("").rstrip("/")
    return Settings(home=home, services={"source_tea-prices": KeptService.of(address=address)})


async def test_an_installed_source_is_searched_by_name(
    tmp_path: Path, httpserver: HTTPServer, installed: None, caplog: pytest.LogCaptureFixture
) -> None:
    httpserver.expect_request("/prices").respond_with_json(ROWS)
    brief = research.Brief(
        question="How did the price of tea in Kenya change?", sources=("tea-prices",), preset="speed"
    )
    report = await research.run(brief, settings=settings(tmp_path, httpserver))
    assert "12%" in report.markdown and "Tea prices" in report.markdown
    (row,) = report.sources.itertuples()
    assert row.url == "https://tea.example/2026"
    assert "broken_source" in caplog.text, "one that cannot be loaded costs only itself"


async def test_its_settings_come_from_the_environment_and_it_can_be_checked(
    tmp_path: Path, httpserver: HTTPServer, installed: None
) -> None:
    given = {"RESEARCH_HOME": str(tmp_path), "TEA_PRICES_ADDRESS": httpserver.url_for("").rstrip("/")}
    made = Settings.from_environment(given)
    assert made.values_of(provider("tea-prices"))["address"] == given["TEA_PRICES_ADDRESS"]
    httpserver.expect_oneshot_request("/prices").respond_with_json(ROWS)
    assert (await asyncio.to_thread(check_source, made, "tea-prices")).outcome is CheckOutcome.WORKS
    httpserver.expect_request("/prices").respond_with_data("no", status=401)
    assert (await asyncio.to_thread(check_source, made, "tea-prices")).outcome is CheckOutcome.KEY_MISSING


async def test_an_object_is_searched_and_private_unless_it_says_otherwise(tmp_path: Path, registry: None) -> None:
    report = await research.run(
        "How did the price of tea in Kenya change?", sources=[Archive()], settings=Settings(home=tmp_path)
    )
    assert "12%" in report.markdown
    assert SourceName("archive").is_private
    assert research.load(report.record.run, settings=Settings(home=tmp_path)).record.brief.sources == ("archive",)
    again: Any = Archive()
    again.reach = Reach.OPEN
    assert names_of([again, "web"], Language.EN) == ("archive", "web")
    assert SourceName("archive").is_open


def test_an_object_cannot_be_handed_to_workers(tmp_path: Path, registry: None) -> None:
    with pytest.raises(UsageError, match="Workers"):
        research.stream("Tea?", sources=[Archive()], settings=Settings(home=tmp_path, uses_workers=True))


@pytest.mark.parametrize("name", ["web", "Tea Prices", ""])
def test_an_object_takes_no_name_that_is_taken_or_none(name: str) -> None:
    taken: Any = Archive()
    taken.name = name
    with pytest.raises(UsageError, match=r"web|no name"):
        names_of([taken], Language.EN)


def test_a_name_that_is_not_known_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no source nope; there are: web, library"):
        research.run_sync("Tea?", sources=["nope"], settings=Settings(home=tmp_path))
    with pytest.raises(UsageError, match="情報源nope"):
        research.run_sync(
            research.Brief(question="茶?", sources=("nope",), language="ja"), settings=Settings(home=tmp_path)
        )


def test_a_run_of_a_source_that_is_not_installed_can_still_be_read() -> None:
    brief = research.Brief.model_validate_json('{"question": "Tea?", "sources": ["gone"]}')
    assert brief.sources == ("gone",) and brief.sources[0].is_private
    assert brief.sources[0].label.ja == "gone"
