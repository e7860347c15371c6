"""How much of what was asked a report made without any model holds.

    python -m bench.answers --documents ~/answers-documents
    python -m bench.answers --only norway-hydropower --reports out/reports
    python -m bench.answers --questions ~/my-questions --documents ~/my-documents

`--questions` names a folder of other questions: a file for each collection, which is a folder of the same name below
`--documents`. `documents.yaml` names the real documents that the questions here are about, `third-documents.yaml`,
`fourth-documents.yaml` and so on those of the folders `third` to `seventh` and `eleventh`. Without
`--documents` only the almanac and the house documents are asked about. For each question, and in all: facts in the
first lines, in the report, and on the pages read; quotes that bear on the question; what the report says first that
does not (*off*); seconds of wall clock and of processor.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import research
from research.experiments import READY, Held, Question, folded, questions
from research.language import Language
from research.library import load, read
from research.settings import Settings
from research.sources import collection_folder

_HEAD = (
    "| {} | first lines | report | pages read | quotes that bear | off | {} | {} |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
)
HERE = Path(__file__).parent


class Answer(NamedTuple):
    """What one report was found to hold, and what it took."""

    question: Question
    held: Held
    complete: bool
    wall: float
    processor: float


def main() -> None:
    """Ask, and print a table."""
    asked = _arguments()
    chosen = [
        question
        for question in questions(asked.questions)
        if (not asked.only or question.id in asked.only)
        and asked.half in ("all", question.half)
        and (question.collection in READY or asked.documents)
    ]
    if asked.check:
        _check(chosen, asked.documents)
        return
    with tempfile.TemporaryDirectory() as fresh:
        settings = Settings.from_environment({"RESEARCH_HOME": str(asked.home or fresh)})
        for collection in dict.fromkeys(question.collection for question in chosen):
            first = Question(id="first", question="Indexed first.", collection=collection)
            _run(first, asked.documents, settings)
        print(
            "| question | first lines | report | pages read | quotes that bear | off | s | lacks (* stood on a page) |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
        answers = [_answer(question, asked.documents, settings, asked.reports) for question in chosen]
    _totals(answers)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.answers", description=__doc__)
    parser.add_argument("--questions", type=Path, default=HERE / "questions", help="folder of the questions")
    parser.add_argument("--documents", type=Path, help="folder of the real documents that documents.yaml names")
    parser.add_argument("--only", nargs="+", metavar="ID", help="ask these questions alone")
    parser.add_argument("--half", choices=("tune", "held", "all"), default="all")
    parser.add_argument("--reports", type=Path, help="folder to which each report is written")
    parser.add_argument("--home", type=Path, help="folder that keeps the indexes from one time to the next")
    parser.add_argument("--check", action="store_true", help="only say which facts do not stand in their collection")
    return parser.parse_args()


def _run(asked: Question, documents: Path | None, settings: Settings) -> research.Report:
    sources, library = asked.place(documents)
    brief = research.Brief(question=asked.question, language=Language(asked.language), sources=sources)
    return research.run_sync(brief, library=library, analyst="extractive", settings=settings)


def _answer(question: Question, documents: Path | None, settings: Settings, reports: Path | None) -> Answer:
    began, worked = time.monotonic(), time.process_time()
    report = _run(question, documents, settings)
    wall, processor = time.monotonic() - began, time.process_time() - worked
    if reports:
        reports.mkdir(parents=True, exist_ok=True)
        (reports / f"{question.id}.md").write_text(report.markdown, encoding="utf-8")
    answer = Answer(question, Held.of(question, report), report.status == "complete", wall, processor)
    print(_row(question.id, [answer], "; ".join(answer.held.missing).replace("|", "\\|")), flush=True)
    return answer


def _row(name: str, answers: Sequence[Answer], last: str = "") -> str:
    def ratio(part: Callable[[Answer], int], whole: Callable[[Answer], int]) -> str:
        parts, wholes = sum(map(part, answers)), sum(map(whole, answers))
        shown = f"{parts} / {wholes}"
        return f"{shown} = {parts / wholes:.0%}" if len(answers) > 1 and wholes else shown

    def facts(answer: Answer) -> int:
        return answer.held.facts

    cells = (
        name,
        ratio(lambda answer: answer.held.first, facts),
        ratio(lambda answer: answer.held.report, facts),
        ratio(lambda answer: answer.held.pages, facts),
        ratio(lambda answer: answer.held.bearing, lambda answer: answer.held.quotes),
        str(sum(answer.held.off for answer in answers)),
        f"{sum(answer.wall for answer in answers) / len(answers):.1f}",
        last,
    )
    return f"| {' | '.join(cells)} |"


def _totals(answers: Sequence[Answer]) -> None:
    if not answers:
        return
    print("\n" + _HEAD.format("in all", "s a question", ""))
    print(_row(f"{len(answers)} questions", answers))
    sides: tuple[Callable[[Answer], str], ...] = (
        lambda answer: answer.question.half,
        lambda answer: answer.question.language,
        lambda answer: answer.question.collection,
        lambda answer: answer.question.operation,
        lambda answer: "subject not in the sources" if answer.question.absent else "subject in the sources",
    )
    for side in sides:
        for name in sorted({side(answer) for answer in answers}):
            print(_row(name, [answer for answer in answers if side(answer) == name]))
    absent = [answer for answer in answers if answer.question.absent]
    clean = sum(not answer.held.off for answer in answers)
    print(f"\nFirst lines without anything off the subject: {clean} / {len(answers)}")
    print(f"Called complete although the subject is not there: {sum(a.complete for a in absent)} / {len(absent)}")
    print(f"Seconds of processor: {sum(answer.processor for answer in answers):.0f}")


def _check(chosen: Iterable[Question], documents: Path | None) -> None:
    """Print the facts that do not stand in their collection, and the absent subjects that are named there."""
    texts: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as home:
        for question in chosen:
            if question.collection not in texts:
                texts[question.collection] = _texts(question.collection, documents, Path(home))
            for fact in question.wanted:
                here = texts[question.collection]
                named = any(mark.stands_in(text) for mark in fact.marks for text in here)
                if (question.absent and named) if fact.denied else not fact.stands_on(here):
                    print(f"{question.collection}: {question.id}: {fact.name}")


def _texts(collection: str, documents: Path | None, home: Path) -> list[str]:
    place = collection_folder(READY[collection], home) if collection in READY else (documents or HERE) / collection
    files = sorted(path for path in place.rglob("*") if path.is_file())
    read_ = [read(path, load(path, path.stat().st_size)) for path in files]
    return [folded(f"{document.title} {' '.join(document.text.split())}") for document in read_]


if __name__ == "__main__":
    main()
