"""What a search covered, what is missing, what to ask next: the gaps of a section and how far findings suffice."""

# fmt: off
from research.gaps.coverage import (
    Cells, about_asked, accumulated, aspects, cells_of, continuation, good_sites, identify_gaps, spoken_of, sufficiency,
)
from research.gaps.queries import first_queries, follow_up_queries, search_words
from research.gaps.relevance import (
    Relevance, Room, said_shares, says, spoken_of_most, under_heading, word_shares,
)
from research.gaps.subjects import Subjects, as_documents_know, is_excluded, short, source_of
