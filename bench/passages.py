"""How reports without a model find passages, on public questions whose passages are known, beside BM25.

python -m bench.passages --hotpot <.json or .jsonl …> --musique <.jsonl …> --jaquad <.json …> --jsquad <.json …>
python -m bench.passages --jsquad valid-v1.3.json --absent --half tune

Each question is asked of a folder with a file for each passage: HotpotQA and MuSiQue bring ten and twenty passages for
each, chosen to mislead; those of JaQuAD and JSQuAD share one folder with all passages of the set. BM25 has the words of
the question and takes as many passages as the report cites. `--absent` asks each also of passages that belong to other
questions (*elsewhere*), and of its own without those that answer it (*unanswered*): a report should then not be called
complete. Half of the questions are held out, by the hash of their ids. Nothing of the sets is kept here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from bm25s import BM25

import research
from research.core import Brief, SourceName
from research.documents import query_weights, tokenise
from research.experiments import CITATION, Asked, Passage, first_lines, folded, hotpot, musique
from research.language import Language
from research.settings import Settings

_SEPARATOR = " [SEP] "
"""Between title and text of a paragraph of JSQuAD."""
_FAR = 37
"""How many questions further the passages are taken from that have nothing to do with a question."""


class Found(NamedTuple):
    """What a report was found to hold."""

    asked: Asked
    cited: frozenset[Passage]
    by_words: frozenset[Passage]
    """As many that BM25 finds."""
    read: frozenset[Passage]
    """Those that were read for it."""
    is_complete: bool
    is_answered: bool
    """Whether the answer stands in the report."""
    is_first: bool
    """Whether it stands in its first lines."""
    seconds: float


# --- the sets ----------------------------------------------------------------------------------------------------


def squad(files: Sequence[Path]) -> Iterator[Asked]:
    """Yield the questions of a set in SQuAD's form (JaQuAD, JSQuAD), all with the same passages."""
    articles = [article for file in files for article in json.loads(file.read_text(encoding="utf-8"))["data"]]
    parts = [(article["title"], one) for article in articles for one in article["paragraphs"]]
    every = [(_paragraph(title, one["context"]), one["qas"]) for title, one in parts]
    passages = tuple(dict.fromkeys(passage for passage, _ in every))
    for passage, questions in every:
        for one in questions:
            answers = tuple(dict.fromkeys(answer["text"] for answer in one["answers"]))
            yield Asked(one["id"], Language.JA, one["question"], answers, passages, frozenset((passage,)))


def _paragraph(title: str, context: str) -> Passage:
    head, separator, rest = context.partition(_SEPARATOR)
    return Passage(head, rest) if separator else Passage(title, context)


_SETS: dict[str, Callable[[Sequence[Path]], Iterator[Asked]]] = {
    "hotpot": hotpot,
    "musique": musique,
    "jaquad": squad,
    "jsquad": squad,
}


# --- asking ------------------------------------------------------------------------------------------------------


class Desk:
    """Asks questions of passages, of which each collection is written to disk and indexed once."""

    def __init__(self, place: Path, reports: Path | None = None) -> None:
        self._place = place
        self._reports = reports
        self._settings = Settings.from_environment({"RESEARCH_HOME": str(place / "home")})
        self._folders: dict[tuple[Passage, ...], tuple[Path, dict[str, Passage]]] = {}

    def ask(self, asked: Asked, passages: Sequence[Passage], name: str) -> Found:
        """Return what the report on a question holds that is asked of these passages."""
        folder, by_file = self._written(tuple(passages))
        brief = Brief(question=asked.question, language=asked.language, sources=(SourceName.LIBRARY,))
        began = time.monotonic()
        report = research.run_sync(brief, library=folder, analyst="extractive", settings=self._settings)
        seconds = time.monotonic() - began
        ledger, draft = report.record.ledger, report.record.draft
        named = dict.fromkeys(one for sentence in report.record.sentences for one in sentence.evidence)
        cited = frozenset(by_file[Path(report.pages[ledger[one].source].url).name] for one in named)
        if self._reports is not None:
            gold = "".join(f"\n\nGOLD {one.title}: {one.text}" for one in sorted(asked.gold))
            told = f"{asked.question}\n{asked.answers}\n{report.status}\n\n{draft}{gold}"
            (self._reports / f"{name}.md").write_text(told, encoding="utf-8")
        body = draft.partition("\n")[2]
        first, _ = first_lines(body)
        return Found(
            asked,
            cited,
            frozenset(by_words(asked.question, tuple(passages), len(cited))),
            frozenset(by_file[Path(page.url).name] for page in report.pages.values()),
            report.status == "complete",
            any(folded(answer) in folded(CITATION.sub("", body)) for answer in asked.answers),
            any(folded(answer) in folded(first) for answer in asked.answers),
            seconds,
        )

    def _written(self, passages: tuple[Passage, ...]) -> tuple[Path, dict[str, Passage]]:
        if passages not in self._folders:
            folder = self._place / f"{len(self._folders)}"
            folder.mkdir(parents=True)
            by_file = {f"{number:05}.md": passage for number, passage in enumerate(passages)}
            for file, passage in by_file.items():
                (folder / file).write_text(f"# {passage.title}\n\n{passage.text}\n", encoding="utf-8")
            self._folders[passages] = folder, by_file
        return self._folders[passages]


def by_words(question: str, passages: tuple[Passage, ...], count: int) -> list[Passage]:
    """Return the `count` passages that BM25 puts first for the words of a question."""
    ranking = _ranking(passages)
    terms = [ranking.vocab_dict[token] for token in query_weights(question) if token in ranking.vocab_dict]
    scores = ranking.get_scores_from_ids(terms) if terms else [0.0] * len(passages)
    ranked = sorted(range(len(passages)), key=lambda index: -scores[index])
    return [passages[index] for index in ranked[:count]]


@cache
def _ranking(passages: tuple[Passage, ...]) -> BM25:
    ids: dict[str, int] = {}
    corpus = [[ids.setdefault(one, len(ids)) for one in tokenise(f"{title} {text}")] for title, text in passages]
    ranking = BM25()
    ranking.index((corpus, ids), create_empty_token=False, show_progress=False)
    return ranking


# --- what comes out ----------------------------------------------------------------------------------------------


def main() -> None:
    """Ask, and print a table."""
    given = _arguments()
    print(
        "| set | half | questions | all gold passages cited: report, BM25 | gold passages: report, BM25, read | cited "
        "| answer in the report, in its first lines | called complete | s |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    )
    for name, read in _SETS.items():
        if files := getattr(given, name):
            _measured(name, list(read(files)), given)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.passages", description=__doc__)
    for name in _SETS:
        parser.add_argument(f"--{name}", type=Path, nargs="+", default=())
    parser.add_argument("--half", choices=("tune", "held", "all"), default="all")
    parser.add_argument("--count", type=int, default=60, help="questions of each half of a set")
    parser.add_argument("--absent", action="store_true", help="ask also where the answer is not")
    parser.add_argument("--reports", type=Path, help="folder to which each report is written")
    return parser.parse_args()


def _measured(name: str, every: Sequence[Asked], given: argparse.Namespace) -> None:
    if given.reports:
        given.reports.mkdir(parents=True, exist_ok=True)
    for half in ("tune", "held"):
        sample = sorted((one for one in every if one.is_held_out == (half == "held")), key=lambda one: _hash(one.id))
        sample = sample[: given.count]
        if given.half not in ("all", half):
            continue
        with tempfile.TemporaryDirectory() as place:
            desk = Desk(Path(place), given.reports)
            for case, passages_of in _cases(sample, is_absent=given.absent).items():
                shown = f"{name} {case}".strip()
                found = [
                    desk.ask(one, passages_of(number), f"{name}-{half}-{number:03}{'-' * bool(case)}{case}")
                    for number, one in enumerate(sample)
                ]
                print(_row(shown, half, found), flush=True)


def _cases(sample: Sequence[Asked], *, is_absent: bool) -> dict[str, Callable[[int], Sequence[Passage]]]:
    """Return of what the questions are asked: of their passages, of those of others, of theirs without the answer."""

    def own(number: int) -> Sequence[Passage]:
        return sample[number].passages

    def others(number: int) -> Sequence[Passage]:
        further = (sample[(number + step) % len(sample)].passages for step in range(_FAR, _FAR + len(sample)))
        titles = {passage.title for passage in sample[number].gold}
        alien = next((one for one in further if one != sample[number].passages), sample[number].passages)
        return tuple(passage for passage in alien if passage.title not in titles)

    def unanswered(number: int) -> Sequence[Passage]:
        return tuple(passage for passage in sample[number].passages if passage not in sample[number].gold)

    cases: dict[str, Callable[[int], Sequence[Passage]]] = {"": own}
    if is_absent:
        cases |= {"elsewhere": others, "unanswered": unanswered}
    return cases


def _row(name: str, half: str, found: Sequence[Found]) -> str:
    count = partial(_share, of=len(found))
    gold = sum(len(one.asked.gold) for one in found)
    cells = (
        name,
        half,
        len(found),
        f"{count(sum(one.asked.gold <= one.cited for one in found))}, "
        f"{count(sum(one.asked.gold <= one.by_words for one in found))}",
        f"{_share(sum(len(one.asked.gold & one.cited) for one in found), gold)}, "
        f"{_share(sum(len(one.asked.gold & one.by_words) for one in found), gold)}, "
        f"{_share(sum(len(one.asked.gold & one.read) for one in found), gold)}",
        f"{sum(len(one.cited) for one in found) / len(found):.1f}",
        f"{count(sum(one.is_answered for one in found))}, {count(sum(one.is_first for one in found))}",
        count(sum(one.is_complete for one in found)),
        f"{sum(one.seconds for one in found) / len(found):.2f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _share(part: int, of: int) -> str:
    return f"{part} = {part / of:.0%}"


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


if __name__ == "__main__":
    main()
