"""Make findings fit a model's window by leaving out evidence, evenly over topics and no source before its time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from research.evidence import Evidence


def reduce(topics: Sequence[Sequence[str]], evidence: Mapping[str, Evidence], total: int) -> list[list[str]]:
    """Return `topics` with at most `total` entries of evidence over all.

    Entries go from the end of whichever topic has most left. No source loses its last entry while another has two.

    Args:
        topics: Ids of evidence, topic by topic; what comes first matters most.
        evidence: Evidence by id.
        total: How many entries may stay.
    """
    kept = [list(topic) for topic in topics]
    of_source = Counter(evidence[name].source for topic in kept for name in topic)
    for _ in range(sum(map(len, kept)) - total):
        topic, position = _least(kept, evidence, of_source)
        of_source[evidence[topic.pop(position)].source] -= 1
    return kept


def _least(kept: list[list[str]], evidence: Mapping[str, Evidence], of_source: Counter[str]) -> tuple[list[str], int]:
    """Return where the entry stands that is missed least."""
    largest_first = sorted(kept, key=len, reverse=True)
    for topic in largest_first:
        for position in reversed(range(len(topic))):
            if of_source[evidence[topic[position]].source] > 1:
                return topic, position
    return largest_first[0], len(largest_first[0]) - 1
