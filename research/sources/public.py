"""Public services: papers by what they say of themselves (title, authors, abstract), filings, official statistics."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import unescape
from typing import TYPE_CHECKING, Any

from research.core import Reach, SourceField, SourceKind, SourceName, register
from research.language import Bilingual, Phrase
from research.sources.apis import ATOM, CONTACT, Hit, Service, api, key_field
from research.sources.keyless import NamingSource
from research.sources.protocol import SearchRequest
from research.sources.registry import Making, Provider
from research.text import Name, expand, is_stop_word, places_in, tokens

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_AUTHORS = 12
_WORD = re.compile(r"[^\W_][\w.-]*")
_TAG = re.compile(r"<[^<>]{0,200}>")


def _paper(authors: Sequence[str], place: str, abstract: str, cited: object = None) -> str:
    """Return what is known of a paper as text: who wrote it and where it stands, then its abstract."""
    shown = ", ".join(authors[:_MOST_AUTHORS]) + (" et al." if len(authors) > _MOST_AUTHORS else "")
    told = {"Authors": shown, "Published in": place, "Cited by": str(cited or "")}
    head = "\n".join(f"{name}: {value}" for name, value in told.items() if value)
    return "\n\n".join(part for part in (head, " ".join(abstract.split())) if part)


# --- arXiv: https://info.arxiv.org/help/api/user-manual.html ---------------------------------------------------------


async def _arxiv(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    words = [word for word in _WORD.findall(request.query) if not is_stop_word(word.lower())]
    asked = " AND ".join(f"all:{word}" for word in words[:12]) or "all:*"
    if since:
        asked += f" AND submittedDate:[{since.replace('-', '')}0000 TO 999912312359]"
    found = await service.xml(
        "/api/query", {"search_query": asked, "max_results": request.limit, "sortBy": "relevance"}
    )
    return [_preprint(entry) for entry in found.iter(f"{ATOM}entry") if "/api/errors" not in _said(entry, "id")]


def _preprint(entry: Element) -> Hit:
    authors = [" ".join((name.text or "").split()) for name in entry.iter(f"{ATOM}name")]
    return Hit(
        _said(entry, "id"),
        " ".join(_said(entry, "title").split()),
        _paper(authors, "arXiv", _said(entry, "summary")),
        _said(entry, "published")[:10],
    )


def _said(entry: Element, name: str) -> str:
    return entry.findtext(f"{ATOM}{name}") or ""


# --- OpenAlex: https://docs.openalex.org/api-entities/works/search-works ---------------------------------------------


async def _openalex(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    found = await service.json(
        "/works",
        {
            "search": request.query,
            "per_page": request.limit,
            "filter": f"from_publication_date:{since}" if since else "",
            "mailto": service.values.get("contact"),
            "api_key": service.secret,
        },
    )
    return map(_work, found["results"])


def _work(work: Mapping[str, Any]) -> Hit:
    place = work.get("primary_location") or {}
    journal = (place.get("source") or {}).get("display_name") or ""
    authors = [entry["author"]["display_name"] or "" for entry in work.get("authorships") or ()]
    return Hit(
        work.get("doi") or place.get("landing_page_url") or work["id"],
        work.get("display_name") or "",
        _paper(authors, journal, _in_order(work.get("abstract_inverted_index") or {}), work.get("cited_by_count")),
        work.get("publication_date"),
    )


def _in_order(places: Mapping[str, Sequence[int]]) -> str:
    """Return an abstract of which each word is told with the places where it stands."""
    return " ".join(word for _, word in sorted((at, word) for word, stands in places.items() for at in stands))


# --- Crossref: https://www.crossref.org/documentation/retrieve-metadata/rest-api/ ------------------------------------


async def _crossref(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    found = await service.json(
        "/works",
        {
            "query.bibliographic": request.query,
            "rows": request.limit,
            "filter": f"from-pub-date:{since}" if since else "",
            "mailto": service.values.get("contact"),
        },
    )
    return map(_registered, found["message"]["items"])


def _registered(item: Mapping[str, Any]) -> Hit:
    parts = ((item.get("issued") or {}).get("date-parts") or [[]])[0]
    date = "-".join(f"{part:02d}" for part in parts if part)
    authors = [
        f"{one.get('given', '')} {one.get('family') or one.get('name', '')}".strip() for one in item.get("author", ())
    ]
    abstract = unescape(_TAG.sub(" ", item.get("abstract", "")))
    return Hit(
        item.get("URL") or f"https://doi.org/{item['DOI']}",
        unescape(" ".join(item.get("title", ()))),
        _paper(authors, " ".join(item.get("container-title", ())), abstract, item.get("is-referenced-by-count")),
        date or None,
    )


# --- PubMed: https://www.ncbi.nlm.nih.gov/books/NBK25499/ ------------------------------------------------------------


async def _pubmed(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    same = {
        "db": "pubmed",
        "tool": "research-workbench",
        "email": service.values.get("contact"),
        "api_key": service.secret,
    }
    dates = {"datetype": "pdat", "mindate": since.replace("-", "/"), "maxdate": "3000"} if since else {}
    asked = {"term": request.query, "retmax": request.limit, "sort": "relevance", "retmode": "json"}
    named = (await service.json("/esearch.fcgi", same | asked | dates))["esearchresult"]["idlist"]
    if not named:
        return []
    found = await service.xml("/efetch.fcgi", same | {"id": ",".join(map(str, named)), "retmode": "xml"})
    return _articles(found)


def _articles(found: Element) -> Iterator[Hit]:
    for article in found.iter("PubmedArticle"):
        abstract = [f"{part.get('Label', '')} {_whole(part)}".strip() for part in article.iter("AbstractText")]
        journal, dated = article.findtext(".//Journal/Title") or "", article.find(".//PubDate")
        yield Hit(
            f"https://pubmed.ncbi.nlm.nih.gov/{article.findtext('.//PMID')}/",
            _whole(article.find(".//ArticleTitle")),
            _paper([_author(one) for one in article.iter("Author")], journal, " ".join(abstract)),
            None if dated is None else dated.findtext("Year") or (dated.findtext("MedlineDate") or "")[:4],
        )


def _author(one: Element) -> str:
    parts = (one.findtext(name) or "" for name in ("ForeName", "LastName", "CollectiveName"))
    return " ".join(" ".join(parts).split())


def _whole(part: Element | None) -> str:
    """Return the text of an element with that of all within it: abstracts set words in italics."""
    return "" if part is None else " ".join("".join(part.itertext()).split())


# --- SEC EDGAR: https://www.sec.gov/edgar/search/efts-faq.html -------------------------------------------------------

_ARCHIVE = "https://www.sec.gov/Archives/edgar/data"


async def _filings(service: Service, request: SearchRequest, since: str) -> list[Any]:
    """Return the filings that hold the words of a query, as pages to be fetched, best first."""
    from research.sources.fetching import NamedPage

    dates = {"dateRange": "custom", "startdt": since, "enddt": "2999-12-31"} if since else {}
    found = await service.json("/LATEST/search-index", {"q": request.query, **dates})
    pages = []
    for hit in found["hits"]["hits"]:
        told, (number, _, file) = hit["_source"], hit["_id"].partition(":")
        company = " / ".join(re.sub(r"\s+\(CIK [^)]*\)", "", name) for name in told.get("display_names", ()))
        form = told.get("form") or told.get("file_type") or ""
        url = f"{_ARCHIVE}/{int(told['ciks'][0])}/{number.replace('-', '')}/{file}"
        pages.append(NamedPage(url=url, title=f"{company} – {form}", page_age=told.get("file_date", "")))
    return pages


def _edgar(making: Making) -> NamingSource:
    from research.sources.fetching import Fetcher

    values = making.values(EDGAR)
    service = Service(values["base_url"], values, gap=0.2)
    today = datetime.now(UTC).date()
    return NamingSource(
        SourceName("edgar"),
        lambda request: _filings(service, request, request.first_day(today)),
        Fetcher(contact=values["contact"]),
    )


EDGAR = Provider(
    name="edgar",
    label=Phrase("SEC EDGAR (filings in the USA)"),
    reach=Reach.OPEN,
    kind=SourceKind.COMPANY,
    fields=(
        CONTACT,
        SourceField(
            "base_url", Phrase("Address", "of a service"), default="https://efts.sec.gov", is_place=True,
        ),
    ),
    hint=Phrase("What listed companies in the USA filed since 2001, by its full text. Ask in English."),
    module="httpx",
    extra="web",
    make=_edgar,
    sample="electricity",
)  # fmt: skip


# --- World Bank: https://datahelpdesk.worldbank.org/knowledgebase/articles/889392 ------------------------------------

_WDI = "2"
"""The number of the World Development Indicators, among the bank's sets of data."""
_MOST_COUNTRIES, _YEARS = 6, 30
_known: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {}
"""Indicators and countries by the address that told them: they change once a year."""


async def _world_bank(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    indicators, countries = await _catalogue(service)
    wanted = _nearest(request, indicators)
    places = [one for place in places_in(request.query) for one in countries if _is_place(one, place)]
    codes = ";".join(one["id"] for one in places[:_MOST_COUNTRIES]) or "WLD"
    asked = {"format": "json", "per_page": "1000", "mrv": str(_YEARS)}
    answers = await asyncio.gather(*(service.json(f"/country/{codes}/indicator/{one['id']}", asked) for one in wanted))
    return [
        _series(service, indicator, answer[1], codes)
        for indicator, answer in zip(wanted, answers, strict=True)
        if len(answer) > 1 and answer[1]
    ]


async def _catalogue(service: Service) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if service.address not in _known:
        indicators, countries = await asyncio.gather(
            service.json("/indicator", {"format": "json", "per_page": "5000", "source": _WDI}),
            service.json("/country", {"format": "json", "per_page": "500"}),
        )
        _known[service.address] = indicators[1], countries[1]
    return _known[service.address]


def _nearest(request: SearchRequest, indicators: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the indicators whose names hold most of what is asked, beside places, in few other words."""
    asked = set(tokens(expand(request.query)))
    asked -= {word for place in places_in(request.query) for form in place.forms for word in tokens(form)}
    rated = [
        (len(asked & (words := set(tokens(one["name"])))), -len(words), place) for place, one in enumerate(indicators)
    ]
    best = sorted((one for one in rated if one[0]), reverse=True)
    return [indicators[place] for _, _, place in best[: request.limit]]


def _is_place(country: Mapping[str, Any], place: Name) -> bool:
    """Whether a country of the bank's list is meant: by its name, or where that is its own, by its capital."""
    capital = (country.get("capitalCity") or "").lower()
    return country["name"].lower() in place.forms or (bool(capital) and capital in place.cities)


def _series(service: Service, indicator: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], codes: str) -> Hit:
    """Return an indicator of some countries as lines of figures: `Japan – GDP (current US$), 2024: 4026210821147.4`."""
    told = [row for row in rows if row.get("value") is not None]
    lines = [f"{row['country']['value']} – {indicator['name']}, {row['date']}: {row['value']}" for row in told]
    about = (indicator.get("sourceNote") or "").strip()
    latest = max((str(row["date"]) for row in told), default="")
    page = f"https://data.worldbank.org/indicator/{indicator['id']}?locations={codes.replace(';', '-')}"
    text = "\n".join(lines) + (f"\n\n{about}" if lines else "")
    return Hit(page, f"{indicator['name']} – World Bank", text, latest or None)


# --- e-Stat: https://www.e-stat.go.jp/api/api-info/e-stat-manual3-0 --------------------------------------------------

_MOST_VALUES = 2_000


async def _estat(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    same = {"appId": service.secret, "lang": "J" if request.language.value == "ja" else "E"}
    words = " AND ".join(request.query.split()[:6])
    listed = (await service.json("/getStatsList", same | {"searchWord": words, "limit": request.limit}))[
        "GET_STATS_LIST"
    ]
    tables = _listed(listed.get("DATALIST_INF", {}).get("TABLE_INF"))
    asked = same | {"limit": _MOST_VALUES, "metaGetFlg": "Y"}
    answers = await asyncio.gather(
        *(service.json("/getStatsData", asked | {"statsDataId": one["@id"]}) for one in tables)
    )
    return [
        _table(table, answer["GET_STATS_DATA"]["STATISTICAL_DATA"])
        for table, answer in zip(tables, answers, strict=True)
    ]


def _table(table: Mapping[str, Any], data: Mapping[str, Any]) -> Hit:
    """Return a table as lines, each a figure behind the names of what it is of."""
    names = {
        kind["@id"]: {one["@code"]: one["@name"] for one in _listed(kind["CLASS"])}
        for kind in _listed(data["CLASS_INF"]["CLASS_OBJ"])
    }
    lines = []
    for value in _listed(data.get("DATA_INF", {}).get("VALUE")):
        of = [names[kind].get(value.get(f"@{kind}", ""), "") for kind in names]
        lines.append(f"{' – '.join(filter(None, of))}: {value.get('$', '')} {value.get('@unit', '')}".rstrip())
    title = f"{_plain(table.get('STAT_NAME'))} {_plain(table.get('TITLE'))}".strip()
    url = f"https://www.e-stat.go.jp/dbview?sid={table['@id']}"
    return Hit(url, title, "\n".join(lines), table.get("UPDATED_DATE") or table.get("OPEN_DATE"))


def _plain(said: Any) -> str:
    return str(said.get("$", "")) if isinstance(said, dict) else str(said or "")


def _listed(said: Any) -> list[Any]:
    """Return what the service tells as a list where there are several, and by itself where there is one."""
    return said if isinstance(said, list) else [said] if said else []


# --- how they are offered ---------------------------------------------------------------------------------------------

register(
    api(
        "arxiv",
        Bilingual("arXiv", "arXiv"),
        "https://export.arxiv.org",
        _arxiv,
        hint=Phrase("Preprints in physics, mathematics, computing and economics; their abstracts. Ask in English."),
        kind=SourceKind.PAPER,
        gap=3.0,
        sample="electricity",
    ),
    api(
        "openalex",
        Bilingual("OpenAlex", "OpenAlex"),
        "https://api.openalex.org",
        _openalex,
        CONTACT,
        key_field(is_needed=False),
        hint=Phrase("Papers of all fields, with abstracts and how often each is cited."),
        kind=SourceKind.PAPER,
        gap=0.2,
    ),
    api(
        "crossref",
        Bilingual("Crossref", "Crossref"),
        "https://api.crossref.org",
        _crossref,
        CONTACT,
        hint=Phrase("What publishers registered of papers and books; many have no abstract."),
        kind=SourceKind.PAPER,
        gap=0.5,
    ),
    api(
        "pubmed",
        Bilingual("PubMed", "PubMed"),
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        _pubmed,
        CONTACT,
        key_field(is_needed=False),
        hint=Phrase("Papers in medicine and the life sciences, with abstracts. Ask in English."),
        kind=SourceKind.PAPER,
        gap=0.4,
    ),
    EDGAR,
    api(
        "worldbank",
        Phrase("World Bank (indicators)"),
        "https://api.worldbank.org/v2",
        _world_bank,
        hint=Phrase("1,500 indicators of development for all countries, by year."),
        kind=SourceKind.STATISTICS,
        gap=0.2,
        sample="Japan population total",
    ),
    api(
        "estat",
        Phrase("e-Stat (statistics of Japan)"),
        "https://api.e-stat.go.jp/rest/3.0/app/json",
        _estat,
        key_field(is_needed=True),
        hint=Phrase("Tables of the statistics of Japan. Its key (appId) costs nothing. Ask in Japanese."),
        kind=SourceKind.STATISTICS,
        gap=0.5,
        sample="人口",
    ),
)
