"""Events: every kind survives being written to a line and read again."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from pydantic import ValidationError

from research import events
from research.core import AnyEvent, Brief, Event, RunStarted, explain, parse_event
from research.core.errors import PROBLEMS
from research.language import Language

KINDS: tuple[type[Event], ...] = get_args(get_args(AnyEvent)[0])


def test_the_union_holds_every_event_of_the_module() -> None:
    defined = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)}
    assert {kind for kind in defined if kind.model_fields["type"].default} == set(KINDS)


def test_types_are_unique_and_in_snake_case() -> None:
    names = [kind.model_fields["type"].default for kind in KINDS]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and " " not in name for name in names)


def test_an_event_reads_back_as_itself() -> None:
    event = RunStarted(
        seq=1, at=datetime.now(UTC), run="r", brief=Brief(question="質問"), brief_text="t", analyst="a", sources=()
    )
    assert parse_event(event.model_dump_json()) == event


@pytest.mark.parametrize("line", ["", "{}", '{"type": "unheard_of"}', "nonsense"])
def test_what_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(ValidationError):
        parse_event(line)


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_problem_is_said_in_both_languages(code: str) -> None:
    english, japanese = explain(code, Language.EN), explain(code, Language.JA, "対象")
    assert english.endswith(".") and japanese.startswith("対象：") and japanese.endswith("。")
