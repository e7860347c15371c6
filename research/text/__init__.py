"""Words, sentences, passages, names and Markdown of both languages, and what a question asks for."""

from research.text.asking import MONTHS as MONTHS, Operation as Operation
from research.text.concepts import (
    Concept as Concept,
    asked_concepts as asked_concepts,
    asked_things as asked_things,
    best_told as best_told,
    items_of as items_of,
    lists_share as lists_share,
    meets as meets,
    things_of_all as things_of_all,
)
from research.text.markdown import (
    BETWEEN_CELLS as BETWEEN_CELLS,
    GONE as GONE,
    Card as Card,
    MarkdownWriter as MarkdownWriter,
    escape_markdown as escape_markdown,
    markdown_reader as markdown_reader,
)
from research.text.names import (
    LONGEST_QUESTION as LONGEST_QUESTION,
    Name as Name,
    code_of as code_of,
    compared_in as compared_in,
    countries_in as countries_in,
    is_place as is_place,
    lies_elsewhere as lies_elsewhere,
    lies_in as lies_in,
    names_a_country as names_a_country,
    names_in as names_in,
    place_in as place_in,
    places as places,
    places_among as places_among,
    places_in as places_in,
    proper_names as proper_names,
    regions_in as regions_in,
    without_names as without_names,
)
from research.text.passages import (
    Passage as Passage,
    heading_of as heading_of,
    passages as passages,
    says_who_was_there as says_who_was_there,
)
from research.text.questions import (
    MOST_WITHIN as MOST_WITHIN,
    Asked as Asked,
    Part as Part,
    head_of as head_of,
    parts_of as parts_of,
    question_parts as question_parts,
    with_parts as with_parts,
)
from research.text.sentences import (
    YEARS as YEARS,
    Span as Span,
    data_line_in as data_line_in,
    heading_at as heading_at,
    latest_year as latest_year,
    sentences as sentences,
    sentences_in as sentences_in,
    without_subject as without_subject,
)
from research.text.values import (
    Scale as Scale,
    Value as Value,
    cells as cells,
    counted as counted,
    is_amount as is_amount,
    is_note as is_note,
    is_remark as is_remark,
    number_in as number_in,
    row_cells as row_cells,
    scale_of as scale_of,
    values_of as values_of,
    without_note as without_note,
)
from research.text.words import (
    columns as columns,
    content_words as content_words,
    english_terms as english_terms,
    expand as expand,
    folded as folded,
    is_stop_word as is_stop_word,
    is_written_in as is_written_in,
    japanese_terms as japanese_terms,
    language_of as language_of,
    other_words as other_words,
    singular as singular,
    sound_of as sound_of,
    spelt as spelt,
    stands_whole as stands_whole,
    stem as stem,
    tokens as tokens,
)
