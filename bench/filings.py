"""Questions of FinanceBench, each on the one filing that it is asked of, answered without any model.

    git clone https://github.com/patronus-ai/financebench ~/financebench
    python -m bench.filings --set ~/financebench --half held --reports out/filings

A question counts as answered in the first lines, or in the report, if the first figure of the given answer stands
there: as it is, in thousands or millions, rounded as the answer is. Those whose answer begins with a word need a
reader, and are passed over, as are filings that the copy lacks.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
import time
from pathlib import Path

import research
from research.core import SourceName
from research.experiments import CITATION, Filing, filings, first_lines, folded, says_figure
from research.settings import Settings


def _half(filing: Filing) -> str:
    """Return the half that it belongs to: one is tuned on, the other held apart."""
    return "tune" if int(hashlib.sha1(filing.id.encode()).hexdigest(), 16) % 2 else "held"


def _asked(filing: Filing, home: Path, reports: Path | None) -> tuple[bool, bool]:
    """Ask one question; return whether the answer stands in the first lines, and in the report."""
    library = home / "filings" / filing.file.stem
    library.mkdir(parents=True, exist_ok=True)
    if not (library / filing.file.name).exists():
        shutil.copy(filing.file, library)
    brief = research.Brief(question=filing.question, sources=(SourceName.LIBRARY,))
    report = research.run_sync(brief, library=library, analyst="extractive", settings=Settings(home=home))
    if reports:
        reports.mkdir(parents=True, exist_ok=True)
        (reports / f"{filing.id}.md").write_text(f"Answer: {filing.answer}\n\n{report.markdown}", encoding="utf-8")
    body = "\n".join(line for line in report.record.draft.splitlines() if not line.startswith("# "))
    shown = (folded(first_lines(body)[0]), folded(CITATION.sub("", body)))
    return says_figure(filing.figure, shown[0]), says_figure(filing.figure, shown[1])


def main() -> None:
    """Print a row for each question, then the sums."""
    parser = argparse.ArgumentParser(prog="python -m bench.filings", description=__doc__)
    parser.add_argument("--set", type=Path, required=True, help="folder of a copy of FinanceBench")
    parser.add_argument("--half", choices=("tune", "held", "all"), default="all")
    parser.add_argument("--reports", type=Path, help="folder to which each report is written")
    parser.add_argument("--home", type=Path, help="folder that keeps the indexes from one time to the next")
    given = parser.parse_args()
    home = given.home or Path(tempfile.mkdtemp())
    print("| question | first lines | report | seconds |\n| --- | --- | --- | ---: |")
    told: list[tuple[bool, bool]] = []
    for one in filings(given.set):
        if one.figure and given.half in ("all", _half(one)):
            began = time.monotonic()
            told.append(_asked(one, home, given.reports))
            marks = ("yes" if held else "–" for held in told[-1])
            print(f"| {one.id} | {' | '.join(marks)} | {time.monotonic() - began:.1f} |", flush=True)
    print(f"| {len(told)} | {sum(first for first, _ in told)} | {sum(whole for _, whole in told)} | |")


if __name__ == "__main__":
    main()
