"""The three graphs, driven by a scripted analyst: limits, parallel work, failures, wishes of the user."""

import asyncio
import time
from dataclasses import replace

import pytest

from research import core
from research.analysts import (
    Compression,
    ConductResearch,
    PageRequest,
    PageSummary,
    ReportRequest,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Think,
)
from research.analysts.extractive import ExtractiveAnalyst
from research.engine import Control, conduct
from research.engine.graph import build_run
from tests.support.scripted import (
    PAGES,
    MemoryJournal,
    MemorySource,
    ScriptedAnalyst,
    found_page,
    run_scripted,
    scripted_world,
)


def refuse(_: object) -> object:
    raise core.ModelRefused("model_unauthorized", "scripted")


async def test_a_run_goes_from_brief_to_cited_report() -> None:
    result, journal = await run_scripted(ScriptedAnalyst(), in_order=True)
    record = result.record
    assert record.status is core.Status.COMPLETE and not record.problems
    assert [entry.number for entry in record.sources] == [1, 2, 3]
    assert all(sentence.evidence for sentence in record.sentences)
    for entry in record.evidence:
        assert result.pages[entry.source].text[entry.start : entry.end] == entry.quote
    assert "[1]: <https://alpha.example/>" in result.markdown
    assert isinstance(journal.events[0], core.RunStarted) and isinstance(journal.events[-1], core.RunFinished)
    assert "".join(event.text for event in journal.of(core.ReportExtended)).startswith("# Report")


def test_each_method_is_a_node_that_is_drawn() -> None:
    drawn = build_run().get_graph()
    asked, written = ({edge.source for edge in drawn.edges if edge.target == end} for end in ("write", "hand_out"))
    assert asked == {"__start__", *(method.value for method in core.MethodName)}
    assert written == {"check", "repair"}
    for method in core.MethodName:
        assert method.value in drawn.draw_mermaid()


async def test_every_lane_reflects_and_the_supervisor_too() -> None:
    _, journal = await run_scripted(ScriptedAnalyst())
    assert {event.lane for event in journal.of(core.Reflected)} == {"supervisor", "R1", "R2"}


async def test_a_page_met_by_two_researchers_is_kept_once_and_shown_in_both_lanes() -> None:
    result, journal = await run_scripted(ScriptedAnalyst())
    assert len(result.record.sources) == len(PAGES)
    assert len(journal.of(core.PageRead)) == 2 * len(PAGES)
    assert len({entry.id for entry in result.record.evidence}) == len(result.record.evidence) == len(PAGES)


async def test_topics_run_in_parallel_up_to_the_limit_and_the_rest_wait() -> None:
    topics = [f"Topic {number}" for number in range(8)]
    _, journal = await run_scripted(ScriptedAnalyst(topics=topics, delay=0.01))
    most, running = 0, 0
    for event in journal.events:
        running += isinstance(event, core.TopicStarted) - isinstance(event, core.TopicFinished)
        most = max(most, running)
    assert most == core.PRESETS[core.PresetName.QUALITY].limits.concurrent_researchers
    assert len(journal.of(core.TopicFinished)) == len(journal.of(core.TopicQueued)) == 8


async def test_topics_beyond_the_runs_limit_are_told_so() -> None:
    told: list[str] = []

    def supervise(view):  # type: ignore[no-untyped-def]
        told.extend(step.observation for step in view.steps)
        return [ResearchComplete()] if view.turn else [ConductResearch(f"Topic {n}") for n in range(12)]

    _, journal = await run_scripted(ScriptedAnalyst(on_supervise=supervise))
    assert len(journal.of(core.TopicStarted)) == core.PRESETS[core.PresetName.QUALITY].limits.researchers
    assert sum("limit of topics" in text for text in told) == 4


async def test_a_supervisor_that_never_ends_is_ended_by_its_limit() -> None:
    result, journal = await run_scripted(ScriptedAnalyst(on_supervise=lambda view: [Think("Hmm.")]))
    limits = core.PRESETS[core.PresetName.QUALITY].limits
    assert len(journal.of(core.Reflected)) <= limits.supervisor_turns + limits.researchers * limits.researcher_turns
    assert result.record.evidence


async def test_a_researcher_that_never_ends_is_ended_by_its_limit() -> None:
    endless = ScriptedAnalyst(topics=["T"], on_investigate=lambda view: [Search((f"query {view.turn}",))])
    _, journal = await run_scripted(endless)
    assert len(journal.of(core.SearchStarted)) == core.PRESETS[core.PresetName.QUALITY].limits.searches
    assert journal.of(core.TopicFinished)[0].reason == "limit"


@pytest.mark.parametrize("supervise", [lambda view: [], lambda view: [ResearchComplete("done")]])
async def test_whoever_ends_without_a_topic_still_researches_the_question(supervise) -> None:  # type: ignore[no-untyped-def]
    result, journal = await run_scripted(ScriptedAnalyst(on_supervise=supervise))
    assert [event.topic for event in journal.of(core.TopicQueued)] == ["What of pumps?"]
    assert result.record.status is core.Status.COMPLETE


async def test_one_failing_query_costs_only_itself() -> None:
    source = MemorySource(failing=frozenset({"bad"}))
    analyst = ScriptedAnalyst(
        topics=["T"], on_investigate=lambda view: [ResearchComplete()] if view.turn else [Search(("bad", "good"))]
    )
    result, journal = await run_scripted(analyst, source)
    assert len(journal.of(core.SearchFailed)) == 1
    assert len(result.record.sources) == len(PAGES) and result.record.status is core.Status.COMPLETE
    assert "bad" in result.markdown, "the report says which search failed"


async def test_a_failed_researcher_never_costs_its_siblings_findings() -> None:
    def investigate(view):  # type: ignore[no-untyped-def]
        if view.topic == "Topic two" and view.turn == 1:
            raise ValueError("broken")
        return [[Search(("q",))], [ResearchComplete()]][min(view.turn, 1)]

    result, journal = await run_scripted(ScriptedAnalyst(on_investigate=investigate))
    assert [event.reason for event in journal.of(core.TopicFinished)].count("failed") == 1
    assert result.record.status is core.Status.PARTIAL
    assert len(result.record.evidence) == len(PAGES)
    assert any(problem.code == "topic_failed" for problem in result.record.problems)


async def test_no_hits_are_said_and_the_run_ends_properly() -> None:
    result, _ = await run_scripted(ScriptedAnalyst(), MemorySource(pages=()))
    assert result.record.status is core.Status.PARTIAL
    assert "no_hits" in {problem.code for problem in result.record.problems}
    assert "Nothing was found" in result.markdown


async def test_quotes_that_stand_in_no_page_are_replaced_by_rule() -> None:
    analyst = ScriptedAnalyst(on_summarise=lambda request: PageSummary("s", ("This was invented from thin air.",)))
    result, journal = await run_scripted(analyst)
    assert {entry.source for entry in result.record.evidence} == {"S1", "S2", "S3"}
    assert len(journal.of(core.EvidenceFound)) == 2 * 3, "each lane is told what was taken from its pages"


class SlowReader(ScriptedAnalyst):
    async def summarise(self, request: PageRequest) -> PageSummary:
        await asyncio.sleep(30)
        return await super().summarise(request)


async def test_a_slow_summary_is_quoted_by_rule() -> None:
    limits = replace(core.PRESETS[core.PresetName.QUALITY].limits, summary_seconds=0.05)
    result, _ = await run_scripted(SlowReader(topics=["T"]), limits=limits)
    assert "model_timeout" in {problem.code for problem in result.record.problems}
    assert len(result.record.evidence) == len(PAGES)


async def test_rules_read_a_page_to_its_end_however_long_that_takes() -> None:
    class SlowRules(ScriptedAnalyst):
        async def summarise(self, request: PageRequest) -> PageSummary:
            await asyncio.sleep(0.05)
            read.append(request.page.url)
            return await super().summarise(request)

    read: list[str] = []
    rules, journal = SlowRules(topics=["T"]), MemoryJournal()
    world = replace(scripted_world(rules), rules=rules)
    limits = replace(core.PRESETS[core.PresetName.QUALITY].limits, summary_seconds=0.0)
    result = await conduct("test", core.Brief(question="What of pumps?"), world, journal, Control(), limits=limits)
    assert not journal.of(core.ProblemOccurred)
    assert len(read) == len(set(read)) == len(PAGES) == len(result.record.evidence)


async def test_rules_on_what_lies_here_do_one_thing_after_another_and_find_the_same_each_time() -> None:
    class InOrder(ScriptedAnalyst):
        async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
            return [Search(("one", "two", "three"))] if not view.turn else [ResearchComplete()]

        async def summarise(self, request: PageRequest) -> PageSummary:
            under_way.append(request.page.url)
            await asyncio.sleep(0)
            assert len(under_way) == 1, "nobody reads beside"
            under_way.clear()
            return await super().summarise(request)

    under_way: list[str] = []
    rules, journal = InOrder(topics=["A", "B"]), MemoryJournal()
    here = MemorySource(name=core.SourceName.LIBRARY)
    world = replace(scripted_world(rules, here), rules=rules)
    result = await conduct("test", core.Brief(question="What of pumps?"), world, journal, Control())
    assert [event.lane for event in journal.events if isinstance(event, (core.TopicStarted, core.TopicFinished))] == [
        "R1", "R1", "R2", "R2",
    ]  # fmt: skip
    assert [request.query for request in here.asked] == ["one", "two", "three"] * 2
    assert [entry.url for entry in result.record.sources] == [page.url for page in PAGES]


async def test_compression_drops_ids_but_every_source_survives() -> None:
    pages = [found_page("one", "First fact about it. Second fact about it. Third."), *PAGES[:1]]
    analyst = ScriptedAnalyst(
        topics=["T"],
        on_summarise=lambda request: PageSummary("s", tuple(s + "." for s in request.text.split(". ")[:2])),
        on_compress=lambda findings: Compression((findings.evidence[0].id, "E99"), "n"),
    )
    _, journal = await run_scripted(analyst, MemorySource(pages=pages))
    (compressed,) = journal.of(core.FindingsCompressed)
    assert compressed.kept == ("E1", "E3") and compressed.dropped == ("E2", "E4")


@pytest.mark.parametrize("answer", [lambda f: Compression((), ""), lambda f: Compression(("E99", "x"), ""), refuse])
async def test_an_unusable_compression_keeps_everything(answer) -> None:  # type: ignore[no-untyped-def]
    result, journal = await run_scripted(ScriptedAnalyst(topics=["T"], on_compress=answer))
    assert len(result.record.sentences) == len(result.record.evidence) == len(PAGES)
    assert not [event for event in journal.of(core.FindingsCompressed) if event.dropped]


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (refuse, "model_unauthorized"),
        (lambda request: "", "report_uncited"),
        (lambda request: "A claim [7] and another [E999].", "report_uncited"),
        (lambda request: "# T\n\n" + "\n".join(f"- [{name}]" for name in request.evidence), "report_uncited"),
    ],
)
async def test_a_report_that_cannot_be_used_is_composed_by_rule(write, code: str) -> None:  # type: ignore[no-untyped-def]
    result, journal = await run_scripted(ScriptedAnalyst(on_write=write))
    assert list(dict.fromkeys(event.analyst for event in journal.of(core.ReportStarted))) == ["scripted", "rules"]
    assert result.record.writer == "rules" and result.record.status is core.Status.PARTIAL
    assert {code, "report_by_rule"} <= {problem.code for problem in result.record.problems}
    assert all(sentence.evidence for sentence in result.record.sentences)


@pytest.mark.parametrize(
    ("told", "writer"),
    [("Trains to Mars cost {} dollars [E1].", "rules"), ("The pump market grew 4.2% in 2025 [E1].", "scripted")],
)
async def test_a_report_of_which_pages_bear_out_nothing_is_composed_by_rule(told: str, writer: str) -> None:
    lines = "\n\n".join(told.format(number) for number in range(11, 17))
    result, journal = await run_scripted(ScriptedAnalyst(on_write=lambda request: f"# T\n\n{lines}"))
    assert result.record.writer == writer
    is_told = "report_baseless" in {problem.code for problem in result.record.problems}
    assert is_told == (writer == "rules") == (result.record.status is core.Status.PARTIAL)
    assert "Mars" not in result.markdown
    kept = {name for event in journal.of(core.TopicFinished) for name in event.evidence}
    told_of = {name for sentence in result.record.sentences for name in sentence.evidence}
    assert told_of == (kept if writer == "rules" else {"E1"}), "what gives way to quotes gives way to all of them"


async def test_quotes_in_place_of_a_models_report_stand_before_what_is_said_of_them() -> None:
    lines = "\n\n".join(f"Trains to Mars cost {number} dollars [E1]." for number in range(11, 17))
    pages = [replace(page, published=None) for page in PAGES]
    analyst = ScriptedAnalyst(on_write=lambda request: f"# T\n\n{lines}")
    world = replace(scripted_world(analyst, MemorySource(pages)), rules=ExtractiveAnalyst())
    brief = core.Brief(question="How much did the pump market grow in 2025?", summary=core.Summary.LAST)
    result = await conduct("test", brief, world, MemoryJournal(), Control())
    titles = [line[3:] for line in result.markdown.splitlines() if line.startswith("## ")]
    about = titles.index("About the quotes")
    assert titles[about - 1].startswith("Topic") and titles[about + 1] == "Executive summary"


async def test_a_report_of_quotes_is_not_baseless_for_sentences_around_them_that_cite_nothing() -> None:
    around = "\n\n".join(f"Trains to Mars are {number} times told of below." for number in range(11, 18))

    def write(request):  # type: ignore[no-untyped-def]
        name, entry = next(iter(request.evidence.items()))
        return f"# T\n\n{around}\n\n{entry.quote} [{name}]"

    result, _ = await run_scripted(ScriptedAnalyst(on_write=write))
    assert result.record.writer == "scripted"
    assert "report_baseless" not in {problem.code for problem in result.record.problems}


async def test_finish_now_stops_research_and_still_writes_the_report() -> None:
    control = Control()
    analyst = ScriptedAnalyst(topics=["fast", "slow"], delay=0.02)

    def investigate(view):  # type: ignore[no-untyped-def]
        if view.turn == 1:
            control.finish.set()
        return [Search((f"query {view.turn}",))]

    analyst.on_investigate = investigate
    result, journal = await run_scripted(analyst, MemorySource(delay=0.02), control=control)
    assert journal.of(core.FinishRequested)
    assert result.record.writer == "scripted", "the analyst itself writes from what there is"
    assert result.record.status is core.Status.PARTIAL and result.record.evidence
    assert all(sentence.evidence for sentence in result.record.sentences)


async def test_stop_ends_at_once_with_what_there_is() -> None:
    control = Control()
    analyst = ScriptedAnalyst(topics=["T"])
    source = MemorySource()

    async def stop_soon() -> None:
        await asyncio.sleep(0.15)
        analyst.delay = 60
        control.stop.set()

    analyst.delay = 0.02
    analyst.on_investigate = lambda view: [Search((f"query {view.turn}",))]
    source.delay = 0.02
    stopping = asyncio.create_task(stop_soon())
    began = time.monotonic()
    result, _ = await run_scripted(analyst, source, control=control)
    await stopping
    assert time.monotonic() - began < 30, "no call was waited for"
    assert result.record.writer == "rules"
    assert "stopped" in {problem.code for problem in result.record.problems}


async def test_decisions_that_fail_do_not_end_the_run_with_nothing() -> None:
    result, _ = await run_scripted(ScriptedAnalyst(on_supervise=refuse))
    assert result.record.status is core.Status.PARTIAL
    assert result.markdown.startswith("# ")


async def test_what_never_fits_a_window_is_quoted_whole() -> None:
    def overflow(_: object) -> str:
        raise core.ContextOverflow("context_overflow", "scripted")

    result, journal = await run_scripted(ScriptedAnalyst(on_write=overflow))
    assert "report_by_rule" in {event.code for event in journal.of(core.ProblemOccurred)}
    kept = {name for event in journal.of(core.TopicFinished) for name in event.evidence}
    assert kept == {name for sentence in result.record.sentences for name in sentence.evidence}


async def test_a_report_that_does_not_fit_at_once_is_written_in_sections() -> None:
    def write(request: ReportRequest) -> str:
        if len(request.evidence) > 1:
            raise core.ContextOverflow("context_overflow", "scripted")
        return "".join(f"Something is known [{name}].\n" for name in request.evidence)

    result, journal = await run_scripted(ScriptedAnalyst(on_write=write))
    kept = {name for event in journal.of(core.TopicFinished) for name in event.evidence}
    assert kept == {name for sentence in result.record.sentences for name in sentence.evidence}
    assert result.record.writer == "scripted" and len(kept) > 1
    assert {event.analyst for event in journal.of(core.SectionWritten)} == {"scripted"}


class OneSlowPage(ScriptedAnalyst):
    """Searches twice; one page is not summarised before the second search has begun, or at all."""

    def __init__(self, journal: MemoryJournal | None = None) -> None:
        super().__init__(topics=["Pumps"])
        self.journal = journal

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        return [Search((f"pumps {view.turn}",))] if view.turn < 2 else [ResearchComplete()]

    async def summarise(self, request: PageRequest) -> PageSummary:
        if "beta" in request.page.url:
            while self.journal is None or len(self.journal.of(core.SearchStarted)) < 2:  # noqa: ASYNC110 - a journal tells nobody
                await asyncio.sleep(0.01)
        return await super().summarise(request)


async def test_the_next_search_begins_while_the_last_page_is_read_and_its_quotes_are_kept() -> None:
    journal, limits = MemoryJournal(), replace(core.PRESETS[core.PresetName.QUALITY].limits, page_patience=0.05)
    world = scripted_world(OneSlowPage(journal))
    result = await conduct("test", core.Brief(question="What of pumps?"), world, journal, Control(), limits=limits)
    order = [event for event in journal.events if isinstance(event, (core.SearchStarted, core.PageSummarised))]
    second = [number for number, event in enumerate(order) if isinstance(event, core.SearchStarted)][1]
    assert sum(isinstance(event, core.PageSummarised) for event in order[:second]) == len(PAGES) - 1
    assert {entry.site for entry in result.record.sources} == {page.site for page in PAGES}
    assert len(result.record.evidence) == len(PAGES)


async def test_a_page_that_is_never_read_is_quoted_by_rule_in_the_end() -> None:
    limits = replace(core.PRESETS[core.PresetName.QUALITY].limits, page_patience=0.02, summary_seconds=0.3)
    result, _ = await run_scripted(OneSlowPage(), limits=limits)
    assert len(result.record.evidence) == len(PAGES)


async def test_where_what_a_model_quoted_answers_nothing_the_report_by_rule_quotes_the_same_pages_anew() -> None:
    page = found_page(
        "beta", "Analysts met in Rome. Imports of pumps fell to 310 units in March 2026, says the office."
    )
    analyst = ScriptedAnalyst(topics=["Pumps"], on_write=refuse)
    world = replace(scripted_world(analyst, MemorySource([page])), rules=ExtractiveAnalyst())
    journal = MemoryJournal()
    brief = core.Brief(question="How many pumps were imported in March 2026?")
    result = await conduct("test", brief, world, journal, Control())
    first, *further = journal.of(core.EvidenceFound)
    assert first.quote == "Analysts met in Rome." and further
    assert "310 units" in result.markdown.partition("## Answer")[2].partition("##")[0]
    cited = {name for sentence in result.record.sentences for name in sentence.evidence}
    assert cited & {event.id for event in further}
    assert {event.id for event in (first, *further)} == core.RunView.of(journal.events).lanes["R1"].evidence.keys()
