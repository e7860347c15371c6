"""What decides and writes: the protocol of an analyst, and the one that takes over where a model fails."""

# fmt: off
from research.analysts.protocol import FallbackAnalyst
from research.analysts.protocol import (
    Analyst, Answer, AnswerRequest, Compression, ConductResearch, Findings, Frame, FrameRequest, OfferedTool,
    OpenSentence, PageRequest, PageSummary, PlanRequest, QueryOutcome, Reading, Repair, RepairRequest, ReportRequest,
    ResearchComplete, ResearcherAction, ResearcherView, Search, SectionPart, Step, SupervisorAction, SupervisorView,
    Think, ToolParameter, TopicResult, UseTool, WeakSentence,
)
