"""Where pages come from."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from research.sources.choosing import (
    DOCUMENTS as DOCUMENTS,
    EXTRAS as EXTRAS,
    PACKAGES as PACKAGES,
    check_package as check_package,
    choose as choose,
    usd_a_search as usd_a_search,
)
from research.sources.pages import (
    KindDecision as KindDecision,
    clean_title as clean_title,
    decision_for as decision_for,
)
from research.sources.protocol import (
    FoundPage as FoundPage,
    OfServer as OfServer,
    Priced as Priced,
    SearchRequest as SearchRequest,
    Source as Source,
    Toolbox as Toolbox,
)
from research.sources.samples import (
    QUESTIONS as QUESTIONS,
    SampleQuestion as SampleQuestion,
    collection_folder as collection_folder,
    collection_place as collection_place,
    is_available as is_available,
)

if TYPE_CHECKING:
    from research.sources.model_providers import (
        ADDRESS as ADDRESS,
        ANTHROPIC_MODEL as ANTHROPIC_MODEL,
        OPENAI_MODEL as OPENAI_MODEL,
    )


def __getattr__(name: str) -> Any:
    """Load what stands beside a client of HTTP when it is first used."""
    if name in {"ADDRESS", "ANTHROPIC_MODEL", "OPENAI_MODEL"}:
        return getattr(import_module("research.sources.model_providers"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
