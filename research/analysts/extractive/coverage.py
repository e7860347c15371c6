"""Which required points the quotes cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from research.analysts.extractive.asked import is_excluded, meant, without_excluded
from research.analysts.extractive.lenses import LensAspect, LensSection
from research.analysts.extractive.plan import DIRECT_TITLE, concepts_of, section_in
from research.analysts.protocol import ResearcherView
from research.core import Brief, Evidence, NextQuery, Page
from research.gaps import follow_up_queries
from research.language import Language, Phrase
from research.text import Concept, Name, compared_in, countries_in, folded, heading_at, tokens

_COVERED_FROM = 0.9


@dataclass(frozen=True)
class Gap:
    """An aspect on which nothing was found, for one of the names asked for or for the question as a whole."""

    aspect: LensAspect
    name: Name | None

    def label(self, language: Language) -> str:
        """Return it in words."""
        aspect = self.aspect.label.in_(language)
        if self.name is None:
            return aspect
        return f"{self.name.ja}の{aspect}" if language is Language.JA else f"{self.name.en}: {aspect}"


@dataclass(frozen=True)
class Told:
    """An aspect on which something was found, for at least one name."""

    aspect: LensAspect
    names: tuple[Name, ...]
    """The names asked for that it was found for."""
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Coverage:
    """How far the evidence answers a section."""

    told: tuple[Told, ...]
    gaps: tuple[Gap, ...]
    names: int
    """How many names are asked for; 1 if the question names none."""

    def missing(self, language: Language) -> list[str]:
        """Return the gaps in words; an aspect that every name lacks is said once."""
        by_aspect: dict[LensAspect, list[Gap]] = {}
        for gap in self.gaps:
            by_aspect.setdefault(gap.aspect, []).append(gap)
        words: list[str] = []
        for aspect, group in by_aspect.items():
            alike = len(group) == self.names
            words.extend([aspect.label.in_(language)] if alike else [gap.label(language) for gap in group])
        return words


def coverage_of(
    section: LensSection,
    brief: Brief,
    evidence: Sequence[Evidence],
    pages: Mapping[str, Page],
    asked: Sequence[Name] | None = None,
    *,
    with_titles: bool = False,
) -> Coverage:
    """Return what `evidence` covers of `section`, for each of the names `asked` for: the question's unless given.

    `with_titles`, a question that compares nobody is also covered by what stands on a page that is titled so.
    """
    section = without_excluded(section, brief)
    names: Sequence[Name | None] = (compared_in(brief.question) if asked is None else asked) or (None,)
    concepts = concepts_of(section, brief.question, brief.language)
    with_titles = with_titles and None in names
    said = [
        (subjects(entry, pages[entry.source], names), _said(entry, pages[entry.source], with_title=with_titles))
        for entry in evidence
    ]
    in_words = section.title == DIRECT_TITLE
    told: list[Told] = []
    gaps: list[Gap] = []
    for aspect, concept in zip(section.aspects, concepts, strict=True):
        means = meant(aspect.label.in_(brief.language)) if in_words else frozenset()
        on_it = [bool(about) and _speaks_of(text, concept, means) for about, text in said]
        told_of = {name for (about, _), is_on_it in zip(said, on_it, strict=True) if is_on_it for name in about}
        if told_of:
            named = tuple(name for name in names if name is not None and name in told_of)
            told.append(Told(aspect, named, tuple(compress(evidence, on_it))))
        gaps.extend(Gap(aspect, name) for name in names if name not in told_of)
    return Coverage(tuple(told), tuple(gaps), len(names))


def subjects(entry: Evidence, page: Page, names: Sequence[Name | None]) -> tuple[Name | None, ...]:
    """Return which of `names` a quote is about: those in its page's title, else those that it or its heading names.

    On a page about another country a name is only mentioned. Every quote is about None, the question as a whole.
    """
    title = folded(page.title)
    titled = tuple(name for name in names if name is not None and name.stands_in(title))
    if len(titled) == 1 or None in names:
        return titled or (None,)
    if not titled and countries_in(page.title) and any(name is not None and name.is_place for name in names):
        return ()
    said = folded(f"{heading_at(page.text, entry.start)}\n{entry.quote}")
    return tuple(name for name in names if name is not None and name.stands_in(said)) or titled


def _said(entry: Evidence, page: Page, *, with_title: bool) -> str:
    title = page.title if with_title else ""
    return f"{title}\n{heading_at(page.text, entry.start)}\n{entry.quote}"


def _speaks_of(text: str, wanted: Concept, means: frozenset[str]) -> bool:
    """Whether a text holds a wording of what is wanted, or words that mean the same: grew, increase."""
    return wanted.match(set(tokens(text))) >= _COVERED_FROM or (bool(means) and means <= meant(text))


def required(view: ResearcherView, gaps: Sequence[Gap]) -> tuple[str, ...]:
    """Return what the plan requires, was counted as missing, and is none of `gaps`; nothing that the brief excludes.

    Empty where the plan requires nothing by name: the aspects of any good answer are no gaps of this one.
    """
    if view.assessment is None or view.section is None or not view.section.wanted:
        return ()
    whole = section_in(view)
    unwanted = set(whole.aspects).difference(without_excluded(whole, view.brief).aspects)
    named = {folded(gap.label(view.brief.language)) for gap in gaps}
    named.update(folded(label) for one in (*unwanted, *(gap.aspect for gap in gaps)) for label in one.label)
    missing = {folded(label): label for label in view.assessment.gaps.missing}
    return tuple(label for key, label in missing.items() if key not in named and not is_excluded(label, view.brief))


def with_required(view: ResearcherView, own: Sequence[NextQuery], missing: Sequence[str]) -> tuple[NextQuery, ...]:
    """Return the queries of the next search: `own`, and up to half of them, or more where there is room, for `missing`.

    Those for `missing` were not made before either.
    """
    if not missing or view.section is None:
        return tuple(own)
    at_most = view.limits.queries
    made = [*view.queries_made, *(one.query for one in own)]
    asked = follow_up_queries(view.brief, view.section, missing, made=made, at_most=at_most, today=view.today)
    why = Phrase("Something that the plan requires is still missing.")
    added = [NextQuery(query=query, reason=why.in_(view.brief.language)) for query in asked]
    return (*own[: at_most - min(len(added), at_most // 2)], *added)[:at_most]
