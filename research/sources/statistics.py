"""Filings and figures of official bodies: SEC EDGAR, the World Bank, Japan's e-Stat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from research.core import Reach, SourceField, SourceKind, SourceName, register
from research.language import Phrase
from research.sources.apis import CONTACT, Hit, Service, api, key_field
from research.sources.protocol import SearchRequest
from research.sources.registry import Making, Provider
from research.text import Name, expand, places_in, tokens

if TYPE_CHECKING:
    from research.sources.keyless import NamingSource

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
    from research.sources.keyless import NamingSource

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


register(
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
