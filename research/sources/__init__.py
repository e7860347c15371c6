"""Where pages come from."""

# fmt: off
from research.sources import choosing, databases, keyless, papers, filings, statistics  # in the order of lists
from research.sources.choosing import DOCUMENTS, SEARCHERS, added_documents, check_package, choose, usd_a_search
from research.sources.mixing import countries_asked, mixed, ranked
from research.sources.protocol import (
    FoundPage, KindDecision, OfServer, Priced, SearchRequest, Source, Toolbox, clean_title,
    decision_for, found_page,
)
from research.sources.registry import NOT_SET_UP, Lack, Making, Provider, by_default, names_of, provider, providers
from research.sources.samples import (
    QUESTIONS, SampleQuestion, collection_folder, collection_place, forget_collection, is_available, prepare,
)
