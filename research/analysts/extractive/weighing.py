"""What a passage is weighed by: not always what it is quoted by."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

from research.evidence import Evidence, Page
from research.text.concepts import Query
from research.text.passages import Passage, heading_at
from research.text.ranking import choose

_CELL = re.compile(r"(?P<label>[^:：;；]{1,80})[:：]\s*(?P<value>[^;；]*)(?:[;；]\s*|\Z)")
WORTH_SHOWING = 0.3
"""Share of the best score from which a passage is shown."""
_ROWS = 5
"""Rows of a table that are taken, at most."""
_ITEMS, _ITEM = 10, 45
"""Items from which a text is a listing, and how long they are on average at most."""
_SAYS = 0.9
_POINTS = re.compile(
    r"\A(?:本(?:資料|稿|メモ|書|報告書?)|対象)は"
    r"|\AThis (?:report|memo|study|document|note|paper) (?:covers|describes|is about)\b"
    r"|(?:確認|参照)(?:すること|のこと|されたい|して(?:ください|下さい))。?\Z"
)
_UNNAMED_COMPANY = re.compile(r"(?<![A-Za-zＡ-Ｚ])[A-ZＡ-Ｚ]社")
_COMPANY = "企業"


def passage_of(entry: Evidence, page: Page) -> Passage:
    """Return evidence as a passage, with its page's title and the heading that it stands under."""
    return Passage(entry.quote, heading_at(page.text, entry.start), page.title)


def weighed(passage: Passage, query: Query) -> Passage:
    """Return a passage as it is ranked.

    A row of a table is ranked by all of its cells; A社 is a company. Where the question does not compare, everything on
    a page that is titled by what is asked for stands under that title, as under a heading.
    """
    heading = passage.heading if query.names else f"{passage.heading} {passage.title}".strip()
    text = " ".join(f"{label} {value}" for label, value in cells(passage.text)) or passage.text
    if _UNNAMED_COMPANY.search(text):
        text = f"{text} {_COMPANY}"
    return replace(passage, text=text, heading=heading)


def chosen(passages: Sequence[Passage], query: Query, count: int, worth: float = WORTH_SHOWING) -> list[int]:
    """Return the indices of up to `count` passages that say most (see `research.text.ranking.choose`).

    What only a listing holds is none of them, nor what only says what a document covers or where to look. The rows of a
    table count as one passage and come together.
    """
    tables: dict[Hashable, list[int]] = {}
    for index, passage in enumerate(passages):
        labels = tuple(label for label, _ in cells(passage.text))
        tables.setdefault((passage.title, labels) if labels else index, []).append(index)
    ranked = [(rows, weighed(passages[rows[0]], query)) for rows in tables.values()]
    telling = [
        (rows, passage)
        for rows, passage in ranked
        if not (is_by_chance(passage, query) or _POINTS.search(passage.text))
    ]
    best = choose([passage for _, passage in telling], query, count, worth)
    return [row for index in best for row in telling[index][0][:_ROWS]]


def cells(text: str) -> list[tuple[str, str]]:
    """Return the cells of a table row ("label: value; label: value") with their labels; nothing for any other text."""
    found: list[tuple[str, str]] = []
    at = 0
    while match := _CELL.match(text, at):
        if match.end() == at:
            break
        found.append((match["label"].strip(), match["value"].strip()))
        at = match.end()
    return found if at == len(text) and len(found) > 1 else []


def is_by_chance(passage: Passage, query: Query) -> bool:
    """Whether what is asked for is one of the many items of a listing whose label and heading say something else."""
    line = passage.data_line
    listed = line.value if line else passage.text
    items = re.split(r"[,;、，；]\s*", listed)
    if len(items) < _ITEMS or len(listed) > _ITEM * len(items):
        return False
    about = passage.heading_tokens | passage.label_tokens
    return not any(concept.match(about) >= _SAYS for concept in query.concepts)
