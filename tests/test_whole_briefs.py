"""Whole briefs: one that uses every field, one over five kinds of sources from the page; with models and without."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pydantic import ValidationError
from pytest_httpserver import HTTPServer
from streamlit.testing.v1 import AppTest

import research
from pages.parts.engine import engine
from pages.parts.start.brief import complaints_about, empty_values, labels, to_brief, values_of_brief
from pages.parts.ui import Ui
from research.cli import main
from research.core import Brief, MethodName, PageRead, SearchStarted, SourceKind, SourceName, by_country, compose
from research.language import Language
from research.results import Report
from research.settings import Settings
from research.sources import Making, by_default
from research.store import load_report
from tests.support.openai_server import OpenAIServer
from tests.support.pump_model import PAGE, Model
from tests.support.tavily_server import Asked, Results, TavilyServer, web_page

EVERYTHING = Brief(
    question="How large is the pump market?",
    scope="market",
    period="10years",
    since=date(2019, 4, 1),
    until=date(2024, 3, 31),
    region="asean",
    countries=("Vietnam", "Indonesia"),
    sources=("web", "library"),
    order="inside-first",
    addresses=("http://127.0.0.1:9/market",),
    preset="speed",
    method="supervised",
    queries_per_section=2,
    iterations=1,
    language="ja",
    audience="executives",
    form="text",
    length="short",
    summary="last",
    summary_sentences=2,
    tone="formal",
    file_format="docx",
    exclusions=("heat pumps",),
    preferred_sites=("stat.example",),
    forbidden_sites=("gossip.example",),
    preferred_kinds=("statistics",),
    forbidden_kinds=("blog",),
    glossary={"GT": "greentech"},
    max_cost_usd=2.0,
    max_minutes=5.0,
    note="Figures in US dollars.",
)
FOUND = (
    web_page("https://late.example/", "The market is worth 5.1 billion dollars.", published_date="2025-06-01"),
    web_page("https://blog.example.com/blog/pumps", f"{PAGE} As I think."),
    web_page("https://other.example/", f"{PAGE} Elsewhere.", published_date="2023-05-05"),
    web_page("https://stat.example/pumps", f"{PAGE} In Vietnam and Indonesia.", published_date="2022"),
    web_page("https://gossip.example/", f"{PAGE} They say."),
)


@pytest.fixture
def web() -> Iterator[TavilyServer]:
    with TavilyServer() as server:
        server.handler = lambda _: Results(*FOUND)
        yield server


def settings(home: Path, web: TavilyServer, models: OpenAIServer | None) -> Settings:
    given = {"RESEARCH_HOME": str(home), "TAVILY_API_KEY": "tvly-key", "TAVILY_BASE_URL": web.base_url}
    if models is not None:
        models.handler = Model()
        given |= {"OPENAI_API_KEY": "sk-key", "OPENAI_BASE_URL": models.base_url}
    return Settings.from_environment(given)


def documents(home: Path) -> Path:
    folder = home / "papers"
    folder.mkdir()
    (folder / "note.md").write_text(f"# Our view\n\n{PAGE} Ours is 3% of it.\n", encoding="utf-8")
    return folder


def test_the_brief_of_these_tests_has_every_field() -> None:
    open_ = [
        name
        for name, field in Brief.model_fields.items()
        if getattr(EVERYTHING, name) == field.get_default(call_default_factory=True)
    ]
    assert not open_, "a new field belongs into the brief that uses them all"


@pytest.mark.parametrize("analyst", ["extractive", "chat"])
def test_a_run_keeps_to_every_field(tmp_path: Path, web: TavilyServer, server: OpenAIServer, analyst: str) -> None:
    used = settings(tmp_path, web, server if analyst == "chat" else None)
    report = research.run_sync(EVERYTHING, library=documents(tmp_path), settings=used)
    assert report.record.analyst == analyst
    read = [urlsplit(event.url).netloc for event in report.history if isinstance(event, PageRead)]
    assert read == ["", "stat.example", "other.example", "late.example"], "inside first; then what is preferred"
    (first, *_) = asked = [asked.body for asked in web.requests]
    assert (first["start_date"], first["end_date"]) == ("2019-04-01", "2024-03-31")
    assert first["include_domains"] == ["stat.example"] and first["exclude_domains"] == ["gossip.example"]
    assert all("Vietnam" in one["query"] or "Indonesia" in one["query"] or analyst == "chat" for one in asked)
    searched = {event.source for event in report.history if isinstance(event, SearchStarted)}
    assert searched == {"library", "web", "addresses"}, "the page that was named is asked for as well"
    assert "- Vietnam: " in report.record.brief.question and "- Indonesia: " in report.record.brief.question
    assert "指定の期間から外れるページ" in report.markdown and "late.example" in report.markdown
    if analyst == "chat":
        told = json.dumps([one.body for one in server.requests], ensure_ascii=False)
        for part in ("heat pumps", "greentech", "US dollars", "official statistics", "at most 2 sentences", "Vietnam"):
            assert part in told, part
    else:
        summary = report.markdown.partition("## 要旨\n")[2].partition("\n## ")[0].strip()
        assert 1 <= len(summary.splitlines()) <= 2


def test_what_cannot_be_is_said_of_its_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = {"RESEARCH_HOME": str(tmp_path), "LANG": "en_US.UTF-8"}
    for flag, value, said in (
        ("--since", "last spring", "since is not usable: it must be a day"),
        ("--address", "ftp://a.example/", "addresses is not usable: it must be an address"),
        ("--prefer-kind", "rumours", "preferred_kinds is not usable: it must be one of statistics"),
        ("--summary-sentences", "0", "summary_sentences is not usable: it must be a whole number from 1 to 12"),
        ("--file-format", "wordperfect", "no format wordperfect; there are: pdf"),
        ("--order", "upside-down", "order is not usable: it must be one of inside-first"),
    ):
        assert main(["run", "Why?", "--out", str(tmp_path / "out"), flag, value], given) == 2
        assert said in capsys.readouterr().err
    days = ["--since", "2024-01-02", "--until", "2024-01-01"]
    assert main(["run", "Why?", "--out", str(tmp_path / "out"), *days], given) == 2
    assert "until is not usable: the period ends before it begins." in capsys.readouterr().err


def test_the_command_line_takes_every_field_and_writes_the_file_that_is_wanted(
    tmp_path: Path, web: TavilyServer
) -> None:
    given = {"RESEARCH_HOME": str(tmp_path), "TAVILY_API_KEY": "tvly-key", "TAVILY_BASE_URL": web.base_url}
    out = tmp_path / "out"
    flags = ["--country", "Vietnam", "--country", "Indonesia", "--since", "2019-04-01", "--until", "2024-03-31"]
    flags += ["--order", "outside-first", "--prefer-kind", "statistics", "--prefer-kind", "paper"]
    flags += ["--forbid-kind", "blog", "--summary-sentences", "3", "--file-format", "docx", "--sources", "web,house"]
    assert main(["run", "How large is the pump market?", "--quiet", "--out", str(out), *flags], given) in (0, 3)
    brief = Brief.model_validate(json.loads((out / "run.json").read_bytes())["brief"])
    assert (brief.countries, brief.since, brief.order) == (("Vietnam", "Indonesia"), date(2019, 4, 1), "outside-first")
    assert brief.preferred_kinds == (SourceKind.STATISTICS, SourceKind.PAPER)
    assert (out / "report.docx").read_bytes().startswith(b"PK")


def test_a_brief_with_every_field_survives_the_form() -> None:
    held = values_of_brief(EVERYTHING)
    assert to_brief(held) == EVERYTHING and set(held) == set(empty_values(Language.EN)) == set(
        labels(Ui.of(Language.EN, None))
    )
    with pytest.raises(ValidationError) as caught:
        to_brief(held | {"until": date(2018, 1, 1)})
    assert "look at “To day”" in complaints_about(caught.value, held, Ui.of(Language.EN, None))[0]


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({"question": "How large is the economy?"}, "How large is the economy?\n- Vietnam: GDP\n- Laos: GDP"),
        ({"question": "How large is the economy of Japan?"}, None),
        ({"question": "- rice: exports\n- tea: exports"}, None),
        ({"question": "What should one know about pumps?"}, None),
        ({"question": "How large is the economy?", "countries": ()}, None),
    ],
)
def test_a_question_that_names_no_country_is_asked_about_each(fields: dict[str, object], asked: str | None) -> None:
    brief = Brief.model_validate({"countries": ("Vietnam", "Laos")} | fields)
    assert by_country(brief).question == (asked or brief.question)
    assert by_country(by_country(brief)) == by_country(brief)


def test_services_that_hold_a_kind_that_is_preferred_are_asked_where_no_source_is_named(tmp_path: Path) -> None:
    home = Settings(home=tmp_path)
    papers = by_default(Making(Brief(question="?", preferred_kinds=("paper",)), home))
    assert {"arxiv", "openalex", "crossref", "pubmed"} == set(papers)
    assert by_default(Making(Brief(question="?", addresses=("https://a.example/",)), home)) == ("addresses",)
    assert SourceName.FACTBOOK in by_default(Making(Brief(question="?"), home))


def test_what_is_no_matter_of_the_analyst_is_not_told(tmp_path: Path) -> None:
    told = compose(EVERYTHING)
    assert "docx" not in told and "Vietnam" in told and "2019-04-01" in told


# --- five kinds of sources at once, from the page ---------------------------------------------------------------------

ARXIV = f"""<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">
  <entry><id>http://arxiv.org/abs/2401.01234v2</id><published>2026-01-15T08:00:00Z</published>
  <title>The pump market</title><summary>{PAGE} So papers say.</summary><author><name>Aya Mori</name></author>
  <link href="http://arxiv.org/abs/2401.01234v2" rel="alternate" type="text/html"/></entry></feed>"""
INDICATORS = [{"page": 1}, [{"id": "PUMP.MKT", "name": "Pump market (current US$)", "sourceNote": ""}]]
COUNTRIES = [{"page": 1}, [{"id": "WLD", "name": "World", "capitalCity": ""}]]
SERIES = [
    {"page": 1, "lastupdated": "2026-10-01"},
    [{"country": {"id": "1W", "value": "World"}, "date": "2025", "value": 71_000_000_000}],
]
FIVE = ("web", "library", "sql", "arxiv", "worldbank")


@pytest.fixture
def five(
    app_home: Path, monkeypatch: pytest.MonkeyPatch, httpserver: HTTPServer, web: TavilyServer
) -> dict[str, HTTPServer | TavilyServer]:
    """Everything that is set up for the page: the web, own documents, a database, papers and statistics."""

    def answer(asked: Asked) -> Results:
        return Results(web_page("https://a.example/", f"{PAGE} So the web says."))

    web.handler = answer
    with closing(sqlite3.connect(app_home / "house.sqlite")) as connection:
        connection.executescript(
            "CREATE TABLE sales (market TEXT, units INTEGER); INSERT INTO sales VALUES ('pump market', 120);"
        )
    (app_home / "documents").mkdir()
    (app_home / "documents" / "note.md").write_text(f"# Our view\n\n{PAGE} So we say.\n", encoding="utf-8")
    httpserver.expect_request("/arxiv/api/query").respond_with_data(ARXIV, content_type="text/xml")
    httpserver.expect_request("/wb/indicator").respond_with_json(INDICATORS)
    httpserver.expect_request("/wb/country").respond_with_json(COUNTRIES)
    httpserver.expect_request("/wb/country/WLD/indicator/PUMP.MKT").respond_with_json(SERIES)
    for name, value in {
        "TAVILY_API_KEY": "tvly-key",
        "TAVILY_BASE_URL": web.base_url,
        "SQL_ADDRESS": f"sqlite:///{app_home / 'house.sqlite'}",
        "ARXIV_BASE_URL": httpserver.url_for("/arxiv"),
        "WORLDBANK_BASE_URL": httpserver.url_for("/wb"),
    }.items():
        monkeypatch.setenv(name, value)
    return {"web": web, "services": httpserver}


@pytest.mark.parametrize("with_models", [False, True], ids=["rules", "models"])
def test_five_kinds_of_sources_are_searched_from_the_page(
    five: object, app: AppTest, monkeypatch: pytest.MonkeyPatch, with_models: bool
) -> None:
    with ExitStack() as stack:
        if with_models:
            models = stack.enter_context(OpenAIServer())
            models.handler = Model()
            monkeypatch.setenv("OPENAI_API_KEY", "sk-key")
            monkeypatch.setenv("OPENAI_BASE_URL", models.base_url)
        app.run()
        app.text_area(key="brief_question").set_value("How did the pump market grow?")
        app.multiselect(key="brief_sources").set_value(list(FIVE))
        app.selectbox(key="brief_preset").set_value("speed")
        app.selectbox(key="brief_method").set_value(MethodName.SUPERVISED.value)
        app.button(key="start").click().run()
        assert not app.error and not app.exception
        (run,) = engine().store.list()
        engine().runner.wait(run.id, 60)
        report: Report = load_report(engine().store, run.id)
        app.query_params["id"] = run.id
        app.run()
    assert not app.exception and next(tab.label for tab in app.tabs) == "Report"
    assert report.record.analyst == ("chat" if with_models else "extractive")
    assert {page.origin for page in report.pages.values()} == set(FIVE), report.record.problems
    assert "4.2%" in report.markdown
