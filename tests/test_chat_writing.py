"""The report, written by a model in one streamed call."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from research.analysts import ReportRequest
from research.analysts.chat.answers import evidence_line
from research.analysts.chat.writing import ReportStream
from research.core import (
    Audience,
    ContextOverflow,
    Length,
    ModelError,
    Outline,
    OutputForm,
    PresetName,
    Role,
    Section,
    Summary,
    Tone,
    UnusableAnswer,
)
from research.language import Language
from tests.support.chat import SECTION, Shelf, desk, written
from tests.support.openai_server import OVERFLOW, Answer, Body, Failure, OpenAIServer, Reply, Text

REPORT = "# Tea\n\nJapan exported 8,798 tonnes [E1].\n"


def shelf(pages: int = 3, quotes: int = 4) -> Shelf:
    filled = Shelf()
    for page in range(pages):
        filled.page(
            *(f"Page {page} says that fact number {quote} holds." for quote in range(quotes)), title=f"Page {page}"
        )
    return filled


def shown(body: Body) -> list[str]:
    """Return the ids of the evidence that a request shows."""
    return re.findall(r"^\[(E\d+)\]", body["messages"][1]["content"], re.MULTILINE)


async def test_a_report_streams_in(server: OpenAIServer) -> None:
    server.enqueue(Text(REPORT, tokens=(900, 90)))
    at = desk(server)
    pieces = [piece async for piece in at.analyst.write(shelf().report_request())]
    assert "".join(pieces) == REPORT
    assert len(pieces) > 3
    assert at.problems == []
    [called] = at.calls
    assert (called.role, called.input_tokens, called.output_tokens) == (Role.FINAL_REPORT, 900, 90)
    [request] = server.requests
    assert request.tools == []
    assert request.body["stream_options"] == {"include_usage": True}


async def test_the_writer_sees_brief_date_and_evidence_by_topic(server: OpenAIServer) -> None:
    server.enqueue(Text(REPORT))
    await written(desk(server).analyst, shelf(2, 2).report_request(("E1", "E2"), ("E3", "E4", "E1")))
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "2026-11-21" in system
    assert "How much tea does Japan export?" in user
    assert re.search(r"Topic: Topic 1\nNotes: Well covered\.\n\[E1\].*\n\[E2\].*\n\nTopic: Topic 2\n", user)
    assert '[E3] "Page 1 says that fact number 0 holds." — Page 1 (site2.example, 2026-10-01, recent)\n' in user
    assert shown(server.requests[0].body) == ["E1", "E2", "E3", "E4"]
    assert "https://" not in user


async def test_the_brief_decides_how_it_is_written_and_the_preset_what_it_leaves_open(server: OpenAIServer) -> None:
    server.handler = lambda _: Text(REPORT)
    analyst = desk(server).analyst
    await written(analyst, shelf().report_request(preset=PresetName.SPEED))
    await written(
        analyst,
        shelf().report_request(
            language=Language.JA, form=OutputForm.TEXT, length=Length.LONG, summary=Summary.LAST, tone=Tone.FORMAL,
            audience=Audience.EXECUTIVES, glossary={"GT": "green tea"},
        ),
    )  # fmt: skip
    by_preset, by_brief = (request.body["messages"][0]["content"] for request in server.requests)
    assert all(words in by_preset for words in ("English", "key points", "one page", "summary: none", "plain words"))
    assert all(
        words in by_brief
        for words in ("Japanese", "continuous", "thirty", "at the end", "board", "executives", "GT = ")
    )


async def test_strict_reports_and_ideas_have_rules_of_their_own(server: OpenAIServer) -> None:
    server.handler = lambda _: Text(REPORT)
    for preset in (PresetName.QUALITY, PresetName.FACT_STRICT, PresetName.INSIGHT):
        await written(desk(server).analyst, shelf().report_request(preset=preset))
    plain, strict, insight = (request.body["messages"][0]["content"] for request in server.requests)
    assert "primary sources" in strict and "primary sources" not in plain + insight
    assert "other industries" in insight and "other industries" not in plain + strict


PLAN = Outline(
    purpose="Show whether\nto export.",
    sections=(SECTION, Section(title="Buyers", questions=("Who buys?",))),
    introduction="Why tea.",
    conclusion="What follows.",
    remark="Thin on prices.",
)


def planned(**fields: Any) -> ReportRequest:
    request = shelf(2, 2).report_request(("E1", "E2"), ("E3", "E4"), **fields)
    results = tuple(
        replace(result, section=section) for result, section in zip(request.results, PLAN.sections, strict=True)
    )
    return replace(request, outline=PLAN, results=results)


async def test_a_planned_report_follows_its_plan(server: OpenAIServer) -> None:
    server.enqueue(Text(REPORT))
    await written(desk(server).analyst, planned())
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "Follow the plan" in system and "`### Key findings`" in system
    assert "headings that fit the question" not in system
    assert "list of sources: the program adds them" in system
    plan = user.split("<plan>\n")[1].split("\n</plan>")[0].splitlines()
    assert plan == [
        "Purpose: Show whether to export.",
        "Introduction: Why tea.",
        "## Volumes",
        "Focus: How much tea leaves Japan",
        "Key questions: How much in 2024?",
        "Required: export volume; export value",
        "## Buyers",
        "Key questions: Who buys?",
        "Conclusion: What follows.",
    ]
    assert re.search(r"Section: Volumes\nTopic: Topic 1\nNotes: .*\n\[E1\].*\n\[E2\].*\n\nSection: Buyers\n", user)


async def test_a_planned_report_in_japanese_has_japanese_headings(server: OpenAIServer) -> None:
    server.enqueue(Text(REPORT))
    await written(desk(server).analyst, planned(language=Language.JA))
    assert "`### 主な事実`" in server.requests[0].body["messages"][0]["content"]


async def test_a_report_without_plan_finds_its_own_form(server: OpenAIServer) -> None:
    server.enqueue(Text(REPORT))
    await written(desk(server).analyst, shelf().report_request())
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "headings that fit the question" in system and "plan" not in system + user


async def test_what_never_fits_is_an_overflow(server: OpenAIServer) -> None:
    server.handler = lambda _: OVERFLOW
    with pytest.raises(ContextOverflow):
        await written(desk(server).analyst, shelf(5, 10).report_request())
    assert [len(shown(request.body)) for request in server.requests] == [50], "who asked decides what is left out"


@pytest.mark.parametrize("cut", [Text(REPORT, finish="length"), Text(REPORT, breaks_after=3)])
async def test_a_cut_report_raises_after_its_pieces(server: OpenAIServer, cut: Answer) -> None:
    server.enqueue(cut)
    pieces = []
    with pytest.raises(UnusableAnswer) as caught:
        async for piece in desk(server).analyst.write(shelf().report_request()):
            pieces.append(piece)
    assert caught.value.code == "answer_cut" and REPORT.startswith("".join(pieces)) and pieces


async def test_a_report_that_breaks_off_with_an_error_raises_after_its_pieces(server: OpenAIServer) -> None:
    server.enqueue(Text(REPORT, error_after=3))
    pieces: list[str] = []
    with pytest.raises(ModelError):
        async for piece in desk(server).analyst.write(shelf().report_request()):
            pieces.append(piece)
    assert "".join(pieces) == REPORT[:24]


@pytest.mark.parametrize("answer", [Answer(), Text("  \n"), Text("<think>What now?"), Answer(refusal="No.")])
async def test_an_empty_report_is_none(server: OpenAIServer, answer: Answer) -> None:
    server.enqueue(answer)
    with pytest.raises(UnusableAnswer):
        await written(desk(server).analyst, shelf().report_request())


@pytest.mark.parametrize("pieces", [1, 3, 8, 1_000])
@pytest.mark.parametrize(
    "wrapped",
    [
        REPORT,
        f"\n\n{REPORT}",
        f"<think>Let me # think</think>\n\n{REPORT}",
        f"```markdown\n{REPORT}```",
        f"<think>ok</think>```md\n{REPORT}```\n",
        f"```\n{REPORT}```",
    ],
)
async def test_thoughts_and_fences_around_a_report_are_left_out(
    server: OpenAIServer, wrapped: str, pieces: int
) -> None:
    server.enqueue(Text(wrapped, pieces=pieces))
    assert await written(desk(server).analyst, shelf().report_request()) == REPORT


@pytest.mark.parametrize(
    "text", ["`code` first", "<table>", "# Tea\n\n```python\nx\n```\n", "Tea <think>so</think>", "```"]
)
def test_what_belongs_to_the_report_is_left_in(text: str) -> None:
    stream = ReportStream(longest=10_000)
    assert "".join(map(stream.feed, text)) + stream.end() == text


@pytest.mark.parametrize("endless", ["This very same line of text returns.\n" * 60, "word " * 20_000])
async def test_a_model_that_does_not_end_is_stopped(server: OpenAIServer, endless: str) -> None:
    server.enqueue(Text(REPORT + endless, pieces=40))
    text = ""
    with pytest.raises(UnusableAnswer):
        async for piece in desk(server).analyst.write(shelf().report_request(length=Length.PAGE)):
            text += piece
    assert text.startswith(REPORT)
    assert len(text) < 13_000 and text.count("This very same line") <= 6


def test_rows_of_tables_may_return() -> None:
    stream = ReportStream(longest=10_000)
    stream.feed("| Country | Share of renewable power | Source |\n| --- | --- | --- |\n" * 20)
    assert not stream.is_endless


async def test_a_failure_before_the_first_piece_raises(server: OpenAIServer) -> None:
    def reject(_: Body) -> Reply:
        return Failure(503, headers={"x-should-retry": "false"})

    server.handler = reject
    with pytest.raises(ModelError) as caught:
        await written(desk(server).analyst, shelf().report_request())
    assert caught.value.code == "model_failed"


@pytest.mark.parametrize(
    ("published", "dated"),
    [("2026-11-01", "2026-11-01, recent"), ("2026-08", "2026-08"), (None, "undated")],
)
def test_evidence_of_the_last_three_months_is_marked(published: str | None, dated: str) -> None:
    held = shelf()
    pages = {name: page.model_copy(update={"published": published}) for name, page in held.ledger.pages.items()}
    assert evidence_line(held.evidence[0], pages, today=date(2026, 11, 21)).endswith(f", {dated})")
