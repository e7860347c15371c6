"""An experiment: every way of asking over every question, what each run took, and how good its report is.

A file in YAML or JSON says what is tried; `docs/experiments.md` explains it. What is done stands in `runs.jsonl` of the
folder of results, a line a run, and is not done again. What all of it came to is told a row a run, a row a way, and a
row a judge.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import yaml
from pydantic import Field, ValidationError, field_validator

from research.batch import UnderWay, side_by_side
from research.core import Brief, Frozen, ResearchError, Role, Status, UsageError, explain, unusable
from research.engine import Variant, VariantOutcome, variants
from research.experiments.questions import CITATION, SETS, Held, Question, questions
from research.experiments.ratings import (
    MOST as MOST_JUDGED,
    WAY,
    Judgement,
    Ratings,
    Row,
    check_judge,
    docket,
    have_judged,
    judgements_in,
    judges,
    preferences,
    ratings_in,
)
from research.export.folder import writing
from research.language import Language, Phrase
from research.prompts import replaced
from research.results import borne_out
from research.settings import Settings
from research.store import AnalystChoice, RunStore, stream
from research.text import html_table, markdown_table

if TYPE_CHECKING:
    import pandas as pd


_UNREADABLE = Phrase("The experiment {file} cannot be read: {reason}")
_NO_QUESTIONS = Phrase("The experiment has no questions at {place}: {reason}")
_NO_SET = Phrase("There is no set “{name}”; there are: {known}.")
_log = logging.getLogger(__name__)


class Experiment(Frozen, extra="forbid"):
    """What is tried, and on what. Paths are seen from the folder of its file."""

    questions: tuple[Question, ...] | Path
    """A file or folder of questions, or where a public set is."""
    set: str = ""
    """The name of the public set (`SETS`) that is there."""
    only: tuple[str, ...] = ()
    """Ids of the questions to be asked; all if empty."""
    most: Annotated[int, Field(gt=0)] | None = None
    """The first so many of them."""
    documents: Path | None = None
    """The folder with a folder of documents for each collection of questions."""
    presets: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    models: dict[str, dict[Role, str]] = Field(default_factory=dict, validate_default=True)
    """By a name: the models of roles that differ from those that are set."""
    embedders: tuple[str, ...] = ("",)
    """Models that compare by meaning, as `EMBEDDING_MODEL` has them; empty is what is set."""
    prompts: dict[str, dict[str, Path]] = Field(default_factory=dict, validate_default=True)
    """By a name: files that stand for prompts."""
    brief: dict[str, Any] = Field(default_factory=dict)
    """What else each brief says."""
    analyst: AnalystChoice = "auto"
    max_cost_usd: Annotated[float, Field(gt=0)] | None = None
    """The most that the models of all runs may cost; runs for which nothing is left are not begun."""
    at_once: Annotated[int, Field(ge=1, le=32)] = 1
    """Runs that share the machine slow each other down: with more than one, seconds tell less."""
    judge: str = ""
    """The model that says of two reports which is better, as settings name models; empty for none."""
    judged: Annotated[int, Field(gt=0)] = MOST_JUDGED
    """The most pairs that it is asked about each time, those first that the reader rated."""

    @field_validator("models", "prompts", "embedders")
    @classmethod
    def _one_at_least(cls, value: Any) -> Any:
        return value or {"": {}} if isinstance(value, dict) else value or ("",)

    def ways(self, brief: Brief) -> Iterator[Way]:
        """Yield every combination of what is tried.

        Raises:
            UsageError: a preset or method does not exist.
        """
        found = variants(brief, self.methods, self.presets, least=1)
        yield from (Way(*one) for one in product(found, self.models, self.embedders, self.prompts))


class Way(NamedTuple):
    """One way to ask; models and prompts by the names that the experiment gives them."""

    variant: Variant
    models: str
    embedder: str
    prompts: str

    @property
    def cells(self) -> dict[str, str]:
        """What tells it apart, as the columns of the results."""
        said = (self.variant.preset.value, self.variant.method.value, self.models, self.embedder, self.prompts)
        return dict(zip(list(WAY), said, strict=True))


class _Job(NamedTuple):
    key: str
    way: Way
    question: Question
    brief: Brief
    library: Path | None
    settings: Settings
    prompts: Mapping[str, str]


def read(file: Path, language: Language = Language.EN) -> Experiment:
    """Return what a file in YAML or JSON says is to be tried.

    Raises:
        UsageError: it cannot be read, or says something else; tells where.
    """
    try:
        held = yaml.safe_load(file.read_text(encoding="utf-8"))
        found = Experiment.model_validate(held)
    except ValidationError as error:
        reason = unusable(error.errors()[0], language)
        raise UsageError(_UNREADABLE.in_(language).format(file=file, reason=reason)) from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(_UNREADABLE.in_(language).format(file=file, reason=error)) from error
    here = file.absolute().parent
    places: dict[str, Any] = {
        "prompts": {name: {one: here / path for one, path in told.items()} for name, told in found.prompts.items()}
    }
    if isinstance(found.questions, Path):
        places["questions"] = here / found.questions
    if found.documents:
        places["documents"] = here / found.documents
    return found.model_copy(update=places)


def experiment(
    given: Experiment | Mapping[str, Any] | Path | str,
    out: Path | str,
    *,
    settings: Settings | None = None,
    on_done: Callable[[int, int], object] = lambda done, of: None,
    language: Language = Language.EN,
) -> Results:
    """Ask every question in every way, and return what the runs came to; `out` keeps all of it.

    Runs that stand in `out` are not done again, failed ones are. `on_done` hears how many of how many are done.
    Interrupting it stops the runs that are under way. Errors are told in `language`.

    Raises:
        UsageError: what is tried does not exist or is not available.
        StoreError: results cannot be written.
    """
    if isinstance(given, Path | str):
        given = read(Path(given), language)
    tried = given if isinstance(given, Experiment) else Experiment.model_validate(given)
    out, used = Path(out), settings or Settings.from_environment()
    if tried.judge:
        check_judge(tried.judge, used, language)
    with writing(out, language):
        (out / "reports").mkdir(parents=True, exist_ok=True)
    jobs = list(_jobs(tried, out, used, language))
    done = done_in(out / "runs.jsonl")
    waiting = [job for job in jobs if job.key not in done]
    purse = _Purse(tried.max_cost_usd, tried.at_once, sum(row["cost_usd"] or 0 for row in done.values()))
    under_way = UnderWay()
    carried = [partial(_carried_out, job, tried.analyst, out / "reports", purse, under_way) for job in waiting]
    on_done(len(jobs) - len(waiting), len(jobs))
    with closing(side_by_side(carried, tried.at_once, under_way)) as ended:
        for count, (number, row) in enumerate(ended, 1):
            if row is not None:
                done[waiting[number].key] = row
                with writing(out, language), (out / "runs.jsonl").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
            on_done(len(jobs) - len(waiting) + count, len(jobs))
    rows = [done[job.key] for job in jobs if job.key in done]
    if tried.judge:
        _judge(tried, out, rows, used, language)
    results = load_results(out, rows, len(jobs) - len(rows))
    with writing(out, language):
        results.frame.to_csv(out / "runs.csv", index=False)
        results.by_way.to_csv(out / "ways.csv", index=False)
        results.judges.to_csv(out / "judges.csv", index=False)
        (out / "ways.md").write_text(results.to_markdown(), encoding="utf-8")
        if tried.set == "deepresearch_bench":
            _write_articles(jobs, out)
    return results


def _jobs(tried: Experiment, out: Path, settings: Settings, language: Language) -> Iterator[_Job]:
    """Yield every question in every way.

    Questions lead, so that what broke off has something of each way; which way is first differs from question to
    question, as the first one pays for what is kept (summaries, vectors).
    """
    documents = tried.documents or out / "documents"
    asked = _questions(tried, documents, language)
    try:
        briefs = [_brief(tried, one, documents) for one in asked]
    except ValidationError as error:
        raise UsageError(unusable(error.errors()[0], language)) from error
    texts = {
        name: {one: path.read_text(encoding="utf-8") for one, path in told.items()}
        for name, told in tried.prompts.items()
    }
    for number, (question, (brief, library)) in enumerate(zip(asked, briefs, strict=True)):
        ways = list(tried.ways(brief))
        turn = number % len(ways)
        for way in ways[turn:] + ways[:turn]:
            brief_ = way.variant.applied_to(brief)
            models = tried.models[way.models]
            said = [question.id, brief_.model_dump(mode="json"), library and library.name, tried.analyst]
            said += [way.cells, {role.value: name for role, name in models.items()}, texts[way.prompts]]
            key = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
            changed: dict[str, Any] = {"models": settings.models | models} if models else {}
            changed |= {"embedding_model": way.embedder} if way.embedder else {}
            own = Settings.model_validate({**dict(settings), **changed}) if changed else settings
            yield _Job(key, way, question, brief_, library, own, texts[way.prompts])


def _questions(tried: Experiment, documents: Path, language: Language) -> list[Question]:
    place = tried.questions
    try:
        if isinstance(place, tuple):
            every: Sequence[Question] = place
        elif tried.set:
            if tried.set not in SETS:
                raise UsageError(_NO_SET.in_(language).format(name=tried.set, known=", ".join(SETS)))
            every = list(SETS[tried.set](place, documents))
        else:
            every = questions(place)
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        raise UsageError(_NO_QUESTIONS.in_(language).format(place=place, reason=error)) from error
    return [one for one in every if not tried.only or one.id in tried.only][: tried.most]


def _brief(tried: Experiment, question: Question, documents: Path) -> tuple[Brief, Path | None]:
    sources, library = question.place(documents)
    said = {"question": question.question, "language": question.language, **tried.brief}
    return Brief.model_validate(said | ({"sources": sources} if sources else {})), library


class _Purse:
    """What may still be spent; a run that begins takes a share, and gives back what it leaves."""

    def __init__(self, most: float | None, at_once: int, spent: float) -> None:
        self._left = None if most is None else most - spent
        self._free = at_once
        self._lock = threading.Lock()

    def take(self) -> float | None:
        """Return what the run may cost: None without a cap, 0 if nothing is left."""
        with self._lock:
            share = None if self._left is None else max(0.0, self._left / self._free)
            self._left = None if self._left is None or share is None else self._left - share
            self._free -= 1
            return share

    def give_back(self, share: float | None, spent: float) -> None:
        """Know that a run with this share has ended, and what it cost."""
        with self._lock:
            self._left = None if self._left is None or share is None else self._left + share - spent
            self._free += 1


_LEAST_USD = 1e-4
"""With less, no run is begun."""


def _carried_out(
    job: _Job, analyst: AnalystChoice, reports: Path, purse: _Purse, under_way: UnderWay
) -> dict[str, Any] | None:
    """Carry out a run and return its row, or None if there was nothing left to spend or it failed."""
    brief, share, spent = job.brief, purse.take(), 0.0
    try:
        if share is not None:
            if share < _LEAST_USD:
                return None
            brief = brief.model_copy(update={"max_cost_usd": min(share, brief.max_cost_usd or share)})
        with replaced(job.prompts):
            live = stream(brief, library=job.library, analyst=analyst, settings=job.settings)
        with under_way.holding(live.run_id, live.stop):
            try:
                report = live.wait()
            except ResearchError:
                return None
        outcome = VariantOutcome.of(report)
        spent = outcome.cost_usd or 0.0
    finally:
        purse.give_back(share, spent)
    if report.status is Status.FAILED:
        return None
    (reports / f"{job.key}.md").write_text(report.markdown, encoding="utf-8")
    held = Held.of(job.question, report)._asdict()
    return {
        **job.way.cells,
        "question": job.question.id,
        **{name: value for name, value in held.items() if name != "missing"},
        "missing": "; ".join(held["missing"]),
        "supported": borne_out(outcome.verdicts),
        "checked": sum(outcome.verdicts.values()),
        "contradictions": len(report.contradictions_now),
        "complete": report.status is Status.COMPLETE,
        **outcome.model_dump(include={"seconds", "tokens", "cost_usd", "calls", "kept_calls", "score", "coverage"}),
        "run": outcome.run,
        "key": job.key,
    }


def _judge(
    tried: Experiment, out: Path, rows: Sequence[Mapping[str, Any]], settings: Settings, language: Language
) -> None:
    """Have pairs judged, for what the runs and earlier judgements have left of the cap."""
    spent = sum(row["cost_usd"] or 0.0 for row in rows)
    spent += sum(one.cost_usd or 0.0 for given in judgements_in(out).values() for one in given)
    left = None if tried.max_cost_usd is None else max(0.0, tried.max_cost_usd - spent)
    waiting = docket(out, rows, tried.judge, most=tried.judged, max_cost_usd=left)
    with closing(RunStore.of(settings)) as store:
        failed = have_judged(out, waiting, store, settings, tried.judge, max_cost_usd=left, language=language)
    if failed:
        _log.warning("%s", explain(failed, language))


def _write_articles(jobs: Sequence[_Job], out: Path) -> None:
    """Write a file for each way in the form that the programs of DeepResearch Bench read."""
    by_way: dict[Way, list[dict[str, str]]] = {}
    for job in jobs:
        file = out / "reports" / f"{job.key}.md"
        if file.is_file():
            article = CITATION.sub("", file.read_text(encoding="utf-8"))
            row = {"id": job.question.id, "prompt": job.question.question, "article": article}
            by_way.setdefault(job.way, []).append(row)
    for number, (way, rows) in enumerate(by_way.items(), 1):
        name = "-".join(filter(None, (f"{number:02d}", way.variant.preset.value, way.variant.method.value)))
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        (out / f"articles-{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- what the runs came to -------------------------------------------------------------------------------------------

KEPT = "experiments"
"""The folder of a home in which results are kept that no other folder is named for."""


class Results:
    """What the runs of an experiment came to."""

    def __init__(
        self,
        rows: Sequence[Mapping[str, Any]],
        left: int = 0,
        *,
        ratings: Ratings | None = None,
        judged: Mapping[str, Sequence[Judgement]] | None = None,
    ) -> None:
        self.rows = tuple(rows)
        self.left = left
        """Runs that were not begun or have failed."""
        self.ratings = ratings or Ratings()
        """What the reader prefers, blind."""
        self.judged = judged or {}
        """What models prefer, by their names."""

    @property
    def frame(self) -> pd.DataFrame:
        """One row a run: the way, the question, quality, and what it took.

        `first`, `report`, `pages`: of `facts`, how many stand there; `bearing` of `quotes` bear on the question;
        `supported` of `checked` sentences; `contradictions`; `seconds`, `tokens`, `cost_usd`, `calls`; `complete`.
        """
        import pandas as pd

        return pd.DataFrame(self.rows)

    @property
    def by_way(self) -> pd.DataFrame:
        """One row a way, the best first: shares of facts, quotes and sentences, and means of what a run took."""
        import pandas as pd

        if not self.rows:
            return pd.DataFrame(columns=list(WAY))
        groups = self.frame.groupby(list(WAY), sort=False)
        total = groups.sum(numeric_only=True)
        found = pd.DataFrame(
            {
                "runs": groups.size(),
                "facts": total["report"] / total["facts"],
                "in first lines": total["first"] / total["facts"],
                "quotes that bear": total["bearing"] / total["quotes"],
                "supported": total["supported"] / total["checked"],
                "contradictions": total["contradictions"] / groups.size(),
                "complete": total["complete"] / groups.size(),
                "seconds": groups["seconds"].mean(),
                "tokens": groups["tokens"].mean(),
                "USD": groups["cost_usd"].sum(min_count=1),
            }
        )
        ranked = found.sort_values(["facts", "in first lines", "seconds"], ascending=[False, False, True])
        for name, given in {"reader": self.ratings.given, **self.judged}.items():
            won = preferences(self.rows, Ratings(given=tuple(given)))
            if won:
                ranked[f"{name} prefers"] = [won[way].share if way in won else None for way in ranked.index]
        told = ranked.reset_index()
        return told.drop(columns=[name for name in list(WAY)[2:] if not told[name].any()])

    @property
    def judges(self) -> pd.DataFrame:
        """One row a judge, and whether it can stand for the reader.

        Of `pairs`, it preferred the same in both orders in `held`; it says the same as the reader in `as reader` of
        `rated`, beyond chance by `kappa` (Cohen's); it prefers what holds more facts in `as facts` of `decided`.
        """
        import pandas as pd

        rows = [
            [one.name, one.pairs, one.held, *one.with_reader, *one.with_facts, one.tokens, one.usd]
            for one in judges(self.rows, self.ratings, self.judged)
        ]
        return pd.DataFrame(rows, columns=list(_JUDGES))

    def to_markdown(self) -> str:
        """Return `by_way` as a table, and `judges` as another if there are any."""
        return "\n".join(f"{markdown_table(cells)}\n" for cells in self._tables())

    def _tables(self) -> list[list[list[str]]]:
        return [_cells(self.by_way), *([_cells(self.judges)] if self.judged else [])]

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return "".join(map(html_table, self._tables()))


_JUDGES = ("judge", "pairs", "held", "as reader", "rated", "kappa", "as facts", "decided", "tokens", "USD")
_SHARES = ("facts", "in first lines", "quotes that bear", "supported", "complete")


def _cells(frame: pd.DataFrame) -> list[list[str]]:
    """Return the cells of a frame as they are read, its head first."""

    def told(name: str, value: Any) -> str:
        if isinstance(value, str | int):
            return str(value).replace("|", "\\|")
        if value is None or value != value:  # noqa: PLR0124 - not a number
            return "–"
        if name in _SHARES or name.endswith(" prefers"):
            return f"{value:.0%}"
        return f"{value:,.0f}" if name == "tokens" else f"{value:.2f}"

    rows = [[told(str(name), value) for name, value in row.items()] for row in frame.to_dict("records")]
    return [list(map(str, frame.columns)), *rows]


def results_in(home: Path) -> dict[str, Path]:
    """Return the folders of results that are kept in a home, by name, the one that changed last first."""
    found = {file: file.stat().st_mtime_ns for file in (home / KEPT).glob("*/runs.jsonl")}
    return {file.parent.name: file.parent for file in sorted(found, key=lambda file: -found[file])}


def load_results(folder: Path, rows: Sequence[Row] | None = None, left: int = 0) -> Results:
    """Return what the runs came to that stand in a folder of results, or some of them, and who prefers which.

    Raises:
        StoreError: what the reader rated cannot be read.
    """
    found = tuple(done_in(folder / "runs.jsonl").values()) if rows is None else rows
    return Results(found, left, ratings=ratings_in(folder), judged=judgements_in(folder))


def done_in(file: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a file of runs that were done, by key; a line that was cut off counts as not there."""
    if not file.is_file():
        return {}
    rows = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[row["key"]] = row
    return rows
