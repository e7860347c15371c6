"""Named sets of sites: those to search first and those never to read. Own sets are kept in the home folder."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from research import private_file
from research.core.errors import UsageError
from research.core.vocabulary import SourceKind
from research.language import Bilingual, Language
from research.sources.pages import KIND_OF_HOST

LONGEST_NAME = 60
MOST_SITES = 300
"""Sites of one sort that a set may hold."""
MOST_SETS = 200

_lock = threading.Lock()
_SITE = re.compile(r"(?=.{1,253}$)(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)*[^\W_](?:[\w-]{0,61}[^\W_])?")

_NO_NAME = Bilingual("A set of sites needs a name.", "セットには名前が必要です。")
_LONG_NAME = Bilingual(
    "The name is too long: at most {most} characters.", "名前が長すぎます。{most}文字以内にしてください。"
)
_TAKEN = Bilingual("There is another set called “{name}”.", "「{name}」という名前のセットがすでにあります。")
_NO_SITES = Bilingual(
    "The set holds no site. Enter at least one.", "サイトが1つもありません。1つ以上入力してください。"
)
_BAD_SITE = Bilingual(
    "“{site}” is no site. Write it as in stat.go.jp.",
    "「{site}」はサイトとして読めません。stat.go.jp のように入力してください。",
)
_BOTH = Bilingual(
    "“{site}” is to be searched first and never to be read. Take it out of one of the two.",
    "「{site}」が「優先」と「除外」の両方に入っています。どちらか一方から外してください。",
)
_TOO_MANY = Bilingual(
    "A set holds at most {most} sites of one sort.", "1つのセットに入るサイトは、優先・除外それぞれ{most}件までです。"
)
_MANY_SETS = Bilingual(
    "There are too many sets: at most {most}. Delete some first.",
    "セットが多すぎます（上限{most}件）。先に不要なセットを削除してください。",
)


class SiteList(BaseModel):
    """A named set of sites."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME)]
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


def _of_kinds(*kinds: SourceKind) -> tuple[str, ...]:
    return tuple(host for host, kind in KIND_OF_HOST.items() if kind in kinds)


_READY: tuple[tuple[Bilingual, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        Bilingual("Government and statistics first", "官公庁・公的統計を優先"),
        ("go.jp", "gov", "gov.uk", "europa.eu", *_of_kinds(SourceKind.STATISTICS, SourceKind.GOVERNMENT)),
        (),
    ),
    (Bilingual("Scientific papers first", "学術論文を優先"), _of_kinds(SourceKind.PAPER), ()),
    (Bilingual("No social media", "SNS を除外"), (), _of_kinds(SourceKind.SOCIAL)),
    (Bilingual("No blogs or social media", "ブログと SNS を除外"), (), _of_kinds(SourceKind.BLOG, SourceKind.SOCIAL)),
)


def ready(language: Language) -> tuple[SiteList, ...]:
    """Return the sets that come with the program, named in `language`."""
    return tuple(
        SiteList(name=name.in_(language), preferred=preferred, forbidden=forbidden)
        for name, preferred, forbidden in _READY
    )


def place(home: Path) -> Path:
    """Return where the own sets of `home` are kept, whether or not there are any."""
    return home / "settings" / "site_lists.json"


def load(home: Path) -> tuple[SiteList, ...]:
    """Return the own sets, by name.

    Raises:
        StoreError: the file cannot be read, or is damaged.
    """
    kept = private_file.read(place(home), _Kept) or _Kept()
    return tuple(sorted(kept.sets, key=lambda one: one.name.casefold()))


def make(name: str, preferred: Sequence[str], forbidden: Sequence[str], language: Language) -> SiteList:
    """Return a set of what somebody typed; addresses are cut down to their sites.

    Raises:
        UsageError: it cannot be used; says why in `language`.
    """
    name = " ".join(name.split())
    if not name:
        raise UsageError(_NO_NAME.in_(language))
    if len(name) > LONGEST_NAME:
        raise UsageError(_LONG_NAME.in_(language).format(most=LONGEST_NAME))
    sorts = tuple(tuple(dict.fromkeys(_site(line, language) for line in lines)) for lines in (preferred, forbidden))
    if not any(sorts):
        raise UsageError(_NO_SITES.in_(language))
    if max(map(len, sorts)) > MOST_SITES:
        raise UsageError(_TOO_MANY.in_(language).format(most=MOST_SITES))
    both = [site for site in sorts[0] if site in sorts[1]]
    if both:
        raise UsageError(_BOTH.in_(language).format(site=both[0]))
    return SiteList(name=name, preferred=sorts[0], forbidden=sorts[1])


def save(home: Path, entered: Sequence[SiteList], language: Language, *, instead_of: str = "") -> None:
    """Keep own sets; the first replaces the one called `instead_of`, if there is one.

    Raises:
        UsageError: a name is taken, or there are too many sets; says so in `language`.
        StoreError: they cannot be written, or those that are there cannot be read; then everything is as before.
    """

    def changed(before: tuple[SiteList, ...]) -> tuple[SiteList, ...]:
        others = tuple(one for one in before if one.name != instead_of)
        taken = {one.name.casefold() for one in (*others, *ready(language))}
        for one in entered:
            if one.name.casefold() in taken:
                raise UsageError(_TAKEN.in_(language).format(name=one.name))
        if len(others) + len(entered) > MOST_SETS:
            raise UsageError(_MANY_SETS.in_(language).format(most=MOST_SETS))
        return (*others, *entered)

    _change(home, changed)


def delete(home: Path, name: str) -> None:
    """Delete an own set; nothing happens if there is none of that name.

    Raises:
        StoreError: the sets cannot be read or written.
    """
    _change(home, lambda before: tuple(one for one in before if one.name != name))


def _site(line: str, language: Language) -> str:
    """Return the site that a line names, in the form in which briefs hold it."""
    bare = line.strip().lower().split("://")[-1].split("/")[0].removeprefix("www.").removeprefix("*.").strip(".")
    is_word = "." not in bare and not bare.isascii()  # unlike `gov`, which stands for all sites below it
    if is_word or not _SITE.fullmatch(bare):
        raise UsageError(_BAD_SITE.in_(language).format(site=line.strip()[:80]))
    return bare


def _change(home: Path, changed: Callable[[tuple[SiteList, ...]], tuple[SiteList, ...]]) -> None:
    with _lock:
        kept = _Kept(sets=changed(load(home)))
        private_file.write(place(home), kept.model_dump_json(indent=2) + "\n")
