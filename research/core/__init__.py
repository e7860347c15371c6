"""What the whole product speaks of: the brief, its words and limits, evidence, events, plans, what a run may spend."""

# fmt: off
from research.core.safety import canonical_url, is_below, is_public, is_web, leads_to_askable, site_of
from research.core.brief import (
    DEAREST, LONGEST_MINUTES, OPEN, Brief, bounds, cap_in_words, compose, fields, method_of, organisation,
)
from research.core.citations import (
    FRAMING, KEY_FINDINGS, PAGES, RECENT_MARK, SIGNS_A_PAGE, TITLE, WORDS_A_PAGE, Cited, cite, cited_sentences,
    citing_only, edited, is_far_off, is_nearer, is_too_long, is_too_short, length_in_words, length_of, marked,
    numbered, pages_of, quoted_passages, range_in_words, render_marks, without_marks,
)
from research.core.errors import (
    CapReached, ContextOverflow, ModelError, ModelRefused, ResearchError, ServiceError, SourceError, Stage,
    StoreError, UnusableAnswer, UsageError, explain,
)
from research.core.events import (
    SUPERVISOR, AnyEvent, Assessed, CollectionIndexed, DepthChosen, Emit, Event, EvidenceFound, FindingsCompressed,
    FinishRequested, FollowUpAnswered, FollowUpSearched, ModelCalled, NoteTaken, PageRead, PageSummarised,
    PlanDrafted, PlanHeld, PlanSettled, ProblemOccurred, QuestionAdded, Reflected, ReportExtended, ReportStarted,
    ReportVerified, ReportWritten, ResearchFinished, RunFinished, RunResumed, RunStarted, SearchFailed,
    SearchReturned, SearchStarted, SectionExtended, SectionWritten, SentencesRepaired, SiteBlocked, StopRequested,
    TopicDropped, TopicFinished, TopicQueued, TopicStarted, parse_event,
)
from research.core.projection import LaneState, LaneView, PageReading, PlanView, SearchView, SectionView
from research.core.ledger import (
    Age, Evidence, FigureCheck, Ledger, Located, Page, Passage, Sentence, first_day, freshness, in_both, last_number,
    locate, text_hash,
)
from research.core.brief import (
    Aspect, Assessment, Criteria, Depth, Doubt, GapReport, Insight, KindCoverage, NextQuery, Outline, Reflection,
    Section, Sufficiency, topic_of,
)
from research.core.calls import OUTRUN, Awaited, Drip, Pace, Patience, hedged, is_outrun, pace_of
from research.core.projection import Call, CallKind, Phase, RunView
from research.core.safety import tracing, without_secrets
from research.core.calls import (
    ANSWER_TOKENS, GIVEN_UP, OBSERVED_TOKENS, REPORT_PROMPT, Admission, Admit, PlannedCall, RunChannel, Spending,
    freely, price_of, price_usd, report_tokens, tokens_in,
)
from research.core.brief import (
    AddQuestion, BeginWithPlan, BlockSite, BookSteer, DropTopic, FinishNow, HoldPlan, PlanSteer, Steer, StopNow,
    parse_steer,
)
from research.core.vocabulary import (
    DEEPEST, PRESETS, Audience, Frozen, Length, Limits, MethodLimits, MethodName, OutputForm, PeriodChoice, Preset,
    PresetName, Region, Role, Scope, SourceKind, SourceName, Status, StopReason, Summary, Tone, Vocabulary, is_primary,
)
