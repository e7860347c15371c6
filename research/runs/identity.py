"""Names for runs: short, in order of time, safe in an address and as a folder name."""

from __future__ import annotations

import secrets
from datetime import datetime

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Without i, l, o and u, which are easily misread; in the order in which text sorts."""
_DAY = 86_400
_TIME_DIGITS = 4
_CHANCE_DIGITS = 2


def new_run_id(now: datetime) -> str:
    """Return a name such as `20261121-k3f9q2`: the day, the time of day to a tenth of a second, and chance.

    Two runs of the same moment may get the same name; the store then asks for another one.
    """
    seconds = now.hour * 3_600 + now.minute * 60 + now.second + now.microsecond / 1_000_000
    moment = int(seconds / _DAY * len(_DIGITS) ** _TIME_DIGITS)
    digits = ""
    for _ in range(_TIME_DIGITS):
        moment, digit = divmod(moment, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    chance = "".join(secrets.choice(_DIGITS) for _ in range(_CHANCE_DIGITS))
    return f"{now:%Y%m%d}-{digits}{chance}"
