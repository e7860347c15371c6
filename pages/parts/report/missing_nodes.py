"""What a run looked for and did not find, topic by topic, as it was counted while it searched."""

from __future__ import annotations

from collections.abc import Iterator

from pages.parts.live.thought_nodes import heading
from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui
from research.sufficiency import Aspect
from research.trail import TopicTrail, Trail

_LITTLE = 0.5
"""Share of a kind of information up to which little of it was found."""
_QUERIES = 6


def missing(trail: Trail, ui: Ui) -> list[Element]:
    """Return what was not found; nothing if all was, or nothing was counted."""
    topics = [line for topic in trail.topics for line in _topic(topic, ui)]
    vain = list(
        dict.fromkeys(one.query for topic in trail.topics for one in topic.queries if _is_vain(one.hits, one.answered))
    )
    found: list[Element] = []
    if topics:
        said = ui._("Counted by rule from the quotes of each topic; what is said in other words may be overlooked.")
        found += [group("ul", "", topics), el("p", "faint", said)]
    if vain:
        listed = " · ".join(vain[:_QUERIES])
        more = len(vain) - _QUERIES
        rest = " " + ui.n_("and {count} more", "and {count} more", more) if more > 0 else ""
        found.append(el("p", "faint", ui._("Searches that found nothing: {queries}").format(queries=listed) + rest))
    return found


def _is_vain(hits: int, answered: int) -> bool:
    return not hits and answered > 0


def _topic(topic: TopicTrail, ui: Ui) -> Iterator[Element]:
    """Yield the line of a topic of which something is missing."""
    if topic.title:
        nothing = [kind for kind, share in topic.coverage.items() if not share]
        little = [kind for kind, share in topic.coverage.items() if 0 < share < _LITTLE]
    else:
        nothing = [ui.of_term(Aspect(name).label) for name in topic.missing if name in set(Aspect)]
        little = []
    said = [
        ui._("nothing on {kinds}").format(kinds=ui.listed(nothing)) if nothing else "",
        ui._("little on {kinds}").format(kinds=ui.listed(little)) if little else "",
    ]
    if any(said):
        words = [el("span", "what", text) for text in said if text]
        yield el("li", "", el("strong", "", topic.title or heading(topic.topic)), *words, key=topic.lane)
