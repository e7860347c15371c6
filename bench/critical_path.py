"""Wall time over the critical path of the calls made, tokens per role, and what the second run of a brief costs.

python -m bench.critical_path
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace

from bench.loopback import Loopback
from bench.paths import critical_path
from research.core import PRESETS, Brief, MethodName, PresetName
from research.settings import Settings
from research.store import run_sync

REMARKS = 200
BRIEF = Brief(
    question="How large is the pump market, and who leads it?", preset=PresetName.QUALITY, method=MethodName.SUPERVISED
)


def main() -> None:
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


if __name__ == "__main__":
    main()
