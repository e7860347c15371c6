"""Wall time over the critical path, written at once and in parts; what fails is in `bench.faults`."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.faults import BRIEF, kept
from bench.loopback import EVERY_TOPIC, Loopback
from bench.paths import critical_path
from research.core import PRESETS, Brief, Length, MethodName, SearchStarted, cited_sentences
from research.results import Report
from research.settings import Settings
from research.store import Runner, RunStore, run_sync

REMARKS = 200
_READING = 3.0
"""Seconds in which a brief is read, at least."""
_WHOLE = 24_000
"""Characters of a page that count as all of it: more than any page of this world has."""


def run(brief: Brief) -> tuple[Report, Loopback]:
    """Carry a brief out in a fresh home."""
    with Loopback() as world, tempfile.TemporaryDirectory() as home:
        settings = Settings.from_environment({**os.environ, **world.environment, "RESEARCH_HOME": str(Path(home))})
        return run_sync(brief, settings=settings), world


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
    told = f"facts kept {kept(report)[1]:.2f}, repeated {repetition(report):.2f}"
    yield f"{told}, {report.record.pages} pages; {verdicts}"


def _verdicts(report: Report) -> dict[str, int]:
    found: dict[str, int] = {}
    for sentence in report.record.sentences:
        if sentence.verdict:
            found[sentence.verdict] = found.get(sentence.verdict, 0) + 1
    return found


def calls() -> None:
    """Run the brief with pages shown whole, twice as it is, and where calls hang; print the figures."""
    usual = PRESETS[BRIEF.preset]
    whole = replace(usual.limits, bearing_characters=_WHOLE)
    with Loopback(remarks=REMARKS) as world, tempfile.TemporaryDirectory() as home:
        told = {**os.environ, **world.environment}
        _make_ready(Settings.from_environment({**told, "RESEARCH_HOME": f"{home}/ready"}))
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


def _make_ready(settings: Settings) -> None:
    """Load what runs need, as a page or a command does while a brief is written or read."""
    with Runner(RunStore.of(settings), settings) as runner:
        runner.make_ready()
        time.sleep(_READING)


def wide() -> None:
    """Run eight topics in three rounds of five searches each, cold and warm; print the figures."""
    usual = PRESETS[BRIEF.preset]
    limits = replace(usual.limits, researchers=8, searches=4, queries=5)
    words = ("figures", "makers", "regions"), ("history", "forecast", "plants"), ("standards", "exports", "projects")
    rounds = [[*three, f"{three[0]} abroad", f"{three[1]} at home"] for three in words]
    with Loopback(topics=EVERY_TOPIC, rounds=rounds) as world, tempfile.TemporaryDirectory() as home:
        PRESETS[BRIEF.preset] = replace(usual, limits=limits)
        settings = Settings.from_environment({**os.environ, **world.environment, "RESEARCH_HOME": home})
        for name in ("cold", "warm"):
            report = run_sync(BRIEF, settings=settings)
            searches = sum(isinstance(event, SearchStarted) for event in report.history)
            print(
                f"eight topics, {name}: {report.status.value}, {searches} searches, {len(report.record.sources)} pages"
            )
            for line in figures(report, world):
                print(f"  {line}")
        PRESETS[BRIEF.preset] = usual


def main() -> None:
    """Print the figures."""
    calls()
    wide()
    for name, brief in (("at once", BRIEF.model_copy(update={"length": Length.SHORT})), ("in parts", BRIEF)):
        report, world = run(brief)
        print(f"{name}: {report.status.value}, {len(report.record.sources)} pages read")
        for line in figures(report, world):
            print(f"  {line}")


if __name__ == "__main__":
    main()
