"""What the chat analyst's tests share: models on a scripted server, and something to decide on, read and write from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from research import core
from research.analysts import (
    Findings,
    PageRequest,
    PlanRequest,
    ReportRequest,
    ResearcherView,
    Step,
    SupervisorView,
    TopicResult,
)
from research.analysts.chat.analyst import ChatAnalyst
from research.analysts.chat.models import RoleModels, build_role_models
from research.settings import Settings
from tests.support.openai_server import OpenAIServer
from tests.support.services import access

KEY = "sk-test-0123456789abcdef"
TODAY = date(2026, 11, 21)
LIMITS = core.Limits(6, 3, 2, searches=3, queries=2, results=4, summary_words=120)
SECTION = core.Section(
    title="Volumes",
    focus="How much tea leaves Japan",
    questions=("How much in 2024?",),
    needs=("export volume", "export value"),
)
ASSESSMENT = core.Assessment(
    criteria=core.Criteria(2, 1, 1, 2, 1),
    gaps=core.GapReport(
        (), (), ("export value",), sufficient=False, confidence=0.5, at=datetime(2026, 11, 21, tzinfo=UTC)
    ),
    good_sources=1,
    stale=0,
)


@dataclass
class Desk:
    """A chat analyst, its server, and what it reported."""

    server: OpenAIServer
    models: RoleModels
    analyst: ChatAnalyst
    events: list[core.Event]
    problems: list[tuple[core.Stage, str, str]] = field(default_factory=list)

    @property
    def calls(self) -> list[core.ModelCalled]:
        return [event for event in self.events if isinstance(event, core.ModelCalled)]

    @property
    def asked(self) -> list[Any]:
        return self.server.requests


def desk(
    server: OpenAIServer,
    *,
    seconds: float = 10.0,
    preset: core.PresetName = core.PresetName.QUALITY,
    pace: core.Pace | None = None,
    admit: core.Admit = core.freely,
) -> Desk:
    settings = Settings(home=Path(), services=access(server.base_url, KEY))
    events: list[core.Event] = []
    problems: list[tuple[core.Stage, str, str]] = []

    def on_problem(stage: core.Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        problems.append((stage, code, subject))

    known = pace or core.Pace()
    models = build_role_models(
        settings, core.PRESETS[preset], events.append, call_seconds=seconds, admit=admit, paces=lambda _: known
    )
    return Desk(server, models, ChatAnalyst(models, TODAY), events, problems)


def brief(**fields: Any) -> core.Brief:
    return core.Brief(**{"question": "How much tea does Japan export?", **fields})


def supervisor_view(*steps: Step, topics_left: int = 3, **fields: Any) -> SupervisorView:
    asked = brief(**fields)
    return SupervisorView(asked, TODAY, LIMITS, len(steps), topics_left, steps, ())


def researcher_view(*steps: Step, searches_left: int = 3, **known: Any) -> ResearcherView:
    asked = brief()
    return ResearcherView(
        asked, "Tea exports of Japan", TODAY, LIMITS, len(steps), searches_left, steps, **known or {"evidence": ()}
    )


def plan_request(limits: core.Limits = LIMITS, **fields: Any) -> PlanRequest:
    asked = brief(**fields)
    return PlanRequest(asked, TODAY, limits)


class Shelf:
    """Pages and the quotes taken from them."""

    def __init__(self) -> None:
        self.ledger = core.Ledger()

    def page(
        self,
        *quotes: str,
        title: str = "Tea",
        published: str | None = "2026-10-01",
        kind: core.SourceKind = core.SourceKind.OTHER,
    ) -> core.Page:
        number = len(self.ledger.pages) + 1
        page = self.ledger.add_page(
            url=f"https://site{number}.example/tea",
            title=title,
            site=f"site{number}.example",
            origin=core.SourceName.WEB,
            kind=kind,
            published=published,
            fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
            text="\n\n".join(quotes),
        )
        assert len(self.ledger.quote(page, quotes)) == len(quotes)
        return page

    @property
    def evidence(self) -> tuple[core.Evidence, ...]:
        return tuple(self.ledger.evidence.values())

    def findings(self) -> Findings:
        return Findings(brief(), "Tea exports of Japan", self.evidence, self.ledger.pages)

    def report_request(self, *topics: tuple[str, ...], **fields: Any) -> ReportRequest:
        asked = brief(**fields)
        ids = topics or (tuple(self.ledger.evidence),)
        results = tuple(TopicResult(f"Topic {number}", names, "Well covered.") for number, names in enumerate(ids, 1))
        return ReportRequest(asked, TODAY, results, self.ledger.evidence, self.ledger.pages)


def page_request(page: core.Page, question: str = "How much tea does Japan export?", **limits: Any) -> PageRequest:
    from dataclasses import replace

    return PageRequest(page, page.text, question, "Tea exports of Japan", replace(LIMITS, **limits))


async def written(analyst: ChatAnalyst, request: ReportRequest) -> str:
    return "".join([piece async for piece in analyst.write(request)])
