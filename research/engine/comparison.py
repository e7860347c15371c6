"""One question researched in several ways, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Self, TypeVar

from research.analysts.extractive import plan_for
from research.core import PRESETS, Brief, Evidence, Frozen, MethodName, PresetName, Status, UsageError, method_of
from research.gaps import Relevance, identify_gaps, sufficiency
from research.language import Bilingual, Language, Phrase
from research.results import Report, borne_out
from research.text import columns, escape_markdown

if TYPE_CHECKING:
    import pandas as pd


E = TypeVar("E", bound=StrEnum)

_SPACE = Bilingual(" · ", "・")


class Variant(Frozen):
    """One way to research a question."""

    preset: PresetName
    method: MethodName

    @classmethod
    def of(cls, brief: Brief) -> Self:
        """Return the way that a brief asks for."""
        return cls(preset=brief.preset, method=method_of(brief))

    def applied_to(self, brief: Brief) -> Brief:
        """Return the brief, to be researched in this way."""
        return brief.model_copy(update=self.model_dump())

    def label(self, language: Language) -> str:
        """Return its name for a person."""
        words = (PRESETS[self.preset].label, self.method.label)
        return _SPACE.in_(language).join(word.in_(language) for word in words)


def variants(brief: Brief, methods: Sequence[str] = (), presets: Sequence[str] = ()) -> tuple[Variant, ...]:
    """Return every combination of the methods and presets named; what is not given is the brief's.

    Raises:
        UsageError: a name does not exist, or fewer than two ways remain.
    """
    named = [_named(PresetName, name, brief.language) for name in presets] or [brief.preset]
    chosen = [_named(MethodName, name, brief.language) for name in methods]
    found = dict.fromkeys(
        Variant(preset=preset, method=method)
        for preset in named
        for method in chosen or [brief.method or PRESETS[preset].method]
    )
    if len(found) < 2:
        raise UsageError(_TOO_FEW.in_(brief.language))
    return tuple(found)


def _named(names: type[E], name: str, language: Language) -> E:
    try:
        return names(name)
    except ValueError:
        known = ", ".join(one.value for one in names)
        raise UsageError(_UNKNOWN.in_(language).format(name=name, known=known)) from None


_UNKNOWN = Phrase("There is no “{name}”; there are: {known}.")
_TOO_FEW = Phrase("A comparison needs two or more different methods or presets.")


class VariantOutcome(Frozen):
    """What one run came to, in numbers that can be compared."""

    run: str
    variant: Variant
    analyst: str
    status: Status
    seconds: float
    calls: int
    """Model calls that were made."""
    kept_calls: int
    """Model calls that were not made, because their answer was kept from before, perhaps from a run beside this one."""
    tokens: int
    """Read and written by the models."""
    cost_usd: float | None
    """None if the price of a model is not known."""
    queries: int
    """Different ones, however many sources each was sent to."""
    pages: int
    sites: int
    cited: int
    """Pages that the report cites."""
    quotes: int
    """Pieces of evidence that the report cites."""
    length: int
    """Of the report's text, in columns: a wide character counts two."""
    score: int
    """Sufficiency of the cited evidence for the question, 0 to 10."""
    coverage: float
    """The share of a checklist that the cited evidence speaks of; the checklist is the question's plan by rule, the
    same for all."""
    verdicts: dict[str, int]
    """Sentences for each verdict that occurs."""

    @classmethod
    def of(cls, report: Report) -> Self:
        """Return the outcome of a finished run."""
        record = report.record
        used = {name for sentence in record.sentences for name in sentence.evidence}
        cited = [entry for entry in record.evidence if entry.id in used]
        spent = record.spent
        return cls(
            run=record.run,
            variant=Variant.of(record.brief),
            analyst=record.analyst,
            status=record.status,
            seconds=record.seconds,
            calls=spent.calls,
            kept_calls=spent.cached,
            tokens=spent.tokens,
            cost_usd=spent.cost_usd,
            queries=len(report.view.queries),
            pages=len(record.sources),
            sites=len({source.site for source in record.sources}),
            cited=len({entry.source for entry in cited}),
            quotes=len(cited),
            length=columns(record.draft),
            score=sufficiency(record.brief.question, cited, report.pages).score,
            coverage=_coverage(report, cited),
            verdicts=dict(Counter(sentence.verdict for sentence in record.sentences if sentence.verdict)),
        )


def _coverage(report: Report, cited: Sequence[Evidence]) -> float:
    brief = report.record.brief
    at = datetime.fromisoformat(report.record.started_at)
    kinds = [
        entry.share > 0
        for section in plan_for(brief).sections
        for entry in identify_gaps(section, cited, report.pages, Relevance(), language=brief.language, at=at).coverage
    ]
    return sum(kinds) / len(kinds) if kinds else 0.0


_COLUMNS: Mapping[Phrase, Callable[[VariantOutcome, Language], str]] = {
    Phrase("Way"): lambda one, language: one.variant.label(language),
    Phrase("Status"): lambda one, language: one.status.label.in_(language),
    Phrase("Seconds"): lambda one, _: f"{one.seconds:.1f}",
    Phrase("Model calls"): lambda one, _: f"{one.calls}" + (f" (+{one.kept_calls})" if one.kept_calls else ""),
    Phrase("Tokens"): lambda one, _: f"{one.tokens:,}",
    Phrase("Cost (USD)"): lambda one, _: "–" if one.cost_usd is None else f"{one.cost_usd:.4f}",
    Phrase("Queries"): lambda one, _: str(one.queries),
    Phrase("Pages", "how many"): lambda one, _: str(one.pages),
    Phrase("Cited"): lambda one, _: str(one.cited),
    Phrase("Quotes"): lambda one, _: str(one.quotes),
    Phrase("Score /10"): lambda one, _: str(one.score),
    Phrase("Coverage", "share"): lambda one, _: f"{one.coverage:.0%}",
    Phrase("Supported"): lambda one, _: str(borne_out(one.verdicts)),
    Phrase("Checked sentences"): lambda one, _: str(sum(one.verdicts.values())),
}


class Comparison(Frozen):
    """Several runs of one question."""

    question: str
    language: Language
    outcomes: tuple[VariantOutcome, ...]

    @classmethod
    def of(cls, reports: Iterable[Report]) -> Self:
        """Compare finished runs; the first says the question and the language."""
        found = tuple(reports)
        brief = found[0].record.brief
        return cls(question=brief.question, language=brief.language, outcomes=tuple(map(VariantOutcome.of, found)))

    @property
    def table(self) -> pd.DataFrame:
        """One row a run, every field of `VariantOutcome`, the verdicts in columns of their own."""
        import pandas as pd

        rows = [
            {"preset": one.variant.preset.value, "method": one.variant.method.value}
            | one.model_dump(mode="json", exclude={"variant", "verdicts"})
            | one.verdicts
            for one in self.outcomes
        ]
        return pd.DataFrame(rows)

    def to_markdown(self) -> str:
        """Return the comparison as a table, with the words that one needs to read it."""
        titles = [title.in_(self.language) for title in _COLUMNS]
        rows = [[cell(outcome, self.language) for cell in _COLUMNS.values()] for outcome in self.outcomes]
        lines = [f"| {' | '.join(cells)} |" for cells in (titles, ["---"] * len(titles), *rows)]
        question = escape_markdown(" ".join(self.question.split()))
        return f"# {question}\n\n" + "\n".join(lines) + f"\n\n{READING.in_(self.language)}\n"


READING = Phrase(
    "Runs that are compared share the cache of page summaries: calls that were kept from before, or from a run beside "
    "this one, stand behind the plus sign and cost nothing here. Score and coverage are computed from the quotes that "
    "each report cites: the score by the five criteria of sufficiency, the coverage as the share of one checklist, the "
    "question's plan by rule. Supported means: checked against the stored page, by rules."
)
