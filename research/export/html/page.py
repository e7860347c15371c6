"""The whole HTML file: head, title, contents, parts, sources."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import htpy as h
from markupsafe import Markup

from research.core.vocabulary import Length
from research.export.document import Document, Part, PartKind
from research.export.html.blocks import block_nodes
from research.export.html.lines import Entry, Setting
from research.export.html.sources import sources_section
from research.export.html.words import BRIEF, CONTENTS, QUESTION
from research.export.paper import Paper
from research.export.printable import one_line, printable
from research.export.tongues import tongue_of

_SIZES = {Paper.A4: "A4", Paper.LETTER: "letter"}
_AFTER_SOURCES = frozenset({PartKind.TRAIL})
_ANSWERS = frozenset({PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS})
"""What answers the question; the rest stands behind it, in a quieter design."""
_CONTENTS_FROM, _MOST_LINES = 4, 24
"""Headings from which a table of contents helps, and those from which it names the highest level alone."""


@dataclass(frozen=True)
class _Section:
    node: h.Node
    headings: list[Entry]


def to_html(document: Document, *, paper: Paper = Paper.A4) -> bytes:
    """Return the document as one HTML file in UTF-8; `paper` is the size of its printed pages.

    The file holds no script and loads nothing; a policy in it forbids both. A citation opens the entry of its source,
    with the quotes, over the text.
    """
    setting = Setting(
        document.language,
        {source.number: source for source in document.sources},
        {source.number: tongue_of(source) for source in document.sources},
    )
    sections = _sections(document, setting)
    is_page = document.length is Length.PAGE
    contents = [entry for section in sections for entry in section.headings]
    page = h.html(lang=document.language.value)[
        _head(document, _style(paper)),
        h.body[
            _title(document),
            _contents(contents, setting) if len(contents) >= _CONTENTS_FROM and not is_page else None,
            h.main[[section.node for section in sections]],
        ],
    ]
    return str(page).encode("utf-8")


def _sections(document: Document, setting: Setting) -> list[_Section]:
    """Return the parts in the order in which they are read; the sources are set last, when all citations are known."""
    before: list[_Section] = []
    after: list[_Section] = []
    for part in document.parts:
        if part.kind is not PartKind.SOURCES:
            (after if part.kind in _AFTER_SOURCES else before).append(_section(part, setting))
    if document.sources:
        node = sources_section(setting)
        before.append(_Section(node, setting.headings[-1:]))
    return [*before, *after]


def _section(part: Part, setting: Setting) -> _Section:
    at = len(setting.headings)
    quiet = "" if part.kind in _ANSWERS else " quiet"
    node = h.section(class_=f"part part-{part.kind.value}{quiet}")[block_nodes(part.blocks, setting)]
    return _Section(node, setting.headings[at:])


def _head(document: Document, style: str) -> h.Node:
    title = one_line(document.title)
    policy = f"default-src 'none'; style-src 'sha256-{_digest(style)}'; base-uri 'none'; form-action 'none'"
    return h.head[
        h.meta(charset="utf-8"),
        h.meta(http_equiv="Content-Security-Policy", content=policy),
        h.meta(name="viewport", content="width=device-width, initial-scale=1"),
        h.meta(name="referrer", content="no-referrer"),
        h.meta(name="color-scheme", content="light dark"),
        h.meta(name="date", content=document.researched.isoformat()),
        h.meta(name="description", content=one_line(document.question)),
        h.title[title],
        h.style[Markup(style)],  # noqa: S704 - the program's own style sheet, without any text of others
    ]


def _title(document: Document) -> h.Node:
    language = document.language
    question = one_line(document.question)
    return h.header[
        h.h1[printable(document.title)],
        h.p(".question")[h.span(".label")[QUESTION.in_(language)], " ", question]
        if question != one_line(document.title)
        else None,
        h.p(".byline")[printable(document.byline)],
        h.p(".byline")[printable(document.checked)] if document.checked else None,
        h.details[
            h.summary[BRIEF.in_(language)],
            h.dl[[(h.dt[printable(name)], h.dd[printable(value)]) for name, value in document.asked]],
        ]
        if document.asked
        else None,
    ]


def _contents(entries: Sequence[Entry], setting: Setting) -> h.Node:
    title = CONTENTS.in_(setting.language)
    deepest = 2 if sum(entry.level <= 2 for entry in entries) <= _MOST_LINES else 1
    return h.nav(aria_label=title)[
        h.h2[title],
        h.ol[
            [
                h.li(class_=f"level{entry.level}")[h.a(href=f"#{entry.id}")[entry.words]]
                for entry in entries
                if entry.level <= deepest and entry.words
            ]
        ],
    ]


@cache
def _style(paper: Paper) -> str:
    text = resources.files("research.export.html").joinpath("style.css").read_text(encoding="utf-8")
    return f"{text}\n@page {{ size: {_SIZES[paper]}; }}\n"


def _digest(style: str) -> str:
    """Return the hash by which the policy knows the style sheet."""
    return base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
