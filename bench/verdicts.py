"""Verdicts on claims that others wrote, and on our own: macro-F1, and with each rule left out.

python -m bench.verdicts --wice <folder of ryokamoi/wice> --jglue <folder of yahoojapan/JGLUE>
python -m bench.verdicts --own                  our own claims, altered by program so that they are false

WiCE (English, Wikipedia's claims on the pages they cite): supported, partially and not supported. JNLI (Japanese,
captions): entailment is supported, neutral partial, contradiction unsupported. Half of JNLI, chosen by hash, was not
looked at while the rules were written. WiCE's 349 development claims are too few for that: the two limits of the score
were chosen on all of them, and its halves only show how far the figure swings. Nothing of the sets is kept here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.verification.dataset import FALSE, SUPPORTED, claims
from research.verification import ALL, Label, Rule, verify_with

_LABELS = (Label.SUPPORTED, Label.PARTIAL, Label.UNSUPPORTED)
_WICE = dict(zip(("supported", "partially_supported", "not_supported"), _LABELS, strict=True))
_JNLI = dict(zip(("entailment", "neutral", "contradiction"), _LABELS, strict=True))
_WORD = re.compile(r"[A-Za-z0-9]+|[ァ-ヺー一-鿿]")


class Item(NamedTuple):
    """A claim, what it is held against, and what should be found."""

    claim: str
    page: str
    label: Label
    held_out: bool


Judge = Callable[[Item], Label]


def wice(folder: Path) -> Iterator[Item]:
    """Yield WiCE's development claims; its test part is for others to measure on."""
    path = folder / "data" / "entailment_retrieval" / "claim" / "dev.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield Item(
            entry["claim"], "\n".join(entry["evidence"]), _WICE[entry["label"]], _is_held_out(entry["meta"]["id"])
        )


def jnli(folder: Path) -> Iterator[Item]:
    """Yield JNLI's validation pairs; pairs about one picture are in one half."""
    (path,) = folder.glob("datasets/jnli-v*/valid-v*.json")
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        held_out = _is_held_out(entry["yjcaptions_id"].split("-")[0])
        yield Item(entry["sentence2"], entry["sentence1"], _JNLI[entry["label"]], held_out)


def _is_held_out(name: str) -> bool:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 1


def by_rules(rules: frozenset[Rule] = ALL) -> Judge:
    """Return the product's verdict; what cannot be checked counts as unsupported."""

    def judge(item: Item) -> Label:
        label = verify_with(item.claim, [(item.page, None)], rules).label
        return label if label in _LABELS and label is not None else Label.UNSUPPORTED

    return judge


def by_overlap(items: Sequence[Item]) -> Judge:
    """Return what word overlap alone gives: the share of the claim's words in the page's best line, two limits.

    The limits are the best for `items`.
    """
    scored = [(_overlap(item), item.label) for item in items]
    grid = [step / 20 for step in range(1, 21)]
    gold = [label for _, label in scored]
    high, low = max(
        ((high, low) for high in grid for low in grid if low < high),
        key=lambda limits: macro_f1(gold, [_limited(score, *limits) for score, _ in scored]),
    )
    return lambda item: _limited(_overlap(item), high, low)


def _overlap(item: Item) -> float:
    words = set(_WORD.findall(item.claim.lower()))
    lines = (set(_WORD.findall(line.lower())) for line in item.page.splitlines())
    return max((len(words & line) for line in lines), default=0) / (len(words) or 1)


def _limited(score: float, high: float, low: float) -> Label:
    return Label.SUPPORTED if score >= high else Label.PARTIAL if score >= low else Label.UNSUPPORTED


def macro_f1(gold: Sequence[Label], found: Sequence[Label]) -> float:
    """Return the mean F1 of the three labels."""
    pairs = Counter(zip(gold, found, strict=True))
    totals = Counter(gold) + Counter(found)
    return sum(2 * pairs[label, label] / totals[label] for label in _LABELS if totals[label]) / len(_LABELS)


def _print_set(name: str, items: Sequence[Item]) -> None:
    halves = [[item for item in items if item.held_out is held_out] for held_out in (False, True)]
    print(f"\n{name}: {len(halves[0])} claims in the first half, {len(halves[1])} in the second")
    judges = {"word overlap": by_overlap(halves[0]), "all rules": by_rules()}
    judges |= {f"without {rule.value}": by_rules(ALL - {rule}) for rule in Rule}
    for title, judge in judges.items():
        start = time.perf_counter()
        shown = [f"{macro_f1([item.label for item in half], list(map(judge, half))):8.3f}" for half in halves]
        print(f"{title:20}", *shown, f"{(time.perf_counter() - start) / len(items) * 1000:8.1f} ms a claim")


def _print_own() -> None:
    """Print how many of our own claims are called supported, by kind: true ones should be, false ones never."""
    print("\nour own claims called supported (partial, unsupported)")
    for kind in (*SUPPORTED, "partly", *FALSE):
        some = [
            Item(claim.sentence, claim.text, claim.label, claim.held_out) for claim in claims() if claim.kind == kind
        ]
        counts = Counter(map(by_rules(), some))
        print(f"{kind:16}", *(f"{counts[label]:5}" for label in _LABELS))


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--wice", type=Path)
    parser.add_argument("--jglue", type=Path)
    parser.add_argument("--own", action="store_true")
    options = parser.parse_args()
    if options.wice:
        _print_set("WiCE", list(wice(options.wice)))
    if options.jglue:
        _print_set("JNLI", list(jnli(options.jglue)))
    if options.own:
        _print_own()


if __name__ == "__main__":
    main()
