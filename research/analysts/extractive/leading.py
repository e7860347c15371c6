"""Whom passages name: those whom the question names, and in a second step those whom it only describes.

“Where is the buyer of Zentra Steel based?” describes the buyer. A passage on Zentra Steel names it, and a page about
that name has the seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from research.analysts.extractive.quoting import said_by
from research.analysts.extractive.subjects import Subjects
from research.core import Evidence, Page
from research.gaps import Relevance, said_shares
from research.text import Asked, columns, folded, language_of, places_in, proper_names, regions_in, stands_whole

_LEADS = 2
"""Pages whose best passage leads on. On HotpotQA and MuSiQue a third brings as much that belongs to other questions."""
_ALL = 0.85
"""Share of the question's words that leaves nothing to be led to. One passage has as many for three of four questions
of JSQuAD, which one passage answers, and for one of ten of HotpotQA, which two do."""
_NAMES = 3
"""Names of one passage that are searched for, the first ones."""
_SHORTEST = 4
"""Columns of a name that leads on; a shorter one stands in many titles."""
_AFTER_NAME = re.compile(r"\s*[(（].*")
"""What a title says of a name besides: Mercury (planet)."""


def led_to(
    question: Asked, ranked: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance
) -> tuple[Evidence, ...]:
    """Return the passage that the best ones lead to: on a page about somebody whom they name and the question does not.

    `ranked` are passages by how near they come to the question. A passage that is led to is compared with the question
    together with what leads to it. At most one is returned.
    """
    found: list[tuple[float, Evidence]] = []
    if _is_all_said(question, ranked, pages):
        return ()
    for lead in _leads(ranked):
        about = {source for source in {one.source for one in ranked} if _is_led_to(lead, pages, source, question)}
        among = [entry for entry in ranked if entry.source in about]
        near = relevance.of(
            f"{question.question} {lead.quote}",
            [entry.quote for entry in among],
            words=question.question,
            titles=[pages[entry.source].title for entry in among],
        )
        found += zip(near, among, strict=True)
    return tuple(entry for _, entry in sorted(found, key=lambda pair: -pair[0])[:1])


def names_led_to(
    question: Asked, evidence: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance
) -> Iterator[tuple[str, ...]]:
    """Yield, for each of the passages that lead on, whom it names and nothing read so far is about, in its order."""
    if _is_all_said(question, evidence, pages):
        return
    titles = [pages[entry.source].title for entry in evidence]
    near = relevance.of(question.question, [entry.quote for entry in evidence], titles=titles)
    worth = {
        entry.id: (is_named(pages[entry.source], question), one) for entry, one in zip(evidence, near, strict=True)
    }
    known = "\n".join(folded(page.title) for page in pages.values())
    for lead in _leads(sorted(evidence, key=lambda entry: worth[entry.id], reverse=True)):
        names = [name for name in _names(lead, question) if not _stands(folded(name), known) and not places_in(name)]
        if names:
            yield tuple(names[:_NAMES])


def is_named(page: Page, question: Asked) -> bool:
    """Whether the question names a page by its title."""
    return _stands(_subject(page), folded(question.question))


def best_of_named(question: Asked, ranked: Sequence[Evidence], pages: Mapping[str, Page]) -> dict[str, Evidence]:
    """Return the first passage of each of those, folded, that the question names by the title of a page."""
    best: dict[str, Evidence] = {}
    for entry in ranked:
        if is_named(pages[entry.source], question):
            best.setdefault(_subject(pages[entry.source]), entry)
    return best


def naming(entries: Sequence[Evidence], subjects: Subjects, pages: Mapping[str, Page]) -> list[float]:
    """Return how far each quote, or its page, is about those whom the question names, from 0 to 1.

    What nearly all are about tells nothing. In the other language names are written otherwise, so that nothing is told.
    """
    mother = language_of(subjects.asked.question)
    about = {
        one.id: (is_named(pages[one.source], subjects.asked), *_said_names(one, subjects, pages))
        for one in entries
        if language_of(one.quote) is mother
    }
    rare = [1 - sum(column) / len(about) for column in zip(*about.values(), strict=True)]
    told = {
        name: max(rare[0] * row[0], sum(map(float.__mul__, rare[1:], map(float, row[1:]))) / max(1, len(row) - 1))
        for name, row in about.items()
    }
    return [told.get(one.id, max(told.values(), default=0.0)) for one in entries]


def _said_names(entry: Evidence, subjects: Subjects, pages: Mapping[str, Page]) -> list[bool]:
    low, about = folded(said_by(entry, pages)), subjects.of(pages[entry.source])
    named = [name in about or name.stands_in(low) for name in subjects.names]
    return [*named, *(area.stands_in(low) for area in regions_in(subjects.asked.question))]


def _is_all_said(question: Asked, evidence: Sequence[Evidence], pages: Mapping[str, Page]) -> bool:
    """Whether one passage has nearly all words of the question: nobody is only described in it."""
    said = [f"{pages[entry.source].title} {entry.quote}" for entry in evidence]
    return max(said_shares(question.question, said), default=0.0) > _ALL


def _leads(ranked: Sequence[Evidence]) -> list[Evidence]:
    """Return the best passage of each of the best pages."""
    best: dict[str, Evidence] = {}
    for entry in ranked:
        best.setdefault(entry.source, entry)
    return list(best.values())[:_LEADS]


def _is_led_to(lead: Evidence, pages: Mapping[str, Page], source: str, question: Asked) -> bool:
    """Whether a passage names whom another page is about, and the question does not."""
    own, title = _subject(pages[lead.source]), _subject(pages[source])
    if own == title or is_named(pages[source], question):
        return False
    named = (folded(name) for name in _names(lead, question) if not places_in(name))
    return _stands(title, folded(lead.quote)) or any(_stands(name, title) for name in named)


def _names(lead: Evidence, question: Asked) -> list[str]:
    """Return the names in a passage that the question does not hold."""
    asked = folded(question.question)
    return [name for name in dict.fromkeys(proper_names(f"{lead.quote}.")) if folded(name) not in asked]


def _subject(page: Page) -> str:
    return folded(_AFTER_NAME.sub("", page.title))


def _stands(name: str, text: str) -> bool:
    """Whether a text holds a name as whole words; both are folded."""
    return columns(name) >= _SHORTEST and stands_whole(name, text)
