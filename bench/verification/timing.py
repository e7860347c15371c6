"""How long a report takes: 5,000 words against 60 pages of 20,000 characters, and twice as much."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bench.verification.dataset import claims, page_text
from research.verification import Evidence, IndexedPage, Verdict, verify, verify_with

PAGES = 60
CHARACTERS = 20_000
WORDS = 5_000


def print_timing() -> None:
    """Print the time for the report that the product promises, for one twice as long, and for long pages."""
    first, report, double = (
        _report(2, 100, seed=0),
        _report(PAGES, WORDS, seed=1),
        _report(2 * PAGES, 2 * WORDS, seed=2),
    )
    _cpu(lambda: _verified(first))
    one, two = _cpu(lambda: _verified(report)), _cpu(lambda: _verified(double))
    print(f"\n{WORDS:,} words against {PAGES} pages of {CHARACTERS:,} characters: {one:.2f} s of processor time")
    print(f"twice as much: {two:.2f} s, {two / one:.2f} times as long")
    short, long = (_cpu(lambda size=size: _long(size)) for size in (1_000_000, 2_000_000))  # type: ignore[misc]
    print(
        f"one claim, a page of 1,000,000 characters: {short:.2f} s; of 2,000,000: {long:.2f} s, "
        f"{long / short:.2f} times as long"
    )


def _verified(report: list[tuple[str, list[Evidence]]]) -> list[Verdict]:
    return [verify_with(sentence, evidence) for sentence, evidence in report]


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _report(pages: int, words: int, seed: int) -> list[tuple[str, list[Evidence]]]:
    """Return sentences with one or two pages each, half of them with a quote.

    A page is made of paragraphs of all English pages, shuffled.
    """
    chance = random.Random(seed)
    texts = [_page(chance, number) for number in range(pages)]
    found: list[tuple[str, list[Evidence]]] = []
    count = 0
    sentences = [claim.sentence for claim in claims() if claim.language == "en"]
    while count < words:
        sentence = chance.choice(sentences)
        count += len(sentence.split())
        cited = chance.sample(texts, chance.choice((1, 1, 2)))
        found.append((sentence, [(text, _quote(chance, text)) for text in cited]))
    return found


def _quote(chance: random.Random, text: str) -> str | None:
    """Return a line of the page for every second piece of evidence."""
    return chance.choice([line for line in text.splitlines() if line]) if chance.random() < 0.5 else None


def _page(chance: random.Random, number: int) -> str:
    names = sorted({claim.page for claim in claims() if claim.language == "en"})
    paragraphs = [part for name in names for part in page_text(name).split("\n\n")]
    parts = [f"# Page {number}"]
    while sum(map(len, parts)) < CHARACTERS:
        parts.append(chance.choice(paragraphs))
    return "\n\n".join(parts)[:CHARACTERS]


def _long(size: int) -> None:
    chance = random.Random(size)
    parts = [_page(chance, number) for number in range(50)]
    text = "\n\n".join(parts * (size // CHARACTERS // 50))
    IndexedPage(text)
    verify("Marlow handled 55.9 million tonnes of cargo in 2024.", text)
