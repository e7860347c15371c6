"""The words that Office files add to a report, in both languages."""

from __future__ import annotations

from research.language import Bilingual, Language, Phrase

CONTENTS = Phrase("Contents")
SOURCES = Phrase("Sources")
SOURCES_HERE = Phrase("Sources: ")
BRIEF = Phrase("What was asked for")
COLUMNS = Phrase("Columns {first}–{last} of {total}")
QUESTION = Phrase("Question: {question}")
GOES_ON = Phrase(" (continued)")
REST_IN_NOTES = Phrase("{count} more rows: in the notes of this slide")
_NEEDS = Phrase("{what} needs python-pptx: pip install 'research-workbench[documents]'.")
DECK = Phrase("A PowerPoint file")
CHARTS = Phrase("A Word file with charts")
_TAGS = {Language.EN: "en-US", Language.JA: "ja-JP"}


def missing(what: Bilingual, language: Language) -> str:
    """Say which command installs what is missing."""
    return _NEEDS.in_(language).format(what=what.in_(language))


def tag(language: Language) -> str:
    """Return the language's tag as Office writes it."""
    return _TAGS[language]
