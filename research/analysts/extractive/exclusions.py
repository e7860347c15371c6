"""What the brief excludes: neither looked for nor shown."""

from __future__ import annotations

from dataclasses import replace

from research.analysts.extractive.section import Section
from research.brief import Brief
from research.text.concepts import asked_concepts
from research.text.names import names_in
from research.text.words import folded, tokens


def without_excluded(section: Section, brief: Brief) -> Section:
    """Return `section` without the aspects whose words the brief excludes; unchanged if nothing would be left."""
    kept = (
        aspect for aspect in section.aspects if not any(is_excluded(words[0], brief) for words in aspect.words if words)
    )
    return replace(section, aspects=tuple(kept) or section.aspects)


def is_excluded(quote: str, brief: Brief) -> bool:
    """Whether a quote speaks of something that the brief excludes: all that one exclusion says stands in it."""
    found, low = set(tokens(quote)), folded(quote)
    return any(_speaks_of(exclusion, found, low) for exclusion in brief.exclusions)


def _speaks_of(exclusion: str, found: set[str], low: str) -> bool:
    concepts, names = asked_concepts(exclusion), names_in(exclusion)
    if not concepts and not names:
        return folded(exclusion) in low
    return all(one.match(found) >= 0.9 for one in concepts) and all(name.stands_in(low) for name in names)
