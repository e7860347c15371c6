"""Markdown for wikis: the report with a head of YAML that says what it is."""

from __future__ import annotations

import re

import yaml

from research.core.citations import pages_of
from research.export.blocks import blocks_of
from research.export.citing import IN_THE_FILE
from research.export.document import Heading, plain
from research.export.follow_ups import all_numbers
from research.export.printable import one_line, printable
from research.results.proof import counts
from research.results.report import Report

_FENCE = "---\n"
_LABEL = r"(?<!\\)\[((?:[^\[\]\\\n]|\\.)*)\]"
_PLACE = re.compile(rf" \[(?:{'|'.join(map(re.escape, IN_THE_FILE))})\]\(<file:[^<>\n]*>\)")
_TO_A_FILE = re.compile(rf"{_LABEL}\(<file:[^<>\n]*>\)")
_BY_NUMBER = re.compile(rf"{_LABEL}\[(\d+)\]")
_MEANT = re.compile(r"^\[(\d+)\]: <file:[^<>\n]*>\n?", re.MULTILINE)


def wiki_markdown(report: Report) -> bytes:
    """Return the report in UTF-8 with YAML front matter: title, date, question, language, counts, who wrote it."""
    head = yaml.safe_dump(_facts(report), allow_unicode=True, sort_keys=False, width=10_000)
    return f"{_FENCE}{head}{_FENCE}\n{printable(_without_files(report.markdown))}".encode()


def _without_files(markdown: str) -> str:
    """Return Markdown without links into the files of whoever made it: they lead nowhere else, and tell of folders."""
    numbers = frozenset(_MEANT.findall(markdown))
    bare = _TO_A_FILE.sub(r"\1", _PLACE.sub("", _MEANT.sub("", markdown)))
    return _BY_NUMBER.sub(lambda link: link[1] if link[2] in numbers else link[0], bare)


def _facts(report: Report) -> dict[str, object]:
    record = report.record
    return {
        "title": title_of(report.markdown, record.brief.question),
        "date": record.day,
        "question": one_line(record.brief.question),
        "language": record.brief.language.value,
        "run": record.run,
        "status": record.status.value,
        "writer": one_line(record.writer),
        "method": record.method.value,
        "pages": pages_of(record.draft),
        "sources_cited": len(all_numbers(report)),
        "sources_read": len(report.pages),
        "quotes": len(record.evidence),
        "sentences": counts(record.sentences),
        "left_out": len(record.left_out),
        "contradictions": len(record.contradictions),
    }


def title_of(markdown: str, question: str) -> str:
    """Return the title of a report in plain words; without one, its question."""
    blocks = blocks_of(markdown.lstrip().partition("\n")[0], frozenset())
    named = one_line(plain(blocks[0].line)) if blocks and isinstance(blocks[0], Heading) else ""
    return named or one_line(question)
