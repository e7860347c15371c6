"""What a run leaves behind: record, report, verdicts, and what changed between two of them."""

from research.results.bounds import (
    check_json as check_json,
    check_moments as check_moments,
    check_page as check_page,
    check_record as check_record,
    moments_of as moments_of,
)
from research.results.difference import (
    ClaimPair as ClaimPair,
    Difference as Difference,
    FigureChange as FigureChange,
    FigureValue as FigureValue,
    difference as difference,
)
from research.results.proof import (
    ProofBasis as ProofBasis,
    Remark as Remark,
    borne_out as borne_out,
    concentration as concentration,
    counts as counts,
    is_open as is_open,
    keep_primary as keep_primary,
    primary_evidence as primary_evidence,
    prove_draft as prove_draft,
    quotes_left_out as quotes_left_out,
)
from research.results.record import (
    AskedPart as AskedPart,
    FollowUp as FollowUp,
    LeftOut as LeftOut,
    Problem as Problem,
    QueryTrail as QueryTrail,
    ResearchNote as ResearchNote,
    RunRecord as RunRecord,
    SourceEntry as SourceEntry,
    TopicTrail as TopicTrail,
    Trail as Trail,
    Usage as Usage,
    added_on as added_on,
    follow_ups_of as follow_ups_of,
    is_added as is_added,
    lane_of as lane_of,
    notes_of as notes_of,
    numbered_on as numbered_on,
    of_research as of_research,
    problems_of as problems_of,
    trail_of as trail_of,
    usage_of as usage_of,
)
from research.results.report import Report as Report
