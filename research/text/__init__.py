"""Words, sentences, passages, names and Markdown of both languages, and what a question asks for."""

from research.text.concepts import Concept, asked_concepts
from research.text.lexicon import english_terms, expand, japanese_terms
from research.text.markdown import BETWEEN_CELLS, GONE, MarkdownWriter, escape_markdown, markdown_reader
from research.text.names import Name, compared_in, countries_in, names_in, places, places_in, regions_in
from research.text.passages import Passage, heading_of, passages
from research.text.questions import MONTHS, Asked, Operation, question_parts
from research.text.sentences import (
    YEARS,
    Span,
    data_line_in,
    excerpt,
    heading_at,
    latest_year,
    sentences,
    sentences_in,
    without_subject,
)
from research.text.values import Value, cells, is_remark, values_of
from research.text.words import columns, content_words, folded, is_stop_word, language_of, singular, spelt, tokens

__all__ = [
    "BETWEEN_CELLS",
    "GONE",
    "MONTHS",
    "YEARS",
    "Asked",
    "Concept",
    "MarkdownWriter",
    "Name",
    "Operation",
    "Passage",
    "Span",
    "Value",
    "asked_concepts",
    "cells",
    "columns",
    "compared_in",
    "content_words",
    "countries_in",
    "data_line_in",
    "english_terms",
    "escape_markdown",
    "excerpt",
    "expand",
    "folded",
    "heading_at",
    "heading_of",
    "is_remark",
    "is_stop_word",
    "japanese_terms",
    "language_of",
    "latest_year",
    "markdown_reader",
    "names_in",
    "passages",
    "places",
    "places_in",
    "question_parts",
    "regions_in",
    "sentences",
    "sentences_in",
    "singular",
    "spelt",
    "tokens",
    "values_of",
    "without_subject",
]
