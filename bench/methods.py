"""All five methods on the same question: in the world on loopback with models, and on the samples without any.

What an estimate says before the fourth run of its kind stands beside what that run took.

    python -m bench.methods

Each method with models has a home of its own, so that none profits from what another one paid for; it runs there twice.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from bench.loopback import Latencies, Loopback
from bench.paths import critical_path
from research.core import PRESETS, Brief, MethodName, PresetName
from research.engine import VariantOutcome, estimate
from research.language import Language
from research.results import Report, borne_out
from research.settings import Settings
from research.store import RunStore, past_runs, run_sync

WITH_MODELS = "How large is the pump market, who leads it, and what is its outlook?"
WITHOUT = (
    ("South Korea’s economy and exports", Language.EN, "How large is South Korea's economy, and what does it export?"),
    ("韓国の経済規模と輸出品", Language.JA, "韓国の経済規模と主な輸出品は？"),
    ("house documents", Language.EN, "What did the service centres cost in 2025, and is Vietnam on track?"),
    ("社内資料", Language.JA, "ベトナム事業の売上目標と進捗、リスクは？"),
)
_HEAD = "| method | calls | tokens | queries | pages | cited | quotes | score | coverage | supported / checked |"
_RULE = "| --- |" + " ---: |" * (_HEAD.count("|") - 1)


def main() -> None:
    """Print a table for each question."""
    with Loopback() as world:
        with tempfile.TemporaryDirectory() as home:  # Clients of models are loaded once for a process.
            first = Brief(question="Is it ready?", preset=PresetName.SPEED, method=MethodName.CHAINED)
            run_sync(first, settings=_settings(home, world.environment))
        for preset in (PresetName.SPEED, PresetName.QUALITY):
            print(f"\n### With models, preset {preset.value}: {WITH_MODELS}\n")
            print(f"{_HEAD} wall / critical path | the same again |\n{_RULE} ---: |")
            for method in MethodName:
                with tempfile.TemporaryDirectory() as home:
                    brief = Brief(question=WITH_MODELS, preset=preset, method=method)
                    cold, warm = (run_sync(brief, settings=_settings(home, world.environment)) for _ in range(2))
                took = (_over_path(report, method, world.latencies) for report in (cold, warm))
                print(_row(cold, " | ".join(took)), flush=True)
        print("\n### What was estimated after three runs, over what the fourth took: seconds; tokens; US dollars\n")
        for method in MethodName:
            print(f"{method.value}: {'; '.join(_estimated(method, world.environment))}", flush=True)
    with tempfile.TemporaryDirectory() as home:
        run_sync(Brief(question="Samples are indexed first."), settings=_settings(home))
        for name, language, question in WITHOUT:
            print(f"\n### Without a model: {name}\n")
            print(f"{_HEAD} seconds |\n{_RULE}")
            for method in MethodName:
                report = run_sync(Brief(question=question, language=language, method=method), settings=_settings(home))
                print(_row(report, f"{report.record.seconds:.1f}"), flush=True)


def _estimated(method: MethodName, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield both ends of an estimate over what the run took, for time, tokens and price; each question is a new one."""
    briefs = [Brief(question=f"{WITH_MODELS} In region {n}?", preset=PresetName.SPEED, method=method) for n in range(4)]
    with tempfile.TemporaryDirectory() as home:
        for brief in briefs[:3]:
            run_sync(brief, settings=_settings(home, environment))
        with closing(RunStore(Path(home))) as store:
            past = past_runs(store, briefs[3], "chat", web=True)
        told = estimate(briefs[3], PRESETS[PresetName.SPEED].models, past, web=True)
        record = run_sync(briefs[3], settings=_settings(home, environment)).record
    took = record.seconds, record.spent.tokens, record.spent.cost_usd
    for span, number in zip((told.seconds, told.tokens, told.cost_usd), took, strict=True):
        yield f"{span.low / number:.2f} to {span.high / number:.2f}" if span and number else "unknown"


def _over_path(report: Report, method: MethodName, latencies: Latencies) -> str:
    path, wall = critical_path(report, method, latencies), report.record.seconds
    return f"{wall:.1f} s / {path:.1f} s = {wall / path:.2f}"


def _settings(home: str, environment: Mapping[str, str] | None = None) -> Settings:
    """Return settings with nothing of this machine's but what is given."""
    held = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "TAVILY"))}
    return Settings.from_environment({**held, **(environment or {}), "RESEARCH_HOME": home})


def _row(report: Report, time: str) -> str:
    one = VariantOutcome.of(report)
    cells = (
        one.variant.method.value,
        one.calls,
        f"{one.tokens:,}",
        one.queries,
        one.pages,
        one.cited,
        one.quotes,
        f"{one.score}/10",
        f"{one.coverage:.0%}",
        f"{borne_out(one.verdicts)} / {sum(one.verdicts.values())}",
        time,
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
