"""Verdicts on labelled claims, with each rule left out in turn, and the time that a report takes.

python -m bench.verification.run            both halves
python -m bench.verification.run --misses   also the sentences of the half to develop on that went wrong
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from bench.verification.dataset import FALSE, SUPPORTED, Labelled, claims
from bench.verification.timing import print_timing
from research.verification.findings import ALL, Rule
from research.verification.labels import Label
from research.verification.verdicts import verify_with

_LABELS = (Label.SUPPORTED, Label.PARTIAL, Label.UNSUPPORTED)
_KINDS = (*SUPPORTED, "partly", *FALSE)


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--misses", action="store_true", help="print what went wrong in the half to develop on")
    options = parser.parse_args()
    for held_out, title in ((False, "developed on"), (True, "held out")):
        for language in ("en", "ja"):
            part = [claim for claim in claims() if claim.held_out is held_out and claim.language == language]
            _print_table(f"{language.upper()}, {title}", part)
    _print_ablation()
    if options.misses:
        _print_misses()
    print_timing()


def _verdicts(part: Sequence[Labelled], rules: frozenset[Rule] = ALL) -> list[Label | None]:
    return [verify_with(claim.sentence, [(claim.text, None)], rules).label for claim in part]


def _print_table(title: str, part: Sequence[Labelled]) -> None:
    counts = Counter(zip((claim.kind for claim in part), _verdicts(part), strict=True))
    print(f"\n{title}: {len(part)} claims, {sum(claim.by_hand for claim in part)} written by hand")
    print(f"{'':16}{'supported':>11}{'partial':>9}{'unsupported':>13}{'right':>8}")
    for kind in _KINDS:
        row = [counts[kind, label] for label in _LABELS]
        total = sum(row)
        if total:
            right = row[0] if kind in SUPPORTED else row[1] if kind == "partly" else row[1] + row[2]
            print(f"{kind:16}{row[0]:>11}{row[1]:>9}{row[2]:>13}{right / total:>8.0%}")
    print(f"false alarms (supported called unsupported) {_alarms(counts, _LABELS[2:]):.1%}", end="; ")
    print(f"supported called less than that {_alarms(counts, _LABELS[1:]):.1%}")


def _alarms(counts: Counter[tuple[str, Label | None]], wrong: Sequence[Label]) -> float:
    total = sum(count for (kind, _), count in counts.items() if kind in SUPPORTED)
    return sum(counts[kind, label] for kind in SUPPORTED for label in wrong) / total


def _print_ablation() -> None:
    """Print what each rule is worth: share of false claims found (not called supported), and false alarms."""
    print(f"\n{'rule left out':16}{'language':>9}", *(f"{kind.split()[0]:>9}" for kind in FALSE), f"{'alarms':>9}")
    for left_out in (None, *Rule):
        for language in ("en", "ja"):
            part = [claim for claim in claims() if claim.language == language]
            counts = Counter(
                zip((claim.kind for claim in part), _verdicts(part, ALL - {left_out} if left_out else ALL), strict=True)
            )
            found = [
                1 - counts[kind, Label.SUPPORTED] / sum(counts[kind, label] for label in _LABELS) for kind in FALSE
            ]
            shown = "".join(f"{share:>10.0%}" for share in found)
            print(
                f"{left_out.value if left_out else '(none)':16}{language:>9}{shown}",
                f"{_alarms(counts, _LABELS[2:]):>9.1%}",
            )


def _print_misses() -> None:
    for claim in claims():
        if claim.held_out:
            continue
        verdict = verify_with(claim.sentence, [(claim.text, None)])
        right = verdict.label is claim.label or (claim.kind in FALSE and verdict.label is Label.PARTIAL)
        if not right:
            print(f"{claim.page} [{claim.kind}] {verdict.label} {verdict.score:.2f}: {claim.sentence}")
            print(f"    {verdict.reason.code}: {verdict.reason.words.en}")


if __name__ == "__main__":
    main()
