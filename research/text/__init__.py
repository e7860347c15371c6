"""Words, sentences, passages, names and Markdown of both languages, and what a question asks for."""

# fmt: off
from research.text.asking import (
    MONTHS, Asks, Operation, counted_in, is_of_today, month_alone, sentences_asking, without_points,
)
from research.text.concepts import (
    WHOLE, Concept, asked_concepts, asked_things, best_told, items_of, lists_share, meets, things_of_all,
)
from research.text.markdown import (
    BETWEEN_CELLS, GONE, Card, MarkdownWriter, escape_markdown, html_table, markdown_reader, markdown_table, unlinked,
)
from research.text.names import (
    LONGEST_QUESTION, compared_in, is_company_form, names_in, proper_names, without_names,
)
from research.text.passages import (
    Passage, announces, heading_of, in_context, is_table_row, passages, says_who_was_there,
)
from research.text.places import (
    Name, code_of, countries_in, countries_meant, country_of_site, is_place, lies_elsewhere, lies_in, mentions_in,
    place_in, places, places_among, places_in, regions_in,
)
from research.text.questions import MOST_WITHIN, Asked, Part, head_of, parts_of, question_parts, with_parts
from research.text.sentences import (
    YEAR, YEARS, Span, are_data, cells, data_line_in, heading_at, latest_year, sentences, sentences_in, without_subject,
)
from research.text.values import (
    MONTH_COLUMN, MONTH_NUMBER, TIMES, Scale, Value, counted, is_amount, is_note, humps_apart, is_remark,
    label_in_words, number_in, row_cells, scale_of, values_of, without_note,
)
from research.text.words import (
    columns, content_words, english_terms, expand, folded, is_stop_word, is_written_in, japanese_terms, language_of,
    other_words, singular, sound_of, spelt, stands_whole, stem, tokens, without_accents,
)
