"""Acts that are two sides of one: what `A sold to B` is what `B bought from A`."""

from __future__ import annotations

import re
from collections.abc import Set

_SIDES = (("=sell", "=buy"), ("=export", "=import"))
"""What the giving side does, and what the receiving side does."""
_NAME = r"(?:the\s+)?([A-Z][\w-]*)"
_GIVEN_TO = re.compile(rf"\bto\s+{_NAME}|([一-鿿々ァ-ヺー]{{2,}})[にへ]")
_RECEIVED_FROM = re.compile(rf"\bfrom\s+{_NAME}|([一-鿿々ァ-ヺー]{{2,}})から")


def is_converse(one: str, one_units: Set[str], other: str, other_units: Set[str]) -> bool:
    """Return whether two texts (made plain, with what they can be found by) tell one deal from its two sides.

    Who is given to on one side must act on the other, or who is received from: `It sold the brand to Orla` and `Orla
    bought the brand` agree, `It bought the brand from Orla` says something else.
    """
    for giving, receiving in _SIDES:
        if giving in one_units - other_units and receiving in other_units - one_units:
            return _is_one_deal(one, other)
        if giving in other_units - one_units and receiving in one_units - other_units:
            return _is_one_deal(other, one)
    return False


def _is_one_deal(given: str, received: str) -> bool:
    receivers, givers = _names(_GIVEN_TO, given), _names(_RECEIVED_FROM, received)
    return any(name in received for name in receivers - givers) or any(name in given for name in givers - receivers)


def _names(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match[1] or match[2] for match in pattern.finditer(text)}
