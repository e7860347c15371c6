"""A run of many researchers, as events."""

from __future__ import annotations

from research import core


def big_run(lanes: int = 8, pages: int = 20) -> core.RunView:
    """A run as large as can be: every lane with as many sources, each with five long quotes."""
    state = core.RunView()
    events: list = []  # type: ignore[type-arg]
    for number in range(1, lanes + 1):
        name = f"R{number}"
        events += [core.TopicQueued(lane=name, topic="topic " * 60), core.TopicStarted(lane=name)]
        events += [core.Reflected(lane=name, reflection="thought " * 40) for _ in range(10)]
        for place in range(pages):
            page = f"S{number * 1_000 + place}"
            events.append(
                core.SearchStarted(lane=name, search=f"Q{page}", query="query " * 8, source=core.SourceName.WEB)
            )
            events.append(
                core.PageRead(
                    lane=name, page=page, url=f"https://a.example/{page}", title="title " * 10, site="a.example",
                    origin=core.SourceName.WEB, kind=core.SourceKind.NEWS, published=None, sha256="0", characters=9,
                )
            )  # fmt: skip
            quotes = tuple(f"E{number * 10_000 + place * 10 + which}" for which in range(5))
            events += [
                core.EvidenceFound(lane=name, id=quote, source=page, quote="quote " * 50, start=0, end=1)
                for quote in quotes
            ]
            events.append(
                core.PageSummarised(
                    lane=name, page=page, summary="", evidence=quotes, cached=False, by_rule=False, seconds=1
                )
            )
    return state.extend(event.model_copy(update={"seq": seq}) for seq, event in enumerate(events, 1))
