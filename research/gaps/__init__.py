"""How far what was found answers what was asked, and what is missing."""

from research.gaps.identifier import accumulate, concepts_wanted, continuation, identify_gaps
from research.gaps.queries import first_queries, follow_up_queries, region_words
from research.gaps.sufficiency import good_sites, sufficiency

__all__ = [
    "accumulate",
    "concepts_wanted",
    "continuation",
    "first_queries",
    "follow_up_queries",
    "good_sites",
    "identify_gaps",
    "region_words",
    "sufficiency",
]
