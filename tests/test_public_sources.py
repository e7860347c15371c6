"""Sources that need no key, each against the wire format of its service on loopback, with what may go wrong there."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import research
from research.core import Brief, PageRead, PeriodChoice, SourceError, SourceKind, UsageError, explain
from research.language import Language
from research.settings import KeptService, Settings, WebSearch
from research.sources import FoundPage, Making, SearchRequest, provider, statistics
from research.sources.apis import KNOWN
from research.sources.checks import CheckOutcome, check_source
from research.sources.fetching import Fetcher
from research.sources.web import NamingSource

RE_ANY = re.compile("/api.*")
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


@dataclass
class Wire:
    """A service: what it answers on which path, and what it should have been asked."""

    name: str
    answers: dict[str, Any]
    """JSON, or text (of XML, of tables), by path."""
    asked: dict[str, str]
    """Parameters of the first request, some of them."""
    title: str
    text: str
    url: str
    published: str | None
    kind: SourceKind = SourceKind.PAPER


CONTENTS = "\n".join((
    '"title"\t"code"\t"type"\t"last update of data"\t"last table structure change"\t"data start"\t"data end"\t"values"',
    '"Energy"\t"nrg"\t"folder"\t" "\t" "\t" "\t" "\t',
    *['"    Wind power in electricity"\t"nrg_wind"\t"dataset"\t"05.03.2026"\t"04.02.2026"\t"2010"\t"2025"\t900'] * 2,
    '"    Population by sex"\t"demo_pjan"\t"dataset"\t"01.10.2026"\t"01.10.2026"\t"1960"\t"2026"\t1',
))  # fmt: skip
"""Eurostat's table of contents, in which a table may stand in several folders."""
RECORD = "DATAFLOW,OECD.ENV.EPI:DSD_WIND@DF_WIND(1.0),Wind power,I,OECD,OECD,A,Annual,GEN,Generation,WH,Watt hours,"

WIRES = [
    Wire(
        "arxiv",
        {"/api/query": f"""<?xml version="1.0" encoding="UTF-8"?><feed {ATOM}><title>ArXiv Query</title>
          <entry><id>http://arxiv.org/abs/2401.01234v2</id><updated>2026-02-01T00:00:00Z</updated>
          <published>2026-01-15T08:00:00Z</published><title>Wind power
            forecasts</title><summary> Forecasts of wind power
            improve by 4.2%. </summary><author><name>Aya Mori</name></author><author><name>Bo Li</name></author>
          <link href="http://arxiv.org/abs/2401.01234v2" rel="alternate" type="text/html"/></entry></feed>"""},
        {"search_query": "all:wind AND all:power AND submittedDate:[202511200000 TO 999912312359]"},
        "Wind power forecasts", "Forecasts of wind power improve by 4.2%.", "http://arxiv.org/abs/2401.01234v2",
        "2026-01-15",
    ),
    Wire(
        "openalex",
        {"/works": {"meta": {"count": 1}, "results": [{
            "id": "https://openalex.org/W1", "doi": "https://doi.org/10.1/x", "display_name": "Wind power",
            "publication_date": "2026-03-01", "cited_by_count": 7,
            "abstract_inverted_index": {"Wind": [0], "power": [1, 4], "is": [2], "clean": [3]},
            "authorships": [{"author": {"display_name": "Aya Mori"}}],
            "primary_location": {"landing_page_url": "https://doi.org/10.1/x", "source": {"display_name": "Energy"}},
        }]}},
        {"search": "the wind power", "filter": "from_publication_date:2025-11-20", "mailto": "me@example.com"},
        "Wind power", "Wind power is clean power", "https://doi.org/10.1/x", "2026-03-01",
    ),
    Wire(
        "crossref",
        {"/works": {"status": "ok", "message": {"items": [{
            "DOI": "10.1/y", "URL": "https://doi.org/10.1/y", "title": ["Wind &amp; sun"],
            "container-title": ["Energy"], "author": [{"given": "Aya", "family": "Mori"}],
            "issued": {"date-parts": [[2026, 5]]}, "is-referenced-by-count": 3,
            "abstract": "<jats:p>Wind grew by 9%.</jats:p>",
        }]}}},
        {"query.bibliographic": "the wind power", "filter": "from-pub-date:2025-11-20"},
        "Wind & sun", "Wind grew by 9%.", "https://doi.org/10.1/y", "2026-05",
    ),
    Wire(
        "pubmed",
        {
            "/esearch.fcgi": {"esearchresult": {"count": "1", "idlist": ["123"]}},
            "/efetch.fcgi": """<?xml version="1.0" ?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN"
              "https://dtd.example/pubmed.dtd"><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>123</PMID>
              <Article><Journal><Title>Lancet</Title><JournalIssue><PubDate><Year>2026</Year><Month>Feb</Month></PubDate>
              </JournalIssue></Journal><ArticleTitle>Noise of <i>turbines</i></ArticleTitle><Abstract>
              <AbstractText Label="RESULTS">Sleep fell by <b>12</b> minutes.</AbstractText></Abstract><AuthorList>
              <Author><LastName>Mori</LastName><ForeName>Aya</ForeName></Author></AuthorList></Article>
              </MedlineCitation></PubmedArticle></PubmedArticleSet>""",
        },
        {"term": "the wind power", "mindate": "2025/11/20"},
        "Noise of turbines", "RESULTS Sleep fell by 12 minutes.", "https://pubmed.ncbi.nlm.nih.gov/123/", "2026",
    ),
    Wire(
        "wikipedia",
        {"/w/api.php": {"query": {
            "search": [{"ns": 0, "title": "Wind power", "pageid": 5}],
            "pages": [{
                "pageid": 5, "title": "Wind power", "fullurl": "https://en.wikipedia.org/wiki/Wind_power",
                "extract": "Wind power is energy.\n\n\n== Economics ==\nIt costs 40 dollars.",
                "revisions": [{"timestamp": "2026-10-02T10:00:00Z"}],
            }],
        }}},
        {"srsearch": "the wind power", "srlimit": "3"},
        "Wind power", "## Economics\nIt costs 40 dollars.", "https://en.wikipedia.org/wiki/Wind_power", "2026-10-02",
        SourceKind.OTHER,
    ),
    Wire(
        "worldbank",
        {
            "/indicator": [{"page": 1}, [
                {"id": "EG.ELC.WIND", "name": "Electricity from wind power (kWh)",
                 "sourceNote": "Sources of electricity."},
                {"id": "SP.POP.TOTL", "name": "Population, total", "sourceNote": ""},
            ]],
            "/country": [{"page": 1}, [{"id": "WLD", "name": "World", "capitalCity": ""}]],
            "/country/WLD/indicator/EG.ELC.WIND": [{"page": 1, "lastupdated": "2026-10-01"}, [
                {"country": {"id": "1W", "value": "World"}, "date": "2026", "value": None},
                {"country": {"id": "1W", "value": "World"}, "date": "2025", "value": 2300000000},
            ]],
        },
        {},
        "Electricity from wind power (kWh) – World Bank",
        "World – Electricity from wind power (kWh), 2025: 2300000000\n\nSources of electricity.",
        "https://data.worldbank.org/indicator/EG.ELC.WIND?locations=WLD", "2025", SourceKind.STATISTICS,
    ),
    Wire(
        "estat",
        {
            "/getStatsList": {"GET_STATS_LIST": {"RESULT": {"STATUS": 0}, "DATALIST_INF": {"TABLE_INF": {
                "@id": "0003", "STAT_NAME": {"@code": "1", "$": "電力調査"}, "TITLE": {"@no": "1", "$": "発電量"},
                "UPDATED_DATE": "2026-06-01",
            }}}},
            "/getStatsData": {"GET_STATS_DATA": {"STATISTICAL_DATA": {
                "CLASS_INF": {"CLASS_OBJ": [
                    {"@id": "cat01", "@name": "電源", "CLASS": [{"@code": "1", "@name": "風力"}]},
                    {"@id": "time", "@name": "時間", "CLASS": {"@code": "2025", "@name": "2025年"}},
                ]},
                "DATA_INF": {"VALUE": [{"@cat01": "1", "@time": "2025", "@unit": "GWh", "$": "9800"}]},
            }}},
        },
        {"appId": "secret-key-1234", "searchWord": "the AND wind AND power"},
        "電力調査 発電量", "風力 – 2025年: 9800 GWh", "https://www.e-stat.go.jp/dbview?sid=0003", "2026-06-01",
        SourceKind.STATISTICS,
    ),
    Wire(
        "eurostat",
        {
            "/catalogue/toc/txt": CONTENTS,
            "/statistics/1.0/data/nrg_wind": {
                "version": "2.0", "class": "dataset", "label": "Wind power in electricity", "source": "ESTAT",
                "updated": "2026-03-05T11:00:00+0100", "value": {"1": 18.9, "2": 4.1, "3": 5}, "status": {"0": ":"},
                "id": ["freq", "siec", "unit", "geo", "time"], "size": [1, 2, 1, 1, 2],
                "dimension": {
                    "freq": {"label": "Time frequency", "category": {"index": {"A": 0}, "label": {"A": "Annual"}}},
                    "siec": {"label": "Energy", "category": {
                        "index": {"on": 0, "off": 1}, "label": {"on": "Onshore", "off": "Offshore"}}},
                    "unit": {"label": "Unit", "category": {"index": {"PC": 0}, "label": {"PC": "Percentage"}}},
                    "geo": {"label": "Geopolitical entity", "category": {
                        "index": {"EU27_2020": 0}, "label": {"EU27_2020": "European Union - 27 countries"}}},
                    "time": {"label": "Time", "category": {
                        "index": {"2024": 0, "2025": 1}, "label": {"2024": "2024", "2025": "2025"}}},
                },
            },
        },
        {"lang": "en"},
        "Wind power in electricity – Eurostat",
        "European Union - 27 countries – Onshore – Percentage, 2025: 18.9\n"
        "European Union - 27 countries – Offshore – Percentage, 2025: 5\n"
        "European Union - 27 countries – Offshore – Percentage, 2024: 4.1",
        "https://ec.europa.eu/eurostat/databrowser/view/nrg_wind/default/table?lang=en", "2026-03-05",
        SourceKind.STATISTICS,
    ),
    Wire(
        "oecd",
        {
            "/dataflow/all/all/latest": {"data": {"dataflows": [
                {"id": "DSD_WIND@DF_WIND", "version": "1.0", "agencyID": "OECD.ENV.EPI", "name": "Wind power"},
                {"id": "DSD_POP@DF_POP", "version": "1.1", "agencyID": "OECD.ELS", "names": {"en": "Population"}},
            ]}},
            "/v2/data/dataflow/OECD.ENV.EPI/DSD_WIND@DF_WIND/1.0/*": (
                "STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,REF_AREA,Reference area,FREQ,Frequency of observation,"
                "MEASURE,Measure,UNIT_MEASURE,Unit of measure,SECTOR,Sector,TIME_PERIOD,Time period,OBS_VALUE,"
                "Observation value,OBS_STATUS,Observation status,UNIT_MULT,Unit multiplier\r\n"
                f"{RECORD}_T,Total,2024,2024,700,,A,Normal value,9,Billions\r\n"
                f"{RECORD}_T,Total,2025,2025,755.5,,A,Normal value,9,Billions\r\n"
            ),
        },
        {"detail": "allstubs"},
        "Wind power – OECD",
        "OECD – Generation, 2025: 755.5 Billions Watt hours\nOECD – Generation, 2024: 700 Billions Watt hours",
        "https://data-explorer.oecd.org/vis?df[ds]=dsDisseminateFinalDMZ&df[id]=DSD_WIND@DF_WIND&df[ag]=OECD.ENV.EPI"
        "&df[vs]=1.0",
        "2025", SourceKind.STATISTICS,
    ),
]  # fmt: skip


def making(tmp_path: Path, name: str = "", brief: str = "Wind?", **values: str) -> Making:
    services = {f"source_{name}": KeptService.of(**values)} if name else {}
    return Making(Brief(question=brief, language=Language.EN), Settings(home=tmp_path, services=services))


def served(wire: Wire, httpserver: HTTPServer, tmp_path: Path) -> Making:
    for path, answer in wire.answers.items():
        sent = httpserver.expect_request(f"/api{path}")
        if isinstance(answer, str):
            sent.respond_with_data(answer, content_type="text/xml")
        else:
            sent.respond_with_json(answer)
    return at(wire.name, httpserver, tmp_path)


def at(name: str, httpserver: HTTPServer, tmp_path: Path) -> Making:
    for known in (KNOWN, statistics._answers, statistics._asked_at):
        known.clear()
    known = {field.name for field in provider(name).fields}
    values = {"base_url": httpserver.url_for("/api"), "key": "secret-key-1234", "contact": "me@example.com"}
    return making(tmp_path, name, **{field: value for field, value in values.items() if field in known})


async def search(name: str, made: Making, query: str = "the wind power") -> list[FoundPage]:
    (source,) = provider(name).made(made).searched
    moved: Any = replace(source, now=lambda: NOW)  # type: ignore[type-var]
    found: list[FoundPage] = await moved.search(SearchRequest(query, 3, period=PeriodChoice.YEAR))
    return found


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
async def test_a_service_is_asked_and_read_as_it_speaks(wire: Wire, httpserver: HTTPServer, tmp_path: Path) -> None:
    (page,) = await search(wire.name, served(wire, httpserver, tmp_path))
    assert (page.title, page.url, page.published) == (wire.title, wire.url, wire.published)
    assert wire.text in page.text
    assert (page.origin, page.kind) == (wire.name, wire.kind)
    request = httpserver.log[0][0]
    assert {name: request.args[name] for name in wire.asked} == wire.asked
    assert request.headers["User-Agent"].startswith("research-workbench/")


def busy(headers: dict[str, str]) -> Callable[[Request], Response]:
    return lambda request: Response("busy", 429, headers)


WRONG = {
    "401": (lambda request: Response("key secret-key-1234 refused", 401), "search_unauthorized"),
    "429 for long": (busy({"Retry-After": "600"}), "search_quota"),
    "500": (lambda request: Response("down", 500, {"Retry-After": "0"}), "search_failed"),
    "HTML": (lambda request: Response("<html><p>Sign in</html>", 200, content_type="text/html"), "search_failed"),
    "another form": (lambda request: Response('{"error": {"code": 1}}', 200), "search_failed"),
    "huge": (lambda request: Response(b" " * 17_000_000, 200), "search_failed"),
    "redirect": (lambda request: Response("", 302, {"Location": "http://169.254.169.254/"}), "search_failed"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", ["arxiv", "openalex", "worldbank"])
async def test_what_a_service_does_wrong_has_its_name_and_tells_no_key(
    name: str, wrong: str, httpserver: HTTPServer, tmp_path: Path
) -> None:
    answer, code = WRONG[wrong]
    httpserver.expect_request(RE_ANY).respond_with_handler(answer)
    with pytest.raises(SourceError) as caught:
        await search(name, at(name, httpserver, tmp_path))
    assert caught.value.code == code
    if name == "openalex":
        assert "secret-key" not in str(caught.value) + caught.value.detail


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("arxiv", f"<feed {ATOM}></feed>"), ("openalex", {"results": []}), ("crossref", {"message": {"items": []}}),
        ("pubmed", {"esearchresult": {"idlist": []}}), ("wikipedia", {"query": {"search": []}}),
        ("worldbank", [{"page": 1}, []]), ("estat", {"GET_STATS_LIST": {"RESULT": {"STATUS": 1}}}),
        ("eurostat", "title\tcode\ttype\n"), ("oecd", {"data": {"dataflows": []}}),
    ],
)  # fmt: skip
async def test_nothing_found_is_no_error(name: str, empty: object, httpserver: HTTPServer, tmp_path: Path) -> None:
    body = empty if isinstance(empty, str) else json.dumps(empty)
    httpserver.expect_request(RE_ANY).respond_with_data(body)
    assert await search(name, at(name, httpserver, tmp_path)) == []


async def test_a_busy_service_is_asked_once_more(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_oneshot_request("/api/works").respond_with_data("wait", status=503, headers={"Retry-After": "0"})
    httpserver.expect_request("/api/works").respond_with_json({"results": []})
    assert await search("openalex", at("openalex", httpserver, tmp_path)) == []
    assert len(httpserver.log) == 2


async def test_xml_with_entities_is_not_read(httpserver: HTTPServer, tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><feed>&b;</feed>'
    httpserver.expect_request("/api/api/query").respond_with_data(bomb)
    with pytest.raises(SourceError, match="no usable XML"):
        await search("arxiv", at("arxiv", httpserver, tmp_path))


# --- what statistics ask of whoever asks them ------------------------------------------------------------------------


def asked(httpserver: HTTPServer, path: str) -> list[Request]:
    return [request for request, _ in httpserver.log if path in request.path]


def of(name: str) -> Wire:
    return next(wire for wire in WIRES if wire.name == name)


async def test_eurostat_is_asked_for_the_countries_that_are_named(httpserver: HTTPServer, tmp_path: Path) -> None:
    made = served(of("eurostat"), httpserver, tmp_path)
    await search("eurostat", made, "wind power in Greece, the UK and ドイツ")
    (request,) = asked(httpserver, "nrg_wind")
    assert sorted(request.args.getlist("geo")) == ["DE", "EL", "UK"]
    assert request.args["lastTimePeriod"] == "12"


async def test_of_a_table_too_large_eurostat_is_asked_for_the_last_period(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    large = {"error": [{"status": 413, "id": 140, "label": "EXTRACTION_TOO_BIG: the request cannot be answered"}]}
    later = {"warning": {"status": 413, "label": "ASYNCHRONOUS_RESPONSE. Your request will be treated asynchronously"}}
    for answer, status in ((large, 413), (later, 200)):
        httpserver.clear()
        data = {"query_string": {"format": "JSON", "lang": "EN", "geo": "EU27_2020", "lastTimePeriod": "12"}}
        httpserver.expect_oneshot_request("/api/statistics/1.0/data/nrg_wind", **data).respond_with_json(
            answer, status=status
        )
        (page,) = await search("eurostat", served(of("eurostat"), httpserver, tmp_path))
        assert "2025: 18.9" in page.text
        assert [one.args["lastTimePeriod"] for one in asked(httpserver, "nrg_wind")] == ["12", "1"]


async def test_the_oecd_is_asked_for_countries_and_years_and_once(httpserver: HTTPServer, tmp_path: Path) -> None:
    made = served(of("oecd"), httpserver, tmp_path)
    for _ in range(2):
        await search("oecd", made, "wind power in Japan and Germany")
    (request,) = asked(httpserver, "/v2/data/")
    assert request.args.to_dict() == {
        "c[REF_AREA]": "JPN,DEU", "c[TIME_PERIOD]": "ge:2025", "format": "csvfilewithlabels",
    }  # fmt: skip
    assert "structure+json" in asked(httpserver, "/dataflow/all")[0].headers["Accept"]


async def test_the_oecd_has_no_more_asked_of_it_within_an_hour_than_it_answers(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    made = served(of("oecd"), httpserver, tmp_path)
    address = made.values(provider("oecd"))["base_url"]
    statistics._asked_at[address].extend([time.monotonic() - 10] * 60)
    with pytest.raises(SourceError, match="60 requests an hour") as caught:
        await search("oecd", made)
    assert caught.value.code == "search_quota" and not asked(httpserver, "/v2/data/")
    statistics._asked_at[address] = deque([time.monotonic() - 3601] * 60)
    assert await search("oecd", made)


async def test_where_the_oecd_has_no_such_records_nothing_is_found(httpserver: HTTPServer, tmp_path: Path) -> None:
    path = "/api/v2/data/dataflow/OECD.ENV.EPI/DSD_WIND@DF_WIND/1.0/*"
    httpserver.expect_oneshot_request(path).respond_with_data("NoRecordsFound", status=404)
    assert await search("oecd", served(of("oecd"), httpserver, tmp_path)) == []


async def test_a_service_without_a_key_that_turns_programs_away_blames_no_key(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    httpserver.expect_request(RE_ANY).respond_with_data("Access denied", status=403)
    made = at("oecd", httpserver, tmp_path)
    with pytest.raises(SourceError) as caught:
        await search("oecd", made)
    assert caught.value.code == "search_denied"
    assert "No key was sent" in explain(caught.value.code, Language.EN)
    check = await asyncio.to_thread(check_source, made.settings, "oecd")
    assert check.outcome is CheckOutcome.DENIED and "turned this program away" in check.words(Language.EN)


# --- sources that name pages, which this computer reads -------------------------------------------------------------

PAGE = (
    "<html><head><title>{0}</title></head><body><article><p>{0} grew by 4.2% in 2026, more than expected.</p></article>"
)


def readable(httpserver: HTTPServer, *paths: str) -> None:
    for path in paths:
        httpserver.expect_request(path).respond_with_data(PAGE.format(path[1:]), content_type="text/html")


def on_loopback(source: object) -> NamingSource:
    assert isinstance(source, NamingSource)
    fetcher = Fetcher(seconds=5, allowed=lambda address: address == "127.0.0.1")
    return replace(source, fetcher=fetcher, now=lambda: NOW)


async def test_searxng_names_pages_that_are_read_here(httpserver: HTTPServer, tmp_path: Path) -> None:
    readable(httpserver, "/wind", "/sun")
    found = [{"url": httpserver.url_for(path), "title": path, "content": "…"} for path in ("/wind", "/gone", "/sun")]
    httpserver.expect_request("/search").respond_with_json({"query": "wind", "results": found})
    made = making(tmp_path, "web", searxng=httpserver.url_for("").rstrip("/"))
    made = replace(made, settings=made.settings.model_copy(update={"web_search": WebSearch.SEARXNG}))
    (source,) = provider("web").made(made).searched
    pages = await on_loopback(source).search(SearchRequest("wind", 2))
    assert [page.url for page in pages] == [httpserver.url_for("/wind"), httpserver.url_for("/sun")]
    assert pages[0].origin == "web" and "grew by 4.2%" in pages[0].text
    asked = next(request for request, _ in httpserver.log if request.path == "/search")
    assert asked.args.to_dict() == {"q": "wind", "format": "json", "language": "en"}


async def test_feeds_name_what_speaks_of_the_question(httpserver: HTTPServer, tmp_path: Path) -> None:
    readable(httpserver, "/wind", "/atom-wind")
    rss, atom = (httpserver.url_for(path) for path in ("/rss", "/atom"))
    httpserver.expect_request("/rss").respond_with_data(
        f"""<rss version="2.0"><channel><item><title>Wind farms</title><link>{httpserver.url_for("/wind")}
        </link><pubDate>Tue, 17 Nov 2026 08:00:00 GMT</pubDate></item><item><title>Tea</title><link>http://x.example/</link>
        </item></channel></rss>"""
    )
    httpserver.expect_request("/atom").respond_with_data(
        f"""<feed {ATOM}><entry><title>More wind</title>
        <link rel="alternate" href="{httpserver.url_for("/atom-wind")}"/>
        <updated>2026-11-02T00:00:00Z</updated></entry></feed>"""
    )
    made = making(tmp_path, "rss", feeds=f"{rss} {atom} {httpserver.url_for('/none')}")
    (source,) = provider("rss").made(made).searched
    pages = await on_loopback(source).search(SearchRequest("wind", 5))
    assert {page.published for page in pages} == {"2026-11-17", "2026-11-02"}


async def test_addresses_in_the_brief_are_read_once_whatever_is_asked(httpserver: HTTPServer, tmp_path: Path) -> None:
    readable(httpserver, "/wind")
    made = making(tmp_path, brief=f"What does {httpserver.url_for('/wind')}, say?")
    (source,) = provider("addresses").made(made).searched
    given: Any = replace(source, naming=on_loopback(source.naming))  # type: ignore[attr-defined, type-var]
    first, second = [await given.search(SearchRequest(query, 3)) for query in ("wind", "sun")]
    assert first == second and [page.url for page in first] == [httpserver.url_for("/wind")]
    with pytest.raises(UsageError, match="names no address"):
        provider("addresses").made(making(tmp_path))


async def test_filings_are_found_by_their_text(httpserver: HTTPServer, tmp_path: Path) -> None:
    filed = {"ciks": ["0000320193"], "display_names": ["Apple Inc. (AAPL) (CIK 0000320193)"], "form": "10-K",
             "file_date": "2026-10-30"}  # fmt: skip
    found = {"hits": {"hits": [{"_id": "0000320193-26-000106:aapl-2026.htm", "_source": filed}]}}
    httpserver.expect_request("/api/LATEST/search-index").respond_with_json(found)
    (source,) = provider("edgar").made(at("edgar", httpserver, tmp_path)).searched
    (named,) = await on_loopback(source).named(SearchRequest("battery", 3, period=PeriodChoice.YEAR))
    assert named.url == "https://www.sec.gov/Archives/edgar/data/320193/000032019326000106/aapl-2026.htm"
    assert (named.title, named.age) == ("Apple Inc. (AAPL) – 10-K", "2026-10-30")
    asked = httpserver.log[0][0]
    assert asked.args["startdt"] and "me@example.com" in asked.headers["User-Agent"]


async def test_search_engines_are_asked_by_ddgs(
    httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engines' pages are read by the package; its own address of one of them is turned to loopback."""
    duckduckgo = pytest.importorskip("ddgs.engines.duckduckgo").Duckduckgo
    readable(httpserver, "/wind")
    result = f"""<html><body><div class="result__body"><h2><a href="{httpserver.url_for("/wind")}">Wind</a></h2>
      <a href="{httpserver.url_for("/wind")}">It grew.</a></div></body></html>"""
    httpserver.expect_request("/html/", method="POST").respond_with_data(result, content_type="text/html")
    monkeypatch.setattr(duckduckgo, "search_url", httpserver.url_for("/html/"))
    made = making(tmp_path)
    (source,) = provider("web").made(made).searched
    pages = await on_loopback(source).search(SearchRequest("wind", 1))
    assert [page.title for page in pages] == ["Wind"]


async def test_a_run_searches_several_kinds_of_sources_at_once(httpserver: HTTPServer, tmp_path: Path) -> None:
    """Papers, an encyclopedia, statistics and documents of one's own; one service is down, and costs only itself."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "plan.md").write_text("# Plan\n\nOur wind power grew by 7% in 2026.\n", encoding="utf-8")
    names = ("openalex", "wikipedia", "worldbank", "pubmed")
    kept: dict[str, KeptService] = {}
    for wire in (wire for wire in WIRES if wire.name in names and wire.name != "pubmed"):
        kept |= served(wire, httpserver, tmp_path).settings.services
    kept["source_pubmed"] = KeptService.of(base_url="http://127.0.0.1:9")
    settings = Settings(home=tmp_path / "home", services=kept)
    brief = Brief(question="How did wind power grow?", preset="speed", sources=names)  # type: ignore[arg-type]
    report = await research.run(brief, library=folder, settings=settings)
    met = {page.origin for page in report.history if isinstance(page, PageRead)}
    assert met == {"openalex", "wikipedia", "worldbank", "library"}
    assert any("search_unreachable" in repr(problem) for problem in report.record.problems)


# --- what sites ask of programs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "status", "is_read"),
    [
        ("User-agent: *\nDisallow: /private/", 200, True), ("User-agent: *\nDisallow: /wind", 200, False),
        ("User-agent: research-workbench\nDisallow: /", 200, False), ("User-agent: other\nDisallow: /", 200, True),
        ("", 404, True), ("down", 503, False),
    ],
)  # fmt: skip
async def test_robots_txt_is_kept_to(rules: str, status: int, is_read: bool, httpserver: HTTPServer) -> None:
    httpserver.clear()
    httpserver.expect_request("/robots.txt").respond_with_data(rules, status=status)
    readable(httpserver, "/wind")
    httpserver.expect_request("/moved").respond_with_data(status=302, headers={"Location": "/wind"})
    fetcher = Fetcher(seconds=5, allowed=lambda address: address == "127.0.0.1")
    async with fetcher.opened() as fetch:
        for path in ("/wind", "/moved"):
            if is_read:
                assert "4.2%" in (await fetch(httpserver.url_for(path))).text
            else:
                with pytest.raises(SourceError, match=r"robots\.txt"):
                    await fetch(httpserver.url_for(path))
    assert [request.path for request, _ in httpserver.log].count("/robots.txt") == 1
