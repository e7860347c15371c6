"""What the graphs ask of an analyst, whoever it is: a model or rules.

An analyst only decides and writes. It never searches, keeps or cites: the graphs do that.
"""

from __future__ import annotations

from research.analysts.protocol.actions import (
    ConductResearch,
    ResearchComplete,
    ResearcherAction,
    Search,
    SupervisorAction,
    Think,
    UseTool,
)
from research.analysts.protocol.analyst import Analyst
from research.analysts.protocol.answering import Answer, AnswerRequest
from research.analysts.protocol.planning import PlanRequest
from research.analysts.protocol.reading import PageRequest, PageSummary
from research.analysts.protocol.repairing import Repair, RepairRequest, WeakSentence
from research.analysts.protocol.steps import Found, Step
from research.analysts.protocol.tools import OfferedTool, ToolParameter
from research.analysts.protocol.topics import Compression, Findings, TopicResult
from research.analysts.protocol.views import ResearcherView, SupervisorView
from research.analysts.protocol.writing import ReportRequest

__all__ = [
    "Analyst",
    "Answer",
    "AnswerRequest",
    "Compression",
    "ConductResearch",
    "Findings",
    "Found",
    "OfferedTool",
    "PageRequest",
    "PageSummary",
    "PlanRequest",
    "Repair",
    "RepairRequest",
    "ReportRequest",
    "ResearchComplete",
    "ResearcherAction",
    "ResearcherView",
    "Search",
    "Step",
    "SupervisorAction",
    "SupervisorView",
    "Think",
    "ToolParameter",
    "TopicResult",
    "UseTool",
    "WeakSentence",
]
