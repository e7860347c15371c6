"""What a search covered, what is missing, what to ask next: the gaps of a section and how far findings suffice."""

from research.gaps.identifier import accumulate, continuation, identify_gaps, spoken_of
from research.gaps.queries import first_queries, follow_up_queries, region_words, search_words
from research.gaps.relevance import Relevance, says, under_heading, word_shares
from research.gaps.sufficiency import good_sites, sufficiency

__all__ = [
    "Relevance",
    "accumulate",
    "continuation",
    "first_queries",
    "follow_up_queries",
    "good_sites",
    "identify_gaps",
    "region_words",
    "says",
    "search_words",
    "spoken_of",
    "sufficiency",
    "under_heading",
    "word_shares",
]
