"""A research engine whose every claim can be checked.

    report = await research.run("How large is Japan's battery market?")
    report.markdown, report.sources, report.evidence

    research.verify("Sales rose 5% in May.", page).label
    research.figures("3兆4,500億円 in FY2024")[0].value

Everything else is private to the package and may change.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from research import events as events
    from research.core.brief import Brief as Brief
    from research.core.errors import ResearchError as ResearchError, UsageError as UsageError
    from research.experiments.experiment import experiment as experiment
    from research.library.library import Library as Library
    from research.quantities.figures import figures as figures
    from research.results.record import Report as Report
    from research.settings import Settings as Settings
    from research.store.api import (
        ask as ask,
        compare as compare,
        estimate as estimate,
        load as load,
        resume as resume,
        rewrite as rewrite,
        run as run,
        run_sync as run_sync,
        stream as stream,
    )
    from research.verification.verdicts import verify as verify

_HOMES = {
    "research.core": ("Brief", "ResearchError", "UsageError"),
    "research.experiments": ("experiment",),
    "research.library": ("Library",),
    "research.quantities.figures": ("figures",),
    "research.settings": ("Settings",),
    "research.store.api": (
        "Report", "ask", "compare", "estimate", "load", "resume", "rewrite", "run", "run_sync", "stream",
    ),
    "research.verification.verdicts": ("verify",),
}  # fmt: skip
__all__ = sorted(["events", *(name for names in _HOMES.values() for name in names)])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that `import research` costs next to nothing."""
    if name == "events":
        return import_module("research.events")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'research' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
