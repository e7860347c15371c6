"""Public sets of questions, read in the forms in which they are handed on; none of them is kept here.

HotpotQA and MuSiQue bring passages for each question, chosen to mislead; FinanceBench the filing that a question is
asked of; DeepResearch Bench tasks for the open web, of which those in English are taken. Its own programs judge reports
(RACE, FACT), with models: `Experiment` writes the file that they read, and what they write is read here.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from research.experiments.questions import Question
from research.language import Language

if TYPE_CHECKING:
    import pandas as pd


class Passage(NamedTuple):
    """A paragraph and the title of the article that it stands in."""

    title: str
    text: str


class Asked(NamedTuple):
    """A question, what it is asked of, and where its answer stands."""

    id: str
    language: Language
    question: str
    answers: tuple[str, ...]
    passages: tuple[Passage, ...]
    gold: frozenset[Passage]

    @property
    def is_held_out(self) -> bool:
        """Whether nothing is tuned on it."""
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 1


class Filing(NamedTuple):
    """A question, the file that it is asked of, and the answer that was given with it."""

    id: str
    question: str
    answer: str
    file: Path

    @property
    def figure(self) -> str:
        """The figure that the answer begins with; empty if it begins with a word."""
        match = re.match(r"[-$(\s]*(\d[\d,]*(?:\.\d+)?)", self.answer)
        return match[1].replace(",", "") if match else ""


def hotpot(files: Sequence[Path]) -> Iterator[Asked]:
    """Yield HotpotQA's questions with their ten passages, in either of the two forms in which they are handed on."""
    for entry in _entries(files):
        context, facts = entry["context"], entry["supporting_facts"]
        if isinstance(context, dict):
            context, told = list(zip(context["title"], context["sentences"], strict=True)), set(facts["title"])
        else:
            told = {title for title, _ in facts}
        every = tuple(Passage(title, "".join(said).strip()) for title, said in context)
        gold = frozenset(one for one in every if one.title in told)
        yield Asked(entry["question"], Language.EN, entry["question"], (entry["answer"],), every, gold)


def musique(files: Sequence[Path]) -> Iterator[Asked]:
    """Yield MuSiQue's questions with their twenty passages."""
    for entry in _entries(files):
        parts = [(Passage(one["title"], one["paragraph_text"]), one["is_supporting"]) for one in entry["paragraphs"]]
        gold = frozenset(one for one, is_gold in parts if is_gold)
        answers = (entry["answer"], *entry["answer_aliases"])
        yield Asked(entry["id"], Language.EN, entry["question"], answers, tuple(one for one, _ in parts), gold)


def filings(folder: Path) -> Iterator[Filing]:
    """Yield the questions of a copy of FinanceBench whose filings it holds."""
    for row in _entries([folder / "data" / "financebench_open_source.jsonl"]):
        file = folder / "pdfs" / f"{row['doc_name']}.pdf"
        if file.is_file():
            yield Filing(row["financebench_id"], row["question"], row["answer"], file)


def _entries(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for file in files:
        text = file.read_text(encoding="utf-8")
        yield from json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines())


def _of_passages(every: Iterator[Asked], documents: Path) -> Iterator[Question]:
    """Yield questions, and write the passages of each as a folder of its own."""
    for asked in every:
        collection = hashlib.sha256(asked.id.encode()).hexdigest()[:16]
        folder = documents / collection
        folder.mkdir(parents=True, exist_ok=True)
        for number, passage in enumerate(asked.passages):
            (folder / f"{number:05}.md").write_text(f"# {passage.title}\n\n{passage.text}\n", encoding="utf-8")
        # “Yes” stands in any text.
        facts = () if asked.answers[0].lower() in ("yes", "no") else (list(asked.answers),)
        yield Question(id=asked.id, question=asked.question, collection=collection, facts=facts)


def _of_filings(place: Path, documents: Path) -> Iterator[Question]:
    """Yield questions, and put the filing of each into a folder of its own; those without a figure have no fact."""
    for filing in filings(place):
        folder = documents / filing.file.stem
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / filing.file.name).exists():
            shutil.copy(filing.file, folder)
        facts = ({"figure": filing.figure},) if filing.figure else ()
        yield Question(id=filing.id, question=filing.question, collection=filing.file.stem, facts=facts)


def _tasks(place: Path, _: Path) -> Iterator[Question]:
    for row in _entries([place]):
        if row.get("language", "en") == "en":
            yield Question(id=str(row["id"]), question=row["prompt"])


def deepresearch_scores(place: Path) -> pd.DataFrame:
    """Return what DeepResearch Bench's own programs made of reports: a row a system, the best first.

    Args:
        place: their folder of results (`results/` of a copy), with `race/<system>/race_result.txt` and
            `fact/<system>/fact_result.txt`. A way of an experiment is a system there, named as its file of articles;
            published results beside it are others.

    The columns are those of RACE in points of a hundred (`Overall Score`, `Comprehensiveness`, …), and of FACT the
    citations of a report, those that hold, and their share; what was not judged is empty.
    """
    import pandas as pd

    rows: dict[str, dict[str, float]] = {}
    for file in sorted(place.glob("*/*/*_result.txt")):
        share = 100.0 if file.name == "race_result.txt" else 1.0
        told = (line.split(":", 1) for line in file.read_text(encoding="utf-8").splitlines() if ":" in line)
        rows.setdefault(file.parent.name, {}).update({name.strip(): float(value) * share for name, value in told})
    named = {"total_citations": "citations", "total_valid_citations": "valid citations", "valid_rate": "valid share"}
    frame = pd.DataFrame.from_dict(rows, orient="index").rename(columns=named).rename_axis("system")
    return frame.sort_values("Overall Score", ascending=False) if "Overall Score" in frame else frame


SETS: dict[str, Callable[[Path, Path], Iterator[Question]]] = {
    "hotpotqa": lambda place, documents: _of_passages(hotpot([place]), documents),
    "musique": lambda place, documents: _of_passages(musique([place]), documents),
    "financebench": _of_filings,
    "deepresearch_bench": _tasks,
}
"""How a set at a place is read, while its documents are written below a folder."""
