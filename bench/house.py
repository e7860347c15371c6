"""The house as a newcomer meets it: how much of it there is, and how much of it one question walks through.

    python -m bench.house

Prints, for `research/` and `pages/`: files, lines, lines of a module in the median, the share of lines that import; how
many files one question runs through, with models (in the world on loopback) and without any; and which rooms import
a room that stands above them by the contract in `pyproject.toml`. To hold two states of the repository against each
other, run it in a checkout of each.
"""

from __future__ import annotations

import ast
import inspect
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
_WITH_MODELS = "How large is the pump market, who leads it, and what is its outlook?"
_WITHOUT = "How large is Vietnam's economy?"


class Size(NamedTuple):
    """How much code stands below a folder."""

    files: int
    lines: int
    median: float
    """Lines of a module in the median, package files without code left out."""
    imports: float
    """Share (0 to 1) of lines that belong to import statements."""


def size(folder: Path) -> Size:
    """Measure the Python files below a folder."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))]
    lengths = [text.count("\n") for text in texts]
    importing = sum(_import_lines(text) for text in texts)
    modules = [length for text, length in zip(texts, lengths, strict=True) if ast.parse(text).body]
    return Size(len(texts), sum(lengths), statistics.median(modules), importing / max(1, sum(lengths)))


def _import_lines(text: str) -> int:
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def executed(arguments: list[str], environment: Mapping[str, str] | None = None) -> int:
    """Ask one question in a fresh process and home; return in how many files of `research/` a function ran."""
    with tempfile.TemporaryDirectory() as home:
        held = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "TAVILY"))}
        settings = {**held, **(environment or {}), "RESEARCH_HOME": f"{home}/kept"}
        command = [sys.executable, "-m", "bench.house", "--trace", f"{home}/files", "run", *arguments]
        subprocess.run([*command, "--out", f"{home}/out"], cwd=ROOT, env=settings, check=True, capture_output=True)
        return int(Path(home, "files").read_text())


def _trace(out: Path, arguments: list[str]) -> None:
    """Run the command line in this process and write down in how many files of the engine a function ran."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_function = event == "call" and code.co_flags & inspect.CO_OPTIMIZED
        if is_function and code.co_filename not in seen and not _is_importing(frame):
            seen.add(code.co_filename)

    sys.argv = ["research", *arguments]
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        runpy.run_module("research", run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0, 3):
            raise
    finally:
        sys.setprofile(None)
        engine = str(ROOT / "research") + os.sep
        out.write_text(str(sum(name.startswith(engine) for name in seen)))


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a frame runs because some module is being loaded, not because of the question."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and f"{os.sep}research{os.sep}" in code.co_filename:
            return not code.co_filename.endswith("__main__.py")
        frame = frame.f_back
    return False


def upward() -> list[str]:
    """Return the imports that lead from a room to one above it, by the layers in `pyproject.toml`."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next((contract["layers"] for contract in contracts if contract.get("type") == "layers"), [])
    height = {room.strip(): -place for place, row in enumerate(layers) for room in row.replace("|", ":").split(":")}
    found = []
    for path in sorted((ROOT / "research").rglob("*.py")):
        room = ".".join(path.relative_to(ROOT).with_suffix("").parts[:2])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                target = ".".join(node.module.split(".")[:2])
                if room in height and height.get(target, height[room]) > height[room]:
                    found.append(f"{path.relative_to(ROOT)} -> {node.module}")
    return found


def main() -> None:
    """Print the measures."""
    print("| folder | files | lines | lines of a module (median) | import lines |\n| --- | ---: | ---: | ---: | ---: |")
    for name in ("research", "pages"):
        measured = size(ROOT / name)
        print(f"| {name}/ | {measured.files} | {measured.lines:,} | {measured.median:.0f} | {measured.imports:.1%} |")
    from bench.loopback import Loopback

    with Loopback() as world:
        print(f"files run through by a question with models: {executed([_WITH_MODELS], world.environment)}", flush=True)
    print(f"files run through by a question without a model: {executed([_WITHOUT])}", flush=True)
    against = upward()
    print(f"imports that run back up: {len(against)}", *against, sep="\n  ")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--trace"]:
        _trace(Path(sys.argv[2]), sys.argv[3:])
    else:
        main()
