"""What an answer says is missing: names and parts of a question of which nothing was found, and other years."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from research.analysts.extractive.arithmetic import CitedValue
from research.analysts.extractive.passages import Ranked, asks_for_decision
from research.analysts.extractive.quotes import quoted, said_by
from research.analysts.extractive.values import RATE
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page
from research.gaps import Relevance, Subjects, is_excluded, said_shares, says
from research.language import Bilingual, Phrase
from research.text import Asked, Name, Operation, asked_concepts, escape_markdown, folded, language_of, tokens

SPEAKS = 1.0
"""Worth from which a passage surely speaks of what is asked. Of 30 questions of JSQuAD 29 have such a passage among
their own, 15 where the one that answers is taken away; of 28 of HotpotQA that are answered, 26."""
_NEAR_TO = Phrase("Nothing was found that surely speaks of “{attribute}”{who}. What comes nearest:")
SAID, _SAID_ABROAD = 0.8, 0.75
"""Relevance from which what is asked is in the sources, whatever words they use; in the other language there are none
in common."""
_NOTHING = 0.2
"""Relevance below which nothing that was read has to do with the question."""
_SPOKEN = 0.1
"""Share of the question's words that a passage has beyond those that no page has, for its subject to be there. Of
questions from JaQuAD and JSQuAD asked of other articles one in nine has as much, of those asked of their own all."""
_LOOKED_AT = 200_000
"""Characters of a page in which the words of a question are looked for."""


def absent(en: Sequence[str], ja: Sequence[str], request: ReportRequest) -> str:
    """Return the line that says that no page speaks of these, named in either language."""
    if not (request.read or request.pages):
        return Bilingual(
            f"Nothing was found on {listed(en).en}: no page was read.",
            f"{listed(ja).ja}についての記述は見つかりませんでした。ページを1件も読めていません。",
        ).in_(request.brief.language)
    return Bilingual(
        f"Nothing was found on {listed(en).en}: no page that was read speaks of it.",
        f"{listed(ja).ja}についての記述は、読んだページからは見つかりませんでした。",
    ).in_(request.brief.language)


def listed(words: Sequence[str]) -> Bilingual:
    """Return words as each language lists them, as Markdown."""
    return Bilingual(escape_markdown(", ".join(words)), escape_markdown("、".join(words)))


def _named(names: Sequence[Name]) -> Bilingual:
    """Return names as each language writes and lists them, as Markdown."""
    return Bilingual(listed([name.en for name in names]).en, listed([name.ja for name in names]).ja)


def other_years(question: Asked, shown: Sequence[CitedValue]) -> Iterator[Bilingual]:
    """Yield that the years asked for are not there, where those next to them are shown."""
    told = {one.value.year for one in shown if one.value.is_row and one.value.year}
    if told and question.years and not any(question.is_in_years(year) for year in told):
        years = ", ".join(question.years)
        yield Phrase("Nothing was found for {years}; the nearest years stand above.").filled(years=years)


def gaps(
    question: Asked,
    subjects: Subjects,
    unfound: Sequence[int],
    nearest: Mapping[int, Sequence[Evidence]],
    request: ReportRequest,
) -> Iterator[str]:
    """Yield lines on what is asked and was not found: names, and attributes of those that are named.

    After an attribute come the lines of data that are `nearest` to it, if any are.
    """
    language = request.brief.language
    if subjects.missing:
        yield Phrase("Nothing was found on {names}.").filled(names=_named(subjects.missing)).in_(language)
    who = Bilingual("", "")
    if subjects.names:
        named = _named(subjects.names)
        who = Bilingual(f" ({named.en})", f"（{named.ja}）")
    for part in unfound:
        told, near = escape_markdown(question.told[part]), nearest.get(part, ())
        if is_excluded(question.attributes[part], request.brief):
            yield Phrase("Left out, as the brief excludes it: {attribute}.").filled(attribute=told).in_(language)
            continue
        said = _NEAR_TO if near else Phrase("Nothing was found on “{attribute}”{who}.")
        yield said.filled(attribute=told, who=who).in_(language)
        yield from (quoted(entry, request.pages[entry.source], language) for entry in near)


def unfound(
    question: Asked,
    answered: Collection[int],
    ranked: Sequence[Ranked],
    request: ReportRequest,
    relevance: Relevance,
) -> Iterator[int]:
    """Yield the attributes that no value answers and of which no passage speaks, or whose words no page uses."""
    is_told = question.wants_prose or asks_for_decision(question.question)
    wants_values = any(name.is_place for name in question.names) and not is_told
    untold = set(_untold(question, ranked, request, relevance, only_unsaid=not wants_values))
    for index, attribute in enumerate(question.attributes):
        is_untold = index in untold or (wants_values and RATE.search(attribute))
        if index not in answered and (is_untold or is_excluded(attribute, request.brief)):
            yield index


def is_absent(
    question: Asked, subjects: Subjects, request: ReportRequest, ranked: Sequence[Ranked], relevance: Relevance
) -> bool:
    """Whether nothing comes near to what is asked; by words alone also if hardly one of it stands in what does."""
    if _is_titled(subjects, request):
        return False
    return ranked[0].worth < _NOTHING or (
        not relevance.is_by_meaning and is_unspoken(question, subjects, request, ranked)
    )


def is_unspoken(question: Asked, subjects: Subjects, request: ReportRequest, ranked: Sequence[Ranked]) -> bool:
    """Whether hardly a word of the question stands in what comes nearest, which surely speaks of nothing."""
    is_known = question.operation is Operation.OPEN or len(subjects.missing) < len(subjects.names)
    is_told = is_known or ranked[0].worth >= SPEAKS or _is_titled(subjects, request)
    return not is_told and _spoken(question, request, ranked) < _SPOKEN


def is_untold(
    question: Asked, subjects: Subjects, request: ReportRequest, ranked: Sequence[Ranked], relevance: Relevance
) -> bool:
    """Whether all that is asked has words that no page uses, and nothing says the same in others."""
    told = _untold(question, ranked, request, relevance, only_unsaid=True)
    return not _is_titled(subjects, request) and len(list(told)) == len(question.attributes)


def _is_titled(subjects: Subjects, request: ReportRequest) -> bool:
    """Whether a page has somebody asked for in its title."""
    own = [name for name in subjects.names if not name.is_place]
    return any(name.stands_in(folded(page.title)) for page in request.pages.values() for name in own)


def _untold(
    question: Asked, ranked: Sequence[Ranked], request: ReportRequest, relevance: Relevance, *, only_unsaid: bool
) -> Iterator[int]:
    """Yield the attributes of which no passage speaks; `only_unsaid` those with a word that no page uses."""
    nowhere = set(unsaid(question, request.pages.values()))
    said = [said_by(one.entry, request.pages) for one in ranked]
    titles = [request.pages[one.entry.source].title for one in ranked]
    mother = language_of(question.question)
    enough = [SAID if language_of(one.entry.quote) is mother else _SAID_ABROAD for one in ranked]
    for index, (attribute, wording) in enumerate(zip(question.attributes, question.wordings, strict=True)):
        if not only_unsaid or any(one in folded(attribute) for one in nowhere):
            near = relevance.of(wording, said, words=attribute, titles=titles)
            if not any(one >= least for one, least in zip(near, enough, strict=True)):
                yield index


def _spoken(question: Asked, request: ReportRequest, ranked: Sequence[Ranked]) -> float:
    """Return which share of the question's words the passage has that has most, less the share that no page has.

    It is 1 where a page is in another language: it has other words.
    """
    language = language_of(question.question)
    if any(language_of(page.text) is not language for page in request.pages.values()):
        return 1.0
    passages = [f"{request.pages[one.entry.source].title} {said_by(one.entry, request.pages)}" for one in ranked]
    if len(question.attributes) > 1 and any(
        max(said_shares(attribute, passages)) >= SAID for attribute in question.attributes
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
    is_mixed = any(language_of(text) is not language for text in texts)
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
