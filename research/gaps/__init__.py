"""What a search covered, what is missing, what to ask next: the gaps of a section and how far findings suffice."""

from research.gaps.coverage import (
    Cells as Cells,
    about_asked as about_asked,
    accumulated as accumulated,
    aspects as aspects,
    cells_of as cells_of,
    continuation as continuation,
    good_sites as good_sites,
    identify_gaps as identify_gaps,
    spoken_of as spoken_of,
    sufficiency as sufficiency,
)
from research.gaps.queries import (
    first_queries as first_queries,
    follow_up_queries as follow_up_queries,
    search_words as search_words,
)
from research.gaps.relevance import (
    Relevance as Relevance,
    Room as Room,
    said_shares as said_shares,
    says as says,
    spoken_of_most as spoken_of_most,
    under_heading as under_heading,
    word_shares as word_shares,
)
from research.gaps.subjects import (
    Subjects as Subjects,
    as_documents_know as as_documents_know,
    is_excluded as is_excluded,
    short as short,
    source_of as source_of,
)
