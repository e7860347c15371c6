"""How a run is carried out: its graphs, its methods, its writing and proving."""

# fmt: off
from research.engine.estimate import KEPT_CALLS, READING, Comparison, Variant, VariantOutcome, variants
from research.engine.conduct import RunResult, conduct, resume, rewrite, rewritten
from research.engine.context import Control, Journal, World
from research.engine.estimate import ENOUGH, Estimate, PastRun, RoleTokens, estimate, models_of, rounded, sources_of
from research.engine.conduct import (
    LONGEST, Joined, answer_question, brief_without_sources, joined, load_run, search, small_brief,
)
