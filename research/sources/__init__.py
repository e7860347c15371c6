"""Where pages come from."""

from research.sources.choosing import (
    DOCUMENTS as DOCUMENTS,
    SEARCHERS as SEARCHERS,
    check_package as check_package,
    choose as choose,
    usd_a_search as usd_a_search,
)
from research.sources.protocol import (
    FoundPage as FoundPage,
    KindDecision as KindDecision,
    OfServer as OfServer,
    Priced as Priced,
    SearchRequest as SearchRequest,
    Source as Source,
    Toolbox as Toolbox,
    clean_title as clean_title,
    decision_for as decision_for,
)
from research.sources.samples import (
    QUESTIONS as QUESTIONS,
    SampleQuestion as SampleQuestion,
    collection_folder as collection_folder,
    collection_place as collection_place,
    is_available as is_available,
)
