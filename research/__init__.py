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
    from research import events
    from research.core.brief import Brief
    from research.core.errors import ResearchError, UsageError
    from research.library.library import Library
    from research.quantities.figures import figures
    from research.results.report import Report
    from research.store.api import compare, load, resume, run, run_sync, stream
    from research.verification.verdicts import verify

__all__ = [
    "Brief",
    "Library",
    "Report",
    "ResearchError",
    "UsageError",
    "compare",
    "events",
    "figures",
    "load",
    "resume",
    "run",
    "run_sync",
    "stream",
    "verify",
]

_HOMES = {
    "Brief": "research.core.brief",
    "Library": "research.library",
    "Report": "research.results.report",
    "ResearchError": "research.core.errors",
    "UsageError": "research.core.errors",
    "compare": "research.store.api",
    "figures": "research.quantities.figures",
    "load": "research.store.api",
    "resume": "research.store.api",
    "run": "research.store.api",
    "run_sync": "research.store.api",
    "stream": "research.store.api",
    "verify": "research.verification.verdicts",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that `import research` costs next to nothing."""
    if name == "events":
        return import_module("research.events")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'research' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
