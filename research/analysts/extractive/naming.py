"""How pages are named in sentences of the program: by where they come from, never by words of their own."""

from __future__ import annotations

import re

from research.evidence import Page
from research.language import Language
from research.vocabulary import SourceName


def source_of(page: Page, language: Language) -> str:
    """Return the host of a page of the web, for others the name of the collection."""
    if page.origin is not SourceName.WEB:
        return page.origin.label.in_(language)
    return re.sub(r"[^\w.:-]", "", page.site)[:60] or page.origin.label.in_(language)
