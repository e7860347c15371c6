"""Where pages come from."""

from research.sources.choosing import DOCUMENTS, EXTRAS, PACKAGES, check_package, choose
from research.sources.model_providers import ADDRESS, ANTHROPIC_MODEL, OPENAI_MODEL
from research.sources.pages import KindDecision, clean_title, decision_for
from research.sources.protocol import FoundPage, OfServer, SearchRequest, Source, Toolbox
from research.sources.samples import QUESTIONS, SampleQuestion, collection_folder, collection_place, is_available

__all__ = [
    "ADDRESS",
    "ANTHROPIC_MODEL",
    "DOCUMENTS",
    "EXTRAS",
    "OPENAI_MODEL",
    "PACKAGES",
    "QUESTIONS",
    "FoundPage",
    "KindDecision",
    "OfServer",
    "SampleQuestion",
    "SearchRequest",
    "Source",
    "Toolbox",
    "check_package",
    "choose",
    "clean_title",
    "collection_folder",
    "collection_place",
    "decision_for",
    "is_available",
]
