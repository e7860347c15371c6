"""How a run is carried out: its graphs, its methods, its writing and proving."""

from research.engine.comparison import (
    READING as READING,
    Comparison as Comparison,
    Variant as Variant,
    VariantOutcome as VariantOutcome,
    variants as variants,
)
from research.engine.conduct import (
    RunResult as RunResult,
    conduct as conduct,
    resume as resume,
    rewrite as rewrite,
    rewritten as rewritten,
)
from research.engine.context import Control as Control, Journal as Journal, World as World
from research.engine.estimate import (
    ENOUGH as ENOUGH,
    Estimate as Estimate,
    PastRun as PastRun,
    RoleTokens as RoleTokens,
    estimate as estimate,
    models_of as models_of,
    rounded as rounded,
    sources_of as sources_of,
)
from research.engine.followup import (
    LONGEST as LONGEST,
    Joined as Joined,
    answer_question as answer_question,
    brief_without_sources as brief_without_sources,
    joined as joined,
    search as search,
    small_brief as small_brief,
)
