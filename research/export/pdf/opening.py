"""What stands at the beginning of a document: its title, what was asked, who answered, and how far it was checked."""

from __future__ import annotations

from babel.dates import format_date

from research.export.document import Document, plain
from research.export.pdf.words import Node, breakable, clean, phrases
from research.export.printable import shortened
from research.language import Bilingual
from research.verification.labels import Label

PRODUCT = Bilingual("Research Workbench", "リサーチワークベンチ")
_KIND = Bilingual("Research report", "調査レポート")
_CONTENTS = Bilingual("Contents", "目次")
_VERIFIED = Bilingual("Verification", "検証")
_UNTITLED = Bilingual("Untitled report", "無題のレポート")
_RUNNING = 84
"""Letters of the title at the head of each page."""
_LONGEST_TITLE = 400
_LONGEST_KEYWORD = 40
_KEYWORDS = 8


def opening(document: Document) -> Node:
    """Return the node of the title page or, in a short document, of the block above its text."""
    language = document.language
    title = clean(document.title).strip() or _UNTITLED.in_(language)
    question = clean(document.question).strip()
    return {
        "title": breakable(shortened(title, _LONGEST_TITLE)),
        "phrases": phrases(breakable(shortened(title, _LONGEST_TITLE))),
        "running": shortened(title, _RUNNING),
        "kind": _KIND.in_(language),
        "product": PRODUCT.in_(language),
        "contents": _CONTENTS.in_(language),
        "question": breakable(question) if question != title else "",
        "byline": breakable(clean(document.byline)),
        "facts": [[clean(name), breakable(clean(value))] for name, value in document.asked],
        "verified": _VERIFIED.in_(language),
        "checked": clean(document.checked),
        "verdicts": _verdicts(document),
        "date": format_date(document.researched, "long", locale=language.value),
        "day": [document.researched.year, document.researched.month, document.researched.day],
        "keywords": [_KIND.in_(language), *_topics(document)],
    }


def _topics(document: Document) -> list[str]:
    """Return the titles of the first chapters, for those who search by keyword."""
    chapters = [clean(plain(one.line)).strip() for one in document.headings if one.level == 1]
    return [one for one in dict.fromkeys(chapters) if one and len(one) <= _LONGEST_KEYWORD][:_KEYWORDS]


def _verdicts(document: Document) -> list[Node]:
    """Return how many sentences have each verdict, in the order of the labels."""
    return [
        {"is": label.value, "name": label.words.in_(document.language), "count": document.verdicts[label.value]}
        for label in Label
        if document.verdicts.get(label.value)
    ]
