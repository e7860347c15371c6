"""Wall time over the critical path of the calls made, tokens per role, and what the second run of a brief costs.

python -m bench.critical_path
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bench.loopback import Loopback
from bench.paths import critical_path
from research.core import Brief, MethodName, PresetName
from research.settings import Settings
from research.store import run_sync

BRIEF = Brief(
    question="How large is the pump market, and who leads it?", preset=PresetName.QUALITY, method=MethodName.SUPERVISED
)


def main() -> None:
    """Run the brief twice and print the figures."""
    with Loopback() as world, tempfile.TemporaryDirectory() as home:
        settings = Settings.from_environment({**os.environ, **world.environment, "RESEARCH_HOME": str(Path(home))})
        first = run_sync(BRIEF, settings=settings)
        second = run_sync(BRIEF, settings=settings)
    for name, report in (("first run", first), ("second run", second)):
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
