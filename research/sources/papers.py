"""Papers, by what they say of themselves: title, authors, abstract."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import TYPE_CHECKING, Any

from research.core import SourceKind, register
from research.language import Bilingual, Phrase
from research.sources.apis import ATOM, CONTACT, Hit, Service, api, key_field
from research.sources.protocol import SearchRequest
from research.text import is_stop_word

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
    if since or request.last_day:
        first, last = (day.replace("-", "") for day in (since or "1990-01-01", request.last_day or "9999-12-31"))
        asked += f" AND submittedDate:[{first}0000 TO {last}2359]"
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


def _between(first: str, last: str, since: str, request: SearchRequest) -> str:
    """Return the filter for the days of a period, as both services write it under names of their own."""
    days = {first: since, last: request.last_day}
    return ",".join(f"{name}:{day}" for name, day in days.items() if day)


async def _openalex(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    found = await service.json(
        "/works",
        {
            "search": request.query,
            "per_page": request.limit,
            "filter": _between("from_publication_date", "to_publication_date", since, request),
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
            "filter": _between("from-pub-date", "until-pub-date", since, request),
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
    first, last = ((day or usual).replace("-", "/") for day, usual in ((since, "1800"), (request.last_day, "3000")))
    dates = {"datetype": "pdat", "mindate": first, "maxdate": last} if since or request.last_day else {}
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
)
