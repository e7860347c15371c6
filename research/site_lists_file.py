"""Named sets of sites as files to pass on: JSON, or plain text with `# name`, `+ site to search first`, `- site`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from research import site_lists
from research.core.errors import UsageError
from research.language import Bilingual, Language
from research.site_lists import SiteList

LARGEST = 1_000_000
"""Bytes that a file may have."""

_TOO_LARGE = Bilingual("The file is too large for a list of sites.", "サイト一覧のファイルとしては大きすぎます。")
_NOT_TEXT = Bilingual(
    "The file is no text in UTF-8. If it is a text, save it anew with that encoding.",
    "UTF-8 のテキストファイルではありません。テキストの場合は、文字コードを UTF-8 にして保存し直してください。",
)
_EMPTY = Bilingual("The file holds no set of sites.", "ファイルにセットが含まれていません。")
_NOT_SETS = Bilingual("The file is JSON, but holds no sets of sites.", "JSON ですが、サイトのセットとして読めません。")
_NO_SIGN = Bilingual(
    "Line {line}: begin a site with + (search first) or - (never read), and a set with # and its name.",
    "{line}行目：サイトの行は「+」（優先）か「-」（除外）、セットの名前は「#」で始めてください。",
)
_TOO_MANY = Bilingual("The file holds too many sets: at most {most}.", "ファイルのセットが多すぎます（上限{most}件）。")
_IN_SET = Bilingual("“{name}”: {reason}", "「{name}」：{reason}")


def to_json(sets: Sequence[SiteList]) -> str:
    """Return sets as JSON that `read` takes."""
    return json.dumps({"sets": [one.model_dump() for one in sets]}, ensure_ascii=False, indent=2) + "\n"


def to_text(sets: Sequence[SiteList]) -> str:
    """Return sets as plain text that `read` takes."""
    return "\n".join(_block(one) for one in sets)


def read(data: bytes, language: Language) -> list[SiteList]:
    """Return the sets of a file, JSON or text.

    Raises:
        UsageError: it cannot be used; says why in `language`.
    """
    if len(data) > LARGEST:
        raise UsageError(_TOO_LARGE.in_(language))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(_NOT_TEXT.in_(language)) from error
    entries = _of_json(text, language) if text.lstrip().startswith(("{", "[")) else _of_text(text, language)
    if not entries:
        raise UsageError(_EMPTY.in_(language))
    if len(entries) > site_lists.MOST_SETS:
        raise UsageError(_TOO_MANY.in_(language).format(most=site_lists.MOST_SETS))
    return [_made(*entry, language) for entry in entries]


def enter(home: Path, read_sets: Sequence[SiteList], language: Language) -> int:
    """Keep sets of a file and return how many were new; one whose name is taken by another gets a number.

    Raises:
        UsageError: there are too many sets; says so in `language`.
        StoreError: they cannot be kept.
    """
    there = [*site_lists.load(home), *site_lists.ready(language)]
    new: list[SiteList] = []
    for one in read_sets:
        if one not in there:
            there.append(one.model_copy(update={"name": _free(one.name, there)}))
            new.append(there[-1])
    site_lists.save(home, new, language)
    return len(new)


def _block(one: SiteList) -> str:
    lines = [f"# {one.name}", *(f"+ {site}" for site in one.preferred), *(f"- {site}" for site in one.forbidden)]
    return "\n".join(lines) + "\n"


_Entry = tuple[str, list[str], list[str]]


def _of_text(text: str, language: Language) -> list[_Entry]:
    entries: list[_Entry] = []
    sorts: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        sign, rest = line.strip()[:1], line.strip()[1:].strip()
        if sign == "#":
            sorts = {"+": [], "-": []}
            entries.append((rest, sorts["+"], sorts["-"]))
        elif sign in sorts:
            sorts[sign].append(rest)
        elif sign:
            raise UsageError(_NO_SIGN.in_(language).format(line=number))
    return entries


def _of_json(text: str, language: Language) -> list[_Entry]:
    try:
        held = json.loads(text)
        sets = held.get("sets", [held]) if isinstance(held, dict) else held
        return [
            (_word(one["name"]), _words(one.get("preferred", [])), _words(one.get("forbidden", []))) for one in sets
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(_NOT_SETS.in_(language)) from error


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _words(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return [_word(one) for one in value]


def _made(name: str, preferred: list[str], forbidden: list[str], language: Language) -> SiteList:
    try:
        return site_lists.make(name, preferred, forbidden, language)
    except UsageError as error:
        raise UsageError(_IN_SET.in_(language).format(name=name[:80], reason=error)) from error


def _free(name: str, there: Sequence[SiteList]) -> str:
    taken = {one.name.casefold() for one in there}
    names = (name if number == 1 else f"{name[: site_lists.LONGEST_NAME - 6]} ({number})" for number in range(1, 999))
    return next(free for free in names if free.casefold() not in taken)
