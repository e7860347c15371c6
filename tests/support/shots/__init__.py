"""What there is to see, page by page: each shot is an address and what to do there."""

from __future__ import annotations

from tests.support.shots import compare, library, report, run, settings, sources, start
from tests.support.shots.homes import Homes
from tests.support.shots.shot import Shot

_PARTS = (start, run, report, library, compare, sources, settings)


def shots(homes: Homes) -> dict[str, Shot]:
    """Return every shot of every page by its name."""
    return {name: shot for part in _PARTS for name, shot in part.shots(homes).items()}
