"""Words of own documents stay here in every method, also where rules and not models make the queries."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from research.analysts import ResearchComplete, ResearcherAction, ResearcherView, Search
from research.core import BlockSite, Brief, MethodName, NextQuery, PageRead, ProblemOccurred, Reflection, SourceName
from research.engine import Control, conduct
from research.engine.outgoing import Outgoing
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, found_page, scripted_world

NOTES = found_page(
    "Bluebird plan.md",
    "Kestrelworks, code name Bluebird, sells 4871 pumps in Vietnam. Mr Quillfeather opposes it.",
    url="file:///Bluebird%20plan.md",
    title="Bluebird plan",
    site="Bluebird plan.md",
    origin=SourceName.LIBRARY,
)
PRIVATE = ("kestrelworks", "bluebird", "4871", "quillfeather", "plan.md")
BY_RULE = {MethodName.CHAINED, MethodName.GAP_DRIVEN}
"""Methods whose further queries are for what is missing, in words of the question: their analysts write none."""


class Indiscreet(ScriptedAnalyst):
    """Puts what it has read into every further query."""

    def __init__(self) -> None:
        super().__init__(topics=("The pump market",), on_investigate=self._act, on_reflect=self._think)

    def _act(self, view: ResearcherView) -> list[ResearcherAction]:
        if view.turn > 2:
            return [ResearchComplete()]
        return [Search((self._query(view), f"pump {view.turn}"))]

    def _think(self, view: ResearcherView) -> Reflection:
        return Reflection(
            summary="I have read.", gaps=("prices",), queries=(NextQuery(query=self._query(view), reason="a gap"),)
        )

    def _query(self, view: ResearcherView) -> str:
        return f"pump market {view.turn} " + " ".join(entry.quote for entry in view.evidence)[:200]


async def told(method: MethodName, *, shares: bool, blocked: str = "") -> tuple[str, MemoryJournal]:
    """Research own documents and the web; return all that the web was told."""
    own, web = MemorySource([NOTES], name=SourceName.LIBRARY), MemorySource()
    world = replace(scripted_world(Indiscreet(), own, web), shares_own_words=shares)
    control, journal = Control(), MemoryJournal()
    if blocked:
        control.hear(BlockSite(site=blocked))
    brief = Brief(question="What of the pump market?", method=method)
    await conduct("test", brief, world, journal, control)
    assert any(event.origin is SourceName.LIBRARY for event in journal.of(PageRead)) or blocked
    assert len(web.asked) > 1
    return " ".join(repr(request) for request in web.asked).lower(), journal


@pytest.mark.parametrize("method", list(MethodName))
async def test_no_method_tells_the_web(method: MethodName) -> None:
    heard, journal = await told(method, shares=False)
    assert not [word for word in PRIVATE if word in heard]
    withheld = [event for event in journal.of(ProblemOccurred) if event.code == "query_withheld"]
    assert bool(withheld) is (method not in BY_RULE)
    assert not [event for event in withheld if "bluebird" in repr(event).lower()]


@pytest.mark.parametrize("method", [method for method in MethodName if method not in BY_RULE])
async def test_all_is_told_where_the_user_agreed(method: MethodName) -> None:
    heard, _ = await told(method, shares=True)
    assert "kestrelworks" in heard


async def test_the_name_of_a_document_that_is_blocked_is_told_to_nobody() -> None:
    heard, _ = await told(MethodName.SUPERVISED, shares=False, blocked="Bluebird plan.md")
    assert "plan.md" not in heard


@pytest.mark.parametrize(
    "arguments",
    ["{}", '{"name": "pump"}', '{"name": "Vietnam", "limit": 20}', '{"wanted": true, "more": null}', "no JSON"],
)
def test_arguments_of_the_users_own_words_pass(arguments: str) -> None:
    outgoing = Outgoing("What of pumps in Vietnam?", date(2026, 11, 22), is_free=False)
    outgoing.hear(_read_own())
    assert outgoing.may_pass(arguments, (), "crm")


@pytest.mark.parametrize(
    "arguments",
    ['{"name": "Kestrelworks"}', '{"limit": 4871}', '{"price": 312.5}', '{"a": {"b": ["Quillfeather"]}}',
     '{"a": {"Bluebird": 1}}', '{"name": "pump Bluebird"}'],
)  # fmt: skip
def test_others_do_not(arguments: str) -> None:
    outgoing = Outgoing("What of pumps in Vietnam?", date(2026, 11, 22), is_free=False)
    outgoing.hear(_read_own())
    assert not outgoing.may_pass(arguments, (), "crm")


def _read_own() -> PageRead:
    return PageRead(
        lane="R1", page="S1", url="file:///x", title="", site="x", origin=SourceName.LIBRARY, kind="document",
        published=None, sha256="", characters=1,
    )  # fmt: skip
