"""Verdicts on claims that others wrote, and on our own: how far `supported` can be trusted, each rule left out in turn.

python -m bench.verdicts --wice <folder of ryokamoi/wice> --jglue <folder of yahoojapan/JGLUE>
python -m bench.verdicts --symmetric <of TalSchuster/FeverSymmetric> --vitaminc <of INK-USC/llicl-data>
python -m bench.verdicts --own                  our own claims, altered by program so that they are false
python -m bench.verdicts --altered <JSON in SQuAD's form …>   sentences of others' texts, altered in the same way

WiCE (English, Wikipedia's claims on the pages they cite): supported, partially and not supported. JNLI (Japanese,
captions), FEVER's symmetric pairs and VitaminC (English; one fact changed in claim or page): entailed is supported,
neutral partial, refuted unsupported. Rules and limits were chosen on the first of the two parts that are printed for
each set: WiCE's dev, half of JNLI's validation part by hash, the symmetric dev, VitaminC's train samples. The second is
held out. Nothing of the sets is kept here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.verification.changes import altered_number, changed_period, changed_unit, negated
from bench.verification.dataset import FALSE, SUPPORTED, claims
from research.text import sentences
from research.verification import Label, verify_with
from research.verification.words import names_in

_LABELS = (Label.SUPPORTED, Label.PARTIAL, Label.UNSUPPORTED)
_WICE = dict(zip(("supported", "partially_supported", "not_supported"), _LABELS, strict=True))
_JNLI = dict(zip(("entailment", "neutral", "contradiction"), _LABELS, strict=True))
_FEVER = dict(zip(("supports", "not enough info", "refutes"), _LABELS, strict=True))
_WORD = re.compile(r"[A-Za-z0-9]+|[ァ-ヺー一-鿿]")


class Item(NamedTuple):
    """A claim, what it is held against, and what should be found."""

    claim: str
    page: str
    label: Label
    held_out: bool


Judge = Callable[[Item], Label]


def wice(folder: Path) -> Iterator[Item]:
    """Yield WiCE's development claims, and its test claims as held out."""
    for part in ("dev", "test"):
        for entry in _lines(folder / "data" / "entailment_retrieval" / "claim" / f"{part}.jsonl"):
            yield Item(entry["claim"], "\n".join(entry["evidence"]), _WICE[entry["label"]], part == "test")


def jnli(folder: Path) -> Iterator[Item]:
    """Yield JNLI's validation pairs, of which pairs about one picture are in one half, and its test pairs."""
    for path in sorted(folder.glob("datasets/jnli-v*/[vt][ae][ls]*.json")):
        for entry in _lines(path):
            held_out = path.name.startswith("test") or _is_held_out(entry["yjcaptions_id"].split("-")[0])
            yield Item(entry["sentence2"], entry["sentence1"], _JNLI[entry["label"]], held_out)


def symmetric(folder: Path) -> Iterator[Item]:
    """Yield FEVER's symmetric pairs."""
    for part in ("dev", "test"):
        for entry in _lines(folder / "symmetric_v0.2" / f"fever_symmetric_{part}.jsonl"):
            yield _fever(entry, held_out=part == "test")


def vitaminc(folder: Path) -> Iterator[Item]:
    """Yield the samples of VitaminC."""
    for path in sorted(folder.glob("vitaminc/*.jsonl")):
        for entry in _lines(path):
            yield _fever(entry, held_out=path.stem == "test")


def _fever(entry: dict[str, str], *, held_out: bool) -> Item:
    return Item(_joined(entry["claim"]), _joined(entry["evidence"]), _FEVER[entry["label"].lower()], held_out)


def _joined(text: str) -> str:
    """Return a text that was cut into words as it is written."""
    for cut, sign in (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("``", '"'), ("''", '"')):
        text = text.replace(cut, sign)
    return re.sub(r" (?=[.,;:!?)%\]]|'s\b|n't\b)|(?<=[(\[$£€]) ", "", text)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _is_held_out(name: str) -> bool:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 1


_RULES = {
    "figures": ("figure-missing", "figure-differs", "figure-misplaced"),
    "periods": ("period-missing", "period-differs"),
    "names": ("name-missing",),
    "words": ("word-differs", "name-differs", "partly-stated"),
    "negation": ("denied",),
    "roles": ("roles-swapped",),
}
"""The codes of what each rule finds."""


def by_rules(without: Sequence[str] = ()) -> Judge:
    """Return the product's verdict, without findings of these codes; what cannot be checked counts as unsupported."""

    def judge(item: Item) -> Label:
        label = verify_with(item.claim, [(item.page, None)], without).label
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


def trusted(gold: Sequence[Label], found: Sequence[Label]) -> tuple[float, float]:
    """Return how much of what is called supported is so, and the share of what is refuted that is called supported."""
    pairs = Counter(zip(gold, found, strict=True))
    called, refuted = found.count(Label.SUPPORTED), gold.count(Label.UNSUPPORTED)
    right, wrong = (pairs[label, Label.SUPPORTED] for label in (Label.SUPPORTED, Label.UNSUPPORTED))
    return right / called if called else 0.0, wrong / refuted if refuted else 0.0


def _print_set(name: str, items: Sequence[Item]) -> None:
    halves = [[item for item in items if item.held_out is held_out] for held_out in (False, True)]
    print(f"\n{name}: {len(halves[0])} claims, and {len(halves[1])} held out")
    print(f"{'':20}  macro-F1, right of supported, refuted called supported; the same held out")
    judges = {"word overlap": by_overlap(halves[0]), "all rules": by_rules()}
    judges |= {f"without {rule}": by_rules(codes) for rule, codes in _RULES.items()}
    for title, judge in judges.items():
        start, shown = time.perf_counter(), []
        for half in halves:
            gold, found = [item.label for item in half], list(map(judge, half))
            shown += [macro_f1(gold, found), *trusted(gold, found)]
        spent = (time.perf_counter() - start) / len(items) * 1000
        print(f"{title:20}", *(f"{number:8.3f}" for number in shown), f"{spent:8.1f} ms a claim")


def _print_own() -> None:
    """Print how many of our own claims are called supported, by kind: true ones should be, false ones never."""
    print("\nour own claims called supported (partial, unsupported)")
    for kind in (*SUPPORTED, "partly", *FALSE):
        some = [
            Item(claim.sentence, claim.text, claim.label, claim.held_out) for claim in claims() if claim.kind == kind
        ]
        counts = Counter(map(by_rules(), some))
        print(f"{kind:16}", *(f"{counts[label]:5}" for label in _LABELS))


_PAGES = 200
"""Of a file; of each, one sentence is altered in each way."""
_SENTENCE = range(31, 300)
"""Characters of a sentence that is altered."""


def _print_altered(path: Path, seed: int) -> None:
    """Print how many sentences of a file's texts are called supported though one thing in them was changed."""
    choose = random.Random(seed)
    data = json.loads(path.read_text(encoding="utf-8"))["data"]
    pages = [paragraph["context"] for entry in data for paragraph in entry["paragraphs"]]
    supported: Counter[str] = Counter()
    altered: Counter[str] = Counter()
    for page in choose.sample(pages, min(_PAGES, len(pages))):
        found = [text for one in sentences(page) if len(text := page[one.start : one.end]) in _SENTENCE]
        sentence = choose.choice(found) if found else ""
        for change in (altered_number, changed_unit, changed_period, negated, _name_swapped):
            claim = change(sentence, page, choose.randrange(1_000)) if sentence else None
            if claim and claim != sentence:
                altered[change.__name__] += 1
                supported[change.__name__] += verify_with(claim, [(page, None)]).label is Label.SUPPORTED
    print(f"\n{path.name}:", ", ".join(f"{name.strip('_')} {supported[name]} of {altered[name]}" for name in altered))


def _name_swapped(sentence: str, page: str, number: int) -> str | None:
    """Put a name of the page in the place of one of a sentence."""
    ours = [name for start, end in names_in(sentence) if len(name := sentence[start:end]) > 2]
    theirs = [name for start, end in names_in(page) if len(name := page[start:end]) > 2 and name not in sentence]
    theirs = [name for name in theirs if not any(one in name for one in ours)]
    return sentence.replace(ours[number % len(ours)], theirs[number % len(theirs)], 1) if ours and theirs else None


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    sets = {"wice": wice, "jglue": jnli, "symmetric": symmetric, "vitaminc": vitaminc}
    for name in sets:
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--altered", type=Path, nargs="+", default=())
    parser.add_argument("--seed", type=int, default=11, help="which sentences are altered")
    options = parser.parse_args()
    for name, read in sets.items():
        if folder := getattr(options, name):
            _print_set(name, list(read(folder)))
    for path in options.altered:
        _print_altered(path, options.seed)
    if options.own:
        _print_own()


if __name__ == "__main__":
    main()
