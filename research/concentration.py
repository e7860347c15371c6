"""Whether a report leans on few sources: one that bears most of its sentences, or all of them on one site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from tld import get_fld
from tld.exceptions import TldBadUrl, TldDomainNotFound

from research.evidence import Evidence, Page
from research.language import Bilingual

_LEAST = 5
"""Sentences below which a share tells nothing."""
_MOST = 0.5
"""Share of the cited sentences above which one source bears too much."""


class Remark(NamedTuple):
    """Something to know about the sources of a report."""

    code: str
    """`one_source` or `one_site`."""
    text: Bilingual
    """One sentence; it holds the title of a page as it is, so it must be escaped like any text of others."""
    source: str | None
    """Id of the page, if it is about one."""


_ONE_SOURCE = Bilingual(
    "{count} of the {total} cited sentences rest on one source: {name}.",
    "引用のある{total}文のうち{count}文が、1つの情報源に依拠しています：{name}",
)
_ONE_SITE = Bilingual(
    "All {total} cited sentences rest on one site: {name}.",
    "引用のある{total}文すべてが、1つのサイトに依拠しています：{name}",
)


def concentration(
    cited: Iterable[Iterable[str]], evidence: Mapping[str, Evidence], pages: Mapping[str, Page]
) -> tuple[Remark, ...]:
    """Return what a reader should know of how the sentences of a report are spread over its sources.

    `cited` has the evidence ids of each sentence; sentences without any are passed over. A source is pointed out if
    more than half of the cited sentences, and at least five, rest on it; a site if all do and it has several pages.
    """
    sources = [{evidence[name].source for name in names} for names in map(tuple, cited) if names]
    total = len(sources)
    if total < _LEAST:
        return ()
    remarks = [
        Remark("one_source", _said(_ONE_SOURCE, count, total, Bilingual(pages[page].title, pages[page].title)), page)
        for page, count in Counter(page for found in sources for page in found).items()
        if count >= _LEAST and count > _MOST * total
    ]
    used = set().union(*sources)
    sites = {site_name(pages[page]) for page in used}
    if len(sites) == 1 and len(used) > 1:
        remarks.append(Remark("one_site", _said(_ONE_SITE, total, total, sites.pop()), None))
    return tuple(remarks)


def site_name(page: Page) -> Bilingual:
    """Return the registered domain of a web page (`meti.go.jp`), or which collection a document belongs to."""
    if urlsplit(page.url).scheme not in ("http", "https"):
        return page.origin.label
    try:
        found = get_fld(page.url)
    except (TldBadUrl, TldDomainNotFound):
        found = None
    name = found if isinstance(found, str) else page.site
    return Bilingual(name, name)


def _said(text: Bilingual, count: int, total: int, name: Bilingual) -> Bilingual:
    filled = (part.format(count=count, total=total, name=said) for part, said in zip(text, name, strict=True))
    return Bilingual(*filled)
