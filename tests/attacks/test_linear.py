"""No text makes anything that reads texts take long: what takes twice the text takes about twice the time."""

from __future__ import annotations

import math
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from types import FrameType

import pytest

from research import core
from research.analysts.extractive import digests as documents
from research.analysts.extractive.measures import measures_in
from research.documents import UnreadableFile, decode, iso_date
from research.documents.document import split, tokenise
from research.documents.pdf import reflow
from research.documents.readers import read_markdown, read_table, read_text
from research.export.citing import address, label_in_words
from research.export.composing import blocks_of
from research.export.words import one_line, period_in_words, printable, shortened, tongue
from research.gaps import Relevance, Room
from research.language import Language
from research.library import place_url
from research.quantities import figure_rows, figures, periods, quantities, subject_of, to_csv_safe, unit_named
from research.results import ProofBasis, prove_draft
from research.sources import clean_title
from research.sources.apis import scrubbed
from research.sources.protocol import clean_text, published_date
from research.text import (
    Span,
    asked_concepts,
    columns,
    content_words,
    counted_in,
    countries_in,
    data_line_in,
    escape_markdown,
    expand,
    folded,
    head_of,
    heading_at,
    japanese_terms,
    language_of,
    latest_year,
    names_in,
    parts_of,
    passages,
    places_in,
    question_parts,
    regions_in,
    sentences,
    singular,
    spelt,
    tokens,
    values_of,
    with_parts,
    without_subject,
)
from research.verification import contradictions, plain, verify
from tests.support.machine import slowness
from tests.support.stored_runs import page
from tests.support.strings import strings

LARGE = 200_000
"""Characters. What stands out on a small text is tried on a middle one, and the worst of it on the large one."""
_SMALL, _MIDDLE = {4_000: 500, 60_000: 1_000, 100_000: 1_000, LARGE: 2_000}, 2.5
"""The length of the small text for each of the longest ones, and how many times that the middle one is. What takes so
long for each character that it is given less of them shows on few how its time grows."""
SECONDS = 2.0
"""Of the processor's time, for the large text: a linear reading of figures takes 7 µs a character."""
_SHORTER = {
    "a document as a whole": 60_000, "measures_in": 4_000, "blocks_of": 60_000, "contradictions": 100_000,
    "figure_rows": 100_000, "prove_draft": 60_000,
    "question_parts": 4_000, "with_parts": 4_000,
}  # fmt: skip
"""Lengths where a text is read as Markdown, which takes up to 25 µs a character, or every figure of it is held against
others by its words, which takes 13; in a thread that nobody waits for. No question is longer than 4,000 characters."""
EVIDENCE = {"E1": core.Evidence(id="E1", source="S1", quote="q", start=0, end=1)}
CLAIM = "Sales rose by 4% to 5 million dollars in 2024 in Japan."


class TookTooLong(Exception):
    pass


def pages(text: str) -> dict[str, core.Page]:
    return {"S1": page(text=text, title=text[:300], sha256="0" * 64), "S2": page("S2", CLAIM)}


def quoted(text: str) -> list[core.Evidence]:
    other = core.Evidence(id="E2", source="S2", quote=CLAIM, start=0, end=len(CLAIM))
    return [core.Evidence(id="E1", source="S1", quote=text, start=0, end=len(text)), other]


READERS: dict[str, Callable[[str], object]] = {
    "a document as a whole": documents.blocks_of,
    "address": address,
    "blocks_of": lambda text: blocks_of(text, frozenset({1})),
    "canonical_url": lambda text: core.canonical_url(f"http://a.example/{text}"),
    "cited_sentences": core.cited_sentences,
    "citing_only": lambda text: core.citing_only(text, ["E1"]),
    "clean_text": clean_text,
    "clean_title": clean_title,
    "columns": columns,
    "content_words": content_words,
    "contradictions": lambda text: contradictions(quoted(text), pages(text)),
    "counted_in": lambda text: [
        counts.search(text) for asked in ("How many a?", "何人？") if (counts := counted_in(asked)) is not None
    ],
    "countries_in": countries_in,
    "data_line_in": data_line_in,
    "decode": lambda text: decode(text.encode()),
    "edited": lambda text: core.edited(text, {Span(0, 5): ""}),
    "escape_markdown": escape_markdown,
    "excerpt": lambda text: Relevance().excerpt(text, ["What is tea?"], Room(2_000, 4_000), [(0, 10)]),
    "expand": expand,
    "figure_rows": lambda text: figure_rows(quoted(text), pages(text)),
    "figures": figures,
    "folded": folded,
    "freshness": lambda text: core.freshness(text, date(2026, 11, 21)),
    "head_of": head_of,
    "heading_at": lambda text: heading_at(text, len(text) // 2),
    "iso_date": iso_date,
    "japanese_terms": lambda text: list(japanese_terms(text)),
    "label_in_words": lambda text: label_in_words(text, Language.JA),
    "language_of": language_of,
    "latest_year": latest_year,
    "locate a long quote": lambda text: core.locate(text, f"{text}x"),
    "locate in a long page": lambda text: core.locate(CLAIM, text),
    "measures_in": lambda text: measures_in(question_parts(f"What share of revenue comes {text}")),
    "marked": lambda text: core.marked(text, ["E1"]),
    "names_in": names_in,
    "numbered": lambda text: core.numbered(text.replace("[E", "[F"), EVIDENCE),
    "one_line": one_line,
    "pages_of": core.pages_of,
    "passages": passages,
    "question_parts": question_parts,
    "relevance": lambda text: Relevance().of("How much tea is drunk?", [text, "Tea is drunk."]),
    "values_of": values_of,
    "period_in_words": lambda text: period_in_words(text, Language.EN),
    "periods": periods,
    "place_url": lambda text: place_url("file:///a.md", text, 0, 9),
    "places_in": places_in,
    "plain": plain,
    "printable": printable,
    "prove_draft": lambda text: prove_draft(
        core.cite(text, EVIDENCE).draft, ProofBasis(pages("q"), EVIDENCE), by_rule=False
    ),
    "published_date": published_date,
    "quantities": quantities,
    "asked_concepts": asked_concepts,
    "quoted_passages": core.quoted_passages,
    "read_markdown": lambda text: read_markdown(text.encode(), "a"),
    "read_table": lambda text: read_table(text.encode(), "a"),
    "read_text": lambda text: read_text(text.encode(), "a"),
    "reflow": reflow,
    "regions_in": regions_in,
    "render_marks": lambda text: core.render_marks(text, str),
    "scrubbed": lambda text: scrubbed(text, "key"),
    "sentences": sentences,
    "shortened": lambda text: shortened(text, 40),
    "singular": singular,
    "spelt": lambda text: spelt("tea", text),
    "split": split,
    "subject_of": subject_of,
    "to_csv_safe": to_csv_safe,
    "tokenise": tokenise,
    "tokens": tokens,
    "tokens_in": core.tokens_in,
    "tongue": lambda text: tongue(text, Language.EN),
    "unit_named": unit_named,
    "verify a long sentence": lambda text: verify(text, CLAIM),
    "verify on a long page": lambda text: verify(CLAIM, text),
    "without_marks": core.without_marks,
    "with_parts": lambda text: with_parts(text, parts_of(text)),
    "without_subject": without_subject,
}


@pytest.fixture(scope="module")
def texts() -> dict[int, dict[str, str]]:
    return {length: strings(length) for length in {*_SMALL, *_SMALL.values(), *map(_middle, _SMALL.values())}}


def _middle(small: int) -> int:
    return int(_MIDDLE * small)


@pytest.mark.parametrize("name", READERS)
def test_nothing_takes_long(name: str, texts: dict[int, dict[str, str]]) -> None:
    before = slowness(time.process_time)
    read, longest = READERS[name], _SHORTER.get(name, LARGE)
    small = _SMALL[longest]
    middle, times = _middle(small), longest / small
    read(CLAIM)  # It takes what it is given; and what is loaded or compiled on first use is not the text's fault.
    taken = {made_of: seconds_for(read, text) for made_of, text in texts[small].items()}
    # What grows with the square stands out from where it takes more than `SECONDS` for the longest text.
    stands_out = max(SECONDS / times**2, 1.5 * statistics.median(taken.values()))
    expected = {
        made_of: _expected(seconds, seconds_for(read, texts[middle][made_of]), longest / middle)
        for made_of, seconds in taken.items()
        if seconds > stands_out
    }
    worst = max(expected, key=lambda made_of: expected[made_of], default="")
    if not worst or expected[worst] <= SECONDS / 4:
        return
    taken_at_length = seconds_for(read, texts[longest][worst])
    assert taken_at_length <= SECONDS * max(before, slowness(time.process_time)), worst


def _expected(small: float, middle: float, times: float) -> float:
    """Return the seconds for a text so many `times` as long as the middle one, if they go on to grow as up to there."""
    power = max(1.0, math.log(middle / small) / math.log(_MIDDLE)) if middle > small else 1.0
    return middle * times**power


def seconds_for(read: Callable[[str], object], text: str) -> float:
    """Return how long the processor is busy with a text; of what does not come to an end, little more than allowed."""
    began = time.process_time()
    try:
        with alarm(4 * SECONDS):
            read(text)
    except (TookTooLong, ValueError, UnreadableFile):
        pass
    return time.process_time() - began


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer, also within an expression that is matched."""

    def ring(_: int, __: FrameType | None) -> None:
        raise TookTooLong

    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
