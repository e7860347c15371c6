"""What a provider's web search is asked, and what its answer comes to: addresses of pages, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol

from research import prompts
from research.sources.protocol import SearchRequest
from research.vocabulary import Region

COUNTRIES = {Region.JAPAN: "JP", Region.CHINA: "CN", Region.INDIA: "IN"}
"""Regions that are one country; the services know no wider ones."""
_LONGEST_QUERY = 400


@dataclass(frozen=True)
class NamedPage:
    """A page that a search named. Its text is not known yet."""

    url: str
    title: str = ""
    age: str = ""
    """When it was published, in the service's words."""


@dataclass(frozen=True)
class Answer:
    """What one search came to."""

    pages: tuple[NamedPage, ...]
    """Best first."""
    searched: bool = True
    """Whether a search was made at all: servers that do not know the tool answer without one."""
    error: str = ""
    """The code of what went wrong, if the service could not search."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class Dialect(Protocol):
    """How one provider is asked to search, and how it answers."""

    @property
    def provider(self) -> str:
        """Whose models search, as price lists name it."""
        ...

    @property
    def model(self) -> str:
        """The model that searches."""
        ...

    @property
    def path(self) -> str:
        """Where searches are sent, below the provider's address."""
        ...

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent."""
        ...

    def answer(self, body: object) -> Answer:
        """Return what came back.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
        ...


def location(request: SearchRequest) -> dict[str, str]:
    """Return where the search is to be made from: the country that it is about, or nowhere in particular."""
    country = COUNTRIES.get(request.region) if request.region is not None else None
    return {"type": "approximate", **({"country": country} if country is not None else {})}


def prompt(request: SearchRequest, today: date, then: str) -> str:
    """Return what the model is told. `then` says what to answer; no text of a page is wanted."""
    query = " ".join(request.query.split())[:_LONGEST_QUERY]
    wishes = "\n".join(f"- {wish}" for wish in _wishes(request, today))
    filled = prompts.load("search_web").fill(today=today.isoformat(), query=query, wishes=wishes, then=then)
    return "\n".join(line for line in filled.splitlines() if line.strip())


def _wishes(request: SearchRequest, today: date) -> list[str]:
    wishes = []
    if request.period is not None:
        wishes.append(f"Pages published on or after {earliest(request, today)} are wanted.")
    if request.region is not None and request.region is not Region.WORLD:
        wishes.append(f"Pages about {request.region.words.en} are wanted.")
    if request.preferred_sites:
        wishes.append(f"Prefer these sites: {', '.join(request.preferred_sites)}.")
    if request.forbidden_sites:
        wishes.append(f"Leave out these sites: {', '.join(request.forbidden_sites)}.")
    return wishes


def earliest(request: SearchRequest, today: date) -> str:
    """Return the first day of the request's period in ISO 8601, or an empty string if there is none."""
    return (today - timedelta(days=request.period.days)).isoformat() if request.period is not None else ""
