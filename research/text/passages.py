"""The passages of a page that could be quoted: sentences, data lines and table rows, with what they stand under."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from research.language import Language
from research.text.blocks import Block, Kind, blocks
from research.text.data_lines import DataLine, data_line_in
from research.text.language_of import language_of
from research.text.sentences import sentences
from research.text.words import columns, tokens

SHORTEST = {Language.EN: 25, Language.JA: 12}
"""Characters below which prose says too little to be quoted."""

_HEADING = re.compile(r"^[ \t]*(?:#{1,6}\s+(.{1,160})|([■◆].{1,40})|(【.{1,40}】))[ \t]*$", re.MULTILINE)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(
    r"(?:19|20)\d\d年\d{1,2}月(?:\d{1,2}日)?|(?:19|20)\d\d-\d\d(?:-\d\d)?"
    rf"|(?:\d{{1,2}} )?(?:{_MONTHS})(?: \d{{1,2}},)? (?:19|20)\d\d"
)
_BYLINE = 50
"""Columns up to which a passage with a date is taken for a byline."""
_LOOKS_BACK = 6_000
"""Characters before a quote in which its heading is looked for."""


@dataclass(frozen=True)
class Passage:
    """Something that could be quoted."""

    text: str
    heading: str = ""
    """The heading or the table head above it: it tells what a bare line or row is about."""
    title: str = ""
    """The title of its page."""

    @cached_property
    def tokens(self) -> frozenset[str]:
        """What the passage itself says."""
        return frozenset(tokens(self.text))

    @cached_property
    def heading_tokens(self) -> frozenset[str]:
        """What the heading adds."""
        return frozenset(tokens(self.heading))

    @cached_property
    def title_tokens(self) -> frozenset[str]:
        """What the title of the page says."""
        return frozenset(tokens(self.title))

    @cached_property
    def data_line(self) -> DataLine | None:
        """Label and value, if it is a data line."""
        return data_line_in(self.text)

    @cached_property
    def label_tokens(self) -> frozenset[str]:
        """What the label of a data line says, years aside."""
        return frozenset(tokens(self.data_line.series)) if self.data_line else frozenset()


def passages_of(text: str, title: str = "") -> list[Passage]:
    """Return the passages of a page in order, without headings, table heads and what is too short to mean anything."""
    found: list[Passage] = []
    structure = blocks(text)
    spans = iter(sentences(text))
    span = next(spans, None)
    heading = ""
    for index, block in enumerate(structure):
        if block.kind is Kind.HEADING or _is_table_head(structure, index):
            heading = text[block.start : block.end]
        while span is not None and span.start < block.end:
            passage = Passage(text[span.start : span.end], heading, title)
            if passage.text not in (heading, title) and _says_something(passage):
                found.append(passage)
            span = next(spans, None)
    return found


def heading_at(text: str, start: int) -> str:
    """Return the nearest heading above `start`, or an empty string."""
    before = list(_HEADING.finditer(text, max(0, start - _LOOKS_BACK), start))
    return next((part for part in before[-1].groups() if part), "").strip() if before else ""


def _is_table_head(structure: list[Block], index: int) -> bool:
    if structure[index].kind is not Kind.ROW:
        return False
    return index == 0 or structure[index - 1].kind is not Kind.ROW


def _says_something(passage: Passage) -> bool:
    """Whether a passage is long enough, dates aside: a byline says nothing."""
    if passage.data_line is not None:
        return len(passage.text) >= 6
    undated, dates = _DATE.subn("", passage.text)
    if dates and columns(undated) <= _BYLINE and not undated.endswith(("。", "！", "？")):
        return False
    return len(undated.strip()) >= SHORTEST[language_of(passage.text)]
