"""What the user asks about questions, topics and sites is entered into the books of the run, and recorded."""

from __future__ import annotations

from research.events import QuestionAdded, SiteBlocked, Stage, TopicDropped
from research.graph.context import RunContext
from research.steering import AddQuestion, BlockSite, BookSteer, DropTopic


async def obey(context: RunContext) -> None:
    """Enter whatever is asked, as it is asked; ends by being cancelled."""
    while True:
        _enter(context, await context.control.of_books())


def _enter(context: RunContext, steer: BookSteer) -> None:
    match steer:
        case AddQuestion(text=text):
            if context.is_researched:
                context.problem(Stage.RESEARCH, "question_late", subject=text[:80])
            elif text not in context.questions:
                context.questions.append(text)
                context.emit(QuestionAdded(question=text))
        case DropTopic(lane=name):
            # Whatever names no researcher, or one that is dropped already, changes nothing.
            for lane in context.lanes:
                if lane.name == name and not lane.dropped.is_set():
                    lane.dropped.set()
                    context.emit(TopicDropped(lane=name))
        case BlockSite(site=site):
            if site not in context.blocked_sites:
                context.blocked_sites.append(site)
                context.emit(SiteBlocked(site=site))
