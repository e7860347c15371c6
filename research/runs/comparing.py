"""Start the same question in several ways, and wait for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from research.brief import Brief
from research.comparison import Comparison
from research.library import Library
from research.runs.api import run
from research.settings import Settings
from research.variants import variants
from research.world import AnalystChoice


async def compare(
    brief: Brief | str,
    *,
    methods: Sequence[str] = (),
    presets: Sequence[str] = (),
    library: Library | Path | str | None = None,
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Comparison:
    """Research a question in every combination of `methods` and `presets`, all at the same time.

    What is not given is the brief's, or each preset's own method. The other arguments are those of `research.run`.

    Raises:
        UsageError: fewer than two ways remain, a name does not exist, or something asked for is not available.
        StoreError: the runs cannot be entered into the run store.
    """
    asked = Brief(question=brief) if isinstance(brief, str) else brief
    ways = variants(asked, methods, presets)
    reports = await asyncio.gather(
        *(run(way.applied_to(asked), library=library, analyst=analyst, settings=settings) for way in ways)
    )
    return Comparison.of(reports)
