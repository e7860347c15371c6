"""Wall time over the critical path, written at once and in parts; and what is left of the facts when models fail.

python -m bench.critical_path [--faults]
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from bench.loopback import Loopback
from bench.paths import critical_path
from research.core import PRESETS, Brief, Length, MethodName, PresetName, cited_sentences
from research.results import Report
from research.settings import Settings
from research.store import run_sync
from tests.support.openai_server import OVERFLOW, Body, Failure, Reply, Text

REMARKS = 200
BRIEF = Brief(
    question="How large is the pump market, and who leads it?", preset=PresetName.QUALITY, method=MethodName.SUPERVISED
)
Fault = Callable[[Body, Callable[[Body], Reply]], Reply]
"""Answers in place of the server, or lets it answer."""
_TOKEN = 4
"""Characters."""


def window(tokens: int) -> Fault:
    """Refuse what is longer than a window of so many tokens."""

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        length = sum(len(str(message.get("content") or "")) for message in body["messages"])
        return OVERFLOW if body.get("stream") and length > tokens * _TOKEN else honest(body)

    return answer


def writer(reply: Reply, *, times: int | None = None) -> Fault:
    """Have whoever writes answer with `reply`, always or so many times."""
    asked = count()

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        fails = body.get("stream") and (times is None or next(asked) < times)
        return reply if fails else honest(body)

    return answer


def cut(body: Body, honest: Callable[[Body], Reply]) -> Reply:
    """Cut every streamed answer in its middle."""
    reply = honest(body)
    if body.get("stream") and not isinstance(reply, Failure) and reply.text:
        return Text(reply.text[: len(reply.text) // 2], finish="length", pieces=70, piece_seconds=0.02)
    return reply


_QUICK = {"x-should-retry": "false"}
FAULTS: dict[str, Fault] = {
    "window 2,000 (writer)": window(2_000),
    "window 3,000 (writer)": window(3_000),
    "window 6,000 (writer)": window(6_000),
    "writer cut in the middle": cut,
    "writer empty": writer(Text("")),
    "writer HTML": writer(Text("<html><body>Bad gateway</body></html>")),
    "writer cites nothing": writer(Text("Pumps are important. " * 20)),
    "writer 401": writer(Failure(401)),
    "writer 500": writer(Failure(500, headers=_QUICK)),
    "writer fails five times": writer(Failure(500, headers=_QUICK), times=5),
}


def run(brief: Brief, fault: Fault | None = None) -> tuple[Report, Loopback]:
    """Carry a brief out in a fresh home."""
    with Loopback() as world, tempfile.TemporaryDirectory() as home:
        honest = world.openai.handler
        if fault is not None and honest is not None:
            world.openai.handler = lambda body: fault(body, honest)
        settings = Settings.from_environment({**os.environ, **world.environment, "RESEARCH_HOME": str(Path(home))})
        return run_sync(brief, settings=settings), world


def kept(report: Report) -> float:
    """Return the share of the quotes kept by the researchers that the report cites."""
    found = {name for topic in report.view.topics for name in topic.evidence}
    cited = {name for sentence in report.record.sentences for name in sentence.evidence}
    return len(cited & found) / len(found) if found else 0.0


def repetition(report: Report) -> float:
    """Return the share of sentences whose words stand in an earlier one already."""
    said = [sentence.text for sentence in cited_sentences(report.record.draft)]
    return 1 - len(set(said)) / len(said) if said else 0.0


def figures(report: Report, world: Loopback) -> Iterator[str]:
    """Yield what is printed of one run."""
    path, seconds = critical_path(report, MethodName.SUPERVISED, world.latencies), report.record.seconds
    spent = sum(usage.input_tokens for usage in report.record.usage.values())
    verdicts = " ".join(f"{name}={number}" for name, number in sorted(_verdicts(report).items()))
    yield f"wall {seconds:.2f} s / critical path {path:.2f} s = {seconds / path:.3f}; {spent} prompt tokens"
    yield f"facts kept {kept(report):.2f}, repeated {repetition(report):.2f}, {report.record.pages} pages; {verdicts}"


def _verdicts(report: Report) -> dict[str, int]:
    found: dict[str, int] = {}
    for sentence in report.record.sentences:
        if sentence.verdict:
            found[sentence.verdict] = found.get(sentence.verdict, 0) + 1
    return found


def calls() -> None:
    """Run the brief with pages shown whole, twice as it is, and where calls hang; print the figures."""
    usual = PRESETS[BRIEF.preset]
    whole = replace(usual.limits, bearing_characters=usual.limits.page_characters)
    with Loopback(remarks=REMARKS) as world, tempfile.TemporaryDirectory() as home:
        told = {**os.environ, **world.environment}
        PRESETS[BRIEF.preset] = replace(usual, limits=whole)
        before = run_sync(BRIEF, settings=Settings.from_environment({**told, "RESEARCH_HOME": f"{home}/whole"}))
        PRESETS[BRIEF.preset] = usual
        settings = Settings.from_environment({**told, "RESEARCH_HOME": f"{home}/now"})
        first = run_sync(BRIEF, settings=settings)
        second = run_sync(BRIEF, settings=settings)
        world.hangs_every = 20
        hanging = run_sync(BRIEF, settings=Settings.from_environment({**told, "RESEARCH_HOME": f"{home}/hanging"}))
    tokens = [report.record.spent.input_tokens for report in (before, first)]
    print(f"prompt tokens, what bears on the question over whole pages: {tokens[1]:,} / {tokens[0]:,}", end=" = ")
    print(f"{tokens[1] / tokens[0]:.2f}; facts {len(first.record.evidence)} / {len(before.record.evidence)}")
    walls = hanging.record.seconds, first.record.seconds
    print(f"one call in 20 hangs: {walls[0]:.1f} s / {walls[1]:.1f} s = {walls[0] / walls[1]:.2f}", end="; ")
    print(f"facts {len(hanging.record.evidence)} / {len(first.record.evidence)}")
    for name, report in (("pages whole", before), ("first run", first), ("second run", second)):
        path = critical_path(report, MethodName.SUPERVISED, world.latencies)
        seconds = report.record.seconds
        print(f"{name}: {report.status.value}, {len(report.record.sources)} pages")
        print(f"  wall {seconds:.2f} s / critical path {path:.2f} s = {seconds / path:.3f}")
        for role, usage in report.record.usage.items():
            print(
                f"  {role.value:<14} {usage.calls:>4} calls {usage.input_tokens:>8} in {usage.output_tokens:>7} out"
                f" {usage.cached:>4} not made"
            )


def main() -> None:
    """Print the figures."""
    calls()
    seconds = 0.0
    for name, brief in (("at once", BRIEF.model_copy(update={"length": Length.SHORT})), ("in parts", BRIEF)):
        report, world = run(brief)
        seconds = report.record.seconds
        print(f"{name}: {report.status.value}, {len(report.record.sources)} pages read")
        for line in figures(report, world):
            print(f"  {line}")
    if "--faults" in sys.argv:
        for name, fault in FAULTS.items():
            report, _ = run(BRIEF, fault)
            ratio = report.record.seconds / seconds
            print(f"{name:<28} facts kept {kept(report):.2f}  time {ratio:.2f}  by {report.record.writer}")


if __name__ == "__main__":
    main()
