"""Questions, the facts that a good answer holds, and what of them a report was found to hold; public sets of questions.

A fact is one text or a list of texts of which one suffices. ` && ` joins what must stand together in one line of a
report (a heading belongs to the lines below it, the head of a table to its rows). `/…/` is a regular expression; all
else is taken literally, without regard to case, width, separators of thousands, or blanks beside Japanese letters.
`{computed: …, from: […]}` is a figure that stands in no source but follows from what does; `{figure: 1577.0}` counts
in thousands, millions or as a share as well, rounded as it is. `{absent: name}` is
something asked that the sources do not hold: the answer must say so by name. A question with `absent: true` asks for
a subject of which the sources hold nothing at all; `asked` then names it.

`of` names whom the question is about, `asked` what is asked of them, in the words of the sources: a quote that says
neither bears on another question.

Public sets are read in the forms in which they are handed on; none of them is kept here. HotpotQA and MuSiQue bring
passages for each question, chosen to mislead; FinanceBench the filing that a question is asked of; DeepResearch Bench
tasks for the open web, of which those in English are taken. Its own programs judge reports (RACE, FACT), with models:
`Experiment` writes the file that they read, and what they write is read here.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

from research.core import SourceName
from research.language import Language
from research.results import Report

if TYPE_CHECKING:
    import pandas as pd


FIRST = 600
"""Characters of a report's text that count as its first lines: what a reader sees before scrolling."""
READY = {"factbook": SourceName.FACTBOOK, "house": SourceName.HOUSE}
"""Collections that come with the program."""
CITATION = re.compile(r"\s?\[(E\d+(?:, E\d+)*)\]")
_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_JAPANESE = "\u3040-\u30ff\u3400-\u9fff\u3000-\u303f\uff00-\uffef"
_BLANK = re.compile(rf"(?<=[{_JAPANESE}])[ \t]+|[ \t]+(?=[{_JAPANESE}])")
_MARKUP = re.compile(r"\\(?=\W)|\*\*|`")
_DENIED = re.compile(
    r"nothing|no (?:page|document|source|quote|passage|figure|data|value|information|answer)"
    r"|not (?:found|given|covered|named|mentioned|among|in the)|do(?:es)? not (?:speak|mention|name|hold|say|give)"
    r"|見つかりません|見当たりません|(?:記述|資料|情報|数値|値|引用|記載)[はが]ありません|含まれていません|載っていません"
)
"""How a report says that something was not found."""


def folded(text: str) -> str:
    """Return `text` as it is compared; its lines stay lines."""
    plain = _MARKUP.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return _BLANK.sub("", re.sub(r"[ \t]+", " ", _SEPARATOR.sub("", plain)))


_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_SCALES = (1.0, 1e2, 1e3, 1e6)
"""What a figure of a page may be divided by to be that of an answer; a share may be told as a percentage."""
_YEAR = re.compile(r"(?:fy ?)?(?:19|20)\d\d(?!\d|\.\d)")


def says_figure(figure: str, text: str) -> bool:
    """Whether a figure stands in a text that is folded."""
    digits = len(figure.partition(".")[2].rstrip("0"))
    told = map(float, _FIGURE.findall(_YEAR.sub(" ", text)))
    return any(round(one / scale, digits) == float(figure) for one in told for scale in _SCALES)


class Mark(NamedTuple):
    """What must stand together in a line."""

    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, written: str) -> Self:
        """Return the mark that ` && ` joins."""
        return cls(tuple(_pattern(part) for part in written.split(" && ")))

    def stands_in(self, line: str) -> bool:
        """Whether all of it stands in a line that is folded."""
        return all(pattern.search(line) for pattern in self.patterns)


def _pattern(written: str) -> re.Pattern[str]:
    """Return what finds a literal text; a figure is not found within a longer one."""
    if written.startswith("/") and written.endswith("/"):
        return re.compile(written[1:-1].replace(",?", ""), re.IGNORECASE)
    literal = folded(written)
    before = r"(?<![\d.])" if literal[:1].isdigit() else ""
    after = r"(?!\d|\.\d)" if literal[-1:].isdigit() else ""
    return re.compile(before + re.escape(literal) + after)


_NOTHING = Mark.of("/nothing was found|該当する情報は見つかりませんでした/")
"""How a report that shows nothing says so; its title names the subject."""


class Fact(NamedTuple):
    """Something that a good answer holds."""

    name: str
    marks: tuple[Mark, ...]
    """Any of them suffices."""
    operands: tuple[Mark, ...] = ()
    """What it is computed from, if it stands in no source itself."""
    denied: bool = False
    """Whether the answer must say that it was not found."""
    figure: str = ""
    """What counts in another unit as well."""

    @classmethod
    def of(cls, written: object) -> Self:
        """Return a fact as the file holds it."""
        if isinstance(written, dict):
            if "absent" in written:
                return cls(f"no {written['absent']}", (Mark.of(written["absent"]),), denied=True)
            if "figure" in written:
                return cls(str(written["figure"]), (), figure=str(written["figure"]))
            held = cls.of(written["computed"])
            return held._replace(operands=tuple(Mark.of(part) for part in written["from"]))
        choices = [str(choice) for choice in (written if isinstance(written, list) else [written])]
        return cls(choices[0], tuple(Mark.of(choice) for choice in choices))

    def stands_in(self, lines: Iterable[str]) -> bool:
        """Whether one of these lines, which are folded, holds it."""
        if self.figure:
            return any(says_figure(self.figure, line) for line in lines)
        return any(
            mark.stands_in(line) and (not self.denied or _DENIED.search(line)) for line in lines for mark in self.marks
        )

    def stands_on(self, pages: Iterable[str]) -> bool:
        """Whether it stands on these pages, which are folded; what is computed, if all its operands do."""
        if not self.operands:
            return self.stands_in(pages)
        held = list(pages)
        return all(any(operand.stands_in(page) for page in held) for operand in self.operands)


class Question(BaseModel):
    """A question, and how its answer is judged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    language: Literal["en", "ja"] = "en"
    question: str
    operation: Literal[
        "look up", "list", "compare", "rank", "add", "share", "change", "why", "how", "decided", "open"
    ] = "open"
    collection: str = ""
    """A folder of documents, or `factbook` or `house`; empty leaves open where to look."""
    of: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    facts: tuple[object, ...] = ()
    absent: bool = False

    @model_validator(mode="after")
    def _names_what_is_absent(self) -> Self:
        if self.absent and not self.asked:
            raise ValueError("a question with `absent` says in `asked` whom the sources do not hold")
        return self

    @property
    def half(self) -> str:
        """`tune` or `held`, told by the hash of its id: what is tuned is tuned on one half alone."""
        return "held" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "tune"

    def place(self, documents: Path | None) -> tuple[tuple[SourceName, ...], Path | None]:
        """Return the sources and the folder that the question is asked of; both empty leave it open."""
        if self.collection in READY:
            return (READY[self.collection],), None
        if not self.collection or documents is None:
            return (), None
        return (SourceName.LIBRARY,), documents / self.collection

    @property
    def wanted(self) -> tuple[Fact, ...]:
        """The facts that a good answer holds."""
        if self.absent:
            return (Fact(f"no {self.asked[0]}", (*self._asked, _NOTHING), denied=True),)
        return tuple(Fact.of(written) for written in self.facts)

    @property
    def _asked(self) -> tuple[Mark, ...]:
        return tuple(Mark.of(part) for part in self.asked)

    def is_borne_on(self, title: str, quote: str) -> bool:
        """Whether a quote of the page `title` bears on the question.

        It does if it holds one of the facts, or the words for what is asked of whom the question is about, who may
        stand in the page's title. Nothing bears on a subject that the sources do not hold but its name.
        """
        text, line = folded(quote), folded(f"{title} {quote}")
        if not self.absent and any(mark.stands_in(line) for fact in self.wanted for mark in fact.marks):
            return True
        about = not self.of or any(Mark.of(name).stands_in(line) for name in self.of)
        return about and any(mark.stands_in(text) for mark in self._asked)


@cache
def questions(place: Path) -> tuple[Question, ...]:
    """Return all questions of a folder, or of a file; a file's name is their collection unless they name another.

    Raises:
        OSError, ValueError, yaml.YAMLError: it cannot be read, or does not hold questions.
    """
    files = sorted(place.glob("*.yaml")) if place.is_dir() else [place]
    told = [(file, yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files]
    return tuple(Question.model_validate({"collection": file.stem} | entry) for file, held in told for entry in held)


def lines_of(markdown: str) -> Iterator[str]:
    """Yield each line of a report folded, after the heading and the head of the table that it stands under."""
    heading = head = ""
    for line in markdown.splitlines():
        if line.startswith("#"):
            heading, head = line.lstrip("# "), ""
        elif not line.startswith("|"):
            head = ""
        elif not head:
            head = line
        yield folded(f"{heading} {head} {line}")


def first_lines(body: str) -> tuple[str, list[str]]:
    """Return what a reader of a report's text without its title sees first, and the evidence that it cites."""
    seen: list[str] = []
    cited: list[str] = []
    left = FIRST
    for line in body.splitlines():
        if left <= 0:
            break
        cited += [name for match in CITATION.finditer(line) for name in match[1].split(", ")]
        plain = CITATION.sub("", line)
        seen.append(plain[:left])
        left -= len(plain.lstrip("#|-> "))
    return "\n".join(seen), list(dict.fromkeys(cited))


class Held(NamedTuple):
    """What one report was found to hold."""

    first: int
    """Facts in the first lines."""
    report: int
    """Facts in the report."""
    pages: int
    """Facts that stand on the pages read; a subject that the sources do not hold counts here as in the report."""
    facts: int
    bearing: int
    """Quotes that bear on the question."""
    quotes: int
    off: int
    """Quotes in the first lines that do not."""
    missing: tuple[str, ...]
    """Facts that the report lacks; those that stood on pages read are marked with `*`."""

    @classmethod
    def of(cls, question: Question, report: Report) -> Self:
        """Return what a report holds of what the question asks for."""
        body = "\n".join(line for line in report.record.draft.splitlines() if not re.match(r"# |\|[ :|-]+$", line))
        shown = list(lines_of(CITATION.sub("", body)))
        first, cited_first = first_lines(body)
        pages = [folded(f"{page.title} {' '.join(page.text.split())}") for page in report.pages.values()]
        titles = {name: page.title for name, page in report.pages.items()}
        cited = dict.fromkeys(name for sentence in report.record.sentences for name in sentence.evidence)
        ledger = report.record.ledger
        bears = {name: question.is_borne_on(titles[ledger[name].source], ledger[name].quote) for name in cited}
        facts = question.wanted
        held = [fact.stands_in(shown) for fact in facts]
        read = [here if fact.denied else fact.stands_on(pages) for fact, here in zip(facts, held, strict=True)]
        return cls(
            first=sum(fact.stands_in(lines_of(first)) for fact in facts),
            report=sum(held),
            pages=sum(read),
            facts=len(facts),
            bearing=sum(bears.values()),
            quotes=len(bears),
            off=sum(not bears.get(name, True) for name in cited_first),
            missing=tuple(
                fact.name + "*" * stood for fact, here, stood in zip(facts, held, read, strict=True) if not here
            ),
        )


# --- public sets -----------------------------------------------------------------------------------------------------


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
