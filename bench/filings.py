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
import json
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import research
from bench.answers.questions import CITATION, first_lines
from research.core import SourceName
from research.settings import Settings

_FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_SCALES = (1.0, 1e2, 1e3, 1e6)
"""What a figure of a filing may be divided by to be that of the answer; a share may be told as a percentage."""
_YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d")


class Filing(NamedTuple):
    """A question, the file that it is asked of, and the answer that was given with it."""

    id: str
    question: str
    answer: str
    file: Path

    @property
    def half(self) -> str:
        """The half that it belongs to: one is tuned on, the other held apart."""
        return "tune" if int(hashlib.sha1(self.id.encode()).hexdigest(), 16) % 2 else "held"

    @property
    def figure(self) -> str:
        """The figure that the answer begins with; empty if it begins with a word."""
        match = re.match(r"[-$(\s]*(\d[\d,]*(?:\.\d+)?)", self.answer)
        return match[1].replace(",", "") if match else ""

    def stands_in(self, text: str) -> bool:
        """Whether the figure of the answer stands in a text."""
        digits = len(self.figure.partition(".")[2].rstrip("0"))
        told = (float(one.replace(",", "")) for one in _FIGURE.findall(_YEAR.sub(" ", text)))
        return any(round(one / scale, digits) == float(self.figure) for one in told for scale in _SCALES)


def filings(folder: Path) -> Iterator[Filing]:
    """Yield the questions of a copy of FinanceBench whose filings it holds."""
    with (folder / "data" / "financebench_open_source.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            file = folder / "pdfs" / f"{row['doc_name']}.pdf"
            if file.is_file():
                yield Filing(row["financebench_id"], row["question"], row["answer"], file)


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
    return filing.stands_in(first_lines(body)[0]), filing.stands_in(CITATION.sub("", body))


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
        if one.figure and given.half in ("all", one.half):
            began = time.monotonic()
            told.append(_asked(one, home, given.reports))
            marks = ("yes" if held else "–" for held in told[-1])
            print(f"| {one.id} | {' | '.join(marks)} | {time.monotonic() - began:.1f} |", flush=True)
    print(f"| {len(told)} | {sum(first for first, _ in told)} | {sum(whole for _, whole in told)} | |")


if __name__ == "__main__":
    main()
