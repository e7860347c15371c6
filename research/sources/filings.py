"""What companies filed: in the USA (SEC EDGAR), found by its full text, and in Japan (EDINET), by who filed it when."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from research.core import Reach, SourceError, SourceField, SourceKind, SourceName, register
from research.language import Phrase
from research.sources.apis import CODES, CONTACT, Hit, Service, TurnedAway, api, key_field
from research.sources.protocol import Making, Provider, SearchRequest
from research.sources.web import NamingSource
from research.text import is_place

# --- SEC EDGAR: https://www.sec.gov/edgar/search/efts-faq.html -------------------------------------------------------

_ARCHIVE = "https://www.sec.gov/Archives/edgar/data"


async def _filings(service: Service, request: SearchRequest, since: str) -> list[Any]:
    """Return the filings that hold the words of a query, as pages to be fetched, best first."""
    from research.sources.fetching import NamedPage

    days = {"startdt": since or "2001-01-01", "enddt": request.last_day or "2999-12-31"}
    dates = {"dateRange": "custom"} | days if since or request.last_day else {}
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


# --- EDINET: https://disclosure2dl.edinet-fsa.go.jp/guide/static/disclosure/WZEK0110.html ----------------------------
#
# It has no search: it lists what was filed on a day. Annual reports, which most questions are about, are due three
# months after a fiscal year, which for most companies ends in March, for others in December: those days come first.

_JAPAN = timezone(timedelta(hours=9))
_DAYS = 400
"""How far back filings are looked for where a brief sets no period: the last annual report is among them."""
_DAYS_A_SEARCH, _DAYS_AT_ONCE = 60, 10
"""Lists that one search asks for, at most, and those asked for before it is seen whether they name enough."""
_KINDS = {
    "120": "有価証券報告書", "130": "訂正有価証券報告書", "160": "半期報告書", "140": "四半期報告書",
    "180": "臨時報告書",
}  # fmt: skip
"""Kinds of documents that are read, by the codes of the list; those before come first."""
_OF_COMPANIES = "010"
"""The ordinance on what companies disclose; funds file under others."""
_FORM = re.compile(r"株式会社|有限会社|合同会社|\(株\)")
_TRADE = re.compile(
    "ホールディングス|グループ|自動車|工業|製作所|電機|電気|電力|電工|化学|製薬|薬品|銀行|証券|食品|商事|物産|製鉄|重工|建設|不動産|通信|瓦斯|ガス|海運|鉄道|"
    "旅客鉄道|製紙|硝子|精機|産業|興業|本社|フィナンシャル|コーポレーション"
)
"""What the name of a company ends in that those who speak of it leave out."""
_LETTER = re.compile(r"[A-Za-z0-9一-鿿々ァ-ヺー]")
_SHORTEST = 2
"""Letters of a name that may stand for the whole of it."""


class _Filed(NamedTuple):
    """A document as the list of a day tells it."""

    number: str
    filer: str
    about: str
    kind: str
    on: str
    code: str
    """Of the share, in five digits, of which people write the first four; empty for who is not listed."""
    suffix: str
    """What it can be had as: `.zip` with its figures and passages as CSV, or `.pdf`."""


async def _edinet(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    today = datetime.now(_JAPAN).date()
    first = date.fromisoformat(since) if since else today - timedelta(days=_DAYS)
    query = _folded(request.query)
    found: list[_Filed] = []
    for days in _batches(sorted(_weekdays(max(first, today - timedelta(days=10 * 365)), today), key=_due)):
        try:
            lists = await asyncio.gather(*(_listed(service, day, today) for day in days))
        except TurnedAway:
            if not found:
                raise
            break
        found += [one for listed in lists for one in listed if _closeness(one, query)]
        if len(found) >= request.limit:
            break
    kinds = [kind for kind, name in _KINDS.items() if name in query] or list(_KINDS)
    found.sort(key=lambda one: one.on, reverse=True)
    found.sort(key=lambda one: (one.kind not in kinds, -_closeness(one, query), list(_KINDS).index(one.kind)))
    read = await asyncio.gather(*(_filing(service, one) for one in found[: request.limit]), return_exceptions=True)
    for failure in read:
        if isinstance(failure, BaseException) and not isinstance(failure, SourceError):
            raise failure
    hits = [hit for hit in read if isinstance(hit, Hit)]
    if read and not hits:
        raise next(one for one in read if isinstance(one, SourceError))
    return hits


def _weekdays(first: date, last: date) -> Iterator[date]:
    """Yield the days on which something may have been filed, newest first."""
    days = ((last - timedelta(days=ago)) for ago in range((last - first).days + 1))
    return (day for day in days if day.weekday() < 5)


def _due(day: date) -> bool:
    """Whether few annual reports are due on a day, which is why it is looked at later."""
    return not ((day.month == 6 and day.day >= 15) or (day.month == 3 and day.day >= 20))


def _batches(days: list[date]) -> Iterator[list[date]]:
    return (days[at : at + _DAYS_AT_ONCE] for at in range(0, min(len(days), _DAYS_A_SEARCH), _DAYS_AT_ONCE))


async def _listed(service: Service, day: date, today: date) -> list[_Filed]:
    """Return what companies filed on a day, as far as it is read; nothing for a day without filings."""

    async def ask() -> list[_Filed]:
        asked = {"date": day.isoformat(), "type": "2", "Subscription-Key": service.secret}
        answer = await service.json("/documents.json", asked)
        _see(answer)
        return [_Filed(*one) for one in map(_told, answer["results"]) if one is not None]

    return await (service.known(day.isoformat(), ask) if day < today else ask())


def _told(one: Mapping[str, Any]) -> tuple[str, ...] | None:
    suffix = ".zip" if one.get("csvFlag") == "1" else ".pdf" if one.get("pdfFlag") == "1" else ""
    is_gone = one.get("withdrawalStatus") not in (None, "0") or one.get("legalStatus") == "0"
    kind, filer = one.get("docTypeCode") or "", one.get("filerName") or ""
    if is_gone or not suffix or not filer or kind not in _KINDS or one.get("ordinanceCode") != _OF_COMPANIES:
        return None
    on, about = (one.get("submitDateTime") or "")[:10], one.get("docDescription") or _KINDS[kind]
    return one["docID"], filer, about, kind, on, one.get("secCode") or "", suffix


def _see(answer: Mapping[str, Any]) -> None:
    """Raise what an answer tells in words of its own, behind a status that says that all is well."""
    status = str(answer.get("statusCode") or answer.get("StatusCode") or answer.get("metadata", {}).get("status", ""))
    if status and status != "200":
        said = answer.get("message") or answer.get("metadata", {}).get("message", "")
        raise TurnedAway(CODES.get(int(status), "search_failed"), f"HTTP {status}: {said}"[:200], None)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _closeness(one: _Filed, query: str) -> int:
    """Return how many letters of who filed a document stand in a query as a name of its own; 0 if it is not meant."""
    if one.code and re.search(rf"(?<!\d){one.code[:4]}(?![\d年])", query):
        return len(one.filer)
    name = _FORM.sub("", _folded(one.filer)).strip()
    for end in range(len(name), _SHORTEST - 1, -1):
        if (end == len(name) or _TRADE.match(name, end)) and _stands_alone(name[:end], query):
            return 0 if is_place(name[:end]) else end
    return 0


def _stands_alone(name: str, query: str) -> bool:
    return any(
        not (_LETTER.match(query[at.end() : at.end() + 1]) or _LETTER.match(query[max(at.start() - 1, 0) : at.start()]))
        for at in re.finditer(re.escape(name), query)
    )


async def _filing(service: Service, one: _Filed) -> Hit:
    """Return a document with its text; what reads it can be ended.

    Raises:
        SourceError: it cannot be had, or there is no text in it.
    """
    from research.library import UnreadableFile, in_own_thread

    asked = {"type": "5" if one.suffix == ".zip" else "2", "Subscription-Key": service.secret}
    data = await service.data(f"/documents/{one.number}", asked)
    try:
        reading = await in_own_thread(partial(_read, Path(f"filing{one.suffix}"), data))
    except UnreadableFile as error:
        raise SourceError("pages_unreadable", f"{one.number}: {error.code}: {error}"[:200]) from error
    url = f"https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?{one.number}"
    return Hit(url, f"{one.filer} – {one.about}", reading, one.on)


def _read(path: Path, data: bytes, stop: Any) -> str:
    from research.library import read_apart

    return read_apart(path, data, stop=stop).document.text


register(
    EDGAR,
    api(
        "edinet",
        Phrase("EDINET (filings in Japan)"),
        "https://api.edinet-fsa.go.jp/api/v2",
        _edinet,
        key_field(is_needed=True),
        hint=Phrase(
            "What companies in Japan filed: annual and half-yearly reports. Its key costs nothing. Ask in Japanese, "
            "with the company's name or the code of its share; there is no search by text."
        ),
        kind=SourceKind.COMPANY,
        gap=0.35,
        sample="トヨタ自動車",
    ),
)
