"""What the whole product speaks of: the brief, its words and limits, evidence, events, plans, what a run may spend."""

# fmt: off
from research.core.brief import (
    DEAREST, FIELDS, LONGEST_MINUTES, MOST_SENTENCES, OPEN, AddQuestion, Assessment, BeginWithPlan, BlockSite,
    BookSteer, Brief, Criteria, Depth, Doubt, DropTopic, FinishNow, GapReport, HoldPlan, Insight, KindCoverage,
    NextQuery, Outline, PlanSteer, Reflection, Section, Steer, StopNow, bounds, by_country, cap_in_words, clipped,
    compose, fields, first_sentence_of, method_of, organisation, parse_steer, period_of, title_of, topic_of, unusable,
)
from research.core.calls import (
    ANSWER_TOKENS, GIVEN_UP, OBSERVED_TOKENS, OUTRUN, REPORT_PROMPT, Admission, Admit, Awaited, Drip, Pace,
    Patience, PlannedCall, RunChannel, Spending, assumed_price, freely, hedged, is_outrun, pace_of, price_of, price_usd,
    report_tokens, tokens_in,
)
from research.core.citations import (
    FRAMING, KEY_FINDINGS, PAGES, RECENT_MARK, SIGNS_A_PAGE, TITLE, WORDS_A_PAGE, Cited, cite,
    cited_ids,
    cited_sentences, citing_only, edited, is_far_off, is_nearer, is_too_long, is_too_short, length_in_words, length_of,
    marked, numbered, pages_of, quoted_passages, range_in_words, render_marks, without_marks,
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
from research.core.ledger import (
    Age, Evidence, FigureCheck, Ledger, Page, Passage, Sentence, date_in_words, first_day, freshness, in_both,
    last_number, locate, place_of, text_hash,
)
from research.core.origins import (
    EMBEDDERS, MODEL_SERVERS, EmbedderOffer, ModelServer, Offer, Offered, Origin, Reach, Registry, SourceField,
    SourceName, checked_name, origins, register,
)
from research.core.projection import (
    Call, CallKind, LaneState, LaneView, PageReading, Phase, PlanView, RunView, SearchView, SectionView,
)
from research.core.row_query import MADE_OF, OF_ROWS, How, Relation, RowQuery, Span, made_of_rows, query_in_words
from research.core.safety import (
    FORWARDED, HERE, Outgoing, canonical_url, is_address, is_askable, is_below, is_known_host, is_printable, is_public,
    is_this_host, is_web, leads_to_askable, server_parts, site_of, tracing, without_secrets,
)
from research.core.vocabulary import (
    DEEPEST, LARGE_MODEL, PRESETS, TERMS, Audience, Frozen, Length, Limits, MethodLimits, MethodName, OutputForm,
    Outside, PeriodChoice, Preset, PresetName, Region, Role, Scope, SearchOrder, SourceKind, Status, StopReason,
    Summary, Tone, Vocabulary, is_primary,
)
