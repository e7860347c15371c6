"""What a search covered, what is missing, what to ask next: the gaps of a section and how far findings suffice."""

from research.gaps.identifier import accumulate as accumulate
from research.gaps.identifier import continuation as continuation
from research.gaps.identifier import identify_gaps as identify_gaps
from research.gaps.identifier import spoken_of as spoken_of
from research.gaps.queries import first_queries as first_queries
from research.gaps.queries import follow_up_queries as follow_up_queries
from research.gaps.queries import search_words as search_words
from research.gaps.relevance import Relevance as Relevance
from research.gaps.relevance import says as says
from research.gaps.relevance import under_heading as under_heading
from research.gaps.relevance import word_shares as word_shares
from research.gaps.sufficiency import good_sites as good_sites
from research.gaps.sufficiency import sufficiency as sufficiency
