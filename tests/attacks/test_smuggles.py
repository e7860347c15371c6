"""No address that a model smuggles into its report leads anywhere: not in its files, not on its page."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Page
from pypdf import PdfReader

from bench.loopback import Latencies, Loopback
from research.cli import main
from tests.support.openai_server import Answer, Text
from tests.support.serving import PATIENCE, browser, chromium, workbench
from tests.support.smuggles import END, TITLE, addresses, filled, host, smuggles

NO_TIME = Latencies(0, (0, 0), (0, 0), 0, 0, 1, 0)
GROUPS = 4
"""Reports that the ways are dealt out to, so that none hides many others."""
NAMES = [*smuggles(), END[0], TITLE[0]]
STRANGER = re.compile(r"s\d+\.evil\.example")
_ADDRESSED = re.compile(rf"(?://|www\.)({STRANGER.pattern})", re.IGNORECASE)
_LINKS = re.compile(rb'Target="([^"]*)"[^>]*TargetMode="External"|TargetMode="External"[^>]*Target="([^"]*)"')


class Writer(Loopback):
    """A model that writes what it was talked into."""

    def __init__(self, group: int) -> None:
        super().__init__(NO_TIME)
        self._ways = [(place, text) for place, text in enumerate(smuggles().values()) if place % GROUPS == group]

    def _report(self, text: str) -> Answer:
        quotes = dict(re.findall(r'\[(E\d+)\] "([^"]+)"', text))
        (first, said), (second, more) = list(quotes.items())[:2]
        ways = [filled(way, place, first) for place, way in [*self._ways, (len(NAMES) - 2, END[1])]]
        title = filled(TITLE[1], len(NAMES) - 1, first)
        # A report of which nothing was borne out would give way to quotes.
        true = f"{said.rstrip('.')}, and {more.rstrip('.')} [{first}, {second}]."
        return Text("\n\n".join([title, true, *ways]))


@dataclass
class Left:
    """What a run left, and where it leads."""

    addressed: dict[str, set[str]] = field(default_factory=dict)
    """The strangers that stand in each file as an address, also one that is written per cent."""
    links: dict[str, set[str]] = field(default_factory=dict)
    """Whatever address each file would open, load or offer."""
    sources: set[str] = field(default_factory=set)
    """Hosts of the run's own pages."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def runs(home: Path) -> list[Path]:
    """The folders of the runs, one a group, carried out and exported by the command line."""
    folders = [home / f"out{group}" for group in range(GROUPS)]
    for group, folder in enumerate(folders):
        with Writer(group) as world:
            environment = {**world.environment, "RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8"}
            ask = ["run", "How large is the pump market?", "--method", "chained", "--out", str(folder)]
            assert main(ask, environment=environment) == 0
        for format_ in ("html", "docx", "pptx", "pdf", "md"):
            made = ["export", str(folder), "--format", format_, "--out", str(folder / f"report-as.{format_}")]
            assert main(made, environment=environment) == 0
    return folders


@pytest.fixture(scope="module")
def left(runs: list[Path]) -> Left:
    found = Left()
    for folder in runs:
        for file in [folder / "report.md", *sorted(folder.glob("report-as.*"))]:
            name = f"{folder.name}/{file.name}"
            text, found.links[name] = read(file)
            found.addressed[name] = {host.lower() for host in _ADDRESSED.findall(unquote(text))}
        found.sources |= set(re.findall(r"https?://([\w.-]+)", (folder / "run.json").read_text("utf-8")))
    found.sources = {name for name in found.sources if not STRANGER.search(name)}
    return found


def read(file: Path) -> tuple[str, set[str]]:
    """Return the text of a file, and the addresses in it."""
    data = file.read_bytes()
    if file.suffix in (".docx", ".pptx"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        text = " ".join(part.decode("utf-8", "replace") for part in parts.values())
        targets = [one or other for part in parts.values() for one, other in _LINKS.findall(part)]
        return text, {target.decode() for target in targets}
    if file.suffix == ".pdf":
        pages = PdfReader(io.BytesIO(data)).pages
        notes = [note.get_object() for page in pages for note in page.get("/Annots") or ()]
        actions = [note["/A"] for note in notes if "/A" in note]
        return " ".join(page.extract_text() for page in pages), {str(one["/URI"]) for one in actions if "/URI" in one}
    text = data.decode("utf-8")
    if file.suffix == ".html":
        return text, set(re.findall(r"(?:href|src|srcset|data|poster|action|content)\s*=\s*[\"']?([^\"'\s>]+)", text))
    return text, set(addresses(text))


def test_nothing_that_was_smuggled_is_an_address(left: Left) -> None:
    ways = {host(place): way for place, way in enumerate(NAMES)}
    for name, links in left.links.items():
        linked = {at for link in links for at in STRANGER.findall(link.lower())}
        assert [ways.get(at, at) for at in left.addressed[name] | linked] == [], name


def test_every_address_is_one_of_the_runs_own(left: Left) -> None:
    assert len(NAMES) > 100 and len(left.links) == 6 * GROUPS
    for name, links in left.links.items():
        outward = {urlsplit(link).hostname for link in links if urlsplit(link).scheme or link.startswith("//")}
        assert outward - {None} <= left.sources, name
        assert not [link for link in links if link.startswith(("html:", "javascript:", "data:text"))], name


def test_every_citation_leads_to_the_page_that_it_cites(runs: list[Path]) -> None:
    for folder in runs:
        text = (folder / "report.md").read_text("utf-8")
        tokens = [token for block in MarkdownIt().parse(text) for token in block.children or []]
        cited = [one.attrs["href"] for one, two in pairwise(tokens) if two.content == "1"]
        assert cited and all(".example" in str(link) and not STRANGER.search(str(link)) for link in cited)


@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine (Debian: chromium-headless-shell)")
def test_neither_the_page_nor_the_html_asks_a_stranger_for_anything(runs: list[Path], home: Path) -> None:

    with workbench(home) as address, browser() as chrome:
        asked: list[str] = []
        page = chrome.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        for folder in runs:
            page.goto((folder / "report-as.html").as_uri())
            assert page.locator("h1").count()
            assert not strangers(page)
            run = re.search(r'"run": ?"([\w-]+)"', (folder / "run.json").read_text("utf-8"))
            assert run
            page.goto(f"{address}/run?id={run[1]}")
            page.locator(".report .cite").first.wait_for()
            assert not strangers(page)
        page.wait_for_timeout(1_000)
    own = urlsplit(address).netloc
    assert not [url for url in asked if urlsplit(url).scheme not in ("file", "data", "blob") and own not in url]


def strangers(page: Page) -> list[Any]:
    """Return whatever element of a page leads to a stranger."""
    script = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.value))"
    found: list[str] = page.evaluate(script)
    return [value for value in found if STRANGER.search(value)]
