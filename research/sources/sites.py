"""Named sets of sites: those to search first and those never to read. Own sets are kept in the home folder.

What reads or writes the kept ones raises `StoreError` where their file cannot be; then everything is as before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from research.core import SourceKind, UsageError
from research.language import Language, Phrase
from research.settings import Name, UserFile, clean_name
from research.sources.protocol import KIND_OF_HOST

MOST_SITES = 300
"""Sites of one sort that a set may hold."""
MOST_SETS = 200

_SITE = re.compile(r"(?=.{1,253}$)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)*[^\W_](?:[\w-]{0,61}[^\W_])?")

_BAD_SITE = Phrase("“{site}” is no site. Write it as in stat.go.jp.")
_BOTH = Phrase("“{site}” is to be searched first and never to be read. Take it out of one of the two.")
_MANY_SETS = Phrase("There are too many sets: at most {most}. Delete some first.")


class SiteList(BaseModel):
    """A named set of sites."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    preferred: Annotated[tuple[str, ...], Field(max_length=MOST_SITES)] = ()
    """Searched first."""
    forbidden: Annotated[tuple[str, ...], Field(max_length=MOST_SITES)] = ()
    """Never read."""

    @field_validator("preferred", "forbidden")
    @classmethod
    def _sites_only(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_SITE.fullmatch(site) for site in value):
            raise ValueError("not a site")
        return value


class _Kept(BaseModel):
    sets: tuple[SiteList, ...] = ()


kept = UserFile("site_lists.json", _Kept)
"""The user's own sets."""


def _of_kinds(*kinds: SourceKind) -> tuple[str, ...]:
    return tuple(host for host, kind in KIND_OF_HOST.items() if kind in kinds)


def built_in(language: Language) -> tuple[SiteList, ...]:
    """Return the sets that come with the program, named in `language`."""
    official = ("go.jp", "gov", "gov.uk", "europa.eu", *_of_kinds(SourceKind.STATISTICS, SourceKind.GOVERNMENT))
    social, blogs = _of_kinds(SourceKind.SOCIAL), _of_kinds(SourceKind.BLOG, SourceKind.SOCIAL)
    return (
        SiteList(name=Phrase("Government and statistics first").in_(language), preferred=official),
        SiteList(name=Phrase("Scientific papers first").in_(language), preferred=_of_kinds(SourceKind.PAPER)),
        SiteList(name=Phrase("No social media").in_(language), forbidden=social),
        SiteList(name=Phrase("No blogs or social media").in_(language), forbidden=blogs),
    )


def load(home: Path) -> tuple[SiteList, ...]:
    """Return the own sets, by name."""
    return tuple(sorted(kept.load(home).sets, key=lambda sites: sites.name.casefold()))


def make(name: str, preferred: Sequence[str], forbidden: Sequence[str]) -> SiteList:
    """Return a set of what somebody typed; addresses are cut down to their sites.

    Raises:
        UsageError: it cannot be used; says why.
    """
    name = clean_name(name, Phrase("A set of sites needs a name."))
    sorts = tuple(tuple(dict.fromkeys(map(_site, lines))) for lines in (preferred, forbidden))
    if not any(sorts):
        raise UsageError(Phrase("The set holds no site. Enter at least one."))
    if max(map(len, sorts)) > MOST_SITES:
        raise UsageError(Phrase("A set holds at most {most} sites of one sort.").filled(most=MOST_SITES))
    both = [site for site in sorts[0] if site in sorts[1]]
    if both:
        raise UsageError(_BOTH.filled(site=both[0]))
    return SiteList(name=name, preferred=sorts[0], forbidden=sorts[1])


def save(home: Path, new: SiteList, *, instead_of: str = "") -> None:
    """Keep an own set; it replaces the one called `instead_of`, if there is one.

    Raises:
        UsageError: its name is taken, or there are too many sets.
    """

    def changed(before: _Kept) -> _Kept:
        others = [sites for sites in before.sets if sites.name != instead_of]
        ready = [sites for language in Language for sites in built_in(language)]
        if new.name.casefold() in {sites.name.casefold() for sites in (*others, *ready)}:
            raise UsageError(Phrase("There is another set called “{name}”.").filled(name=new.name))
        if len(others) >= MOST_SETS:
            raise UsageError(_MANY_SETS.filled(most=MOST_SETS))
        return _Kept(sets=(*others, new))

    kept.change(home, changed)


def delete(home: Path, name: str) -> None:
    """Delete an own set; nothing happens if there is none of that name."""
    kept.change(home, lambda before: _Kept(sets=tuple(sites for sites in before.sets if sites.name != name)))


def _site(line: str) -> str:
    """Return the site that a line names, in the form in which briefs hold it."""
    bare = line.strip().lower().split("://")[-1].split("/")[0].removeprefix("www.").removeprefix("*.").strip(".")
    is_word = "." not in bare and not bare.isascii()  # unlike `gov`, which stands for all sites below it
    if is_word or not _SITE.fullmatch(bare):
        raise UsageError(_BAD_SITE.filled(site=line.strip()[:80]))
    return bare
