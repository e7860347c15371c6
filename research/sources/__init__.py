"""Where pages come from."""

# fmt: off
from research.sources import choosing, databases, web, papers, filings, statistics  # in the order of lists
from research.sources.choosing import (
    SEARCHERS, added_documents, check_package, choose, countries_asked, mixed, ranked, usd_a_search,
)
from research.sources.local import (
    DOCUMENTS, QUESTIONS, SampleQuestion, collection_folder, collection_place, forget_collection, is_available, prepare,
)
from research.sources.protocol import (
    NOT_SET_UP, FoundPage, KindDecision, Lack, Making, OfServer, Priced, Provider, SearchRequest, Source, Toolbox,
    by_default, clean_title, decision_for, found_page, names_of, provider, providers,
)
