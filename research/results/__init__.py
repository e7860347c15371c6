"""What a run leaves behind: record, report, verdicts, and what changed between two of them."""

# fmt: off
from research.results.difference import ClaimPair, Difference, FigureChange, FigureValue, difference
from research.results.proof import (
    ProofBasis, Remark, concentration, is_open, keep_primary, primary_evidence, prove_draft,
    quotes_left_out, site_name,
)
from research.results.record import (
    AskedPart, FollowUp, LeftOut, Problem, QueryTrail, Report, ResearchNote, RunRecord, SourceEntry, TopicTrail,
    Trail, Usage, added_on, borne_out, counts, follow_ups_of, is_added, lane_of, notes_of, numbered_on, of_research,
    problems_of, queries_of, shortfall, trail_of, usage_of,
)
