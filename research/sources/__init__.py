"""Where pages come from."""

from research.sources.choosing import DOCUMENTS as DOCUMENTS
from research.sources.choosing import EXTRAS as EXTRAS
from research.sources.choosing import PACKAGES as PACKAGES
from research.sources.choosing import check_package as check_package
from research.sources.choosing import choose as choose
from research.sources.model_providers import ADDRESS as ADDRESS
from research.sources.model_providers import ANTHROPIC_MODEL as ANTHROPIC_MODEL
from research.sources.model_providers import OPENAI_MODEL as OPENAI_MODEL
from research.sources.pages import KindDecision as KindDecision
from research.sources.pages import clean_title as clean_title
from research.sources.pages import decision_for as decision_for
from research.sources.protocol import FoundPage as FoundPage
from research.sources.protocol import OfServer as OfServer
from research.sources.protocol import SearchRequest as SearchRequest
from research.sources.protocol import Source as Source
from research.sources.protocol import Toolbox as Toolbox
from research.sources.samples import QUESTIONS as QUESTIONS
from research.sources.samples import SampleQuestion as SampleQuestion
from research.sources.samples import collection_folder as collection_folder
from research.sources.samples import collection_place as collection_place
from research.sources.samples import is_available as is_available
