"""Official statistics, each table as lines of figures: World Bank, e-Stat, Eurostat, OECD."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from babel.core import get_global

from research.core import SourceError, SourceKind, register
from research.language import Phrase
from research.sources.apis import Hit, Service, api, key_field
from research.sources.protocol import SearchRequest
from research.text import Name, code_of, expand, places_in, tokens

# --- World Bank: https://datahelpdesk.worldbank.org/knowledgebase/articles/889392 ------------------------------------

_WDI = "2"
"""The number of the World Development Indicators, among the bank's sets of data."""
_MOST_COUNTRIES, _YEARS = 6, 30


async def _world_bank(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    indicators, countries = await service.known("indicators", lambda: _indicators(service))
    wanted = _nearest(request, indicators)
    places = [one for place in places_in(request.query) for one in countries if _is_meant(one, place)]
    codes = ";".join(one["id"] for one in places[:_MOST_COUNTRIES]) or "WLD"
    asked = {"format": "json", "per_page": "1000", "mrv": str(_YEARS)}
    answers = await asyncio.gather(*(service.json(f"/country/{codes}/indicator/{one['id']}", asked) for one in wanted))
    return [
        _series(service, indicator, answer[1], codes)
        for indicator, answer in zip(wanted, answers, strict=True)
        if len(answer) > 1 and answer[1]
    ]


async def _indicators(service: Service) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the bank's indicators and countries, which change once a year."""
    indicators, countries = await asyncio.gather(
        service.json("/indicator", {"format": "json", "per_page": "5000", "source": _WDI}),
        service.json("/country", {"format": "json", "per_page": "500"}),
    )
    return indicators[1], countries[1]


def _nearest(request: SearchRequest, indicators: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the indicators whose names hold most of what is asked, beside places, in few other words."""
    asked = set(tokens(expand(request.query)))
    asked -= {word for place in places_in(request.query) for form in place.forms for word in tokens(form)}
    rated = [
        (len(asked & (words := set(tokens(one["name"])))), -len(words), place) for place, one in enumerate(indicators)
    ]
    best = sorted((one for one in rated if one[0]), reverse=True)
    return [indicators[place] for _, _, place in best[: request.limit]]


def _is_meant(country: Mapping[str, Any], place: Name) -> bool:
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


# --- Eurostat: https://ec.europa.eu/eurostat/web/user-guides/data-browser/api-data-access ----------------------------

_EUROSTAT_TABLES = 3
"""Tables that one search reads."""
_EUROSTAT_PERIODS = (12, 1)
"""Last periods that are asked for; the second where the service says that a table is too large for the first."""
_UNION = "EU27_2020"
_EUROSTAT_CODES = {"GR": "EL", "GB": "UK", "EU": _UNION}
"""Where the codes of Eurostat differ from ISO 3166."""


async def _eurostat(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    tables = await service.known("tables", lambda: _contents(service))
    wanted = _nearest(request, tables)[:_EUROSTAT_TABLES]
    named = [code_of(place) for place in places_in(request.query)][:_MOST_COUNTRIES]
    countries = [_EUROSTAT_CODES.get(code, code) for code in named] or [_UNION]
    found = await asyncio.gather(*(_eurostat_table(service, table, countries) for table in wanted))
    return [hit for hit in found if hit is not None]


async def _contents(service: Service) -> list[dict[str, str]]:
    """Return Eurostat's tables, once each: code, name, and when each was brought up to date; no folders."""
    told = await service.text("/catalogue/toc/txt", {"lang": "en"})
    found: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(io.StringIO(told), delimiter="\t", skipinitialspace=True):
        if row["type"].strip() in ("dataset", "table"):
            code = row["code"].strip()
            day = "-".join(reversed((row.get("last update of data") or "").strip().split(".")))
            found.setdefault(code, {"id": code, "name": row["title"].strip(), "updated": day})
    return list(found.values())


async def _eurostat_table(service: Service, table: Mapping[str, str], countries: Sequence[str]) -> Hit | None:
    """Return a table of some countries; None if it holds nothing of them, or too much."""
    asked = {"format": "JSON", "lang": "EN", "geo": list(countries)}
    service = replace(service, codes={413: _TOO_MUCH})
    for periods in _EUROSTAT_PERIODS:
        try:
            told = await service.json(f"/statistics/1.0/data/{table['id']}", asked | {"lastTimePeriod": periods})
        except SourceError as error:
            if error.code != _TOO_MUCH:
                raise
            continue
        if "value" in told:
            text = "\n".join(_json_stat(told))
            page = f"https://ec.europa.eu/eurostat/databrowser/view/{table['id']}/default/table?lang=en"
            published = str(told.get("updated") or table["updated"])[:10]
            return Hit(page, f"{told.get('label') or table['name']} – Eurostat", text, published) if text else None
        if "warning" not in told:
            raise KeyError("value")
    return None


_TOO_MUCH = "search_too_much"


def _json_stat(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each figure of JSON-stat 2.0 (https://json-stat.org/full), the newest first.

    `Germany – Total – Percentage, 2025: 3.4`; what is the same for all is left out but for the place.
    """
    names, sizes = told["id"], told["size"]
    labels = []
    for name in names:
        held = told["dimension"][name]["category"]
        order = held.get("index") or list(held["label"])
        codes = sorted(order, key=order.__getitem__) if isinstance(order, dict) else order
        labels.append([held.get("label", {}).get(code, code) for code in codes])
    values = told["value"]
    cells = values.items() if isinstance(values, dict) else enumerate(values)
    shown = [at for at, name in enumerate(names) if name in ("geo", "unit") or (sizes[at] > 1 and name != "time")]
    time, geo = names.index("time"), names.index("geo")
    shown.sort(key=lambda at: (at != geo, names[at] == "unit"))
    rows = [(_place_in(int(cell), sizes), value) for cell, value in cells if value is not None]
    rows.sort(key=lambda row: row[0][time], reverse=True)
    for place, value in rows[:_MOST_VALUES]:
        yield f"{' – '.join(labels[at][place[at]] for at in shown)}, {labels[time][place[time]]}: {value}"


def _place_in(cell: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the place of a cell along each dimension, of which the last runs fastest."""
    places = []
    for size in reversed(sizes):
        cell, place = divmod(cell, size)
        places.append(place)
    return tuple(reversed(places))


# --- OECD: https://gitlab.algobank.oecd.org/public-documentation/dotstat-migration -----------------------------------

_OECD_TABLES, _OECD_YEARS = 2, 10
_OECD_AN_HOUR = 60
"""Requests for data that the OECD answers within an hour; whoever asks for more is turned away for a while."""
_HOUR = 3600.0
_OECD_CODES = {"EU": "EU27_2020"}
_STRUCTURES = "application/vnd.sdmx.structure+json; version=1.0"
_asked_at: dict[str, deque[float]] = defaultdict(deque)
_answers: dict[str, str] = {}
"""What was told of tables, by their whole addresses: the same table is asked for again and again within a run."""
_MOST_ANSWERS = 40


async def _oecd(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    flows = await service.known("flows", lambda: _flows(service))
    named = [code_of(place) for place in places_in(request.query)][:_MOST_COUNTRIES]
    countries = ",".join(_OECD_CODES.get(code, _three_letters(code)) for code in named) or "OECD"
    first = since[:4] or str(datetime.now(UTC).year - _OECD_YEARS)
    hits = []
    for flow in _nearest(request, flows)[:_OECD_TABLES]:
        path = f"/v2/data/dataflow/{flow['agency']}/{flow['id']}/{flow['version']}/*"
        asked = {"c[REF_AREA]": countries, "c[TIME_PERIOD]": f"ge:{first}", "format": "csvfilewithlabels"}
        lines = _labelled(await _oecd_answer(service, path, asked))
        shown = {"df[id]": flow["id"], "df[ag]": flow["agency"], "df[vs]": flow["version"]}
        page = f"https://data-explorer.oecd.org/vis?{urlencode({'df[ds]': 'dsDisseminateFinalDMZ'} | shown)}"
        latest = max(lines, default=("", ""))[0][:4]
        hits.append(Hit(page, f"{flow['name']} – OECD", "\n".join(text for _, text in lines), latest))
    return [hit for hit in hits if hit.text]


async def _flows(service: Service) -> list[dict[str, str]]:
    """Return the OECD's tables."""
    service = replace(service, headers={"Accept": _STRUCTURES})
    told = await service.json("/dataflow/all/all/latest", {"detail": "allstubs"})
    names = {"id": "id", "agency": "agencyID", "version": "version"}
    return [
        {"name": one.get("name") or one["names"]["en"], **{own: one[theirs] for own, theirs in names.items()}}
        for one in told["data"]["dataflows"]
    ]


@cache
def _of_three_letters() -> Mapping[str, str]:
    """Return the codes of countries in three letters by those in two, both of ISO 3166."""
    aliases = get_global("territory_aliases")
    return {two[0]: three for three, two in aliases.items() if re.fullmatch("[A-Z]{3}", three) and len(two) == 1}


def _three_letters(code: str) -> str:
    return _of_three_letters().get(code, code)


async def _oecd_answer(service: Service, path: str, asked: Mapping[str, str]) -> str:
    """Return what a table tells, as CSV; empty where it tells nothing of what is asked, or cannot be asked so.

    Raises:
        SourceError: as `Service.json` does; `search_quota` before more is asked than is answered within an hour.
    """
    whole = f"{service.address}{path}?{urlencode(asked)}"
    if whole not in _answers:
        now, asked_at = time.monotonic(), _asked_at[service.address]
        while asked_at and now - asked_at[0] > _HOUR:
            asked_at.popleft()
        if len(asked_at) >= _OECD_AN_HOUR:
            raise SourceError("search_quota", f"the OECD answers {_OECD_AN_HOUR} requests an hour")
        asked_at.append(now)
        try:
            told = await service.text(path, asked)
        except SourceError as error:
            if error.code != "search_bad_request":
                raise
            told = ""  # so it says that there are no such records, or that a table has no column of countries
        while len(_answers) >= _MOST_ANSWERS:
            del _answers[next(iter(_answers))]
        _answers[whole] = told
    return _answers[whole]


_OF_FILE = ("STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION")
_OF_VALUE = ("TIME_PERIOD", "OBS_VALUE", "OBS_STATUS", "DECIMALS", "UNIT_MULT", "REF_AREA", "UNIT_MEASURE", "FREQ")
"""Columns that say something of a figure itself, not what it is of."""
_NOTHING = ("Not applicable", "Total", "")


def _labelled(told: str) -> list[tuple[str, str]]:
    """Return the figures of SDMX-CSV with labels, each with its period, newest first.

    Each column of codes has one of labels behind it: `Japan – Unemployment rate, 2025: 2.5 Percentage of labour force`.
    """
    rows = csv.reader(io.StringIO(told.removeprefix("\ufeff")))
    codes = next(rows, [])
    labels = {name: at + 1 for at, name in enumerate(codes) if name.isupper() and name not in _OF_FILE}
    of = [at for name, at in labels.items() if name not in _OF_VALUE]
    lines: dict[tuple[str, str], None] = {}
    for row in rows if codes else ():
        value, period = row[labels["OBS_VALUE"] - 1], row[labels["TIME_PERIOD"] - 1]
        if not value:
            continue
        said = [row[labels["REF_AREA"]], *(row[at] for at in of)]
        words = " – ".join(word for word in said if word not in _NOTHING)
        scale, unit = (row[labels[name]] if name in labels else "" for name in ("UNIT_MULT", "UNIT_MEASURE"))
        measured = " ".join(word for word in ("" if scale == "Units" else scale, unit) if word)
        lines[period, f"{words}, {period}: {value} {measured}".rstrip()] = None
    return sorted(lines, reverse=True)[:_MOST_VALUES]


# --- how they are offered ---------------------------------------------------------------------------------------------

register(
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
    api(
        "eurostat",
        Phrase("Eurostat (statistics of Europe)"),
        "https://ec.europa.eu/eurostat/api/dissemination",
        _eurostat,
        hint=Phrase("7,000 tables on the European Union and its countries. Where none is named, on the Union."),
        kind=SourceKind.STATISTICS,
        gap=0.5,
        sample="unemployment rate Germany",
    ),
    api(
        "oecd",
        Phrase("OECD (statistics)"),
        "https://sdmx.oecd.org/public/rest",
        _oecd,
        hint=Phrase(
            "Tables on the 38 countries of the OECD and its partners. It answers some 60 requests an hour and turns "
            "some programs away."
        ),
        kind=SourceKind.STATISTICS,
        gap=1.0,
        sample="unemployment rate Japan",
    ),
)
