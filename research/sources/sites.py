"""Named sets of sites: those to search first and those never to read. Own sets are kept in the home folder.

As files to pass on they are JSON, or plain text with `# name`, `+ site to search first`, `- site`. What reads or writes
the kept ones raises `StoreError` where their file cannot be; then everything is as before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from research.core import SourceKind, UsageError
from research.language import Bilingual, Language, Phrase
from research.settings import LONGEST_NAME, Name, UserFile, clean_name
from research.sources.protocol import KIND_OF_HOST

MOST_SITES = 300
"""Sites of one sort that a set may hold."""
MOST_SETS = 200
LARGEST = 1_000_000
"""Bytes that a file to be imported may have."""

_SITE = re.compile(r"(?=.{1,253}$)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)*[^\W_](?:[\w-]{0,61}[^\W_])?")

_BAD_SITE = Phrase("“{site}” is no site. Write it as in stat.go.jp.")
_BOTH = Phrase("“{site}” is to be searched first and never to be read. Take it out of one of the two.")
_MANY_SETS = Phrase("There are too many sets: at most {most}. Delete some first.")
_NOT_TEXT = Phrase("The file is no text in UTF-8. If it is a text, save it anew with that encoding.")
_NO_SIGN = Phrase("Line {line}: begin a site with + (search first) or - (never read), and a set with # and its name.")
_IN_SET = Bilingual("“{name}”: {reason}", "「{name}」：{reason}")


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


class _Entry(BaseModel):
    """A set as a file holds it, before its sites are cut down and checked."""

    name: str
    preferred: list[str] = []
    forbidden: list[str] = []


class _Entries(BaseModel):
    sets: list[_Entry]


_FILE: TypeAdapter[_Entries | list[_Entry] | _Entry] = TypeAdapter(_Entries | list[_Entry] | _Entry)
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


def _all_built_in() -> list[SiteList]:
    return [sites for language in Language for sites in built_in(language)]


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
        if new.name.casefold() in _names([*others, *_all_built_in()]):
            raise UsageError(Phrase("There is another set called “{name}”.").filled(name=new.name))
        return _limited([*others, new])

    kept.change(home, changed)


def import_sets(home: Path, sets: Sequence[SiteList]) -> int:
    """Keep sets of a file and return how many were new; one whose name is taken by another gets a number.

    Raises:
        UsageError: there are too many sets.
    """
    new: list[SiteList] = []

    def changed(before: _Kept) -> _Kept:
        there = [*before.sets, *_all_built_in()]
        for sites in sets:
            if sites not in there:
                taken = _names(there)
                numbered = (f"{sites.name[: LONGEST_NAME - 6]} ({number})" for number in count(2))
                free = next(name for name in chain([sites.name], numbered) if name.casefold() not in taken)
                new.append(sites.model_copy(update={"name": free}))
                there.append(new[-1])
        return _limited([*before.sets, *new])

    kept.change(home, changed)
    return len(new)


def delete(home: Path, name: str) -> None:
    """Delete an own set; nothing happens if there is none of that name."""
    kept.change(home, lambda before: _Kept(sets=tuple(sites for sites in before.sets if sites.name != name)))


def to_json(sets: Sequence[SiteList]) -> str:
    """Return sets as JSON that `read` takes."""
    return _Kept(sets=tuple(sets)).model_dump_json(indent=2) + "\n"


def to_text(sets: Sequence[SiteList]) -> str:
    """Return sets as plain text that `read` takes."""
    blocks = (
        [f"# {sites.name}", *(f"+ {site}" for site in sites.preferred), *(f"- {site}" for site in sites.forbidden)]
        for sites in sets
    )
    return "\n".join("\n".join(lines) + "\n" for lines in blocks)


def read(data: bytes) -> list[SiteList]:
    """Return the sets of a file, JSON or text.

    Raises:
        UsageError: it cannot be used; says why.
    """
    if len(data) > LARGEST:
        raise UsageError(Phrase("The file is too large for a list of sites."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(_NOT_TEXT) from error
    entries = _of_json(text) if text.lstrip().startswith(("{", "[")) else _of_text(text)
    if not entries:
        raise UsageError(Phrase("The file holds no set of sites."))
    if len(entries) > MOST_SETS:
        raise UsageError(Phrase("The file holds too many sets: at most {most}.").filled(most=MOST_SETS))
    made = []
    for entry in entries:
        try:
            made.append(make(entry.name, entry.preferred, entry.forbidden))
        except UsageError as error:
            raise UsageError(_IN_SET.filled(name=entry.name[:80], reason=error.text)) from error
    return made


def _of_text(text: str) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, line in enumerate(text.splitlines(), start=1):
        sign, rest = line.strip()[:1], line.strip()[1:].strip()
        if sign == "#":
            entries.append(_Entry(name=rest))
        elif entries and sign in ("+", "-"):
            (entries[-1].preferred if sign == "+" else entries[-1].forbidden).append(rest)
        elif sign:
            raise UsageError(_NO_SIGN.filled(line=number))
    return entries


def _of_json(text: str) -> list[_Entry]:
    try:
        held = _FILE.validate_json(text)
    except ValidationError as error:
        raise UsageError(Phrase("The file is JSON, but holds no sets of sites.")) from error
    if isinstance(held, _Entries):
        return held.sets
    return [held] if isinstance(held, _Entry) else held


def _limited(sets: Sequence[SiteList]) -> _Kept:
    if len(sets) > MOST_SETS:
        raise UsageError(_MANY_SETS.filled(most=MOST_SETS))
    return _Kept(sets=tuple(sets))


def _names(sets: Sequence[SiteList]) -> set[str]:
    return {sites.name.casefold() for sites in sets}


def _site(line: str) -> str:
    """Return the site that a line names, in the form in which briefs hold it."""
    bare = line.strip().lower().split("://")[-1].split("/")[0].removeprefix("www.").removeprefix("*.").strip(".")
    is_word = "." not in bare and not bare.isascii()  # unlike `gov`, which stands for all sites below it
    if is_word or not _SITE.fullmatch(bare):
        raise UsageError(_BAD_SITE.filled(site=line.strip()[:80]))
    return bare
