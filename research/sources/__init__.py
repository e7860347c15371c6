"""Where pages come from."""

# fmt: off
from research.sources.choosing import DOCUMENTS, SEARCHERS, check_package, choose, usd_a_search
from research.sources.protocol import (
    FoundPage, KindDecision, OfServer, Priced, SearchRequest, Source, Toolbox, clean_title, decision_for,
)
from research.sources.samples import QUESTIONS, SampleQuestion, collection_folder, collection_place, is_available
