"""What was asked and not found: whom no page speaks of, what no value and no passage says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from research.analysts.extractive.answered_values import CitedValue
from research.analysts.extractive.quoting import said_by
from research.analysts.extractive.subjects import Subjects, is_excluded
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.gaps import Relevance, said_shares, says
from research.language import Bilingual, Phrase
from research.text import Asked, Operation, asked_concepts, escape_markdown, folded, language_of, tokens

_SAID = 0.8
"""Relevance from which what is asked is in the sources, whatever words they use."""
_NOTHING = 0.2
"""Relevance below which nothing that was read has to do with the question."""
_SPOKEN = 0.1
"""Share of the question's words that a passage has beyond those that no page has, for its subject to be there. Of
questions from JaQuAD and JSQuAD asked of other articles one in nine has as much, of those asked of their own all."""
_CHECKED = 12
"""Passages that are looked at for something asked that no value answers."""
_MEASURE = re.compile(r"\b(?:rate|share|ratio|percentage|number)\Z|(?:率|割合|比率|人数|件数)\Z", re.IGNORECASE)
"""How something asked ends that only a value answers."""
_ADVICE = re.compile(r"\bshould\b|べき", re.IGNORECASE)
"""What asks for advice: no source has it under that name."""
_LOOKED_AT = 200_000
"""Characters of a page in which the words of a question are looked for."""
_DIGIT = re.compile(r"\d")


def absent(en: Sequence[str], ja: Sequence[str], request: ReportRequest) -> str:
    """Return the line that says that no page speaks of these, named in either language."""
    return Bilingual(
        f"Nothing was found on {listed(en).en}: no page that was read speaks of it.",
        f"{listed(ja).ja}についての記述は、読んだページからは見つかりませんでした。",
    ).in_(request.brief.language)


def listed(words: Sequence[str]) -> Bilingual:
    """Return words as each language lists them, as Markdown."""
    return Bilingual(escape_markdown(", ".join(words)), escape_markdown("、".join(words)))


def other_years(question: Asked, shown: Sequence[CitedValue]) -> Iterator[Bilingual]:
    """Yield that the years asked for are not there, where those next to them are shown."""
    told = {one.value.year for one in shown if one.value.is_row and one.value.year}
    if told and question.years and not any(question.is_in_years(year) for year in told):
        years = ", ".join(question.years)
        yield Phrase("Nothing was found for {years}; the nearest years stand above.").filled(years=years)


def gaps(question: Asked, subjects: Subjects, unfound: Sequence[int], request: ReportRequest) -> Iterator[Bilingual]:
    """Yield what is asked and was not found: names, and attributes of those that are named."""
    if subjects.missing:
        yield Phrase("Nothing was found on {names}.").filled(names=listed([name.en for name in subjects.missing]))
    who = Bilingual("", "")
    if named := subjects.names:
        en, ja = listed([name.en for name in named]), listed([name.ja for name in named])
        who = Bilingual(f" ({en.en})", f"（{ja.ja}）")
    for attribute in map(question.attributes.__getitem__, unfound):
        told = escape_markdown(attribute)
        if is_excluded(attribute, request.brief):
            yield Phrase("Left out, as the brief excludes it: {attribute}.").filled(attribute=told)
        else:
            yield Phrase("Nothing was found on “{attribute}”{who}.").filled(attribute=told, who=who)


def unfound(
    question: Asked,
    cited: Sequence[CitedValue],
    ranked: Sequence[tuple[Evidence, float]],
    request: ReportRequest,
    relevance: Relevance,
) -> Iterator[int]:
    """Yield the attributes that no value answers and no passage speaks of, or whose words no page uses."""
    near = [entry for entry, _ in ranked[:_CHECKED] if not question.wants_figure or _DIGIT.search(entry.quote)]
    answered = {one.match.attribute for one in cited}
    nowhere = set(unsaid(question, request.pages.values()))
    wants_figures = any(name.is_place for name in question.names) and not question.wants_prose
    wants_figures = wants_figures and not _ADVICE.search(question.question)
    # An almanac has its own word for everything; documents of one's own say it in others.
    has_documents = any(page.kind is SourceKind.DOCUMENT for page in request.pages.values())
    least = _SAID if has_documents else 1.0
    for index, attribute in enumerate(question.attributes):
        if index in answered:
            continue
        is_unsaid = any(one in folded(attribute) for one in nowhere)
        is_measure = _MEASURE.search(attribute) is not None
        if is_excluded(attribute, request.brief):
            yield index
        elif is_unsaid or wants_figures:
            told = _told(question, index, near, request, relevance)
            if (is_unsaid and told < _SAID) or (wants_figures and (is_measure or told < least)):
                yield index


def is_absent(
    question: Asked,
    subjects: Subjects,
    request: ReportRequest,
    ranked: Sequence[tuple[Evidence, float]],
    relevance: Relevance,
) -> bool:
    """Whether nothing comes near to anything that is asked, or no page has its words."""
    own = [name for name in subjects.names if not name.is_place]
    if any(name.stands_in(folded(page.title)) for page in request.pages.values() for name in own):
        return False
    is_known = question.operation is Operation.OPEN or len(subjects.missing) < len(subjects.names)
    if ranked[0][1] < _NOTHING or (not is_known and _spoken(question, request, ranked) < _SPOKEN):
        return True
    nowhere = set(unsaid(question, request.pages.values()))
    return all(
        any(one in folded(attribute) for one in nowhere)
        and _told(question, index, [entry for entry, _ in ranked], request, relevance) < _SAID
        for index, attribute in enumerate(question.attributes)
    )


def _told(
    question: Asked, index: int, entries: Sequence[Evidence], request: ReportRequest, relevance: Relevance
) -> float:
    """Return how far the nearest quote speaks of one thing that is asked."""
    said = [said_by(entry, request.pages) for entry in entries]
    titles = [request.pages[entry.source].title for entry in entries]
    words = question.attributes[index]
    return max(relevance.of(question.wordings[index], said, words=words, titles=titles), default=0.0)


def _spoken(question: Asked, request: ReportRequest, ranked: Sequence[tuple[Evidence, float]]) -> float:
    """Return which share of the question's words the passage has that has most, less the share that no page has.

    It is 1 where a page is in another language: it has other words.
    """
    language = language_of(question.question)
    if any(language_of(page.text[:_LOOKED_AT]) is not language for page in request.pages.values()):
        return 1.0
    passages = [f"{request.pages[entry.source].title} {said_by(entry, request.pages)}" for entry, _ in ranked]
    if len(question.attributes) > 1 and any(
        max(said_shares(attribute, passages)) >= _SAID for attribute in question.attributes
    ):
        return 1.0  # One of the things that are asked is there.
    best = max(said_shares(question.question, passages))
    (known,) = said_shares(question.question, [" ".join(_words_of(request.pages.values()))])
    return best - (1 - known)


def unsaid(question: Asked, pages: Collection[Page]) -> Iterator[str]:
    """Yield the words of the question that no page uses: its subject may be missing.

    Pages in another language may have a word for it that the dictionary does not know.
    """
    language = language_of(question.question)
    texts = [page.text for page in pages]
    is_mixed = any(language_of(text[:_LOOKED_AT]) is not language for text in texts)
    things = [one for one in asked_concepts(" ".join(question.attributes)) if not one.is_period]
    things = [one for one in things if one.related or not is_mixed]
    words = _words_of(pages)
    yield from (folded(one.label) for one in things if " " not in one.label and says(one, words) == 0)


def _words_of(pages: Collection[Page]) -> frozenset[str]:
    """Return the words of all pages and their titles."""
    said: set[str] = set()
    for page in pages:
        said.update(tokens(page.text[:_LOOKED_AT]))
        said.update(tokens(page.title.replace("-", " ").replace("_", " ")))
    return frozenset(said)
