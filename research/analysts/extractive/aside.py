"""Pages that are about somebody else than the question, whatever words they share with it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from research.analysts.extractive.asked import is_about_us
from research.evidence import Page
from research.language import Language
from research.text.language_of import language_of
from research.text.names import Name, countries_in, names_in, places_in
from research.text.words import content_words, folded
from research.vocabulary import SourceKind, SourceName

_WIDE_RUN = re.compile(r"[一-鿿々]{2,}|[ァ-ヺー]{2,}")


def is_aside(page: Page, question: str) -> bool:
    """Whether a page names none of what the question names, and is about another country instead.

    Of a page of others its title tells what it is about; documents of one's own are about every country that they name.
    What is asked about "our company" stands in these, not in an almanac.
    """
    names = names_in(question)
    if any(_tells_of(page, name) for name in names):
        return False
    if is_about_us(question) and not any(name.is_place for name in names):
        is_ours = page.kind is SourceKind.DOCUMENT or page.origin is SourceName.WEB
        return not is_ours and bool(countries_in(page.title))
    if not names:
        return False
    asks_for_places = any(name.is_place for name in names)
    if page.kind is SourceKind.DOCUMENT:
        return asks_for_places and bool(places_in(f"{page.title}\n{page.text}"))
    return not asks_for_places and bool(places_in(page.title))


def unnamed(pages: Iterable[Page], question: str) -> tuple[Name, ...]:
    """Return the companies, products and people that the question names and none of `pages` does.

    Pages in another language than the name's may write it in their own way: where there are no others, none is told.
    """
    read = list(pages)
    return tuple(
        name
        for name in names_in(question)
        if not name.is_place
        and any(language_of(page.text) is language_of(name.ja) for page in read)
        and not any(_tells_of(page, name) for page in read)
    )


def _tells_of(page: Page, name: Name) -> bool:
    """Whether a page names something, in full or by what it is called for short."""
    low = folded(f"{page.title}\n{page.text}")
    return name.stands_in(low) or (not name.is_place and _short(name) in low)


def _short(name: Name) -> str:
    """Return the first word of a name: "Asanagi", トヨタ of トヨタ自動車."""
    if language_of(name.ja) is Language.JA:
        run = _WIDE_RUN.match(name.ja)
        return run.group() if run else name.ja
    return next(iter(content_words(name.en)), folded(name.en))
