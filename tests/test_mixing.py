"""What several places find becomes one list, fused; another region is marked and read last; silence is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import research
from research.core import Brief, Outside, PageRead, SourceName
from research.export.composing import document_of
from research.settings import KeptService, Settings
from research.sources import countries_asked, found_page
from research.sources.choosing import is_elsewhere
from research.text import country_of_site, mentions_in
from tests.support.openai_server import OpenAIServer
from tests.support.pump_model import PAGE, Model
from tests.support.services import access
from tests.support.tavily_server import Results, TavilyServer, web_page

QUESTION = "How did the pump market grow?"


def said(place: str) -> str:
    return f"The pump market grew by 4% in 2025, says {place}. Demand came from water utilities."


@pytest.fixture
def web() -> Iterator[TavilyServer]:
    with TavilyServer() as server:
        yield server


def encyclopedia(httpserver: HTTPServer, *addresses: str) -> None:
    """Serve articles at these addresses, in this order, to every query."""

    def answer(request: Request) -> Response:
        asked = parse_qs(request.query_string.decode())
        if "list" in asked:
            found: object = {"search": [{"pageid": number} for number, _ in enumerate(addresses)]}
        else:
            address = addresses[int(asked["pageids"][0])]
            found = {"pages": [{"fullurl": address, "title": "Pumps", "extract": said(urlsplit(address).path)}]}
        return Response(json.dumps({"query": found}), content_type="application/json")

    httpserver.expect_request("/w/api.php").respond_with_handler(answer)


def settings(home: Path, web: TavilyServer, httpserver: HTTPServer) -> Settings:
    given = {"RESEARCH_HOME": str(home), "TAVILY_API_KEY": "tvly-key", "TAVILY_BASE_URL": web.base_url}
    kept = {"source_wikipedia": KeptService.of(base_url=httpserver.url_for("").rstrip("/"))}
    set_up = Settings.from_environment(given)
    return set_up.model_copy(update={"services": set_up.services | kept})


def test_lists_of_two_places_are_joined_by_address_and_fused_by_rank(
    tmp_path: Path, web: TavilyServer, httpserver: HTTPServer
) -> None:
    names = ("first", "second", "shared/?utm_source=mail#top", "third", "fourth")
    web.handler = lambda _: Results(*(web_page(f"https://www.a.example/{name}", said(name)) for name in names))
    encyclopedia(httpserver, "http://a.example/shared", "https://b.example/one", "https://b.example/two/")
    brief = Brief(question=QUESTION, preset="speed", sources=("web", "wikipedia"))
    report = research.run_sync(brief, settings=settings(tmp_path, web, httpserver))
    read = [event for event in report.history if isinstance(event, PageRead)]
    assert [event.url for event in read][:4] == [
        "http://a.example/shared", "https://www.a.example/first", "https://www.a.example/second", "https://b.example/one",
    ]  # fmt: skip
    assert sum("shared" in event.url for event in read) == 1


# --- another region --------------------------------------------------------------------------------------------------

GERMANY = (
    "The pump market of Germany grew by 9% in 2025. Germany exports pumps to France and Austria. German makers expect "
    "that Germany will grow again in 2026, as Germany did. Japan was told of it."
)
JAPAN = "The pump market of Japan grew by 4% in 2025. Germany grew as well, and German pumps cost more."
VIETNAM = "Vietnam buys. Vietnam sells."
NOWHERE = "The pump market grew by 5% in 2025. Demand came from water utilities."


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("limit", [{"region": "japan"}, {"region": "asia"}])
def test_a_page_of_another_region_is_read_last_and_marked(
    tmp_path: Path, web: TavilyServer, language: str, limit: dict[str, object]
) -> None:
    web.handler = lambda _: Results(
        web_page("https://pumps.example/de", GERMANY, title="Pumps in Germany"),
        web_page("https://pumps.example/all", NOWHERE, title="Pumps"),
        web_page("https://pumps.example/jp", JAPAN, title="Pumps in Japan"),
    )
    used = Settings.from_environment(
        {"RESEARCH_HOME": str(tmp_path), "TAVILY_API_KEY": "tvly-key", "TAVILY_BASE_URL": web.base_url}
    )
    asked = {"question": QUESTION, "preset": "speed", "sources": ("web",), "language": language}
    report = research.run_sync(Brief.model_validate(asked | limit), settings=used)
    read = [event for event in report.history if isinstance(event, PageRead)]
    assert [(urlsplit(event.url).path, event.outside) for event in read] == [
        ("/all", ()), ("/jp", ()), ("/de", (Outside.REGION,)),
    ]  # fmt: skip
    assert [entry.outside for entry in report.record.sources] == [(), (), (Outside.REGION,)]
    words = {"en": ("another region", "are about another region"), "ja": ("別の地域", "別の地域についてのページ")}
    mark, told = words[language]
    (line,) = [line for line in report.markdown.splitlines() if "[Pumps in Germany][" in line]
    assert mark in line and told in report.markdown
    sources = document_of(report).sources
    assert {source.title for source in sources if mark in source.kind} == {"Pumps in Germany"}


@pytest.mark.parametrize(
    ("site", "title", "text", "asked", "is_marked"),
    [
        ("a.example", "Pumps in Germany", GERMANY, {"region": "europe"}, False),
        ("a.example", "Pumps in Germany", GERMANY, {"region": "world"}, False),
        ("a.example", "Pumps in Germany", GERMANY, {}, False),
        ("a.example", "Pumps", GERMANY, {"region": "japan"}, False),
        ("a.de", "Pumps", GERMANY, {"region": "japan"}, True),
        ("a.co.jp", "Pumps in Germany", GERMANY, {"region": "japan"}, False),
        ("a.example", "Pumps in Germany", JAPAN, {"region": "japan"}, False),
        ("a.example", "Pumps in Japan and Germany", GERMANY, {"region": "japan"}, False),
        ("a.example", "German pumps", GERMANY, {"region": "asia"}, True),
        ("a.example", "German pumps", GERMANY, {"countries": ("日本",)}, True),
        ("a.de", "Pumpen", "Der Markt wuchs um 4%.", {"region": "japan"}, False),
        ("a.example", "Germany", "Pumps sold well.", {"region": "japan"}, False),
        ("a.example", "Pumps in Germany", GERMANY, {"countries": ("Bavaria",)}, False),
        ("a.example", "Pumps in Germany", GERMANY, {"region": "japan", "question": "Japan or Germany?"}, False),
        ("a.example", "Pumps in Vietnam", VIETNAM, {"region": "asean"}, False),
        ("a.example", "Pumps in Vietnam", VIETNAM, {"region": "asean", "exclusions": ("Vietnam",)}, True),
        ("a.example", "Rules", "The EU asks much, the US less. The US is big.", {"countries": ("Germany",)}, False),
        ("a.example", "中国の市場", "中国では需要が伸びた。中国の輸出は増えた。", {"region": "japan"}, True),
        ("a.example", "国内の市場", "国内では需要が伸びた。中国向けは減った。", {"region": "japan"}, False),
        ("a.example", "ベトナムの市場", "ハノイで売れた。ベトナムで売れた。", {"countries": ("ベトナム",)}, False),
    ],
)  # fmt: skip
def test_a_page_is_elsewhere_only_where_that_is_sure(
    site: str, title: str, text: str, asked: dict[str, object], *, is_marked: bool
) -> None:
    brief = Brief.model_validate({"question": QUESTION} | asked)
    page = found_page("web", f"https://{site}/", title, text)
    assert page is not None
    assert is_elsewhere(page, countries_asked(brief)) is is_marked


def test_countries_are_counted_by_names_people_cities_and_what_they_belong_to() -> None:
    counted = mentions_in("Germany and German makers sell in Berlin, in the EU and in Tokyo. Indiana buys.")
    assert (counted["Germany"], counted["Japan"], counted["India"]) == (4, 1, 0)


def test_a_domain_of_a_country_tells_where_a_site_is_unless_anybody_can_have_it() -> None:
    hosts = ("www.meti.go.jp", "a.co.uk", "a.de", "a.com", "a.io", "a.ai", "localhost", "127.0.0.1", "")
    assert [*map(country_of_site, hosts)] == ["Japan", "United Kingdom", "Germany", "", "", "", "", "", ""]


# --- what is missing in a report since a source or a file was silent -------------------------------------------------


@pytest.mark.parametrize(
    ("language", "silent", "empty"),
    [
        ("en", "A source answered none of the searches", "A source had nothing for any of the searches"),
        ("ja", "どの検索にも答えなかった情報源があり", "どの検索でも何も見つからなかった情報源があり"),
    ],
)
@pytest.mark.parametrize("analyst", ["extractive", "chat"])
def test_the_report_says_which_source_and_which_file_it_could_not_rest_on(
    *,
    tmp_path: Path,
    web: TavilyServer,
    httpserver: HTTPServer,
    server: OpenAIServer,
    analyst: str,
    language: str,
    silent: str,
    empty: str,
) -> None:
    web.handler = lambda _: Results()
    httpserver.expect_request("/w/api.php").respond_with_data(status=503)
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "note.md").write_text(f"# Pumps\n\n{PAGE}\n", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing in it")
    used = settings(tmp_path / "home", web, httpserver)
    if analyst == "chat":
        server.handler = Model()
        used = used.model_copy(update={"services": used.services | access(server.base_url, "sk-key")})
    brief = Brief(question=QUESTION, preset="speed", sources=("web", "wikipedia"), language=language)
    report = research.run_sync(brief, library=folder, settings=used)
    assert report.record.analyst == analyst
    web_name, other = (SourceName(name).label.in_(brief.language) for name in ("web", "wikipedia"))
    told = {line for line in report.markdown.splitlines() if line.startswith("- ")}
    (of_silent,), (of_empty,) = ([line for line in told if what in line] for what in (silent, empty))
    assert other in of_silent and web_name not in of_silent
    assert web_name in of_empty and other not in of_empty
    assert any("broken.pdf" in line for line in told)
