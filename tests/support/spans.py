"""An exporter of spans that keeps them in memory, to be chosen by its name as those of packages are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

NAME = "memory"
_made: list[Any] = []


def exporter() -> Any:
    """Return the exporter, the same one each time."""
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    if not _made:
        _made.append(InMemorySpanExporter())
    return _made[0]


def install(folder: Path) -> None:
    """Make the exporter known to whoever has `folder` in its path, as an installed package would."""
    package = folder / "memory_exporter-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: memory-exporter\nVersion: 1.0\n")
    known = f"[opentelemetry_traces_exporter]\n{NAME} = tests.support.spans:exporter\n"
    (package / "entry_points.txt").write_text(known)
