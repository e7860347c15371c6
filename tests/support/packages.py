"""A package of somebody else, installed for a test: its code, and what it offers by an entry point."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from research.core import Offered, Registry


@contextmanager
def installed(
    site: Path, monkeypatch: pytest.MonkeyPatch, registry: Registry[Offered], **entries: tuple[str, str, str]
) -> Iterator[None]:
    """Install packages by their names, each with its group, what its entry point leads to, and its code.

    What the registry knows within the block is forgotten after it.
    """
    for name, (group, target, code) in entries.items():
        about = site / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (site / f"{name}.py").write_text(code, encoding="utf-8")
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        (about / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}:{target}\n", encoding="utf-8")
    with monkeypatch.context() as there:
        there.syspath_prepend(str(site))
        there.setattr(registry, "_entries", dict(registry))
        registry.load()
        yield
