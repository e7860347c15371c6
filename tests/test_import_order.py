"""What a module needs, it is needed by no further down: neither for types alone nor inside a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def modules() -> dict[str, Path]:
    paths = [*ROOT.glob("research/**/*.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("bench/**/*.py"), ROOT / "app.py"]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imported(path: Path) -> Iterator[str]:
    """Yield every name that a file imports, wherever it does, with the module that the name is from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_two_modules_need_each_other() -> None:
    known = modules()
    needs = {
        name: {one if one in known else one.rpartition(".")[0] for one in imported(path)} & known.keys() - {name}
        for name, path in known.items()
    }
    assert len(list(TopologicalSorter(needs).static_order())) == len(known) > 100
